/* SPDX-License-Identifier: MIT */
/* calltree.h: the call tree of a thread. */
#ifndef PP_CALLTREE_H
#define PP_CALLTREE_H

#include "rt.h"

bool pp_tree_adopt(struct pp_thread *thread, struct pp_nodes *chunk);       /* a block anew, in the first chunk that it had */
bool pp_tree_make(struct pp_thread *thread);             /* the root and the first chunks of a new block */
struct pp_node *pp_tree_enter(struct pp_thread *thread, uint32_t key);      /* the child of the current node; null: no memory */
struct pp_node *pp_tree_at(struct pp_private *p, uint32_t number);
struct pp_node *pp_tree_root(struct pp_private *p);

#endif
