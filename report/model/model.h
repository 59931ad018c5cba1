/* SPDX-License-Identifier: MIT */
/* model.h: the nouns of a report: run, module, function, line, stage, loop, node, thread, finding. Numbers are
 * process-wide, and an estimated time has its variance. merge.c makes the model of counts and clocks, analyse.c adds
 * samples, judge.c judges it, and text, JSON and annotate show it. Must not know: the file's bytes, ELF, DWARF, a
 * terminal.
 *
 * An index of another element is a uint32_t; MODEL_NONE says there is none. All strings live as long as the model. */
#ifndef PROFPLUG_MODEL_H
#define PROFPLUG_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <profplug/abi/format.h>

#include "model/recommendation.h"
#include "model/remark.h"
#include "model/stack.h"
#include "model/timeline.h"
#include "store/arena.h"

#define MODEL_NONE UINT32_MAX

struct value {
    double ns, variance;
};                                              /* variance 0: exact. ns^2 */
double value_error_percent(struct value value); /* one sigma, percent of the value; 0 if exact or 0 */
/* It rests on one observation or hardly more, so that its error is as large as itself. */
bool value_is_vague(struct value value);

enum model_exit {
    MODEL_EXIT_UNKNOWN,
    MODEL_EXIT_RUNNING,
    MODEL_EXIT_EXIT,
    MODEL_EXIT_SIGNAL,
    MODEL_EXIT_EXEC,
    MODEL_EXIT_KILLED
};

struct model_child {
    uint32_t pid;
    const char *path;
    bool readable; /* its header could be read; else `complaint` says why */
    const char *complaint;
    uint64_t wall_ns, cpu_ns;
    enum model_exit exit_kind;
    int32_t exit_status; /* or the signal's number */
};

struct model_run {
    const char *path; /* of the data file */
    const char *program, *directory, *host, *cpu_model, *clock_name, *compiler;
    const char **argument;
    size_t argument_count;
    const char **label;
    size_t label_count;
    const char **option;
    size_t option_count;
    struct model_child *child;
    size_t child_count;
    uint64_t unrecorded; /* processes of the folder that max-total left no room for */
    uint32_t pid, root_pid;
    enum pp_level level;
    enum pp_sample_source sample_source;
    uint32_t sample_period_ns, budget_permille;
    uint64_t start_realtime_ns, wall_ns, user_ns, system_ns, peak_rss_bytes, thread_count, file_bytes;
    bool sealed;
    enum model_exit exit_kind;
    int32_t exit_status;
    uint64_t metrics_measured;      /* bit per metric */
    uint32_t cpu_count;             /* CPUs that this machine has, if the run was made here; 0: not known */
    uint64_t delay_ns;              /* threads were ready to run but had no CPU */
    uint64_t self_ns, self_most_ns; /* estimated CPU time that profiling cost: at least, and at most */
    const char *cost_unknown;       /* why that is not known; NULL: it is */
    /* as in struct pp_header: what the estimate is made of */
    uint64_t before_ns, calls_ns, switches, heap_calls;
    uint64_t blocks_mean; /* bytes from one sampled block to the next; 0: blocks are not sampled */
    uint32_t count_ps, frame_ns, arming_ns, fault_ns;
    bool account_known;
    bool cost_is_wide; /* both bounds of the cost are known, but too far apart to be told */
    bool off_known; /* off_ns of nodes, where timers sampled */
    bool has_denormals; /* the program computed with denormal numbers; false: not known, or it did not */
    uint64_t line_counts; /* by counters of lines */
    uint64_t events_counted, events_timed, events_sampled, sample_signals;
    uint64_t losses[PP_LOSS_COUNT];
    /* measurements skipped to stay within the budget, and since when (0: never) */
    uint64_t given_up[PP_GIVEN_COUNT], given_up_ns[PP_GIVEN_COUNT];
    const char *memory_note, *sample_note;
    unsigned arena_known; /* this and the next six: as in struct pp_header */
    uint64_t arena_bytes, arena_used_bytes, arena_free_bytes, arena_top_bytes, arena_mapped_bytes, arena_mapped_blocks;
    bool io_known; /* the kernel's byte counts at the end are known: */
    uint64_t io_read_bytes, io_write_bytes;
    int64_t unhooked_read_bytes, unhooked_write_bytes; /* bytes that no hooked operation accounts for */
};

