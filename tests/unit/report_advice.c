/* SPDX-License-Identifier: MIT */
/* report_advice.c: how much a run must have shown before rules of advice speak. */
#include "advice/facts.h"
#include "advice/library.h"
#include "advice/loops.h"
#include "advice/passes.h"
#include "advice/rounds.h"
#include "advice/transfers.h"
#include "report_file.h"

#include <math.h>
#include <string.h>

/* A run of 100 ms by so many samples, with a loop that has `self_ns` of it. */
static bool loop_is_looked_at(uint64_t samples, double self_ns)
{
    struct model_line line = { .file = "loop.c", .line = 2, .function = MODEL_NONE, .self = { .ns = self_ns } };
    struct model_remark remark = {
        .kind = PP_REMARK_LOOP, .file = "loop.c", .loop_first = 1, .loop_last = 3, .self_ns = self_ns
    };
    struct model model = { .line = &line, .line_count = 1, .remark = &remark, .remark_count = 1 };
    struct advice advice = { .model = &model, .cpu_ns = 100e6 };
    struct advice_loop loop;
    size_t next = 0;
    model.coverage.sampled_ns = 100e6;
    model.coverage.samples = model.run.sample_signals = samples;
    return loop_next(&advice, &next, &loop);
}

static void test_loops(void)
{
    CHECK(loop_is_looked_at(100, 5.1e6), "a loop with 5 %% of many samples");
    CHECK(!loop_is_looked_at(100, 4.9e6), "one with less");
    CHECK(loop_is_looked_at(20, 21e6), "four of twenty samples");
    CHECK(!loop_is_looked_at(20, 19e6), "three of twenty");
    CHECK(!loop_is_looked_at(0, 90e6), "no sample at all");
}

/* The line that is named where a loop counts at line 1 and does its work at line 2, by so many ns at each. */
static uint32_t named(enum pp_remark_kind kind, double head_ns, double body_ns)
{
    struct model_line line[2];
    size_t lines = 0;
    for (uint32_t i = 0; i < 2; i++) {
        double ns = i ? body_ns : head_ns;
        if (ns > 0)
            line[lines++] = (struct model_line){
                .file = "loop.c", .line = i + 1, .function = MODEL_NONE, .self = { .ns = ns }
            };
    }
    struct model_remark remark[2] = {
        { .kind = PP_REMARK_LOOP, .file = "loop.c", .line = 1, .loop_first = 1, .loop_last = 2, .self_ns = 90e6 },
        { .kind = kind, .file = "loop.c", .line = kind == PP_REMARK_SEARCH ? 2 : 1, .loop_first = 1, .loop_last = 2,
          .value = 4, .detail = "a[i]", .why = "b[i]" }
    };
    struct model model = { .line = line, .line_count = lines, .remark = remark, .remark_count = 2 };
    struct advice advice = { .model = &model, .run_ns = 100e6, .cpu_ns = 100e6, .stretch = 1, .abreast = 1 };
    model.coverage.sampled_ns = 100e6;
    model.coverage.samples = model.run.sample_signals = 100;
    (kind == PP_REMARK_SEARCH ? advice_searches : advice_scalars)(&advice);
    uint32_t at = model.advice_count ? model.advice[0].at : 0;
    free(model.advice);
    arena_free(&model.arena);
    return at;
}

static void test_named(void)
{
    CHECK(named(PP_REMARK_SEARCH, 0, 90e6) == 2 && named(PP_REMARK_SEARCH, 90e6, 0) == 2 &&
              named(PP_REMARK_SEARCH, 45e6, 45e6) == 2,
          "a search is where it compares, whichever line waits for memory");
    CHECK(named(PP_REMARK_STREAM, 0, 90e6) == 2 && named(PP_REMARK_STREAM, 90e6, 0) == 2 &&
              named(PP_REMARK_STREAM, 80e6, 10e6) == 2,
          "what could be vectors is in the loop's body");
}

/* A run whose kernel time is at one line, a third of its CPU time. */
struct faulting_run {
    double system_ns, faults; /* faults: counted; 0: they were not */
    double each_ns;           /* kernel time for each of them; the first ones took 500 ns, or it is not known */
    double switches, called;  /* called: the part of the time in a function that the line calls */
    uint64_t rss, mapped; /* mapped: bytes, and nothing was allocated */
    bool unpriced;
};

