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
 *   A directory chunk lists extents. An entry is valid once its `kind` is not 0: the writer stores `kind` last, with
 *   release order, and the reader loads it with acquire order. A reader skips entries of an unknown kind, and those of
 *   kind 0, whose writer may have died between claiming and publishing. `next` of a chunk is the file offset of a
 *   further chunk, 0 for none. `count` may exceed PP_DIRECTORY_ENTRIES, by claims that went to the next chunk.
 *
 *   The kinds of extents, what they begin with and what follows, are the rows of extent.def.
 *
 * KEYS. The key of a site is its object's last_key minus the site's slot, so a probe needs the object's end alone. Keys
 * are dense in the process and never reused. Key 0 stands for no site. counters[key] of a thread is its count of calls,
 * for sites whose mode is COUNTED or FRAMED, while the collector calltree is on. Timed sites count in their nodes. A
 * loop or scope gets one key at run time, in a PP_RECORD_PLACE. A reader ignores the counter of a timed site, and those
 * of a framed site's further slots, which the runtime uses itself.
 *
 * TIME. All *_ns are nanoseconds of CLOCK_MONOTONIC unless the name says otherwise. The runtime converts before it
 * stores.
 *
 * Fields marked `runtime:` are addresses in the profiled process, or its own bookkeeping. A reader ignores them. */
#ifndef PROFPLUG_ABI_FORMAT_H
#define PROFPLUG_ABI_FORMAT_H

#include <stddef.h>
#include <stdint.h>

#define PP_MAGIC "profplug"              /* 8 bytes, no terminator */
#define PP_FORMAT_VERSION 9u
#define PP_HEADER_SIZE 4096u
#define PP_PAGE 4096u
#define PP_ABI_VERSION 7u                /* version of the interface between emitted code and the runtime */

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
#define PP_METRIC_CAPACITY 32            /* more than there are metrics, so that a new row does not move fields */
#define PP_REGION_MARK "._omp_fn."       /* in the symbol of a region of OpenMP, behind that of its function */
struct pp_site {
#define PP_SITE_FIELD(type, bytes, name, meaning) type name;
#include "site.def"
};

/* The memory that emitted code and the runtime share. It is not in the file. */
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

/* Losses are counted and shown: PP_LOSS(ID, json_name, text). {one|many} depends on the number (plural.h). */
#define PP_LOSSES(PP_LOSS) \
    PP_LOSS(DISK, disk_extents, \
        "{piece|pieces} of the data file that the disk, max-file, max-total or a limit refused") \
    PP_LOSS(MEMORY,  memory_failures, "{piece|pieces} of memory that the system or a limit (ulimit, seccomp) refused") \
    PP_LOSS(EARLY,   early_calls,       "{call|calls} before the runtime could record {it|them}") \
    PP_LOSS(NODES,   call_paths, \
        "{call|calls} counted without {its|their} call path, as there were too many paths") \
    PP_LOSS(THREADS, threads, \
        "{thread|threads} that could not be recorded: too many at a time, or no memory") \
    PP_LOSS(FRAMES,  frames, \
        "timed {activation|activations} that {was|were} nested too deeply to be recorded") \
    PP_LOSS(HEALED,  healed_frames, \
        "{activation|activations} closed late, because longjmp or an exception left {it|them}") \
    PP_LOSS(SAMPLES, samples,           "{sample|samples} for which there was no room") \
    PP_LOSS(OBJECTS, objects,           "{object file|object files} whose functions and loops could not be recorded") \
    PP_LOSS(RECORDS, records,           "{record|records} for which there was no room") \
    PP_LOSS(REGIONS, unmatched_regions, "{call|calls} of profplug_begin or profplug_end without the other half") \
    PP_LOSS(PATHS,   sample_paths, \
        "{sample|samples} without {its|their} innermost callers, as there were too many paths") \
    PP_LOSS(OPERATIONS, operations, \
        "{operation|operations} without file or line, or not told at all: for want of room, or during a fork") \
    PP_LOSS(NUMBERS, numbers, \
        "{count or gauge|counts and gauges} for which there was no room: too many names, or a name that is too long") \
    PP_LOSS(SNAPSHOTS, snapshots, \
        "{snapshot, or stage in one,|snapshots, or stages in them,} for which there was no room") \
    PP_LOSS(MAPPINGS, mappings, \
        "{call|calls} of mmap, mremap and munmap not recorded: during a fork, in a sandbox, or for lack of memory") \
    PP_LOSS(GROWTH,  growth, \
        "{entry|entries} of stages after which the size of the heap was not noted: more than 256 threads at a time") \
    PP_LOSS(STALLS,  stalls,            "{wait|waits} recorded without the calls that led there, for lack of room")
enum pp_loss {
#define PP_LOSS(id, name, text) PP_LOSS_##id,
    PP_LOSSES(PP_LOSS)
#undef PP_LOSS
    PP_LOSS_COUNT
};

