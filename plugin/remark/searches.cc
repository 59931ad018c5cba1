/* SPDX-License-Identifier: GPL-3.0-or-later */
/* searches.cc: remarks on loops that look for an element: they change nothing, go on to the next element, and leave
 * when one is what was looked for, or the n-th of a list. On those that go down a tree. And on loops that go over bytes
 * until they have counted up to a number, as where the n-th row of a text is looked for. Must not know how far they
 * go. */
#include "gcc.h"
#include "plugin.h"
#include "remark/remarks.h"

#define STEPS_MOST 4
#define FOLD_STEPS_MOST 8
#define ELEMENT_BYTES_LEAST 2            /* bytes are text, and who walks text parses it */
#define ALPHABET_LEAST 16                /* but for a text of so many that stays the same */

/* The value that the previous step hands over to this one; null if it comes from elsewhere. */
static tree made_before (class loop *loop, gimple *statement)
{
    return gimple_code (statement) == GIMPLE_PHI && gimple_bb (statement) == loop->header && loop->latch
               ? PHI_ARG_DEF_FROM_EDGE (statement, loop_latch_edge (loop)) : NULL_TREE;
}

/* The read in this step of the loop that the value comes from, or null. Optimizers may have put it at the end of the
 * step before. */
static gimple *read_of (class loop *loop, tree value, int steps)
{
    if (steps <= 0 || TREE_CODE (value) != SSA_NAME || remark_is_invariant (loop, value))
        return nullptr;
    gimple *statement = SSA_NAME_DEF_STMT (value);
    if (tree before = made_before (loop, statement))
        return read_of (loop, before, steps - 1);
    if (!is_gimple_assign (statement))
        return nullptr;
    if (gimple_assign_load_p (statement))
        return statement;
    tree_code code = gimple_assign_rhs_code (statement);
    return CONVERT_EXPR_CODE_P (code) || code == BIT_AND_EXPR
               ? read_of (loop, gimple_assign_rhs1 (statement), steps - 1)
               : nullptr;
}

/* Is the pointer the element of this step, or of the next one, in a list? */
static bool is_of_list (class loop *loop, tree pointer)
{
    if (remark_chase (loop, pointer))
        return true;
    for (gphi_iterator at = gsi_start_phis (loop->header); !gsi_end_p (at); gsi_next (&at))
        if (made_before (loop, at.phi ()) == pointer && remark_chase (loop, gimple_phi_result (at.phi ())))
            return true;
    return false;
}

/* Does the read go on to the next element in each step? */
static bool walks (class loop *loop, gimple *read)
{
    tree access = gimple_assign_rhs1 (read), base = get_base_address (access);
    if (base && TREE_CODE (base) == MEM_REF && is_of_list (loop, TREE_OPERAND (base, 0)))
        return true;
    data_reference *made = create_data_ref (loop_preheader_edge (loop), loop, access, read, true, false);
    bool moves = DR_STEP (made) && !integer_zerop (DR_STEP (made));
    free_data_ref (made);
    return moves;
}

/* Was the number brought into a range by a remainder or a mask, as a hash is into the slots of a table? */
static bool is_folded (tree value, int steps)
{
    if (!value || steps <= 0)
        return false;
    gimple *made = TREE_CODE (value) == SSA_NAME ? SSA_NAME_DEF_STMT (value) : nullptr;
    if (gphi *phi = safe_dyn_cast<gphi *> (made)) {        /* at the end of the table it begins at 0 */
        for (unsigned i = 0; i < gimple_phi_num_args (phi); i++)
            if (is_folded (gimple_phi_arg_def (phi, i), steps - 1))
                return true;
        return false;
    }
    if (made && !is_gimple_assign (made))
        return false;
    tree_code code = made ? gimple_assign_rhs_code (made) : TREE_CODE (value);
    if (code == BIT_AND_EXPR || code == TRUNC_MOD_EXPR)
        return true;
    if (!CONVERT_EXPR_CODE_P (code) && code != MULT_EXPR && code != LSHIFT_EXPR && code != PLUS_EXPR
        && code != POINTER_PLUS_EXPR)
        return false;
    tree first = made ? gimple_assign_rhs1 (made) : TREE_OPERAND (value, 0),
         second = CONVERT_EXPR_CODE_P (code) ? NULL_TREE : made ? gimple_assign_rhs2 (made) : TREE_OPERAND (value, 1);
    return is_folded (first, steps - 1) || is_folded (second, steps - 1);
}

