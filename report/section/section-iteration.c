/* SPDX-License-Identifier: MIT */
/* section-iteration.c: how long the entries of each stage and the iterations of each loop took, in their order, as a
 * row of small bars. The timeline has them: the first, the slowest and the last of each thread. */
#include <stdlib.h>

#include "section/section.h"
#include "show/table.h"
#include "store/map.h"
#include "words/figure.h"
#include "words/quote.h"
#include "words/shortname.h"

#define LEAST_COLUMNS 16
#define BARS_MOST 120
#define ENTRIES_LEAST 2 /* fewer have no course */

struct course { /* what one thread's entries of a stage, or iterations of a loop, took */
    uint32_t thread, stage;
    enum span_kind kind;
    size_t kept, capacity;
    const struct model_span **span; /* by index */
    uint64_t total_ns, least_ns, most_ns, last;
};

static int by_index(const void *a, const void *b)
{
    const struct model_span *x = *(const struct model_span *const *)a, *y = *(const struct model_span *const *)b;
    return x->index != y->index ? (x->index < y->index ? -1 : 1) : 0;
}

static int by_total(const void *a, const void *b)
{
    const struct course *x = a, *y = b;
    if (x->total_ns != y->total_ns)
        return x->total_ns < y->total_ns ? 1 : -1;
    return x->stage != y->stage ? (x->stage < y->stage ? -1 : 1) : x->thread < y->thread ? -1 : x->thread > y->thread;
}

static void course_add(struct course *c, const struct model_span *s)
{
    *ARRAY_PUSH(c->span, c->kept, c->capacity) = s;
    c->total_ns += s->wall_ns;
    c->least_ns = c->kept == 1 || s->wall_ns < c->least_ns ? s->wall_ns : c->least_ns;
    c->most_ns = s->wall_ns > c->most_ns ? s->wall_ns : c->most_ns;
    c->last = s->index > c->last ? s->index : c->last;
}

static struct course *courses_find(const struct model *model, size_t *count)
{
    struct course *all = NULL;
    struct map known = { 0 };
    size_t capacity = 0;
    *count = 0;
    for (size_t i = 0; i < model->timeline.span_count; i++) {
        const struct model_span *s = &model->timeline.span[i];
        if (s->kind == SPAN_WAIT || s->stage == MODEL_NONE || s->thread == MODEL_NONE || s->open ||
            !stage_is_within(model, s->stage))
            continue;
        uint32_t key[3] = { s->thread, s->stage, s->kind }, *at = map_at(&known, key, sizeof key);
        if (*at == MAP_FRESH) {
            *at = (uint32_t)*count;
            *ARRAY_PUSH(all, *count, capacity) =
                (struct course){ .thread = s->thread, .stage = s->stage, .kind = s->kind };
        }
        course_add(&all[*at], s);
    }
    map_free(&known);
    for (size_t i = 0; i < *count; i++)
        qsort(all[i].span, all[i].kept, sizeof *all[i].span, by_index);
    if (*count)
        qsort(all, *count, sizeof *all, by_total);
    return all;
}

/* A bar is the slowest of the entries that it stands for, from 0 to the slowest of all. Where none of them is known,
 * there is a blank. */
static const char *bars_draw(struct arena *arena, const struct course *c, int columns, bool utf8)
{
    static const char *const bar[2][8] = {
        { "_", ".", ",", "-", "=", "+", "*", "#" },
        { "\u2581", "\u2582", "\u2583", "\u2584", "\u2585", "\u2586", "\u2587", "\u2588" },
    };
    double slowest[BARS_MOST], entries = (double)c->last + 1;
    char *text = arena_take(arena, 4 * (size_t)columns + 1), *at = text;
    columns = entries < columns ? (int)entries : columns;
    for (int i = 0; i < columns; i++)
        slowest[i] = -1;
    for (size_t i = 0; i < c->kept; i++) {
        int column = (int)((double)c->span[i]->index / entries * columns);
        column = column < columns ? column : columns - 1;
        if ((double)c->span[i]->wall_ns > slowest[column])
            slowest[column] = (double)c->span[i]->wall_ns;
    }
    for (int i = 0; i < columns; i++) {
        int step = c->most_ns ? (int)(8 * slowest[i] / (double)c->most_ns) : 0;
        const char *mark = slowest[i] < 0 ? " " : bar[utf8][step < 8 ? step : 7];
        while (*mark)
            *at++ = *mark++;
    }
    *at = 0;
    return text;
}

static const char *course_name(struct arena *arena, const struct model *model, const struct view *view,
                               const struct course *c)
{
    const char *name = model->stage[c->stage].name;
    const char *of = c->kind == SPAN_ITERATION ? " (loop)" : "";
    return quote_plain(arena, name_cut(arena, arena_print(arena, "%s%s", name, of), name_room(view)));
}

/* The width that the longest name and the figures leave. */
static int bars_room(const struct model *model, const struct view *view, const struct course *all, size_t count)
{
    struct arena arena = { 0 };
    int names = 10, threads = model->thread_count > 1 ? 16 : 0;
    for (size_t i = 0; i < count; i++) {
        int name = text_columns(course_name(&arena, model, view, &all[i]));
        names = name > names ? name : names;
    }
    arena_free(&arena);
    int columns = view->width - names - threads - 2 - 4 * 10;
    return columns < LEAST_COLUMNS ? LEAST_COLUMNS : columns > BARS_MOST ? BARS_MOST : columns;
}

void text_iterations(FILE *out, const struct model *model, const struct view *view)
{
    static const struct table_column column[] = { { "ITERATIONS", true, 0 }, { "thread", true, 20 },
                                                  { "of", false, 10 },       { "known", false, 15 },
                                                  { "min", false, 30 },      { "max", false, 40 },
                                                  { "by index", true, 0 } };
    struct arena arena = { 0 };
    struct table table = {
        .arena = &arena, .column = column, .columns = sizeof column / sizeof *column, .colour = view->colour
    };
    size_t count, shown = 0, left_out = 0;
    struct course *all = courses_find(model, &count);
    char text[FIGURE_BYTES];
    int columns = bars_room(model, view, all, count);
    for (size_t i = 0; i < count; i++) {
        const struct course *c = &all[i];
        bool many = c->kept >= ENTRIES_LEAST;
        left_out += many && view->top && shown >= view->top;
        if (!many || (view->top && shown >= view->top))
            continue;
        table_cell(&table, course_name(&arena, model, view, c));
        table_cell(&table, model->thread_count > 1 ? name_cut(&arena, model->thread[c->thread].name, 14) : "");
        table_cell(&table, figure_count(text, (double)c->last + 1));
        table_cell(&table, c->kept == c->last + 1 ? "" : figure_count(text, (double)c->kept));
        table_cell(&table, figure_time(text, (double)c->least_ns));
        table_cell(&table, figure_time(text, (double)c->most_ns));
        table_cell(&table, bars_draw(&arena, c, columns, view->utf8));
        shown++;
    }
    if (shown) {
        fputc('\n', out);
        table_print(&table, out, view->width);
        text_more(out, left_out);
        text_foot(out, view, &table,
                  "by index: wall time from the first entry or iteration to the last, a bar from 0 to max; where one "
                  "stands for several, it is their slowest; blank: none of them was kept");
    }
    for (size_t i = 0; i < count; i++)
        free(all[i].span);
    free(all);
    table_free(&table);
    arena_free(&arena);
}
