/* SPDX-License-Identifier: MIT */
/* rt.h: the types that all rooms of the runtime share. It must not know what a source of numbers reads, nor how a
 * report shows it. The profiled program sees nothing of it.
 *
 * Rules that every file keeps, because the runtime is a guest:
 * - It never aborts. It never calls malloc for itself: it uses mmap and static memory.
 * - It keeps errno in everything that the program may call into.
 * - It takes no lock on a probe path. Rare structural changes run under pp_lock, with all signals blocked.
 * - It counts every loss (pp_loss). Code that a signal handler can enter again is written for that. */
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
/* Of large tables that are zero at first. They lie behind all others, so that each process uses few pages. */
#if defined __ELF__ && defined __x86_64__
#define PP_FAR __attribute__((section("profplug_far,\"aw\",@nobits#")))
#else
#define PP_FAR
#endif
/* Functions of the C library that the runtime wraps. Other linked images must see them, so the archive exports them.
 * They are weak, so a static link that brings in the C library's own definitions does not clash. */
#define PP_WRAPPER __attribute__((visibility("default"), weak))

#define PP_LIKELY(x) __builtin_expect(!!(x), 1)
#define PP_UNLIKELY(x) __builtin_expect(!!(x), 0)

/* ---- options ---- */
enum pp_collector {
#define PP_COLLECTOR(id, key, level, available, help) PP_COLLECTOR_##id,
#include <profplug/abi/options.def>
    PP_COLLECTOR_COUNT
};
struct pp_options {
    uint32_t level, timing; /* enum pp_level, enum pp_timing */
    uint32_t collectors;    /* bit per enum pp_collector */
    uint32_t budget_permille, sample_hz;
    uint64_t max_file_bytes, max_total_bytes; /* max_total_bytes 0: no bound */
    uint64_t min_free_bytes;                  /* 0: as the size of the disk suggests */
    bool blocks_exact; /* with PP_COLLECTOR_BLOCKS: every block, not samples */
    char output[1024]; /* the pattern as given */
    char labels[1024]; /* KEY:VALUE, each terminated; an empty one ends them */
};

/* ---- the process ---- */
struct pp_run {
    struct pp_header *header; /* NULL while off; points into the mapped file */
    struct pp_options options;
    uint32_t page_bytes; /* of the system; extents are multiples of it */
    char path[1400];     /* of the data file, absolute */
};

/* ---- threads ---- */
/* A thread's own words. The window is the part of the heap from which the thread got its last blocks: `bytes` of
 * addresses from `low` on, whose shadow begins at `shadow`. heap.c books blocks of the window on its fast path. The
 * window is empty while the thread has no block of its own, or while the runtime is at work in it. */
struct pp_words {
    struct pp_tls tls;
    union { /* a process takes every block or samples: static thread-local room is scarce */
        struct {
            uint64_t low, bytes, shadow, busy;
        } window;
        struct { /* with blocks=sampled (memory/heapsample.c) */
            uint64_t left;          /* bytes until the next sampled block */
            uint64_t blocks, frees; /* that the thread got and gave back */
            uint64_t moves;         /* that it resized, each of which is one more of both, since it was last asked */
            uint64_t mean_bits;     /* `left` was drawn with this mean, as a power of 2; 0: every block is taken */
        } sampled;
    };
};

/* How often a thread is sampled (sample/rate.h). The rate is decided again at the end of each window of signals. */
struct pp_rate {
    uint32_t every;                  /* periods that a sample represents, in 16ths */
    uint32_t window, signals;        /* length of this window, and signals in it so far */
    bool turns;                      /* the thread is switched so often that a perf event would cost too much */
    uint64_t spent_ns;               /* time that this window's samples took */
    uint64_t periods;                /* periods that they represent */
    uint64_t cpu_ns;                 /* CPU time when the window began, 0 for unknown */
    uint32_t switches, turns_ms;     /* context switches and the clock when they were last read, modulo 2^32 */
    uint64_t turns_cpu_ns;           /* CPU time then */
    uint64_t arming_ns, handler_ns;  /* mean time that arming takes, and the handler of a sample */
    uint64_t user_ns;                /* user time that samples by a timer represent so far; 0: not known */
};
/* How long a thread was blocked in calls, or ran in them (sample/blocked.c). Short times are sampled: the callers of
 * some are found. */