/* Does it begin where a hash says? Then it looks for a free slot near there, and is no search. */
static bool probes (class loop *loop, gimple *read)
{
    data_reference *made = create_data_ref (loop_preheader_edge (loop), loop, gimple_assign_rhs1 (read), read, true,
                                            false);
    bool folded = is_folded (DR_OFFSET (made), FOLD_STEPS_MOST) || is_folded (DR_BASE_ADDRESS (made), FOLD_STEPS_MOST);
    free_data_ref (made);
    return folded;
}

/* The same of what a function is given: memory that moves, or a pointer that is read. */
static bool argument_walks (class loop *loop, tree value)
{
    affine_iv iv;
    if (gimple *read = read_of (loop, value, STEPS_MOST))
        return walks (loop, read) && !probes (loop, read);
    if (TREE_CODE (value) != SSA_NAME)
        return false;
    if (simple_iv (loop, loop, value, &iv, true))
        return !integer_zerop (iv.step) && !is_folded (iv.base, FOLD_STEPS_MOST);
    gimple *made = SSA_NAME_DEF_STMT (value);
    if (!is_gimple_assign (made))
        return remark_chase (loop, value) != nullptr;
    tree from = gimple_assign_rhs1 (made), base = from;
    if (TREE_CODE (from) == ADDR_EXPR) {
        base = get_base_address (TREE_OPERAND (from, 0));
        base = base && TREE_CODE (base) == MEM_REF ? TREE_OPERAND (base, 0) : NULL_TREE;
    }
    return base && remark_chase (loop, base) != nullptr;
}

static bool is_key (class loop *loop, tree value)
{
    return TREE_CODE (value) == SSA_NAME && remark_is_invariant (loop, value);
}

static bool is_comparison (gimple *statement)
{
    switch (gimple_call_combined_fn (statement)) {
    case CFN_BUILT_IN_STRCMP:
    case CFN_BUILT_IN_STRNCMP:
    case CFN_BUILT_IN_STRCASECMP:
    case CFN_BUILT_IN_STRNCASECMP:
    case CFN_BUILT_IN_MEMCMP:
    case CFN_BUILT_IN_MEMCMP_EQ:
    case CFN_BUILT_IN_STRCMP_EQ:
    case CFN_BUILT_IN_STRNCMP_EQ:
        return true;
    default:
        return false;
    }
}

/* Text takes longer to compare than a step takes to count. */
bool search_compares (class loop *loop)
{
    bool found = false;
    basic_block *blocks = get_loop_body (loop);
    for (unsigned i = 0; i < loop->num_nodes && !found; i++)
        for (gimple_stmt_iterator at = gsi_start_bb (blocks[i]); !gsi_end_p (at); gsi_next (&at))
            found = found || (is_gimple_call (gsi_stmt (at)) && is_comparison (gsi_stmt (at)));
    free (blocks);
    return found;
}

/* The same of what a function is given. The address of a variable is a key, too: an array of the caller may hold it. */
static bool is_key_argument (class loop *loop, tree value)
{
    if (is_key (loop, value))
        return true;
    tree base = TREE_CODE (value) == ADDR_EXPR ? get_base_address (TREE_OPERAND (value, 0)) : NULL_TREE;
    return base && VAR_P (base) && !TREE_READONLY (base);
}

