/* SPDX-License-Identifier: MIT */
/* stagesheet.c: stages, loops and scopes. A row's number is the stage's index in the model. See sheet.h. */
#include "sheet/sheet.h"

#include <math.h>

static void times_put(struct sheet *s, const struct model_times *t)
{
    bool known = t->timed_calls > 0;
    sheet_number(s, "calls", t->calls);
    sheet_number(s, "timed_calls", t->timed_calls);
    sheet_number(s, "wall_ns", t->wall_ns);
    sheet_number(s, "wall_self_ns", t->self_ns);
    sheet_known(s, "mean_ns", known, number_whole(fmax(t->mean_ns, 0) + 0.5));
    sheet_known(s, "min_ns", known, t->min_ns);
    sheet_known(s, "p50_ns", known, known ? number_whole(times_percentile(t, 0.50) + 0.5) : 0);
    sheet_known(s, "p95_ns", known, known ? number_whole(times_percentile(t, 0.95) + 0.5) : 0);
    sheet_known(s, "p99_ns", known, known ? number_whole(times_percentile(t, 0.99) + 0.5) : 0);
    sheet_known(s, "max_ns", known, t->max_ns);
}

void sheet_stages(struct book *book)
{
    const struct model *model = book->model;
    struct sheet *s = sheet_begin(book, "stages");
    for (uint32_t i = 0; i < model->stage_count; i++) {
        const struct model_stage *stage = &model->stage[i];
        sheet_number(s, "id", stage->id);
        sheet_index(s, "parent", stage->parent);
        sheet_text(s, "name", stage->name);
        sheet_text(s, "key", stage->key);
        sheet_text(s, "kind", stage->kind == PP_SITE_LOOP ? "loop" : stage->kind == PP_SITE_SCOPE ? "scope" : "stage");
        sheet_text(s, "category", category_name(stage->category));
        sheet_text(s, "file", stage->file);
        sheet_number(s, "line", stage->line);
        sheet_number(s, "shown", stage_is_within(model, i));
        sheet_number(s, "open", stage->times.open);
        times_put(s, &stage->times);
        sheet_known(s, "cpu_ns", stage_cpu_ns(stage) >= 0, number_whole(fmax(stage_cpu_ns(stage), 0) + 0.5));
        sheet_known(s, "off_cpu_ns", stage_off_cpu_ns(stage) >= 0,
                    number_whole(fmax(stage_off_cpu_ns(stage), 0) + 0.5));
        sheet_number(s, "samples", stage->samples);
        sheet_row(s);
    }
    sheet_end(s);
}

/* Single iterations of those stages that are loops. */
void sheet_loops(struct book *book)
{
    const struct model *model = book->model;
    struct sheet *s = sheet_begin(book, "loops");
    for (uint32_t i = 0; i < model->stage_count; i++) {
        const struct model_stage *stage = &model->stage[i];
        if (stage->kind != PP_SITE_LOOP)
            continue;
        sheet_number(s, "stage", i);
        sheet_number(s, "runs", stage->loop_runs);
        sheet_number(s, "trips_min", stage->trips_min);
        sheet_number(s, "trips_max", stage->trips_max);
        times_put(s, &stage->iteration);
        sheet_row(s);
    }
    sheet_end(s);
}
