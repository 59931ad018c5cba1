/* SPDX-License-Identifier: MIT */
/* model.h: the nouns of a report: run, module, function, line, stage, loop, node, thread, finding. Numbers are process-wide;
 * a time that was estimated carries its variance. Made by merge.c (counts and clocks) and analyse.c (samples), judged by
 * judge.c, shown by text, JSON and annotate. Must not know: the file's bytes, ELF, DWARF, a terminal.
 *
 * An index of another element is a uint32_t; MODEL_NONE says there is none. All strings live as long as the model. */
#ifndef PROFPLUG_MODEL_H
#define PROFPLUG_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <profplug/abi/format.h>

#include "store/arena.h"

#define MODEL_NONE UINT32_MAX

struct value { double ns, variance; };              /* variance 0: exact. ns^2 */
double value_error_percent(struct value value);     /* one sigma, percent of the value; 0 if exact or 0 */

enum model_exit { MODEL_EXIT_UNKNOWN, MODEL_EXIT_RUNNING, MODEL_EXIT_EXIT, MODEL_EXIT_SIGNAL, MODEL_EXIT_EXEC, MODEL_EXIT_KILLED };

struct model_child {
    uint32_t pid;
    const char *path;
    bool readable;                                  /* its header could be read; else `complaint` says why */
    const char *complaint;
    uint64_t wall_ns, cpu_ns;
    enum model_exit exit_kind;
    int32_t exit_status;                            /* or the signal's number */
};

struct model_run {
    const char *path;                               /* of the data file */
    const char *program, *directory, *host, *cpu_model, *clock_name, *compiler;
    const char **argument; size_t argument_count;
    const char **label;    size_t label_count;
    const char **option;   size_t option_count;
    struct model_child *child; size_t child_count;
    uint32_t pid, root_pid;
    enum pp_level level;
    enum pp_sample_source sample_source;
    uint32_t sample_period_ns, budget_permille;
    bool waits_known;                               /* in hooked calls of every kind */
    uint64_t start_realtime_ns, wall_ns, user_ns, system_ns, peak_rss_bytes, thread_count, file_bytes;
    bool sealed;
    enum model_exit exit_kind;
    int32_t exit_status;
    uint64_t metrics_measured;                      /* bit per metric */
    uint64_t delay_ns;                              /* threads were ready to run, and had no CPU */
    uint64_t self_ns, self_most_ns;                 /* CPU time that profiling cost, an estimate: at least, and at most */
    uint32_t count_ps, frame_ns;                    /* picoseconds that a count takes among nothing but counts; of self_ns, what a timed activation was taken for */
    uint64_t events_counted, events_timed, events_sampled;
    uint64_t losses[PP_LOSS_COUNT];
    uint64_t given_up[PP_GIVEN_COUNT], given_up_ns[PP_GIVEN_COUNT];      /* to stay within the budget; from when on, 0 for never */
    const char *memory_note, *sample_note;
    unsigned arena_known;                           /* as of struct pp_header, with the next */
    uint64_t arena_bytes, arena_used_bytes, arena_free_bytes, arena_top_bytes, arena_mapped_bytes, arena_mapped_blocks;
    bool io_known;                                  /* what the kernel accounted for, until the end: */
    uint64_t io_read_bytes, io_write_bytes;
    int64_t unhooked_read_bytes, unhooked_write_bytes;      /* of that, in no operation */
};

struct model_module {
    uint32_t id;
    const char *path;
    char build_id[65];                              /* hexadecimal, empty for none */
    bool instrumented, runtime;
    const char *complaint;                          /* why its names and lines are missing; null if nothing is wrong */
    uint64_t samples;
};

/* Time as a person looks for it: code of system headers that was inlined stands where the user's source called it. */
struct model_shown { struct value self; uint64_t samples; double library_ns; };     /* library_ns: of those headers, too */

/* Blocks of the heap, by the line that asked for them. */
struct model_blocks { uint64_t alloc_blocks, alloc_bytes, free_blocks, free_bytes, temporary_blocks, peak_blocks, peak_bytes; };
struct model_point {                                /* a call that blocks were asked for by, or memory mapped */
    enum pp_callsite_kind kind;
    uint64_t address;
    uint32_t module, library;                       /* as of a sample; library is 0 where the allocator itself was called */
    bool known;                                     /* else what has no point of its own */
    uint32_t number;                                /* in the file; 0 where it is not known */
    uint32_t allocation;                            /* index of what it is shown in; MODEL_NONE: nowhere */
    struct model_blocks blocks;
};
struct model_allocation {                           /* what the points of a line have in common; of mappings, alloc_blocks and both bytes alone; of copies and
                                                       pools, alloc_blocks and alloc_bytes */
    uint32_t line, function;                        /* MODEL_NONE if unknown */
    uint32_t module, library;                       /* index; MODEL_NONE if unknown, none: called straight */
    bool attributed;                                /* false: calls whose line was not kept, all together */
    struct model_blocks blocks;
    enum pp_callsite_kind kind;
};

