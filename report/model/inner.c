/* SPDX-License-Identifier: MIT */
/* inner.c: what is known of a line within it: where most of its time is, and the places in headers whose costs stand at
 * it. It must not know which code that is. See model.h. */
#include <math.h>
#include <stdlib.h>

#include "model/model.h"

void line_column_add(struct model_line *line, uint32_t column, double ns)
{
    bool same = line->column == column;
    if (!same && ns > line->column_ns)
        line->column = column;
    line->column_ns = same ? line->column_ns + ns : fabs(line->column_ns - ns);
}

struct model_inner *inner_row(struct model *model, uint32_t line, uint32_t inner)
{
    if (!model->inner_count) /* number 0 is no place */
        *ARRAY_PUSH(model->inner, model->inner_count, model->inner_capacity) =
            (struct model_inner){ .line = MODEL_NONE };
    for (uint32_t i = model->line[line].inner; i; i = model->inner[i].next)
        if (model->inner[i].line == inner)
            return &model->inner[i];
    struct model_inner *made = ARRAY_PUSH(model->inner, model->inner_count, model->inner_capacity);
    *made = (struct model_inner){ .line = inner, .next = model->line[line].inner };
    model->line[line].inner = (uint32_t)model->inner_count - 1;
    return made;
}

const struct model_callee *line_callee(const struct model *model, const struct model_line *line)
{
    const struct model_callee *most = line->callee_count ? &model->callee[line->callee] : NULL;
    return most && most->self_ns >= line->self.ns / 2 ? most : NULL;
}

static int by_cost(const void *a, const void *b)
{
    const struct model_inner *x = *(const struct model_inner *const *)a, *y = *(const struct model_inner *const *)b;
    double cost[2] = { x->self_ns + (double)x->traffic.wall_ns, y->self_ns + (double)y->traffic.wall_ns };
    if (cost[0] != cost[1])
        return cost[0] < cost[1] ? 1 : -1;
    if (x->blocks.alloc_bytes != y->blocks.alloc_bytes)
        return x->blocks.alloc_bytes < y->blocks.alloc_bytes ? 1 : -1;
    return x->line < y->line ? -1 : x->line > y->line;
}

const struct model_inner **inner_list(const struct model *model, const struct model_line *line, size_t *count)
{
    size_t capacity = 0;
    const struct model_inner **list = NULL;
    *count = 0;
    for (uint32_t i = line->inner; i; i = model->inner[i].next)
        *ARRAY_PUSH(list, *count, capacity) = &model->inner[i];
    if (*count)
        qsort(list, *count, sizeof *list, by_cost);
    return list;
}
