/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sorts.cc: remarks on innermost loops of sorts in quadratic time: they exchange neighbours that
 * are out of order, exchange each element with one that stays, move elements on by one until one is in order, or look
 * for the least of the rest. Must not know how far they go. */
#include "gcc.h"
#include "plugin.h"
#include "remark/remarks.h"

#define STEPS_MOST 6
#define STORES_MOST 16

/* Where a statement of the loop reads or writes, in terms of the loop. */
struct place {
    place (class loop *loop, tree access, gimple *statement)
        : made (create_data_ref (loop_preheader_edge (loop), loop, access, statement, true, false)) {}
    ~place () { free_data_ref (made); }
    place (const place &) = delete;
    place &operator= (const place &) = delete;
    bool is_known () const
    {
        return DR_BASE_ADDRESS (made) && DR_OFFSET (made) && DR_INIT (made) && tree_fits_shwi_p (DR_INIT (made))
               && DR_STEP (made) && tree_fits_shwi_p (DR_STEP (made));
    }
    HOST_WIDE_INT step () const { return tree_to_shwi (DR_STEP (made)); }
    HOST_WIDE_INT start () const { return tree_to_shwi (DR_INIT (made)); }
    data_reference *made;
};

/* How many elements `b` is from `a`, where both go along the same array. False: they do not. */
static bool distance (const place &a, const place &b, HOST_WIDE_INT *elements)
{
    if (!a.is_known () || !b.is_known () || !a.step () || a.step () != b.step ()
        || !operand_equal_p (DR_BASE_ADDRESS (a.made), DR_BASE_ADDRESS (b.made))
        || !operand_equal_p (DR_OFFSET (a.made), DR_OFFSET (b.made)) || (b.start () - a.start ()) % a.step ())
        return false;
    *elements = (b.start () - a.start ()) / a.step ();
    return true;
}

static bool is_same (const place &a, const place &b)
{
    if (!a.is_known () || !b.is_known ())
        return false;
    return a.step () == b.step () && a.start () == b.start ()
           && operand_equal_p (DR_BASE_ADDRESS (a.made), DR_BASE_ADDRESS (b.made))
           && operand_equal_p (DR_OFFSET (a.made), DR_OFFSET (b.made));
}

/* The statement of the loop that read what is stored: the store itself, where it copies memory; or null. */
static gimple *read_by (class loop *loop, gimple *store)
{
    tree value = gimple_assign_rhs1 (store);
    if (REFERENCE_CLASS_P (value))
        return store;
    gimple *read = TREE_CODE (value) == SSA_NAME ? SSA_NAME_DEF_STMT (value) : nullptr;
    return read && gimple_bb (read) && flow_bb_inside_loop_p (loop, gimple_bb (read)) && gimple_assign_load_p (read)
               ? read : nullptr;
}

/* Is the value computed from an element of that array: from what is read there, or, if it is handed to a function, its
 * address? A pointer by itself tells where a loop ends. */
static bool is_of_array (class loop *loop, tree value, const place &array, int steps, bool handed = false)
{
    affine_iv iv;
    if (steps <= 0 || TREE_CODE (value) != SSA_NAME || remark_is_invariant (loop, value))
        return false;
    if (handed && POINTER_TYPE_P (TREE_TYPE (value)) && simple_iv (loop, loop, value, &iv, false)
        && TREE_CODE (iv.step) == INTEGER_CST && (HOST_WIDE_INT) TREE_INT_CST_LOW (iv.step) == array.step ())
        return true;
    gimple *made = SSA_NAME_DEF_STMT (value);
    if (gimple_code (made) == GIMPLE_PHI)
        return false;
    ssa_op_iter at;
    tree use;
    FOR_EACH_SSA_TREE_OPERAND (use, made, at, SSA_OP_USE)
        if (is_of_array (loop, use, array, steps - 1, is_gimple_call (made)))
            return true;
    if (!is_gimple_assign (made) || !gimple_assign_load_p (made))
        return false;
    place from (loop, gimple_assign_rhs1 (made), made);
    return from.is_known () && from.step () == array.step ()
           && operand_equal_p (DR_BASE_ADDRESS (from.made), DR_BASE_ADDRESS (array.made));
}

