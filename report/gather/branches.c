/* SPDX-License-Identifier: MIT */
/* branches.c: adds what a thread block has: stages, call tree, samples and waits with their paths, the program's own
 * numbers. Activations that were open at a file's end count until then. See gathering.h. */
#include "gather/gathering.h"

#include <stdlib.h>
#include <string.h>

/* ---- stages ---- */

static void sum128_add(uint64_t to[2], const uint64_t more[2])
{
    unsigned __int128 sum = words_join(to) + words_join(more);
    to[0] = (uint64_t)sum;
    to[1] = (uint64_t)(sum >> 64);
}

/* Each window's count goes to the one in which its middle is. */
static void windows_join(const struct adding *a, struct pp_windows *to, const struct pp_windows *from)
{
    to->shift = a->g->window_shift;
    if (from->turn & 1)
        return; /* interrupted while windows were merged */
    for (uint64_t i = 0; i < PP_WINDOWS; i++) {
        if (!from->count[i])
            continue;
        unsigned __int128 middle = a->offset_ns +
                                   (((unsigned __int128)(2 * i + 1) << (PP_WINDOW_BITS + from->shift)) >> 1);
        uint64_t window = (uint64_t)(middle >> (PP_WINDOW_BITS + to->shift));
        to->count[window < PP_WINDOWS ? window : PP_WINDOWS - 1] += from->count[i];
    }
}

static void slowest_join(const struct adding *a, struct pp_slow *to, const struct pp_slow *from)
{
    for (unsigned i = 0; i < PP_SLOWEST; i++) {
        unsigned least = 0;
        for (unsigned k = 1; k < PP_SLOWEST; k++)
            least = to[k].wall_ns < to[least].wall_ns ? k : least;
        if (from[i].wall_ns > to[least].wall_ns)
            to[least] = (struct pp_slow){ from[i].index, from[i].wall_ns, a->offset_ns + from[i].start_ns, 0 };
    }
}

static void metrics_join(const struct adding *a, struct pp_stage *to, const struct profile_stage *from)
{
    enum { DELTA, HIGH, NET, LEVEL };
    static const int fold_of[] = {
#define PP_METRIC(id, name, unit, kind, fold, is_exact, meaning) fold,
#include <profplug/abi/metric.def>
    };
    uint64_t first = from->level_ns[0] ? from->level_ns[0] + a->offset_ns : 0,
             last = from->level_ns[1] ? from->level_ns[1] + a->offset_ns : 0;
    bool earlier = first && (!to->level_ns[0] || first < to->level_ns[0]), later = last > to->level_ns[1];
    for (unsigned i = 0; i < PP_METRIC_COUNT; i++) {
        if (fold_of[i] == LEVEL) {
            to->entered[i] = earlier ? from->entered[i] : to->entered[i];
            to->metric[i] = later ? from->metric[i] : to->metric[i];
        } else if (fold_of[i] == HIGH) {
            to->metric[i] = from->metric[i] > to->metric[i] ? from->metric[i] : to->metric[i];
        } else {
            to->metric[i] += from->metric[i];
        }
    }
    to->level_ns[0] = earlier ? first : to->level_ns[0];
    to->level_ns[1] = later ? last : to->level_ns[1];
}

static void stage_join(const struct adding *a, struct pp_stage *to, const struct profile_stage *from)
{
    if (from->loop_runs) {
        to->trips_min = to->loop_runs && to->trips_min < from->trips_min ? to->trips_min : from->trips_min;
        to->trips_max = to->trips_max > from->trips_max ? to->trips_max : from->trips_max;
    }
    to->calls += from->calls;
    to->timed_calls += from->timed_calls;
    to->wall_ns += from->wall_ns;
    to->self_ns += from->self_ns;
    to->min_ns = from->timed_calls && from->min_ns < to->min_ns ? from->min_ns : to->min_ns;
    to->max_ns = from->max_ns > to->max_ns ? from->max_ns : to->max_ns;
    to->timed_ns += from->timed_ns;
    sum128_add(to->squares_ns2, from->squares_ns2);
    to->outer_calls += from->outer_calls;
    to->loop_runs += from->loop_runs;
    to->sampled_calls += from->sampled_calls;
    to->sampled_wall_ns += from->sampled_wall_ns;
    to->sampled_for += from->sampled_for;
    for (unsigned i = 0; i < PP_WINDOW_KIND_COUNT; i++)
        windows_join(a, &to->windows[i], &from->windows[i]);
    metrics_join(a, to, from);
    slowest_join(a, to->slowest, from->slowest);
    for (uint32_t i = 0; i < from->bucket_count; i++)
        to->histogram[from->bucket[i].bucket] += from->bucket[i].count;
}

