/* SPDX-License-Identifier: MIT */
/* model.h: all that a report says, in one structure. Its nouns have a header each: a run (process.h), code, stages,
 * blocks of the heap, operations, samples, findings. Numbers are process-wide, and an estimated time has its variance.
 * merge.c makes the model of counts and clocks, analyse.c adds samples, judge.c judges it, and text, JSON and annotate
 * show it.
 * Must not know: the file's bytes, ELF, DWARF, a terminal.
 *
 * An index of another element is a uint32_t; MODEL_NONE says there is none. All strings live as long as the model. */
#ifndef PROFPLUG_MODEL_H
#define PROFPLUG_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <profplug/abi/format.h>

#include "model/code.h"
#include "model/finding.h"
#include "model/heap.h"
#include "model/operation.h"
#include "model/process.h"
#include "model/recommendation.h"
#include "model/remark.h"
#include "model/sample.h"
#include "model/stack.h"
#include "model/stage.h"
#include "model/timeline.h"
#include "model/value.h"
#include "store/arena.h"

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
    bool serves;       /* it answers clients and mostly waits for them */
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
    uint64_t undrawn_blocks; /* that were counted, of which no sampled block tells anything, about; 0: none */
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
enum model_doubt { DOUBT_TIMES = 1, DOUBT_SOME_PLACES, DOUBT_PLACES, DOUBT_STAGES };
void model_doubt(struct model *model, enum model_doubt weight, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

uint64_t number_whole(double number); /* truncated; clamped to the range, NaN gives 0 */
double run_threads_ns(const struct model *model); /* the time that all threads were there, one after the other */
double run_crowded_ns(const struct model *model); /* run.delay_ns outside of calls that waited */
/* Neither computed nor waited in known calls, in threads of which the kernel's word is missing: they had no CPU, or
 * waited elsewhere. 0 for a run that was seen to end. */
double run_unclear_ns(const struct model *model);
/* The same of a program of one thread that was seen to end, where it was not ready to run either: at least so much. */
double run_elsewhere_ns(const struct model *model);

/* The function and the line with most samples in a stage, including inner stages; MODEL_NONE: none. */
struct model_hottest {
    uint32_t function, line;
    uint64_t function_samples, line_samples, samples;
};
struct model_hottest stage_hottest(const struct model *model, uint32_t stage);
struct model_hottest function_hottest(const struct model *model, uint32_t function);

#define WORDS_BYTES 256
const char *loss_name(unsigned loss);
char *loss_text(char to[WORDS_BYTES], unsigned loss, uint64_t count); /* without the count; returns `to` */
const char *given_name(unsigned given);
/* what the run skipped, and what represents it */
char *given_text(char to[WORDS_BYTES], const struct model *model, unsigned given);

#endif
