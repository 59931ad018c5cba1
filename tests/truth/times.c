/* SPDX-License-Identifier: MIT */
/* times.c: stages, a scope, loops, functions and lines of durations that the program takes itself. */
#include <stdlib.h>
#include <string.h>

#include <profplug.h>
#include "truth.h"

static long millisecond;

/* What the program knows, by source line, by function, by stage: the times of its clocks from inside and from outside,
 * read before the entry's probe and after the exit's. A delay between the two readings, which may be long on a busy
 * machine, belongs to one of them, so the right value is in between. CPU time is read from inside. */
struct known { const char *name; int line; uint64_t calls, self_ns, self_cpu_ns, total_ns, total_cpu_ns, outer_ns; };
enum { ALPHA, BETA, GAMMA, SCOPE, LOOP, ITERATION, HEAVY, LIGHT, RECURSE, LINE_A, LINE_B, LINE_C, LINE_D, LINE_E, LINE_F, LINE_G, KNOWN };
static struct known known[KNOWN];

/* One line of work, clocked by itself. */
#define WORK(row, owner, ms) do { uint64_t t_ = now_ns(), c_ = cpu_ns(); BURN((long)((double)millisecond * (ms))); c_ = cpu_ns() - c_; worked(row, owner, __LINE__, c_, now_ns() - t_); } while (0)
#define ENTER(row) known[row].calls++; uint64_t t_##row = now_ns(), c_##row = cpu_ns()
#define LEAVE(row) known[row].total_cpu_ns += cpu_ns() - c_##row; known[row].total_ns += now_ns() - t_##row
#define OUTSIDE(row, call) do { uint64_t t_ = now_ns(); call; known[row].outer_ns += now_ns() - t_; } while (0)

HIDDEN_FROM_PROFILER static void worked(int row, int owner, int line, uint64_t cpu, uint64_t wall)
{
    known[row].line = line;
    known[row].self_ns += wall;
    known[row].self_cpu_ns += cpu;
    known[owner].self_ns += wall;
    known[owner].self_cpu_ns += cpu;
}

static __attribute__((noinline)) void light(void)
{
    ENTER(LIGHT);
    WORK(LINE_A, LIGHT, 0.4);
    LEAVE(LIGHT);
}

static __attribute__((noinline)) void heavy(void)
{
    ENTER(HEAVY);
    WORK(LINE_B, HEAVY, 0.7);
    OUTSIDE(LIGHT, light());
    WORK(LINE_C, HEAVY, 1.6);
    LEAVE(HEAVY);
}

/* Its total counts once, whatever its depth. */
static __attribute__((noinline)) void recurse(int depth)
{
    uint64_t t = depth == 8 ? now_ns() : 0, cpu = cpu_ns();
    known[RECURSE].calls++;
    WORK(LINE_D, RECURSE, 0.15);
    if (depth > 0)
        recurse(depth - 1);
    if (t) {
        known[RECURSE].total_ns += now_ns() - t;
        known[RECURSE].total_cpu_ns += cpu_ns() - cpu;
    }
}

PROFPLUG_STAGE("alpha", "compute") static __attribute__((noinline)) void alpha(void)
{
    ENTER(ALPHA);
    OUTSIDE(HEAVY, heavy());
    WORK(LINE_E, ALPHA, 0.5);
    LEAVE(ALPHA);
}

PROFPLUG_STAGE("gamma", "compute") static __attribute__((noinline)) void stage_gamma(void)
{
    ENTER(GAMMA);
    WORK(LINE_F, GAMMA, 0.6);
    LEAVE(GAMMA);
}

static __attribute__((noinline)) void crunch(void)
{
    PROFPLUG_SCOPE("crunch");
    ENTER(SCOPE);
    WORK(LINE_G, SCOPE, 0.3);
    LEAVE(SCOPE);
}

PROFPLUG_STAGE("beta", "compute") static __attribute__((noinline)) void beta(void)
{
    ENTER(BETA);
    OUTSIDE(RECURSE, recurse(8));
    OUTSIDE(GAMMA, stage_gamma());
    OUTSIDE(SCOPE, crunch());
    LEAVE(BETA);
}

enum { ITERATIONS = 200 };
static const int slow_index[3] = { 37, 150, 151 };
static uint64_t begun[ITERATIONS + 1], ended[ITERATIONS + 1];     /* the loop's own start is ended[0] */

