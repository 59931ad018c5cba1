/* SPDX-License-Identifier: MIT */
/* rule: divisions */
/* sizes: 0.3 1 3 */
/* lotteries.c: stands of a fair sell tickets in turn: who is next is a rest by how many there are. Then winners are
 * drawn by random numbers. Those are divided, too, while the next one is made, which costs no time. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint32_t state = 88172645u;

static uint32_t drawn(void)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

__attribute__((noinline)) static uint64_t stands_sell(const uint32_t *ticket, uint32_t count, uint32_t first,
                                                      uint32_t stands, uint64_t *till)
{
    uint64_t sum = 0;
#ifdef FIXED
    uint32_t stand = first % stands;
    for (uint32_t i = 0; i < count; i++) {
        till[stand] += ticket[i] >> 3;
        if (++stand == stands)
            stand = 0;
    }
#else
    for (uint32_t i = 0; i < count; i++) /* @ */
        till[(first + i) % stands] += ticket[i] >> 3; /* @ */
#endif
    for (uint32_t i = 0; i < stands; i++)
        sum = sum * 31 + till[i];
    return sum;
}

__attribute__((noinline)) static void winners_draw(const uint32_t *ticket, uint32_t count, uint32_t *won,
                                                   uint32_t prizes, uint32_t *often)
{
    for (uint32_t i = 0; i < prizes; i++) {
        won[i] = ticket[drawn() % count];
        often[won[i] % 512]++;
    }
}

int main(int argc, char **argv)
{
    uint32_t fairs = (uint32_t)(4000 * (argc > 1 ? atof(argv[1]) : 1));
    uint32_t count = argc > 3 ? (uint32_t)atoi(argv[3]) : 20000;
    uint32_t stands = argc > 2 ? (uint32_t)atoi(argv[2]) : 250, often[512] = { 0 };
    uint32_t *ticket = malloc(count * sizeof *ticket), *won = malloc(count * sizeof *won);
    uint64_t *till = calloc(stands, sizeof *till), sum = 0;
    for (uint32_t i = 0; i < count; i++)
        ticket[i] = i * 2654435761u >> 7;
    for (uint32_t f = 0; f < fairs; f++) {
        sum ^= stands_sell(ticket, count, f, stands, till) + f;
        winners_draw(ticket, count, won, count, often);
    }
    for (uint32_t i = 0; i < 512; i++)
        sum = sum * 31 + often[i];
    printf("%llu\n", (unsigned long long)sum);
    free(won);
    free(ticket);
    free(till);
    return 0;
}
