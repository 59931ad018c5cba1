/* SPDX-License-Identifier: MIT */
/* latency.c: percentiles of a stage whose activations follow a heavy-tailed distribution, each clocked by the program too. */
#include <math.h>
#include <stdlib.h>

#include <profplug.h>
#include "truth.h"

enum { COUNT = 2000 };
static uint64_t taken[COUNT];
static int done;

PROFPLUG_STAGE("request", "network") static __attribute__((noinline)) void request(uint64_t want_ns)
{
    uint64_t t = now_ns();
    while (now_ns() - t < want_ns)
        ;
    taken[done++] = now_ns() - t;
}

static int ascending(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

int main(void)
{
    uint32_t state = 7;
    uint64_t sum = 0;
    for (int i = 0; i < COUNT; i++) {
        double u[2];
        for (int j = 0; j < 2; j++) {
            state = state * 1664525u + 1013904223u;
            u[j] = ((state >> 8) + 1) / 16777217.0;
        }
        double normal = sqrt(-2 * log(u[0])) * cos(6.283185307 * u[1]);      /* Box and Muller */
        request((uint64_t)(300000 * exp(0.7 * normal)) + 100000);
    }
    for (int i = 0; i < COUNT; i++)
        sum += taken[i];
    double mean = (double)sum / COUNT, squares = 0;
    for (int i = 0; i < COUNT; i++)
        squares += ((double)taken[i] - mean) * ((double)taken[i] - mean);
    qsort(taken, COUNT, sizeof *taken, ascending);
    expect_exact("stages", "request", "calls", COUNT);
    expect_near("stages", "request", "wall_total_ns", sum, 1);
    expect_near("stages", "request", "wall_min_ns", taken[0], 1);
    expect_near("stages", "request", "wall_p50_ns", taken[COUNT * 50 / 100 - 1], 1);
    expect_near("stages", "request", "wall_p95_ns", taken[COUNT * 95 / 100 - 1], 1);
    expect_near("stages", "request", "wall_p99_ns", taken[COUNT * 99 / 100 - 1], 1);
    expect_near("stages", "request", "wall_max_ns", taken[COUNT - 1], 1);
    expect_near("stages", "request", "wall_stddev_ns", (uint64_t)sqrt(squares / COUNT), 1);
    return 0;
}
