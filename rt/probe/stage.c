/* SPDX-License-Identifier: MIT */
/* stage.c: what is recorded of each stage: times, histogram, slowest activations, and the metrics that changed while it
 * ran. It must not know how a metric is read (PP_SOURCES lists who does) nor where frames are stored. */
#define _GNU_SOURCE
#include "probe/stage.h"
#include "file/datafile.h"
#include "memory/growth.h"
#include "probe/frame.h"
#include "probe/number.h"
#include "system/clock.h"
#include "system/state.h"
#include "thread/thread.h"
#include "thread/timeline.h"
#include <errno.h>
#include <string.h>

#define STAGES_LIMIT 1024u /* records in a thread: 22 MB */
#define READ_MOST_NS 100000u /* of numbers at the start; what seems to take longer was preempted */
#define RARELY 2047u       /* the most that PP_FRAME_EVERY can hold */

static const struct pp_metric_source *const sources[] = {
#define PP_SOURCE(name) &pp_source_##name,
    PP_SOURCES(PP_SOURCE)
#undef PP_SOURCE
};
#define SOURCE_COUNT (sizeof sources / sizeof *sources)

/* Sets of metrics, one bit each: those that are exact, */
static const uint32_t exact_metrics = 0
#define PP_METRIC(id, name, unit, kind, fold, exact, meaning) | (uint32_t)(exact) << PP_METRIC_##id
#include <profplug/abi/metric.def>
    ;

/* and those that do not fold as an unsigned difference: the highest value (HIGH), the values at both boundaries
 * (LEVEL), and a difference that may be negative (NET). */
enum { FOLD_DELTA, FOLD_HIGH, FOLD_NET, FOLD_LEVEL };
static const uint32_t high_metrics = 0
#define PP_METRIC(id, name, unit, kind, fold, exact, meaning) | (uint32_t)(FOLD_##fold == FOLD_HIGH) << PP_METRIC_##id
#include <profplug/abi/metric.def>
    ;
static const uint32_t level_metrics = 0
#define PP_METRIC(id, name, unit, kind, fold, exact, meaning) | (uint32_t)(FOLD_##fold == FOLD_LEVEL) << PP_METRIC_##id
#include <profplug/abi/metric.def>
    ;
static const uint32_t net_metrics = 0
#define PP_METRIC(id, name, unit, kind, fold, exact, meaning) | (uint32_t)(FOLD_##fold == FOLD_NET) << PP_METRIC_##id
#include <profplug/abi/metric.def>
    ;

void pp_sources_start(void)
{
    for (size_t i = 0; i < SOURCE_COUNT; i++)
        if (sources[i]->start && pp_on(sources[i]->collector))
            sources[i]->start();
}

void pp_sources_death(struct pp_thread *thread)
{
    for (size_t i = 0; i < SOURCE_COUNT; i++)
        if (sources[i]->death && pp_on(sources[i]->collector))
            sources[i]->death(thread);
}

void pp_sources_fork_child(struct pp_thread *thread)
{
    for (size_t i = 0; i < SOURCE_COUNT; i++)
        if (sources[i]->fork_child && pp_on(sources[i]->collector))
            sources[i]->fork_child(thread);
}

static void source_read(size_t i, struct pp_thread *thread, uint64_t *values, bool inexact)
{
    if (sources[i]->read && pp_on(sources[i]->collector) &&
        ((inexact && !pp_forbids(PP_FORBIDDEN_METRICS)) || sources[i]->metrics & exact_metrics))
        sources[i]->read(thread, values);
}

/* A closing stage reads in the opposite order, so that the cost of reading lies outside the interval of the last
 * source, which is the CPU clock. */
static void metrics_read(struct pp_thread *thread, uint64_t *values, bool inexact, bool closing)
{
    for (size_t i = 0; i < SOURCE_COUNT; i++)
        source_read(closing ? SOURCE_COUNT - 1 - i : i, thread, values, inexact);
}

static void borders_tell(struct pp_thread *thread, struct pp_frame *frame, uint64_t *values, bool closes)
{
    for (size_t i = 0; i < SOURCE_COUNT; i++)
        if (sources[i]->border)
            sources[i]->border(thread, frame, values, closes);
}

