/* SPDX-License-Identifier: MIT */
/* between.c: see between.h, merge.h. */
#include "merge/between.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "merge/merge.h"

int64_t blocks_live_bytes(const struct model_blocks *b) { return (int64_t)(b->alloc_bytes - b->free_bytes); }

/* ---- snapshots of the file ---- */

static void moment_add(struct model_moment *to, const struct pp_moment *from)
{
    static const bool exact[] = {
#define PP_METRIC(id, name, unit, kind, fold, is_exact, meaning) is_exact,
#include <profplug/abi/metric.def>
    };
    if (from->kind == PP_SITE_ITERATION) {
        to->iterations += from->calls;
        return;
    }
    to->calls += from->calls;
    to->wall_ns += from->wall_ns;
    for (unsigned i = 0; i < PP_METRIC_COUNT; i++)
        to->metric[i] += metric_scale(i, from->metric[i], from->outer_calls, exact[i] ? 0 : from->sampled_for);
}

static int points_by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static void stocks_merge(struct model *model, struct model_snapshot *to, const struct profile_snapshot *from)
{
    struct {
        uint32_t number, index;
    } *order = memory_zeroed(model->point_count, sizeof *order);
    for (uint32_t i = 0; i < model->point_count; i++) {
        order[i].number = model->point[i].number;
        order[i].index = i;
    }
    if (model->point_count)
        qsort(order, model->point_count, sizeof *order, points_by_number);
    for (uint32_t i = 0; i < from->head.point_count && model->point_count; i++) {
        const struct pp_stock *s = &from->point[i];
        uint32_t number = s->point > UINT32_MAX ? 0 : (uint32_t)s->point,
                 *found = bsearch(&number, order, model->point_count, sizeof *order, points_by_number);
        struct model_blocks *b = &to->point[found ? found[1] : 0];
        b->alloc_blocks += s->alloc_blocks;
        b->alloc_bytes += s->alloc_bytes;
        b->free_blocks += s->free_blocks;
        b->free_bytes += s->free_bytes;
    }
    free(order);
}

void snapshot_merge(struct model *model, const struct profile_snapshot *from, const uint32_t *stage_of)
{
    const struct pp_snapshot *h = &from->head;
    struct model_snapshot *to = ARRAY_PUSH(model->snapshot, model->snapshot_count, model->snapshot_capacity);
    *to = (struct model_snapshot){ .label = arena_copy(&model->arena, h->label),
                                   .number = h->number,
                                   .flags = h->flags,
                                   .at_ns = h->at_ns,
                                   .took_ns = h->took_ns,
                                   .rss_bytes = h->rss_bytes,
                                   .cpu_ns = h->cpu_ns,
                                   .heap = { .alloc_blocks = h->alloc_blocks,
                                             .alloc_bytes = h->alloc_bytes,
                                             .free_blocks = h->free_blocks,
                                             .free_bytes = h->free_bytes },
                                   .stage = arena_take(&model->arena, (model->stage_count + 1) * sizeof *to->stage),
                                   .point = arena_take(&model->arena, (model->point_count + 1) * sizeof *to->point) };
    for (uint32_t i = 1; i < h->stage_count; i++)
        if (stage_of[i] != MODEL_NONE)
            moment_add(&to->stage[stage_of[i]], &from->stage[i]);
    /* an estimate cannot exceed the final value, which may be known better (operations.c) */
    for (size_t i = 0; i < model->stage_count; i++)
        for (unsigned k = PP_METRIC_READ_BYTES; k <= PP_METRIC_WRITE_BYTES; k++)
            to->stage[i].metric[k] = fmin(to->stage[i].metric[k], model->stage[i].metric[k]);
    stocks_merge(model, to, from);
    /* snapshots are published when complete, so they may be out of order */
    for (size_t i = model->snapshot_count - 1; i && model->snapshot[i - 1].number > model->snapshot[i].number; i--) {
        struct model_snapshot swap = model->snapshot[i];
        model->snapshot[i] = model->snapshot[i - 1];
        model->snapshot[i - 1] = swap;
    }
}

/* ---- the run's start and end ---- */

static struct model_snapshot start_of(const struct model *model, struct arena *arena)
{
    return (struct model_snapshot){
        .label = "start",
        .flags = PP_SNAPSHOT_CPU | (model->has_blocks ? PP_SNAPSHOT_POINTS : 0) | PP_SNAPSHOT_HEAP,
        .stage = arena_take(arena, (model->stage_count + 1) * sizeof(struct model_moment)),
        .point = arena_take(arena, (model->point_count + 1) * sizeof(struct model_blocks))
    };
}

