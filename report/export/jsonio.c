/* SPDX-License-Identifier: MIT */
/* jsonio.c: operations on files and sockets, and waits, as rows of the JSON report. See json.c. */
#include <stdio.h>
#include <stdlib.h>

#include "export/jsonrow.h"

void json_traffic(cJSON *to, const struct model_traffic *t)
{
    if (t->reads) {
        add_integer(to, "read_bytes", t->read_bytes);
        add_integer(to, "reads", t->reads);
    }
    if (t->writes) {
        add_integer(to, "write_bytes", t->write_bytes);
        add_integer(to, "writes", t->writes);
    }
    if (t->wall_ns) {
        add_integer(to, "call_wall_ns", t->wall_ns);
        add_integer(to, "wait_ns", traffic_wait_ns(t));
    }
}

void json_stage_waits(cJSON *to, const struct model_stage *s)
{
    char name[64];
    for (unsigned i = 0; i < PP_WAIT_COUNT; i++) {
        snprintf(name, sizeof name, "%s_wait_ns", wait_name(i));
        add_whole(to, name, stage_wait_ns(s, i));
    }
    if (stage_other_wait_ns(s) >= 0)
        add_whole(to, "other_wait_ns", stage_other_wait_ns(s));
}

static const char *target_kind(enum pp_target_kind kind)
{
    static const char *const name[] = { "unknown", "file", "pipe", "socket", "other" };
    return name[kind];
}

static void sum_json(cJSON *row, enum pp_operation_kind kind, const struct model_operations *sum)
{
    add_integer(row, "calls", sum->calls);
    if (sum->unfinished) {
        add_integer(row, "unfinished_calls", sum->unfinished);
        add_integer(row, "unfinished_ns", sum->unfinished_ns);
    }
    add_integer(row, "errors", sum->errors);
    if (operation_has_bytes(kind)) {
        add_integer(row, "bytes", sum->bytes);
        if (kind <= PP_OPERATION_SPLICE)
            add_integer(row, "sequential_calls", sum->sequential);
    }
    if (kind == PP_OPERATION_CONNECT)
        add_integer(row, "in_progress_calls", sum->sequential);
    if (kind == PP_OPERATION_SPLIT)
        add_integer(row, "nodelay_calls", sum->sequential);
    if (kind == PP_OPERATION_POLL || kind == PP_OPERATION_CHILD)
        add_integer(row, "found_nothing_calls", sum->sequential);
    add_integer(row, "wall_ns", sum->wall_ns);
    if (sum->untimed) {
        add_integer(row, "timed_calls", sum->calls - sum->untimed);
        add_real(row, "wall_error_percent", value_error_percent((struct value){ (double)sum->wall_ns, sum->variance }));
    }
    if (operation_is_call(kind))
        add_integer(row, "wait_ns", sum->wait_ns);
    add_integer(row, "max_ns", sum->most_ns);
    cJSON *sizes = cJSON_AddArrayToObject(row, "sizes");
    for (unsigned i = 0; i < PP_SIZES; i++)
        cJSON_AddItemToArray(sizes, json_integer(sum->size[i]));
}

static cJSON *operation_json(const struct model *model, const struct model_operation *o)
{
    cJSON *row = cJSON_CreateObject();
    add_text(row, "operation", operation_name(o->kind));
    add_text(row, "wait", wait_name(operation_wait(model, o)));
    if (o->line != MODEL_NONE) {
        add_text(row, "file", model->line[o->line].file);
        add_integer(row, "line", model->line[o->line].line);
    }
    if (o->function != MODEL_NONE) {
        add_text(row, "function", model->function[o->function].name);
        add_integer(row, "function_id", model->function[o->function].id);
    }
    if (o->stage != MODEL_NONE) {
        add_text(row, "stage", model->stage[o->stage].name);
        add_integer(row, "stage_id", model->stage[o->stage].id);
    }
    if (o->target != MODEL_NONE) {
        add_text(row, "target", model->target[o->target].name);
        add_text(row, "target_kind", target_kind(model->target[o->target].kind));
    }
    if (o->module != MODEL_NONE)
        add_text(row, "module", model->module[o->module].path);
    if (o->library != MODEL_NONE)
        add_text(row, "library", model->module[o->library].path);
    if (o->unsure)
        add_text(row, "jumped_from", o->unsure);
    cJSON_AddBoolToObject(row, "attributed", o->attributed);
    sum_json(row, o->kind, &o->sum);
    return row;
}