/* Reads the metrics that fold LEVEL: before everything else when the stage opens, and after everything else when it
 * closes, because this may take long. */
static void levels_look(struct pp_thread *thread, struct pp_stage *stage, uint64_t at_ns, bool closes)
{
    uint64_t values[PP_METRIC_COUNT], when = at_ns - pp_run.header->start_ns + 1;
    if (!closes && stage->level_ns[0])
        return;
    for (size_t i = 0; i < SOURCE_COUNT; i++) {
        if (!sources[i]->level || !pp_on(sources[i]->collector) || !sources[i]->level(thread, values))
            continue;
        for (uint32_t k = 0; k < PP_METRIC_COUNT; k++)
            if (level_metrics >> k & sources[i]->metrics >> k & 1)
                (closes ? stage->metric : stage->entered)[k] = values[k];
        stage->level_ns[closes] = when;
    }
}

/* CPU time that an empty stage would show: the part of the reading cost that falls into its own interval. */
static _Atomic uint64_t cpu_bias_ns;

static void bias_measure(struct pp_thread *thread)
{
    uint64_t least = UINT64_MAX, shortest_ns = UINT64_MAX;
    enum { TRIES = 4 };
    for (int i = 0; i < TRIES; i++) {
        uint64_t before[PP_METRIC_COUNT] = { 0 }, after[PP_METRIC_COUNT] = { 0 };
        uint64_t start = pp_clock_ns();
        metrics_read(thread, before, true, false);
        metrics_read(thread, after, true, true);
        uint64_t took_ns = pp_clock_ns() - start; /* the first reading opens files, and another may be preempted */
        shortest_ns = took_ns < shortest_ns ? took_ns : shortest_ns;
        pp_private(thread)->self_ns += took_ns < READ_MOST_NS ? took_ns : READ_MOST_NS;
        uint64_t cost = after[PP_METRIC_CPU] - before[PP_METRIC_CPU];
        if (cost < least)
            least = cost;
    }
    cpu_bias_ns = least;
    pp_costs.read_ns = shortest_ns + 1;
}

void pp_sources_birth(struct pp_thread *thread)
{
    for (size_t i = 0; i < SOURCE_COUNT; i++)
        if (sources[i]->birth && pp_on(sources[i]->collector))
            sources[i]->birth(thread);
}

/* ---- records ---- */

uint32_t pp_bucket(uint64_t value)
{
    if (value < 1u << PP_SUB_BITS)
        return (uint32_t)value;
    unsigned e = 63u - (unsigned)__builtin_clzll(value);
    uint64_t b = (uint64_t)(e - PP_SUB_BITS) * (1u << PP_SUB_BITS) + (value >> (e - PP_SUB_BITS));
    return b < PP_BUCKETS ? (uint32_t)b : PP_BUCKETS - 1;
}

static bool stages_add(struct pp_thread *thread, uint32_t wanted)
{
    struct pp_private *p = pp_private(thread);
    struct pp_extent extent;
    if (!pp_extent_claim(&extent, sizeof(struct pp_stages) + (uint64_t)wanted * sizeof(struct pp_stage)))
        return false;
    struct pp_stages *c = extent.address;
    c->first = p->stage_count;
    c->capacity = (uint32_t)((extent.size - sizeof *c) / sizeof(struct pp_stage));
    pp_extent_publish(&extent, PP_EXTENT_STAGES, thread->id);
    if (p->stages_last)
        atomic_store_explicit((_Atomic uint64_t *)&p->stages_last->next, (uint64_t)(uintptr_t)c,
                              memory_order_release); /* partner: pp_stages_next */
    else
        p->stages = c;
    p->stages_last = c;
    return true;
}

static struct pp_stage *stage_make(struct pp_thread *thread, uint32_t key, uint32_t kind, uint32_t parent)
{
    struct pp_private *p = pp_private(thread);
    struct pp_stages *c = p->stages_last;
    if (p->stage_count >= STAGES_LIMIT ||
        (c->used == c->capacity && !stages_add(thread, c->capacity < 16 ? c->capacity + 1 : 16))) {
        pp_loss(PP_LOSS_NODES, 1);
        return NULL;
    }
    c = p->stages_last;
    struct pp_stage *s = (struct pp_stage *)(c + 1) + c->used;
    s->key = key;
    s->kind = kind;
    s->parent = parent;
    s->number = p->stage_count++;
    s->min_ns = UINT64_MAX;
    s->trips_min = UINT64_MAX;
    atomic_store_explicit((_Atomic uint32_t *)&c->used, c->used + 1,
                          memory_order_release); /* partner: stages_take in report/read/extent.c */
    return s;
}

