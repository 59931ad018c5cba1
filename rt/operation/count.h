/* SPDX-License-Identifier: MIT */
/* count.h: books a transfer on a file that is not to be timed, in as few instructions as possible: programs do a
 * million of them a second. Other calls are booked in booking.c, with the clocks of start.c. */
#ifndef PP_COUNT_H
#define PP_COUNT_H

#include "operation/operation.h"
#include "rt.h"
#include "system/state.h"

/* ---- what booking.c has of start.c ---- */

/* A shorter call does not wait. How much of a longer one was a wait, drawn calls from that callsite say. Above the
 * other limit the kernel is asked whether the thread gave up its CPU. */
#define PP_SLOW_NS UINT64_C(10000)
#define PP_LONG_NS UINT64_C(100000)
/* So many short calls from a callsite in a row, and the thread's CPU clock is read for none until one is long. */
#define PP_SHORT_CALLS 4u
void pp_call_draw(struct pp_call *call, const void *caller); /* reads it if this call is drawn */
uint64_t pp_call_cpu_ns(void); /* the thread's CPU clock, which takes as long as a short call. 0: not known */
/* Reads it in a call that only waits, if it is its turn: a thread's first ones, then some by chance. Then cpu_for says
 * for how many calls it stands. */
void pp_wait_turn(struct pp_call *call);
/* PP_CALL_WAITED: the thread gave up its CPU of its own accord. Otherwise a long call was working, or, if
 * PP_CALL_PREEMPTED, perhaps ready to run. */
enum { PP_CALL_WAITED = 1, PP_CALL_PREEMPTED = 2 };
/* Of a rare call, or one that works. No caller: its CPU clock is always read. */
void pp_call_begin_clocks(struct pp_call *call, const void *caller);
uint64_t pp_call_returned(const struct pp_call *call); /* it has: how long that took */
/* It has returned after `wall_ns`: how much of that was a wait. *used_ns: its CPU time, UINT64_MAX if not read; what
 * drawn calls tell of it is in cpu_ns then.
 * *switches: PP_CALL_WAITED and PP_CALL_PREEMPTED, the first if the kernel was not asked. NULL: they tell nothing of
 * this call. */
uint64_t pp_call_waited(struct pp_call *call, uint64_t wall_ns, uint64_t *used_ns, unsigned *switches);

/* Assignments, because without vector registers an initializer becomes a slow string instruction. */
static inline void pp_call_clear(struct pp_call *call, bool records)
{
    call->descriptor = NULL;
    call->entry = NULL;
    call->start_ns = call->cpu_ns = call->coarse_ns = 0;
    call->records = records;
    call->callsite = 0;
    call->place = NULL;
    call->drawn = NULL;
}

/* ---- what it has of rows.c ---- */

/* The key's row, made if need be, or one that is less specific where there are too many. NULL: there is no room.
 * `word` holds the address of the table in use; `thread`: whose it is. */
struct pp_operation *pp_operation_row(_Atomic uint64_t *word, uint32_t thread, uint64_t key);
/* Where the key's row is looked for first. */
static inline uint32_t pp_operation_place(uint64_t key, const struct pp_operations *table)
{
    return (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 48) & (table->capacity - 1);
}
#define PP_MOST_TRIED 8u
/* The same if it is there and near. NULL: else, or there is no table. */
static inline struct pp_operation *pp_operation_near(struct pp_operations *table, uint64_t key)
{
    struct pp_operation *row = (struct pp_operation *)(table + 1);
    if (PP_UNLIKELY(!table))
        return NULL;
    uint32_t i = pp_operation_place(key, table);
    for (unsigned tried = 0; PP_UNLIKELY(row[i].key != key); i = (i + 1) & (table->capacity - 1))
        if (!row[i].key || ++tried == PP_MOST_TRIED)
            return NULL;
    return &row[i];
}

/* ---- a transfer on a file ---- */

/* An entry that the thread found lately for such a call. The entry's own words (caller, node, descriptor) say whether
 * it is the wanted one, so it does not matter which handler stored it. By target: a server's connections have one. */
static inline uint64_t *pp_recent(struct pp_private *p, const void *caller, uint64_t target)
{
    return (uint64_t *)(void *)((char *)p->recent + (((uintptr_t)caller + target * 8) & (PP_RECENT - 1) * 8));
}

