/* SPDX-License-Identifier: MIT */
/* report_unfounded.c: advice that would be wrong or promise too much, beside the same where it is right. */
#include "advice/loops.h"
#include "advice/slowness.h"
#include "report_file.h"

#include <math.h>
#include <string.h>

/* A run of 100 ms of CPU time in one thread, with what a test puts into it. */
struct case_of {
    struct model model;
    struct advice advice;
    struct model_line line[4];
    struct model_remark remark[4];
    struct model_target target[4];
    struct model_operation operation[8];
    struct advice_use use[8];
};

static void case_begin(struct case_of *c)
{
    *c = (struct case_of){ .advice = {
                               .run_ns = 100e6, .cpu_ns = 100e6, .threads_ns = 100e6, .stretch = 1, .abreast = 1 } };
    c->model.line = c->line;
    c->model.remark = c->remark;
    c->model.target = c->target;
    c->model.operation = c->operation;
    c->model.coverage.sampled_ns = 100e6;
    c->model.coverage.samples = c->model.run.sample_signals = 100;
    c->advice.model = &c->model;
    c->advice.use = c->use;
}

static void case_end(struct case_of *c)
{
    free(c->model.advice);
    arena_free(&c->model.arena);
}

/* ---- a division beside a call of a library ---- */

static bool division_is_told(double line_ns, double library_ns, enum saving_kind *kind)
{
    static struct case_of c;
    case_begin(&c);
    c.line[0] = (struct model_line){
        .file = "d.c", .line = 2, .function = MODEL_NONE, .self = { .ns = line_ns }, .library_ns = library_ns
    };
    c.model.line_count = 1;
    c.remark[0] = (struct model_remark){
        .kind = PP_REMARK_LOOP, .file = "d.c", .line = 1, .loop_first = 1, .loop_last = 3, .self_ns = line_ns
    };
    c.remark[1] = (struct model_remark){ .kind = PP_REMARK_DIVISION,
                                         .file = "d.c",
                                         .line = 2,
                                         .loop_first = 1,
                                         .loop_last = 3,
                                         .detail = "sum",
                                         .why = "",
                                         .text = "divides by sum" };
    c.model.remark_count = 2;
    advice_divisions(&c.advice);
    bool told = c.model.advice_count > 0;
    *kind = told ? c.model.advice[0].kind : SAVING_MEASURED;
    case_end(&c);
    return told;
}

static void test_divisions(void)
{
    enum saving_kind kind;
    CHECK(division_is_told(60e6, 0, &kind) && kind == SAVING_MEASURED, "a line that divides");
    CHECK(division_is_told(60e6, 40e6, &kind) && kind == SAVING_MEASURED, "one that calls a library, too");
    CHECK(!division_is_told(60e6, 59e6, &kind), "one whose time is the library's: it prints a quotient");
    CHECK(division_is_told(100e6, 92e6, &kind) && kind == SAVING_BOUND, "8 ms of a loop: it may divide meanwhile");
}

/* ---- powers of few numbers, beside others on the same line ---- */

/* Two calls on a line that takes 50 ms, so 250 calls of each at least: for so many different numbers. */
static bool powers_are_told(int64_t values, int64_t others)
{
    static struct case_of c;
    static struct model_function function = { .name = "series", .stage = MODEL_NONE };
    static struct model_callee entry = { .line = 0, .name = "pow", .self_ns = 50e6, .samples = 50 };
    case_begin(&c);
    c.line[0] = (struct model_line){ .file = "s.c", .line = 2, .self = { .ns = 50e6 }, .callee_count = 1 };
    for (unsigned i = 0; i < 2; i++)
        c.remark[i] = (struct model_remark){ .kind = PP_REMARK_FEW_VALUES, .file = "s.c", .line = 2, .detail = "pow",
                                             .why = "", .value = i ? others : values, .function = MODEL_NONE };
    c.model.line_count = c.model.entry_count = c.model.callee_count = c.model.function_count = 1;
    c.model.remark_count = 2;
    c.model.function = &function;
    c.model.entry = c.model.callee = &entry;
    advice_tables(&c.advice);
    bool told = c.model.advice_count > 0;
    case_end(&c);
    return told;
}

