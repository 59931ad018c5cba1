/* SPDX-License-Identifier: GPL-3.0-or-later */
/* arithmetic.cc: remarks on operations of innermost loops that take long: divisions and square roots by what stays the
 * same, indexes that go round, conversions between float and double, sums whose steps wait for each other, and values
 * that are multiplied again and again, until they may be too small for a normal number. They are those of the final
 * code. Besides, anywhere, divisions of integers by a field, a variable, or what stays the same in an outer loop: sizes
 * of tables and rings, mostly. Must not know how often a loop runs. */
#include "gcc.h"
#include "plugin.h"
#include "remark/remarks.h"

#define CHAIN_MOST 4                     /* operations in a step of a sum */
#define INPUT_MOST 12                    /* operations that make what is added there */
#define READ_MOST 3                      /* conversions between a read and what is divided by */
#define STATE_MOST 12                    /* operations in a step of what is divided */
#define STATE_CYCLES 5                   /* of them; in less a processor does not divide */
#define MULTIPLY_CYCLES 3

static tree element_type (tree value)
{
    tree type = TREE_TYPE (value);
    return VECTOR_TYPE_P (type) ? TREE_TYPE (type) : type;
}

/* The read that a value comes from, or null. */
static tree read_from (tree value)
{
    for (unsigned i = 0; i < READ_MOST && TREE_CODE (value) == SSA_NAME; i++) {
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

/* GCC makes one call without a place of a division and its rest: then that of what takes the results. */
static location_t place_of (gimple *statement)
{
    imm_use_iterator all;
    use_operand_p use;
    location_t where = gimple_location (statement);
    tree made = gimple_get_lhs (statement);
    if (made && TREE_CODE (made) == SSA_NAME && is_gimple_call (statement))
        FOR_EACH_IMM_USE_FAST (use, all, made)
            if (LOCATION_LOCUS (where) <= BUILTINS_LOCATION)
                where = gimple_location (USE_STMT (use));
    return where;
}

/* Cycles from `from` to the value that is computed from it in this step; negative: it is not. */
static int cycles_from (class loop *loop, tree value, tree from, int steps)
{
    if (value == from)
        return 0;
    gimple *made = TREE_CODE (value) == SSA_NAME && steps > 0 ? SSA_NAME_DEF_STMT (value) : nullptr;
    if (!made || remark_is_invariant (loop, value) || !is_gimple_assign (made) || gimple_assign_load_p (made))
        return -1;
    tree_code code = gimple_assign_rhs_code (made);
    int most = -1, own = code == MULT_EXPR ? MULTIPLY_CYCLES : !CONVERT_EXPR_CODE_P (code);
    for (unsigned i = 1; i < gimple_num_ops (made); i++)
        most = MAX (most, cycles_from (loop, gimple_op (made, i), from, steps - 1));
    return most < 0 ? most : most + own;
}

/* Is what is divided a state that each step makes of the one before, such as a generator's of random numbers, without
 * the quotient? While one step divides, the next one may go on. */
static bool divides_state (class loop *loop, gimple *statement)
{
    tree value = is_gimple_call (statement) ? gimple_call_arg (statement, 0) : gimple_assign_rhs1 (statement);
    for (gphi_iterator at = gsi_start_phis (loop->header); loop->latch && !gsi_end_p (at); gsi_next (&at)) {
        tree state = gimple_phi_result (at.phi ()), next = PHI_ARG_DEF_FROM_EDGE (at.phi (), loop_latch_edge (loop));
        if (!virtual_operand_p (state) && cycles_from (loop, value, state, STATE_MOST) >= 0
            && cycles_from (loop, next, state, STATE_MOST) >= STATE_CYCLES
            && cycles_from (loop, next, gimple_get_lhs (statement), STATE_MOST) < 0)
            return true;
    }
    return false;
}

/* Does the loop end where a division by that leaves a rest, as where a factor is taken out of a number as often as it
 * is there? Then it hardly goes round. */
static bool ends_by_rest (class loop *loop, tree by)
{
    auto_vec<edge> exits = get_loop_exit_edges (loop);
    for (edge e : exits) {
        gcond *condition = safe_dyn_cast<gcond *> (last_nondebug_stmt (e->src));
        tree rest = condition && integer_zerop (gimple_cond_rhs (condition)) ? gimple_cond_lhs (condition) : NULL_TREE;
        gimple *made = rest && TREE_CODE (rest) == SSA_NAME ? SSA_NAME_DEF_STMT (rest) : nullptr;
        if (made && is_gimple_assign (made) && gimple_assign_rhs_code (made) == IMAGPART_EXPR) /* GCC divides once */
            made = TREE_CODE (TREE_OPERAND (gimple_assign_rhs1 (made), 0)) == SSA_NAME
                       ? SSA_NAME_DEF_STMT (TREE_OPERAND (gimple_assign_rhs1 (made), 0)) : nullptr;
        if (made && ((is_gimple_assign (made) && gimple_assign_rhs_code (made) == TRUNC_MOD_EXPR
                      && gimple_assign_rhs2 (made) == by)
                     || (gimple_call_internal_p (made, IFN_DIVMOD) && gimple_call_arg (made, 1) == by)))
            return true;
    }
    return false;
}

/* GCC multiplies where that gives the same result: by constants if they are integers or powers of 2. */
static void division_remark (class loop *loop, unsigned number, gimple *statement, tree_code code, tree by)
{
    tree from = read_from (by);
    bool is_float = SCALAR_FLOAT_TYPE_P (element_type (by));
    switch (code) {
    case RDIV_EXPR:
    case TRUNC_DIV_EXPR:
    case CEIL_DIV_EXPR:
    case FLOOR_DIV_EXPR:
    case TRUNC_MOD_EXPR:
    case CEIL_MOD_EXPR:
    case FLOOR_MOD_EXPR: {
        if (!remark_is_invariant (loop, by) || !(is_float || TREE_CODE (by) == SSA_NAME)
            || (!is_float && ends_by_rest (loop, by)))
            break;
        char *text = remark_text (by, statement);
        if (from && strcmp (text, "...") == 0) {
            free (text);
            text = remark_text (from, statement);
        }
        /* optimizers take names away; in the library's headers there was none */
        bool is_lost = strcmp (text, "...") == 0 && !in_system_header_at (place_of (statement));
        remark_add (PP_REMARK_DIVISION, number, place_of (statement), 0, is_lost ? "a number" : text,
                    is_float ? nullptr : divides_state (loop, statement) ? "state" : "integer");
        free (text);
        break;
    }
    default:
        break;
    }
}

/* Is it `result` again, but for conversions? */
static bool comes_from (tree value, tree result)
{
    for (unsigned i = 0; i < READ_MOST && TREE_CODE (value) == SSA_NAME && value != result; i++) {
        gimple *made = SSA_NAME_DEF_STMT (value);
        if (!is_gimple_assign (made) || !CONVERT_EXPR_CODE_P (gimple_assign_rhs_code (made)))
            return false;
        value = gimple_assign_rhs1 (made);
    }
    return value == result;
}

/* Does the value go up by what stays the same, from what it was a step before (a counter), or from `result` (`*waits`:
 * each step waits for the one before)? */
static bool goes_up (class loop *loop, tree value, tree result, int steps, bool *waits)
{
    if (TREE_CODE (value) != SSA_NAME || steps <= 0)
        return false;
    gimple *made = SSA_NAME_DEF_STMT (value);
    if (gimple_code (made) == GIMPLE_PHI) {
        if (gimple_bb (made) != loop->header || !loop->latch)
            return false;
        tree next = PHI_ARG_DEF_FROM_EDGE (as_a<gphi *> (made), loop_latch_edge (loop));
        *waits = comes_from (next, result);
        gimple *step = TREE_CODE (next) == SSA_NAME ? SSA_NAME_DEF_STMT (next) : nullptr;
        return *waits || (step && is_gimple_assign (step) && gimple_assign_rhs_code (step) == PLUS_EXPR
                          && comes_from (gimple_assign_rhs1 (step), value)
                          && remark_is_invariant (loop, gimple_assign_rhs2 (step)));
    }
    if (!is_gimple_assign (made))
        return false;
    tree left = gimple_assign_rhs1 (made);
    tree_code code = gimple_assign_rhs_code (made);
    if (CONVERT_EXPR_CODE_P (code))
        return goes_up (loop, left, result, steps - 1, waits);
    if (code != PLUS_EXPR)
        return false;
    tree right = gimple_assign_rhs2 (made);
    return (remark_is_invariant (loop, right) && goes_up (loop, left, result, steps - 1, waits))
           || (remark_is_invariant (loop, left) && goes_up (loop, right, result, steps - 1, waits));
}

/* Is it compared only, as where every tenth step does something? */
static bool is_compared (tree result)
{
    imm_use_iterator all;
    use_operand_p use;
    FOR_EACH_IMM_USE_FAST (use, all, result) {
        gimple *user = USE_STMT (use);
        bool compares = gimple_code (user) == GIMPLE_COND
                        || (is_gimple_assign (user)
                            && TREE_CODE_CLASS (gimple_assign_rhs_code (user)) == tcc_comparison);
        if (!compares && !is_gimple_debug (user))
            return false;
    }
    return true;
}

/* An index that goes round, by a number that GCC knows: it multiplies twice for it, and a comparison would do. Vectors
 * have no such operation any more. */
static void rest_remark (class loop *loop, unsigned number, gimple *statement)
{
    tree by = gimple_assign_rhs2 (statement), of = gimple_assign_rhs1 (statement);
    tree result = gimple_assign_lhs (statement);
    bool waits = false;
    if (gimple_assign_rhs_code (statement) != TRUNC_MOD_EXPR || TREE_CODE (by) != INTEGER_CST
        || !tree_fits_shwi_p (by) || tree_to_shwi (by) < 3 || integer_pow2p (by) || TREE_CODE (result) != SSA_NAME
        || in_system_header_at (gimple_location (statement)) || is_compared (result)
        || !goes_up (loop, of, result, CHAIN_MOST, &waits))
        return;
    char *text = remark_text (of);
    remark_add (PP_REMARK_MODULO, number, gimple_location (statement), tree_to_shwi (by),
                strstr (text, "...") ? "an index" : text, waits ? "each step waits for the one before" : nullptr);
    free (text);
}

void modulo_remark (class loop *loop, unsigned number, basic_block *blocks)
{
    for (unsigned i = 0; i < loop->num_nodes; i++)
        for (gimple_stmt_iterator at = gsi_start_bb (blocks[i]); !gsi_end_p (at); gsi_next (&at))
            if (is_gimple_assign (gsi_stmt (at)))
                rest_remark (loop, number, gsi_stmt (at));
}

/* A conversion of vectors unpacks half of one, or packs two into one. */
static bool is_conversion (tree_code code)
{
    return CONVERT_EXPR_CODE_P (code) || code == VEC_UNPACK_LO_EXPR || code == VEC_PACK_TRUNC_EXPR;
}

static void conversion_remark (unsigned number, gimple *statement)
{
    tree to = element_type (gimple_assign_lhs (statement)), from = element_type (gimple_assign_rhs1 (statement));
    if (SCALAR_FLOAT_TYPE_P (to) && SCALAR_FLOAT_TYPE_P (from) && TYPE_MODE (to) != TYPE_MODE (from))
        remark_add (PP_REMARK_CONVERSION, number, gimple_location (statement), 0, remark_type_text (from),
                    remark_type_text (to));
}

/* Is `value` a sum or product of `sum`, in this step? Then `scales` tells whether a product is on the way. */
static bool leads_from (class loop *loop, tree sum, tree value, int steps, bool *scales)
{
    if (value == sum)
        return true;
    if (steps <= 0 || TREE_CODE (value) != SSA_NAME || remark_is_invariant (loop, value))
        return false;
    gimple *statement = SSA_NAME_DEF_STMT (value);
    if (is_gimple_assign (statement)) {
        tree_code code = gimple_assign_rhs_code (statement);
        if (code != PLUS_EXPR && code != MINUS_EXPR && code != MULT_EXPR && code != RDIV_EXPR)
            return false;
        if (!leads_from (loop, sum, gimple_assign_rhs1 (statement), steps - 1, scales)
            && !leads_from (loop, sum, gimple_assign_rhs2 (statement), steps - 1, scales))
            return false;
        *scales = *scales || code == MULT_EXPR;
        return true;
    }
    if (is_gimple_call (statement) && gimple_call_combined_fn (statement) == CFN_FMA)
        for (unsigned i = 0; i < 3; i++)
            if (leads_from (loop, sum, gimple_call_arg (statement, i), steps - 1, scales)) {
                *scales = *scales || i < 2;
                return true;
            }
    return false;
}

/* In each step the value is multiplied, and no condition stops it near 0. */
static void decay_remark (unsigned number, gimple *statement, tree value)
{
    char *text = remark_text (value);
    if (!flag_unsafe_math_optimizations)                   /* then crtfastmath.o makes small numbers 0 */
        remark_add (PP_REMARK_DECAY, number, gimple_location (statement), 0,
                    strcmp (text, "...") != 0 ? text : "a value");
    free (text);
}

/* Is a constant added in each step, or a number to which one was added, times what stays the same? Then the value
 * fades to something that is not 0. What `1 - x` scales may be 0, so that it does not count. */
static bool holds_constant (class loop *loop, tree value, int steps)
{
    gimple *made = TREE_CODE (value) == SSA_NAME && steps > 0 ? SSA_NAME_DEF_STMT (value) : nullptr;
    if (!made || !is_gimple_assign (made))
        return false;
    tree left = gimple_assign_rhs1 (made), right = gimple_assign_rhs2 (made);
    tree_code code = gimple_assign_rhs_code (made);
    if (CONVERT_EXPR_CODE_P (code) || code == NEGATE_EXPR)
        return holds_constant (loop, left, steps - 1);
    if (code == PLUS_EXPR || code == MINUS_EXPR)
        return (TREE_CODE (right) == REAL_CST && !real_zerop (right)) || holds_constant (loop, left, steps - 1)
               || holds_constant (loop, right, steps - 1);
    return code == MULT_EXPR
           && ((remark_is_invariant (loop, left) && holds_constant (loop, right, steps - 1))
               || (remark_is_invariant (loop, right) && holds_constant (loop, left, steps - 1)));
}

/* May it be a factor below 1: such a constant, or, with `fields`, a setting that is read? */
static bool is_damping (tree by, bool fields)
{
    if (TREE_CODE (by) == REAL_CST)
        return !fields && real_less (TREE_REAL_CST_PTR (by), &dconst1) && real_less (&dconst0, TREE_REAL_CST_PTR (by));
    gimple *made = TREE_CODE (by) == SSA_NAME ? SSA_NAME_DEF_STMT (by) : nullptr;
    return fields && made && gimple_assign_load_p (made) && TREE_CODE (gimple_assign_rhs1 (made)) == COMPONENT_REF;
}

static bool is_read (tree value, tree memory)
{
    gimple *read = TREE_CODE (value) == SSA_NAME ? SSA_NAME_DEF_STMT (value) : nullptr;
    return read && gimple_assign_load_p (read) && operand_equal_p (gimple_assign_rhs1 (read), memory, 0);
}

static bool keeps_part (class loop *loop, tree value, tree memory, bool fields, int steps)
{
    gimple *made = TREE_CODE (value) == SSA_NAME && steps > 0 ? SSA_NAME_DEF_STMT (value) : nullptr;
    if (!made || !is_gimple_assign (made) || remark_is_invariant (loop, value))
        return false;
    tree left = gimple_assign_rhs1 (made), right = gimple_assign_rhs2 (made);
    if (gimple_assign_rhs_code (made) == PLUS_EXPR)
        return keeps_part (loop, left, memory, fields, steps - 1)
               || keeps_part (loop, right, memory, fields, steps - 1);
    return gimple_assign_rhs_code (made) == MULT_EXPR
           && ((is_read (left, memory) && is_damping (right, fields))
               || (is_read (right, memory) && is_damping (left, fields)));
}

/* Memory that keeps a part of what it had: a[i] = a[i] * 0.9 + x; */
static void kept_remark (class loop *loop, unsigned number, gimple *store, bool fields)
{
    tree value = gimple_assign_rhs1 (store), memory = gimple_assign_lhs (store);
    if (TREE_CODE (value) == SSA_NAME && SCALAR_FLOAT_TYPE_P (element_type (value))
        && keeps_part (loop, value, memory, fields, CHAIN_MOST) && !holds_constant (loop, value, INPUT_MOST))
        decay_remark (number, store, memory);
}

static void accumulation_remark (class loop *loop, unsigned number)
{
    if (!loop->latch)                  /* several ways lead back */
        return;
    edge latch = loop_latch_edge (loop);
    for (gphi_iterator at = gsi_start_phis (loop->header); !gsi_end_p (at); gsi_next (&at)) {
        tree sum = gimple_phi_result (at.phi ()), next = PHI_ARG_DEF_FROM_EDGE (at.phi (), latch);
        bool scales = false;
        if (!SCALAR_FLOAT_TYPE_P (TREE_TYPE (sum)) || TREE_CODE (next) != SSA_NAME || next == sum
            || !leads_from (loop, sum, next, CHAIN_MOST, &scales))
            continue;
        char *text = remark_text (sum);
        bool is_named = strcmp (text, "...") != 0;
        remark_add (PP_REMARK_ACCUMULATION, number, gimple_location (SSA_NAME_DEF_STMT (next)), 0,
                    is_named ? text : "a sum");
        free (text);
        if (scales && !holds_constant (loop, next, INPUT_MOST))
            decay_remark (number, SSA_NAME_DEF_STMT (next), sum);
    }
}

/* Does each step divide integers, by what GCC does not know? That takes as long as a square root, and meanwhile. */
static bool divides (class loop *loop, basic_block *blocks)
{
    for (unsigned i = 0; i < loop->num_nodes; i++)
        for (gimple_stmt_iterator at = gsi_start_bb (blocks[i]); !gsi_end_p (at); gsi_next (&at)) {
            gimple *statement = gsi_stmt (at);
            tree_code code = is_gimple_assign (statement) ? gimple_assign_rhs_code (statement) : ERROR_MARK;
            if (gimple_call_internal_p (statement, IFN_DIVMOD)
                || ((code == TRUNC_DIV_EXPR || code == TRUNC_MOD_EXPR)
                    && TREE_CODE (gimple_assign_rhs2 (statement)) == SSA_NAME))
                return true;
        }
    return false;
}

void arithmetic_remark (class loop *loop, unsigned number, basic_block *blocks)
{
    for (unsigned i = 0; i < loop->num_nodes; i++)
        for (gimple_stmt_iterator at = gsi_start_bb (blocks[i]); !gsi_end_p (at); gsi_next (&at)) {
            gimple *statement = gsi_stmt (at);
            if (is_gimple_call (statement)) {
                combined_fn function = gimple_call_combined_fn (statement);
                if ((function == CFN_SQRT || function == CFN_BUILT_IN_SQRT || function == CFN_BUILT_IN_SQRTF)
                    && remark_is_invariant (loop, gimple_call_arg (statement, 0))) {
                    char *text = remark_text (gimple_call_arg (statement, 0), statement);
                    bool is_lost = strcmp (text, "...") == 0 && !in_system_header_at (place_of (statement));
                    remark_add (PP_REMARK_SQUARE_ROOT, number, gimple_location (statement), 0,
                                is_lost ? "a number" : text,
                                divides (loop, blocks) ? "divides" : nullptr);
                    free (text);
                } else if (gimple_call_internal_p (statement, IFN_DIVMOD)) /* a / d beside a % d */
                    division_remark (loop, number, statement, TRUNC_DIV_EXPR, gimple_call_arg (statement, 1));
            }
            if (!is_gimple_assign (statement))
                continue;
            tree_code code = gimple_assign_rhs_code (statement);
            if (gimple_store_p (statement))
                kept_remark (loop, number, statement, false);
            if (is_conversion (code))
                conversion_remark (number, statement);
            else if (gimple_num_ops (statement) == 3)
                division_remark (loop, number, statement, code, gimple_assign_rhs2 (statement));
        }
    accumulation_remark (loop, number);
}

/* Fields are known as long as optimizers have not made addresses of them. */
void fades_remark (class loop *loop, unsigned number, basic_block *blocks)
{
    for (unsigned i = 0; i < loop->num_nodes; i++)
        for (gimple_stmt_iterator at = gsi_start_bb (blocks[i]); !gsi_end_p (at); gsi_next (&at))
            if (is_gimple_assign (gsi_stmt (at)) && gimple_store_p (gsi_stmt (at)))
                kept_remark (loop, number, gsi_stmt (at), true);
}

/* ---- divisions elsewhere ---- */

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
