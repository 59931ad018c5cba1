/* SPDX-License-Identifier: MIT */
/* jsonnumber.c: the program's own counts and gauges, and what stages handle a second, as the JSON report has them. See json.c. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "jsonrow.h"
#include "quote.h"

void json_counters(cJSON *to, const struct model *model, const struct model_tally *tally)
{
    cJSON *list = tally ? cJSON_AddObjectToObject(to, "counters") : NULL;
    for (size_t i = 0; tally && i < model->number_count; i++) {
        const struct model_tally *t = &tally[i];
        char *name = t->count ? quote_clean(model->number[i].name) : NULL;
        cJSON *row = name ? cJSON_AddObjectToObject(list, name) : NULL;
        free(name);
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
    char digits[32];
    unsigned first = 0, last = PP_WINDOWS;
    while (!t.windows->count[first])
        first++;
    while (!t.windows->count[last - 1])
        last--;
    add_integer(windows, "width_ns", UINT64_C(1) << (PP_WINDOW_BITS + t.windows->shift));
    add_integer(windows, "start_offset_ns", (uint64_t)first << (PP_WINDOW_BITS + t.windows->shift));
    counts = cJSON_AddArrayToObject(windows, "counts");
    for (unsigned i = first; i < last; i++) {
        snprintf(digits, sizeof digits, "%" PRIu64, t.windows->count[i]);
        cJSON_AddItemToArray(counts, cJSON_CreateRaw(digits));
    }
}
