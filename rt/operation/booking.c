/* SPDX-License-Identifier: MIT */
/* booking.c: measures a call and books it in the thread's table of operations (operation.h, struct pp_operation). It
 * must not know what a wrapped call does. A row is filled by its thread and by handlers that interrupt it: they add in
 * one instruction. Threads without a block share one table. */
#define _GNU_SOURCE
#include "file/datafile.h"
#include "operation/count.h"
#include "operation/operation.h"
#include "sample/blocked.h"
#include "stack/callsite.h"
#include "system/clock.h"
#include "system/state.h"
#include "system/syscall.h"
#include "thread/thread.h"

#include <errno.h>
#include <sys/resource.h>
#include <time.h>

#define TRIAL_CALLS 16u /* the first calls of each row are always timed */
#define BUDGET_SHARE 4u /* timing may take 1 / BUDGET_SHARE of the budget */
#define MOST_STEP 7u    /* a call that waits stands for at most this many others */
/* On a file, or of a call that works: if EVEN_CALLS or more were timed, none waited, and the sum is known to a 32nd. */
#define MOST_EVEN_STEP 31u
#define EVEN_CALLS 256u
#define AT_ONCE_SHIFT 5               /* of what returns at once, calls that take 32 times as long are timed as often */
#define EVEN_SHIFT 10              /* an error of 1/32, squared; pp_operation.spread is in 1024ths */
#define COLD __attribute__((cold)) /* for size: these run seldom, or beside what takes much longer */
uint32_t pp_operations_on;
static struct pp_operations *_Atomic shared; /* for threads without a block */

static bool moves_bytes(enum pp_operation_kind kind)
{
    return kind <= PP_OPERATION_SPLICE || kind == PP_OPERATION_RECEIVE || kind == PP_OPERATION_SEND;
}

static void call_add(struct pp_operation *o, bool alone, const struct pp_done *done)
{
    word_add(alone, &o->timed, 1);
    word_add(alone, &o->errors, done->failed);
    word_add(alone, &o->bytes, done->bytes);
    word_add(alone, &o->sequential, done->sequential);
    if (!done->failed)
        word_add(alone, &o->size[size_bucket(moves_bytes(done->kind) ? done->bytes : done->wall_ns / 16)], 1);
}

static void longest_keep(struct pp_operation *o, uint64_t wall_ns)
{
    uint64_t most = atomic_load_explicit((_Atomic uint64_t *)&o->most_ns, memory_order_relaxed);
    while (wall_ns > most && !atomic_compare_exchange_weak_explicit((_Atomic uint64_t *)&o->most_ns, &most, wall_ns,
                                                                    memory_order_relaxed, memory_order_relaxed))
        continue;
}

static inline void cpu_add(struct pp_operation *o, struct pp_thread *thread, uint64_t cpu_ns)
{
    word_add(thread, &o->cpu_ns, cpu_ns);
    pp_busy(thread, PP_OPERATION_KIND(o->key), cpu_ns);
}

/* The CPU time of a call; of one that was perhaps preempted no more than of those before in the mean. */
static __attribute__((noinline)) uint64_t cpu_of(const struct pp_operation *o, const struct pp_done *done, uint64_t had)
{
    uint64_t cpu_ns = done->cpu_ns;
    if (!cpu_ns && done->wall_ns > done->wait_ns)
        cpu_ns = done->wall_ns - done->wait_ns;
    return PP_UNLIKELY(done->preempted && had) && cpu_ns > o->cpu_ns / had ? o->cpu_ns / had : cpu_ns;
}

static inline struct pp_operation *row_of(struct pp_thread *thread, uint64_t key)
{
    _Atomic uint64_t *table = (_Atomic uint64_t *)&pp_private(thread)->operations;
    struct pp_operation *o = pp_operation_near((struct pp_operations *)(uintptr_t)*table, key);
    return PP_LIKELY(o) ? o : pp_operation_row(table, thread->id, key);
}

/* Returns the row to book in. NULL: there is none, which is counted. `*thread` is the row's thread, NULL for the shared
 * table. */
