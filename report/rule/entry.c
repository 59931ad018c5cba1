/* SPDX-License-Identifier: MIT */
/* entry.c: stages whose mean entry is slow for their category. tail.c finds single slow entries. */
#include "rule/judge.h"

void rule_entry(struct model *model)
{
    for (uint32_t i = 0; i < model->stage_count; i++) {
        const struct model_stage *s = &model->stage[i];
        enum severity severity;
        double step;
        if (s->kind == PP_SITE_LOOP || !s->times.timed_calls ||
            !judge_exceeds(THRESHOLD_ENTRY, s->category, s->times.mean_ns, &severity, &step))
            continue;
        struct model_finding *f = judge_stage(model, "entry", i, severity, step, (double)s->times.wall_ns);
        struct model_finding waiting = *f; /* samples do not show where a stage waits */
        if (judge_place_operations(model, &waiting, i, weigh_wait) >= 0.5 * (double)s->times.wall_ns)
            *f = waiting;
        char mean[FIGURE_BYTES], p99[FIGURE_BYTES], limit[FIGURE_BYTES];
        f->text = arena_print(&model->arena, "%s per entry, p99 %s; the limit for %s is %s",
                              figure_time(mean, s->times.mean_ns), figure_time(p99, times_percentile(&s->times, 0.99)),
                              category_name(s->category), figure_time(limit, step));
        judge_evidence(f, "wall_mean_ns", s->times.mean_ns);
        judge_evidence(f, "wall_p99_ns", times_percentile(&s->times, 0.99));
        judge_evidence(f, "calls", (double)s->times.calls);
    }
}
