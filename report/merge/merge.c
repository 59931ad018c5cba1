/* SPDX-License-Identifier: MIT */
/* merge.c: adds thread blocks up into one model. See merge.h. */
#include "merge/merge.h"
#include "merge/paths.h"
#include "merge/stalls.h"
#include "merge/unfinished.h"
#include "read/threads.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct merging {
    const struct profile *profile;
    struct model *model;
    struct names *names;
    struct map by_key;      /* site key -> function */
    struct map site_of_key; /* site key -> index of the profile's site */
    struct map nodes, stages, paths;
    uint64_t now_ns; /* open activations count as if they ended at this time */
};

static uint64_t above(uint64_t a, uint64_t b) { return a > b ? a - b : 0; }

/* ---- functions ---- */

enum collector {
#define PP_COLLECTOR(id, key, level, available, help) COLLECTOR_##id,
#include <profplug/abi/options.def>
};

/* Whether the counters are those of functions. Otherwise they may be those of lines. */
static bool has_counts(const struct merging *m) { return m->profile->header.collectors >> COLLECTOR_CALLTREE & 1; }

static void function_from_site(struct merging *m, uint32_t index)
{
    const struct profile_site *s = &m->profile->site[index];
    const char *file = path_whole(&m->model->arena, s->directory, s->file);
    const char *symbol = s->symbol[0] ? s->symbol : s->name;
    bool is_function = s->kind == PP_SITE_FUNCTION || s->kind == PP_SITE_STAGE;
    if (!is_function) /* a loop or scope is a step of the call tree, so it gets a name that no function has */
        symbol = arena_print(&m->model->arena, "%s:%u:%s", s->symbol, s->line, s->stage);
    uint32_t id = names_function(m->model, m->names, symbol, is_function ? s->name : s->stage, file, s->line);
    struct model_function *f = &m->model->function[id];
    if (!f->has_site || s->mode > f->mode) {
        f->mode = (enum pp_site_mode)(s->mode < PP_SITE_MODE_COUNT ? s->mode : PP_MODE_LEFT_OUT);
        f->reason = (enum pp_site_reason)(s->reason < PP_SITE_REASON_COUNT ? s->reason : PP_REASON_NONE);
    }
    if (s->mode != PP_MODE_LEFT_OUT && !symbol_is_part(s->symbol) && (s->mode == PP_MODE_TIMED || has_counts(m)))
        f->calls_known = true;
    f->head_is_timed = f->head_is_timed || (s->key && s->mode >= PP_MODE_FRAMED && !symbol_is_part(s->symbol));
    f->has_site = true;
    f->wrapper = f->wrapper || (s->kind == PP_SITE_FUNCTION && s->category);
    f->kind = s->kind < PP_SITE_KIND_COUNT ? (enum pp_site_kind)s->kind : PP_SITE_FUNCTION;
    f->line = f->line ? f->line : s->line;
    f->module_id = f->module_id ? f->module_id : s->module;
    if (s->key) {
        *map_at(&m->by_key, &s->key, sizeof s->key) = id;
        *map_at(&m->site_of_key, &s->key, sizeof s->key) = index;
    }
}

static const struct profile_site *site_of(const struct merging *m, uint64_t key)
{
    uint32_t k = (uint32_t)key;
    uint32_t i = key <= UINT32_MAX ? map_get(&m->site_of_key, &k, sizeof k) : MAP_FRESH;
    return i == MAP_FRESH ? NULL : &m->profile->site[i];
}

static uint32_t function_of(struct merging *m, uint64_t key)
{
    uint32_t k = (uint32_t)key;
    uint32_t *id = map_at(&m->by_key, &k, sizeof k);
    if (*id == MAP_FRESH) { /* the table of its object was lost */
        char name[32];
        snprintf(name, sizeof name, "(site %u)", k);
        *id = names_function(m->model, m->names, name, name, "", 0);
        m->model->function[*id].calls_known = true;
    }
    return *id;
}

/* ---- stages ---- */

