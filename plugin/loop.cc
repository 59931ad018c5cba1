/* SPDX-License-Identifier: GPL-3.0-or-later */
/* loop.cc: transforms an annotated loop. Works on the front ends' trees. Must not know how a loop is marked
 * (pragma.cc), nor the probes of functions.
 *
 * The statement
 *
 *     for (i = 0; i < n; i++) work (i);
 *
 * becomes, in C:
 *
 *     {
 *         static struct profplug_place place = { "batches", "", "main.c", "main", 12, PP_SITE_LOOP, 0, 0 };
 *         struct profplug_loop l;
 *         __profplug_loop_enter (&place, &l);
 *         try {
 *             for (i = 0; l.countdown-- == 0 ? __profplug_loop_next (&l) : (void) 0, i < n; i++) {
 *                 ++l.bodies;
 *                 work (i);
 *             }
 *         } finally { __profplug_loop_leave (&l); }
 *     }
 *
 * so break, goto, return and exceptions all reach the leave hook. The countdown is at the start of the body in a do
 * loop, in a loop without a condition, and in one with another pragma (unroll). */
#include "gcc.h"
#include "plugin.h"
#include "loop.h"

tree without_wrapping (tree statement)
{
    while (statement && (TREE_CODE (statement) == CLEANUP_POINT_EXPR || TREE_CODE (statement) == EXPR_STMT))
        statement = TREE_OPERAND (statement, 0);
    return statement;
}

bool is_loop (tree statement)
{
    switch (TREE_CODE (statement)) {
    case FOR_STMT:
    case WHILE_STMT:
    case DO_STMT:
        return true;
    default:
        return false;
    }
}

/* ---- can control jump into the loop? Then its enter hook would be skipped. ---- */
struct jumps {
    tree inside;                       /* the statement that is being annotated */
    hash_set<tree> labels;             /* labels within it */
    bool entered;
};

static tree collect_labels (tree *at, int *walk, void *data)
{
    struct jumps *jumps = (struct jumps *) data;
    if (TYPE_P (*at))
        *walk = 0;
    else if (TREE_CODE (*at) == LABEL_EXPR) {
        jumps->labels.add (LABEL_EXPR_LABEL (*at));
        if (FORCED_LABEL (LABEL_EXPR_LABEL (*at)) || DECL_NONLOCAL (LABEL_EXPR_LABEL (*at)))
            jumps->entered = true;
    } else if (TREE_CODE (*at) == SWITCH_STMT || TREE_CODE (*at) == SWITCH_EXPR)
        *walk = 0;                     /* an inner switch has its own cases */
    else if (TREE_CODE (*at) == CASE_LABEL_EXPR)
        jumps->entered = true;
    return NULL_TREE;
}

/* The same within an inner switch, whose cases do not count. */
static tree collect_labels_in_switches (tree *at, int *walk, void *data)
{
    struct jumps *jumps = (struct jumps *) data;
    if (TYPE_P (*at))
        *walk = 0;
    else if (TREE_CODE (*at) == LABEL_EXPR)
        jumps->labels.add (LABEL_EXPR_LABEL (*at));
    return NULL_TREE;
}

static tree find_jump (tree *at, int *walk, void *data)
{
    struct jumps *jumps = (struct jumps *) data;
    if (TYPE_P (*at) || *at == jumps->inside)
        *walk = 0;
    else if (TREE_CODE (*at) == GOTO_EXPR)       /* a computed goto may lead anywhere */
        jumps->entered |=
            TREE_CODE (GOTO_DESTINATION (*at)) != LABEL_DECL || jumps->labels.contains (GOTO_DESTINATION (*at));
    else if (TREE_CODE (*at) == ASM_EXPR)
        for (tree label = ASM_LABELS (*at); label; label = TREE_CHAIN (label))
            jumps->entered |= jumps->labels.contains (TREE_VALUE (label));
    return NULL_TREE;
}

bool loop_is_jumped_into (tree statement, tree function)
{
    struct jumps jumps;
    jumps.inside = statement;
    jumps.entered = false;
    walk_tree_without_duplicates (&statement, collect_labels, &jumps);
    walk_tree_without_duplicates (&statement, collect_labels_in_switches, &jumps);
    if (!jumps.labels.is_empty ())
        walk_tree_without_duplicates (&DECL_SAVED_TREE (function), find_jump, &jumps);
    return jumps.entered;
}

