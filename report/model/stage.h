/* SPDX-License-Identifier: MIT */
/* stage.h: what was timed by entry: stages, loops and scopes; numbers of the program, and its snapshots. */
#ifndef PROFPLUG_MODEL_STAGE_H
#define PROFPLUG_MODEL_STAGE_H

#include <stdbool.h>
#include <stdint.h>

#include <profplug/abi/format.h>

#include "model/heap.h"
#include "model/operation.h"
#include "model/value.h"

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
    double shared_ns; /* part of its CPU time: of other threads, which shared its work (OpenMP) */
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

struct model;
double loop_trips_mean(const struct model_stage *loop);   /* iterations of a run that ended */
uint64_t loop_left_runs(const struct model_stage *loop);  /* longjmp left them, or they had not ended */
double stage_cpu_ns(const struct model_stage *stage);     /* negative: not measured */
double stage_off_cpu_ns(const struct model_stage *stage); /* negative: not measured */
double stage_share(const struct model *model,
                   const struct model_stage *stage);             /* of the time that all threads had, 0 to 1 */
bool stage_is_within(const struct model *model, uint32_t stage); /* whether what happens in it is looked at */
bool stage_encloses(const struct model *model, uint32_t outer, uint32_t inner); /* also when they are the same */
const char *category_name(unsigned category);
const char *metric_name(unsigned metric);
bool metric_is_signed(unsigned metric); /* those that fold NET */
bool metric_is_level(unsigned metric);  /* those that fold LEVEL */
bool metric_is_sum(unsigned metric);
/* Fragmentation at the stage's first entry or last end; negative: unknown. */
double stage_fragmentation(const struct model_stage *stage, bool entry);
/* waits in operations; estimates are limited to the time off the CPU */
double stage_wait_ns(const struct model_stage *stage, unsigned wait);
/* time off the CPU outside operations; negative: not measured */
double stage_other_wait_ns(const struct model_stage *stage);

#endif