/* Which condition asks for the order of elements of that array? `leaves`: one that leaves the loop. Or null. */
static gimple *comparison_of (class loop *loop, basic_block *blocks, const place &array, bool leaves)
{
    for (unsigned i = 0; i < loop->num_nodes; i++) {
        gcond *condition = safe_dyn_cast<gcond *> (last_stmt (blocks[i]));
        if (!condition || !remark_is_ordering (gimple_cond_code (condition))
            || (leaves && flow_bb_inside_loop_p (loop, EDGE_SUCC (blocks[i], 0)->dest)
                && flow_bb_inside_loop_p (loop, EDGE_SUCC (blocks[i], 1)->dest)))
            continue;
        if (is_of_array (loop, gimple_cond_lhs (condition), array, STEPS_MOST)
            || is_of_array (loop, gimple_cond_rhs (condition), array, STEPS_MOST))
            return condition;
    }
    return nullptr;
}

/* Where the value goes that was in `from`: the same block stores something else there. */
static bool is_exchange (class loop *loop, const vec<gimple *> &stores, gimple *first, const place &from)
{
    for (gimple *store : stores)
        if (store != first && gimple_bb (store) == gimple_bb (first)
            && is_same (place (loop, gimple_assign_lhs (store), store), from))
            return true;
    return false;
}

static bool is_told (class loop *loop, unsigned number, basic_block *blocks, const vec<gimple *> &stores, gimple *store)
{
    gimple *read = read_by (loop, store);
    if (!read)
        return false;
    place to (loop, gimple_assign_lhs (store), store), from (loop, gimple_assign_rhs1 (read), read);
    HOST_WIDE_INT elements;
    bool neighbour = distance (to, from, &elements) && absu_hwi (elements) == 1;
    bool stays = to.is_known () && from.is_known () && !to.step () && from.step ();
    if (!neighbour && !stays)
        return false;
    bool exchanges = is_exchange (loop, stores, store, from);
    if (stays && !exchanges)
        return false;
    gimple *condition = comparison_of (loop, blocks, from, !exchanges);
    if (!condition)
        return false;
    char *text = remark_text (gimple_assign_rhs1 (read));
    remark_add (PP_REMARK_SORT, number, gimple_location (condition), 0, text,
                !exchanges ? "moving" : neighbour ? "exchanging" : "exchanging with one that stays");
    free (text);
    return true;
}

static void stores_of (class loop *loop, basic_block *blocks, vec<gimple *> *stores)
{
    for (unsigned i = 0; i < loop->num_nodes; i++)
        for (gimple_stmt_iterator at = gsi_start_bb (blocks[i]); !gsi_end_p (at); gsi_next (&at)) {
            gimple *statement = gsi_stmt (at);
            if (blocks[i]->loop_father == loop && gimple_assign_single_p (statement) && gimple_store_p (statement)
                && !gimple_clobber_p (statement) && !lineslot_is_counter (statement)
                && REFERENCE_CLASS_P (gimple_assign_lhs (statement)))
                stores->safe_push (statement);
        }
}