static void times_from(struct model_times *t, const struct profile_stage *s, const struct profile_block *b,
                       const struct profile *p)
{
    *t = (struct model_times){ .calls = s->calls,
                               .timed_calls = s->timed_calls,
                               .outer_calls = s->outer_calls,
                               .wall_ns = s->wall_ns,
                               .self_ns = s->self_ns,
                               .min_ns = s->min_ns,
                               .max_ns = s->max_ns,
                               .mean_ns = s->mean_ns,
                               .m2_ns2 = s->m2_ns2 };
    t->histogram = memory_zeroed(PP_BUCKETS, sizeof *t->histogram);
    for (uint32_t i = 0; i < s->bucket_count; i++)
        t->histogram[s->bucket[i].bucket] = s->bucket[i].count;
    for (unsigned i = 0; i < PP_WINDOW_KIND_COUNT; i++)
        t->windows[i] = windows_from(&s->windows[i]);
    uint64_t thread = b->row < p->thread_count ? p->thread_id[b->row] : 0;
    for (uint32_t i = 0; i < PP_SLOWEST; i++)
        if (s->slowest[i].wall_ns)
            t->slowest[t->slowest_count++] =
                (struct model_slow){ s->slowest[i].index, s->slowest[i].wall_ns, s->slowest[i].start_ns, thread };
}

/* In how many activations metrics could be read: in the outermost, of a recursion, which have what the others do. */
static uint64_t entries_read(const struct profile_stage *s) { return s->outer_calls ? s->outer_calls : s->timed_calls; }

/* The variance of a metric that was read in a part of the activations. Their spread is not known, so an exponential
 * distribution is assumed, whose deviation equals its mean. Where the number of events is known (reads, page faults),
 * they happen in that many of the activations by chance. */
static double metric_spread(const struct profile_stage *s, unsigned i, double value)
{
    static const unsigned counts[PP_METRIC_COUNT] = { [PP_METRIC_READ_BYTES] = PP_METRIC_READS,
                                                      [PP_METRIC_WRITE_BYTES] = PP_METRIC_WRITES,
                                                      [PP_METRIC_READS] = PP_METRIC_READS,
                                                      [PP_METRIC_WRITES] = PP_METRIC_WRITES,
                                                      [PP_METRIC_STORAGE_READ_BYTES] = PP_METRIC_READS,
                                                      [PP_METRIC_FAULTS_MINOR] = PP_METRIC_FAULTS_MINOR,
                                                      [PP_METRIC_FAULTS_MAJOR] = PP_METRIC_FAULTS_MAJOR,
                                                      [PP_METRIC_RSS_DELTA] = PP_METRIC_FAULTS_MINOR,
                                                      [PP_METRIC_SWITCHES_VOLUNTARY] = PP_METRIC_SWITCHES_VOLUNTARY,
                                                      [PP_METRIC_SWITCHES_INVOLUNTARY] =
                                                          PP_METRIC_SWITCHES_INVOLUNTARY };
    uint64_t first = PP_SAMPLED_FIRST < s->sampled_calls ? PP_SAMPLED_FIRST : s->sampled_calls;
    double read = (double)(s->sampled_calls - first), all = (double)(entries_read(s) - first),
           events = counts[i] ? fmax(1, (double)s->metric[counts[i]]) : 0;
    double chances = fmax(1, read) / (1 + (events > 0 ? all / events : 0));
    return value * value * (1 - fmin(1, read / all)) / chances;
}

double metric_scale(unsigned metric, uint64_t raw, uint64_t calls, uint64_t sampled_for)
{
    /* With sampled blocks the bytes given back are what was asked for less an estimate, so a few may be below 0. */
    bool is_signed = metric_is_signed(metric) || metric == PP_METRIC_FREE_BYTES;
    double value = is_signed ? (double)(int64_t)raw : (double)raw;
    return sampled_for ? value * ((double)calls / (double)sampled_for) : value;
}

