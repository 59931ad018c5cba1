/* SPDX-License-Identifier: GPL-3.0-or-later */
/* linereturn.cc: finds calls that always return, so that no counter is needed after them. A function of the unit always
 * returns if its body contains only such calls. GCC passes callees before their callers. Loops are assumed to end: if
 * one does not, the program is killed in it, and the counts of one activation are too low. Must not know what is
 * counted. */
#include "gcc.h"
#include "plugin.h"
#include "line/linecount.h"

static hash_set<int_hash<unsigned, UINT_MAX, UINT_MAX - 1>> *sure;      /* functions that always return, by DECL_UID */

/* exec is a built-in that throws nothing, and returns only when it fails. */
static bool replaces_process (const_tree function)
{
    switch (DECL_FUNCTION_CODE (function)) {
    case BUILT_IN_EXECL:
    case BUILT_IN_EXECLE:
    case BUILT_IN_EXECLP:
    case BUILT_IN_EXECV:
    case BUILT_IN_EXECVE:
    case BUILT_IN_EXECVP:
        return true;
    default:
        return false;
    }
}

static bool is_known (tree function)
{
    cgraph_node *node = cgraph_node::get (function);
    if (!node || !sure)
        return false;
    enum availability available;
    node = node->ultimate_alias_target (&available);
    return available >= AVAIL_AVAILABLE
           && (sure->contains (DECL_UID (node->decl))
               || (node->former_clone_of && sure->contains (DECL_UID (node->former_clone_of))));
}

bool linereturn_may_not (gimple *statement)
{
    if (linefold_is_mark (statement) || linefold_is_anchor (statement))
        return false;
    tree function = is_gimple_call (statement) ? gimple_call_fndecl (statement) : NULL_TREE;
    if (function && fndecl_built_in_p (function, BUILT_IN_NORMAL) && replaces_process (function))
        return true;
    return stmt_can_terminate_bb_p (statement)
           && !(function && is_known (function) && !stmt_can_throw_external (cfun, statement));
}

void linereturn_learn (function *fun)
{
    basic_block block;
    FOR_EACH_BB_FN (block, fun)
        for (gimple_stmt_iterator at = gsi_start_bb (block); !gsi_end_p (at); gsi_next (&at)) {
            gimple *statement = gsi_stmt (at);
            bool itself = is_gimple_call (statement) && gimple_call_fndecl (statement) == fun->decl;
            int flags = is_gimple_call (statement) ? gimple_call_flags (statement) : 0;
            if ((linereturn_may_not (statement) && !itself) || flags & (ECF_NORETURN | ECF_RETURNS_TWICE))
                return;
        }
    if (!sure)
        sure = new hash_set<int_hash<unsigned, UINT_MAX, UINT_MAX - 1>>;
    sure->add (DECL_UID (fun->decl));
}
