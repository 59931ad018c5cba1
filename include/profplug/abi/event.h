/* SPDX-License-Identifier: MIT */
#ifndef PROFPLUG_ABI_EVENT_H
#define PROFPLUG_ABI_EVENT_H

/* ---- TIMELINE: when things happened in the threads that had the block, while the collector timeline is on: one table
 * for each kind, of PP_TIMELINE_BYTES. A row is valid if start_ns is not 0. ---- */
enum pp_timeline_kind {
    PP_TIMELINE_STAGES,                  /* activations of stages, loops and scopes, and iterations, that ended */
    PP_TIMELINE_WAITS,                   /* waits in operations that were over */
    PP_TIMELINE_VALUES,                  /* of counts and gauges */
    PP_TIMELINE_KIND_COUNT
};
#define PP_TIMELINE_BYTES 65536u
/* Of stages and waits: the first rows keep what came first. The next ones keep the slowest of what left the last
 * part, which is a ring. */
#define PP_TIMELINE_FIRST 256u
#define PP_TIMELINE_SLOWEST 64u
/* Of values: they are in the order of time. When the table is full, the interval grows in which one value of a number
 * is kept, and those that are nearer to each other are let go. */
#define PP_TIMELINE_NUMBERS 64u
struct pp_timeline {
    uint32_t kind, capacity;
    uint64_t seen;                       /* how many there were; those without a row were let go */
    uint64_t placed;                     /* runtime: rows taken, or given in turn */
    uint64_t slowest_least_ns;           /* runtime: as in struct pp_stage */
    uint64_t interval_ns;                /* of values, see above */
    uint64_t busy;                       /* runtime */
    uint64_t reserved[2];
    uint64_t last_ns[PP_TIMELINE_NUMBERS];       /* runtime: when a value of a number was kept last, by id */
};
struct pp_event {
    uint64_t start_ns;                   /* since header.start_ns, plus 1; stored last, release (partner: reader) */
    uint64_t wall_ns;                    /* of a wait: the part of the call off the CPU, at its end */
    /* of a stage or iteration: its number, from 0. Of a gauge: its value, signed. Of a count: the process's sum */
    uint64_t value;
    uint64_t live_bytes;                 /* of a stage: the process's heap at its end, plus 1; 0: not known */
    uint32_t stage;                      /* stage number in the block; of a wait the innermost one, 0 for none */
    uint32_t thread;                     /* index in THREADS */
    uint32_t what;                       /* of a wait: its callsite. Of a value: id of the number */
    uint32_t operation;                  /* of a wait: pp_operation_kind */
};

#endif
