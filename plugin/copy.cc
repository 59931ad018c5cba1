/* SPDX-License-Identifier: GPL-3.0-or-later */
/* copy.cc: copies=on. Before each call of memcpy, memmove, mempcpy or memset that the optimizers have left, the runtime
 * is told how many bytes it copies or fills:
 *
 *       __profplug_copied (bytes);
 *       memcpy (to, from, bytes);
 *
 * and __profplug_filled for memset. A call of constant size is counted even if GCC expands it inline later. Copies that
 * GCC has turned into moves before (a few bytes, structures) are not seen. Must not know what is done with the
 * number. */
#include "gcc.h"
#include "plugin.h"

static const struct pass_data copy_pass_data = {
    GIMPLE_PASS, "profplug_copies", OPTGROUP_NONE, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0, 0
};

class copy_pass : public gimple_opt_pass {
public:
    copy_pass (gcc::context *context) : gimple_opt_pass (copy_pass_data, context) {}
    bool gate (function *) final override { return arguments.copies && target_is_supported () && !seen_error (); }
    unsigned int execute (function *fun) final override;
};

/* The hook that is told of the call, or null. */
static const char *hook_of (gimple *statement)
{
    static const enum built_in_function kin[] = { BUILT_IN_MEMSET,      BUILT_IN_MEMSET_CHK, BUILT_IN_MEMCPY,
                                                  BUILT_IN_MEMMOVE,     BUILT_IN_MEMPCPY,    BUILT_IN_MEMCPY_CHK,
                                                  BUILT_IN_MEMMOVE_CHK, BUILT_IN_MEMPCPY_CHK };
    for (enum built_in_function one : kin)
        if (gimple_call_builtin_p (statement, one))
            return one == BUILT_IN_MEMSET || one == BUILT_IN_MEMSET_CHK ? "__profplug_filled" : "__profplug_copied";
    return nullptr;
}

unsigned int copy_pass::execute (function *fun)
{
    if (select_exclusion (fun->decl) != PP_REASON_NONE)
        return 0;
    basic_block block;
    bool told_any = false;
    FOR_EACH_BB_FN (block, fun)
        for (gimple_stmt_iterator at = gsi_start_bb (block); !gsi_end_p (at); gsi_next (&at)) {
            gimple *call = gsi_stmt (at);
            const char *teller = hook_of (call);
            if (!teller)
                continue;
            told_any = true;
            tree hook = volume_declare (teller, build_function_type_list (void_type_node, uint64_type_node, NULL_TREE));
            tree bytes = volume_wide (&at, gimple_call_arg (call, 2), gimple_location (call));
            gcall *told = gimple_build_call (hook, 1, bytes);
            gimple_set_location (told, gimple_location (call));
            gsi_insert_before (&at, told, GSI_SAME_STMT);
        }
    return told_any ? TODO_update_ssa_only_virtuals : 0;
}

void copy_register_pass (const char *plugin_name)
{
    /* Before the probes, which are inserted at the function's exits. */
    static struct register_pass_info where = { nullptr, "profplug", 1, PASS_POS_INSERT_BEFORE };
    where.pass = new copy_pass (g);
    register_callback (plugin_name, PLUGIN_PASS_MANAGER_SETUP, nullptr, &where);
}