static bool pagefaults_speaks(struct faulting_run of)
{
    double called_ns = of.called * of.system_ns;
    struct model_callee callee = { .name = "malloc", .system_ns = called_ns };
    struct model_line line = { .file = "p.c",
                               .line = 2,
                               .function = MODEL_NONE,
                               .callee_count = called_ns > 0,
                               .faults = { .ns = called_ns },
                               .system_ns = of.system_ns };
    struct model_allocation mapping = { .line = MODEL_NONE, .blocks = { .alloc_blocks = 1, .alloc_bytes = of.mapped } };
    struct model model = { .line = &line, .line_count = 1, .callee = &callee, .mapping = &mapping };
    model.mapping_count = of.mapped > 0;
    struct advice advice = { .model = &model, .run_ns = 3 * of.system_ns, .stretch = 1, .abreast = 1 };
    model.run.system_ns = (uint64_t)of.system_ns;
    model.run.peak_rss_bytes = of.rss ? of.rss : 1 << 20;
    model.run.fault_ns = of.unpriced ? 0 : 500;
    model.run.switches = (uint64_t)of.switches;
    model.faults = of.faults;
    model.fault_ns = of.each_ns;
    model.coverage.sampled_ns = 3 * of.system_ns;
    advice_pagefaults(&advice);
    bool speaks = model.advice_count > 0;
    free(model.advice);
    arena_free(&model.arena);
    return speaks;
}

#define SPEAKS(...) pagefaults_speaks((struct faulting_run){ __VA_ARGS__ })

static void test_pagefaults(void)
{
    CHECK(SPEAKS(.system_ns = 11e6), "pages that are asked for again, for 11 ms");
    CHECK(!SPEAKS(.system_ns = 11e6, .mapped = 4 << 20), "more than a program can have touched that maps 4 MiB once");
    CHECK(!SPEAKS(.system_ns = 9e6), "9 ms, which a fork and the profile may take");
    CHECK(SPEAKS(.system_ns = 11e6, .faults = 10000), "ten thousand faults, which can have taken that");
    CHECK(SPEAKS(.system_ns = 11e6, .faults = 10000, .called = 1),
          "the same in a function that the line calls, where faults have places");
    CHECK(!SPEAKS(.system_ns = 11e6, .faults = 100), "a hundred, which cannot: the kernel did something else");
    CHECK(!SPEAKS(.system_ns = 11e6, .faults = 100, .unpriced = true),
          "the same where it is not known what a first touch takes");
    CHECK(SPEAKS(.system_ns = 40e6, .faults = 100, .each_ns = 400e3, .rss = 9 << 20),
          "a hundred that seem to take long, as large pages do");
    CHECK(!SPEAKS(.system_ns = 40e6, .faults = 100, .each_ns = 400e3, .rss = 9 << 20, .switches = 20000),
          "threads that wake each other take that time");
}

/* The line that is told where one line asks for 20 blocks of 32 MB and another one for 200 that grow by 1 MB each time.
 * Looks at windows of the latter found `grown` bytes. 0: none is told. */
static uint32_t pagefaults_line(double faults, uint64_t churned, uint64_t grown)
{
    struct model_function function[2] = { { .name = "churn", .stage = MODEL_NONE },
                                          { .name = "grow", .stage = MODEL_NONE } };
    struct model_line line[2] = { { .file = "p.c", .line = 1, .function = 0, .system_ns = 300e6 },
                                  { .file = "p.c", .line = 2, .function = 1, .system_ns = 350e6 } };
    struct model_allocation allocation[2] = {
        { .line = 0, .blocks = { .alloc_blocks = 20, .alloc_bytes = 20ull << 25, .touched_bytes = churned } },
        { .line = 1,
          .blocks = { .alloc_blocks = 200,
                      .alloc_bytes = 20100ull << 20,
                      .touched_bytes = grown,
                      .peak_blocks = 1,
                      .peak_bytes = 200 << 20 } }
    };
    struct model model = { .function = function,
                           .function_count = 2,
                           .line = line,
                           .line_count = 2,
                           .allocation = allocation,
                           .allocation_count = 2,
                           .has_blocks = true,
                           .has_peak = true };
    struct advice advice = { .model = &model, .run_ns = 1e9, .cpu_ns = 1e9, .stretch = 1, .abreast = 1 };
    model.run.system_ns = 650000000;
    model.run.peak_rss_bytes = 200 << 20;
    model.run.fault_ns = 500;
    model.faults = faults;
    model.fault_ns = 2000;
    model.coverage.sampled_ns = 1e9;
    advice_pagefaults(&advice);
    uint32_t told = model.advice_count ? model.advice[0].at : 0;
    if (told && strstr(model.advice[0].title, "again and again"))
        CHECK(model.advice[0].high_ns < 0.5e9, "more than the pages of one line took: %g", model.advice[0].high_ns);
    free(model.advice);
    arena_free(&model.arena);
    return told;
}

