/* SPDX-License-Identifier: MIT */
/* rule: copies */
/* sizes: 0.5 1 2 */
/* wide: 0.5 1 3 */
/* does: qsort */
/* titled: room */
/* least: 70 */
/* waiters.c: each guest of a restaurant that comes is put into a list which is in order of the guests' numbers. Nobody
 * looks at it before all have come. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned guest[400000];
static size_t guests;

#ifdef FIXED
static int compare(const void *a, const void *b)
{
    unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
    return (x > y) - (x < y);
}
#else
static size_t place_of(unsigned number)
{
    size_t low = 0, high = guests;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (guest[middle] < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
#endif

static void guest_add(unsigned number)
{
#ifdef FIXED
    guest[guests++] = number;
#else
    size_t place = place_of(number);
    memmove(&guest[place + 1], &guest[place], (guests - place) * sizeof *guest); /* @ */
    guest[place] = number;
    guests++;
#endif
}

int main(int argc, char **argv)
{
    size_t most = (size_t)(60000 * (argc > 1 ? atof(argv[1]) : 1));
    unsigned state = 5, sum = 0;
    for (size_t i = 0; i < most; i++) {
        state = state * 1664525u + 1013904223u;
        guest_add(state >> 4);
    }
#ifdef FIXED
    qsort(guest, guests, sizeof *guest, compare);
#endif
    for (size_t i = 0; i < guests; i++)
        sum = sum * 31 + guest[i];
    printf("%u\n", sum);
    return 0;
}
