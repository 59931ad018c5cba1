/* SPDX-License-Identifier: GPL-3.0-or-later */
/* structure.cc: remarks on structures that are copied as a whole: by assignment, and as arguments. GCC has taken apart
 * what it could. And on memory that is filled, or moves on by a little. Must not know how often that happens. */
#include "gcc.h"
#include "plugin.h"
#include "remark/remarks.h"

#define BYTES_LEAST 32
#define GAP_MOST 4096

static void tell (class loop *loop, gimple *statement, tree type)
{
    tree size = TYPE_SIZE_UNIT (type);
    if (!AGGREGATE_TYPE_P (type) || !size || !tree_fits_shwi_p (size) || tree_to_shwi (size) < BYTES_LEAST)
        return;
    const char *name = remark_type_text (type);
    unsigned number = loop && !loop->inner ? remark_loop_number (loop) : 0;
    remark_add (PP_REMARK_STRUCTURE_COPY, number, gimple_location (statement), tree_to_shwi (size),
                strcmp (name, "...") ? name : nullptr);
}

void structure_remark (class loop *loop, gimple *statement)
{
    if (gimple_assign_single_p (statement) && !gimple_clobber_p (statement)) {
        tree from = gimple_assign_rhs1 (statement);
        if (gimple_store_p (statement) && (DECL_P (from) || REFERENCE_CLASS_P (from)))
            tell (loop, statement, TREE_TYPE (from));
    } else if (is_gimple_call (statement) && !gimple_call_internal_p (statement)) {
        for (unsigned i = 0; i < gimple_call_num_args (statement); i++) {
            tree argument = gimple_call_arg (statement, i);
            if (DECL_P (argument) || REFERENCE_CLASS_P (argument))
                tell (loop, statement, TREE_TYPE (argument));
        }
    }
}

/* Memory is filled with what is not known before: that is no clearing. */
void fill_remark (gimple *statement)
{
    if (!gimple_call_builtin_p (statement, BUILT_IN_MEMSET)
        || TREE_CODE (gimple_call_arg (statement, 1)) == INTEGER_CST)
        return;
    char *text = remark_text (gimple_call_arg (statement, 1));
    remark_add (PP_REMARK_FILL, 0, gimple_location (statement), 0, strstr (text, "...") ? "a value" : text);
    free (text);
}

/* Whether a way leads back in the memory where it begins. A pointer that is left over may be to other memory. */
static bool leads_back (aff_tree &way)
{
    widest_int bytes;
    bool back = way.offset.is_constant (&bytes) && wi::neg_p (bytes);
    for (unsigned i = 0; i < way.n; i++) {
        tree part = way.elts[i].val;
        STRIP_NOPS (part);
        if (POINTER_TYPE_P (TREE_TYPE (part)))
            return false;
        back |= wi::neg_p (way.elts[i].coef);
    }
    return back && !way.rest;
}

/* All elements behind a place move on, as where one more is put in order; or back, as where one is taken away. So many
 * bytes each time are none of these: a piece is copied. */
void gap_remark (gimple *statement)
{
    if (!gimple_call_builtin_p (statement, BUILT_IN_MEMMOVE))
        return;
    tree to = gimple_call_arg (statement, 0), from = gimple_call_arg (statement, 1);
    hash_map<tree, name_expansion *> *known = nullptr;
    aff_tree way, back;
    tree_to_aff_combination_expand (to, TREE_TYPE (to), &way, &known);
    tree_to_aff_combination_expand (from, TREE_TYPE (from), &back, &known);
    aff_combination_scale (&back, -1);
    aff_combination_add (&way, &back);
    free_affine_expand_cache (&known);
    widest_int bytes;
    bool on = !way.n && !way.rest && way.offset.is_constant (&bytes) && wi::fits_shwi_p (bytes)
              && IN_RANGE (bytes.to_shwi (), 1, GAP_MOST);
    bool piece = TREE_CODE (gimple_call_arg (statement, 2)) == INTEGER_CST;
    if (!on && (piece || !leads_back (way)))
        return;
    char *text = remark_text (from);
    remark_add (on ? PP_REMARK_GAP : PP_REMARK_SHIFT, 0, gimple_location (statement), on ? bytes.to_shwi () : 0,
                strstr (text, "...") ? "a place" : text);
    free (text);
}
