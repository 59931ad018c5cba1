/* SPDX-License-Identifier: MIT */
/* section-fault.c: page faults: the lines that took them, and the allocations whose blocks were touched for the first
 * time. */
#include <stdlib.h>
#include <string.h>

#include "model/namesake.h"
#include "words/shortname.h"
#include "show/source.h"
#include "show/table.h"
#include "section/section.h"

#define LEAST_SHARE 0.005 /* of all faults */
#define LEAST_FAULTS 1000 /* fewer are not shown where they are on no line */

static const struct model *sorted; /* qsort passes nothing on */

static int by_faults(const void *a, const void *b)
{
    double x = sorted->line[*(const uint32_t *)a].faults.count.ns,
           y = sorted->line[*(const uint32_t *)b].faults.count.ns;
    return (x < y) - (x > y);
}

static int by_touched(const void *a, const void *b)
{
    const struct model_allocation *x = *(const struct model_allocation *const *)a,
                                  *y = *(const struct model_allocation *const *)b;
    return (x->blocks.touched_bytes < y->blocks.touched_bytes) - (x->blocks.touched_bytes > y->blocks.touched_bytes);
}

static size_t touched_take(const struct model_allocation **list, size_t count, const struct model_allocation *of,
                           size_t of_count)
{
    for (size_t i = 0; i < of_count; i++)
        if (of[i].blocks.touched_bytes)
            list[count++] = &of[i];
    return count;
}

static const char *where_of(struct arena *arena, const struct model *model, uint32_t line, const struct view *view)
{
    const struct model_line *l = line != MODEL_NONE ? &model->line[line] : NULL;
    return l ? name_cut(arena, arena_print(arena, "%s:%u", path_short(l->file), l->line), name_room(view))
             : "(on no line)";
}

static void what_cells(struct table *table, const struct model *model, uint32_t line)
{
    const struct source *source = line != MODEL_NONE ? source_get(model->line[line].file) : NULL;
    const char *what = source ? source_line(source, model->line[line].line, true) : NULL;
    table_cell(table, line != MODEL_NONE
                          ? function_label(table->arena, &model->function[model->line[line].function])
                          : "");
    table_cell(table, what ? what : "");
}

static void lines_print(FILE *out, const struct model *model, const struct view *view, struct arena *arena)
{
    static const struct table_column column[] = {
        { "FAULTS", true, 0 },  { "faults", false, 0 },    { "+-", false, 20 },   { "share", false, 30 },
        { "time", false, 0 },   { "a fault", false, 40 }, { "function", true, 50 }, { "what", true, 10 },
    };
    struct table table = { .arena = arena,
                           .column = column,
                           .columns = sizeof column / sizeof *column,
                           .colour = view->colour,
                           .sorted = "faults" };
    uint32_t *list = memory_zeroed(model->line_count + 1, sizeof *list);
    size_t count = 0, shown;
    char text[FIGURE_BYTES + 16], all[FIGURE_BYTES];
    for (uint32_t i = 0; i < model->line_count; i++)
        if (model->line[i].faults.count.ns > LEAST_SHARE * model->faults && model->faults > 0)
            list[count++] = i;
    sorted = model;
    qsort(list, count, sizeof *list, by_faults);
    shown = view->top && view->top < count ? view->top : count;
    for (size_t i = 0; i < shown; i++) {
        const struct model_faults *f = &model->line[list[i]].faults;
        table_cell(&table, where_of(arena, model, list[i], view));
        table_cell(&table, figure_count(text, f->count.ns));
        table_cell(&table, text_error(text, f->count, "samples"));
        table_cell(&table, figure_share(text, f->count.ns / model->faults));
        table_cell(&table, f->ns > 0 ? figure_time(text, f->ns) : "-");
        table_cell(&table, f->ns > 0 ? figure_time(text, f->ns / f->count.ns) : "-");
        what_cells(&table, model, list[i]);
    }
    if (count || model->faults >= LEAST_FAULTS) {
        table_cell(&table, where_of(arena, model, MODEL_NONE, view));
        table_cell(&table, figure_count(text, model->faults - model->line_faults));
        table_cell(&table, "-");
        table_cell(&table, figure_share(text, 1 - model->line_faults / model->faults));
        table_cell(&table, "-");
        table_cell(&table, "-");
        what_cells(&table, model, MODEL_NONE);
        fputc('\n', out);
        table_print(&table, out, view->width);
        text_more(out, count - shown);
        figure_count(all, model->faults);
        text_foot(out, view, &table,
                  arena_print(arena,
                              model->fault_signals > 0
                                  ? "of %s page faults that the kernel counted; on no line: those of the profiler, of "
                                    "calls in the kernel, and before an event told the places; time: in the kernel, "
                                    "about"
                                  : "of %s page faults that the kernel counted; on which lines they were is not known: "
                                    "perf events are refused, or there were few",
                              all));
    }
    free(list);
    table_free(&table);
}

static void allocations_print(FILE *out, const struct model *model, const struct view *view, struct arena *arena)
{
    static const struct table_column column[] = {
        { "FIRST TOUCH OF", true, 0 }, { "touched", false, 0 }, { "+-", false, 20 },       { "of", false, 30 },
        { "faults", false, 0 },        { "time", false, 0 },    { "function", true, 50 }, { "what", true, 10 },
    };
    struct table table = { .arena = arena,
                           .column = column,
                           .columns = sizeof column / sizeof *column,
                           .colour = view->colour,
                           .sorted = "touched" };
    const struct model_allocation **list =
        memory_zeroed(model->allocation_count + model->mapping_count + 1, sizeof *list);
    size_t count = touched_take(list, 0, model->allocation, model->allocation_count), shown;
    char text[FIGURE_BYTES + 16];
    count = touched_take(list, count, model->mapping, model->mapping_count);
    qsort(list, count, sizeof *list, by_touched);
    shown = view->top && view->top < count ? view->top : count;
    for (size_t i = 0; i < shown; i++) {
        const struct model_allocation *a = list[i];
        double bytes = (double)a->blocks.touched_bytes, error = touched_error(&a->blocks);
        double faults = touched_faults(model, bytes), ns = faults * model->fault_ns;
        table_cell(&table, where_of(arena, model, a->line, view));
        table_cell(&table, figure_size(text, bytes));
        table_cell(&table, error > 0 ? text_error(text, (struct value){ bytes, error * error }, "blocks") : "-");
        table_cell(&table, figure_size(text, (double)a->blocks.alloc_bytes));
        table_cell(&table, figure_count(text, faults));
        table_cell(&table, ns > 0 ? figure_time(text, ns) : "-");
        what_cells(&table, model, a->line);
    }
    if (shown) {
        fputc('\n', out);
        table_print(&table, out, view->width);
        text_more(out, count - shown);
        text_foot(out, view, &table,
                  "touched: pages of blocks and mappings of 128 KB or more that became resident between the return of "
                  "their allocation and their free, or the end; faults, time: about what the kernel took for them, "
                  "on the lines that touched them");
    }
    free(list);
    table_free(&table);
}

void text_faults(FILE *out, const struct model *model, const struct view *view)
{
    struct arena arena = { 0 };
    lines_print(out, model, view, &arena);
    allocations_print(out, model, view, &arena);
    arena_free(&arena);
}
