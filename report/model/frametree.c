/* SPDX-License-Identifier: MIT */
/* frametree.c: see frametree.h. */
#include "model/frametree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { VALUES = FRAMETREE_SIDES * FRAMETREE_COSTS };

static uint32_t node_add(struct frametree *tree, uint32_t parent, uint32_t function)
{
    *ARRAY_PUSH(tree->node, tree->count, tree->capacity) =
        (struct frametree_node){ .parent = parent, .function = function };
    if (tree->count * VALUES > tree->cost_capacity) {
        size_t wanted = tree->capacity * VALUES;
        tree->cost = array_extended(tree->cost, tree->cost_capacity, wanted, sizeof *tree->cost);
        tree->cost_capacity = wanted;
    }
    return (uint32_t)tree->count - 1;
}

static uint32_t function_add(struct frametree *tree, const char *key, struct frametree_function as)
{
    uint32_t *found = map_at_text(&tree->functions, key);
    if (*found == MAP_FRESH) {
        *found = (uint32_t)tree->function_count;
        *ARRAY_PUSH(tree->function, tree->function_count, tree->function_capacity) = as;
    }
    return *found;
}

/* Functions of two runs are the same if their keys are: file and symbol. Those of libraries have their names. */
static uint32_t function_get(struct frametree *tree, const struct model *model, uint32_t frame)
{
    const struct model_frame *f = &model->frame[frame];
    const struct model_function *function = f->function == MODEL_NONE ? NULL : &model->function[f->function];
    bool own = frame && !f->name && function;
    return function_add(tree, own ? function->key : frame_name(model, frame),
                        (struct frametree_function){ .name = frame_name(model, frame),
                                                     .label = own && function->label ? function->label
                                                                                     : frame_name(model, frame),
                                                     .file = own ? function->file : "",
                                                     .line = own ? function->line : 0,
                                                     .own = own });
}

static uint32_t child_get(struct frametree *tree, uint32_t parent, uint32_t function)
{
    uint32_t key[2] = { parent, function }, *found = map_at(&tree->known, key, sizeof key);
    if (*found == MAP_FRESH) {
        *found = (uint32_t)tree->count;
        return node_add(tree, parent, function);
    }
    return *found;
}

void frametree_add(struct frametree *tree, const struct model *model, enum frametree_side side)
{
    uint32_t *node = memory_zeroed(model->frame_count, sizeof *node); /* by frame: callers stand first */
    bool *wanted = memory_zeroed(model->frame_count, sizeof *wanted);
    if (!tree->count)
        node_add(tree, 0,
                 function_add(tree, "",
                              (struct frametree_function){ .name = model->run.program, .label = "", .file = "" }));
    for (size_t i = 0; i < model->stack_count; i++)
        for (const struct stack_cost *c = stack_costs; c->name; c++)
            for (uint32_t f = model->stack[i].frame; c->of(&model->stack[i]) > 0 && f && !wanted[f];
                 f = model->frame[f].parent)
                wanted[f] = true;
    for (uint32_t f = 1; f < model->frame_count; f++)
        if (wanted[f])
            node[f] = child_get(tree, node[model->frame[f].parent], function_get(tree, model, f));
    for (size_t i = 0; i < model->stack_count; i++) {
        double *cost = frametree_cost_at(tree, node[model->stack[i].frame], side);
        for (unsigned k = 0; k < FRAMETREE_COSTS; k++)
            cost[k] += fmax(0, stack_costs[k].of(&model->stack[i]));
    }
    free(node);
    free(wanted);
}

/* ---- what is small ---- */

/* By node: the largest of its shares, with all below, of the sums of all costs. */
static float *shares_make(const struct frametree *tree)
{
    double *total = memory_zeroed(tree->count * VALUES, sizeof *total);
    float *share = memory_zeroed(tree->count, sizeof *share);
    memcpy(total, tree->cost, tree->count * VALUES * sizeof *total);
    for (size_t i = tree->count; i-- > 1;)
        for (unsigned k = 0; k < VALUES; k++)
            total[tree->node[i].parent * VALUES + k] += total[i * VALUES + k];
    for (size_t i = 0; i < tree->count; i++)
        for (unsigned k = 0; k < VALUES; k++)
            if (total[k] > 0)
                share[i] = fmaxf(share[i], (float)(total[i * VALUES + k] / total[k]));
    free(total);
    return share;
}

/* How many nodes there are if those below the share are folded: those that stay, and one more where a child went. */
static size_t folded_count(const struct frametree *tree, const float *share, double least, bool *lost)
{
    size_t count = 1;
    memset(lost, 0, tree->count * sizeof *lost);
    for (size_t i = 1; i < tree->count; i++)
        if (share[i] >= least)
            count++;
        else if (share[tree->node[i].parent] >= least && !lost[tree->node[i].parent]) {
            lost[tree->node[i].parent] = true;
            count++;
        }
    return count;
}

