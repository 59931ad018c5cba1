/* SPDX-License-Identifier: MIT */
/* operation.h: calls on files, sockets and locks, and calls that wait. */
#ifndef PROFPLUG_MODEL_OPERATION_H
#define PROFPLUG_MODEL_OPERATION_H

#include <stdbool.h>
#include <stdint.h>

#include <profplug/abi/format.h>

#include "model/value.h"

/* Calls of the C library on files and sockets, and those that wait. */
struct model_operations {
    /* wait_ns is the part of wall_ns off the CPU; estimated for transfers whose CPU clock was not read */
    uint64_t calls, errors, bytes, wall_ns, wait_ns;
    uint64_t most_ns, sequential; /* most_ns: longest timed call */
    uint64_t untimed;             /* calls that were not timed; timed calls represent them */
    double variance;              /* of wall_ns; 0 if all were timed. Of wait_ns: operations_wait_variance */
    uint64_t size[PP_SIZES];
    uint64_t unfinished, unfinished_ns; /* not among `calls`; their time so far is in wall_ns and wait_ns */
    uint64_t cpu_ns;                    /* on the CPU, without preemption as far as that is known */
    uint64_t first_wall_ns;             /* part of wall_ns of the program's first thread */
    double cpu_variance;                /* of cpu_ns of calls that only wait; of others `variance` is */
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

struct model;
const char *operation_name(unsigned kind);
/* transfers on a socket wait for the network */
enum pp_wait operation_wait(const struct model *model, const struct model_operation *o);
bool operation_is_call(unsigned kind);     /* a call whose time is spent in it */
bool operation_only_waits(unsigned kind);  /* each is timed, and the CPU clock is read in some */
unsigned operation_account(unsigned kind); /* ACCOUNT of operation.def */
bool operation_has_bytes(unsigned kind);
const char *wait_name(unsigned wait);
double operations_wait_variance(const struct model_operation *operation);
void operations_add(struct model_operations *to, const struct model_operations *more);
/* Percentile of response times; negative if no histogram covers them. `sum` is that of the target. */
double target_percentile(const struct model_target *target, enum pp_operation_kind kind,
                         const struct model_operations *sum, double fraction);
void operations_of_target(const struct model *model, uint32_t target,
                          struct model_operations sum[PP_OPERATION_COUNT]); /* adds */
double operations_waits(const struct model *model);            /* calls that spent most of their time off the CPU */
uint64_t traffic_wait_ns(const struct model_traffic *traffic); /* in all */

#endif