/* Calls of the C library on files and sockets, and those that wait. */
struct model_operations {
    uint64_t calls, errors, bytes, wall_ns, wait_ns;     /* wait: of wall, off the CPU; of a transfer an estimate where its CPU clock was not read */
    uint64_t most_ns, sequential;                        /* most: of the timed */
    uint64_t untimed;                                    /* of the calls, those that timed ones stand for in both times */
    double variance;                                     /* of wall_ns; 0 if all were timed */
    uint64_t size[PP_SIZES];
};
struct model_target { enum pp_target_kind kind; const char *name; uint64_t *answers[2]; };      /* histogram of how long they took, PP_BUCKETS; null: none is kept; and of what was served */
struct model_operation {                            /* what the points of a line have in common */
    enum pp_operation_kind kind;
    uint32_t point, target, stage;                  /* indices; MODEL_NONE: unknown, none, outside every stage */
    uint32_t line, function, module, library;       /* as of an allocation */
    bool attributed;
    struct model_operations sum;
};
/* Of a line, a function or a stage, all together. Bytes: those that the kernel accounts for as read and written. */
struct model_traffic { uint64_t read_bytes, write_bytes, reads, writes, wall_ns, wait_ns[PP_WAIT_COUNT]; };

struct model_function {
    uint32_t id;
    const char *key;                                /* the same in another build: FILE:SYMBOL */
    const char *name, *symbol, *file;               /* file is empty when unknown; else absolute where its folder is known */
    uint32_t line, module_id;                       /* 0: unknown */
    enum pp_site_kind kind;                         /* LOOP and SCOPE: not a function, but a step in the call tree */
    bool has_site;                                  /* the plugin saw it */
    enum pp_site_mode mode;
    enum pp_site_reason reason;
    bool inlined;                                   /* it ran only as part of others */
    bool has_copies;                                /* samples hit inlined copies of it: its calls do not count those */
    bool calls_known;
    uint64_t calls, timed_calls, active;
    uint64_t node_calls, function_ns;               /* calls with a place in the call tree; time of the timed ones, a recursion once */
    uint64_t booked_calls, weighted_ns;             /* calls that the timed ones stand for, and the time of those */
    double squares_ns2;                             /* of those: the sum of squares of what each is off the others, times the calls it stands for */
    bool recursive;
    bool total_known, total_exact;
    struct value total;                             /* inclusive wall time, a recursion counted once */
    struct value self;                              /* own CPU time, that of libraries it calls included */
    struct model_shown shown;
    double wait_ns;                                 /* measured time of its own off the CPU or in the kernel, its scopes' included; 0 if
                                                       none could be told */
    double library_ns, inlined_ns;                  /* in libraries it called; of inlined copies outside its own calls */
    double remainder_ns;                            /* part of self that stands on no line */
    uint64_t samples, total_samples;
    struct value total_sampled;
    struct value stalled;                           /* waits in operations, of it and of what it calls, by the calls that led there */
    uint32_t stage;                                 /* that it is, MODEL_NONE for none */
    struct model_blocks blocks, mappings, copies, pools, fills;
    struct model_traffic traffic;
};

struct model_line {
    const char *file;
    uint32_t line, function;
    bool hits_known;                                /* it was compiled with counters */
    uint64_t hits;                                  /* times that control came to it from elsewhere; inlined copies included */
    uint64_t samples, total_samples;
    uint64_t stray_samples;                         /* that were on it, though it was never reached */
    struct value self, total;                       /* total: with what was inlined at this line */
    double library_ns;
    struct value stalled;                           /* as of a function */
    struct model_shown shown;
    struct model_blocks blocks, mappings, copies, pools, fills;
    struct model_traffic traffic;
};

struct model_number { const char *name; enum pp_number_kind kind; };       /* a count or gauge of the program's own */
struct model_tally {                                /* what was said of a number somewhere; count 0: nothing */
    uint64_t count;
    __int128 sum;
    int64_t min, max;
};

