/* SPDX-License-Identifier: GPL-3.0-or-later */
/* windows.cc: remarks on loops that add up what the walk before has added up, too, but for one element, or put it
 * together by shifts, or look for the largest of it: those of a window that moves on by one, or from the start to one
 * more. Must not know how wide they are. */
#include "gcc.h"
#include "plugin.h"
#include "remark/remarks.h"

#define STEPS_MOST 6
#define STARTS_MOST 8 /* steps from where a walk begins to what moves on */
#define OPERATIONS_MOST 5 /* of a step, between what there was and what there is */

/* How a walk gathers elements into one number: the one read in each step, and the operations that add it. */
struct gathered {
    class loop *loop, *outer;
    tree sum;
    gimple *read = nullptr;
    bool shifts = false, multiplies = false, flips = false, joins = false, most = false;
};

static bool is_outside (const gathered *of, tree value)
{
    return TREE_CODE (value) != SSA_NAME || SSA_NAME_IS_DEFAULT_DEF (value)
           || !flow_bb_inside_loop_p (of->loop, gimple_bb (SSA_NAME_DEF_STMT (value)));
}

/* Does no walk change it? */
static bool is_constant (const gathered *of, tree value)
{
    return is_gimple_min_invariant (value) || expr_invariant_in_loop_p (of->outer, value);
}

/* The load that gives the index of this load, as in table[x[i]]; or null. */
static gimple *read_before (const gathered *of, tree value, int steps)
{
    gimple *made = is_outside (of, value) ? nullptr : SSA_NAME_DEF_STMT (value);
    if (!made || !steps || !is_gimple_assign (made))
        return nullptr;
    if (gimple_assign_load_p (made))
        return made;
    gimple *found = nullptr;
    for (unsigned i = 1; i < gimple_num_ops (made) && !found; i++)
        found = read_before (of, gimple_op (made, i), steps - 1);
    return found;
}

static gimple *index_read (const gathered *of, gimple *load)
{
    gimple *found = nullptr;
    for (tree at = gimple_assign_rhs1 (load); !found && at && (handled_component_p (at) || TREE_CODE (at) == MEM_REF);
         at = TREE_CODE (at) == MEM_REF ? NULL_TREE : TREE_OPERAND (at, 0)) {
        if (TREE_CODE (at) == ARRAY_REF)
            found = read_before (of, TREE_OPERAND (at, 1), STEPS_MOST);
        if (TREE_CODE (at) == MEM_REF)
            found = read_before (of, TREE_OPERAND (at, 0), STEPS_MOST);
    }
    return found;
}

/* Does it come from one element that is read in this step, and from what the loop does not change? */
static bool is_element (gathered *of, tree value, int steps)
{
    if (is_outside (of, value))
        return is_constant (of, value);
    gimple *made = SSA_NAME_DEF_STMT (value);
    if (!steps || !is_gimple_assign (made))
        return false;
    if (gimple_assign_load_p (made)) {
        for (gimple *index; (index = index_read (of, made));)
            made = index;
        bool is_new = !of->read;
        of->read = is_new ? made : of->read;
        return of->read == made;
    }
    tree_code code = gimple_assign_rhs_code (made);
    if (!CONVERT_EXPR_CODE_P (code) && code != FLOAT_EXPR && code != MINUS_EXPR && code != BIT_AND_EXPR
        && code != LSHIFT_EXPR && code != BIT_XOR_EXPR && code != BIT_NOT_EXPR)
        return false;
    for (unsigned i = 1; i < gimple_num_ops (made); i++)
        if (!is_element (of, gimple_op (made, i), steps - 1))
            return false;
    return true;
}

/* Is the larger or smaller of what there was and the element chosen by this phi? */
static bool chooses (gathered *of, gimple *made)
{
    basic_block block = gimple_bb (made), before = get_immediate_dominator (CDI_DOMINATORS, block);
    gimple *last = gimple_phi_num_args (made) == 2 && before ? last_nondebug_stmt (before) : nullptr;
    if (!last || gimple_code (last) != GIMPLE_COND || block == of->loop->header)
        return false;
    tree one = gimple_phi_arg_def (made, 0), other = gimple_phi_arg_def (made, 1);
    tree value = one == of->sum ? other : other == of->sum ? one : NULL_TREE;
    tree left = gimple_cond_lhs (last), right = gimple_cond_rhs (last);
    return value && ((left == of->sum && right == value) || (left == value && right == of->sum))
           && !is_outside (of, value) && is_element (of, value, STEPS_MOST);
}

