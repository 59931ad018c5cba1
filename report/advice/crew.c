/* SPDX-License-Identifier: MIT */
/* crew.c: see crew.h. */
#include "advice/crew.h"

#include <math.h>
#include <string.h>

bool crew_find(const struct advice *a, struct crew *c)
{
    const struct model *model = a->model;
    double unlisted = fmax(0, (double)model->run.thread_count - (double)model->thread_count),
           lost = (double)model->run.losses[PP_LOSS_THREADS] + unlisted, recorded = a->others.threads;
    *c = (struct crew){ .threads = recorded + lost, .lost = lost, .cpu_ns = a->others.cpu_ns };
    if (lost > 0 && recorded > 0) /* those that were not recorded are taken to be as the others */
        c->cpu_ns *= c->threads / recorded;
    for (size_t i = 0; i < a->use_count; i++) {
        const struct advice_use *use = &a->use[i];
        if (use->kind == PP_OPERATION_START && (!c->start || use->sum.calls > c->start->sum.calls))
            c->start = use;
        if (use->kind != PP_OPERATION_JOIN)
            continue;
        c->joined_ns += (double)use->sum.first_wall_ns;
        if (!c->join || use->sum.first_wall_ns > c->join->sum.first_wall_ns)
            c->join = use;
    }
    c->cpus = model->run.cpu_count ? (double)model->run.cpu_count : 2;
    /* Threads of another kind, such as a library's, are few. */
    return c->start && c->join && c->joined_ns > 0 && (double)c->start->sum.calls >= 0.9 * c->threads &&
           fabs((double)c->start->sum.calls - c->threads) <= 1 + 0.1 * c->threads;
}

/* The line of the function below which most of it is. */
static uint32_t busiest_line(const struct model *model, uint32_t function)
{
    uint32_t best = MODEL_NONE;
    double most = 0;
    for (uint32_t i = 0; i < model->line_count && function != MODEL_NONE; i++)
        if (model->line[i].function == function && model->line[i].total.ns > most) {
            most = model->line[i].total.ns;
            best = i;
        }
    return best;
}

uint32_t crew_line(const struct advice *a)
{
    const struct model *model = a->model;
    uint32_t first = MODEL_NONE;
    double most = 0;
    for (size_t i = 1; i < model->node_count; i++) {
        const struct model_node *n = &model->node[i];
        bool is_main = n->function != MODEL_NONE && strcmp(model->function[n->function].name, "main") == 0;
        if (n->parent == 0 && n->function != MODEL_NONE && !is_main && n->below.ns > most) {
            most = n->below.ns;
            first = n->function;
        }
    }
    return busiest_line(model, first);
}

uint32_t crew_line_of(const struct advice *a, uint32_t thread)
{
    const struct model *model = a->model;
    for (size_t i = 0; i < model->sample_count; i++) {
        uint32_t node = model->sample[i].node, line;
        if (model->sample[i].thread != thread || !node)
            continue;
        while (model->node[node].parent)
            node = model->node[node].parent;
        if ((line = busiest_line(model, model->node[node].function)) != MODEL_NONE)
            return line;
    }
    return MODEL_NONE;
}
