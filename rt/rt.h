/* SPDX-License-Identifier: MIT */
/* rt.h: the private contract between the files of the runtime. It must not know what a source of numbers reads, nor how a
 * report shows it. Nothing here is seen by the profiled program.
 *
 * RULES every file keeps: the runtime is a guest. It never aborts, never calls malloc on its own behalf (mmap and static
 * memory only), keeps errno in everything that the program may call into, takes no lock on a probe path, and counts every
 * loss (pp_loss). Code that a signal handler can re-enter is written for that; rare structural changes run with all signals
 * blocked (pp_lock). */
#ifndef PROFPLUG_RT_H
#define PROFPLUG_RT_H

#include <profplug/abi/format.h>
#include "system/syscall.h"
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* What emitted code and the program may name. Hidden in the archive, exported by the shared library. */
#ifdef PP_SHARED
#define PP_PUBLIC __attribute__((visibility("default")))
#else
#define PP_PUBLIC __attribute__((visibility("hidden")))
#endif
/* What must be seen by other linked images also from the archive: functions of the C library that the runtime wraps. Weak, so
 * that a fully static link that draws in the C library's own has no clash. */
#define PP_WRAPPER __attribute__((visibility("default"), weak))

#define PP_LIKELY(x) __builtin_expect(!!(x), 1)
#define PP_UNLIKELY(x) __builtin_expect(!!(x), 0)

/* This thread's words in the elected copy of the runtime: as far from the thread pointer in every thread. 0: this copy is not the elected one,
 * and must not ask. */
extern int64_t pp_tls_offset __attribute__((visibility("hidden")));       /* said here too, so that it is read at once, not by its address */
/* The window is the part of the heap that the thread had its last blocks from, where heap.c books at a glance: from `low` on `bytes` of addresses, none
 * while there is no `thread`, or `busy`; their shadow begins at `shadow`. */
struct pp_words {
    struct pp_tls tls;
    struct { uint64_t low, bytes, shadow, busy; } window;
};
static inline struct pp_words *pp_words(void) { return (struct pp_words *)((char *)__builtin_thread_pointer() + pp_tls_offset); }
/* The same, to read single words of it: where the thread pointer is a segment's base, that takes no addition. */
#if defined __x86_64__ && defined __SEG_FS
#define PP_WORDS_HERE ((const struct pp_words __seg_fs *)pp_tls_offset)
#else
#define PP_WORDS_HERE ((const struct pp_words *)pp_words())
#endif
static inline struct pp_tls *pp_tls(void) { return &pp_words()->tls; }
/* Its reserved words: 0 the core is at work in this thread; 1 the thread is inside the allocator behind ours (heap.c, mapping.c); 3 and 4 signals that
 * are held off (lock.c). */

/* ---- options (options.c) ---- */
enum pp_collector {
#define PP_COLLECTOR(id, key, level, available, help) PP_COLLECTOR_##id,
#include <profplug/abi/options.def>
    PP_COLLECTOR_COUNT
};
struct pp_options {
    uint32_t level, timing;              /* enum pp_level, enum pp_timing */
    uint32_t collectors;                 /* bit per enum pp_collector */
    uint32_t budget_permille, sample_hz;
    uint64_t max_file_bytes;
    char output[1024];                   /* the pattern as given */
    char labels[1024];                   /* KEY:VALUE, each terminated; an empty one ends them */
};

/* ---- the process (lifecycle.c) ---- */
struct pp_run {
    struct pp_header *header;            /* null while off; points into the mapped file */
    struct pp_options options;
    uint32_t page_bytes;                 /* of the system; extents are multiples of it */
    char path[1400];                     /* of the data file, absolute */
};
extern struct pp_run pp_run;
/* 0 in a child that came without the C library's fork (a bare clone, _Fork): the kernel wipes the word. The thread's memory is then
 * its parent's file, and nothing is done that another process would trip over. In each child that is recorded it is another number. */
