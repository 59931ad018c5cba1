/* SPDX-License-Identifier: GPL-3.0-or-later */
/* recursion.cc: a remark on functions whose result depends on their parameters alone and on memory that they do not
 * change, and that call themselves several times with numbers that are near their own, as n - 1 and n - 2. They compute
 * the same again and again, unless results are kept. One that divides its numbers, as the middle of a range, has other
 * numbers each time, and so has one that sets bits or goes along pointers. Must not know how often it is called. */
#include "gcc.h"
#include "plugin.h"
#include "remark/remarks.h"

#define DEPTH_MOST 40 /* where a function is inlined into itself, additions follow each other */

/* Is it a parameter as it was handed in? */
static bool is_parameter (tree value)
{
    return TREE_CODE (value) == SSA_NAME && SSA_NAME_IS_DEFAULT_DEF (value) && SSA_NAME_VAR (value)
           && TREE_CODE (SSA_NAME_VAR (value)) == PARM_DECL;
}

/* Where a number comes from, if additions and subtractions are all that was done to it. */
struct origin {
    bool parameter;  /* one of the function's own, somewhere */
    bool other;      /* something else, such as what is read from memory */
    bool unknown;    /* it is multiplied, divided, shifted, or a pointer */
};

static void origin_look (tree value, hash_set<tree> *seen, int depth, struct origin *of)
{
    if (TREE_CODE (value) == INTEGER_CST || is_parameter (value)) {
        of->parameter |= TREE_CODE (value) == SSA_NAME;
        return;
    }
    if (TREE_CODE (value) != SSA_NAME || !depth || !INTEGRAL_TYPE_P (TREE_TYPE (value))) {
        of->unknown = true;
        return;
    }
    if (seen->add (value))
        return;
    gimple *made = SSA_NAME_DEF_STMT (value);
    if (gimple_code (made) == GIMPLE_PHI) {
        for (unsigned i = 0; i < gimple_phi_num_args (made); i++)
            origin_look (gimple_phi_arg_def (made, i), seen, depth - 1, of);
        return;
    }
    if (!is_gimple_assign (made)) {
        of->unknown = true;
        return;
    }
    tree_code code = gimple_assign_rhs_code (made);
    bool adds = code == PLUS_EXPR || code == MINUS_EXPR || code == MIN_EXPR || code == MAX_EXPR;
    if (adds)
        origin_look (gimple_assign_rhs2 (made), seen, depth - 1, of);
    if (adds || CONVERT_EXPR_CODE_P (code) || code == NEGATE_EXPR || code == SSA_NAME)
        origin_look (gimple_assign_rhs1 (made), seen, depth - 1, of);
    else if (gimple_assign_load_p (made))
        of->other = true;
    else
        of->unknown = true;
}

/* Does the call hand on each parameter as it is, or a number that is near one? */
static bool is_near (gimple *call)
{
    bool changes = false;
    for (unsigned i = 0; i < gimple_call_num_args (call); i++) {
        tree argument = gimple_call_arg (call, i);
        if (is_parameter (argument))
            continue;
        hash_set<tree> seen;
        struct origin of = { false, false, false };
        origin_look (argument, &seen, DEPTH_MOST, &of);
        if (of.unknown || (of.other && !of.parameter))
            return false;
        changes |= of.parameter;
    }
    return changes;
}

/* Does the statement leave all memory as it is, but for variables of the function itself? What a mathematical function
 * does to errno is of no interest. */
static bool leaves_memory (function *fun, gimple *statement)
{
    if (!gimple_vdef (statement) || gimple_clobber_p (statement) || lineslot_is_counter (statement))
        return true;
    if (is_gimple_call (statement)) {
        tree called = gimple_call_fndecl (statement);
        return called && (called == fun->decl || (gimple_call_builtin_p (statement, BUILT_IN_NORMAL)
                                                  && SCALAR_FLOAT_TYPE_P (gimple_call_return_type (
                                                      as_a<gcall *> (statement)))));
    }
    tree base = gimple_assign_single_p (statement) ? get_base_address (gimple_assign_lhs (statement)) : NULL_TREE;
    return base && VAR_P (base) && auto_var_in_fn_p (base, fun->decl);
}

void recursion_remark (function *fun)
{
    basic_block block;
    unsigned calls = 0;
    location_t where = UNKNOWN_LOCATION;
    if (!optimize || VOID_TYPE_P (TREE_TYPE (TREE_TYPE (fun->decl))))
        return;
    FOR_EACH_BB_FN (block, fun)
        for (gimple_stmt_iterator at = gsi_start_bb (block); !gsi_end_p (at); gsi_next_nondebug (&at)) {
            gimple *statement = gsi_stmt (at);
            if (!leaves_memory (fun, statement))
                return;
            if (!is_gimple_call (statement) || gimple_call_fndecl (statement) != fun->decl)
                continue;
            if (!is_near (statement))
                return;
            calls += block->loop_father && loop_outer (block->loop_father) ? 2 : 1;
            if (LOCATION_LOCUS (gimple_location (statement)) > BUILTINS_LOCATION)
                where = gimple_location (statement);
        }
    if (calls > 1 && where != UNKNOWN_LOCATION)
        remark_add (PP_REMARK_RECURSION, 0, where, 0);
}
