/* SPDX-License-Identifier: MIT */
/* tinyreads.c: many system calls of a stage's own that read little each. */
#include "judge.h"
#include "nickname.h"
#include "plural.h"

#define LITTLE_BYTES 1024         /* stdio's own reads are of 4096: those are nobody's fault */

void rule_tinyreads(struct model *model)
{
    for (uint32_t i = 0; i < model->stage_count; i++) {
        double reads = judge_own_metric(model, i, PP_METRIC_READS), bytes = judge_own_metric(model, i, PP_METRIC_READ_BYTES), step;
        enum severity severity;
        if (reads < 1 || bytes < 0 || bytes / reads >= LITTLE_BYTES ||
            !judge_exceeds(THRESHOLD_READS, model->stage[i].category, reads, &severity, &step))
            continue;
        struct model_finding *f = judge_stage(model, "tinyreads", i, severity, step, (double)model->stage[i].times.self_ns);
        uint32_t in = judge_waiter(model, i);
        if (in != MODEL_NONE) {              /* reads are in the kernel, where no sample is taken: the hottest line is elsewhere */
            f->function = in;
            f->file = model->function[in].file;
            f->line = model->function[in].line;
        }
        char count[FIGURE_BYTES], each[FIGURE_BYTES], entry[FIGURE_BYTES];
        uint64_t calls = model->stage[i].times.calls;
        f->text = arena_print(&model->arena, "%s read%s of %s each, %s an entry: read larger pieces%s%s", figure_count(count, reads), plural_figure(reads, "", "s"),
                              figure_size(each, bytes / reads), figure_count(entry, calls ? reads / (double)calls : 0),
                              in != MODEL_NONE ? "; most waiting and kernel time in " : "",
                              in != MODEL_NONE ? name_short(&model->arena, model->function[in].name) : "");
        judge_evidence(f, "reads", reads);
        judge_evidence(f, "read_bytes", bytes);
        judge_evidence(f, "calls", (double)calls);
    }
}