struct model_module {
    uint32_t id;
    const char *path;
    char build_id[65]; /* hexadecimal; empty: none */
    bool instrumented, runtime;
    const char *complaint; /* why its names and lines are missing; NULL: nothing is wrong */
    uint64_t samples;
};

/* Heap blocks, by the line that allocated them. */
struct model_blocks {
    uint64_t alloc_blocks, alloc_bytes, free_blocks, free_bytes, temporary_blocks, peak_blocks, peak_bytes;
    /* with blocks=sampled, as in struct pp_block; 0: the numbers are exact */
    uint64_t alloc_blocks_variance, alloc_bytes_variance, free_blocks_variance, free_bytes_variance;
    uint64_t touched_bytes; /* as in struct pp_block */
};
/* One standard error of each; 0: exact. */
struct blocks_errors {
    double alloc_blocks, alloc_bytes, free_blocks, free_bytes, live_blocks, live_bytes, temporary_blocks, peak_blocks,
        peak_bytes;
};
struct blocks_errors blocks_errors(const struct model_blocks *blocks);
/* One standard error of touched_bytes, at most; 0: exact. */
double touched_error(const struct model_blocks *blocks);
/* Page faults that the first touch of so many bytes took, about: a huge page is one. */
struct model;
double touched_faults(const struct model *model, double touched_bytes);
struct model_point { /* a call that allocates, maps or copies */
    enum pp_callsite_kind kind;
    uint64_t address;
    /* as in a sample; library is 0 where the allocator was called directly */
    uint32_t module, library;
    bool known;          /* false: the sum of everything without a callsite */
    uint32_t number;     /* its number in the file; 0: unknown */
    uint32_t outer;      /* index of the call that led to it; 0: none */
    uint32_t allocation; /* index of the row that shows it; MODEL_NONE: none */
    struct model_blocks blocks;
};
/* one row: all callsites of a line. Mappings use only alloc_blocks and both bytes; copies and pools alloc_blocks and
 * alloc_bytes. */
struct model_allocation {
    uint32_t line, function;  /* MODEL_NONE if unknown */
    uint32_t module, library; /* index; MODEL_NONE: unknown or called directly */
    bool attributed;          /* false: the sum of calls whose line was not kept */
    struct model_blocks blocks;
    enum pp_callsite_kind kind;
};

/* Calls of the C library on files and sockets, and those that wait. */
struct model_operations {
    /* wait_ns is the part of wall_ns off the CPU; estimated for transfers whose CPU clock was not read */
    uint64_t calls, errors, bytes, wall_ns, wait_ns;
    uint64_t most_ns, sequential; /* most_ns: longest timed call */
    uint64_t untimed;             /* calls that were not timed; timed calls represent them */
    double variance;              /* of wall_ns; 0 if all were timed */
    uint64_t size[PP_SIZES];
    uint64_t unfinished, unfinished_ns; /* not among `calls`; their time so far is in wall_ns and wait_ns */
    uint64_t cpu_ns;                    /* on the CPU, without preemption as far as that is known */
    uint64_t first_wall_ns;             /* part of wall_ns of the program's first thread */
};
/* histograms (PP_BUCKETS) of response times: received, and served; NULL: none */
struct model_target {
    enum pp_target_kind kind;
    const char *name;
    uint64_t *answers[2];
};
struct model_operation { /* one row: all callsites of a line */
    enum pp_operation_kind kind;
    uint32_t point, target, stage;            /* indices; MODEL_NONE: unknown, none, outside every stage */
    uint32_t line, function, module, library; /* as of an allocation */
    bool attributed;
    const char *unsure; /* a function that made the call by one of several jumps; NULL: none */
    struct model_operations sum;
};
struct model_hold { /* one row: what a line waited for locks while another line held them */
    uint32_t point, holder_point, own_point; /* indices of points; 0: unknown */
    uint32_t line, function;
    uint32_t holder_line, holder_function; /* where the holder had taken the lock; MODEL_NONE: unknown */
    uint32_t own_line;                     /* where most of own_ns was; MODEL_NONE: unknown, or it is 0 */
    enum pp_operation_kind own_kind;       /* in what */
    uint64_t waits, wait_ns, most_ns;
    uint64_t own_ns; /* of wait_ns: the holder waited itself */
};
/* Sums of a line, a function or a stage. Bytes are those that the kernel counts as read and written. */
struct model_traffic {
    uint64_t read_bytes, write_bytes, reads, writes, wall_ns, wait_ns[PP_WAIT_COUNT];
};

