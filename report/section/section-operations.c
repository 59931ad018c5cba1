/* SPDX-License-Identifier: MIT */
/* section-operations.c: operations on files and sockets, and what the program waited in, by line. */
#include <stdlib.h>
#include <string.h>

#include "words/figure.h"
#include "model/namesake.h"
#include "store/map.h"
#include "words/shortname.h"
#include "show/source.h"
#include "show/table.h"
#include "section/section.h"
#include <profplug/abi/further.h>

static int by_time(const void *a, const void *b)
{
    const struct model_operation *x = a, *y = b;
    if (x->sum.wall_ns != y->sum.wall_ns)
        return x->sum.wall_ns < y->sum.wall_ns ? 1 : -1;
    return x->sum.bytes < y->sum.bytes   ? 1
           : x->sum.bytes > y->sum.bytes ? -1
           : x->kind != y->kind          ? (x->kind < y->kind ? -1 : 1)
           : x->line < y->line           ? -1
                                         : x->line > y->line;
}

/* Adds up a line's operations of one kind on one target over all stages. */
static struct model_operation *by_line(const struct model *model, size_t *count)
{
    struct model_operation *list = memory_zeroed(model->operation_count + 1, sizeof *list);
    struct map seen = { 0 };
    *count = 0;
    for (size_t i = 0; i < model->operation_count; i++) {
        const struct model_operation *o = &model->operation[i];
        uint32_t key[] = { o->kind, o->target, o->line, o->function, o->module, o->library, o->attributed };
        uint32_t *found = map_at(&seen, key, sizeof key);
        if (*found == MAP_FRESH) {
            *found = (uint32_t)*count;
            list[(*count)++] = *o;
        } else {
            operations_add(&list[*found].sum, &o->sum);
        }
    }
    map_free(&seen);
    if (*count)
        qsort(list, *count, sizeof *list, by_time);
    return list;
}

/* Of one line and kind: all targets together. */
struct line_sum {
    struct model_operation sum; /* first, for by_time; its target is the only one, or the one with most time */
    size_t targets;
    bool more;       /* one of these stands for several files */
    uint32_t number; /* as in `of` */
};

/* `of` receives the number of the line of each row of the list, which is sorted. */
static struct line_sum *lines_sum(const struct model *model, const struct model_operation *list, size_t list_count,
                                  uint32_t *of, size_t *count)
{
    struct line_sum *line = memory_zeroed(list_count + 1, sizeof *line);
    struct map seen = { 0 };
    *count = 0;
    for (size_t i = 0; i < list_count; i++) {
        const struct model_operation *o = &list[i];
        uint32_t key[] = { o->kind, o->line, o->function, o->module, o->library, o->attributed };
        uint32_t *found = map_at(&seen, key, sizeof key);
        if (*found == MAP_FRESH) {
            *found = (uint32_t)*count;
            line[(*count)++] = (struct line_sum){ .sum = *o, .number = *found };
        } else {
            operations_add(&line[*found].sum.sum, &o->sum);
        }
        line[*found].targets += o->target != MODEL_NONE;
        line[*found].more |= o->target != MODEL_NONE && !strcmp(model->target[o->target].name, PP_FURTHER_FILES);
        of[i] = *found;
    }
    map_free(&seen);
    if (*count)
        qsort(line, *count, sizeof *line, by_time);
    return line;
}

static const char *where_cell(struct arena *arena, const struct model *model, const struct model_operation *o,
                              const struct view *view)
{
    if (o->kind == PP_OPERATION_LAST_WRITE)
        return "(at the end)";
    if (!o->attributed)
        return "(lines not kept)";
    if (o->line != MODEL_NONE)
        return name_cut(arena,
                        arena_print(arena, "%s:%u", path_short(model->line[o->line].file), model->line[o->line].line),
                        view->width / 4);
    return arena_print(arena, "(in %s)",
                       o->module != MODEL_NONE ? path_short(model->module[o->module].path) : "no module");
}

static void unhooked_row(struct table *table, const char *what, int64_t bytes)
{
    char text[FIGURE_BYTES];
    if (!bytes)
        return;
    table_cell(table, "(no hooked call)");
    table_cell(table, what);
    table_cell(table, "-");
    table_cell(table, bytes > 0 ? figure_size(text, (double)bytes)
                                : arena_print(table->arena, "-%s", figure_size(text, -(double)bytes)));
    for (int i = 0; i < 10; i++)
        table_cell(table, "");
}

enum { MOST_PARTS = 3 }; /* targets of a line that are listed below its sum, unless all are */

struct operations_seen { /* what the table's foot explains */
    bool unfinished, estimated, jumps, kind[PP_OPERATION_COUNT];
};

