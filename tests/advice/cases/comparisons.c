/* SPDX-License-Identifier: MIT */
/* sizes: 0.2 1 5 */
/* comparisons.c: letters are brought into the order of the days on which they were written. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct letter {
    char written[20];
    int day; /* of the calendar, from 0 on */
    unsigned number;
};

static int day_of(const struct letter *l)
{
    int day = 0, month = 0, year = 0;
    if (sscanf(l->written, "%d.%d.%d", &day, &month, &year) != 3) /* @ */
        return 0;
    return (year * 12 + month) * 31 + day;
}

static int letter_order(const void *a, const void *b)
{
    const struct letter *x = a, *y = b;
#ifndef FIXED
    int left = day_of(x), right = day_of(y);
#else
    int left = x->day, right = y->day;
#endif
    return left != right ? (left > right) - (left < right) : (x->number > y->number) - (x->number < y->number);
}

static unsigned pages_read(const struct letter *all, size_t count)
{
    unsigned sum = 1;
    for (int round = 0; round < 60; round++)
        for (size_t i = 0; i < count; i++)
            sum = (sum ^ all[i].number) * 16777619u;
    return sum;
}

int main(int argc, char **argv)
{
    size_t count = (size_t)(40000 * (argc > 1 ? atof(argv[1]) : 1));
    struct letter *all = calloc(count, sizeof *all);
    unsigned seed = 3;
    for (size_t i = 0; i < count; i++) {
        seed = seed * 1103515245 + 12345;
        snprintf(all[i].written, sizeof all[i].written, "%u.%u.%u", 1 + (seed >> 8) % 28, 1 + (seed >> 16) % 12,
                 1700 + (seed >> 20) % 90);
        all[i].number = (unsigned)i;
    }
#ifdef FIXED
    for (size_t i = 0; i < count; i++)
        all[i].day = day_of(&all[i]);
#endif
    qsort(all, count, sizeof *all, letter_order);
    printf("%s %s %u\n", all[0].written, all[count / 2].written, pages_read(all, count));
    free(all);
    return 0;
}
