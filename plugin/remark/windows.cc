/* SPDX-License-Identifier: GPL-3.0-or-later */
/* windows.cc: remarks on loops that add up what the walk before has added up, too, but for one element: those of a
 * window that moves on by one, or from the start to one more. Must not know how wide they are. */
#include "gcc.h"
#include "plugin.h"
#include "remark/remarks.h"

#define STEPS_MOST 3

/* The element that is added in each step to what the step before had, and nothing else; or null. */
static gimple *added (class loop *loop, gphi *phi)
{
    tree sum = gimple_phi_result (phi), next = PHI_ARG_DEF_FROM_EDGE (phi, loop_latch_edge (loop));
    gimple *add = TREE_CODE (next) == SSA_NAME ? SSA_NAME_DEF_STMT (next) : nullptr;
    if (!add || !is_gimple_assign (add) || gimple_assign_rhs_code (add) != PLUS_EXPR
        || !flow_bb_inside_loop_p (loop, gimple_bb (add)))
        return nullptr;
    tree value = gimple_assign_rhs1 (add) == sum   ? gimple_assign_rhs2 (add)
                 : gimple_assign_rhs2 (add) == sum ? gimple_assign_rhs1 (add) : NULL_TREE;
    for (int i = 0; value && TREE_CODE (value) == SSA_NAME && i < STEPS_MOST; i++) {
        gimple *made = SSA_NAME_DEF_STMT (value);
        if (!is_gimple_assign (made) || !gimple_bb (made) || !flow_bb_inside_loop_p (loop, gimple_bb (made)))
            return nullptr;
        if (gimple_assign_load_p (made))
            return made;
        tree_code code = gimple_assign_rhs_code (made);
        if (!CONVERT_EXPR_CODE_P (code) && code != FLOAT_EXPR)
            return nullptr;
        value = gimple_assign_rhs1 (made);
    }
    return nullptr;
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

void window_remark (class loop *loop, unsigned number, basic_block *blocks)
{
    class loop *outer = loop_outer (loop);
    auto_vec<edge> exits = get_loop_exit_edges (loop);
    gimple *read = nullptr;
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
        if (read || !(read = added (loop, at.phi ())))
            return;
    }
    if (!read)
        return;
    data_reference *made = create_data_ref (loop_preheader_edge (superloop_at_depth (loop, 1)), loop,
                                            gimple_assign_rhs1 (read), read, true, false);
    const char *why = nullptr;
    bool found = false;
    for (unsigned i = 0; made && i < DR_NUM_DIMENSIONS (made) && !found; i++) {
        tree chain = DR_ACCESS_FN (made, i);
        HOST_WIDE_INT by = moves_by (chain, loop);
        if (!by)
            continue;
        tree start = CHREC_LEFT (chain);
        for (class loop *one = outer; loop_outer (one) && !found; one = loop_outer (one))
            found = moves_by (start, one) == by && is_else_same (made, i, one);
        if (!found && !chrec_contains_symbols_defined_in_loop (start, outer->num)
            && TREE_CODE (start) != POLYNOMIAL_CHREC && is_else_same (made, i, outer) && end_moves (loop, outer)) {
            found = true;
            why = "from the same start";
        }
    }
    free_data_ref (made);
    if (!found)
        return;
    char *text = remark_text (gimple_assign_rhs1 (read), read);
    remark_add (PP_REMARK_WINDOW, number, gimple_location (read), 0, strstr (text, "...") ? "elements" : text, why);
    free (text);
}
