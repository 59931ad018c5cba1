/* SPDX-License-Identifier: MIT */
/* paths.c: inclusive times of functions that are only counted, of lines that only call, and of the steps of the call
 * tree, as samples find them on the stack. The small functions call others. The program's own clock measures each with
 * its callees. */
#include <profplug.h>
#include <stdlib.h>
#include "truth.h"

#define SMALL __attribute__((noinline, noclone)) static
enum { WORK, TWICE_OFTEN, TWICE_SELDOM, DOWN, SORTING, COMPARE, UNITS };
static uint64_t ns[UNITS], cpu[UNITS];
static int line[UNITS];
static volatile long sum;
static long unit;

/* Reads clocks around a call, in its caller, on another line than the function's own: the row of the call is tested. */
#define CLOCKED(part, call) \
    do { \
        uint64_t t_ = now_ns(), c_ = cpu_ns(); \
        line[part] = __LINE__; call; \
        cpu[part] += cpu_ns() - c_; \
        ns[part] += now_ns() - t_; \
    } while (0)

/* Without probes, like all functions here without a frame: the call tree of probes ends at main. */
SMALL HIDDEN_FROM_PROFILER void leaf(long units) { BURN(units); sum++; }
SMALL void work(long units) { leaf(units); sum++; }
/* The same function, called by two callers, by one of them three times as much. */
SMALL void often(void) { work(3 * unit); sum++; }
SMALL void seldom(void) { work(unit); sum++; }
/* Two functions that call each other: a mutual recursion. */
SMALL void up(int depth);
SMALL void down(int depth) { if (depth > 0) up(depth - 1); else leaf(2 * unit); sum++; }
SMALL void up(int depth) { sum += 3; if (depth > 0) down(depth - 1); else leaf(2 * unit); sum++; }
SMALL int compare(const void *a, const void *b) { leaf(unit / 2); return *(const int *)a - *(const int *)b; }
SMALL void sorting(void) { int few[3] = { 3, 1, 2 }; qsort(few, 3, sizeof *few, compare); sum++; }

int main(void)
{
    unit = burn_calibrate();
    for (int i = 0; i < 150; i++) {
        CLOCKED(TWICE_OFTEN, often());
        CLOCKED(TWICE_SELDOM, seldom());
        CLOCKED(DOWN, down(17));
        CLOCKED(SORTING, sorting());
    }
    uint64_t all_cpu = cpu[TWICE_OFTEN] + cpu[TWICE_SELDOM] + cpu[DOWN] + cpu[SORTING];
    expect_estimate("functions", "often", "cpu_total_ns", cpu[TWICE_OFTEN], cpu[TWICE_OFTEN]);
    expect_estimate("functions", "seldom", "cpu_total_ns", cpu[TWICE_SELDOM], cpu[TWICE_SELDOM]);
    expect_estimate("functions", "down", "cpu_total_ns", cpu[DOWN], cpu[DOWN]);
    expect_estimate("functions", "up", "cpu_total_ns", cpu[DOWN], cpu[DOWN]);
    expect_estimate("functions", "sorting", "cpu_total_ns", cpu[SORTING], cpu[SORTING]);
    expect_estimate("functions", "compare", "cpu_total_ns", cpu[SORTING], cpu[SORTING]);
    expect_estimate("functions", "leaf", "cpu_total_ns", all_cpu, all_cpu);
    static const int parts[] = { TWICE_OFTEN, TWICE_SELDOM, DOWN, SORTING };
    for (int i = 0; i < 4; i++) {
        char name[64];
        snprintf(name, sizeof name, "paths.c:%d", line[parts[i]]);
        expect_estimate("lines", name, "total_ns", cpu[parts[i]], ns[parts[i]]);
    }
    expect_estimate("call_tree", "main/often/work/leaf", "cpu_total_ns", cpu[TWICE_OFTEN], cpu[TWICE_OFTEN]);
    expect_estimate("call_tree", "main/seldom/work/leaf", "cpu_total_ns", cpu[TWICE_SELDOM], cpu[TWICE_SELDOM]);
    expect_estimate("call_tree", "main/sorting/compare/leaf", "cpu_total_ns", cpu[SORTING], cpu[SORTING]);
    expect_estimate("call_tree", "main/down", "cpu_total_ns", cpu[DOWN], cpu[DOWN]);
    return 0;
}