/* Tells a comparison of text or bytes with what stays the same. */
static bool is_told_of_call (class loop *loop, unsigned number, tree result)
{
    gimple *call = TREE_CODE (result) == SSA_NAME ? SSA_NAME_DEF_STMT (result) : nullptr;
    if (!call || !is_gimple_call (call) || !is_comparison (call))
        return false;
    tree a = gimple_call_arg (call, 0), b = gimple_call_arg (call, 1);
    if (remark_is_invariant (loop, a) == remark_is_invariant (loop, b))
        return false;
    tree key = remark_is_invariant (loop, a) ? a : b, element = key == a ? b : a;
    if (!is_key_argument (loop, key) || !argument_walks (loop, element))
        return false;
    char *x = remark_text (element, call), *y = remark_text (key, call);
    remark_add (PP_REMARK_SEARCH, number, gimple_location (call), 0, x, y);
    free (x);
    free (y);
    return true;
}

/* How many characters a text has that never changes, and that is no word: 0: it may. */
static HOST_WIDE_INT alphabet_size (tree element)
{
    tree base = get_base_address (element);
    base = base && TREE_CODE (base) == MEM_REF && TREE_CODE (TREE_OPERAND (base, 0)) == ADDR_EXPR
               ? get_base_address (TREE_OPERAND (TREE_OPERAND (base, 0), 0)) : base;
    bool stays = base && ((VAR_P (base) && TREE_READONLY (base)) || TREE_CODE (base) == STRING_CST);
    tree size = stays ? TYPE_SIZE_UNIT (TREE_TYPE (base)) : NULL_TREE;
    return size && integer_onep (TYPE_SIZE_UNIT (TREE_TYPE (element))) && tree_fits_shwi_p (size)
                   && IN_RANGE (tree_to_shwi (size), ALPHABET_LEAST, 256)
               ? tree_to_shwi (size) : 0;
}

/* Tells a comparison with what stays the same, where `out` is taken when the two are equal. */
static bool is_told (class loop *loop, unsigned number, edge out)
{
    gcond *condition = safe_dyn_cast<gcond *> (last_nondebug_stmt (out->src));
    tree_code code = condition ? gimple_cond_code (condition) : ERROR_MARK;
    if (code != (out->flags & EDGE_TRUE_VALUE ? EQ_EXPR : NE_EXPR))
        return false;
    tree left = gimple_cond_lhs (condition), right = gimple_cond_rhs (condition);
    if (integer_zerop (right))
        return is_told_of_call (loop, number, left);
    tree key = is_key (loop, left) ? left : right;
    gimple *read = read_of (loop, key == left ? right : left, STEPS_MOST);
    if (!is_key (loop, key) || !read || !walks (loop, read) || probes (loop, read))
        return false;
    tree element = gimple_assign_rhs1 (read), size = TYPE_SIZE_UNIT (TREE_TYPE (element));
    HOST_WIDE_INT letters = alphabet_size (element);
    if (!size || !tree_fits_uhwi_p (size) || (tree_to_uhwi (size) < ELEMENT_BYTES_LEAST && !letters))
        return false;
    char *x = remark_text (element, condition), *y = remark_text (key, condition);
    remark_add (PP_REMARK_SEARCH, number, gimple_location (condition), letters, x, y);
    free (x);
    free (y);
    return true;
}

/* Does each walk begin at the same place, whatever loops are around? */
static bool begins_alike (class loop *loop, gimple *read)
{
    class loop *outermost = superloop_at_depth (loop, 1);
    data_reference *made = create_data_ref (loop_preheader_edge (loop), loop, gimple_assign_rhs1 (read), read, true,
                                            false);
    bool alike = DR_BASE_ADDRESS (made) && DR_OFFSET (made) && TREE_CODE (DR_OFFSET (made)) == INTEGER_CST
                 && expr_invariant_in_loop_p (outermost, DR_BASE_ADDRESS (made)) && DR_STEP (made)
                 && tree_fits_shwi_p (DR_STEP (made)) && tree_to_shwi (DR_STEP (made)) > 0;
    free_data_ref (made);
    return alike;
}

