/* SPDX-License-Identifier: GPL-3.0-or-later */
/* numbers.cc: remarks on mathematical functions that can be called for few numbers alone, that raise to a fixed power,
 * whose results in a loop are each the one before times a factor, or are only compared; and on those that look for a
 * character in a text which never changes, or stays the same for long. Which functions: repeated.def. Must not know how
 * often a loop runs. */
#include "gcc.h"
#include "plugin.h"
#include "remark/remarks.h"

#define VALUES_MOST 65536                /* numbers: a table of more is no gain */
#define OPERATIONS_MOST 8                /* between a number that has few values and what is made of it */
#define POWERS 2100                      /* of 2, or more, that are neither 0 nor infinite */
#define POWER_MOST 8
#define ROUNDS_LEAST 8                   /* of a loop whose results are made by a factor */
#define CHARACTERS 256                   /* that can be looked for in a text */

static const char *const mathematical[] = {
#define PP_REPEATED(...)
#define PP_MATHEMATICAL(...) __VA_ARGS__,
#define PP_PIECES(...)
#include "remark/repeated.def"
};

#define IS_ANY_OF(name, list) remark_is_any_of (name, list, ARRAY_SIZE (list))

/* Is it made before all loops of the function? */
static bool is_made_before (tree value)
{
    basic_block where = gimple_bb (SSA_NAME_DEF_STMT (value));
    return !(where && loop_outer (where->loop_father));
}

/* How many values it can have at most; 0: more than a table holds, or not known. `*stays`: what is taken to have one,
 * because it is made before all loops of the function. */
static unsigned HOST_WIDE_INT values_of (class loop *loop, tree value, int steps, tree *stays)
{
    if (is_gimple_min_invariant (value))
        return 1;
    if (TREE_CODE (value) != SSA_NAME || steps <= 0)
        return 0;
    gimple *made = SSA_NAME_DEF_STMT (value);
    if (loop && is_made_before (value)) {
        *stays = value;
        return 1;
    }
    if (INTEGRAL_TYPE_P (TREE_TYPE (value))) {
        int_range<2> range;
        if (TYPE_PRECISION (TREE_TYPE (value)) <= 16)
            return 1 << TYPE_PRECISION (TREE_TYPE (value));
        if (get_range_query (cfun)->range_of_expr (range, value) && !range.undefined_p ()) {
            wide_int more = wi::sub (range.upper_bound (), range.lower_bound ());
            if (wi::ltu_p (more, VALUES_MOST))
                return more.to_uhwi () + 1;
        }
    }
    if (!is_gimple_assign (made))
        return 0;
    tree_code code = gimple_assign_rhs_code (made);
    tree left = gimple_assign_rhs1 (made);
    if (CONVERT_EXPR_CODE_P (code) || code == FLOAT_EXPR || code == FIX_TRUNC_EXPR || code == NEGATE_EXPR
        || code == ABS_EXPR)
        return values_of (loop, left, steps - 1, stays);
    if (code != PLUS_EXPR && code != MINUS_EXPR && code != MULT_EXPR && code != RDIV_EXPR)
        return 0;
    tree right = gimple_assign_rhs2 (made);
    unsigned HOST_WIDE_INT count = values_of (loop, left, steps - 1, stays);
    if (count && left != right)
        count *= values_of (loop, right, steps - 1, stays);
    return count > VALUES_MOST ? 0 : count;
}

/* Is it a whole number? */
static bool is_whole (tree value)
{
    gimple *made = TREE_CODE (value) == SSA_NAME ? SSA_NAME_DEF_STMT (value) : nullptr;
    return made && is_gimple_assign (made) && gimple_assign_rhs_code (made) == FLOAT_EXPR;
}

/* Is it a power that a few products and a root make? */
static bool is_product (tree power)
{
    REAL_VALUE_TYPE twice;
    HOST_WIDE_INT number;
    if (TREE_CODE (power) != REAL_CST)
        return false;
    real_arithmetic (&twice, PLUS_EXPR, TREE_REAL_CST_PTR (power), TREE_REAL_CST_PTR (power));
    return real_isinteger (&twice, &number) && IN_RANGE (number, -2 * POWER_MOST, 2 * POWER_MOST);
}