static struct pp_operation *entry_of(const void *caller, const struct pp_done *done, struct pp_thread **thread)
{
    *thread = pp_thread_self();
    if (PP_UNLIKELY(!*pp_fork_generation))
        return NULL;                       /* a child of a bare clone or _Fork, which still maps its parent's file */
    if (PP_UNLIKELY(PP_RUNTIME_AT_WORK)) { /* during a fork, or a thread's birth */
        pp_loss(PP_LOSS_OPERATIONS, 1);
        return NULL;
    }
    uint32_t callsite = done->callsite ? done->callsite : pp_callsite_of(caller),
             stage = *thread ? pp_thread_node(*thread)->stage : 0;
    uint64_t key = PP_OPERATION_KEY(callsite, done->kind, stage & 0xfffu, done->target);
    struct pp_operation *o =
        *thread ? row_of(*thread, key) : pp_operation_row((_Atomic uint64_t *)&shared, 0, key);
    if (PP_UNLIKELY(!o || o->key != key))
        pp_loss(PP_LOSS_OPERATIONS, 1);
    return o;
}

static void spread_add(struct pp_operation *o, uint64_t weight, uint64_t wall_ns, uint64_t mean)
{
    uint64_t off = wall_ns > mean ? wall_ns - mean : mean - wall_ns;
    unsigned __int128 sum = (((unsigned __int128)off * off * weight * (weight - 1)) >> 10) + o->spread;
    o->spread = sum > UINT64_MAX ? UINT64_MAX : (uint64_t)sum;
}

/* `works_ns`, what such a call works, is no part of its wait. A row of calls that only wait keeps the last reading in
 * `due`, for which it has no other use. */
static COLD void row_book(struct pp_operation *o, struct pp_thread *thread, const struct pp_done *done,
                          uint64_t works_ns)
{
    uint64_t wait_ns = done->wait_ns > works_ns ? done->wait_ns - works_ns : 0;
    call_add(o, thread, done);
    word_add(thread, &o->wall_ns, done->wall_ns);
    word_add(thread, &o->wait_ns, wait_ns);
    longest_keep(o, done->wall_ns);
    pp_blocked(thread, o->key, wait_ns, 1);
    /* How many calls of a line lie between two readings is chance, too: so not what it is off from the mean. */
    if (done->cpu_for) { /* of a thread with a table of its own */
        o->due = done->cpu_ns / done->cpu_for;
        spread_add(o, done->cpu_for, o->due, 0);
    }
    if (done->cpu_ns || done->kind != PP_OPERATION_ESTABLISH)
        cpu_add(o, thread, cpu_of(o, done, o->timed - 1));
}

COLD void pp_operation_book(const void *caller, const struct pp_done *done)
{
    struct pp_thread *thread;
    int kept = errno;
    struct pp_operation *o = entry_of(caller, done, &thread);
    if (PP_LIKELY(o))
        row_book(o, thread, done, 0);
    errno = kept;
}

uint32_t pp_operation_callsite(const void *caller) { return PP_RUNTIME_AT_WORK ? 0 : pp_callsite_of(caller); }

/* Of a call that only waits the CPU clock is read by turns, of others that were long before in drawn ones. */
static __attribute__((noinline)) COLD void cpu_begin(struct pp_call *call, const void *caller)
{
    int kept = errno;
    call->cpu_for = 0;
    if (call->descriptor)
        pp_call_draw(call, caller);
    else
        pp_wait_turn(call);
    errno = kept;
}

/* A call that moves bytes between two descriptors may wait for the other one. */
static inline bool returns_at_once(const struct pp_descriptor *d, enum pp_operation_kind kind)
{
    return pp_descriptor_returns_at_once(d) && kind != PP_OPERATION_COPY && kind != PP_OPERATION_SPLICE;
}

/* The same after a long call: another process, or a duplicate, may have changed that. */
static COLD bool still_at_once(const struct pp_descriptor *d)
{
    int fd = (int)(d - pp_descriptors); /* of one that is closed by now all bits are set */
    bool is = pp_forbids(PP_FORBIDDEN_TARGETS) || pp_fcntl(fd, F_GETFL, 0) & O_NONBLOCK;
    if (!is)
        pp_descriptor_set_nonblocking(fd, false);
    return is;
}

static __attribute__((noinline)) void clocks_begin(struct pp_call *call, enum pp_operation_kind kind,
                                                   const void *caller)
{
    const struct pp_descriptor *d = call->descriptor; /* one may be new: its callsite says more */
    if (PP_UNLIKELY(!d || kind == PP_OPERATION_SYNC || atomic_load_explicit(&d->slow, memory_order_relaxed)) ||
        (!returns_at_once(d, kind) &&
         PP_UNLIKELY((atomic_load_explicit(&d->kind, memory_order_relaxed) == PP_TARGET_SOCKET) |
                     (atomic_load_explicit(&d->end, memory_order_relaxed) == UINT64_MAX))))
        cpu_begin(call, caller);
    call->start_ns = pp_clock_ns();
    pp_start_say(call, call->start_ns);
}

