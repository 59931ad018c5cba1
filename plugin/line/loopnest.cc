/* SPDX-License-Identifier: GPL-3.0-or-later */
/* loopnest.cc: counts how many steps the innermost loops of a nest do in one entry of the outermost one, against how
 * often that goes round: its size. From that the report tells how the work grows with the size. Sizes are sorted into
 * classes, four for each doubling, and each class has three counters: entries, their sizes, their steps. The code
 * stands after the nest and outside of all loops. It must not know how steps are counted, nor who reads the counters.
 *
 *   before: n = how often it will go round; was = steps of the innermost loops so far;
 *   after:  k = class of n; array[k] += 1; array[64 + k] += n; array[128 + k] += steps so far - was; */
#include "gcc.h"
#include "plugin.h"
#include "emit.h"
#include "line/linecount.h"
#include "remark/remarks.h"

enum {
    EXITS = 2,                         /* more take more code than they are worth */
    INNER = 3                          /* counted loops in the nest */
};

static tree constant (uint64_t value)
{
    return build_int_cst (uint64_type_node, value);
}

static tree load (tree array, unsigned counter)
{
    return build4 (ARRAY_REF, uint64_type_node, array, size_int (counter), NULL_TREE, NULL_TREE);
}

/* Appends the computation of `value` to the sequence, and returns its name. */
static tree compute (gimple_seq *sequence, tree value)
{
    gimple_seq more = nullptr;
    tree name = force_gimple_operand (value, &more, true, NULL_TREE);
    gimple_seq_add_seq_without_update (sequence, more);
    return name;
}

/* Steps of all counted loops so far, of all threads' own. */
static tree steps_so_far (gimple_seq *sequence, const vec<struct loop_counter> *inner)
{
    tree sum = constant (0);
    for (const struct loop_counter &one : *inner) {
        tree entries = compute (sequence, load (one.array, one.entries)), steps;
        if (one.sum) {
            tree went = compute (sequence, load (one.array, one.sum));
            steps = compute (sequence, build2 (PLUS_EXPR, uint64_type_node, went, entries));
        } else
            steps = compute (sequence, build2 (MULT_EXPR, uint64_type_node, entries, constant (one.step)));
        sum = compute (sequence, fold_build2 (PLUS_EXPR, uint64_type_node, sum, steps));
    }
    return sum;
}

static void add_at (gimple_seq *sequence, tree array, tree index, unsigned first, tree more)
{
    tree at = compute (sequence, fold_build2 (PLUS_EXPR, sizetype, fold_convert (sizetype, index), size_int (first))),
         old = make_ssa_name (uint64_type_node), sum = make_ssa_name (uint64_type_node);
    tree from = build4 (ARRAY_REF, uint64_type_node, array, at, NULL_TREE, NULL_TREE);
    gimple_seq_add_stmt_without_update (sequence, gimple_build_assign (old, from));
    gimple_seq_add_stmt_without_update (sequence, gimple_build_assign (sum, PLUS_EXPR, old, more));
    gimple_seq_add_stmt_without_update (sequence, gimple_build_assign (unshare_expr (from), sum));
}

/* See PP_NEST_CLASSES in format.h. */
static tree class_of (gimple_seq *sequence, tree size)
{
    tree type = uint64_type_node, m = compute (sequence, build2 (BIT_IOR_EXPR, type, size, constant (8)));
    tree zeros = compute (sequence, build_call_expr (builtin_decl_explicit (BUILT_IN_CLZLL), 1,
                                                     fold_convert (long_long_unsigned_type_node, m)));
    tree power = compute (sequence, build2 (MINUS_EXPR, type, constant (63), fold_convert (type, zeros)));
    tree down = compute (sequence, build2 (MINUS_EXPR, type, power, constant (2)));
    tree quarter = compute (sequence, build2 (RSHIFT_EXPR, type, m, down));
    quarter = compute (sequence, build2 (BIT_AND_EXPR, type, quarter, constant (3)));
    tree four = compute (sequence, build2 (MULT_EXPR, type, power, constant (4)));
    tree all = compute (sequence, build2 (PLUS_EXPR, type, four, quarter));
    all = compute (sequence, build2 (MINUS_EXPR, type, all, constant (12)));
    return compute (sequence, build2 (MIN_EXPR, type, all, constant (PP_NEST_CLASSES - 1)));
}

bool loopnest_count (class loop *nest, const vec<struct loop_counter> *inner, uint64_t id)
{
    auto_vec<edge> exits;
    exits.safe_splice (get_loop_exit_edges (nest));
    if (inner->is_empty () || inner->length () > INNER || exits.is_empty () || exits.length () > EXITS
        || nest->header->flags & BB_IRREDUCIBLE_LOOP || EDGE_COUNT (nest->header->preds) != 2
        || loop_preheader_edge (nest)->flags & EDGE_COMPLEX)
        return false;
    for (edge out : exits)
        if (out->flags & EDGE_COMPLEX)
            return false;
    tree latch = number_of_latch_executions (nest);
    if (!latch || chrec_contains_undetermined (latch) || TREE_CODE (latch) == INTEGER_CST
        || !INTEGRAL_TYPE_P (TREE_TYPE (latch)) || TYPE_PRECISION (TREE_TYPE (latch)) > 64)
        return false;

    tree array = linecount_array (id, 3 * PP_NEST_CLASSES);
    gimple_seq before = nullptr;
    tree size = compute (&before, fold_convert (uint64_type_node, unshare_expr (latch)));
    size = compute (&before, build2 (PLUS_EXPR, uint64_type_node, size, constant (1)));
    tree was = steps_so_far (&before, inner);
    gsi_insert_seq_on_edge_immediate (loop_preheader_edge (nest), before);
    for (edge out : exits) {
        if (!single_pred_p (out->dest))
            out = single_pred_edge (split_edge (out));
        gimple_seq after = nullptr;
        tree now = steps_so_far (&after, inner);
        tree steps = compute (&after, build2 (MINUS_EXPR, uint64_type_node, now, was)), index = class_of (&after, size);
        add_at (&after, array, index, 0, constant (1));
        add_at (&after, array, index, PP_NEST_CLASSES, size);
        add_at (&after, array, index, 2 * PP_NEST_CLASSES, steps);
        gimple_stmt_iterator at = gsi_after_labels (out->dest);
        gsi_insert_seq_before (&at, after, GSI_SAME_STMT);
    }
    return true;
}
