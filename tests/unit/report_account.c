/* SPDX-License-Identifier: MIT */
/* report_account.c: what profiling cost, from what a run recorded: each part of it alone, all together, what is said
 * where it cannot be known, and the share of the time that is left without it. */
#include "report_file.h"

#include <math.h>
#include <string.h>

#include "estimate/account.h"
#include "merge/merge.h"

#define MS UINT64_C(1000000)

/* A run of a second, with a hundred samples of which none hit the runtime. */
static struct model *model_start(void)
{
    struct model *m = memory_zeroed(1, sizeof *m);
    m->run.exit_kind = MODEL_EXIT_EXIT;
    m->run.user_ns = 990 * MS;
    m->run.before_ns = 10 * MS;
    m->run.account_known = true;
    m->run.budget_permille = 20;
    m->run.frame_ns = 100;
    m->run.count_ps = 500;
    m->coverage.samples = 1000;
    m->coverage.sampled_ns = 990e6;
    for (int i = 0; i < 1000; i++)
        *ARRAY_PUSH(m->sample, m->sample_count, m->sample_capacity) =
            (struct model_sample){ .count = 1, .function = MODEL_NONE, .line = MODEL_NONE };
    return m;
}

static bool between(uint64_t at, double low, double high)
{
    return (double)at >= low * 1e6 && (double)at <= high * 1e6;
}

/* The cost has this in its interval, in ms; or it is unknown for a reason with this word. */
static void check(const char *what, struct model *m, double ms, const char *reason)
{
    account_find(m);
    const struct model_run *r = &m->run;
    if (reason)
        CHECK(r->cost_unknown && strstr(r->cost_unknown, reason), "%s: %s", what, r->cost_unknown);
    else
        CHECK(!r->cost_unknown && between(r->self_ns, 0, ms) && between(r->self_most_ns, ms, INFINITY), "%s: %f to %f: %s",
              what, (double)r->self_ns / 1e6, (double)r->self_most_ns / 1e6, r->cost_unknown);
    double width = run_overhead_percent(r, (double)r->self_most_ns) - run_overhead_percent(r, (double)r->self_ns),
           middle = run_overhead_percent(r, (double)(r->self_ns + r->self_most_ns) / 2);
    CHECK(r->cost_unknown || width <= fmax(1, 0.5 * middle) + 1e-6, "%s: %f points wide at %f", what, width, middle);
    CHECK(middle >= 0, "%s: %f", what, middle);
    model_free(m);
}

/* Its interval is wide as a share, and narrow as a time. */
static void check_short(struct model *m, double ms)
{
    account_find(m);
    CHECK(!m->run.cost_unknown && between(m->run.self_ns, ms / 2, ms) && between(m->run.self_most_ns, ms, 1.5 * ms),
          "%s: %f to %f", m->run.cost_unknown, (double)m->run.self_ns / 1e6, (double)m->run.self_most_ns / 1e6);
    model_free(m);
}