/* What is skipped to stay within the budget is counted here and shown. Numbers of calls are never skipped.
 * PP_GIVEN(ID, json_name, text, what represents it; may be empty) */
#define PP_GIVEN_UP(PP_GIVEN) \
    PP_GIVEN(SAMPLES,   samples,        "{sample was|samples were} skipped", "errors are larger") \
    PP_GIVEN(FUNCTIONS, function_times, \
        "{call of a function was|calls of functions were} not timed", "randomly chosen calls stand for {it|them}") \
    PP_GIVEN(METRICS,   stage_metrics, \
        "{entry of a stage was|entries of stages were} recorded without CPU time, bytes and faults", \
        "randomly chosen entries stand for {it|them}") \
    PP_GIVEN(ITERATIONS, iteration_times, "{iteration was|iterations were} not timed one by one", "") \
    PP_GIVEN(OPERATIONS, operation_times, \
        "{call that moves|calls that move} bytes {was|were} not timed", "randomly chosen calls stand for {it|them}") \
    PP_GIVEN(HEAP,      heap_looks,     "stage {boundary was|boundaries were} passed without inspecting the heap", "")
enum pp_given {
#define PP_GIVEN(id, name, text, stands) PP_GIVEN_##id,
    PP_GIVEN_UP(PP_GIVEN)
#undef PP_GIVEN
    PP_GIVEN_COUNT
};

enum pp_exit_kind {
    PP_EXIT_UNKNOWN, PP_EXIT_EXIT, PP_EXIT_SIGNAL, PP_EXIT_EXEC, PP_EXIT_KILLED
}; /* UNKNOWN: still running, or nobody saw its end */
enum pp_sample_source { PP_SAMPLE_NONE, PP_SAMPLE_PERF, PP_SAMPLE_TIMER };
enum pp_level { PP_LEVEL_OFF, PP_LEVEL_BASIC, PP_LEVEL_DETAILED, PP_LEVEL_COMPREHENSIVE };
enum pp_timing { PP_TIMING_ADAPTIVE, PP_TIMING_EXACT };
#define PP_IGNORABLE_DENORMALS UINT64_C(1) /* a thread had used denormal numbers when a sample was taken (x86) */
#define PP_IGNORABLE_OFF UINT64_C(2) /* off_ns of nodes is known */
#define PP_IGNORABLE_CPU UINT64_C(4) /* a process that was killed: user_ns and system_ns are what the kernel counted */
#define PP_IGNORABLE_TICKED UINT64_C(8) /* timers took a good part of the samples */

struct pp_header {
    char magic[8];
    uint32_t version, header_size;
    uint64_t features_ignorable;         /* PP_IGNORABLE_*: bits that a reader may ignore if it does not know them */
    uint64_t features_required;          /* bits that a reader must know, or it must refuse the file */
    /* bytes claimed so far. May exceed the file's size if the disk is full */
    uint64_t file_end;
    uint64_t directory;                  /* file offset of the first directory chunk */
    uint32_t pid, parent_pid;
    uint32_t root_pid;                   /* the first profiled process of this run; pid itself in that one */
    uint32_t level;                      /* pp_level */
    uint64_t start_realtime_ns;          /* CLOCK_REALTIME, since the epoch */
    uint64_t start_ns;                   /* CLOCK_MONOTONIC */
    /* the latest time at which the runtime was seen running. Samples and stage boundaries refresh it */
    uint64_t heartbeat_ns;
    uint64_t end_ns;                     /* 0 until the process ended */
    uint32_t exit_kind;                  /* pp_exit_kind */
    int32_t exit_status;                 /* exit status, or signal number */
    /* CPU time of the process. Set at the end, and at those heartbeats whose cost the budget allows */
    uint64_t user_ns, system_ns;
    uint64_t peak_rss_bytes;
    /* a bit for each collector of options.def. Another process may store here to switch them */
    uint32_t collectors;
    uint32_t timing;                     /* pp_timing */
    uint32_t sample_source;              /* pp_sample_source */
    uint32_t sample_period_ns;           /* CPU time per sample */
    uint32_t budget_permille;            /* 20 = 2 % */
    uint32_t key_count;                  /* the next key that is free */
    uint64_t self_ns;                    /* estimated cost of the runtime so far, in all threads */
    uint64_t events_timed, events_sampled;
    /* by PP_LOSSES. A new row moves the fields after this one, so bit 0 of features_required must be set then */
    uint64_t losses[PP_LOSS_COUNT];
    char program[256];                   /* absolute path, cut on the left if longer */
    char directory_path[1024];           /* the working directory at the start */
    /* memory_note and sample_note tell why a collector is not running; empty if it is */
    char host[64], cpu_model[64], clock_name[32], memory_note[256], sample_note[128];
    /* a bit for each enum pp_metric whose source works here. A stage has no value of the others, not 0 */
    uint64_t metrics_measured;
    /* the parent's parent and so on, 0 after the last that is known. They connect a process to the profiled process
     * that started it through others, such as the shell of system(3) */
    uint32_t ancestors[8];
    /* how much was given up of each kind, and since when, relative to start_ns; 0: never */
    uint64_t given_up[PP_GIVEN_COUNT], given_up_ns[PP_GIVEN_COUNT];
    /* what the kernel counted for the process since start_ns (rchar, wchar), and for its children that were waited for,
     * without the runtime's own. Set at the end */
    uint64_t io_read_bytes, io_write_bytes;
    uint32_t io_known;                   /* 1: io_read_bytes and io_write_bytes are known */
    /* 1: the allocator's state at the end is known. 2: the C library did not tell it. 3: it was not asked, because of
     * the budget */
    uint32_t arena_known;
    /* memory that the allocator took from the system, without arena_mapped_bytes */
    uint64_t arena_bytes;
    /* parts of arena_bytes: in use (with threads' caches), and free */
    uint64_t arena_used_bytes, arena_free_bytes;
    uint64_t arena_top_bytes;            /* part of arena_free_bytes at the end of the main arena */
    uint64_t arena_mapped_bytes, arena_mapped_blocks;    /* blocks that the allocator mapped one by one */
    /* picoseconds that a count takes on this machine, a cycle of the processor. self_ns lacks what is counted */
    uint32_t count_ps;
    uint32_t frame_ns;                   /* assumed cost of a timed activation, included in self_ns; 0: not known */
    /* samples that were taken; each stands for itself and for those skipped since the last, together events_sampled */
    uint64_t sample_signals;
    uint64_t before_ns;                  /* CPU time that the process had used at start_ns, in the loader for one */
    uint64_t calls_ns; /* CPU time of the runtime's system calls in wrapped calls, estimated. self_ns lacks it */
    /* how often the kernel switched the process's threads since start_ns, set with user_ns. If a thread has a perf
     * event, each switch stops and arms a timer. self_ns does not include that */
    uint64_t switches;
    uint64_t heap_calls;                 /* blocks allocated plus blocks freed; a resized one is both. Set at the end */
    uint32_t arming_ns;                  /* what arming a perf event took lately; 0: no thread has one */
    uint32_t account_known;              /* 1: the six fields before are recorded */
    uint32_t blocks_mean, fault_ns;      /* bytes between drawn blocks, at first, 0: exact; time of a first touch */
    uint64_t moves, draws, draws_ns;     /* resized blocks; steps of drawn blocks that were timed, and what all took */
};

