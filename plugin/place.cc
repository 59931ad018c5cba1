/* SPDX-License-Identifier: GPL-3.0-or-later */
/* place.cc: makes the static variables that describe a loop, a scope or a number. In C profplug.h defines them itself.
 * A C++ constexpr function may not define one, so there the header calls functions that do not exist. This pass
 * replaces the calls:
 *
 *     __profplug_scope_at ("load", "io", "main.cc", "main", 12)
 *
 * becomes
 *
 *     static struct profplug_place place = { "load", "io", "main.cc", "main", 12, PP_SITE_SCOPE, 0, 0 };
 *     __profplug_scope_enter (&place)
 *
 * It runs once on each function, as soon as the function is in SSA form. Must not know the pragma, nor the probes of
 * functions. */
#include "gcc.h"
#include "plugin.h"
#include "loop.h"

static tree place_type, number_type, scope_hook, number_hook;

static const struct ggc_root_tab roots[] = {
#define ROOT(tree) { &tree, 1, sizeof (tree), &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node }
    ROOT (place_type), ROOT (number_type), ROOT (scope_hook), ROOT (number_hook),
#undef ROOT
    LAST_GGC_ROOT_TAB
};

/* ---- the types ---- */
static tree make_record (const char *name, unsigned texts, unsigned words, unsigned wides)
{
    tree text = build_pointer_type (build_qualified_type (char_type_node, TYPE_QUAL_CONST)), fields = NULL_TREE,
         record = make_node (RECORD_TYPE);
    for (unsigned i = 0; i < texts + words + wides; i++) {
        tree field = build_decl (UNKNOWN_LOCATION, FIELD_DECL, NULL_TREE,
                                 i < texts           ? text
                                 : i < texts + words ? uint32_type_node
                                                     : uint64_type_node);
        DECL_CONTEXT (field) = record;
        DECL_CHAIN (field) = fields;
        fields = field;
    }
    TYPE_FIELDS (record) = nreverse (fields);
    TYPE_NAME (record) = get_identifier (name);
    TYPE_ARTIFICIAL (record) = 1;
    layout_type (record);
    return record;
}

static void declare_all ()
{
    if (place_type)
        return;
    place_type = make_record ("profplug_place", 4, 2, 2);
    number_type = make_record ("profplug_number", 1, 2, 1);
    gcc_assert (int_size_in_bytes (place_type) == sizeof (struct profplug_place)
                && int_size_in_bytes (number_type) == sizeof (struct profplug_number));
    scope_hook =
        hook_declare ("__profplug_scope_enter", build_function_type_list (uint64_type_node, ptr_type_node, NULL_TREE));
    number_hook = hook_declare ("__profplug_number", build_function_type_list (void_type_node, ptr_type_node,
                                                                               long_long_integer_type_node, NULL_TREE));
}

/* ---- a variable ---- */
/* The initial values of the fields, in order; the rest are zero. */
static tree make_variable (location_t where, tree type, tree *given, unsigned count)
{
    static unsigned number;
    char *symbol;
    ASM_FORMAT_PRIVATE_NAME (symbol, "profplug_place", number++);
    tree variable = build_decl (where, VAR_DECL, get_identifier (symbol), type);
    SET_DECL_ASSEMBLER_NAME (variable, get_identifier (symbol));
    TREE_STATIC (variable) = 1;
    TREE_ADDRESSABLE (variable) = 1;
    TREE_USED (variable) = 1;
    DECL_ARTIFICIAL (variable) = 1;
    DECL_IGNORED_P (variable) = 1;

    vec<constructor_elt, va_gc> *values = nullptr;
    tree field = TYPE_FIELDS (type);
    for (unsigned i = 0; field; field = DECL_CHAIN (field), i++)
        CONSTRUCTOR_APPEND_ELT (values, field,
                                i < count && given[i] ? fold_convert (TREE_TYPE (field), given[i])
                                                      : build_zero_cst (TREE_TYPE (field)));
    tree initial = build_constructor (type, values);
    TREE_CONSTANT (initial) = 1;
    TREE_STATIC (initial) = 1;
    DECL_INITIAL (variable) = initial;
    varpool_node::finalize_decl (variable);
    varpool_node *node = varpool_node::get (variable);
    if (!node->analyzed && symtab->state >= IPA)
        node->analyze ();
    return variable;
}

