/* SPDX-License-Identifier: MIT */
/* section-loop.c: annotated loops: how often they ran, how many iterations, and how long one took. */
#include <stdlib.h>
#include <string.h>

#include "words/shortname.h"
#include "show/table.h"
#include "section/section.h"

#define MEANING "fewest, most: iterations of one run of the loop; mean, p50, p95, p99 and max: of one iteration"

void text_loops(FILE *out, const struct model *model, const struct view *view)
{
    static const struct table_column column[] = {
        { "LOOPS", true, 0 },  { "runs", false, 0 },  { "iterations", false, 0 }, { "fewest", false, 20 },
        { "most", false, 21 }, { "total", false, 0 }, { "mean", false, 60 },      { "p50", false, 40 },
        { "p95", false, 41 },  { "p99", false, 50 },  { "max", false, 30 },       { "where", true, 10 },
    };
    struct arena arena = { 0 };
    struct table table = { .arena = &arena,
                           .column = column,
                           .columns = sizeof column / sizeof *column,
                           .colour = view->colour,
                           .sorted = !view->sort                                                         ? "total"
                                     : strcmp(view->sort, "name") == 0                                   ? "LOOPS"
                                     : strcmp(view->sort, "calls") == 0                                  ? "runs"
                                     : strcmp(view->sort, "mean") == 0 || strcmp(view->sort, "p99") == 0 ? view->sort
                                                                                                         : "total" };
    char text[FIGURE_BYTES];
    size_t count, left_out;
    uint64_t left = 0;
    uint32_t *list = view_loops(model, view, &count, &left_out);
    for (size_t i = 0; i < count; i++) {
        const struct model_stage *s = &model->stage[list[i]];
        const struct model_times *t = &s->iteration;
        table_cell(&table, name_cut(&arena, s->key, name_room(view)));
        table_cell(&table, figure_count(text, (double)s->times.calls));
        table_cell(&table, loop_left_runs(s) ? arena_print(&arena, ">=%s", figure_count(text, (double)t->calls))
                                             : figure_count(text, (double)t->calls));
        left += loop_left_runs(s);
        table_cell(&table, s->loop_runs ? figure_count(text, (double)s->trips_min) : "-");
        table_cell(&table, s->loop_runs ? figure_count(text, (double)s->trips_max) : "-");
        table_cell(&table, figure_time(text, (double)s->times.wall_ns));
        table_cell(&table, t->timed_calls ? figure_time(text, t->mean_ns) : "-");
        table_cell(&table, t->timed_calls > 1 ? figure_time(text, times_percentile(t, 0.5)) : "-");
        table_cell(&table, t->timed_calls > 1 ? figure_time(text, times_percentile(t, 0.95)) : "-");
        table_cell(&table, t->timed_calls > 1 ? figure_time(text, times_percentile(t, 0.99)) : "-");
        table_cell(&table, t->timed_calls > 1 ? figure_time(text, (double)t->max_ns) : "-");
        table_cell(&table, s->file[0] ? arena_print(&arena, "%s:%u", path_short(s->file), s->line) : "");
    }
    if (table.cell_count) {
        fputc('\n', out);
        table_print(&table, out, view->width);
        text_more(out, left_out);
        text_foot(out, view, &table,
                  left ? MEANING "; >=: of runs that longjmp left, or that had not ended, the last "
                                 "iterations may be missing"
                       : MEANING);
    }
    free(list);
    table_free(&table);
    arena_free(&arena);
}