/* ---- making trees ---- */
static tree loop_type, enter_hook, next_hook, leave_hook;

static const struct ggc_root_tab roots[] = {
#define ROOT(tree) { &tree, 1, sizeof (tree), &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node }
    ROOT (loop_type), ROOT (enter_hook), ROOT (next_hook), ROOT (leave_hook),
#undef ROOT
    LAST_GGC_ROOT_TAB
};

/* Since 14 the C++ front end asks in C++20 mode for the template information of each function that is called. So this
 * function needs the language-specific part of a declaration. */
static tree declare_hook (const char *name, tree type)
{
    tree hook = hook_declare (name, type);
    if (retrofit_lang_decl)
        retrofit_lang_decl (hook);
    return hook;
}

static void declare_all ()
{
    if (loop_type)
        return;
    loop_type = build_array_type_nelts (uint64_type_node, sizeof (struct profplug_loop) / 8);
    enter_hook = declare_hook ("__profplug_loop_enter",
                               build_function_type_list (void_type_node, ptr_type_node, ptr_type_node, NULL_TREE));
    next_hook =
        declare_hook ("__profplug_loop_next", build_function_type_list (void_type_node, ptr_type_node, NULL_TREE));
    leave_hook =
        declare_hook ("__profplug_loop_leave", build_function_type_list (void_type_node, ptr_type_node, NULL_TREE));
}

static tree address_of (tree variable)
{
    return build1 (ADDR_EXPR, ptr_type_node, variable);
}

static tree call_hook (location_t where, tree hook, tree first, tree second)
{
    tree call =
        second ? build_call_expr_loc (where, hook, 2, first, second) : build_call_expr_loc (where, hook, 1, first);
    TREE_SIDE_EFFECTS (call) = 1;
    return call;
}

/* l.FIELD, by the field's offset */
static tree loop_field (tree loop, size_t offset)
{
    tree pointer = build_pointer_type (uint64_type_node);
    return build2 (MEM_REF, uint64_type_node, address_of (loop), build_int_cst (pointer, offset));
}

/* if (l.countdown-- == 0) __profplug_loop_next (&l); */
static tree make_countdown (location_t where, tree loop)
{
    tree old =
        build2_loc (where, POSTDECREMENT_EXPR, uint64_type_node,
                    loop_field (loop, offsetof (struct profplug_loop, countdown)), build_int_cst (uint64_type_node, 1));
    TREE_SIDE_EFFECTS (old) = 1;
    tree test = build2_loc (where, EQ_EXPR, boolean_type_node, old, build_int_cst (uint64_type_node, 0));
    tree next = build3_loc (where, COND_EXPR, void_type_node, test,
                            call_hook (where, next_hook, address_of (loop), NULL_TREE), build_empty_stmt (where));
    TREE_SIDE_EFFECTS (next) = 1;
    return next;
}

/* ++l.bodies; */
static tree make_body_count (location_t where, tree loop)
{
    size_t offset = offsetof (struct profplug_loop, bodies);
    tree sum =
        build2_loc (where, PLUS_EXPR, uint64_type_node, loop_field (loop, offset), build_int_cst (uint64_type_node, 1));
    tree store = build2_loc (where, MODIFY_EXPR, uint64_type_node, loop_field (loop, offset), sum);
    TREE_SIDE_EFFECTS (store) = 1;
    return store;
}

static void put_in_front (tree *body, tree first, tree second)
{
    tree list = alloc_stmt_list (), old = *body;
    append_to_statement_list_force (first, &list);
    if (second)
        append_to_statement_list_force (second, &list);
    if (old)
        append_to_statement_list_force (old, &list);
    *body = list;
}

/* The C++ front end turns `while (int k = f ()) body` into `while (true) { int k = f (); if (!k) break; body }`, where
 * the `if` and its `break` have the same location. Inserts `statement` at the start of `body`. False if the loop has
 * another form. */
