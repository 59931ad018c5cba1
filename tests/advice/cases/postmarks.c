/* SPDX-License-Identifier: MIT */
/* rule: indirections */
/* sizes: 0.3 1 3 */
/* most: 80 */
/* says: bag_next */
/* does: bag_next */
/* titled: function */
/* postmarks.c: numbers of letters are unpacked from a bag that gives a byte at a time, through a pointer that always
 * leads to the same function. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define LETTERS 100000

struct bag {
    const uint8_t *at, *end;
    int (*next)(struct bag *bag);
};

static int bag_next(struct bag *bag)
{
    return bag->at < bag->end ? *bag->at++ : -1;
}

static int bag_next_turned(struct bag *bag)
{
    return bag->at < bag->end ? *bag->at++ ^ 1 : -1;
}

__attribute__((noinline)) static int number_take(struct bag *bag, uint64_t *number)
{
    uint64_t all = 0;
    for (unsigned shift = 0;; shift += 7) {
#ifdef FIXED
        int byte = bag_next(bag);
#else
        int byte = bag->next(bag); /* @ */
#endif
        if (byte < 0)
            return 0;
        all |= (uint64_t)(byte & 127) << shift;
        if (byte < 128)
            break;
    }
    *number = all;
    return 1;
}

int main(int argc, char **argv)
{
    unsigned rounds = (unsigned)(60 * (argc > 1 ? atof(argv[1]) : 1));
    uint8_t *bytes = malloc(10 * LETTERS), *end = bytes;
    uint64_t sum = 0, number;
    for (unsigned i = 0; i < LETTERS; i++) {
        uint64_t left = 1790000000000u + i * 2654435761ull;
        for (; left >= 128; left >>= 7)
            *end++ = (uint8_t)(left | 128);
        *end++ = (uint8_t)left;
    }
    for (unsigned r = 0; r < rounds; r++) {
        struct bag bag = { bytes, end, argc > 2 ? bag_next_turned : bag_next };
        while (number_take(&bag, &number))
            sum = sum * 31 + number;
    }
    printf("%llu\n", (unsigned long long)sum);
    free(bytes);
    return 0;
}