/* Is it what the inner loop found, or computed from that? `or_else`: on one of several ways at least. */
static bool is_found_by (class loop *loop, tree value, int steps, bool or_else = false)
{
    gimple *made = steps > 0 && TREE_CODE (value) == SSA_NAME ? SSA_NAME_DEF_STMT (value) : nullptr;
    if (!made || !gimple_bb (made))
        return false;
    if (flow_bb_inside_loop_p (loop, gimple_bb (made)))
        return true;
    if (gphi *phi = safe_dyn_cast<gphi *> (made)) {
        bool is_way = gimple_phi_num_args (phi) == 1
                      || (or_else && gimple_bb (phi)->loop_father->header != gimple_bb (phi));
        for (unsigned i = 0; is_way && i < gimple_phi_num_args (phi); i++)
            if (is_found_by (loop, gimple_phi_arg_def (phi, i), steps - 1, or_else))
                return true;
        return false;
    }
    ssa_op_iter at;
    tree use;
    FOR_EACH_SSA_TREE_OPERAND (use, made, at, SSA_OP_USE)
        if (is_found_by (loop, use, steps - 1, or_else))
            return true;
    return false;
}

/* The same of the address or, of memory that is copied, the place that it comes from. */
static bool reference_is_found_by (class loop *loop, tree reference, bool or_else = false)
{
    for (; handled_component_p (reference); reference = TREE_OPERAND (reference, 0))
        if (TREE_CODE (reference) == ARRAY_REF && is_found_by (loop, TREE_OPERAND (reference, 1), STEPS_MOST, or_else))
            return true;
    return TREE_CODE (reference) == MEM_REF && is_found_by (loop, TREE_OPERAND (reference, 0), STEPS_MOST, or_else);
}

/* Which condition of the loop asks for the order of elements that it walks along? */
static gimple *walked_comparison_of (class loop *loop, basic_block *blocks)
{
    for (unsigned i = 0; i < loop->num_nodes; i++)
        for (gimple_stmt_iterator at = gsi_start_bb (blocks[i]); !gsi_end_p (at); gsi_next (&at)) {
            if (!gimple_assign_load_p (gsi_stmt (at)))
                continue;
            place from (loop, gimple_assign_rhs1 (gsi_stmt (at)), gsi_stmt (at));
            gimple *found = from.is_known () && from.step () ? comparison_of (loop, blocks, from, false) : nullptr;
            if (found)
                return found;
        }
    return nullptr;
}

/* The loop around puts what this loop found at its own place, and what was there at the place that this loop found. */
static bool is_selected (class loop *loop, unsigned number, basic_block *blocks)
{
    class loop *around = loop_outer (loop);
    if (!loop_depth (around) || around->inner != loop || loop->next)
        return false;
    auto_vec<gimple *> stores;
    basic_block *outer = get_loop_body (around);
    stores_of (around, outer, &stores);
    free (outer);
    if (stores.length () > STORES_MOST)
        return false;
    for (gimple *first : stores)
        for (gimple *second : stores) {
            tree value = gimple_assign_rhs1 (first);
            bool exchanges = first != second && gimple_bb (first) == gimple_bb (second)
                             && (is_found_by (loop, value, STEPS_MOST) || reference_is_found_by (loop, value))
                             && !reference_is_found_by (loop, gimple_assign_lhs (first))
                             && reference_is_found_by (loop, gimple_assign_lhs (second))
                             && !is_gimple_min_invariant (gimple_assign_rhs1 (second));
            if (gimple *condition = exchanges ? walked_comparison_of (loop, blocks) : nullptr) {
                char *text = remark_text (gimple_assign_lhs (first));
                remark_add (PP_REMARK_SORT, number, gimple_location (condition), 0, text, "selecting");
                free (text);
                return true;
            }
        }
    return false;
}

/* Is it an element that this step reads as it goes along? */
static bool is_element (class loop *loop, tree value)
{
    gimple *made = TREE_CODE (value) == SSA_NAME ? SSA_NAME_DEF_STMT (value) : nullptr;
    for (int i = 0; made && i < STEPS_MOST && is_gimple_assign (made)
                    && CONVERT_EXPR_CODE_P (gimple_assign_rhs_code (made))
                    && TREE_CODE (gimple_assign_rhs1 (made)) == SSA_NAME; i++)
        made = SSA_NAME_DEF_STMT (gimple_assign_rhs1 (made));
    if (!made || !gimple_bb (made) || !flow_bb_inside_loop_p (loop, gimple_bb (made)) || !is_gimple_assign (made)
        || !gimple_assign_load_p (made))
        return false;
    place from (loop, gimple_assign_rhs1 (made), made);
    return from.is_known () && from.step ();
}

