/* SPDX-License-Identifier: MIT */
/* jsonnumber.c: counts and gauges, throughput and snapshots in the JSON report. See json.c. */
#include <math.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "export/jsonrow.h"

void json_counters(cJSON *to, const struct model *model, const struct model_tally *tally)
{
    cJSON *list = tally ? cJSON_AddObjectToObject(to, "counters") : NULL;
    for (size_t i = 0; tally && i < model->number_count; i++) {
        const struct model_tally *t = &tally[i];
        cJSON *row = t->count ? cJSON_AddObjectToObject(list, model->number[i].name) : NULL;
        if (!row)
            continue;
        add_text(row, "kind", model->number[i].kind == PP_NUMBER_GAUGE ? "gauge" : "count");
        add_integer(row, "count", t->count);
        if (t->sum == (int64_t)t->sum)
            add_signed(row, "sum", (int64_t)t->sum);
        else
            add_real(row, "sum", (double)t->sum);
        add_signed(row, "min", t->min);
        add_signed(row, "max", t->max);
    }
}

void json_throughput(cJSON *row, const struct model_stage *s)
{
    struct throughput t = stage_throughput(s);
    if (t.per_second > 0)
        add_real(row, "throughput_per_second", t.per_second);
    add_text(row, "throughput_unit", t.unit);
    add_integer(row, "throughput_count", t.handled);
    if (t.window_count) {
        add_integer(row, "throughput_window_ns", t.window_ns);
        add_real(row, "throughput_min_per_second", t.min);
        add_real(row, "throughput_median_per_second", t.median);
        add_real(row, "throughput_max_per_second", t.max);
    }
    if (!t.windows->total)
        return;
    cJSON *windows = cJSON_AddObjectToObject(row, "throughput_windows"), *counts;
    unsigned first = 0, last = PP_WINDOWS;
    while (!t.windows->count[first])
        first++;
    while (!t.windows->count[last - 1])
        last--;
    add_integer(windows, "width_ns", UINT64_C(1) << (PP_WINDOW_BITS + t.windows->shift));
    add_integer(windows, "start_offset_ns", (uint64_t)first << (PP_WINDOW_BITS + t.windows->shift));
    counts = cJSON_AddArrayToObject(windows, "counts");
    for (unsigned i = first; i < last; i++)
        cJSON_AddItemToArray(counts, json_integer(t.windows->count[i]));
}

void json_growth(cJSON *row, const struct model_stage *s)
{
    const struct model_growth *g = &s->growth;
    if (!g->step_count)
        return;
    add_integer(row, "growth_steps", g->step_count);
    add_integer(row, "growth_rises", g->rise_count);
    add_integer(row, "growth_step_entries", g->group);
    add_signed(row, "growth_bytes", (int64_t)(g->last_bytes - g->first_bytes));
    add_real(row, "growth_bytes_per_entry", g->slope_bytes);
    add_real(row, "growth_error_bytes_per_entry", g->slope_error_bytes);
    add_real(row, "growth_confidence_percent", g->confidence_percent);
    cJSON_AddBoolToObject(row, "growth_to_the_end", stage_grows(s));
}

/* ---- snapshots ---- */

/* Live bytes and blocks are negative if more was freed than allocated in that time. */
static void add_change(cJSON *row, const struct model_blocks *b)
{
    add_integer(row, "alloc_blocks", b->alloc_blocks);
    add_integer(row, "alloc_bytes", b->alloc_bytes);
    add_integer(row, "free_blocks", b->free_blocks);
    add_integer(row, "free_bytes", b->free_bytes);
    add_signed(row, "live_blocks", (int64_t)(b->alloc_blocks - b->free_blocks));
    add_signed(row, "live_bytes", blocks_live_bytes(b));
    struct blocks_errors error = blocks_errors(b); /* of what lives an upper bound: what came may have gone again */
    add_error(row, "alloc_blocks", (double)b->alloc_blocks, error.alloc_blocks);
    add_error(row, "alloc_bytes", (double)b->alloc_bytes, error.alloc_bytes);
    add_error(row, "free_blocks", (double)b->free_blocks, error.free_blocks);
    add_error(row, "free_bytes", (double)b->free_bytes, error.free_bytes);
    add_error(row, "live_blocks", (double)(int64_t)(b->alloc_blocks - b->free_blocks),
              hypot(error.alloc_blocks, error.free_blocks));
    add_error(row, "live_bytes", (double)blocks_live_bytes(b), hypot(error.alloc_bytes, error.free_bytes));
}