struct model_function {
    uint32_t id;
    const char *key;                  /* the same in another build: FILE:SYMBOL */
    const char *name, *symbol, *file; /* file is empty when unknown; else absolute where its folder is known */
    const char *label;                /* see namesake.h; NULL: not set */
    uint64_t shape;                   /* see estimate/shape.h; 0: not known */
    uint64_t code_bytes;              /* of its own code and that of its clones; 0: inlined, or not known */
    const char **merged;              /* names of others that the compiler merged with it */
    uint32_t merged_count;
    uint32_t line, module_id; /* 0: unknown */
    uint32_t lambda_column;   /* of a lambda whose line another one shares, as far as it is known; else 0 */
    enum pp_site_kind kind;   /* LOOP and SCOPE: not a function, but a step in the call tree */
    bool has_site;            /* the plugin saw it */
    enum pp_site_mode mode;
    enum pp_site_reason reason;
    bool inlined;    /* it ran only as inlined copies */
    bool has_copies; /* samples hit inlined copies, or GCC split it; calls does not include all of those */
    bool has_lines;  /* a place in it has a line */
    bool wrapper;    /* what it costs is its callers' */
    bool calls_known;
    uint64_t calls, timed_calls, active;
    uint64_t booked_calls; /* calls that timed calls stand for */
    bool head_is_timed;    /* not only a part that GCC split off it */
    /* clocks measured all its calls: inclusive wall time, a recursion counted once */
    bool wall_known;
    uint64_t wall_ns;
    /* CPU time by samples: own, including libraries it calls; and with what it calls, a recursion counted once */
    struct value self, total;
    struct value booked; /* user time that its own samples stand for, before it is scaled to the run's clocks */
    double system_ns; /* part of self that was in the kernel */
    double library_ns;   /* in libraries and headers that it called */
    double remainder_ns; /* part of self that stands on no line */
    uint64_t samples, total_samples;
    struct value stalled; /* waits in operations, including what it calls, by call path */
    uint32_t stage;       /* the stage that the function is; MODEL_NONE: none */
    struct model_blocks blocks, mappings, copies, pools, fills;
    struct model_traffic traffic;
};

/* Page faults of a line. */
struct model_faults {
    struct value count; /* `ns` is a number of faults */
    double ns;          /* what they took */
};

struct model_line {
    const char *file;
    uint32_t line, function;
    uint64_t shape;  /* see estimate/shape.h; 0: not known */
    bool hits_known; /* it was compiled with counters */
    /* how often control came from another line, including inlined copies */
    uint64_t hits;
    uint64_t samples, total_samples;
    uint64_t stray_samples;   /* samples on it although it was never reached */
    struct value self, total; /* total includes what was inlined at this line */
    struct value booked;      /* as of a function */
    double system_ns;         /* part of self that was in the kernel */
    double library_ns;
    struct value stalled; /* as of a function */
    double idle_ns;       /* its own waits in calls of a kind in which a pool or an event loop waited at the end */
    struct model_faults faults;
    struct model_blocks blocks, mappings, copies, pools, fills;
    struct model_traffic traffic;
    uint32_t inner; /* the first of its inner places; 0: none */
    /* what the line calls in libraries, headers and wrappers: the first of its rows, the one with most time */
    uint32_t callee, callee_count;
};

/* What was hot below a line, in code that the user did not write: the function that the line calls by name. */
struct model_callee {
    uint32_t line;
    const char *name;  /* NULL: it was called through a pointer */
    const char *inner; /* of model.entry: what that called in a library in the end; NULL: the same, or unknown */
    double self_ns, system_ns; /* of the line's self; the part of it in the kernel */
    uint64_t samples;
};