extern const volatile uint32_t *pp_native __attribute__((visibility("hidden")));
/* Pages of the data file are gone (fault.c): nothing is recorded any more, and no lock is worth keeping. */
extern _Atomic bool pp_file_is_lost;
/* In a signal's handler: makes the interrupted context that of a slow half's caller, had that returned 0. Elsewhere it goes on where it was. */
void pp_fault_leave(void *context);
static inline bool pp_on(enum pp_collector collector)
{
    return pp_run.header && !atomic_load_explicit(&pp_file_is_lost, memory_order_relaxed) && (atomic_load_explicit((_Atomic uint32_t *)&pp_run.header->collectors, memory_order_relaxed) >> collector & 1);
}
/* Counts a loss; callable anywhere, also while off. */
void pp_loss(enum pp_loss loss, uint64_t count);
/* Counts what was given up to stay within the budget. Async-signal-safe. */
void pp_give_up(enum pp_given what, uint64_t count);
/* One line on standard error, "profplug: " before it, however the program left its stdio. printf's %s %d %u %lu alone. */
void pp_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The lock of rare structural changes (registration, modules, places, the table of threads): all signals are blocked while it
 * is held, so a handler of the same thread cannot meet it. Not recursive. Do not call the C library's allocator or stdio in it. */
void pp_lock(sigset_t *saved);
void pp_unlock(const sigset_t *saved);
/* Blocks and restores every signal of this thread without the C library's bookkeeping. */
void pp_signals_block(sigset_t *saved);
void pp_signals_restore(const sigset_t *saved);

/* ---- sandboxes (sandbox.c): what is done without, once a seccomp filter would not let its system calls through ---- */
enum {
    PP_FORBIDDEN_CORE = 1,               /* holding signals off, locks, who we are: nothing is begun any more, what is there goes on */
    PP_FORBIDDEN_FILE = 2,               /* growth of the data file */
    PP_FORBIDDEN_MEMORY = 4,
    PP_FORBIDDEN_LIMITS = 8,             /* asking for them */
    PP_FORBIDDEN_METRICS = 16,           /* CPU time, bytes, faults */
    PP_FORBIDDEN_LOOKS = 32,             /* names, /proc, standard error */
    PP_FORBIDDEN_EVENTS = 64,            /* perf events */
    PP_FORBIDDEN_TIMERS = 128,           /* new CPU timers */
    PP_FORBIDDEN_CLOCK = 512,            /* any: the processor's counter raises a signal, the kernel's clock kills */
    PP_FORBIDDEN_COUNTER = 1024,         /* the processor's counter: PR_SET_TSC */
    PP_FORBIDDEN_SIGNALS = 2048,         /* coming back from a handler */
    PP_FORBIDDEN_SEGMENT = 4096,          /* the base of a segment, where the processor's own instruction may not */
    PP_FORBIDDEN_TARGETS = 8192,         /* what a descriptor leads to */
    PP_FORBIDDEN_CHILDREN = 16384,       /* a child that answers for us */
    PP_FORBIDDEN_HEAP = 32768,           /* where the heap ends, and reading it */
    PP_FORBIDDEN_FORKS = 256,            /* a file of its own for a fork's child */
};
extern _Atomic uint32_t pp_forbidden_calls;
static inline bool pp_forbids(uint32_t calls) { return PP_UNLIKELY(atomic_load_explicit(&pp_forbidden_calls, memory_order_relaxed) & calls); }
void pp_sandbox_start(void);             /* asks for events and timers under a filter that was there before the program */

/* ---- the data file (datafile.c) ---- */
/* A zeroed, mapped extent, published in the directory under `kind` when pp_extent_publish is called on it (fill its head
 * first). `bytes` is rounded up to pages; *size gets what it is. Lock-free, async-signal-safe. Where the disk or max-file has
 * no room the memory is anonymous, PP_LOSS_DISK is counted and publishing is silent; null (PP_LOSS_MEMORY) if even that fails. */
struct pp_extent { void *address; uint64_t offset, size; };     /* offset 0: not in the file */
bool pp_extent_claim(struct pp_extent *extent, uint64_t bytes);
void pp_extent_publish(const struct pp_extent *extent, enum pp_extent_kind kind, uint32_t thread);
/* What the runtime's own variables take of that: all .bss and .data of the archive, as `size` has them, rounded up. */
#define PP_STATIC_BYTES (300u << 10)
/* Whether that much more may be taken of a limited address space (RLIMIT_AS, RLIMIT_DATA); if so it counts as taken. */
bool pp_memory_fits(uint64_t bytes);
/* Anonymous zeroed memory outside the file, never given back. Null on failure. */
void *pp_memory(uint64_t bytes);
/* Appends a record; safe in any thread, and in a signal handler unless it interrupts one (then it is lost and counted). */
bool pp_record_add(enum pp_record_kind kind, const void *payload, uint32_t size);
bool pp_record_add2(enum pp_record_kind kind, const void *head, uint32_t head_size, const void *tail, uint32_t tail_size);