/* Is it the address of a constant? */
static bool is_fixed_text (tree pointer)
{
    if (TREE_CODE (pointer) != ADDR_EXPR)
        return false;
    tree text = get_base_address (TREE_OPERAND (pointer, 0));
    return text && (TREE_CODE (text) == STRING_CST || (VAR_P (text) && TREE_READONLY (text)));
}

/* Is another character looked for each time, in a text that was there before all loops and that no call in this one
 * fills? */
static bool is_given_text (class loop *loop, gimple *call)
{
    tree text = gimple_call_arg (call, 0);
    if (!loop || TREE_CODE (text) != SSA_NAME || !is_made_before (text)
        || remark_is_invariant (loop, gimple_call_arg (call, 1)))
        return false;
    for (unsigned i = 2; i < gimple_call_num_args (call); i++)
        if (!remark_is_invariant (loop, gimple_call_arg (call, i)))
            return false;
    return !remark_may_change (loop, call, text, true);
}

/* For how many different numbers it is called, and what is taken to stay the same; 0: too many, or not known. */
static unsigned HOST_WIDE_INT numbers_of (class loop *loop, gimple *call, const char *name, tree *stays)
{
    tree first = gimple_call_arg (call, 0);
    if (POINTER_TYPE_P (TREE_TYPE (first))) {
        if (is_fixed_text (first))
            return is_gimple_min_invariant (gimple_call_arg (call, 1)) ? 0 : CHARACTERS;
        *stays = first;
        return is_given_text (loop, call) ? CHARACTERS : 0;
    }
    unsigned HOST_WIDE_INT count = values_of (loop, first, OPERATIONS_MOST, stays);
    if (gimple_call_num_args (call) == 2) {
        tree second = gimple_call_arg (call, 1);
        if (!strncmp (name, "pow", 3) && TREE_CODE (first) == REAL_CST
            && !real_less (TREE_REAL_CST_PTR (first), &dconst2) && is_whole (second))
            count = POWERS;
        else
            count *= values_of (loop, second, OPERATIONS_MOST, stays);
    }
    return count > VALUES_MOST ? 0 : count;
}

/* ---- numbers in equal steps: of those, powers and exponentials are made by a factor ----
 * Only the passes on loops know how a number changes. */

/* Does a counter of the loop, and what stays the same, make the number? */
static bool goes_in_steps (class loop *loop, tree value, int steps)
{
    gimple *made = TREE_CODE (value) == SSA_NAME && steps > 0 ? SSA_NAME_DEF_STMT (value) : nullptr;
    affine_iv iv;
    if (!made || !is_gimple_assign (made) || remark_is_invariant (loop, value))
        return false;
    tree left = gimple_assign_rhs1 (made), right = gimple_assign_rhs2 (made);
    switch (gimple_assign_rhs_code (made)) {
    case FLOAT_EXPR:
        return simple_iv (loop, loop, left, &iv, true) && !integer_zerop (iv.step);
    CASE_CONVERT:
    case NEGATE_EXPR:
        return goes_in_steps (loop, left, steps - 1);
    case PLUS_EXPR:
    case MINUS_EXPR:
    case MULT_EXPR:
        if (remark_is_invariant (loop, left))
            return goes_in_steps (loop, right, steps - 1);
        return remark_is_invariant (loop, right) && goes_in_steps (loop, left, steps - 1);
    case RDIV_EXPR:
        return remark_is_invariant (loop, right) && goes_in_steps (loop, left, steps - 1);
    default:
        return false;
    }
}

static bool makes_factors (class loop *loop, gimple *call, const char *name)
{
    static const char *const powers[] = { "pow", "powf", "powl", "exp", "expf", "exp2", "exp2f", "exp10" };
    unsigned last = gimple_call_num_args (call) - 1;
    HOST_WIDE_INT most = loop ? likely_max_loop_iterations_int (loop) : 0;
    return loop && scev_initialized_p () && !loop->inner && IS_ANY_OF (name, powers)
           && (most < 0 || most >= ROUNDS_LEAST)
           && (!last || remark_is_invariant (loop, gimple_call_arg (call, 0)))
           && goes_in_steps (loop, gimple_call_arg (call, last), OPERATIONS_MOST)
           && dominated_by_p (CDI_DOMINATORS, loop->latch, gimple_bb (call));
}

static bool is_mathematical (gimple *statement)
{
    return IS_ANY_OF (remark_library_name (statement), mathematical) && gimple_call_num_args (statement);
}