/* How many of something in each window of time since the run began; see struct pp_windows. */
struct model_windows { uint32_t shift; uint64_t total; uint64_t count[PP_WINDOWS]; };

struct model_slow { uint64_t index, wall_ns, start_ns; uint32_t thread_id; };

struct model_times {                                /* of the activations of a stage, or of a loop's iterations */
    uint64_t calls, timed_calls, outer_calls, wall_ns, self_ns, min_ns, max_ns;
    double mean_ns, m2_ns2;
    uint64_t open;                                  /* activations that had not ended */
    uint64_t *histogram;                            /* PP_BUCKETS */
    struct model_slow slowest[PP_SLOWEST];          /* slowest first */
    uint32_t slowest_count;
    struct model_windows windows[PP_WINDOW_KIND_COUNT];
};

/* Whether the heap grows from one entry of a stage to the next; trend.c. */
struct model_growth {
    uint32_t step_count, rise_count;                /* from one group of entries to the next; 0: not known, or too few */
    uint32_t late_count, late_rise_count;           /* of those, in the second half */
    uint64_t entries, group;                        /* looked over; of each group */
    double first_bytes, last_bytes;                 /* the least that lived at the end of the first group's, the last group's entries */
    double slope_bytes, slope_error_bytes;          /* an entry of any thread, by least squares; one sigma */
    double confidence_percent;                      /* that so many of the steps are rises not by chance, were a fall as likely */
};

struct model_stage {
    uint32_t id, parent;                            /* parent: index, MODEL_NONE for none; before its children */
    const char *key;                                /* names from the outermost in, joined by / */
    const char *name, *file, *function;
    enum pp_category category;
    enum pp_site_kind kind;                         /* STAGE, LOOP or SCOPE */
    uint32_t line, depth;
    struct model_times times, iteration;            /* iteration: of a LOOP */
    uint64_t loop_runs, trips_min, trips_max;
    bool metric_known[PP_METRIC_COUNT];
    double metric[PP_METRIC_COUNT];                 /* scaled where only a part was read */
    bool metric_exact[PP_METRIC_COUNT];
    double metric_variance[PP_METRIC_COUNT];        /* of what was scaled */
    uint64_t level_ns[2];                           /* of metrics that fold LEVEL: when entered[] was so, and when metric[]; 0: not known */
    double entered[PP_METRIC_COUNT];
    struct value user;                              /* user CPU time, of it and of what it encloses: what its samples share */
    struct model_growth growth;                     /* of the thread that entered it most */
    struct model_tally *tally;                      /* of what was said in it, not in what it encloses, by number; null: nothing */
    uint64_t samples;                               /* taken in it or in what it encloses */
    struct model_traffic traffic;                   /* of it and of what it encloses */
};

struct model_node {
    uint32_t parent, function, stage;               /* parents stand before children; 0 is the root */
    uint64_t calls, timed_calls, timed_ns, self_ns, active;     /* calls: an estimate unless all were timed */
    uint64_t rest;                                  /* of the calls: those since the function's last timed one */
    uint64_t samples, profiler_samples;             /* in the node itself, not below; in the runtime meanwhile */
    double wait_ns;                                 /* its part of the function's */
    double sampled_ns, profiler_ns, below_ns;       /* estimated CPU time: of the node, of the runtime in it, of all and below */
    uint64_t below_samples;
    double below_error_percent;                     /* one sigma of below_ns and stalled together */
    bool overflow;                                  /* calls whose path could not be kept */
    bool sampled_only;                              /* known by paths of samples: its calls are not */
    struct value stalled;                           /* waits in operations, of all and below */
    double probed_ns;                               /* as sampled_ns and profiler_ns, with what is below but not known to probes */
};

struct model_moment {                               /* what had been done in a stage by then; scaled where a part was read */
    uint64_t calls, wall_ns, iterations;
    double metric[PP_METRIC_COUNT];
};
struct model_snapshot {                             /* what there was when the program asked, or at the run's start and end */
    const char *label;
    uint32_t number, flags;                         /* as of struct pp_snapshot; number 0: the start, UINT32_MAX: the end */
    uint64_t at_ns, took_ns, rss_bytes, cpu_ns;
    struct model_blocks heap;                       /* of it: what was asked for and given back since the start */
    struct model_moment *stage;                     /* by stage */
    struct model_blocks *point;                     /* by point */
};

struct model_thread { uint32_t id; const char *name; uint64_t wall_ns, cpu_ns, delay_ns, samples; };          /* delay: ready to run, without a CPU; 0: not known */

