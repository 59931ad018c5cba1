/* SPDX-License-Identifier: MIT */
/* lcov.c: hits of lines as geninfo's tracefile: SF, FN, FNDA, DA. A file is written where a line or function of it was
 * counted. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "exchange/tool.h"
#include "words/diag.h"
#include "words/quote.h"

static const struct model *sorted; /* what by_place compares */

static int by_place(const void *a, const void *b)
{
    const struct model_line *x = &sorted->line[*(const uint32_t *)a], *y = &sorted->line[*(const uint32_t *)b];
    int files = strcmp(x->file, y->file);
    return files ? files : x->line < y->line ? -1 : x->line > y->line;
}

static int by_name(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }

static bool function_counted(const struct model_function *f)
{
    return f->kind <= PP_SITE_STAGE && f->calls_known && f->line;
}

static int by_file(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    int files = strcmp(sorted->function[x].file, sorted->function[y].file);
    return files ? files : x < y ? -1 : x > y;
}

/* Those of a file stand together from *next on; leaves it behind them. */
static void functions_print(FILE *out, struct arena *arena, const struct model *model, const char *file,
                            const uint32_t *function, size_t count, size_t *next)
{
    size_t found = 0, hit = 0;
    for (; *next < count && strcmp(model->function[function[*next]].file, file) == 0; ++*next) {
        const struct model_function *f = &model->function[function[*next]];
        const char *name = quote_plain(arena, f->symbol);
        fprintf(out, "FN:%" PRIu32 ",%s\nFNDA:%" PRIu64 ",%s\n", f->line, name, f->calls, name);
        found++;
        hit += f->calls > 0;
    }
    fprintf(out, "FNF:%zu\nFNH:%zu\n", found, hit);
}

/* The counted ones, by file; returns how many. */
static size_t functions_of(const struct model *model, uint32_t *function)
{
    size_t count = 0;
    for (uint32_t i = 0; i < model->function_count; i++)
        if (function_counted(&model->function[i]))
            function[count++] = i;
    if (count)
        qsort(function, count, sizeof *function, by_file);
    return count;
}

/* The files that have a counted line or function, each once, by name; returns how many. */
static size_t files_of(const struct model *model, const char **file)
{
    size_t count = 0, kept = 0;
    for (size_t i = 0; i < model->line_count; i++)
        if (model->line[i].hits_known && model->line[i].line)
            file[count++] = model->line[i].file;
    for (size_t i = 0; i < model->function_count; i++)
        if (function_counted(&model->function[i]))
            file[count++] = model->function[i].file;
    if (count)
        qsort(file, count, sizeof *file, by_name);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || strcmp(file[i], file[kept - 1]) != 0)
            file[kept++] = file[i];
    return kept;
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
    const char **file = memory_zeroed(model->line_count + model->function_count, sizeof *file);
    size_t files = files_of(model, file), next = 0;
    uint32_t *function = memory_zeroed(model->function_count, sizeof *function);
    size_t functions = functions_of(model, function);
    for (size_t f = 0, i = 0; f < files; f++) {
        size_t found = 0, hit = 0;
        fprintf(out, "TN:\nSF:%s\n", quote_plain(&arena, file[f]));
        functions_print(out, &arena, model, file[f], function, functions, &next);
        for (; i < count && strcmp(model->line[order[i]].file, file[f]) == 0; found++) {
            uint32_t line = model->line[order[i]].line;
            uint64_t hits = 0; /* a line of several functions: instances of a template, inlined copies */
            for (; i < count && strcmp(model->line[order[i]].file, file[f]) == 0 && model->line[order[i]].line == line;
                 i++)
                hits += model->line[order[i]].hits;
            fprintf(out, "DA:%" PRIu32 ",%" PRIu64 "\n", line, hits);
            hit += hits > 0;
        }
        fprintf(out, "LF:%zu\nLH:%zu\nend_of_record\n", found, hit);
    }
    if (!count)
        diag_warning("--format lcov", "only functions were counted, no lines; to count lines compile with "
                                      "-fplugin-arg-profplug-lines=all");
    free(function);
    free(file);
    free(order);
    arena_free(&arena);
}
