/* SPDX-License-Identifier: MIT */
/* A diary of machines: events, many in the same second, become lines with a date and a checksum. Prints the lines'
 * length and a sum over them. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct event {
    time_t second;
    unsigned machine, code;
};

static struct event event_make(unsigned number)
{
    uint32_t seed = number * 747796405u + 2891336453u;
    struct event event = { 1700000000 + number / 400, seed >> 24, seed >> 12 & 0xfff };
    return event;
}

static size_t date_write(char *line, time_t second)
{
#ifdef FIXED
    static char text[32];
    static size_t length;
    static time_t known;
    if (second != known) {
        struct tm date;
        known = second;
        length = strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S ", gmtime_r(&second, &date));
    }
    memcpy(line, text, length);
    return length;
#else
    struct tm date;
    return strftime(line, 32, "%Y-%m-%d %H:%M:%S ", gmtime_r(&second, &date)); /* @ */
#endif
}

static size_t number_write(char *at, unsigned value)
{
    char digits[12];
    size_t n = 0, length = 0;
    do digits[n++] = (char)('0' + value % 10);
    while (value /= 10);
    while (n) at[length++] = digits[--n];
    return length;
}

static size_t line_write(char *line, const struct event *event)
{
    size_t length = date_write(line, event->second);
    memcpy(line + length, "machine ", 8);
    length += 8;
    length += number_write(line + length, event->machine);
    memcpy(line + length, ": code ", 7);
    length += 7;
    length += number_write(line + length, event->code);
    line[length++] = '\n';
    return length;
}

static uint64_t line_digest(const char *line, size_t length)
{
    uint64_t h = 14695981039346656037ULL;
    for (int pass = 0; pass < 3; pass++)
        for (size_t i = 0; i < length; i++) h = (h ^ (uint8_t)line[i]) * 1099511628211ULL;
    return h;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    unsigned events = (unsigned)(2200000 * scale) + 1;
    uint64_t sum = 0, total = 0;
    char line[128];
    for (unsigned i = 0; i < events; i++) {
        struct event event = event_make(i);
        size_t length = line_write(line, &event);
        sum ^= line_digest(line, length);
        total += length;
    }
    printf("%llu %llu\n", (unsigned long long)total, (unsigned long long)sum);
    return 0;
}