/* Tells a search for the first element that is not below a number, or above it: where they are in order, most of the
 * elements need not be looked at. All other exits are at the end. */
static void ordered_remark (class loop *loop, unsigned number, const vec<edge> *exits)
{
    gcond *told = nullptr;
    tree element = NULL_TREE, key = NULL_TREE;
    affine_iv iv;
    for (edge e : *exits) {
        gcond *condition = safe_dyn_cast<gcond *> (last_nondebug_stmt (e->src));
        if (!condition)
            return;
        tree left = gimple_cond_lhs (condition), right = gimple_cond_rhs (condition),
             stays = remark_is_invariant (loop, left) ? left : right, moves = stays == left ? right : left;
        gimple *read = remark_is_ordering (gimple_cond_code (condition)) ? read_of (loop, moves, STEPS_MOST) : nullptr;
        if (read && is_key (loop, stays) && walks (loop, read) && begins_alike (loop, read) && !told) {
            told = condition;
            element = gimple_assign_rhs1 (read);
            key = stays;
        } else if (!remark_is_invariant (loop, stays) || TREE_CODE (moves) != SSA_NAME
                   || !simple_iv (loop, loop, moves, &iv, true))
            return;
    }
    tree size = told ? TYPE_SIZE_UNIT (TREE_TYPE (element)) : NULL_TREE;
    if (!size || !tree_fits_uhwi_p (size) || tree_to_uhwi (size) < ELEMENT_BYTES_LEAST
        || remark_has (PP_REMARK_CHASE, number))
        return;
    char *x = remark_text (element, told), *y = remark_text (key, told);
    remark_add (PP_REMARK_ORDERED, number, gimple_location (told), 0, strstr (x, "...") ? "an element" : x,
                strstr (y, "...") ? "what is wanted" : y);
    free (x);
    free (y);
}

/* The comparisons of equality by which it is decided: the condition itself, or several at once. */
static void asked_of (gcond *condition, vec<gimple *> *asked)
{
    if (gimple_cond_code (condition) != EQ_EXPR && gimple_cond_code (condition) != NE_EXPR)
        return;
    asked->safe_push (condition);
    tree both = gimple_cond_lhs (condition);
    gimple *made = TREE_CODE (both) == SSA_NAME ? SSA_NAME_DEF_STMT (both) : nullptr;
    if (!made || !is_gimple_assign (made)
        || (gimple_assign_rhs_code (made) != BIT_AND_EXPR && gimple_assign_rhs_code (made) != BIT_IOR_EXPR))
        return;
    for (unsigned i = 1; i <= 2; i++) {
        tree one = gimple_op (made, i);
        gimple *compares = TREE_CODE (one) == SSA_NAME ? SSA_NAME_DEF_STMT (one) : nullptr;
        if (compares && is_gimple_assign (compares)
            && (gimple_assign_rhs_code (compares) == NE_EXPR || gimple_assign_rhs_code (compares) == EQ_EXPR))
            asked->safe_push (compares);
    }
}

/* Tells a search in a table whose index goes round at its end, by a mask or a remainder: what is found is the key, or a
 * free place. */
