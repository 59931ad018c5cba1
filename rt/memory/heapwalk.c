/* SPDX-License-Identifier: MIT */
/* heapwalk.c: looks at the C library's main arena while the program runs: how many bytes it holds, how many of them
 * live, and how many are free between live blocks. It must not know what a stage is.
 *
 * The allocator is not asked. mallinfo2 takes locks that the interrupted code may hold, and walks lists that the
 * program may have broken. Instead the chunks are read, which lie one behind the other from the start of the break to
 * its end, each with its size in front. The shadow tells which blocks live, so what the allocator keeps in its caches
 * counts as free. With blocks=sampled there is no shadow, and it counts as used, as in mallinfo2. A result is only
 * reported if the last chunk ends at the break. During a change, with another layout or after an overrun it does not.
 *
 * The kernel copies the memory (process_vm_readv), because other threads may give the end of the heap back meanwhile,
 * and the program may have made pages of it unreadable. */
#define _GNU_SOURCE
#include "memory/heapwalk.h"
#include "memory/heap.h"
#include "metric/cpu.h"
#include "stack/callsite.h"
#include "system/clock.h"
#include "system/state.h"
#include "system/syscall.h"
#include <errno.h>
#include <string.h>
#include <sys/uio.h>

#define CHUNK_HEAD 16u /* of a chunk: a word of the one before it, and its own size, whose lowest bits are flags */
#define CHUNK_LEAST 32u
#define PREVIOUS_IN_USE 1u
#define CHUNK_FLAGS 15u
#define START_BRK_FIELD 47u /* of /proc/self/stat */
#define WINDOW 4096u
#define SEARCHED 8192u  /* a static executable first takes its thread-local storage from the break */
#define FREE_NS 3000000 /* all looks together may cost this much in any run */
#define BUDGET_PART 4   /* the looks get this part of the budget */
#define BYTES_PER_NS 1  /* assumed speed until it is measured */

/* Where the break began, the first chunk, and where the heap ended when recording began: blocks below that may live
 * unknown to us. */
static _Atomic uint64_t origin, first, mark;
static _Atomic uint64_t spent_ns, last_bytes, last_ns;

/* Only one thread at a time does this, and others skip it. Stages may end on stacks that have no room for this
 * buffer. */
PP_FAR static struct {
    atomic_flag busy;
    uint64_t low, high; /* the addresses that are in `bytes` */
    unsigned char bytes[WINDOW];
} window;

static uint64_t break_now(void) { return (uint64_t)syscall(SYS_brk, 0); }

static bool word_read(uint64_t at, uint64_t end, uint64_t *word)
{
    if (at < window.low || at + 8 > window.high) {
        struct iovec to = { window.bytes, end - at < WINDOW ? end - at : WINDOW },
                     from = { (void *)(uintptr_t)at, to.iov_len };
        ssize_t got = syscall(SYS_process_vm_readv, pp_run.header->pid, &to, 1, &from, 1, 0);
        if (got < 8)
            return false;
        window.low = at;
        window.high = at + (uint64_t)got;
    }
    memcpy(word, window.bytes + (at - window.low), 8);
    return true;
}

/* Walks from a chunk to the break. False unless the last chunk ends there. */
static bool walk(uint64_t at, uint64_t known_from, struct pp_standing *to)
{
    uint64_t end = break_now(), begun = at, size, next, used = 0, top = 0;
    window.low = window.high = 0;
    if (!at || end < at + CHUNK_LEAST || !word_read(at + 8, end, &size))
        return false;
    while (at < end) {
        uint64_t bytes = size & ~(uint64_t)CHUNK_FLAGS;
        if (bytes < CHUNK_LEAST || bytes > end - at)
            return false;
        if (at + bytes == end) { /* the top chunk, from which new blocks are cut */
            top = bytes;
            break;
        }
        if (end - at - bytes < CHUNK_LEAST || !word_read(at + bytes + 8, end, &next))
            return false;
        if (next & PREVIOUS_IN_USE && (at < known_from || pp_heap_lives(at + CHUNK_HEAD)))
            used += bytes;
        at += bytes;
        size = next;
    }
    if (break_now() != end)
        return false;
    *to = (struct pp_standing){ .held = end - begun, .used = used, .top = top };
    return true;
}

