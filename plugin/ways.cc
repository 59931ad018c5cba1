/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ways.cc: finds the exits of a function, and the places where control comes back into it. Emits nothing. */
#include "gcc.h"
#include "plugin.h"
#include "ways.h"

static bool receives (basic_block block)
{
    edge e;
    edge_iterator i;
    FOR_EACH_EDGE (e, i, block->preds)
        if (e->flags & EDGE_EH)
            return true;
    gimple_stmt_iterator at = gsi_start_bb (block);
    for (; !gsi_end_p (at) && gimple_code (gsi_stmt (at)) == GIMPLE_LABEL; gsi_next (&at))
        if (DECL_NONLOCAL (gimple_label_label (as_a<glabel *> (gsi_stmt (at)))))
            return true;
    return !gsi_end_p (at) && gimple_call_builtin_p (gsi_stmt (at), BUILT_IN_SETJMP_RECEIVER);
}

/* A call of the runtime that ends a loop or scope inside the function. It must come before the function's own exit. */
static bool is_runtime (gcall *call)
{
    tree callee = gimple_call_fndecl (call);
    const char *name = callee ? function_symbol (callee) : "";
    return !strncmp (name, "__profplug_", 11) || !strncmp (name, "profplug_", 9);
}

/* After a tail call a single path leads to the end of the function. */
static bool leads_to_exit (basic_block block)
{
    while (single_succ_p (block) && single_succ (block) != EXIT_BLOCK_PTR_FOR_FN (cfun))
        block = single_succ (block);
    return single_succ_p (block);
}

/* A stage's time includes its tail calls, so they become plain calls. Other functions keep theirs: programs that are
 * written as tail calls would overflow the stack. */
static bool keeps_tail_call (basic_block block, gcall *call, bool timed)
{
    return leads_to_exit (block) && !is_runtime (call) && (!timed || gimple_call_must_tail_p (call));
}

void find_ways (function *fun, bool timed, struct ways *ways)
{
    basic_block block;
    FOR_EACH_BB_FN (block, fun) {
        if (receives (block))
            ways->receivers.safe_push (block);
        for (gimple_stmt_iterator at = gsi_start_bb (block); !gsi_end_p (at); gsi_next (&at)) {
            gimple *statement = gsi_stmt (at);
            if (gimple_code (statement) == GIMPLE_RETURN)
                ways->returns.safe_push (statement);
            gcall *call = dyn_cast<gcall *> (statement);
            if (!call)
                continue;
            if (gimple_call_builtin_p (call, BUILT_IN_UNWIND_RESUME)
                || gimple_call_builtin_p (call, BUILT_IN_CXA_END_CLEANUP)
                || gimple_call_builtin_p (call, BUILT_IN_RETURN))
                ways->departures.safe_push (call);
            else if (gimple_call_flags (call) & ECF_RETURNS_TWICE)
                ways->twice.safe_push (call);
            else if (gimple_call_tail_p (call) || gimple_call_must_tail_p (call)) {
                if (keeps_tail_call (block, call, timed))
                    ways->tail_calls.safe_push (call);
                else
                    gimple_call_set_tail (call, false);
            }
        }
    }
}