/* A place in a header whose costs stand at the user's line that it was called from, or inlined at. */
struct model_inner {
    uint32_t line, next; /* next: of the same user's line; 0: none */
    double self_ns;
    uint64_t samples;
    struct model_blocks blocks; /* of the heap */
    struct model_traffic traffic;
};

struct model_number {
    const char *name;
    enum pp_number_kind kind;
};                   /* a count or gauge of the program's own */
struct model_tally { /* values recorded for a number in one place; count 0: none */
    uint64_t count;
    __int128 sum;
    int64_t min, max;
};

/* Counts of events per window of time since the start of the run; see struct pp_windows. */
struct model_windows {
    uint32_t shift;
    uint64_t total;
    uint64_t count[PP_WINDOWS];
};

struct model_slow {
    uint64_t index, wall_ns, start_ns;
    uint64_t thread_id;
};

struct model_times { /* of the activations of a stage or the iterations of a loop */
    uint64_t calls, timed_calls, outer_calls, wall_ns, self_ns, min_ns, max_ns;
    double mean_ns, m2_ns2;
    uint64_t open;                         /* activations that were still open */
    uint64_t *histogram;                   /* PP_BUCKETS */
    struct model_slow slowest[PP_SLOWEST]; /* slowest first */
    uint32_t slowest_count;
    struct model_windows windows[PP_WINDOW_KIND_COUNT];
};

/* Whether the live heap grows from entry to entry of a stage; see trend.c. */
struct model_growth {
    uint32_t step_count, rise_count;      /* from one group of entries to the next; 0: unknown, or too few */
    uint32_t late_count, late_rise_count; /* the part of these in the second half */
    uint64_t entries, group;              /* entries observed; entries in a group */
    /* minimum live bytes after entries of the first and the last group */
    double first_bytes, last_bytes;
    double slope_bytes, slope_error_bytes; /* growth for each entry, by least squares; one sigma */
    /* probability that so many rises are not chance, if rises and falls are equally likely */
    double confidence_percent;
};

struct model_stage {
    /* parent is an index, MODEL_NONE: none; it comes before its children */
    uint32_t id, parent;
    const char *key; /* names from the outermost stage on, joined by / */
    const char *name, *file, *function;
    enum pp_category category;
    enum pp_site_kind kind; /* STAGE, LOOP or SCOPE */
    uint32_t line, depth;
    struct model_times times, iteration; /* iteration: of a LOOP */
    uint64_t loop_runs, trips_min, trips_max;
    bool metric_known[PP_METRIC_COUNT];
    double metric[PP_METRIC_COUNT]; /* scaled if it was read only in a part of the calls */
    bool metric_exact[PP_METRIC_COUNT];
    double metric_variance[PP_METRIC_COUNT]; /* variance of scaled metrics */
    /* of LEVEL metrics: time of entered[], and of metric[]; 0: unknown */
    uint64_t level_ns[2];
    double entered[PP_METRIC_COUNT];
    struct value user;          /* user CPU time including inner stages, shared by its samples */
    struct model_growth growth; /* of the thread that entered it most */
    /* numbers recorded in it, without inner stages, by number; NULL: none */
    struct model_tally *tally;
    uint64_t samples;             /* samples in it, including inner stages */
    struct model_traffic traffic; /* including inner stages */
};

struct model_node {
    uint32_t parent, function, stage;                       /* parents stand before children; 0 is the root */
    uint64_t calls, timed_calls, timed_ns, self_ns, active; /* calls: an estimate unless all were timed */
    uint64_t off_ns;                                        /* see struct pp_node */
    uint64_t rest;                                          /* calls since the last timed call of the function */
    uint64_t samples, profiler_samples;                     /* in the node itself; in the runtime meanwhile */
    /* estimated CPU time: of the node, of the runtime in it, of both and all below */
    double sampled_ns, profiler_ns, below_ns;
    uint64_t below_samples;
    double below_error_percent; /* one sigma of below_ns */
    bool overflow;              /* calls whose path did not fit */
    bool sampled_only;          /* known only from paths of samples, so its calls are unknown */
    struct value stalled;       /* waits in operations, including callees */
    /* sampled_ns and profiler_ns, including callees that probes do not know */
    double probed_ns;
};

