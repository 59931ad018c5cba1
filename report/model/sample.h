/* SPDX-License-Identifier: MIT */
/* sample.h: where samples and waits fell: the call tree, paths, threads. */
#ifndef PROFPLUG_MODEL_SAMPLE_H
#define PROFPLUG_MODEL_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

#include <profplug/abi/format.h>

#include "model/value.h"

struct model_node {
    uint32_t parent, function, stage;                       /* parents stand before children; 0 is the root */
    uint64_t calls, timed_calls, timed_ns, self_ns, active; /* calls: an estimate unless all were timed */
    uint64_t off_ns;                                        /* see struct pp_node */
    uint64_t rest;                                          /* calls since the last timed call of the function */
    uint64_t samples, profiler_samples;                     /* in the node itself; in the runtime meanwhile */
    /* estimated CPU time: of the node, of the runtime in it, of both and all below */
    double sampled_ns, profiler_ns;
    struct value below;
    uint64_t below_samples;
    bool overflow;        /* calls whose path did not fit */
    bool sampled_only;    /* known only from paths of samples, so its calls are unknown */
    struct value stalled; /* waits in operations, including callees */
    struct value paused;  /* those while it was the innermost activation that probes knew */
    /* sampled_ns and profiler_ns, including callees that probes do not know */
    double probed_ns;
};

struct model_thread {
    uint64_t id;
    const char *name;
    uint64_t wall_ns, cpu_ns, delay_ns, samples; /* delay: ready to run, without a CPU; 0: not known */
    uint64_t start_ns, end_ns;                   /* since the run's start */
    uint64_t wait_ns;                            /* off the CPU in operations */
    uint32_t block;                              /* of the file: threads that took over each other's tables have one */
    uint32_t started_point, joined_point;        /* of the calls that started and joined it; 0: not known */
    uint32_t started_line, started_function, joined_line, joined_function;
    /* how often it met others at barriers, and how long it waited there; where it slept or waited for files and peers
     * longest, how long, and in how many calls. With those of threads whose tables it took over. */
    uint64_t meetings, met_ns, held_ns, held_calls;
    uint32_t held_point, held_line, held_function;
    bool leads; /* of a merged file: the first thread of its process */
};
struct model_group { /* threads that one line started, the most CPU time first */
    uint32_t line, function;
    uint64_t threads, cpu_ns, most_cpu_ns, delay_ns, wait_ns;
    uint64_t lifetime_ns, union_ns; /* sum of their lifetimes, and how long at least one of them lived */
    uint64_t most_at_once;
};

struct model_sample { /* one place, one path */
    uint64_t address;
    uint32_t module, library, node; /* ids, 0 for none; library: MODEL_NONE: in one, not known which */
    uint32_t path;           /* the calls that led to it, 0 if unknown */
    uint32_t probed_node;    /* the innermost activation that probes knew */
    uint32_t function, line; /* where a user looks; MODEL_NONE if unknown or in the profiler's runtime */
    uint32_t thread;         /* of model.thread, or one before it whose tables that took over; MODEL_NONE: not known */
    bool profiler;
    bool call; /* CPU time of calls that the runtime booked: no sample, `count` and `ns` are 0 */
    uint64_t count, ns;
    double excess; /* see struct pp_sample */
    double unseen_ns, called_ns; /* see struct pp_sample */
    double faults;        /* page faults, half of those since the sample before and half of those until the next */
    struct value placed;  /* page faults that the kernel placed, as `ns`, by so many signals: see PP_SAMPLE_FAULTS */
    double fault_signals, halved; /* `faults` while signals came */
    struct value system;         /* kernel time at its line, see estimate/kernel.h */
    struct value doubt;          /* more of it, which by samples alone may be chance */
    double joint;                /* variance of user and kernel time together, beyond that of each */
    double astray;               /* variance: kernel time that may be another line's of the node, */
    bool mixed;                  /* or another function's */
};

struct model_stall {
    enum pp_operation_kind kind;
    uint32_t path, node, line;
    uint32_t probed_node; /* as of a sample; before rows are joined */
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
    uint64_t samples, known_line, unknown_line, no_debug, library, outside, profiler;
    double profiler_excess;
    uint64_t characters; /* of profiler: on the way to stdio's functions for single characters */
    uint64_t stray;                               /* those of known_line on lines that were never reached */
    uint64_t called[3];                           /* of library, unknown_line and no_debug: a known line called them */
    double scale;                                 /* estimated CPU time for each ns that samples represent */
    double sampled_ns, not_sampled_ns, kernel_ns; /* user CPU time covered by samples; not covered; kernel time */
    double placed_ns;                             /* part of kernel_ns that stands at lines and functions */
    double toll_ns;                               /* another part: what the profiler did, by its own clocks */
    double unseen_variance, unplaced_ns;          /* of all kernel time between samples; what may be chance of that */
    double unseen_known;                          /* part of the run of which such time is known */
    double settled_variance; /* of the sum of all sources of CPU time, if they were made to agree with it; else 0 */
    uint64_t framed, counted, left_out, inlined;  /* functions */
};

struct model;
/* samples that were taken, of coverage.samples that they stand for */
uint64_t run_samples_taken(const struct model *model);
bool run_lost_samples(const struct model *model);  /* some found no room, or may have */
const char *part_noun(const struct model *model);  /* "this stage", "this thread", or "the run" */
double coverage_cpu_ns(const struct model *model); /* CPU time of the run: sampled, not sampled, and in the kernel */
/* That time by how well its place is known. */
#define COVERAGE_PARTS 14
struct coverage_part {
    const char *what;
    double ns;
};
uint64_t coverage_line_samples(const struct model *model);
double coverage_line_kernel_ns(const struct model *model);
void coverage_parts(const struct model *model, struct coverage_part part[COVERAGE_PARTS]);
double coverage_known_share(const struct model *model); /* of that, on known lines; 0 to 1 */
/* Whether a longer run has no sample. Then nobody saw the runtime's share of hooked calls (heap, operations). */
bool run_is_unsampled(const struct model *model);
bool node_timed(const struct model_node *node);           /* a clock measured each of its calls */
/* Whether unfinished calls took longer than is known: the program ended unseen. */
bool unfinished_at_least(const struct model *model);

#endif
