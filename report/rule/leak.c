/* SPDX-License-Identifier: MIT */
/* leak.c: stages during which the heap grows from entry to entry until the end, by memory that the stage itself
 * allocated. Nothing else is called a leak. */
#include <math.h>
#include <string.h>

#include "rule/judge.h"
#include "words/plural.h"

/* With blocks by line: whether most of the growth was freed after all. Lines that allocated in fewer than one of eight
 * growing steps cannot have caused the growth and do not count. What was live at the entries is no measure, because
 * it includes what the entry frees later. */
static bool given_back(const struct model *model, const struct model_growth *g)
{
    double live = 0;
    for (size_t i = 0; i < model->allocation_count; i++)
        if (model->allocation[i].blocks.alloc_blocks >= g->rise_count / 8)
            live += (double)(int64_t)(model->allocation[i].blocks.alloc_bytes - model->allocation[i].blocks.free_bytes);
    return model->has_blocks && live < (g->last_bytes - g->first_bytes) / 2;
}

#define LINES_MOST 3

static double live_bytes(const struct model_allocation *a)
{
    return (double)(int64_t)(a->blocks.alloc_bytes - a->blocks.free_bytes);
}

/* Whether the line keeps blocks as often as the heap grew, and enough to matter. */
static bool line_leaks(const struct model_allocation *a, const struct model_growth *g)
{
    return a->line != MODEL_NONE && a->blocks.alloc_blocks - a->blocks.free_blocks >= g->rise_count / 8 &&
           live_bytes(a) >= 0.01 * (g->last_bytes - g->first_bytes);
}

/* "; FILE:7 keeps 5 000 B an entry, FILE:9 300 B": what lives at the end by the entries of the stage. */
static const char *lines_text(struct model *model, const struct model_stage *s)
{
    const char *text = "";
    const struct model_allocation *last = NULL;
    for (int shown = 0; model->has_blocks && s->times.calls && shown < LINES_MOST; shown++) {
        const struct model_allocation *next = NULL;
        for (size_t i = 0; i < model->allocation_count; i++) {
            const struct model_allocation *a = &model->allocation[i];
            bool later = !last || live_bytes(a) < live_bytes(last) || (live_bytes(a) == live_bytes(last) && a > last);
            if (line_leaks(a, &s->growth) && later && (!next || live_bytes(a) > live_bytes(next)))
                next = a;
        }
        if (!next)
            break;
        const struct model_line *line = &model->line[next->line];
        const char *slash = strrchr(line->file, '/');
        char figure[FIGURE_BYTES];
        double rate = live_bytes(next) / (double)s->times.calls;
        bool whole = rate == floor(rate) && rate < 1e5, about = blocks_errors(&next->blocks).live_bytes > 0;
        text = arena_print(&model->arena, "%s%s%s:%u %s%s%s%s%s", text, shown ? ", " : "; ",
                           slash ? slash + 1 : line->file, line->line, shown ? "" : "keeps ", about ? "~" : "",
                           whole ? figure_count(figure, rate) : figure_size(figure, rate), whole ? " B" : "",
                           shown ? "" : " an entry");
        last = next;
    }
    return text;
}

void rule_leak(struct model *model)
{
    for (uint32_t i = 0; i < model->stage_count; i++) {
        const struct model_stage *s = &model->stage[i];
        const struct model_growth *g = &s->growth;
        double kept = s->metric[PP_METRIC_ALLOC_BYTES] - s->metric[PP_METRIC_FREE_BYTES],
               rise = g->last_bytes - g->first_bytes, step;
        enum severity severity;
        bool child_keeps = false;
        for (size_t k = 0; k < model->stage_count; k++)
            child_keeps = child_keeps || (model->stage[k].parent == i && stage_grows(&model->stage[k]) &&
                                          model->stage[k].metric[PP_METRIC_ALLOC_BYTES] -
                                                  model->stage[k].metric[PP_METRIC_FREE_BYTES] >
                                              0.8 * kept);
        if (!s->metric_known[PP_METRIC_ALLOC_BYTES] || !stage_grows(s) || child_keeps || kept < 0.5 * rise ||
            given_back(model, g) || !judge_exceeds(THRESHOLD_LEAK, s->category, rise, &severity, &step))
            continue;
        struct model_finding *f = judge_stage(model, "leak", i, severity, step, (double)s->times.self_ns);
        judge_place_blocks(model, f, i, true);
        char each[FIGURE_BYTES], all[FIGURE_BYTES], error[FIGURE_BYTES];
        bool exact = g->slope_error_bytes < 0.5;
        f->text = arena_print(&model->arena,
                              "looks like a leak: the live heap grew at %u of %u steps of %llu %s, "
                              "by %s%s%s per entry, %s%s in all, until the end of the run%s; "
                              "the stage did not free as much itself (by chance: less than %.3g %%)",
                              g->rise_count, g->step_count, (unsigned long long)g->group,
                              plural_unit(g->group, "entries"), figure_size(each, g->slope_bytes), exact ? "" : " +-",
                              exact ? "" : figure_size(error, g->slope_error_bytes),
                              model->blocks_vary > 0 ? "~" : "", figure_size(all, rise),
                              lines_text(model, s),
                              100 - g->confidence_percent > 0.001 ? 100 - g->confidence_percent : 0.001);
        judge_evidence(f, "steps", g->step_count);
        judge_evidence(f, "rises", g->rise_count);
        judge_evidence(f, "growth_bytes", rise);
        judge_evidence(f, "growth_bytes_per_entry", g->slope_bytes);
        judge_evidence(f, "growth_error_bytes_per_entry", g->slope_error_bytes);
        judge_evidence(f, "net_bytes", kept);
    }
}