bool pp_stage_make_first(struct pp_thread *thread)
{
    return stages_add(thread, 1) && stage_make(thread, 0, PP_SITE_FUNCTION, 0);
}

void pp_stage_adopt(struct pp_thread *thread, struct pp_stages *chunk)
{
    struct pp_private *p = pp_private(thread);
    memset(chunk + 1, 0, chunk->capacity * sizeof(struct pp_stage));
    chunk->used = 0;
    chunk->next = 0;
    p->stages = p->stages_last = chunk;
    p->stage_count = 0;
    stage_make(thread, 0, PP_SITE_FUNCTION, 0);
}

struct pp_stage *pp_stage_get(struct pp_thread *thread, uint32_t key, uint32_t kind, uint32_t parent)
{
    for (struct pp_stages *c = pp_private(thread)->stages; c; c = (struct pp_stages *)(uintptr_t)c->next)
        for (uint32_t i = 0; i < c->used; i++) {
            struct pp_stage *s = (struct pp_stage *)(c + 1) + i;
            if (s->key == key && s->parent == parent && s->kind == kind && s->number)
                return s;
        }
    return stage_make(thread, key, kind, parent);
}

/* How much heap lives at the end of an activation. The sums of many threads would take too long. */
#define SUMMED_THREADS 32u
static void timeline_put(const struct pp_stage *s, uint64_t wall_ns, uint64_t index, uint64_t start_ns)
{
    uint64_t live_bytes = UINT64_MAX;
    struct pp_thread *thread = pp_thread_self();
    if (s->kind != PP_SITE_ITERATION && pp_thread_count() <= SUMMED_THREADS && !pp_growth_live(&live_bytes))
        live_bytes = UINT64_MAX;
    if (thread)
        pp_timeline_add(thread, PP_TIMELINE_STAGES,
                        (struct pp_event){ .start_ns = start_ns,
                                           .wall_ns = wall_ns,
                                           .value = index,
                                           .live_bytes = live_bytes + 1,
                                           .stage = s->number },
                        1);
}

static __attribute__((noinline)) void slowest_put(struct pp_stage *s, uint64_t wall_ns, uint64_t index,
                                                  uint64_t start_ns)
{
    bool all = pp_on(PP_COLLECTOR_TIMELINE);
    if (all)
        timeline_put(s, wall_ns, index, start_ns);
    struct pp_slow *least = &s->slowest[0];
    for (uint32_t i = 1; i < PP_SLOWEST; i++)
        if (s->slowest[i].wall_ns < least->wall_ns)
            least = &s->slowest[i];
    if (wall_ns > least->wall_ns)
        *least = (struct pp_slow){ index, wall_ns, start_ns - pp_run.header->start_ns, 0 };
    uint64_t bar = UINT64_MAX;
    for (uint32_t i = 0; i < PP_SLOWEST; i++)
        if (s->slowest[i].wall_ns < bar)
            bar = s->slowest[i].wall_ns;
    s->slowest_least_ns = all ? 0 : bar; /* so that each one comes here */
}

void pp_stage_time(struct pp_stage *s, uint64_t wall_ns, uint64_t index, uint64_t start_ns)
{
    uint64_t *bar = &s->histogram[pp_bucket(wall_ns)];
    s->timed_calls++;
    ++*bar;
    s->timed_ns += wall_ns;
    pp_squares_add(s->squares_ns2, wall_ns);
    if (wall_ns < s->min_ns)
        s->min_ns = wall_ns;
    if (wall_ns > s->max_ns)
        s->max_ns = wall_ns;
    if (wall_ns > s->slowest_least_ns || !s->slowest_least_ns)
        slowest_put(s, wall_ns, index, start_ns);
}

uint64_t pp_stage_mean(const struct pp_stage *s)
{
    return s->timed_ns > s->timed_calls ? s->timed_ns / s->timed_calls : 1;
}

