/* SPDX-License-Identifier: MIT */
/* jsonadvice.c: recommendations[] of the JSON report. */
#include "export/jsonrow.h"

static const char *kind_name(enum saving_kind kind)
{
    static const char *const name[] = { "measured", "simulated", "bound" };
    return name[kind];
}

static cJSON *advice_json(const struct model *model, const struct model_advice *a)
{
    cJSON *row = cJSON_CreateObject(), *list;
    add_text(row, "id", a->id);
    add_text(row, "rule", a->rule);
    add_integer(row, "version", a->version);
    add_prose(row, "title", a->title);
    add_text(row, "priority", a->low_percent >= 20 ? "high" : a->low_percent >= 5 ? "medium" : "low");
    add_text(row, "subject_kind", a->line != MODEL_NONE ? "line" : a->function != MODEL_NONE ? "function" : "program");
    if (a->function != MODEL_NONE) {
        add_integer(row, "subject_id", model->function[a->function].id);
        add_text(row, "function", model->function[a->function].name);
    }
    add_text_known(row, "file", a->file);
    if (a->at)
        add_integer(row, "line", a->at);
    add_prose(row, "evidence", a->evidence);
    cJSON *figures = cJSON_AddObjectToObject(row, "figures");
    for (uint32_t i = 0; i < a->figure_count; i++)
        add_real(figures, a->figure[i].name, a->figure[i].value);
    add_whole(row, "saving_low_ns", a->low_ns);
    add_whole(row, "saving_high_ns", a->high_ns);
    add_real(row, "saving_percent", a->low_percent);
    add_real(row, "saving_high_percent", a->high_percent);
    add_text(row, "saving_of", a->of_busy ? "busy" : "wall");
    if (a->saved_bytes > 0)
        add_whole(row, "saving_bytes", a->saved_bytes);
    add_text(row, "saving_kind", kind_name(a->kind));
    add_prose(row, "action", a->action);
    if (a->before) {
        add_text(row, "example_before", a->before);
        add_text(row, "example_after", a->after);
    }
    list = cJSON_AddArrayToObject(row, "ruled_out");
    for (uint32_t i = 0; i < a->ruled_out_count; i++)
        cJSON_AddItemToArray(list, cJSON_CreateString(a->ruled_out[i]));
    add_text(row, "section", a->section);
    if (a->tried) {
        add_integer(row, "tries", a->tried);
        add_real(row, "hit_rate", (double)a->helped / a->tried);
    }
    add_prose(row, "verify", a->verify);
    if (a->accepted)
        add_prose(row, "accepted", a->accepted);
    return row;
}

void json_advice(cJSON *root, const struct model *model)
{
    cJSON *list = cJSON_AddArrayToObject(root, "recommendations");
    for (size_t i = 0; i < model->advice_count; i++)
        cJSON_AddItemToArray(list, advice_json(model, &model->advice[i]));
}
