/* SPDX-License-Identifier: MIT */
/* A lottery: tickets of six numbers are drawn, and tickets that were sold twice are counted. Then the winners of some
 * draws are counted. Prints both. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ticket {
    uint64_t numbers; /* a bit for each of 49 */
    uint32_t serial;
};

static uint64_t next(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

static uint64_t numbers_draw(uint64_t *state, unsigned range)
{
    uint64_t numbers = 0;
    while (__builtin_popcountll(numbers) < 6) numbers |= 1ULL << next(state) % range;
    return numbers;
}

static void tickets_sell(struct ticket *ticket, unsigned count, uint64_t *state)
{
    for (unsigned i = 0; i < count; i++) ticket[i] = (struct ticket){ numbers_draw(state, 28), i };
}

#ifdef FIXED
static int by_numbers(const void *a, const void *b)
{
    const struct ticket *left = a, *right = b;
    return left->numbers < right->numbers ? -1 : left->numbers > right->numbers;
}
#endif

static unsigned pairs_count(const struct ticket *ticket, unsigned count)
{
    unsigned pairs = 0;
#ifdef FIXED
    struct ticket *copy = malloc(count * sizeof *copy);
    if (!copy) exit(1);
    memcpy(copy, ticket, count * sizeof *copy);
    qsort(copy, count, sizeof *copy, by_numbers);
    for (unsigned i = 0, run = 1; i < count; i += run) {
        for (run = 1; i + run < count && copy[i + run].numbers == copy[i].numbers;) run++;
        pairs += run * (run - 1) / 2;
    }
    free(copy);
#else
    for (unsigned i = 0; i < count; i++)
        for (unsigned j = i + 1; j < count; j++) /* @ */
            if (ticket[i].numbers == ticket[j].numbers) pairs++; /* @ */
#endif
    return pairs;
}

static unsigned winners_count(const struct ticket *ticket, unsigned count, uint64_t drawn)
{
    unsigned winners = 0;
    for (unsigned i = 0; i < count; i++) winners += __builtin_popcountll(ticket[i].numbers & drawn) >= 4;
    return winners;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    unsigned weeks = (unsigned)(12 * scale) + 1, pairs = 0, winners = 0;
    uint64_t state = 49;
    struct ticket *ticket = malloc(20000 * sizeof *ticket);
    if (!ticket) return 1;
    for (unsigned week = 0; week < weeks; week++) {
        unsigned count = 5000 + week * 1000 % 10001;
        tickets_sell(ticket, count, &state);
        pairs += pairs_count(ticket, count);
        for (unsigned draw = 0; draw < 1200; draw++) winners += winners_count(ticket, count, numbers_draw(&state, 28));
    }
    free(ticket);
    printf("%u %u\n", pairs, winners);
    return 0;
}