static void metrics_add(struct model_stage *to, const struct profile_stage *s)
{
    enum { DELTA, HIGH, NET, LEVEL };
    static const struct {
        bool exact;
        int fold;
    } metric[] = {
#define PP_METRIC(id, name, unit, kind, fold, is_exact, meaning) { is_exact, fold },
#include <profplug/abi/metric.def>
    };
    bool earlier = s->level_ns[0] && (!to->level_ns[0] || s->level_ns[0] < to->level_ns[0]),
         later = s->level_ns[1] > to->level_ns[1];
    for (unsigned i = 0; i < PP_METRIC_COUNT; i++) {
        if (metric[i].fold == LEVEL) {
            to->entered[i] = earlier ? (double)s->entered[i] : to->entered[i];
            to->metric[i] = later ? (double)s->metric[i] : to->metric[i];
            to->metric_known[i] = to->metric_known[i] || later;
            continue;
        }
        bool whole = metric[i].exact || s->sampled_calls >= entries_read(s);
        double value = metric_scale(i, s->metric[i], s->outer_calls, whole ? 0 : s->sampled_for);
        if (!whole && i == PP_METRIC_CPU)
            value = fmin(value, (double)s->wall_ns);
        if (!whole)
            to->metric_variance[i] += metric_spread(s, i, value);
        to->metric_exact[i] = to->metric_exact[i] && whole;
        if (metric[i].exact || s->sampled_calls)
            to->metric_known[i] = true;
        to->metric[i] = metric[i].fold == HIGH ? fmax(to->metric[i], value) : to->metric[i] + value;
    }
    to->level_ns[0] = earlier ? s->level_ns[0] : to->level_ns[0];
    to->level_ns[1] = later ? s->level_ns[1] : to->level_ns[1];
}

/* What names a row's stage in the model. The row of a loop's iterations names the loop. */
static const char *stage_text(struct merging *m, uint64_t key, unsigned kind, uint32_t parent)
{
    const struct profile_site *site = site_of(m, key);
    unsigned shown = kind == PP_SITE_ITERATION ? PP_SITE_LOOP : kind;
    return site ? arena_print(&m->model->arena, "%u:%u:%s", parent, shown, site->title)
                : arena_print(&m->model->arena, "%u:%u:(site %llu)", parent, shown, (unsigned long long)key);
}

/* Whether the row has the iterations of the loop that is its parent row. */
static bool is_iteration_of(unsigned kind, uint64_t key, uint64_t parent_key)
{
    return kind == PP_SITE_ITERATION && key == parent_key;
}

static uint32_t stage_find(struct merging *m, const struct profile_stage *s, uint32_t parent)
{
    const char *text = stage_text(m, s->key, s->kind, parent);
    uint32_t *found = map_at_text(&m->stages, text);
    if (*found == MAP_FRESH) {
        const struct profile_site *site = site_of(m, s->key);
        const char *name = strchr(strchr(text, ':') + 1, ':') + 1;
        *found = (uint32_t)m->model->stage_count;
        struct model_stage *made = ARRAY_PUSH(m->model->stage, m->model->stage_count, m->model->stage_capacity);
        const struct model_stage *outer = parent == MODEL_NONE ? NULL : &m->model->stage[parent];
        made->id = (uint32_t)m->model->stage_count;
        made->parent = parent;
        made->depth = outer ? outer->depth + 1 : 0;
        made->name = name;
        /* A very deep path is cut on the left. */
        made->key = outer && outer->depth < 32 ? arena_print(&m->model->arena, "%s/%s", outer->key, name)
                    : outer                    ? arena_print(&m->model->arena, ".../%s", name)
                                               : made->name;
        made->kind = s->kind == PP_SITE_ITERATION ? PP_SITE_LOOP : (enum pp_site_kind)s->kind;
        made->category = site && site->category ? (enum pp_category)site->category : PP_CATEGORY_CUSTOM;
        made->file = site ? path_whole(&m->model->arena, site->directory, site->file) : "";
        made->function = site ? arena_copy(&m->model->arena, site->name) : "";
        made->line = site ? site->line : 0;
        for (unsigned i = 0; i < PP_METRIC_COUNT; i++)
            made->metric_exact[i] = true;
    }
    return *found;
}

/* The body of an OpenMP region is a function of its own for the compiler, and takes over the stage's attribute. It is
 * entered by each thread that shares the work, and is no entry of the stage. */
static bool is_region(const struct merging *m, const struct profile_stage *s)
{
    const struct profile_site *site = s->kind == PP_SITE_STAGE && s->key ? site_of(m, s->key) : NULL;
    return site && strstr(site->symbol, PP_REGION_MARK);
}

/* The stage around the row of a region in the same thread, by its number there; 0: none, it is another thread's. */
static uint32_t region_around(struct merging *m, const struct profile_block *b, uint32_t row)
{
    const struct profile_site *site = site_of(m, b->stage[row].key);
    for (uint32_t i = b->stage[row].parent; i; i = b->stage[i].parent) {
        const struct profile_site *outer = b->stage[i].key ? site_of(m, b->stage[i].key) : NULL;
        if (b->stage[i].kind == PP_SITE_STAGE && outer && !strcmp(outer->title, site->title))
            return i;
    }
    return 0;
}

