/* SPDX-License-Identifier: GPL-3.0-or-later */
/* divisors.cc: remarks on divisions of integers by a field, a variable, or what stays the same in an outer loop: sizes
 * of tables and rings, mostly. Those by what stays the same in an innermost loop are arithmetic.cc's. Must not know how
 * often one happens. */
#include "gcc.h"
#include "plugin.h"
#include "remark/remarks.h"

#define STEPS_MOST 3

/* The read that the divisor comes from, or null. */
static tree read_from (tree value)
{
    for (unsigned i = 0; i < STEPS_MOST && TREE_CODE (value) == SSA_NAME; i++) {
        gimple *made = SSA_NAME_DEF_STMT (value);
        if (!is_gimple_assign (made))
            return NULL_TREE;
        if (gimple_assign_load_p (made))
            return gimple_assign_rhs1 (made);
        if (!CONVERT_EXPR_CODE_P (gimple_assign_rhs_code (made)))
            return NULL_TREE;
        value = gimple_assign_rhs1 (made);
    }
    return NULL_TREE;
}

void divisor_remark (class loop *loop, gimple *statement)
{
    /* a table of the library has the size that the library chose */
    if (!is_gimple_assign (statement) || in_system_header_at (gimple_location (statement)))
        return;
    tree_code code = gimple_assign_rhs_code (statement);
    if (code != TRUNC_DIV_EXPR && code != TRUNC_MOD_EXPR)
        return;
    tree by = gimple_assign_rhs2 (statement), from = read_from (by);
    bool stays = loop && TREE_CODE (by) == SSA_NAME && remark_is_invariant (loop, by);
    /* a field or a variable is a setting; an element of an array is data */
    bool is_setting = from && (TREE_CODE (from) == COMPONENT_REF || TREE_CODE (from) == VAR_DECL);
    if (stays ? !loop->inner : !is_setting)
        return;
    char *text = remark_text (is_setting ? from : by);
    unsigned number = loop && !loop->inner ? remark_loop_number (loop) : 0;
    remark_add (PP_REMARK_DIVISOR, number, gimple_location (statement), 0, strstr (text, "...") ? "a number" : text);
    free (text);
}
