/* SPDX-License-Identifier: MIT */
/* A dairy's journal: each can of milk gets a line with its time, to the second, and its fat. Prints the lines' bytes and
 * a sum over them. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct can {
    time_t time;
    unsigned farm, fat;
};

struct journal {
    char stamp[32];
    time_t stamped;
    uint64_t bytes, sum;
};

static void journal_stamp(struct journal *journal, time_t time)
{
    struct tm parts;
#ifdef FIXED
    if (journal->stamped == time && *journal->stamp) return;
#endif
    gmtime_r(&time, &parts);
    strftime(journal->stamp, sizeof journal->stamp, "%Y-%m-%d %H:%M:%S", &parts); /* @ */
    journal->stamped = time;
}

static unsigned fat_of(unsigned farm, unsigned can)
{
    uint64_t milk = farm * 977u + can;
    for (unsigned i = 0; i < 220; i++) milk = (milk ^ i) * 1099511628211ULL;
    return 300 + (unsigned)(milk >> 57);
}

static void journal_line(struct journal *journal, const struct can *can)
{
    char line[64];
    size_t length = strlen(journal->stamp);
    memcpy(line, journal->stamp, length);
    line[length++] = ' ';
    for (unsigned number = can->farm * 1000 + can->fat, digits = 6; digits; digits--, number /= 10) line[length + digits - 1] = (char)('0' + number % 10);
    length += 6;
    journal->bytes += length;
    for (size_t i = 0; i < length; i++) journal->sum = journal->sum * 31 + (unsigned char)line[i];
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    unsigned cans = (unsigned)(700000 * scale) + 1;
    struct journal journal = { .sum = 7 };
    for (unsigned i = 0; i < cans; i++) {
        struct can can = { 1700000000 + i / 2000, i % 90, fat_of(i % 90, i) };
        journal_stamp(&journal, can.time); /* @ */
        journal_line(&journal, &can);
    }
    printf("%llu %llu\n", (unsigned long long)journal.bytes, (unsigned long long)journal.sum);
    return 0;
}
