/* SPDX-License-Identifier: MIT */
/* volume.c: bytes that the program copies by memcpy or fills by memset, and what its own allocators hand out, by
 * callsite. The plugin has these calls counted with copies=on and allocators=on. None of it is part of the heap's
 * figures. */
#define _GNU_SOURCE
#include "memory/account.h"
#include "memory/volume.h"
#include "stack/callsite.h"
#include "system/state.h"

#include <string.h>

_Static_assert(PP_METRIC_COPIES - PP_METRIC_COPY_BYTES == 1 && PP_METRIC_POOL_BLOCKS - PP_METRIC_POOL_BYTES == 1 &&
                   PP_METRIC_FILLS - PP_METRIC_FILL_BYTES == 1,
               "struct pp_volume is copied to two metrics");

static bool on;

static void book(enum pp_volume_kind which, enum pp_metric metric, enum pp_callsite_kind kind, uint64_t bytes,
                 const void *caller)
{
    bool shared;
    if (PP_UNLIKELY(!on || !*pp_fork_generation || atomic_load_explicit(&pp_file_is_lost, memory_order_relaxed)))
        return;
    _Atomic uint64_t *measured = (_Atomic uint64_t *)&pp_run.header->metrics_measured;
    /* The metric counts as measured from the first such call on, so that other programs show no zeros. */
    if (PP_UNLIKELY(!(atomic_load_explicit(measured, memory_order_relaxed) >> metric & 1)))
        atomic_fetch_or_explicit(measured, UINT64_C(3) << metric, memory_order_relaxed);
    struct pp_thread *thread = booking_thread();
    uint32_t callsite = pp_callsite_of_kind(caller, kind);
    struct pp_block *b = callsite ? block_of(thread, callsite, &shared) : NULL; /* number 0 stands for the heap */
    if (PP_LIKELY(thread)) {
        struct pp_volume *volume = &pp_private(thread)->volume[which];
        word_add(&volume->bytes, bytes);
        word_add(&volume->count, 1);
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
    if (bytes & PP_FILLED)
        book(PP_VOLUME_FILLED, PP_METRIC_FILL_BYTES, PP_CALLSITE_FILLS, bytes & ~PP_FILLED, caller);
    else
        book(PP_VOLUME_COPIED, PP_METRIC_COPY_BYTES, PP_CALLSITE_COPIES, bytes, caller);
}
void pp_volume_handed(uint64_t bytes, const void *caller)
{
    book(PP_VOLUME_POOLED, PP_METRIC_POOL_BYTES, PP_CALLSITE_POOLS, bytes, caller);
}

static void volume_start(void) { on = true; }

static void volume_read(struct pp_thread *thread, uint64_t *values)
{
    const struct pp_volume *volume = pp_private(thread)->volume;
    memcpy(&values[PP_METRIC_COPY_BYTES], &volume[PP_VOLUME_COPIED], sizeof *volume);
    memcpy(&values[PP_METRIC_POOL_BYTES], &volume[PP_VOLUME_POOLED], sizeof *volume);
    memcpy(&values[PP_METRIC_FILL_BYTES], &volume[PP_VOLUME_FILLED], sizeof *volume);
}

const struct pp_metric_source pp_source_volume = {
    .name = "volume",
    .collector = PP_COLLECTOR_MEMORY,
    .metrics = 1u << PP_METRIC_COPY_BYTES | 1u << PP_METRIC_COPIES | 1u << PP_METRIC_POOL_BYTES |
               1u << PP_METRIC_POOL_BLOCKS | 1u << PP_METRIC_FILL_BYTES | 1u << PP_METRIC_FILLS,
    .start = volume_start,
    .read = volume_read,
};
