/* SPDX-License-Identifier: MIT */
/* memory.c: private memory of the runtime. It must not know what it is for. */
#define _GNU_SOURCE
#include "file/memory.h"
#include "system/state.h"
#include "system/syscall.h"
#include <sys/mman.h>
#include <sys/resource.h>

static _Atomic uint64_t taken_bytes = PP_STATIC_BYTES;

bool pp_memory_fits(uint64_t bytes)
{
    static const int which[] = { RLIMIT_AS, RLIMIT_DATA };
    struct rlimit limit;
    if (pp_forbids(PP_FORBIDDEN_MEMORY))
        return false;
    uint64_t whole = atomic_load_explicit(&taken_bytes, memory_order_relaxed) + bytes;
    for (size_t i = 0; i < sizeof which / sizeof *which; i++)
        if (!pp_forbids(PP_FORBIDDEN_LIMITS) && !getrlimit(which[i], &limit) && limit.rlim_cur != RLIM_INFINITY &&
            whole > limit.rlim_cur / PP_SHARE)
            return false;
    atomic_fetch_add_explicit(&taken_bytes, bytes, memory_order_relaxed);
    return true;
}

void *pp_memory(uint64_t bytes)
{
    if (pp_memory_fits(bytes)) {
        void *p = pp_map(NULL, bytes, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (p != MAP_FAILED)
            return p;
    }
    pp_loss(PP_LOSS_MEMORY, 1);
    return NULL;
}
