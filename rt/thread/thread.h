/* SPDX-License-Identifier: MIT */
/* thread.h: the blocks of threads, and the table of them. */
#ifndef PP_THREAD_H
#define PP_THREAD_H

#include "rt.h"
#include "system/state.h"

/* Like pp_give_up, but adds to the thread's own sum, not to a shared word. */
static inline void pp_give_up_often(struct pp_private *p, enum pp_given what, uint64_t count)
{
    if (PP_UNLIKELY(!__atomic_load_n(&pp_run.header->given_up_ns[what],
                                     __ATOMIC_RELAXED))) /* another thread may be writing it */
        pp_give_up(what, count);                         /* so that the time is known */
    else
        p->given_up[what] += count;
}
/* This thread's block. NULL: it has none yet. */
struct pp_thread *pp_thread_self(void);
/* Block number `id`, from 1 to pp_thread_count(). NULL: it does not exist. */
struct pp_thread *pp_thread_at(uint32_t id);
uint32_t pp_thread_count(void);
uint64_t pp_random(struct pp_private *p);
/* The node that the thread is in. Async-signal-safe. If a fiber moves between threads, it may leave behind a node of
 * the thread that it left. Then the place in this thread's tree is unknown, and the root is returned. */
#define PP_NODE_OWNER_SHIFT 16 /* of pp_node.flags: the bits from here on are the block that the node belongs to */
static inline struct pp_node *pp_thread_node(struct pp_thread *thread)
{
    struct pp_node *n = (struct pp_node *)(uintptr_t)thread->node;
    return PP_LIKELY(n->flags >> PP_NODE_OWNER_SHIFT == thread->id)
               ? n
               : (struct pp_node *)(pp_private(thread)->nodes + 1); /* the root */
}

/* In a thread that was started at that callsite. */
void pp_thread_started(uint32_t callsite);
/* The row of a thread that has ended and had that pthread_t. NULL: it is not known. */
struct pp_thread_row *pp_thread_row_ended(uint64_t handle);

/* A thread block and its files, by the block's number. A fork's child closes the files of all threads, so they are not
 * in the blocks. Each file is a descriptor plus 1, or 0 if there is none. */
extern struct pp_numbered {
    struct pp_thread *_Atomic block;
    _Atomic int event, faults, account; /* of the sampler, of page faults (faulting.c), of I/O (metric/io.c) */
    _Atomic uint64_t account_inode;
} pp_numbered[PP_THREAD_BLOCKS + 1] __attribute__((visibility("hidden")));

void pp_threads_start(void);
void pp_tls_own(void); /* this copy is elected: the process uses its thread-local words */
/* Gives this thread counters for every key that was given out. */
void pp_thread_refill(struct pp_thread *thread);
struct pp_thread *pp_thread_birth(void);
void pp_thread_begin(void);    /* before its first function, where that is known (threadstart.c) */
bool pp_births_are_ours(void); /* whether threads are made through threadstart.c */
void pp_births_start(void); /* process/program.c: notes it if they are not */
/* In a fork's child. First retires the blocks of threads that it does not have. When the rows are empty, its own thread
 * gets one. */
void pp_threads_fork_child(void);
void pp_threads_row_child(void);
void pp_thread_row_update(struct pp_thread *thread); /* of any live thread: CPU time */
void pp_threads_seal(void);
/* Whether both addresses lie on the thread's own stack. */
bool pp_thread_on_stack(struct pp_private *p, uint64_t a, uint64_t b);

/* A random number around `step`, so that sampling does not keep step with a periodic program. */
static inline uint64_t pp_draw(struct pp_private *p, uint64_t step) { return step / 2 + pp_random(p) % (step + 1); }

#endif
