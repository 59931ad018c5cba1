/* SPDX-License-Identifier: MIT */
/* section-snapshot.c: the snapshots of a run, and what changed between two. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "merge/between.h"
#include "words/figure.h"
#include "model/namesake.h"
#include "words/shortname.h"
#include "words/plural.h"
#include "show/source.h"
#include "show/table.h"
#include "section/section.h"

/* With its sign. */
static const char *change_cell(struct arena *arena, const char *(*figure)(char *, double), int64_t change)
{
    char text[FIGURE_BYTES];
    return change ? arena_print(arena, "%c%s", change < 0 ? '-' : '+',
                                figure(text, change < 0 ? -(double)change : (double)change))
                  : "0";
}

/* The same of what lives of the heap, which sampled blocks estimate. */
static const char *live_cell(struct arena *arena, const struct model *model, int64_t change)
{
    return arena_print(arena, "%s%s", model->blocks_vary > 0 && change ? "~" : "",
                       change_cell(arena, figure_size, change));
}

static const char *label_of(struct arena *arena, const struct model_snapshot *s, const struct view *view)
{
    return name_cut(arena, s->label[0] ? s->label : arena_print(arena, "#%u", s->number), name_room(view));
}

void text_snapshots(FILE *out, const struct model *model, const struct view *view)
{
    static const struct table_column column[] = {
        { "SNAPSHOTS", true, 0 },      { "number", false, 20 },     { "at", false, 0 },
        { "cpu", false, 15 },          { "resident", false, 40 },   { "since last", false, 30 },
        { "live in heap", false, 50 }, { "since last", false, 45 }, { "asked for", false, 25 },
    };
    struct arena arena = { 0 };
    struct table table = {
        .arena = &arena, .column = column, .columns = sizeof column / sizeof *column, .colour = view->colour
    };
    char text[FIGURE_BYTES];
    size_t shown = view->top && view->top < model->snapshot_count ? view->top : model->snapshot_count;
    for (size_t i = 0; i < shown; i++) {
        const struct model_snapshot *s = &model->snapshot[i], *last = i ? s - 1 : NULL;
        bool rss = s->flags & PP_SNAPSHOT_RSS, heap = s->flags & PP_SNAPSHOT_HEAP;
        table_cell(&table, label_of(&arena, s, view));
        table_cell(&table, arena_print(&arena, "#%u", s->number));
        table_cell(&table, figure_time(text, (double)s->at_ns));
        table_cell(&table, s->flags & PP_SNAPSHOT_CPU ? figure_time(text, (double)s->cpu_ns) : "-");
        table_cell(&table, rss ? figure_size(text, (double)s->rss_bytes) : "-");
        table_cell(&table,
                   rss && last ? change_cell(&arena, figure_size, (int64_t)(s->rss_bytes - last->rss_bytes)) : "-");
        table_cell(&table, heap ? live_cell(&arena, model, blocks_live_bytes(&s->heap)) : "-");
        table_cell(&table, heap && last
                               ? live_cell(&arena, model, blocks_live_bytes(&s->heap) - blocks_live_bytes(&last->heap))
                               : "-");
        table_cell(&table, heap ? figure_size(text, (double)s->heap.alloc_bytes) : "-");
    }
    if (shown) {
        fputc('\n', out);
        table_print(&table, out, view->width);
        text_more(out, model->snapshot_count - shown);
        text_foot(out, view, &table,
                  "at, cpu: since the start of the run; "
                  "live in heap: recorded allocations that were not freed yet; "
                  "profplug report --between LABEL LABEL shows what changed, by stage and line");
    }
    table_free(&table);
    arena_free(&arena);
}