/* Where the function calls them for more numbers. GCC may take the first round out of a loop: that has fewer. */
static place_set *many;

void function_begin (void)
{
    delete many;
    many = new place_set;
}

void function_look (class loop *loop, gimple *statement)
{
    tree stays = NULL_TREE;
    location_t where = LOCATION_LOCUS (gimple_location (statement));
    if (where > BUILTINS_LOCATION && is_mathematical (statement)
        && !POINTER_TYPE_P (TREE_TYPE (gimple_call_arg (statement, 0)))
        && !numbers_of (loop, statement, remark_library_name (statement), &stays))
        many->add (where);
}

/* Does a call on the same line have more? Samples do not tell the two apart. */
static bool has_many_beside (location_t where)
{
    if (many)
        for (location_t other : *many)
            if (LOCATION_LINE (other) == LOCATION_LINE (where) && remark_same_source (other, where))
                return true;
    return false;
}

void function_remark (class loop *loop, gimple *statement)
{
    tree stays = NULL_TREE;
    if (!is_mathematical (statement))
        return;
    const char *name = remark_library_name (statement);
    if (gimple_call_num_args (statement) == 2 && !strncmp (name, "pow", 3)
        && is_product (gimple_call_arg (statement, 1))) {
        char *text = remark_text (gimple_call_arg (statement, 1));
        remark_add (PP_REMARK_POWER, 0, gimple_location (statement), 0, name, text);
        free (text);
    }
    if (makes_factors (loop, statement, name))
        remark_add (PP_REMARK_FACTORS, remark_loop_number (loop), gimple_location (statement), 0, name);
    unsigned HOST_WIDE_INT count = numbers_of (loop, statement, name, &stays);
    location_t where = LOCATION_LOCUS (gimple_location (statement));
    if (count < 2 || where <= BUILTINS_LOCATION || has_many_beside (where))
        return;
    char *text = stays ? remark_text (stays) : nullptr;
    const char *unnamed = stays && POINTER_TYPE_P (TREE_TYPE (stays)) ? "the text" : "a number";
    remark_add (PP_REMARK_FEW_VALUES, 0, gimple_location (statement), count,
                strncmp (name, "cexpi", 5) ? name : "sincos", text && strstr (text, "...") ? unnamed : text);
    free (text);
}

/* Is the distance asked for only to hold it against a number or another distance? Those of squares say the same. */
static void compared_remark (gimple *statement)
{
    static const char *const distances[] = { "cabs", "cabsf", "hypot", "hypotf" };
    const char *name = remark_library_name (statement);
    tree result = IS_ANY_OF (name, distances) ? gimple_call_lhs (statement) : NULL_TREE, value;
    imm_use_iterator at;
    use_operand_p use;
    bool compares = false;
    if (!result || TREE_CODE (result) != SSA_NAME)
        return;
    FOR_EACH_IMM_USE_FAST (use, at, result) {
        gimple *user = USE_STMT (use);
        if (is_gimple_debug (user))
            continue;
        gcond *condition = safe_dyn_cast<gcond *> (user);
        bool assigns = is_gimple_assign (user) && TREE_CODE_CLASS (gimple_assign_rhs_code (user)) == tcc_comparison;
        if (!condition && !assigns)
            return;
        value = condition ? gimple_cond_lhs (condition) : gimple_assign_rhs1 (user);
        if (value == result)
            value = condition ? gimple_cond_rhs (condition) : gimple_assign_rhs2 (user);
        if (TREE_CODE (value) == REAL_CST && real_isneg (TREE_REAL_CST_PTR (value)))
            return;
        compares = true;
    }
    if (compares)
        remark_add (PP_REMARK_COMPARED, 0, gimple_location (statement), 0, name);
}

/* What was found before optimizers took names and ranges away holds for a call that is still there. */
void function_settle (class loop *loop, gimple *statement)
{
    compared_remark (statement);
    if (!IS_ANY_OF (remark_library_name (statement), mathematical))
        return;
    bool known = remark_confirm (PP_REMARK_FEW_VALUES, gimple_location (statement));
    known |= remark_confirm (PP_REMARK_POWER, gimple_location (statement));
    known |= remark_confirm (PP_REMARK_FACTORS, gimple_location (statement));
    if (!known)
        function_remark (loop, statement);
}