/* Does the value come from what there was, and in each operation from nothing else but an element? */
static bool gathers (gathered *of, tree value, int steps)
{
    if (value == of->sum)
        return true;
    gimple *made = is_outside (of, value) ? nullptr : SSA_NAME_DEF_STMT (value);
    if (!made || !steps)
        return false;
    if (gimple_code (made) == GIMPLE_PHI)
        return of->most = chooses (of, made);
    if (!is_gimple_assign (made) || gimple_assign_load_p (made))
        return false;
    tree_code code = gimple_assign_rhs_code (made);
    tree one = gimple_assign_rhs1 (made), other = gimple_assign_rhs2 (made);
    if (CONVERT_EXPR_CODE_P (code))
        return gathers (of, one, steps - 1);
    switch (code) {
    case MAX_EXPR:
    case MIN_EXPR: of->most = true; break;
    case BIT_XOR_EXPR: of->flips = true; break;
    case BIT_IOR_EXPR: of->joins = true; break;
    case PLUS_EXPR: break;
    case MULT_EXPR: of->multiplies = true; return is_gimple_min_invariant (other) && gathers (of, one, steps - 1);
    case LSHIFT_EXPR:
    case RSHIFT_EXPR: of->shifts = true; /* fallthrough */
    case BIT_AND_EXPR: return is_constant (of, other) && gathers (of, one, steps - 1);
    default: return false;
    }
    gathered trial = *of;
    if (gathers (&trial, one, steps - 1) && is_element (&trial, other, STEPS_MOST)) {
        *of = trial;
        return true;
    }
    return gathers (of, other, steps - 1) && is_element (of, one, STEPS_MOST);
}

/* The element that is added in each step to what the step before had, or put beside it by shifts, or compared with it;
 * or null. A number that is shifted or multiplied must begin anew in each walk. */
static bool is_gathered (gathered *of, gphi *phi)
{
    of->sum = gimple_phi_result (phi);
    of->shifts = of->multiplies = of->flips = of->joins = of->most = false;
    tree start = PHI_ARG_DEF_FROM_EDGE (phi, loop_preheader_edge (of->loop));
    return gathers (of, PHI_ARG_DEF_FROM_EDGE (phi, loop_latch_edge (of->loop)), OPERATIONS_MOST) && of->read
           && !(of->multiplies && (of->flips || of->joins)) && (of->shifts || !of->joins)
           && (!(of->shifts || of->multiplies) || is_gimple_min_invariant (start));
}

/* The part of a chain of recurrences that is of the loop, and how far it moves in each step; 0: it is none. */
static HOST_WIDE_INT moves_by (tree chain, class loop *loop)
{
    if (TREE_CODE (chain) != POLYNOMIAL_CHREC || CHREC_VARIABLE (chain) != (unsigned) loop->num
        || !tree_fits_shwi_p (CHREC_RIGHT (chain)))
        return 0;
    return tree_to_shwi (CHREC_RIGHT (chain));
}

/* Does the end of the walk move on by one step in each round of the loop around? */
static bool end_moves (class loop *loop, class loop *outer)
{
    tree latch = number_of_latch_executions (loop);
    if (!latch || chrec_contains_undetermined (latch))
        return false;
    tree chain = instantiate_parameters (outer, analyze_scalar_evolution (outer, latch));
    if (TREE_CODE (latch) != SSA_NAME) {
        tree name = latch;
        while (CONVERT_EXPR_P (name) || TREE_CODE (name) == PLUS_EXPR || TREE_CODE (name) == MINUS_EXPR)
            name = TREE_OPERAND (name, 0);
        if (TREE_CODE (name) != SSA_NAME)
            return false;
        chain = instantiate_parameters (outer, analyze_scalar_evolution (outer, name));
    }
    HOST_WIDE_INT by = moves_by (chain, outer);
    return by == 1;
}

/* Does the walk begin one element further on in each round of the loop? At the first ones it may begin at the start,
 * where the window is cut off. */
