/* SPDX-License-Identifier: MIT */
/* advice.h: what rules of advice use: the run's time by step, what each line did, and the list that they add to. A rule
 * sees nothing but the model and this. */
#ifndef PROFPLUG_ADVICE_H
#define PROFPLUG_ADVICE_H

#include "model/model.h"
#include "words/figure.h"

enum advice_step {
#define STEP(id, parent, meaning) STEP_##id,
#include "advice/step.def"
    STEP_COUNT
};

enum advice_id {
#define ADVICE(name, version, step, section, predicate, action, before, after) ADVICE_##name,
#include "advice/advice.def"
    ADVICE_COUNT
};

struct advice_use { /* what one line did of one kind, over all stages and targets */
    uint32_t line;  /* index of the line */
    enum pp_operation_kind kind;
    struct model_operations sum;
    uint32_t targets; /* how many different files or endpoints; 0: unknown */
    uint32_t target;  /* the one with most calls; MODEL_NONE: unknown */
};

struct advice {
    struct model *model;
    double run_ns; /* what savings are a share of: wall_ns without what profiling cost, where that is known */
    double least_ns; /* the same, if profiling cost as much as it may have: what is saved at most is a share of it */
    bool serves;   /* a server that waits for clients most of the time: run_ns is the time in which it was busy */
    double wall_ns, cpu_ns;
    double threads_ns; /* the time that all threads were there */
    double step_ns[STEP_COUNT]; /* of all threads; negative: not known */
    double first_event_ns;      /* the first thread waited so long for other threads and processes */
    double beside_ns;           /* others were there, and it did not wait for them: it may have worked beside them */
    double abreast;             /* others that were there meanwhile, in the mean; at least 1 */
    double stretch; /* how much longer than its CPU time computing took: threads were without a CPU. Of all threads: a
                     * line's function has its own, see advice_stretch */
    struct {                    /* all threads but the first */
        double threads, alive_ns, cpu_ns, most_cpu_ns; /* most: of one of them */
        double most_busy_ns; /* it computed, or had no CPU for that */
        double busy_ns; /* they computed, slept or waited for files; with the CPU time of children */
        double unclear_ns; /* they slept for short, to look for work or as their work; children had no CPU */
        bool unseen;       /* processes were started whose CPU time is not known */
    } others;
    struct advice_use *use;     /* sorted by line, then kind */
    size_t use_count;
};

/* The uses of a line by kind; a row of zeros if there is none. */
const struct advice_use *advice_use(const struct advice *advice, uint32_t line, enum pp_operation_kind kind);

/* How often what it was done to was opened, anywhere and once each at least; for each, `times` that, up to the use's
 * calls. */
double advice_opens(const struct advice *advice, const struct advice_use *use, double times);

/* Adds a recommendation at a line (MODEL_NONE: none; then the rule sets file and at). What is saved: between low_ns
 * and high_ns of the run's time. NULL if that is too little to mention; else the rule fills in the evidence, and may
 * replace title and action. */
struct model_advice *advice_add(struct advice *advice, enum advice_id id, uint32_t line, double low_ns, double high_ns,
                                enum saving_kind kind);
