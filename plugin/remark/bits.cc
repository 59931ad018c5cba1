/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bits.cc: remarks on loops that take a number apart bit by bit, where one instruction, a table or a mask takes several
 * at once: that count its bits, compute a checksum of it, or put a field of a few bits together. Loops that do more for
 * a bit, such as to raise to a power, are none. Must not know how many bits there are. */
#include "gcc.h"
#include "plugin.h"
#include "remark/remarks.h"

#define STEPS_MOST 8
#define STATEMENTS_MOST 24

static gimple *made_in (class loop *loop, tree value)
{
    gimple *made = TREE_CODE (value) == SSA_NAME ? SSA_NAME_DEF_STMT (value) : nullptr;
    return made && gimple_bb (made) && flow_bb_inside_loop_p (loop, gimple_bb (made)) ? made : nullptr;
}

static tree without_casts (class loop *loop, tree value)
{
    for (int i = 0; i < STEPS_MOST; i++) {
        gimple *made = made_in (loop, value);
        if (!made || !is_gimple_assign (made) || !CONVERT_EXPR_CODE_P (gimple_assign_rhs_code (made)))
            break;
        value = gimple_assign_rhs1 (made);
    }
    return value;
}

/* Is it the number of the step before, moved by one bit? */
static bool is_moved (class loop *loop, tree value, tree number)
{
    gimple *made = made_in (loop, without_casts (loop, value));
    if (!made || !is_gimple_assign (made))
        return false;
    tree_code code = gimple_assign_rhs_code (made);
    tree by = gimple_num_ops (made) == 3 ? gimple_assign_rhs2 (made) : NULL_TREE;
    if (without_casts (loop, gimple_assign_rhs1 (made)) != number)
        return false;
    return ((code == RSHIFT_EXPR || code == LSHIFT_EXPR) && integer_onep (by))
           || (code == PLUS_EXPR && without_casts (loop, by) == number)
           || ((code == MULT_EXPR || code == TRUNC_DIV_EXPR) && TREE_CODE (by) == INTEGER_CST
               && wi::to_widest (by) == 2);
}

/* Is it one bit of something: what a mask or a shift leaves, or a number that is 1 or 0? */
static bool is_bit (class loop *loop, tree value)
{
    value = without_casts (loop, value);
    gimple *made = made_in (loop, value);
    if (!made || !is_gimple_assign (made) || gimple_num_ops (made) != 3)
        return false;
    tree_code code = gimple_assign_rhs_code (made);
    tree by = gimple_assign_rhs2 (made);
    if (code == BIT_AND_EXPR)
        return TREE_CODE (by) == INTEGER_CST && integer_pow2p (by);
    return code == RSHIFT_EXPR && is_bit (loop, gimple_assign_rhs1 (made));
}

/* The number that stays the same and of which it is one bit, by the step that is done; or null. */
static tree number_of (class loop *loop, tree bit)
{
    gimple *made = made_in (loop, without_casts (loop, bit));
    if (!made || !is_gimple_assign (made) || gimple_assign_rhs_code (made) != BIT_AND_EXPR
        || !integer_onep (gimple_assign_rhs2 (made)))
        return NULL_TREE;
    gimple *shift = made_in (loop, without_casts (loop, gimple_assign_rhs1 (made)));
    bool shifts = shift && is_gimple_assign (shift) && gimple_assign_rhs_code (shift) == RSHIFT_EXPR;
    affine_iv iv;
    return shifts && remark_is_invariant (loop, gimple_assign_rhs1 (shift))
                   && TREE_CODE (gimple_assign_rhs2 (shift)) == SSA_NAME
                   && simple_iv (loop, loop, without_casts (loop, gimple_assign_rhs2 (shift)), &iv, true)
               ? gimple_assign_rhs1 (shift) : NULL_TREE;
}