struct model_moment { /* totals of a stage at the snapshot; scaled if a part was read */
    uint64_t calls, wall_ns, iterations;
    double metric[PP_METRIC_COUNT];
};
/* state when the program asked, or at the start or end of the run */
struct model_snapshot {
    const char *label;
    /* flags as in struct pp_snapshot; number 0: the start, UINT32_MAX: the end */
    uint32_t number, flags;
    uint64_t at_ns, took_ns, rss_bytes, cpu_ns;
    struct model_blocks heap;   /* heap blocks allocated and freed since the start */
    struct model_moment *stage; /* by stage */
    struct model_blocks *point; /* by point */
};

struct model_thread {
    uint64_t id;
    const char *name;
    uint64_t wall_ns, cpu_ns, delay_ns, samples; /* delay: ready to run, without a CPU; 0: not known */
    uint64_t start_ns, end_ns;                   /* since the run's start */
    uint64_t wait_ns;                            /* off the CPU in operations */
    uint32_t started_point, joined_point;        /* of the calls that started and joined it; 0: not known */
    uint32_t started_line, started_function, joined_line, joined_function;
};
struct model_group { /* threads that one line started, the most CPU time first */
    uint32_t line, function;
    uint64_t threads, cpu_ns, most_cpu_ns, delay_ns, wait_ns;
    uint64_t lifetime_ns, union_ns; /* sum of their lifetimes, and how long at least one of them lived */
    uint64_t most_at_once;
};

struct model_sample { /* one place, one path */
    uint64_t address;
    uint32_t module, library, node; /* module: its id, 0 for none */
    uint32_t path;           /* the calls that led to it, 0 if unknown */
    uint32_t probed_node;    /* the innermost activation that probes knew */
    uint32_t function, line; /* where a user looks; MODEL_NONE if unknown or in the profiler's runtime */
    uint32_t thread;         /* of model.thread, or one before it whose tables that took over; MODEL_NONE: not known */
    bool profiler;
    bool call; /* CPU time of calls that the runtime booked: no sample, `count` and `ns` are 0 */
    uint64_t count, excess, ns; /* excess: see struct pp_sample */
    double unseen_ns, called_ns; /* see struct pp_sample */
    double faults;        /* page faults, half of those since the sample before and half of those until the next */
    struct value placed;  /* page faults that the kernel placed, as `ns`, by so many signals: see PP_SAMPLE_FAULTS */
    double fault_signals, halved; /* `faults` while signals came */
    struct value system;         /* kernel time at its line, see estimate/kernel.h */
    struct value doubt;          /* more of it, which by samples alone may be chance */
};

struct model_stall {
    enum pp_operation_kind kind;
    uint32_t path, node, line;
    const char *unsure; /* as of an operation */
    struct value time;
    uint32_t unfinished, idle; /* calls that have not returned; of them those of pools and event loops */
    double unfinished_ns;      /* of `time` */
    /* of a single unfinished call, before rows are joined: where it was made; its thread, and whether that is the
     * program's first; whether it may wait for work */
    uint32_t point;
    uint64_t thread;
    bool first_thread, seeks_work, placed; /* placed: the line was looked up */
    bool settled;                          /* operations tell how long its line waited */
};                                         /* waits by one path, which begins with the call that waited, on that line */
struct model_unfinished {
    enum pp_operation_kind kind;
    uint32_t line, node; /* as of the joined row */
    uint64_t thread;     /* its id */
    double ns;
    bool idle;
};

struct model_path { /* a call on the path of samples and waits; 0 is none */
    uint64_t address;
    uint32_t module, parent; /* parent: the call around it, 0 for none */
    enum pp_path_end end;    /* where the path ends, if there is no parent */
};

struct model_coverage { /* samples by program counter */
    uint64_t samples, known_line, unknown_line, no_debug, library, outside, profiler, profiler_excess;
    uint64_t stray;                               /* those of known_line on lines that were never reached */
    double scale;                                 /* estimated CPU time for each ns that samples represent */
    double sampled_ns, not_sampled_ns, kernel_ns; /* user CPU time covered by samples; not covered; kernel time */
    double placed_ns;                             /* part of kernel_ns that stands at lines and functions */
    double toll_ns;                               /* another part: what the profiler did, by its own clocks */
    double unseen_variance, unplaced_ns;          /* of all kernel time between samples; what may be chance of that */
    double unseen_known;                          /* part of the run of which such time is known */
    uint64_t framed, counted, left_out, inlined;  /* functions */
};

