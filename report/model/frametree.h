/* SPDX-License-Identifier: MIT */
/* frametree.h: the stacks of one run, or of two to be compared, as one tree of functions in preorder, with every cost
 * of stack.h. It must not know who shows it. */
#ifndef PROFPLUG_MODEL_FRAMETREE_H
#define PROFPLUG_MODEL_FRAMETREE_H

#include "model/model.h"
#include "store/map.h"

#define FRAMETREE_COST(name, unit, how, meaning) FRAMETREE_##name,
enum frametree_cost { STACK_COSTS(FRAMETREE_COST) FRAMETREE_COSTS };
#undef FRAMETREE_COST
enum frametree_side { FRAMETREE_NOW, FRAMETREE_BASE, FRAMETREE_SIDES };

struct frametree_function {
    const char *name, *file; /* of the model, which must live as long */
    const char *label;       /* the short name, see namesake.h; of others than its own the name */
    uint32_t line;           /* of its head; 0: unknown */
    bool own;                /* of the program; else of a library, or in square brackets: time that has no function */
};
struct frametree_node {
    uint32_t parent, function; /* the parent stands before it; node 0 is the root, its function is the program */
};
struct frametree {
    struct frametree_node *node;
    size_t count, capacity;
    struct frametree_function *function;
    size_t function_count, function_capacity;
    /* self costs by node: frametree_cost_at. Subtrees sum to what the run has */
    double *cost;
    size_t cost_capacity;
    size_t folded;       /* nodes that became a part of a node "(other)" */
    double folded_share; /* each of these has a smaller share than this of every cost */
    struct map known, functions;
};

void frametree_add(struct frametree *tree, const struct model *model, enum frametree_side side);
/* In preorder, siblings by name, at most `most` nodes: small ones are folded into "(other)". Once, at the end. */
void frametree_order(struct frametree *tree, size_t most);
void frametree_free(struct frametree *tree);

static inline double *frametree_cost_at(const struct frametree *tree, size_t node, enum frametree_side side)
{
    return &tree->cost[(node * FRAMETREE_SIDES + side) * FRAMETREE_COSTS];
}

#endif
