/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ready.cc: which functions of an executable need not look whether their thread has its own counters (struct pp_segment in format.h): those that
 * neither the process nor a thread nor a handler begins with, and those that only functions call which looked, or need not. Threads of
 * pthread_create and thrd_create have theirs before they begin (rt/thread/threadstart.c); what is left are threads by clone or the C library's own, whose
 * function takes one argument, destructors of thread-specific data, constructors, handlers.
 *
 * Settled once for the unit, when GCC has inlined and knows each other call; later the calls of functions that are expanded already are
 * forgotten. Must not know what is counted. */
#include "gcc.h"
#include "plugin.h"
#include "emit.h"

static hash_set<int_hash<unsigned, UINT_MAX, UINT_MAX - 1>> *ready;     /* by the declaration's number */

static bool is_ready (cgraph_node *node)
{
    return ready->contains (DECL_UID (node->decl));
}

/* By what it takes: nothing or one argument; of a handler (int, siginfo_t *, void *), of what the dynamic linker calls (int, char **, char **);
 * of any number. By its type: under -flto its body is not read yet. */
static bool may_begin (tree function)
{
    if (MAIN_NAME_P (DECL_NAME (function)) || DECL_STATIC_CONSTRUCTOR (function) || DECL_STATIC_DESTRUCTOR (function) || stdarg_p (TREE_TYPE (function)))
        return true;
    tree taken[3] = { NULL_TREE, NULL_TREE, NULL_TREE };
    unsigned count = 0;
    for (tree list = TYPE_ARG_TYPES (TREE_TYPE (function)); list && list != void_list_node; list = TREE_CHAIN (list), count++)
        if (count < 3)
            taken[count] = TREE_VALUE (list);
    if (count < 2)
        return true;
    return count == 3 && INTEGRAL_TYPE_P (taken[0]) && POINTER_TYPE_P (taken[1]) && POINTER_TYPE_P (taken[2]) && VOID_TYPE_P (TREE_TYPE (TREE_TYPE (function)));
}

/* Nobody comes here but by the calls that the graph has. */
static bool is_called_only (cgraph_node *node)
{
    return !node->inlined_to && !node->thunk && !node->has_aliases_p () && node->local_p () && node->callers && !MAIN_NAME_P (DECL_NAME (node->decl));
}

/* A stage's probe does not look. */
static bool looks (tree function)
{
    enum pp_category category;
    return select_exclusion (function) == PP_REASON_NONE && !annotate_stage (function, &category);
}

static bool comes_from_ready (cgraph_node *node)
{
    for (cgraph_edge *call = node->callers; call; call = call->next_caller) {
        cgraph_node *caller = call->caller->inlined_to ? call->caller->inlined_to : call->caller;
        if (caller->thunk || !(is_ready (caller) || looks (caller->decl)))
            return false;
    }
    return true;
}

/* A set that speaks for itself: who is in it is called from it or by those that look. Calls in a circle begin outside it. */
static void settle (void *, void *)
{
    if (!segment_is_used () || (arguments.functions != FUNCTIONS_AUTO && arguments.functions != FUNCTIONS_ALL))
        return;
    ready = new hash_set<int_hash<unsigned, UINT_MAX, UINT_MAX - 1>>;
    auto_vec<cgraph_node *> candidates;
    cgraph_node *node;
    FOR_EACH_DEFINED_FUNCTION (node)
        if (!node->thunk && !may_begin (node->decl)) {
            ready->add (DECL_UID (node->decl));
        } else if (is_called_only (node)) {
            ready->add (DECL_UID (node->decl));
            candidates.safe_push (node);
        }
    for (bool changed = true; changed;) {
        changed = false;
        for (cgraph_node *candidate : candidates)
            if (is_ready (candidate) && !comes_from_ready (candidate)) {
                ready->remove (DECL_UID (candidate->decl));
                changed = true;
            }
    }
}

bool ready_is_known (tree function)
{
    return ready && ready->contains (DECL_UID (function));
}

void ready_register (const char *plugin_name)
{
    register_callback (plugin_name, PLUGIN_ALL_IPA_PASSES_END, settle, nullptr);
}