tree place_of_loop (location_t where, const char *name, const char *category, tree function)
{
    declare_all ();
    expanded_location at = expand_location (where);
    const char *texts[] = { name, category, at.file ? remap_debug_filename (at.file) : "",
                            lang_hooks.decl_printable_name (function, 0) };
    tree given[6];
    for (unsigned i = 0; i < ARRAY_SIZE (texts); i++)
        given[i] = build_string_literal (strlen (texts[i]) + 1, texts[i]);
    given[4] = build_int_cstu (uint32_type_node, at.line);
    given[5] = build_int_cstu (uint32_type_node, PP_SITE_LOOP);
    return make_variable (where, place_type, given, ARRAY_SIZE (given));
}

/* ---- the header's calls ---- */
static bool is_call_of (tree function, const char *name)
{
    return function && DECL_NAME (function) && id_equal (DECL_NAME (function), name);
}

/* A value that is not constant (a variable as a scope's name) is stored each time the call is reached. */
static tree make_from_call (gimple_stmt_iterator *at, tree type, unsigned count, tree kind)
{
    gcall *call = as_a<gcall *> (gsi_stmt (*at));
    tree given[6], late[6], variable;
    for (unsigned i = 0; i < count; i++) {
        tree value = gimple_call_arg (call, i);
        bool constant = initializer_constant_valid_p (value, TREE_TYPE (value)) != NULL_TREE;
        given[i] = constant ? value : NULL_TREE;
        late[i] = constant ? NULL_TREE : value;
    }
    if (kind)
        given[count] = kind;
    variable = make_variable (gimple_location (call), type, given, count + (kind != NULL_TREE));
    tree field = TYPE_FIELDS (type);
    for (unsigned i = 0; i < count; i++, field = DECL_CHAIN (field))
        if (late[i]) {
            gassign *store =
                gimple_build_assign (build3 (COMPONENT_REF, TREE_TYPE (field), variable, field, NULL_TREE), late[i]);
            gimple_set_location (store, gimple_location (call));
            gsi_insert_before (at, store, GSI_SAME_STMT);
        }
    return build1 (ADDR_EXPR, ptr_type_node, variable);
}

static bool replace_call (gimple_stmt_iterator *at)
{
    gcall *old = dyn_cast<gcall *> (gsi_stmt (*at)), *made;
    tree function = old ? gimple_call_fndecl (old) : NULL_TREE;
    if (is_call_of (function, "__profplug_scope_at")) {
        declare_all ();
        tree place = make_from_call (at, place_type, 5, build_int_cstu (uint32_type_node, PP_SITE_SCOPE));
        made = gimple_build_call (scope_hook, 1, place);
        gimple_call_set_lhs (made, gimple_call_lhs (old));
    } else if (is_call_of (function, "__profplug_number_at")) {
        declare_all ();
        tree place = make_from_call (at, number_type, 2, NULL_TREE);
        made = gimple_build_call (number_hook, 2, place, gimple_call_arg (old, 2));
    } else
        return false;
    gimple_set_location (made, gimple_location (old));
    gimple_move_vops (made, old);
    gsi_replace (at, made, true);
    return true;
}

/* ---- the token of a scope, whose declaration a jump may skip. In a coroutine it is a field of the frame. ---- */
static bool is_token (tree variable)
{
    tree type = variable && VAR_P (variable) && !DECL_HAS_VALUE_EXPR_P (variable) ? TREE_TYPE (variable) : NULL_TREE;
    return type && TREE_CODE (type) == RECORD_TYPE && TYPE_IDENTIFIER (type)
           && id_equal (TYPE_IDENTIFIER (type), "profplug_token_");
}