static bool start_moves (tree start, class loop *loop, HOST_WIDE_INT by)
{
    for (int i = 0; i < STARTS_MOST; i++) {
        if (TREE_CODE (start) == POLYNOMIAL_CHREC)
            return moves_by (start, loop) == by;
        gimple *made = TREE_CODE (start) == SSA_NAME ? SSA_NAME_DEF_STMT (start) : nullptr;
        tree_code code = made && is_gimple_assign (made) ? gimple_assign_rhs_code (made)
                         : made                          ? ERROR_MARK
                                                         : TREE_CODE (start);
        tree one = made && is_gimple_assign (made) ? gimple_assign_rhs1 (made)
                   : !made && EXPR_P (start)       ? TREE_OPERAND (start, 0)
                                                   : NULL_TREE;
        tree other = made && is_gimple_assign (made) ? gimple_assign_rhs2 (made)
                     : one && TREE_OPERAND_LENGTH (start) > 1 ? TREE_OPERAND (start, 1)
                                                              : NULL_TREE;
        if (made && gimple_code (made) == GIMPLE_PHI && gimple_phi_num_args (made) == 2
            && gimple_bb (made) != loop->header && flow_bb_inside_loop_p (loop, gimple_bb (made))) {
            one = gimple_phi_arg_def (made, 0);
            other = gimple_phi_arg_def (made, 1);
            start = is_gimple_min_invariant (one) ? other : is_gimple_min_invariant (other) ? one : NULL_TREE;
            start = start ? instantiate_parameters (loop, analyze_scalar_evolution (loop, start)) : NULL_TREE;
        } else if (code == MAX_EXPR && is_gimple_min_invariant (other))
            start = made ? instantiate_parameters (loop, analyze_scalar_evolution (loop, one)) : one;
        else if (code == POINTER_PLUS_EXPR && expr_invariant_in_loop_p (loop, one))
            start = other;
        else if (CONVERT_EXPR_CODE_P (code) || (code == PLUS_EXPR && is_gimple_min_invariant (other)))
            start = one;
        else if (code == MULT_EXPR && tree_fits_shwi_p (other) && tree_to_shwi (other)
                 && by % tree_to_shwi (other) == 0) {
            by /= tree_to_shwi (other);
            start = one;
        } else
            return false;
        if (!start)
            return false;
    }
    return false;
}

/* Does the loop around go through the same memory each time, but for what this dimension of it says? */
static bool is_else_same (data_reference *made, unsigned dimension, class loop *outer)
{
    tree base = DR_BASE_OBJECT (made);
    while (base && handled_component_p (base))
        base = TREE_OPERAND (base, 0);
    if (!base || (TREE_CODE (base) == MEM_REF && !expr_invariant_in_loop_p (outer, TREE_OPERAND (base, 0))))
        return false;
    for (unsigned i = 0; i < DR_NUM_DIMENSIONS (made); i++)
        if (i != dimension && (chrec_contains_undetermined (DR_ACCESS_FN (made, i))
                               || evolution_part_in_loop_num (DR_ACCESS_FN (made, i), outer->num)
                               || chrec_contains_symbols_defined_in_loop (DR_ACCESS_FN (made, i), outer->num)))
            return false;
    return true;
}

/* The array or pointer from which a place of memory was reckoned. */
static tree root_of (tree place)
{
    tree base = get_base_address (place);
    tree root = base && TREE_CODE (base) == MEM_REF ? TREE_OPERAND (base, 0) : base;
    for (int i = 0; root && TREE_CODE (root) == SSA_NAME && i < STARTS_MOST; i++) {
        gimple *made = SSA_NAME_DEF_STMT (root);
        if (!is_gimple_assign (made) || gimple_assign_rhs_code (made) != POINTER_PLUS_EXPR)
            break;
        root = gimple_assign_rhs1 (made);
    }
    return root && TREE_CODE (root) == ADDR_EXPR ? TREE_OPERAND (root, 0) : root;
}

/* A pointer that moves on may lead from either. */
static bool may_be (tree root, tree other)
{
    return root == other || !root || !other
           || (TREE_CODE (root) == SSA_NAME && gimple_code (SSA_NAME_DEF_STMT (root)) == GIMPLE_PHI)
           || (TREE_CODE (other) == SSA_NAME && gimple_code (SSA_NAME_DEF_STMT (other)) == GIMPLE_PHI);
}

/* Does the loop around write there, as a sort does to what it has found? */
static bool is_written (gimple *read, class loop *outer)
{
    tree root = root_of (gimple_assign_rhs1 (read));
    basic_block *blocks = get_loop_body (outer);
    bool found = false;
    for (unsigned i = 0; i < outer->num_nodes && !found; i++)
        for (gimple_stmt_iterator at = gsi_start_bb (blocks[i]); !gsi_end_p (at) && !found; gsi_next_nondebug (&at)) {
            gimple *statement = gsi_stmt (at);
            found = is_gimple_assign (statement) && gimple_store_p (statement) && !lineslot_is_counter (statement)
                    && may_be (root_of (gimple_assign_lhs (statement)), root);
        }
    free (blocks);
    return found;
}

