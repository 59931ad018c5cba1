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
static void (*const memory_parts[])(FILE *, const struct model *, const struct view *) = {
    text_allocations, text_mappings, text_pools, text_copies, text_arena, NULL
};
static void (*const io_parts[])(FILE *, const struct model *, const struct view *) = {
    text_operations, text_files, text_endpoints, NULL
};

void text_memory(FILE *out, const struct model *model, const struct view *view)
{
    for (size_t i = 0; memory_parts[i]; i++)
        memory_parts[i](out, model, view);
}

void text_io(FILE *out, const struct model *model, const struct view *view)
{
    for (size_t i = 0; io_parts[i]; i++)
        io_parts[i](out, model, view);
}

/* Does a section show the other one, or more? */
static bool section_shows(const struct section *s, const struct section *other)
{
    for (size_t i = 0; s->print == text_memory && memory_parts[i]; i++)
        if (memory_parts[i] == other->print)
            return true;
    for (size_t i = 0; s->print == text_io && io_parts[i]; i++)
        if (io_parts[i] == other->print)
            return true;
    return s == other;
}

/* Is the section of this place in the list shown by another one that was asked for? */
static bool section_repeats(const struct view *view, size_t place)
{
    const struct section *s = section_find(view->section[place]);
    for (size_t i = 0; i < view->section_count; i++) {
        const struct section *other = section_find(view->section[i]);
        if (i != place && section_shows(other, s) && (other != s || i < place))
            return true;
    }
    return false;
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
              arena_print(&arena, "%s only; hits, memory by line, snapshots%s are still the whole run's",
                          model->narrowed_to,
                          model->narrowed ? ", calls of functions, bottlenecks, shares under FINDINGS and STAGES" : ""),
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
    bool first = true;
    part_print(out, model, view);
    for (size_t i = 0; i < view->section_count; i++) {
        const struct section *s = section_find(view->section[i]);
        char *text = NULL;
        size_t bytes = 0;
        if (section_repeats(view, i))
            continue;
        FILE *part = open_memstream(&text, &bytes);
        if (!part)
            return;
        s->print(part, model, view);
        fclose(part);
        const char *begin = text + (first && !model->narrowed_to && text[0] == '\n');
        if (bytes)
            fputs(begin, out);
        else
            fprintf(out, "%snothing in this run for --section %s%s%s: %s\n", first ? "" : "\n", s->name,
                    view->filter ? " and --filter " : "", view->filter ? quote_plain(&arena, view->filter) : "",
                    s->meaning);
        first = false;
        free(text);
    }
    arena_free(&arena);
}
