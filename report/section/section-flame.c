/* SPDX-License-Identifier: MIT */
/* section-flame.c: a flame graph in the terminal: a box for a function, as wide as its share of the CPU time, below its
 * caller. Boxes are told apart by a bar at their left, and by colours where the terminal has them. */
#include <stdlib.h>
#include <string.h>

#include "model/namesake.h"
#include "model/stacktree.h"
#include "section/section.h"
#include "words/columns.h"
#include "words/figure.h"
#include "words/plural.h"
#include "words/quote.h"
#include "words/shortname.h"

#define ROWS_SHOWN 32u
#define NAME_LEAST 3 /* columns; a narrower box has no name */

struct flame {
    FILE *out;
    const struct model *model;
    const struct view *view;
    struct stacktree tree;
    double *left;     /* by node: where its box begins, in units of the cost */
    uint32_t *order;  /* nodes by depth, and from left to right */
    double column;    /* units of the cost */
    size_t narrow;    /* boxes without a column of their own */
    struct arena arena;
};

static const struct flame *sorted; /* qsort has no context */

static int by_size(const void *a, const void *b)
{
    const struct stacktree_node *x = &sorted->tree.node[*(const uint32_t *)a],
                                *y = &sorted->tree.node[*(const uint32_t *)b];
    if (x->depth != y->depth)
        return x->depth < y->depth ? -1 : 1;
    return x->total[0] != y->total[0] ? (x->total[0] < y->total[0] ? 1 : -1) : x < y ? -1 : x > y;
}

static int by_place(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    uint32_t depth[2] = { sorted->tree.node[x].depth, sorted->tree.node[y].depth };
    if (depth[0] != depth[1])
        return depth[0] < depth[1] ? -1 : 1;
    return sorted->left[x] != sorted->left[y] ? (sorted->left[x] < sorted->left[y] ? -1 : 1) : x < y ? -1 : x > y;
}

/* The largest child stands at the left, so that what matters can be read down the left edge. */
static void boxes_place(struct flame *f)
{
    size_t count = f->tree.count;
    double *used = memory_zeroed(count, sizeof *used);
    f->left = memory_zeroed(count, sizeof *f->left);
    f->order = memory_zeroed(count, sizeof *f->order);
    for (uint32_t i = 0; i < count; i++)
        f->order[i] = i;
    sorted = f;
    qsort(f->order, count, sizeof *f->order, by_size);
    for (size_t i = 1; i < count; i++) {
        uint32_t node = f->order[i], parent = f->tree.node[node].parent;
        f->left[node] = used[node] = used[parent];
        used[parent] += f->tree.node[node].total[0];
    }
    free(used);
    qsort(f->order, count, sizeof *f->order, by_place);
}

static int column_of(const struct flame *f, double at) { return (int)(at / f->column + 0.5); }

static const char *box_name(struct flame *f, uint32_t node)
{
    const struct model_frame *frame = &f->model->frame[f->tree.node[node].frame];
    if (!node)
        return arena_print(&f->arena, "all of %s", path_short(f->model->run.program));
    return frame->name || frame->function == MODEL_NONE
               ? frame_name(f->model, f->tree.node[node].frame)
               : function_label(&f->arena, &f->model->function[frame->function]);
}

/* Backgrounds of the 256 colours of terminals that black can be read on: warm ones for the program's functions, blue
 * ones for libraries and for what has no function. A function has the same one everywhere. */
static int box_colour(const struct flame *f, uint32_t node, const char *name)
{
    static const unsigned char warm[] = { 209, 215, 216, 221, 222, 208, 214, 223 }, cold[] = { 110, 117, 152, 111 };
    uint32_t hash = 2166136261u;
    for (const char *c = name; *c; c++)
        hash = (hash ^ (unsigned char)*c) * 16777619u;
    hash ^= hash >> 16;
    return f->model->frame[f->tree.node[node].frame].name ? cold[hash % sizeof cold] : warm[hash % sizeof warm];
}