static inline void word_add(bool alone, uint64_t *word, uint64_t number)
{
#ifdef __x86_64__
    if (PP_LIKELY(alone)) {
        __asm__("addq %1, %0" : "+m"(*word) : "er"(number) : "cc");
        return;
    }
#endif
    (void)alone;
    atomic_fetch_add_explicit((_Atomic uint64_t *)word, number, memory_order_relaxed);
}

/* Whether a transfer goes on where the last one ended. Keeps where this one ends. */
static inline bool place_next(struct pp_descriptor *d, uint64_t offset, uint64_t bytes)
{
    uint64_t from = offset == PP_HERE ? atomic_load_explicit(&d->position, memory_order_relaxed) : offset;
    uint64_t end = atomic_load_explicit(&d->end, memory_order_relaxed);
    if (offset == PP_HERE)
        atomic_store_explicit(&d->position, from + bytes, memory_order_relaxed);
    atomic_store_explicit(&d->end, from + bytes, memory_order_relaxed);
    return (from == end) | (end == UINT64_MAX);
}

/* Buckets by the bit width of value - 1: up to 64, then three bits wider each. */
static inline uint32_t size_bucket(uint64_t value)
{
    static const uint8_t bucket[64] = {
        0, 0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5, 6, 6, 6, [24 ... 63] = PP_SIZES - 1
    };
    return bucket[63 - __builtin_clzll((value - (value != 0)) | 1)];
}

/* Returns the entry of a transfer, and the descriptor and fork generation with it. NULL: it is not known at a
 * glance. */
static inline __attribute__((always_inline)) struct pp_operation *pp_count_find(enum pp_operation_kind kind,
                                                                                const void *caller, int fd,
                                                                                struct pp_descriptor **descriptor,
                                                                                uint32_t *generation)
{
    struct pp_tls *own = pp_tls();
    struct pp_thread *thread = (struct pp_thread *)(uintptr_t)own->thread;
    struct pp_descriptor *d = *descriptor = &pp_descriptors[(uint32_t)fd];
    if (PP_UNLIKELY((uint32_t)fd >= PP_DESCRIPTORS || !thread || PP_RUNTIME_AT_WORK ||
                    !(*generation = *pp_fork_generation)))
        return NULL;
    uint64_t word = pp_descriptor_word(d);
    struct pp_operation *o = (struct pp_operation *)(uintptr_t)*pp_recent(pp_private(thread), caller, word);
    if (PP_UNLIKELY(!o || o->caller != (uint64_t)(uintptr_t)caller || o->node != thread->node ||
                    o->descriptor != word || PP_OPERATION_KIND(o->key) != (uint32_t)kind))
        return NULL;
    return o;
}

static inline bool pp_count_on_file(const struct pp_operation *o) { return o->descriptor >> 32 == PP_TARGET_FILE; }

/* NULL also if the target is no file, or if it is this call's turn to be timed. */
static inline __attribute__((always_inline)) struct pp_operation *pp_count_begin(enum pp_operation_kind kind,
                                                                                 const void *caller, int fd,
                                                                                 struct pp_descriptor **descriptor,
                                                                                 uint32_t *generation)
{
    struct pp_operation *o = pp_count_find(kind, caller, fd, descriptor, generation);
    return PP_LIKELY(o) && PP_LIKELY(pp_count_on_file(o)) && PP_LIKELY(o->untimed < o->due) ? o : NULL;
}

static inline void pp_count_moved(struct pp_operation *o, struct pp_descriptor *d, int64_t bytes, uint64_t offset)
{
    word_add(true, &o->bytes, (uint64_t)bytes);
    word_add(true, &o->size[size_bucket((uint64_t)bytes)], 1);
    word_add(true, &o->sequential, place_next(d, offset, (uint64_t)bytes));
}

/* `o` is NULL in a child that a handler forked meanwhile: the entry is its parent's. */
void pp_count_failed(struct pp_operation *o, struct pp_descriptor *d, enum pp_operation_kind kind, const void *caller,
                     int64_t bytes, uint64_t offset);

static inline __attribute__((always_inline)) void pp_count_end(struct pp_operation *o, struct pp_descriptor *d,
                                                               uint32_t generation, enum pp_operation_kind kind,
                                                               const void *caller, int64_t bytes, uint64_t offset)
{
    if (PP_UNLIKELY(bytes < 0 || *pp_fork_generation != generation)) {
        pp_count_failed(*pp_fork_generation == generation ? o : NULL, d, kind, caller, bytes, offset);
        return;
    }
    word_add(true, &o->untimed, 1);
    pp_count_moved(o, d, bytes, offset);
}

#endif
