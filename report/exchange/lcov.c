/* SPDX-License-Identifier: MIT */
/* lcov.c: hits of lines as geninfo's tracefile: SF, FN, FNDA, DA. A file is written where a line of it was counted. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "exchange/tool.h"
#include "words/quote.h"

static const struct model *sorted; /* what by_place compares */

static int by_place(const void *a, const void *b)
{
    const struct model_line *x = &sorted->line[*(const uint32_t *)a], *y = &sorted->line[*(const uint32_t *)b];
    int files = strcmp(x->file, y->file);
    return files ? files : x->line < y->line ? -1 : x->line > y->line;
}

static void functions_print(FILE *out, struct arena *arena, const struct model *model, const char *file)
{
    size_t found = 0, hit = 0;
    for (size_t i = 0; i < model->function_count; i++) {
        const struct model_function *f = &model->function[i];
        if (f->kind > PP_SITE_STAGE || !f->calls_known || !f->line || strcmp(f->file, file) != 0)
            continue;
        const char *name = quote_plain(arena, f->symbol);
        fprintf(out, "FN:%" PRIu32 ",%s\nFNDA:%" PRIu64 ",%s\n", f->line, name, f->calls, name);
        found++;
        hit += f->calls > 0;
    }
    fprintf(out, "FNF:%zu\nFNH:%zu\n", found, hit);
}

void export_lcov(FILE *out, const struct model *model, const struct export_request *request)
{
    (void)request;
    struct arena arena = { 0 };
    uint32_t *order = memory_zeroed(model->line_count, sizeof *order);
    size_t count = 0;
    for (uint32_t i = 0; i < model->line_count; i++)
        if (model->line[i].hits_known && model->line[i].line)
            order[count++] = i;
    sorted = model;
    if (count)
        qsort(order, count, sizeof *order, by_place);
    for (size_t i = 0, end; i < count; i = end) {
        const char *file = model->line[order[i]].file;
        size_t found = 0, hit = 0;
        fprintf(out, "TN:\nSF:%s\n", quote_plain(&arena, file));
        functions_print(out, &arena, model, file);
        for (end = i; end < count && strcmp(model->line[order[end]].file, file) == 0; found++) {
            uint32_t line = model->line[order[end]].line;
            uint64_t hits = 0; /* a line of several functions: instances of a template, inlined copies */
            for (; end < count && strcmp(model->line[order[end]].file, file) == 0 &&
                   model->line[order[end]].line == line; end++)
                hits += model->line[order[end]].hits;
            fprintf(out, "DA:%" PRIu32 ",%" PRIu64 "\n", line, hits);
            hit += hits > 0;
        }
        fprintf(out, "LF:%zu\nLH:%zu\nend_of_record\n", found, hit);
    }
    free(order);
    arena_free(&arena);
}