/* All operations on one target, by kind. */
static cJSON *target_json(const struct model *model, uint32_t target, const char *called)
{
    struct model_operations sum[PP_OPERATION_COUNT] = { 0 };
    cJSON *row = cJSON_CreateObject();
    add_text(row, called, model->target[target].name);
    add_text(row, "kind", target_kind(model->target[target].kind));
    operations_of_target(model, target, sum);
    uint64_t wall = 0, wait = 0;
    for (unsigned i = 0; i < PP_OPERATION_COUNT; i++) {
        char name[64];
        const char *word = operation_name(i);
        if (!sum[i].calls)
            continue;
        snprintf(name, sizeof name, "%s_calls", word);
        add_integer(row, name, sum[i].calls);
        if (operation_has_bytes(i)) {
            snprintf(name, sizeof name, "%s_bytes", word);
            add_integer(row, name, sum[i].bytes);
        }
        if (i <= PP_OPERATION_SPLICE) {
            snprintf(name, sizeof name, "%s_sequential_calls", word);
            add_integer(row, name, sum[i].sequential);
        }
        if (i == PP_OPERATION_CONNECT)
            add_integer(row, "connect_in_progress_calls", sum[i].sequential);
        snprintf(name, sizeof name, "%s_ns", word);
        add_integer(row, name, sum[i].wall_ns);
        snprintf(name, sizeof name, "%s_max_ns", word);
        add_integer(row, name, sum[i].most_ns);
        for (int k = 0; (i == PP_OPERATION_RESPONSE || i == PP_OPERATION_SERVED) && k < 3; k++) {
            double ns = target_percentile(&model->target[target], (enum pp_operation_kind)i, &sum[i],
                                          (const double[]){ 0.5, 0.95, 0.99 }[k]);
            snprintf(name, sizeof name, "%s_%s_ns", word, (const char *const[]){ "p50", "p95", "p99" }[k]);
            if (ns >= 0)
                add_whole(row, name, ns);
        }
        wall += operation_is_call(i) ? sum[i].wall_ns : 0;
        wait += operation_is_call(i) ? sum[i].wait_ns : 0;
    }
    add_integer(row, "wall_ns", wall);
    add_integer(row, "wait_ns", wait);
    return row;
}

static cJSON *stall_json(const struct model *model, const struct model_stall *s)
{
    cJSON *row = cJSON_CreateObject();
    add_text(row, "operation", operation_name(s->kind));
    if (s->line != MODEL_NONE) {
        const struct model_line *line = &model->line[s->line];
        add_text(row, "file", line->file);
        add_integer(row, "line", line->line);
        add_text(row, "function", model->function[line->function].name);
        add_integer(row, "function_id", model->function[line->function].id);
    }
    if (s->node)
        add_integer(row, "call_tree_id", s->node);
    if (s->unsure)
        add_text(row, "jumped_from", s->unsure);
    add_whole(row, "wait_ns", s->time.ns);
    add_real(row, "wait_error_percent", value_error_percent(s->time));
    add_integer(row, "unfinished_calls", s->unfinished);
    add_whole(row, "unfinished_ns", s->unfinished_ns);
    cJSON_AddBoolToObject(row, "at_least", s->unfinished && unfinished_at_least(model));
    cJSON_AddBoolToObject(row, "idle", s->unfinished && s->idle == s->unfinished);
    cJSON *list = s->unfinished ? cJSON_AddArrayToObject(row, "unfinished") : NULL;
    for (size_t i = 0; list && i < model->unfinished_count; i++) {
        const struct model_unfinished *u = &model->unfinished[i];
        if (u->kind != s->kind || u->line != s->line || u->node != s->node)
            continue;
        cJSON *one = cJSON_CreateObject();
        add_integer(one, "thread_id", u->thread);
        add_whole(one, "wait_ns", u->ns);
        cJSON_AddBoolToObject(one, "idle", u->idle);
        cJSON_AddItemToArray(list, one);
    }
    return row;
}

void json_place(cJSON *row, const struct model *model, const char *prefix, uint32_t line, uint32_t function)
{
    char name[64];
    if (line != MODEL_NONE) {
        snprintf(name, sizeof name, "%sfile", prefix);
        add_text(row, name, model->line[line].file);
        snprintf(name, sizeof name, "%sline", prefix);
        add_integer(row, name, model->line[line].line);
    }
    snprintf(name, sizeof name, "%sfunction", prefix);
    if (function != MODEL_NONE)
        add_text(row, name, model->function[function].name);
}

static cJSON *hold_json(const struct model *model, const struct model_hold *h)
{
    cJSON *row = cJSON_CreateObject();
    json_place(row, model, "", h->line, h->function);
    add_integer(row, "waits", h->waits);
    add_integer(row, "wait_ns", h->wait_ns);
    add_integer(row, "max_ns", h->most_ns);
    json_place(row, model, "holder_", h->holder_line, h->holder_function);
    add_integer(row, "held_io_ns", h->own_ns);
    if (h->own_ns) {
        add_text(row, "held_io_kind", operation_name(h->own_kind));
        json_place(row, model, "held_io_", h->own_line, MODEL_NONE);
    }
    return row;
}

void json_operations(cJSON *root, const struct model *model)
{
    cJSON *waits = cJSON_AddArrayToObject(root, "waits");
    for (size_t i = 0; i < model->stall_count; i++)
        cJSON_AddItemToArray(waits, stall_json(model, &model->stall[i]));
    cJSON *list = cJSON_AddArrayToObject(root, "locks");
    for (size_t i = 0; i < model->hold_count; i++)
        cJSON_AddItemToArray(list, hold_json(model, &model->hold[i]));
    list = cJSON_AddArrayToObject(root, "operations");
    for (size_t i = 0; i < model->operation_count; i++)
        cJSON_AddItemToArray(list, operation_json(model, &model->operation[i]));
    list = cJSON_AddArrayToObject(root, "files");
    cJSON *endpoints = cJSON_AddArrayToObject(root, "endpoints");
    for (uint32_t i = 0; i < model->target_count; i++)
        if (model->target[i].kind == PP_TARGET_SOCKET)
            cJSON_AddItemToArray(endpoints, target_json(model, i, "endpoint"));
        else
            cJSON_AddItemToArray(list, target_json(model, i, "path"));
}