static __attribute__((noinline)) COLD struct pp_operation *entry_look(struct pp_thread *thread, uint64_t key,
                                                                      const void *caller, uint64_t *recent)
{
    key |= PP_OPERATION_KEY(pp_callsite_of(caller), 0, 0, 0);
    struct pp_operation *entry = row_of(thread, key);
    if (!entry || entry->key != key)
        return NULL; /* a row by stage or kind belongs to many calls */
    if (!pp_callsite_kept(caller))
        return entry;
    entry->caller = (uint64_t)(uintptr_t)caller;
    *recent = (uint64_t)(uintptr_t)entry;
    return entry;
}

/* Returns the call's row in the thread's own table. NULL if there is none, if it must not be looked up now, or if each
 * call is timed: on a socket whose calls name the peer. */
static __attribute__((noinline)) struct pp_operation *entry_before(struct pp_call *call, enum pp_operation_kind kind,
                                                                   const void *caller)
{
    struct pp_thread *thread = (struct pp_thread *)(uintptr_t)pp_tls()->thread;
    if (PP_UNLIKELY(!thread || !(call->generation = *pp_fork_generation) || PP_RUNTIME_AT_WORK))
        return NULL;
    const struct pp_descriptor *d = call->descriptor;
    if (PP_UNLIKELY(d && atomic_load_explicit(&d->peer_hash, memory_order_relaxed)))
        return NULL;
    const struct pp_node *node = pp_thread_node(thread);
    uint64_t word = d ? pp_descriptor_word(d) : 0,
             key = PP_OPERATION_KEY(0, kind, node->stage & 0xfffu, (uint32_t)word);
    uint64_t *recent = pp_recent(pp_private(thread), caller, word);
    struct pp_operation *entry = (struct pp_operation *)(uintptr_t)*recent;
    call->thread = thread;
    if (PP_UNLIKELY(!entry || entry->caller != (uint64_t)(uintptr_t)caller || entry->key >> 16 != key >> 16))
        entry = entry_look(thread, key, caller, recent);
    if (!entry)
        return NULL;
    if ((uint32_t)word) { /* so that count.h recognises the next call at a glance */
        entry->node = (uint64_t)(uintptr_t)node;
        entry->descriptor = word;
    }
    return entry;
}

/* The same of a call that works, on a target that is known, or 0. */
static struct pp_operation *entry_on(struct pp_call *call, enum pp_operation_kind kind, const void *caller,
                                     uint32_t target)
{
    struct pp_thread *thread = (struct pp_thread *)(uintptr_t)pp_tls()->thread;
    if (PP_UNLIKELY(!thread || !(call->generation = *pp_fork_generation) || PP_RUNTIME_AT_WORK))
        return NULL;
    call->thread = thread;
    uint64_t key = PP_OPERATION_KEY(pp_callsite_of(caller), kind, pp_thread_node(thread)->stage & 0xfffu, target);
    struct pp_operation *o = row_of(thread, key);
    return o && o->key == key ? o : NULL;
}

void pp_call_begin(struct pp_call *call, enum pp_collector collector, enum pp_operation_kind kind, const void *caller,
                   int fd)
{
    pp_call_clear(call, pp_on(collector));
    if (PP_UNLIKELY(!call->records))
        return;
    if (fd >= 0)
        call->descriptor = pp_descriptor_at(fd);
    else
        call->entry = collector == PP_COLLECTOR_WAITS ? entry_before(call, kind, caller) : NULL;
    pp_start_prepare(call, kind, caller);
    clocks_begin(call, kind, caller);
}

/* An answer lasts from one call to another: both are timed, or neither. */
static inline bool socket_awaits(const struct pp_descriptor *d, enum pp_operation_kind kind)
{
    return PP_UNLIKELY(atomic_load_explicit(&d->kind, memory_order_relaxed) == PP_TARGET_SOCKET) &&
           PP_RECORDS(PP_OPERATIONS_NETWORK) && pp_socket_awaits(d, kind);
}