struct model_sample {                               /* one place, one path */
    uint64_t address;
    uint32_t module, library, node;                 /* module: its id, 0 for none */
    uint32_t path, probed_node;                     /* the calls that led to it, 0 if unknown; the innermost activation that probes knew of */
    uint32_t function, line;                        /* innermost; MODEL_NONE if unknown or in the profiler's runtime */
    uint32_t shown_function, shown_line;            /* innermost outside of system headers, else the same */
    bool profiler;
    uint64_t count, excess, ns;                     /* excess: see struct pp_sample */
};

struct model_stall { enum pp_operation_kind kind; uint32_t path, node, line; struct value time; };      /* waits by one path, which begins with the call that waited, on that line */

struct model_path {                                 /* a call on the way to samples and waits; 0 is nobody */
    uint64_t address;
    uint32_t module, parent;                        /* parent: the call around it, 0 for none */
    enum pp_path_end end;                           /* what lies beyond, where there is none */
};

struct model_coverage {                             /* samples by where the program counter was; see INTERFACE of the report */
    uint64_t samples, known_line, unknown_line, no_debug, library, outside, profiler, profiler_excess;
    uint64_t stray;                                 /* of known_line: on lines that were never reached */
    double scale;                                   /* estimated CPU ns per ns that samples stand for */
    double sampled_ns, not_sampled_ns, kernel_ns;   /* user CPU time that samples stand for; that they do not; system time */
    uint64_t framed, counted, left_out, inlined;    /* functions */
};

enum severity { SEVERITY_NOTE, SEVERITY_WARNING, SEVERITY_CRITICAL };
enum priority { PRIORITY_LOW, PRIORITY_MEDIUM, PRIORITY_HIGH };

struct model_evidence { const char *name; double value; };

struct model_finding {                              /* a bottleneck */
    const char *rule;
    bool is_stage;
    uint32_t subject;                               /* index of a stage or function */
    const char *name, *text;                        /* text: one line for a person */
    enum pp_category category;
    enum severity severity;
    enum priority priority;
    double cost_ns;                                 /* what it costs of the run; the order within severity and priority */
    double threshold;
    const char *file;                               /* where to look; empty if unknown */
    uint32_t line, function;
    struct model_evidence evidence[8];
    uint32_t evidence_count;
};

struct model {
    struct model_run run;
    struct model_module *module;     size_t module_count, module_capacity;
    struct model_function *function; size_t function_count, function_capacity;
    struct model_line *line;         size_t line_count, line_capacity;
    struct model_stage *stage;       size_t stage_count, stage_capacity;
    struct model_node *node;         size_t node_count, node_capacity;
    struct model_thread *thread;     size_t thread_count, thread_capacity;
    struct model_sample *sample;     size_t sample_count, sample_capacity;
    struct model_stall *stall;       size_t stall_count, stall_capacity;
    struct model_path *path;         size_t path_count, path_capacity;
    struct model_point *point;       size_t point_count, point_capacity;
    struct model_allocation *allocation; size_t allocation_count, allocation_capacity;
    struct model_target *target;     size_t target_count, target_capacity;
    struct model_operation *operation; size_t operation_count, operation_capacity;
    struct model_snapshot *snapshot; size_t snapshot_count, snapshot_capacity;       /* as they were asked for */
    struct model_number *number;     size_t number_count, number_capacity;
    struct model_tally *outside;     /* as a stage's: what was said outside of all; null: nothing */
    struct model_allocation *mapping; size_t mapping_count, mapping_capacity;
    struct model_allocation *volume; size_t volume_count, volume_capacity;           /* copies, pools and fills */
    struct model_finding *finding;   size_t finding_count, finding_capacity;
    struct model_coverage coverage;
    bool has_hits;                   /* lines have hits */
    bool has_operations;
    bool has_blocks, has_peak;       /* and blocks; and how many lived at the peak */
    uint64_t hits_broken;            /* functions whose counters do not fit their flow */
    const char *empty_reason;        /* why there is nothing to show; null if there is something */
    const char **notice;             size_t notice_count, notice_capacity;     /* one line each: rebuilt binary, newer source */
    struct arena arena;
};