/* The only stage of the region's name. MODEL_NONE: there are several, and nothing tells which shared its work. */
static uint32_t region_home(const struct merging *m, const struct profile_stage *s)
{
    const struct profile_site *site = site_of(m, s->key);
    uint32_t home = MODEL_NONE;
    for (uint32_t i = 0; i < m->model->stage_count; i++) {
        const struct model_stage *at = &m->model->stage[i];
        if (at->kind != PP_SITE_STAGE || strcmp(at->name, site->title) || !at->times.calls)
            continue;
        if (home != MODEL_NONE)
            return MODEL_NONE;
        home = i;
    }
    return home;
}

static void stage_add(struct merging *m, struct model_stage *to, const struct profile_stage *s,
                      const struct profile_block *b)
{
    struct model_times times;
    times_from(&times, s, b, m->profile);
    if (s->kind == PP_SITE_ITERATION) {
        times_add(&to->iteration, &times);
    } else {
        times_add(&to->times, &times);
        metrics_add(to, s);
        struct model_growth growth = growth_from(&s->growth, s->calls);
        if (growth.step_count && growth.entries > to->growth.entries)
            to->growth = growth;
        if (s->loop_runs && s->kind == PP_SITE_LOOP) {
            to->trips_min = to->loop_runs && to->trips_min < s->trips_min ? to->trips_min : s->trips_min;
            to->trips_max = to->trips_max > s->trips_max ? to->trips_max : s->trips_max;
            to->loop_runs += s->loop_runs;
        }
    }
    free(times.histogram);
}

/* What another thread did in the region is part of the stage, and of those around it. */
static void region_add(struct merging *m, uint32_t home, const struct profile_stage *s)
{
    for (; home != MODEL_NONE; home = m->model->stage[home].parent) {
        struct model_stage *to = &m->model->stage[home];
        double before = to->metric[PP_METRIC_CPU];
        metrics_add(to, s);
        to->shared_ns += to->metric[PP_METRIC_CPU] - before;
    }
}

/* Maps the block's stage numbers to stages of the model. An iteration maps to its loop, a region to its stage, which
 * another thread may have entered: the rows of such regions are left for the second round, with what is below them. */
static void stages_merge(struct merging *m, const struct profile_block *b, uint32_t *of, bool second)
{
    enum { LEFT = MODEL_NONE - 1 };
    of[0] = MODEL_NONE;
    for (uint32_t i = 1; i < b->stage_count; i++) {
        const struct profile_stage *s = &b->stage[i];
        bool is_part = !s->key || is_iteration_of(s->kind, s->key, b->stage[s->parent].key), region = is_region(m, s);
        uint32_t around = region ? region_around(m, b, i) : 0;
        bool left = second ? of[i] == LEFT : (region && !around) || of[s->parent] == LEFT;
        if (left != second) {
            of[i] = left ? LEFT : of[i];
            continue;
        }
        uint32_t home = region && !around ? region_home(m, s) : MODEL_NONE;
        home = is_part ? of[s->parent] : around ? of[around] : home;
        of[i] = is_part || home != MODEL_NONE ? home : stage_find(m, s, of[s->parent]);
        struct model_stage *to = s->key ? &m->model->stage[of[i]] : NULL;
        if (around) /* its numbers are in those of the stage around it, but for the time that is the stage's own */
            to->times.self_ns += s->self_ns;
        else if (region)
            region_add(m, of[i], s);
        else if (to)
            stage_add(m, to, s, b);
    }
}

static bool is_same(const struct merging *m, const struct pp_moment *a, const struct pp_moment *b)
{
    const struct profile_site *one = site_of(m, a->key), *other = site_of(m, b->key);
    return a->kind == b->kind && one && other && !strcmp(one->title, other->title);
}