/* Lines without memory that could have come again: faults of a library that is loaded anew. */
static bool loads_speak(uint64_t asked)
{
    struct model_line line = { .file = "p.c", .line = 2, .function = MODEL_NONE, .system_ns = 100e6 };
    struct model_allocation allocation = { .line = 0, .blocks = { .alloc_blocks = 100, .alloc_bytes = asked } };
    struct model model = {
        .line = &line, .line_count = 1, .allocation = &allocation, .allocation_count = 1, .has_blocks = true
    };
    struct advice advice = { .model = &model, .run_ns = 200e6, .cpu_ns = 200e6, .stretch = 1, .abreast = 1 };
    model.run.system_ns = 100000000;
    model.run.peak_rss_bytes = 1 << 20;
    model.faults = 10000;
    model.fault_ns = 2000;
    model.coverage.sampled_ns = 200e6;
    advice_pagefaults(&advice);
    bool speaks = model.advice_count > 0;
    free(model.advice);
    arena_free(&model.arena);
    return speaks;
}

static void test_pages_again(void)
{
    CHECK(pagefaults_line(200000, 640 << 20, 200 << 20) == 1, "blocks that go and come, not one that grows");
    CHECK(pagefaults_line(200000, 640 << 20, 543 << 20) == 1, "the same where many looks met the growing one");
    CHECK(loads_speak(100 << 20), "memory enough for all faults");
    CHECK(!loads_speak(1 << 20), "pages that the program never asked for");
}

/* A loop of 8192 iterations of 50 us, of which 16 are slow: so many at one place of every 512, others at another one,
 * the rest anywhere; and each of them takes so long, of 2 s. */
static bool pauses_speak(unsigned saves, unsigned stops, uint64_t slow_ns)
{
    struct model_stage stage = { .kind = PP_SITE_LOOP, .name = "keys", .file = "k.c", .parent = MODEL_NONE };
    stage.times.wall_ns = 2000000000;
    struct model model = { .stage = &stage, .stage_count = 1 };
    struct advice advice = { .model = &model, .run_ns = 2e9, .stretch = 1, .abreast = 1 };
    struct model_times *t = &stage.iteration;
    t->calls = t->timed_calls = 8192;
    t->mean_ns = 250e3;
    t->slowest_count = 16;
    uint64_t histogram[PP_BUCKETS] = { [PP_BUCKETS / 4] = 8192 }; /* all of one length */
    t->histogram = histogram;
    for (unsigned i = 0; i < 16; i++)
        t->slowest[i] = (struct model_slow){ .index = i < saves           ? 256 + 512 * (i + 1)
                                                      : i < saves + stops ? 1 + 512 * (i - saves + 1)
                                                                          : (i * i * i * 701 + i * i * 57 + 77) % 8192,
                                             .wall_ns = slow_ns };
    advice_pauses(&advice);
    bool speaks = model.advice_count > 0;
    free(model.advice);
    arena_free(&model.arena);
    return speaks;
}

static void test_pauses(void)
{
    enum { LONG = 100000000, BRIEF = 2000000 };
    CHECK(pauses_speak(16, 0, LONG), "all at one place of a period");
    CHECK(pauses_speak(8, 8, LONG), "half at another place of the same period");
    CHECK(pauses_speak(8, 6, LONG), "the same, and two anywhere");
    CHECK(!pauses_speak(8, 0, LONG), "half at no place of any period");
    CHECK(!pauses_speak(0, 0, LONG), "all at no place of any period");
    CHECK(!pauses_speak(16, 0, BRIEF), "all at one place, by nothing that is seen, for a sixtieth of the time");
}

/* How much more the saving of 60 of 100 ms of CPU time may be than it is at least, where a second thread has so much of
 * all CPU time. */