/* The name of a key's site, as stages are called. */
static const char *title_of(struct adding *a, uint64_t key)
{
    uint32_t k = (uint32_t)key, index = map_get(&a->title_of, &k, sizeof k);
    return index == MAP_FRESH ? "(unknown)" : a->p->site[index].title;
}

static uint32_t spread_stage(struct adding *a, const struct gathered_block *b, const struct profile_stage *s,
                             uint32_t parent)
{
    struct gather *g = a->g;
    uint32_t outer = parent ? b->spread_stage[parent] : UINT32_MAX;
    const char *around = outer == UINT32_MAX ? "" : g->stage[outer].path;
    const char *text = arena_print(&a->arena, "%s%s%s", around, around[0] ? "/" : "", title_of(a, s->key));
    uint32_t *found = map_at_text(&g->stages, text);
    if (*found == MAP_FRESH) {
        *found = (uint32_t)g->stage_count;
        ARRAY_PUSH(g->stage, g->stage_count, g->stage_capacity)->path = arena_copy(&g->arena, text);
    }
    return *found;
}

static uint32_t stage_place(struct adding *a, struct gathered_block *b, const struct profile_stage *s, uint64_t to_key,
                            uint32_t parent)
{
    struct {
        uint64_t key;
        uint32_t kind, parent;
    } key = { to_key, s->kind, parent };
    uint32_t *found = map_at(&b->stages, &key, sizeof key);
    if (*found != MAP_FRESH)
        return *found;
    uint32_t number = (uint32_t)b->stage_count;
    *found = number;
    struct pp_stage *made = memory_zeroed(1, sizeof *made);
    made->key = to_key;
    made->kind = s->kind;
    made->parent = parent;
    made->number = number;
    made->min_ns = UINT64_MAX;
    *ARRAY_PUSH(b->stage, b->stage_count, b->stage_capacity) = made;
    if (number >= b->spread_capacity) {
        b->spread_stage = array_extended(b->spread_stage, b->spread_capacity, 2 * number + 16, sizeof(uint32_t));
        b->spread_capacity = 2 * number + 16;
    }
    b->spread_stage[number] = !to_key                       ? UINT32_MAX
                              : s->kind == PP_SITE_ITERATION ? b->spread_stage[parent]
                                                             : spread_stage(a, b, s, parent);
    return number;
}

static uint32_t *stages_join(struct adding *a, struct gathered_block *b, const struct profile_block *from)
{
    uint32_t *of = memory_zeroed((size_t)from->stage_count + 1, sizeof *of);
    for (uint32_t i = 0; i < from->stage_count; i++) {
        const struct profile_stage *s = &from->stage[i];
        uint64_t key = s->key ? key_new(a, s->key) : 0;
        uint32_t parent = i ? of[s->parent] : 0;
        if (i && !key) {
            of[i] = parent; /* it was never published, or the table of its object was lost */
            continue;
        }
        of[i] = stage_place(a, b, s, key, parent);
        stage_join(a, b->stage[of[i]], s);
        uint32_t spread = b->spread_stage[of[i]];
        if (spread == UINT32_MAX || s->kind == PP_SITE_ITERATION)
            continue;
        value_add(&a->g->stage_wall, a->g->added, spread, s->wall_ns, 0);
        value_add(&a->g->stage_calls, a->g->added, spread, s->calls, 0);
    }
    return of;
}

/* ---- call tree ---- */

static uint32_t *nodes_join(struct adding *a, struct gathered_block *b, const struct profile_block *from,
                            const uint32_t *stage_of)
{
    uint32_t *of = memory_zeroed((size_t)from->node_count + 1, sizeof *of);
    if (!b->node_count && from->node_count)
        ARRAY_PUSH(b->node, b->node_count, b->node_capacity)->key = 0;
    for (uint32_t i = 1; i < from->node_count; i++) {
        const struct pp_node *n = &from->node[i];
        uint64_t overflow = n->key & PP_KEY_OVERFLOW, key = key_new(a, n->key & ~PP_KEY_OVERFLOW);
        of[i] = of[n->parent];
        if (!key)
            continue;
        struct {
            uint64_t key;
            uint32_t parent, stage;
        } place = { key | overflow, of[n->parent], stage_of[n->stage] };
        uint32_t *found = map_at(&b->nodes, &place, sizeof place);
        if (*found == MAP_FRESH) {
            *found = (uint32_t)b->node_count;
            *ARRAY_PUSH(b->node, b->node_count, b->node_capacity) =
                (struct pp_node){ .key = place.key, .parent = place.parent, .stage = place.stage, .number = *found };
        }
        struct pp_node *to = &b->node[of[i] = *found];
        to->calls += n->calls;
        to->timed_calls += n->timed_calls;
        to->timed_ns += n->timed_ns;
        to->self_ns += n->self_ns;
        to->off_ns += n->off_ns;
        to->outer_timed += n->outer_timed;
        to->function_ns += n->function_ns;
    }
    return of;
}

