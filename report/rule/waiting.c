/* SPDX-License-Identifier: MIT */
/* waiting.c: stages that spend much of their own time off the CPU: asleep, at a lock, on a disk or a network. A
 * busy machine also takes stages off the CPU. The share of voluntary context switches tells how much to count, beyond
 * what operations measured. */
#include "rule/judge.h"
#include "model/namesake.h"

#include <stdio.h>

void rule_waiting(struct model *model)
{
    for (uint32_t i = 0; i < model->stage_count; i++) {
        const struct model_stage *s = &model->stage[i];
        double off = judge_own_wait_ns(model, i), preempted = judge_preempted_ns(model, i, true),
               wait = off - preempted, wall = (double)s->times.wall_ns, step;
        enum severity severity;
        if (wait < 0.25 * (double)s->times.self_ns ||
            !judge_exceeds(THRESHOLD_WAIT, s->category, wait, &severity, &step))
            continue;
        struct model_finding *f = judge_stage(model, "waiting", i, severity, step, wait);
        uint32_t in = judge_waiter(model, i);
        char time[FIGURE_BYTES], each[FIGURE_BYTES], share[FIGURE_BYTES], part[FIGURE_BYTES] = "most";
        double placed = judge_place_operations(model, f, i, weigh_wait);
        if (placed >= 0.25 * wait) {
            in = f->function;
            snprintf(part, sizeof part, "%s of it", figure_time(time, placed < wait ? placed : wait));
        } else if (in != MODEL_NONE) { /* samples do not show waits */
            f->function = in;
            f->file = model->function[in].file;
            f->line = model->function[in].line;
        } else {
            f->function = MODEL_NONE;
            f->file = s->file;
            f->line = s->line;
        }
        f->text =
            arena_print(&model->arena, "%s waiting, %s of its %s per entry%s%s%s%s", figure_time(time, wait),
                        figure_share(share, wall > wait ? wait / wall : 1),
                        figure_time(each, s->times.calls ? wall / (double)s->times.calls : 0),
                        in != MODEL_NONE ? "; " : "", in != MODEL_NONE ? part : "", in != MODEL_NONE ? " in " : "",
                        in != MODEL_NONE ? function_label(&model->arena, &model->function[in]) : "");
        judge_evidence(f, "wait_ns", wait);
        judge_evidence(f, "preempted_ns", preempted);
        judge_evidence(f, "off_cpu_ns", stage_off_cpu_ns(s));
        judge_evidence(f, "wall_total_ns", wall);
        judge_evidence(f, "calls", (double)s->times.calls);
    }
}