/* A call that cannot wait need not say that it began, nor need a read or write of a file while they are short. */
static inline bool is_brief(const struct pp_call *call, enum pp_operation_kind kind)
{
    if (call->entry && returns_at_once(call->descriptor, kind))
        return true;
    return kind <= PP_OPERATION_WRITE && call->entry && pp_count_on_file(call->entry) &&
           PP_LIKELY(!atomic_load_explicit(&call->descriptor->slow, memory_order_relaxed));
}

/* As pp_start_prepare, where the row is known, which is in the thread's own table. */
static inline void start_prepare(struct pp_call *call, enum pp_operation_kind kind, const void *caller)
{
    struct pp_unfinished *u = call->entry ? call->thread->unfinished : NULL;
    if (PP_UNLIKELY(!u || *(volatile uint64_t *)&u->call)) {
        pp_start_prepare(call, kind, caller);
        return;
    }
    pp_unfinished_take(u, call);
    u->point = PP_OPERATION_POINT(call->entry->key);
    u->kind = (uint32_t)kind;
    u->node = pp_thread_node(call->thread)->number;
    u->target = atomic_load_explicit(&call->descriptor->target, memory_order_relaxed);
    call->place = u;
}

static inline void turn_take(struct pp_call *call, enum pp_operation_kind kind, const void *caller)
{
    if (call->entry && call->entry->untimed < call->entry->due && !socket_awaits(call->descriptor, kind)) {
        if (atomic_load_explicit(&call->descriptor->kind, memory_order_relaxed) == PP_TARGET_FILE ||
            returns_at_once(call->descriptor, kind))
            return;
        start_prepare(call, kind, caller);
        call->coarse_ns = pp_coarse_ns();
        pp_start_say(call, call->coarse_ns);
    } else {
        if (!is_brief(call, kind))
            start_prepare(call, kind, caller);
        clocks_begin(call, kind, caller);
    }
}

void pp_call_begin_transfer(struct pp_call *call, enum pp_collector collector, enum pp_operation_kind kind,
                            const void *caller, int fd)
{
    struct pp_operation *known = pp_count_find(kind, caller, fd, &call->descriptor, &call->generation);
    if (PP_LIKELY(known && !atomic_load_explicit(&call->descriptor->peer_hash, memory_order_relaxed))) {
        call->entry = known;
        call->thread = (struct pp_thread *)(uintptr_t)pp_tls()->thread;
        call->start_ns = call->cpu_ns = call->coarse_ns = 0;
        call->records = true;
        call->callsite = 0;
        call->place = NULL;
        call->drawn = NULL;
        turn_take(call, kind, caller);
        return;
    }
    pp_call_clear(call, pp_on(collector));
    if (PP_UNLIKELY(!call->records))
        return;
    call->descriptor = fd >= 0 ? pp_descriptor_at(fd) : NULL;
    call->entry = call->descriptor && moves_bytes(kind) ? entry_before(call, kind, caller) : NULL;
    turn_take(call, kind, caller);
}

COLD void pp_call_begin_work(struct pp_call *call, enum pp_collector collector, enum pp_operation_kind kind,
                             const void *caller, uint32_t target)
{
    pp_call_clear(call, pp_on(collector));
    if (PP_UNLIKELY(!call->records))
        return;
    call->entry = entry_on(call, kind, caller, target);
    if (call->entry && call->entry->untimed < call->entry->due)
        return;
    pp_start_prepare(call, kind, caller);
    pp_call_begin_clocks(call, kind == PP_OPERATION_START ? NULL : caller);
}

/* Decides how many calls are not timed before the next one that is. Timing stays within its part of the budget, and
 * long calls are always timed, as with functions (probe/pace.c). */
