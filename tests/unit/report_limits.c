/* SPDX-License-Identifier: MIT */
/* report_limits.c: rules of advice on runs that lie just on one and on the other side of a limit. Each limit stands
 * here as docs/advice.md has it. */
#include <string.h>
#include <stdlib.h>

#include "advice/facts.h"
#include "report_file.h"

#define RUN_NS 1e9

/* A run of one second on the CPU, with one thread and one line "a.c:2" in a function of its own. */
struct run {
    struct model_line line;
    struct model_function function;
    struct model model;
    struct advice advice;
};

static void run_make(struct run *r)
{
    *r = (struct run){ .line = { .file = "a.c", .line = 2, .callee_count = 1 } };
    r->function = (struct model_function){ .name = "f", .calls_known = true, .stage = MODEL_NONE };
    r->model = (struct model){ .line = &r->line, .line_count = 1, .function = &r->function, .function_count = 1 };
    r->model.run.cpu_count = 1;
    r->model.run.user_ns = (uint64_t)RUN_NS;
    r->model.coverage.sampled_ns = RUN_NS;
    r->model.coverage.samples = r->model.run.sample_signals = 1000;
    r->advice = (struct advice){ .model = &r->model,
                                 .run_ns = RUN_NS,
                                 .cpu_ns = RUN_NS,
                                 .threads_ns = RUN_NS,
                                 .wall_ns = RUN_NS,
                                 .stretch = 1,
                                 .abreast = 1 };
}

/* The largest saving that is told, as a part of the run; below 0: nothing is. */
static double run_judge(struct run *r, void (*rule)(struct advice *))
{
    rule(&r->advice);
    double high = r->model.advice_count ? r->model.advice[0].high_ns / RUN_NS : -1;
    free(r->model.advice);
    arena_free(&r->model.arena);
    return high;
}

/* `percent` of the CPU time at the line, in a function of a library. */
static double library_tells(void (*rule)(struct advice *), const char *name, double percent, double calls)
{
    struct run r;
    run_make(&r);
    struct model_callee callee = { .name = name, .self_ns = percent / 100 * RUN_NS, .samples = 10000 };
    r.model.entry = &callee;
    r.model.entry_count = 1;
    r.function.calls = (uint64_t)calls;
    r.function.total.ns = r.line.self.ns = callee.self_ns;
    return run_judge(&r, rule);
}

static void test_lengths(void)
{
    CHECK(library_tells(advice_lengths, "strlen", 16, 1000) > 0, "strlen with 16 %% of the CPU time");
    CHECK(library_tells(advice_lengths, "strlen", 14, 1000) < 0, "with 14 %%, which other work on texts may need");
    CHECK(library_tells(advice_lengths, "strlen", 16, 2e6) < 0, "80 ns a call, which is a short string");
    double most = library_tells(advice_lengths, "strlen", 50, 1000);
    CHECK(most > 0.53 && most < 0.56, "a little more is promised: 1.08 of the time, not %.3f", most / 0.5);
}

/* A function that takes and gives back a lock, with so much of the CPU time for it and so many waits. */
static double lock_tells(double percent, double waits, double wait_ns, bool is_told)
{
    struct run r;
    struct model_advice told = { .rule = "locks" };
    run_make(&r);
    struct model_callee callee = { .name = "pthread_mutex_unlock", .self_ns = percent / 100 * RUN_NS };
    callee.samples = 10000;
    struct advice_use use = { .kind = PP_OPERATION_LOCK, .target = MODEL_NONE };
    use.sum.calls = (uint64_t)waits;
    use.sum.wait_ns = use.sum.wall_ns = use.sum.first_wall_ns = (uint64_t)(waits * wait_ns);
    r.model.entry = &callee;
    r.model.entry_count = 1;
    r.function.total.ns = r.line.self.ns = callee.self_ns;
    r.advice.use = &use;
    r.advice.use_count = 1;
    if (is_told)
        *ARRAY_PUSH(r.model.advice, r.model.advice_count, r.model.advice_capacity) = told;
    advice_lockcalls(&r.advice);
    double high = r.model.advice_count > is_told ? r.model.advice[is_told].high_ns / RUN_NS : -1;
    free(r.model.advice);
    arena_free(&r.model.arena);
    return high;
}

