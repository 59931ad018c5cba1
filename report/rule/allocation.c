/* SPDX-License-Identifier: MIT */
/* allocation.c: stages that allocate much memory. */
#include "rule/judge.h"
#include "words/plural.h"

void rule_allocation(struct model *model)
{
    for (uint32_t i = 0; i < model->stage_count; i++) {
        double bytes = judge_own_metric(model, i, PP_METRIC_ALLOC_BYTES),
               blocks = judge_own_metric(model, i, PP_METRIC_ALLOC_BLOCKS);
        enum severity severity;
        double step;
        if (bytes < 0 || !judge_exceeds(THRESHOLD_ALLOCATION, model->stage[i].category, bytes, &severity, &step))
            continue;
        struct model_finding *f =
            judge_stage(model, "allocation", i, severity, step, (double)model->stage[i].times.self_ns);
        char size[FIGURE_BYTES], count[FIGURE_BYTES], each[FIGURE_BYTES], entry[FIGURE_BYTES];
        bool told = judge_place_blocks(model, f, i, false);
        double freed = judge_own_metric(model, i, PP_METRIC_FREE_BYTES);
        uint64_t calls = model->stage[i].times.calls;
        f->text = arena_print(&model->arena, "%s allocated in %s block%s of %s, %s per entry%s%s",
                              figure_size(size, bytes), figure_count(count, blocks), plural_figure(blocks, "", "s"),
                              figure_size(each, blocks > 0 ? bytes / blocks : 0),
                              figure_size(entry, calls ? bytes / (double)calls : 0),
                              freed > 0.8 * bytes ? "; most of it was freed again: reuse one buffer" : "",
                              told || model->has_blocks ? "" : "; blocks=sampled shows the line");
        judge_evidence(f, "alloc_bytes", bytes);
        judge_evidence(f, "alloc_blocks", blocks);
        judge_evidence(f, "free_bytes", freed);
        judge_evidence(f, "calls", (double)calls);
    }
}