/* ---- RECORDS: facts about the run, of any length ---- */
/* bytes of records after this head; release (partner: reader) */
struct pp_records { uint64_t used, fileless, reserved[6]; }; /* fileless: unrecorded children, in the first extent */
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
    PP_RECORD_PART,          /* struct pp_part; of profplug merge */
    PP_RECORD_SPREAD,        /* struct pp_spread; of profplug merge */
};
struct pp_record { uint32_t kind, size; }; /* size of the payload that follows; the next record is 8-aligned */
struct pp_module {
    uint32_t id;  /* from 1, in order of appearance. A later record with the same id replaces the earlier one */
    uint32_t build_id_size;  /* 0 if the image has none */
    uint64_t low, high;      /* address range of its mapping in the process */
    uint64_t bias;           /* address in the process minus address in the file */
    uint8_t build_id[32];
    uint32_t instrumented;   /* 1 if it contains profplug objects */
    uint32_t runtime;        /* 1 if it is the shared runtime, whatever its name */
    char path[];             /* terminated; "[vdso]" for the kernel's */
};
struct pp_place {
    uint64_t key;
    uint32_t kind, category, line, reserved;
    char strings[];          /* name, function, file: three terminated strings */
};
#include "merged.h"
/* the data file of a forked child; pid 0: it has none, or not yet */
struct pp_child { uint32_t pid; uint32_t reserved; char path[]; };

enum pp_target_kind {
    PP_TARGET_UNKNOWN, PP_TARGET_FILE, PP_TARGET_PIPE, PP_TARGET_SOCKET, PP_TARGET_OTHER, PP_TARGET_KIND_COUNT
};
/* a file or socket on which operations are done. Ids from 1. kind: pp_target_kind. The name is terminated: a path,
 * or protocol and address. Two targets may have the same name */
struct pp_target { uint32_t id, kind; char name[]; };
struct pp_number { uint32_t id, kind; char name[]; }; /* a count or gauge; ids from 1; the name is terminated */

/* ---- SITES: copies of objects' tables; those of an executable that did not run may be in the executable alone ---- */
struct pp_sites {
    uint32_t last_key, slot_count, site_count, strings_size;      /* key of slot k: last_key - k */
    uint32_t module, unit, directory, compiler; /* pp_module id, 0 if unknown; string offsets */
    uint64_t next; /* bytes from here to the next object's table in the extent, 8-aligned; 0: none */
    uint32_t program_key, program_objects, reserved[4]; /* an executable's first key, all its objects; 0: it is none */
};                           /* then struct pp_site[site_count], then the strings */

