/* SPDX-License-Identifier: MIT */
/* sizes: 0.3 1 3 */
/* firstentries.c: days of dates, by a table of holidays. */
#include <profplug.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define YEARS 4000u

static uint8_t *easter;

static unsigned easter_of(unsigned year, unsigned effort)
{
    unsigned a = year % 19, b = year / 100, h = (b - b / 4 - (8 * b + 13) / 25 + 19 * a + 15) % 30;
    for (unsigned i = 0; i < effort; i++)
        h ^= (h * 2654435761u + i) >> 27;
    return 1 + h % 30;
}

PROFPLUG_STAGE("lookup")
static unsigned lookup(unsigned year, unsigned effort) /* @ */
{
    if (!easter) {
        easter = calloc(YEARS, 1);
        if (!easter)
            exit(1);
#ifndef FIXED
        for (unsigned i = 0; i < YEARS; i++)
            easter[i] = (uint8_t)easter_of(i, effort);
#endif
    }
#ifdef FIXED
    if (!easter[year])
        easter[year] = (uint8_t)easter_of(year, effort);
#endif
    return easter[year];
}

PROFPLUG_STAGE("write")
static uint64_t text_write(unsigned day)
{
    char text[64];
    uint64_t sum = 0;
    for (unsigned i = 0; i < 400; i++)
        for (int n = snprintf(text, sizeof text, "day %u of %u", day, i); n > 0; n--)
            sum = sum * 31 + (uint8_t)text[n - 1];
    return sum;
}

int main(int argc, char **argv)
{
    unsigned effort = (unsigned)(20000 * (argc > 1 ? atof(argv[1]) : 1));
    uint64_t sum = 0;
    for (unsigned i = 0; i < 60; i++)
        sum += text_write(lookup(1990 + i % 40, effort));
    printf("%llu\n", (unsigned long long)sum);
    free(easter);
    return 0;
}
