/* SPDX-License-Identifier: MIT */
/* model.c: the nouns' own arithmetic and names. See model.h. */
#include "model/model.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double value_error_percent(struct value value)
{
    return value.ns != 0 && value.variance > 0 ? 100 * sqrt(value.variance) / fabs(value.ns) : 0;
}

/* Where JSON's six digits say 100, it is not above 100. */
bool value_is_vague(struct value value) { return value_error_percent(value) > 100.0005; }

void model_free(struct model *model)
{
    if (!model)
        return;
    for (size_t i = 0; i < model->stage_count; i++) {
        free(model->stage[i].times.histogram);
        free(model->stage[i].iteration.histogram);
        free(model->stage[i].tally);
    }
    free(model->module);
    free(model->function);
    free(model->line);
    free(model->inner);
    free(model->callee);
    free(model->entry);
    free(model->stage);
    free(model->node);
    free(model->path);
    free(model->stall);
    free(model->frame);
    free(model->stack);
    free(model->unfinished);
    free(model->point);
    free(model->allocation);
    free(model->operation);
    free(model->hold);
    for (size_t i = 0; i < model->target_count; i++)
        free(model->target[i].answers[0]), free(model->target[i].answers[1]);
    free(model->target);
    free(model->mapping);
    free(model->volume);
    free(model->thread);
    free(model->group);
    free(model->sample);
    free(model->number);
    free(model->snapshot);
    free(model->outside);
    free(model->timeline.span);
    free(model->timeline.reading);
    free(model->finding);
    free(model->advice);
    free(model->remark);
    free(model->notice);
    free(model->part);
    free(model->spread);
    arena_free(&model->arena);
    free(model);
}

void model_notice(struct model *model, const char *format, ...)
{
    char text[1024];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    *ARRAY_PUSH(model->notice, model->notice_count, model->notice_capacity) = arena_copy(&model->arena, text);
}

void model_doubt(struct model *model, enum model_doubt weight, const char *format, ...)
{
    char text[1024];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    model->doubt_count++;
    if (weight <= model->doubt_weight)
        return;
    model->doubt_weight = weight;
    model->doubt = arena_copy(&model->arena, text);
}

uint64_t number_whole(double number)
{
    return !(number > 0) ? 0 : number >= 18446744073709551615.0 ? UINT64_MAX : (uint64_t)number;
}

/* ---- times ---- */

static double bucket_middle(uint32_t b)
{
    if (b < 1u << PP_SUB_BITS)
        return b;
    uint32_t shift = (b >> PP_SUB_BITS) - 1;
    double low = ldexp((b & ((1u << PP_SUB_BITS) - 1)) + (1u << PP_SUB_BITS), (int)shift);
    return low + (ldexp(1, (int)shift) - 1) / 2;
}

double times_percentile(const struct model_times *times, double fraction)
{
    if (!times->histogram || !times->timed_calls)
        return 0;
    uint64_t total = 0;
    for (uint32_t b = 0; b < PP_BUCKETS; b++)
        total += times->histogram[b];
    if (!total)
        return 0;
    /* nearest rank: the smallest value with at least that fraction of all at or below it */
    uint64_t rank = number_whole(ceil(fraction * (double)total)), seen = 0;
    rank = rank ? rank : 1;
    for (uint32_t b = 0; b < PP_BUCKETS; b++) {
        seen += times->histogram[b];
        if (seen >= rank) {
            double v = bucket_middle(b);
            v = times->max_ns && v > (double)times->max_ns ? (double)times->max_ns : v;
            return v < (double)times->min_ns ? (double)times->min_ns : v;
        }
    }
    return (double)times->max_ns;
}

double times_typical(const struct model_times *times)
{
    double total = 0, before = 0, sum = 0, kept = 0;
    for (uint32_t b = 0; times->histogram && b < PP_BUCKETS; b++)
        total += (double)times->histogram[b];
    for (uint32_t b = 0; times->histogram && b < PP_BUCKETS && before < 0.75 * total; b++) {
        double here = (double)times->histogram[b],
               within = fmin(before + here, 0.75 * total) - fmax(before, 0.25 * total);
        before += here;
        if (within > 0) {
            sum += within * bucket_middle(b);
            kept += within;
        }
    }
    return kept > 0 ? sum / kept : 0;
}

