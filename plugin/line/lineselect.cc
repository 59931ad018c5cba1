/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lineselect.cc: decides which functions count their lines. lines=stages takes stages and functions with an annotated
 * loop. lines=auto adds what such a stage or loop calls directly, and inline functions that those call. It recognizes
 * them by the attribute and by the hooks of loop.cc, because GCC passes callees before their callers. Must not know
 * what is counted.
 *
 * A function is left out if the linker may take its code from another unit (C++ inline functions and templates), unless
 * it is a stage itself. The other unit may not count it, since it does not know that a stage here calls it. */
#include "gcc.h"
#include "plugin.h"
#include "line/linecount.h"

typedef hash_set<int_hash<unsigned, UINT_MAX, UINT_MAX - 1>> uid_set;
static uid_set *chosen;

static bool is_open (cgraph_node *node)
{
    return node->has_gimple_body_p () && DECL_STRUCT_FUNCTION (node->decl) && DECL_STRUCT_FUNCTION (node->decl)->cfg
           && select_exclusion (node->decl) == PP_REASON_NONE;
}

static void choose_callee (cgraph_node *node)
{
    node = node->ultimate_alias_target ();
    if (!is_open (node) || DECL_COMDAT (node->decl) || DECL_EXTERNAL (node->decl) || DECL_WEAK (node->decl)
        || chosen->add (DECL_UID (node->decl)))
        return;
    for (cgraph_edge *call = node->callees; call; call = call->next_callee)
        if (DECL_DECLARED_INLINE_P (call->callee->decl))
            choose_callee (call->callee);
}

static void choose_called (gimple *statement)
{
    tree function = is_gimple_call (statement) ? gimple_call_fndecl (statement) : NULL_TREE;
    if (cgraph_node *node = function ? cgraph_node::get (function) : nullptr)
        choose_callee (node);
}

static bool calls (gimple *statement, const char *hook)
{
    return is_gimple_call (statement) && gimple_call_fndecl (statement)
           && !strcmp (function_symbol (gimple_call_fndecl (statement)), hook);
}

/* Chooses what is called between a loop's enter hook, which is before `at`, and its leave hook. */
static void choose_called_in_loop (gimple_stmt_iterator at)
{
    hash_set<basic_block> seen;
    auto_vec<basic_block> rest;
    basic_block block = gsi_bb (at);
    for (;;) {
        bool ended = false;
        for (; !gsi_end_p (at) && !ended; gsi_next (&at)) {
            ended = calls (gsi_stmt (at), "__profplug_loop_leave");
            choose_called (gsi_stmt (at));
        }
        edge e;
        edge_iterator i;
        if (!ended)
            FOR_EACH_EDGE (e, i, block->succs)
                if (e->dest->index != EXIT_BLOCK && !seen.add (e->dest))
                    rest.safe_push (e->dest);
        if (rest.is_empty ())
            return;
        block = rest.pop ();
        at = gsi_start_bb (block);
    }
}

static void choose_function (cgraph_node *node)
{
    enum pp_category category;
    bool with_callees = arguments.lines == LINES_AUTO;
    if (annotate_stage (node->decl, &category)) {
        chosen->add (DECL_UID (node->decl));
        for (cgraph_edge *call = node->callees; call && with_callees; call = call->next_callee)
            choose_callee (call->callee);
        /* The bodies of its parallel regions. */
        ipa_ref *reference;
        for (unsigned i = 0; node->iterate_reference (i, reference); i++)
            if (cgraph_node *part = dyn_cast<cgraph_node *> (reference->referred))
                if (part->parallelized_function)
                    choose_callee (part);
        return;
    }
    basic_block block;
    FOR_EACH_BB_FN (block, DECL_STRUCT_FUNCTION (node->decl))
        for (gimple_stmt_iterator at = gsi_start_bb (block); !gsi_end_p (at); gsi_next (&at))
            if (calls (gsi_stmt (at), "__profplug_loop_enter")) {
                chosen->add (DECL_UID (node->decl));
                if (with_callees)
                    choose_called_in_loop (at);
            }
}

bool lineselect_wants (function *fun)
{
    if (arguments.lines == LINES_ALL)
        return true;
    if (!chosen) {
        chosen = new uid_set;
        cgraph_node *node;
        FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node)
            if (is_open (node))
                choose_function (node);
    }
    return chosen->contains (DECL_UID (fun->decl));
}
