/* SPDX-License-Identifier: MIT */
/* section-steps.c: innermost loops that nobody annotated (loops=auto): how often they were entered, how many steps they
 * went, and what a step took. */
#include <stdlib.h>
#include <string.h>

#include "words/shortname.h"
#include "show/source.h"
#include "show/table.h"
#include "section/section.h"

#define LEAST_SHARE 0.001 /* of the run's CPU time */

static int by_time(const void *a, const void *b)
{
    const struct model_remark *x = *(const struct model_remark *const *)a, *y = *(const struct model_remark *const *)b;
    return x->self_ns != y->self_ns ? (x->self_ns > y->self_ns ? -1 : 1) : x < y ? -1 : x > y;
}

static void row_print(struct table *table, const struct model *model, const struct view *view,
                      const struct model_remark *r)
{
    struct arena *arena = table->arena;
    char text[FIGURE_BYTES + 16];
    struct value self = { r->self_ns, r->self_variance };
    const struct source *source = source_get(r->file);
    const char *what = source ? source_line(source, r->line, true) : NULL;
    const char *where = arena_print(arena, "%s:%u", path_short(r->file), r->line);
    table_cell(table, name_cut(arena, where, name_room(view)));
    table_cell(table, figure_count(text, r->entries));
    table_cell(table, figure_count(text, r->steps));
    table_cell(table, figure_count(text, r->steps / r->entries));
    table_cell(table, figure_time(text, r->self_ns));
    table_cell(table, value_is_vague(self) ? "-" : figure_time(text, r->self_ns / r->steps));
    table_cell(table, text_error(text, self, "samples"));
    table_cell(table, r->function == MODEL_NONE ? r->symbol : model->function[r->function].name);
    table_cell(table, what ? what : "");
}

void text_steps(FILE *out, const struct model *model, const struct view *view)
{
    static const struct table_column column[] = {
        { "STEPS", true, 0 }, { "entries", false, 0 }, { "steps", false, 0 },   { "an entry", false, 20 },
        { "CPU", false, 0 },  { "a step", false, 0 },  { "error", false, 10 }, { "function", true, 30 },
        { "source", true, 40 },
    };
    struct arena arena = { 0 };
    struct table table = { .arena = &arena,
                           .column = column,
                           .columns = sizeof column / sizeof *column,
                           .colour = view->colour,
                           .sorted = "CPU" };
    const struct model_remark **list = memory_zeroed(model->remark_count + 1, sizeof *list);
    size_t count = 0, shown;
    double run_ns = 0;
    for (size_t i = 0; i < model->line_count; i++)
        run_ns += model->line[i].self.ns;
    for (size_t i = 0; i < model->remark_count; i++) {
        const struct model_remark *r = &model->remark[i];
        bool again = count && list[count - 1]->line == r->line && list[count - 1]->loop_last == r->loop_last &&
                     strcmp(list[count - 1]->file, r->file) == 0;
        if (r->kind == PP_REMARK_LOOP && r->is_counted && r->steps > 0 && !again && r->self_ns > LEAST_SHARE * run_ns)
            list[count++] = r;
    }
    qsort(list, count, sizeof *list, by_time);
    shown = view->top && view->top < count ? view->top : count;
    for (size_t i = 0; i < shown; i++)
        row_print(&table, model, view, list[i]);
    if (table.cell_count) {
        fputc('\n', out);
        table_print(&table, out, view->width);
        text_more(out, count - shown);
        text_foot(out, view, &table,
                  "entries (those that went round) and steps are exact; CPU: that of the lines of the loop");
    }
    free(list);
    table_free(&table);
    arena_free(&arena);
}
