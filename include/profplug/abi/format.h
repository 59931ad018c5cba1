/* SPDX-License-Identifier: MIT */
/* format.h: the data file, and the memory that emitted code touches. The data file IS the runtime's memory, mapped
 * shared. Depends on stdint and stddef alone. Little-endian; every structure has the same layout in memory and in the
 * file.
 *
 * THE FILE
 *   offset        what
 *   0             struct pp_header, PP_HEADER_SIZE bytes; the last 8 of them are PP_LAYOUT
 *   4096          the first directory chunk (struct pp_directory, PP_DIRECTORY_SIZE bytes)
 *   then          extents, each at a multiple of PP_PAGE, found through the directory only
 *
 *   A directory chunk lists extents. An entry is there once its `kind` is not 0: the writer stores `kind` last, with
 *   release
 *   order; the reader loads it with acquire order, and skips entries whose kind is 0 (a writer that died between
 *   claiming and
 *   publishing) or unknown. `next` of a chunk is the file offset of a further chunk, 0 for none. `count` may exceed
 *   PP_DIRECTORY_ENTRIES by claims that went to the next chunk: a reader clamps it.
 *
 *   The kinds of extents, what they begin with and what follows, are the rows of extent.def.
 *
 * KEYS. The key of a site is its object's last_key less the site's slot, so a probe needs the object's end alone.
 * Keys are dense in the process and never reused. Key 0 stands for no site. counters[key] of a thread is its count of
 * calls, for sites whose mode is COUNTED or FRAMED, while the collector calltree is on. Timed sites count in their
 * nodes. A loop or scope gets one key at run time, in a PP_RECORD_PLACE. A reader ignores the counter of a timed
 * site, and those of a framed site's further slots, which the runtime uses itself.
 *
 * TIME. All *_ns are nanoseconds of CLOCK_MONOTONIC unless the name says otherwise; the runtime converts before it
 * stores.
 *
 * Fields marked `runtime:` are addresses in the profiled process; a reader ignores them. */
#ifndef PROFPLUG_ABI_FORMAT_H
#define PROFPLUG_ABI_FORMAT_H

#include <stddef.h>
#include <stdint.h>

#define PP_MAGIC "profplug"              /* 8 bytes, no terminator */
#define PP_FORMAT_VERSION 9u
#define PP_HEADER_SIZE 4096u
#define PP_PAGE 4096u
#define PP_ABI_VERSION 7u                /* of emitted code against the runtime */

/* ---- enumerations that are rows in site.def, metric.def and operation.def ---- */
enum pp_site_kind {
#define PP_SITE_KIND(id, name) PP_SITE_##id,
#include "site.def"
    PP_SITE_KIND_COUNT
};
enum pp_site_mode {
#define PP_SITE_MODE(id, name, meaning) PP_MODE_##id,
#include "site.def"
    PP_SITE_MODE_COUNT
};
enum pp_site_reason {
#define PP_SITE_REASON(id, text) PP_REASON_##id,
#include "site.def"
    PP_SITE_REASON_COUNT
};
enum pp_category {
#define PP_CATEGORY(id, name) PP_CATEGORY_##id,
#include "site.def"
    PP_CATEGORY_COUNT
};
enum pp_metric {
#define PP_METRIC(id, name, unit, kind, fold, exact, meaning) PP_METRIC_##id,
#include "metric.def"
    PP_METRIC_COUNT
};
enum pp_operation_kind {
#define PP_OPERATION(id, name, group, account, meaning) PP_OPERATION_##id,
#include "operation.def"
    PP_OPERATION_COUNT
};
enum pp_wait {
#define PP_WAIT(id, name, meaning) PP_WAIT_##id,
#include "operation.def"
    PP_WAIT_COUNT
};
#define PP_METRIC_CAPACITY 32            /* room in records, so that a new row does not move a field */

struct pp_site {
#define PP_SITE_FIELD(type, bytes, name, meaning) type name;
#include "site.def"
};

/* The memory that emitted code and the runtime share, which is not in the file. */
#include "emitted.h"

/* ================= the file ================= */

enum pp_extent_kind {
    PP_EXTENT_NONE,
#define PP_EXTENT(kind, head, row, owner, many, fork) PP_EXTENT_##kind,
#include "extent.def"
    PP_EXTENT_KIND_COUNT
};