static void probe_remark (class loop *loop, unsigned number, const vec<edge> *exits)
{
    bool goes_round = false;
    for (gphi_iterator at = gsi_start_phis (loop->header); !gsi_end_p (at) && !goes_round; gsi_next (&at)) {
        tree next = made_before (loop, at.phi ());
        goes_round = next && INTEGRAL_TYPE_P (TREE_TYPE (next)) && TREE_CODE (next) == SSA_NAME
                     && !remark_is_invariant (loop, next) && is_folded (next, 2);
    }
    if (!goes_round)
        return;
    for (edge e : *exits) {
        gcond *condition = safe_dyn_cast<gcond *> (last_nondebug_stmt (e->src));
        if (!condition)
            continue;
        auto_vec<gimple *> asked;
        asked_of (condition, &asked);
        for (gimple *one : asked) {
            tree left = gimple_code (one) == GIMPLE_COND ? gimple_cond_lhs (one) : gimple_assign_rhs1 (one),
                 right = gimple_code (one) == GIMPLE_COND ? gimple_cond_rhs (one) : gimple_assign_rhs2 (one),
                 key = is_key (loop, left) ? left : right;
            gimple *read = read_of (loop, key == left ? right : left, STEPS_MOST);
            if (!is_key (loop, key) || !read)
                continue;
            char *x = remark_text (gimple_assign_rhs1 (read), condition), *y = remark_text (key, condition);
            remark_add (PP_REMARK_PROBE, number, gimple_location (condition), 0, strstr (x, "...") ? "an element" : x,
                        strstr (y, "...") ? "what is wanted" : y);
            free (x);
            free (y);
            return;
        }
    }
}

/* A key that is computed anew for each element belongs to a probe sequence, not to a walk. */
static bool has_stores (class loop *loop, basic_block *blocks)
{
    for (unsigned i = 0; i < loop->num_nodes; i++)
        for (gimple_stmt_iterator at = gsi_start_bb (blocks[i]); !gsi_end_p (at); gsi_next (&at))
            if (gimple_vdef (gsi_stmt (at)) && !lineslot_is_counter (gsi_stmt (at)))
                return true;
    return false;
}

/* Does the loop read bytes, one after the other? */
static bool reads_bytes (class loop *loop, basic_block *blocks)
{
    for (unsigned i = 0; i < loop->num_nodes; i++)
        for (gimple_stmt_iterator at = gsi_start_bb (blocks[i]); !gsi_end_p (at); gsi_next (&at)) {
            gimple *read = gsi_stmt (at);
            tree size = gimple_assign_load_p (read) ? TYPE_SIZE_UNIT (TREE_TYPE (gimple_assign_lhs (read))) : NULL_TREE;
            if (size && integer_onep (size) && walks (loop, read))
                return true;
        }
    return false;
}

/* Are these the bytes that the round before of the loop around has read, too? */
static bool reads_again (class loop *loop, class loop *outer, gimple *read)
{
    edge in = loop_preheader_edge (loop);
    data_reference *made = create_data_ref (in, loop, gimple_assign_rhs1 (read), read, true, false);
    bool again = DR_BASE_ADDRESS (made) && expr_invariant_in_loop_p (outer, DR_BASE_ADDRESS (made))
                 && DR_OFFSET (made) && expr_invariant_in_loop_p (outer, DR_OFFSET (made));
    free_data_ref (made);
    return again;
}

/* Does each walk go over the bytes of the one before, and begin with what that one computed, as where a key is
 * stretched? Then no walk is what another was. */
static bool goes_on (class loop *loop, basic_block *blocks)
{
    class loop *outer = loop_outer (loop);
    edge in = loop_preheader_edge (loop);
    affine_iv iv;
    bool chained = false;
    if (!outer || !loop_outer (outer))
        return false;
    for (gphi_iterator at = gsi_start_phis (loop->header); !gsi_end_p (at); gsi_next (&at)) {
        tree number = gimple_phi_result (at.phi ()), first = PHI_ARG_DEF_FROM_EDGE (at.phi (), in);
        chained = chained || (!virtual_operand_p (number) && TREE_CODE (first) == SSA_NAME
                              && made_before (outer, SSA_NAME_DEF_STMT (first))
                              && !simple_iv (loop, loop, number, &iv, true));
    }
    for (unsigned i = 0; chained && i < loop->num_nodes; i++)
        for (gimple_stmt_iterator at = gsi_start_bb (blocks[i]); !gsi_end_p (at); gsi_next (&at))
            if (gimple_assign_load_p (gsi_stmt (at)) && walks (loop, gsi_stmt (at)))
                return reads_again (loop, outer, gsi_stmt (at));
    return false;
}

