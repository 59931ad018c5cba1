/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trials.cc: remarks on loops that try one number after the other as a divisor, up to the number itself or to a half of
 * it, and do nothing for those that leave a rest. Of two factors the smaller one is no larger than the root. Must not
 * know how far they go. */
#include "gcc.h"
#include "plugin.h"
#include "remark/remarks.h"

#define STEPS_MOST 6
#define FIRST_MOST 8                     /* the first divisor that is tried, and the distance to the next one */
#define PART_MOST 4                      /* so many times smaller may be the last one */

static tree without_casts (tree value)
{
    for (unsigned i = 0; i < STEPS_MOST && TREE_CODE (value) == SSA_NAME; i++) {
        gimple *made = SSA_NAME_DEF_STMT (value);
        if (!is_gimple_assign (made) || !CONVERT_EXPR_CODE_P (gimple_assign_rhs_code (made)))
            break;
        value = gimple_assign_rhs1 (made);
    }
    return value;
}

/* Does it go up by a constant in each step? */
static bool counts (class loop *loop, tree value, affine_iv *iv)
{
    value = without_casts (value);
    return TREE_CODE (value) == SSA_NAME && simple_iv (loop, loop, value, iv, true)
           && TREE_CODE (iv->step) == INTEGER_CST && tree_fits_shwi_p (iv->step)
           && IN_RANGE (tree_to_shwi (iv->step), 1, FIRST_MOST);
}

/* Is what is compared there the rest of a division by the counter? */
static gimple *rest_of (class loop *loop, tree value)
{
    affine_iv iv;
    value = without_casts (value);
    gimple *made = TREE_CODE (value) == SSA_NAME ? SSA_NAME_DEF_STMT (value) : nullptr;
    return made && is_gimple_assign (made) && gimple_assign_rhs_code (made) == TRUNC_MOD_EXPR
                   && counts (loop, gimple_assign_rhs2 (made), &iv) && TREE_CODE (iv.base) == INTEGER_CST
                   && tree_fits_shwi_p (iv.base) && IN_RANGE (tree_to_shwi (iv.base), 1, FIRST_MOST)
                   && remark_is_invariant (loop, gimple_assign_rhs1 (made))
               ? made : nullptr;
}

/* Is the limit the number, or a part of it that is no smaller than a few times, such as its half? */
static bool is_of_number (tree limit, tree number)
{
    number = without_casts (number);
    for (unsigned i = 0; i < STEPS_MOST; i++) {
        limit = without_casts (limit);
        if (limit == number)
            return true;
        if (TREE_CODE (limit) == INTEGER_CST)
            return TREE_CODE (number) == INTEGER_CST
                   && wi::to_widest (limit) * PART_MOST >= wi::to_widest (number);
        gimple *made = TREE_CODE (limit) == SSA_NAME ? SSA_NAME_DEF_STMT (limit) : nullptr;
        if (made && is_gimple_assign (made) && gimple_assign_rhs_code (made) == MIN_EXPR)
            return without_casts (gimple_assign_rhs1 (made)) == number
                   || without_casts (gimple_assign_rhs2 (made)) == number;
        if (!made || !is_gimple_assign (made) || gimple_num_ops (made) != 3
            || TREE_CODE (gimple_assign_rhs2 (made)) != INTEGER_CST || !tree_fits_shwi_p (gimple_assign_rhs2 (made)))
            return false;
        HOST_WIDE_INT by = tree_to_shwi (gimple_assign_rhs2 (made));
        switch (gimple_assign_rhs_code (made)) {
        case TRUNC_DIV_EXPR:
            if (!IN_RANGE (by, 1, PART_MOST))
                return false;
            break;
        case RSHIFT_EXPR:
            if (!IN_RANGE (by, 0, 2))
                return false;
            break;
        case PLUS_EXPR:
        case MINUS_EXPR:
            break;
        default:
            return false;
        }
        limit = gimple_assign_rhs1 (made);
    }
    return false;
}

/* Is it 1 or 0, as the rest says? */
static bool is_asked (class loop *loop, tree value)
{
    value = without_casts (value);
    gimple *made = TREE_CODE (value) == SSA_NAME ? SSA_NAME_DEF_STMT (value) : nullptr;
    if (!made || !is_gimple_assign (made))
        return false;
    tree_code code = gimple_assign_rhs_code (made);
    return (code == EQ_EXPR || code == NE_EXPR) && rest_of (loop, gimple_assign_rhs1 (made));
}

