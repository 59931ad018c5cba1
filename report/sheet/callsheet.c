/* SPDX-License-Identifier: MIT */
/* callsheet.c: the call tree of the flame graph. `calls` has the nodes in preorder: `pops` says how many levels above
 * the node before it its parent stands. Then self costs, those of another run with `base_`. See sheet.h and
 * frametree.h. */
#include "model/frametree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sheet/sheet.h"

#define NODES_MOST 1000000 /* more do not open within a second */

#define FRAMETREE_NAMES(name, unit, how, meaning) { #name, "base_" #name },
static const char *const column[FRAMETREE_COSTS][FRAMETREE_SIDES] = { STACK_COSTS(FRAMETREE_NAMES) };

/* Boxes are narrow, and "(anonymous)::" tells functions from none of their neighbours. */
static const char *label_narrow(struct arena *arena, const char *label)
{
    static const char anonymous[] = "(anonymous)::";
    const char *found = strstr(label, anonymous), *rest = label;
    if (!found)
        return label;
    char *narrow = arena_take(arena, strlen(label) + 1), *to = narrow;
    for (; found; found = strstr(rest, anonymous)) {
        memcpy(to, rest, (size_t)(found - rest));
        to += found - rest;
        rest = found + sizeof anonymous - 1;
    }
    memcpy(to, rest, strlen(rest) + 1);
    return narrow;
}

static void functions_put(struct book *book, const struct frametree *tree)
{
    struct sheet *s = sheet_begin(book, "callfunctions");
    for (size_t i = 0; i < tree->function_count; i++) {
        const struct frametree_function *f = &tree->function[i];
        sheet_text(s, "name", i ? f->name : path_short(f->name));
        sheet_text(s, "label", i ? label_narrow(&book->arena, f->label) : path_short(f->name));
        sheet_text(s, "file", f->file);
        sheet_number(s, "line", f->line);
        sheet_number(s, "own", f->own);
        sheet_row(s);
    }
    sheet_end(s);
}

static void folded_put(struct book *book, const struct frametree *tree)
{
    struct sheet *s = sheet_begin(book, "callsfolded");
    sheet_number(s, "nodes", tree->folded);
    sheet_number(s, "share_ppb", (uint64_t)llround(1e9 * tree->folded_share));
    sheet_text(s, "base", book->view->against ? book->view->against->run.path : "");
    sheet_row(s);
    sheet_end(s);
}

/* Sums of what is written are those of the run, rounded once: each number is the step from one rounded sum to the
 * next. */
static void nodes_put(struct book *book, const struct frametree *tree)
{
    struct sheet *s = sheet_begin(book, "calls");
    double sum[FRAMETREE_SIDES][FRAMETREE_COSTS] = { 0 };
    bool any[FRAMETREE_SIDES][FRAMETREE_COSTS] = { 0 };
    uint32_t before = 0;
    uint16_t *depth = memory_zeroed(tree->count, sizeof *depth);
    for (size_t i = 0; i < tree->count; i++)
        for (unsigned side = 0; side < FRAMETREE_SIDES; side++)
            for (unsigned k = 0; k < FRAMETREE_COSTS; k++)
                any[side][k] = any[side][k] || frametree_cost_at(tree, i, side)[k] > 0;
    for (size_t i = 0; i < tree->count; i++) {
        if (i)
            depth[i] = (uint16_t)(depth[tree->node[i].parent] + 1);
        sheet_number(s, "pops", i ? before + 1u - depth[i] : 0);
        sheet_number(s, "function", tree->node[i].function);
        for (unsigned side = 0; side < FRAMETREE_SIDES; side++)
            for (unsigned k = 0; k < FRAMETREE_COSTS; k++) {
                if (!any[side][k])
                    continue;
                double next = sum[side][k] + frametree_cost_at(tree, i, side)[k];
                sheet_number(s, column[k][side], (uint64_t)(round(next) - round(sum[side][k])));
                sum[side][k] = next;
            }
        sheet_row(s);
        before = depth[i];
    }
    sheet_end(s);
    free(depth);
}

void sheet_calls(struct book *book)
{
    struct frametree tree = { .count = 0 };
    frametree_add(&tree, book->model, FRAMETREE_NOW);
    if (book->view->against)
        frametree_add(&tree, book->view->against, FRAMETREE_BASE);
    frametree_order(&tree, NODES_MOST);
    nodes_put(book, &tree);
    functions_put(book, &tree);
    folded_put(book, &tree);
    frametree_free(&tree);
}
