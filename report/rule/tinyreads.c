/* SPDX-License-Identifier: MIT */
/* tinyreads.c: many system calls that transfer little each, in a stage or outside all stages. Also has the code for
 * tinywrites.c. */
#include "rule/judge.h"
#include "model/namesake.h"
#include "words/plural.h"

#include <stdlib.h>

#define LITTLE_BYTES 1024 /* stdio transfers 4096 bytes, which is no fault of the program */

static bool is_tiny(const struct model_operations *sum) { return sum->calls && sum->bytes < sum->calls * LITTLE_BYTES; }

static double weigh_tiny_reads(const struct model *model, const struct model_operation *o)
{
    (void)model;
    return operation_account(o->kind) == 1 && is_tiny(&o->sum) ? (double)o->sum.calls : 0;
}

static double weigh_tiny_writes(const struct model *model, const struct model_operation *o)
{
    (void)model;
    return operation_account(o->kind) == 2 && is_tiny(&o->sum) ? (double)o->sum.calls : 0;
}

static void stage_judge(struct model *model, const struct tiny *tiny, uint32_t i)
{
    double calls = judge_own_metric(model, i, tiny->calls), bytes = judge_own_metric(model, i, tiny->bytes), step;
    enum severity severity;
    if (calls < 1 || bytes < 0 || bytes / calls >= LITTLE_BYTES ||
        !judge_exceeds(tiny->threshold, model->stage[i].category, calls, &severity, &step))
        return;
    double took = 0;
    for (size_t k = 0; k < model->operation_count; k++)
        if (model->operation[k].stage == i &&
            (tiny->is_read ? weigh_tiny_reads : weigh_tiny_writes)(model, &model->operation[k]) > 0)
            took += (double)model->operation[k].sum.wall_ns;
    struct model_finding *f =
        judge_stage(model, tiny->rule, i, severity, step, took > 0 ? took : (double)model->stage[i].times.self_ns);
    uint32_t in = judge_waiter(model, i);
    if (judge_place_operations(model, f, i, tiny->is_read ? weigh_tiny_reads : weigh_tiny_writes) > 0) {
        in = f->function;
        /* the calls are in the kernel, where no sample is taken */
    } else if (in != MODEL_NONE) {
        f->function = in;
        f->file = model->function[in].file;
        f->line = model->function[in].line;
    }
    char count[FIGURE_BYTES], each[FIGURE_BYTES], entry[FIGURE_BYTES], time[FIGURE_BYTES];
    uint64_t entries = model->stage[i].times.calls;
    f->text = arena_print(&model->arena, "%s %s%s of %s each, %s per entry%s%s%s: %s%s%s", figure_count(count, calls),
                          tiny->noun, plural_figure(calls, "", "s"), figure_size(each, bytes / calls),
                          figure_count(entry, entries ? calls / (double)entries : 0), took > 0 ? ", " : "",
                          took > 0 ? figure_time(time, took) : "", took > 0 ? " in all" : "", tiny->advice,
                          in != MODEL_NONE ? "; most in " : "",
                          in != MODEL_NONE ? function_label(&model->arena, &model->function[in]) : "");
    judge_evidence(f, metric_name(tiny->calls), calls);
    judge_evidence(f, metric_name(tiny->bytes), bytes);
    judge_evidence(f, "calls", (double)entries);
}

/* Outside stages the model has only the calls themselves, by line. */
static void outside_judge(struct model *model, const struct tiny *tiny)
{
    struct model_operations *sum = memory_zeroed(model->line_count, sizeof *sum);
    for (size_t i = 0; i < model->operation_count; i++) {
        const struct model_operation *o = &model->operation[i];
        if (o->stage == MODEL_NONE && o->line != MODEL_NONE &&
            (tiny->is_read ? weigh_tiny_reads : weigh_tiny_writes)(model, o) > 0)
            operations_add(&sum[o->line], &o->sum);
    }
    for (uint32_t i = 0; i < model->line_count; i++) {
        const struct model_line *line = &model->line[i];
        double calls = (double)sum[i].calls, step;
        enum severity severity;
        if (line->function == MODEL_NONE ||
            !judge_exceeds(tiny->threshold, PP_CATEGORY_CUSTOM, calls, &severity, &step))
            continue;
        struct model_finding *f =
            judge_function(model, tiny->rule, line->function, severity, step, (double)sum[i].wall_ns);
        char count[FIGURE_BYTES], each[FIGURE_BYTES], time[FIGURE_BYTES];
        f->file = line->file;
        f->line = line->line;
        f->function = line->function;
        f->text = arena_print(&model->arena, "%s %ss of %s each, %s in all: %s", figure_count(count, calls), tiny->noun,
                              figure_size(each, (double)sum[i].bytes / calls),
                              figure_time(time, (double)sum[i].wall_ns), tiny->advice);
        judge_evidence(f, metric_name(tiny->calls), calls);
        judge_evidence(f, metric_name(tiny->bytes), (double)sum[i].bytes);
        judge_evidence(f, "wall_ns", (double)sum[i].wall_ns);
    }
    free(sum);
}

void judge_tiny(struct model *model, const struct tiny *tiny)
{
    for (uint32_t i = 0; i < model->stage_count; i++)
        stage_judge(model, tiny, i);
    outside_judge(model, tiny);
}

void rule_tinyreads(struct model *model)
{
    judge_tiny(model, &(struct tiny){ "tinyreads", "read", "read larger pieces", PP_METRIC_READS, PP_METRIC_READ_BYTES,
                                      THRESHOLD_READS, true });
}
