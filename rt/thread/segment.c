/* SPDX-License-Identifier: MIT */
/* segment.c: the counters of an executable. Its code addresses them relative to a segment (struct pp_segment in
 * format.h). It must not know what they count.
 *
 * The keys are as dense and in the same order as the counters of the section. So one distance leads from the section
 * to a thread's own counters. */
#define _GNU_SOURCE
#include "thread/segment.h"
#include "file/memory.h"
#include "probe/frame.h"
#include "probe/object.h"
#include "system/state.h"
#include "system/syscall.h"
#include "thread/thread.h"
#include <errno.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FSGSBASE 2u               /* of AT_HWCAP2: the kernel lets programs set the bases themselves (Linux 5.9) */
#define NEVER (UINT64_C(1) << 63) /* calls */
#define PAGE 4096u /* where pages are larger, the kernel refuses to tell of a part */
#define SET_GS 0x1001             /* arch_prctl: ARCH_SET_GS */

static struct {
    uint64_t start, bytes;      /* the section; 0 until an object of it is registered */
    uint32_t first_key;         /* of its first counter */
    int32_t tls;                /* from the thread pointer to the thread's struct pp_segment */
    _Atomic bool is_taken_over; /* what was counted in the section itself */
    _Atomic bool is_shared;     /* by threads that have given their counters back, and go on to count */
} home;

static uint64_t from(const struct pp_object *o, int32_t relative)
{
    return (uint64_t)(uintptr_t)o + (uint64_t)(int64_t)relative;
}

static struct pp_segment *words(int32_t tls) { return (struct pp_segment *)((char *)__builtin_thread_pointer() + tls); }

uint32_t pp_segment_key(const struct pp_object *o)
{
    uint64_t start = from(o, o->segment_start);
    if (!home.first_key) {
        home.bytes = from(o, o->segment_stop) - start;
        home.first_key = pp_keys_take((uint32_t)(home.bytes / 8));
        home.tls = o->segment_tls;
        home.start = start;
    }
    if (!home.first_key || home.start != start)
        return 0;
    return home.first_key + (uint32_t)((from(o, o->segment_end) - start) / 8) - 1;
}

static bool base_set(uint64_t distance)
{
#ifdef __x86_64__
    if (getauxval(AT_HWCAP2) & FSGSBASE) {
        __asm__ volatile("wrgsbase %0" : : "r"(distance) : "memory");
        return true;
    }
    return !pp_forbids(PP_FORBIDDEN_SEGMENT) && !syscall(SYS_arch_prctl, SET_GS, distance); /* it takes none below 0 */
#else
    (void)distance;
    return false;
#endif
}

/* Without the base, the thread's calls continue to take the hook, which counts them. Hits of its lines are booked for
 * its creator. That is noted once. */
static void words_fill(struct pp_segment *own, uint64_t distance)
{
    bool known = own->distance == distance;
    own->distance = distance;
    if (base_set(distance)) {
        __atomic_signal_fence(__ATOMIC_SEQ_CST); /* a handler's code counts by the base as soon as `ready` is 1 */
        own->ready = 1;
    } else if (!known) {
        pp_loss(PP_LOSS_OBJECTS, 1);
    }
}

/* Books what was counted at `distance` for the thread; NULL: it is lost. At 0 is the section itself: functions that do
 * not test `ready` count there before the runtime's constructor, in code without probes, and when a thread's own values
 * are destroyed. When the process has just started, `fresh`, a page that is not there was never written to: to look at
 * its words takes a page fault. */
static __attribute__((noinline)) void counts_move(uint64_t distance, struct pp_thread *to, bool fresh)
{
    for (uint64_t at = home.start; at < home.start + home.bytes; at += 8) {
        _Atomic uint64_t *word = (_Atomic uint64_t *)(uintptr_t)(at + distance);
        unsigned char there;
        if (fresh && !((uintptr_t)word % PAGE) && !syscall(SYS_mincore, word, PAGE, &there) && !(there & 1)) {
            at += PAGE - 8;
            continue;
        }
        uint64_t more = atomic_load_explicit(word, memory_order_relaxed);
        if (!more)
            continue;
        more = atomic_exchange_explicit(word, 0, memory_order_relaxed);
        if (to)
            *(uint64_t *)(uintptr_t)(at + pp_private(to)->segment) += more;
        else
            pp_loss(PP_LOSS_EARLY, more);
    }
}