/* `line` NULL: the row is a part of the one above, on its own target. */
static void operation_row(struct table *table, const struct model *model, const struct view *view,
                          const struct model_operation *o, const struct line_sum *line, struct operations_seen *seen)
{
    char text[FIGURE_BYTES];
    struct arena *arena = table->arena;
    const struct model_operations *sum = &o->sum;
    const struct source *source = o->line != MODEL_NONE && line ? source_get(model->line[o->line].file) : NULL;
    const char *text_of = source ? source_line(source, model->line[o->line].line, true) : NULL;
    bool bytes = operation_has_bytes(o->kind), moved = sum->calls > sum->errors && bytes;
    table_cell(table, line ? where_cell(arena, model, o, view) : "");
    table_cell(table, line ? operation_name(o->kind) : "");
    const char *calls = arena_copy(arena, figure_count(text, (double)sum->calls));
    table_cell(table, !sum->unfinished
                          ? calls
                          : arena_print(arena, "%s + %s", calls, figure_count(text, (double)sum->unfinished)));
    table_cell(table, bytes ? figure_size(text, (double)sum->bytes) : "-");
    table_cell(table, moved ? figure_size(text, (double)sum->bytes / (double)(sum->calls - sum->errors)) : "-");
    table_cell(table, figure_time(text, (double)sum->wall_ns));
    table_cell(table, text_error(text, (struct value){ (double)sum->wall_ns, sum->variance }, "calls"));
    table_cell(table, figure_part(text, sum->wait_ns, sum->wall_ns));
    table_cell(table, figure_time(text, (double)sum->most_ns));
    table_cell(table,
               o->kind <= PP_OPERATION_SPLICE ? figure_part(text, sum->sequential, sum->calls - sum->errors) : "-");
    table_cell(table, sum->errors ? figure_count(text, (double)sum->errors) : "-");
    table_cell(table, line && line->targets > 1
                          ? arena_print(arena, "%zu%s, among them:", line->targets, line->more ? "+" : "")
                      : o->target != MODEL_NONE
                          ? name_cut(arena, path_short(model->target[o->target].name), view->width / 5)
                          : "-");
    table_cell(table, !line                      ? ""
                      : o->library != MODEL_NONE ? path_short(model->module[o->library].path)
                      : o->unsure                ? jump_label(arena, o->unsure)
                                                 : "-");
    table_cell(table, text_of ? text_of : "");
    seen->kind[o->kind] = true;
    seen->estimated = seen->estimated || sum->untimed;
    seen->unfinished = seen->unfinished || sum->unfinished;
    seen->jumps = seen->jumps || o->unsure;
}

void text_operations(FILE *out, const struct model *model, const struct view *view)
{
    static const struct table_column column[] = {
        { "OPERATIONS", true, 0 }, { "what", true, 0 },       { "calls", false, 0 },   { "bytes", false, 0 },
        { "each", false, 40 },     { "time", false, 0 },      { "+-", false, 55 },     { "waiting", false, 60 },
        { "slowest", false, 35 },  { "in order", false, 30 }, { "failed", false, 15 }, { "on", true, 50 },
        { "through", true, 20 },   { "source", true, 10 },
    };
    struct arena arena = { 0 };
    struct table table = { .arena = &arena,
                           .column = column,
                           .columns = sizeof column / sizeof *column,
                           .colour = view->colour,
                           .sorted = "time" };
    size_t list_count, count, shown;
    if (!model->operation_count)
        return;
    struct model_operation *list = by_line(model, &list_count);
    uint32_t *of = memory_zeroed(list_count + 1, sizeof *of);
    struct line_sum *line = lines_sum(model, list, list_count, of, &count);
    shown = view->top && count > view->top ? view->top : count;
    struct operations_seen seen = { 0 };
    for (size_t i = 0; i < shown; i++) {
        size_t parts = line[i].targets < 2 ? 0 : view->top ? MOST_PARTS : line[i].targets;
        operation_row(&table, model, view, &line[i].sum, &line[i], &seen);
        for (size_t k = 0; k < list_count && parts; k++)
            if (of[k] == line[i].number) {
                operation_row(&table, model, view, &list[k], NULL, &seen);
                parts--;
            }
    }
    if (model->run.io_known) {
        unhooked_row(&table, "read", model->run.unhooked_read_bytes);
        unhooked_row(&table, "write", model->run.unhooked_write_bytes);
    }
    fputc('\n', out);
    table_print(&table, out, view->width);
    text_more(out, count - shown);
    char in[FIGURE_BYTES], gone[FIGURE_BYTES];
    text_foot(
        out, view, &table,
        arena_print(&arena,
                    "time: spent in the calls, all threads%s; waiting: share of it off the CPU; "
                    "in order: calls that start where the previous one ended%s%s%s%s%s%s%s%s%s%s%s%s%s",
                    seen.estimated ? " (+- one sigma where only some calls were timed, slowest among those)" : "",
                    seen.unfinished ? "; calls: + those that had not returned" : "", seen.jumps ? JUMP_FOOT : "",
                    seen.kind[PP_OPERATION_LOCK] || seen.kind[PP_OPERATION_SEMAPHORE]
                        ? "; locks and semaphores: only calls that found them taken"
                        : "",
                    seen.kind[PP_OPERATION_RESPONSE]
                        ? "; response: time from the last byte sent to the first received (not a call)"
                        : "",
                    seen.kind[PP_OPERATION_SERVED]
                        ? "; served: time from the last byte received to the first sent (not a call)"
                        : "",
                    seen.kind[PP_OPERATION_ESTABLISH]
                        ? "; establish: time from an unfinished connect to the call that saw it finished (not a "
                          "call)"
                        : "",
                    seen.kind[PP_OPERATION_LAST_WRITE] ? "; last_write: stdio buffers that were written at exit" : "",
                    model->run.io_known ? "; the kernel counted " : "",
                    model->run.io_known ? figure_size(in, (double)model->run.io_read_bytes) : "",
                    model->run.io_known ? " read and " : "",
                    model->run.io_known ? figure_size(gone, (double)model->run.io_write_bytes) : "",
                    model->run.io_known ? " written in all" : "",
                    model->run.io_known && (model->run.unhooked_read_bytes || model->run.unhooked_write_bytes)
                        ? "; no hooked call: made by other system calls, "
                          "or by child processes that were waited for, their profiling included"
                        : ""));
    free(line);
    free(of);
    free(list);
    table_free(&table);
    arena_free(&arena);
}