static void test_powers(void)
{
    CHECK(powers_are_told(16, 30), "two calls, each for few numbers");
    CHECK(!powers_are_told(16, 1000000), "one is for a million: how much of the time is its is not known");
}

/* ---- a peer that is slow, and the other end of the same connection ---- */

/* The first thread waits 80 ms for one peer. Of the others' calls it does this part. */
static const struct model_advice *peers_told(struct case_of *c, unsigned peers, double first)
{
    case_begin(c);
    c->line[0] = (struct model_line){ .file = "p.c", .line = 2, .function = MODEL_NONE };
    c->model.line_count = 1;
    c->use[0] = (struct advice_use){ .line = 0, .kind = PP_OPERATION_RECEIVE, .targets = peers };
    c->advice.use_count = 1;
    for (unsigned i = 0; i < peers; i++) {
        uint64_t ns = i ? 1000000 : 80000000;
        c->target[i] = (struct model_target){ .kind = PP_TARGET_SOCKET, .name = "peer" };
        c->operation[i] =
            (struct model_operation){ .kind = PP_OPERATION_RECEIVE,
                                      .target = i,
                                      .line = 0,
                                      .sum = { .calls = 10,
                                               .wall_ns = ns,
                                               .wait_ns = ns,
                                               .first_wall_ns = (uint64_t)((i ? first : 1) * (double)ns) } };
    }
    c->model.target_count = c->model.operation_count = peers;
    advice_slowpeers(&c->advice);
    return c->model.advice_count ? c->model.advice : NULL;
}

/* ---- polls of two threads in one line of an event loop ---- */

/* Of 140 ms in 100 polls the first thread has a part. It receives so often, and the longest poll took so long. */
static bool polls_are_told(double first, uint64_t receives, uint64_t most_ns)
{
    static struct case_of c;
    case_begin(&c);
    c.advice.wall_ns = 100e6;
    c.advice.others.threads = 1;
    c.line[0] = c.line[1] = (struct model_line){ .file = "p.c", .line = 2, .function = MODEL_NONE };
    c.model.line_count = 2;
    c.target[0] = (struct model_target){ .kind = PP_TARGET_SOCKET, .name = "client" };
    c.model.target_count = 1;
    c.use[0] = (struct advice_use){ .line = 0, .kind = PP_OPERATION_POLL, .target = MODEL_NONE };
    c.use[0].sum = (struct model_operations){
        .calls = 100, .wall_ns = 140000000, .wait_ns = 140000000, .most_ns = most_ns,
        .first_wall_ns = (uint64_t)(first * 140e6)
    };
    c.use[1] = (struct advice_use){ .line = 1, .kind = PP_OPERATION_RECEIVE, .target = 0 };
    c.use[1].sum = (struct model_operations){ .calls = receives, .wall_ns = 1000000, .first_wall_ns = 1000000 };
    c.advice.use_count = 2;
    advice_polls(&c.advice);
    bool told = c.model.advice_count > 0;
    case_end(&c);
    return told;
}

static void test_polls(void)
{
    CHECK(polls_are_told(0.5, 5, 2000000) && polls_are_told(0.49, 5, 2000000), "polls that nothing comes of");
    CHECK(polls_are_told(0.5, 5, 60000000), "one of them ended late, on a busy machine");
    CHECK(!polls_are_told(0.5, 100, 2000000), "an event loop in the first thread");
    CHECK(!polls_are_told(0.49, 100, 2000000), "one beside a thread that polls there a little longer, for nothing");
    CHECK(!polls_are_told(0.5, 5, 900000000), "a timeout that the others did not reach: writes to terminals are awaited");
}

static void test_peers(void)
{
    static struct case_of c;
    const struct model_advice *told = peers_told(&c, 2, 1);
    CHECK(told && strstr(told->evidence, "for the other one only 100 us a call"), "one slow peer of two");
    case_end(&c);
    told = peers_told(&c, 4, 1);
    CHECK(told && strstr(told->evidence, "for 3 others only 100 us a call"), "one of four");
    case_end(&c);
    CHECK(!peers_told(&c, 2, 0), "the other one is the other end, which another thread reads at the same line");
    case_end(&c);
}

/* ---- writes that wait ---- */

