/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ready.cc: decides which functions of an executable need not test pp_segment.ready (emitted.h). These are functions
 * that no thread, process or signal handler starts with, and those whose callers all test it or need not.
 * pthread_create and thrd_create set the segment base before a thread starts (rt/thread/threadstart.c). It may be
 * missing in threads made by clone or by the C library, whose function takes void *, in destructors of
 * thread-specific data, in constructors and in handlers.
 *
 * Decided once per unit, when GCC has inlined but still knows all calls: later it forgets calls in functions that it
 * has expanded. Must not know what is counted. */
#include "gcc.h"
#include "plugin.h"
#include "emit.h"

static hash_set<int_hash<unsigned, UINT_MAX, UINT_MAX - 1>> *ready;     /* functions that need not test, by DECL_UID */

static bool is_ready (cgraph_node *node)
{
    return ready->contains (DECL_UID (node->decl));
}

/* May that be the one parameter of a function that a thread or a handler starts with? Those take void *, an int or
 * union sigval. Pointers to functions that take a structure are cast for pthread_create, which needs no test. */
static bool may_be_given (tree parameter)
{
    if (INTEGRAL_TYPE_P (parameter))
        return TYPE_PRECISION (parameter) == TYPE_PRECISION (integer_type_node) && !TYPE_UNSIGNED (parameter);
    if (TREE_CODE (parameter) == UNION_TYPE)
        return true;
    return POINTER_TYPE_P (parameter) && VOID_TYPE_P (TREE_TYPE (parameter)) && !TYPE_READONLY (TREE_TYPE (parameter));
}

/* What such a function gives back: void, an int or a pointer. */
static bool may_be_returned (tree type)
{
    return VOID_TYPE_P (type) || POINTER_TYPE_P (type)
           || (INTEGRAL_TYPE_P (type) && TYPE_PRECISION (type) == TYPE_PRECISION (integer_type_node));
}

/* May a thread start with the function? Judged by its parameters: none or one, those of a handler (int, siginfo_t *,
 * void *) or those of a constructor (int, char **, char **); and by what it returns. A method is none of these: a
 * thread's own objects are destroyed while it still has its counters. Uses the type, because with -flto the body is not
 * read yet. */
static bool may_begin (tree function)
{
    tree type = TREE_TYPE (function);
    if (MAIN_NAME_P (DECL_NAME (function)) || DECL_STATIC_CONSTRUCTOR (function) || DECL_STATIC_DESTRUCTOR (function))
        return true;
    tree taken[3] = { NULL_TREE, NULL_TREE, NULL_TREE };
    unsigned count = 0;
    for (tree list = TYPE_ARG_TYPES (type); list && list != void_list_node; list = TREE_CHAIN (list), count++)
        if (count < 3)
            taken[count] = TREE_VALUE (list);
    if (TREE_CODE (type) == METHOD_TYPE || stdarg_p (type) || !may_be_returned (TREE_TYPE (type)))
        return false;
    if (count < 2)
        return !count || may_be_given (taken[0]);
    return count == 3 && INTEGRAL_TYPE_P (taken[0]) && POINTER_TYPE_P (taken[1]) && POINTER_TYPE_P (taken[2])
           && VOID_TYPE_P (TREE_TYPE (type));
}

/* Are all calls of the function known in the call graph? */
static bool is_called_only (cgraph_node *node)
{
    return !node->inlined_to && !node->thunk && !node->has_aliases_p () && node->local_p () && node->callers
           && !MAIN_NAME_P (DECL_NAME (node->decl));
}

/* Does the function's probe test `ready`? That of a stage does not. */
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

/* Starts with all candidates, and removes those with a caller that neither tests nor is in the set. Recursive functions
 * remain if all calls from outside come from such callers. */
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
