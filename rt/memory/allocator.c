/* SPDX-License-Identifier: MIT */
/* allocator.c: the C library's allocator at stage boundaries: what its main arena holds, how much of that lives, and
 * how much is free between live blocks. */
#include "memory/heapwalk.h"
#include "system/state.h"

enum { METRIC_BITS = 1u << PP_METRIC_ARENA_BYTES | 1u << PP_METRIC_ARENA_USED_BYTES | 1u << PP_METRIC_ARENA_GAP_BYTES };

static void allocator_start(void)
{
    pp_heapwalk_start();
    if (pp_heapwalk_known())
        pp_run.header->metrics_measured |= METRIC_BITS;
}

static void allocator_fork_child(struct pp_thread *thread)
{
    (void)thread;
    pp_heapwalk_fork_child();
}

static bool allocator_level(struct pp_thread *thread, uint64_t *values)
{
    struct pp_standing s;
    if (!(pp_run.header->metrics_measured >> PP_METRIC_ARENA_BYTES & 1) || !pp_heapwalk_look(thread, &s))
        return false;
    values[PP_METRIC_ARENA_BYTES] = s.held;
    values[PP_METRIC_ARENA_USED_BYTES] = s.used;
    values[PP_METRIC_ARENA_GAP_BYTES] = s.held - s.used - s.top;
    return true;
}

const struct pp_metric_source pp_source_allocator = {
    .name = "allocator",
    .collector = PP_COLLECTOR_MEMORY,
    .metrics = METRIC_BITS,
    .start = allocator_start,
    .fork_child = allocator_fork_child,
    .level = allocator_level,
};
