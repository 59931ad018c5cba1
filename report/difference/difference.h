/* SPDX-License-Identifier: MIT */
/* difference.h: what changed between two programs, or two inputs of one: runs of the old one and runs of the new one
 * in, sites with counts, times and verdicts out. Must not know files, nor how it is shown.
 *
 *   struct difference *d = difference_open();
 *   difference_add(d, ARM_OLD, model);     for each run; the model may be freed afterwards
 *   difference_add(d, ARM_NEW, model);
 *   difference_judge(d, NULL);
 *   for (size_t i = 0; i < d->site_count; i++) ... d->site[i].verdict
 *   difference_free(d);
 *
 * A site is a stage, a function or a line. Sites of the two programs are matched by what they are, not by where they
 * stand (match.h). Counts are compared exactly. Times are compared by the logarithm of the ratio of ns a hit, with its
 * error; how they are judged: docs/decisions/difference.md. */
#ifndef PROFPLUG_DIFFERENCE_H
#define PROFPLUG_DIFFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "store/arena.h"

struct model;

#define DIFFERENCE_NONE UINT32_MAX

enum difference_arm { ARM_OLD, ARM_NEW, ARMS };

enum difference_kind { DIFFERENCE_STAGE, DIFFERENCE_FUNCTION, DIFFERENCE_LINE, DIFFERENCE_KINDS };

/* Begins the key of a stage that is entered in several places: of all of them together. */
#define STAGE_TOTAL "stage:*/"
static inline bool site_is_total(const char *key) { return !strncmp(key, STAGE_TOTAL, sizeof STAGE_TOTAL - 1); }

/* Exact counts of a site in a run. Hits of a line; calls of a function or a stage. Trips: iterations of a loop. */
enum difference_counter {
    COUNTER_HITS,
    COUNTER_TRIPS,
    COUNTER_ALLOC_BLOCKS,
    COUNTER_ALLOC_BYTES,
    COUNTER_READS,
    COUNTER_READ_BYTES,
    COUNTER_WRITES,
    COUNTER_WRITE_BYTES,
    COUNTERS
};
/* The smallest and the largest of the runs of each program. */
struct difference_count {
    bool known; /* measured in all runs of both programs */
    uint64_t low[ARMS], high[ARMS];
    bool steady;  /* the same in all runs of one program, for both */
    bool changed; /* steady and not the same: that is certain. Counts that vary, and those of functions where others
                   * do, are tested with five runs each or more (counts.c). Gates compare `changed` */
};

/* Times of a site in a run. CPU is the site's own (user and kernel), of a stage inclusive. WAIT is what its own calls
 * waited, of a stage inclusive. WALL is inclusive, where a clock measured each entry. */
enum difference_clock { CLOCK_CPU, CLOCK_WAIT, CLOCK_WALL, CLOCKS };
struct difference_time {
    bool known;       /* there is such a time in either program */
    bool tested;      /* enough was seen of it to be tested */
    double ns[ARMS];  /* mean of the runs, as measured */
    /* logarithm of new by old, of ns a hit (a run, where hits are not known), the machine's factor taken out; one
     * sigma, and degrees of freedom of sigma */
    double change, error, freedom;
    double fixed, own_freedom; /* of error^2, what more runs do not make smaller; of freedom, what they make larger */
    double low, high;   /* interval for the ratio new / old of ns a hit, at confidence 1 - q */
    double probability; /* of a change as large or larger, if nothing changed; two-sided */
    bool found;         /* the change is there, at q, and it is larger than the least effect */
    double least;       /* smallest ratio above 1 that these runs would find in 4 of 5 cases; 0: not known */
    double runs_needed; /* runs of each program that would find the least effect in 4 of 5; 0: not known */
};

enum difference_verdict {
    VERDICT_NOT_TESTED, /* too few samples, or nothing to compare with */
    VERDICT_SAME,       /* nothing found, and the least effect would have been found */
    VERDICT_UNCLEAR,    /* nothing found, but a change of the least effect could hide in the errors */
    VERDICT_FASTER,
    VERDICT_SLOWER,
    VERDICTS
};
enum difference_cause { CAUSE_NONE, CAUSE_HITS, CAUSE_COST, CAUSE_KERNEL, CAUSE_WAIT, CAUSES };

struct difference_site {
    enum difference_kind kind;
    const char *key;        /* the same for the same site in later comparisons: file's name, function, ordinal */
    const char *name;       /* of the stage or function; of a line, its function's */
    const char *file[ARMS]; /* empty: not known */
    uint32_t line[ARMS];
    uint32_t parent;   /* of a line, the site of its function; of a stage, of the stage around it; DIFFERENCE_NONE */
    bool code_known;   /* flow graph and size of the code are known in both */
    bool code_same;    /* they are equal. Otherwise the code changed, and a change of hits may come from that */
    bool is_control;   /* its time tells the machine's factor */
    struct difference_count count[COUNTERS];
    struct difference_time time[CLOCKS];
    double kernel_ns[ARMS]; /* part of CPU in the kernel; mean of the runs */
    double share[ARMS];     /* CPU time of the run's CPU time, 0 to 1 */
    uint64_t samples[ARMS];
    /* By the times and hits together: time of a run. More hits of the same cost are slower. */
    enum difference_verdict verdict;
    enum difference_cause cause; /* why, of SLOWER and FASTER */
    enum difference_clock clock; /* the time that the verdict is about */
    double ratio;                /* new / old of that time of a run, the machine's factor taken out */
};