/* Maps a snapshot's stages in the same way. A stage of a snapshot is still one at the end, unless it was lost. */
static void snapshots_merge(struct merging *m)
{
    for (size_t i = 0; i < m->profile->snapshot_count; i++) {
        const struct profile_snapshot *s = &m->profile->snapshot[i];
        uint32_t *of = memory_zeroed((size_t)s->head.stage_count + 1, sizeof *of);
        of[0] = MODEL_NONE;
        for (uint32_t k = 1; k < s->head.stage_count; k++) {
            struct pp_moment *row = &s->stage[k];
            const char *text = stage_text(m, row->key, row->kind, of[row->parent]);
            uint32_t found = map_get(&m->stages, text, strlen(text));
            bool is_part = is_iteration_of(row->kind, row->key, s->stage[row->parent].key);
            of[k] = is_part ? of[row->parent] : found == MAP_FRESH ? MODEL_NONE : found;
            struct profile_stage as = { .kind = row->kind, .key = row->key };
            if (!is_region(m, &as))
                continue;
            uint32_t around = row->parent;
            while (around && !is_same(m, &s->stage[around], row))
                around = s->stage[around].parent;
            uint32_t home = around ? of[around] : region_home(m, &as);
            of[k] = home == MODEL_NONE ? of[k] : home;
            if (around) /* as in stages_merge */
                memset(row->metric, 0, sizeof row->metric);
            row->calls = row->wall_ns = 0;
        }
        snapshot_merge(m->model, s, of);
        free(of);
    }
}

/* ---- call tree ---- */

static uint32_t node_merge(struct merging *m, uint32_t parent, uint32_t function, uint32_t stage, bool overflow)
{
    uint32_t key[4] = { parent, function, stage, overflow };
    uint32_t *found = map_at(&m->nodes, key, sizeof key);
    if (*found == MAP_FRESH) {
        *found = (uint32_t)m->model->node_count;
        *ARRAY_PUSH(m->model->node, m->model->node_count, m->model->node_capacity) =
            (struct model_node){ .parent = parent, .function = function, .stage = stage, .overflow = overflow };
    }
    return *found;
}

static bool has_counter(const struct profile_site *site)
{
    return site && (site->mode == PP_MODE_COUNTED || site->mode == PP_MODE_FRAMED);
}

static bool is_part(const struct profile_site *site) { return site && symbol_is_part(site->symbol); }

/* A part that GCC split off is called where the head was inlined: that is a call of the function. Where the head is
 * timed, its calls stand for those of the part, which may seem to come from its caller. */
static uint32_t *nodes_merge(struct merging *m, const struct profile_block *b, const uint32_t *stage_of)
{
    uint32_t *of = memory_zeroed((size_t)b->node_count + 1, sizeof *of);
    for (uint32_t i = 1; i < b->node_count; i++) {
        const struct pp_node *n = &b->node[i];
        uint64_t key = n->key & ~PP_KEY_OVERFLOW;
        if (!key) {
            of[i] = of[n->parent];
            continue;
        }
        const struct profile_site *site = site_of(m, key);
        uint32_t function = function_of(m, key);
        bool is_call = !is_part(site) || !m->model->function[function].head_is_timed;
        if (!is_call && m->model->node[of[n->parent]].function == function) {
            of[i] = of[n->parent];
            m->model->node[of[i]].self_ns += n->self_ns;
            m->model->node[of[i]].off_ns += n->off_ns;
            continue;
        }
        size_t before = m->model->node_count;
        of[i] = node_merge(m, of[n->parent], function, stage_of[n->stage], (n->key & PP_KEY_OVERFLOW) != 0);
        struct model_node *to = &m->model->node[of[i]];
        to->sampled_only = !is_call && (to->sampled_only || of[i] == before);
        if (!is_call)
            continue;
        to->calls += n->calls;
        to->timed_calls += n->timed_calls;
        to->timed_ns += n->timed_ns;
        to->self_ns += n->self_ns;
        to->off_ns += n->off_ns;
        if (!has_counter(site) && !is_part(site))
            m->model->function[function].calls += n->calls;
        m->model->function[function].timed_calls += n->timed_calls;
        m->model->function[function].wall_ns += n->function_ns;
        m->model->function[function].booked_calls += n->calls;
    }
    return of;
}

static bool is_part_of_part(const char *symbol)
{
    const char *part = strstr(symbol, ".part.");
    return part && strstr(part + 1, ".part.");
}

/* Inlined heads have no counter, but the parts that they call have. So the parts may have more calls than is known of
 * the heads. How many of both are one call is not known, so the larger number is a lower bound: there are copies. */
