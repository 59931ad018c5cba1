/* SPDX-License-Identifier: MIT */
/* speedscope.c: the JSON of speedscope.app (its file-format-schema.json): shared frames, and a sampled profile for
 * each cost that the run has. */
#include <inttypes.h>
#include <stdlib.h>

#include "exchange/tool.h"
#include "words/quote.h"

static void frames_print(FILE *out, const struct model *model)
{
    fputs("\"shared\":{\"frames\":[", out);
    for (uint32_t i = 0; i < model->frame_count; i++) {
        fputs(i ? ",\n{\"name\":" : "\n{\"name\":", out);
        quote_json(out, frame_name(model, i));
        if (frame_file(model, i)[0]) {
            fputs(",\"file\":", out);
            quote_json(out, frame_file(model, i));
        }
        if (frame_line(model, i))
            fprintf(out, ",\"line\":%" PRIu32, frame_line(model, i));
        putc('}', out);
    }
    fputs("]}", out);
}

static void chain_print(FILE *out, const struct model *model, uint32_t frame)
{
    if (model->frame[frame].parent) {
        chain_print(out, model, model->frame[frame].parent);
        putc(',', out);
    }
    fprintf(out, "%" PRIu32, frame);
}

static void profile_print(FILE *out, const struct model *model, const struct stack_cost *cost)
{
    const char *separator = "";
    fputs("{\"type\":\"sampled\",\"name\":", out);
    quote_json(out, cost->meaning);
    fprintf(out, ",\"unit\":\"%s\",\"startValue\":0,\"endValue\":%.17g,\"samples\":[",
            cost->unit[0] == 'c' ? "none" : cost->unit, export_sum(model, cost));
    for (size_t i = 0; i < model->stack_count; i++)
        if (cost->of(&model->stack[i]) > 0) {
            fprintf(out, "%s[", separator);
            chain_print(out, model, model->stack[i].frame);
            putc(']', out);
            separator = ",\n";
        }
    fputs("],\"weights\":[", out);
    separator = "";
    for (size_t i = 0; i < model->stack_count; i++)
        if (cost->of(&model->stack[i]) > 0) {
            fprintf(out, "%s%.17g", separator, cost->of(&model->stack[i]));
            separator = ",";
        }
    fputs("]}", out);
}

void export_speedscope(FILE *out, const struct model *model, const struct export_request *request)
{
    const char *separator = "";
    fputs("{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\"exporter\":\"profplug\","
          "\"name\":", out);
    quote_json(out, model->run.program);
    fputs(",\"activeProfileIndex\":0,\n", out);
    frames_print(out, model);
    fputs(",\n\"profiles\":[", out);
    for (const struct stack_cost *c = stack_costs; c->name; c++)
        if (export_cost_held(model, request, c)) {
            fputs(separator, out);
            profile_print(out, model, c);
            separator = ",\n";
        }
    fputs("]}\n", out);
}