static uint64_t number_at(const char *text, unsigned field)
{
    const char *at = strrchr(text, ')'); /* the program's name may hold anything; field 3 follows it */
    uint64_t number = 0;
    for (unsigned i = 2; at && i < field; i++)
        at = strchr(at + 1, ' ');
    for (at = at ? at + 1 : ""; *at >= '0' && *at <= '9'; at++)
        number = number * 10 + (uint64_t)(*at - '0');
    return number;
}

static bool first_find(struct pp_standing *s)
{
    uint64_t from = atomic_load_explicit(&origin, memory_order_relaxed);
    if (break_now() <= from)
        return false; /* no block was asked for yet */
    for (uint64_t at = (from + CHUNK_FLAGS) & ~(uint64_t)CHUNK_FLAGS; from && at < from + SEARCHED; at += CHUNK_HEAD)
        if (walk(at, UINT64_MAX, s)) {
            atomic_store_explicit(&first, at, memory_order_relaxed);
            return true;
        }
    return false;
}

void pp_heapwalk_start(void)
{
    char text[1024];
    struct pp_standing s;
    if (pp_heap_is_untouched() && pp_heap_is_libc() && !pp_under_valgrind()) { /* then the break has not moved */
        atomic_store_explicit(&origin, break_now(), memory_order_relaxed);
        return;
    }
    int kept = errno,
        file = pp_heap_is_libc() && !pp_under_valgrind() ? pp_open("/proc/self/stat", O_RDONLY | O_CLOEXEC, 0) : -1;
    ssize_t got = file >= 0 ? pp_read(file, text, sizeof text - 1) : 0;
    if (file >= 0)
        pp_close(file);
    if (got > 0) {
        text[got] = 0;
        atomic_store_explicit(&origin, number_at(text, START_BRK_FIELD), memory_order_relaxed);
        if (first_find(&s))
            atomic_store_explicit(&mark, break_now() - s.top, memory_order_relaxed);
    }
    errno = kept;
}

bool pp_heapwalk_known(void) { return atomic_load_explicit(&origin, memory_order_relaxed) != 0; }

/* The child has spent nothing yet, and a thread that was looking is not in it. */
void pp_heapwalk_fork_child(void)
{
    atomic_store_explicit(&spent_ns, 0, memory_order_relaxed);
    atomic_flag_clear(&window.busy);
}

static bool affordable(uint64_t bytes)
{
    uint64_t ns = atomic_load_explicit(&last_ns, memory_order_relaxed),
             of = atomic_load_explicit(&last_bytes, memory_order_relaxed), used;
    uint64_t cost = atomic_load_explicit(&spent_ns, memory_order_relaxed) +
                    (ns && of ? (uint64_t)((unsigned __int128)bytes * ns / of) : bytes / BYTES_PER_NS);
    return cost <= FREE_NS || (pp_cpu_used(&used) && pp_budget_ns(cost * BUDGET_PART) <= used);
}

bool pp_heapwalk_look(struct pp_thread *thread, struct pp_standing *s)
{
    uint64_t from = atomic_load_explicit(&origin, memory_order_relaxed),
             at = atomic_load_explicit(&first, memory_order_relaxed);
    if (!from || !*pp_fork_generation || pp_forbids(PP_FORBIDDEN_HEAP))
        return false;
    int kept = errno;
    uint64_t end = break_now(), begun = pp_now_ns();
    bool found = false;
    uint64_t sums[4];
    pp_heap_sums(&pp_private(thread)->heap, sums);
    if (end <= from) { /* no block was asked for yet, or the arena lies elsewhere */
        *s = (struct pp_standing){ 0 };
        found = !sums[PP_HEAP_ALLOC_BLOCKS];
    } else if (!affordable(end - from)) {
        pp_give_up(PP_GIVEN_HEAP, 1);
    } else if (!atomic_flag_test_and_set_explicit(&window.busy, memory_order_acquire)) {
        found = at ? walk(at, atomic_load_explicit(&mark, memory_order_relaxed), s)
                   : first_find(s) && walk(atomic_load_explicit(&first, memory_order_relaxed), 0, s);
        atomic_flag_clear_explicit(&window.busy, memory_order_release);
        uint64_t took_ns = pp_now_ns() - begun;
        atomic_fetch_add_explicit(&spent_ns, took_ns, memory_order_relaxed);
        if (found) {
            atomic_store_explicit(&last_ns, took_ns, memory_order_relaxed);
            atomic_store_explicit(&last_bytes, end - from, memory_order_relaxed);
        }
        pp_private(thread)->self_ns += took_ns;
    }
    errno = kept;
    return found;
}
