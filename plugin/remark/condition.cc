/* SPDX-License-Identifier: GPL-3.0-or-later */
/* condition.cc: remarks on branches of innermost loops that depend on data which the loop reads. What became a
 * conditional move in the end is no branch. Must not know which way they go. */
#include "gcc.h"
#include "plugin.h"
#include "remark/remarks.h"

#define STEPS_MOST 4

/* Is the value computed from memory that the loop reads? */
static bool is_data (class loop *loop, tree value, int steps)
{
    if (steps <= 0 || TREE_CODE (value) != SSA_NAME || remark_is_invariant (loop, value))
        return false;
    gimple *statement = SSA_NAME_DEF_STMT (value);
    if (!is_gimple_assign (statement))
        return false;
    if (gimple_assign_load_p (statement))
        return true;
    for (unsigned i = 1; i < gimple_num_ops (statement); i++)
        if (is_data (loop, gimple_op (statement, i), steps - 1))
            return true;
    return false;
}

/* Control stays in the loop whichever way it goes. */
static bool stays (class loop *loop, basic_block block)
{
    edge e;
    edge_iterator at;
    FOR_EACH_EDGE (e, at, block->succs)
        if (!flow_bb_inside_loop_p (loop, e->dest))
            return false;
    return EDGE_COUNT (block->succs) > 1;
}

void jumps_confirm ()
{
    place_set places;
    for (rtx_insn *one = get_insns (); one; one = NEXT_INSN (one))
        if (JUMP_P (one) && any_condjump_p (one) && LOCATION_LOCUS (INSN_LOCATION (one)) > BUILTINS_LOCATION)
            places.add (LOCATION_LOCUS (INSN_LOCATION (one)));
    remark_keep (PP_REMARK_BRANCH, &places);
}

void condition_remark (class loop *loop, unsigned number, basic_block *blocks)
{
    for (unsigned i = 0; i < loop->num_nodes; i++) {
        gcond *condition = safe_dyn_cast<gcond *> (last_nondebug_stmt (blocks[i]));
        if (!condition || !stays (loop, blocks[i]))
            continue;
        tree left = gimple_cond_lhs (condition), right = gimple_cond_rhs (condition);
        if (!is_data (loop, left, STEPS_MOST) && !is_data (loop, right, STEPS_MOST))
            continue;
        char *a = remark_text (left), *b = remark_text (right);
        char *text = xasprintf ("%s %s %s", a, op_symbol_code (gimple_cond_code (condition)), b);
        remark_add (PP_REMARK_BRANCH, number, gimple_location (condition), 0, text);
        free (text);
        free (a);
        free (b);
    }
}
