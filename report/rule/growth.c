/* SPDX-License-Identifier: MIT */
/* growth.c: stages that free little of the memory that they allocated. */
#include "rule/judge.h"

void rule_growth(struct model *model)
{
    for (uint32_t i = 0; i < model->stage_count; i++) {
        const struct model_stage *s = &model->stage[i];
        double net, step;
        enum severity severity;
        bool child_keeps = false;
        if (!s->metric_known[PP_METRIC_ALLOC_BYTES])
            continue;
        net = s->metric[PP_METRIC_ALLOC_BYTES] - s->metric[PP_METRIC_FREE_BYTES];
        for (size_t k = 0; k < model->stage_count; k++)
            if (model->stage[k].parent == i)
                child_keeps = child_keeps || model->stage[k].metric[PP_METRIC_ALLOC_BYTES] -
                                                     model->stage[k].metric[PP_METRIC_FREE_BYTES] >
                                                 0.8 * net;
        if (child_keeps || !judge_exceeds(THRESHOLD_MEMORY, s->category, net, &severity, &step))
            continue;
        struct model_finding *f = judge_stage(model, "growth", i, severity, step, (double)s->times.self_ns);
        bool told = judge_place_blocks(model, f, i, true);
        char kept[FIGURE_BYTES], asked[FIGURE_BYTES];
        f->text = arena_print(&model->arena, "%s%s of the %s that it allocated were not freed in this stage%s",
                              s->metric_exact[PP_METRIC_FREE_BYTES] ? "" : "~", figure_size(kept, net),
                              figure_size(asked, s->metric[PP_METRIC_ALLOC_BYTES]),
                              told || model->has_blocks ? "" : "; blocks=sampled shows the line");
        judge_evidence(f, "net_bytes", net);
        judge_evidence(f, "alloc_bytes", s->metric[PP_METRIC_ALLOC_BYTES]);
    }
}