static double gain_width(double others_cpu_ns)
{
    struct model model = { .run = { .cpu_count = 2 } };
    struct advice advice = { .model = &model, .run_ns = 100e6, .cpu_ns = 100e6, .stretch = 1, .abreast = 1 };
    advice.others.threads = 1;
    advice.others.cpu_ns = others_cpu_ns;
    double low, high;
    advice_gain(&advice, MODEL_NONE, 60e6, 0, &low, &high);
    return high - low;
}

/* What 40 ms of CPU time of a function that the first thread ran are worth at least, in a run of 400 ms. Another one was
 * there for 300 ms, for so long of which the first one waited for it. */
static double first_least(double waited_ns)
{
    struct model_function function = { .name = "f" };
    struct model_line line = { .file = "f.c", .line = 1, .function = 0 };
    struct model_thread threads[2] = { { .id = 7, .wall_ns = 400000000, .cpu_ns = 40000000, .delay_ns = 1 },
                                       { .id = 8, .wall_ns = 300000000, .cpu_ns = 40000000, .delay_ns = 1,
                                         .start_ns = 100000000, .end_ns = 400000000 } };
    struct model_sample sample = { .function = 0, .line = 0, .thread = 0, .count = 40, .ns = 40000000 };
    struct model_operation join = { .kind = PP_OPERATION_JOIN, .line = 0, .target = MODEL_NONE };
    struct model model = { .run = { .cpu_count = 2, .pid = 7, .wall_ns = 400000000, .user_ns = 80000000 },
                           .function = &function,
                           .function_count = 1,
                           .line = &line,
                           .line_count = 1,
                           .thread = threads,
                           .thread_count = 2,
                           .operation = &join,
                           .operation_count = 1,
                           .sample = &sample,
                           .sample_count = 1 };
    struct advice advice;
    double low, high;
    join.sum = (struct model_operations){ .calls = 1, .wall_ns = (uint64_t)waited_ns, .wait_ns = (uint64_t)waited_ns,
                                          .first_wall_ns = (uint64_t)waited_ns };
    facts_make(&advice, &model);
    advice_gain(&advice, 0, 40e6, 0, &low, &high);
    free(advice.use);
    return low;
}

static void test_first(void)
{
    CHECK(fabs(first_least(300e6) - 40e6) < 1e3, "others waited for all the time: what it computes is on the way");
    CHECK(fabs(first_least(280e6) - 40e6) < 1e3, "20 ms may have been beside them, and they are waited for");
    CHECK(fabs(first_least(1e6) - 1e6) < 1e3, "all of it may have been beside them, but for what it waits");
}

/* What 40 ms of CPU time of a function are worth at most, in a run of 400 ms. Its first thread had a CPU all the time.
 * The other one lacked one for four times its 40 ms, or the kernel did not tell. The function ran in one of them. */
static double crowded_most(uint32_t thread, bool is_told)
{
    struct model_function function = { .name = "f" };
    struct model_line line = { .file = "f.c", .line = 1, .function = 0 };
    struct model_thread threads[2] = { { .id = 7, .wall_ns = 400000000, .cpu_ns = 40000000, .delay_ns = is_told },
                                       { .id = 8, .wall_ns = 300000000, .cpu_ns = 40000000 } };
    threads[1].delay_ns = is_told ? 160000000 : 0;
    struct model_sample sample = { .function = 0, .line = 0, .thread = thread, .count = 40, .ns = 40000000 };
    struct model model = { .run = { .cpu_count = 2, .pid = 7 },
                           .function = &function,
                           .function_count = 1,
                           .line = &line,
                           .line_count = 1,
                           .thread = threads,
                           .thread_count = 2,
                           .sample = &sample,
                           .sample_count = 1 };
    struct advice advice = { .model = &model, .run_ns = 400e6, .cpu_ns = 80e6, .stretch = 3, .abreast = 1 };
    advice.others.threads = 1;
    advice.others.cpu_ns = 40e6;
    double low, high;
    advice_gain(&advice, 0, 40e6, 0, &low, &high);
    return high;
}

static void test_crowded(void)
{
    CHECK(fabs(crowded_most(0, true) - 40e6) < 1e3, "a thread that had a CPU gains its CPU time");
    CHECK(fabs(crowded_most(1, true) - 200e6) < 1e3, "one that lacked it gains that, too");
    CHECK(fabs(crowded_most(0, false) - 120e6) < 1e3, "where that is not known, the mean of all counts");
    CHECK(fabs(crowded_most(MODEL_NONE, true) - 120e6) < 1e3, "so it does where the thread is not known");
}