static void stages_print(FILE *out, const struct model *model, const struct between *d, const struct view *view)
{
    static const struct table_column column[] = {
        { "STAGES", true, 0 }, { "entries", false, 0 }, { "iterations", false, 40 }, { "total", false, 0 },
        { "mean", false, 30 }, { "cpu", false, 35 },    { "alloc", false, 45 },      { "kept", false, 50 },
        { "read", false, 25 }, { "write", false, 20 },
    };
    struct arena arena = { 0 };
    struct table table = {
        .arena = &arena, .column = column, .columns = sizeof column / sizeof *column, .colour = view->colour
    };
    char text[FIGURE_BYTES];
    bool open = false;
    for (size_t i = 0; i < d->stage_count; i++) {
        const struct model_stage *s = &model->stage[d->stage[i].stage];
        open = open || (d->to.number == UINT32_MAX && s->times.open);
        const struct model_moment *m = &d->stage[i].moment;
        double kept = m->metric[PP_METRIC_ALLOC_BYTES] - m->metric[PP_METRIC_FREE_BYTES];
        table_cell(&table, arena_print(&arena, "%*s%s", (int)(2 * (s->depth < 20 ? s->depth : 20)), "",
                                       name_cut(&arena, s->name, name_room(view))));
        table_cell(&table, figure_count(text, (double)m->calls));
        table_cell(&table, m->iterations ? figure_count(text, (double)m->iterations) : "-");
        table_cell(&table, figure_time(text, (double)m->wall_ns));
        table_cell(&table, m->calls ? figure_time(text, (double)m->wall_ns / (double)m->calls) : "-");
        table_cell(&table, s->metric_known[PP_METRIC_CPU] ? figure_time(text, m->metric[PP_METRIC_CPU]) : "-");
        table_cell(&table,
                   s->metric_known[PP_METRIC_ALLOC_BYTES] ? figure_size(text, m->metric[PP_METRIC_ALLOC_BYTES]) : "-");
        table_cell(&table,
                   !s->metric_known[PP_METRIC_ALLOC_BYTES]
                       ? "-"
                       : arena_print(&arena, "%s%s", s->metric_exact[PP_METRIC_FREE_BYTES] || !kept ? "" : "~",
                                     change_cell(&arena, figure_size, (int64_t)kept)));
        table_cell(&table,
                   s->metric_known[PP_METRIC_READ_BYTES] ? figure_size(text, m->metric[PP_METRIC_READ_BYTES]) : "-");
        table_cell(&table,
                   s->metric_known[PP_METRIC_WRITE_BYTES] ? figure_size(text, m->metric[PP_METRIC_WRITE_BYTES]) : "-");
    }
    if (d->stage_count) {
        fputc('\n', out);
        table_print(&table, out, view->width);
        text_foot(out, view, &table,
                  arena_print(&arena,
                              "entries and iterations that ended between the two snapshots, "
                              "with all their time and bytes%s; kept: allocated minus freed",
                              open ? "; stages still open at the end count as ended then, without their bytes" : ""));
    }
    table_free(&table);
    arena_free(&arena);
}

static const char *site_cell(struct arena *arena, const struct model *model, const struct model_allocation *a,
                             const struct view *view)
{
    if (!a || !a->attributed)
        return "(lines not kept)";
    if (a->line != MODEL_NONE)
        return name_cut(arena,
                        arena_print(arena, "%s:%u", path_short(model->line[a->line].file), model->line[a->line].line),
                        view->width / 4);
    return arena_print(arena, "(in %s)",
                       a->module != MODEL_NONE ? path_short(model->module[a->module].path) : "no module");
}