/* ---- THREADS ---- */
struct pp_thread_rows {
    uint32_t count, capacity; uint64_t reserved[7];
}; /* number of threads so far; those beyond the capacity have no row */
struct pp_thread_row {
    uint32_t tid, block;
    uint64_t start_ns, end_ns;           /* end 0: it was alive when last seen */
    uint64_t cpu_ns;                     /* user and system. Set at the thread's end, and from time to time before */
    uint64_t samples;
    char name[16];
    /* time in which it was ready to run but had no CPU. Set at its end. 0: not known, or it had less than 1 ms of CPU
     * time */
    uint64_t delay_ns;
    /* time off the CPU in operations that have returned: the sum of wait_ns of struct pp_operation over its own */
    uint64_t wait_ns;
    uint32_t started, joined;            /* callsites of the calls that started it and joined it; 0: not known */
    uint64_t handle;                     /* runtime: its pthread_t; merged file: 1: first of its process */
};

/* ---- a thread block: THREAD, COUNTERS, NODES, STAGES, TALLIES, FRAMES, SAMPLES, STALLS, PATHS ---- */
/* A wrapped call that has begun and has not returned. A reader looks twice, the second time after it has read all
 * else: what is the same then was not over, and is booked nowhere else. */
struct pp_unfinished {
    uint64_t start_ns;       /* 0: there is none; stored last, release (partner: reader) */
    uint64_t call;           /* runtime: address of its struct pp_call, which lies in its frame; 0: nobody's */
    uint32_t point, kind;    /* callsite; pp_operation_kind */
    uint32_t node, target;   /* number in the thread; 0 for none or unknown */
};
#define PP_UNFINISHED 4u     /* a signal handler may wait within a wait */
struct pp_thread {
    /* runtime: address of the current struct pp_node. The first field, because emitted code reads and writes it */
    uint64_t node;
    uint32_t id;             /* thread block number, from 1 */
    uint32_t row;            /* index in THREADS of the block's present owner; UINT32_MAX: it has no row */
    uint64_t private_[174];  /* runtime: see struct pp_private in rt/rt.h */
    struct pp_unfinished unfinished[PP_UNFINISHED];
};
struct pp_counters { uint64_t count; uint64_t reserved[7]; };     /* counters for keys 0..count-1 */

struct pp_nodes {
    uint32_t first, capacity, used, reserved;    /* node numbers first..first+used-1; used: release */
    uint64_t next;                               /* runtime: address of the thread's next chunk */
    uint64_t reserved2[5];
};
struct pp_node {
    uint64_t key;            /* may have PP_KEY_OVERFLOW set. Node 0 of a thread is the root, with key 0 */
    uint64_t child;          /* runtime: address of the child that was entered last through the hook */
    /* exact while every call was timed. Afterwards each timed call adds the function's calls since the last timed one,
     * whatever their path; those after the last one are in no node. A recursive call is in the node of the first
     * activation */
    uint64_t calls;
    uint64_t timed_calls;    /* activations that were timed to their end */
    /* inclusive time of those that were outermost in this node, so it adds up along the path */
    uint64_t timed_ns;
    uint64_t self_ns;        /* time of timed activations minus that of their timed callees */
    uint32_t parent;         /* node number in the thread */
    uint32_t stage;          /* number of the innermost stage that the node is or runs in */
    uint32_t active;         /* number of open activations */
    uint32_t number;         /* its own number */
    /* runtime: of a stage, address of its struct pp_stage; of a function's first node, when a call was last timed */
    uint64_t stage_or_timed_ns;
    uint64_t outer_timed;    /* timed activations that were outermost: those of timed_ns */
    uint64_t off_ns;         /* part of self_ns without a CPU, but for waits in operations: see PP_IGNORABLE_OFF */
    uint32_t flags;          /* runtime */
    /* runtime: in a function's first node of the thread, its open timed activations in all nodes */
    uint32_t function_open;
    /* inclusive time of timed activations that were outermost of the FUNCTION in its thread. Its sum over a function's
     * nodes has each recursion once, even through different paths */
    uint64_t function_ns;
    uint64_t first;          /* runtime: address of the function's first node in the thread */
    uint64_t unused[2];
};
#define PP_TIMED_FIRST 2u                /* of each function in a thread, the first calls, which are always timed */
/* the node has calls of a site whose path could not be kept. Its parent is the root */
#define PP_KEY_OVERFLOW (UINT64_C(1) << 62)

/* ---- STAGES: one per (site, enclosing stage) and thread ---- */
#define PP_SUB_BITS 6 /* 64 buckets per power of two. A bucket's middle differs from its values by at most 0.8 % */
#define PP_MAX_BITS 47                   /* values from 2^47 ns (39 h) on are in the last bucket */
#define PP_BUCKETS ((PP_MAX_BITS - PP_SUB_BITS + 1) * (1 << PP_SUB_BITS))
/* The bucket of v is v if v < 64. Otherwise, with e = floor(log2 v), it is (e - 6) * 64 + (v >> (e - 6)), at most
 * PP_BUCKETS - 1. Bucket b holds b exactly if b < 64. Otherwise, with g = b / 64 - 1 and m = b % 64 + 64, it holds m <<
 * g ... ((m + 1) << g) - 1. */