void model_free(struct model *model);
void model_notice(struct model *model, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Value below which `fraction` of the timed activations lie, within the histogram's 0.8 %; clamped to min and max. */
double times_percentile(const struct model_times *times, double fraction);
double times_deviation_ns(const struct model_times *times);
void times_add(struct model_times *to, const struct model_times *more);

/* throughput.c: what a stage handles: items where it says so, else a loop's iterations, else its calls. By windows of time, of all threads together, where there
 * are some that are wide enough to hold several each; the first and the last, which are partial, are left out. */
struct throughput {
    const char *unit;
    uint64_t handled;
    double per_second;                              /* of the stage's own wall time, in which threads add up; 0: not known */
    uint32_t window_count;                          /* 0: none that say anything */
    uint64_t window_ns;
    double min, median, max;                        /* per second, of the windows */
    const struct model_windows *windows;            /* as they were kept; no total: none */
};
struct throughput stage_throughput(const struct model_stage *stage);
void windows_add(struct model_windows *to, const struct model_windows *more);

/* trend.c: from the groups of entries that the runtime kept; entries: how many the thread had. */
struct model_growth growth_from(const struct pp_growth *growth, uint64_t entries);
bool stage_grows(const struct model_stage *stage);           /* at nearly every step, up to the end, and beyond chance */

uint64_t number_whole(double number);                      /* without its fraction; what does not fit is the nearest that does, NaN 0 */

/* It did not come to what the runtime does at the end, or not yet: the last readings are some time old. */
bool run_is_cut(const struct model_run *run);
/* Of a longer run without a sample: what the runtime took within calls of the program's (the heap, operations) nobody saw, so its account has no upper end. */
bool run_is_unsampled(const struct model *model);
double stage_cpu_ns(const struct model_stage *stage);       /* negative: not measured */
double stage_off_cpu_ns(const struct model_stage *stage);   /* negative: not measured */
double stage_share(const struct model *model, const struct model_stage *stage);   /* of the run's wall time, 0 to 1 and above */
bool stage_encloses(const struct model *model, uint32_t outer, uint32_t inner);   /* also when they are the same */

double run_fragmentation(const struct model_run *run);      /* what is free between blocks in use, and at the ends of threads' arenas, of what the allocator took; 0 to 1 */

bool path_is_system(const char *path);              /* a header of the system or of the compiler */

/* The function and the line with most samples in a stage and in what it encloses; MODEL_NONE where there are none. */
struct model_hottest { uint32_t function, line; uint64_t function_samples, line_samples, samples; };
struct model_hottest stage_hottest(const struct model *model, uint32_t stage);
struct model_hottest function_hottest(const struct model *model, uint32_t function);

const char *category_name(unsigned category);
const char *metric_name(unsigned metric);
bool metric_is_signed(unsigned metric);             /* what folds NET */
bool metric_is_level(unsigned metric);              /* what folds LEVEL */
bool metric_is_sum(unsigned metric);
/* Of what the arena held, at the stage's first entry or its last end; below 0 where that is not known. */
double stage_fragmentation(const struct model_stage *stage, bool entry);
const char *operation_name(unsigned kind);
enum pp_wait operation_wait(const struct model *model, const struct model_operation *o);       /* what is read and written on a socket waits for the network */
bool operation_is_call(unsigned kind);              /* and its time is spent in it */
unsigned operation_account(unsigned kind);          /* ACCOUNT of operation.def */
bool operation_has_bytes(unsigned kind);
const char *wait_name(unsigned wait);
void operations_add(struct model_operations *to, const struct model_operations *more);
/* Of answers, where they are in the histogram; else, or if there are none, below 0. `sum`: those of the target. */
double target_percentile(const struct model_target *target, enum pp_operation_kind kind, const struct model_operations *sum, double fraction);
void operations_of_target(const struct model *model, uint32_t target, struct model_operations sum[PP_OPERATION_COUNT]);      /* adds */
double operations_waits(const struct model *model);         /* calls that gave up the CPU, most of them */
uint64_t traffic_wait_ns(const struct model_traffic *traffic);       /* in all */
double stage_wait_ns(const struct model_stage *stage, unsigned wait);  /* in operations; what is an estimate no more than it was off the CPU besides */
double stage_other_wait_ns(const struct model_stage *stage);         /* off the CPU and in no operation; negative: not measured */
#define WORDS_BYTES 256
const char *exit_name(enum model_exit kind);
const char *level_name(unsigned level);
const char *severity_name(enum severity severity);
const char *priority_name(enum priority priority);
const char *loss_name(unsigned loss);
char *loss_text(char to[WORDS_BYTES], unsigned loss, uint64_t count);         /* without the count; returns `to` */
const char *given_name(unsigned given);
char *given_text(char to[WORDS_BYTES], const struct model *model, unsigned given);   /* what the run gave up, and what stands for it if something does */
const char *mode_name(unsigned mode);
const char *reason_text(unsigned reason);

#endif