static void sites_print(FILE *out, const struct model *model, const struct between *d, const struct view *view)
{
    static const struct table_column column[] = {
        { "ALLOCATIONS", true, 0 }, { "live", false, 0 },     { "live blocks", false, 40 },
        { "asked for", false, 35 }, { "blocks", false, 25 },  { "given back", false, 30 },
        { "through", true, 45 },    { "function", true, 20 }, { "what", true, 10 },
    };
    struct arena arena = { 0 };
    struct table table = { .arena = &arena,
                           .column = column,
                           .columns = sizeof column / sizeof *column,
                           .colour = view->colour,
                           .sorted = "live" };
    char text[FIGURE_BYTES];
    size_t shown = view->top && view->top < d->site_count ? view->top : d->site_count;
    for (size_t i = 0; i < shown; i++) {
        const struct model_allocation *a =
            d->site[i].allocation == MODEL_NONE ? NULL : &model->allocation[d->site[i].allocation];
        const struct model_blocks *b = &d->site[i].blocks;
        const struct source *source = a && a->line != MODEL_NONE ? source_get(model->line[a->line].file) : NULL;
        const char *what = source ? source_line(source, model->line[a->line].line, true) : NULL;
        table_cell(&table, site_cell(&arena, model, a, view));
        const char *about = b->alloc_blocks_variance || b->free_blocks_variance ? "~" : "", *live[] = {
            change_cell(&arena, figure_size, blocks_live_bytes(b)),
            change_cell(&arena, figure_count, (int64_t)(b->alloc_blocks - b->free_blocks)),
        };
        for (int k = 0; k < 2; k++)
            table_cell(&table, live[k][0] == '0' ? live[k] : arena_print(&arena, "%s%s", about, live[k]));
        table_cell(&table, arena_print(&arena, "%s%s", about, figure_size(text, (double)b->alloc_bytes)));
        table_cell(&table, arena_print(&arena, "%s%s", about, figure_count(text, (double)b->alloc_blocks)));
        table_cell(&table, arena_print(&arena, "%s%s", about, figure_size(text, (double)b->free_bytes)));
        table_cell(&table, a && a->library != MODEL_NONE ? path_short(model->module[a->library].path) : "-");
        table_cell(&table,
                   a && a->function != MODEL_NONE
                       ? label_fit(&arena, function_label(&arena, &model->function[a->function]), view->width / 5)
                       : "");
        table_cell(&table, what ? what : "");
    }
    if (shown) {
        fputc('\n', out);
        table_print(&table, out, view->width);
        text_more(out, d->site_count - shown);
        text_foot(out, view, &table,
                  arena_print(&arena,
                              "live: the line's live blocks at the second snapshot minus those at the first; %s"
                              "through: the library that the line called",
                              model->blocks_vary > 0 ? "~: estimated from sampled blocks, errors in JSON; " : ""));
    } else if (!d->sites_known) {
        fputs("\nno lines: they need blocks=exact or sampled, and memory=on\n", out);
    }
    table_free(&table);
    arena_free(&arena);
}

void text_between(FILE *out, const struct model *model, const struct view *view)
{
    const struct between *d = view->between;
    struct arena arena = { 0 };
    char a[FIGURE_BYTES], b[FIGURE_BYTES], c[FIGURE_BYTES],
        *line = arena_print(&arena, "from %s (at %s) to %s (at %s): %s wall", label_of(&arena, &d->from, view),
                            figure_time(a, (double)d->from.at_ns), label_of(&arena, &d->to, view),
                            figure_time(b, (double)d->to.at_ns), figure_time(c, (double)d->wall_ns));
    if (d->cpu_known)
        line = arena_print(&arena, "%s, %s cpu", line, figure_time(a, (double)d->cpu_ns));
    if (d->rss_known)
        line = arena_print(&arena, "%s, resident %s", line, change_cell(&arena, figure_size, d->rss_bytes));
    if (d->heap_known)
        line = arena_print(&arena, "%s, live in heap %s (%s allocated in %s block%s, %s%s freed)", line,
                           live_cell(&arena, model, blocks_live_bytes(&d->heap)),
                           figure_size(a, (double)d->heap.alloc_bytes), figure_count(b, (double)d->heap.alloc_blocks),
                           plural(d->heap.alloc_blocks, "", "s"), model->blocks_vary > 0 ? "~" : "",
                           figure_size(c, (double)d->heap.free_bytes));
    text_heading(out, view, "BETWEEN", "");
    text_wrap(out, line, 0, 2, view->width);
    fputc('\n', out);
    stages_print(out, model, d, view);
    sites_print(out, model, d, view);
    arena_free(&arena);
}
