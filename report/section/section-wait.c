/* SPDX-License-Identifier: MIT */
/* section-wait.c: waits, by the calls that led to them. */
#include <string.h>

#include "words/figure.h"
#include "model/namesake.h"
#include "words/shortname.h"
#include "show/table.h"
#include "section/section.h"

/* Waits below this part of the wall time get no table, and waits below this part of all waits get no row. */
#define LEAST_PART 0.01

/* Innermost caller first, as many as fit. */
static const char *chain_cell(struct arena *arena, const struct model *model, const struct model_stall *r, int room)
{
    const char *text = r->unsure ? jump_label(arena, r->unsure) : "";
    for (uint32_t n = r->node; n; n = model->node[n].parent) {
        const char *name = label_fit(arena, function_label(arena, &model->function[model->node[n].function]), 32);
        const char *longer = *text ? arena_print(arena, "%s < %s", text, name) : name;
        if (*text && (int)strlen(longer) > room - 6)
            return arena_print(arena, "%s < ...", text);
        text = longer;
    }
    return *text ? text : "(not known)";
}

/* Below the first row of a line that waited for locks: the lines that held them, at most HOLDERS, and what they did. */
#define HOLDERS 3
#define LEAST_HELD 0.1 /* of the line's waits for locks */
static void holders_add(struct arena *arena, struct table *table, const struct model *model, const struct view *view,
                        uint32_t line, double all, bool unfinished)
{
    uint64_t sum = 0;
    unsigned shown = 0;
    char text[FIGURE_BYTES];
    for (size_t i = 0; i < model->hold_count; i++)
        sum += model->hold[i].line == line ? model->hold[i].wait_ns : 0;
    for (size_t i = 0; i < model->hold_count && shown < HOLDERS; i++) {
        const struct model_hold *h = &model->hold[i];
        if (h->line != line || (double)h->wait_ns < LEAST_HELD * (double)sum)
            continue;
        shown++;
        const char *where = h->holder_line == MODEL_NONE
                                ? "(holder not known)"
                                : arena_print(arena, "%s:%u", path_short(model->line[h->holder_line].file),
                                              model->line[h->holder_line].line);
        table_cell(table, name_cut(arena, arena_print(arena, "  %s", where), view->width / 4));
        table_cell(table, "held");
        table_cell(table, figure_time(text, (double)h->wait_ns));
        table_cell(table, "");
        table_cell(table, figure_share(text, (double)h->wait_ns / all));
        if (unfinished)
            table_cell(table, "");
        const char *who = h->holder_function == MODEL_NONE
                              ? ""
                              : label_fit(arena, function_label(arena, &model->function[h->holder_function]), 32);
        if ((double)h->own_ns >= LEAST_HELD * (double)h->wait_ns) {
            const struct model_line *own = h->own_line == MODEL_NONE ? NULL : &model->line[h->own_line];
            who = arena_print(arena, "%s%sin %s for %s", who, *who ? ", " : "", operation_name(h->own_kind),
                              figure_time(text, (double)h->own_ns));
            if (own)
                who = arena_print(arena, "%s at %s:%u", who, path_short(own->file), own->line);
        }
        table_cell(table, who);
    }
}

static bool has_row_before(const struct model *model, size_t row)
{
    for (size_t i = 0; i < row; i++)
        if (model->stall[i].kind == PP_OPERATION_LOCK && model->stall[i].line == model->stall[row].line)
            return true;
    return false;
}

void text_waits_by_calls(FILE *out, const struct model *model, const struct view *view)
{
    /* the state only where a call had not returned */
    bool unfinished = model->unfinished_count, jumps = false;
    const struct table_column column[] = { { "WAITS", true, 0 },      { "what", true, 0 },
                                           { "time", false, 0 },      { "+-", false, 30 },
                                           { "share", false, 20 },    { unfinished ? "state" : "called from", true, 0 },
                                           { "called from", true, 0 } };
    struct arena arena = { 0 };
    struct table table = { .arena = &arena,
                           .column = column,
                           .columns = sizeof column / sizeof *column - !unfinished,
                           .colour = view->colour,
                           .sorted = "time" };
    char text[FIGURE_BYTES];
    size_t count = model->stall_count, shown = 0;
    double all = 0;
    for (size_t i = 0; i < count; i++)
        all += model->stall[i].time.ns;
    if (!view->section_count && all < LEAST_PART * (double)model->run.wall_ns)
        count = 0;
    for (; shown < count && (!view->top || (shown < view->top && model->stall[shown].time.ns >= LEAST_PART * all));
         shown++) {
        const struct model_stall *r = &model->stall[shown];
        table_cell(&table, r->line == MODEL_NONE
                               ? "(no line)"
                               : name_cut(&arena,
                                          arena_print(&arena, "%s:%u", path_short(model->line[r->line].file),
                                                      model->line[r->line].line),
                                          view->width / 4));
        table_cell(&table, operation_name(r->kind));
        table_cell(&table, figure_time(text, r->time.ns));
        table_cell(&table, text_error(text, r->time, "waits"));
        table_cell(&table, figure_share(text, r->time.ns / all));
        if (unfinished)
            table_cell(&table, !r->unfinished ? "" : r->idle == r->unfinished ? "idle" : "open");
        jumps = jumps || r->unsure;
        table_cell(&table, chain_cell(&arena, model, r, view->width / 2));
        if (r->kind == PP_OPERATION_LOCK && r->line != MODEL_NONE && !has_row_before(model, shown))
            holders_add(&arena, &table, model, view, r->line, all, unfinished);
    }
    if (shown) {
        fputc('\n', out);
        table_print(&table, out, view->width);
        text_more(out, count - shown);
        text_foot(
            out, view, &table,
            arena_print(
                &arena, "time: off the CPU in these calls, all threads; share: of %s%s%s%s%s", figure_time(text, all),
                model->hold_count ? "; held: in that time the lock was held from this line on" : "",
                jumps ? JUMP_FOOT : "",
                unfinished ? "; open: some calls had not returned; idle: these are a pool's or an event loop's" : "",
                unfinished && unfinished_at_least(model) ? "; they lasted longer, but the end is not known" : ""));
    }
    table_free(&table);
    arena_free(&arena);
}
