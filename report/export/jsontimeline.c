/* SPDX-License-Identifier: MIT */
/* jsontimeline.c: when things happened, in the JSON report: the spans of threads, and values of counts and gauges. See
 * json.c. */
#include "export/jsonrow.h"

static const char *const kind_name[SPAN_KIND_COUNT] = { "stage", "iteration", "wait" };
static const char *const table_name[PP_TIMELINE_KIND_COUNT] = { "activations", "waits", "values" };

static void thread_add(cJSON *row, const struct model *model, uint32_t thread)
{
    if (thread != MODEL_NONE)
        add_integer(row, "thread_id", model->thread[thread].id);
}

static cJSON *span_json(const struct model *model, const struct model_span *s)
{
    cJSON *row = cJSON_CreateObject();
    add_text(row, "kind", kind_name[s->kind]);
    thread_add(row, model, s->thread);
    add_integer(row, "start_offset_ns", s->start_ns);
    add_integer(row, "wall_ns", s->wall_ns);
    if (s->stage != MODEL_NONE) {
        add_text(row, "stage", model->stage[s->stage].name);
        add_integer(row, "stage_id", model->stage[s->stage].id);
    }
    if (s->kind == SPAN_WAIT) {
        add_text(row, "operation", operation_name(s->operation));
        json_place(row, model, "", s->line, s->function);
    } else {
        add_integer(row, "index", s->index);
    }
    if (s->live_bytes)
        add_integer(row, "live_bytes", s->live_bytes - 1);
    if (s->open)
        cJSON_AddTrueToObject(row, "open");
    return row;
}

static void counts_json(cJSON *to, const char *name, const uint64_t count[PP_TIMELINE_KIND_COUNT])
{
    cJSON *row = cJSON_AddObjectToObject(to, name);
    for (unsigned k = 0; k < PP_TIMELINE_KIND_COUNT; k++)
        add_integer(row, table_name[k], count[k]);
}

void json_timeline(cJSON *root, const struct model *model)
{
    const struct model_timeline *t = &model->timeline;
    if (!t->recorded)
        return;
    cJSON *timeline = cJSON_AddObjectToObject(root, "timeline");
    counts_json(timeline, "seen", t->seen);
    counts_json(timeline, "let_go", t->let_go);
    cJSON *list = cJSON_AddArrayToObject(timeline, "spans");
    for (size_t i = 0; i < t->span_count; i++)
        if (stage_is_within(model, t->span[i].stage))
            cJSON_AddItemToArray(list, span_json(model, &t->span[i]));
    list = cJSON_AddArrayToObject(timeline, "values");
    for (size_t i = 0; i < t->reading_count; i++) {
        const struct model_reading *r = &t->reading[i];
        cJSON *row = cJSON_CreateObject();
        add_text(row, "name", model->number[r->number].name);
        thread_add(row, model, r->thread);
        add_integer(row, "offset_ns", r->at_ns);
        add_signed(row, "value", r->value);
        cJSON_AddItemToArray(list, row);
    }
}