/* Does a condition, or a mask of all ones, ask for one bit of the number? */
static bool asks_bit (class loop *loop, basic_block *blocks, tree number)
{
    for (unsigned i = 0; i < loop->num_nodes; i++)
        for (gimple_stmt_iterator at = gsi_start_nondebug_bb (blocks[i]); !gsi_end_p (at); gsi_next_nondebug (&at)) {
            gimple *made = gsi_stmt (at);
            if (is_gimple_assign (made) && gimple_assign_rhs_code (made) == BIT_AND_EXPR
                && TREE_CODE (gimple_assign_rhs2 (made)) == INTEGER_CST && integer_pow2p (gimple_assign_rhs2 (made))
                && without_casts (loop, gimple_assign_rhs1 (made)) == number)
                return true;
            if (gcond *condition = dyn_cast<gcond *> (made))
                if ((gimple_cond_code (condition) == LT_EXPR || gimple_cond_code (condition) == GE_EXPR)
                    && without_casts (loop, gimple_cond_lhs (condition)) == number
                    && integer_zerop (gimple_cond_rhs (condition)))
                    return true;
        }
    return false;
}

/* A remainder of polynomials: the number, moved by one bit, and by one of its bits a constant is added to that. */
static bool is_remainder (class loop *loop, tree next, tree number, bool *adds)
{
    gimple *made = made_in (loop, without_casts (loop, next));
    if (is_moved (loop, next, number))
        return true;
    if (!made)
        return false;
    if (gphi *phi = safe_dyn_cast<gphi *> (made)) {
        if (gimple_bb (phi) == loop->header || gimple_phi_num_args (phi) > 3)
            return false;
        for (unsigned i = 0; i < gimple_phi_num_args (phi); i++)
            if (!is_remainder (loop, gimple_phi_arg_def (phi, i), number, adds))
                return false;
        return true;
    }
    if (!is_gimple_assign (made))
        return false;
    tree_code code = gimple_assign_rhs_code (made);
    if (code == COND_EXPR)
        return is_remainder (loop, gimple_assign_rhs2 (made), number, adds)
               && is_remainder (loop, gimple_assign_rhs3 (made), number, adds);
    if (code != BIT_XOR_EXPR)
        return false;
    tree one = gimple_assign_rhs1 (made), other = gimple_assign_rhs2 (made);
    *adds = true;
    if (is_moved (loop, one, number))
        return remark_is_invariant (loop, other) || made_in (loop, without_casts (loop, other));
    return is_moved (loop, other, number) && made_in (loop, without_casts (loop, one));
}

/* The number that stays the same, one bit of which decides by each step whether one is added; or null. */
static tree number_asked (class loop *loop, tree sum, gphi *next)
{
    if (gimple_bb (next) == loop->header || gimple_phi_num_args (next) != 2)
        return NULL_TREE;
    bool stays = gimple_phi_arg_def (next, 0) == sum;
    gimple *adds = made_in (loop, gimple_phi_arg_def (next, stays));
    basic_block decides = get_immediate_dominator (CDI_DOMINATORS, gimple_bb (next));
    gcond *condition = decides ? safe_dyn_cast<gcond *> (last_nondebug_stmt (decides)) : nullptr;
    if ((!stays && gimple_phi_arg_def (next, 1) != sum) || !adds || !is_gimple_assign (adds)
        || gimple_assign_rhs_code (adds) != PLUS_EXPR || gimple_assign_rhs1 (adds) != sum
        || !integer_onep (gimple_assign_rhs2 (adds)) || !condition || !integer_zerop (gimple_cond_rhs (condition)))
        return NULL_TREE;
    if (tree number = number_of (loop, gimple_cond_lhs (condition)))
        return number;
    gimple *mask = made_in (loop, without_casts (loop, gimple_cond_lhs (condition)));
    if (!mask || !is_gimple_assign (mask) || gimple_assign_rhs_code (mask) != BIT_AND_EXPR)
        return NULL_TREE;
    for (unsigned i = 1; i <= 2; i++) {
        affine_iv iv;
        tree number = gimple_op (mask, 3 - i);
        gimple *bit = made_in (loop, without_casts (loop, gimple_op (mask, i)));
        if (bit && is_gimple_assign (bit) && gimple_assign_rhs_code (bit) == LSHIFT_EXPR
            && integer_onep (gimple_assign_rhs1 (bit)) && TREE_CODE (gimple_assign_rhs2 (bit)) == SSA_NAME
            && simple_iv (loop, loop, without_casts (loop, gimple_assign_rhs2 (bit)), &iv, true)
            && TREE_CODE (number) == SSA_NAME && remark_is_invariant (loop, number))
            return number;
    }
    return NULL_TREE;
}

