/* SPDX-License-Identifier: MIT */
/* jsonremark.c: what the compiler remarked of loops and lines with CPU time, in the JSON report. See json.c. */
#include "export/jsonrow.h"

static cJSON *remark_json(const struct model *model, const struct model_remark *r)
{
    cJSON *row = cJSON_CreateObject();
    add_text(row, "kind", remark_name(r->kind));
    add_text(row, "file", r->file);
    add_integer(row, "line", r->line);
    add_text(row, "function", r->function == MODEL_NONE ? r->symbol : model->function[r->function].name);
    if (r->loop_first) {
        add_integer(row, "loop_first_line", r->loop_first);
        add_integer(row, "loop_last_line", r->loop_last);
    }
    if (r->value)
        add_signed(row, "value", r->value);
    add_text_known(row, "detail", r->detail);
    add_text_known(row, "why", r->why);
    add_text(row, "text", r->text);
    add_whole(row, "self_ns", r->self_ns);
    if (r->kind == PP_REMARK_LOOP && r->is_counted) {
        struct value self = { r->self_ns, r->self_variance };
        add_whole(row, "entries", r->entries);
        if (r->steps > 0)
            add_whole(row, "steps", r->steps);
        if (r->growth) {
            add_text(row, "growth", r->growth);
            add_integer(row, "growth_sizes", r->growth_sizes);
            add_real(row, "growth_least_size", r->growth_least);
            add_real(row, "growth_most_size", r->growth_most);
            add_real(row, "growth_error_percent", r->growth_error_percent);
        }
        if (r->steps > 0 && r->self_ns > 0 && !value_is_vague(self)) {
            add_real(row, "step_ns", r->self_ns / r->steps);
            add_real(row, "step_error_percent", value_error_percent(self));
        }
    }
    return row;
}

void json_remarks(cJSON *root, const struct model *model)
{
    cJSON *list = NULL;
    for (size_t i = 0; i < model->remark_count; i++) {
        const struct model_remark *r = &model->remark[i];
        if (r->self_ns <= 0 && !(r->kind == PP_REMARK_LOOP && r->is_counted && r->entries > 0))
            continue;
        list = list ? list : cJSON_AddArrayToObject(root, "remarks");
        cJSON_AddItemToArray(list, remark_json(model, r));
    }
}
