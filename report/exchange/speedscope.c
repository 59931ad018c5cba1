/* SPDX-License-Identifier: MIT */
/* speedscope.c: the JSON of speedscope.app (its file-format-schema.json): shared frames, and a sampled profile for
 * each cost that the run has. Its sandwich view has a row for each frame, so a function is one frame, wherever it is
 * called; the line is that of its head. */
#include <inttypes.h>
#include <stdlib.h>

#include "exchange/tool.h"
#include "words/quote.h"

struct writer {
    FILE *out;
    const struct model *model;
    uint32_t *of; /* frames of the file, from 1, by frame of the model: see frame_functions */
};

static void frames_print(const struct writer *w)
{
    uint32_t printed = 0;
    fputs("\"shared\":{\"frames\":[", w->out);
    for (uint32_t i = 1; i < w->model->frame_count; i++) {
        if (w->of[i] <= printed)
            continue; /* numbers stand in the order of their first frames */
        fputs(printed ? ",\n{\"name\":" : "\n{\"name\":", w->out);
        printed = w->of[i];
        quote_json(w->out, frame_name(w->model, i));
        if (frame_home(w->model, i)[0]) {
            fputs(",\"file\":", w->out);
            quote_json(w->out, frame_home(w->model, i));
        }
        if (frame_start(w->model, i))
            fprintf(w->out, ",\"line\":%" PRIu32, frame_start(w->model, i));
        putc('}', w->out);
    }
    fputs("]}", w->out);
}

static void chain_print(const struct writer *w, uint32_t frame)
{
    if (w->model->frame[frame].parent) {
        chain_print(w, w->model->frame[frame].parent);
        putc(',', w->out);
    }
    fprintf(w->out, "%" PRIu32, w->of[frame] - 1);
}

static void profile_print(const struct writer *w, const struct stack_cost *cost)
{
    const struct model *model = w->model;
    const char *separator = "";
    fputs("{\"type\":\"sampled\",\"name\":", w->out);
    quote_json(w->out, cost->meaning);
    fprintf(w->out, ",\"unit\":\"%s\",\"startValue\":0,\"endValue\":%.17g,\"samples\":[",
            cost->unit[0] == 'c' ? "none" : cost->unit, export_sum(model, cost));
    for (size_t i = 0; i < model->stack_count; i++)
        if (cost->of(&model->stack[i]) > 0) {
            fprintf(w->out, "%s[", separator);
            chain_print(w, model->stack[i].frame);
            putc(']', w->out);
            separator = ",\n";
        }
    fputs("],\"weights\":[", w->out);
    separator = "";
    for (size_t i = 0; i < model->stack_count; i++)
        if (cost->of(&model->stack[i]) > 0) {
            fprintf(w->out, "%s%.17g", separator, cost->of(&model->stack[i]));
            separator = ",";
        }
    fputs("]}", w->out);
}

void export_speedscope(FILE *out, const struct model *model, const struct export_request *request)
{
    struct writer w = { .out = out, .model = model };
    const char *separator = "";
    frame_functions(model, &w.of);
    fputs("{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\"exporter\":\"profplug\","
          "\"name\":", out);
    quote_json(out, model->run.program);
    fputs(",\"activeProfileIndex\":0,\n", out);
    frames_print(&w);
    fputs(",\n\"profiles\":[", out);
    for (const struct stack_cost *c = stack_costs; c->name; c++)
        if (export_cost_held(model, request, c)) {
            fputs(separator, out);
            profile_print(&w, c);
            separator = ",\n";
        }
    fputs("]}\n", out);
    free(w.of);
}
