/* SPDX-License-Identifier: MIT */
/* sections.c: prints sections of a report by their names, or all of them. It must not know what a section shows. */
#include "section/section.h"

#include <stdlib.h>
#include <string.h>

#include "show/source.h"
#include "words/columns.h"
#include "words/quote.h"

const struct section section_table[] = {
#define SECTION(name, in_whole, function, meaning) { #name, meaning, function, in_whole },
#include "section/sections.def"
    { NULL, NULL, NULL, false },
};

const struct section *section_find(const char *name)
{
    for (const struct section *s = section_table; s->name; s++)
        if (strcmp(s->name, name) == 0)
            return s;
    return NULL;
}

/* Sections that show others together. */
void text_memory(FILE *out, const struct model *model, const struct view *view)
{
    text_allocations(out, model, view);
    text_mappings(out, model, view);
    text_pools(out, model, view);
    text_copies(out, model, view);
    text_arena(out, model, view);
}

void text_io(FILE *out, const struct model *model, const struct view *view)
{
    text_operations(out, model, view);
    text_files(out, model, view);
    text_endpoints(out, model, view);
}

static void next_print(FILE *out, const struct model *model, const struct view *view)
{
    struct arena arena = { 0 };
    const char *file = text_hottest_file(model), *path = quote_shell(&arena, model->run.path);
    const char *tool = view->program ? quote_shell(&arena, view->program) : "profplug";
    const char *report = arena_print(&arena, "%s report --format json %s", tool, path);
    const char *annotate = file && source_get(file) ? arena_print(&arena, "%s annotate %s %s", tool, path,
                                                                  quote_shell(&arena, path_short(file)))
                                                    : "";
    bool together = 6 + text_columns(annotate) + 3 + text_columns(report) <= view->width;
    fprintf(out, "\nnext: %s%s%s\n", annotate, !annotate[0] ? "" : together ? "   " : "\n      ", report);
    arena_free(&arena);
}

/* Of a part of the run: which, and what is not a part. */
static void part_print(FILE *out, const struct model *model, const struct view *view)
{
    struct arena arena = { 0 };
    if (!model->narrowed_to)
        return;
    text_wrap(out,
              arena_print(&arena, "only %s; hits, memory by line, snapshots%s are the whole run's", model->narrowed_to,
                          model->narrowed ? ", calls of functions, bottlenecks" : ""),
              0, 2, view->width);
    fputc('\n', out);
    arena_free(&arena);
}

void text_whole(FILE *out, const struct model *model, const struct view *view)
{
    text_run(out, model, view);
    part_print(out, model, view);
    text_accuracy(out, model, view);
    if (model->empty_reason) {
        fprintf(out, "\nThe profile is empty: %s\n", model->empty_reason);
        if (view->explain)
            text_coverage(out, model, view);
        text_children(out, model, view);
        return;
    }
    if (view->between) {
        text_between(out, model, view);
        return;
    }
    for (const struct section *s = section_table; s->name; s++)
        if (s->in_whole)
            s->print(out, model, view);
    next_print(out, model, view);
}

void text_sections(FILE *out, const struct model *model, const struct view *view)
{
    struct arena arena = { 0 };
    part_print(out, model, view);
    for (size_t i = 0; i < view->section_count; i++) {
        const struct section *s = section_find(view->section[i]);
        char *text = NULL;
        size_t bytes = 0;
        FILE *part = open_memstream(&text, &bytes);
        if (!part)
            return;
        s->print(part, model, view);
        fclose(part);
        const char *begin = text + (i == 0 && !model->narrowed_to && text[0] == '\n');
        if (bytes)
            fputs(begin, out);
        else
            fprintf(out, "%snothing in this run for --section %s%s%s: %s\n", i ? "\n" : "", s->name,
                    view->filter ? " and --filter " : "", view->filter ? quote_plain(&arena, view->filter) : "",
                    s->meaning);
        free(text);
    }
    arena_free(&arena);
}
