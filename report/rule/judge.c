/* SPDX-License-Identifier: MIT */
/* judge.c: runs the rules and puts their findings in order. See judge.h. */
#include "rule/judge.h"

#include <stdlib.h>

enum {
    THRESHOLD_CATEGORY_ANY = -1
#define PP_CATEGORY(id, name) , THRESHOLD_CATEGORY_##id = PP_CATEGORY_##id
#include <profplug/abi/site.def>
};

static const struct row {
    enum threshold threshold;
    int category;
    double step[3];
} rows[] = {
#define THRESHOLD(name, category, unit, note, warning, critical, meaning) \
    { THRESHOLD_##name, THRESHOLD_CATEGORY_##category, { note, warning, critical } },
#include "rule/thresholds.def"
};

bool judge_exceeds(enum threshold threshold, enum pp_category category, double value, enum severity *severity,
                   double *step)
{
    const struct row *found = NULL;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].threshold == threshold &&
            (rows[i].category == (int)category || (rows[i].category == THRESHOLD_CATEGORY_ANY && !found)))
            found = &rows[i];
    for (int s = SEVERITY_CRITICAL; found && s >= SEVERITY_NOTE; s--)
        if (found->step[s] > 0 && value >= found->step[s]) {
            *severity = (enum severity)s;
            *step = found->step[s];
            return true;
        }
    return false;
}

static struct model_finding *finding_add(struct model *model, const char *rule, enum severity severity,
                                         double threshold, double cost_ns)
{
    struct model_finding *f = ARRAY_PUSH(model->finding, model->finding_count, model->finding_capacity);
    double share = model->run.wall_ns ? cost_ns / (double)model->run.wall_ns : 0;
    f->rule = rule;
    f->severity = severity;
    f->priority = share >= 0.2 ? PRIORITY_HIGH : share >= 0.05 ? PRIORITY_MEDIUM : PRIORITY_LOW;
    f->cost_ns = cost_ns;
    f->threshold = threshold;
    f->file = "";
    f->text = "";
    f->function = MODEL_NONE;
    return f;
}

/* The line with most samples, unless there are too few. */
static void finding_place(struct model *model, struct model_finding *f, struct model_hottest hot)
{
    f->function = hot.function;
    if (hot.line == MODEL_NONE || hot.line_samples < 3)
        return;
    f->file = model->line[hot.line].file;
    f->line = model->line[hot.line].line;
    f->function = model->line[hot.line].function;
}

struct model_finding *judge_stage(struct model *model, const char *rule, uint32_t stage, enum severity severity,
                                  double threshold, double cost_ns)
{
    struct model_finding *f = finding_add(model, rule, severity, threshold, cost_ns);
    const struct model_stage *s = &model->stage[stage];
    f->is_stage = true;
    f->subject = stage;
    f->name = s->name;
    f->category = s->category;
    f->file = s->file;
    f->line = s->line;
    finding_place(model, f, stage_hottest(model, stage));
    return f;
}

struct model_finding *judge_function(struct model *model, const char *rule, uint32_t function, enum severity severity,
                                     double threshold, double cost_ns)
{
    struct model_finding *f = finding_add(model, rule, severity, threshold, cost_ns);
    f->subject = function;
    f->name = model->function[function].name;
    f->file = model->function[function].file;
    f->line = model->function[function].line;
    finding_place(model, f, function_hottest(model, function));
    return f;
}

void judge_evidence(struct model_finding *finding, const char *name, double value)
{
    if (finding->evidence_count < sizeof finding->evidence / sizeof *finding->evidence)
        finding->evidence[finding->evidence_count++] = (struct model_evidence){ name, value };
}

double judge_own_metric(const struct model *model, uint32_t stage, enum pp_metric metric)
{
    const struct model_stage *s = &model->stage[stage];
    if (!s->metric_known[metric])
        return -1;
    double own = s->metric[metric];
    for (size_t i = 0; i < model->stage_count; i++)
        if (model->stage[i].parent == stage && model->stage[i].metric_known[metric])
            own -= model->stage[i].metric[metric];
    return own > 0 ? own : 0;
}

double judge_own_wait_ns(const struct model *model, uint32_t stage)
{
    double own = stage_off_cpu_ns(&model->stage[stage]);
    for (size_t i = 0; own > 0 && i < model->stage_count; i++)
        if (model->stage[i].parent == stage && stage_off_cpu_ns(&model->stage[i]) > 0)
            own -= stage_off_cpu_ns(&model->stage[i]);
    return own;
}

/* Time that operations of the stage waited, with or without the stages inside. */
static double measured_wait_ns(const struct model *model, uint32_t stage, bool own)
{
    double wait = (double)traffic_wait_ns(&model->stage[stage].traffic);
    for (size_t i = 0; own && i < model->stage_count; i++)
        if (model->stage[i].parent == stage)
            wait -= (double)traffic_wait_ns(&model->stage[i].traffic);
    return wait > 0 ? wait : 0;
}

double judge_preempted_ns(const struct model *model, uint32_t stage, bool own)
{
    const struct model_stage *s = &model->stage[stage];
    double off = own ? judge_own_wait_ns(model, stage) : stage_off_cpu_ns(s);
    double willing =
        own ? judge_own_metric(model, stage, PP_METRIC_SWITCHES_VOLUNTARY) : s->metric[PP_METRIC_SWITCHES_VOLUNTARY];
    double forced = own ? judge_own_metric(model, stage, PP_METRIC_SWITCHES_INVOLUNTARY)
                        : s->metric[PP_METRIC_SWITCHES_INVOLUNTARY];
    if (off <= 0 || !s->metric_known[PP_METRIC_SWITCHES_VOLUNTARY] || !s->metric_known[PP_METRIC_SWITCHES_INVOLUNTARY])
        return 0;
    double by_switches = willing + forced > 0 ? off * forced / (willing + forced) : off,
           unmeasured = off - measured_wait_ns(model, stage, own);
    return by_switches < unmeasured ? by_switches : unmeasured > 0 ? unmeasured : 0;
}