struct pp_directory_entry {
    uint64_t offset;             /* in the file, multiple of PP_PAGE */
    uint64_t size;               /* bytes, multiple of PP_PAGE */
    uint32_t thread;             /* thread block the extent belongs to, 0 for none */
    uint32_t kind;               /* pp_extent_kind; stored last, release (partner: reader's acquire) */
};
#define PP_DIRECTORY_SIZE 4096u
#define PP_DIRECTORY_ENTRIES 170u
struct pp_directory {
    uint64_t next;
    uint32_t count;
    uint32_t reserved;
    struct pp_directory_entry entry[PP_DIRECTORY_ENTRIES];
};

/* Everything that was lost is counted here and shown. PP_LOSS(ID, json_name, text), in the text {one|many} where it
 * takes the number (plural.h) */
#define PP_LOSSES(PP_LOSS) \
    PP_LOSS(DISK,    disk_extents,      "{piece|pieces} of the data file for which the disk or max-file=SIZE had no room") \
    PP_LOSS(MEMORY,  memory_failures,   "{piece|pieces} of memory that the system refused") \
    PP_LOSS(EARLY,   early_calls,       "{call|calls} before the runtime could record {it|them}") \
    PP_LOSS(NODES,   call_paths,        "{call|calls} counted without {its|their} call path, as there were too many paths") \
    PP_LOSS(THREADS, threads,           "{thread|threads} that could not be recorded: too many at a time, or no memory") \
    PP_LOSS(FRAMES,  frames,            "timed {activation|activations} that {was|were} nested too deeply to be recorded") \
    PP_LOSS(HEALED,  healed_frames,     "{activation|activations} closed late, because longjmp or an exception left {it|them}") \
    PP_LOSS(SAMPLES, samples,           "{sample|samples} for which there was no room") \
    PP_LOSS(OBJECTS, objects,           "{object file|object files} whose functions and loops could not be recorded") \
    PP_LOSS(RECORDS, records,           "{record|records} for which there was no room") \
    PP_LOSS(REGIONS, unmatched_regions, "{call|calls} of profplug_begin or profplug_end without the other half") \
    PP_LOSS(PATHS,   sample_paths,      "{sample|samples} without {its|their} innermost callers, as there were too many paths") \
    PP_LOSS(OPERATIONS, operations,     "{operation|operations} on files, locks and the like recorded without line and file, or not at all: too many, or during a fork") \
    PP_LOSS(NUMBERS, numbers,           "{count or gauge|counts and gauges} for which there was no room: too many names, or a name that is too long") \
    PP_LOSS(SNAPSHOTS, snapshots,       "{snapshot, or stage in one,|snapshots, or stages in them,} for which there was no room") \
    PP_LOSS(MAPPINGS, mappings,         "{call|calls} of mmap, mremap and munmap that could not be recorded: during a fork, in a sandbox, or for lack of memory") \
    PP_LOSS(GROWTH,  growth,            "{entry|entries} of stages after which the size of the heap was not noted: more than 256 threads at a time") \
    PP_LOSS(STALLS,  stalls,            "{wait|waits} recorded without the calls that led there, for lack of room")
enum pp_loss {
#define PP_LOSS(id, name, text) PP_LOSS_##id,
    PP_LOSSES(PP_LOSS)
#undef PP_LOSS
    PP_LOSS_COUNT
};

/* What is given up to stay within the budget is counted here and shown; numbers of calls never are. PP_GIVEN(ID,
 * json_name, text, what stands for it, where something does) */
#define PP_GIVEN_UP(PP_GIVEN) \
    PP_GIVEN(SAMPLES,   samples,        "{sample was|samples were} skipped", "errors are larger") \
    PP_GIVEN(FUNCTIONS, function_times, "{call of a function was|calls of functions were} not timed", "randomly chosen calls stand for {it|them}") \
    PP_GIVEN(METRICS,   stage_metrics,  "{entry of a stage was|entries of stages were} recorded without CPU time, bytes and faults", "randomly chosen entries stand for {it|them}") \
    PP_GIVEN(ITERATIONS, iteration_times, "{iteration was|iterations were} not timed one by one", "") \
    PP_GIVEN(OPERATIONS, operation_times, "{call that moves|calls that move} bytes {was|were} not timed", "randomly chosen calls stand for {it|them}") \
    PP_GIVEN(HEAP,      heap_looks,     "stage {boundary was|boundaries were} passed without inspecting the heap", "")
enum pp_given {
#define PP_GIVEN(id, name, text, stands) PP_GIVEN_##id,
    PP_GIVEN_UP(PP_GIVEN)
#undef PP_GIVEN
    PP_GIVEN_COUNT
};