/* What all threads requested is known only by callsite. */
static struct model_snapshot end_of(const struct model *model, struct arena *arena)
{
    struct model_snapshot s = start_of(model, arena);
    s.label = "end";
    s.number = UINT32_MAX;
    s.at_ns = model->run.wall_ns;
    s.cpu_ns = model->run.user_ns + model->run.system_ns;
    s.flags = PP_SNAPSHOT_CPU | (model->has_blocks ? PP_SNAPSHOT_POINTS | PP_SNAPSHOT_HEAP : 0);
    for (size_t i = 0; i < model->stage_count; i++) {
        const struct model_stage *from = &model->stage[i];
        s.stage[i].calls = from->times.calls;
        s.stage[i].wall_ns = from->times.wall_ns;
        s.stage[i].iterations = from->iteration.calls;
        memcpy(s.stage[i].metric, from->metric, sizeof s.stage[i].metric);
    }
    for (size_t i = 0; i < model->point_count; i++) {
        if (model->point[i].kind != PP_CALLSITE_BLOCKS) /* as in the snapshots of the file */
            continue;
        s.point[i] = model->point[i].blocks;
        s.heap.alloc_blocks += s.point[i].alloc_blocks;
        s.heap.alloc_bytes += s.point[i].alloc_bytes;
        s.heap.free_blocks += s.point[i].free_blocks;
        s.heap.free_bytes += s.point[i].free_bytes;
    }
    return s;
}

/* Lists the labels of the snapshots, or the numbers of the snapshots with that label. */
static void labels_list(const struct model *model, const char *label, char *to, size_t room)
{
    size_t used = 0, shown = 0;
    to[0] = 0;
    for (size_t i = 0; i < model->snapshot_count && shown < 5 && used < room; i++) {
        const struct model_snapshot *s = &model->snapshot[i];
        const char *gap = shown ? ", " : "";
        if (label && strcmp(s->label, label) != 0)
            continue;
        shown++;
        used += (size_t)(label || !s->label[0] ? snprintf(to + used, room - used, "%s#%u", gap, s->number)
                                               : snprintf(to + used, room - used, "%s%.20s", gap, s->label));
    }
}

static bool snapshot_find(const struct model *model, const char *name, struct arena *arena,
                          struct model_snapshot *found, char why[256])
{
    size_t count = 0;
    char list[160], *end;
    unsigned long number = name[0] == '#' && isdigit((unsigned char)name[1]) ? strtoul(name + 1, &end, 10) : 0;
    for (size_t i = 0; i < model->snapshot_count; i++)
        if (strcmp(model->snapshot[i].label, name) == 0 || (number && !*end && model->snapshot[i].number == number)) {
            *found = model->snapshot[i];
            count++;
        }
    if (count > 1) {
        labels_list(model, name, list, sizeof list);
        snprintf(why, 256, "%zu snapshots are called '%.60s'; expected one of %.120s", count, name, list);
        return false;
    }
    if (count)
        return true;
    if (strcmp(name, "start") == 0 || strcmp(name, "end") == 0) {
        *found = name[0] == 's' ? start_of(model, arena) : end_of(model, arena);
        return true;
    }
    labels_list(model, NULL, list, sizeof list);
    snprintf(why, 256, "no snapshot '%.60s' in this run; expected %s%.96s", name,
             list[0] ? "start, end or one of " : "start or end, as the program took none (profplug_snapshot)", list);
    return false;
}

/* ---- what changed ---- */

static uint64_t above(uint64_t a, uint64_t b) { return a > b ? a - b : 0; }

static struct model_blocks blocks_less(const struct model_blocks *a, const struct model_blocks *b)
{
    return (struct model_blocks){ .alloc_blocks = above(a->alloc_blocks, b->alloc_blocks),
                                  .alloc_bytes = above(a->alloc_bytes, b->alloc_bytes),
                                  .free_blocks = above(a->free_blocks, b->free_blocks),
                                  .free_bytes = above(a->free_bytes, b->free_bytes) };
}

static int sites_by_live(const void *a, const void *b)
{
    const struct between_site *x = a, *y = b;
    int64_t live = blocks_live_bytes(&x->blocks), other = blocks_live_bytes(&y->blocks);
    if (live != other)
        return live < other ? 1 : -1;
    if (x->blocks.alloc_bytes != y->blocks.alloc_bytes)
        return x->blocks.alloc_bytes < y->blocks.alloc_bytes ? 1 : -1;
    return x->allocation < y->allocation ? -1 : x->allocation > y->allocation;
}

