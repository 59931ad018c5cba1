/* SPDX-License-Identifier: MIT */
/* sizes: 0.5 1 2 */
/* wide: 0.5 1.5 5 */
/* slowsorts.c: the loans of a library are put in order by their dates. Those of the last days, which come nearly in
 * order, are kept so by moving a few on. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define RECENT 64

static uint32_t state = 1;

static uint32_t random_next(void) { return state = state * 1664525u + 1013904223u; }

#ifdef FIXED
static int by_date(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}
#endif

static void loans_order(uint32_t *date, int count)
{
#ifndef FIXED
    for (int i = 0; i < count; i++)
        for (int k = 0; k + 1 < count - i; k++) /* @ */
            if (date[k] > date[k + 1]) { /* @ */
                uint32_t kept = date[k];
                date[k] = date[k + 1]; /* @ */
                date[k + 1] = kept; /* @ */
            }
#else
    qsort(date, (size_t)count, sizeof *date, by_date);
#endif
}

static uint32_t recent_keep(uint32_t *recent, uint32_t date)
{
    int at = RECENT - 1;
    for (; at > 0 && recent[at - 1] > date; at--)
        recent[at] = recent[at - 1];
    recent[at] = date;
    return recent[RECENT / 2];
}

int main(int argc, char **argv)
{
    int loans = (int)(6000 * (argc > 1 ? atof(argv[1]) : 1));
    static uint32_t recent[RECENT];
    uint32_t *date = malloc((size_t)loans * sizeof *date), sum = 0;
    for (int i = 0; i < loans; i++)
        date[i] = random_next();
    loans_order(date, loans);
    for (int i = 0; i < loans; i++)
        sum = sum * 31 + date[i];
    for (int day = 0; day < 100 * loans; day++)
        sum += recent_keep(recent, (uint32_t)day * 8 + random_next() % 64);
    printf("%08x\n", sum);
    free(date);
    return 0;
}
