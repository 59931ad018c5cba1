/* SPDX-License-Identifier: MIT */
/* calltree.h: the call tree of a thread. */
#ifndef PP_CALLTREE_H
#define PP_CALLTREE_H

#include "rt.h"

/* Restarts the tree of a reused block, in the first chunk that it had. */
bool pp_tree_adopt(struct pp_thread *thread, struct pp_nodes *chunk);
/* Makes the root and the first chunks of a new block. */
bool pp_tree_make(struct pp_thread *thread);
/* The node that a call of `key` from the current node leads to. Null: no memory. */
struct pp_node *pp_tree_enter(struct pp_thread *thread, uint32_t key);
struct pp_node *pp_tree_at(struct pp_private *p, uint32_t number);
static inline struct pp_node *pp_tree_root(struct pp_private *p) { return (struct pp_node *)(p->nodes + 1); }
/* How many numbers its nodes have. */
static inline uint32_t pp_tree_size(const struct pp_private *p) { return p->nodes_last->first + p->nodes_last->used; }

#endif