enum severity { SEVERITY_NOTE, SEVERITY_WARNING, SEVERITY_CRITICAL };
enum priority { PRIORITY_LOW, PRIORITY_MEDIUM, PRIORITY_HIGH };

struct model_evidence {
    const char *name;
    double value;
};

struct model_finding { /* a bottleneck */
    const char *rule;
    bool is_stage;
    uint32_t subject;        /* index of a stage or function */
    const char *name, *text; /* text: one line for a person */
    enum pp_category category;
    enum severity severity;
    enum priority priority;
    double cost_ns; /* its cost; orders findings of equal severity and priority */
    double threshold;
    const char *file; /* where to look; empty if unknown */
    uint32_t line, function;
    struct model_evidence evidence[8];
    uint32_t evidence_count;
};

/* Of a run that is made of several files: the files, and how a value differs between them. See struct pp_spread. */
struct model_part {
    const char *path;
    enum model_exit exit_kind;
    int32_t exit_status;
    uint64_t threads, start_realtime_ns, wall_ns, cpu_ns, peak_rss_bytes;
};
struct model_spread {
    enum pp_spread_of of;
    enum pp_spread_value value;
    const char *name, *file; /* file: of a function, may be empty */
    uint32_t parts, least_part, most_part;
    bool by_chance; /* the errors explain the differences */
    uint64_t least, median, most, total;
    double most_variance; /* 0: it is exact */
};

struct model {
    struct model_run run;
    enum pp_merge_as merged_as;
    struct model_part *part; /* none: the run is one file */
    size_t part_count, part_capacity;
    struct model_spread *spread;
    size_t spread_count, spread_capacity;
    struct model_module *module;
    size_t module_count, module_capacity;
    struct model_function *function;
    size_t function_count, function_capacity;
    struct model_line *line;
    size_t line_count, line_capacity;
    struct model_inner *inner;
    size_t inner_count, inner_capacity;
    struct model_callee *callee; /* by line, the largest first */
    size_t callee_count, callee_capacity;
    struct model_callee *entry; /* the same by line, name and what was called there in the end */
    size_t entry_count, entry_capacity;
    struct model_stage *stage;
    size_t stage_count, stage_capacity;
    struct model_node *node;
    size_t node_count, node_capacity;
    struct model_thread *thread;
    size_t thread_count, thread_capacity;
    struct model_group *group;
    size_t group_count, group_capacity;
    struct model_sample *sample;
    size_t sample_count, sample_capacity;
    struct model_stall *stall;
    size_t stall_count, stall_capacity;
    struct model_unfinished *unfinished;
    size_t unfinished_count, unfinished_capacity;
    struct model_path *path;
    size_t path_count, path_capacity;
    struct model_point *point;
    size_t point_count, point_capacity;
    struct model_allocation *allocation;
    size_t allocation_count, allocation_capacity;
    struct model_target *target;
    size_t target_count, target_capacity;
    struct model_operation *operation;
    size_t operation_count, operation_capacity;
    struct model_hold *hold;
    size_t hold_count, hold_capacity; /* the longest waits first */
    struct model_snapshot *snapshot;
    size_t snapshot_count, snapshot_capacity; /* in the order of the calls */
    struct model_number *number;
    size_t number_count, number_capacity;
    struct model_tally *outside; /* like a stage's: recorded outside all stages; null: none */
    struct model_allocation *mapping;
    size_t mapping_count, mapping_capacity;
    struct model_allocation *volume;
    size_t volume_count, volume_capacity; /* copies, pools and fills */
    struct model_finding *finding;
    size_t finding_count, finding_capacity;
    struct model_advice *advice; /* the largest saving first */
    size_t advice_count, advice_capacity;
    double advised_ns; /* the run's time, or a server's busy time, of which its savings are a share */
    struct model_remark *remark; /* sorted, see remark.h */
    size_t remark_count;
    struct model_frame *frame; /* see stack.h */
    size_t frame_count, frame_capacity;
    struct model_stack *stack;
    size_t stack_count, stack_capacity;
    struct model_timeline timeline;
    struct model_coverage coverage;
    const bool *narrowed;    /* by stage: whether it is looked at; NULL: all are, and what is outside of stages */
    const char *narrowed_to; /* "stage load", "thread worker", or both; NULL: nothing */
    bool has_hits; /* lines have hits */
    bool has_operations;
    bool has_blocks, has_peak; /* blocks are known by line, and so are those that lived at the peak */
    /* page faults: all, those at lines, and what one takes; 0: there are none, or it is not known. By so many
     * signals the lines are known */
    double faults, line_faults, fault_ns, fault_signals;
    double blocks_vary; /* variance of a byte allocated, where some blocks stand for others. 0: lines are exact */
    uint64_t hits_broken;      /* functions whose counters contradict their flow graph */
    const char *empty_reason;  /* why there is nothing to show; NULL: there is something */
    const char **notice;
    size_t notice_count, notice_capacity; /* one line each: rebuilt binary, newer source */
    const char *doubt; /* what most changes what a reader should believe, in a few words; NULL: nothing */
    unsigned doubt_weight;
    size_t doubt_count;
    struct arena arena;
};