struct pp_blocked_state {
    uint64_t table; /* address of the table in use, 0 for none */
    uint64_t waited_ns;
    /* short waits since the last one whose callers were found, and the sum at which the next one's are */
    uint64_t pending_ns, due_ns;
    uint64_t period_ns; /* the callers of a wait of this length are always found; 0 at first */
    uint64_t spent_ns, found;
};
/* How long a thread waited in operations of a PP_WAIT row, and the key of the last one (operation/holder.c). */
struct pp_waited {
    uint64_t ns, key;
};
/* A thread's CPU time between two samples (sample/unseen.c). */
struct pp_unseen {
    uint64_t cpu_ns;      /* its CPU time when the last sample was over; 0: not known */
    uint64_t called_ns;   /* pp_private.busy.waited_ns at that time */
    uint64_t interval_ns; /* the interval until the next sample; 0: the signal comes at the kernel's tick */
    uint64_t row;         /* address of the last sample's struct pp_sample, 0 for none */
    uint64_t faults;      /* its page faults until then, plus 1; 0: not known */
};
/* sample/faulting.c: a thread's event of page faults. */
struct pp_faulting {
    uint64_t mean;         /* page faults at a sample, in 256ths */
    uint64_t row, cpu_ns;  /* of the last signal: address of its struct pp_sample, and the thread's CPU time then */
    uint32_t fd;           /* the last event's descriptor, plus 1 */
    uint32_t step, gap;    /* page faults between signals in the mean, and until the next one */
    uint32_t weight;       /* how many intervals between samples this one stands for; 0: it does not count */
    uint32_t signals;
    uint32_t refused;      /* the kernel opens none */
};
/* How long a thread had no CPU (metric/cpu.c). The clock when that was last found, 0: not known. At that time: its CPU
 * time and stall.waited_ns together, and how often it had lost its CPU or given it up. When that was last looked for,
 * 0: probes need not. */
