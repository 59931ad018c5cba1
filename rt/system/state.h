/* SPDX-License-Identifier: MIT */
/* state.h: what every room asks first: is anything recorded, which calls are forbidden, what was lost or given up. It
 * must not know who sets it. */
#ifndef PP_STATE_H
#define PP_STATE_H

#include "rt.h"

/* Distance from the thread pointer to a thread's struct pp_words in the elected copy, the same in every thread. 0:
 * this copy is not elected, and must not use it. */
extern int64_t pp_tls_offset
    __attribute__((visibility("hidden"))); /* declared here, too, so that it is read directly, not through the GOT */
static inline struct pp_words *pp_words(void)
{
    return (struct pp_words *)((char *)__builtin_thread_pointer() + pp_tls_offset);
}
/* Addresses single words of it. If the thread pointer is a segment's base, that takes no addition. */
#if defined __x86_64__ && defined __SEG_FS
#define PP_WORDS_HERE ((const struct pp_words __seg_fs *)pp_tls_offset)
#else
#define PP_WORDS_HERE ((const struct pp_words *)pp_words())
#endif
static inline struct pp_tls *pp_tls(void) { return &pp_words()->tls; }

extern struct pp_run pp_run;
/* 0 in a child that was made without the C library's fork (a bare clone, _Fork), because the kernel clears the word.
 * The child's memory is then its parent's file, so it must not change it. In each child that is recorded it is another
 * number. */
extern const volatile uint32_t *pp_fork_generation __attribute__((visibility("hidden")));
extern volatile uint32_t pp_fork_generation_static; /* used while the kernel cannot clear a page at a fork */
/* Set when pages of the data file were lost (process/fault.c): recording has ended, and locks are broken. */
extern _Atomic bool pp_file_is_lost;
void pp_file_lose(void); /* sets it. Async-signal-safe */
static inline bool pp_on(enum pp_collector collector)
{
    return pp_run.header && !atomic_load_explicit(&pp_file_is_lost, memory_order_relaxed) &&
           (atomic_load_explicit((_Atomic uint32_t *)&pp_run.header->collectors, memory_order_relaxed) >> collector &
            1);
}

enum pp_state { PP_STATE_NEW, PP_STATE_ON, PP_STATE_OFF };
extern _Atomic uint32_t pp_state;
/* Estimated costs of the runtime, measured at the start. */
struct pp_costs {
    uint64_t frame_ns;        /* a timed activation, as self_ns has it */
    _Atomic uint64_t read_ns; /* a reading of a stage's metrics; threads may measure it at the same time */
    uint64_t activation_ns;   /* a timed activation with all that its hooks execute */
};
extern struct pp_costs pp_costs;
/* How much time must pass before something of this cost may happen again within the budget. */
static inline uint64_t pp_budget_ns(uint64_t cost_ns)
{
    uint64_t permille = pp_run.header->budget_permille;
    return cost_ns * 1000 / (permille ? permille : 1);
}

bool pp_under_valgrind(void);

/* ---- what a seccomp filter would not let through (process/sandbox.c asks it) ---- */
enum {
    PP_FORBIDDEN_CORE =
        1, /* blocking signals, futexes, getpid: nothing new is started, and what runs continues */
    PP_FORBIDDEN_FILE = 2, /* growth of the data file */
    PP_FORBIDDEN_MEMORY = 4,
    PP_FORBIDDEN_LIMITS = 8,       /* asking for limits */
    PP_FORBIDDEN_METRICS = 16,     /* CPU time, bytes, faults */
    PP_FORBIDDEN_LOOKS = 32,       /* names, /proc, standard error */
    PP_FORBIDDEN_EVENTS = 64,      /* perf events */
    PP_FORBIDDEN_TIMERS = 128,     /* new CPU timers */
    PP_FORBIDDEN_CLOCK = 512,      /* any: the processor's counter raises a signal, the kernel's clock kills */
    PP_FORBIDDEN_COUNTER = 1024,   /* the processor's counter: PR_SET_TSC */
    PP_FORBIDDEN_SIGNALS = 2048,   /* returning from a handler */
    PP_FORBIDDEN_SEGMENT = 4096,   /* the base of a segment, where the processor's own instruction may not */
    PP_FORBIDDEN_TARGETS = 8192,   /* what a descriptor leads to */
    PP_FORBIDDEN_CHILDREN = 16384, /* a child that tries calls for us */
    PP_FORBIDDEN_HEAP = 32768,     /* the heap's end, reading the heap, which pages are resident */
    PP_FORBIDDEN_FORKS = 256,      /* a file of its own for a fork's child */
};
extern _Atomic uint32_t pp_forbidden_calls;
static inline bool pp_forbids(uint32_t calls)
{
    return PP_UNLIKELY(atomic_load_explicit(&pp_forbidden_calls, memory_order_relaxed) & calls);
}

/* Counts a loss. Async-signal-safe, also while nothing is recorded. */
void pp_loss(enum pp_loss loss, uint64_t count);
/* Counts what was given up to stay within the budget. Async-signal-safe. */
void pp_give_up(enum pp_given what, uint64_t count);

#endif
