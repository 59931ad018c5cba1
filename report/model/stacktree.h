/* SPDX-License-Identifier: MIT */
/* stacktree.h: the model's stacks merged by function into a tree, from callers to callees or the other way round. It
 * must not know who shows it. */
#ifndef PROFPLUG_MODEL_STACKTREE_H
#define PROFPLUG_MODEL_STACKTREE_H

#include "model/model.h"

enum { STACKTREE_COSTS = 2 };
struct stacktree_node {
    uint32_t parent, depth; /* stands after its parent; node 0 is the root, all stacks together */
    uint32_t frame;         /* any frame that has its function */
    bool folded;            /* by stacktree_fold */
    uint32_t level;         /* its depth without what is folded */
    /* in it, and in it and all below. Callees first: of stacks that end there, and of all that come this way */
    double own[STACKTREE_COSTS], total[STACKTREE_COSTS];
};
struct stacktree {
    struct stacktree_node *node;
    size_t count, capacity;
};

enum stacktree_order { STACKTREE_CALLERS_FIRST, STACKTREE_CALLEES_FIRST };
/* Stacks with none of the costs are left out. A NULL cost is 0. Free with stacktree_free. */
struct stacktree stacktree_make(const struct model *model, enum stacktree_order order,
                                const struct stack_cost *const cost[STACKTREE_COSTS]);
/* Folds nodes that only pass on: they cost nothing of their own and lead to one other. */
void stacktree_fold(struct stacktree *tree);
void stacktree_free(struct stacktree *tree);

/* The nodes with the largest shares of any cost, at most `most` of them (0: all), in the order in which a tree is
 * printed: the parent first, then its children, the largest first. The root and what is folded are not among them.
 * *share: by node, the largest of its parts of the whole. Free both arrays. */
uint32_t *stacktree_largest(const struct stacktree *tree, size_t most, double least_share, size_t *count,
                            double **share);

#endif
