/* SPDX-License-Identifier: MIT */
/* jsonthread.c: threads, and those that one line started, as rows of the JSON report. See json.c. */
#include "export/jsonrow.h"

static void groups_json(cJSON *root, const struct model *model)
{
    cJSON *list = cJSON_AddArrayToObject(root, "thread_groups");
    for (size_t i = 0; i < model->group_count; i++) {
        const struct model_group *g = &model->group[i];
        cJSON *row = cJSON_CreateObject();
        json_place(row, model, "started_", g->line, g->function);
        add_integer(row, "threads", g->threads);
        add_integer(row, "most_at_once", g->most_at_once);
        add_integer(row, "cpu_ns", g->cpu_ns);
        add_integer(row, "max_cpu_ns", g->most_cpu_ns);
        add_integer(row, "mean_cpu_ns", g->cpu_ns / g->threads);
        add_integer(row, "run_delay_ns", g->delay_ns);
        add_integer(row, "wait_ns", g->wait_ns);
        add_integer(row, "lifetime_ns", g->lifetime_ns);
        add_integer(row, "union_ns", g->union_ns);
        if (g->union_ns)
            add_real(row, "overlap", (double)g->lifetime_ns / (double)g->union_ns);
        cJSON_AddItemToArray(list, row);
    }
}

void json_threads(cJSON *root, const struct model *model)
{
    cJSON *list = cJSON_AddArrayToObject(root, "threads");
    for (size_t i = 0; i < model->thread_count; i++) {
        const struct model_thread *t = &model->thread[i];
        cJSON *row = cJSON_CreateObject();
        add_integer(row, "id", t->id);
        add_text(row, "name", t->name);
        add_integer(row, "wall_ns", t->wall_ns);
        add_integer(row, "cpu_ns", t->cpu_ns);
        if (t->delay_ns)
            add_integer(row, "run_delay_ns", t->delay_ns);
        add_integer(row, "samples", t->samples);
        add_integer(row, "start_offset_ns", t->start_ns);
        add_integer(row, "end_offset_ns", t->end_ns);
        add_integer(row, "wait_ns", t->wait_ns);
        json_place(row, model, "started_", t->started_line, t->started_function);
        json_place(row, model, "joined_", t->joined_line, t->joined_function);
        cJSON_AddItemToArray(list, row);
    }
    groups_json(root, model);
}

static void part_json(cJSON *list, const struct model_part *p)
{
    cJSON *row = cJSON_CreateObject();
    add_text(row, "file", p->path);
    add_text(row, "exit_kind", exit_name(p->exit_kind));
    add_signed(row, "exit_status", p->exit_status);
    add_integer(row, "threads", p->threads);
    add_integer(row, "start_realtime_ns", p->start_realtime_ns);
    add_integer(row, "wall_ns", p->wall_ns);
    add_integer(row, "cpu_ns", p->cpu_ns);
    add_integer(row, "peak_rss_bytes", p->peak_rss_bytes);
    cJSON_AddItemToArray(list, row);
}

void json_merged(cJSON *root, const struct model *model)
{
    if (!model->part_count)
        return;
    cJSON *merged = cJSON_AddObjectToObject(root, "merged");
    add_text(merged, "as", merge_as_name(model->merged_as));
    cJSON *files = cJSON_AddArrayToObject(merged, "files"), *spreads = cJSON_AddArrayToObject(merged, "spread");
    for (size_t i = 0; i < model->part_count; i++)
        part_json(files, &model->part[i]);
    for (size_t i = 0; i < model->spread_count; i++) {
        const struct model_spread *s = &model->spread[i];
        cJSON *row = cJSON_CreateObject();
        add_text(row, "of", spread_of_name(s->of));
        add_text(row, "value", spread_value_name(s->value));
        if (s->of != PP_SPREAD_RUN)
            add_text(row, "name", s->name);
        if (s->file[0])
            add_text(row, "source", s->file);
        add_integer(row, "files", s->parts);
        add_integer(row, "min", s->least);
        add_integer(row, "median", s->median);
        add_integer(row, "max", s->most);
        add_integer(row, "total", s->total);
        add_text(row, "min_file", model->part[s->least_part].path);
        add_text(row, "max_file", model->part[s->most_part].path);
        if (s->most_variance > 0) {
            add_real(row, "max_error_percent",
                     value_error_percent((struct value){ (double)s->most, s->most_variance }));
            cJSON_AddBoolToObject(row, "by_chance", s->by_chance);
        }
        cJSON_AddItemToArray(spreads, row);
    }
}
