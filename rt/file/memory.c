/* SPDX-License-Identifier: MIT */
/* memory.c: private memory of the runtime. It must not know what it is for. */
#define _GNU_SOURCE
#include "file/memory.h"
#include "system/clock.h"
#include "system/state.h"
#include "system/syscall.h"
#include <sys/mman.h>
#include <sys/resource.h>

static _Atomic uint64_t taken_bytes = PP_STATIC_BYTES;

/* Without limits nobody asks again before so much more is taken: a limit that the program sets later is met then. */
#define UNASKED_BYTES (UINT64_C(2) << 20)
static _Atomic uint64_t unlimited_bytes;
/* The least that a limit refused. As much is asked for again after 1, 2, 4 ... further refusals, as a probe may ask at
 * each call. */
static _Atomic uint64_t refused_bytes = UINT64_MAX, refusals;

bool pp_memory_fits(uint64_t bytes)
{
    if (pp_forbids(PP_FORBIDDEN_MEMORY))
        return false;
    uint64_t whole = atomic_load_explicit(&taken_bytes, memory_order_relaxed) + bytes, times = 0, most = RLIM_INFINITY;
    if (whole >= atomic_load_explicit(&refused_bytes, memory_order_relaxed))
        times = atomic_fetch_add_explicit(&refusals, 1, memory_order_relaxed) + 1;
    if (times & (times - 1))
        return false;
    if (!pp_forbids(PP_FORBIDDEN_LIMITS) && whole > atomic_load_explicit(&unlimited_bytes, memory_order_relaxed)) {
        for (int which = RLIMIT_DATA; which <= RLIMIT_AS; which += RLIMIT_AS - RLIMIT_DATA) {
            struct rlimit limit = { .rlim_cur = RLIM_INFINITY - 1 }; /* not known: not refused, but asked for again */
            getrlimit(which, &limit);
            most = limit.rlim_cur < most ? limit.rlim_cur : most;
        }
        if (whole > most / PP_SHARE) {
            if (!times)
                atomic_store_explicit(&refused_bytes, whole, memory_order_relaxed);
            return false;
        }
        if (most == RLIM_INFINITY)
            atomic_store_explicit(&unlimited_bytes, whole + UNASKED_BYTES, memory_order_relaxed);
    }
    if (times) { /* the limit was raised */
        atomic_store_explicit(&refused_bytes, UINT64_MAX, memory_order_relaxed);
        atomic_store_explicit(&refusals, 0, memory_order_relaxed);
    }
    atomic_fetch_add_explicit(&taken_bytes, bytes, memory_order_relaxed);
    return true;
}

void pp_memory_give(uint64_t bytes) { atomic_fetch_sub_explicit(&taken_bytes, bytes, memory_order_relaxed); }

#define ONCE_MOST_NS 200000u /* what seems to take longer was preempted */

uint64_t pp_once_begin(void)
{
    struct pp_thread *thread = (struct pp_thread *)(uintptr_t)pp_tls()->thread;
    if (!thread || pp_private(thread)->timed)
        return 0;
    pp_private(thread)->timed = true;
    return pp_now_ns();
}

void pp_once_end(uint64_t begun_ns)
{
    if (!begun_ns)
        return;
    uint64_t took_ns = pp_now_ns() - begun_ns;
    struct pp_private *p = pp_private((struct pp_thread *)(uintptr_t)pp_tls()->thread);
    p->self_ns += took_ns < ONCE_MOST_NS ? took_ns : ONCE_MOST_NS;
    p->timed = false;
}

/* The first small blocks come from here, so that a short process maps less: a call of mmap takes longer than touching
 * the few pages. Each block has whole pages, because some are unmapped again. */
PP_FAR static char nearby[192u << 10] __attribute__((aligned(4096)));
static _Atomic uint64_t nearby_used;

static void *nearby_take(uint64_t bytes)
{
    uint64_t used = atomic_load_explicit(&nearby_used, memory_order_relaxed), whole = (bytes + 4095) & ~UINT64_C(4095);
    do
        if (bytes > sizeof nearby / 4 || used + whole > sizeof nearby || pp_run.page_bytes != 4096)
            return NULL;
    while (!atomic_compare_exchange_weak_explicit(&nearby_used, &used, used + whole, memory_order_relaxed,
                                                  memory_order_relaxed));
    return nearby + used;
}

void *pp_memory(uint64_t bytes)
{
    if (pp_memory_fits(bytes)) {
        void *p = nearby_take(bytes);
        if (!p)
            p = pp_map(NULL, bytes, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (p != MAP_FAILED)
            return p;
        pp_memory_give(bytes);
    }
    pp_loss(PP_LOSS_MEMORY, 1);
    return NULL;
}
