/* SPDX-License-Identifier: MIT */
/* blocks.c: heap blocks and mappings: from the callsites that threads booked them at to lines and functions. It must
 * not know how a place is named. See merge.h. */
#include <math.h>
#include <stdlib.h>

#include "merge/merge.h"

static void blocks_add(struct model_blocks *to, const struct model_blocks *more)
{
    to->alloc_blocks += more->alloc_blocks;
    to->alloc_bytes += more->alloc_bytes;
    to->free_blocks += more->free_blocks;
    to->free_bytes += more->free_bytes;
    to->temporary_blocks += more->temporary_blocks;
    to->peak_blocks += more->peak_blocks;
    to->peak_bytes += more->peak_bytes;
    to->alloc_blocks_variance += more->alloc_blocks_variance;
    to->alloc_bytes_variance += more->alloc_bytes_variance;
    to->free_blocks_variance += more->free_blocks_variance;
    to->free_bytes_variance += more->free_bytes_variance;
    to->touched_bytes += more->touched_bytes;
}

#define FIRST_BLOCKS 512.0 /* EXACT_BLOCKS of rt/memory/heapsample.c: before so many every block was drawn */
#define SMALLEST 16.0      /* bytes; an error of what one of those stands for says that small ones were drawn */
#define SURPRISING 2.0     /* so many errors are more than the variance explains if none of these was drawn */
#define SURPRISING_DRAWN 4.0 /* and if some were, as one run in 40 has two; few drawn have told too little variance */
#define MISSING_MOST 3e9   /* its square is a number of 64 bits */

/* Small blocks of which none was drawn are in no line, and add nothing to its variance. How many calls there were is
 * counted, so those that are missing are known. Where they are more than the variance explains, what is beyond it is
 * divided by blocks: any recorded block's line may be theirs. Of bytes they have about one mean distance, as the next
 * draw would have come then. */
static void undrawn_estimate(struct model *model)
{
    struct model_blocks all = { 0 };
    for (size_t i = 0; i < model->point_count; i++)
        if (model->point[i].kind == PP_CALLSITE_BLOCKS)
            blocks_add(&all, &model->point[i].blocks);
    double got = (double)all.alloc_blocks, given = (double)all.free_blocks, calls = (double)model->run.heap_calls,
           got_error = sqrt((double)all.alloc_blocks_variance), given_error = sqrt((double)all.free_blocks_variance),
           missing = fmin(calls - got - given, MISSING_MOST), mean = (double)model->run.blocks_mean,
           surprising = got_error < mean / SMALLEST ? SURPRISING : SURPRISING_DRAWN * sqrt(calls / (got + given));
    if (got < FIRST_BLOCKS || missing <= surprising * (got_error + given_error)) /* one block errs in both */
        return;
    /* Of those that are missing at least half were got: each can be given back once. */
    double of_got = missing * fmax(0.5, got / (got + given)), of_given = missing - of_got,
           got_more = fmax(of_got * of_got - (double)all.alloc_blocks_variance, 1),
           given_more = fmax(of_given * of_given - (double)all.free_blocks_variance, 0);
    model->undrawn_blocks = (uint64_t)ceil(of_got);
    for (size_t i = 0; i < model->point_count; i++) {
        struct model_blocks *b = &model->point[i].blocks;
        double share = fmin((double)b->alloc_blocks / got, 1);
        if (model->point[i].kind != PP_CALLSITE_BLOCKS || share <= 0)
            continue;
        b->alloc_blocks_variance += (uint64_t)ceil(share * got_more);
        b->alloc_bytes_variance += (uint64_t)ceil(share * mean * mean / 1024);
        share = given > 0 ? fmin((double)b->free_blocks / given, 1) : 0;
        b->free_blocks_variance += (uint64_t)ceil(share * given_more);
        b->free_bytes_variance += (uint64_t)ceil(share * (given_more > 0 ? mean * mean / 1024 : 0));
    }
}

/* With blocks=sampled what stages gave back and held is an estimate, too. Its variance grows with the bytes behind it,
 * as that of all blocks does. Blocks that one entry got and gave back add nothing, so it is an upper bound. */