static void counters_merge(struct merging *m)
{
    if (!has_counts(m))
        return;
    uint64_t *of_parts = memory_zeroed(m->model->function_count, sizeof *of_parts);
    for (size_t i = 0; i < m->profile->counter_count; i++) {
        const struct profile_counter *c = &m->profile->counter[i];
        const struct profile_site *site = site_of(m, c->key);
        if (!has_counter(site))
            /* the runtime's own counter, or one whose site table was lost: it may count something else */
            continue;
        if (!is_part(site))
            m->model->function[function_of(m, c->key)].calls += c->calls;
        else if (!is_part_of_part(site->symbol))
            of_parts[function_of(m, c->key)] += c->calls;
    }
    for (size_t i = 0; i < m->model->function_count; i++) {
        struct model_function *f = &m->model->function[i];
        f->has_copies = f->has_copies || of_parts[i];
        if (f->calls < of_parts[i])
            f->calls = of_parts[i];
    }
    free(of_parts);
}

/* The calls since a function's last timed call are in none of its nodes. They are spread over the nodes in proportion
 * to the known calls. Where a counter table was lost, the function has at least the calls of its nodes. */
static void rest_spread(struct model *model)
{
    for (size_t i = 0; i < model->function_count; i++) {
        struct model_function *f = &model->function[i];
        if (f->has_site && f->mode == PP_MODE_FRAMED && f->booked_calls > f->calls)
            f->calls = f->booked_calls;
    }
    uint64_t *rest = memory_zeroed(model->function_count, sizeof *rest),
             *left = memory_zeroed(model->function_count, sizeof *left);
    uint32_t *largest = memory_zeroed(model->function_count, sizeof *largest);
    for (size_t i = 0; i < model->function_count; i++) {
        const struct model_function *f = &model->function[i];
        rest[i] = left[i] =
            f->mode == PP_MODE_FRAMED && f->booked_calls && f->calls > f->booked_calls ? f->calls - f->booked_calls : 0;
    }
    for (uint32_t i = 1; i < model->node_count; i++) {
        struct model_node *n = &model->node[i];
        if (n->function == MODEL_NONE || !rest[n->function])
            continue;
        double share =
            (double)rest[n->function] * ((double)n->calls / (double)model->function[n->function].booked_calls);
        if (!largest[n->function] || n->calls > model->node[largest[n->function]].calls)
            largest[n->function] = i;
        n->rest = share < (double)left[n->function] ? (uint64_t)share : left[n->function];
        left[n->function] -= n->rest;
    }
    for (uint32_t i = 1; i < model->node_count; i++) {
        struct model_node *n = &model->node[i];
        if (n->function == MODEL_NONE || !rest[n->function])
            continue;
        n->calls += n->rest + (largest[n->function] == i ? left[n->function] : 0);
    }
    free(rest);
    free(left);
    free(largest);
}

/* ---- what is open ---- */

/* Open activations count as if they had ended at the last known instant, but not as timed calls. */
static void frames_merge(struct merging *m, const struct profile_block *b, const uint32_t *node_of,
                         const uint32_t *stage_of)
{
    uint64_t inner = 0, inner_stage = 0; /* of the open activation directly inside */
    for (size_t i = b->frame_count; i-- > 0;) {
        const struct pp_frame *f = &b->frame[i];
        uint64_t duration = above(m->now_ns, f->start_ns);
        bool node_outermost = true, function_outermost = true, stage_outermost = true;
        uint32_t function = m->model->node[node_of[f->node_number]].function;
        for (size_t k = i < 4096 ? 0 : i - 4096; k < i; k++) {
            node_outermost = node_outermost && b->frame[k].node_number != f->node_number;
            function_outermost =
                function_outermost && m->model->node[node_of[b->frame[k].node_number]].function != function;
            stage_outermost = stage_outermost && b->frame[k].stage != f->stage;
        }
        if (function != MODEL_NONE) { /* else the root, or a node that was not published yet */
            struct model_node *n = &m->model->node[node_of[f->node_number]];
            n->timed_ns += node_outermost ? duration : 0;
            n->self_ns += above(duration, f->child_ns + inner);
            n->active++;
            m->model->function[function].active++;
            m->model->function[function].wall_ns += function_outermost ? duration : 0;
        }
        inner = duration;
        if (f->stage && stage_of[f->stage] != MODEL_NONE) {
            struct model_stage *s = &m->model->stage[stage_of[f->stage]];
            struct model_times *t = b->stage[f->stage].kind == PP_SITE_ITERATION ? &s->iteration : &s->times;
            bool entered = !is_region(m, &b->stage[f->stage]);
            t->wall_ns += entered && stage_outermost ? duration : 0;
            t->self_ns += above(duration, f->stage_child_ns + inner_stage);
            t->open += entered;
            inner_stage = duration;
        }
    }
}