/* 1,000 writes of 100 bytes that wait for 50 us each, and so many confirmations of the same file. */
static const struct model_advice *writes_told(struct case_of *c, unsigned syncs, bool same_file)
{
    case_begin(c);
    c->advice.cpu_ns = c->advice.run_ns / 2; /* it waits for the rest */
    c->line[0] = (struct model_line){ .file = "w.c", .line = 2, .function = MODEL_NONE };
    c->line[1] = (struct model_line){ .file = "w.c", .line = 3, .function = MODEL_NONE };
    c->model.line_count = 2;
    c->target[0] = c->target[1] = (struct model_target){ .kind = PP_TARGET_FILE, .name = "file" };
    c->model.target_count = 2;
    struct model_operations writes = { .calls = 1000,
                                       .bytes = 100000,
                                       .wall_ns = 50000000,
                                       .wait_ns = 50000000,
                                       .first_wall_ns = 50000000 },
                            sync = { .calls = syncs, .wall_ns = 1000, .wait_ns = 1000, .first_wall_ns = 1000 };
    c->operation[0] = (struct model_operation){ .kind = PP_OPERATION_WRITE, .line = 0, .target = 0, .sum = writes };
    c->operation[1] =
        (struct model_operation){ .kind = PP_OPERATION_SYNC, .line = 1, .target = !same_file, .sum = sync };
    c->model.operation_count = 1 + (syncs > 0);
    c->use[0] = (struct advice_use){ .line = 0, .kind = PP_OPERATION_WRITE, .sum = writes, .targets = 1, .target = 0 };
    c->advice.use_count = 1;
    advice_syncs(&c->advice);
    return c->model.advice_count ? c->model.advice : NULL;
}

static void test_writes(void)
{
    static struct case_of c;
    CHECK(writes_told(&c, 0, true), "writes that wait, of a file that nobody confirms");
    case_end(&c);
    CHECK(writes_told(&c, 1, true), "one that is confirmed at the end");
    case_end(&c);
    CHECK(!writes_told(&c, 1000, true), "one that is confirmed all the time: that is what a write waits for");
    case_end(&c);
    CHECK(writes_told(&c, 1000, false), "the same, but another file is confirmed");
    case_end(&c);
}

/* ---- threads without a CPU ---- */

/* A thread of 1 s with 100 ms of CPU time, ready without a CPU for 800 ms, that waited so long in one call. */
static double crowded_ns(uint64_t wait_ns)
{
    struct model_thread thread = { .wall_ns = 1000000000 };
    struct model_operation wait = { .kind = PP_OPERATION_SYNC, .sum = { .wall_ns = wait_ns, .wait_ns = wait_ns } };
    struct model model = { .thread = &thread, .thread_count = 1, .operation = &wait, .operation_count = 1 };
    model.run.user_ns = 100000000;
    model.run.delay_ns = 800000000;
    return run_crowded_ns(&model);
}

/* The same thread where it waited so long in calls, and the run ended so. */
static double elsewhere_ns(uint64_t wait_ns, uint64_t delay_ns, uint64_t threads, bool sealed)
{
    struct model_thread thread = { .wall_ns = 1000000000, .cpu_ns = 100000000, .wait_ns = wait_ns };
    thread.delay_ns = delay_ns;
    struct model model = { .thread = &thread, .thread_count = 1, .has_operations = true };
    model.run.thread_count = threads;
    model.run.sealed = sealed;
    return run_elsewhere_ns(&model);
}

static void test_elsewhere(void)
{
    CHECK(elsewhere_ns(200000000, 300000000, 1, true) == 400e6, "neither computed, nor waited, nor was ready");
    CHECK(elsewhere_ns(700000000, 300000000, 1, true) == 0, "it was ready in a part of a wait");
    CHECK(elsewhere_ns(200000000, 300000000, 2, true) == 0, "two threads wait for each other");
    CHECK(elsewhere_ns(200000000, 300000000, 1, false) == 0, "a run that was not seen to end");
    CHECK(elsewhere_ns(200000000, 0, 1, true) == 0, "not known how long it was ready");
}

static void test_crowds(void)
{
    CHECK(crowded_ns(0) == 800e6, "others had the CPU");
    CHECK(crowded_ns(850000000) == 50e6, "most of it was within a wait for the disk");
    CHECK(crowded_ns(900000000) == 0, "all of it");
}

