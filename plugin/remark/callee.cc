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

/* Why GCC did not inline the call, or null. It knows while the call graph has the call. */
static const char *why_not_inlined (tree function, gcall *call)
{
    cgraph_node *caller = cgraph_node::get (current_function_decl), *callee = cgraph_node::get (function);
    if (!callee || !callee->ultimate_alias_target ()->definition)
        return "its body is elsewhere";
    if (function == current_function_decl)
        return "it calls itself";
    cgraph_edge *known = caller ? caller->get_edge (call) : nullptr;
    for (cgraph_edge *one = caller && !known ? caller->callees : nullptr; one && !known; one = one->next_callee)
        known = one->callee == callee ? one : nullptr;
    return known && known->inline_failed > CIF_FUNCTION_NOT_CONSIDERED && known->inline_failed < CIF_N_REASONS
               ? cgraph_inline_failed_string (known->inline_failed)
               : nullptr;
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
    remark_add (PP_REMARK_INDIRECT_CALL, number, gimple_location (call), 0, text);
    free (text);
}

static void known_remark (unsigned number, gcall *call, tree function)
{
    const char *name = function_name (function);
    bool is_atomic = begins (name, "__atomic_") || begins (name, "__sync_");
    if (begins (name, "__profplug_"))
        return;
    if (is_atomic) {
        /* Loads are plain instructions, where the value has a size that the machine can load. */
        if (!begins (name, "__atomic_load_") && !begins (name, "__atomic_is_lock_free"))
            remark_add (PP_REMARK_ATOMIC, number, gimple_location (call), 0, name);
    } else if (!fndecl_built_in_p (function)) {
        remark_add (PP_REMARK_CALL, number, gimple_location (call), 0, name, why_not_inlined (function, call));
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