double times_beyond(const struct model_times *times, double limit_ns, double *count)
{
    double sum = 0;
    *count = 0;
    for (uint32_t b = 0; times->histogram && b < PP_BUCKETS; b++)
        if (times->histogram[b] && bucket_middle(b) > limit_ns) {
            *count += (double)times->histogram[b];
            sum += (double)times->histogram[b] * bucket_middle(b);
        }
    return sum;
}

double times_deviation_ns(const struct model_times *times)
{
    return times->timed_calls > 1 && times->m2_ns2 > 0 ? sqrt(times->m2_ns2 / (double)times->timed_calls) : 0;
}

static int slow_order(const void *a, const void *b)
{
    const struct model_slow *x = a, *y = b;
    if (x->wall_ns != y->wall_ns)
        return x->wall_ns < y->wall_ns ? 1 : -1;
    return x->index < y->index ? -1 : x->index > y->index;
}

void times_add(struct model_times *to, const struct model_times *more)
{
    if (more->timed_calls) {
        /* Chan, Golub, LeVeque 1979: mean and sum of squares of two samples together */
        double a = (double)to->timed_calls, b = (double)more->timed_calls, delta = more->mean_ns - to->mean_ns;
        to->m2_ns2 += more->m2_ns2 + delta * delta * a * b / (a + b);
        to->mean_ns += delta * b / (a + b);
        if (!to->timed_calls || more->min_ns < to->min_ns)
            to->min_ns = more->min_ns;
        if (more->max_ns > to->max_ns)
            to->max_ns = more->max_ns;
    }
    to->calls += more->calls;
    to->timed_calls += more->timed_calls;
    to->outer_calls += more->outer_calls;
    to->wall_ns += more->wall_ns;
    to->self_ns += more->self_ns;
    to->open += more->open;
    if (more->histogram) {
        if (!to->histogram)
            to->histogram = memory_zeroed(PP_BUCKETS, sizeof *to->histogram);
        for (uint32_t b = 0; b < PP_BUCKETS; b++)
            to->histogram[b] += more->histogram[b];
    }
    for (unsigned i = 0; i < PP_WINDOW_KIND_COUNT; i++)
        windows_add(&to->windows[i], &more->windows[i]);
    struct model_slow all[2 * PP_SLOWEST];
    uint32_t count = to->slowest_count + more->slowest_count;
    memcpy(all, to->slowest, to->slowest_count * sizeof *all);
    memcpy(all + to->slowest_count, more->slowest, more->slowest_count * sizeof *all);
    qsort(all, count, sizeof *all, slow_order);
    to->slowest_count = count < PP_SLOWEST ? count : PP_SLOWEST;
    memcpy(to->slowest, all, to->slowest_count * sizeof *all);
}

/* ---- stages ---- */

bool run_is_cut(const struct model_run *run)
{
    return run->exit_kind != MODEL_EXIT_EXIT && run->exit_kind != MODEL_EXIT_EXEC &&
           !(run->exit_kind == MODEL_EXIT_UNKNOWN && run->sealed);
}

bool run_cpu_is_least(const struct model_run *run)
{
    return run_is_cut(run) && run->exit_kind != MODEL_EXIT_RUNNING && !run->cpu_closed;
}

bool run_peak_is_least(const struct model_run *run)
{
    return run_is_cut(run) && run->exit_kind != MODEL_EXIT_RUNNING;
}

#define SHORT_NS 20000000u
bool run_is_short(const struct model_run *run) { return run->user_ns + run->system_ns < SHORT_NS; }