void model_free(struct model *model);
void model_notice(struct model *model, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Besides a notice: that something is not what it seems. The first with the largest weight is kept. */
enum model_doubt { DOUBT_TIMES = 1, DOUBT_SOME_PLACES, DOUBT_PLACES };
void model_doubt(struct model *model, enum model_doubt weight, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Value below which `fraction` of the timed activations lie, within the 0.8 % of the histogram, clamped to min and
 * max. */
double times_percentile(const struct model_times *times, double fraction);
/* Mean of the middle half of the activations, which those that lost their CPU meanwhile are not in; 0: not known. */
double times_typical(const struct model_times *times);
double times_deviation_ns(const struct model_times *times);
/* How many timed activations took longer than that, by the histogram, and how long together. */
double times_beyond(const struct model_times *times, double limit_ns, double *count);
void times_add(struct model_times *to, const struct model_times *more);

/* throughput.c: what a stage handles: its items, otherwise the iterations of a loop, otherwise its calls. Windows of
 * time cover all threads together, and are used if they are wide enough for several events. The first and the last
 * window are partial, so they are left out. */
struct throughput {
    const char *unit;
    uint64_t handled;
    /* for the stage's own wall time, the sum over threads; 0: unknown */
    double per_second;
    uint32_t window_count; /* 0: too few */
    uint64_t window_ns;
    double min, median, max;             /* per second, of the windows */
    const struct model_windows *windows; /* as they were kept; no total: none */
};
struct throughput stage_throughput(const struct model_stage *stage);
void windows_add(struct model_windows *to, const struct model_windows *more);

/* trend.c: computes the trend from the groups of entries in the file. entries: how many the thread had. */
struct model_growth growth_from(const struct pp_growth *growth, uint64_t entries);
/* growth at nearly every step, until the end, beyond chance */
bool stage_grows(const struct model_stage *stage);

uint64_t number_whole(double number); /* truncated; clamped to the range, NaN gives 0 */

/* A cost in percent of the CPU time that the process would have used without it, its start included. */
double run_overhead_percent(const struct model_run *run, double cost_ns);
/* Whether its start is 5 % or more in any program: its cost is said as a time. */
bool run_is_short(const struct model_run *run);
/* The process ended, or runs, without the runtime's last readings. */
/* samples that were taken, of coverage.samples that they stand for */
uint64_t run_samples_taken(const struct model *model);
double coverage_cpu_ns(const struct model *model); /* CPU time of the run: sampled, not sampled, and in the kernel */
double coverage_known_share(const struct model *model); /* of that, on known lines; 0 to 1 */
bool run_is_cut(const struct model_run *run);
/* Whether a longer run has no sample. Then nobody saw the runtime's share of hooked calls (heap, operations). */
bool run_is_unsampled(const struct model *model);
bool node_timed(const struct model_node *node);           /* a clock measured each of its calls */
double stage_cpu_ns(const struct model_stage *stage);     /* negative: not measured */
double stage_off_cpu_ns(const struct model_stage *stage); /* negative: not measured */
double run_threads_ns(const struct model *model); /* the time that all threads were there, one after the other */
double run_crowded_ns(const struct model *model); /* run.delay_ns outside of calls that waited */
double stage_share(const struct model *model,
                   const struct model_stage *stage); /* of the time that all threads had, 0 to 1 */
bool stage_is_within(const struct model *model, uint32_t stage); /* whether what happens in it is looked at */
bool stage_encloses(const struct model *model, uint32_t outer, uint32_t inner); /* also when they are the same */

/* the part of the allocator's memory that is free between blocks in use or at the ends of threads' arenas; 0 to 1 */
double run_fragmentation(const struct model_run *run);

bool path_is_system(const char *path); /* a header of the system or of the compiler */

/* inner.c: the row of an inner line among those of a user's line. Made if there is none; valid until the next one. */
struct model_inner *inner_row(struct model *model, uint32_t line, uint32_t inner);
/* The inner places of a line, those with the largest costs first. Free it. */
const struct model_inner **inner_list(const struct model *model, const struct model_line *line, size_t *count);

/* The callee that has most of what the line spends in libraries; NULL if it has less than half of the line's time. */
const struct model_callee *line_callee(const struct model *model, const struct model_line *line);

/* The function and the line with most samples in a stage, including inner stages; MODEL_NONE: none. */
struct model_hottest {
    uint32_t function, line;
    uint64_t function_samples, line_samples, samples;
};
struct model_hottest stage_hottest(const struct model *model, uint32_t stage);
struct model_hottest function_hottest(const struct model *model, uint32_t function);

const char *category_name(unsigned category);
const char *metric_name(unsigned metric);
bool metric_is_signed(unsigned metric); /* those that fold NET */
bool metric_is_level(unsigned metric);  /* those that fold LEVEL */
bool metric_is_sum(unsigned metric);
/* Fragmentation at the stage's first entry or last end; negative: unknown. */
double stage_fragmentation(const struct model_stage *stage, bool entry);
/* Whether unfinished calls took longer than is known: the program ended unseen. */
bool unfinished_at_least(const struct model *model);
const char *operation_name(unsigned kind);
/* transfers on a socket wait for the network */
enum pp_wait operation_wait(const struct model *model, const struct model_operation *o);
bool operation_is_call(unsigned kind);     /* a call whose time is spent in it */
unsigned operation_account(unsigned kind); /* ACCOUNT of operation.def */
bool operation_has_bytes(unsigned kind);
const char *wait_name(unsigned wait);
void operations_add(struct model_operations *to, const struct model_operations *more);
/* Percentile of response times; negative if no histogram covers them. `sum` is that of the target. */
double target_percentile(const struct model_target *target, enum pp_operation_kind kind,
                         const struct model_operations *sum, double fraction);
void operations_of_target(const struct model *model, uint32_t target,
                          struct model_operations sum[PP_OPERATION_COUNT]); /* adds */
double operations_waits(const struct model *model);            /* calls that spent most of their time off the CPU */
uint64_t traffic_wait_ns(const struct model_traffic *traffic); /* in all */
/* waits in operations; estimates are limited to the time off the CPU */
double stage_wait_ns(const struct model_stage *stage, unsigned wait);
/* time off the CPU outside operations; negative: not measured */
double stage_other_wait_ns(const struct model_stage *stage);
#define WORDS_BYTES 256
const char *exit_name(enum model_exit kind);
const char *merge_as_name(unsigned as);         /* "ranks" */
const char *spread_value_name(unsigned value);  /* "wall_ns" */
const char *spread_of_name(unsigned of);        /* "stage" */
const char *level_name(unsigned level);
const char *severity_name(enum severity severity);
const char *priority_name(enum priority priority);
const char *loss_name(unsigned loss);
char *loss_text(char to[WORDS_BYTES], unsigned loss, uint64_t count); /* without the count; returns `to` */
const char *given_name(unsigned given);
/* what the run skipped, and what represents it */
char *given_text(char to[WORDS_BYTES], const struct model *model, unsigned given);
const char *mode_name(unsigned mode);
const char *reason_text(unsigned reason);

#endif