static bool put_after_declared_condition (tree body, tree statement)
{
    while (body && (TREE_CODE (body) == BIND_EXPR || TREE_CODE (body) == CLEANUP_STMT))
        body = TREE_CODE (body) == BIND_EXPR ? BIND_EXPR_BODY (body) : TREE_OPERAND (body, 0);
    if (!body || TREE_CODE (body) != STATEMENT_LIST)
        return false;
    for (tree_stmt_iterator at = tsi_start (body); !tsi_end_p (at); tsi_next (&at)) {
        tree here = without_wrapping (tsi_stmt (at));
        if (TREE_CODE (here) == IF_STMT) {
            tree stop = expr_single (TREE_OPERAND (here, 1));
            if (!stop || TREE_CODE (stop) != BREAK_STMT || EXPR_LOCATION (stop) != EXPR_LOCATION (here))
                return false;
            tsi_link_after (&at, statement, TSI_NEW_STMT);
            return true;
        }
        if (TREE_CODE (here) == BIND_EXPR || TREE_CODE (here) == CLEANUP_STMT)
            return put_after_declared_condition (here, statement);
        if (is_loop (here))
            return false;
    }
    return false;
}

/* Since GCC 15 the declaration is in a list that is executed before the condition. Inserts `statement` before the list.
 * False if there is none. */
static bool put_before_declared_condition (tree preparation, tree statement)
{
    while (preparation && TREE_CODE (preparation) == BIND_EXPR)
        preparation = BIND_EXPR_BODY (preparation);
    if (!preparation || TREE_CODE (preparation) != STATEMENT_LIST)
        return false;
    tree_stmt_iterator at = tsi_start (preparation);
    tsi_link_before (&at, statement, TSI_SAME_STMT);
    return true;
}

/* The condition and the body of the loop statement. */
static void instrument_loop (tree statement, tree loop, location_t where)
{
    tree *condition = nullptr, *body, preparation = NULL_TREE;
    switch (TREE_CODE (statement)) {
    case FOR_STMT:
        condition = &FOR_COND (statement);
        body = &FOR_BODY (statement);
        preparation = FOR_COND_PREP (statement);
        break;
    case WHILE_STMT:
        condition = &WHILE_COND (statement);
        body = &WHILE_BODY (statement);
        preparation = WHILE_COND_PREP (statement);
        break;
    default:
        body = &DO_BODY (statement);
    }
    tree countdown = make_countdown (where, loop);
    /* An annotation of another pragma (unroll, ivdep) must keep its condition unchanged. */
    if (!condition || !*condition || TREE_CODE (*condition) == ANNOTATE_EXPR) {
        put_in_front (body, countdown, make_body_count (where, loop));
        return;
    }
    tree count = make_body_count (where, loop);
    if (put_before_declared_condition (preparation, countdown)) {
        put_in_front (body, count, NULL_TREE);
        return;
    }
    *condition = build2_loc (where, COMPOUND_EXPR, TREE_TYPE (*condition), countdown, *condition);
    TREE_SIDE_EFFECTS (*condition) = 1;
    if (!put_after_declared_condition (*body, count))
        put_in_front (body, count, NULL_TREE);
}

tree loop_wrap (tree statement, tree inner, const char *text, tree function, location_t marked)
{
    location_t where = EXPR_HAS_LOCATION (inner) ? EXPR_LOCATION (inner) : marked;
    declare_all ();
    const char *end = strchr (text, '\n');
    char *category = xstrndup (text, end - text);
    tree place = place_of_loop (where, end + 1, category, function);
    free (category);

    tree loop = build_decl (where, VAR_DECL, get_identifier ("profplug_loop"), loop_type);
    DECL_CONTEXT (loop) = function;
    DECL_ARTIFICIAL (loop) = 1;
    DECL_IGNORED_P (loop) = 1;
    TREE_ADDRESSABLE (loop) = 1;
    TREE_USED (loop) = 1;

    instrument_loop (inner, loop, where);
    tree body = alloc_stmt_list ();
    append_to_statement_list_force (call_hook (where, enter_hook, address_of (place), address_of (loop)), &body);
    tree leave = call_hook (where, leave_hook, address_of (loop), NULL_TREE);
    tree guarded = build2_loc (where, TRY_FINALLY_EXPR, void_type_node, statement, leave);
    TREE_SIDE_EFFECTS (guarded) = 1;
    append_to_statement_list_force (guarded, &body);
    tree bind = build3_loc (where, BIND_EXPR, void_type_node, loop, body, NULL_TREE);
    TREE_SIDE_EFFECTS (bind) = 1;
    return bind;
}

void loop_register_roots (const char *plugin_name)
{
    register_callback (plugin_name, PLUGIN_REGISTER_GGC_ROOTS, nullptr, const_cast<struct ggc_root_tab *> (roots));
}