static void small_fold(struct frametree *tree, size_t most)
{
    float *share = shares_make(tree);
    bool *lost = memory_zeroed(tree->count, sizeof *lost);
    double least = 1e-9;
    while (folded_count(tree, share, least, lost) > most && least < 1)
        least *= 1.5;
    uint32_t other = function_add(
        tree, "(other)", (struct frametree_function){ .name = "(other)", .label = "(other)", .file = "" });
    uint32_t *now = memory_zeroed(tree->count, sizeof *now);
    struct frametree kept = { .function = NULL };
    node_add(&kept, 0, tree->node[0].function);
    for (size_t i = 0; i < tree->count; i++) { /* parents first: what is folded goes where its parent went */
        const struct frametree_node *n = &tree->node[i];
        uint32_t parent = now[n->parent];
        if (i && share[i] >= least)
            now[i] = node_add(&kept, parent, n->function);
        else if (i) {
            now[i] = kept.node[parent].function == other ? parent : child_get(&kept, parent, other);
            tree->folded++;
        }
        for (unsigned k = 0; k < VALUES; k++)
            kept.cost[now[i] * VALUES + k] += tree->cost[i * VALUES + k];
    }
    tree->folded_share = least;
    map_free(&kept.known);
    free(tree->node);
    free(tree->cost);
    tree->node = kept.node;
    tree->count = kept.count;
    tree->capacity = kept.capacity;
    tree->cost = kept.cost;
    tree->cost_capacity = kept.cost_capacity;
    free(share);
    free(lost);
    free(now);
}

/* ---- the order ---- */

static const struct frametree *sorted;

static int by_name(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    int names = strcmp(sorted->function[x].name, sorted->function[y].name);
    return names ? names : x < y ? -1 : x > y;
}

/* Nodes by the names of their functions: two passes of counting instead of one sort. */
static uint32_t *nodes_by_name(const struct frametree *tree)
{
    uint32_t *function = memory_zeroed(tree->function_count, sizeof *function);
    uint32_t *start = memory_zeroed(tree->function_count + 1, sizeof *start);
    uint32_t *rank = memory_zeroed(tree->function_count, sizeof *rank);
    uint32_t *order = memory_zeroed(tree->count, sizeof *order);
    for (uint32_t i = 0; i < tree->function_count; i++)
        function[i] = i;
    sorted = tree;
    qsort(function, tree->function_count, sizeof *function, by_name);
    for (uint32_t i = 0; i < tree->function_count; i++)
        rank[function[i]] = i;
    for (size_t i = 0; i < tree->count; i++)
        start[rank[tree->node[i].function] + 1]++;
    for (size_t i = 0; i < tree->function_count; i++)
        start[i + 1] += start[i];
    for (uint32_t i = 0; i < tree->count; i++)
        order[start[rank[tree->node[i].function]]++] = i;
    free(function);
    free(start);
    free(rank);
    return order;
}

/* By place in preorder: the node that stands there. */
static uint32_t *preorder_make(const struct frametree *tree)
{
    uint32_t *by = nodes_by_name(tree), *place = memory_zeroed(tree->count, sizeof *place);
    uint32_t *child = memory_zeroed(tree->count, sizeof *child), *next = memory_zeroed(tree->count, sizeof *next);
    for (size_t i = tree->count; i-- > 0;) /* lists of children: the last is put in first. 0: none */
        if (by[i]) {
            next[by[i]] = child[tree->node[by[i]].parent];
            child[tree->node[by[i]].parent] = by[i];
        }
    uint32_t at = 0;
    for (size_t i = 0; i < tree->count; i++) {
        place[i] = at;
        if (child[at])
            at = child[at];
        else {
            while (at && !next[at])
                at = tree->node[at].parent;
            at = next[at];
        }
    }
    free(by);
    free(child);
    free(next);
    return place;
}

void frametree_order(struct frametree *tree, size_t most)
{
    if (tree->count > most)
        small_fold(tree, most);
    uint32_t *place = preorder_make(tree), *now = memory_zeroed(tree->count, sizeof *now);
    struct frametree_node *node = memory_zeroed(tree->count, sizeof *node);
    double *cost = memory_zeroed(tree->count * VALUES, sizeof *cost);
    for (uint32_t i = 0; i < tree->count; i++)
        now[place[i]] = i;
    for (size_t i = 0; i < tree->count; i++) {
        node[i] = (struct frametree_node){ now[tree->node[place[i]].parent], tree->node[place[i]].function };
        memcpy(&cost[i * VALUES], &tree->cost[place[i] * VALUES], VALUES * sizeof *cost);
    }
    free(tree->node);
    free(tree->cost);
    tree->node = node;
    tree->capacity = tree->count;
    tree->cost = cost;
    tree->cost_capacity = tree->count * VALUES;
    free(place);
    free(now);
}

void frametree_free(struct frametree *tree)
{
    map_free(&tree->known);
    map_free(&tree->functions);
    free(tree->node);
    free(tree->function);
    free(tree->cost);
}
