/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reload.cc: remarks on memory that an innermost loop reads again in every step although its address stays the same,
 * because a store of the loop may change it. Must not know what else the loop does. */
#include "gcc.h"
#include "plugin.h"
#include "remark/remarks.h"

/* Is every part of the address that is read the same in each step? */
static bool has_fixed_address (class loop *loop, gimple *statement)
{
    ssa_op_iter at;
    tree use;
    FOR_EACH_SSA_TREE_OPERAND (use, statement, at, SSA_OP_USE)
        if (!remark_is_invariant (loop, use))
            return false;
    return true;
}

/* A read of a plain value. */
static tree read_of (gimple *statement)
{
    return gimple_assign_load_p (statement) && !gimple_has_volatile_ops (statement)
                   && is_gimple_reg_type (TREE_TYPE (gimple_assign_rhs1 (statement)))
               ? gimple_assign_rhs1 (statement)
               : NULL_TREE;
}

struct memory {
    auto_vec<gimple *> reads, stores;
    bool is_simple;                    /* nothing but assignments touches memory */
};

static void collect (class loop *loop, basic_block *blocks, struct memory *memory)
{
    memory->is_simple = true;
    for (unsigned i = 0; i < loop->num_nodes; i++)
        for (gimple_stmt_iterator at = gsi_start_bb (blocks[i]); !gsi_end_p (at); gsi_next (&at)) {
            gimple *statement = gsi_stmt (at);
            if (is_gimple_debug (statement) || !gimple_vuse (statement) || lineslot_is_counter (statement)
                || gimple_clobber_p (statement))
                continue;
            if (read_of (statement))
                memory->reads.safe_push (statement);
            else if (gimple_assign_single_p (statement) && gimple_store_p (statement))
                memory->stores.safe_push (statement);
            else
                memory->is_simple = false;
        }
}

static void tell (enum pp_remark_kind kind, unsigned number, gimple *at, tree what, tree other)
{
    char *text = remark_text (what), *cause = remark_text (other);
    remark_add (kind, number, gimple_location (at), 0, text, cause);
    free (text);
    free (cause);
}

/* A read of something else that may be the memory of the store. */
static tree other_read (const struct memory *memory, gimple *store)
{
    tree to = gimple_assign_lhs (store);
    for (gimple *read : memory->reads)
        if (!operand_equal_p (gimple_assign_rhs1 (read), to) && refs_may_alias_p (gimple_assign_rhs1 (read), to))
            return gimple_assign_rhs1 (read);
    return NULL_TREE;
}

void reload_remark (class loop *loop, unsigned number, basic_block *blocks)
{
    struct memory memory;
    collect (loop, blocks, &memory);
    if (!memory.is_simple || memory.stores.is_empty () || memory.stores.length () * memory.reads.length () > 400)
        return;
    for (gimple *read : memory.reads) {
        tree what = gimple_assign_rhs1 (read);
        if (!has_fixed_address (loop, read))
            continue;
        for (gimple *store : memory.stores) {
            tree to = gimple_assign_lhs (store);
            if (!stmt_may_clobber_ref_p (store, what))
                continue;
            if (!operand_equal_p (to, what))
                tell (PP_REMARK_RELOAD, number, read, what, to);
            else if (tree other = other_read (&memory, store))
                tell (PP_REMARK_MEMORY_SUM, number, read, what, other);
            break;
        }
    }
}
