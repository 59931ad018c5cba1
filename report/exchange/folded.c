/* SPDX-License-Identifier: MIT */
/* folded.c: chains of calls as flamegraph.pl reads them: names joined by semicolons, a blank, a whole number. Names
 * have neither semicolons nor line breaks: a colon or a blank stands for them. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "exchange/tool.h"
#include "words/quote.h"

static void name_print(FILE *out, struct arena *arena, const char *name)
{
    for (const char *c = quote_plain(arena, name); *c; c++)
        putc(*c == ';' ? ':' : *c, out);
}

static void chain_print(FILE *out, struct arena *arena, const struct model *model, uint32_t frame)
{
    if (!frame)
        return;
    chain_print(out, arena, model, model->frame[frame].parent);
    if (model->frame[frame].parent)
        putc(';', out);
    name_print(out, arena, frame_name(model, frame));
}

void export_folded(FILE *out, const struct model *model, const struct export_request *request)
{
    const struct stack_cost *cost = export_cost(model, request);
    double *own = memory_zeroed(model->frame_count, sizeof *own), left = 0;
    for (size_t i = 0; i < model->stack_count; i++)
        own[model->stack[i].frame] += cost->of(&model->stack[i]);
    for (uint32_t i = 1; i < model->frame_count; i++) {
        struct arena arena = { 0 };
        uint64_t whole = number_whole(own[i] + left); /* what is cut off goes to the next: the sum stays */
        left += own[i] - (double)whole;
        if (own[i] <= 0 || !whole)
            continue;
        chain_print(out, &arena, model, i);
        fprintf(out, " %" PRIu64 "\n", whole);
        arena_free(&arena);
    }
    free(own);
}