/* What was open is added as if it had ended at the file's end, as merge.c does. */
static void frames_join(struct adding *a, struct gathered_block *b, const struct profile_block *from,
                        const uint32_t *node_of, const uint32_t *stage_of)
{
    uint64_t inner = 0, inner_stage = 0;
    for (size_t i = from->frame_count; i-- > 0;) {
        const struct pp_frame *f = &from->frame[i];
        uint64_t duration = above(a->now_ns, f->start_ns);
        uint32_t node = from->node_count ? node_of[f->node_number] : 0;
        bool node_outermost = true, function_outermost = true, stage_outermost = true;
        for (size_t k = i < 4096 ? 0 : i - 4096; k < i; k++) {
            uint32_t outer = from->node_count ? node_of[from->frame[k].node_number] : 0;
            node_outermost = node_outermost && outer != node;
            function_outermost = function_outermost && (!node || b->node[outer].key != b->node[node].key);
            stage_outermost = stage_outermost && from->frame[k].stage != f->stage;
        }
        if (node) {
            b->node[node].timed_ns += node_outermost ? duration : 0;
            b->node[node].self_ns += above(duration, f->child_ns + inner);
            b->node[node].function_ns += function_outermost ? duration : 0;
        }
        inner = duration;
        if (f->stage && f->stage < from->stage_count && stage_of[f->stage]) {
            struct pp_stage *s = b->stage[stage_of[f->stage]];
            s->wall_ns += stage_outermost ? duration : 0;
            s->self_ns += above(duration, f->stage_child_ns + inner_stage);
            inner_stage = duration;
            if (stage_outermost && s->kind != PP_SITE_ITERATION)
                value_add(&a->g->stage_wall, a->g->added, b->spread_stage[stage_of[f->stage]], duration, 0);
        }
    }
}

/* ---- samples and waits ---- */

static uint32_t *paths_join(struct adding *a, struct gathered_block *b, const struct profile_block *from)
{
    uint32_t *of = memory_zeroed((size_t)from->path_count + 1, sizeof *of);
    if (!b->path_count && from->path_count)
        ARRAY_PUSH(b->path, b->path_count, b->path_capacity)->address = 0;
    for (uint32_t i = 1; i < from->path_count; i++) {
        struct pp_path path = from->path[i];
        path.module = number_new(&a->module_of, path.module);
        path.parent = of[path.parent];
        path.reserved = 0;
        uint32_t *found = map_at(&b->paths, &path, sizeof path);
        if (*found == MAP_FRESH) {
            *found = (uint32_t)b->path_count;
            *ARRAY_PUSH(b->path, b->path_count, b->path_capacity) = path;
        }
        of[i] = *found;
    }
    return of;
}

static uint32_t sample_number(struct gather *g, const struct gathered_block *b)
{
    if (g->sample_numbers == g->sample_capacity) {
        size_t wanted = 2 * g->sample_capacity + 1024;
        g->sample_block = array_extended(g->sample_block, g->sample_capacity, wanted, sizeof(uint32_t));
        g->sample_row = array_extended(g->sample_row, g->sample_capacity, wanted, sizeof(uint32_t));
        g->sample_capacity = wanted;
    }
    g->sample_block[g->sample_numbers] = (uint32_t)(b - g->block);
    g->sample_row[g->sample_numbers] = (uint32_t)b->sample_count;
    return (uint32_t)g->sample_numbers++;
}