/* Rounds of a stage whose CPU time is not known took 100 ms longer than the others, in a run that was killed. Whether
 * its thread neither computed nor waited for so long may be due to others. */
static bool stall_is_others(uint64_t unclear_ns, bool sealed)
{
    static struct case_of c;
    struct model_thread thread = { .wall_ns = 200000000, .cpu_ns = 200000000 - unclear_ns };
    struct model_stage stage = { .times = { .wall_ns = 200000000 } };
    case_begin(&c);
    c.model.thread = &thread;
    c.model.thread_count = 1;
    c.model.run.sealed = sealed;
    return stall_is_taken(&c.advice, &stage, 100e6);
}

static void test_stalls(void)
{
    CHECK(stall_is_others(90000000, false), "it had no CPU, or waited elsewhere, for nearly as long");
    CHECK(!stall_is_others(20000000, false), "it computed nearly all the time");
    CHECK(!stall_is_others(90000000, true), "the run ended, and nothing says that it had no CPU");
}

/* The finding's saving where four threads wait 90 ms for a lock, and its holder computes. It had taken the lock at two
 * lines, and each wait met both. At the second one it may have slept, too. */
static double lock_told_ms(double computed_ns, uint64_t delay_ns, double slept_ns, uint64_t waits)
{
    static struct case_of c;
    static struct model_function function;
    static struct model_hold hold[2] = {
        { .line = 0, .holder_function = 0, .holder_line = 0, .wait_ns = 50000000, .waits = 9 },
        { .line = 0, .holder_function = 0, .holder_line = 1, .wait_ns = 40000000, .waits = 9 }
    };
    struct model_thread thread = { .wall_ns = 1000000000 };
    case_begin(&c);
    function = (struct model_function){ .name = "put", .stage = MODEL_NONE, .total.ns = computed_ns };
    c.line[0] = (struct model_line){ .file = "l.c", .line = 1, .function = 0 };
    c.line[1] = (struct model_line){
        .file = "l.c", .line = 5, .function = 0, .total.ns = computed_ns, .stalled.ns = slept_ns
    };
    c.model.line_count = 2;
    c.model.function = &function;
    c.model.function_count = 1;
    c.model.hold = hold;
    c.model.hold_count = 2;
    c.model.thread = &thread;
    c.model.thread_count = 1;
    c.model.run.delay_ns = delay_ns;
    c.use[0] = (struct advice_use){ .kind = PP_OPERATION_LOCK,
                                    .sum = { .calls = waits, .wall_ns = 90000000, .wait_ns = 90000000 } };
    c.advice.use_count = 1;
    c.advice.first_event_ns = c.advice.wall_ns = 100e6;
    c.advice.threads_ns = 500e6;
    c.advice.cpu_ns = 20e6;
    c.advice.abreast = 4;
    advice_locks(&c.advice);
    double most = c.model.advice_count ? c.model.advice[0].high_ns / 1e6 : 0;
    const char *said = waits == 1 ? "90.0 ms for the lock, in 1 call," : "90.0 ms for the lock, in 9 calls";
    CHECK(!most || strstr(c.model.advice[0].evidence, said), "as the calls' table says: %s", c.model.advice[0].evidence);
    case_end(&c);
    return most;
}

static void test_holders(void)
{
    CHECK(lock_told_ms(30e6, 50000000, 0, 9) > 15, "who held it computed: %g", lock_told_ms(30e6, 50000000, 0, 9));
    CHECK(lock_told_ms(30e6, 50000000, 0, 1) > 15, "it made them wait once");
    CHECK(lock_told_ms(1e6, 50000000, 0, 9) == 0, "who held it had no CPU");
    CHECK(lock_told_ms(1e6, 0, 0, 9) > 15, "nobody had to wait for a CPU");
    CHECK(lock_told_ms(30e6, 50000000, 2e9, 9) == 0, "what it takes to fall asleep is no work with the lock held");
    CHECK(lock_told_ms(30e6, 50000000, 30e6, 9) > 15, "a line that computes as long as it waits is");
}

/* ---- what a library does in a function ---- */