static COLD void entry_pace(struct pp_operation *o, struct pp_private *p, uint64_t wall_ns, uint64_t mean)
{
    static uint64_t least; /* each thread computes the same value */
    if (PP_UNLIKELY(!least))
        least = pp_budget_ns(pp_costs.frame_ns) * BUDGET_SHARE;
    /* By the mean, and drawn widely: of a stream, every fourth call may read, and each has to have the same chance. */
    uint64_t longer = mean > wall_ns || wall_ns < PP_SLOW_NS ? mean : wall_ns, part = o->wall_ns >> EVEN_SHIFT,
             most = MOST_STEP;
    uint32_t kind = PP_OPERATION_KIND(o->key);
    if ((pp_count_on_file(o) || PP_WORKS(kind) || kind == PP_OPERATION_CLOSE) && !o->wait_ns &&
        o->timed >= EVEN_CALLS && (part > UINT32_MAX || part * part > o->spread))
        most = MOST_EVEN_STEP;
    uint64_t step = longer * most <= least ? most : least / (longer + 1);
    uint64_t left = pp_run.options.timing == PP_TIMING_ADAPTIVE && o->timed > TRIAL_CALLS && step
                        ? (pp_random(p) >> 32) * (2 * step + 1) >> 32
                        : 0;
    o->due = o->untimed + left;
    if (left)
        pp_give_up_often(p, PP_GIVEN_OPERATIONS, 0);
}

/* The coarse clock is off by two thirds of a tick on average. Adds that to the sum of squares. */
static void ticks_add(struct pp_operation *o)
{
    uint64_t tick = pp_coarse_long_ns / PP_COARSE_LONG_TICKS;
    o->spread += tick / 32 * (tick / 32) / 2;
}

/* Takes the untimed calls that no timed call stands for yet. A handler may, too; of the shared table, any thread. */
static uint64_t untimed_take(struct pp_operation *o, bool alone)
{
#ifdef __x86_64__
    if (PP_LIKELY(alone)) { /* one plain instruction, because only handlers can interfere */
        uint64_t was, now, found = o->stood;
        do {
            was = found;
            now = atomic_load_explicit((_Atomic uint64_t *)&o->untimed, memory_order_relaxed);
            __asm__ volatile("cmpxchgq %2, %1" : "+a"(found), "+m"(o->stood) : "r"(now) : "cc");
        } while (PP_UNLIKELY(found != was));
        return now - was;
    }
#endif
    (void)alone;
    uint64_t untimed, stood = atomic_load_explicit((_Atomic uint64_t *)&o->stood, memory_order_acquire);
    do
        untimed = atomic_load_explicit((_Atomic uint64_t *)&o->untimed, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit((_Atomic uint64_t *)&o->stood, &stood, untimed, memory_order_acq_rel,
                                                  memory_order_acquire)); /* partner: itself */
    return untimed - stood;
}

COLD uint64_t pp_answer_book(const void *caller, const struct pp_done *done, enum pp_timed timed, uint64_t wall_ns)
{
    struct pp_thread *thread;
    int kept = errno;
    struct pp_operation *o = entry_of(caller, done, &thread);
    uint64_t weight = timed != PP_NOT_TIMED;
    if (PP_LIKELY(o)) {
        word_add(thread, &o->sequential, done->sequential);
        if (timed == PP_TIMED_ALONE)
            ticks_add(o);
        if (timed) {
            word_add(thread, &o->timed, 1);
            if (timed == PP_TIMED)
                weight += untimed_take(o, thread);
            uint64_t stood_for = o->timed + o->stood - weight;
            if (weight > 1 && thread)
                spread_add(o, weight, wall_ns, stood_for ? o->wall_ns / stood_for : wall_ns);
            word_add(thread, &o->wall_ns, wall_ns * weight);
            word_add(thread, &o->size[size_bucket(wall_ns / 16)], weight);
            longest_keep(o, wall_ns);
        } else {
            word_add(thread, &o->untimed, 1);
        }
    }
    errno = kept;
    return weight;
}

COLD void pp_held_book(uint32_t waiter, uint32_t holder, uint64_t wait_ns, uint64_t own_ns, uint32_t own_key)
{
    struct pp_thread *thread;
    int kept = errno;
    uint32_t target = own_ns ? PP_HELD_TARGET(holder, PP_OPERATION_KIND(own_key)) : holder;
    struct pp_operation *o =
        entry_of(NULL, &(struct pp_done){ .kind = PP_OPERATION_HELD, .target = target, .callsite = waiter }, &thread);
    if (o) {
        word_add(thread, &o->timed, 1);
        word_add(thread, &o->wall_ns, wait_ns);
        word_add(thread, &o->wait_ns, own_ns);
        longest_keep(o, wait_ns);
        o->sequential = PP_OPERATION_POINT(own_key);
    }
    errno = kept;
}

/* False in a child that a handler forked meanwhile. */
static inline bool entry_is_ours(const struct pp_call *call)
{
    return call->entry && PP_LIKELY(*pp_fork_generation == call->generation);
}

