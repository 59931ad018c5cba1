/* SPDX-License-Identifier: MIT */
/* tail.c: a few entries of a stage, or iterations of a loop, far slower than the median. The cost is what they
 * took beyond the median. If a stage inside a loop has the tail, the finding is about that stage. */
#include "rule/judge.h"
#include "model/namesake.h"
#include "words/plural.h"

#define FEWEST 8     /* with fewer entries a median says little */
#define LEAST_NS 1e6 /* smaller excesses are not worth a finding */

static double excess_ns(const struct model_times *t, double median)
{
    double sum = 0;
    for (uint32_t i = 0; i < t->slowest_count; i++)
        if ((double)t->slowest[i].wall_ns > 2 * median)
            sum += (double)t->slowest[i].wall_ns - median;
    return sum;
}

static bool has_tail(const struct model_times *t, enum pp_category category, enum severity *severity, double *step)
{
    double median = times_percentile(t, 0.5);
    return t->timed_calls >= FEWEST && median > 0 && excess_ns(t, median) >= LEAST_NS &&
           judge_exceeds(THRESHOLD_TAIL, category, (double)t->max_ns / median, severity, step);
}

static bool enclosed_has_tail(const struct model *model, uint32_t stage)
{
    enum severity severity;
    double step;
    for (uint32_t i = 0; i < model->stage_count; i++)
        if (i != stage && stage_encloses(model, stage, i) &&
            has_tail(&model->stage[i].times, model->stage[i].category, &severity, &step))
            return true;
    return false;
}

/* The function that took most time among those that ran in few of the entries: the likely cause. 0 (the root):
 * none. */
static uint32_t occasion(const struct model *model, uint32_t stage, uint64_t entries)
{
    uint32_t found = 0;
    for (uint32_t i = 1; i < model->node_count; i++) {
        const struct model_node *n = &model->node[i];
        if (model->function[n->function].kind <= PP_SITE_STAGE && n->stage == stage && n->calls &&
            n->calls <= entries / 2 && n->timed_ns > model->node[found].timed_ns)
            found = i;
    }
    return found;
}

void rule_tail(struct model *model)
{
    for (uint32_t i = 0; i < model->stage_count; i++) {
        const struct model_stage *s = &model->stage[i];
        const struct model_times *t = s->kind == PP_SITE_LOOP ? &s->iteration : &s->times;
        enum severity severity;
        double step;
        if (!has_tail(t, s->category, &severity, &step) || enclosed_has_tail(model, i))
            continue;
        double median = times_percentile(t, 0.5), excess = excess_ns(t, median);
        uint32_t node = occasion(model, i, t->calls);
        const struct model_function *in =
            (double)model->node[node].timed_ns > 0.5 * excess ? &model->function[model->node[node].function] : NULL;
        if (!in && s->metric[PP_METRIC_SWITCHES_INVOLUNTARY] > 0 && excess <= 1.5 * judge_preempted_ns(model, i, false))
            continue; /* other programs had the CPU in that time */
        if (severity > SEVERITY_NOTE && (!model->run.wall_ns || excess < 0.01 * (double)model->run.wall_ns))
            severity = SEVERITY_NOTE; /* the outlier costs the run nearly nothing */
        struct model_finding *f = judge_stage(model, "tail", i, severity, step, excess);
        char p50[FIGURE_BYTES], p99[FIGURE_BYTES], max[FIGURE_BYTES], spent[FIGURE_BYTES];
        const char *cause = "";
        if (in)
            cause = arena_print(&model->arena, "; %s ran %llu time%s and took %s", function_label(&model->arena, in),
                                (unsigned long long)model->node[node].calls, plural(model->node[node].calls, "", "s"),
                                figure_time(spent, (double)model->node[node].timed_ns));
        f->text = arena_print(&model->arena, "the slowest %s (number %llu) took %s; p99 is %s, the median %s%s",
                              s->kind == PP_SITE_LOOP ? "iteration" : "entry",
                              (unsigned long long)(t->slowest_count ? t->slowest[0].index : 0),
                              figure_time(max, (double)t->max_ns), figure_time(p99, times_percentile(t, 0.99)),
                              figure_time(p50, median), cause);
        f->file = in ? in->file : s->file; /* most samples are from fast entries and do not show the slow line */
        f->line = in ? in->line : s->line;
        f->function = in ? model->node[node].function : MODEL_NONE;
        judge_evidence(f, "wall_max_ns", (double)t->max_ns);
        judge_evidence(f, "wall_p99_ns", times_percentile(t, 0.99));
        judge_evidence(f, "wall_p50_ns", median);
        judge_evidence(f, "slowest_index", (double)(t->slowest_count ? t->slowest[0].index : 0));
        judge_evidence(f, "excess_ns", excess);
    }
}