/* ---- threads (thread.c) ---- */
/* How often a thread is sampled (rate.h). Of the window under way: signals, what they took and stood for, and of that what found the runtime at work. */
struct pp_rate {
    uint32_t every;                      /* periods that a sample stands for, in 16ths */
    uint32_t window, signals;
    bool turns;                          /* it is taken off its CPU so often that an event would cost too much */
    uint64_t spent_ns, periods, busy;
    uint64_t counts, cpu_ns;             /* where they stood when it began; 0: not known */
    uint64_t rest_ns, elapsed_ns;        /* of the last windows: what profiling took without samples, of how much */
    uint64_t switches, turns_cpu_ns, arming_ns;          /* when switches were looked at last; the mean of what arming takes */
};
/* What a thread waited, and what of it has no calls yet (blocked.c). */
struct pp_stall_state {
    uint64_t table;                      /* address of the one in use, 0 for none */
    uint64_t waited_ns;
    uint64_t pending_ns, due_ns;         /* of short waits: since the last whose calls were found; how much is worth finding the next one's */
    uint64_t period_ns;                  /* and what of one alone is; 0 at first */
    uint64_t spent_ns, found;
};
/* What private_[] of struct pp_thread holds. Only the owning thread writes it, but for a fork's child. */
#define PP_RECENT 16u
struct pp_private {
    struct pp_frame *top;                /* innermost open frame, null for none */
    struct pp_frame *stage_top;          /* innermost open frame of a stage */
    struct pp_frames *frames;            /* first chunk */
    struct pp_nodes *nodes;              /* first and last chunk */
    struct pp_nodes *nodes_last;
    struct pp_stages *stages;
    struct pp_stages *stages_last;
    struct pp_link *links;               /* hash table of the call tree's edges */
    uint64_t links_mask;
    uint32_t links_used, node_count;
    uint32_t stage_count, tid;
    uint64_t counters, counters_limit;   /* as in struct pp_tls */
    uint64_t home;                       /* segment.c: from the executable's counters to this block's; 0 until it has them */
    struct pp_thread_row *row;           /* null: no room for one */
    uint64_t stack_low, stack_high;      /* of the thread's own stack; 0 until needed, then low 1 for unknown */
    uint64_t random;                     /* state of pp_random */
    uint64_t next_heartbeat_ns;
    uint64_t spacing_ns, pace_since_ns, pace_calls;      /* pace.c */
    uint64_t events_timed, self_ns, given_up[PP_GIVEN_COUNT];            /* not yet added to the header's */
    uint32_t next_free;                  /* block number under this one on the stack of retired blocks */
    _Atomic uint32_t state;              /* enum pp_thread_state */
    /* Words of the sources, zero at the birth of a block; kept when a block changes hands. */
    uint64_t heap[10];                   /* heap.c, account.h */
    uint64_t mapping[4];                 /* mapping.c: PP_METRIC_MAP_BYTES .. UNMAPS */
    uint64_t volume[6];                  /* volume.c: PP_METRIC_COPY_BYTES .. POOL_BLOCKS, FILL_BYTES, FILLS */
    uint64_t io[6];
    uint64_t operations;                 /* booking.c: address of the table in use, 0 for none */
    uint64_t waits;                      /*   voluntary switches when it last asked for them */
    uint64_t recent[PP_RECENT];          /*   entries that it found lately: count.h */
    uint64_t cpu[2];
    uint64_t sampler[12];
    uint64_t trail;                      /* path.h: address of the thread's own, 0 at first */
    uint64_t apart;                      /* privatestack.h: end of the stack that it has there, 0 for none */
    struct pp_rate rate;
    struct pp_stall_state stall;
};
_Static_assert(sizeof(struct pp_private) <= sizeof(((struct pp_thread *)0)->private_), "private_ of struct pp_thread");
enum pp_thread_state { PP_THREAD_NONE, PP_THREAD_LIVE, PP_THREAD_RETIRED };
#define PP_THREAD_BLOCKS 4096u           /* at a time */
static inline struct pp_private *pp_private(struct pp_thread *thread) { return (struct pp_private *)thread->private_; }
/* pp_give_up of a thread, without a shared word each time. */
static inline void pp_give_up_often(struct pp_private *p, enum pp_given what, uint64_t count)
{
    if (PP_UNLIKELY(!__atomic_load_n(&pp_run.header->given_up_ns[what], __ATOMIC_RELAXED)))    /* another thread may be writing it */
        pp_give_up(what, count);         /* so that the time is known */
    else
        p->given_up[what] += count;
}
/* This thread's block; null where it has none yet. */
struct pp_thread *pp_thread_self(void);
/* Block number `id` (from 1 to pp_thread_count()); null if it never was. */
struct pp_thread *pp_thread_at(uint32_t id);
uint32_t pp_thread_count(void);
uint64_t pp_random(struct pp_private *p);
/* The node that the thread is in. Async-signal-safe. A fiber that moves between threads leaves behind a node of the thread that it
 * left; where it stands in this one's tree is not known. */
