/* SPDX-License-Identifier: MIT */
/* sums.c: adds what is booked by callsite, target and key: operations, blocks of the heap, response times, counters.
 * What lived when the heap was largest is that of one file: the one whose heap was the largest. See gathering.h. */
#include "gather/gathering.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void value_add(struct gathered_values *to, size_t part, uint32_t subject, uint64_t value, double variance)
{
    to->full = to->full || to->count >= GATHER_VALUES;
    if (value && !to->full)
        *ARRAY_PUSH(to->item, to->count, to->capacity) =
            (struct gathered_value){ (uint32_t)part, subject, value, (float)variance };
}

/* ---- operations ---- */

static uint64_t operation_key(struct adding *a, const struct profile_operation *o, uint32_t stage)
{
    uint32_t point = number_new(&a->point_of, o->point), target = number_new(&a->target_of, o->target);
    if (o->kind == PP_OPERATION_HELD) /* its target is a callsite, and a kind */
        target = number_new(&a->point_of, PP_HELD_CALLSITE(o->target)) | PP_HELD_KIND(o->target) << 16;
    return PP_OPERATION_KEY(point & 0xffffu, o->kind, stage <= 0xfffu ? stage : 0, target & 0xffffffu);
}

static void operations_join(struct adding *a, uint32_t *const *stage_of)
{
    for (size_t i = 0; i < a->p->operation_count; i++) {
        const struct profile_operation *o = &a->p->operation[i];
        bool owned = o->block != UINT32_MAX;
        struct gathered_block *b = &a->g->block[owned ? block_new(a, o->block) : 0];
        uint32_t stage = owned && a->p->block[o->block].stage_count ? stage_of[o->block][o->stage] : 0;
        uint64_t key = operation_key(a, o, stage);
        uint32_t *found = map_at(&b->operations, &key, sizeof key);
        if (*found == MAP_FRESH) {
            *found = (uint32_t)b->operation_count;
            *ARRAY_PUSH(b->operation, b->operation_count, b->operation_capacity) = (struct pp_operation){ .key = key };
        }
        struct pp_operation *to = &b->operation[*found];
        const struct pp_operation *from = &o->sum;
        to->untimed += from->untimed;
        to->bytes += from->bytes;
        to->sequential = o->kind == PP_OPERATION_HELD
                             ? number_new(&a->point_of, (uint32_t)from->sequential)
                             : to->sequential + from->sequential;
        for (unsigned k = 0; k < PP_SIZES; k++)
            to->size[k] += from->size[k];
        to->timed += from->timed;
        to->errors += from->errors;
        to->stood += from->stood;
        to->wall_ns += from->wall_ns;
        to->wait_ns += from->wait_ns;
        to->most_ns = from->most_ns > to->most_ns ? from->most_ns : to->most_ns;
        to->spread += from->spread;
        to->cpu_ns += from->cpu_ns;
    }
}

static void answers_join(struct adding *a)
{
    struct gather *g = a->g;
    for (size_t i = 0; i < a->p->answers_count; i++) {
        const struct profile_answers *from = &a->p->answers[i];
        struct {
            uint32_t target, kind;
        } key = { number_new(&a->target_of, from->target), from->kind };
        if (!key.target)
            continue;
        uint32_t found = map_get(&g->answer, &key, sizeof key);
        if (found == MAP_FRESH && g->answers_count == GATHER_ANSWERS)
            continue; /* as the runtime: only the first targets have a histogram */
        if (found == MAP_FRESH) {
            *map_at(&g->answer, &key, sizeof key) = found = (uint32_t)g->answers_count;
            *ARRAY_PUSH(g->answers, g->answers_count, g->answers_capacity) = (struct gathered_answers){
                key.target, key.kind, memory_zeroed(PP_BUCKETS, sizeof(uint64_t))
            };
        }
        for (uint32_t k = 0; k < from->bucket_count; k++)
            g->answers[found].histogram[from->bucket[k].bucket] += from->bucket[k].count;
    }
}

/* ---- the heap ---- */

static void blocks_join(struct adding *a)
{
    struct gather *g = a->g;
    int64_t peak_bytes = 0;
    if (g->sum_capacity < g->point_count + 1) {
        size_t wanted = 2 * g->point_count + 16;
        g->sum = array_extended(g->sum, g->sum_capacity, wanted, sizeof *g->sum);
        g->sum_capacity = wanted;
    }
    for (size_t i = 0; i < a->p->blocks_count; i++)
        peak_bytes = (int64_t)((uint64_t)peak_bytes + a->p->blocks[i].sum.peak_bytes);
    bool largest = a->p->has_peak && (!g->has_peak || peak_bytes > g->peak_bytes);
    for (size_t i = 0; largest && i < g->sum_capacity; i++)
        g->sum[i].peak_blocks = g->sum[i].peak_bytes = 0;
    if (largest) {
        g->has_peak = true;
        g->peak_bytes = peak_bytes;
    }
    for (size_t i = 0; i < a->p->blocks_count; i++) {
        const struct pp_block *from = &a->p->blocks[i].sum;
        struct pp_block *to = &g->sum[number_new(&a->point_of, a->p->blocks[i].number)];
        to->alloc_blocks += from->alloc_blocks;
        to->alloc_bytes += from->alloc_bytes;
        to->free_blocks += from->free_blocks;
        to->free_bytes += from->free_bytes;
        to->temporary_blocks += from->temporary_blocks;
        to->alloc_blocks_variance += from->alloc_blocks_variance;
        to->alloc_bytes_variance += from->alloc_bytes_variance;
        to->free_blocks_variance += from->free_blocks_variance;
        to->free_bytes_variance += from->free_bytes_variance;
        to->touched_bytes += from->touched_bytes;
        to->peak_blocks += largest ? from->peak_blocks : 0;
        to->peak_bytes += largest ? from->peak_bytes : 0;
    }
}

/* ---- counters ---- */

static void counters_join(struct adding *a)
{
    struct gather *g = a->g;
    if (g->counter_capacity < g->key_count) {
        g->counter = array_extended(g->counter, g->counter_capacity, g->key_count, sizeof *g->counter);
        g->counter_capacity = g->key_count;
    }
    for (size_t i = 0; i < a->p->counter_count; i++) {
        const struct profile_counter *c = &a->p->counter[i];
        uint64_t key = key_new(a, c->key);
        if (!key || key >= g->counter_capacity)
            continue;
        g->counter[key] += c->calls;
        if (key < g->function_capacity && g->function_name[key])
            value_add(&g->calls, g->added, (uint32_t)key, c->calls, 0);
    }
}

void bookings_add(struct adding *a, uint32_t *const *stage_of)
{
    operations_join(a, stage_of);
    answers_join(a);
    blocks_join(a);
    counters_join(a);
}