/* Does the loop change this only where a rest says so, or count by it? */
static bool is_of_divisors (class loop *loop, gphi *phi)
{
    affine_iv iv;
    tree value = gimple_phi_result (phi), next = PHI_ARG_DEF_FROM_EDGE (phi, loop_latch_edge (loop));
    if (virtual_operand_p (value) || lineslot_is_counter (phi) || next == value || counts (loop, value, &iv))
        return true;
    gimple *made = TREE_CODE (next) == SSA_NAME ? SSA_NAME_DEF_STMT (next) : nullptr;
    if (!made)
        return false;
    if (gphi *way = safe_dyn_cast<gphi *> (made)) {
        bool stays = false;
        for (unsigned i = 0; i < gimple_phi_num_args (way); i++)
            stays = stays || gimple_phi_arg_def (way, i) == value;
        return stays && gimple_bb (way) != loop->header;
    }
    if (!is_gimple_assign (made))
        return false;
    tree_code code = gimple_assign_rhs_code (made);
    return code == COND_EXPR
           || (code == PLUS_EXPR && (is_asked (loop, gimple_assign_rhs1 (made))
                                     || is_asked (loop, gimple_assign_rhs2 (made))));
}

static bool calls (class loop *loop, basic_block *blocks)
{
    for (unsigned i = 0; i < loop->num_nodes; i++)
        for (gimple_stmt_iterator at = gsi_start_nondebug_bb (blocks[i]); !gsi_end_p (at); gsi_next_nondebug (&at))
            if (is_gimple_call (gsi_stmt (at)) || gimple_code (gsi_stmt (at)) == GIMPLE_ASM)
                return true;
    return false;
}

/* Are the numbers those of a range, which a loop around goes through? */
static bool is_of_range (class loop *loop, tree number)
{
    affine_iv iv;
    number = without_casts (number);
    for (class loop *outer = loop_outer (loop); outer && loop_outer (outer); outer = loop_outer (outer))
        if (TREE_CODE (number) == SSA_NAME && simple_iv (outer, outer, number, &iv, true) && !integer_zerop (iv.step))
            return true;
    return false;
}

void trial_remark (class loop *loop, unsigned number, basic_block *blocks)
{
    auto_vec<edge> exits = get_loop_exit_edges (loop);
    gimple *first = nullptr, *second = nullptr;
    bool leaves = false, ends = false;
    if (!loop->latch || calls (loop, blocks))
        return;
    for (unsigned i = 0; i < loop->num_nodes; i++)
        for (gimple_stmt_iterator at = gsi_start_bb (blocks[i]); !gsi_end_p (at); gsi_next (&at)) {
            gimple *made = gsi_stmt (at);
            if (!is_gimple_assign (made) || rest_of (loop, gimple_assign_lhs (made)) != made)
                continue;
            if (!first)
                first = made;
            else if (without_casts (gimple_assign_rhs1 (made)) != without_casts (gimple_assign_rhs1 (first)))
                second = made;
        }
    if (!first)
        return;
    for (unsigned i = 0; i < loop->num_nodes; i++) {
        gcond *condition = safe_dyn_cast<gcond *> (last_nondebug_stmt (blocks[i]));
        affine_iv iv;
        if (!condition)
            continue;
        bool stays = flow_bb_inside_loop_p (loop, EDGE_SUCC (blocks[i], 0)->dest)
                     && flow_bb_inside_loop_p (loop, EDGE_SUCC (blocks[i], 1)->dest);
        tree left = gimple_cond_lhs (condition), right = gimple_cond_rhs (condition);
        if (rest_of (loop, left) && integer_zerop (right)) {
            leaves = leaves || !stays;
            continue;
        }
        tree limit = counts (loop, left, &iv) ? right : counts (loop, right, &iv) ? left : NULL_TREE;
        if (stays || !limit || !remark_is_invariant (loop, limit))
            return;
        ends = ends || is_of_number (limit, gimple_assign_rhs1 (first))
               || (second && is_of_number (limit, gimple_assign_rhs1 (second)));
    }
    for (gphi_iterator at = gsi_start_phis (loop->header); !gsi_end_p (at); gsi_next (&at))
        if (!is_of_divisors (loop, at.phi ()))
            return;
    if (!ends)
        return;
    bool is_sure = !leaves || is_of_range (loop, gimple_assign_rhs1 (first));
    char *x = remark_text (gimple_assign_rhs1 (first), first),
         *y = second ? remark_text (gimple_assign_rhs1 (second), second) : nullptr;
    remark_add (PP_REMARK_TRIAL, number, gimple_location (first), is_sure, x, y);
    free (x);
    free (y);
}
