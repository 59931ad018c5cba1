/* SPDX-License-Identifier: GPL-3.0-or-later */
/* predict.cc: predicts how many instructions instrumentation will add to a function. It uses GCC's estimates of how
 * often a block runs in a call, and of how many instructions a statement takes. Of a probe it knows only the length. */
#include "gcc.h"
#include "plugin.h"
#include "emit.h"
#include "line/linecount.h"

/* Instructions of a probe on its fast path: in an executable on x86-64 that of prologue.cc, elsewhere that of
 * probe.cc. */
static unsigned probe_length (tree function, const struct choice *choice)
{
    bool framed = choice->mode == PP_MODE_FRAMED;
    if (!segment_is_used ())
        return framed ? 8 : 6;
    return 1 + framed + (ready_is_known (function) ? 0 : 2);
}

struct cost_estimate { double own, lines; };      /* instructions in a call, without callees */

static struct cost_estimate predict (function *fun)
{
    struct cost_estimate sum = { 0, 0 };
    basic_block block;
    FOR_EACH_BB_FN (block, fun) {
        profile_count entry = ENTRY_BLOCK_PTR_FOR_FN (fun)->count;
        double often = entry.initialized_p () && entry.nonzero_p () && block->count.initialized_p ()
                           ? block->count.to_sreal_scale (entry).to_double ()
                           : 1;
        for (gimple_stmt_iterator at = gsi_start_bb (block); !gsi_end_p (at); gsi_next (&at)) {
            gimple *statement = gsi_stmt (at);
            if (is_gimple_debug (statement))
                continue;
            if (!lineslot_is_counter (statement))
                sum.own += often * estimate_num_insns (statement, &eni_size_weights);
            else if (gimple_store_p (statement))
                sum.lines += often;
        }
    }
    return sum;
}

void predict_tell (function *fun, const struct choice *choice)
{
    struct cost_estimate sum = predict (fun);
    char lines[64] = "";
    if (sum.lines > 0)
        snprintf (lines, sizeof lines, " and the counters of its lines about %.3g", sum.lines);
    char own[32];
    unsigned length = probe_length (fun->decl, choice);
    snprintf (own, sizeof own, "%.3g", sum.own < 1 ? 1 : sum.own);
    if (choice->mode == PP_MODE_TIMED)
        inform (DECL_SOURCE_LOCATION (fun->decl),
                "profplug: %qD is timed: its probe adds two calls of the runtime%s, "
                "to about %s instructions of its own a call",
                fun->decl, lines, own);
    else
        inform (DECL_SOURCE_LOCATION (fun->decl),
                "profplug: %qD is %s: its probe adds %u instruction%s%s, to about %s of its own a call", fun->decl,
                choice->mode == PP_MODE_FRAMED ? "counted and now and then timed" : "counted", length,
                length == 1 ? "" : "s", lines, own);
}