static __attribute__((noinline)) void batches(void)
{
    known[LOOP].calls++;
    ended[0] = now_ns();
    PROFPLUG_LOOP("batches")
    for (int i = 0; i < ITERATIONS; i++) {
        begun[i] = now_ns();
        double ms = i == slow_index[0] ? 20 : i == slow_index[1] ? 16 : i == slow_index[2] ? 12 : 0.5;
        BURN((long)(ms * (double)millisecond));
        ended[i + 1] = now_ns();
        known[ITERATION].total_ns += ended[i + 1] - begun[i];
    }
    begun[ITERATIONS] = now_ns();
    known[LOOP].total_ns = known[ITERATION].total_ns;
    known[LOOP].outer_ns = known[ITERATION].outer_ns = begun[ITERATIONS] - ended[0];
}

HIDDEN_FROM_PROFILER static uint64_t inner_ns(int i) { return ended[i + 1] - begun[i]; }
HIDDEN_FROM_PROFILER static uint64_t outer_ns(int i) { return begun[i + 1] - ended[i]; }

/* The iterations that may be at `place` among the slowest: at most `place` others were certainly slower, and at least
 * that many may have been. */
HIDDEN_FROM_PROFILER static void expect_slowest(int place)
{
    char field[32], names[8 * ITERATIONS] = "";
    size_t used = 0;
    for (int i = 0; i < ITERATIONS; i++) {
        int surely = 0, perhaps = 0;
        for (int j = 0; j < ITERATIONS; j++) {
            surely += j != i && inner_ns(j) > outer_ns(i) + outer_ns(i) / 1000;
            perhaps += j != i && outer_ns(j) + outer_ns(j) / 1000 >= inner_ns(i);
        }
        if (surely <= place && perhaps >= place)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%d", used ? "|" : "", i);
    }
    snprintf(field, sizeof field, "slowest[%d].index", place);
    printf("loops batches %s %s oneof\n", field, names);
}

HIDDEN_FROM_PROFILER static uint64_t less(uint64_t a, uint64_t b) { return a > b ? a - b : 0; }

int main(void)
{
    char line[64];
    millisecond = burn_calibrate();
    for (int i = 0; i < 250; i++) {
        OUTSIDE(ALPHA, alpha());
        OUTSIDE(BETA, beta());
    }
    batches();

    static const struct { int row; const char *name; } stages[] = {
        { ALPHA, "alpha" }, { BETA, "beta" }, { GAMMA, "gamma" }, { SCOPE, "crunch" }, { LOOP, "batches" } };
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++) {
        const struct known *k = &known[stages[i].row];
        expect_exact("stages", stages[i].name, "calls", k->calls);
        expect_between("stages", stages[i].name, "wall_total_ns", k->total_ns, k->outer_ns, 1);
    }
    const struct known *k = known;
    expect_between("stages", "alpha", "wall_self_ns", k[ALPHA].total_ns, k[ALPHA].outer_ns, 1);
    expect_between("stages", "beta", "wall_self_ns", less(k[BETA].total_ns, k[GAMMA].outer_ns + k[SCOPE].outer_ns),
                   less(k[BETA].outer_ns, k[GAMMA].total_ns + k[SCOPE].total_ns), 1);
    expect_between("stages", "alpha", "wall_mean_ns", k[ALPHA].total_ns / k[ALPHA].calls, k[ALPHA].outer_ns / k[ALPHA].calls, 1);
    expect_exact("loops", "batches", "iterations", ITERATIONS);
    expect_between("loops", "batches", "iteration_wall_mean_ns", k[ITERATION].total_ns / ITERATIONS, k[ITERATION].outer_ns / ITERATIONS, 1);
    for (int i = 0; i < 3; i++)
        expect_slowest(i);
    static const struct { int row; const char *name; } functions[] = {
        { HEAVY, "heavy" }, { LIGHT, "light" }, { RECURSE, "recurse" }, { ALPHA, "alpha" }, { GAMMA, "stage_gamma" }, { SCOPE, "crunch" } };
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        const struct known *f = &known[functions[i].row];
        expect_exact("functions", functions[i].name, "calls", f->calls);
        expect_estimate("functions", functions[i].name, "self_ns", f->self_cpu_ns, f->self_cpu_ns);
        expect_estimate("functions", functions[i].name, "cpu_total_ns", f->total_cpu_ns, f->total_cpu_ns);
    }
    expect_exact("functions", "beta", "calls", k[BETA].calls);
    expect_estimate("functions", "beta", "cpu_total_ns", k[BETA].total_cpu_ns, k[BETA].total_cpu_ns);
    for (int row = LINE_A; row <= LINE_G; row++) {
        snprintf(line, sizeof line, "times.c:%d", known[row].line);
        expect_estimate("lines", line, "self_ns", known[row].self_cpu_ns, known[row].self_ns);
    }
    return 0;
}
