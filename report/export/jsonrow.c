/* SPDX-License-Identifier: MIT */
/* jsonrow.c: see jsonrow.h. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "export/jsonrow.h"
#include "words/quote.h"

bool json_integers_as_text;

/* Nodes live as long as their document. The arena gives them faster than malloc, and lets all of them go at once. */
static struct arena nodes;

static void *node_take(size_t bytes) { return arena_take(&nodes, bytes); }

static void node_keep(void *node) { (void)node; }

void json_begin(void) { cJSON_InitHooks(&(cJSON_Hooks){ .malloc_fn = node_take, .free_fn = node_keep }); }

void json_end(FILE *out, const cJSON *root)
{
    cJSON_InitHooks(NULL); /* the text grows by realloc, which cJSON uses with malloc alone */
    char *text = cJSON_Print(root);
    if (text) {
        quote_document(out, text);
        fputc('\n', out);
    }
    cJSON_free(text);
    arena_free(&nodes);
}

/* Digits of VALUE, in front of END. */
static char *digits_of(char *end, uint64_t value)
{
    do
        *--end = (char)('0' + value % 10);
    while (value /= 10);
    return end;
}

cJSON *json_integer(uint64_t value)
{
    char digits[32], *end = digits + sizeof digits, *at;
    *--end = 0;
    if (json_integers_as_text)
        *--end = '"';
    at = digits_of(end, value);
    if (json_integers_as_text)
        *--at = '"';
    return cJSON_CreateRaw(at);
}

void add_integer(cJSON *to, const char *name, uint64_t value) { cJSON_AddItemToObject(to, name, json_integer(value)); }

void add_signed(cJSON *to, const char *name, int64_t value)
{
    char digits[32];
    snprintf(digits, sizeof digits, json_integers_as_text ? "\"%" PRId64 "\"" : "%" PRId64, value);
    cJSON_AddRawToObject(to, name, digits);
}

/* A computed number; times and sizes are written as integers. */
void add_whole(cJSON *to, const char *name, double value)
{
    if (isfinite(value))
        add_integer(to, name, value <= 0 ? 0 : value >= 1.8e19 ? UINT64_MAX : (uint64_t)llround(fmin(value, 9.2e18)));
}

void add_metric(cJSON *to, unsigned metric, double value)
{
    if (metric_is_signed(metric) && value < 0)
        add_signed(to, metric_name(metric), (int64_t)llround(fmax(value, -9.2e18)));
    else
        add_whole(to, metric_name(metric), value);
}

void add_real(cJSON *to, const char *name, double value)
{
    char digits[40];
    if (!isfinite(value))
        return;
    snprintf(digits, sizeof digits, "%.6g", value);
    cJSON_AddRawToObject(to, name, digits);
}

void add_error(cJSON *to, const char *name, double value, double error)
{
    char key[64];
    snprintf(key, sizeof key, "%s_error_percent", name);
    if (error > 0 && value != 0)
        add_real(to, key, 100 * error / fabs(value));
}

void add_text(cJSON *to, const char *name, const char *text)
{
    cJSON_AddStringToObject(to, name, text);
}

void add_prose(cJSON *to, const char *name, const char *text)
{
    struct arena arena = { 0 };
    if (text && text[0])
        cJSON_AddStringToObject(to, name, quote_plain(&arena, text));
    arena_free(&arena);
}

void add_text_known(cJSON *to, const char *name, const char *text)
{
    if (text && text[0])
        add_text(to, name, text);
}

void json_callees(cJSON *row, const struct model *model, const struct model_line *l)
{
    const struct model_callee *most = line_callee(model, l);
    if (most && most->name)
        add_text(row, "callee", most->name);
    cJSON *list = l->callee_count ? cJSON_AddArrayToObject(row, "callees") : NULL;
    for (uint32_t i = 0; i < l->callee_count; i++) {
        const struct model_callee *callee = &model->callee[l->callee + i];
        cJSON *item = cJSON_CreateObject();
        if (callee->name)
            add_text(item, "name", callee->name);
        add_whole(item, "self_ns", callee->self_ns);
        add_whole(item, "system_ns", callee->system_ns);
        add_integer(item, "samples", callee->samples);
        cJSON_AddItemToArray(list, item);
    }
}

void json_touched(cJSON *to, const struct model *model, const struct model_blocks *blocks,
                  const struct model_blocks *mappings)
{
    double touched = (double)blocks->touched_bytes + (mappings ? (double)mappings->touched_bytes : 0),
           faults = touched_faults(model, touched);
    if (touched <= 0)
        return;
    add_whole(to, "touched_bytes", touched);
    add_error(to, "touched_bytes", touched, hypot(touched_error(blocks), mappings ? touched_error(mappings) : 0));
    add_whole(to, "first_touch_faults", faults);
    if (model->fault_ns > 0)
        add_whole(to, "first_touch_ns", faults * model->fault_ns);
}

void json_faults(cJSON *to, const struct model *model, const struct model_line *line)
{
    const struct model_faults *faults = &line->faults;
    json_touched(to, model, &line->blocks, &line->mappings);
    if (faults->count.ns <= 0)
        return;
    add_whole(to, "faults", faults->count.ns);
    add_real(to, "faults_error_percent", value_error_percent(faults->count));
    add_whole(to, "fault_ns", faults->ns);
}

void json_faults_all(cJSON *to, const struct model *model)
{
    if (model->faults <= 0)
        return;
    add_whole(to, "page_faults", model->faults);
    add_whole(to, "page_faults_on_lines", model->line_faults);
}

void json_mappings(cJSON *to, const struct model_blocks *b)
{
    add_integer(to, "maps", b->alloc_blocks);
    add_integer(to, "map_bytes", b->alloc_bytes);
    add_integer(to, "unmap_bytes", b->free_bytes);
    add_signed(to, "live_map_bytes", (int64_t)(b->alloc_bytes - b->free_bytes));
}