/* Half of the time is in this function of the library, in a program's function of which this was said already. */
static const struct model_advice *library_told(struct case_of *c, const char *name, void (*ask)(struct advice *),
                                               enum advice_id already, bool same)
{
    static struct model_function function[2] = { { .name = "other", .stage = MODEL_NONE },
                                                 { .name = "read", .stage = MODEL_NONE } };
    static struct model_callee entry;
    case_begin(c);
    entry = (struct model_callee){ .line = 0, .name = name, .self_ns = 50e6, .samples = 50 };
    c->line[0] =
        (struct model_line){ .file = "t.c", .line = 2, .function = 1, .self = { .ns = 50e6 }, .callee_count = 1 };
    c->line[1] = (struct model_line){ .file = "t.c", .line = 9, .function = 1 };
    c->line[2] = (struct model_line){ .file = "t.c", .line = 19, .function = 0 };
    c->model.line_count = 3;
    c->model.function = function;
    c->model.function_count = 2;
    c->model.entry = c->model.callee = &entry;
    c->model.entry_count = c->model.callee_count = 1;
    if (already != ADVICE_COUNT)
        advice_add(&c->advice, already, same ? 1 : 2, 20e6, 30e6, SAVING_MEASURED);
    size_t before = c->model.advice_count;
    ask(&c->advice);
    return c->model.advice_count > before ? &c->model.advice[before] : NULL;
}

static void test_texts(void)
{
    static struct case_of c;
    const struct model_advice *told = library_told(&c, "snprintf", advice_formatting, ADVICE_COUNT, false);
    CHECK(told && told->high_ns > 50e6 && strstr(told->evidence, "hashing the text adds"), "why more than it goes");
    case_end(&c);
    told = library_told(&c, "sscanf", advice_formatting, ADVICE_COUNT, false);
    CHECK(told && told->high_ns > 50e6 && strstr(told->evidence, "splitting the text adds"), "why more than it goes");
    case_end(&c);
    CHECK(library_told(&c, "fscanf", advice_formatting, ADVICE_rereads, false), "another function reads a file again");
    case_end(&c);
    CHECK(!library_told(&c, "fscanf", advice_formatting, ADVICE_rereads, true),
          "this one reads the same file again: that is the same time");
    case_end(&c);
    CHECK(library_told(&c, "snprintf", advice_formatting, ADVICE_rereads, true), "what it formats is another matter");
    case_end(&c);
}

/* A line copies for 50 ms by strdup, and free takes 20 ms elsewhere. Of 100 blocks so many are the line's. */
static const char *copies_told(struct case_of *c, uint64_t blocks)
{
    static struct model_function function = { .name = "cut", .stage = MODEL_NONE };
    static struct model_callee entry[2];
    static struct model_allocation got[2];
    case_begin(c);
    entry[0] = (struct model_callee){ .line = 0, .name = "strdup", .self_ns = 50e6, .samples = 50 };
    entry[1] = (struct model_callee){ .line = 1, .name = "free", .self_ns = 20e6, .samples = 20 };
    for (uint32_t i = 0; i < 2; i++) {
        c->line[i] = (struct model_line){
            .file = "t.c", .line = 2 + i, .self = { .ns = entry[i].self_ns }, .callee = i, .callee_count = 1
        };
        got[i] = (struct model_allocation){ .kind = PP_CALLSITE_BLOCKS, .line = i };
    }
    got[0].blocks.alloc_blocks = blocks;
    got[1].blocks.alloc_blocks = 100 - blocks;
    c->model.line_count = c->model.entry_count = c->model.callee_count = c->model.allocation_count = 2;
    c->model.function = &function;
    c->model.function_count = 1;
    c->model.entry = c->model.callee = entry;
    c->model.allocation = got;
    advice_copies(&c->advice);
    return c->model.advice_count ? c->model.advice[0].evidence : "";
}

static void test_copies(void)
{
    static struct case_of c;
    CHECK(strstr(copies_told(&c, 100), "Giving back the copies took 20.0 ms."), "all blocks are its own");
    CHECK(c.model.advice[0].high_ns > 80e6, "they count as part of the saving");
    case_end(&c);
    CHECK(strstr(copies_told(&c, 50), "Giving back the copies took 10.0 ms."), "half of them");
    case_end(&c);
    CHECK(!strstr(copies_told(&c, 0), "Giving back"), "none");
    case_end(&c);
}

/* A line resizes for 50 ms. So many blocks were asked for there, of which so many were resized; all had so many bytes,
 * and so many were there when the heap was largest. */
