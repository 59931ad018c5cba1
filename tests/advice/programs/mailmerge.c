/* SPDX-License-Identifier: MIT */
/* Letters to members of a club: each has a list of all bookings of the member. Prints the letters' length and a sum. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BOOKINGS 600u
#define LETTER 65536u

struct booking {
    unsigned day, court, cents;
};

static struct booking bookings[BOOKINGS];

static void bookings_make(unsigned member)
{
    for (unsigned i = 0; i < BOOKINGS; i++) {
        uint32_t seed = (member * BOOKINGS + i) * 2654435761u;
        bookings[i].day = i % 365;
        bookings[i].court = seed >> 29;
        bookings[i].cents = 500 + (seed >> 16 & 1023);
    }
}

static char *number_append(char *at, unsigned value)
{
    char digits[12];
    int n = 0;
    do digits[n++] = (char)('0' + value % 10);
    while (value /= 10);
    while (n) *at++ = digits[--n];
    return at;
}

static void booking_line(char *line, const struct booking *booking)
{
    memcpy(line, "day ", 4);
    line = number_append(line + 4, booking->day);
    memcpy(line, ", court ", 8);
    line = number_append(line + 8, booking->court);
    memcpy(line, ": ", 2);
    line = number_append(line + 2, booking->cents / 100);
    *line++ = '.';
    line = number_append(line, booking->cents % 100);
    memcpy(line, " Euro\n", 7);
}

static void letter_write(char *letter, unsigned member)
{
    char line[80];
    snprintf(letter, LETTER, "Dear member %u,\nthese are your bookings:\n", member);
#ifdef FIXED
    char *end = letter + strlen(letter);
#endif
    for (unsigned i = 0; i < BOOKINGS; i++) {
        booking_line(line, &bookings[i]);
#ifdef FIXED
        end = stpcpy(end, line);
#else
        strcat(letter, line); /* @ */
#endif
    }
}

static uint64_t letter_stamp(const char *letter, size_t length)
{
    uint64_t h = 14695981039346656037ULL;
    for (int pass = 0; pass < 5; pass++)
        for (size_t i = 0; i < length; i++) h = (h ^ (uint8_t)letter[i]) * 1099511628211ULL;
    return h;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    unsigned members = (unsigned)(3000 * scale) + 1;
    uint64_t sum = 0;
    size_t length = 0;
    static char letter[LETTER];
    for (unsigned i = 0; i < members; i++) {
        bookings_make(i);
        letter_write(letter, i);
        size_t size = strlen(letter);
        length += size;
        sum ^= letter_stamp(letter, size);
    }
    printf("%zu %llu\n", length, (unsigned long long)sum);
    return 0;
}