static void stages_estimate(struct model *model)
{
    struct model_blocks all = { 0 };
    for (size_t i = 0; i < model->point_count; i++)
        if (model->point[i].kind == PP_CALLSITE_BLOCKS)
            blocks_add(&all, &model->point[i].blocks);
    double of_byte = all.alloc_bytes ? 1024.0 * (double)all.alloc_bytes_variance / (double)all.alloc_bytes : 0,
           of_block = all.alloc_blocks ? (double)all.alloc_blocks_variance / (double)all.alloc_blocks : 0,
           live_error = blocks_errors(&all).live_bytes;
    model->blocks_vary = of_byte;
    for (size_t i = 0; i < model->stage_count; i++) {
        struct model_stage *s = &model->stage[i];
        double *value = s->metric, *variance = s->metric_variance;
        bool gives_back = value[PP_METRIC_FREE_BLOCKS] > 0; /* that is counted */
        value[PP_METRIC_FREE_BYTES] = gives_back ? fmax(value[PP_METRIC_FREE_BYTES], 0) : 0;
        if (!(of_byte > 0))
            continue;
        /* What grew most likely lives at the end. A sum of samples errs more on a line than at its ends. */
        double rise = fabs(s->growth.last_bytes - s->growth.first_bytes),
               rise_error = sqrt(1.2 * fmax(live_error * live_error, of_byte * rise));
        if (s->growth.step_count && s->times.calls)
            s->growth.slope_error_bytes =
                hypot(s->growth.slope_error_bytes, rise_error / (double)s->times.calls);
        variance[PP_METRIC_FREE_BYTES] =
            gives_back ? of_byte * (value[PP_METRIC_ALLOC_BYTES] + value[PP_METRIC_FREE_BYTES]) : 0;
        variance[PP_METRIC_PEAK_BYTES] = of_byte * value[PP_METRIC_PEAK_BYTES];
        variance[PP_METRIC_TEMPORARY_BLOCKS] = of_block * value[PP_METRIC_TEMPORARY_BLOCKS];
        s->metric_exact[PP_METRIC_PEAK_BYTES] = s->metric_exact[PP_METRIC_TEMPORARY_BLOCKS] = false;
        s->metric_exact[PP_METRIC_FREE_BYTES] = !gives_back;
    }
}

void points_merge(struct model *model, const struct profile *profile)
{
    uint32_t most = 0;
    /* callsites are limited by the file's size, but sums may name any number */
    for (size_t i = 0; i < profile->point_count; i++)
        most = profile->point[i].number > most ? profile->point[i].number : most;
    for (size_t i = 0; i < model->operation_count; i++)
        most = model->operation[i].point > most ? model->operation[i].point : most;
    if (!profile->blocks_count && !model->operation_count) {
        threads_settle(model, NULL, 0);
        timeline_settle(model, NULL, 0);
        return;
    }
    uint32_t *of_number = memory_zeroed((size_t)most + 1, sizeof *of_number); /* index of the point + 1 */
    *ARRAY_PUSH(model->point, model->point_count, model->point_capacity) =
        (struct model_point){ .allocation = MODEL_NONE };
    for (size_t i = 0; i < profile->point_count; i++) {
        const struct profile_point *from = &profile->point[i];
        if (from->number > most || from->number == 0)
            continue;
        of_number[from->number] = (uint32_t)model->point_count;
        *ARRAY_PUSH(model->point, model->point_count, model->point_capacity) =
            (struct model_point){ .kind = (enum pp_callsite_kind)from->point.kind,
                                  .address = from->point.address,
                                  .module = from->point.module,
                                  .library = from->point.library,
                                  .known = true,
                                  .number = from->number,
                                  .allocation = MODEL_NONE };
    }
    for (size_t i = 0; i < profile->point_count; i++) {
        const struct profile_point *from = &profile->point[i];
        if (from->number && from->number <= most && from->point.outer < from->number)
            model->point[of_number[from->number]].outer = of_number[from->point.outer];
    }
    for (size_t i = 0; i < profile->blocks_count; i++) {
        const struct pp_block *sum = &profile->blocks[i].sum;
        uint32_t number = profile->blocks[i].number;
        struct model_point *point = &model->point[number <= most ? of_number[number] : 0];
        model->has_blocks = model->has_blocks || point->kind == PP_CALLSITE_BLOCKS;
        blocks_add(&point->blocks,
                   &(struct model_blocks){ sum->alloc_blocks, sum->alloc_bytes, sum->free_blocks, sum->free_bytes,
                                           sum->temporary_blocks, sum->peak_blocks, sum->peak_bytes,
                                           sum->alloc_blocks_variance, sum->alloc_bytes_variance,
                                           sum->free_blocks_variance, sum->free_bytes_variance,
                                           sum->touched_bytes });
    }
    operations_settle(model, of_number);
    holds_settle(model, of_number, most);
    threads_settle(model, of_number, most);
    timeline_settle(model, of_number, most);
    free(of_number);
    if (model->run.blocks_mean) {
        undrawn_estimate(model);
        stages_estimate(model);
    }
    model->has_peak = profile->has_peak;
}

