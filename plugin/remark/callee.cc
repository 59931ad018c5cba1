/* SPDX-License-Identifier: GPL-3.0-or-later */
/* callee.cc: remarks on calls that are left in innermost loops: through pointers, of virtual functions, of functions
 * that GCC did not inline, and atomic operations. Must not know what the functions do. */
#include "gcc.h"
#include "plugin.h"
#include "remark/remarks.h"

static bool begins (const char *name, const char *with)
{
    return !strncmp (name, with, strlen (with));
}

/* GCC's reasons, by caller and callee. It forgets them before the code is final: inlined bodies bring calls along
 * whose reasons stay with the function that they came from. */
typedef int_hash<uint64_t, 0, UINT64_MAX> call_key;
static hash_map<call_key, cgraph_inline_failed_t> *reasons;

static uint64_t pair_of (tree caller, tree callee)
{
    return (uint64_t) DECL_UID (caller) << 32 | DECL_UID (callee);
}

/* Once GCC has decided what is inlined in the unit. */
static void keep_reasons (void *, void *)
{
    if (!arguments.remarks || seen_error ())
        return;
    if (!reasons)
        reasons = new hash_map<call_key, cgraph_inline_failed_t>;
    cgraph_node *node;
    FOR_EACH_FUNCTION (node)
        for (cgraph_edge *call = node->callees; call; call = call->next_callee) {
            cgraph_node *in = node->inlined_to ? node->inlined_to : node;
            if (call->inline_failed > CIF_FUNCTION_NOT_CONSIDERED && call->inline_failed < CIF_N_REASONS)
                reasons->put (pair_of (in->decl, call->callee->decl), call->inline_failed);
        }
}

void callee_register (const char *plugin_name)
{
    register_callback (plugin_name, PLUGIN_ALL_IPA_PASSES_END, keep_reasons, nullptr);
}

/* Why GCC did not inline the call, or null. */
static const char *why_not_inlined (tree function)
{
    cgraph_node *callee = cgraph_node::get (function);
    if (!callee || !callee->ultimate_alias_target ()->definition)
        return "its body is elsewhere";
    if (function == current_function_decl)
        return "it calls itself";
    cgraph_inline_failed_t *kept = reasons ? reasons->get (pair_of (current_function_decl, function)) : nullptr;
    return kept ? cgraph_inline_failed_string (*kept) : nullptr;
}

#define FOLLOWED 8 /* statements from a pointer back to where it comes from */

/* Whether `name` is made of `result`, a step earlier or not. */
static bool comes_of (tree name, tree result, unsigned steps)
{
    gimple *made = TREE_CODE (name) == SSA_NAME ? SSA_NAME_DEF_STMT (name) : nullptr;
    if (name == result)
        return true;
    if (!steps || !made || !(is_gimple_assign (made) || gimple_code (made) == GIMPLE_PHI))
        return false;
    ssa_op_iter at;
    use_operand_p use;
    FOR_EACH_PHI_OR_STMT_USE (use, made, at, SSA_OP_USE)
        if (comes_of (USE_FROM_PTR (use), result, steps - 1))
            return true;
    return false;
}

static void unknown_remark (unsigned number, gcall *call)
{
    tree through = gimple_call_fn (call);
    if (!through)
        return;
    if (TREE_CODE (through) == OBJ_TYPE_REF && virtual_method_call_p (through)) {
        remark_add (PP_REMARK_VIRTUAL_CALL, number, gimple_location (call), 0,
                    remark_type_text (obj_type_ref_class (through)));
        return;
    }
    char *text = remark_text (TREE_CODE (through) == OBJ_TYPE_REF ? OBJ_TYPE_REF_EXPR (through) : through);
    /* An interpreter's operation returns what leads to the next one, so its steps cannot be sorted. */
    bool chained = gimple_call_lhs (call) && comes_of (through, gimple_call_lhs (call), FOLLOWED);
    remark_add (PP_REMARK_INDIRECT_CALL, number, gimple_location (call), chained, text);
    free (text);
}

/* The counters of --coverage are atomic with -pthread, and in every build without it they are not there. */
static bool is_coverage (gcall *call)
{
    tree at = gimple_call_num_args (call) ? gimple_call_arg (call, 0) : NULL_TREE;
    tree variable = at && TREE_CODE (at) == ADDR_EXPR ? get_base_address (TREE_OPERAND (at, 0)) : NULL_TREE;
    return variable && VAR_P (variable) && DECL_NAME (variable)
           && begins (IDENTIFIER_POINTER (DECL_NAME (variable)), "__gcov");
}

static void known_remark (unsigned number, gcall *call, tree function)
{
    const char *name = function_name (function);
    bool is_atomic = begins (name, "__atomic_") || begins (name, "__sync_");
    if (begins (name, "__profplug_"))
        return;
    if (is_atomic) {
        /* Loads are plain instructions, where the value has a size that the machine can load. */
        if (!begins (name, "__atomic_load_") && !begins (name, "__atomic_is_lock_free") && !is_coverage (call))
            remark_add (PP_REMARK_ATOMIC, number, gimple_location (call), 0, name);
    } else if (!fndecl_built_in_p (function)) {
        remark_add (PP_REMARK_CALL, number, gimple_location (call), 0, name, why_not_inlined (function));
    }
}

void callee_remark (class loop *loop, unsigned number, basic_block *blocks)
{
    for (unsigned i = 0; i < loop->num_nodes; i++)
        for (gimple_stmt_iterator at = gsi_start_bb (blocks[i]); !gsi_end_p (at); gsi_next (&at)) {
            gcall *call = dyn_cast<gcall *> (gsi_stmt (at));
            if (!call)
                continue;
            if (gimple_call_internal_p (call)) {
                const char *name = internal_fn_name (gimple_call_internal_fn (call));
                if (begins (name, "ATOMIC_"))
                    remark_add (PP_REMARK_ATOMIC, number, gimple_location (call), 0, name);
            } else if (tree function = gimple_call_fndecl (call)) {
                known_remark (number, call, function);
            } else {
                unknown_remark (number, call);
            }
        }
}
