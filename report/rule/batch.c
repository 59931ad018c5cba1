/* SPDX-License-Identifier: MIT */
/* batch.c: annotated loops with slow iterations, and the stage inside that takes most of an iteration. */
#include "rule/judge.h"

void rule_batch(struct model *model)
{
    for (uint32_t i = 0; i < model->stage_count; i++) {
        const struct model_stage *s = &model->stage[i];
        enum severity severity;
        double step;
        if (s->kind != PP_SITE_LOOP || !s->iteration.timed_calls ||
            !judge_exceeds(THRESHOLD_BATCH, s->category, s->iteration.mean_ns, &severity, &step))
            continue;
        const struct model_stage *worst = NULL;
        for (size_t k = 0; k < model->stage_count; k++)
            if (model->stage[k].parent == i && (!worst || model->stage[k].times.wall_ns > worst->times.wall_ns))
                worst = &model->stage[k];
        struct model_finding *f = judge_stage(model, "batch", i, severity, step, (double)s->times.self_ns);
        char mean[FIGURE_BYTES], p99[FIGURE_BYTES], share[FIGURE_BYTES];
        bool named = worst && s->times.wall_ns;
        f->text =
            arena_print(&model->arena, "%s per iteration, p99 %s%s%s%s%s%s", figure_time(mean, s->iteration.mean_ns),
                        figure_time(p99, times_percentile(&s->iteration, 0.99)), named ? ": " : "",
                        named ? figure_share(share, (double)worst->times.wall_ns / (double)s->times.wall_ns) : "",
                        named ? " of the time in stage " : "", named ? worst->name : "", "");
        judge_evidence(f, "iteration_wall_mean_ns", s->iteration.mean_ns);
        judge_evidence(f, "iteration_wall_p99_ns", times_percentile(&s->iteration, 0.99));
        judge_evidence(f, "iterations", (double)s->iteration.calls);
    }
}
