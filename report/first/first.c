/* SPDX-License-Identifier: MIT */
/* first.c: the first screen. It gives 40 lines to the parts: findings first, each whole or not at all, then stages and
 * lines in what is left. It must not know what a part says. */
#include "first/first.h"

#include <stdlib.h>
#include <string.h>

#include "show/source.h"
#include "words/columns.h"
#include "words/quote.h"

enum {
    SCREEN = 40,      /* lines */
    WIDEST = 120,     /* columns: longer lines are hard to read */
    FINDINGS = 5,     /* at most */
    STAGES_LEAST = 4, /* rows that a part gets even if findings are left out for it */
    STAGES_MOST = 12,
    LINES_LEAST = 3,
    LINES_MOST = 10,
};

struct block {
    char *text;
    size_t bytes, lines;
    FILE *out;
};

static FILE *block_open(struct block *b)
{
    *b = (struct block){ 0 };
    b->out = open_memstream(&b->text, &b->bytes);
    return b->out ? b->out : stderr;
}

static void block_close(struct block *b)
{
    if (b->out)
        fclose(b->out);
    for (size_t i = 0; i < b->bytes; i++)
        b->lines += b->text[i] == '\n';
}

/* Prints the block and is done with it. `apart`: after an empty line, if there is anything. */
static void block_print(FILE *out, struct block *b, bool apart)
{
    if (b->bytes)
        fprintf(out, "%s%s", apart ? "\n" : "", b->text);
    free(b->text);
}

static size_t block_room(const struct block *b) { return b->bytes ? b->lines + 1 : 0; }

/* Sections that say more about the findings, and, where there is room, about how sure it all is. */
static const char *sections_more(struct arena *arena, const struct model *model, int room)
{
    const char *text = model->advice_count ? "findings" : model->finding_count ? "bottlenecks" : "functions";
    for (size_t i = 0; i < model->advice_count && i < FINDINGS; i++) {
        const char *name = model->advice[i].section;
        if (name && section_find(name) && !strstr(text, name))
            text = arena_print(arena, "%s,%s", text, name);
    }
    const char *all = arena_print(arena, "%s,accuracy", text);
    return text_columns(all) <= room ? all : text;
}

/* A command on one line, or, where that is too long, on two that a shell joins. */
static void command_print(FILE *out, const struct view *view, const char *before, const char *command, const char *last)
{
    bool fits = text_columns(before) + text_columns(command) + 1 + text_columns(last) <= view->width;
    fprintf(out, "%s%s %s%s\n", before, command, fits ? "" : "\\\n        ", last);
}

/* What annotate shows first: the function of the first finding, else that of the hottest line; its file where the name
 * is long, or no plain word. */
static void annotate_print(FILE *out, const struct model *model, const struct view *view, const char *tool,
                           const char *path)
{
    struct arena arena = { 0 };
    uint32_t line = model->advice_count ? model->advice[0].line : first_hottest_line(model);
    if (line == MODEL_NONE || !source_get(model->line[line].file))
        return;
    const struct model_function *f = &model->function[model->line[line].function];
    const char *call = arena_print(&arena, "%s annotate %s", tool, path);
    bool plain = f->name[0] && !f->name[strcspn(f->name, "<>(): .")] &&
                 7 + text_columns(call) + text_columns(f->name) <= view->width;
    const char *shown = quote_shell(&arena, plain ? f->name : path_short(model->line[line].file));
    if (8 + text_columns(call) > view->width) /* not even with the backslash that parts it from the name */
        command_print(out, view, "      ", arena_print(&arena, "%s annotate", tool),
                      arena_print(&arena, "%s %s", path, shown));
    else
        command_print(out, view, "      ", call, shown);
    arena_free(&arena);
}

