/* SPDX-License-Identifier: MIT */
/* operation.h: what the wrappers of the C library's calls that move bytes or wait (transfer.c, socket.c, stream.c, scan.c, wait.c, sync.c, rwlock.c) say to the tables
 * that they book in (booking.c, descriptors' in target.c, what a socket is waiting for in answer.c), and how they find the functions behind them (next.c). All of it may run in a signal's
 * handler, and keeps errno.
 *
 * A wrapper is one weak function of the C library's name: it calls the next one of that name, and books the call at the user's line, under the
 * stage that the thread is in. Where nothing is recorded it is a load, a test and the call. */
#ifndef PP_OPERATION_H
#define PP_OPERATION_H

#include "rt.h"

#include <features.h>
#include <stdarg.h>
#include <stdio.h>

/* ThreadSanitizer's own start calls the C library by these names, before it is there for what it has instrumented: also where the runtime is. */
#define PP_BEFORE_ALL __attribute__((no_sanitize("thread")))

/* Functions with a clock of their own, barriers, epoll_pwait2, psignal: they, and what stands in for them in a static executable, are there from this version on. */
#ifdef __GLIBC_PREREQ
#if __GLIBC_PREREQ(2, 35)
#define PP_HAS_CLOCKED 1
#endif
#endif

/* ---- the functions behind ours (next.c) ---- */
enum pp_next {
#define PP_NEXT(name, fallback) PP_NEXT_##name,
#include "operation/next.def"
    PP_NEXT_COUNT
};
extern void *_Atomic pp_next[PP_NEXT_COUNT] __attribute__((visibility("hidden")));
void *pp_next_find(enum pp_next which);
void pp_next_start(void);                /* finds all, so that no handler has to */
#define PP_NEXT_OF(name) ({ \
    void *next_ = atomic_load_explicit(&pp_next[PP_NEXT_##name], memory_order_relaxed); \
    (__typeof__(&name))(PP_LIKELY(next_) ? next_ : pp_next_find(PP_NEXT_##name)); })

/* The same while anything is recorded: all are known then. */
#define PP_NEXT_KNOWN(name) ((__typeof__(&name))atomic_load_explicit(&pp_next[PP_NEXT_##name], memory_order_relaxed))

/* Each wrapping file has one: whether what the process calls by the names is ours. Named, it draws the file into every program, whose libraries
 * may call what the program does not. In a static executable the linker leads the last four elsewhere (memory/wrap.c): it calls nothing
 * by those names but what it is linked with, and what they draw in is large. */
bool pp_transfers_are_ours(void);
bool pp_waits_are_ours(void);
bool pp_streams_are_ours(void);
bool pp_sockets_are_ours(void);
bool pp_threads_are_ours(void);
bool pp_rwlocks_are_ours(void);
bool pp_scans_are_ours(void);

int pp_stream_scan(FILE *f, const char *form, va_list list, const void *caller);      /* vfscanf, and what it read is booked */
uint64_t pp_streams_left(void);          /* at the end: books what stdio will yet write, and says how much that is */

/* ---- what is recorded ---- */
#define PP_OPERATIONS_IO 1u
#define PP_OPERATIONS_WAITS 2u
#define PP_OPERATIONS_NETWORK 4u
extern uint32_t pp_operations_on __attribute__((visibility("hidden")));
#define PP_RECORDS(what) PP_UNLIKELY(pp_operations_on & (what))
#define PP_RUNTIME_AT_WORK (pp_tls()->reserved[0])     /* the thread is inside the runtime: during a fork, or the birth of a thread */
#define PP_CALLER __builtin_return_address(0)     /* of a wrapper: the call of it */

/* ---- descriptors and what they lead to (target.c) ---- */
struct pp_descriptor {
    _Atomic uint32_t target;             /* 0: not known (any more). With the next one a word: pp_descriptor_word */
    _Atomic uint32_t kind;               /* pp_target_kind */
    _Atomic uint64_t end;                /* where the last transfer ended; UINT64_MAX: nowhere in particular */
    _Atomic uint64_t position;           /* where the next one without a place of its own begins */
    _Atomic uint32_t slow;               /* the last call waited, or was long: the next is looked at more closely */
    _Atomic uint32_t role;               /* pp_role, of a socket */
    _Atomic uint64_t turn_ns;           /* when its last byte was sent that nothing has answered; where the other end asks, received; 0: none; odd: about */
    _Atomic uint32_t long_answers;       /* the last answer that was timed took long: the next is, too */
    _Atomic uint64_t connect_ns;           /* when a connect left it in progress; 0: it is in none */
    _Atomic uint32_t connect_callsite;        /* whose */
    _Atomic uint32_t peer_hash;                /* a hash of where it was last sent to, where each call says that; 0: none does */
};
static inline uint64_t pp_descriptor_word(const struct pp_descriptor *d) { return atomic_load_explicit((const _Atomic uint64_t *)(const void *)d, memory_order_relaxed); }
/* Who speaks first asks, but for who accepted; what the other one receives after it sent is no answer. */
enum pp_role { PP_ROLE_UNKNOWN, PP_ROLE_ASKS, PP_ROLE_ANSWERS };
bool pp_targets_start(void);
/* What is known of a descriptor, looked up if need be; null: of no such number is anything kept. */
struct pp_descriptor *pp_descriptor_at(int fd);
uint32_t pp_descriptor_forget(int fd);   /* it is to be closed, or leads elsewhere now; what it led to, if that was known */
void pp_descriptor_move(int fd, uint64_t position);
struct pp_descriptor *pp_descriptor_of(int fd);    /* without a look; null: of no such number */
struct sockaddr;
/* It leads to that address from now on: connected, or the one that the last call said. Its target. */
uint32_t pp_descriptor_set_peer(int fd, const struct sockaddr *address, uint32_t size);
uint32_t pp_descriptor_target(int fd);   /* 0: not known */
uint32_t pp_target_make(enum pp_target_kind kind, const char *name);     /* its id, 0: no room */
extern struct pp_descriptor *pp_descriptors __attribute__((visibility("hidden")));
#define PP_DESCRIPTORS 16384u         /* of those above nothing is kept */

/* ---- a call, from before it to its booking (booking.c) ---- */
struct pp_call {
    struct pp_descriptor *descriptor;    /* null: none */
    struct pp_operation *entry;          /* null: it is looked for when all is known */
    struct pp_thread *thread;            /* whose it is */
    uint64_t start_ns;                   /* 0: it is not timed */
    uint64_t coarse_ns;                   /* then, where it may wait for who is at the other end: when that was, by the kernel's last tick; else 0 */
    uint64_t cpu_ns;                     /* 0: not read */
    uint32_t generation;                     /* *pp_fork_generation then: it is another process's entry where that has changed */
    bool records;
};
/* `fd` below 0: it is on no descriptor. */
void pp_call_begin(struct pp_call *call, enum pp_collector collector, int fd);
/* On none, and so seldom that the thread's CPU clock is read each time. */
void pp_call_begin_seldom(struct pp_call *call, enum pp_collector collector);
void pp_call_take(struct pp_call *call, uint64_t *wall_ns, uint64_t *wait_ns);      /* how long it took up to here */
/* Of a kind that moves bytes, on a descriptor: while its calls from there are short, not every one is timed. Ended by pp_call_end. */
void pp_call_begin_transfer(struct pp_call *call, enum pp_collector collector, enum pp_operation_kind kind, const void *caller, int fd);
#define PP_HERE UINT64_MAX               /* offset: where the descriptor stands */
/* bytes below 0: it failed. Of a kind without bytes 0. */
void pp_call_end(struct pp_call *call, enum pp_operation_kind kind, const void *caller, int64_t bytes, uint64_t offset);
/* The same where the target is known, or 0; and of a call that gave a descriptor, or failed. */
void pp_call_end_on(struct pp_call *call, enum pp_operation_kind kind, const void *caller, int64_t bytes, uint32_t target);
void pp_call_open(struct pp_call *call, const void *caller, int fd);
/* The next function's call, which sets `result`; `failed` says of that whether it did what it was to. */
#define PP_BOOKED_WAIT(kind, result, failed, call) do { \
    if (!PP_RECORDS(PP_OPERATIONS_WAITS)) { \
        result = (call); \
    } else { \
        struct pp_call booked_; \
        pp_call_begin(&booked_, PP_COLLECTOR_WAITS, -1); \
        result = (call); \
        pp_call_end(&booked_, PP_OPERATION_##kind, PP_CALLER, (failed) ? -1 : 0, PP_HERE); \
    } } while (0)
/* Books what was found out otherwise. point: 0: the caller's. */
struct pp_done { enum pp_operation_kind kind; uint32_t target; bool failed, sequential; uint64_t bytes, wall_ns, wait_ns; uint32_t callsite; };
void pp_operation_book(const void *caller, const struct pp_done *done);
uint32_t pp_operation_callsite(const void *caller);
/* Of a kind that is no call: an answer, timed or not. For how many the timed one stands, 0 for others. */
enum pp_timed { PP_NOT_TIMED, PP_TIMED, PP_TIMED_ALONE };        /* the last stands for itself alone */
uint64_t pp_answer_book(const void *caller, enum pp_operation_kind kind, uint32_t target, enum pp_timed timed, uint64_t wall_ns);
/* The time of the kernel's last tick, a third of a clock reading's price, and what is then long beyond doubt: some ticks. */
uint64_t pp_coarse_ns(void);
extern uint64_t pp_coarse_long_ns __attribute__((visibility("hidden")));

/* ---- sockets: what was asked and not yet answered, what is being connected (answer.c) ---- */
/* now: odd where the call was not timed: about then. */
#define PP_IS_COARSE(ns) ((ns) & 1)
void pp_socket_sent(struct pp_descriptor *d, const void *caller, uint64_t now);
void pp_socket_received(struct pp_descriptor *d, const void *caller, uint64_t now);
/* Whether the time of the call, of this kind on that socket, is one end of another time that is to be known. */
bool pp_socket_awaits(const struct pp_descriptor *d, enum pp_operation_kind kind);
/* A connect was left in progress; it is seen that it has ended, if it has. */
extern _Atomic uint32_t pp_connects;     /* that are in progress */
void pp_connect_begin(struct pp_descriptor *d, const void *caller, uint64_t now);
void pp_connect_look(int fd, bool failed);
void pp_connect_end(struct pp_descriptor *d, bool failed, uint64_t now);

void pp_operations_start(void);                      /* once, after the sources */
void pp_operations_last(void);                       /* after everything of the program but the C library's last flush */

#endif