/* False: there is no room for the counters. */
static bool segment_of(struct pp_thread *thread)
{
    struct pp_private *p = pp_private(thread);
    uint64_t end = ((uint64_t)home.first_key * 8) + home.bytes;
    if (p->segment)
        return true;
    if (p->counters_limit < end)
        pp_thread_refill(thread);
    if (p->counters_limit < end)
        return false;
    p->segment = p->counters + (uint64_t)home.first_key * 8 - home.start;
    if (!atomic_exchange_explicit(&home.is_taken_over, true, memory_order_relaxed))
        counts_move(0, thread, home.bytes >= 4 * PAGE && !pp_forbids(PP_FORBIDDEN_HEAP));
    return true;
}

/* A thread that starts before the runtime counts in memory of its own until it calls a function that tests `ready`. */
struct lent {
    struct lent *next;
    uint64_t distance;
};
static struct lent *_Atomic lents;

#ifdef __x86_64__
extern char __start_profplug_home[] __attribute__((weak, visibility("hidden"))),
    __stop_profplug_home[] __attribute__((weak, visibility("hidden")));
#define OWN_START ((uint64_t)(uintptr_t)__start_profplug_home)
#define OWN_STOP ((uint64_t)(uintptr_t)__stop_profplug_home)
#else
#define OWN_START 0
#define OWN_STOP 0
#endif

void pp_segment_lend(void)
{
    uint64_t bytes = OWN_STOP - OWN_START;
    int kept = errno;
    struct lent *lent = bytes ? pp_map(NULL, sizeof *lent + bytes, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) : MAP_FAILED;
    errno = kept;
    if (lent == MAP_FAILED)
        return;
    lent->distance = (uint64_t)(uintptr_t)(lent + 1) - OWN_START;
    if (!base_set(lent->distance)) { /* it counts in the section, like the main thread so far */
        pp_unmap(lent, sizeof *lent + bytes);
        return;
    }
    lent->next = atomic_load_explicit(&lents, memory_order_relaxed);
    while (
        !atomic_compare_exchange_weak_explicit(&lents, &lent->next, lent, memory_order_release, memory_order_relaxed))
        continue; /* partner: pp_segment_settle */
}

/* If nothing is recorded, threads still count, and nobody reads it. If all counted in one place, its cache lines would
 * move between CPUs at each call: a program of two busy threads took 1.8 times the plain CPU time. So threads take such
 * areas in turn. An area is never given back, because a thread's end is not seen. */
#define ROOMS 64u
static _Atomic uint64_t room[ROOMS]; /* distances; 0: there is none yet */
static _Atomic uint32_t rooms_given;
static _Atomic int32_t waste_tls; /* like home.tls, but set when nothing is recorded; 0: no object was registered yet */

/* 0: there is no memory, so the thread counts in the section itself. */
static uint64_t room_of_nobody(void)
{
    _Atomic uint64_t *own = &room[atomic_fetch_add_explicit(&rooms_given, 1, memory_order_relaxed) % ROOMS];
    uint64_t distance = atomic_load_explicit(own, memory_order_relaxed), bytes = OWN_STOP - OWN_START;
    if (distance || !bytes)
        return distance;
    int kept = errno;
    void *made = pp_memory_fits(bytes) ? pp_map(NULL, bytes, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) : MAP_FAILED;
    if (made != MAP_FAILED &&
        !atomic_compare_exchange_strong_explicit(own, &distance, (uint64_t)(uintptr_t)made - OWN_START,
                                                 memory_order_relaxed, memory_order_relaxed))
        pp_unmap(made, bytes);
    else if (made != MAP_FAILED)
        distance = (uint64_t)(uintptr_t)made - OWN_START;
    errno = kept;
    return distance;
}

