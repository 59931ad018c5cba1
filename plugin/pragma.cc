/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pragma.cc: #pragma profplug loop("name"[, "category"]), and the search for the loop that it marks. Must not know how
 * the loop is transformed.
 *
 * The pragma leaves a marker, an asm statement with its strings, because a table in the plugin would not be copied with
 * templates. Once a function is parsed, or a template instantiated, the marker is removed and the statement after it
 * goes to loop.cc. */
#include "gcc.h"
#include "plugin.h"
#include "loop.h"

static const char MARK[] = "# profplug loop ";

/* ---- the pragma ---- */
static const char *read_string ()
{
    tree value;
    return pragma_lex (&value, nullptr) == CPP_STRING ? string_text (value) : nullptr;
}

/* ( "name" ) or ( "name" , "category" ) to the end of the line */
static bool read_arguments (const char **name, const char **category)
{
    tree value;
    *category = "";
    if (pragma_lex (&value, nullptr) != CPP_OPEN_PAREN || !(*name = read_string ()))
        return false;
    enum cpp_ttype token = pragma_lex (&value, nullptr);
    if (token == CPP_COMMA) {
        if (!(*category = read_string ()))
            return false;
        token = pragma_lex (&value, nullptr);
    }
    return token == CPP_CLOSE_PAREN && pragma_lex (&value, nullptr) == CPP_EOF && **name;
}

location_t pragma_written_at (location_t where)
{
    return linemap_resolve_location (line_table, where, LRK_MACRO_EXPANSION_POINT, nullptr);
}

/* The front end answers this for variables only. */
static bool may_be_constant ()
{
    tree variable = build_decl (input_location, VAR_DECL, NULL_TREE, integer_type_node);
    DECL_CONTEXT (variable) = current_function_decl;
    return var_in_maybe_constexpr_fn (variable);
}

/* if (__builtin_is_constant_evaluated ()) ; else marker; in a function that may be constexpr. In others GCC would warn
 * that the test is always false. */
static void add_where_it_runs (tree marker)
{
    tree test = begin_if_stmt ();
    vec<tree, va_gc> *none = nullptr;
    tree constant = finish_call_expr (identifier_global_value (get_identifier ("__builtin_is_constant_evaluated")),
                                      &none, false, false, 3);
    finish_if_stmt_cond (constant, test);
    finish_then_clause (test);
    begin_else_clause (test);
    add_stmt (marker);
    finish_else_clause (test);
    finish_if_stmt (test);
}

static void handle_pragma (cpp_reader *)
{
    location_t where = pragma_written_at (input_location);
    const char *name, *category_name;
    enum pp_category category;
    if (!read_arguments (&name, &category_name)) {
        WARN_AT (
            where, OPT_Wpragmas,
            "profplug loop ignored: expected %<#pragma profplug loop(\"name\")%> or %<loop(\"name\", \"category\")%>");
        return;
    }
    if (!category_find (category_name, name, &category)) {
        WARN_AT (where, OPT_Wpragmas, "profplug loop ignored: unknown category %qs; expected one of %s", category_name,
                 category_list ());
        return;
    }
    if (!current_function_decl) {
        WARN_AT (where, OPT_Wpragmas, "profplug loop ignored: it stands before a loop, inside a function");
        return;
    }
    /* asm volatile ("# profplug loop CATEGORY\nNAME"); */
    char *text = concat (MARK, category_name, "\n", name, NULL);
    tree marker = build5_loc (where, ASM_EXPR, void_type_node, build_string (strlen (text) + 1, text), NULL_TREE,
                              NULL_TREE, NULL_TREE, NULL_TREE);
    TREE_SIDE_EFFECTS (marker) = 1;
    free (text);
    ASM_VOLATILE_P (marker) = 1;
    if (c_dialect_cxx () && may_be_constant ())
        add_where_it_runs (marker);
    else
        add_stmt (marker);
}

static void register_pragma (void *, void *)
{
    if (c_register_pragma_with_expansion && target_is_supported ())
        c_register_pragma_with_expansion ("profplug", "loop", handle_pragma);
}

/* ---- the loop after a marker ---- */
static const char *marker_text (tree statement)
{
    statement = without_wrapping (statement);
    if (statement && TREE_CODE (statement) == IF_STMT)
        statement = without_wrapping (expr_single (TREE_OPERAND (statement, 2)));
    if (!statement || TREE_CODE (statement) != ASM_EXPR
        || strncmp (TREE_STRING_POINTER (ASM_STRING (statement)), MARK, sizeof MARK - 1))
        return nullptr;
    return TREE_STRING_POINTER (ASM_STRING (statement)) + sizeof MARK - 1;
}

/* The loop within `statement`, inside what the front end wraps around it: a scope, an initialisation, in C++ the
 * variables of a range. */
static tree loop_in (tree statement)
{
    while (statement) {
        if (is_loop (statement))
            return statement;
        switch (TREE_CODE (statement)) {
        case BIND_EXPR:
            statement = BIND_EXPR_BODY (statement);
            break;
        case CLEANUP_STMT:
        case CLEANUP_POINT_EXPR:
        case MUST_NOT_THROW_EXPR:
            statement = TREE_OPERAND (statement, 0);
            break;
        case STATEMENT_LIST: {
            tree_stmt_iterator last = tsi_last (statement);
            while (!tsi_end_p (last) && TREE_CODE (tsi_stmt (last)) == DEBUG_BEGIN_STMT)
                tsi_prev (&last);
            statement = tsi_end_p (last) ? NULL_TREE : tsi_stmt (last);
            break;
        }
        default:
            return NULL_TREE;
        }
    }
    return NULL_TREE;
}

