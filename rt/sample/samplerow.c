/* SPDX-License-Identifier: MIT */
/* samplerow.c: see samplerow.h. A thread's tables form a list: the newest first, each larger than the next. */
#include "sample/samplerow.h"
#include "file/datafile.h"
#include "system/state.h"

#define FIRST_CAPACITY 32  /* rows of a thread's first table of samples: less than a page */
#define QUICK_CAPACITY 512 /* up to here a table has four times its predecessor's rows, then twice */

static uint64_t place_hash(const struct pp_sample *s)
{
    uint64_t h = s->address ^ (uint64_t)s->module << 48 ^ (uint64_t)s->library << 40 ^ (uint64_t)s->node << 20 ^
                 (uint64_t)s->path << 32;
    h *= UINT64_C(0x9e3779b97f4a7c15);
    return h ^ h >> 32;
}

static bool is_used(const struct pp_sample *row) { return row->count || row->faults & PP_SAMPLE_FAULTS; }

/* Called twice, in line nowhere: programs carry this text. */
static __attribute__((noinline)) struct pp_sample *row_find(struct pp_samples *table, const struct pp_sample *place,
                                                            uint32_t faults, uint64_t hash)
{
    struct pp_sample *row = (struct pp_sample *)(table + 1);
    uint32_t capacity = table->capacity, mask = capacity - 1;
    if (PP_UNLIKELY(!capacity))
        return NULL; /* the file was truncated, and fault.c put zero pages in its place */
    for (uint32_t i = (uint32_t)hash & mask, tried = 0; tried <= mask; i = (i + 1) & mask, tried++)
        if (!is_used(&row[i]) ||
            (row[i].address == place->address && row[i].module == place->module && row[i].library == place->library &&
             row[i].node == place->node && row[i].path == place->path &&
             (row[i].faults & PP_SAMPLE_FAULTS) == faults))
            return &row[i];
    return NULL;
}

static struct pp_samples *table_older(struct pp_samples *table) { return (struct pp_samples *)(uintptr_t)table->older; }

static struct pp_samples *table_add(struct pp_thread *thread, uint64_t *word)
{
    struct pp_samples *older = (struct pp_samples *)(uintptr_t)*word;
    uint32_t capacity = !older                              ? FIRST_CAPACITY
                        : older->capacity < QUICK_CAPACITY ? older->capacity * 4
                                                           : older->capacity * 2;
    struct pp_extent extent;
    if (!pp_extent_claim(&extent, sizeof(struct pp_samples) + (uint64_t)capacity * sizeof(struct pp_sample)))
        return NULL;
    struct pp_samples *table = extent.address;
    table->capacity = capacity;
    table->older = (uint64_t)(uintptr_t)older;
    pp_extent_publish(&extent, PP_EXTENT_SAMPLES, thread->id);
    *word = (uint64_t)(uintptr_t)table;
    return table;
}

struct pp_sample *pp_samplerow_get(struct pp_thread *thread, uint64_t *word, const struct pp_sample *place,
                                   uint32_t faults, uint64_t weight)
{
    struct pp_samples *newest = (struct pp_samples *)(uintptr_t)*word;
    uint64_t hash = place_hash(place);
    struct pp_sample *row, *room = NULL;
    for (struct pp_samples *table = newest; table; table = table_older(table)) {
        row = row_find(table, place, faults, hash);
        if (row && is_used(row))
            return row;
        if (table == newest)
            room = row;
    }
    if (!newest || newest->used >= newest->capacity / 4 * 3) {
        struct pp_samples *larger = table_add(thread, word);
        if (larger) {
            newest = larger;
            room = row_find(newest, place, faults, hash);
        }
    }
    if (!room) {
        pp_loss(PP_LOSS_SAMPLES, weight);
        return NULL;
    }
    room->address = place->address;
    room->module = place->module;
    room->library = place->library;
    room->node = place->node;
    room->path = place->path;
    newest->used++;
    /* partner: sample_take in the report, which takes a row of faults by this bit, and one of samples by its count */
    if (faults)
        atomic_store_explicit((_Atomic uint32_t *)&room->faults, faults, memory_order_release);
    return room;
}