/* Is it the best one so far, or is that read by its place? */
static bool is_best (class loop *loop, tree value)
{
    affine_iv iv;
    gimple *made = TREE_CODE (value) == SSA_NAME ? SSA_NAME_DEF_STMT (value) : nullptr;
    if (!made || !gimple_bb (made) || !flow_bb_inside_loop_p (loop, gimple_bb (made)))
        return false;
    return gimple_code (made) == GIMPLE_PHI ? !simple_iv (loop, loop, value, &iv, true)
                                            : is_gimple_assign (made) && gimple_assign_load_p (made)
                                                  && !is_element (loop, value);
}

/* Does the loop read what may be stored there? */
static bool is_read_by (class loop *loop, basic_block *blocks, tree stored)
{
    for (unsigned i = 0; i < loop->num_nodes; i++)
        for (gimple_stmt_iterator at = gsi_start_bb (blocks[i]); !gsi_end_p (at); gsi_next (&at))
            if (gimple_assign_load_p (gsi_stmt (at)) && !lineslot_is_counter (gsi_stmt (at))
                && refs_may_alias_p (gimple_assign_rhs1 (gsi_stmt (at)), stored, true))
                return true;
    return false;
}

/* What comes after the loop, in the loop around it or else in the function, changes the element that was found, as the
 * loop sees it. */
static bool changes_found (class loop *loop, basic_block *blocks)
{
    class loop *around = loop_outer (loop);
    basic_block block;
    unsigned looked_at = 0;
    FOR_EACH_BB_FN (block, cfun) {
        if (flow_bb_inside_loop_p (loop, block) || !flow_bb_inside_loop_p (around, block))
            continue;
        for (gimple_stmt_iterator at = gsi_start_bb (block); !gsi_end_p (at); gsi_next (&at)) {
            gimple *store = gsi_stmt (at);
            if (!gimple_assign_single_p (store) || !gimple_store_p (store) || gimple_clobber_p (store)
                || lineslot_is_counter (store))
                continue;
            if (++looked_at > STORES_MOST)
                return false;
            if (reference_is_found_by (loop, gimple_assign_lhs (store), true)
                && is_read_by (loop, blocks, gimple_assign_lhs (store)))
                return true;
        }
    }
    return false;
}

/* The best of all is looked for, and what is found is marked or replaced, so that the next one is another. */
static void least_remark (class loop *loop, unsigned number, basic_block *blocks)
{
    for (unsigned i = 0; i < loop->num_nodes; i++) {
        gcond *condition = safe_dyn_cast<gcond *> (last_nondebug_stmt (blocks[i]));
        if (!condition || !remark_is_ordering (gimple_cond_code (condition)))
            continue;
        tree left = gimple_cond_lhs (condition), right = gimple_cond_rhs (condition),
             element = is_element (loop, left) ? left : right;
        if (!is_element (loop, element) || !is_best (loop, element == left ? right : left)
            || !changes_found (loop, blocks))
            continue;
        char *text = remark_text (element, condition);
        remark_add (PP_REMARK_LEAST, number, gimple_location (condition), 0, strstr (text, "...") ? "all" : text);
        free (text);
        return;
    }
}

void sort_remark (class loop *loop, unsigned number, basic_block *blocks)
{
    auto_vec<gimple *> stores;
    stores_of (loop, blocks, &stores);
    if (stores.is_empty () && !is_selected (loop, number, blocks))
        least_remark (loop, number, blocks);
    if (stores.length () > STORES_MOST)
        return;
    for (gimple *store : stores)
        if (is_told (loop, number, blocks, stores, store))
            return;
}