enum pp_exit_kind {
    PP_EXIT_UNKNOWN, PP_EXIT_EXIT, PP_EXIT_SIGNAL, PP_EXIT_EXEC, PP_EXIT_KILLED
}; /* UNKNOWN: still running, or ended unseen */
enum pp_sample_source { PP_SAMPLE_NONE, PP_SAMPLE_PERF, PP_SAMPLE_TIMER };
enum pp_level { PP_LEVEL_OFF, PP_LEVEL_BASIC, PP_LEVEL_DETAILED, PP_LEVEL_COMPREHENSIVE };
enum pp_timing { PP_TIMING_ADAPTIVE, PP_TIMING_EXACT };

struct pp_header {
    char magic[8];
    uint32_t version, header_size;
    uint64_t features_ignorable;         /* bits a reader may not know and may ignore */
    uint64_t features_required;          /* bits a reader must know, or refuse the file */
    /* bytes handed out so far (claimed; may exceed the file's size when the disk is full) */
    uint64_t file_end;
    uint64_t directory;                  /* file offset of the first directory chunk */
    uint32_t pid, parent_pid;
    uint32_t root_pid;                   /* the first profiled process of this run; pid itself in that one */
    uint32_t level;                      /* pp_level */
    uint64_t start_realtime_ns;          /* CLOCK_REALTIME, since the epoch */
    uint64_t start_ns;                   /* CLOCK_MONOTONIC */
    /* the latest instant the runtime knows it was alive; refreshed by samples and stage borders */
    uint64_t heartbeat_ns;
    uint64_t end_ns;                     /* 0 until sealed */
    uint32_t exit_kind;                  /* pp_exit_kind */
    int32_t exit_status;                 /* exit status, or signal number */
    /* CPU time of the process; at the end, and at every heartbeat that can afford it */
    uint64_t user_ns, system_ns;
    uint64_t peak_rss_bytes;
    /* control word: bit per collector of options.def; another process may store here */
    uint32_t collectors;
    uint32_t timing;                     /* pp_timing */
    uint32_t sample_source;              /* pp_sample_source */
    uint32_t sample_period_ns;           /* CPU time per sample */
    uint32_t budget_permille;            /* 20 = 2 % */
    uint32_t key_count;                  /* keys given out; the next is this one */
    uint64_t self_ns;                    /* what the runtime estimates that it has cost so far, all threads */
    uint64_t events_timed, events_sampled;
    /* see PP_LOSSES; this field and the next move when a row is appended: features_required bit 0 */
    uint64_t losses[PP_LOSS_COUNT];
    char program[256];                   /* absolute path, cut on the left if longer */
    char directory_path[1024];           /* where the program started */
    /* the notes: why a collector is not running, empty if it is */
    char host[64], cpu_model[64], clock_name[32], memory_note[256], sample_note[128];
    /* bit per enum pp_metric: its source works here; a stage's value of another one is absent, not 0 */
    uint64_t metrics_measured;
    /* the parent's parent and so on, 0 past the last known: what stood between a process and the profiled one that
     * started it (system's shell) left no file to ask */
    uint32_t ancestors[8];
    /* how many of each, and from when on: since start_ns, 0 for never */
    uint64_t given_up[PP_GIVEN_COUNT], given_up_ns[PP_GIVEN_COUNT];
    /* what the kernel counted for the process since start_ns (rchar, wchar) without what the runtime did; of
     * children that were waited for, too. At the end alone */
    uint64_t io_read_bytes, io_write_bytes;
    uint32_t io_known;                   /* 1: these two are */
    /* 1: the C library's allocator has said at the end how it stands; 2: it was asked, and did not; 3: not asked,
     * for the budget */
    uint32_t arena_known;
    /* what it took of the system, but for blocks that are mappings of their own, and of that: */
    uint64_t arena_bytes;
    /* in use, with what threads keep at hand; free, and of that at the end of the main arena: */
    uint64_t arena_used_bytes, arena_free_bytes;
    uint64_t arena_top_bytes;
    uint64_t arena_mapped_bytes, arena_mapped_blocks;    /* blocks that are mappings of their own */
    /* picoseconds that a count takes here among nothing but counts; counted calls are not in self_ns */
    uint32_t count_ps;
    uint32_t frame_ns;                   /* what a timed activation was taken for, which is in self_ns; 0: not known */
};

/* ---- RECORDS: things said once ---- */
struct pp_records { uint64_t used; uint64_t reserved[7]; }; /* bytes of records after this head; release (partner:
                                                             * reader) */
