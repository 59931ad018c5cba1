/* SPDX-License-Identifier: MIT */
/* heapwalk.c: how the C library's allocator stands while the program runs: what its main arena holds, what of that lives, and what lies free between. It
 * must not know what a stage is.
 *
 * The allocator is not asked: mallinfo2 takes locks that a handler may have been called amid, and walks lists that the program may have broken. Its
 * blocks lie one behind the other from where the break began to where it is, each with its size before it, and those are read. Which of them
 * live our own account knows: what the allocator keeps at hand for who asks next is free. Only where the last one ends at the break is anything
 * said; amid a change, in another layout and behind an overrun it does not.
 * The kernel reads: other threads might give back the end of the heap meanwhile, and the program may have made pages of it unreadable. */
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

#define HEAD 16u                         /* of a block: a word of the one before, and the size, whose lowest bits are marks */
#define LEAST 32u
#define BEFORE_IN_USE 1u
#define MARKS 15u
#define WINDOW 4096u
#define SEARCHED 8192u                   /* a static executable takes its thread-local room there first */
#define FREE_NS 3000000                  /* all together cost so little in any run */
#define BUDGET_PART 4                    /* of the budget it has a fourth */
#define BYTES_PER_NS 1                   /* until it was measured */

/* The break's beginning, and the first block; where the heap ended when recording began: what lies below may live unknown to us. */
static _Atomic uint64_t origin, first, mark;
static _Atomic uint64_t spent_ns, last_bytes, last_ns;

/* One looks at a time, whoever comes meanwhile does not: stages are on stacks with no room for this. */
static struct {
    atomic_flag busy;
    uint64_t low, high;                  /* what is in `bytes` */
    unsigned char bytes[WINDOW];
} window;

static uint64_t break_now(void) { return (uint64_t)syscall(SYS_brk, 0); }

static bool word_read(uint64_t at, uint64_t end, uint64_t *word)
{
    if (at < window.low || at + 8 > window.high) {
        struct iovec to = { window.bytes, end - at < WINDOW ? end - at : WINDOW }, from = { (void *)(uintptr_t)at, to.iov_len };
        ssize_t got = syscall(SYS_process_vm_readv, pp_run.header->pid, &to, 1, &from, 1, 0);
        if (got < 8) return false;
        window.low = at;
        window.high = at + (uint64_t)got;
    }
    memcpy(word, window.bytes + (at - window.low), 8);
    return true;
}

/* From a block to the break. Nothing is said (false) unless they meet. */
static bool walk(uint64_t at, uint64_t known_from, struct pp_standing *to)
{
    uint64_t end = break_now(), begun = at, size, next, used = 0, top = 0;
    window.low = window.high = 0;
    if (!at || end < at + LEAST || !word_read(at + 8, end, &size)) return false;
    while (at < end) {
        uint64_t bytes = size & ~(uint64_t)MARKS;
        if (bytes < LEAST || bytes > end - at) return false;
        if (at + bytes == end) {         /* the last one is free, and waits for who asks */
            top = bytes;
            break;
        }
        if (end - at - bytes < LEAST || !word_read(at + bytes + 8, end, &next)) return false;
        if (next & BEFORE_IN_USE && (at < known_from || pp_heap_lives(at + HEAD))) used += bytes;
        at += bytes;
        size = next;
    }
    if (break_now() != end) return false;
    *to = (struct pp_standing){ .held = end - begun, .used = used, .top = top };
    return true;
}

static uint64_t number_at(const char *text, unsigned field)
{
    const char *at = strrchr(text, ')');                 /* the name may hold anything; behind it comes field 3 */
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
    if (break_now() <= from) return false;               /* nothing was asked for yet */
    for (uint64_t at = (from + MARKS) & ~(uint64_t)MARKS; from && at < from + SEARCHED; at += HEAD)
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
    int kept = errno, file = pp_heap_is_libc() && !pp_under_valgrind() ? pp_open("/proc/self/stat", O_RDONLY | O_CLOEXEC, 0) : -1;
    ssize_t got = file >= 0 ? pp_read(file, text, sizeof text - 1) : 0;
    if (file >= 0) pp_close(file);
    if (got > 0) {
        text[got] = 0;
        atomic_store_explicit(&origin, number_at(text, 47), memory_order_relaxed);
        if (first_find(&s)) atomic_store_explicit(&mark, break_now() - s.top, memory_order_relaxed);
    }
    errno = kept;
}

bool pp_heapwalk_known(void) { return atomic_load_explicit(&origin, memory_order_relaxed) != 0; }

/* Of its own process the child has used no time yet; and who was looking is not in it. */
void pp_heapwalk_fork_child(void)
{
    atomic_store_explicit(&spent_ns, 0, memory_order_relaxed);
    atomic_flag_clear(&window.busy);
}

static bool affordable(uint64_t bytes)
{
    uint64_t ns = atomic_load_explicit(&last_ns, memory_order_relaxed), of = atomic_load_explicit(&last_bytes, memory_order_relaxed), used;
    uint64_t cost = atomic_load_explicit(&spent_ns, memory_order_relaxed) + (ns && of ? (uint64_t)((unsigned __int128)bytes * ns / of) : bytes / BYTES_PER_NS);
    return cost <= FREE_NS || (pp_cpu_used(&used) && pp_budget_ns(cost * BUDGET_PART) <= used);
}

bool pp_heapwalk_look(struct pp_thread *thread, struct pp_standing *s)
{
    uint64_t from = atomic_load_explicit(&origin, memory_order_relaxed), at = atomic_load_explicit(&first, memory_order_relaxed);
    if (!from || !*pp_fork_generation || pp_forbids(PP_FORBIDDEN_HEAP)) return false;
    int kept = errno;
    uint64_t end = break_now(), begun = pp_clock_ns();
    bool found = false;
    uint64_t sums[4];
    pp_heap_sums(pp_private(thread)->heap, sums);
    if (end <= from) {                   /* nothing was asked for yet; or the arena is elsewhere */
        *s = (struct pp_standing){ 0 };
        found = !sums[1];
    } else if (!affordable(end - from)) {
        pp_give_up(PP_GIVEN_HEAP, 1);
    } else if (!atomic_flag_test_and_set_explicit(&window.busy, memory_order_acquire)) {
        found = at ? walk(at, atomic_load_explicit(&mark, memory_order_relaxed), s) : first_find(s) && walk(atomic_load_explicit(&first, memory_order_relaxed), 0, s);
        atomic_flag_clear_explicit(&window.busy, memory_order_release);
        uint64_t took_ns = pp_clock_ns() - begun;
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
