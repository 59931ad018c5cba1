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
    return row;
}

void json_remarks(cJSON *root, const struct model *model)
{
    cJSON *list = NULL;
    for (size_t i = 0; i < model->remark_count; i++) {
        if (model->remark[i].self_ns <= 0)
            continue;
        list = list ? list : cJSON_AddArrayToObject(root, "remarks");
        cJSON_AddItemToArray(list, remark_json(model, &model->remark[i]));
    }
}
