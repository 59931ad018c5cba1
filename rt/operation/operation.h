/* SPDX-License-Identifier: MIT */
/* operation.h: wrappers of the C library's calls that move bytes or wait. The wrapping files are transfer.c, socket.c,
 * wait.c, sync.c, rwlock.c, work.c and those of stdio/. They book in tables (booking.c), by the descriptor's target
 * (target.c), and note what a socket waits for (answer.c). start.c says that a call has begun. next.c finds the
 * functions behind them. All of it may run in a signal handler, and keeps errno.
 *
 * A wrapper is a weak function with the C library's name. It calls the next function of that name, and books the call
 * at the user's line, under the thread's stage. Where nothing is recorded a wrapper is a load, a test and the call. */
#ifndef PP_OPERATION_H
#define PP_OPERATION_H

#include "rt.h"
#include "system/state.h"
#include "thread/unfinished.h"

#include <features.h>
#include <stdarg.h>
#include <stdio.h>

/* ThreadSanitizer calls the C library by these names before it is ready for instrumented code, also where the runtime
 * itself is instrumented. */
#define PP_BEFORE_ALL __attribute__((no_sanitize("thread")))

/* From this version of glibc on there are functions with a clock argument, barriers, epoll_pwait2 and psignal, and what
 * stands in for them in a static executable. */
#ifdef __GLIBC_PREREQ
#if __GLIBC_PREREQ(2, 35)
#define PP_HAS_CLOCKED 1
#endif
#endif