/* A title about a subject of the rule's choice, such as a stage. */
void advice_title(struct advice *advice, struct model_advice *to, const char *subject, const char *predicate);
/* Whether the call tree has one function below the other. */
bool advice_is_below(const struct model *model, uint32_t inner, uint32_t outer);
/* Whether the rule has spoken of the function already. */
bool advice_has(const struct advice *advice, enum advice_id id, uint32_t function);
/* Whether a library is a database that keeps its files in the process (transactions.c). */
bool advice_is_database(const char *path);
/* Whether a database writes there, and its function has been told to make one transaction. */
bool advice_is_committed(const struct advice *advice, uint32_t line);
/* Whether little questions and answers go through pipes there, one at a time (exchanges.c). */
bool advice_is_exchange(const struct advice *advice, uint32_t target);
void advice_figure(struct model_advice *to, const char *name, double value);
#define ADVICE_PAGES_AGAIN "pages_again_ns" /* of `pagefaults`: memory goes back and comes again */
#define ADVICE_RESIZE_COPIES "copied_ns" /* a figure of `reallocs`, where the program copies by itself to resize */
/* Says what else could have been the cause, and what speaks against it. */
void advice_rule_out(struct advice *advice, struct model_advice *to, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* How much longer than its CPU time took what the line's function computes: by the threads that samples met there.
 * MODEL_NONE: the mean of all. */
double advice_stretch(const struct advice *advice, uint32_t line);
/* One standard error of the line's CPU time, as a part of it: what is saved at most has it in it. */
double advice_error(const struct advice *advice, uint32_t line);
double advice_thread_stretch(const struct advice *advice, const struct model_thread *thread);
/* The least ratio of the busiest thread's CPU time to the mean of all at which work is uneven: ADVICE_UNEVEN, or more
 * where others had the CPUs. */
#define ADVICE_UNEVEN 1.25
double advice_uneven_ratio(const struct advice *advice);
/* The same where so much of it, 0 to 1, was the first thread's. */
double advice_threads_stretch(const struct advice *advice, double first);
/* How long these calls took: waiting, and computing with the times in which their threads had no CPU. */
double advice_calls_ns(const struct advice *advice, const struct model_operations *sum);
/* What the run gains if so much CPU time at a line and waiting goes. One thread: all of it. Several: at least the
 * share of one thread, at most all of it, up to the run's time. */
void advice_gain(const struct advice *advice, uint32_t line, double cpu_ns, double wait_ns, double *low_ns,
                 double *high_ns);
/* The same, where the CPU time's error is not that of the line. */
void advice_gain_within(const struct advice *advice, uint32_t line, double cpu_ns, double wait_ns, double error,
                        double *low_ns, double *high_ns);
/* The same if this part of the time of calls goes, whose threads are known. */
void advice_gain_part(const struct advice *advice, const struct model_operations *sum, double part, double *low_ns,
                      double *high_ns);

/* ", or about 171 ms by the clock, with the waits for a free CPU", where that is much more, or "". For CPU time. */
const char *advice_in_run(const struct advice *advice, double stretch, double cpu_ns, double wait_ns);

/* So much wall time of the run, without its part of what profiling cost. */
double advice_wall(const struct advice *advice, double ns);
/* The most that is gained if so much CPU time goes: all CPUs together must still do the rest of the work, each for as
 * long as its CPU time, times `stretch`. */
double advice_room(const struct advice *advice, double cpu_ns, double stretch);
/* The most that is gained if threads wait less: the busiest one sets the pace, and still does all its work. */
double advice_waits_room(const struct advice *advice);
/* The most that is gained if so much CPU time goes, and what is left becomes faster by that. */
double advice_faster(const struct advice *advice, double cpu_ns);

/* Whether these writes are small and wait for the disk, as where the file is opened with O_SYNC. */
bool advice_writes_wait(const struct model *model, unsigned kind, const struct model_operations *sum, uint32_t target);

/* All data that there was in memory, at most: allocated and read. */
double advice_bytes_there(const struct model *model);

double advice_first_part(const struct model_operations *sum); /* of its time, in the program's first thread: 0 to 1 */

const char *advice_subject(const struct advice *advice, uint32_t line); /* its function's or stage's name */

/* Once all rules have spoken: what takes the time while a lock is held may be a finding of its own. */
void advice_locks_refer(struct model *model);

/* Asks all rules, drops what an earlier row says already, and sorts by the middle of the saving. */
void advise(struct model *model);
void advice_sort(struct model *model);

#define ADVICE(name, version, step, section, predicate, action, before, after) \
    void advice_##name(struct advice *advice);
#include "advice/advice.def"

#endif