static void samples_join(struct adding *a, struct gathered_block *b, const struct profile_block *from,
                         const uint32_t *node_of, const uint32_t *path_of)
{
    for (size_t i = 0; i < from->sample_count; i++) {
        const struct pp_sample *s = &from->sample[i];
        struct {
            uint64_t address;
            uint32_t module, library, node, path, faults, none;
        } key = { s->address, number_new(&a->module_of, s->module), number_new(&a->module_of, s->library),
                  from->node_count ? node_of[s->node] : 0, from->path_count ? path_of[s->path] : 0,
                  s->faults & PP_SAMPLE_FAULTS, 0 };
        uint32_t *found = map_at(&b->samples, &key, sizeof key);
        if (*found == MAP_FRESH) {
            *found = sample_number(a->g, b);
            *ARRAY_PUSH(b->sample, b->sample_count, b->sample_capacity) =
                (struct pp_sample){ .address = key.address,
                                    .module = key.module,
                                    .library = key.library,
                                    .node = key.node,
                                    .path = key.path,
                                    .faults = key.faults };
        }
        struct pp_sample *to = &b->sample[a->g->sample_row[*found]];
        to->excess = s->excess > UINT32_MAX - to->excess ? UINT32_MAX : to->excess + s->excess;
        to->count += s->count;
        to->ns += s->ns;
        to->unseen_ns = (int64_t)((uint64_t)to->unseen_ns + (uint64_t)s->unseen_ns);
        to->called_ns += s->called_ns;
        uint32_t faults = s->faults & ~PP_SAMPLE_FAULTS, most = PP_SAMPLE_FAULTS - 1 - (to->faults & ~PP_SAMPLE_FAULTS);
        to->faults += faults < most ? faults : most;
        if (key.faults)
            continue;
        double each = (double)s->ns / (double)s->count;
        value_add(&a->g->cpu, a->g->added, *found, s->ns, ((double)s->count + s->excess) * each * each);
    }
}

static void stalls_join(struct adding *a, struct gathered_block *b, const struct profile_block *from,
                        const uint32_t *node_of, const uint32_t *path_of)
{
    (void)a;
    for (size_t i = 0; i < from->stall_count; i++) {
        const struct pp_blocked_path *s = &from->stall[i];
        struct {
            uint32_t path, node, kind, busy;
        } key = { from->path_count ? path_of[s->path] : 0, from->node_count ? node_of[s->node] : 0, s->kind, s->busy };
        uint32_t *found = map_at(&b->stalls, &key, sizeof key);
        if (*found == MAP_FRESH) {
            *found = (uint32_t)b->stall_count;
            *ARRAY_PUSH(b->stall, b->stall_count, b->stall_capacity) = (struct pp_blocked_path){
                .path = key.path, .node = key.node, .kind = key.kind, .busy = key.busy
            };
        }
        b->stall[*found].count += s->count;
        b->stall[*found].ns += s->ns;
        b->stall[*found].squares_us2 += s->squares_us2;
    }
}

static void tallies_join(struct adding *a, struct gathered_block *b, const struct profile_block *from,
                         const uint32_t *stage_of)
{
    for (size_t i = 0; i < from->tally_count; i++) {
        const struct profile_tally *t = &from->tally[i];
        struct {
            uint32_t stage, number;
        } key = { from->stage_count ? stage_of[t->stage] : 0, number_new(&a->number_of, t->number) };
        if (!key.number)
            continue;
        uint32_t *found = map_at(&b->tallies, &key, sizeof key);
        if (*found == MAP_FRESH) {
            *found = (uint32_t)b->tally_count;
            *ARRAY_PUSH(b->tally, b->tally_count, b->tally_capacity) =
                (struct profile_tally){ .stage = key.stage, .number = key.number };
        }
        struct pp_tally *to = &b->tally[*found].tally;
        to->count += t->tally.count;
        sum128_add(to->sum, t->tally.sum);
        to->low = to->low > t->tally.low ? to->low : t->tally.low;
        to->high = to->high > t->tally.high ? to->high : t->tally.high;
    }
}

void block_add(struct adding *a, size_t block, uint32_t **stage_of)
{
    const struct profile_block *from = &a->p->block[block];
    struct gathered_block *b = &a->g->block[block_new(a, block)];
    *stage_of = stages_join(a, b, from);
    uint32_t *node_of = nodes_join(a, b, from, *stage_of);
    uint32_t *path_of = paths_join(a, b, from);
    frames_join(a, b, from, node_of, *stage_of);
    samples_join(a, b, from, node_of, path_of);
    stalls_join(a, b, from, node_of, path_of);
    tallies_join(a, b, from, *stage_of);
    free(node_of);
    free(path_of);
}
