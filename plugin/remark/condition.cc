/* SPDX-License-Identifier: GPL-3.0-or-later */
/* condition.cc: remarks on branches of innermost loops that depend on data which the loop reads. What became a
 * conditional move in the end is no branch. Must not know which way they go. */
#include "gcc.h"
#include "plugin.h"
#include "remark/remarks.h"

#define STEPS_MOST 4
#define STATEMENTS_MOST 40 /* of a loop that is cheap but for its branches */

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

/* Does the statement take several cycles, or is its time not known? */
static bool is_slow (gimple *statement)
{
    if (is_gimple_call (statement) || gimple_code (statement) == GIMPLE_ASM)
        return true;
    if (!is_gimple_assign (statement) || gimple_assign_single_p (statement))
        return false;
    tree type = TREE_TYPE (gimple_assign_lhs (statement));
    if (VECTOR_TYPE_P (type) || SCALAR_FLOAT_TYPE_P (type) || TREE_CODE (type) == COMPLEX_TYPE)
        return true;
    switch (gimple_assign_rhs_code (statement)) {
    case MULT_EXPR:
    case MULT_HIGHPART_EXPR:
    case WIDEN_MULT_EXPR:
        return TREE_CODE (gimple_assign_rhs2 (statement)) != INTEGER_CST
               || !(integer_pow2p (gimple_assign_rhs2 (statement)));
    case TRUNC_DIV_EXPR:
    case CEIL_DIV_EXPR:
    case FLOOR_DIV_EXPR:
    case EXACT_DIV_EXPR:
    case TRUNC_MOD_EXPR:
    case CEIL_MOD_EXPR:
    case FLOOR_MOD_EXPR:
        return true;
    default:
        return false;
    }
}

/* Where such a loop is slow, it waits for memory, or the processor guesses wrong at its branches. */
static bool is_cheap (class loop *loop, basic_block *blocks)
{
    unsigned count = 0;
    for (unsigned i = 0; i < loop->num_nodes; i++)
        for (gimple_stmt_iterator at = gsi_start_bb (blocks[i]); !gsi_end_p (at); gsi_next (&at)) {
            gimple *statement = gsi_stmt (at);
            if (is_gimple_debug (statement))
                continue;
            if (++count > STATEMENTS_MOST || is_slow (statement))
                return false;
        }
    return true;
}

void condition_remark (class loop *loop, unsigned number, basic_block *blocks)
{
    const char *why = is_cheap (loop, blocks) ? "all else in the loop is cheap" : nullptr;
    for (unsigned i = 0; i < loop->num_nodes; i++) {
        gcond *condition = safe_dyn_cast<gcond *> (last_nondebug_stmt (blocks[i]));
        if (!condition || !stays (loop, blocks[i]))
            continue;
        tree left = gimple_cond_lhs (condition), right = gimple_cond_rhs (condition);
        if (!is_data (loop, left, STEPS_MOST) && !is_data (loop, right, STEPS_MOST))
            continue;
        char *a = remark_text (left), *b = remark_text (right);
        char *text = xasprintf ("%s %s %s", a, op_symbol_code (gimple_cond_code (condition)), b);
        remark_add (PP_REMARK_BRANCH, number, gimple_location (condition), 0, text, why);
        free (text);
        free (a);
        free (b);
    }
}