#define PP_SLOWEST 16
#define PP_SAMPLED_FIRST 64u
struct pp_slow {
    uint64_t index, wall_ns, start_ns; uint64_t reserved;
}; /* start_ns: since header.start_ns. wall_ns 0: the entry is empty */
struct pp_stages {
    uint32_t first, capacity, used, reserved;
    uint64_t next;                       /* runtime: address of the thread's next chunk */
    uint64_t reserved2[5];
};
/* Counts by time. Window k begins at k << (PP_WINDOW_BITS + shift) ns after header.start_ns, and is as long. When time
 * passes the last window, pairs of windows are merged. What a signal handler adds meanwhile may be in another window,
 * but the sum is right. */
#define PP_WINDOWS 64
#define PP_WINDOW_BITS 23                /* 8.4 ms */
#define PP_WINDOW_SHIFT_MOST 34          /* 2^63 ns in all */
struct pp_windows {
    uint32_t turn;  /* incremented before and after windows are merged. An odd number: they are inconsistent */
    uint32_t shift;
    uint64_t count[PP_WINDOWS];
};
enum pp_window_kind {
    PP_WINDOW_CALLS, PP_WINDOW_ITEMS, PP_WINDOW_KIND_COUNT
}; /* activations that ended (ITERATION: bodies), and the PP_ITEMS that were counted in the stage */
#define PP_ITEMS "items"
/* How much heap of the process was live when entries of the stage ended. Floor k is the minimum over a group of entries
 * from number k << shift on, so memory that is freed within a group does not show. When there is no room for the next
 * group, pairs of groups are merged. */
#define PP_FLOORS 64
struct pp_growth {
    uint32_t turn, shift;                /* as in struct pp_windows */
    uint64_t floor[PP_FLOORS];           /* bytes plus 1; 0: the heap was not measured at these entries */
};

struct pp_stage {
    uint64_t key;  /* of a stage, loop or scope. 0: stage number 0, the time outside every stage */
    uint32_t kind;                       /* pp_site_kind. ITERATION has the key of its loop, and the loop as parent */
    uint32_t parent;                     /* stage number in the thread */
    uint32_t number, active;
    uint64_t calls;                      /* entries, exact. ITERATION: bodies begun */
    uint64_t timed_calls;  /* entries timed to their end: all but open ones, and tiny iterations that were skipped */
    uint64_t wall_ns;                    /* inclusive time of outermost activations */
    uint64_t self_ns;                    /* time minus that of directly enclosed stages */
    uint64_t min_ns, max_ns;             /* of timed entries. min_ns is UINT64_MAX before the first */
    /* sums of wall time, and of its square, over timed entries (128 bits, low word first). Integers, so that probes do
     * not touch the program's floating-point state. Mean and variance follow exactly */
    uint64_t timed_ns, squares_ns2[2];
    uint64_t outer_calls;                /* outermost timed activations: those of wall_ns */
    uint64_t loop_runs;                  /* LOOP: calls that ended, with the fewest and the most iterations */
    uint64_t trips_min, trips_max;
    /* activations in which the inexact metrics were read, and their wall time */
    uint64_t sampled_calls, sampled_wall_ns;
    uint64_t slowest_least_ns;           /* runtime: wall_ns of the shortest in `slowest`; 0: look at all */
    uint64_t reserved[3];
    /* how many activations the inexact metrics represent. The first PP_SAMPLED_FIRST are all read. If later one in N
     * is, it and its metrics count N times */
    uint64_t sampled_for;
    uint64_t tallies;                    /* runtime: address of the stage's first struct pp_tallies */
    struct pp_windows windows[PP_WINDOW_KIND_COUNT];
    struct pp_growth growth;
    uint64_t metric[PP_METRIC_CAPACITY];
    /* when LEVEL metrics had the values of `entered`, then of `metric`, since start_ns, plus 1; 0: never */
    uint64_t level_ns[2];
    uint64_t entered[PP_METRIC_CAPACITY];
    struct pp_slow slowest[PP_SLOWEST];  /* in no order */
    uint64_t histogram[PP_BUCKETS];      /* of wall time per activation, in ns */
};

/* ---- COUNTERS of a nest of loops ---- */
/* Class k of sizes n: with m = n | 8 and e = floor(log2 m), k is 4 * e + (m >> (e - 2)) % 4 - 12, at most the last.
 * Counter k has entries of the class, those from PP_NEST_CLASSES on their sizes, and the last third their steps. */
#define PP_NEST_CLASSES 64

