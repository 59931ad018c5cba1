/* SPDX-License-Identifier: MIT */
/* inlaid.c: functions that compute and then pause in a function of their own, which the compiler inlined. So by its
 * path the wait is in another function than the one that probes know. Prints "NAME ns", the time of each by the
 * thread's CPU clock. */
#include "truth.h"

static long per_ms;

static inline __attribute__((always_inline)) void rest(long us)
{
    struct timespec pause = { 0, us * 1000 };
    nanosleep(&pause, NULL);
}

#define FUNCTION(name, ms, us)                              \
    __attribute__((noinline)) static void name(void)        \
    {                                                       \
        BURN(ms * per_ms);                                  \
        rest(us);                                           \
    }
FUNCTION(reads, 3, 5000)
FUNCTION(sorts, 6, 2500)
FUNCTION(draws, 5, 4000)
FUNCTION(waits, 1, 15000)
FUNCTION(sends, 4, 3000)
FUNCTION(packs, 7, 1500)

static struct {
    const char *name;
    void (*run)(void);
    uint64_t ns;
} function[] = { { "reads", reads, 0 }, { "sorts", sorts, 0 }, { "draws", draws, 0 },
                 { "waits", waits, 0 }, { "sends", sends, 0 }, { "packs", packs, 0 } };
enum { FUNCTIONS = sizeof function / sizeof *function, ROUNDS = 40 };

int main(void)
{
    per_ms = burn_calibrate();
    for (int i = 0; i < ROUNDS * FUNCTIONS; i++) {
        uint64_t begun = cpu_ns();
        function[i % FUNCTIONS].run();
        function[i % FUNCTIONS].ns += cpu_ns() - begun;
    }
    for (int i = 0; i < FUNCTIONS; i++)
        printf("%s %" PRIu64 "\n", function[i].name, function[i].ns);
    return 0;
}