/* The row of a block's thread: rows that were claimed and not written yet are not in the model. */
static uint32_t thread_of(const struct merging *m, const struct profile_block *b)
{
    for (uint32_t i = 0; i < m->model->thread_count && b->row < m->profile->thread_count; i++)
        if (m->model->thread[i].id == m->profile->thread_id[b->row])
            return i;
    return MODEL_NONE;
}

static void samples_merge(struct merging *m, const struct profile_block *b, const uint32_t *node_of)
{
    uint32_t *path_of = paths_merge(m->model, &m->paths, b), thread = thread_of(m, b);
    size_t first = m->model->sample_count;
    for (size_t i = 0; i < b->sample_count; i++) {
        const struct pp_sample *s = &b->sample[i];
        bool fault = s->faults & PP_SAMPLE_FAULTS;
        *ARRAY_PUSH(m->model->sample, m->model->sample_count, m->model->sample_capacity) =
            (struct model_sample){ .address = s->address,
                                   .module = s->module,
                                   .library = s->library,
                                   .node = b->node_count ? node_of[s->node] : 0,
                                   .path = path_of[s->path],
                                   .function = MODEL_NONE,
                                   .line = MODEL_NONE,
                                   .count = s->count,
                                   .excess = fault ? 0 : (double)s->excess,
                                   .ns = fault ? 0 : s->ns,
                                   .unseen_ns = fault ? 0 : (double)s->unseen_ns,
                                   .called_ns = fault ? 0 : (double)s->called_ns,
                                   .faults = fault ? 0 : s->faults,
                                   .placed = { fault ? (double)s->ns : 0, fault ? (double)s->called_ns : 0 },
                                   .halved = fault ? (double)s->unseen_ns : 0,
                                   .fault_signals = fault ? s->excess : 0 };
    }
    stalls_merge(m->model, b, path_of, node_of);
    for (; first < m->model->sample_count; first++)
        m->model->sample[first].thread = thread;
    unfinished_stalls(m->model, m->profile, b, path_of, node_of);
    free(path_of);
}

/* ---- modules, threads ---- */

static void modules_merge(struct merging *m)
{
    for (size_t i = 0; i < m->profile->module_count; i++) {
        const struct profile_module *from = &m->profile->module[i];
        struct model_module *to = ARRAY_PUSH(m->model->module, m->model->module_count, m->model->module_capacity);
        to->id = from->id;
        to->path = arena_copy(&m->model->arena, from->path);
        to->instrumented = from->instrumented;
        to->runtime = from->runtime;
        for (uint32_t k = 0; k < from->build_id_size; k++)
            snprintf(to->build_id + 2 * k, 3, "%02x", from->build_id[k]);
    }
}

/* A module whose record found no room, though those of its functions did. */
static void modules_complete(struct model *model)
{
    for (size_t i = 0, k; i < model->function_count; i++) {
        uint32_t id = model->function[i].module_id;
        for (k = 0; k < model->module_count && model->module[k].id != id;)
            k++;
        if (id && k == model->module_count)
            *ARRAY_PUSH(model->module, model->module_count, model->module_capacity) =
                (struct model_module){ .id = id,
                                       .path = "unknown module",
                                       .instrumented = true,
                                       .complaint = "the data file had no room for its name" };
    }
}

