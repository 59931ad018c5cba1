/* SPDX-License-Identifier: MIT */
/* What difference.h says of runs that are made up: LINES lines in as many functions, with samples that are drawn, on a
 * machine that is 4 % slower for the new program's runs. Nothing changed: silence. Then one line costs a fifth more,
 * in its own code, in the kernel, or by waiting; or it is hit once more, or a fifth more often. The seed is fixed. */
#include "difference/difference.h"
#include "model/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINES = 40, PLANTED = 3, PLACES = 6, RUNS = 8 };
static uint64_t state = 0x2545f4914f6cdd1du;
static int wrong;
static struct { uint32_t line; double times; } least = { PLANTED, 1.03 }; /* of COST_LEAST: what costs how much more */

#define CHECK(condition, ...)                                      \
    do {                                                           \
        if (!(condition)) {                                        \
            printf("%s:%d: %s: ", __FILE__, __LINE__, #condition); \
            printf(__VA_ARGS__);                                   \
            printf("\n");                                          \
            wrong++;                                               \
        }                                                          \
    } while (0)

static double chance(void)
{
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return (double)(state >> 11) / 9007199254740992.0;
}
static double normal(void) { return sqrt(-2 * log(1 - chance())) * cos(6.283185307179586 * chance()); }

/* SERVED: the kernel takes nearly all time of a fourth, ten times as long in one run of three. BUSY: a clock measures functions, and in one run of three a fourth of them waits for a CPU. CLOCKED: a clock
 * measures them. MORE: one takes twice as long. CROWDED: work of a run takes 2.5 times as long for want of a CPU.
 * RECODED: the five hottest functions have other code, and more than half of the CPU time. REBUILT: three in four have it.
 * VARIES: all hits vary. */
enum plant { NOTHING, COST, COST_LEAST, KERNEL, WAIT, HITS, ONCE, CODE, SERVED, BUSY, CLOCKED, CLOCKED_MORE, CROWDED, RECODED, REBUILT, VARIES, VARIES_MORE, VARIES_TWICE };

/* A run: lines of 100 to 4000 samples of 1 ms, each hit 1000 times; `slower` is the machine's part. */
static struct model *run_make(enum plant plant, double slower)
{
    struct model *m = memory_zeroed(1, sizeof *m);
    double total = 0;
    m->run = (struct model_run){ .path = "run.profplug", .program = "program", .host = "host", .cpu_model = "cpu",
                                 .wall_ns = 60000000000u };
    m->has_hits = m->has_blocks = m->has_operations = true;
    for (uint32_t i = 0; i < LINES; i++) {
        bool planted = i == PLANTED;
        double machine = slower * exp(0.01 * normal()), own = planted && plant == COST ? 1.2 : i == least.line && plant == COST_LEAST ? least.times : 1;
        uint64_t hits = planted && plant == HITS ? 1200 : planted && plant == ONCE ? 1001 : 1000;
        if (plant >= VARIES)
            hits = (uint64_t)(1000 * exp(0.05 * normal()) * (planted && plant == VARIES_MORE ? 1.5 : 1));
        double mean = 4000.0 / (i + 1) * machine * own * (double)hits / 1000, system = 0;
        double samples = fmax(1, floor(mean + sqrt(mean) * normal()));
        if (planted && plant == KERNEL)
            system = samples * 0.2e6;
        if (planted && (plant == CLOCKED || plant == CLOCKED_MORE))
            system = 50e6 * exp(0.5 * normal());
        if (plant == SERVED && i % 4 == PLANTED) {
            samples = 2;
            system = 1e9 * exp(0.05 * normal()) * (chance() < 0.3 ? 10 : 1);
        }
        struct value self = { samples * 1e6 + system, samples * 1e12 };
        struct model_line *line = ARRAY_PUSH(m->line, m->line_count, m->line_capacity);
        *line = (struct model_line){ .file = "program.c", .line = 100 * i + 10, .function = i, .shape = 77,
                                     .hits_known = true, .hits = hits, .samples = (uint64_t)samples, .self = self,
                                     .system_ns = system };
        if (planted)
            line->traffic.wait_ns[0] = (uint64_t)(exp(0.01 * normal()) * (plant == WAIT ? 1.5e9 : 1e9));
        struct model_function *f = ARRAY_PUSH(m->function, m->function_count, m->function_capacity);
        *f = (struct model_function){ .key = arena_print(&m->arena, "program.c:f%u", i),
                                      .name = arena_print(&m->arena, "f%u", i), .file = "program.c",
                                      .symbol = arena_print(&m->arena, "f%u", i), .line = 100 * i + 1, .has_site = true,
                                      .shape = 5 + i, .code_bytes = (planted && plant == CODE) || (plant == RECODED && i < 5) || (plant == REBUILT && i % 4 != PLANTED) ? 90 : 100,
                                      .calls_known = true, .calls = 10, .samples = (uint64_t)samples, .self = self,
                                      .system_ns = system, .traffic = line->traffic };
        f->wall_known = plant >= BUSY && plant <= CROWDED;
        double wall = 2e9 * exp(0.02 * normal()) * (plant == CROWDED ? 2.5 : planted && plant == CLOCKED_MORE ? 2 : 1);
        f->wall_ns = !f->wall_known ? 0 : (uint64_t)(wall + (plant == BUSY && i % 4 == PLANTED && chance() < 0.3 ? 1e11 : 0));
        f->calls += planted && plant == VARIES_TWICE;
        total += self.ns;
    }
    m->run.user_ns = (uint64_t)total;
    m->run.delay_ns = plant == CROWDED ? (uint64_t)(1.5 * total) : 0;
    return m;
}

static struct difference *compare(enum plant plant, size_t runs)
{
    struct difference *d = difference_open();
    for (size_t i = 0; i < 2 * runs; i++) {
        struct model *m = run_make(i < runs ? NOTHING : plant, i < runs ? 1 : 1.04);
        difference_add(d, i < runs ? ARM_OLD : ARM_NEW, m, NULL);
        model_free(m);
    }
    difference_judge(d, NULL);
    return d;
}

static const struct difference_site *planted_line(const struct difference *d)
{
    for (size_t i = 0; i < d->site_count; i++)
        if (d->site[i].kind == DIFFERENCE_LINE && d->site[i].line[ARM_NEW] == 100 * PLANTED + 10)
            return &d->site[i];
    return NULL;
}

static const struct difference_site *planted_function(const struct difference *d)
{
    size_t i = 0;
    while (d->site[i].kind != DIFFERENCE_FUNCTION || strcmp(d->site[i].name, "f3") != 0)
        i++;
    return &d->site[i];
}

static void silence_check(void)
{
    struct difference *d = compare(NOTHING, RUNS);
    CHECK(!d->verdict_count[VERDICT_SLOWER] && !d->verdict_count[VERDICT_FASTER] && !d->count_changes && !d->single_count,
          "%zu slower", d->verdict_count[VERDICT_SLOWER]);
    CHECK(d->factor_known && fabs(d->factor - 1.04) < 4 * d->factor_error && d->factor_error < 0.01, "%g +- %g", d->factor,
          d->factor_error);
    CHECK(d->matched[DIFFERENCE_LINE] == LINES && d->control_count == LINES, "%zu", d->control_count);
    for (size_t i = 1; i < d->site_count; i++)
        for (size_t k = 0; k < i; k++)
            CHECK(strcmp(d->site[i].key, d->site[k].key) != 0, "%s", d->site[i].key);
    difference_free(d);
}

static void planted_check(enum plant plant, enum difference_cause cause, enum difference_clock clock, double ratio)
{
    struct difference *d = compare(plant, RUNS);
    const struct difference_site *line = planted_line(d);
    CHECK(line->verdict == VERDICT_SLOWER && line->cause == cause && line->clock == clock, "%d: %s, %s, %s", plant,
          difference_verdict_name(line->verdict), difference_cause_name(line->cause), difference_clock_name(line->clock));
    const struct difference_time *t = &line->time[clock];
    CHECK(fabs(log(line->ratio / ratio)) < 4 * t->error && t->error < 0.05, "%g +- %g", line->ratio, t->error);
    for (size_t i = 0; i < d->site_count; i++) {
        const struct difference_site *s = &d->site[i];
        bool told = s->verdict == VERDICT_SLOWER || s->verdict == VERDICT_FASTER;
        CHECK(!told || strcmp(s->name, "f3") == 0, "%s is told, too", s->key);
        CHECK(!difference_is_worse(s) || strcmp(s->name, "f3") == 0, "%s is worse, too", s->key);
    }
    CHECK(difference_is_worse(line), "a gate passes");
    difference_free(d);
}

static void counts_check(void)
{
    struct difference *d = compare(ONCE, 2);
    const struct difference_site *line = planted_line(d);
    const struct difference_count *hits = &line->count[COUNTER_HITS];
    CHECK(d->count_changes == 1 && hits->changed && hits->steady && hits->low[ARM_OLD] == 1000 &&
              hits->high[ARM_NEW] == 1001 && !line->is_control && line->code_same,
          "%zu", d->count_changes);
    CHECK(line->verdict == VERDICT_UNCLEAR || line->verdict == VERDICT_SAME, "%d", line->verdict);
    difference_free(d);
    d = compare(CODE, 2);
    line = planted_line(d);
    CHECK(line->code_known && !line->code_same && !line->is_control && !d->count_changes, "%zu", d->count_changes);
    difference_free(d);
}

static struct difference *compare_alike(enum plant old, enum plant new, size_t runs)
{
    struct difference *d = difference_open();
    for (size_t i = 0; i < 2 * runs; i++) {
        struct model *m = run_make(i % 2 ? new : old, 1);
        m->run.start_realtime_ns = i + 1; /* in turn */
        difference_add(d, i % 2 ? ARM_NEW : ARM_OLD, m, NULL);
        model_free(m);
    }
    difference_judge(d, NULL);
    return d;
}

/* Hits of all lines vary by 5 %: of 40, one is apart in every fourth comparison of five runs each, by chance alone. */
static void varying_check(void)
{
    size_t told = 0, found = 0;
    for (int i = 0; i < 20; i++) {
        struct difference *d = compare_alike(VARIES, VARIES, 5);
        told += d->count_changes;
        difference_free(d);
        d = compare_alike(VARIES, VARIES_MORE, 5);
        found += planted_line(d)->count[COUNTER_HITS].changed;
        told += d->count_changes - planted_line(d)->count[COUNTER_HITS].changed;
        difference_free(d);
    }
    CHECK(told <= 1, "%zu counts of unchanged lines are told in 40 comparisons", told);
    CHECK(found == 20, "half as many hits more are found in %zu of 20", found);
    /* calls of f3 are steady, 10 and 11, but its line's hits vary: two runs of each do not tell, five do */
    for (size_t runs = 2; runs <= 5; runs += 3) {
        struct difference *d = compare_alike(VARIES, VARIES_TWICE, runs);
        CHECK(d->count_changes == (runs == 5) && (runs == 5 || d->notice_count == 1), "%zu runs: %zu counts", runs,
              d->count_changes);
        difference_free(d);
    }
}

/* Single runs in which a function takes many times as long. */
static void tails_check(enum plant plant, size_t runs)
{
    size_t told = 0;
    for (int i = 0; i < 60; i++) {
        struct difference *d = compare_alike(plant, plant, runs);
        told += d->verdict_count[VERDICT_SLOWER] + d->verdict_count[VERDICT_FASTER] > 0;
        difference_free(d);
    }
    CHECK(told <= 1, "%d: a time is told in %zu of 60", plant, told);
}

/* A machine that is busy for one of the programs makes it wait for a CPU: that is said, and nobody's fault. */
static void crowded_check(void)
{
    for (int turn = 0; turn < 2; turn++) {
        struct difference *d = turn ? compare_alike(CROWDED, CLOCKED, 5) : compare_alike(CLOCKED, CROWDED, 5);
        CHECK(!d->verdict_count[VERDICT_SLOWER] && !d->verdict_count[VERDICT_FASTER], "%zu slower, %zu faster",
              d->verdict_count[VERDICT_SLOWER], d->verdict_count[VERDICT_FASTER]);
        CHECK(d->notice_count == 1 && strstr(d->notice[0], turn ? "the old runs" : "the new runs"), "%zu", d->notice_count);
        difference_free(d);
    }
    struct difference *d = compare_alike(CLOCKED, CLOCKED_MORE, 5);
    CHECK(d->verdict_count[VERDICT_SLOWER] == 1 && !d->verdict_count[VERDICT_FASTER] && !d->notice_count, "%zu slower",
          d->verdict_count[VERDICT_SLOWER]);
    difference_free(d);
}

/* An elapsed time that changed by a second is not put on some milliseconds of the kernel, however these fell. */
static void kernel_check(void)
{
    size_t kernel = 0, told = 0;
    for (int i = 0; i < 20; i++) {
        struct difference *d = compare_alike(CLOCKED, CLOCKED_MORE, 5);
        for (size_t k = 0; k < d->site_count; k++) {
            told += d->site[k].verdict == VERDICT_SLOWER;
            kernel += d->site[k].verdict == VERDICT_SLOWER && d->site[k].cause == CAUSE_KERNEL;
        }
        difference_free(d);
    }
    CHECK(told >= 19 && !kernel, "%zu of %zu are put on the kernel", kernel, told);
}

/* A stage that six others enter. `off`: it is a third longer in one of them. */
static struct model *places_make(double slower, double sigma, bool off)
{
    struct model *m = memory_zeroed(1, sizeof *m);
    m->run = (struct model_run){ .path = "run.profplug", .program = "program", .host = "host", .cpu_model = "cpu",
                                 .wall_ns = 2000000000u, .user_ns = 2000000000u };
    for (uint32_t i = 0; i < 2 * PLACES; i++) {
        bool inner = i >= PLACES;
        struct model_stage *s = ARRAY_PUSH(m->stage, m->stage_count, m->stage_capacity);
        *s = (struct model_stage){ .id = i, .parent = inner ? i - PLACES : MODEL_NONE, .file = "program.c",
                                   .kind = PP_SITE_STAGE, .line = inner ? 99 : i + 1, .times = { .calls = 24 } };
        s->name = inner ? "step" : arena_print(&m->arena, "outer%u", i);
        s->key = inner ? arena_print(&m->arena, "outer%u/step", i - PLACES) : s->name;
        s->metric_known[PP_METRIC_CPU] = true;
        s->metric[PP_METRIC_CPU] = inner ? 20e6 * slower * exp(sigma * normal()) * (off && i == PLACES ? 1.35 : 1)
                                         : 200e6 * exp(0.05 * normal());
    }
    return m;
}

static struct difference *stages_compare(double slower, size_t runs)
{
    struct difference *d = difference_open();
    for (size_t r = 0; r < 2 * runs; r++) {
        struct model *m = places_make(r % 2 ? slower : 1, 0.04, false);
        difference_add(d, r % 2 ? ARM_NEW : ARM_OLD, m, NULL);
        model_free(m);
    }
    difference_judge(d, NULL);
    return d;
}

static const struct difference_site *stages_total(const struct difference *d)
{
    size_t i = 0;
    while (!site_is_total(d->site[i].key))
        i++;
    return &d->site[i];
}

/* 3 % are found in all places together, which are told apart from each, and nothing where nothing changed. */
static void places_check(void)
{
    size_t found = 0, told = 0, totals = 0;
    for (int i = 0; i < 40; i++) {
        struct difference *d = difference_open();
        for (size_t r = 0; r < 20; r++) {
            struct model *m = places_make(i % 2 && r % 2 ? 1.03 : 1, 0.025, r == 7);
            difference_add(d, r % 2 ? ARM_NEW : ARM_OLD, m, NULL);
            model_free(m);
        }
        difference_judge(d, NULL);
        for (size_t k = 0; k < d->site_count; k++) {
            bool slower = d->site[k].verdict == VERDICT_SLOWER;
            totals += site_is_total(d->site[k].key);
            found += i % 2 && slower && site_is_total(d->site[k].key);
            told += i % 2 == 0 && d->site[k].verdict >= VERDICT_FASTER;
        }
        CHECK(d->matched[DIFFERENCE_STAGE] == 2 * PLACES && !d->single_count, "%zu", d->matched[DIFFERENCE_STAGE]);
        difference_free(d);
    }
    CHECK(totals == 40 && found >= 14 && told <= 1, "%zu, %zu of 20 found, %zu told", totals, found, told);
}

/* One run of each: counts stand, and times are not judged, however large the change. */
static void single_check(void)
{
    struct difference *d = compare(COST, 1);
    CHECK(!d->verdict_count[VERDICT_SLOWER] && d->notice_count == 1 && strstr(d->notice[0], "one run"), "%zu",
          d->notice_count);
    CHECK(planted_line(d)->time[CLOCK_CPU].change > 0.1, "%g", planted_line(d)->time[CLOCK_CPU].change);
    difference_free(d);
}

/* What was too small to see is bounded. */
static void bound_check(void)
{
    struct difference *d = compare(NOTHING, RUNS);
    const struct difference_time *t = &planted_line(d)->time[CLOCK_CPU];
    CHECK(t->least > 1.03 && t->runs_needed > RUNS && t->low < 1 && t->high > 1, "%g, %g runs", t->least, t->runs_needed);
    difference_free(d);
}

/* As many runs as a comparison of 10 and 10 asks for find 3 % in 4 of 5: of a stage, and of a function and its line. */
static void runs_needed_check(void)
{
    enum { TRIALS = 100, FIRST = 10 };
    size_t found[2] = { 0, 0 }, asked[2] = { 0, 0 }, tried[2] = { 0, 0 };
    least.times = 1.03;
    for (int i = 0; i < 2 * TRIALS; i++) {
        size_t what = i % 2, needed = 0;
        for (int turn = 0; turn < 2 && (!turn || needed); turn++) {
            struct difference *d = turn ? NULL : what ? compare_alike(NOTHING, NOTHING, FIRST) : stages_compare(1, FIRST);
            if (turn)
                d = what ? compare_alike(NOTHING, COST_LEAST, needed) : stages_compare(1.03, needed);
            const struct difference_site *s = what ? planted_function(d) : stages_total(d);
            needed = (size_t)s->time[CLOCK_CPU].runs_needed;
            asked[what] += turn ? 0 : needed;
            tried[what] += turn ? 0 : needed > 0;
            found[what] += turn && s->verdict == VERDICT_SLOWER;
            difference_free(d);
        }
    }
    for (size_t what = 0; what < 2; what++) {
        CHECK(tried[what] >= TRIALS * 3 / 4, "%zu: more runs do not help %zu of %d", what, TRIALS - tried[what], TRIALS);
        CHECK(fabs((double)found[what] / (double)tried[what] - 0.8) < 0.15, "%zu: %zu of %zu by %zu runs", what,
              found[what], tried[what], asked[what] / tried[what]);
    }
}

/* What runs show "in 19 of 20 cases", on the function where it is hardest. */
static void seen_check(void)
{
    enum { TRIALS = 100 };
    size_t found = 0;
    least.line = 1; /* a tenth of the time and more: the first two */
    for (int i = 0; i < TRIALS; i++) {
        struct difference *d = compare_alike(NOTHING, NOTHING, 5);
        least.times = d->seen_least;
        difference_free(d);
        d = compare_alike(NOTHING, COST_LEAST, 5);
        for (size_t k = 0; k < d->site_count; k++)
            found += d->site[k].kind == DIFFERENCE_FUNCTION && !strcmp(d->site[k].name, "f1") &&
                     d->site[k].verdict == VERDICT_SLOWER;
        difference_free(d);
    }
    least.line = PLANTED;
    CHECK(found >= 88 && found < 100, "%zu of %d", found, TRIALS);
}

/* Whoever mends the hot functions did not compile differently: the others tell how fast the machine was. */
static void recoded_check(void)
{
    struct difference *d = compare(RECODED, RUNS);
    CHECK(d->factor_known && fabs(d->factor - 1.04) < 4 * d->factor_error && d->control_count == LINES - 5, "%g +- %g, %zu",
          d->factor, d->factor_error, d->control_count);
    CHECK(d->notice_count == 1 && strstr(d->notice[0], "most CPU time is in functions whose code changed"), "%s", d->notice[0]);
    difference_free(d);
    d = compare(REBUILT, RUNS);
    CHECK(!d->factor_known && d->notice_count == 1 && strstr(d->notice[0], "30 of 40 functions") &&
              strstr(d->notice[0], "compiled differently"), "%s", d->notice[0]);
    difference_free(d);
}

int main(void)
{
    silence_check();
    planted_check(COST, CAUSE_COST, CLOCK_CPU, 1.2);
    planted_check(KERNEL, CAUSE_KERNEL, CLOCK_CPU, 1.2);
    planted_check(WAIT, CAUSE_WAIT, CLOCK_WAIT, 1.5);
    planted_check(HITS, CAUSE_HITS, CLOCK_CPU, 1.2);
    counts_check();
    varying_check();
    tails_check(BUSY, 10);
    crowded_check();
    kernel_check();
    places_check();
    single_check();
    bound_check();
    tails_check(SERVED, 5);
    runs_needed_check();
    seen_check();
    recoded_check();
    return wrong != 0;
}