#define PP_NODE_OWNER_SHIFT 16           /* of pp_node.flags: the block that the node belongs to lies above */
static inline struct pp_node *pp_thread_node(struct pp_thread *thread)
{
    struct pp_node *n = (struct pp_node *)(uintptr_t)thread->node;
    return PP_LIKELY(n->flags >> PP_NODE_OWNER_SHIFT == thread->id) ? n : (struct pp_node *)(pp_private(thread)->nodes + 1);     /* the root */
}

/* ---- clock (clock.c) ---- */
uint64_t pp_now_ns(void);                /* CLOCK_MONOTONIC; async-signal-safe, never backwards within a thread */

/* ---- sources of numbers (metric/NAME.c): a row in PP_SOURCES and one file each ---- */
struct pp_metric_source {
    const char *name;
    uint32_t collector;                  /* enum pp_collector that must be on */
    uint32_t metrics;                    /* bit per enum pp_metric that `read` fills */
    void (*start)(void);                 /* null or: once, at start, when the collector is on; may leave a note in the header */
    void (*birth)(struct pp_thread *thread);        /* null or: in the thread, with signals blocked */
    void (*death)(struct pp_thread *thread);        /* null or: in the thread */
    void (*fork_child)(struct pp_thread *thread);   /* null or: in the child's only thread (thread may be null) */
    void (*read)(struct pp_thread *thread, uint64_t *values);   /* values[PP_METRIC_*], each counting up; own thread only */
    /* null or: at every border of a stage, also while the collector is off. When it opens, after `read`: a word of frame->metric is the source's
     * own until it closes; then values[] gets what folds HIGH. Others that were opened since may still be open. */
    void (*border)(struct pp_thread *thread, struct pp_frame *frame, uint64_t *values, bool closes);
    /* null or: at a border where inexact metrics are read: values[] of what folds LEVEL. False: not known there and then. */
    bool (*level)(struct pp_thread *thread, uint64_t *values);
};
#define PP_SOURCES(PP_SOURCE) \
    PP_SOURCE(heap)           \
    PP_SOURCE(mapping)        \
    PP_SOURCE(resident)       \
    PP_SOURCE(volume)         \
    PP_SOURCE(allocator)      \
    PP_SOURCE(io)             \
    PP_SOURCE(switches)       \
    PP_SOURCE(cpu)            /* last: what it says holds nothing of the others' readings */
#define PP_SOURCE(name) extern const struct pp_metric_source pp_source_##name;
PP_SOURCES(PP_SOURCE)
#undef PP_SOURCE

/* ---- CPU time (metric/cpu.c) ---- */
uint64_t pp_cpu_note(struct pp_thread *thread);      /* own thread: brings its row's cpu_ns up to date; its CPU time, 0: not known; async-signal-safe */
uint64_t pp_cpu_own(void);                           /* own thread: CPU time so far, 0: it may not be asked; async-signal-safe */
void pp_cpu_start(void);                             /* what the process used so far is not the run's: the loader, a program before exec */
void pp_cpu_fork_child(void);
bool pp_cpu_used(uint64_t *ns);                      /* user and system together, since pp_cpu_start; false: it may not be asked */
void pp_cpu_usage(struct pp_header *header);         /* user, system and peak, since pp_cpu_start */
void pp_cpu_delay(struct pp_thread *thread);         /* any live thread, once: brings its row's delay_ns up to date */
void pp_cpu_rows(void);                              /* at the seal: the rows of all live threads; the header's user, system and peak */

/* ---- the process's account of bytes read and written (metric/io.c) ---- */
void pp_io_usage(struct pp_header *header);          /* at the end: since the source's start, without our own */
uint64_t pp_resident_bytes(struct pp_thread *thread);                 /* the process's resident memory, 0 if not known; own thread, or null */
void pp_io_own(struct pp_thread *thread, uint64_t bytes);              /* the thread read so much of what is no part of its account; own thread */