static void test_lockcalls(void)
{
    CHECK(lock_tells(16, 0, 0, false) > 0, "locks with 16 %% of the CPU time, where nobody waits");
    CHECK(lock_tells(14, 0, 0, false) < 0, "with 14 %%");
    CHECK(lock_tells(14, 1000, 40e3, false) > 0, "with 14 %%, and a thousand waits of 40 us");
    CHECK(lock_tells(14, 900, 40e3, false) < 0, "fewer waits");
    CHECK(lock_tells(14, 1000, 60e3, false) < 0, "waits of 60 us: it is held for long, and locks.c speaks");
    CHECK(lock_tells(16, 0, 0, true) < 0, "locks.c has spoken of the function");
    double alone = lock_tells(30, 0, 0, false) / 0.3, fought = lock_tells(30, 2000, 40e3, false) / (0.3 + 0.08);
    /* 0.55 to 1.2, and 1 % for 10,000 samples: what goes at most is no less where the least is told higher */
    CHECK(alone > 1.2 && alone < 1.22, "where nobody waits, 1.212 of the time goes at most, not %.3f", alone);
    CHECK(fought > 1.24 && fought < 1.28, "where threads meet, 1.25 of it, not %.3f", fought);
}

/* A hundred thousand searches in a list, each of so many ns with such an error, in a process of so many MiB. Each looks
 * at so many elements; 0: they were not counted. */
static bool elements_tell(double each_ns, double error_ns, unsigned mib, double elements)
{
    struct run r;
    run_make(&r);
    double searches = 1e5, ns = each_ns * searches, sigma = error_ns * searches;
    struct model_remark remark[] = {
        { .kind = PP_REMARK_LOOP, .is_counted = true, .entries = searches, .steps = searches * elements },
        { .kind = PP_REMARK_CHASE, .detail = "n->next" },
        { .kind = PP_REMARK_SEARCH, .detail = "n->key", .why = "key" },
    };
    for (unsigned i = 0; i < 3; i++) {
        remark[i].self_variance = sigma * sigma;
        remark[i].file = "a.c";
        remark[i].line = 2;
        remark[i].loop_first = 2;
        remark[i].loop_last = 3;
        remark[i].self_ns = ns;
        remark[i].detail = remark[i].detail ? remark[i].detail : "";
        remark[i].why = remark[i].why ? remark[i].why : "";
        remark[i].text = "";
    }
    r.line.self.ns = ns;
    r.model.run.peak_rss_bytes = (uint64_t)mib << 20;
    r.model.remark = remark;
    r.model.remark_count = 3;
    r.model.run.user_ns = (uint64_t)(4 * ns);
    /* a quarter of the run: no share tells it */
    r.advice.cpu_ns = r.advice.run_ns = r.model.coverage.sampled_ns = 4 * ns;
    return run_judge(&r, advice_searches) >= 0;
}

static bool search_tells(double each_ns, double error_ns, unsigned mib)
{
    return elements_tell(each_ns, error_ns, mib, 0);
}

static void test_searches(void)
{
    CHECK(elements_tell(190, 5, 8, 10), "10 elements a search in a list");
    CHECK(!elements_tell(230, 5, 8, 3), "3 elements, which a good chain may have");
    CHECK(search_tells(230, 5, 8), "230 ns a search in a list");
    CHECK(!search_tells(190, 5, 8), "190 ns: a good chain whose elements are in no cache");
    CHECK(!search_tells(230, 20, 8), "230 ns with an error of 20: two of them below the limit");
    CHECK(!search_tells(560, 5, 64), "560 ns in large memory, where each element comes from far away");
    CHECK(search_tells(640, 5, 64), "640 ns there");
}

/* A file is opened so often, for a tenth of the run. */
static bool open_tells(const char *file, unsigned opens)
{
    struct run r;
    run_make(&r);
    struct model_target target = { .kind = PP_TARGET_FILE, .name = file };
    struct model_operation operation = { .kind = PP_OPERATION_OPEN, .stage = MODEL_NONE };
    struct advice_use use = { .kind = PP_OPERATION_OPEN, .targets = 1 };
    operation.sum.calls = opens;
    operation.sum.wall_ns = operation.sum.first_wall_ns = operation.sum.cpu_ns = (uint64_t)(RUN_NS / 10);
    use.sum = operation.sum;
    r.model.target = &target;
    r.model.operation = &operation;
    r.model.target_count = r.model.operation_count = 1;
    r.advice.use = &use;
    r.advice.use_count = 1;
    return run_judge(&r, advice_reopens) >= 0;
}

static void test_reopens(void)
{
    CHECK(open_tells("/home/me/list", 16), "a file that is opened 16 times");
    CHECK(!open_tells("/home/me/list", 15), "15 times, as where it is written anew now and then");
    CHECK(!open_tells("/proc/self/stat", 999), "999 looks at what the kernel makes anew");
    CHECK(open_tells("/proc/self/stat", 1000), "a thousand");
}

