/* SPDX-License-Identifier: MIT */
/* judge.h: what rules use: thresholds by category, and the list of findings. A rule sees nothing but the model and
 * this. */
#ifndef PROFPLUG_JUDGE_H
#define PROFPLUG_JUDGE_H

#include "words/figure.h"
#include "model/model.h"

enum threshold {
    THRESHOLD_CPU,
    THRESHOLD_WAIT,
    THRESHOLD_MEMORY,
    THRESHOLD_ALLOCATION,
    THRESHOLD_ENTRY,
    THRESHOLD_BATCH,
    THRESHOLD_IO,
    THRESHOLD_READS,
    THRESHOLD_WRITES,
    THRESHOLD_TAIL,
    THRESHOLD_LEAK,
};

/* Whether `value` reaches a step of the threshold for that category, and if so, which step and its value. */
bool judge_exceeds(enum threshold threshold, enum pp_category category, double value, enum severity *severity,
                   double *step);

/* Adds a finding about a stage or a function with its place, category and priority (by its cost in this run). The
 * rule adds text and evidence. */
struct model_finding *judge_stage(struct model *model, const char *rule, uint32_t stage, enum severity severity,
                                  double threshold, double cost_ns);
struct model_finding *judge_function(struct model *model, const char *rule, uint32_t function, enum severity severity,
                                     double threshold, double cost_ns);
/* Moves the finding to the line whose operations in this stage weigh most, by `weigh`. Returns that weight. If there is
 * no such line, returns 0 and does not move the finding. */
double judge_place_operations(const struct model *model, struct model_finding *finding, uint32_t stage,
                              double (*weigh)(const struct model *, const struct model_operation *));
double weigh_wait(const struct model *model, const struct model_operation *operation);
double weigh_bytes(const struct model *model, const struct model_operation *operation);
/* Moves the finding to the line that allocated most of the stage's bytes (`kept`: of those not freed). If none is
 * known, moves it to the stage. Returns whether such a line is known. */
bool judge_place_blocks(const struct model *model, struct model_finding *finding, uint32_t stage, bool kept);

void judge_evidence(struct model_finding *finding, const char *name, double value);

/* A stage's metric without that of the stages directly inside, at least 0. A negative result: it was not measured. */
double judge_own_metric(const struct model *model, uint32_t stage, enum pp_metric metric);
double judge_own_wait_ns(const struct model *model, uint32_t stage); /* negative: not measured */

/* The part of a stage's time off the CPU in which other programs had it, estimated from its context switches.
 * Waits that operations measured are not included. */
double judge_preempted_ns(const struct model *model, uint32_t stage, bool own);

/* The function whose clocks have most time of its own beyond its samples, in the stage or inside it: it waited, was in
 * the kernel, or had no CPU. MODEL_NONE if unknown. */
uint32_t judge_waiter(const struct model *model, uint32_t stage);

/* Many calls that transfer little each; for tinyreads.c and tinywrites.c. */
struct tiny {
    const char *rule, *noun, *advice;
    enum pp_metric calls, bytes;
    enum threshold threshold;
    bool is_read;
};
void judge_tiny(struct model *model, const struct tiny *tiny);

/* Runs all rules, then sorts the findings by severity, priority and cost, worst first. */
void judge(struct model *model);

#define RULE(name, meaning) void rule_##name(struct model *model);
#include "rule/rules.def"

#endif