/* ---- TALLIES: counts and gauges, booked in the thread's innermost stage, 0 for none ---- */
#define PP_NUMBERS 1008u                 /* how many names there may be */
#define PP_NUMBER_BYTES 128u             /* length of a name, with its terminator */
#define PP_TALLIES 63u                   /* tallies in an extent of a page */
struct pp_tallies {
    uint32_t stage, first, count, reserved; uint64_t next; uint64_t reserved2[5];
}; /* of numbers first..first+count-1 in that stage; next: runtime */
struct pp_tally {
    uint64_t count;                      /* how often it was given; 0: never, and the other fields have no meaning */
    uint64_t sum[2];                     /* of the values: 128 bits, signed, low word first */
    /* INT64_MAX minus the least value, and the greatest value minus INT64_MIN. So both start from 0 */
    uint64_t low, high;
    uint64_t reserved[3];
};

/* ---- SNAPSHOT: values when the program asked for them, summed over all threads. Other threads continued meanwhile,
 * so each value is that of some instant between at_ns and at_ns + took_ns. ---- */
#define PP_SNAPSHOTS 128u
#define PP_SNAPSHOT_LABEL 64u
/* flags, which tell what was measured: the heap's four fields, its call sites, the resident size, the CPU time */
#define PP_SNAPSHOT_HEAP 1u
#define PP_SNAPSHOT_POINTS 2u
#define PP_SNAPSHOT_RSS 4u
#define PP_SNAPSHOT_CPU 8u
struct pp_snapshot {
    uint32_t number, flags;              /* number: from 1, in the order of the calls */
    uint32_t stage_count, point_count;
    uint64_t at_ns, took_ns;             /* since header.start_ns */
    /* of the process. cpu_ns since the run began, like user_ns + system_ns of the header */
    uint64_t rss_bytes, cpu_ns;
    /* since the start, of recorded threads */
    uint64_t alloc_bytes, alloc_blocks, free_bytes, free_blocks;
    uint64_t reserved[8];
    char label[PP_SNAPSHOT_LABEL];       /* terminated; truncated if it was longer */
};
/* A stage within its parent stage, with its ended activations. The first one is the time outside every stage, and its
 * own parent. */
struct pp_moment {
    uint64_t key;
    uint32_t kind, parent;               /* parent: index in this snapshot, less than its own */
    uint64_t calls, wall_ns, outer_calls, sampled_for;     /* as in struct pp_stage, without open activations */
    uint64_t metric[PP_METRIC_CAPACITY];
};
struct pp_stock { uint64_t point, alloc_blocks, alloc_bytes, free_blocks, free_bytes; };

/* ---- FRAMES: open timed activations, outermost first. They show where a program was when it was killed. ---- */
struct pp_frames {
    uint32_t first, capacity, reserved, reserved1;
    uint64_t thread;                     /* runtime: address of the thread's struct pp_thread */
    uint64_t previous, next;             /* runtime: addresses of the chunks before and after it */
    uint64_t reserved2[3];
};
struct pp_frame {
    uint64_t node;                       /* runtime: address of its struct pp_node */
    uint64_t outer_node;                 /* runtime: the node to restore */
    uint64_t stack_address;              /* runtime: stack address of the activation. Older frames have higher ones */
    uint64_t start_ns;                   /* 0: the slot is free */
    uint64_t child_ns;                   /* time of timed callees that ended */
    uint64_t stage_child_ns;             /* time of enclosed stages that ended */
    uint32_t stage;                      /* stage number that this frame opened, 0 if it is a plain function */
    uint32_t outer_stage;
    uint32_t node_number, flags;
    uint64_t metric[PP_METRIC_CAPACITY]; /* a stage's values at entry */
    uint64_t index;                      /* runtime: of a stage, number of the activation, from 0 */
    uint64_t chunk;                      /* runtime: address of the struct pp_frames that holds the frame */
    uint64_t outer_stage_frame;          /* runtime: of a stage, address of the enclosing stage's frame */
};

/* ---- SAMPLES: an open-addressed table; an entry is valid once count is not 0, or faults has PP_SAMPLE_FAULTS ---- */
struct pp_samples {
    uint32_t capacity, used;
    uint64_t older;                      /* runtime: address of the thread's table before this one, half as large */
    uint64_t reserved[6];
};
/* In `faults`: the row is of page faults here. `excess` signals of an event stand for `ns` of them, with a variance of
 * `called_ns`. `unseen_ns` is how many it would have by halves, as `faults` of samples has them. */