/* A stage of 20 entries whose first one takes 50 ms, and so many others `slow_ns`; the rest take 1 ms. */
static bool first_tells(double first_ns, unsigned slow, double slow_ns)
{
    struct run r;
    run_make(&r);
    struct model_stage stage = { .name = "load", .file = "a.c", .line = 1, .parent = MODEL_NONE };
    stage.kind = PP_SITE_STAGE;
    stage.times.calls = stage.times.timed_calls = 20;
    stage.times.wall_ns = (uint64_t)(first_ns + slow * slow_ns + (19 - slow) * 1e6);
    stage.times.slowest_count = 1 + slow;
    for (unsigned i = 0; i <= slow; i++) {
        stage.times.slowest[i].index = i;
        stage.times.slowest[i].wall_ns = (uint64_t)(i ? slow_ns : first_ns);
    }
    r.model.stage = &stage;
    r.model.stage_count = 1;
    return run_judge(&r, advice_firstentries) >= 0;
}

static void test_firstentries(void)
{
    CHECK(first_tells(50e6, 0, 0), "a first entry that is slow alone");
    CHECK(first_tells(50e6, 1, 30e6), "one other that took more than half as long");
    CHECK(!first_tells(50e6, 2, 26e6), "two others: being first is not why it was slow");
    CHECK(first_tells(50e6, 2, 24e6), "two others that took less than half as long");
}

/* A function that resizes an array at one line and copies at another one, each 30 % of the CPU time. By hand: it gets a
 * block, copies into it and frees the old one. Says how many findings there are. */
static size_t resized_tells(bool by_hand)
{
    struct run r;
    run_make(&r);
    struct model_line line[3];
    for (uint32_t i = 0; i < 3; i++) {
        line[i] = r.line;
        line[i].line = 2 + i;
    }
    struct model_callee callee[] = {
        { .line = 0, .name = by_hand ? "malloc" : "realloc", .self_ns = 0.3 * RUN_NS, .samples = 1000 },
        { .line = 1, .name = "memcpy", .self_ns = 0.3 * RUN_NS, .samples = 1000 },
        { .line = 2, .name = "free", .self_ns = 0.01 * RUN_NS, .samples = 100 }
    };
    struct model_allocation allocation = { .kind = PP_CALLSITE_BLOCKS, .library = MODEL_NONE };
    allocation.blocks.alloc_blocks = allocation.blocks.free_blocks = 10000;
    r.model.line = line;
    r.model.line_count = 3;
    r.model.entry = callee;
    r.model.entry_count = 3;
    r.model.allocation = &allocation;
    r.model.allocation_count = by_hand;
    advice_reallocs(&r.advice);
    advice_copies(&r.advice);
    size_t count = r.model.advice_count;
    free(r.model.advice);
    arena_free(&r.model.arena);
    return count;
}

/* A line takes 30 % of the time by this function. The compiler remarks that it moves memory within itself. */
static bool moving_is_told(const char *name, const char *inner, int kind)
{
    struct run r;
    run_make(&r);
    struct model_callee callee = { .line = 0, .name = name, .inner = inner, .self_ns = 0.3 * RUN_NS, .samples = 1000 };
    struct model_remark remark = { .kind = (enum pp_remark_kind)kind, .file = r.line.file, .line = r.line.line };
    r.model.entry = &callee;
    r.model.entry_count = 1;
    r.model.remark = &remark;
    r.model.remark_count = kind >= 0;
    advice_copies(&r.advice);
    bool told = r.model.advice_count == 1 && strstr(r.model.advice[0].title, "moves many elements");
    free(r.model.advice);
    arena_free(&r.model.arena);
    return told;
}

static void test_moves(void)
{
    CHECK(moving_is_told("memmove", NULL, PP_REMARK_SHIFT), "a gap is closed");
    CHECK(moving_is_told("memmove", NULL, PP_REMARK_GAP), "room is made");
    CHECK(!moving_is_told("memmove", NULL, -1), "memmove to other memory only copies");
    CHECK(moving_is_told("std::vector<int>::erase", "memmove", -1), "a vector closes a gap, whatever is remarked");
    CHECK(moving_is_told("std::rotate", "memmove", -1), "the library moves");
}

