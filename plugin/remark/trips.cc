/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trips.cc: remarks on how often a loop goes round. They come before the loop is unrolled or vectorized. Must not know
 * what becomes of the loop. */
#include "gcc.h"
#include "plugin.h"
#include "remark/remarks.h"

/* Does a loop of the same function stand around it? */
static bool is_inner (class loop *loop, location_t where)
{
    for (class loop *outer = loop_outer (loop); outer && loop_outer (outer); outer = loop_outer (outer))
        if (remark_same_source (find_loop_location (outer).get_location_t (), where))
            return true;
    return false;
}

void trips_remark (class loop *loop, unsigned number)
{
    location_t where = remark_loop_at (number)->where;
    tree latch = number_of_latch_executions (loop);
    if (!latch || chrec_contains_undetermined (latch)) {
        remark_add (PP_REMARK_TRIPS_UNKNOWN, number, where, is_inner (loop, where));
        return;
    }
    /* The loop's condition may stand at its end, after its header was copied: then it goes round once more. */
    if (tree_fits_uhwi_p (latch) && tree_to_uhwi (latch) < INT64_MAX / 4) {
        remark_add (PP_REMARK_TRIPS, number, where, tree_to_uhwi (latch) + 1);
        return;
    }
    tree trips = fold_build2 (PLUS_EXPR, TREE_TYPE (latch), latch, build_one_cst (TREE_TYPE (latch)));
    char *text = remark_text (trips);
    remark_add (PP_REMARK_TRIPS_KNOWN, number, where, 0, strstr (text, "...") ? nullptr : text);
    free (text);
}