static void moved_add(const struct pp_call *call, int64_t bytes, uint64_t offset)
{
    struct pp_operation *o = call->entry;
    word_add(true, &o->bytes, (uint64_t)bytes);
    if (PP_OPERATION_KIND(o->key) <= PP_OPERATION_SPLICE)
        word_add(true, &o->sequential, place_next(call->descriptor, offset, (uint64_t)bytes));
    word_add(true, &o->size[size_bucket((uint64_t)bytes)], 1);
}

static void untimed_end(const struct pp_call *call, int64_t bytes, uint64_t offset)
{
    word_add(true, &call->entry->untimed, 1);
    if (PP_UNLIKELY(bytes < 0))
        word_add(true, &call->entry->errors, 1);
    else
        moved_add(call, bytes, offset);
}

COLD void pp_count_failed(struct pp_operation *o, struct pp_descriptor *d, enum pp_operation_kind kind,
                          const void *caller, int64_t bytes, uint64_t offset)
{
    int kept = errno;
    struct pp_done done = { .kind = kind,
                            .target = atomic_load_explicit(&d->target, memory_order_relaxed),
                            .failed = bytes<0, .bytes = bytes> 0 ? (uint64_t)bytes : 0 };
    if (o) {
        word_add(true, &o->untimed, 1);
        word_add(true, &o->errors, 1);
    } else {
        if (bytes >= 0)
            done.sequential = place_next(d, offset, done.bytes);
        pp_operation_book(caller, &done);
    }
    errno = kept;
}

/* Ends an ordinary call: it succeeded, was short, and so was the one before on that descriptor. Or it was on what
 * returns at once: then it is short if it is below PP_LONG_NS. */
static __attribute__((noinline)) void brief_end(const struct pp_call *call, int64_t bytes, uint64_t offset,
                                                uint64_t wall_ns, bool at_once)
{
    struct pp_operation *o = call->entry;
    word_add(true, &o->timed, 1);
    moved_add(call, bytes, offset);
    uint64_t taken = untimed_take(o, true), weight = 1 + taken, stood_for = o->timed + o->stood - weight,
             mean = stood_for ? o->wall_ns / stood_for : wall_ns;
    if (taken) {
        spread_add(o, weight, wall_ns, mean);
        pp_give_up_often(pp_private(call->thread), PP_GIVEN_OPERATIONS, taken);
    }
    word_add(true, &o->wall_ns, wall_ns * weight);
    if (PP_UNLIKELY(wall_ns > o->most_ns))
        longest_keep(o, wall_ns);
    unsigned shift = at_once ? AT_ONCE_SHIFT : 0;
    entry_pace(o, pp_private(call->thread), wall_ns >> shift, mean >> shift);
    cpu_add(o, call->thread, wall_ns * weight);
    pp_descriptor_moved(call->descriptor, wall_ns);
}

static COLD void timed_end(const struct pp_call *call, const struct pp_done *done)
{
    struct pp_operation *o = call->entry;
    call_add(o, true, done);
    uint64_t taken = untimed_take(o, true), weight = 1 + taken, stood_for = o->timed + o->stood - weight,
             mean = stood_for ? o->wall_ns / stood_for : done->wall_ns, cpu_ns = cpu_of(o, done, stood_for);
    /* How long a preempted call took says nothing about the other calls that it stands for. */
    if (weight > 1 && done->wall_ns >= PP_SLOW_NS && !done->wait_ns && !done->works) {
        word_add(true, &o->wall_ns, done->wall_ns + mean * (weight - 1));
        cpu_add(o, call->thread, cpu_ns + (stood_for ? o->cpu_ns / stood_for : cpu_ns) * (weight - 1));
    } else {
        if (weight > 1)
            spread_add(o, weight, done->wall_ns, mean);
        word_add(true, &o->wall_ns, done->wall_ns * weight);
        word_add(true, &o->wait_ns, done->wait_ns * weight);
        pp_blocked(call->thread, o->key, done->wait_ns, weight);
        cpu_add(o, call->thread, cpu_ns * weight);
    }
    longest_keep(o, done->wall_ns);
    if (taken)
        pp_give_up_often(pp_private(call->thread), PP_GIVEN_OPERATIONS, taken);
    entry_pace(o, pp_private(call->thread), done->wall_ns, mean);
}

