/* SPDX-License-Identifier: MIT */
/* Sums columns of a table in text form, which it makes itself: splits lines into fields, and adds the fields up by the
 * name of their column. Prints the sums. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS 12u

static uint64_t sums[COLUMNS];

static void line_make(char *line, unsigned number)
{
    uint32_t seed = number * 2654435761u + 9;
    for (unsigned i = 0; i < COLUMNS; i++) {
        char digits[12];
        int n = 0;
        seed = seed * 1664525u + 1013904223u;
        for (uint32_t value = seed >> 10; value; value /= 10) digits[n++] = (char)('0' + value % 10);
        while (n) *line++ = digits[--n];
        *line++ = i + 1 < COLUMNS ? ',' : 0;
    }
}

static uint64_t field_value(const char *field, size_t length)
{
    uint64_t value = 0;
    for (size_t i = 0; i < length; i++) value = value * 10 + (uint64_t)(field[i] - '0');
    return value;
}

static void line_sum(const char *line)
{
    for (unsigned column = 0; column < COLUMNS; column++) {
        size_t length = strcspn(line, ",");
#ifdef FIXED
        sums[column] += field_value(line, length);
#else
        char *field = strndup(line, length); /* @ */
        if (!field) exit(1);
        sums[column] += field_value(field, strlen(field));
        free(field); /* @ */
#endif
        line += length + 1;
    }
}

static uint64_t line_digest(const char *line)
{
    uint64_t h = 14695981039346656037ULL;
    for (; *line; line++) h = (h ^ (uint8_t)*line) * 1099511628211ULL;
    return h;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    unsigned lines = (unsigned)(1000000 * scale) + 1;
    uint64_t digest = 0;
    char line[COLUMNS * 12];
    for (unsigned i = 0; i < lines; i++) {
        line_make(line, i);
        line_sum(line);
        digest ^= line_digest(line);
    }
    for (unsigned i = 0; i < COLUMNS; i++) printf("%llu ", (unsigned long long)sums[i]);
    printf("%llu\n", (unsigned long long)digest);
    return 0;
}
