/* SPDX-License-Identifier: MIT */
/* inclusive.c [TIMES]: 20 functions whose CPU time the program knows by its thread's clock, read around batches of
 * calls: from 20 calls to 10 million, nested, shared, recursive, uneven, one that sleeps; main ends through exit().
 * Prints rows for inclusive.py: NAME CALLS SELF-LOW SELF-HIGH TOTAL-LOW TOTAL-HIGH WAIT-LOW WAIT-HIGH, in nanoseconds. */
#include <stdlib.h>

#include "truth.h"

enum { MAIN, TINY, SMALL, MIDDLE, LARGE, HUGE, OUTER, INNER, CORE, LEFT, RIGHT, SHARED, RECURSE, RARE, SLEEPER, SKEW, HEAVY, FINISH, WALK, BURST, ALL };
static const char *const name[ALL] = { "main", "tiny", "small", "middle", "large", "huge", "outer", "inner", "core", "left", "right", "shared", "recurse", "rare",
                                       "sleeper", "skew", "heavy", "finish", "walk", "burst" };
#define SLEEP_NS 10000000
/* What a loop of calls takes beside the calls: little, unless they are as short as the loop. */
#define LOOP_PART(row) ((row) == TINY ? 0.1 : 0.02)

static struct { uint64_t calls, own_ns, total_ns, slept_ns; } known[ALL];
static double us;                        /* rounds of BURN in a microsecond */
static uint64_t begun_ns;
static unsigned state = 1;
static volatile char table[1 << 22];

#define ALONE __attribute__((noinline)) static void
#define ROUNDS(time_us) ((long)(us * (time_us)))
/* Calls `call` COUNT times and books the time to the row. */
#define BATCH(row, count, call) do { \
        long count_ = (count); \
        uint64_t c_ = cpu_ns(); \
        for (long i_ = 0; i_ < count_; i_++) call; \
        known[row].total_ns += cpu_ns() - c_; \
        known[row].calls += (uint64_t)count_; \
    } while (0)
/* Works on its own, and books that to the row. */
#define OWN(row, time_us) do { \
        uint64_t c_ = cpu_ns(); \
        BURN(ROUNDS(time_us)); \
        known[row].own_ns += cpu_ns() - c_; \
    } while (0)

static HIDDEN_FROM_PROFILER unsigned draw(void) { return (state = state * 1664525 + 1013904223) >> 8; }

ALONE tiny(long rounds) { BURN(rounds); }
ALONE small(long rounds) { BURN(rounds); }
ALONE middle(long rounds) { BURN(rounds); }
ALONE large(long rounds) { BURN(rounds); }
ALONE huge(long rounds) { BURN(rounds); }
ALONE rare(long rounds) { BURN(rounds); }
ALONE skew(long rounds) { BURN(rounds); }
ALONE heavy(long rounds) { BURN(rounds); }
ALONE core(long rounds) { BURN(rounds); }
ALONE shared(long rounds) { BURN(rounds); }

/* Waits for memory more than for the processor. */
ALONE walk(long steps)
{
    for (unsigned at = 1; steps > 0; steps--) {
        at = at * 1664525 + 1013904223;
        table[at >> 10]++;
    }
}

/* All of its time is in one piece of the run. */
ALONE burst(long rounds) { BURN(rounds); }

ALONE inner(void)
{
    OWN(INNER, 200);
    BATCH(CORE, 5, core(ROUNDS(40)));
}

ALONE outer(void)
{
    OWN(OUTER, 2000);
    BATCH(INNER, 10, inner());
}

ALONE left(void)
{
    OWN(LEFT, 4000);
    BATCH(SHARED, 800, shared(ROUNDS(1)));
}

ALONE right(void)
{
    OWN(RIGHT, 4000);
    BATCH(SHARED, 800, shared(ROUNDS(5)));
}

ALONE recurse(int depth)
{
    BURN(ROUNDS(250));
    if (depth)
        recurse(depth - 1);
    __asm__ volatile("" ::: "memory");
}

ALONE sleeper(void)
{
    BURN(ROUNDS(5000));
    uint64_t t = now_ns();
    nanosleep(&(struct timespec){ 0, SLEEP_NS }, NULL);
    known[SLEEPER].slept_ns += now_ns() - t;
}

ALONE finish(void)
{
    known[FINISH].calls = known[MAIN].calls = 1;
    OWN(FINISH, 100000);
    known[FINISH].total_ns = known[FINISH].own_ns;
    known[MAIN].total_ns = cpu_ns() - begun_ns;
    for (int i = 0; i < ALL; i++) {
        double total = (double)known[i].total_ns, own = known[i].own_ns ? (double)known[i].own_ns : total;
        uint64_t least = i == SLEEPER ? known[i].calls * SLEEP_NS : 0;
        if (i == MAIN)                   /* its own is what is left: the loops, and what the clocks take */
            own = 0;
        printf("%s %llu %.0f %.0f %.0f %.0f %llu %llu\n", name[i], (unsigned long long)known[i].calls, own * (1 - LOOP_PART(i)), i == MAIN ? 0.1 * total : own,
               total * (1 - LOOP_PART(i)), total, (unsigned long long)least, (unsigned long long)known[i].slept_ns);
    }
    exit(0);
}

int main(int count, char **arguments)
{
    begun_ns = cpu_ns();
    us = (double)burn_calibrate() / 1000;
    for (int times = count > 1 ? atoi(arguments[1]) : 1; times > 0; times--) {
        for (int i = 0; i < 20; i++) {
            BATCH(TINY, 500000, tiny(ROUNDS(0.015)));
            BATCH(SMALL, 50000, small(ROUNDS(0.15)));
            BATCH(MIDDLE, 3000, middle(ROUNDS(2)));
            BATCH(LARGE, 30, large(ROUNDS(200)));
            BATCH(HUGE, 1, huge(ROUNDS(7000)));
            BATCH(RARE, i == 7 ? 20 : 0, rare(ROUNDS(6000)));
            BATCH(OUTER, 3, outer());
            BATCH(LEFT, 1, left());
            BATCH(RIGHT, 1, right());
            BATCH(RECURSE, 3, recurse(7));
            BATCH(SLEEPER, 1, sleeper());
            BATCH(SKEW, 2000, skew(draw() % 100 ? ROUNDS(2) : ROUNDS(100)));
            BATCH(HEAVY, 2000, heavy(draw() % 5000 ? ROUNDS(1.5) : ROUNDS(1500)));
            BATCH(WALK, 100, walk(20000));
            BATCH(BURST, i == 13 ? 300 : 0, burst(ROUNDS(500)));
        }
    }
    known[RECURSE].calls *= 8;
    finish();
}