/* A server reads 2000 times 4 bytes, for 20 % of the run, and answers 1000 times. So many clients connected. */
static bool small_reads_are_told(uint64_t accepted)
{
    struct run r;
    run_make(&r);
    struct model_target target = { .kind = PP_TARGET_SOCKET, .name = "unix at /served" };
    struct model_operation operation[] = { { .kind = PP_OPERATION_SERVED, .sum.calls = 1000 },
                                           { .kind = PP_OPERATION_ACCEPT, .sum.calls = accepted } };
    struct advice_use use = { .kind = PP_OPERATION_READ, .targets = 1 };
    use.sum = (struct model_operations){ .calls = 2000, .sequential = 2000, .bytes = 8000 };
    use.sum.wall_ns = use.sum.first_wall_ns = (uint64_t)(0.2 * RUN_NS);
    r.line.self.ns = 0.2 * RUN_NS;
    r.line.callee_count = 0;
    r.model.target = &target;
    r.model.target_count = 1;
    r.model.operation = operation;
    r.model.operation_count = 2;
    r.advice.use = &use;
    r.advice.use_count = 1;
    advice_smallreads(&r.advice);
    bool told = r.model.advice_count == 1;
    free(r.model.advice);
    arena_free(&r.model.arena);
    return told;
}

static void test_smallreads(void)
{
    CHECK(small_reads_are_told(1), "a client sends bytes one by one");
    CHECK(!small_reads_are_told(1000), "each client takes a read for its question, and one that finds its end");
}

static void test_reallocs(void)
{
    CHECK(resized_tells(true) == 1, "copies to resize by hand are told once");
    CHECK(resized_tells(false) == 2, "copies beside realloc are a matter of their own");
}

/* A function prepares at one line and undoes it at another, with so much of the time: is the first one told? */
static bool preparing_is_told(const char *prepares, const char *undoes, double undoing)
{
    struct run r;
    run_make(&r);
    struct model_line line[] = { r.line, r.line };
    line[1].line = 3;
    struct model_callee callee[] = {
        { .line = 0, .name = prepares, .self_ns = 0.3 * RUN_NS, .samples = 1000 },
        { .line = 1, .name = undoes, .self_ns = undoing * RUN_NS, .samples = 1000 },
    };
    r.model.line = line;
    r.model.line_count = 2;
    r.model.entry = callee;
    r.model.entry_count = 2;
    advice_repeatedcalls(&r.advice);
    bool told = r.model.advice_count == 1 && r.model.advice[0].line == 0 &&
                strstr(r.model.advice[0].action, prepares) && !strstr(r.model.advice[0].action, undoes);
    free(r.model.advice);
    arena_free(&r.model.arena);
    return told;
}

static void test_repeatedcalls(void)
{
    CHECK(preparing_is_told("deflateInit_", "deflateEnd", 0.2), "what prepares takes longer");
    CHECK(preparing_is_told("deflateInit_", "deflateEnd", 0.5), "what undoes it takes longer");
    CHECK(preparing_is_told("regcomp", "regfree", 0.5), "patterns alike");
}

/* What is saved at most has one sigma of the line in it, and is of the run without all that profiling may have cost. */
static void test_most(void)
{
    struct run r;
    double low, high;
    run_make(&r);
    r.line.self = (struct value){ 0.3 * RUN_NS, 0.09 * RUN_NS * 0.09 * RUN_NS };
    advice_gain(&r.advice, 0, 0.3 * RUN_NS, 0, &low, &high);
    CHECK(low < 0.301 * RUN_NS && high > 0.389 * RUN_NS && high < 0.391 * RUN_NS, "300 ms +- 90 ms: %g to %g", low, high);
    struct model_advice *to = advice_add(&r.advice, ADVICE_searches, 0, 0.4 * high, high, SAVING_MEASURED);
    CHECK(to->low_ns == high / 2 && to->high_ns == high, "no less at most: %g to %g", to->low_ns, to->high_ns);
    free(r.model.advice);
    r.model.run.wall_ns = (uint64_t)RUN_NS;
    r.model.run.self_ns = (uint64_t)(0.05 * RUN_NS);
    r.model.run.self_most_ns = (uint64_t)(0.1 * RUN_NS);
    struct advice a;
    facts_make(&a, &r.model);
    CHECK(a.run_ns > 0.949 * RUN_NS && a.least_ns < 0.901 * RUN_NS && a.least_ns > 0.899 * RUN_NS, "profiling cost 5 to 10 %%: %g", a.least_ns);
    free(a.use);
    arena_free(&r.model.arena);
}

int main(void)
{
    test_most();
    test_moves();
    test_smallreads();
    test_reallocs();
    test_repeatedcalls();
    test_lengths();
    test_lockcalls();
    test_searches();
    test_reopens();
    test_firstentries();
    return 0;
}
