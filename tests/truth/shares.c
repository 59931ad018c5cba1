/* SPDX-License-Identifier: MIT */
/* shares.c: lines of known work, for calibrate.py. In one part each turn of a loop runs them all within microseconds, in a fixed proportion; in the
 * other, which is a stage, each takes a millisecond or so before the next has its turn, and is clocked by itself: samples that kept step with either
 * would be off. It prints LINE CPU_NS. */
#include <stdlib.h>

#include <profplug.h>
#include "truth.h"

enum { LINES = 8 };
static struct { int line; double cpu_ns; } known[LINES];
static long rounds[LINES] = { 3000, 1800, 2400, 5200 };

#define SHORT(row) do { known[row].line = __LINE__; BURN(rounds[row]); } while (0)
#define LONG(row, ms) do { uint64_t c_ = cpu_ns(); BURN((long)((double)millisecond * (ms))); known[row].line = __LINE__; known[row].cpu_ns += (double)(cpu_ns() - c_); } while (0)

static __attribute__((noinline)) void interleaved(long turns)
{
    for (long i = 0; i < turns; i++) {
        SHORT(0);
        SHORT(1);
        SHORT(2);
        SHORT(3);
    }
}

PROFPLUG_STAGE("stretches", "compute") static __attribute__((noinline)) void stretches(long millisecond, int turns)
{
    for (int i = 0; i < turns; i++) {
        LONG(4, 1.0);
        LONG(5, 0.3);
        LONG(6, 2.0);
        LONG(7, 0.5);
    }
}

int main(int argc, char **argv)
{
    double ms = argc > 1 ? atof(argv[1]) : 100, sum = 0, taken = 0;
    long millisecond = burn_calibrate();
    for (int i = 0; i < 4; i++)
        sum += (double)rounds[i];
    uint64_t start = cpu_ns();
    while ((double)(cpu_ns() - start) < ms * 1e6) {
        uint64_t cpu = cpu_ns();
        interleaved((long)(8 * (double)millisecond / sum));
        taken += (double)(cpu_ns() - cpu);
        stretches(millisecond, 2);
    }
    for (int i = 0; i < 4; i++)
        known[i].cpu_ns = taken * (double)rounds[i] / sum;
    for (int i = 0; i < LINES; i++)
        printf("%d %.0f\n", known[i].line, known[i].cpu_ns);
    return 0;
}
