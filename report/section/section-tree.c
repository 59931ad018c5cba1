/* SPDX-License-Identifier: MIT */
/* section-tree.c: who called what, and what that cost: from main down, or from the hottest functions up to those that
 * called them. The parts with most time are shown, a row for a function. */
#include <stdlib.h>
#include <string.h>

#include "model/namesake.h"
#include "model/stacktree.h"
#include "section/section.h"
#include "show/table.h"
#include "words/columns.h"
#include "words/figure.h"
#include "words/plural.h"
#include "words/shortname.h"

#define ROWS_MOST 40
#define LEAST_SHARE 0.005 /* of CPU time or of waits */
#define NAME_LEAST 24     /* columns that a name has, however deep it stands */

static const char *node_name(struct arena *arena, const struct model *model, const struct stacktree_node *n)
{
    const struct model_frame *f = &model->frame[n->frame];
    return f->name || f->function == MODEL_NONE ? frame_name(model, n->frame)
                                                : function_label(arena, &model->function[f->function]);
}

/* With the names of what is folded above it, the outermost first; in the middle some may be missing. */
static const char *row_name(struct arena *arena, const struct model *model, const struct stacktree *tree, uint32_t node,
                            const char *arrow, int room)
{
    bool alone = !tree->node[tree->node[node].parent].folded;
    const char *own = label_fit(arena, node_name(arena, model, &tree->node[node]), alone ? room : room / 2);
    const char *all = own, *top = NULL;
    uint32_t folded = 0;
    for (uint32_t n = tree->node[node].parent; tree->node[n].folded; n = tree->node[n].parent) {
        top = node_name(arena, model, &tree->node[n]);
        all = arena_print(arena, "%s%s%s", top, arrow, all);
        folded++;
    }
    if (!top || text_columns(all) <= room)
        return all;
    const char *gap = folded > 1 ? arena_print(arena, "%s(%u)%s", arrow, folded - 1, arrow) : arrow;
    int rest = room - text_columns(own) - text_columns(gap);
    return rest >= 8 ? arena_print(arena, "%s%s%s", label_fit(arena, top, rest), gap, own) : own;
}

/* A deep tree would leave no room: indentation grows by two columns, then by one, and ends. */
static int indent_of(uint32_t level, int room)
{
    int wanted = level < 8 ? 2 * ((int)level - 1) : 14 + (int)level - 8;
    return wanted < room - NAME_LEAST ? wanted : room - NAME_LEAST > 0 ? room - NAME_LEAST : 0;
}

static size_t shown_not(const struct stacktree *tree, size_t shown)
{
    size_t rows = 0;
    for (size_t i = 1; i < tree->count; i++)
        rows += !tree->node[i].folded;
    return rows - shown;
}

static void tree_print(FILE *out, const struct model *model, const struct view *view, enum stacktree_order order,
                       const char *title)
{
    const struct stack_cost *const cost[STACKTREE_COSTS] = { stack_cost_find("cpu"), stack_cost_find("wait") };
    struct stacktree tree = stacktree_make(model, order, cost);
    stacktree_fold(&tree);
    const struct stacktree_node *all = tree.node;
    struct arena arena = { 0 };
    const char *arrow = order == STACKTREE_CALLERS_FIRST ? " > " : " < ", *gap = arena_print(&arena, "%s(", arrow);
    bool passes = false; /* a row stands for several calls */
    const struct table_column column[] = { { title, true, 0 },
                                           { "cpu", false, 0 },
                                           { "share", false, 40 },
                                           { order == STACKTREE_CALLERS_FIRST ? "own cpu" : "", false, 30 },
                                           { "wait", false, 50 } };
    struct table table = {
        .arena = &arena, .column = column, .columns = sizeof column / sizeof *column, .colour = view->colour
    };
    size_t count;
    double *share, least = view->min_percent > 0 ? view->min_percent / 100 : LEAST_SHARE;
    bool many = view->top == 15 || !view->top; /* not asked for */
    uint32_t *list = stacktree_largest(&tree, many ? ROWS_MOST : view->top, least, &count, &share);
    int room = view->width - 40 > NAME_LEAST ? view->width - 40 : NAME_LEAST;
    for (size_t i = 0; i < count; i++) {
        const struct stacktree_node *n = &tree.node[list[i]];
        char text[FIGURE_BYTES];
        int indent = indent_of(n->level, room);
        const char *name = row_name(&arena, model, &tree, list[i], arrow, room - indent);
        passes = passes || strstr(name, gap);
        table_cell(&table, arena_print(&arena, "%*s%s", indent, "", name));
        table_cell(&table, n->total[0] > 0 ? figure_time(text, n->total[0]) : "");
        table_cell(&table, n->total[0] > 0 ? figure_share(text, n->total[0] / all->total[0]) : "");
        table_cell(&table, order == STACKTREE_CALLERS_FIRST && n->own[0] > 0 ? figure_time(text, n->own[0]) : "");
        table_cell(&table, n->total[1] > 0 ? figure_time(text, n->total[1]) : "");
    }
    if (count) {
        fputc('\n', out);
        table_print(&table, out, view->width);
        text_more(out, shown_not(&tree, count));
        text_foot(out, view, &table,
                  passes ? "share: of the CPU time; wait: of all threads together; (3): three calls that only pass on"
                         : "share: of the CPU time; wait: of all threads together");
    }
    free(list);
    free(share);
    table_free(&table);
    stacktree_free(&tree);
    arena_free(&arena);
}

void text_tree(FILE *out, const struct model *model, const struct view *view)
{
    tree_print(out, model, view, STACKTREE_CALLERS_FIRST, "CALL TREE");
}

void text_callers(FILE *out, const struct model *model, const struct view *view)
{
    tree_print(out, model, view, STACKTREE_CALLEES_FIRST, "CALLED FROM");
}