/* The number that the step before counted, where it counts some of the steps alone; or null. */
static tree counts_some (class loop *loop, tree value)
{
    affine_iv iv;
    for (gphi_iterator at = gsi_start_phis (loop->header); !gsi_end_p (at); gsi_next (&at)) {
        tree number = gimple_phi_result (at.phi ()), before = made_before (loop, at.phi ());
        if (!before || TREE_CODE (before) != SSA_NAME || !INTEGRAL_TYPE_P (TREE_TYPE (number))
            || (value != number && value != before) || simple_iv (loop, loop, number, &iv, true))
            continue;
        /* the next number is this one, or this one and something */
        gimple *next = SSA_NAME_DEF_STMT (before);
        bool found = false;
        if (is_gimple_assign (next))
            found = gimple_assign_rhs1 (next) == number || gimple_assign_rhs2 (next) == number;
        else if (gphi *phi = safe_dyn_cast<gphi *> (next))
            for (unsigned i = 0; i < gimple_phi_num_args (phi); i++)
                found = found || gimple_phi_arg_def (phi, i) == number;
        if (found)
            return number;
    }
    return NULL_TREE;
}

static void seek_remark (class loop *loop, unsigned number, basic_block *blocks, const vec<edge> *exits)
{
    if (!reads_bytes (loop, blocks))
        return;
    for (edge e : *exits) {
        gcond *condition = safe_dyn_cast<gcond *> (last_stmt (e->src));
        if (!condition)
            continue;
        bool left_stays = remark_is_invariant (loop, gimple_cond_lhs (condition));
        tree stays = left_stays ? gimple_cond_lhs (condition) : gimple_cond_rhs (condition),
             moves = left_stays ? gimple_cond_rhs (condition) : gimple_cond_lhs (condition);
        if (!remark_is_invariant (loop, stays) || TREE_CODE (moves) != SSA_NAME)
            continue;
        if (tree counted = counts_some (loop, moves)) {
            char *x = remark_text (counted), *y = remark_text (stays);
            remark_add (PP_REMARK_SEEK, number, gimple_location (condition), 0, x, y);
            free (x);
            free (y);
            return;
        }
    }
    if (exits->length () == 1 && !goes_on (loop, blocks))
        remark_add (PP_REMARK_DIGEST, number, remark_loop_at (number)->where, 0);
}

/* Does the loop do nothing but go along a list? */
static bool is_bare (class loop *loop, basic_block *blocks)
{
    unsigned numbers = 0;
    for (gphi_iterator at = gsi_start_phis (loop->header); !gsi_end_p (at); gsi_next (&at))
        numbers += !virtual_operand_p (gimple_phi_result (at.phi ()));
    for (unsigned i = 0; i < loop->num_nodes; i++)
        for (gimple_stmt_iterator at = gsi_start_nondebug_bb (blocks[i]); !gsi_end_p (at); gsi_next_nondebug (&at)) {
            gimple *statement = gsi_stmt (at);
            tree made = is_gimple_assign (statement) ? gimple_assign_lhs (statement) : NULL_TREE;
            if (made ? !POINTER_TYPE_P (TREE_TYPE (made))
                     : gimple_code (statement) != GIMPLE_COND && gimple_code (statement) != GIMPLE_LABEL
                           && gimple_code (statement) != GIMPLE_PREDICT)
                return false;
        }
    return numbers && numbers <= 2; /* the element, and perhaps the one before it */
}