enum pp_record_kind {
    PP_RECORD_NONE,
    PP_RECORD_ARGUMENT,      /* bytes: one argument of the program, terminated */
    PP_RECORD_LABEL,         /* bytes: KEY:VALUE, terminated */
    PP_RECORD_OPTION,        /* bytes: key=value as it took effect, terminated */
    PP_RECORD_MODULE,        /* struct pp_module */
    PP_RECORD_PLACE,         /* struct pp_place */
    PP_RECORD_CHILD,         /* struct pp_child */
    PP_RECORD_TARGET,        /* struct pp_target */
    PP_RECORD_NUMBER,        /* struct pp_number */
};
struct pp_record { uint32_t kind, size; }; /* size of the payload that follows; the next record is 8-aligned */
struct pp_module {
    uint32_t id;             /* from 1, in order of appearance; a later record of the same id replaces the earlier */
    uint32_t build_id_size;  /* 0 if the image has none */
    uint64_t low, high;      /* address range of its mapping in the process */
    uint64_t bias;           /* address in the process less address in the file */
    uint8_t build_id[32];
    uint32_t instrumented;   /* 1 if it carries profplug objects */
    uint32_t runtime;        /* 1 if it is the shared runtime, under whatever name */
    char path[];             /* terminated; "[vdso]" for the kernel's */
};
struct pp_place {
    uint64_t key;
    uint32_t kind, category, line, reserved;
    char strings[];          /* name, function, file: three terminated strings */
};
struct pp_child { uint32_t pid; uint32_t reserved; char path[]; }; /* a data file that a forked child writes; pid 0:
                                                                    * it has none (yet) */

enum pp_target_kind {
    PP_TARGET_UNKNOWN, PP_TARGET_FILE, PP_TARGET_PIPE, PP_TARGET_SOCKET, PP_TARGET_OTHER, PP_TARGET_KIND_COUNT
};
struct pp_target { uint32_t id, kind; char name[]; }; /* what operations are done on, from 1; kind: pp_target_kind.
                                                       * The name is terminated: a path, or protocol and address.
                                                       * Two may have the same name */
struct pp_number { uint32_t id, kind; char name[]; }; /* a count or gauge; ids from 1; the name is terminated */

/* ---- SITES: a copy of one object's table ---- */
struct pp_sites {
    uint32_t last_key, slot_count, site_count, strings_size;      /* key of slot k: last_key - k */
    uint32_t module;         /* pp_module id, 0 if unknown */
    uint32_t unit, directory, compiler;                           /* string offsets */
    uint64_t reserved[4];
};                           /* then struct pp_site[site_count], then the strings */

/* ---- THREADS ---- */
struct pp_thread_rows {
    uint32_t count, capacity; uint64_t reserved[7];
}; /* threads seen; rows beyond capacity are a loss */
struct pp_thread_row {
    uint32_t tid, block;
    uint64_t start_ns, end_ns;           /* end 0: alive when last seen */
    uint64_t cpu_ns;                     /* user and system; at its end, and now and then before */
    uint64_t samples;
    char name[16];
    /* it was ready to run, and had no CPU; at its end; 0 where it had less than 1 ms of CPU time, or it is not known */
    uint64_t delay_ns;
};

/* ---- a thread block: THREAD, COUNTERS, NODES, STAGES, TALLIES, FRAMES, SAMPLES, STALLS, PATHS ---- */
struct pp_thread {
    /* runtime: address of the current struct pp_node. FIRST: emitted code reads and writes it */
    uint64_t node;
    uint32_t id;             /* thread block number, from 1 */
    uint32_t row;            /* index in THREADS of the thread that owns the block now */
    uint64_t private_[126];  /* runtime: its own (typed in rt) */
};
struct pp_counters { uint64_t count; uint64_t reserved[7]; };     /* counters for keys 0..count-1 */