static bool clear_tokens (function *fun)
{
    unsigned i;
    tree variable;
    bool any = false;
    FOR_EACH_LOCAL_DECL (fun, i, variable)
        if (is_token (variable) && auto_var_in_fn_p (variable, fun->decl)) {
            tree alias = build_pointer_type_for_mode (uint64_type_node, ptr_mode, true);
            tree word = build2 (MEM_REF, uint64_type_node, build1 (ADDR_EXPR, ptr_type_node, variable),
                                build_int_cst (alias, 0));
            gsi_insert_on_edge_immediate (single_succ_edge (ENTRY_BLOCK_PTR_FOR_FN (fun)),
                                          gimple_build_assign (word, build_zero_cst (uint64_type_node)));
            any = true;
        }
    return any;
}

/* Is it the statement by which GCC marks the end of the variable's life? */
static bool ends_token (gimple *statement)
{
    if (gimple_clobber_p (statement))
        return is_token (gimple_assign_lhs (statement));
    if (!gimple_call_internal_p (statement, IFN_ASAN_MARK))
        return false;
    tree address = gimple_call_arg (statement, 1);
    return TREE_CODE (address) == ADDR_EXPR && is_token (TREE_OPERAND (address, 0));
}

namespace {
const pass_data place_pass_data = {
    GIMPLE_PASS, "profplug_place", OPTGROUP_NONE, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0, 0
};
struct place_pass : gimple_opt_pass {
    place_pass (gcc::context *context) : gimple_opt_pass (place_pass_data, context) {}
    unsigned int execute (function *fun) override;
};
}

unsigned int place_pass::execute (function *fun)
{
    basic_block block;
    if (seen_error () || !target_is_supported ())
        return 0;
    pragma_drop_markers (fun);
    bool changed = clear_tokens (fun);
    FOR_EACH_BB_FN (block, fun)
        for (gimple_stmt_iterator at = gsi_start_bb (block); !gsi_end_p (at);) {
            if (ends_token (gsi_stmt (at))) {
                unlink_stmt_vdef (gsi_stmt (at));
                gsi_remove (&at, true);
                continue;
            }
            changed |= replace_call (&at);
            gsi_next (&at);
        }
    return changed ? TODO_update_ssa_only_virtuals : 0;
}

/* ---- the name of a number ---- */
static tree check_name (tree *at, int *walk, void *)
{
    if (TYPE_P (*at))
        *walk = 0;
    else if (TREE_CODE (*at) == CALL_EXPR && is_call_of (get_callee_fndecl (*at), "__profplug_number_at")) {
        tree name = CALL_EXPR_ARG (*at, 0);
        STRIP_NOPS (name);
        if (TREE_CODE (name) == ADDR_EXPR)
            name = TREE_OPERAND (name, 0);
        if (TREE_CODE (name) != STRING_CST)
            error_at (pragma_written_at (EXPR_LOCATION (*at)),
                      "the name of a count or gauge has to be a string literal: text between quotes");
    }
    return NULL_TREE;
}

static void check_names (void *function, void *)
{
    if (c_dialect_cxx () && DECL_SAVED_TREE ((tree) function))
        walk_tree_without_duplicates (&DECL_SAVED_TREE ((tree) function), check_name, nullptr);
}

void place_register (const char *plugin_name)
{
    static struct register_pass_info where = { nullptr, "ssa", 1, PASS_POS_INSERT_AFTER };
    where.pass = new place_pass (g);
    register_callback (plugin_name, PLUGIN_REGISTER_GGC_ROOTS, nullptr, const_cast<struct ggc_root_tab *> (roots));
    register_callback (plugin_name, PLUGIN_PRE_GENERICIZE, check_names, nullptr);
    register_callback (plugin_name, PLUGIN_PASS_MANAGER_SETUP, nullptr, &where);
}