#define PP_SAMPLE_FAULTS 0x80000000u
struct pp_sample {
    /* address of the user's line in the file of `module` (without bias). Of a call, the return address minus 1 */
    uint64_t address;
    uint32_t module;                     /* 0: outside every known module. Then `address` is that in the process */
    /* the module of the program counter, if that was not in instrumented code; 0: it was in `module` itself. Equal to
     * `module`, which is instrumented: it was in the runtime linked into it. Equal, and not instrumented: no
     * instrumented caller was found, and `address` is the library's own */
    uint32_t library;
    uint32_t node;                       /* the thread's node at that moment */
    /* a signal at the kernel's tick may represent several samples. This is the sum of squares of these numbers over the
     * signals, minus count: 0 if each represented one. UINT32_MAX: that or more */
    uint32_t excess;
    uint64_t count;                      /* number of samples */
    uint64_t ns;                         /* CPU time that they represent */
    uint32_t path;   /* path number of the call that led to `address`; 0: not known */
    uint32_t faults; /* half of the thread's page faults since the sample before, and half of those until the next */
    /* Samples are taken in user code only. These sum up, from the sample before to each of these, how long the thread
     * ran in the kernel, and what was booked meanwhile of its calls (`busy` of struct pp_blocked_path). The first is
     * negative where ticks found more user time than there was */
    int64_t unseen_ns;
    uint64_t called_ns;
};

/* ---- BLOCKED: how long a thread waited in operations (wait_ns of struct pp_operation), and how long it ran in them
 * (wall_ns less wait_ns), by path. An open-addressed table: a row is valid once count is not 0. Of short times one is
 * booked from time to time, for all since the last one. Those after a thread's last one are in no row. ---- */
struct pp_blocked_table { uint32_t capacity, used; uint64_t reserved[7]; };
struct pp_blocked_path {
    uint32_t path;                       /* path number of the call that waited; 0: not known */
    uint32_t node;                       /* the thread's node at that moment */
    uint32_t kind;                       /* pp_operation_kind */
    uint32_t busy;                       /* 0: waits. 1: CPU time in the calls */
    uint64_t count;                      /* waits whose calls were found */
    uint64_t ns;                         /* their duration, and that of the waits that they represent */
    /* sum of squares of what each wait represents as a sample. A long wait represents itself and, as a sample, the
     * short ones before it */
    uint64_t squares_us2;
};

/* ---- PATHS: the calls by which samples and waits were reached: a tree with the outermost call at its root. Number
 * 0 is no path. A call that repeats itself directly (a recursion) is in the path once. Otherwise the path has all calls
 * of the stack: each was made by the function that the one before it called. ---- */
enum pp_path_end {
    PP_PATH_WHOLE,                       /* it begins with the thread's first function */
    PP_PATH_CUT,                         /* there are more callers than are kept */
    PP_PATH_BLIND,  /* it ends at code without call frame information, or at a stack that cannot be read */
    PP_PATH_END_COUNT
};
struct pp_paths {
    uint32_t first, capacity, used, reserved; uint64_t reserved2[6];
}; /* path numbers first..first+used-1; used: release */
struct pp_path {
    uint64_t address;  /* as in a sample. In code that a signal interrupted it is the next instruction */
    uint32_t module;                     /* 0: outside every known module */
    uint32_t parent;                     /* path number of the enclosing call, 0 for none; less than its own */
    uint32_t end;                        /* pp_path_end, if parent is 0 */
    uint32_t reserved;
};

/* ---- CALLSITES: where blocks of the heap are asked for, and where memory is mapped. Number 0 stands for all blocks
 * without a call site of their own. Two numbers may mean the same place. ---- */
enum pp_callsite_kind {
    PP_CALLSITE_BLOCKS, PP_CALLSITE_MAPPINGS, PP_CALLSITE_COPIES, PP_CALLSITE_POOLS, PP_CALLSITE_FILLS,
    PP_CALLSITE_KIND_COUNT
};
struct pp_callsites {                       /* of call sites first..first+capacity-1 */
    uint32_t first, capacity;
    /* in the extent with first 0: incremented before and after the peak_* of BLOCKS are written. An odd number: they
     * are inconsistent */
    uint64_t peak_turn;
    uint64_t peak_bytes;                 /* their sum: what was live when the heap was largest, within some percent */
    uint64_t reserved[5];
};
struct pp_callsite {
    uint64_t address;                    /* as in a sample: of the call in the user's code that led to the allocator */
    /* as in a sample. 0, with address 0: mappings without a call site of their own */
    uint32_t module;
    uint32_t library;                    /* 0: it called the allocator directly; otherwise as in a sample */
    uint32_t known;                      /* 1: the entry is valid; release (partner: reader) */
    uint16_t kind;                       /* pp_callsite_kind */
    /* number of the call that led to this one, if this one is in a wrapper or in a header of the system; less than its
     * own. 0: none, or not known */
    uint16_t outer;
};
/* ---- BLOCKS: what a thread allocated and freed, by the call site that allocated the block. In a fork's child free_*
 * may exceed alloc_*, because the child frees what its parent allocated. For mappings, alloc_blocks counts them, and
 * free_bytes may be a part of one. COPIES, POOLS and FILLS have alloc_blocks and alloc_bytes alone: the calls that
 * copied, handed out or filled, and their bytes. ---- */