struct pp_nodes {
    uint32_t first, capacity, used, reserved; uint64_t reserved2[6];
}; /* node numbers first..first+used-1; used: release */
struct pp_node {
    uint64_t key;            /* | PP_KEY_OVERFLOW; node 0 of a thread is the root, key 0 */
    uint64_t child;          /* runtime: address of the child entered last through the hook */
    /* a recursion re-enters the node of its first activation. Exact while all were timed; else of each timed one
     * those of the function since the last, wherever they came from; the function's last ones are in no node */
    uint64_t calls;
    uint64_t timed_calls;    /* activations timed to their end */
    /* their inclusive time, of activations that were outermost in this node: sums along the path */
    uint64_t timed_ns;
    uint64_t self_ns;        /* of timed activations: less timed callees */
    uint32_t parent;         /* node number in the thread */
    uint32_t stage;          /* stage number of the innermost stage that the node runs in or is */
    uint32_t active;         /* activations open now */
    uint32_t number;         /* its own */
    uint64_t chain;          /* runtime */
    uint64_t outer_timed;    /* timed activations that were outermost (timed_ns is over these) */
    uint64_t weighted_ns;    /* as function_ns, each activation times the calls that it stands for */
    uint32_t flags;          /* PP_NODE_RECURSIVE; others: runtime */
    /* runtime: of a function's first node in the thread: its timed activations open now, in all nodes */
    uint32_t function_open;
    /* inclusive time of timed activations that were outermost for the FUNCTION in its thread: summed over a
     * function's nodes it counts every recursion once, also one that leads through other paths */
    uint64_t function_ns;
    uint64_t first;          /* runtime: address of the function's first node in the thread */
    /* of a function's, over what function_ns is over: the sum of the squares of (what it took, less what the
     * function's last ones took on average) times the calls that it stands for; 128 bits, low word first */
    uint64_t squares_ns2[2];
};
#define PP_TIMED_FIRST 16u               /* calls of each function in a thread that are timed in any case */
#define PP_NODE_RECURSIVE 4u /* of a function's first node in the thread: it was called by itself, so weighted_ns
                              * counts time more than once */
#define PP_KEY_OVERFLOW (UINT64_C(1) << 62) /* the node gathers a site's calls whose path could not be kept; its
                                             * parent is the root */

/* ---- STAGES: one per (site, enclosing stage) and thread ---- */
#define PP_SUB_BITS 6 /* 64 buckets per power of two: a bucket's middle is within 0.8 % of any value in it */
#define PP_MAX_BITS 47                   /* values from 2^47 ns (39 h) share the last bucket */
#define PP_BUCKETS ((PP_MAX_BITS - PP_SUB_BITS + 1) * (1 << PP_SUB_BITS))
/* bucket of v: v < 64: v; else with e = floor(log2 v): (e - 6) * 64 + (v >> (e - 6)); clamped to PP_BUCKETS - 1.
 * bucket b holds: b < 64: b exactly; else with g = b / 64 - 1, m = b % 64 + 64: m << g ... ((m + 1) << g) - 1 */
#define PP_SLOWEST 16
#define PP_SAMPLED_FIRST 64u
struct pp_slow {
    uint64_t index, wall_ns, start_ns; uint64_t reserved;
}; /* start_ns: since header.start_ns; wall_ns 0: empty */
struct pp_stages { uint32_t first, capacity, used, reserved; uint64_t reserved2[6]; };
/* How many there were in each window of time. Window k begins at k << (PP_WINDOW_BITS + shift) ns after
 * header.start_ns, and is as long. When time passes the last window, two become one. What a signal handler adds
 * meanwhile may stand in another window, but the sum is right. */
#define PP_WINDOWS 64
#define PP_WINDOW_BITS 23                /* 8.4 ms */
#define PP_WINDOW_SHIFT_MOST 34          /* 2^63 ns in all */
struct pp_windows {
    uint32_t turn;                       /* how often they were begun and ended to be halved; odd: they are not whole */
    uint32_t shift;
    uint64_t count[PP_WINDOWS];
};
enum pp_window_kind {
    PP_WINDOW_CALLS, PP_WINDOW_ITEMS, PP_WINDOW_KIND_COUNT
}; /* activations, when they end (ITERATION: bodies); what was counted as PP_ITEMS in it */
#define PP_ITEMS "items"
/* How much of the process's heap was live when entries of the stage ended: the least of each so many entries, so
 * that what comes and goes within them does not show. Floor k is of entries k << shift on. Two become one when there
 * is no room for the next. */
#define PP_FLOORS 64
struct pp_growth {
    uint32_t turn, shift;                /* as of struct pp_windows */
    uint64_t floor[PP_FLOORS];           /* bytes, plus 1; 0: none of those entries was looked at */
};

