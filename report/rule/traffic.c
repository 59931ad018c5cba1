/* SPDX-License-Identifier: MIT */
/* traffic.c: stages that read and write much. */
#include "rule/judge.h"

void rule_traffic(struct model *model)
{
    for (uint32_t i = 0; i < model->stage_count; i++) {
        double in = judge_own_metric(model, i, PP_METRIC_READ_BYTES),
               out = judge_own_metric(model, i, PP_METRIC_WRITE_BYTES), step;
        enum severity severity;
        if (in < 0 || out < 0 || !judge_exceeds(THRESHOLD_IO, model->stage[i].category, in + out, &severity, &step))
            continue;
        struct model_finding *f =
            judge_stage(model, "traffic", i, severity, step, (double)model->stage[i].times.self_ns);
        judge_place_operations(model, f, i, weigh_bytes);
        char read[FIGURE_BYTES], written[FIGURE_BYTES];
        f->text =
            arena_print(&model->arena, "%s read and %s written", figure_size(read, in), figure_size(written, out));
        judge_evidence(f, "read_bytes", in);
        judge_evidence(f, "write_bytes", out);
    }
}
