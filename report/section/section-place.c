/* SPDX-License-Identifier: MIT */
/* section-place.c: what source files cost, and the program and its libraries: sums of lines and functions. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "section/section.h"
#include "show/table.h"
#include "store/map.h"
#include "words/figure.h"
#include "words/quote.h"
#include "words/shortname.h"

struct place { /* a file or a module */
    const char *name;
    struct value self;
    double system_ns;
    uint64_t wait_ns, samples, hits, functions;
};
struct places {
    struct place *row;
    size_t count, capacity;
    struct map known;
};

static struct place *place_get(struct places *all, const char *name)
{
    uint32_t *at = map_at_text(&all->known, name);
    if (*at == MAP_FRESH) {
        *at = (uint32_t)all->count;
        *ARRAY_PUSH(all->row, all->count, all->capacity) = (struct place){ .name = name };
    }
    return &all->row[*at];
}

static void value_take(struct value *to, struct value more)
{
    to->ns += more.ns;
    to->variance += more.variance;
}

/* A line stands in its file, and what a function has on no line in the function's. */
static void files_sum(struct places *all, const struct model *model)
{
    double *system = memory_zeroed(model->function_count, sizeof *system);
    for (size_t i = 0; i < model->line_count; i++) {
        const struct model_line *l = &model->line[i];
        struct place *p = place_get(all, l->file);
        value_take(&p->self, l->self);
        p->system_ns += l->system_ns;
        p->wait_ns += traffic_wait_ns(&l->traffic);
        p->samples += l->samples;
        p->hits += l->hits_known ? l->hits : 0;
        system[l->function] += l->system_ns;
    }
    for (size_t i = 0; i < model->function_count; i++) {
        const struct model_function *f = &model->function[i];
        if (f->kind > PP_SITE_STAGE || (f->remainder_ns <= 0 && !f->calls && !f->samples))
            continue;
        struct place *p = place_get(all, f->file[0] ? f->file : "(no file)");
        p->self.ns += f->remainder_ns;
        p->system_ns += fmax(0, f->system_ns - system[i]);
        p->functions++;
    }
    free(system);
}

static void modules_sum(struct places *all, const struct model *model)
{
    for (size_t i = 0; i < model->function_count; i++) {
        const struct model_function *f = &model->function[i];
        const char *path = "(no module)";
        if (f->kind > PP_SITE_STAGE)
            continue;
        for (size_t k = 0; k < model->module_count; k++)
            path = model->module[k].id == f->module_id ? model->module[k].path : path;
        if (f->self.ns <= 0 && !f->calls && !traffic_wait_ns(&f->traffic))
            continue;
        struct place *p = place_get(all, path);
        value_take(&p->self, f->self);
        p->system_ns += f->system_ns;
        p->wait_ns += traffic_wait_ns(&f->traffic);
        p->functions++;
    }
    for (size_t k = 0; k < model->module_count; k++)
        if (model->module[k].samples)
            place_get(all, model->module[k].path)->samples += model->module[k].samples;
}

static const char *sorted; /* qsort has no context */

static double rank(const struct place *p)
{
    return sorted && strcmp(sorted, "wait") == 0      ? (double)p->wait_ns
           : sorted && strcmp(sorted, "samples") == 0 ? (double)p->samples
                                                      : p->self.ns;
}

static int by_rank(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    bool named = sorted && strcmp(sorted, "name") == 0;
    if (!named && rank(x) != rank(y))
        return rank(x) < rank(y) ? 1 : -1;
    return strcmp(x->name, y->name);
}

static void places_print(FILE *out, const struct model *model, const struct view *view, struct places *all,
                         bool modules)
{
    const struct table_column column[] = {
        { modules ? "MODULES" : "SOURCES", true, 0 }, { "cpu", false, 0 },     { "+-", false, 30 },
        { "% CPU", false, 60 },                       { "kernel", false, 50 }, { "waits", false, 55 },
        { "samples", false, 20 },                     { "hits", false, 25 },   { "functions", false, 10 },
    };
    struct arena arena = { 0 };
    struct table table = { .arena = &arena,
                           .column = column,
                           .columns = sizeof column / sizeof *column,
                           .colour = view->colour,
                           .sorted = !view->sort                          ? "cpu"
                                     : strcmp(view->sort, "name") == 0    ? column[0].title
                                     : strcmp(view->sort, "wait") == 0    ? "waits"
                                     : strcmp(view->sort, "samples") == 0 ? "samples"
                                                                          : "cpu" };
    char text[FIGURE_BYTES];
    size_t shown = 0, left_out = 0;
    double whole = coverage_cpu_ns(model);
    sorted = view->sort;
    if (all->count)
        qsort(all->row, all->count, sizeof *all->row, by_rank);
    for (size_t i = 0; i < all->count; i++) {
        const struct place *p = &all->row[i];
        double share = whole > 0 ? p->self.ns / whole : 0;
        if ((p->self.ns <= 0 && !p->wait_ns && !p->samples && !p->hits) ||
            !view_matches(view, p->name, path_short(p->name)))
            continue;
        if ((view->top && shown == view->top) || 100 * share < view->min_percent) {
            left_out++;
            continue;
        }
        shown++;
        table_cell(&table, name_cut(&arena, quote_plain(&arena, p->name), name_room(view)));
        table_cell(&table, p->self.ns > 0 ? figure_time(text, p->self.ns) : "-");
        table_cell(&table, p->self.ns > 0 ? text_error(text, p->self, "samples") : "-");
        table_cell(&table, p->self.ns > 0 ? figure_share(text, share) : "-");
        table_cell(&table, p->system_ns > 0 ? figure_time(text, p->system_ns) : "-");
        table_cell(&table, p->wait_ns ? figure_time(text, (double)p->wait_ns) : "-");
        table_cell(&table, p->samples ? figure_count(text, (double)p->samples) : "-");
        table_cell(&table, p->hits ? figure_count(text, (double)p->hits) : "-");
        table_cell(&table, p->functions ? figure_count(text, (double)p->functions) : "-");
    }
    if (shown || left_out) {
        fputc('\n', out);
        table_print(&table, out, view->width);
        text_more(out, left_out);
        text_foot(out, view, &table,
                  modules ? "cpu: of its functions, with the libraries that they call; samples: taken in it itself"
                          : "cpu: of its lines, and what its functions have on no line; hits: of its lines together");
    }
    free(all->row);
    map_free(&all->known);
    table_free(&table);
    arena_free(&arena);
}

void text_sources(FILE *out, const struct model *model, const struct view *view)
{
    struct places all = { .row = NULL };
    files_sum(&all, model);
    places_print(out, model, view, &all, false);
}

void text_modules(FILE *out, const struct model *model, const struct view *view)
{
    struct places all = { .row = NULL };
    modules_sum(&all, model);
    places_print(out, model, view, &all, true);
}
