/* SPDX-License-Identifier: MIT */
/* holder.c: see holder.h. While threads wait for a lock, it has an entry with its latest holders: each from when to
 * when, and how long it waited itself meanwhile. Who had to wait books from them when it has the lock.
 *
 * An entry is guarded by a word that is tried for a moment. Who does not get it goes on, and the wait is booked on the
 * holder that it met first. */
#define _GNU_SOURCE
#include "operation/holder.h"
#include "sample/blocked.h"
#include "stack/callsite.h"
#include "system/clock.h"
#include "system/state.h"
#include "thread/thread.h"

#include <pthread.h>
#include <string.h>

#define ENTRIES 64u /* locks that somebody waits for, at a time */
#define REACH 4u    /* rows of a lock, from its hash on */
#define TRIES 100u
#define PAST 8u /* holders in a row with different lines: of those before it is not known who they were */
#define TURNED (UINT64_C(1) << 63)
#define ADDRESSES (UINT64_C(1) << 56)
#define LEAST_NS UINT64_C(1000) /* less than this without a holder is nobody's */

PP_FAR _Atomic uint64_t pp_holder[PP_HOLDERS];

struct hold {
    uint64_t begin_ns, end_ns;
    uint64_t own_ns;            /* how long the holder waited itself */
    uint32_t callsite, own_key; /* own_key: low bits of PP_OPERATION_KEY, where most of own_ns was */
};
struct entry {
    const void *_Atomic lock;
    _Atomic uint32_t busy, waiters;
    uint32_t count;                    /* of past holders; the latest is past[(count - 1) % PAST] */
    struct hold past[PAST];            /* one after the other */
    struct hold now;                   /* end_ns is not known */
    struct pp_thread *thread;          /* of the holder now; NULL: not known */
    uint64_t before_ns[PP_WAIT_COUNT]; /* what it had waited until then */
};
PP_FAR static struct entry entries[ENTRIES];
static volatile bool used; /* entries: a fork's child that needs not clear them does not touch them */

static bool entry_try(struct entry *e)
{
    for (unsigned i = 0; i < TRIES; i++)
        if (!atomic_load_explicit(&e->busy, memory_order_relaxed) &&
            !atomic_exchange_explicit(&e->busy, 1, memory_order_acquire)) /* partner: entry_give */
            return true;
    return false;
}

static void entry_give(struct entry *e) { atomic_store_explicit(&e->busy, 0, memory_order_release); }

/* The lock's entry, which may become another one's at any time. `free`: one that nobody uses instead. NULL: none. */
static struct entry *entry_find(const void *lock, bool free)
{
    uint64_t first = pp_lock_hash(lock) >> 32;
    for (unsigned i = 0; i < REACH; i++) {
        struct entry *e = &entries[(first + i) % ENTRIES];
        if (free ? !e->waiters : e->lock == lock)
            return e;
    }
    return NULL;
}

/* To be given back. NULL: it cannot be had now. */
static struct entry *entry_take(const void *lock)
{
    struct entry *e = entry_find(lock, false);
    e = e ? e : entry_find(lock, true);
    if (!e || !entry_try(e))
        return NULL;
    if (!e->waiters) {
        e->lock = lock;
        used = true;
    }
    if (e->lock == lock)
        return e;
    entry_give(e);
    return NULL;
}

static void hold_open(struct entry *e, uint64_t now_ns, uint32_t callsite, struct pp_thread *thread)
{
    e->now = (struct hold){ .begin_ns = now_ns, .callsite = callsite };
    e->thread = thread;
    for (unsigned i = 0; thread && i < PP_WAIT_COUNT; i++)
        e->before_ns[i] = pp_private(thread)->waited[i].ns;
    /* what it waits in already began before */
    for (unsigned i = 0; thread && i < PP_UNFINISHED; i++) {
        const struct pp_unfinished *u = &thread->unfinished[i];
        uint64_t start_ns = atomic_load_explicit((const _Atomic uint64_t *)&u->start_ns, memory_order_acquire);
        if (start_ns && start_ns < now_ns && u->kind < PP_OPERATION_COUNT)
            e->before_ns[pp_wait_of(u->kind)] += now_ns - start_ns;
    }
}

static void hold_close(struct entry *e, uint64_t now_ns)
{
    struct hold *h = &e->now, *last = &e->past[(e->count - 1) % PAST];
    int64_t most = 0;
    h->end_ns = now_ns;
    for (unsigned i = 0; e->thread && i < PP_WAIT_COUNT; i++) {
        int64_t more = (int64_t)(pp_private(e->thread)->waited[i].ns - e->before_ns[i]);
        h->own_ns += more > 0 ? (uint64_t)more : 0;
        if (more > most) {
            most = more;
            h->own_key = (uint32_t)pp_private(e->thread)->waited[i].key;
        }
    }
    if (h->own_ns > now_ns - h->begin_ns)
        h->own_ns = now_ns - h->begin_ns;
    if (e->count && last->callsite == h->callsite) {
        last->end_ns = now_ns;
        last->own_ns += h->own_ns;
        last->own_key = h->own_key ? h->own_key : last->own_key;
    } else {
        e->past[e->count++ % PAST] = *h;
    }
}