static void threads_merge(struct merging *m)
{
    for (size_t i = 0; i < m->profile->thread_count; i++) {
        const struct pp_thread_row *r = &m->profile->thread[i];
        if (!r->tid)
            continue; /* claimed, not yet written */
        uint64_t end = r->end_ns ? r->end_ns : m->now_ns, off_ns = above(above(end, r->start_ns), r->cpu_ns);
        *ARRAY_PUSH(m->model->thread, m->model->thread_count, m->model->thread_capacity) =
            (struct model_thread){ .id = m->profile->thread_id[i],
                                   .name = arena_copy(&m->model->arena, r->name),
                                   .wall_ns = above(end, r->start_ns),
                                   .cpu_ns = r->cpu_ns,
                                   .delay_ns = r->delay_ns,
                                   .samples = r->samples,
                                   .start_ns = above(r->start_ns, m->profile->header.start_ns),
                                   .end_ns = above(end, m->profile->header.start_ns),
                                   .wait_ns = r->wait_ns < off_ns ? r->wait_ns : off_ns,
                                   .started_point = r->started,
                                   .joined_point = r->joined,
                                   .leads = thread_leads(m->profile, i), .block = r->block,
                                   .started_line = MODEL_NONE, .started_function = MODEL_NONE,
                                   .joined_line = MODEL_NONE, .joined_function = MODEL_NONE,
                                   .held_line = MODEL_NONE,
                                   .held_function = MODEL_NONE };
        m->model->run.delay_ns += r->delay_ns;
    }
}

/* A region knows its source file as the compiler was told it. The function around it also knows the folder. */
static void places_complete(struct model *model)
{
    for (size_t i = 0; i < model->stage_count; i++) {
        struct model_stage *s = &model->stage[i];
        for (size_t k = 0; k < model->function_count && s->file[0] && s->file[0] != '/'; k++) {
            const struct model_function *f = &model->function[k];
            size_t whole = strlen(f->file), part = strlen(s->file);
            if (strcmp(f->name, s->function) == 0 && whole > part && strcmp(f->file + whole - part, s->file) == 0 &&
                f->file[whole - part - 1] == '/')
                s->file = f->file;
        }
    }
}

struct model *merge_profile(const struct profile *profile, struct names *names)
{
    struct model *model = memory_zeroed(1, sizeof *model);
    struct merging m = { .profile = profile, .model = model, .names = names };
    const struct pp_header *h = &profile->header;
    m.now_ns = h->end_ns ? h->end_ns : h->heartbeat_ns > h->start_ns ? h->heartbeat_ns : h->start_ns;
    run_merge(model, profile, m.now_ns);
    modules_merge(&m);
    threads_merge(&m);
    numbers_merge(model, profile);
    for (uint32_t i = 0; i < profile->site_count; i++)
        function_from_site(&m, i);
    modules_complete(model);
    *ARRAY_PUSH(model->node, model->node_count, model->node_capacity) =
        (struct model_node){ .function = MODEL_NONE, .stage = MODEL_NONE };
    uint32_t **stages_of = memory_zeroed(profile->block_count + 1, sizeof *stages_of);
    for (size_t i = 0; i < profile->block_count; i++)
        stages_of[i] = memory_zeroed((size_t)profile->block[i].stage_count + 1, sizeof **stages_of);
    for (int round = 0; round < 2; round++)
        for (size_t i = 0; i < profile->block_count; i++)
            stages_merge(&m, &profile->block[i], stages_of[i], round);
    for (size_t i = 0; i < profile->block_count; i++) {
        const struct profile_block *b = &profile->block[i];
        uint32_t *stage_of = stages_of[i];
        uint32_t *node_of = nodes_merge(&m, b, stage_of);
        frames_merge(&m, b, node_of, stage_of);
        samples_merge(&m, b, node_of);
        tallies_merge(model, profile, b, stage_of);
        free(node_of);
    }
    /* growth is known for each entry of one thread: convert it to entries of all threads */
    for (size_t i = 0; i < model->stage_count; i++) {
        struct model_stage *s = &model->stage[i];
        double share = s->times.calls ? (double)s->growth.entries / (double)s->times.calls : 0;
        s->growth.slope_bytes *= share;
        s->growth.slope_error_bytes *= share;
    }
    counters_merge(&m);
    operations_merge(model, profile, stages_of);
    threads_meet(model, profile);
    timeline_merge(model, profile, stages_of);
    for (size_t i = 0; i < profile->block_count; i++)
        free(stages_of[i]);
    free(stages_of);
    points_merge(model, profile);
    snapshots_merge(&m);
    rest_spread(m.model);
    places_complete(model);
    for (size_t i = 0; i < model->function_count; i++)
        model->run.events_counted += model->function[i].calls_known ? model->function[i].calls : 0;
    map_free(&m.by_key);
    map_free(&m.site_of_key);
    map_free(&m.nodes);
    map_free(&m.stages);
    map_free(&m.paths);
    return model;
}
