/* SPDX-License-Identifier: MIT */
/* judge.h: what a rule needs: thresholds by category and the list of findings. A rule sees model.h and this, nothing else. */
#ifndef PROFPLUG_JUDGE_H
#define PROFPLUG_JUDGE_H

#include "words/figure.h"
#include "model/model.h"

enum threshold {
    THRESHOLD_CPU, THRESHOLD_WAIT, THRESHOLD_MEMORY, THRESHOLD_ALLOCATION, THRESHOLD_ENTRY, THRESHOLD_BATCH, THRESHOLD_IO,
    THRESHOLD_READS, THRESHOLD_WRITES, THRESHOLD_TAIL, THRESHOLD_LEAK,
};

/* Whether `value` reaches a step of the threshold for that category; then which, and where the step lies. */
bool judge_exceeds(enum threshold threshold, enum pp_category category, double value, enum severity *severity, double *step);

/* A new finding about a stage or a function: its place, priority (from what it costs of the run) and category are filled
 * in; the rule adds text and evidence. */
struct model_finding *judge_stage(struct model *model, const char *rule, uint32_t stage, enum severity severity, double threshold,
                                  double cost_ns);
struct model_finding *judge_function(struct model *model, const char *rule, uint32_t function, enum severity severity,
                                     double threshold, double cost_ns);
/* The finding's place is not where the stage's CPU time went but where its own operations are that weigh most by `weigh`, all of a line together.
 * What that line weighs, 0 if none does: then the place stays as it is. */
double judge_place_operations(const struct model *model, struct model_finding *finding, uint32_t stage, double (*weigh)(const struct model *, const struct model_operation *));
double weigh_wait(const struct model *model, const struct model_operation *operation);
double weigh_bytes(const struct model *model, const struct model_operation *operation);
/* ... where most of the bytes of the heap were that the stage asked for itself (`kept`: and that live at the end), if that can be told; else at the stage.
 * Whether it could be told. */
bool judge_place_blocks(const struct model *model, struct model_finding *finding, uint32_t stage, bool kept);

void judge_evidence(struct model_finding *finding, const char *name, double value);

/* A stage's metric less that of the stages directly enclosed, not below 0; negative: not measured. */
double judge_own_metric(const struct model *model, uint32_t stage, enum pp_metric metric);
double judge_own_wait_ns(const struct model *model, uint32_t stage);       /* negative: not measured */

/* Of a stage's time off the CPU, its own or with what it encloses, the part that other programs had the CPU, by its switches;
 * none of what its operations are known to have waited. */
double judge_preempted_ns(const struct model *model, uint32_t stage, bool own);

/* The function that waited or was in the kernel most, in the stage or in what it encloses; MODEL_NONE if no clock tells. */
uint32_t judge_waiter(const struct model *model, uint32_t stage);

/* Many calls that move little each, by their kind: tinyreads.c. */
struct tiny { const char *rule, *noun, *advice; enum pp_metric calls, bytes; enum threshold threshold; bool is_read; };
void judge_tiny(struct model *model, const struct tiny *tiny);

/* All rules, then the findings in order: worst severity, priority and cost first. */
void judge(struct model *model);

#define RULE(name, meaning) void rule_##name(struct model *model);
#include "rule/rules.def"

#endif