struct resizing {
    uint64_t blocks, moves, bytes, peak_bytes, variance, mean, calls, others; /* calls: of the heap, all */
};

static bool reallocs_speaks(struct resizing of)
{
    static struct case_of c;
    static struct model_function function = { .name = "fill", .stage = MODEL_NONE };
    static struct model_callee entry = { .line = 0, .name = "realloc", .self_ns = 50e6, .samples = 50 };
    struct model_allocation row[2] = {
        { .kind = PP_CALLSITE_BLOCKS, .line = 0, .function = 0, .library = MODEL_NONE },
        { .kind = PP_CALLSITE_BLOCKS, .line = 1, .function = 0, .library = MODEL_NONE },
    };
    case_begin(&c);
    c.line[0] = (struct model_line){ .file = "t.c", .line = 2, .self = { .ns = 50e6 }, .callee_count = 1 };
    row->blocks.alloc_blocks = row->blocks.free_blocks = row->blocks.temporary_blocks = of.blocks;
    row->blocks.alloc_bytes = row->blocks.free_bytes = of.bytes;
    row->blocks.alloc_blocks_variance = of.variance;
    row->blocks.peak_bytes = of.peak_bytes;
    c.model.line_count = c.model.entry_count = c.model.callee_count = 1;
    c.model.allocation_count = 2;
    c.model.function = &function;
    c.model.function_count = 1;
    c.model.entry = c.model.callee = &entry;
    c.model.allocation = row;
    row[1].blocks.alloc_blocks = of.others;
    c.model.run.heap_calls = of.calls;
    c.model.run.moves = of.moves;
    c.model.run.blocks_mean = of.mean;
    advice_reallocs(&c.advice);
    bool speaks = c.model.advice_count > 0;
    case_end(&c);
    return speaks;
}

#define RESIZES(...) reallocs_speaks((struct resizing){ __VA_ARGS__ })

static void test_reallocs(void)
{
    CHECK(RESIZES(.blocks = 1000, .bytes = 4004000, .peak_bytes = 8000), "a thousand steps of 8 bytes");
    CHECK(!RESIZES(.blocks = 10, .bytes = 16368, .peak_bytes = 8192), "the same by doubling: twice the largest");
    CHECK(RESIZES(.blocks = 0, .bytes = 0, .peak_bytes = 0), "blocks are not counted");
    /* A million arrays of 40 numbers, one after the other: 16, 32, 64, 128 and 256 bytes. */
    CHECK(!RESIZES(.blocks = 5000000, .moves = 3990000, .bytes = 496000000, .peak_bytes = 16, .mean = 32768),
          "five blocks for each array");
    CHECK(!RESIZES(.blocks = 5000000, .moves = 3990000, .bytes = 496000000, .peak_bytes = 16, .mean = 32768,
                   .variance = 10000000000), "the same where the blocks are off by 100,000");
    CHECK(RESIZES(.blocks = 5000000, .moves = 3990000, .bytes = 496000000, .peak_bytes = 16, .mean = 32768,
                  .variance = 160000000000), "where they are off by 400,000, there may be more of each array");
    CHECK(!RESIZES(.blocks = 5000000, .moves = 3990000, .bytes = 496000000, .peak_bytes = 16, .mean = 32768,
                   .variance = 160000000000, .calls = 10000000), "all blocks of the run are known, and are here");
    CHECK(RESIZES(.blocks = 5000000, .moves = 3990000, .bytes = 496000000, .peak_bytes = 16, .mean = 32768,
                  .variance = 160000000000, .calls = 10000000, .others = 900000), "or elsewhere");
    CHECK(!RESIZES(.blocks = 8000000, .moves = 6800000, .bytes = 4080000000, .peak_bytes = 16, .mean = 32768),
          "eight of 16 to 2,048 bytes");
    CHECK(RESIZES(.blocks = 20000000, .moves = 18980000, .bytes = 1640000000, .peak_bytes = 16, .mean = 32768),
          "twenty blocks for each array, of 8 to 160 bytes");
    CHECK(RESIZES(.blocks = 5000000, .bytes = 496000000, .peak_bytes = 16), "resized blocks are not counted");
    CHECK(RESIZES(.blocks = 5000000, .moves = 3000000, .bytes = 50000000000, .peak_bytes = 16, .mean = 32768),
          "blocks of 10,000 bytes: of those that were sampled nobody knows which were resized");
}