/* What it is for, or null. */
static const char *use_of (class loop *loop, gphi *phi, tree *number)
{
    affine_iv iv;
    tree sum = gimple_phi_result (phi), next = PHI_ARG_DEF_FROM_EDGE (phi, loop_latch_edge (loop));
    gimple *made = made_in (loop, without_casts (loop, next));
    if (simple_iv (loop, loop, sum, &iv, true))
        return "";
    if (gphi *way = safe_dyn_cast<gphi *> (made))
        return (*number = number_asked (loop, sum, way)) ? "a count" : nullptr;
    if (!made || !is_gimple_assign (made) || gimple_num_ops (made) != 3)
        return nullptr;
    tree_code code = gimple_assign_rhs_code (made);
    tree one = without_casts (loop, gimple_assign_rhs1 (made)), other = without_casts (loop, gimple_assign_rhs2 (made));
    if (code != PLUS_EXPR && code != BIT_XOR_EXPR && code != BIT_IOR_EXPR)
        return nullptr;
    if (other == sum || is_moved (loop, other, sum))
        std::swap (one, other);
    if (is_moved (loop, one, sum) && is_bit (loop, other))
        return "a field";
    if (one != sum)
        return nullptr;
    if (is_bit (loop, other)) {
        *number = number_of (loop, other);
        return code == BIT_IOR_EXPR ? nullptr : "a count";
    }
    gimple *shift = made_in (loop, other);
    return shift && is_gimple_assign (shift) && gimple_assign_rhs_code (shift) == LSHIFT_EXPR && code != BIT_XOR_EXPR
                   && is_bit (loop, gimple_assign_rhs1 (shift))
               ? "a field" : nullptr;
}

void bits_remark (class loop *loop, unsigned number, basic_block *blocks)
{
    unsigned statements = 0;
    tree shifted = NULL_TREE, field = NULL_TREE, counted = NULL_TREE;
    const char *why = nullptr;
    if (!loop->latch)
        return;
    for (unsigned i = 0; i < loop->num_nodes; i++)
        for (gimple_stmt_iterator at = gsi_start_nondebug_bb (blocks[i]); !gsi_end_p (at); gsi_next_nondebug (&at)) {
            gimple *statement = gsi_stmt (at);
            if (++statements > STATEMENTS_MOST || is_gimple_call (statement) || gimple_code (statement) == GIMPLE_ASM
                || (gimple_vdef (statement) && !lineslot_is_counter (statement)))
                return;
        }
    for (gphi_iterator at = gsi_start_phis (loop->header); !gsi_end_p (at); gsi_next (&at)) {
        tree value = gimple_phi_result (at.phi ()), next = PHI_ARG_DEF_FROM_EDGE (at.phi (), loop_latch_edge (loop));
        bool adds = false;
        if (virtual_operand_p (value) || lineslot_is_counter (at.phi ()))
            continue;
        const char *use = use_of (loop, at.phi (), &counted);
        if (use && *use) {
            if (why)
                return;
            why = use;
            field = value;
        } else if (!use) {
            if (shifted || !INTEGRAL_TYPE_P (TREE_TYPE (value)) || !is_remainder (loop, next, value, &adds)
                || !asks_bit (loop, blocks, value))
                return;
            shifted = value;
            if (adds) {
                if (why)
                    return;
                why = "a checksum";
            }
        }
    }
    if (!why || (!shifted && !counted && strcmp (why, "a field")))
        return;
    char *text = remark_text (shifted ? shifted : counted ? counted : field);
    remark_add (PP_REMARK_BITS, number, remark_place (loop), 0, strstr (text, "...") ? "a number" : text, why);
    free (text);
}