static void more_print(FILE *out, const struct model *model, const struct view *view)
{
    struct arena arena = { 0 };
    const char *path = quote_shell(&arena, model->run.path);
    const char *tool = view->program ? quote_shell(&arena, view->program) : "profplug";
    command_print(out, view, "more: ", arena_print(&arena, "%s report --all", tool), path);
    int room = view->width - text_columns(tool) - text_columns(path) - (int)strlen("       report --section  ");
    const char *sections = sections_more(&arena, model, room);
    command_print(out, view, "      ", arena_print(&arena, "%s report --section %s", tool, sections), path);
    annotate_print(out, model, view, tool, path);
    arena_free(&arena);
}

static void findings_print(FILE *out, const struct model *model, const struct view *view, size_t room)
{
    size_t count = first_finding_count(model), shown = 0;
    fprintf(out, "%sFINDINGS%s\n", paint(view, "\033[1m"), paint(view, "\033[0m"));
    size_t other = 2 + (count < model->advice_count); /* the heading, what is left out, what was accepted */
    room = room > other ? room - other : 0;
    while (shown < count && shown < FINDINGS) {
        struct block one;
        first_finding(block_open(&one), model, view, shown);
        block_close(&one);
        bool fits = one.lines <= room || !shown; /* the first one is never left out */
        room -= fits && one.lines <= room ? one.lines : 0;
        if (!fits) {
            free(one.text);
            break;
        }
        block_print(out, &one, false);
        shown++;
    }
    first_findings_rest(out, model, view, shown);
    if (!count)
        first_calm(out, model, view);
}

/* A part in at most `room` lines with the empty one before it; at least with `least` rows. */
static struct block part_fit(size_t (*part)(FILE *, const struct model *, const struct view *, size_t),
                             const struct model *model, const struct view *view, size_t room, size_t least, size_t most)
{
    struct block b;
    for (size_t rows = most;; rows--) {
        part(block_open(&b), model, view, rows);
        block_close(&b);
        if (block_room(&b) <= room || rows <= least)
            return b;
        free(b.text);
    }
}

void text_first(FILE *out, const struct model *model, const struct view *asked)
{
    struct view limited = *asked, *view = &limited;
    view->width = view->width > WIDEST ? WIDEST : view->width;
    struct block head, more, findings, tree, lines;
    first_head(block_open(&head), model, view);
    block_close(&head);
    more_print(block_open(&more), model, view);
    block_close(&more);
    if (model->empty_reason) {
        block_print(out, &head, false);
        free(more.text);
        return;
    }
    /* what the other parts need at least */
    tree = part_fit(first_tree, model, view, 0, STAGES_LEAST, STAGES_LEAST);
    lines = part_fit(first_hottest, model, view, 0, LINES_LEAST, LINES_LEAST);
    size_t left = SCREEN - (head.lines < SCREEN / 2 ? head.lines : SCREEN / 2) - block_room(&more);
    size_t others = block_room(&tree) + block_room(&lines);
    findings_print(block_open(&findings), model, view, left > others + 1 ? left - others - 1 : 0);
    block_close(&findings);
    left -= left > block_room(&findings) ? block_room(&findings) : left;
    size_t lines_room = block_room(&lines);
    free(tree.text);
    free(lines.text);
    tree =
        part_fit(first_tree, model, view, left > lines_room + 2 ? left - lines_room - 2 : 0, STAGES_LEAST, STAGES_MOST);
    left -= left > block_room(&tree) ? block_room(&tree) : left;
    lines = part_fit(first_hottest, model, view, left, LINES_LEAST, LINES_MOST);
    block_print(out, &head, false);
    block_print(out, &findings, true);
    block_print(out, &tree, true);
    block_print(out, &lines, true);
    block_print(out, &more, true);
}

void text_report(FILE *out, const struct model *model, const struct view *asked)
{
    struct view person = *asked, *view = &person;
    view->for_person = true;
    if (view->section_count)
        text_sections(out, model, view);
    else if (view->whole || view->between)
        text_whole(out, model, view);
    else
        text_first(out, model, view);
}