double run_overhead_percent(const struct model_run *run, double cost_ns)
{
    double all = (double)(run->before_ns + run->user_ns + run->system_ns);
    return 100 * cost_ns / fmax(all - cost_ns, fmax(all / 100, 1));
}

#define SAMPLED_NS 20000000u /* CPU time of some 20 samples, or of 5 at the kernel's tick */
bool run_is_unsampled(const struct model *model)
{
    return !model->coverage.samples && model->run.user_ns + model->run.system_ns >= SAMPLED_NS;
}

double coverage_cpu_ns(const struct model *model)
{
    const struct model_coverage *c = &model->coverage;
    return c->sampled_ns + c->not_sampled_ns + c->kernel_ns;
}

uint64_t coverage_line_samples(const struct model *model)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < model->line_count; i++)
        sum += model->line[i].samples;
    return sum;
}

double coverage_line_kernel_ns(const struct model *model)
{
    double sum = 0;
    for (size_t i = 0; i < model->line_count; i++)
        sum += model->line[i].system_ns;
    return fmin(sum, model->coverage.placed_ns);
}

void coverage_parts(const struct model *model, struct coverage_part part[COVERAGE_PARTS])
{
    const struct model_coverage *c = &model->coverage;
    double each = c->samples ? c->sampled_ns / (double)c->samples : 0, kernel = coverage_line_kernel_ns(model);
    const struct coverage_part all[COVERAGE_PARTS] = {
        { "on source lines", each * fmax(0, (double)c->known_line - (double)c->stray) },
        { "on lines without hits (booked to their functions)", each * (double)c->stray },
        { "in libraries (shown at the lines that called them)", each * (double)c->called[0] },
        { "in code without lines (shown at the lines that called it)", each * (double)(c->called[1] + c->called[2]) },
        { "in libraries that no known line called", each * (double)(c->library - c->called[0]) },
        { "in known functions without a line", each * (double)(c->unknown_line - c->called[1]) },
        { "without debug information", each * (double)(c->no_debug - c->called[2]) },
        { "outside every module", each * (double)c->outside },
        { "in the profiler's runtime", each * (double)c->profiler },
        { "in the kernel, at the lines that called it", kernel },
        { "in the kernel, in functions without a line", c->placed_ns - kernel },
        { "for the profiler, by its own clocks", c->toll_ns },
        { "in the kernel, on no line", c->kernel_ns - c->placed_ns - c->toll_ns },
        { "not sampled", c->not_sampled_ns },
    };
    memcpy(part, all, sizeof all);
}

double coverage_known_share(const struct model *model)
{
    double whole = coverage_cpu_ns(model), known = 0;
    for (size_t i = 0; i < model->line_count; i++)
        known += model->line[i].self.ns;
    return whole <= 0 ? 0 : known < whole ? known / whole : 1;
}

uint64_t run_samples_taken(const struct model *model)
{
    uint64_t due = model->coverage.samples, taken = model->run.sample_signals;
    return taken < due ? taken : due;
}

bool run_lost_samples(const struct model *model)
{
    return model->run.losses[PP_LOSS_SAMPLES] || model->run.losses[PP_LOSS_DISK] || model->run.losses[PP_LOSS_MEMORY];
}

const char *part_noun(const struct model *model)
{
    return model->narrowed ? "this stage" : model->narrowed_to ? "this thread" : "the run";
}

bool node_timed(const struct model_node *node)
{
    return node->calls && node->timed_calls + node->active >= node->calls;
}

/* Of all runs, with those that longjmp left, but within what runs that ended had. */
double loop_trips_mean(const struct model_stage *loop)
{
    double mean = (double)loop->iteration.calls / fmax(1, (double)loop->loop_runs);
    return fmin(fmax(mean, (double)loop->trips_min), (double)loop->trips_max);
}

uint64_t loop_left_runs(const struct model_stage *loop)
{
    return loop->times.calls > loop->loop_runs ? loop->times.calls - loop->loop_runs : 0;
}

double stage_cpu_ns(const struct model_stage *stage)
{
    return stage->metric_known[PP_METRIC_CPU] ? stage->metric[PP_METRIC_CPU] : -1;
}