/* Does each walk go through what the one before went through, but for one element? From the same start, if sums alone
 * are wanted. */
static bool is_window (data_reference *made, class loop *loop, bool may_start_anew, bool *from_start)
{
    class loop *outer = loop_outer (loop);
    for (unsigned i = 0; i < DR_NUM_DIMENSIONS (made); i++) {
        tree chain = DR_ACCESS_FN (made, i);
        HOST_WIDE_INT by = moves_by (chain, loop);
        if (!by)
            continue;
        tree start = CHREC_LEFT (chain);
        for (class loop *one = outer; loop_outer (one); one = loop_outer (one)) {
            tree part = evolution_part_in_loop_num (start, one->num);
            if (part && tree_fits_shwi_p (part) && tree_to_shwi (part) == by && is_else_same (made, i, one))
                return true;
        }
        if (may_start_anew && !chrec_contains_symbols_defined_in_loop (start, outer->num)
            && TREE_CODE (start) != POLYNOMIAL_CHREC && is_else_same (made, i, outer) && end_moves (loop, outer))
            return *from_start = true;
    }
    return false;
}

/* The same where the first windows are cut off, so that no chain says where walks begin. */
static bool is_cut_off (data_reference *made, class loop *loop, class loop *outer)
{
    tree base = DR_BASE_OBJECT (made);
    HOST_WIDE_INT by = DR_NUM_DIMENSIONS (made) == 1 ? moves_by (DR_ACCESS_FN (made, 0), loop) : 0;
    return by && TREE_CODE (base) == MEM_REF && start_moves (TREE_OPERAND (base, 0), outer, by);
}

void window_remark (class loop *loop, unsigned number, basic_block *blocks)
{
    class loop *outer = loop_outer (loop);
    auto_vec<edge> exits = get_loop_exit_edges (loop);
    gathered of = { loop, outer, NULL_TREE };
    unsigned made_of = 0;
    if (!loop->latch || !loop_depth (outer) || exits.length () != 1)
        return;
    for (unsigned i = 0; i < loop->num_nodes; i++)
        for (gimple_stmt_iterator at = gsi_start_nondebug_bb (blocks[i]); !gsi_end_p (at); gsi_next_nondebug (&at)) {
            gimple *statement = gsi_stmt (at);
            if (is_gimple_call (statement) || (gimple_vdef (statement) && !lineslot_is_counter (statement)))
                return;
        }
    for (gphi_iterator at = gsi_start_phis (loop->header); !gsi_end_p (at); gsi_next (&at)) {
        affine_iv iv;
        tree value = gimple_phi_result (at.phi ());
        if (virtual_operand_p (value) || lineslot_is_counter (at.phi ()) || simple_iv (loop, loop, value, &iv, true))
            continue;
        if (!is_gathered (&of, at.phi ()))
            return;
        made_of |= of.most                      ? PP_WINDOW_MOST
                   : of.shifts || of.multiplies ? PP_WINDOW_ROLLS
                                                : PP_WINDOW_SUM;
    }
    gimple *read = of.read;
    if (!read || (made_of & (made_of - 1)) || (made_of != PP_WINDOW_SUM && is_written (read, outer)))
        return;
    bool found = false, from_start = false;
    for (unsigned depth = 1; depth <= loop_depth (loop) && !found; depth++) {
        class loop *nest = depth < loop_depth (loop) ? superloop_at_depth (loop, depth) : loop;
        data_reference *made
            = create_data_ref (loop_preheader_edge (nest), loop, gimple_assign_rhs1 (read), read, true, false);
        found = nest == loop ? made && is_cut_off (made, loop, outer)
                             : made && is_window (made, loop, made_of == PP_WINDOW_SUM, &from_start);
        free_data_ref (made);
    }
    if (!found)
        return;
    char *text = remark_text (gimple_assign_rhs1 (read), read);
    const char *how = made_of == PP_WINDOW_MOST    ? "the largest or smallest"
                      : made_of == PP_WINDOW_ROLLS ? "a number that shifts or factors put together"
                      : from_start                 ? "sums from the same start"
                                                   : nullptr;
    const char *what = strstr (text, "...") ? "elements" : text;
    remark_add (PP_REMARK_WINDOW, number, gimple_location (read), made_of, what, how);
    free (text);
}
