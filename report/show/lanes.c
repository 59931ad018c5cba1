/* SPDX-License-Identifier: MIT */
/* lanes.c: when the stages and waits of each thread were, drawn with letters. See screen.h. */
#include <stdlib.h>
#include <string.h>

#include "model/namesake.h"
#include "show/screen.h"
#include "words/columns.h"
#include "words/figure.h"
#include "words/plural.h"
#include "words/quote.h"
#include "words/shortname.h"

#define THREADS_SHOWN 24u
#define NAME_MOST 24 /* the kernel keeps 15 bytes of a name, and one is marked */
#define LANES 4u /* stages that enclose one another; those deeper inside are not drawn */
#define LEAST_COLUMNS 20
static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
#define LETTERS (sizeof letters - 1)
#define OTHER LETTERS /* of a stage without a letter */

struct picture {
    const struct model *model;
    FILE *out;
    int name_columns, columns;
    uint32_t *letter; /* by stage; MODEL_NONE: it is not drawn */
    uint32_t stage[LETTERS];
    uint32_t count; /* of letters given */
    bool others;
    double column_ns, *part; /* part: by column and letter: how much of it */
};

static double part_of(const struct model_span *s, double from_ns, double to_ns)
{
    double start = (double)s->start_ns, end = start + (double)s->wall_ns;
    double low = start > from_ns ? start : from_ns, high = end < to_ns ? end : to_ns;
    return high > low ? high - low : 0;
}

/* Adds the span to the columns that it covers. One without length counts for an instant of its column. */
static void span_spread(const struct picture *p, const struct model_span *s, size_t letter)
{
    size_t last = (size_t)p->columns - 1, i = (size_t)((double)s->start_ns / p->column_ns),
           to = (size_t)(((double)s->start_ns + (double)s->wall_ns) / p->column_ns);
    for (i = i < last ? i : last, to = to < last ? to : last; i <= to; i++)
        p->part[i * (LETTERS + 1) + letter] += 1 + part_of(s, (double)i * p->column_ns, (double)(i + 1) * p->column_ns);
}

static size_t largest(const double *part)
{
    size_t best = 0;
    for (size_t k = 1; k <= LETTERS; k++)
        best = part[k] > part[best] ? k : best;
    return best;
}

static char wait_mark(double part) { return part < 0.01 ? ' ' : part < 1.0 / 3 ? '.' : part < 2.0 / 3 ? ':' : '#'; }

/* One row. Where the thread lived and no stage is drawn, the outermost row has a line. */
static void row_print(const struct picture *p, const char *name, const struct model_thread *t, bool outermost,
                      bool waits)
{
    fprintf(p->out, "%s%*s |", name, p->name_columns - text_columns(name), "");
    for (int i = 0; i < p->columns; i++) {
        const double *part = p->part + (size_t)i * (LETTERS + 1);
        double from = i * p->column_ns, to = from + p->column_ns;
        bool lived = (double)t->end_ns > from && (double)t->start_ns < to;
        size_t k = largest(part);
        putc(waits                ? wait_mark(part[0] / p->column_ns)
             : part[k] > 0        ? k < LETTERS ? letters[k] : '*'
             : lived && outermost ? '-'
                                  : ' ',
             p->out);
    }
    fputs("|\n", p->out);
}

static bool is_drawn(const struct picture *p, const struct model_span *s)
{
    return s->kind == SPAN_STAGE && s->stage != MODEL_NONE && stage_is_within(p->model, s->stage);
}

static size_t letter_of(struct picture *p, uint32_t stage)
{
    if (p->letter[stage] == MODEL_NONE && p->count < LETTERS) {
        p->stage[p->count] = stage;
        p->letter[stage] = p->count++;
    }
    p->others = p->others || p->letter[stage] == MODEL_NONE;
    return p->letter[stage] == MODEL_NONE ? OTHER : p->letter[stage];
}

static void thread_print(struct picture *p, uint32_t thread, size_t from, size_t to, const char *name)
{
    const struct model *model = p->model;
    const struct model_thread *t = &model->thread[thread];
    size_t part_bytes = (size_t)p->columns * (LETTERS + 1) * sizeof *p->part;
    for (uint32_t lane = 0; lane < LANES; lane++) {
        bool any = false;
        memset(p->part, 0, part_bytes);
        for (size_t i = from; i < to; i++) {
            const struct model_span *s = &model->timeline.span[i];
            if (!is_drawn(p, s) || model->stage[s->stage].depth != lane)
                continue;
            span_spread(p, s, letter_of(p, s->stage));
            any = true;
        }
        if (any || !lane)
            row_print(p, lane ? "" : name, t, !lane, false);
    }
    memset(p->part, 0, part_bytes);
    bool any = false;
    for (size_t i = from; i < to; i++)
        if (model->timeline.span[i].kind == SPAN_WAIT && stage_is_within(model, model->timeline.span[i].stage)) {
            span_spread(p, &model->timeline.span[i], 0);
            any = true;
        }
    if (any)
        row_print(p, "  waits", t, false, true);
}

