/* SPDX-License-Identifier: MIT */
/* threadsheet.c: threads, those that one line started, and what was seen at points of time. See sheet.h. */
#include "model/namesake.h"
#include "sheet/sheet.h"

#include <string.h>

static void place_put(struct sheet *s, const struct model *model, uint32_t line, uint32_t function)
{
    sheet_text(s, "file", line != MODEL_NONE ? model->line[line].file : "");
    sheet_number(s, "line", line != MODEL_NONE ? model->line[line].line : 0);
    sheet_text(s, "function", function != MODEL_NONE ? model->function[function].name : "");
}

void sheet_threads(struct book *book)
{
    const struct model *model = book->model;
    struct sheet *s = sheet_begin(book, "threads");
    for (size_t i = 0; i < model->thread_count; i++) {
        const struct model_thread *t = &model->thread[i];
        sheet_number(s, "id", t->id);
        sheet_text(s, "name", thread_label(&book->arena, model, t));
        sheet_number(s, "start_ns", t->start_ns);
        sheet_number(s, "end_ns", t->end_ns);
        sheet_number(s, "wall_ns", t->wall_ns);
        sheet_number(s, "cpu_ns", t->cpu_ns);
        sheet_number(s, "delay_ns", t->delay_ns);
        sheet_number(s, "wait_ns", t->wait_ns);
        sheet_number(s, "samples", t->samples);
        place_put(s, model, t->started_line, t->started_function);
        sheet_row(s);
    }
    sheet_end(s);
}

void sheet_threadgroups(struct book *book)
{
    const struct model *model = book->model;
    struct sheet *s = sheet_begin(book, "threadgroups");
    for (size_t i = 0; i < model->group_count; i++) {
        const struct model_group *g = &model->group[i];
        place_put(s, model, g->line, g->function);
        sheet_number(s, "threads", g->threads);
        sheet_number(s, "most_at_once", g->most_at_once);
        sheet_number(s, "cpu_ns", g->cpu_ns);
        sheet_number(s, "max_cpu_ns", g->most_cpu_ns);
        sheet_number(s, "delay_ns", g->delay_ns);
        sheet_number(s, "wait_ns", g->wait_ns);
        sheet_number(s, "lifetime_ns", g->lifetime_ns);
        sheet_number(s, "union_ns", g->union_ns);
        sheet_row(s);
    }
    sheet_end(s);
}

void sheet_snapshots(struct book *book)
{
    const struct model *model = book->model;
    struct sheet *s = sheet_begin(book, "snapshots");
    for (size_t i = 0; i < model->snapshot_count; i++) {
        const struct model_snapshot *p = &model->snapshot[i];
        bool heap = p->flags & PP_SNAPSHOT_HEAP;
        sheet_text(s, "label", p->label);
        sheet_number(s, "at_ns", p->at_ns);
        sheet_known(s, "rss_bytes", p->flags & PP_SNAPSHOT_RSS, p->rss_bytes);
        sheet_known(s, "cpu_ns", p->flags & PP_SNAPSHOT_CPU, p->cpu_ns);
        sheet_known(s, "live_bytes", heap && p->heap.alloc_bytes >= p->heap.free_bytes,
                    p->heap.alloc_bytes - p->heap.free_bytes);
        sheet_known(s, "alloc_bytes", heap, p->heap.alloc_bytes);
        sheet_row(s);
    }
    sheet_end(s);
}

/* What a stage handled, by window of time: only windows from the first to the last in which there was something. */
void sheet_windows(struct book *book)
{
    const struct model *model = book->model;
    struct sheet *s = sheet_begin(book, "windows");
    for (uint32_t i = 0; i < model->stage_count; i++) {
        struct throughput t = stage_throughput(&model->stage[i]);
        unsigned first = 0, last = PP_WINDOWS;
        if (!t.windows->total)
            continue;
        while (!t.windows->count[first])
            first++;
        while (!t.windows->count[last - 1])
            last--;
        for (unsigned k = first; k < last; k++) {
            sheet_number(s, "stage", i);
            sheet_text(s, "unit", t.unit);
            sheet_number(s, "start_ns", (uint64_t)k << (PP_WINDOW_BITS + t.windows->shift));
            sheet_number(s, "width_ns", UINT64_C(1) << (PP_WINDOW_BITS + t.windows->shift));
            sheet_number(s, "handled", t.windows->count[k]);
            sheet_row(s);
        }
    }
    sheet_end(s);
}

/* The slowest entries of stages and iterations of loops, whenever they were. */
static void slowest_put(struct sheet *s, const struct model_times *t, uint32_t stage, bool iteration)
{
    for (uint32_t k = 0; k < t->slowest_count; k++) {
        sheet_number(s, "stage", stage);
        sheet_number(s, "iteration", iteration);
        sheet_number(s, "index", t->slowest[k].index);
        sheet_number(s, "start_ns", t->slowest[k].start_ns);
        sheet_number(s, "wall_ns", t->slowest[k].wall_ns);
        sheet_number(s, "thread_id", t->slowest[k].thread_id);
        sheet_row(s);
    }
}

void sheet_slowest(struct book *book)
{
    const struct model *model = book->model;
    struct sheet *s = sheet_begin(book, "slowest");
    for (uint32_t i = 0; i < model->stage_count; i++) {
        slowest_put(s, &model->stage[i].times, i, false);
        if (model->stage[i].kind == PP_SITE_LOOP)
            slowest_put(s, &model->stage[i].iteration, i, true);
    }
    sheet_end(s);
}

/* Counts and gauges: outside of stages, then by stage. */
void sheet_numbers(struct book *book)
{
    const struct model *model = book->model;
    struct sheet *s = sheet_begin(book, "numbers");
    for (uint32_t i = 0; i <= model->stage_count; i++) {
        const struct model_tally *tally = i ? model->stage[i - 1].tally : model->outside;
        for (size_t k = 0; tally && k < model->number_count; k++) {
            if (!tally[k].count)
                continue;
            sheet_index(s, "stage", i ? i - 1 : MODEL_NONE);
            sheet_text(s, "name", model->number[k].name);
            sheet_number(s, "gauge", model->number[k].kind == PP_NUMBER_GAUGE);
            sheet_number(s, "times", tally[k].count);
            sheet_signed(s, "sum", (int64_t)tally[k].sum);
            sheet_signed(s, "min", tally[k].min);
            sheet_signed(s, "max", tally[k].max);
            sheet_row(s);
        }
    }
    sheet_end(s);
}