/* Returns whether it has a column. `*at`: the column up to which the row is written. */
static bool box_print(struct flame *f, uint32_t node, int *at)
{
    const struct stacktree_node *n = &f->tree.node[node];
    int from = column_of(f, f->left[node]), to = column_of(f, f->left[node] + n->total[0]);
    if (to <= from)
        return false;
    const char *name = box_name(f, node);
    int wide = to - from, room = wide - 1;
    const char *shown = room >= NAME_LEAST ? label_fit(&f->arena, quote_plain(&f->arena, name), room) : "";
    int letters = text_columns(shown);
    if (letters > room)
        shown = "", letters = 0;
    fprintf(f->out, "%*s", from - *at, "");
    if (f->view->colour)
        fprintf(f->out, "\033[30;48;5;%dm", box_colour(f, node, name));
    fputs(f->view->utf8 ? "\u2502" : "|", f->out);
    fputs(shown, f->out);
    for (int i = letters; i < room; i++) /* without colour a line shows how far the box reaches */
        fputs(f->view->colour ? " " : f->view->utf8 ? "\u2500" : "-", f->out);
    fputs(paint(f->view, "\033[0m"), f->out);
    *at = to;
    return true;
}

static void foot_print(struct flame *f, uint32_t rows, uint32_t depths)
{
    char count[FIGURE_BYTES];
    const char *text = f->view->colour ? "blue: libraries and what has no function" : "";
    if (f->narrow)
        text = arena_print(&f->arena, "%s%s%s %s narrower than a column", text, text[0] ? "; " : "",
                           figure_count(count, (double)f->narrow), plural(f->narrow, "box is", "boxes are"));
    if (rows < depths)
        text = arena_print(&f->arena, "%s%s%u %s deeper (--top 0 shows all)", text, text[0] ? "; " : "", depths - rows,
                           plural(depths - rows, "row is", "rows are"));
    if (!text[0])
        return;
    fputs(paint(f->view, "\033[2m"), f->out);
    text_wrap(f->out, text, 0, 0, f->view->width);
    fprintf(f->out, "%s\n", paint(f->view, "\033[0m"));
}

/* Writes all rows that have a box with a name, and returns how many. */
static uint32_t rows_print(struct flame *f, uint32_t most, uint32_t depths)
{
    uint32_t rows = 0;
    for (size_t i = 0; i < f->tree.count;) {
        int at = 0;
        uint32_t depth = f->tree.node[f->order[i]].depth;
        for (; i < f->tree.count && f->tree.node[f->order[i]].depth == depth; i++)
            if (depth >= most || depth >= depths || !box_print(f, f->order[i], &at))
                f->narrow += depth < most;
        if (at) {
            fputs(f->view->colour ? "" : f->view->utf8 ? "\u2502" : "|", f->out);
            putc('\n', f->out);
            rows++;
        }
    }
    return rows;
}

void text_flame(FILE *out, const struct model *model, const struct view *view)
{
    const struct stack_cost *const cost[STACKTREE_COSTS] = { stack_cost_find("cpu"), NULL };
    struct flame f = { .out = out, .model = model, .view = view };
    f.tree = stacktree_make(model, STACKTREE_CALLERS_FIRST, cost);
    double all = f.tree.node[0].total[0];
    if (all > 0) {
        char total[FIGURE_BYTES], column[FIGURE_BYTES], remark[128];
        uint32_t depths = 0, most = !view->top ? UINT32_MAX : view->top == 15 ? ROWS_SHOWN : (uint32_t)view->top;
        f.column = all / (view->width - 1);
        boxes_place(&f);
        for (size_t i = 0; i < f.tree.count; i++) {
            const struct stacktree_node *n = &f.tree.node[i];
            bool seen = column_of(&f, f.left[i] + n->total[0]) > column_of(&f, f.left[i]) + NAME_LEAST;
            depths = seen && n->depth >= depths ? n->depth + 1 : depths;
        }
        snprintf(remark, sizeof remark, "%s CPU, a column is %s", figure_time(total, all),
                 figure_time(column, f.column));
        text_heading(out, view, "FLAME GRAPH", remark);
        foot_print(&f, rows_print(&f, most, depths), depths);
    }
    stacktree_free(&f.tree);
    arena_free(&f.arena);
    free(f.left);
    free(f.order);
}