/* ---- finding the markers of a function ---- */
static void skip_unwritten (tree_stmt_iterator *at)
{
    while (!tsi_end_p (*at)
           && (TREE_CODE (tsi_stmt (*at)) == DEBUG_BEGIN_STMT || TREE_CODE (tsi_stmt (*at)) == LABEL_EXPR))
        tsi_next (at);
}

/* In C the first part of `for (i = 0; ...)` is a separate statement before the loop. It is recognized by its location
 * after the keyword. Joins both in one list in its place. */
static tree join_initialisation (tree_stmt_iterator at)
{
    tree_stmt_iterator second = at;
    tsi_next (&second);
    skip_unwritten (&second);
    if (tsi_end_p (second) || TREE_CODE (tsi_stmt (second)) != FOR_STMT || !EXPR_P (tsi_stmt (at)))
        return NULL_TREE;
    tree loop = tsi_stmt (second);
    if (!EXPR_HAS_LOCATION (loop) || !EXPR_HAS_LOCATION (tsi_stmt (at))
        || !linemap_location_before_p (line_table, EXPR_LOCATION (loop), EXPR_LOCATION (tsi_stmt (at))))
        return NULL_TREE;
    tree list = alloc_stmt_list ();
    append_to_statement_list_force (tsi_stmt (at), &list);
    append_to_statement_list_force (loop, &list);
    tsi_delink (&second);
    *tsi_stmt_ptr (at) = list;
    return loop;
}

static void handle_marker (tree_stmt_iterator at, const char *text, tree function)
{
    location_t marked = EXPR_LOCATION (without_wrapping (tsi_stmt (at)));
    *tsi_stmt_ptr (at) = build_empty_stmt (marked);
    if (arguments.loops == LOOPS_NONE)
        return;
    tsi_next (&at);
    skip_unwritten (&at);
    tree inner = tsi_end_p (at) ? NULL_TREE : loop_in (tsi_stmt (at));
    if (!inner && !tsi_end_p (at))
        inner = join_initialisation (at);
    if (!inner && !tsi_end_p (at) && marker_text (tsi_stmt (at)))
        WARN_AT (marked, OPT_Wpragmas, "profplug loop ignored: another one stands before the same loop");
    else if (!inner)
        WARN_AT (marked, OPT_Wpragmas, "profplug loop ignored: no loop follows it");
    else if (loop_is_jumped_into (tsi_stmt (at), function))
        WARN_AT (marked, OPT_Wpragmas, "profplug loop ignored: a jump leads into the loop");
    else
        *tsi_stmt_ptr (at) = loop_wrap (tsi_stmt (at), inner, text, function, marked);
}

/* Removes a marker that is the whole body of an if or a loop. A parser that took it for the body has left the loop
 * outside. That is another program, so it is an error. */
static void handle_body (tree *at)
{
    location_t marked = EXPR_LOCATION (without_wrapping (*at));
    *at = build_empty_stmt (marked);
    if (PRAGMA_IS_A_BODY && !c_dialect_cxx ())
        error_at (
            marked,
            "profplug loop: this GCC takes it for a statement of its own; expected braces around it and its loop");
    else if (arguments.loops != LOOPS_NONE)
        WARN_AT (marked, OPT_Wpragmas, "profplug loop ignored: no loop follows it");
}

static tree visit (tree *at, int *walk, void *function)
{
    if (TYPE_P (*at))
        *walk = 0;
    else if (EXPR_P (*at) && marker_text (*at))
        handle_body (at);
    if (TREE_CODE (*at) == STATEMENT_LIST)
        for (tree_stmt_iterator i = tsi_start (*at); !tsi_end_p (i); tsi_next (&i))
            if (const char *text = marker_text (tsi_stmt (i)))
                handle_marker (i, text, (tree) function);
    return NULL_TREE;
}

static void rewrite_function (void *function, void *)
{
    tree decl = (tree) function;
    if (!DECL_SAVED_TREE (decl))
        return;
    /* Since 16 GCC passes the parts of a coroutine, too. A loop in one is left and entered in its middle. */
    if (DECL_STRUCT_FUNCTION (decl) && DECL_STRUCT_FUNCTION (decl)->coroutine_component)
        return;
    walk_tree_without_duplicates (&DECL_SAVED_TREE (decl), visit, decl);
    /* GCC passes C's nested functions with the function that contains them. */
    if (cgraph_node *node = cgraph_node::get (decl))
        for (cgraph_node *nested = first_nested_function (node); nested; nested = next_nested_function (nested))
            rewrite_function (nested->decl, nullptr);
}

void pragma_drop_markers (function *fun)
{
    static hash_set<int_hash<location_t, UNKNOWN_LOCATION>> told;
    basic_block block;
    FOR_EACH_BB_FN (block, fun)
        for (gimple_stmt_iterator at = gsi_start_bb (block); !gsi_end_p (at);) {
            gasm *statement = dyn_cast<gasm *> (gsi_stmt (at));
            if (!statement || strncmp (gimple_asm_string (statement), MARK, sizeof MARK - 1)) {
                gsi_next (&at);
                continue;
            }
            location_t where = LOCATION_LOCUS (gimple_location (statement));
            if (where != UNKNOWN_LOCATION && arguments.loops != LOOPS_NONE && !told.add (where))
                WARN_AT (where, OPT_Wpragmas,
                         "profplug loop ignored: the loop is in a coroutine, or is not one any more");
            unlink_stmt_vdef (statement);
            gsi_remove (&at, true);
        }
}

void pragma_register (const char *plugin_name)
{
    loop_register_roots (plugin_name);
    register_callback (plugin_name, PLUGIN_PRAGMAS, register_pragma, nullptr);
    register_callback (plugin_name, PLUGIN_PRE_GENERICIZE, rewrite_function, nullptr);
}
