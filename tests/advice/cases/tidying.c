/* SPDX-License-Identifier: MIT */
/* sizes: 0.1 1 10 */
/* rule: pauses */
/* tidying.c: a board of scores is put in order after every 500th entry, in the call that enters it. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define PLACES 20000u

static struct score {
    uint32_t points, player;
    uint64_t seal;
} board[PLACES];
static uint64_t sealed;

static uint64_t seal_of(const struct score *s)
{
    uint64_t h = s->points * 0x9e3779b97f4a7c15ULL + s->player;
    for (int i = 0; i < 40; i++)
        h = (h ^ h >> 29) * 0xbf58476d1ce4e5b9ULL;
    return h;
}

__attribute__((noinline)) static void board_seal(void)
{
    for (unsigned i = 0; i < PLACES; i++) /* @ */
        board[i].seal = seal_of(&board[i]); /* @ */
    sealed++;
}

__attribute__((noinline)) static void score_enter(unsigned number, uint64_t lot)
{
    struct score *s = &board[lot % PLACES];
    for (int i = 0; i < 60; i++)
        s->points += (uint32_t)(seal_of(s) >> 60);
    s->player = number;
#ifdef FIXED
    s->seal = seal_of(s);
    sealed += number % 500 == 0;
#else
    if (number % 500 == 0)
        board_seal();
#endif
}

int main(int argc, char **argv)
{
    unsigned entries = (unsigned)(60000 * (argc > 1 ? atof(argv[1]) : 1));
    uint64_t lot = 42, sum = 0;
    board_seal();
    for (unsigned i = 0; i < entries; i++) {
        lot = lot * 6364136223846793005ULL + 1442695040888963407ULL;
        score_enter(i, lot >> 33);
    }
    board_seal();
    for (unsigned i = 0; i < PLACES; i++)
        sum = sum * 31 + board[i].seal;
    printf("%llu %llu\n", (unsigned long long)sum, (unsigned long long)sealed);
    return 0;
}
