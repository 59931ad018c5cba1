/* SPDX-License-Identifier: MIT */
/* processor.c: stages and functions that use much CPU time themselves, without the stages inside. */
#include "rule/judge.h"
#include "model/namesake.h"

#include <math.h>
#include <string.h>

/* Of the run's CPU time. An estimate may overshoot; its share does not. */
static double run_part(const struct model *model, double own)
{
    double cpu = (double)(model->run.user_ns + model->run.system_ns);
    return cpu > 0 ? fmin(1, own / cpu) : 0;
}

static void stage_judge(struct model *model, uint32_t i)
{
    double own = judge_own_metric(model, i, PP_METRIC_CPU), step;
    enum severity severity;
    if (own < 0 || !judge_exceeds(THRESHOLD_CPU, model->stage[i].category, own, &severity, &step))
        return;
    struct model_finding *f = judge_stage(model, "processor", i, severity, step, own);
    const struct model_stage *s = &model->stage[i];
    char time[FIGURE_BYTES], share[FIGURE_BYTES], each[FIGURE_BYTES];
    const char *where = f->function == MODEL_NONE ? "" : function_label(&model->arena, &model->function[f->function]);
    f->text = arena_print(&model->arena, "%s of its own CPU time, %s of the run's, %s per entry%s%s",
                          figure_time(time, own), figure_share(share, run_part(model, own)),
                          figure_time(each, s->times.calls ? own / (double)s->times.calls : 0),
                          where[0] ? "; most in " : "", where);
    judge_evidence(f, "cpu_ns", own);
    judge_evidence(f, "calls", (double)s->times.calls);
}

/* Whether a finding about a stage already covers this function: it is about the same function, and most of the
 * function's samples are in that stage. */
static bool stage_tells(const struct model *model, uint32_t i)
{
    const struct model_function *f = &model->function[i];
    for (size_t k = 0; k < model->finding_count; k++) {
        const struct model_finding *found = &model->finding[k];
        uint64_t inside = 0, all = 0;
        if (!found->is_stage || strcmp(found->rule, "processor") != 0)
            continue;
        const struct model_stage *s = &model->stage[found->subject];
        if (found->function != i && (strcmp(s->function, f->name) != 0 || strcmp(s->file, f->file) != 0))
            continue;
        for (size_t n = 0; n < model->sample_count; n++) {
            const struct model_sample *sample = &model->sample[n];
            if (sample->function != i)
                continue;
            all += sample->count;
            inside += stage_encloses(model, found->subject, model->node[sample->node].stage) ? sample->count : 0;
        }
        if (all && 2 * inside > all)
            return true;
    }
    return false;
}

static void function_judge(struct model *model, uint32_t i)
{
    const struct model_function *function = &model->function[i];
    if (stage_tells(model, i))
        return;
    enum severity severity;
    double step, own = function->self.ns;
    if (function->kind > PP_SITE_STAGE || function->samples < 5 || value_is_vague(function->self) ||
        !judge_exceeds(THRESHOLD_CPU, PP_CATEGORY_CUSTOM, own, &severity, &step))
        return;
    struct model_finding *f = judge_function(model, "processor", i, severity, step, own);
    char time[FIGURE_BYTES], share[FIGURE_BYTES], calls[FIGURE_BYTES] = "";
    if (function->calls_known)
        figure_count(calls, (double)function->calls);
    f->text = arena_print(&model->arena, "%s +-%.0f %% of own CPU time, %s of the run's%s%s%s", figure_time(time, own),
                          value_error_percent(function->self), figure_share(share, run_part(model, own)),
                          calls[0] ? ", " : "", calls,
                          !calls[0]              ? ""
                          : function->calls == 1 ? " call"
                                                 : " calls");
    judge_evidence(f, "cpu_ns", own);
    judge_evidence(f, "samples", (double)function->samples);
    if (function->calls_known)
        judge_evidence(f, "calls", (double)function->calls);
}

void rule_processor(struct model *model)
{
    for (uint32_t i = 0; i < model->stage_count; i++)
        stage_judge(model, i);
    for (uint32_t i = 0; i < model->function_count; i++)
        function_judge(model, i);
}
