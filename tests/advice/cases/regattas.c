/* SPDX-License-Identifier: MIT */
/* rule: slowsorts */
/* neither: sorting */
/* sizes: 0.7 1 2 */
/* wide: 0.7 2 7 */
/* regattas.c: boats are put in order by their times: for each place the fastest of those that are left is looked for. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct boat {
    uint32_t time, number;
    char name[24];
};

#ifdef FIXED
static int by_time(const void *a, const void *b)
{
    const struct boat *x = a, *y = b;
    return x->time < y->time ? -1 : x->time > y->time;
}
#endif

static void boats_order(struct boat *boat, int count)
{
#ifndef FIXED
    for (int place = 0; place < count; place++) {
        int fastest = place;
        for (int i = place + 1; i < count; i++) /* @ */
            if (boat[i].time < boat[fastest].time) /* @ */
                fastest = i; /* @ */
        struct boat kept = boat[place];
        boat[place] = boat[fastest];
        boat[fastest] = kept;
    }
#else
    qsort(boat, (size_t)count, sizeof *boat, by_time);
#endif
}

static uint32_t wind(uint32_t x)
{
    for (int i = 0; i < 4000; i++)
        x = x * 1664525 + (x >> 13);
    return x;
}

int main(int argc, char **argv)
{
    int boats = (int)(6000 * (argc > 1 ? atof(argv[1]) : 1));
    struct boat *boat = malloc((size_t)boats * sizeof *boat);
    uint32_t sum = 0;
    for (int i = 0; i < boats; i++) {
        boat[i].number = (uint32_t)i;
        boat[i].time = wind((uint32_t)i) << 12 | (uint32_t)i % 4096;
        snprintf(boat[i].name, sizeof boat[i].name, "boat %d", i);
    }
    boats_order(boat, boats);
    for (int i = 0; i < boats; i++)
        sum = sum * 31 + boat[i].time + (uint32_t)boat[i].name[6];
    printf("%08x\n", sum);
    free(boat);
    return 0;
}
