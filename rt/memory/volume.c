/* SPDX-License-Identifier: MIT */
/* volume.c: what the program copies by memcpy and its kin or fills by memset, and what allocators of its own hand out, by the line of the call: as the plugin's copies=on and
 * allocators=on have the calls counted. Nothing of it is the heap's. */
#define _GNU_SOURCE
#include "memory/account.h"
#include "memory/volume.h"
#include "stack/callsite.h"
#include "system/state.h"

#include <string.h>

enum { WORD_COPY_BYTES, WORD_COPIES, WORD_POOL_BYTES, WORD_POOL_BLOCKS, WORD_FILL_BYTES, WORD_FILLS };     /* pp_private.volume; in the order of the metrics */
_Static_assert(PP_METRIC_POOL_BLOCKS - PP_METRIC_COPY_BYTES == WORD_POOL_BLOCKS, "order of the metrics");
_Static_assert(PP_METRIC_FILLS - PP_METRIC_FILL_BYTES == WORD_FILLS - WORD_FILL_BYTES, "order of the metrics");

static bool on;

static void book(unsigned word, enum pp_metric metric, enum pp_callsite_kind kind, uint64_t bytes, const void *caller)
{
    bool shared;
    if (PP_UNLIKELY(!on || !*pp_fork_generation || atomic_load_explicit(&pp_file_is_lost, memory_order_relaxed))) return;
    _Atomic uint64_t *measured = (_Atomic uint64_t *)&pp_run.header->metrics_measured;
    if (PP_UNLIKELY(!(atomic_load_explicit(measured, memory_order_relaxed) >> metric & 1)))      /* only a program that has such calls shows 0 of them */
        atomic_fetch_or_explicit(measured, UINT64_C(3) << metric, memory_order_relaxed);
    struct pp_thread *thread = booking_thread();
    uint32_t point = pp_callsite_of_kind(caller, kind);
    struct pp_block *b = point ? block_of(thread, point, &shared) : NULL;        /* number 0 is the heap's */
    if (PP_LIKELY(thread)) {
        word_add(&pp_private(thread)->volume[word], bytes);
        word_add(&pp_private(thread)->volume[word + 1], 1);
    }
    if (PP_UNLIKELY(!b)) {
        pp_loss(PP_LOSS_RECORDS, 1);
        return;
    }
    block_add(shared, &b->alloc_bytes, bytes);
    block_add(shared, &b->alloc_blocks, 1);
}

void pp_volume_copied(uint64_t bytes, const void *caller)
{
    if (bytes & PP_FILLED) book(WORD_FILL_BYTES, PP_METRIC_FILL_BYTES, PP_CALLSITE_FILLS, bytes & ~PP_FILLED, caller);
    else book(WORD_COPY_BYTES, PP_METRIC_COPY_BYTES, PP_CALLSITE_COPIES, bytes, caller);
}
void pp_volume_handed(uint64_t bytes, const void *caller) { book(WORD_POOL_BYTES, PP_METRIC_POOL_BYTES, PP_CALLSITE_POOLS, bytes, caller); }

static void volume_start(void) { on = true; }

static void volume_read(struct pp_thread *thread, uint64_t *values)
{
    memcpy(&values[PP_METRIC_COPY_BYTES], pp_private(thread)->volume, WORD_FILL_BYTES * sizeof(uint64_t));
    memcpy(&values[PP_METRIC_FILL_BYTES], &pp_private(thread)->volume[WORD_FILL_BYTES], 2 * sizeof(uint64_t));
}

const struct pp_metric_source pp_source_volume = {
    .name = "volume", .collector = PP_COLLECTOR_MEMORY,
    .metrics = 1u << PP_METRIC_COPY_BYTES | 1u << PP_METRIC_COPIES | 1u << PP_METRIC_POOL_BYTES | 1u << PP_METRIC_POOL_BLOCKS |
               1u << PP_METRIC_FILL_BYTES | 1u << PP_METRIC_FILLS,
    .start = volume_start, .read = volume_read,
};