/* A site of one program for which the other has none. */
struct difference_single {
    enum difference_kind kind;
    enum difference_arm arm;
    const char *name, *file;
    uint32_t line;
    double cpu_ns; /* mean of the runs */
    double share;
    bool hits_known; /* they, or calls, were counted */
    uint64_t hits;   /* the largest of the runs */
};

struct difference_run {
    enum difference_arm arm;
    const char *path, *program, *host, *cpu_model, *compiler, *input; /* input: the arguments, parted by blanks */
    uint64_t start_realtime_ns, wall_ns, cpu_ns, peak_rss_bytes;
    double crowding; /* time ready or on a CPU by time on a CPU: 1 if it always had one, or if that is not known */
    double factor; /* how much slower the machine was than on average over all runs; 1: not known */
};

struct difference_limits {
    double q;            /* false discovery rate of the verdicts; 0.01 */
    double least_effect; /* smaller changes of time are not told; 0.03 */
};

/* With what a comparison tells a change: how certain it is of the cost, and how improbable a change must seem. */
struct difference_power {
    double runs; /* of each program */
    double error, fixed, freedom, own_freedom; /* as in struct difference_time */
    double rate;     /* a change is told if it is less probable than that, without one */
    double sureness; /* standard deviations: in how many of all cases it is to be found */
};

struct difference {
    struct difference_limits limits;
    struct difference_run *run;
    size_t run_count, run_capacity;
    size_t runs[ARMS];
    struct difference_site *site; /* stages, then functions, then lines */
    size_t site_count, site_capacity;
    struct difference_single *single; /* the largest share first */
    size_t single_count, single_capacity;
    size_t matched[DIFFERENCE_KINDS];   /* pairs of sites */
    size_t sites[ARMS][DIFFERENCE_KINDS];
    /* The machine in the new program's runs against the old one's: > 1 is slower. By control_count sites whose hits and
     * code are unchanged. Not known: fewer than five of them; then the factor is 1 */
    bool factor_known;
    double factor, factor_error;
    size_t control_count;
    double scatter;     /* one sigma of how differently the sites' costs change although nothing changed */
    double run_scatter; /* one sigma of a site's cost from run to run beyond its sampling error */
    size_t verdict_count[VERDICTS];
    size_t count_changes; /* sites with a count that changed */
    /* Of functions with a tenth of the CPU time or more, or of the one with most: the smallest ratio above 1 of its
     * cost that these runs would find in 19 of 20; 0: not known */
    double seen_least;
    struct difference_power seen; /* for difference_runs_for */
    bool same_input;      /* arguments are equal in all runs */
    const char *stage[ARMS]; /* the stages that are compared; times are then not judged. NULL: whole runs are */
    const char **notice;  /* what to know before one believes it: one sentence each */
    size_t notice_count, notice_capacity;
    struct arena arena;
    struct difference_observations *observations; /* match.h, until it is judged */
};

struct difference *difference_open(void);
/* Adds a run. With `stage` only what happened in that stage counts, and sites are named relative to it; the model is
 * then one that was narrowed to the stage. */
void difference_add(struct difference *difference, enum difference_arm arm, const struct model *model,
                    const char *stage);
/* After the last run. NULL: the limits above. Once judged, it stays as it is. */
void difference_judge(struct difference *difference, const struct difference_limits *limits);
void difference_free(struct difference *difference);

const char *difference_kind_name(enum difference_kind kind);          /* "stage" */
const char *difference_counter_name(enum difference_counter counter); /* "alloc_bytes" */
const char *difference_clock_name(enum difference_clock clock);       /* "cpu" */
const char *difference_verdict_name(enum difference_verdict verdict); /* "slower" */
const char *difference_cause_name(enum difference_cause cause);       /* "more_hits" */

/* Whether at least half of the old program's functions are in the new one. Otherwise nothing is worth comparing. */
bool difference_is_of_one_program(const struct difference *difference);

/* After it was judged: how many runs of each program would find in 19 of 20 that a function with a tenth of the CPU
 * time costs so much more (0.1: a tenth). INFINITY: more runs do not help. 0: not known. */
double difference_runs_for(const struct difference *difference, double effect);

/* Whether a gate fails: a site that is slower, or a count that grew. */
bool difference_is_worse(const struct difference_site *site);

#endif