static cJSON *snapshot_json(const struct model *model, const struct model_snapshot *s)
{
    cJSON *row = cJSON_CreateObject();
    add_integer(row, "number", s->number);
    add_text(row, "label", s->label);
    add_integer(row, "at_ns", s->at_ns);
    add_integer(row, "took_ns", s->took_ns);
    if (s->flags & PP_SNAPSHOT_RSS)
        add_integer(row, "rss_bytes", s->rss_bytes);
    if (s->flags & PP_SNAPSHOT_CPU)
        add_integer(row, "cpu_ns", s->cpu_ns);
    struct model_blocks heap = blocks_with_variance(model, &s->heap);
    if (s->flags & PP_SNAPSHOT_HEAP)
        add_change(row, &heap);
    return row;
}

static cJSON *between_json(const struct model *model, const struct between *d)
{
    cJSON *row = cJSON_CreateObject(), *list;
    add_text(row, "from", d->from.label);
    add_text(row, "to", d->to.label);
    add_integer(row, "from_ns", d->from.at_ns);
    add_integer(row, "to_ns", d->to.at_ns);
    add_integer(row, "wall_ns", d->wall_ns);
    if (d->cpu_known)
        add_integer(row, "cpu_ns", d->cpu_ns);
    if (d->rss_known)
        add_signed(row, "rss_delta_bytes", d->rss_bytes);
    if (d->heap_known)
        add_change(row, &d->heap);
    list = cJSON_AddArrayToObject(row, "stages");
    for (size_t i = 0; i < d->stage_count; i++) {
        const struct model_stage *s = &model->stage[d->stage[i].stage];
        const struct model_moment *m = &d->stage[i].moment;
        cJSON *stage = cJSON_CreateObject();
        add_integer(stage, "id", s->id);
        add_text(stage, "name", s->name);
        add_text(stage, "key", s->key);
        add_integer(stage, "calls", m->calls);
        if (s->kind == PP_SITE_LOOP)
            add_integer(stage, "iterations", m->iterations);
        add_integer(stage, "wall_total_ns", m->wall_ns);
        for (unsigned k = 0; k < PP_METRIC_COUNT; k++)
            if (s->metric_known[k] && metric_is_sum(k)) /* only sums have a difference */
                add_metric(stage, k, m->metric[k]);
        cJSON_AddItemToArray(list, stage);
    }
    if (!d->sites_known)
        return row;
    list = cJSON_AddArrayToObject(row, "allocations");
    for (size_t i = 0; i < d->site_count; i++) {
        const struct model_allocation *a =
            d->site[i].allocation == MODEL_NONE ? NULL : &model->allocation[d->site[i].allocation];
        cJSON *site = cJSON_CreateObject();
        if (a && a->line != MODEL_NONE) {
            add_text(site, "file", model->line[a->line].file);
            add_integer(site, "line", model->line[a->line].line);
        }
        if (a && a->function != MODEL_NONE)
            add_text(site, "function", model->function[a->function].name);
        if (a && a->module != MODEL_NONE)
            add_text(site, "module", model->module[a->module].path);
        if (a && a->library != MODEL_NONE)
            add_text(site, "library", model->module[a->library].path);
        cJSON_AddBoolToObject(site, "attributed", a && a->attributed);
        add_change(site, &d->site[i].blocks);
        cJSON_AddItemToArray(list, site);
    }
    return row;
}

void json_snapshots(cJSON *root, const struct model *model, const struct between *between)
{
    if (model->snapshot_count) {
        cJSON *list = cJSON_AddArrayToObject(root, "snapshots");
        for (size_t i = 0; i < model->snapshot_count; i++)
            cJSON_AddItemToArray(list, snapshot_json(model, &model->snapshot[i]));
    }
    if (between)
        cJSON_AddItemToObject(root, "between", between_json(model, between));
}