struct pp_blocks {
    uint32_t first, count; uint64_t older; uint64_t reserved[6];
}; /* of call sites first..first+count-1; older: runtime */
struct pp_block {
    uint64_t alloc_blocks, alloc_bytes;
    uint64_t free_blocks, free_bytes;    /* of blocks of this call site, whatever thread and line freed them */
    /* of those, blocks that were freed by the thread that requested them, before it requested another */
    uint64_t temporary_blocks;
    uint64_t peak_blocks, peak_bytes;    /* live at the peak, in all threads together. Signed, like live blocks */
    /* blocks=sampled, of the sums above: w (w - 1), with size^2 / 1024 for bytes; w: weight of a block. 0: exact */
    uint64_t alloc_blocks_variance, alloc_bytes_variance, free_blocks_variance, free_bytes_variance;
    uint64_t touched_bytes; /* what was first touched of those of 128 KB or more (rt/memory/touch.c) */
};

/* ---- OPERATIONS: an open-addressed table of a thread's operations on files and sockets, and of its waits. An entry is
 * valid once its key is not 0. A key may be in several tables of a block. A call of the C library is counted once,
 * whatever it calls itself. ---- */
/* bucket b holds values up to 64 << 3 * b, the last one all above. In bytes, and in units of 16 ns for kinds without
 * bytes */
#define PP_SIZES 8u
struct pp_operations { uint32_t capacity, used; uint64_t reserved[7]; };
struct pp_operation {
    uint64_t key;                        /* PP_OPERATION_KEY */
    /* Some calls are not timed. A timed call is booked in wall_ns and wait_ns for itself and for the untimed calls
     * before it. If it was long and perhaps preempted, the mean is booked for the others. So preemption during an
     * untimed call is in neither sum. */
    uint64_t untimed, due;               /* runtime: no call is timed while `untimed` is less than `due` */
    uint64_t bytes;
    /* calls that continued where the previous one on the descriptor ended. Of connects: those that were left in
     * progress. Of polls and waits for children: those that found nothing. Of holds: the callsite at which the
     * holder waited last. Of split requests: those on a socket with TCP_NODELAY */
    uint64_t sequential;
    /* runtime: return address and node of the last call, and target and kind of its descriptor */
    uint64_t caller, node, descriptor;
    /* calls that did not fail, by their bytes, or by their time for kinds without bytes */
    uint64_t size[PP_SIZES];
    uint64_t timed, errors;              /* errors: calls that failed or were left (longjmp), timed or not */
    uint64_t stood;                      /* untimed calls that a timed one represents */
    /* time in the calls, and the part of it off the CPU: by the thread's CPU clock, or estimated from the call's
     * duration. A call that only waits works as long as the last one whose CPU time was read, which `due` keeps */
    uint64_t wall_ns, wait_ns;
    uint64_t most_ns;                    /* duration of the longest timed call */
    /* sum of w (w - 1) (t - mean)^2 / 1024 over timed calls: t is the call's duration, w the calls that it represents.
     * Of calls that only wait: of w (w - 1) t^2 / 1024 over those whose CPU time t was read, for w calls */
    uint64_t spread;
    /* wall_ns less wait_ns, without what was lost to preemption as far as that is known. `busy` rows of struct
     * pp_blocked_path tell where it was spent */
    uint64_t cpu_ns;
};
/* ---- ANSWERS: response or service times of a target, as a histogram like a stage's. Only the first targets of a run
 * have one. ---- */
struct pp_answers {
    uint32_t target, kind;               /* kind: RESPONSE or SERVED */
    uint64_t reserved2[7];
    uint64_t histogram[PP_BUCKETS];
};
/* point: number of the call site. stage: the thread's innermost open stage. target: id; 0: none, or not known */
#define PP_OPERATION_KEY(point, kind, stage, target) \
    (UINT64_C(1) << 63 | (uint64_t)(target) << 36 | (uint64_t)(stage) << 24 | (uint64_t)(kind) << 16 | \
     (uint64_t)(point))
/* A HELD row says of waits for a lock which callsite had taken it. Its target is that callsite, 0 for unknown, and what
 * the holder waited in itself, if it did. wall_ns is the waits, and wait_ns the part in which the holder waited. */
#define PP_HELD_TARGET(callsite, kind) ((uint32_t)(callsite) | ((uint32_t)(kind) + 1) << 16)
#define PP_HELD_CALLSITE(target) ((target)&0xffffu)
#define PP_HELD_KIND(target) ((target) >> 16) /* pp_operation_kind plus 1; 0: it did not wait */
#define PP_OPERATION_POINT(key) ((uint32_t)(key) & 0xffffu)
#define PP_OPERATION_KIND(key) ((uint32_t)((key) >> 16) & 0xffu)
#define PP_OPERATION_STAGE(key) ((uint32_t)((key) >> 24) & 0xfffu)
#define PP_OPERATION_TARGET(key) ((uint32_t)((key) >> 36) & 0xffffffu)

/* The timeline: TIMELINE extents. */
#include "event.h"
#include "layout.h"

#endif