/* What 90 of 100 ms of waiting of one of four threads is worth at most, where they had `cpu_ns` on two CPUs. */
static double wait_most(double cpu_ns)
{
    struct model model = { .run = { .cpu_count = 2 } };
    struct advice advice = { .model = &model, .run_ns = 100e6, .cpu_ns = cpu_ns, .stretch = 1, .abreast = 1 };
    struct model_operations wait = { .wall_ns = 90000000, .wait_ns = 90000000 };
    advice.others.threads = 4;
    advice.first_event_ns = 100e6;
    double low, high;
    advice_gain_part(&advice, &wait, 1, &low, &high);
    return low <= high ? high : 1e9;
}

/* What is told at most of 100,000 receives that took 150 of 600 ms, of which 36 were on a CPU, where all 120 ms of CPU
 * time took five times as long. */
static double spins_most(void)
{
    struct model_line line = { .file = "s.c", .line = 1, .function = MODEL_NONE, .self = { 36e6, 9e12 } };
    struct model_target target = { .kind = PP_TARGET_SOCKET, .name = "unix pair 1" };
    struct advice_use use = { .line = 0,
                              .kind = PP_OPERATION_RECEIVE,
                              .sum = { .calls = 100000, .errors = 99900, .wall_ns = 150000000, .wait_ns = 60000000 } };
    struct model_operation operation = { .line = 0, .kind = use.kind, .sum = use.sum };
    struct model model = { .run = { .cpu_count = 2 },
                           .line = &line,
                           .line_count = 1,
                           .target = &target,
                           .target_count = 1,
                           .operation = &operation,
                           .operation_count = 1 };
    struct advice advice = { .model = &model, .run_ns = 600e6, .cpu_ns = 120e6, .stretch = 5, .abreast = 1,
                             .use = &use, .use_count = 1 };
    advice.others.threads = 1;
    advice_spins(&advice);
    double most = model.advice_count ? model.advice[0].high_ns : 0;
    free(model.advice);
    arena_free(&model.arena);
    return most;
}

/* What is told at most of 300 sleeps of 1 ms each in a run of so long, while a thread computed for 100 ms and had no CPU
 * for another 200. */
static double sleeps_most(double wall_ns)
{
    struct model_group group = { .threads = 1, .most_at_once = 1, .union_ns = 300000000 };
    struct model_line line = { .file = "s.c", .line = 1, .function = MODEL_NONE };
    struct advice_use use = { .line = 0,
                              .kind = PP_OPERATION_SLEEP,
                              .sum = { .calls = 300, .wall_ns = 300000000, .wait_ns = 300000000 } };
    struct model model = {
        .run = { .cpu_count = 2 }, .line = &line, .line_count = 1, .group = &group, .group_count = 1
    };
    struct advice advice = { .model = &model, .wall_ns = wall_ns, .run_ns = wall_ns, .cpu_ns = 110e6, .stretch = 3,
                             .abreast = 1, .use = &use, .use_count = 1 };
    use.sum.first_wall_ns = use.sum.wall_ns;
    advice.others.threads = 1;
    advice.others.cpu_ns = 100e6;
    advice.others.busy_ns = 300e6;
    advice_sleeps(&advice);
    double most = model.advice_count ? model.advice[0].high_ns : 0;
    free(model.advice);
    arena_free(&model.arena);
    return most;
}

/* What is told at most of small writes in a run of 400 ms, which had a CPU for 100 of them. By clocks they took 98 ms, and
 * 80 of the CPU time are theirs. */
