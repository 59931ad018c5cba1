/* SPDX-License-Identifier: MIT */
/* dhat.c: the JSON of valgrind's dh_view.html, version 2, as its DHAT writes it: program points with bytes and blocks.
 * Life times and accesses are not known, so it says that there are none (bklt, bkacc). */
#include <inttypes.h>
#include <stdlib.h>

#include "exchange/tool.h"
#include "words/diag.h"
#include "words/quote.h"

static void command_print(FILE *out, const struct model *model)
{
    struct arena arena = { 0 };
    const char *text = "";
    for (size_t i = 0; i < model->run.argument_count; i++)
        text = arena_print(&arena, "%s%s%s", text, i ? " " : "", model->run.argument[i]);
    if (!text[0])
        text = model->run.program;
    quote_json(out, model->blocks_vary > 0
                        ? arena_print(&arena, "%s (blocks and bytes are estimated from sampled blocks)", text)
                        : text);
    arena_free(&arena);
}

/* "0x1: name (file:line)", as dh_view cuts it apart */
static void frame_print(FILE *out, const struct model *model, uint32_t frame)
{
    struct arena arena = { 0 };
    const char *file = frame_file(model, frame);
    quote_json(out, file[0] ? arena_print(&arena, "0x%" PRIx32 ": %s (%s:%" PRIu32 ")", frame, frame_name(model, frame),
                                          file, frame_line(model, frame))
                            : arena_print(&arena, "0x%" PRIx32 ": %s", frame, frame_name(model, frame)));
    arena_free(&arena);
}

void export_dhat(FILE *out, const struct model *model, const struct export_request *request)
{
    (void)request;
    const char *separator = "";
    bool any = false;
    for (size_t i = 0; i < model->stack_count; i++)
        any |= model->stack[i].alloc_blocks > 0;
    if (!any && model->narrowed_to)
        diag_warning("--format dhat", "blocks are known of the whole run alone; leave out --stage and --thread");
    else if (!any)
        diag_warning("--format dhat", "no blocks were recorded by line; run the program with PROFPLUG=blocks=exact");
    fputs("{\"dhatFileVersion\":2,\"mode\":\"heap\",\"verb\":\"Allocated\",\"bklt\":false,\"bkacc\":false,"
          "\"tu\":\"ns\",\"Mtu\":\"ms\",\"cmd\":", out);
    command_print(out, model);
    fprintf(out, ",\"pid\":%" PRIu32 ",\"te\":%" PRIu64 ",\n\"pps\":[", model->run.pid, model->run.wall_ns);
    for (size_t i = 0; i < model->stack_count; i++) {
        const struct model_stack *s = &model->stack[i];
        if (s->alloc_blocks <= 0)
            continue;
        fprintf(out, "%s{\"tb\":%.0f,\"tbk\":%.0f,\"fs\":[", separator, s->alloc_bytes, s->alloc_blocks);
        for (uint32_t f = s->frame; f; f = model->frame[f].parent)
            fprintf(out, f == s->frame ? "%" PRIu32 : ",%" PRIu32, f);
        fputs("]}", out);
        separator = ",\n";
    }
    fputs("],\n\"ftbl\":[\"[root]\"", out);
    for (uint32_t i = 1; i < model->frame_count; i++) {
        fputs(",\n", out);
        frame_print(out, model, i);
    }
    fputs("]}\n", out);
}