/* The thread that holds the lock. NULL: not known. */
static struct pp_thread *thread_of(const void *lock, bool is_mutex)
{
#ifdef __GLIBC__
    uint32_t tid = is_mutex ? (uint32_t)((const pthread_mutex_t *)lock)->__data.__owner
                            : (uint32_t)((const pthread_rwlock_t *)lock)->__data.__cur_writer;
    for (uint32_t id = tid ? pp_thread_count() : 0; id; id--) {
        struct pp_thread *thread = pp_thread_at(id);
        if (pp_private(thread)->tid == tid)
            return thread;
    }
#endif
    return NULL;
}

/* Who took the lock last; 0: not known. Turns the word over. */
static const void *holder_turn(const void *lock)
{
    uint64_t hash = pp_lock_hash(lock);
    _Atomic uint64_t *word = pp_holder_row(lock);
    uint64_t old = atomic_load_explicit(word, memory_order_relaxed), address = (old - hash) & ~TURNED;
    bool ours = address < ADDRESSES;
    if (!ours || !((old - hash) & TURNED))
        atomic_compare_exchange_strong_explicit(word, &old, (ours ? old : hash) ^ TURNED, memory_order_relaxed,
                                                memory_order_relaxed);
    return ours ? (const void *)(uintptr_t)address : NULL;
}

/* From now on the thread holds the lock. */
static void holder_set(const void *lock, const void *caller, bool turned)
{
    uint64_t hash = pp_lock_hash(lock);
    atomic_store_explicit(pp_holder_row(lock), (hash + (uint64_t)(uintptr_t)caller) ^ (turned ? TURNED : 0),
                          memory_order_relaxed);
}

int pp_lock_taken(void *lock, bool is_mutex, const void *caller)
{
    uint64_t hash = pp_lock_hash(lock), old = atomic_load_explicit(pp_holder_row(lock), memory_order_relaxed);
    bool turned = false;
    if (old == hash + (uint64_t)(uintptr_t)caller)
        return 0;
#ifdef __GLIBC__
    if (is_mutex && ((const pthread_mutex_t *)lock)->__data.__count > 1)
        return 0; /* it is recursive, and the thread had it already */
#endif
    struct entry *e = (old - hash) & TURNED ? entry_find(lock, false) : NULL;
    struct pp_thread *self = pp_thread_self();
    if (e && e->thread == self && (old ^ TURNED) == hash + (uint64_t)(uintptr_t)caller)
        return 0; /* the same again, before anybody who waits */
    if (e && entry_try(e)) {
        turned = e->lock == lock && e->waiters;
        if (turned) {
            uint64_t now_ns = pp_clock_ns();
            hold_close(e, now_ns);
            hold_open(e, now_ns, pp_operation_callsite(caller), self);
        }
        entry_give(e);
    }
    holder_set(lock, caller, turned);
    return 0;
}

/* Books what of a wait lies in the time that the hold lasted, and returns how much that is. */
static uint64_t hold_book(const struct hold *h, uint32_t waiter, uint64_t start_ns, uint64_t end_ns)
{
    uint64_t from = h->begin_ns > start_ns ? h->begin_ns : start_ns, to = h->end_ns < end_ns ? h->end_ns : end_ns,
             span = h->end_ns - h->begin_ns;
    if (from >= to)
        return 0;
    unsigned shift = span >> 32 ? 64 - (unsigned)__builtin_clzll(span >> 32) : 0; /* so that the product has room */
    uint64_t own_ns =
        to - from == span ? h->own_ns : ((h->own_ns >> shift) * ((to - from) >> shift) / (span >> shift)) << shift;
    pp_held_book(waiter, h->callsite, to - from, own_ns, h->own_key);
    return to - from;
}

PP_BEFORE_ALL int pp_lock_wait(long a, long b, long c, long d, uint32_t what, const void *caller)
{
    void *lock = (void *)a;
    struct hold past[PAST];
    struct pp_call call;
    uint32_t count = 1, waiters = 0, waiter = pp_operation_callsite(caller);
    int (*next)(long, long, long, long) = PP_WAIT_NEXT(what);
    pp_call_begin(&call, PP_COLLECTOR_WAITS, PP_OPERATION_LOCK, caller, -1);
    if (!call.records)
        return next(a, b, c, d);
    past[0] = (struct hold){ .begin_ns = call.start_ns, .callsite = pp_callsite_at(holder_turn(lock)) };
    struct entry *e = entry_take(lock);
    if (e) {
        if (!e->waiters++) {
            e->count = 0;
            hold_open(e, call.start_ns, past[0].callsite, thread_of(lock, what & PP_WAITS_FOR_MUTEX));
        }
        entry_give(e);
    }
    int result = next(a, b, c, d);
    uint64_t end_ns = past[0].end_ns = pp_clock_ns(), left = end_ns - call.start_ns;
    if (e) {
        bool guarded = entry_try(e);
        waiters = --e->waiters;
        if (guarded) {
            hold_close(e, end_ns);
            hold_open(e, end_ns, result ? e->now.callsite : waiter, result ? e->thread : pp_thread_self());
            count = e->count < PAST ? e->count : PAST;
            memcpy(past, e->past, sizeof past);
            entry_give(e);
        }
    }
    if (!result)
        holder_set(lock, caller, waiters);
    pp_call_end(&call, PP_OPERATION_LOCK, caller, result ? -1 : 0, PP_HERE);
    for (uint32_t i = 0; i < count; i++)
        left -= hold_book(&past[i], waiter, call.start_ns, end_ns);
    if (left >= LEAST_NS)
        pp_held_book(waiter, 0, left, 0, 0);
    return result;
}

void pp_holders_fork_child(struct pp_thread *self)
{
    (void)self;
    if (used)
        memset(entries, 0, sizeof entries);
    used = false;
}
