/* SPDX-License-Identifier: MIT */
/* section-stage.c: the table of stages, with a column for every row of metric.def. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "words/figure.h"
#include "words/shortname.h"
#include "show/table.h"
#include "section/section.h"

enum { UNIT_ns, UNIT_bytes, UNIT_count };
enum { KIND_COUNTER, KIND_SIZE, KIND_TIME };

static const struct {
    const char *name;
    int unit, kind;
} metric[] = {
#define PP_METRIC(id, name, unit, kind, fold, exact, meaning) { #name, UNIT_##unit, KIND_##kind },
#include <profplug/abi/metric.def>
};

/* Titles that differ from the metric's name. These columns are shown from WIDE on only, so that whether they
 * appear does not depend on the other columns. */
static const char *const title[PP_METRIC_COUNT] = {
    [PP_METRIC_ALLOC_BLOCKS] = "blocks",
    [PP_METRIC_FREE_BLOCKS] = "freed",
    [PP_METRIC_FAULTS_MINOR] = "faults",
    [PP_METRIC_FAULTS_MAJOR] = "disk faults",
    [PP_METRIC_SWITCHES_VOLUNTARY] = "sleeps",
    [PP_METRIC_SWITCHES_INVOLUNTARY] = "preempted",
    [PP_METRIC_MAPS] = "maps",
    [PP_METRIC_UNMAP_BYTES] = "unmapped",
    [PP_METRIC_UNMAPS] = "unmaps",
    [PP_METRIC_TEMPORARY_BLOCKS] = "temporary",
    [PP_METRIC_RSS_DELTA] = "rss",
};
#define WIDE 200

static const char *metric_title(struct arena *arena, unsigned i)
{
    if (i == PP_METRIC_STORAGE_READ_BYTES)
        return "from storage";
    if (title[i])
        return title[i];
    const char *name = metric[i].name, *end = strrchr(name, '_');
    bool unit = end && (strcmp(end, "_ns") == 0 || strcmp(end, "_bytes") == 0);
    return arena_print(arena, "%.*s", unit ? (int)(end - name) : (int)strlen(name), name);
}

static const char *metric_cell(char *to, const struct model_stage *s, unsigned i)
{
    if (!s->metric_known[i])
        return "-";
    double value = s->metric[i];
    if (metric[i].kind == KIND_TIME) { /* CPU time, as a share of the stage's wall time */
        double share = s->times.wall_ns ? value / (double)s->times.wall_ns : 0;
        /* two clocks may differ a little; more is of threads that shared the work (OpenMP) */
        snprintf(to, FIGURE_BYTES, "%.0f%%", 100 * (share > 1.1 ? share : fmin(1, share)));
        return to;
    }
    if (value == 0)
        return "-";
    bool scaled = !s->metric_exact[i]; /* read at some of the entries only */
    char *at = to;
    if (scaled)
        *at++ = '~';
    if (value < 0)
        *at++ = '-';
    metric[i].unit == UNIT_bytes ? figure_size(at, fabs(value)) : figure_count(at, fabs(value));
    double whole = s->metric[PP_METRIC_READ_BYTES];
    /* over 100 %: read-ahead or mapped files */
    if (i == PP_METRIC_STORAGE_READ_BYTES && !scaled && s->metric_known[PP_METRIC_READ_BYTES] && whole > 0)
        snprintf(to + strlen(to), FIGURE_BYTES - strlen(to), " %.0f%%", 100 * value / whole);
    struct value read = { value, s->metric_variance[i] };
    if (scaled && value_error_percent(read) >= 0.5)
        snprintf(to + strlen(to), FIGURE_BYTES - strlen(to), value_is_vague(read) ? " (few entries)" : " +-%.0f%%",
                 value_error_percent(read));
    return to;
}

/* The stage with most time of its own, if there are several stages. */
static uint32_t slowest(const struct model *model)
{
    uint32_t found = MODEL_NONE;
    for (uint32_t i = 0; i < model->stage_count; i++)
        if (model->stage[i].times.self_ns &&
            (found == MODEL_NONE || model->stage[i].times.self_ns > model->stage[found].times.self_ns))
            found = i;
    return model->stage_count > 1 ? found : MODEL_NONE;
}

static void times_cells(struct table *table, const struct model_times *t)
{
    char text[FIGURE_BYTES];
    bool any = t->timed_calls > 0, several = t->timed_calls > 1;
    table_cell(table, any ? figure_time(text, t->mean_ns) : "-");
    table_cell(table, several ? figure_time(text, times_percentile(t, 0.5)) : "-");
    table_cell(table, several ? figure_time(text, times_percentile(t, 0.95)) : "-");
    table_cell(table, several ? figure_time(text, times_percentile(t, 0.99)) : "-");
    table_cell(table, several ? figure_time(text, (double)t->max_ns) : "-");
}