static double writes_most(void)
{
    struct model_line line = { .file = "w.c", .line = 1, .function = MODEL_NONE, .self = { 80e6, 64e12 } };
    struct model_target target = { .kind = PP_TARGET_FILE, .name = "out" };
    struct advice_use use = {
        .line = 0,
        .kind = PP_OPERATION_WRITE,
        .targets = 1,
        .sum = { .calls = 100000, .bytes = 600000, .sequential = 100000, .wall_ns = 98000000, .first_wall_ns = 98000000 }
    };
    struct model_operation operation = { .line = 0, .kind = use.kind, .sum = use.sum };
    struct model model = { .run = { .cpu_count = 2 },
                           .line = &line,
                           .line_count = 1,
                           .target = &target,
                           .target_count = 1,
                           .operation = &operation,
                           .operation_count = 1 };
    struct advice advice = { .model = &model, .wall_ns = 400e6, .run_ns = 400e6, .cpu_ns = 100e6, .stretch = 4,
                             .abreast = 1, .use = &use, .use_count = 1 };
    double low, high;
    return transfers_are_small(&advice, &use, &low, &high) && low < high ? high : 0;
}

/* What is told at most of 50 million writes of 2 ns to elements that threads share a cache line of, which had a CPU for
 * a quarter of the run. */
static double sharing_most(void)
{
    struct model_function function = { .name = "w", .symbol = "w", .stage = MODEL_NONE, .calls_known = true };
    struct model_line line = { .file = "s.c", .line = 1, .function = 0, .self.ns = 100e6 };
    struct model_remark remark = { .kind = PP_REMARK_PART_WRITE, .file = "s.c", .line = 1, .detail = "a", .why = "" };
    struct model_group group = { .threads = 2, .most_at_once = 2, .cpu_ns = 100000000 };
    struct model model = { .run = { .cpu_count = 2 },
                           .function = &function,
                           .function_count = 1,
                           .line = &line,
                           .line_count = 1,
                           .remark = &remark,
                           .remark_count = 1,
                           .group = &group,
                           .group_count = 1 };
    struct advice advice = { .model = &model, .run_ns = 400e6, .cpu_ns = 100e6, .stretch = 4, .abreast = 1 };
    function.calls = 50000000;
    advice_sharing(&advice);
    double most = model.advice_count ? model.advice[0].high_ns : 0;
    free(model.advice);
    arena_free(&model.arena);
    return most;
}

/* What library code of 80 of 100 ms is worth at most, if all else that it makes slower would be, too. */
static double library_most(void)
{
    struct model model = { .run = { .cpu_count = 2 } };
    struct advice advice = { .model = &model, .run_ns = 100e6, .cpu_ns = 100e6, .stretch = 1, .abreast = 1 };
    double low, high;
    library_gain(&advice, MODEL_NONE, 80e6, 1000, 0.8, 1.3, &low, &high);
    return high;
}

/* What is told at most where four threads on two CPUs compute for 80 of 100 ms with a lock held, all in the line that
 * takes it, and other programs have the CPUs for as long. */
static double lock_most(double *least)
{
    struct model_function function = { .name = "w", .stage = MODEL_NONE, .total.ns = 80e6 };
    struct model_line line = { .file = "l.c", .line = 1, .function = 0, .self.ns = 80e6, .total.ns = 80e6 };
    struct model_hold hold = { .line = 0, .holder_function = 0, .holder_line = 0, .wait_ns = 200000000, .waits = 9 };
    struct advice_use use = { .line = 0,
                              .kind = PP_OPERATION_LOCK,
                              .sum = { .calls = 9, .wall_ns = 200000000, .wait_ns = 200000000 } };
    struct model model = { .run = { .cpu_count = 2 },
                           .function = &function,
                           .function_count = 1,
                           .line = &line,
                           .line_count = 1,
                           .hold = &hold,
                           .hold_count = 1 };
    struct advice advice = { .model = &model,
                             .run_ns = 100e6,
                             .cpu_ns = 80e6,
                             .threads_ns = 500e6,
                             .first_event_ns = 100e6,
                             .stretch = 2,
                             .abreast = 4,
                             .use = &use,
                             .use_count = 1 };
    advice.others.threads = 4;
    advice_locks(&advice);
    double most = model.advice_count ? model.advice[0].high_ns : 0;
    *least = model.advice_count && model.advice[0].kind == SAVING_MEASURED ? model.advice[0].low_ns : 0;
    free(model.advice);
    arena_free(&model.arena);
    return most;
}

