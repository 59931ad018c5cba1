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
