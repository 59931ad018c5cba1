/* SPDX-License-Identifier: MIT */
/* section-thread.c: threads, processes that this one started or became, and files that it was merged of: how they
 * differ, those with the largest difference between the most and the median first. */
#include <stdlib.h>
#include <string.h>

#include "model/namesake.h"
#include "store/map.h"
#include "words/figure.h"
#include "words/quote.h"
#include "words/shortname.h"
#include "show/table.h"
#include "section/section.h"

enum { MIXED = MODEL_NONE - 1 };

/* Threads that one line started began in one function, if those of which it is known agree. */
static void starts_share(const struct model *model, uint32_t *start)
{
    struct map known = { 0 };
    for (unsigned pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < model->thread_count; i++) {
            const struct model_thread *t = &model->thread[i];
            uint32_t by_point[] = { MODEL_NONE, t->started_point };
            uint32_t by_line[] = { t->started_line, t->started_function };
            uint32_t *at = map_at(&known, t->started_line == MODEL_NONE ? by_point : by_line, sizeof by_point);
            if (t->started_point && !pass && start[i] < MIXED)
                *at = *at != MAP_FRESH && *at != start[i] ? MIXED : start[i];
            else if (t->started_point && pass && start[i] >= MIXED && *at < MIXED)
                start[i] = *at;
        }
    map_free(&known);
}

/* By thread, the outermost function that its samples know, if those that know one know the same. Tables of a thread
 * that ended may have gone to the next, so where they differ nobody knows but threads that were started alike. */
static uint32_t *starts_find(struct arena *arena, const struct model *model)
{
    uint32_t *start = arena_take(arena, (model->thread_count + 1) * sizeof *start);
    for (size_t i = 0; i < model->thread_count; i++)
        start[i] = MODEL_NONE;
    for (size_t i = 0; i < model->sample_count; i++) {
        const struct model_sample *s = &model->sample[i];
        uint32_t node = s->node;
        if (s->thread >= model->thread_count || s->profiler || node >= model->node_count)
            continue;
        while (node && model->node[node].parent)
            node = model->node[node].parent;
        uint32_t function = node ? model->node[node].function : MODEL_NONE, *at = &start[s->thread];
        if (function != MODEL_NONE)
            *at = *at != MODEL_NONE && *at != function ? MIXED : function;
    }
    starts_share(model, start);
    return start;
}

/* Its name, and which of several of that name it is. */
static const char *thread_text(struct arena *arena, const struct model *model, uint32_t thread, uint32_t start)
{
    const struct model_thread *t = &model->thread[thread];
    const char *label = thread_label(arena, model, t), *name = label[0] ? label : "(no name)";
    if (thread_is_first(model, t) || start >= model->function_count)
        return name;
    return arena_print(arena, "%s in %s", name, label_fit(arena, function_label(arena, &model->function[start]), 40));
}