/* The call was not timed but was long by the coarse clock. It stands for itself only, and the next call is timed. */
static __attribute__((noinline)) COLD void long_end(const struct pp_call *call, enum pp_operation_kind kind,
                                                    int64_t bytes, uint64_t offset, uint64_t wall_ns)
{
    struct pp_operation *o = call->entry;
    struct pp_done done = { .kind = kind,
                            .failed = bytes<0, .bytes = bytes> 0 ? (uint64_t)bytes : 0,
                            .wall_ns = wall_ns };
    if (bytes >= 0 && kind <= PP_OPERATION_SPLICE)
        done.sequential = place_next(call->descriptor, offset, done.bytes);
    call_add(o, true, &done);
    ticks_add(o);
    word_add(true, &o->wall_ns, wall_ns);
    word_add(true, &o->wait_ns, wall_ns);
    longest_keep(o, wall_ns);
    o->due = o->untimed;
    pp_blocked(call->thread, o->key, wall_ns, 1);
}

/* `now` 0: no clock was read. */
static __attribute__((noinline)) void socket_moved(struct pp_descriptor *d, enum pp_operation_kind kind,
                                                   const void *caller, uint64_t now, uint64_t bytes)
{
    if (!PP_RECORDS(PP_OPERATIONS_NETWORK) || atomic_load_explicit(&d->kind, memory_order_relaxed) != PP_TARGET_SOCKET)
        return;
    if (!now)
        now = pp_coarse_ns() | 1;
    if (kind == PP_OPERATION_READ || kind == PP_OPERATION_RECEIVE)
        pp_socket_received(d, caller, now);
    if (kind == PP_OPERATION_WRITE || kind == PP_OPERATION_SEND)
        pp_socket_sent(d, caller, now, bytes);
}

/* Ends a call that may have waited, or failed, or whose row is not known. */
static __attribute__((noinline)) COLD void other_end(struct pp_call *call, enum pp_operation_kind kind,
                                                     const void *caller, int64_t bytes, uint64_t offset, uint64_t wall)
{
    struct pp_descriptor *d = call->descriptor;
    bool at_once = d && returns_at_once(d, kind);
    int kept = errno;
    struct pp_done done = { .kind = kind,
                            .failed = bytes<0, .bytes = bytes> 0 ? (uint64_t)bytes : 0,
                            .wall_ns = wall,
                            .wait_ns = d || bytes >= 0 || !moves_bytes(kind) ? wall : 0, /* read(-1) does not wait */
                            .sequential = !d && offset == PP_NOTHING,
                            .callsite = call->callsite };
    uint64_t cpu_end_ns = call->cpu_ns && call->cpu_for ? pp_call_cpu_ns() : 0;
    if (cpu_end_ns > call->cpu_ns) { /* a reading may take longer than its least, the call no longer than its wall */
        done.cpu_for = call->cpu_for;
        done.cpu_ns = (cpu_end_ns - call->cpu_ns < wall ? cpu_end_ns - call->cpu_ns : wall) * call->cpu_for;
    }
    if (at_once && wall < PP_LONG_NS) {
        done.wait_ns = 0;
    } else if (d && call->start_ns) {
        bool slow = wall >= PP_SLOW_NS;
        unsigned switches;
        uint64_t used;
        done.wait_ns = pp_call_waited(call, wall, &used, &switches);
        done.preempted = used == UINT64_MAX && switches & PP_CALL_PREEMPTED;
        done.works = !done.preempted && used > wall - PP_SLOW_NS; /* only looked at if wall is more */
        done.cpu_ns = call->cpu_ns;
        if (slow != atomic_load_explicit(&d->slow, memory_order_relaxed))
            atomic_store_explicit(&d->slow, slow, memory_order_relaxed);
        if (at_once && still_at_once(d)) {
            done.wait_ns = 0;
            if (!call->drawn) /* what other callsites do tells nothing of this one */
                done.cpu_ns = wall;
        }
    }
    if (d) {
        done.target = atomic_load_explicit(&d->target, memory_order_relaxed);
        if (bytes >= 0 && kind <= PP_OPERATION_SPLICE)
            done.sequential = place_next(d, offset, done.bytes);
        pp_descriptor_moved(d, wall); /* from its next call on */
    }
    if (!entry_is_ours(call))
        pp_operation_book(caller, &done);
    else if (d)
        timed_end(call, &done);
    else /* a call that only waits */
        row_book(call->entry, call->thread, &done, call->entry->due);
    if (d && bytes > 0)
        socket_moved(d, kind, caller, (call->start_ns ? call->start_ns + wall : pp_clock_ns()) & ~UINT64_C(1),
                     (uint64_t)bytes);
    errno = kept;
}