double stage_off_cpu_ns(const struct model_stage *stage)
{
    double cpu = stage_cpu_ns(stage) - stage->shared_ns; /* of those that entered it */
    if (cpu < 0)
        return -1;
    return (double)stage->times.wall_ns > cpu ? (double)stage->times.wall_ns - cpu : 0;
}

double run_threads_ns(const struct model *model)
{
    double threads = 0;
    for (size_t i = 0; i < model->thread_count; i++)
        threads += (double)model->thread[i].wall_ns;
    return fmax(threads, (double)model->run.wall_ns);
}

double stage_share(const struct model *model, const struct model_stage *stage)
{
    double threads = run_threads_ns(model);
    return threads > 0 ? fmin(1, (double)stage->times.wall_ns / threads) : 0;
}

bool stage_is_within(const struct model *model, uint32_t stage)
{
    return !model->narrowed || (stage != MODEL_NONE && model->narrowed[stage]);
}

bool stage_encloses(const struct model *model, uint32_t outer, uint32_t inner)
{
    while (inner != MODEL_NONE && inner != outer)
        inner = model->stage[inner].parent;
    return inner == outer && outer != MODEL_NONE;
}

/* ---- hottest ---- */

struct tally {
    uint64_t *function, *line;
};

static struct tally tally_start(const struct model *model)
{
    return (struct tally){ memory_zeroed(model->function_count, sizeof(uint64_t)),
                           memory_zeroed(model->line_count, sizeof(uint64_t)) };
}

static void tally_sample(struct tally *tally, struct model_hottest *hot, const struct model_sample *s)
{
    hot->samples += s->count;
    if (s->function != MODEL_NONE)
        tally->function[s->function] += s->count;
    if (s->line != MODEL_NONE)
        tally->line[s->line] += s->count;
}

static void tally_end(const struct model *model, struct tally *tally, struct model_hottest *hot)
{
    for (uint32_t i = 0; i < model->function_count; i++)
        if (tally->function[i] > hot->function_samples) {
            hot->function = i;
            hot->function_samples = tally->function[i];
        }
    for (uint32_t i = 0; i < model->line_count; i++)
        if (tally->line[i] > hot->line_samples) {
            hot->line = i;
            hot->line_samples = tally->line[i];
        }
    free(tally->function);
    free(tally->line);
}

struct model_hottest stage_hottest(const struct model *model, uint32_t stage)
{
    struct model_hottest hot = { MODEL_NONE, MODEL_NONE, 0, 0, 0 };
    struct tally tally = tally_start(model);
    for (size_t i = 0; i < model->sample_count; i++)
        if (stage_encloses(model, stage, model->node[model->sample[i].node].stage))
            tally_sample(&tally, &hot, &model->sample[i]);
    tally_end(model, &tally, &hot);
    return hot;
}

struct model_hottest function_hottest(const struct model *model, uint32_t function)
{
    struct model_hottest hot = { MODEL_NONE, MODEL_NONE, 0, 0, 0 };
    struct tally tally = tally_start(model);
    for (size_t i = 0; i < model->sample_count; i++)
        if (model->sample[i].function == function)
            tally_sample(&tally, &hot, &model->sample[i]);
    tally_end(model, &tally, &hot);
    return hot;
}

/* ---- the allocator, metrics, paths ---- */

double run_fragmentation(const struct model_run *run)
{
    uint64_t between = run->arena_free_bytes > run->arena_top_bytes ? run->arena_free_bytes - run->arena_top_bytes : 0;
    return run->arena_bytes ? (double)between / (double)run->arena_bytes : 0;
}

double stage_fragmentation(const struct model_stage *stage, bool entry)
{
    const double *value = entry ? stage->entered : stage->metric;
    if (!stage->level_ns[!entry])
        return -1;
    return value[PP_METRIC_ARENA_BYTES] > 0 ? value[PP_METRIC_ARENA_GAP_BYTES] / value[PP_METRIC_ARENA_BYTES] : 0;
}