struct model_blocks blocks_with_variance(const struct model *model, const struct model_blocks *heap)
{
    struct model_blocks b = *heap;
    b.free_bytes_variance = (uint64_t)(model->blocks_vary / 1024 * fmax((double)blocks_live_bytes(heap), 0));
    return b;
}

static uint64_t part_of(uint64_t variance, uint64_t part, uint64_t whole)
{
    return whole ? (uint64_t)((double)variance * (double)part / (double)whole) : 0;
}

static void sites_compare(struct between *d, const struct model *model)
{
    /* index + 1; the last entry is for callsites that are shown nowhere */
    uint32_t *of = memory_zeroed(model->allocation_count + 1, sizeof *of);
    for (size_t i = 0; i < model->point_count; i++) {
        struct model_blocks change = blocks_less(&d->to.point[i], &d->from.point[i]);
        uint32_t allocation = model->point[i].allocation,
                 *at = &of[allocation == MODEL_NONE ? model->allocation_count : allocation];
        if (!change.alloc_blocks && !change.free_blocks && !change.alloc_bytes && !change.free_bytes)
            continue;
        if (!*at) {
            *ARRAY_PUSH(d->site, d->site_count, d->site_capacity) =
                (struct between_site){ .allocation = allocation };
            *at = (uint32_t)d->site_count;
        }
        struct model_blocks *to = &d->site[*at - 1].blocks;
        to->alloc_blocks += change.alloc_blocks;
        to->alloc_bytes += change.alloc_bytes;
        to->free_blocks += change.free_blocks;
        to->free_bytes += change.free_bytes;
        /* snapshots keep no variances: those of the whole run, by what of it came between */
        const struct model_blocks *all = &model->point[i].blocks;
        to->alloc_blocks_variance += part_of(all->alloc_blocks_variance, change.alloc_blocks, all->alloc_blocks);
        to->alloc_bytes_variance += part_of(all->alloc_bytes_variance, change.alloc_bytes, all->alloc_bytes);
        to->free_blocks_variance += part_of(all->alloc_blocks_variance, change.free_blocks, all->alloc_blocks);
        to->free_bytes_variance += part_of(all->alloc_bytes_variance, change.free_bytes, all->alloc_bytes);
    }
    if (d->site_count)
        qsort(d->site, d->site_count, sizeof *d->site, sites_by_live);
    free(of);
}

static void stages_compare(struct between *d, const struct model *model)
{
    for (uint32_t i = 0; i < model->stage_count; i++) {
        const struct model_moment *from = &d->from.stage[i], *to = &d->to.stage[i];
        struct model_moment m = { above(to->calls, from->calls),
                                  above(to->wall_ns, from->wall_ns),
                                  above(to->iterations, from->iterations),
                                  { 0 } };
        for (unsigned k = 0; k < PP_METRIC_COUNT; k++)
            m.metric[k] = fmax(metric_is_signed(k) ? -INFINITY : 0, to->metric[k] - from->metric[k]);
        if (m.calls || m.wall_ns || m.iterations)
            *ARRAY_PUSH(d->stage, d->stage_count, d->stage_capacity) = (struct between_stage){ i, m };
    }
}

bool between_make(struct between *d, const struct model *model, const char *from, const char *to, char why[256])
{
    static struct arena arena; /* holds the start and end snapshots until the tool exits */
    *d = (struct between){ .site = NULL };
    if (!snapshot_find(model, from, &arena, &d->from, why) || !snapshot_find(model, to, &arena, &d->to, why))
        return false;
    if (d->from.at_ns > d->to.at_ns) {
        snprintf(why, 256, "'%.60s' was taken after '%.60s'; expected the earlier one first", from, to);
        return false;
    }
    uint32_t both = d->from.flags & d->to.flags;
    d->wall_ns = d->to.at_ns - d->from.at_ns;
    d->rss_known = both & PP_SNAPSHOT_RSS;
    d->rss_bytes = (int64_t)(d->to.rss_bytes - d->from.rss_bytes);
    d->cpu_known = both & PP_SNAPSHOT_CPU;
    d->cpu_ns = above(d->to.cpu_ns, d->from.cpu_ns);
    d->heap_known = both & PP_SNAPSHOT_HEAP;
    d->heap = blocks_less(&d->to.heap, &d->from.heap);
    d->heap.free_bytes_variance = blocks_with_variance(model, &d->to.heap).free_bytes_variance +
                                  blocks_with_variance(model, &d->from.heap).free_bytes_variance;
    d->sites_known = both & PP_SNAPSHOT_POINTS;
    if (d->sites_known)
        sites_compare(d, model);
    stages_compare(d, model);
    return true;
}

void between_free(struct between *d)
{
    free(d->site);
    free(d->stage);
}