static void test_locks(void)
{
    static struct case_of c;
    CHECK(library_told(&c, "pthread_mutex_lock", advice_lockcalls, ADVICE_COUNT, false),
          "a lock that is taken too often");
    case_end(&c);
    CHECK(library_told(&c, "pthread_mutex_lock", advice_lockcalls, ADVICE_locks, false),
          "another function's is held long");
    case_end(&c);
    CHECK(!library_told(&c, "pthread_mutex_lock", advice_lockcalls, ADVICE_locks, true), "it is held long: told once");
    case_end(&c);
}

static void test_statements(void)
{
    static struct case_of c;
    CHECK(library_told(&c, "sqlite3_prepare_v2", advice_repeatedcalls, ADVICE_COUNT, false), "prepared again and again");
    case_end(&c);
    CHECK(library_told(&c, "sqlite3_prepare_v2", advice_repeatedcalls, ADVICE_queries, false),
          "another function asks a query for each row");
    case_end(&c);
    CHECK(!library_told(&c, "sqlite3_prepare_v2", advice_repeatedcalls, ADVICE_queries, true),
          "this one asks, and prepares that query for each row: told once");
    case_end(&c);
    CHECK(library_told(&c, "regcomp", advice_repeatedcalls, ADVICE_queries, true), "a pattern is another matter");
    case_end(&c);
}

/* ---- work of several threads ---- */

/* The upper end of what 60 ms of CPU time are worth in a run of 100 ms with 180 ms of it. */
static double most_of(unsigned cpus, unsigned threads)
{
    static struct case_of c;
    double low, high;
    case_begin(&c);
    c.model.run.cpu_count = cpus;
    c.advice.cpu_ns = 180e6;
    c.advice.others.threads = threads;
    c.advice.others.cpu_ns = 80e6;
    c.advice.stretch = 1.5;
    advice_gain(&c.advice, MODEL_NONE, 60e6, 0, &low, &high);
    case_end(&c);
    return high;
}

static void test_work(void)
{
    CHECK(fabs(most_of(2, 3) - 40e6) < 1, "two CPUs need 60 ms for the other 120 ms");
    CHECK(fabs(most_of(8, 3) - 70e6) < 1, "four threads need 30 ms");
    CHECK(fabs(most_of(0, 3) - 70e6) < 1, "so they do where it is not known how many CPUs there were");
}

/* ---- wide intervals ---- */

/* A saving of 10 to 60 % with so many other threads: what they do may or may not be on the way to the end. */
static struct model_advice wide_add(unsigned threads, double low_ns)
{
    static struct case_of c;
    case_begin(&c);
    c.advice.others.threads = threads;
    struct model_advice told = *advice_add(&c.advice, ADVICE_copies, MODEL_NONE, low_ns, 60e6, SAVING_MEASURED);
    case_end(&c);
    return told;
}

static bool is_narrow(struct model_advice told)
{
    return told.kind == SAVING_MEASURED && told.low_ns >= 0.499 * told.high_ns;
}

static void test_widths(void)
{
    struct model_advice wide = wide_add(2, 2e6);
    CHECK(wide.kind == SAVING_BOUND && wide.high_ns == 60e6, "3 to 60 %% is at most 60 %%");
    CHECK(is_narrow(wide_add(2, 25e6)), "25 to 60 %% is made narrower");
    CHECK(is_narrow(wide_add(2, 40e6)), "40 to 60 %% is left");
    CHECK(is_narrow(wide_add(0, 2e6)), "one thread: all is on the way to the end");
}

/* ---- clearing: of small blocks it is the allocator that takes the time ---- */