static void test_gain(void)
{
    double least, most = lock_most(&least);
    CHECK(library_most() > 80e6 && library_most() <= 90e6, "what must remain is not saved: %g", library_most());
    CHECK(most > 20e6 && most <= 60e6, "two CPUs have 40 ms to do in any case: %g", most);
    CHECK(least <= 20e6, "and 80 ms while other programs take theirs: %g", least);
    CHECK(spins_most() > 140e6 && spins_most() < 250e6, "calls that had no CPU are not stretched again: %g",
          spins_most());
    CHECK(sleeps_most(320e6) > 5e6 && sleeps_most(320e6) < 50e6, "it slept in nearly all the time in which the other one had no CPU: %g",
          sleeps_most(320e6));
    CHECK(sleeps_most(450e6) > 130e6, "it may have had none while the first one did something else: %g",
          sleeps_most(450e6));
    CHECK(writes_most() > 320e6 && writes_most() < 395e6, "what the program computes remains: %g", writes_most());
    CHECK(sharing_most() > 300e6 && sharing_most() < 370e6, "each write takes a quarter of a nanosecond in any case: %g",
          sharing_most());
    CHECK(wait_most(10e6) > 85e6, "CPUs with little to do let who waited go on");
    CHECK(wait_most(150e6) < 26e6, "two CPUs have 75 ms to do, however long threads waited");
    CHECK(gain_width(1e6) < 1, "a second thread that does next to nothing leaves all to the first one");
    CHECK(gain_width(50e6) > 30e6, "who of two that compute gains is not known");
}

/* A line opens two files five times each and closes them at another line, 1 us each time. */
static void test_passes(void)
{
    struct model_line line[2] = { 0 };
    struct model_target target[2] = { { .kind = PP_TARGET_FILE, .name = "a" },
                                      { .kind = PP_TARGET_FILE, .name = "b" } };
    struct model_operation operation[4];
    struct model model = { .line = line, .line_count = 2, .target = target, .target_count = 2, .operation = operation };
    struct advice advice = { .model = &model };
    struct advice_use use = { .kind = PP_OPERATION_OPEN, .sum = { .calls = 10, .wall_ns = 10000 }, .targets = 2 };
    struct passes p;
    for (uint32_t i = 0; i < 4; i++)
        operation[i] = (struct model_operation){ .line = i / 2,
                                                 .target = i % 2,
                                                 .kind = i < 2 ? PP_OPERATION_OPEN : PP_OPERATION_CLOSE,
                                                 .sum = { .calls = 5, .wall_ns = 5000 } };
    model.operation_count = 4;
    CHECK(passes_of(&advice, &use, &p) && p.around.wall_ns == 20000, "10 us of opening and 10 us of closing, not %lu",
          (unsigned long)p.around.wall_ns);
    operation[2].sum.calls = 10; /* half of the closes are of what was opened elsewhere */
    CHECK(passes_of(&advice, &use, &p) && p.around.wall_ns == 17500, "half of that at one file: %lu",
          (unsigned long)p.around.wall_ns);
}

static bool rounds_told(struct model *model, enum advice_id id)
{
    struct advice advice = { .model = model, .run_ns = 1e9, .cpu_ns = 1e9, .stretch = 1, .abreast = 1 };
    rounds_ask(&advice, id);
    bool told = model->advice_count > 0;
    free(model->advice);
    arena_free(&model->arena);
    return told;
}

/* One of a hundred rounds calls a function, which has so much of the run's second. */
static bool rounds_speak(double share, bool regular, enum advice_id id)
{
    struct model_function function[2] = {
        { .name = "tidy", .symbol = "tidy", .file = "t.c", .calls_known = true, .calls = 10, .total.ns = share * 1e9 },
        { .name = "each", .symbol = "each", .file = "t.c", .calls_known = true, .calls = 1000 }
    };
    struct model_remark remark[2] = {
        { .kind = PP_REMARK_SELDOM, .file = "t.c", .line = 7, .detail = "tidy", .why = "each" },
        { .kind = PP_REMARK_REGULAR, .file = "t.c", .line = 7 },
    };
    struct model model = {
        .function = function, .function_count = 2, .remark = remark, .remark_count = regular ? 2 : 1
    };
    return rounds_told(&model, id);
}

/* A loop at line 7 comes in so many of a thousand rounds. The line has 300 ms, so much of it for what is not inlined. */
static bool loop_speaks(double times, double own_ns, bool counted, enum advice_id id)
{
    struct model_function function = { .name = "each", .symbol = "each", .file = "t.c", .stage = MODEL_NONE };
    struct model_line line = { .file = "t.c", .line = 7, .total.ns = 300e6, .self.ns = own_ns };
    struct model_remark remark = { .kind = PP_REMARK_PIECE, .file = "t.c", .line = 7, .loop_first = 7, .loop_last = 7,
                                   .why = "", .is_inlined = true, .is_counted = counted, .entries = times,
                                   .steps = 1000 };
    struct model model = { .function = &function, .function_count = 1, .remark = &remark, .remark_count = 1,
                           .line = &line, .line_count = 1 };
    return rounds_told(&model, id);
}