uint32_t judge_waiter(const struct model *model, uint32_t stage)
{
    double best = 0, *beside = memory_zeroed(model->function_count, sizeof *beside);
    uint32_t found = MODEL_NONE;
    for (uint32_t i = 1; i < model->node_count; i++) {
        const struct model_node *n = &model->node[i];
        uint32_t k = i;
        while (k && model->function[model->node[k].function].kind > PP_SITE_STAGE) /* a scope is part of its function */
            k = model->node[k].parent;
        if (k && stage_encloses(model, stage, n->stage) && node_timed(n))
            beside[model->node[k].function] += (double)n->self_ns - n->probed_ns;
    }
    for (uint32_t i = 0; i < model->function_count; i++)
        if (beside[i] > best) {
            best = beside[i];
            found = i;
        }
    free(beside);
    return found;
}

/* ---- places of findings that are not about CPU time: samples show where a stage computed, but its waits,
 * transfers and allocations are usually elsewhere, and their lines are known ---- */

double weigh_wait(const struct model *model, const struct model_operation *operation)
{
    (void)model;
    return operation_is_call(operation->kind) ? (double)operation->sum.wait_ns : 0;
}

double weigh_bytes(const struct model *model, const struct model_operation *operation)
{
    (void)model;
    return operation_account(operation->kind) ? (double)operation->sum.bytes : 0;
}

static void place_line(const struct model *model, struct model_finding *f, uint32_t line)
{
    f->file = model->line[line].file;
    f->line = model->line[line].line;
    f->function = model->line[line].function;
}

double judge_place_operations(const struct model *model, struct model_finding *finding, uint32_t stage,
                              double (*weigh)(const struct model *, const struct model_operation *))
{
    double *weight = memory_zeroed(model->line_count, sizeof *weight), unplaced = 0, best = 0;
    uint32_t found = MODEL_NONE;
    for (size_t i = 0; i < model->operation_count; i++) {
        const struct model_operation *o = &model->operation[i];
        if (o->stage == stage)
            *(o->line == MODEL_NONE ? &unplaced : &weight[o->line]) += weigh(model, o);
    }
    for (uint32_t i = 0; i < model->line_count; i++)
        if (weight[i] > best) {
            best = weight[i];
            found = i;
        }
    free(weight);
    if (found == MODEL_NONE || best < unplaced)
        return 0;
    place_line(model, finding, found);
    return best;
}

/* Whether all activations of the function are on paths in the stage and not in a stage inside it, as far as is known. A
 * loop or scope of the same function has a part of the function. */
static bool runs_within(const struct model *model, uint32_t function, uint32_t stage)
{
    bool within = false;
    for (size_t i = 0; i < model->stage_count; i++)
        if (model->stage[i].parent == stage && model->stage[i].kind != PP_SITE_STAGE)
            return false;
    for (uint32_t i = 1; i < model->node_count; i++) {
        const struct model_node *n = &model->node[i];
        if ((n->overflow && n->calls) || (n->function == function && n->stage != stage))
            return false;
        within = within || n->function == function;
    }
    return within && !model->function[function].has_copies;
}

static double block_bytes(const struct model_blocks *b, bool kept)
{
    return (double)b->alloc_bytes - (kept ? (double)b->free_bytes : 0);
}

/* Blocks are known by line and by stage, not by both. Everything allocated outside the stage may belong to this
 * line, so only the rest is surely the stage's. If nothing but the stage runs the line's function, all of it is. */
bool judge_place_blocks(const struct model *model, struct model_finding *finding, uint32_t stage, bool kept)
{
    double own = judge_own_metric(model, stage, PP_METRIC_ALLOC_BYTES) -
                 (kept ? judge_own_metric(model, stage, PP_METRIC_FREE_BYTES) : 0),
           all = 0, best = 0;
    uint32_t found = MODEL_NONE;
    for (size_t i = 0; model->has_blocks && i < model->allocation_count; i++)
        all += block_bytes(&model->allocation[i].blocks, kept);
    for (size_t i = 0; model->has_blocks && i < model->allocation_count; i++) {
        const struct model_allocation *a = &model->allocation[i];
        double bytes = block_bytes(&a->blocks, kept), others = all > own ? all - own : 0;
        double surely = a->function != MODEL_NONE && runs_within(model, a->function, stage) ? bytes : bytes - others;
        if (a->line != MODEL_NONE && surely > best) {
            best = surely;
            found = a->line;
        }
    }
    finding->file = model->stage[stage].file;
    finding->line = model->stage[stage].line;
    finding->function = MODEL_NONE;
    if (found == MODEL_NONE || best < own / 2)
        return false;
    place_line(model, finding, found);
    return true;
}

static int finding_order(const void *a, const void *b)
{
    const struct model_finding *x = a, *y = b;
    if (x->severity != y->severity)
        return x->severity < y->severity ? 1 : -1;
    if (x->priority != y->priority)
        return x->priority < y->priority ? 1 : -1;
    return x->cost_ns < y->cost_ns ? 1 : x->cost_ns > y->cost_ns ? -1 : 0;
}

void judge(struct model *model)
{
#define RULE(name, meaning) rule_##name(model);
#include "rule/rules.def"
    if (model->finding_count)
        qsort(model->finding, model->finding_count, sizeof *model->finding, finding_order);
}