/* ---- operations on files and sockets, and waits (operation/) ---- */
void pp_operations_start(void);                      /* once, after the sources */
void pp_operations_last(void);                       /* after everything of the program but the C library's last flush */

/* ---- descriptors (descriptor.c) ---- */
int pp_descriptor_raise(int fd);                     /* a high number for it, the old one closed; -1 (errno) if it is -1 or there is none */

/* ---- sampler (sampler.c); called only while the samples collector is on ---- */
bool pp_under_valgrind(void);
void pp_sampler_start(void);                         /* once, before the first birth; fills header.sample_* */
void pp_sampler_birth(struct pp_thread *thread);     /* in the thread, signals blocked */
void pp_sampler_death(struct pp_thread *thread);     /* in the thread, signals blocked: after it no sample of this thread may arrive */
void pp_sampler_stack(struct pp_thread *thread);     /* own thread, signals blocked: it has another alternate signal stack */
void pp_sampler_fork_child(struct pp_thread *thread);/* in the child, signals blocked; thread is its only one, null if it has no block */
void pp_sampler_check(struct pp_thread *thread);     /* own thread, now and then from a slow half: what the program may have undone */
void pp_sampler_confine(uint32_t forbidden);         /* a sandbox is about to forbid these calls: all threads go on without */
void pp_sampler_stop(void);                          /* at the seal: bring what is pending into the file; sampling may go on */

/* ---- the allocator (memory/heap.c, mallinfo.c) ---- */
void *pp_heap_malloc(size_t size);       /* ours, as its callers see it: what leads here is a jump */
void *pp_heap_calloc(size_t count, size_t size);
void pp_heap_free(void *block);
void *pp_heap_realloc(void *block, size_t size);
void *pp_heap_memalign(size_t align, size_t size);
void *pp_heap_aligned_alloc(size_t align, size_t size);
int pp_heap_posix_memalign(void **result, size_t align, size_t size);
void *pp_heap_valloc(size_t size);
void *pp_heap_pvalloc(size_t size);
extern void *pp_wrapped_malloc(size_t size) __attribute__((weak));      /* wrap.c, where the linker leads calls of malloc to it */
bool pp_heap_is_libc(void);              /* malloc is the C library's, as far as is known */
bool pp_heap_lives(uint64_t address);    /* a block that was booked begins there, and was not given back; async-signal-safe */

/* ---- how its main arena stands (heapwalk.c) ---- */
struct pp_standing { uint64_t held, used, top; };        /* bytes; top: free at the end */
void pp_chunks_start(void);              /* once, when the heap is booked */
void pp_chunks_fork_child(void);
bool pp_chunks_known(void);              /* it can be looked at here */
bool pp_chunks_look(struct pp_thread *thread, struct pp_standing *standing);      /* own thread; false: not within the budget, or amid a change. Async-signal-safe */

/* ---- copies, and what the program's own allocators hand out (memory/volume.c) ---- */
#define PP_FILLED (UINT64_C(1) << 63)
void pp_volume_copied(uint64_t bytes, const void *caller);       /* PP_FILLED with them: filled */
void pp_volume_handed(uint64_t bytes, const void *caller);

/* ---- points of the heap (callsite.c), for those who count what is there ---- */
#define PP_HEAP_ARRAY 4u                 /* of pp_private.heap: a thread's array of them */
/* And what the thread got and gave back: bytes, blocks, bytes, blocks. */
void pp_heap_sums(const uint64_t *heap, uint64_t sums[4]);
uint32_t pp_points_count(void);          /* numbers given out, the first is 0 */
bool pp_point_sum(uint32_t number, struct pp_block *sum);    /* of all threads; false: there is nothing. Async-signal-safe */

/* ---- modules (modules.c) ---- */
void pp_modules_scan(void);                          /* records images not seen before; takes pp_lock itself */
void pp_modules_instrumented(const void *address);   /* the image of `address` carries profplug objects (called before its scan or after) */
bool pp_started_by_loader(const char **program);         /* ld.so PROGRAM: /proc/self/exe is the loader, and this the program as it was named */
uint32_t pp_module_find(const void *address);        /* pp_module id, 0 if unknown; async-signal-safe */
uint64_t pp_image_low(const void *address);          /* where the image begins that it lies in, as the loader has it; 0: in none. Not in handlers */

#endif