void text_threads(FILE *out, const struct model *model, const struct view *view)
{
    static const struct table_column column[] = {
        { "THREADS", true, 0 },       { "id", false, 20 },    { "lived", false, 0 },   { "cpu", false, 0 },
        { "of its time", false, 40 }, { "% CPU", false, 60 }, { "no CPU", false, 30 }, { "samples", false, 10 },
        { "waits", false, 5 },
    };
    struct arena arena = { 0 };
    struct table table = { .arena = &arena,
                           .column = column,
                           .columns = sizeof column / sizeof *column,
                           .colour = view->colour,
                           .sorted = !view->sort                          ? "cpu"
                                     : strcmp(view->sort, "name") == 0    ? "THREADS"
                                     : strcmp(view->sort, "total") == 0   ? "lived"
                                     : strcmp(view->sort, "samples") == 0 ? "samples"
                                     : strcmp(view->sort, "wait") == 0    ? "waits"
                                                                          : "cpu" };
    char text[FIGURE_BYTES];
    size_t shown, left_out;
    uint32_t *list = view_threads(model, view, &shown, &left_out);
    double whole = (double)(model->run.user_ns + model->run.system_ns);
    const uint32_t *start = starts_find(&arena, model);
    bool main_shown = false, start_shown = false;
    bool by_wait = view->sort && strcmp(view->sort, "wait") == 0;
    for (size_t i = 0; i < shown; i++) {
        const struct model_thread *t = &model->thread[list[i]];
        double cpu = (double)t->cpu_ns, wall = (double)t->wall_ns;
        const char *name = thread_text(&arena, model, list[i], start[list[i]]);
        main_shown = main_shown || (thread_is_first(model, t) && model->thread_count > 1);
        start_shown = start_shown || (!thread_is_first(model, t) && start[list[i]] < model->function_count);
        table_cell(&table, name_cut(&arena, name, name_room(view)));
        table_cell(&table, arena_print(&arena, "%llu", (unsigned long long)t->id));
        table_cell(&table, figure_time(text, wall));
        table_cell(&table, figure_time(text, cpu));
        table_cell(&table, wall > 0 ? figure_share(text, cpu < wall ? cpu / wall : 1) : "-");
        table_cell(&table, whole > 0 ? figure_share(text, cpu < whole ? cpu / whole : 1) : "-");
        table_cell(&table, t->delay_ns ? figure_time(text, (double)t->delay_ns) : "-");
        table_cell(&table, figure_count(text, (double)t->samples));
        table_cell(&table, t->wait_ns && by_wait ? figure_time(text, (double)t->wait_ns) : "-");
    }
    if (shown) {
        fputc('\n', out);
        table_print(&table, out, view->width);
        text_more(out, left_out);
        text_foot(out, view, &table,
                  arena_print(&arena,
                              "of its time: cpu, of the time that the thread lived; %% CPU: cpu, of the program's; "
                              "no CPU: ready to run, while others ran%s%s%s%s%s",
                              text_samples(&arena, model), main_shown || start_shown ? "; THREADS: " : "",
                              start_shown ? "after \"in\" stands the function that it began in" : "",
                              main_shown && start_shown ? ", and " : "",
                              main_shown ? "--thread main shows the main thread alone" : ""));
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

/* ---- merged files ---- */

static const struct model_spread *spreads; /* qsort has no context */

static uint64_t excess(const struct model_spread *s) { return s->most - s->median; }

static int by_excess(const void *a, const void *b)
{
    const struct model_spread *x = &spreads[*(const uint32_t *)a], *y = &spreads[*(const uint32_t *)b];
    return excess(x) != excess(y) ? (excess(x) < excess(y) ? 1 : -1)
           : x->most != y->most   ? (x->most < y->most ? 1 : -1)
                                  : strcmp(x->name, y->name);
}

static const char *figure(char *to, const struct model_spread *s, uint64_t value)
{
    return s->value == PP_SPREAD_RSS     ? figure_size(to, (double)value)
           : s->value == PP_SPREAD_CALLS ? figure_count(to, (double)value)
                                         : figure_time(to, (double)value);
}

static const char *run_name(const struct model_spread *s)
{
    static const char *const name[] = { "wall time", "cpu time", "peak memory", "calls" };
    return name[s->value];
}

/* The shortest end of the path that is that file's alone. */
static const char *part_name(const struct model *model, uint32_t part)
{
    const char *path = model->part[part].path, *at = path + strlen(path);
    for (bool alone = false; !alone && at > path;) {
        while (at > path && *--at != '/') {}
        const char *end = *at == '/' ? at + 1 : at;
        alone = true;
        for (size_t i = 0; i < model->part_count && alone; i++) {
            size_t length = strlen(model->part[i].path), wanted = strlen(end);
            alone = i == part || length < wanted || strcmp(model->part[i].path + length - wanted, end) != 0 ||
                    (length > wanted && end > path && model->part[i].path[length - wanted - 1] != '/');
        }
        if (alone)
            return end;
    }
    return path;
}

static void rows_print(FILE *out, const struct model *model, const struct view *view, const char *title,
                       enum pp_spread_of of, bool calls)
{
    const struct table_column column[] = {
        { title, true, 0 },    { "min", false, 30 },   { "median", false, 0 }, { "max", false, 0 },
        { "+-", false, 20 },   { "of median", false, 40 }, { "files", false, 10 }, { "max in", true, 0 },
    };
    struct arena arena = { 0 };
    struct table table = { .arena = &arena,
                           .column = column,
                           .columns = sizeof column / sizeof *column,
                           .colour = view->colour };
    char text[FIGURE_BYTES];
    uint32_t *list = memory_zeroed(model->spread_count + 1, sizeof *list);
    size_t count = 0;
    for (uint32_t i = 0; i < model->spread_count; i++)
        if (model->spread[i].of == of && (model->spread[i].value == PP_SPREAD_CALLS) == calls &&
            (!calls || model->spread[i].least != model->spread[i].most))
            list[count++] = i;
    spreads = model->spread;
    if (of != PP_SPREAD_RUN && count)
        qsort(list, count, sizeof *list, by_excess);
    size_t shown = view->top && of != PP_SPREAD_RUN && view->top < count ? view->top : count;
    for (size_t i = 0; i < shown; i++) {
        const struct model_spread *s = &model->spread[list[i]];
        char error[32] = "-";
        table_cell(&table, of == PP_SPREAD_RUN     ? run_name(s)
                           : of == PP_SPREAD_STAGE ? name_cut(&arena, s->name, name_room(view))
                                                   : name_fit(&arena, s->name, name_room(view)));
        table_cell(&table, figure(text, s, s->least));
        table_cell(&table, figure(text, s, s->median));
        table_cell(&table, figure(text, s, s->most));
        if (s->most_variance > 0)
            text_error(error, (struct value){ (double)s->most, s->most_variance }, "samples");
        table_cell(&table, error);
        table_cell(&table, s->most_variance > 0 && s->by_chance ? "chance"
                           : s->median ? arena_print(&arena, "%+.1f%%", 100 * ((double)s->most / (double)s->median - 1))
                                       : "-");
        table_cell(&table, arena_print(&arena, "%u of %zu", s->parts, model->part_count));
        table_cell(&table, part_name(model, s->most_part));
    }
    if (shown) {
        fputc('\n', out);
        table_print(&table, out, view->width);
        text_more(out, count - shown);
        if (of == PP_SPREAD_FUNCTION && !calls)
            text_foot(out, view, &table,
                      "user CPU time by samples; chance: errors explain how the files differ; files: that have any");
    }
    free(list);
    table_free(&table);
    arena_free(&arena);
}

void text_spread(FILE *out, const struct model *model, const struct view *view)
{
    struct arena arena = { 0 };
    if (!model->part_count)
        return;
    rows_print(out, model, view, arena_print(&arena, "SPREAD OF %zu FILES (%s)", model->part_count,
                                             merge_as_name(model->merged_as)),
               PP_SPREAD_RUN, false);
    rows_print(out, model, view, "STAGES: WALL TIME", PP_SPREAD_STAGE, false);
    rows_print(out, model, view, "FUNCTIONS: CPU TIME", PP_SPREAD_FUNCTION, false);
    rows_print(out, model, view, "STAGES: CALLS", PP_SPREAD_STAGE, true);
    rows_print(out, model, view, "FUNCTIONS: CALLS", PP_SPREAD_FUNCTION, true);
    arena_free(&arena);
}
