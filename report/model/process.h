/* SPDX-License-Identifier: MIT */
/* process.h: the process that ran, its children and images; of a run of several files, those and how they differ. */
#ifndef PROFPLUG_MODEL_PROCESS_H
#define PROFPLUG_MODEL_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <profplug/abi/format.h>

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
    bool further;  /* one of these started it, not the process itself */
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
    uint64_t unrecorded; /* processes of the folder that max-total left no room for, */
    uint64_t crowded;    /* and those that began when the disk had less free than min-free asks */
    uint32_t pid, root_pid;
    enum pp_level level;
    enum pp_sample_source sample_source;
    uint32_t sample_period_ns, budget_permille;
    uint64_t start_realtime_ns, wall_ns, user_ns, system_ns, peak_rss_bytes, thread_count, file_bytes;
    bool sealed, cpu_closed; /* cpu_closed: the kernel told its CPU time after it was killed */
    enum model_exit exit_kind;
    int32_t exit_status;
    uint64_t metrics_measured;      /* bit per metric */
    uint32_t cpu_count;             /* CPUs that this machine has, if the run was made here; 0: not known */
    uint64_t delay_ns;              /* threads were ready to run but had no CPU */
    uint64_t self_ns, self_most_ns; /* estimated CPU time that profiling cost: at least, and at most */
    const char *cost_unknown;       /* why that is not known; NULL: it is */
    /* as in struct pp_header: what the estimate is made of */
    uint64_t before_ns, calls_ns, switches, heap_calls, moves, draws, draws_ns;
    uint64_t blocks_mean; /* bytes from one sampled block to the next; 0: blocks are not sampled */
    uint32_t count_ps, frame_ns, arming_ns, fault_ns;
    bool account_known;
    bool cost_is_wide; /* both bounds of the cost are known, but too far apart to be told */
    bool ticked;    /* timers took all samples, or a good part of them */
    bool off_known; /* off_ns of nodes */
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
    bool frameless; /* without .eh_frame_hdr: nobody can unwind its frames */
    const char *complaint; /* why its names and lines are missing; NULL: nothing is wrong */
    uint64_t samples;
};

/* A run that `profplug merge` made has several files. These are they, and how a value differs between them (struct
 * pp_spread). */
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

/* A cost in percent of the CPU time that the process would have used without it, its start included. */
double run_overhead_percent(const struct model_run *run, double cost_ns);
/* Whether its start is 5 % or more in any program: its cost is said as a time. */
bool run_is_short(const struct model_run *run);
/* The process ended, or runs, without the runtime's last readings. */
bool run_is_cut(const struct model_run *run);
/* Whether its CPU time is a bound from below, because nobody read it at the end. */
bool run_cpu_is_least(const struct model_run *run);
/* The same of its peak of memory, which no other process knows. */
bool run_peak_is_least(const struct model_run *run);
/* the part of the allocator's memory that is free between blocks in use or at the ends of threads' arenas; 0 to 1 */
double run_fragmentation(const struct model_run *run);
const char *exit_name(enum model_exit kind);
const char *merge_as_name(unsigned as);         /* "ranks" */
const char *spread_value_name(unsigned value);  /* "wall_ns" */
const char *spread_of_name(unsigned of);        /* "stage" */
const char *level_name(unsigned level);

#endif