/* A line takes 40 ms of 100 in calloc, for a thousand blocks of so many bytes. */
static bool clearing_is_told(uint64_t bytes)
{
    static struct case_of c;
    static struct model_function function = { .name = "line_read", .stage = MODEL_NONE, .total = { .ns = 100e6 } };
    static struct model_callee entry = { .line = 0, .name = "calloc", .self_ns = 40e6, .samples = 40 };
    static struct model_allocation row = { .kind = PP_CALLSITE_BLOCKS, .library = MODEL_NONE, .attributed = true };
    case_begin(&c);
    c.line[0] = (struct model_line){ .file = "c.c", .line = 2, .self = { .ns = 40e6 }, .callee_count = 1 };
    row.blocks = (struct model_blocks){ .alloc_blocks = 1000, .alloc_bytes = 1000 * bytes };
    c.model.line_count = c.model.entry_count = c.model.callee_count = c.model.function_count = 1;
    c.model.allocation_count = bytes ? 1 : 0;
    c.model.function = &function;
    c.model.entry = c.model.callee = &entry;
    c.model.allocation = &row;
    advice_memsets(&c.advice);
    bool told = c.model.advice_count > 0;
    case_end(&c);
    return told;
}

static void test_clearing(void)
{
    CHECK(clearing_is_told(65536), "64 KiB each");
    CHECK(clearing_is_told(0), "of unknown size");
    CHECK(!clearing_is_told(240), "240 bytes each, as less has for a line: clearing them takes less than getting them");
}

/* ---- objects: that which is only destroyed was needed, and made elsewhere or bit by bit ---- */

/* A function takes 40 ms of 100 in destructors of so many objects, and so much in their constructors. */
static bool objects_are_told(double made_ns, uint64_t objects)
{
    static struct case_of c;
    static struct model_function function[] = { { .name = "load", .stage = MODEL_NONE, .total = { .ns = 100e6 } },
                                                { .name = "std::map::~map", .stage = MODEL_NONE },
                                                { .name = "std::map::map", .stage = MODEL_NONE } };
    static struct model_callee entry = { .line = 0, .name = "std::map::~map", .self_ns = 40e6, .samples = 40 };
    static struct model_node node[4];
    case_begin(&c);
    c.line[0] = (struct model_line){ .file = "o.cc", .line = 2, .self = { .ns = 1e6 }, .total = { .ns = 41e6 }, .callee_count = 1 };
    for (uint32_t i = 1; i < 4; i++)
        node[i] = (struct model_node){ .parent = i > 1, .function = i - 1, .stage = MODEL_NONE };
    node[0].function = MODEL_NONE;
    node[2].below.ns = 40e6;
    node[2].below_samples = 40;
    node[2].calls = objects;
    node[3].below.ns = made_ns;
    c.model.line_count = c.model.entry_count = c.model.callee_count = 1;
    c.model.function_count = 3;
    c.model.function = function;
    c.model.node = node;
    c.model.node_count = 4;
    c.model.entry = c.model.callee = &entry;
    advice_allocations(&c.advice);
    bool told = c.model.advice_count > 0;
    case_end(&c);
    return told;
}

static void test_objects(void)
{
    CHECK(objects_are_told(20e6, 2), "made and destroyed");
    CHECK(objects_are_told(0, 100000), "many: what makes them may be inlined");
    CHECK(!objects_are_told(0, 2), "two are only destroyed: tables that were filled meanwhile, as in a test of ninja");
}

/* What to change first: the middle of what is saved tells, and a bound may be the most of all. */
static void test_order(void)
{
    static const double saved[][2] = { { 4e6, 8e6 }, { 1e6, 7e6 }, { 0, 64e6 }, { 30e6, 50e6 } };
    struct model model = { 0 };
    for (size_t i = 0; i < 4; i++)
        *ARRAY_PUSH(model.advice, model.advice_count, model.advice_capacity) =
            (struct model_advice){ .id = "r@f", .low_ns = saved[i][0], .high_ns = saved[i][1] };
    advice_sort(&model);
    CHECK(model.advice[0].high_ns == 50e6 && model.advice[1].high_ns == 64e6 && model.advice[2].high_ns == 8e6 &&
              model.advice[3].high_ns == 7e6, "first the one of %g ms at most", model.advice[0].high_ns / 1e6);
    free(model.advice);
}

int main(void)
{
    test_order();
    test_clearing();
    test_objects();
    test_statements();
    test_work();
    test_texts();
    test_copies();
    test_reallocs();
    test_locks();
    test_widths();
    test_elsewhere();
    test_crowds();
    test_stalls();
    test_holders();
    test_divisions();
    test_powers();
    test_peers();
    test_polls();
    test_writes();
    return 0;
}