static uint32_t module_index(const struct model *model, uint32_t id)
{
    for (uint32_t i = 0; id && i < model->module_count; i++)
        if (model->module[i].id == id)
            return i;
    return MODEL_NONE;
}

/* Finds or makes the row for one place. */
static struct model_allocation *allocation_row(struct model *model, struct map *seen, enum pp_callsite_kind kind,
                                               const struct model_allocation *a)
{
    uint32_t key[] = { kind, a->line, a->function, a->module, a->library, a->attributed };
    uint32_t *found = map_at(seen, (const char *)key, sizeof key);
    bool fresh = *found == MAP_FRESH;
    if (kind == PP_CALLSITE_MAPPINGS) {
        if (fresh) {
            *found = (uint32_t)model->mapping_count;
            *ARRAY_PUSH(model->mapping, model->mapping_count, model->mapping_capacity) = *a;
        }
        return &model->mapping[*found];
    }
    if (kind == PP_CALLSITE_COPIES || kind == PP_CALLSITE_POOLS || kind == PP_CALLSITE_FILLS) {
        if (fresh) {
            *found = (uint32_t)model->volume_count;
            *ARRAY_PUSH(model->volume, model->volume_count, model->volume_capacity) = *a;
        }
        return &model->volume[*found];
    }
    if (fresh) {
        *found = (uint32_t)model->allocation_count;
        *ARRAY_PUSH(model->allocation, model->allocation_count, model->allocation_capacity) = *a;
    }
    return &model->allocation[*found];
}

static struct model_blocks *line_sum(struct model_line *l, enum pp_callsite_kind kind)
{
    return kind == PP_CALLSITE_MAPPINGS ? &l->mappings
           : kind == PP_CALLSITE_COPIES ? &l->copies
           : kind == PP_CALLSITE_POOLS  ? &l->pools
           : kind == PP_CALLSITE_FILLS  ? &l->fills
                                        : &l->blocks;
}

static struct model_blocks *function_sum(struct model_function *f, enum pp_callsite_kind kind)
{
    return kind == PP_CALLSITE_MAPPINGS ? &f->mappings
           : kind == PP_CALLSITE_COPIES ? &f->copies
           : kind == PP_CALLSITE_POOLS  ? &f->pools
           : kind == PP_CALLSITE_FILLS  ? &f->fills
                                        : &f->blocks;
}

void blocks_sum(struct model *model, const struct locations *where)
{
    struct map seen = { 0 };
    for (size_t i = 0; i < model->point_count; i++) {
        const struct model_point *p = &model->point[i];
        bool heap = p->kind == PP_CALLSITE_BLOCKS, known = p->known && (heap || p->address);
        struct model_allocation a = {
            MODEL_NONE, MODEL_NONE, module_index(model, p->module), module_index(model, p->library), known,
            { 0 },      p->kind
        };
        uint32_t inner = MODEL_NONE;
        const struct locate_place *place = p->known ? &where->place[where->of_point[i]] : NULL;
        if (!p->blocks.alloc_blocks && !p->blocks.free_blocks && !p->blocks.free_bytes)
            continue;
        if (place && place->count) {
            const struct locate_step *step = locations_user_of_point(model, where, (uint32_t)i);
            inner = locations_inner(where, where->of_point[i], step);
            a.line = step->line;
            a.function = step->function;
        }
        struct model_allocation *row = allocation_row(model, &seen, p->kind, &a);
        blocks_add(&row->blocks, &p->blocks);
        model->point[i].allocation = heap ? (uint32_t)(row - model->allocation) : MODEL_NONE;
        if (a.line != MODEL_NONE)
            blocks_add(line_sum(&model->line[a.line], p->kind), &p->blocks);
        if (heap && a.line != MODEL_NONE && inner != MODEL_NONE)
            blocks_add(&inner_row(model, a.line, inner)->blocks, &p->blocks);
        if (a.function != MODEL_NONE)
            blocks_add(function_sum(&model->function[a.function], p->kind), &p->blocks);
    }
    map_free(&seen);
}