enum { DELTA, HIGH, NET, LEVEL };
static const int metric_fold[] = {
#define PP_METRIC(id, name, unit, kind, fold, exact, meaning) fold,
#include <profplug/abi/metric.def>
};
bool metric_is_signed(unsigned metric) { return metric_fold[metric] == NET; }
bool metric_is_level(unsigned metric) { return metric_fold[metric] == LEVEL; }
bool metric_is_sum(unsigned metric) { return metric_fold[metric] == DELTA || metric_fold[metric] == NET; }

bool path_is_system(const char *path)
{
    const char *compiler = strstr(path, "/lib/gcc/");
    return strncmp(path, "/usr/include/", 13) == 0 || strstr(path, "/include/c++/") ||
           (compiler && strstr(compiler, "/include"));
}

bool path_is_compiled(const char *path)
{
    static const char *const assembler[] = { ".s", ".S", ".asm", ".nasm", ".dasc" };
    const char *end = strrchr(path, '.');
    for (size_t i = 0; end && i < sizeof assembler / sizeof *assembler; i++)
        if (strcmp(end, assembler[i]) == 0)
            return false;
    return path[0] && !path_is_system(path);
}

#define TOUCH_MEAN (128.0 * 1048576) /* the runtime looks at one window of so many bytes (rt/memory/touch.c) */
#define TOUCH_FIRST 32               /* and at all of a line's first blocks */
#define TOUCH_OFTEN_BITS 38          /* from so many bytes on at one block in TOUCH_STEP */
#define TOUCH_STEP 64

double touched_error(const struct model_blocks *b)
{
    double mean = b->alloc_bytes >> TOUCH_OFTEN_BITS ? TOUCH_STEP * TOUCH_MEAN : TOUCH_MEAN;
    return b->alloc_blocks <= TOUCH_FIRST ? 0 : sqrt(mean * (double)b->touched_bytes);
}

double touched_faults(const struct model *model, double touched_bytes)
{
    double pages = 0;
    for (size_t i = 0; i < model->allocation_count; i++)
        pages += (double)model->allocation[i].blocks.touched_bytes / PP_PAGE;
    for (size_t i = 0; i < model->mapping_count; i++)
        pages += (double)model->mapping[i].blocks.touched_bytes / PP_PAGE;
    double huge = pages > model->faults ? model->faults / pages : 1;
    return touched_bytes / PP_PAGE * huge;
}

struct blocks_errors blocks_errors(const struct model_blocks *b)
{
    /* A handler or another thread may be between two additions: then the difference is not below 0 either. */
    double live_blocks = fmax((double)(int64_t)(b->alloc_blocks_variance - b->free_blocks_variance), 0),
           live_bytes = fmax((double)(int64_t)(b->alloc_bytes_variance - b->free_bytes_variance), 0);
    double of_block = b->alloc_blocks ? (double)b->alloc_blocks_variance / (double)b->alloc_blocks : 0,
           of_byte = b->alloc_bytes ? 1024.0 * (double)b->alloc_bytes_variance / (double)b->alloc_bytes : 0;
    return (struct blocks_errors){ .alloc_blocks = sqrt((double)b->alloc_blocks_variance),
                                   .alloc_bytes = sqrt(1024.0 * (double)b->alloc_bytes_variance),
                                   .free_blocks = sqrt((double)b->free_blocks_variance),
                                   .free_bytes = sqrt(1024.0 * (double)b->free_bytes_variance),
                                   .live_blocks = sqrt(live_blocks),
                                   .live_bytes = sqrt(1024.0 * live_bytes),
                                   .temporary_blocks = sqrt(of_block * (double)b->temporary_blocks),
                                   .peak_blocks = sqrt(of_block * fmax((double)(int64_t)b->peak_blocks, 0)),
                                   .peak_bytes = sqrt(of_byte * fmax((double)(int64_t)b->peak_bytes, 0)) };
}