/* Does the loop do nothing but go along a list, and count? */
static bool is_counted_walk (class loop *loop, basic_block *blocks)
{
    affine_iv iv;
    unsigned elements = 0, counters = 0;
    for (gphi_iterator at = gsi_start_phis (loop->header); !gsi_end_p (at); gsi_next (&at)) {
        tree value = gimple_phi_result (at.phi ());
        if (virtual_operand_p (value))
            continue;
        if (!INTEGRAL_TYPE_P (TREE_TYPE (value)))
            elements++;
        else if (!lineslot_is_counter (at.phi ()) && simple_iv (loop, loop, value, &iv, true))
            counters++;
        else
            return false;
    }
    for (unsigned i = 0; i < loop->num_nodes; i++)
        for (gimple_stmt_iterator at = gsi_start_nondebug_bb (blocks[i]); !gsi_end_p (at); gsi_next_nondebug (&at)) {
            gimple *statement = gsi_stmt (at);
            tree made = is_gimple_assign (statement) ? gimple_assign_lhs (statement) : NULL_TREE;
            bool counts = made && TREE_CODE (made) == SSA_NAME && INTEGRAL_TYPE_P (TREE_TYPE (made))
                          && !gimple_assign_load_p (statement);
            if (made ? !POINTER_TYPE_P (TREE_TYPE (made)) && !counts
                     : gimple_code (statement) != GIMPLE_COND && gimple_code (statement) != GIMPLE_LABEL
                           && gimple_code (statement) != GIMPLE_PREDICT)
                return false;
        }
    return elements == 1 && counters >= 1;
}

/* The elements of a list are counted, to its end. */
static void length_remark (class loop *loop, unsigned number, basic_block *blocks, edge out)
{
    gcond *condition = safe_dyn_cast<gcond *> (last_nondebug_stmt (out->src));
    if (!condition || !POINTER_TYPE_P (TREE_TYPE (gimple_cond_lhs (condition)))
        || !integer_zerop (gimple_cond_rhs (condition)) || !remark_has (PP_REMARK_CHASE, number)
        || !is_counted_walk (loop, blocks))
        return;
    char *x = remark_text (gimple_cond_lhs (condition), condition);
    remark_add (PP_REMARK_SEARCH, number, gimple_location (condition), 0, x, "length");
    free (x);
}

/* An element of a list is looked for by its number. */
static void nth_remark (class loop *loop, unsigned number, basic_block *blocks, const vec<edge> *exits)
{
    gcond *condition = nullptr;
    for (edge e : *exits) {
        gcond *one = safe_dyn_cast<gcond *> (last_nondebug_stmt (e->src));
        if (!one)
            return;
        if (INTEGRAL_TYPE_P (TREE_TYPE (gimple_cond_lhs (one))))
            condition = one;
        else if (!integer_zerop (gimple_cond_rhs (one)))
            return;
    }
    if (!condition || !remark_has (PP_REMARK_CHASE, number) || !is_counted_walk (loop, blocks))
        return;
    char *x = remark_text (gimple_cond_lhs (condition), condition);
    remark_add (PP_REMARK_SEARCH, number, gimple_location (condition), 0, x, "counted");
    free (x);
}

/* The end of a list is looked for. */
static void end_remark (class loop *loop, unsigned number, basic_block *blocks, edge out)
{
    gcond *condition = safe_dyn_cast<gcond *> (last_stmt (out->src));
    if (!condition || !integer_zerop (gimple_cond_rhs (condition)) || !remark_has (PP_REMARK_CHASE, number)
        || !is_bare (loop, blocks))
        return;
    char *x = remark_text (gimple_cond_lhs (condition));
    remark_add (PP_REMARK_SEARCH, number, gimple_location (condition), 0, x, "null");
    free (x);
}

/* Does a way out compare what differs from step to step on both sides, such as two elements, or an element and its
 * index? Then it is found by no key. */
static bool compares_places (class loop *loop, const vec<edge> *exits)
{
    for (edge e : *exits) {
        gcond *condition = safe_dyn_cast<gcond *> (last_nondebug_stmt (e->src));
        if (condition && !remark_is_invariant (loop, gimple_cond_lhs (condition))
            && !remark_is_invariant (loop, gimple_cond_rhs (condition)))
            return true;
    }
    return false;
}

/* ---- trees: a step goes on by one of two fields of what it is at ---- */

