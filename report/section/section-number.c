/* SPDX-License-Identifier: MIT */
/* section-number.c: throughput of stages, and the program's own counts and gauges. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "words/figure.h"
#include "words/shortname.h"
#include "words/plural.h"
#include "show/table.h"
#include "section/section.h"

static const char *rate_cell(char *to, double per_second)
{
    snprintf(to, FIGURE_BYTES, per_second < 999.5 ? "%.3g/s" : "", per_second);
    if (!to[0]) {
        figure_count(to, per_second);
        snprintf(to + strlen(to), FIGURE_BYTES - strlen(to), "/s");
    }
    return to;
}

static const char *stage_cell(struct arena *arena, const struct model *model, const struct view *view, uint32_t stage)
{
    return stage == MODEL_NONE ? "(outside stages)" : name_cut(arena, model->stage[stage].key, name_room(view));
}

static void throughputs_print(FILE *out, const struct model *model, const struct view *view, const uint32_t *list,
                              size_t count)
{
    static const struct table_column column[] = {
        { "THROUGHPUT", true, 0 },        { "handled", false, 0 },  { "unit", true, 0 },
        { "of its own time", false, 60 }, { "windows", false, 30 }, { "of", false, 20 },
        { "least", false, 50 },           { "median", false, 55 },  { "most", false, 40 },
    };
    struct arena arena = { 0 };
    struct table table = {
        .arena = &arena, .column = column, .columns = sizeof column / sizeof *column, .colour = view->colour
    };
    char text[FIGURE_BYTES];
    for (size_t i = 0; i < count; i++) {
        const struct model_stage *s = &model->stage[list[i]];
        struct throughput t = stage_throughput(s);
        bool items = strcmp(t.unit, "items") == 0;
        if (!t.handled || (!items && !t.window_count))
            continue;
        table_cell(&table, stage_cell(&arena, model, view, list[i]));
        table_cell(&table, figure_count(text, (double)t.handled));
        table_cell(&table, plural_unit(t.handled, t.unit));
        table_cell(&table, rate_cell(text, t.per_second));
        table_cell(&table, t.window_count ? figure_count(text, t.window_count) : "-");
        table_cell(&table, t.window_count ? figure_time(text, (double)t.window_ns) : "-");
        table_cell(&table, t.window_count ? rate_cell(text, t.min) : "-");
        table_cell(&table, t.window_count ? rate_cell(text, t.median) : "-");
        table_cell(&table, t.window_count ? rate_cell(text, t.max) : "-");
    }
    if (table.cell_count) {
        fputc('\n', out);
        table_print(&table, out, view->width);
        text_foot(out, view, &table,
                  arena_print(&arena,
                              "of its own time: per second that the stage ran%s; "
                              "least, median and most: per second of the run, in windows of equal length",
                              model->run.thread_count > 1 ? " (threads add up)" : ""));
    }
    table_free(&table);
    arena_free(&arena);
}

static void tally_rows(struct table *table, const struct model *model, const struct view *view, uint32_t stage)
{
    const struct model_tally *list = stage == MODEL_NONE ? model->outside : model->stage[stage].tally;
    char text[FIGURE_BYTES];
    double wall_ns = stage == MODEL_NONE ? (double)model->run.wall_ns : (double)model->stage[stage].times.wall_ns;
    for (size_t i = 0; list && i < model->number_count; i++) {
        const struct model_tally *t = &list[i];
        bool gauge = model->number[i].kind == PP_NUMBER_GAUGE;
        if (!t->count)
            continue;
        double mean = (double)t->sum / (double)t->count;
        table_cell(table, name_cut(table->arena, model->number[i].name, name_room(view)));
        table_cell(table, gauge ? "gauge" : "count");
        table_cell(table, stage_cell(table->arena, model, view, stage));
        table_cell(table, figure_count(text, (double)t->count));
        table_cell(table, gauge        ? "-"
                          : t->sum < 0 ? arena_print(table->arena, "-%s", figure_count(text, (double)-t->sum))
                                       : figure_count(text, (double)t->sum));
        table_cell(table, arena_print(table->arena,
                                      fabs(mean) >= 1000    ? "%.0f"
                                      : fabs(mean) >= 0.001 ? "%.4g"
                                                            : "%.6f",
                                      mean));
        table_cell(table, arena_print(table->arena, "%" PRId64, t->min));
        table_cell(table, arena_print(table->arena, "%" PRId64, t->max));
        table_cell(table, gauge || t->sum <= 0 || wall_ns <= 0 ? "-" : rate_cell(text, 1e9 * (double)t->sum / wall_ns));
    }
}

static void tallies_print(FILE *out, const struct model *model, const struct view *view, const uint32_t *list,
                          size_t count)
{
    static const struct table_column column[] = {
        { "COUNTERS", true, 0 }, { "kind", true, 30 }, { "stage", true, 60 },
        { "times", false, 0 },   { "sum", false, 0 },  { "mean", false, 40 },
        { "min", false, 50 },    { "max", false, 50 }, { "rate", false, 20 },
    };
    struct arena arena = { 0 };
    struct table table = {
        .arena = &arena, .column = column, .columns = sizeof column / sizeof *column, .colour = view->colour
    };
    for (size_t i = 0; i < count; i++)
        tally_rows(&table, model, view, list[i]);
    tally_rows(&table, model, view, MODEL_NONE);
    if (table.cell_count) {
        fputc('\n', out);
        table_print(&table, out, view->width);
        text_foot(out, view, &table,
                  "reported by the program in this stage, but not in a stage inside it; "
                  "rate: sum per second that the stage ran");
    }
    table_free(&table);
    arena_free(&arena);
}

void text_numbers(FILE *out, const struct model *model, const struct view *view)
{
    size_t count, left_out;
    uint32_t *list = view_stages(model, view, &count, &left_out);
    throughputs_print(out, model, view, list, count);
    tallies_print(out, model, view, list, count);
    free(list);
}
