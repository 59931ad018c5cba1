/* SPDX-License-Identifier: MIT */
/* section-thread.c: threads, their timeline, and processes that this one started or became. */
#include <stdlib.h>
#include <string.h>

#include "words/figure.h"
#include "words/quote.h"
#include "words/shortname.h"
#include "show/table.h"
#include "section/section.h"

static const struct model_thread *threads; /* qsort has no context */

static int by_cpu(const void *a, const void *b)
{
    const struct model_thread *x = &threads[*(const uint32_t *)a], *y = &threads[*(const uint32_t *)b];
    return x->cpu_ns != y->cpu_ns     ? (x->cpu_ns < y->cpu_ns ? 1 : -1)
           : x->wall_ns != y->wall_ns ? (x->wall_ns < y->wall_ns ? 1 : -1)
           : x->id < y->id            ? -1
                                      : x->id > y->id;
}

void text_threads(FILE *out, const struct model *model, const struct view *view)
{
    static const struct table_column column[] = {
        { "THREADS", true, 0 },       { "id", false, 20 },    { "lived", false, 0 },   { "cpu", false, 0 },
        { "of its time", false, 40 }, { "% CPU", false, 60 }, { "no CPU", false, 30 }, { "samples", false, 10 },
    };
    struct arena arena = { 0 };
    struct table table = { .arena = &arena,
                           .column = column,
                           .columns = sizeof column / sizeof *column,
                           .colour = view->colour,
                           .sorted = "cpu" };
    char text[FIGURE_BYTES];
    uint32_t *list = memory_zeroed(model->thread_count, sizeof *list);
    size_t shown = view->top && view->top < model->thread_count ? view->top : model->thread_count;
    double whole = (double)(model->run.user_ns + model->run.system_ns);
    for (uint32_t i = 0; i < model->thread_count; i++)
        list[i] = i;
    threads = model->thread;
    if (model->thread_count)
        qsort(list, model->thread_count, sizeof *list, by_cpu);
    for (size_t i = 0; i < shown; i++) {
        const struct model_thread *t = &model->thread[list[i]];
        double cpu = (double)t->cpu_ns, wall = (double)t->wall_ns;
        table_cell(&table, name_cut(&arena, t->name[0] ? t->name : "(no name)", name_room(view)));
        table_cell(&table, arena_print(&arena, "%llu", (unsigned long long)t->id));
        table_cell(&table, figure_time(text, wall));
        table_cell(&table, figure_time(text, cpu));
        table_cell(&table, wall > 0 ? figure_share(text, cpu < wall ? cpu / wall : 1) : "-");
        table_cell(&table, whole > 0 ? figure_share(text, cpu < whole ? cpu / whole : 1) : "-");
        table_cell(&table, t->delay_ns ? figure_time(text, (double)t->delay_ns) : "-");
        table_cell(&table, figure_count(text, (double)t->samples));
    }
    if (shown) {
        fputc('\n', out);
        table_print(&table, out, view->width);
        text_more(out, model->thread_count - shown);
        text_foot(out, view, &table,
                  "of its time: cpu, of the time that the thread lived; % CPU: cpu, of the program's; "
                  "no CPU: ready to run, while others ran");
    }
    free(list);
    table_free(&table);
    arena_free(&arena);
}

void text_timeline(FILE *out, const struct model *model, const struct view *view) { text_lanes(out, model, view); }

void text_children(FILE *out, const struct model *model, const struct view *view)
{
    char wall[FIGURE_BYTES], cpu[CPU_BYTES], end[64];
    struct arena arena = { 0 };
    if (!model->run.child_count)
        return;
    text_heading(out, view, "CHILDREN", "each has its own data file");
    for (size_t i = 0; i < model->run.child_count; i++) {
        const struct model_child *c = &model->run.child[i];
        bool numbered = c->exit_kind == MODEL_EXIT_EXIT || c->exit_kind == MODEL_EXIT_SIGNAL;
        snprintf(end, sizeof end, numbered ? "%s %d" : "%s", exit_name(c->exit_kind), c->exit_status);
        if (c->readable)
            fprintf(out, "%u  %s wall, %s, %s  %s\n", c->pid, figure_time(wall, (double)c->wall_ns),
                    text_cpu(cpu, c->cpu_ns), end, quote_plain(&arena, c->path));
        else
            fprintf(out, "%u  %s\n", c->pid, quote_plain(&arena, c->complaint ? c->complaint : c->path));
    }
    arena_free(&arena);
}
