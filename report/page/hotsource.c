/* SPDX-License-Identifier: MIT */
/* hotsource.c: the source of the functions with most CPU time and waits, with what its lines cost, for those who read
 * without scripts or on paper. */
#include "page/page.h"

#include <stdlib.h>
#include <string.h>

#include "model/namesake.h"
#include "page/markup.h"
#include "show/source.h"
#include "words/figure.h"

enum { FUNCTIONS_MOST = 12, LINES_MOST = 160, AROUND = 3 };

struct cost { /* of one line of source, in all functions together */
    uint32_t line;
    double self_ns, wait_ns;
    uint64_t hits;
    bool hits_known;
};

static double function_cost(const struct model_function *f)
{
    return f->self.ns + (double)traffic_wait_ns(&f->traffic);
}

static int cost_order(const void *a, const void *b)
{
    const struct cost *x = a, *y = b;
    return x->line < y->line ? -1 : x->line > y->line;
}

/* The lines of the function, sorted, each once. Free them. */
static struct cost *costs_find(const struct model *model, uint32_t function, size_t *count)
{
    const struct model_function *f = &model->function[function];
    struct cost *list = NULL;
    size_t found = 0, capacity = 0;
    for (size_t i = 0; i < model->line_count; i++) {
        const struct model_line *l = &model->line[i];
        if (l->function == function && strcmp(l->file, f->file) == 0)
            *ARRAY_PUSH(list, found, capacity) = (struct cost){ l->line, l->self.ns,
                                                                (double)traffic_wait_ns(&l->traffic), l->hits,
                                                                l->hits_known };
    }
    if (found)
        qsort(list, found, sizeof *list, cost_order);
    *count = found;
    return list;
}

static void row_write(FILE *out, uint32_t number, const char *text, const struct cost *c)
{
    char cpu[FIGURE_BYTES] = "", wait[FIGURE_BYTES] = "", hits[FIGURE_BYTES] = "";
    if (c && c->self_ns > 0)
        figure_time(cpu, c->self_ns);
    if (c && c->wait_ns > 0)
        figure_time(wait, c->wait_ns);
    if (c && c->hits_known)
        figure_count(hits, (double)c->hits);
    fprintf(out, "%9s %9s %9s %6u  ", hits, cpu, wait, number);
    if (c && (c->self_ns > 0 || c->wait_ns > 0))
        fputs("<b>", out);
    markup_source(out, text);
    fputs(c && (c->self_ns > 0 || c->wait_ns > 0) ? "</b>\n" : "\n", out);
}

static void function_write(FILE *out, struct arena *arena, const struct model *model, uint32_t function)
{
    const struct model_function *f = &model->function[function];
    const struct source *source = source_get(f->file);
    size_t count, at = 0;
    struct cost *cost = costs_find(model, function, &count);
    uint32_t lines = source ? (uint32_t)source_line_count(source) : 0;
    uint32_t first = f->line && count && f->line < cost[0].line ? f->line : count ? cost[0].line : 0;
    uint32_t last = count ? cost[count - 1].line + 1 : 0, shown = 0;
    if (first && first <= lines) {
        fputs("<section class=\"listing\">\n", out);
        markup_print(out, "<h3>%s ", function_label(arena, f));
        plain_place(out, f->file, f->line);
        markup_print(out, "</h3>\n<pre tabindex=\"0\" role=\"region\" aria-label=\"Source of %s\">",
                     function_label(arena, f));
        fprintf(out, "<i>%9s %9s %9s %6s</i>\n", "hits", "CPU", "wait", "line");
        for (uint32_t n = first; n <= last && n <= lines; n++) {
            while (at < count && cost[at].line < n)
                at++;
            if (shown++ == LINES_MOST) {
                fprintf(out, "<i>%u more lines</i>\n", last - n + 1);
                break;
            }
            bool costs = at < count && cost[at].line == n;
            row_write(out, n, source_line(source, n, false), costs ? &cost[at] : NULL);
        }
        fputs("</pre>\n</section>\n", out);
    }
    free(cost);
}

struct hot {
    double cost;
    uint32_t function;
};

static int hot_order(const void *a, const void *b)
{
    const struct hot *x = a, *y = b;
    return x->cost != y->cost ? (x->cost < y->cost) - (x->cost > y->cost) : x->function < y->function ? -1 : 1;
}

void plain_sources(FILE *out, const struct model *model)
{
    struct hot *hot = NULL;
    size_t count = 0, capacity = 0;
    struct arena arena = { 0 };
    fputs("<section id=\"sources\">\n<h2>Source of the hottest functions</h2>\n", out);
    for (uint32_t i = 0; i < model->function_count; i++) {
        const struct model_function *f = &model->function[i];
        double cost = f->kind <= PP_SITE_STAGE && f->file[0] ? function_cost(f) : 0;
        if (cost > 0)
            *ARRAY_PUSH(hot, count, capacity) = (struct hot){ cost, i };
    }
    if (count)
        qsort(hot, count, sizeof *hot, hot_order);
    for (size_t n = 0; n < count && n < FUNCTIONS_MOST; n++)
        function_write(out, &arena, model, hot[n].function);
    fputs("</section>\n", out);
    free(hot);
    arena_free(&arena);
}