struct pp_stage {
    uint64_t key;                        /* of a stage, loop or scope; 0 is stage number 0: outside every stage */
    uint32_t kind;                       /* pp_site_kind; ITERATION has its loop's key and the loop as parent */
    uint32_t parent;                     /* stage number in the thread */
    uint32_t number, active;
    uint64_t calls;                      /* entries, exact (ITERATION: bodies begun) */
    uint64_t timed_calls;                /* those timed to their end: all, but open ones and skipped tiny iterations */
    uint64_t wall_ns;                    /* inclusive, outermost activations */
    uint64_t self_ns;                    /* less directly enclosed stages */
    uint64_t min_ns, max_ns;             /* of timed ones; min is UINT64_MAX before the first */
    /* sums over timed ones of their wall time and of its square (128 bits, low word first): whole numbers, since a
     * probe's floating point would show in the program's; mean and variance follow exactly */
    uint64_t timed_ns, squares_ns2[2];
    uint64_t outer_calls;                /* timed activations that were outermost: wall_ns is over these */
    uint64_t loop_runs;                  /* LOOP: with trips_min and trips_max; = calls that ended */
    uint64_t trips_min, trips_max;
    /* activations in which the inexact metrics were read, and their wall time */
    uint64_t sampled_calls, sampled_wall_ns;
    uint64_t reserved[4];
    /* of how many activations the inexact metrics are: one that was read, as one of N are, counts N times, and what
     * it changed N times, too; the first PP_SAMPLED_FIRST are all read */
    uint64_t sampled_for;
    uint64_t tallies;                    /* runtime: address of the stage's first struct pp_tallies */
    struct pp_windows windows[PP_WINDOW_KIND_COUNT];
    struct pp_growth growth;
    uint64_t metric[PP_METRIC_CAPACITY];
    /* of metrics that fold LEVEL: when `entered` was so, the first time, and when `metric`, the last: since start_ns
     * plus 1; 0: never */
    uint64_t level_ns[2];
    uint64_t entered[PP_METRIC_CAPACITY];
    struct pp_slow slowest[PP_SLOWEST];  /* unordered */
    uint64_t histogram[PP_BUCKETS];      /* of wall time per activation, ns */
};

/* ---- TALLIES: counts and gauges, booked at the innermost stage that the thread was in, 0 for none. ---- */
#define PP_NUMBERS 1008u                 /* names at most */
#define PP_NUMBER_BYTES 128u             /* of a name, with its end */
#define PP_TALLIES 63u                   /* of an extent: a page */
struct pp_tallies {
    uint32_t stage, first, count, reserved; uint64_t next; uint64_t reserved2[5];
}; /* of numbers first..first+count-1 at that stage; next: runtime */
struct pp_tally {
    uint64_t count;                      /* times that it was said; 0: never, and the rest means nothing */
    uint64_t sum[2];                     /* of the values: 128 bits, signed, low word first */
    /* INT64_MAX less the least value; the greatest value less INT64_MIN: both from 0 up */
    uint64_t low, high;
    uint64_t reserved[3];
};

/* ---- SNAPSHOT: what there was when the program asked, summed over all threads. Others ran on meanwhile, so a
 * number is as it was at some instant between at_ns and at_ns + took_ns. ---- */
#define PP_SNAPSHOTS 128u
#define PP_SNAPSHOT_LABEL 64u
#define PP_SNAPSHOT_HEAP 1u /* flags: the four of the heap were measured; and its points; the resident size could be
                             * read; and the CPU time */
#define PP_SNAPSHOT_POINTS 2u
#define PP_SNAPSHOT_RSS 4u
#define PP_SNAPSHOT_CPU 8u
struct pp_snapshot {
    uint32_t number, flags;              /* from 1, as they were asked for */
    uint32_t stage_count, point_count;
    uint64_t at_ns, took_ns;             /* since header.start_ns */
    /* of the process; cpu_ns since the run began, as user_ns + system_ns of the header */
    uint64_t rss_bytes, cpu_ns;
    /* since the start, by threads that were recorded */
    uint64_t alloc_bytes, alloc_blocks, free_bytes, free_blocks;
    uint64_t reserved[8];
    char label[PP_SNAPSHOT_LABEL];       /* terminated; cut if it was longer */
};
/* A stage under a stage, with what has ended. The first is what is outside of all, and its own parent. */
struct pp_moment {
    uint64_t key;
    uint32_t kind, parent;               /* parent: place in this snapshot, below its own */
    uint64_t calls, wall_ns, outer_calls, sampled_for;     /* as in struct pp_stage, calls without those open */
    uint64_t metric[PP_METRIC_CAPACITY];
};
struct pp_stock { uint64_t point, alloc_blocks, alloc_bytes, free_blocks, free_bytes; };

/* ---- FRAMES: the timed activations that are open now, outermost first. They show what a killed program was in.
 * ---- */