/* Does the value come from a field there: is it read, or its address? */
static bool is_field (tree value, tree pointer, HOST_WIDE_INT *offset, tree *access)
{
    gimple *made = TREE_CODE (value) == SSA_NAME ? SSA_NAME_DEF_STMT (value) : nullptr;
    if (!made || !is_gimple_assign (made) || !gimple_assign_single_p (made))
        return false;
    poly_int64 bytes;
    *access = gimple_assign_rhs1 (made);
    if (TREE_CODE (*access) == ADDR_EXPR)
        *access = TREE_OPERAND (*access, 0);
    tree base = TREE_CODE (*access) == SSA_NAME ? NULL_TREE : get_addr_base_and_unit_offset (*access, &bytes);
    return base && TREE_CODE (base) == MEM_REF && TREE_OPERAND (base, 0) == pointer && bytes.is_constant (offset);
}

static void fork_remark (class loop *loop, unsigned number)
{
    for (gphi_iterator at = gsi_start_phis (loop->header); !gsi_end_p (at); gsi_next (&at)) {
        tree pointer = gimple_phi_result (at.phi ()), next = made_before (loop, at.phi ()), first = NULL_TREE, access;
        if (!POINTER_TYPE_P (TREE_TYPE (pointer)) || !next || TREE_CODE (next) != SSA_NAME)
            continue;
        gimple *made = SSA_NAME_DEF_STMT (next);
        if (is_gimple_assign (made) && gimple_assign_load_p (made)) {        /* through the address of a field */
            tree from = gimple_assign_rhs1 (made);
            if (TREE_CODE (from) != MEM_REF || TREE_CODE (TREE_OPERAND (from, 0)) != SSA_NAME)
                continue;
            made = SSA_NAME_DEF_STMT (TREE_OPERAND (from, 0));
        }
        if (gimple_code (made) != GIMPLE_PHI || gimple_bb (made) == loop->header || !gimple_bb (made)
            || !flow_bb_inside_loop_p (loop, gimple_bb (made)))
            continue;
        HOST_WIDE_INT offset = 0, other;
        tree second = NULL_TREE;
        bool fields = true;
        for (unsigned i = 0; i < gimple_phi_num_args (made) && fields; i++) {
            fields = is_field (gimple_phi_arg_def (made, i), pointer, &other, &access);
            if (fields && !first) {
                first = access;
                offset = other;
            } else if (fields && other != offset)
                second = access;
        }
        if (!fields || !second)
            continue;
        char *x = remark_text (first), *y = remark_text (second);
        remark_add (PP_REMARK_FORK, number, remark_place (loop), 0, x, y);
        free (x);
        free (y);
        return;
    }
}

void search_remark (class loop *loop, unsigned number, basic_block *blocks)
{
    auto_vec<edge> exits = get_loop_exit_edges (loop);
    /* a list in a header of the library is the inside of a container, such as a chain of its hash table */
    if (remark_has (PP_REMARK_CHASE, number) && in_system_header_at (remark_loop_at (number)->where))
        return;
    if (has_stores (loop, blocks))
        return;
    fork_remark (loop, number);
    seek_remark (loop, number, blocks, &exits);
    if (exits.length () == 1)
        end_remark (loop, number, blocks, exits[0]);
    if (exits.length () == 1 && !remark_has (PP_REMARK_SEARCH, number))
        length_remark (loop, number, blocks, exits[0]);
    if (exits.length () <= 2 && !remark_has (PP_REMARK_SEARCH, number))
        nth_remark (loop, number, blocks, &exits);
    ordered_remark (loop, number, &exits);
    probe_remark (loop, number, &exits);
    if (exits.length () < 2 || compares_places (loop, &exits))
        return;
    for (edge e : exits)
        for (edge way = e; ; way = single_pred_edge (way->src)) {
            if (is_told (loop, number, way))
                return;
            /* the way to the exit leads through other comparisons: of a stored hash, then of the text */
            if (way->src == loop->header || !single_pred_p (way->src))
                break;
        }
}