/* ---- the functions behind ours (next.c) ---- */
enum pp_next {
#define PP_NEXT(name, fallback) PP_NEXT_##name,
#include "operation/next.def"
    PP_NEXT_COUNT,
    PP_NEXT_AT_START = PP_NEXT_readv
};
extern void *_Atomic pp_next[PP_NEXT_COUNT] __attribute__((visibility("hidden")));
void *pp_next_find(enum pp_next which);
/* Finds those that PP_NEXT_KNOWN takes. In a library it finds all, because there the loader's lock is taken for it. */
void pp_next_start(void);
#define PP_NEXT_OF(name)                                                                    \
    ({                                                                                      \
        void *next_ = atomic_load_explicit(&pp_next[PP_NEXT_##name], memory_order_relaxed); \
        (__typeof__(&name))(PP_LIKELY(next_) ? next_ : pp_next_find(PP_NEXT_##name));       \
    })

/* The same of the first ones, up to PP_NEXT_AT_START, while anything is recorded; else it may be NULL. */
#define PP_NEXT_KNOWN(name) ((__typeof__(&name))atomic_load_explicit(&pp_next[PP_NEXT_##name], memory_order_relaxed))

/* Makes the linker take a function from the C library's archive. A reference in data would also do that, but then the
 * loader looks it up at each start. */
#define PP_DRAW(name) __asm__(".globl " #name)

/* Each wrapping file has one: whether the function that the process calls by a wrapped name is ours. A reference to it
 * links the file into every program, because libraries may call what the program does not. In a static executable the
 * linker redirects the last five (memory/wrap.c): there are no libraries, and what those files link in is large. */
bool pp_transfers_are_ours(void);
bool pp_waits_are_ours(void);
bool pp_streams_are_ours(void);
bool pp_sockets_are_ours(void);
bool pp_threads_are_ours(void);
bool pp_rwlocks_are_ours(void);
bool pp_scans_are_ours(void);
bool pp_works_are_ours(void);

uint64_t pp_streams_left(void); /* at the end: books what stdio will still write, and returns how much that is */

/* ---- what is recorded ---- */
#define PP_OPERATIONS_IO 1u
#define PP_OPERATIONS_WAITS 2u
#define PP_OPERATIONS_NETWORK 4u
extern uint32_t pp_operations_on __attribute__((visibility("hidden")));
#define PP_RECORDS(what) PP_UNLIKELY(pp_operations_on &(what))
/* The thread is inside the runtime: during a fork, or the birth of a thread. */
#define PP_RUNTIME_AT_WORK (pp_tls()->busy)
#define PP_CALLER __builtin_return_address(0) /* in a wrapper: the address after the program's call */

/* ---- descriptors and what they lead to (target.c) ---- */
struct pp_descriptor {
    _Atomic uint32_t target;   /* 0: not known, or not any more. With `kind` one word: pp_descriptor_word */
    _Atomic uint32_t kind;     /* pp_target_kind */
    _Atomic uint64_t end;      /* where the last transfer ended; UINT64_MAX: no transfer yet */
    _Atomic uint64_t position; /* where a transfer without an offset of its own begins */
    _Atomic uint16_t slow;     /* the last call waited or was long: the next one is measured more closely */
    _Atomic uint16_t type;     /* of a socket, as socket() was told, 0: not known; PP_NONBLOCKING */
    _Atomic uint32_t role;     /* enum pp_role, of a socket */
    /* On the side that asks: when the last byte was sent that is not answered yet. On the other: when the last byte was
     * received. 0: none. Odd: by the coarse clock. */
    _Atomic uint64_t turn_ns;
    _Atomic uint32_t long_answers;     /* the last timed answer took long: the next one is timed, too */
    _Atomic uint32_t missed;           /* how often the kernel was asked in vain what it leads to: it is not open */
    _Atomic uint64_t connect_ns;       /* when a connect was left in progress; 0: none is */
    _Atomic uint32_t connect_callsite; /* the callsite of that connect */
    /* A hash of the peer's address, if the calls themselves name the peer; else 0. */
    _Atomic uint32_t peer_hash;
};
#define PP_SOCKET_TYPE 0xf /* the rest are flags, in arguments also */
/* The program said so. It may have been taken back elsewhere, or by a duplicate: a call that waits ends it. */
#define PP_NONBLOCKING 0x10
static inline bool pp_descriptor_returns_at_once(const struct pp_descriptor *d)
{
    return atomic_load_explicit(&d->type, memory_order_relaxed) & PP_NONBLOCKING &&
           atomic_load_explicit(&d->kind, memory_order_relaxed) != PP_TARGET_FILE; /* which waits for a disk */
}
void pp_descriptor_set_nonblocking(int fd, bool nonblocking);
static inline uint64_t pp_descriptor_word(const struct pp_descriptor *d)
{
    return atomic_load_explicit((const _Atomic uint64_t *)(const void *)d, memory_order_relaxed);
}
/* The side that speaks first asks. A socket that was accepted never asks: what it receives after it sent is no
 * answer. */
enum pp_role { PP_ROLE_UNKNOWN, PP_ROLE_ASKS, PP_ROLE_ANSWERS };
bool pp_targets_start(void);
void pp_targets_fork_child(struct pp_thread *self);
/* Returns what is known of a descriptor, looked up if need be. NULL: its number is too high. */
struct pp_descriptor *pp_descriptor_at(int fd);
/* The descriptor will be closed, or leads elsewhere now. Returns its old target, 0 if not known. */
uint32_t pp_descriptor_forget(int fd);
void pp_descriptor_move(int fd, uint64_t position);
struct pp_descriptor *pp_descriptor_of(int fd); /* as pp_descriptor_at, without a lookup; NULL also before the start */
struct sockaddr;
/* Sets the peer of a socket: the address that it is connected to, or that the last call named. Returns the target. */
uint32_t pp_descriptor_set_peer(int fd, const struct sockaddr *address, uint32_t size);
uint32_t pp_descriptor_target(int fd); /* returns 0 if not known */
/* The target that files share which were opened once, after the first ones; 0: there is none. A file that moves much,
 * or whose call took `wall_ns`, gets a name of its own. */
extern _Atomic uint32_t pp_further_files __attribute__((visibility("hidden")));
void pp_descriptor_weigh(struct pp_descriptor *d, uint64_t wall_ns);
static inline void pp_descriptor_moved(struct pp_descriptor *d, uint64_t wall_ns)
{
    uint32_t further = atomic_load_explicit(&pp_further_files, memory_order_relaxed);
    if (PP_UNLIKELY(further && atomic_load_explicit(&d->target, memory_order_relaxed) == further))
        pp_descriptor_weigh(d, wall_ns);
}
/* The same of a descriptor that is new, without asking the kernel what it was asked before. It was opened by `path`,
 * below `folder`; or accepted on a socket with that target, from `peer`; or made by a call whose name says it all. */
struct pp_descriptor *pp_descriptor_opened(int fd, int folder, const char *path, bool waited);
void pp_descriptor_accepted(int fd, uint32_t listener, const struct sockaddr *peer, uint32_t size);
void pp_descriptor_made(int fd, enum pp_target_kind kind, const char *name);
extern _Atomic uint32_t pp_folder_changes;                           /* how often the process changed its folder */
uint32_t pp_target_make(enum pp_target_kind kind, const char *name); /* returns its id, 0: no room */
extern struct pp_descriptor *pp_descriptors __attribute__((visibility("hidden")));
#define PP_DESCRIPTORS 16384u /* descriptors above are not tracked */

/* ---- a call, from before it to its booking (booking.c) ---- */
struct pp_call {
    struct pp_descriptor *descriptor; /* NULL: none */
    struct pp_operation *entry;       /* NULL: it is looked up at the end of the call */
    struct pp_thread *thread;         /* the thread of `entry` */
    uint64_t start_ns;                /* 0: the call is not timed */
    /* If it is not timed and may wait for the other end: the time by the coarse clock. Else 0. */
    uint64_t coarse_ns;
    uint64_t cpu_ns;     /* 0: not read */
    uint32_t cpu_for;    /* if cpu_ns is of a call that only waits: for how many such calls it stands; else 0 */
    uint32_t generation; /* *pp_fork_generation at the begin: if that has changed, `entry` is another process's */
    bool records;
    uint32_t callsite;           /* 0: not looked up yet */
    struct pp_unfinished *place; /* where it is said to have begun (start.c). NULL: nowhere */
    struct pp_drawn *drawn;      /* of its callsite. NULL: not known */
};
/* Before the clock is read. pp_start_say: it began then. pp_start_over: it has returned. */
void pp_start_prepare(struct pp_call *call, enum pp_operation_kind kind, const void *caller);
static inline void pp_start_say(struct pp_call *call, uint64_t start_ns)
{
    if (PP_LIKELY(call->place)) /* partner: a reader */
        atomic_store_explicit((_Atomic uint64_t *)&call->place->start_ns, start_ns, memory_order_release);
}
/* Not in the child of a handler's fork: there the place is the parent's, or another call's. */
static inline void pp_start_over(const struct pp_call *call)
{
    if (PP_LIKELY(call->place && *pp_fork_generation && call->place->call == (uint64_t)(uintptr_t)call))
        pp_unfinished_drop(call->place);
}
void pp_start_settle(struct pp_thread *thread); /* books calls that were left by longjmp */
/* Own thread: books a call that it left, as one that failed, and that waited until now. */
void pp_start_left(struct pp_thread *thread, const struct pp_unfinished *left);

/* fd below 0: the call is on no descriptor. */
void pp_call_begin(struct pp_call *call, enum pp_collector collector, enum pp_operation_kind kind, const void *caller,
                   int fd);
/* For rare calls that are booked on no descriptor: reads the thread's CPU clock, unless the last calls from there were
 * short. */
void pp_call_begin_seldom(struct pp_call *call, enum pp_collector collector, enum pp_operation_kind kind,
                          const void *caller);
void pp_call_take(struct pp_call *call, uint64_t *wall_ns, uint64_t *wait_ns); /* it has returned: how long it took */
/* Begins a call that moves bytes on a descriptor. While calls from that callsite are short, only some are timed. Ended
 * by pp_call_end. */
void pp_call_begin_transfer(struct pp_call *call, enum pp_collector collector, enum pp_operation_kind kind,
                            const void *caller, int fd);
#define PP_HERE UINT64_MAX          /* as offset: the descriptor's own position */
#define PP_NOTHING (UINT64_MAX - 1) /* the same, of a call on no descriptor: it found nothing */
/* `bytes`: below 0: the call failed; 0 for kinds without bytes. */
void pp_call_end(struct pp_call *call, enum pp_operation_kind kind, const void *caller, int64_t bytes, uint64_t offset);
/* End a rare call on a target that is known, or 0; and one that returned a descriptor, or failed. */
void pp_call_end_on(struct pp_call *call, enum pp_operation_kind kind, const void *caller, bool failed,
                    uint32_t target);
void pp_call_open(struct pp_call *call, const void *caller, int fd, int folder, const char *path);
/* Begins a call that the kernel works in and that seldom waits. While calls from that callsite on that target, or 0,
 * are short, only some are timed. */
void pp_call_begin_work(struct pp_call *call, enum pp_collector collector, enum pp_operation_kind kind,
                        const void *caller, uint32_t target);
void pp_call_end_work(struct pp_call *call, enum pp_operation_kind kind, const void *caller, bool failed,
                      uint32_t target);
/* Of a call that was begun so; 0: not known. */
static inline uint32_t pp_call_callsite(const struct pp_call *call)
{
    return !call->records ? 0 : call->entry ? PP_OPERATION_POINT(call->entry->key) : call->callsite;
}
#define PP_WORKS(kind) ((kind) >= PP_OPERATION_FILE)
/* Calls the next function `name`, which only waits, books that, and returns its result, an int. It takes numbers and
 * pointers alone, four at most. Both processors pass them in the same registers, so one function calls them all
 * (wait.c). `fails` says which results are failures. */
/* LOOKING: below 0; 0 says that it found nothing. */
enum pp_fails { PP_FAILS_NOT_ZERO, PP_FAILS_NEGATIVE, PP_FAILS_POSITIVE, PP_FAILS_NEVER, PP_FAILS_LOOKING };
_Static_assert(PP_NEXT_COUNT <= 256, "one byte of `what`");
#define PP_WAIT_NEXT(what)                                                                  \
    ({                                                                                      \
        enum pp_next which_ = (enum pp_next)((what)&0xff);                                  \
        void *next_ = atomic_load_explicit(&pp_next[which_], memory_order_relaxed);         \
        (int (*)(long, long, long, long))(PP_LIKELY(next_) ? next_ : pp_next_find(which_)); \
    })
int pp_wait_booked(long a, long b, long c, long d, uint32_t what, const void *caller);
#define PP_BOOKED_WAIT_4(what, a, b, c, d, ...) \
    pp_wait_booked((long)(a), (long)(b), (long)(c), (long)(d), what, PP_CALLER)
#define PP_WAIT_OF(name, kind, fails) \
    (PP_NEXT_##name | (uint32_t)PP_OPERATION_##kind << 8 | (uint32_t)PP_FAILS_##fails << 16)
#define PP_BOOKED_WAIT(name, kind, fails, ...) PP_BOOKED_WAIT_4(PP_WAIT_OF(name, kind, fails), __VA_ARGS__, 0, 0, 0)
/* Books `call`, a call of the next function that sets `result` and that the kernel works in. `failed` says whether that
 * result is a failure. */
#define PP_BOOKED_WORK(kind, result, failed, call)                                            \
    do {                                                                                      \
        struct pp_call booked_;                                                               \
        booked_.records = false;                                                              \
        if (PP_RECORDS(PP_OPERATIONS_WAITS))                                                  \
            pp_call_begin_work(&booked_, PP_COLLECTOR_WAITS, PP_OPERATION_##kind, PP_CALLER, 0); \
        result = (call);                                                                      \
        pp_call_end_work(&booked_, PP_OPERATION_##kind, PP_CALLER, failed, 0);                \
    } while (0)
/* Books a call that was measured elsewhere. `callsite` 0: the one of `caller`. */
struct pp_done {
    enum pp_operation_kind kind;
    uint32_t target;
    bool failed, sequential, preempted; /* preempted: perhaps, so wall_ns may be more than the call took */
    bool works;                         /* was not preempted, as far as is known, and did not wait, however long */
    uint64_t bytes, wall_ns, wait_ns;
    uint64_t cpu_ns; /* CPU time, of a wait also of the calls that it stands for; 0: all but the wait */
    uint32_t cpu_for; /* of a call that only waits and whose CPU clock was read: for how many such calls; else 0 */
    uint32_t callsite;
};
void pp_operation_book(const void *caller, const struct pp_done *done);
uint32_t pp_operation_callsite(const void *caller);
/* Books an answer or its like, which is no call. Returns for how many answers a timed one stands, 0 for others. */
enum pp_timed { PP_NOT_TIMED, PP_TIMED, PP_TIMED_ALONE }; /* the last one stands for itself only */
uint64_t pp_answer_book(const void *caller, const struct pp_done *done, enum pp_timed timed, uint64_t wall_ns);
/* Books which callsite held a lock for how much of a wait for it; 0: not known which. For `own_ns` of that the holder
 * waited itself: most of it in what `own_key` says, the low bits of PP_OPERATION_KEY. */
void pp_held_book(uint32_t waiter, uint32_t holder, uint64_t wait_ns, uint64_t own_ns, uint32_t own_key);
/* The coarse clock is the time of the kernel's last tick, and costs a third of a clock reading. Longer than
 * pp_coarse_long_ns, which is some ticks, is long beyond doubt. */
#define PP_COARSE_LONG_TICKS 3u
uint64_t pp_coarse_ns(void);
extern uint64_t pp_coarse_long_ns __attribute__((visibility("hidden")));

/* ---- sockets: what was asked and not yet answered, what is being connected (answer.c) ---- */
/* `now` is odd where the call was not timed: the time is by the coarse clock. */
#define PP_IS_COARSE(ns) ((ns)&1)
void pp_socket_sent(struct pp_descriptor *d, const void *caller, uint64_t now, uint64_t bytes);
void pp_socket_received(struct pp_descriptor *d, const void *caller, uint64_t now);
void pp_request_forget(const struct pp_descriptor *d); /* it leads elsewhere now */
/* Whether a call of this kind on that socket is one end of an answer that is to be timed. */
bool pp_socket_awaits(const struct pp_descriptor *d, enum pp_operation_kind kind);
/* A connect was left in progress; pp_connect_look asks the kernel whether it has ended. */
extern _Atomic uint32_t pp_connects; /* how many are in progress */
void pp_connect_begin(struct pp_descriptor *d, const void *caller, uint64_t now);
void pp_connect_look(int fd, bool failed);
void pp_connect_end(struct pp_descriptor *d, bool failed, uint64_t now);

void pp_operations_start(void); /* once, after the sources */
void pp_operations_last(void);  /* after all code of the program; only the C library's last flush follows */

#endif