struct pp_frames { uint32_t first, capacity, reserved, reserved1; uint64_t reserved2[6]; };
struct pp_frame {
    uint64_t node;                       /* runtime: address of its struct pp_node */
    uint64_t outer_node;                 /* runtime: what to restore */
    uint64_t stack_address;              /* runtime: of the activation; older frames lie above */
    uint64_t start_ns;                   /* 0: the slot is free */
    uint64_t child_ns;                   /* time of timed callees that ended */
    uint64_t stage_child_ns;             /* time of enclosed stages that ended */
    uint32_t stage;                      /* stage number that this frame opened, 0 if it is a plain function */
    uint32_t outer_stage;
    uint32_t node_number, flags;
    uint64_t metric[PP_METRIC_CAPACITY]; /* values at entry, of stages */
    uint64_t reserved[3];
};

/* ---- SAMPLES: an open-addressed table; an entry is there once count is not 0 ---- */
struct pp_samples { uint32_t capacity, used; uint64_t reserved[7]; };
struct pp_sample {
    /* in the file of `module` (bias taken off): of the user's line; call sites less 1 */
    uint64_t address;
    uint32_t module;                     /* 0: outside every known module (address is then the process's) */
    /* module the PC was in, when that is not instrumented code; 0 when it was in `module` itself. When it equals
     * `module`: that one is instrumented: the PC was in the runtime linked into it; else: no instrumented caller was
     * found, and address is the library's own */
    uint32_t library;
    uint32_t node;                       /* number in the thread at that moment */
    /* a signal at the kernel's tick stands for several samples at once: the sum over signals of the square of how
     * many, less count, which it would be if each had stood for one; UINT32_MAX: that or more */
    uint32_t excess;
    uint64_t count;                      /* samples */
    uint64_t ns;                         /* CPU time they stand for */
    /* path number of the call that `address` was reached by; 0: nothing is known of it */
    uint32_t path;
    uint32_t reserved1;
};

/* ---- BLOCKED: what a thread waited in operations (wait_ns of struct pp_operation), by the calls that led there. An
 * open-addressed table: a row is there once count is not 0. One short wait stands for all since the last such wait.
 * Those after a thread's last such wait are in no row. ---- */
struct pp_blocked_table { uint32_t capacity, used; uint64_t reserved[7]; };
struct pp_blocked_path {
    /* path number: the call that waited, and those around it; 0: nothing is known of it */
    uint32_t path;
    uint32_t node;                       /* number in the thread at that moment */
    uint32_t kind;                       /* pp_operation_kind */
    uint32_t reserved;
    uint64_t count;                      /* waits whose calls were found */
    uint64_t ns;                         /* what they took, and what they stand for */
    /* the sum over them of the square of what each stands for as one that was drawn, a long one beside itself */
    uint64_t squares_us2;
};

/* ---- PATHS: the calls by which samples and waits were reached: a tree with the outermost call at its root. Number
 * 0 is no path. Calls that repeat themselves at once (a recursion) stand there once. So the path holds all calls of
 * the stack, and of two neighbours on it, the function that the outer one called made the inner one. ---- */
enum pp_path_end {
    PP_PATH_WHOLE,                       /* the thread's first function */
    PP_PATH_CUT,                         /* there are callers beyond, more than are kept */
    PP_PATH_BLIND,                       /* code without call frame information, or a stack that cannot be read */
    PP_PATH_END_COUNT
};
struct pp_paths {
    uint32_t first, capacity, used, reserved; uint64_t reserved2[6];
}; /* path numbers first..first+used-1; used: release */
struct pp_path {
    uint64_t address;                    /* as in a sample; of what a signal interrupted it is the next instruction */
    uint32_t module;                     /* 0: outside every known module */
    uint32_t parent;                     /* path number of the call that encloses it, 0 for none; below its own */
    uint32_t end;                        /* pp_path_end, where parent is 0: what lies beyond */
    uint32_t reserved;
};

/* ---- CALLSITES: where blocks of the heap are asked for, and where memory is mapped. Number 0 stands for all blocks
 * without a call site of their own. Two numbers may mean the same place. ---- */