static void stage_row(struct table *table, const struct model *model, const struct view *view, uint32_t index,
                      uint32_t worst)
{
    bool flat = view_is_flat(view);
    const struct model_stage *s = &model->stage[index];
    char text[FIGURE_BYTES];
    const char *kind = s->kind == PP_SITE_LOOP             ? "loop"
                       : s->category != PP_CATEGORY_CUSTOM ? category_name(s->category)
                       : s->kind == PP_SITE_SCOPE          ? "scope"
                                                           : "";
    int indent = flat ? 0 : (int)(2 * (s->depth < 20 ? s->depth : 20)), room = name_room(view) - indent;
    table_cell(table, arena_print(table->arena, "%*s%s%s", indent, "",
                                  name_cut(table->arena, flat ? s->key : s->name, room > 16 ? room : 16),
                                  s->times.open ? " (open)" : ""));
    table_cell(table, kind);
    table_cell(table, figure_count(text, (double)s->times.calls));
    table_cell(table, figure_time(text, (double)s->times.wall_ns));
    table_cell(table, figure_share(text, stage_share(model, s)));
    table_cell(table, figure_time(text, (double)s->times.self_ns));
    times_cells(table, &s->times);
    for (unsigned i = 0; i < PP_METRIC_COUNT; i++)
        /* levels have a table of their own */
        table_cell(table, metric_is_level(i) || (title[i] && view->width < WIDE) ? "" : metric_cell(text, s, i));
    char waits[64];
    table_cell(table, model->has_operations ? text_waits(waits, sizeof waits, s) : "");
    table_cell(table, index == worst ? "<- slowest" : "");
    if (s->kind != PP_SITE_LOOP || !s->iteration.calls)
        return;
    table_cell(table, arena_print(table->arena, "%*s each iteration", indent, ""));
    table_cell(table, "");
    table_cell(table, figure_count(text, (double)s->iteration.calls));
    for (int i = 0; i < 3; i++)
        table_cell(table, "");
    times_cells(table, &s->iteration);
    for (unsigned i = 0; i <= PP_METRIC_COUNT + 1; i++)
        table_cell(table, "");
}

void text_stages(FILE *out, const struct model *model, const struct view *view)
{
    static const struct table_column head[] = {
        { "STAGES", true, 0 },  { "category", true, 32 }, { "calls", false, 0 }, { "total", false, 0 },
        { "share", false, 90 }, { "self", false, 80 },    { "mean", false, 0 },  { "p50", false, 55 },
        { "p95", false, 50 },   { "p99", false, 70 },     { "max", false, 15 },
    };
    enum { HEADS = sizeof head / sizeof *head };
    struct arena arena = { 0 };
    struct table_column column[HEADS + PP_METRIC_COUNT + 2];
    struct table table = { .arena = &arena,
                           .column = column,
                           .columns = HEADS + PP_METRIC_COUNT + 2,
                           .colour = view->colour,
                           .sorted = !view->sort                       ? "total"
                                     : strcmp(view->sort, "name") == 0 ? "STAGES"
                                     : strcmp(view->sort, "wait") == 0 ? NULL
                                                                       : view->sort };
    if (!model->stage_count)
        return;
    memcpy(column, head, sizeof head);
    for (unsigned i = 0; i < PP_METRIC_COUNT; i++) /* sizes before counters, earlier rows before later ones */
        column[HEADS + i] = (struct table_column){ metric_title(&arena, i), false,
                                                   i == PP_METRIC_CPU ? 75
                                                   : i == PP_METRIC_FREE_BYTES
                                                       ? 20
                                                       : (metric[i].unit == UNIT_bytes ? 40 : 10) - (int)i % 10 };
    column[HEADS + PP_METRIC_COUNT] = (struct table_column){ model->has_operations ? "waits in" : "", true, 42 };
    column[HEADS + PP_METRIC_COUNT + 1] = (struct table_column){ "", true, 45 };
    size_t count, left_out;
    uint32_t *list = view_stages(model, view, &count, &left_out), worst = slowest(model);
    for (size_t i = 0; i < count; i++)
        stage_row(&table, model, view, list[i], worst);
    if (!count && !left_out) { /* the filter lets none through */
        free(list);
        return;
    }
    fputc('\n', out);
    table_print(&table, out, view->width);
    char wall[FIGURE_BYTES];
    text_more(out, left_out);
    text_foot(out, view, &table,
              arena_print(&arena,
                          "v: sorted by this column%s; share: of %s wall time%s; "
                          "cpu: CPU time, of the stage's total",
                          view_is_flat(view) ? "" : " (stages within their parent)",
                          figure_time(wall, (double)model->run.wall_ns),
                          model->run.thread_count > 1 ? " (threads add up)" : ""));
    free(list);
    table_free(&table);
    arena_free(&arena);
}