static void legend_print(const struct picture *p, const struct view *view)
{
    struct arena arena = { 0 };
    char *text = NULL;
    size_t bytes = 0;
    FILE *line = open_memstream(&text, &bytes);
    for (uint32_t i = 0; line && i < p->count; i++)
        fprintf(line, "%s%c %s", i ? "   " : "", letters[i],
                name_cut(&arena, quote_plain(&arena, p->model->stage[p->stage[i]].name), name_room(view)));
    if (line && p->others)
        fputs("   * others", line);
    if (line)
        fclose(line);
    if (text && text[0])
        text_wrap(p->out, text, 0, 0, view->width);
    if (text && text[0])
        putc('\n', p->out);
    free(text);
    arena_free(&arena);
}

static void let_go_print(FILE *out, const struct model_timeline *t, const struct view *view)
{
    static const char *const what[] = { "{stage or iteration|stages and iterations}", "{wait|waits}",
                                        "{value|values}" };
    char text[512] = "", count[FIGURE_BYTES], seen[FIGURE_BYTES], words[WORDS_BYTES];
    size_t n = 0;
    for (unsigned k = 0; k < PP_TIMELINE_KIND_COUNT; k++)
        if (t->let_go[k])
            n += (size_t)snprintf(text + n, sizeof text - n, "%s%s of %s %s",
                                  n ? ", " : "Let go: ", figure_count(count, (double)t->let_go[k]),
                                  figure_count(seen, (double)t->seen[k]),
                                  plural_text(words, sizeof words, t->seen[k], what[k]));
    if (!n)
        return;
    snprintf(text + n, sizeof text - n, ". The first, the slowest and the last of each thread are kept.");
    text_wrap(out, text, 0, 0, view->width);
    putc('\n', out);
}

void text_lanes(FILE *out, const struct model *model, const struct view *view)
{
    const struct model_timeline *t = &model->timeline;
    struct picture p = { .model = model, .out = out };
    struct arena arena = { 0 };
    char wall[FIGURE_BYTES], column[FIGURE_BYTES], remark[128];
    if (!t->span_count || !model->run.wall_ns)
        return;
    const char **name = memory_zeroed(model->thread_count + 1, sizeof *name);
    p.name_columns = 7;
    for (size_t i = 0; i < model->thread_count; i++) {
        name[i] = name_cut(&arena, quote_plain(&arena, thread_label(&arena, model, &model->thread[i])), NAME_MOST);
        p.name_columns = text_columns(name[i]) > p.name_columns ? text_columns(name[i]) : p.name_columns;
    }
    p.columns = view->width - p.name_columns - 3;
    p.columns = p.columns < LEAST_COLUMNS ? LEAST_COLUMNS : p.columns > 160 ? 160 : p.columns;
    p.column_ns = (double)model->run.wall_ns / p.columns;
    p.part = memory_zeroed((size_t)p.columns * (LETTERS + 1), sizeof *p.part);
    p.letter = memory_zeroed(model->stage_count + 1, sizeof *p.letter);
    memset(p.letter, 0xff, (model->stage_count + 1) * sizeof *p.letter);
    snprintf(remark, sizeof remark, "%s, a column is %s; a letter is the stage that has most of it",
             figure_time(wall, (double)model->run.wall_ns), figure_time(column, p.column_ns));
    text_heading(out, view, "TIMELINE", remark);
    size_t most = view->top ? view->top : THREADS_SHOWN, shown = 0, threads = 0;
    for (size_t i = 0, next; i < t->span_count && t->span[i].thread != MODEL_NONE; i = next) {
        for (next = i; next < t->span_count && t->span[next].thread == t->span[i].thread;)
            next++;
        if (threads++ < most) {
            thread_print(&p, t->span[i].thread, i, next, name[t->span[i].thread]);
            shown++;
        }
    }
    legend_print(&p, view);
    text_more(out, threads - shown);
    fputs("-: no stage. Waits: . up to a third of the column, : up to two, # more\n", out);
    let_go_print(out, t, view);
    free(name);
    free(p.part);
    free(p.letter);
    arena_free(&arena);
}