int main(void)
{
    struct model *m = model_start();
    check("nothing", m, 0.5, NULL);
    m = model_start();
    static struct model_child child[4000];
    m->run.child = child;
    m->run.child_count = 10;
    check("few forks", m, 0.5, NULL);
    m = model_start();
    m->run.child = child;
    m->run.child_count = 4000;
    check("much of it is forks", m, 0, "forks");
    m = model_start();
    for (size_t i = 0; i < 4000; i++)
        child[i].further = true;
    m->run.child = child;
    m->run.child_count = 4000;
    check("others forked these", m, 0.5, NULL);
    m = model_start();
    m->run.self_ns = 50 * MS;
    check("start and end", m, 58, NULL); /* 1.16 of that, by short processes */
    m = model_start(); /* no clock of ours sees all of it, and prices are of two machines */
    m->run.self_ns = 50 * MS;
    account_find(m);
    CHECK(m->run.self_most_ns - m->run.self_ns > 20 * MS, "what is told is as wide as prices may be off: %llu to %llu",
          (unsigned long long)m->run.self_ns, (unsigned long long)m->run.self_most_ns);
    model_free(m);
    m = model_start();
    m->run.self_ns = 50 * MS;
    m->run.sample_signals = 1000;
    m->run.arming_ns = 5000; /* nearly half of what the clocks say is of samples */
    check("start and end, and samples", m, 55, NULL);
    m = model_start();
    m->run.calls_ns = 200 * MS;
    check("a fifth of the time in the kernel", m, 230, NULL);
    m = model_start();
    m->run.calls_ns = 800 * MS;
    check("most of the time in the kernel", m, 0, "what the kernel does");
    m = model_start();
    m->run.heap_calls = 14000000;
    m->coverage.profiler = 60;
    check("allocations", m, 60, NULL);
    m = model_start();
    m->run.heap_calls = 40000000; /* 17 % of the time, by the price */
    m->coverage.profiler = 170;
    check("allocations and little else", m, 0, "what an allocation costs");
    /* a million calls, and 210,000 blocks that were drawn, by those that were timed */
    m = model_start();
    m->run.heap_calls = 1000000;
    m->run.blocks_mean = 32768;
    m->run.draws = 20000;
    m->run.draws_ns = 58 * MS;
    m->coverage.profiler = 60;
    check("drawn blocks", m, 60, NULL);
    m = model_start();
    m->run.heap_calls = 1000000;
    m->run.blocks_mean = 32768;
    m->run.draws = 2; /* timed steps, one of which took long, and no sample met it */
    m->run.draws_ns = 58 * MS;
    check("few drawn blocks, of which one took long", m, 1, NULL);
    struct model *moved = model_start(), *got = model_start(); /* a block that is resized is in heap_calls twice */
    moved->run.blocks_mean = got->run.blocks_mean = 32768;
    moved->run.heap_calls = 40000000;
    moved->run.moves = 20000000;
    got->run.heap_calls = 20000000;
    moved->coverage.profiler = got->coverage.profiler = 50;
    account_find(moved);
    account_find(got);
    CHECK(moved->run.self_ns == got->run.self_ns && moved->run.self_most_ns == got->run.self_most_ns,
          "a call of realloc costs as much as one of malloc: %llu and %llu", (unsigned long long)moved->run.self_ns,
          (unsigned long long)got->run.self_ns);
    model_free(moved);
    model_free(got);
    m = model_start(); /* 4.9 counts a call are 98 ms, and samples say so, too */
    m->run.heap_calls = 40000000;
    m->run.blocks_mean = 32768;
    m->coverage.profiler = 98;
    check("allocations with samples", m, 98, NULL);
    m = model_start();
    m->run.heap_calls = 100000000;
    m->run.blocks_mean = 32768;
    m->coverage.profiler = 190;
    check("allocations and little else, of which some are drawn", m, 0, "what allocations cost");
    m = model_start();
    m->run.self_ns = 50 * MS; /* and by Callgrind 449 instructions an operation on a socket, some of them timed */
    *ARRAY_PUSH(m->operation, m->operation_count, m->operation_capacity) =
        (struct model_operation){ .kind = PP_OPERATION_SEND,
                                  .target = MODEL_NONE,
                                  .sum = { .calls = 200000, .untimed = 200000 } };
    m->coverage.profiler = 10;
    check("operations on sockets", m, 50 + 200000 * 449 * 0.0005 / 1e3, NULL);
    m = model_start(); /* 15 us apart on connections of TCP, where each took 0.8 us, some of it in user mode */
    m->run.count_ps = 333;
    m->run.user_ns = 2990 * MS;
    m->coverage.sampled_ns = 2990e6;
    m->coverage.profiler = 40;
    *ARRAY_PUSH(m->operation, m->operation_count, m->operation_capacity) =
        (struct model_operation){ .kind = PP_OPERATION_RECEIVE, .target = MODEL_NONE, .sum = { .calls = 200000 } };
    check("operations so rare that all they need is cold", m, 200000 * 0.8 / 1e3, NULL);
    m = model_start(); /* nginx: 4.4 us apart, 0.58 us each by 30 pairs; 16 samples hit the runtime */
    m->run.count_ps = 330;
    m->run.user_ns = 30 * MS;
    m->run.system_ns = 130 * MS;
    m->run.self_ns = 5 * MS;
    m->run.calls_ns = 2 * MS;
    m->coverage.samples = 30;
    m->coverage.sampled_ns = 30e6;
    m->coverage.profiler = 16;
    *ARRAY_PUSH(m->operation, m->operation_count, m->operation_capacity) =
        (struct model_operation){ .kind = PP_OPERATION_OPEN, .target = MODEL_NONE,
                                  .sum = { .calls = 31500, .untimed = 10400 } };
    check("operations that are not so rare", m, 5.4 + 2.3 + 31500 * 0.58 / 1e3, NULL);
    m = model_start(); /* 10, 15 and 117 % were measured */
    *ARRAY_PUSH(m->operation, m->operation_count, m->operation_capacity) =
        (struct model_operation){ .kind = PP_OPERATION_LOCK, .target = MODEL_NONE, .sum = { .calls = 200000 } };
    m->coverage.profiler = 200;
    check("contended locks", m, 0, "contend for locks");
    m = model_start(); /* two threads pass a byte to and fro on sockets: 9.4 % more by 60 pairs of 225 ms */
    m->run.count_ps = 311;
    m->run.user_ns = 10 * MS;
    m->run.system_ns = 230 * MS;
    m->run.self_ns = 3 * MS;
    m->run.calls_ns = MS / 2;
    m->run.switches = 12700;
    m->run.thread_count = 2;
    m->coverage.samples = 12;
    m->coverage.sampled_ns = 10e6;
    m->coverage.profiler = 5;
    *ARRAY_PUSH(m->operation, m->operation_count, m->operation_capacity) =
        (struct model_operation){ .kind = PP_OPERATION_RECEIVE, .target = MODEL_NONE,
                                  .sum = { .calls = 24000, .untimed = 5200 } };
    check("threads that wait for each other in operations", m, 0.094 * 225, NULL);
    m = model_start(); /* by Callgrind 785 to 1241 instructions each, where those that are not timed take 104 */
    *ARRAY_PUSH(m->operation, m->operation_count, m->operation_capacity) =
        (struct model_operation){ .kind = PP_OPERATION_OPEN, .target = MODEL_NONE, .sum = { .calls = 5000 } };
    m->run.user_ns = 15 * MS; /* too short for samples to tell */
    m->coverage.samples = 0;
    check_short(m, 5000 * 950 * 0.0003 / 1e3);
    CHECK(account_is_wide(&(struct model_run){ .user_ns = 1000 * MS }, 50e6, 150e6), "three times as much is not told");
    CHECK(account_is_wide(&(struct model_run){ .user_ns = 1000 * MS }, 10e6, 22e6), "two points of 1 to 2 are not");
    CHECK(!account_is_wide(&(struct model_run){ .user_ns = 1000 * MS }, 10e6, 19e6), "a point is told");
    CHECK(!account_is_wide(&(struct model_run){ .user_ns = 1000 * MS }, 100e6, 150e6), "nearly half of it is");
    CHECK(account_is_wide(&(struct model_run){ .user_ns = 1000 * MS }, 100e6, 190e6), "more than half of it is not");
    CHECK(account_is_wide(&(struct model_run){ .user_ns = 1000 * MS }, 400e6, 750e6), "67 to 300 %% is not");
    struct model *quick = model_start(), *usual = model_start();
    quick->run.heap_calls = usual->run.heap_calls = 14000000;
    quick->coverage.profiler = usual->coverage.profiler = 45;
    quick->run.frame_ns = 32;
    account_find(quick);
    account_find(usual);
    CHECK(quick->run.self_ns == usual->run.self_ns && quick->run.self_most_ns == usual->run.self_most_ns,
          "how quickly the clock is read says nothing of allocations: %llu and %llu",
          (unsigned long long)quick->run.self_ns, (unsigned long long)usual->run.self_ns);
    model_free(quick);
    model_free(usual);
    m = model_start();
    m->coverage.profiler = 300;
    check("what has no price costs less than the samples that are in it", m, 0, "what its probes cost");
    m = model_start();
    m->coverage.profiler = 300;
    m->coverage.profiler_excess = 30000;
    check("samples that stand for many", m, 0, "what its probes cost");
    m = model_start();
    m->run.sample_signals = 300;
    m->run.arming_ns = 5000;
    check("samples, beyond what the runtime's clocks say", m, 300 * 1 * 0.005, NULL);
    m = model_start(); /* its interrupts come in the kernel, too, and take as long as arming the event */
    m->run.user_ns = 100 * MS;
    m->run.system_ns = 890 * MS;
    m->coverage.samples = 100;
    m->coverage.sampled_ns = 100e6;
    m->run.sample_period_ns = 1000000;
    m->run.sample_signals = 100;
    m->run.arming_ns = 10000;
    check("interrupts that raise no signal", m, 890 * 0.01 + 100 * 0.75 * 0.01 + 5 * 8 * 0.01, NULL);
    m = model_start(); /* 20,000 activations, each 50 us after the last: cold, 100 ns in a loop of them */
    m->run.events_timed = 20000;
    m->run.self_ns = 2 * MS;
    m->coverage.profiler = 7;
    check("timed activations that are rare", m, 20000 * 4e-4, NULL);
    m = model_start(); /* a million */
    m->run.events_timed = 1000000;
    m->run.self_ns = 100 * MS;
    m->coverage.profiler = 105;
    check("timed activations that follow each other", m, 105, NULL);
    m = model_start();
    m->run.fault_ns = 2000;
    m->sample[0].placed = (struct value){ .ns = 100000 };
    check("page faults that an event counts", m, 12, NULL);
    m = model_start();
    m->coverage.profiler = m->coverage.characters = 100;
    account_find(m);
    CHECK(m->run.cost_unknown && m->run.cost_is_wide, "bounds are shown where the upper one is small");
    model_free(m);
    m = model_start(); /* 8 to 11 % more by the clock, with 300 of 1,000 samples on the way to the C library */
    m->coverage.profiler = m->coverage.characters = 300;
    account_find(m);
    CHECK(!m->run.cost_is_wide, "bounds far apart tell nothing");
    CHECK(m->run.cost_unknown && strstr(m->run.cost_unknown, "character") && between(m->run.self_ns, 0, 80) &&
              between(m->run.self_most_ns, 110, 260),
          "single characters: %s, %f to %f", m->run.cost_unknown, (double)m->run.self_ns / 1e6,
          (double)m->run.self_most_ns / 1e6);
    model_free(m);
    m = model_start();
    m->run.switches = 100000;
    m->run.arming_ns = 5000;
    m->run.thread_count = 2;
    check("threads that take turns", m, 0, "take turns");
    m = model_start();
    m->run.switches = 100000;
    m->run.arming_ns = 5000;
    m->run.thread_count = 1;
    check("a thread that waits again and again", m, 0, "waits");
    m = model_start();
    m->run.thread_count = 2;
    m->run.self_ns = 50 * MS;
    m->run.switches = 100000; /* 166 ns each where threads pass bytes through a pipe, 800 at TCP, and the budget */
    m->run.arming_ns = 5000;
    check("threads that switch so often that they have no event", m, 0, "take turns");
    m = model_start();
    m->run.self_ns = 50 * MS;
    m->run.switches = 20000;
    m->run.arming_ns = 5000;
    check("threads that switch often enough to have none at times", m, 58 + 20000 * 166 / 1e6 + 20, NULL);
    for (uint64_t count = 10000000; count <= 400000000; count *= 40) { /* 0.5 and 20 % of the time, at the full price */
        m = model_start();
        *ARRAY_PUSH(m->function, m->function_count, m->function_capacity) =
            (struct model_function){ .id = 1, .name = "f", .key = "f", .symbol = "f", .file = "", .calls = count };
        check("counts", m, 1.5, count > 10000000 ? "what a count costs" : NULL);
    }
    m = model_start(); /* by Callgrind a sort executes 0.02 instructions for each more than with recording off */
    m->run.line_counts = 60000000;
    check("a count in each ten cycles or so", m, 2, NULL);
    m = model_start();
    m->run.line_counts = 400000000;
    check("counters of lines", m, 0, "what a count costs");
    m = model_start();
    m->run.exit_kind = MODEL_EXIT_KILLED;
    check("killed", m, 0, "end of the run");
    m = model_start();
    m->run.account_known = false;
    check("old", m, 0, "older runtime");
    m = model_start();
    m->coverage.samples = 0;
    check("without samples", m, 0, "no samples");
    m = model_start();
    m->run.user_ns = 0;
    check("without a time", m, 0, "CPU time");
    m = model_start();
    m->run.user_ns = 3 * MS;
    m->run.self_ns = 2 * MS;
    m->coverage.samples = 0;
    check_short(m, 2.2);
    struct model_run half = { .user_ns = 900, .system_ns = 50, .before_ns = 50 };
    CHECK(fabs(run_overhead_percent(&half, 500) - 100) < 1e-9, "half of it: %f", run_overhead_percent(&half, 500));
    CHECK(fabs(run_overhead_percent(&half, 0)) < 1e-9, "none of it");
    return 0;
}