static void test_rounds(void)
{
    CHECK(rounds_speak(0.3, true, ADVICE_pauses), "some rounds tidy up");
    CHECK(!rounds_speak(0.3, false, ADVICE_pauses), "not known to be at equal distances");
    CHECK(rounds_speak(0.3, false, ADVICE_slowbatches) && !rounds_speak(0.3, true, ADVICE_slowbatches), "one of both");
    CHECK(!rounds_speak(0.95, true, ADVICE_pauses),
          "what has nearly all time is the program's work, and the others are what it skips");
    CHECK(loop_speaks(10, 0, true, ADVICE_slowbatches) && loop_speaks(1, 0, true, ADVICE_firstentries), "a loop, too");
    CHECK(!loop_speaks(1, 0, true, ADVICE_slowbatches) && !loop_speaks(10, 0, true, ADVICE_firstentries), "once or not");
    CHECK(!loop_speaks(10, 0, false, ADVICE_slowbatches), "a copy of it is not counted, and may have the time");
    CHECK(!loop_speaks(10, 250e6, true, ADVICE_slowbatches), "the line's own time is that of all rounds");
    CHECK(!loop_speaks(100, 0, true, ADVICE_slowbatches), "a tenth of the rounds is not a few");
}

/* One sort of 2.5 million comparisons in 8 MiB, and 50 million calls of another function by line `from` of the same
 * caller: line 0 sorts. */
static bool sorting_speaks(uint32_t from)
{
    struct model_function function[] = {
        { .name = "main", .file = "s.c", .stage = MODEL_NONE, .calls_known = true, .calls = 1 },
        { .name = "by_number", .file = "s.c", .calls_known = true, .calls = 2500000 },
        { .name = "tiny", .file = "s.c", .calls_known = true, .calls = 50000000 },
    };
    struct model_node node[] = { { .function = MODEL_NONE },
                                 { .function = 0 },
                                 { .parent = 1, .function = 1 },
                                 { .parent = 1, .function = 2 } };
    struct model_frame frame[] = { { .function = MODEL_NONE, .line = MODEL_NONE },
                                   { .function = 0, .line = 0 },
                                   { .parent = 1, .function = MODEL_NONE, .line = MODEL_NONE, .name = "qsort" },
                                   { .parent = 2, .function = 1, .line = MODEL_NONE },
                                   { .function = 0, .line = from },
                                   { .parent = 4, .function = 2, .line = MODEL_NONE } };
    struct model_callee callee = { .line = 0, .name = "qsort", .self_ns = 100e6, .samples = 100 };
    struct model_line line[] = {
        { .file = "s.c", .line = 9, .callee_count = 1, .total = { .ns = 250e6 }, .total_samples = 250 },
        { .file = "s.c", .line = 7 },
    };
    struct model model = { .function = function, .function_count = 3, .node = node, .node_count = 4,
                           .frame = frame, .frame_count = 6, .line = line, .line_count = 2,
                           .entry = &callee, .entry_count = 1, .callee = &callee };
    struct advice advice = { .model = &model, .run_ns = 500e6, .cpu_ns = 500e6, .stretch = 1, .abreast = 1 };
    model.run.peak_rss_bytes = 8 << 20;
    model.coverage.sampled_ns = 500e6;
    model.coverage.samples = model.run.sample_signals = 500;
    advice_sorting(&advice);
    bool speaks = model.advice_count > 0;
    free(model.advice);
    arena_free(&model.arena);
    return speaks;
}

static void test_sorting(void)
{
    CHECK(sorting_speaks(0), "if the sort called it, there were many sorts");
    CHECK(!sorting_speaks(1), "another line calls it: one sort");
}

int main(void)
{
    test_sorting();
    test_gain();
    test_rounds();
    test_passes();
    test_loops();
    test_named();
    test_pagefaults();
    test_pages_again();
    test_first();
    test_crowded();
    test_pauses();
    return 0;
}