enum pp_callsite_kind {
    PP_CALLSITE_BLOCKS, PP_CALLSITE_MAPPINGS, PP_CALLSITE_COPIES, PP_CALLSITE_POOLS, PP_CALLSITE_FILLS,
    PP_CALLSITE_KIND_COUNT
};
struct pp_callsites {                       /* point numbers first..first+capacity-1 */
    uint32_t first, capacity;
    /* where first is 0: how often peak_* of BLOCKS were begun and ended to be written; odd: they are not whole */
    uint64_t peak_turn;
    /* and their sum: what lived when the heap was as large as it ever was, within some percent */
    uint64_t peak_bytes;
    uint64_t reserved[5];
};
struct pp_callsite {
    /* as in a sample: of the call in the user's code through which the allocator was reached */
    uint64_t address;
    /* as in a sample; 0, and address 0: of mappings that have no point of their own */
    uint32_t module;
    uint32_t library;                    /* 0: the call was the allocator's own; else as in a sample */
    uint32_t known;                      /* 1: there is such a point; release (partner: reader) */
    uint32_t kind;                       /* pp_callsite_kind */
};
/* ---- BLOCKS: what a thread got and gave back, by the call site that got the block. In a fork's child a call site's
 * free_* may exceed its alloc_*, because the child gives back what its parent got. Mappings have alloc_blocks, which
 * counts them, and both bytes, because parts of a mapping may go. COPIES, POOLS and FILLS have alloc_blocks and
 * alloc_bytes alone: the calls that copied, handed out or filled, and their bytes. ---- */
struct pp_blocks {
    uint32_t first, count; uint64_t older; uint64_t reserved[6];
}; /* of points first..first+count-1; older: runtime */
struct pp_block {
    uint64_t alloc_blocks, alloc_bytes;
    uint64_t free_blocks, free_bytes;    /* of this point's blocks, by whatever thread and line they were given back */
    uint64_t temporary_blocks;           /* of those: given back by the thread that got it, before it got another */
    uint64_t peak_blocks, peak_bytes;    /* of no thread alone: that lived at the peak; signed, as live ones are */
    uint64_t reserved;
};

/* ---- OPERATIONS: an open-addressed table of what a thread did on files and sockets, and waited in. An entry is
 * there once its key is not 0. A key may be in several tables of a block. What lies between the call site and the
 * kernel is counted once, as a call of the C library. ---- */
#define PP_SIZES 8u /* bucket b holds values up to 64 << 3 * b, the last one all above: bytes; of kinds without any,
                     * 16 ns */
struct pp_operations { uint32_t capacity, used; uint64_t reserved[7]; };
struct pp_operation {
    uint64_t key;                        /* PP_OPERATION_KEY */
    /* Some calls are not timed. A timed call stands in wall_ns and wait_ns for itself and the untimed calls before it.
     * If it was long and did not wait, the mean stands for the others. So preemption during an untimed call is in
     * neither sum. */
    uint64_t untimed, due;               /* runtime: none is timed while `untimed` is below `due` */
    uint64_t bytes;
    /* of the calls, those that went on where the one before on that descriptor ended; of connects, those that were
     * left in progress */
    uint64_t sequential;
    /* runtime: whence and in which node it was called last, and what the descriptor was: its target and kind */
    uint64_t caller, node, descriptor;
    /* calls that did not fail, by their bytes, or of kinds without any by their time */
    uint64_t size[PP_SIZES];
    uint64_t timed, errors;              /* errors: of all calls, those that failed */
    uint64_t stood;                      /* of those that were not timed the ones that a timed one stands for */
    /* in the calls; of that, off the CPU: what the thread's CPU clock says, or what is likely for a call so long */
    uint64_t wall_ns, wait_ns;
    uint64_t most_ns;                    /* the longest that was timed */
    /* sum of w (w - 1) (t - mean)^2 / 1024 over the timed: each took t ns and stood for w */
    uint64_t spread;
    uint64_t reserved;
};
/* ---- ANSWERS: how long the answers of a target took, or what was served there, as a histogram like a stage's. Only
 * the targets that came first have one. ---- */
struct pp_answers {
    uint32_t target, kind;               /* kind: RESPONSE or SERVED */
    uint64_t reserved2[7];
    uint64_t histogram[PP_BUCKETS];
};
/* point: number of the call site; stage: in the thread, the innermost that was open; target: id, 0 for none or
 * unknown */
#define PP_OPERATION_KEY(point, kind, stage, target) \
    (UINT64_C(1) << 63 | (uint64_t)(target) << 36 | (uint64_t)(stage) << 24 | (uint64_t)(kind) << 16 | \
     (uint64_t)(point))
#define PP_OPERATION_POINT(key) ((uint32_t)(key) & 0xffffu)
#define PP_OPERATION_KIND(key) ((uint32_t)((key) >> 16) & 0xffu)
#define PP_OPERATION_STAGE(key) ((uint32_t)((key) >> 24) & 0xfffu)
#define PP_OPERATION_TARGET(key) ((uint32_t)((key) >> 36) & 0xffffffu)

#include "layout.h"

#endif
