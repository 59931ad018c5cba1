/* SPDX-License-Identifier: MIT */
/* stacktree.c: see stacktree.h. */
#include "model/stacktree.h"

#include <math.h>
#include <stdlib.h>

#include "store/map.h"

static uint32_t child_get(struct stacktree *tree, struct map *known, uint32_t parent, uint32_t function, uint32_t frame)
{
    uint32_t key[2] = { parent, function }, *found = map_at(known, key, sizeof key);
    if (*found == MAP_FRESH) {
        *found = (uint32_t)tree->count;
        uint32_t depth = tree->node[parent].depth + 1;
        *ARRAY_PUSH(tree->node, tree->count, tree->capacity) =
            (struct stacktree_node){ .parent = parent, .depth = depth, .level = depth, .frame = frame };
    }
    return *found;
}

struct stacktree stacktree_make(const struct model *model, enum stacktree_order order,
                                const struct stack_cost *const cost[STACKTREE_COSTS])
{
    struct stacktree tree = { .node = NULL };
    struct map known = { 0 };
    uint32_t *of, *chain = memory_zeroed(model->frame_count, sizeof *chain);
    frame_functions(model, &of);
    *ARRAY_PUSH(tree.node, tree.count, tree.capacity) = (struct stacktree_node){ .frame = 0 };
    for (size_t i = 0; i < model->stack_count; i++) {
        double costs[STACKTREE_COSTS], any = 0;
        for (unsigned k = 0; k < STACKTREE_COSTS; k++)
            any = fmax(any, costs[k] = cost[k] ? cost[k]->of(&model->stack[i]) : 0);
        if (any <= 0)
            continue;
        size_t length = 0;
        for (uint32_t f = model->stack[i].frame; f; f = model->frame[f].parent)
            chain[length++] = f;
        uint32_t at = 0;
        for (size_t k = 0; k < length; k++) {
            uint32_t frame = chain[order == STACKTREE_CALLEES_FIRST ? k : length - 1 - k];
            at = child_get(&tree, &known, at, of[frame], frame);
        }
        for (unsigned k = 0; k < STACKTREE_COSTS; k++)
            tree.node[at].own[k] += costs[k];
    }
    for (size_t i = tree.count; i-- > 0;)
        for (unsigned k = 0; k < STACKTREE_COSTS; k++) {
            tree.node[i].total[k] += tree.node[i].own[k];
            if (i)
                tree.node[tree.node[i].parent].total[k] += tree.node[i].total[k];
        }
    map_free(&known);
    free(of);
    free(chain);
    return tree;
}

void stacktree_fold(struct stacktree *tree)
{
    uint32_t *children = memory_zeroed(tree->count, sizeof *children);
    for (size_t i = 1; i < tree->count; i++)
        children[tree->node[i].parent]++;
    for (size_t i = 1; i < tree->count; i++) {
        struct stacktree_node *n = &tree->node[i];
        n->folded = children[i] == 1 && n->own[0] <= 0 && n->own[1] <= 0;
        const struct stacktree_node *up = &tree->node[n->parent];
        n->level = up->level + !up->folded;
    }
    free(children);
}

void stacktree_free(struct stacktree *tree) { free(tree->node); }

static const double *sorted_share; /* qsort has no context */
static const struct stacktree *sorted;

/* A parent has at least its children's share, and a smaller number. */
static int by_share(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    if (sorted_share[x] != sorted_share[y])
        return sorted_share[x] < sorted_share[y] ? 1 : -1;
    return x < y ? -1 : x > y;
}

static int by_place(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    uint32_t up = x, vp = y;
    while (sorted->node[up].depth > sorted->node[vp].depth)
        up = sorted->node[up].parent;
    while (sorted->node[vp].depth > sorted->node[up].depth)
        vp = sorted->node[vp].parent;
    if (up == vp) /* one is above the other */
        return x == y ? 0 : x < y ? -1 : 1;
    while (sorted->node[up].parent != sorted->node[vp].parent) {
        up = sorted->node[up].parent;
        vp = sorted->node[vp].parent;
    }
    return by_share(&up, &vp);
}

uint32_t *stacktree_largest(const struct stacktree *tree, size_t most, double least_share, size_t *count,
                            double **share)
{
    uint32_t *list = memory_zeroed(tree->count, sizeof *list);
    *share = memory_zeroed(tree->count, sizeof **share);
    *count = 0;
    for (uint32_t i = 1; i < tree->count; i++) {
        for (unsigned k = 0; k < STACKTREE_COSTS; k++)
            if (tree->node[0].total[k] > 0)
                (*share)[i] = fmax((*share)[i], tree->node[i].total[k] / tree->node[0].total[k]);
        if ((*share)[i] >= least_share && !tree->node[i].folded)
            list[(*count)++] = i;
    }
    sorted_share = *share;
    sorted = tree;
    if (*count)
        qsort(list, *count, sizeof *list, by_share);
    if (most && *count > most)
        *count = most;
    if (*count)
        qsort(list, *count, sizeof *list, by_place);
    return list;
}