void pp_call_end(struct pp_call *call, enum pp_operation_kind kind, const void *caller, int64_t bytes, uint64_t offset)
{
    if (PP_UNLIKELY(!call->records))
        return;
    pp_start_over(call);
    if (!call->start_ns && entry_is_ours(call)) {
        uint64_t coarse = call->coarse_ns ? pp_coarse_ns() : 0;
        if (PP_UNLIKELY(coarse - call->coarse_ns > pp_coarse_long_ns))
            long_end(call, kind, bytes, offset, coarse - call->coarse_ns);
        else
            untimed_end(call, bytes, offset);
        if (bytes > 0)
            socket_moved(call->descriptor, kind, caller, coarse ? coarse | 1 : 0, (uint64_t)bytes);
        return;
    }
    uint64_t wall = call->start_ns ? pp_clock_ns() - call->start_ns : 0;
    struct pp_descriptor *d = call->descriptor;
    bool at_once = d && returns_at_once(d, kind);
    if (PP_LIKELY(call->start_ns && wall < (at_once ? PP_LONG_NS : PP_SLOW_NS) && !call->cpu_ns && bytes >= 0 &&
                  entry_is_ours(call)) &&
        (at_once || pp_count_on_file(call->entry)) && call->entry->descriptor == pp_descriptor_word(d)) {
        uint64_t reading = pp_costs.frame_ns / 4; /* it lies between the two, and adds up: few calls stand for many */
        brief_end(call, bytes, offset, wall > reading ? wall - reading : 0, at_once);
        if (bytes)
            socket_moved(d, kind, caller, (call->start_ns + wall) & ~UINT64_C(1), (uint64_t)bytes);
        return;
    }
    other_end(call, kind, caller, bytes, offset, wall);
}

/* The same of a call that works. While it was ready to run and had no CPU it did not wait: that time is left out, as
 * far as it is known. */
static void work_take(struct pp_call *call, struct pp_done *done, uint64_t mean_ns)
{
    int kept = errno; /* one clock reading lies between the two, as in brief_end */
    uint64_t wall = pp_call_returned(call), reading = pp_costs.frame_ns / 4;
    /* another thread that runs in place of one that yields is no switch of its own accord */
    bool yields = done->kind == PP_OPERATION_YIELD;
    unsigned switches = PP_CALL_WAITED;
    uint64_t used, off = pp_call_waited(call, wall, &used, yields ? NULL : &switches);
    bool known = used != UINT64_MAX;
    wall -= reading < wall ? reading : wall;
    off = off < wall ? off : wall;
    if (!(switches & PP_CALL_WAITED)) {
        if (known)
            wall = used;
        else if (switches & PP_CALL_PREEMPTED && mean_ns && mean_ns < wall)
            wall = mean_ns;
        off = 0;
    }
    done->wall_ns = wall;
    done->wait_ns = off;
    errno = kept;
}

COLD void pp_call_end_work(struct pp_call *call, enum pp_operation_kind kind, const void *caller, bool failed,
                           uint32_t target)
{
    if (PP_UNLIKELY(!call->records))
        return;
    struct pp_operation *o = entry_is_ours(call) ? call->entry : NULL;
    if (!call->start_ns) {
        if (o) {
            word_add(true, &o->untimed, 1);
            word_add(true, &o->errors, failed);
        }
        return;
    }
    struct pp_done done = { .kind = kind, .target = target, .failed = failed, .callsite = call->callsite };
    uint64_t stood = o ? o->stood : 0, stood_for = o ? o->timed + stood : 0;
    if (kind == PP_OPERATION_CLOSE) /* some work for long: what of that was preempted is asked more closely */
        pp_call_take(call, &done.wall_ns, &done.wait_ns);
    else
        work_take(call, &done, stood_for ? o->wall_ns / stood_for : 0);
    int kept = errno;
    if (!o)
        pp_operation_book(caller, &done);
    else
        timed_end(call, &done);
    if (o && !failed)
        word_add(true, &o->size[size_bucket(done.wall_ns / 16)], o->stood - stood);
    errno = kept;
}
