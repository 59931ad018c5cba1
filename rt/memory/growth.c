/* SPDX-License-Identifier: MIT */
/* growth.c: how much of the heap lives at the end of a stage's entries, in little room, so that a report can tell
 * whether it grows. It must not know what a stage is. */
#include "memory/growth.h"
#include "memory/heap.h"
#include "memory/heapsample.h"
#include "stack/callsite.h"
#include "system/state.h"
#include "thread/thread.h"
#include <string.h>

#define THREADS_MOST 256u /* their sums are read each time; with more threads the heap is not looked at */
#define SHIFT_MOST 57u

/* Sums the live bytes over all threads, since one thread may free what another allocated. `with_blocks`: and a byte for
 * each live block. */
static bool live_sum(uint64_t *bytes, bool with_blocks)
{
    uint64_t sum = 0;
    uint32_t threads = pp_thread_count();
    if (!pp_on(PP_COLLECTOR_MEMORY) || !(pp_run.header->metrics_measured >> PP_METRIC_ALLOC_BYTES & 1))
        return false;
    if (threads > THREADS_MOST) {
        pp_loss(PP_LOSS_GROWTH, 1);
        return false;
    }
    for (uint32_t id = 1; id <= threads; id++) {
        struct pp_thread *thread = pp_thread_at(id);
        uint64_t sums[4] = { 0 };
        if (thread)
            pp_heap_sums(&pp_private(thread)->heap, sums);
        sum += sums[PP_HEAP_ALLOC_BYTES] - sums[PP_HEAP_FREE_BYTES];
        if (with_blocks)
            sum += sums[PP_HEAP_ALLOC_BLOCKS] - sums[PP_HEAP_FREE_BLOCKS];
    }
    *bytes = (int64_t)sum > 0 ? sum : 0; /* a fork's child frees blocks that its parent got */
    return true;
}

bool pp_growth_live(uint64_t *bytes) { return live_sum(bytes, false); }

static uint64_t lower(uint64_t a, uint64_t b) { return !a ? b : !b || a < b ? a : b; }

void pp_growth_note(struct pp_growth *g, uint64_t index)
{
    uint64_t bytes;
    /* Where blocks are sampled, groups without a sampled block have the same bytes. How many blocks live is known, so
     * that a leak of small blocks rises in each of them. */
    if (!live_sum(&bytes, pp_heapsample_estimates()) || index >> SHIFT_MOST >= PP_FLOORS)
        return;
    while (index >> g->shift >= PP_FLOORS) { /* a handler that interrupts this may misplace one floor */
        atomic_store_explicit((_Atomic uint32_t *)&g->turn, g->turn + 1, memory_order_release); /* partner: a reader */
        for (unsigned i = 0; i < PP_FLOORS / 2; i++)
            g->floor[i] = lower(g->floor[2 * i], g->floor[2 * i + 1]);
        memset(g->floor + PP_FLOORS / 2, 0, sizeof g->floor / 2);
        g->shift++;
        atomic_store_explicit((_Atomic uint32_t *)&g->turn, g->turn + 1, memory_order_release);
    }
    uint64_t *floor = &g->floor[index >> g->shift];
    *floor = lower(*floor, bytes + 1);
}