/* The first thread counts in the section. */
static void words_waste(struct pp_segment *own)
{
    static _Atomic bool is_first_gone;
    uint64_t distance = own->distance;
    if (!distance && atomic_exchange_explicit(&is_first_gone, true, memory_order_relaxed))
        distance = room_of_nobody();
    if (!base_set(distance))
        base_set(distance = 0);
    own->distance = distance;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    own->ready = 1;
}

bool pp_segment_is_wasted(void) { return atomic_load_explicit(&waste_tls, memory_order_relaxed); }

void pp_segment_waste(void)
{
    struct pp_segment *own = words(atomic_load_explicit(&waste_tls, memory_order_relaxed));
    if (!own->ready)
        words_waste(own);
}

/* May be called more than once, because a process can end in several ways. */
void pp_segment_settle(struct pp_thread *thread)
{
    if (!home.first_key || home.start != OWN_START)
        return;
    if (thread && !segment_of(thread))
        thread = NULL;
    if (atomic_load_explicit(&home.is_shared, memory_order_relaxed))
        counts_move(0, thread, false);
    for (struct lent *lent = atomic_load_explicit(&lents, memory_order_acquire); lent; lent = lent->next)
        counts_move(lent->distance, thread, false);
}

void pp_segment_begin(struct pp_thread *thread)
{
    if (!home.first_key || words(home.tls)->ready)
        return;
    if (thread && segment_of(thread))
        words_fill(words(home.tls), pp_private(thread)->segment);
    else
        base_set(0); /* not those of its creator */
}

void pp_segment_open(const struct pp_object *object, struct pp_thread *thread)
{
    struct pp_segment *own = words(object->segment_tls);
    if (own->ready)
        return;
    if (!thread && atomic_load_explicit(&pp_state, memory_order_acquire) == PP_STATE_OFF) {
        atomic_store_explicit(&waste_tls, object->segment_tls, memory_order_relaxed);
        words_waste(own);
        return;
    }
    if (!own->distance)
        base_set(0); /* calls that do not test `ready` are not booked for the thread's creator */
    if (!thread || !object->last_key) {
        own->ready = thread && object->end == PP_END_OFF;
        return;
    }
    if (segment_of(thread)) /* no room: each call that tests `ready` comes here, and is counted as lost */
        words_fill(own, pp_private(thread)->segment);
}

static void words_leave(void)
{
    words(home.tls)->ready = words(home.tls)->distance = 0;
    base_set(0);
}

void pp_segment_pause(bool pause)
{
    struct pp_thread *thread = pp_thread_self();
    if (!home.first_key)
        return;
    if (pause) {
        if (thread)
            pp_segment_settle(thread); /* else it would be the child's, too */
        words_leave();
    } else if (thread && pp_private(thread)->segment) {
        words_fill(words(home.tls), pp_private(thread)->segment);
    }
}

void pp_segment_close(void)
{
    if (home.first_key) {
        words_leave(); /* the next owner of the block counts there */
        atomic_store_explicit(&home.is_shared, true, memory_order_relaxed);
    }
}

uint64_t *pp_segment_counter(const struct pp_object *object, uint32_t slot)
{
    const struct pp_segment *own = words(object->segment_tls);
    return own->ready || own->distance
               ? (uint64_t *)(uintptr_t)(from(object, object->segment_end) + own->distance - 8 - (uint64_t)slot * 8)
               : 0;
}

void pp_segment_quiet(const struct pp_object *object, uint32_t slot, bool uncounted)
{
    uint64_t *counter = pp_segment_counter(object, slot);
    if (!counter)
        return;
    /* Relaxed: where nothing is recorded, all threads write it and nobody reads it. */
    if (uncounted)
        __atomic_store_n(&counter[0], __atomic_load_n(&counter[0], __ATOMIC_RELAXED) + 1, __ATOMIC_RELAXED);
    pp_calls_due(counter, NEVER);
}