/* ---- activations ---- */

void pp_stage_open(struct pp_thread *thread, struct pp_frame *frame, struct pp_stage *stage)
{
    struct pp_private *p = pp_private(thread);
    bool inexact = stage->calls <= PP_SAMPLED_FIRST; /* later ones: as often as the stage's mean duration allows */
    uint64_t every = 1;
    if (!inexact) {
        uint64_t mean = pp_stage_mean(stage), least = pp_budget_ns(pp_costs.read_ns);
        every = mean >= least ? 1 : least / mean + 1;
        if (every > RARELY)
            every = RARELY;
        inexact = every == 1 || pp_random(p) % every == 0;
        if (!inexact)
            pp_give_up_often(p, PP_GIVEN_METRICS, 1);
    }
    int saved_errno = errno;
    if (PP_UNLIKELY(!pp_costs.read_ns)) /* the first stage of the process: one without stages needs no measurement */
        bias_measure(thread);
    if (inexact && !pp_forbids(PP_FORBIDDEN_METRICS))
        levels_look(thread, stage, pp_clock_ns(), false);
    metrics_read(thread, frame->metric, inexact, false);
    borders_tell(thread, frame, frame->metric, false);
    errno = saved_errno;
    if (inexact && !pp_forbids(PP_FORBIDDEN_METRICS)) {
        frame->flags = (frame->flags & ~PP_FRAME_EVERY) | PP_FRAME_SAMPLED | (uint32_t)every << PP_FRAME_EVERY_SHIFT;
        p->self_ns += pp_costs.read_ns;
    }
}

void pp_stage_close(struct pp_thread *thread, struct pp_frame *frame, struct pp_stage *stage, uint64_t start_ns,
                    uint64_t wall_ns)
{
    bool outermost = stage->active == 0; /* the caller does not count this activation any more */
    uint64_t high[PP_METRIC_COUNT] = { 0 };
    borders_tell(thread, frame, high, true);
    stage->self_ns += wall_ns > frame->stage_child_ns ? wall_ns - frame->stage_child_ns : 0;
    if (outermost) {
        stage->wall_ns += wall_ns;
        stage->outer_calls++;
        uint64_t now[PP_METRIC_COUNT];
        memcpy(now, frame->metric, sizeof now); /* so that metrics without a source do not change */
        int saved_errno = errno;
        bool inexact = frame->flags & PP_FRAME_SAMPLED && !pp_forbids(PP_FORBIDDEN_METRICS);
        uint64_t every = (frame->flags & PP_FRAME_EVERY) >> PP_FRAME_EVERY_SHIFT;
        metrics_read(thread, now, inexact, true);
        errno = saved_errno;
        for (uint32_t i = 0; i < PP_METRIC_COUNT; i++) {
            uint64_t change = now[i] > frame->metric[i] || net_metrics >> i & 1 ? now[i] - frame->metric[i] : 0;
            if (high_metrics >> i & 1)
                stage->metric[i] = high[i] > stage->metric[i] ? high[i] : stage->metric[i];
            else if (exact_metrics >> i & 1 && !(level_metrics >> i & 1))
                stage->metric[i] += change;
            else if (inexact && i != PP_METRIC_CPU && !(level_metrics >> i & 1))
                stage->metric[i] += change * every;
        }
        if (inexact || pp_growth_due(&stage->growth, frame->index))
            pp_growth_note(&stage->growth, frame->index);
        if (inexact) { /* a thread has at most as much CPU time as time went by */
            uint64_t cpu = now[PP_METRIC_CPU] - frame->metric[PP_METRIC_CPU],
                     right = cpu > cpu_bias_ns ? cpu - cpu_bias_ns : 0;
            stage->metric[PP_METRIC_CPU] += (right < wall_ns ? right : wall_ns) * every;
            stage->sampled_calls++;
            stage->sampled_wall_ns += wall_ns;
            stage->sampled_for += every;
            levels_look(thread, stage, start_ns + wall_ns, true);
        }
    }
    pp_stage_time(stage, wall_ns, frame->index, start_ns);
    pp_windows_add(&stage->windows[PP_WINDOW_CALLS], start_ns + wall_ns - pp_run.header->start_ns, 1);
}
