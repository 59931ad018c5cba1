/* SPDX-License-Identifier: MIT */
/* sizes: 0.3 1 3 */
/* rule: divisions */
/* does: 2999 */
/* carousels.c: suitcases go round on a belt until they are taken. The belt's length is given to a function that is
 * inlined, so that GCC knows it: its rest is two multiplications, for which the next one waits. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define PLACES 2999

struct belt {
    uint32_t first, last, tags, *tag;
};

static inline uint32_t place_next(uint32_t place, uint32_t places)
{
#ifndef FIXED
    return (place + 1) % places; /* @ */
#else
    return place + 1 == places ? 0 : place + 1;
#endif
}

static void belt_put(struct belt *b, uint32_t tag, uint32_t places)
{
    b->tag[b->last] = tag;
    b->last = place_next(b->last, places);
    b->tags++;
}

static uint32_t belt_take(struct belt *b, uint32_t places)
{
    uint32_t tag = b->tag[b->first];
    b->first = place_next(b->first, places);
    b->tags--;
    return tag;
}

int main(int argc, char **argv)
{
    uint32_t turns = (uint32_t)(40000000 * (argc > 1 ? atof(argv[1]) : 1)), digits = 0;
    struct belt belt = { 0, 0, 0, malloc(PLACES * sizeof(uint32_t)) };
    uint64_t sum = 0;
    for (uint32_t i = 0; belt.tag && i < 2000; i++)
        belt_put(&belt, i, PLACES);
    for (uint32_t i = 0; i < turns; i++) {
        uint32_t tag = belt_take(&belt, PLACES);
        sum += tag;
        belt_put(&belt, tag * 5 + 1, PLACES);
    }
    for (uint64_t rest = sum; rest; rest /= 10) /* a rest by a constant that no comparison replaces */
        digits += (uint32_t)(rest % 10);
    printf("%u suitcases, %llu, digits %u\n", belt.tags, (unsigned long long)sum, digits);
    free(belt.tag);
    return 0;
}