struct pp_off {
    uint64_t at_ns, on_ns, losses, looked_ns;
};
/* A thread's array of struct pp_block, by callsite: its address, and its length (stack/callsite.c). */
struct pp_sums {
    uint64_t address, count;
};
/* A thread's account of the heap; memory/account.h says what is stored. */
struct pp_heap_account {
    uint64_t distance; /* most_held minus what the thread holds now */
    uint64_t alloc_blocks, free_bytes, free_blocks;
    struct pp_sums sums; /* what was allocated and freed, by callsite */
    uint64_t last_block; /* the block that the thread got last, 0 once it has freed it */
    uint64_t told_bytes; /* the part of what it holds that the process's sum already contains */
    uint64_t most_held, temporary_blocks;
    /* with blocks=sampled: all bytes that were asked for, their sum with what was left to the next sampled block, and
     * the number of blocks up to which all are taken */
    uint64_t asked_bytes, drawn_bytes, exact_until;
    uint64_t draws, paced_ns; /* how many were sampled, and when that was last looked at */
    uint32_t spread_bits;     /* the mean is longer by so many doublings, since they come fast */
};
/* What a thread copied or filled, and what the program's own allocators handed out to it (volume.c). */
enum pp_volume_kind { PP_VOLUME_COPIED, PP_VOLUME_POOLED, PP_VOLUME_FILLED, PP_VOLUME_KINDS };
struct pp_volume {
    uint64_t bytes, count;
};
/* A thread's file of its bytes of I/O: descriptor plus 1, and what our own readings added to the account (io.c). */
struct pp_io_state {
    uint64_t file, own_bytes, own_calls;
};
/* What private_[] of struct pp_thread holds. Only the owning thread writes it, except in a forked child. */
#define PP_RECENT 32u
struct pp_private {
    struct pp_frame *top;       /* innermost open frame, null for none */
    struct pp_frame *stage_top; /* innermost open frame of a stage */
    struct pp_frames *frames;   /* first chunk */
    struct pp_nodes *nodes;     /* first and last chunk */
    struct pp_nodes *nodes_last;
    struct pp_stages *stages;
    struct pp_stages *stages_last;
    uint64_t links;            /* hash table of the call tree's edges: see calltree.c */
    uint32_t links_used, stage_count, tid;
    uint64_t counters, counters_limit; /* as in struct pp_tls */
    uint64_t segment;                  /* segment.c: distance from the executable's counters to this block's, or 0 */
    struct pp_thread_row *row;         /* NULL if there was no room */
    struct pp_thread_row *former;      /* the last one of a retired block; NULL: none in this file */
    uint64_t stack_low, stack_high;    /* of the thread's own stack; 0 until needed, then low 1 for unknown */
    uint64_t random;                   /* state of pp_random */
    uint64_t next_heartbeat_ns;
    uint64_t spacing_ns, pace_since_ns, pace_calls;           /* pace.c */
    uint64_t events_timed, self_ns, given_up[PP_GIVEN_COUNT]; /* not yet added to the header's */
    bool timed;             /* what the runtime does is timed as a whole (file/memory.h) */
    /* 1 and the node of a call that is booked after control left it elsewhere: the stack does not tell who made it */
    uint32_t left_node;
    uint32_t next_free;     /* block number under this one on the stack of retired blocks */
    _Atomic uint32_t state; /* enum pp_thread_state */
    /* Words of the sources. They are zero in a new block, and kept when another thread takes over the block. */
    struct pp_heap_account heap;
    struct {
        uint64_t map_bytes, maps, unmap_bytes, unmaps;
    } mapping;                                /* mapping.c, in the order of the metrics */
    struct pp_volume volume[PP_VOLUME_KINDS]; /* volume.c */
    struct pp_io_state io;
    uint64_t operations; /* booking.c: address of the table in use, 0 for none */
    /* booking.c: of the thread, when it last asked the kernel for them */
    uint64_t voluntary_switches, involuntary_switches;
    uint64_t taken_from; /* start.c: calls since then that were taken to wait; from where, if from a single callsite */
    int32_t taken;       /* how many; below 0: from several, or the thread waited elsewhere, too */
    uint32_t waits, waits_due;  /* start.c: calls that only wait; the CPU clock is not read before there are so many */
    uint64_t recent[PP_RECENT]; /* count.h: entries of that table that the thread found last */
    uint64_t sampler[12];
    uint64_t known_calls;   /* stack/callsite.c: address of the calls that it knows, 0 at first */
    uint64_t trail;         /* stack/path.h: address of the thread's trail, 0 at first */
    uint64_t private_stack; /* thread/privatestack.h: end of the thread's private stack, 0 for none */
    struct pp_rate rate;
    struct pp_blocked_state stall; /* waits; it has the table of both */
    struct pp_blocked_state busy;  /* CPU time in calls */
    struct pp_waited waited[PP_WAIT_COUNT];
    struct pp_unseen unseen;
    struct pp_faulting faulting;
    struct pp_off off;
    uint64_t fork_ns;                     /* process/fork.c: CPU time of the thread's last fork, without our handlers */
    uint64_t calls, calls_due, calls_ns; /* operation/toll.h */
    uint64_t timeline[PP_TIMELINE_KIND_COUNT]; /* timeline.c: addresses of the tables; 0: none yet, 1: no room */
};
_Static_assert(sizeof(struct pp_private) <= sizeof(((struct pp_thread *)0)->private_), "private_ of struct pp_thread");
enum pp_thread_state { PP_THREAD_NONE, PP_THREAD_LIVE, PP_THREAD_RETIRED };
#define PP_THREAD_BLOCKS 4096u /* at the same time */
static inline struct pp_private *pp_private(struct pp_thread *thread) { return (struct pp_private *)thread->private_; }

/* ---- sources of numbers: a row in PP_SOURCES and one file NAME.c each ---- */
struct pp_metric_source {
    const char *name;
    uint32_t collector; /* enum pp_collector that must be on */
    uint32_t metrics;   /* bit per enum pp_metric that `read` fills */
    /* Each of the following may be NULL. */
    void (*start)(void);                          /* once, when the collector is on; may leave a note in the header */
    void (*birth)(struct pp_thread *thread);      /* in the thread, with signals blocked */
    void (*death)(struct pp_thread *thread);      /* in the thread */
    void (*fork_child)(struct pp_thread *thread); /* in the child's only thread, which may be NULL */
    void (*read)(struct pp_thread *thread, uint64_t *values); /* own thread; values[PP_METRIC_*], each counting up */
    /* At each boundary of a stage, also while the collector is off. At the opening it runs after `read`, and may keep
     * a word in frame->metric until the stage closes. At the closing it fills values[] of metrics that fold HIGH.
     * Stages that were opened since may still be open. */
    void (*border)(struct pp_thread *thread, struct pp_frame *frame, uint64_t *values, bool closes);
    /* At boundaries where inexact metrics are read: values[] of metrics that fold LEVEL. False: not known now. */
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
    PP_SOURCE(cpu) /* last, so that it does not include the cost of the others' readings */
#define PP_SOURCE(name) extern const struct pp_metric_source pp_source_##name;
PP_SOURCES(PP_SOURCE)
#undef PP_SOURCE

#endif
