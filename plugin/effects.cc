/* SPDX-License-Identifier: GPL-3.0-or-later */
/* effects.cc: a pass that lets GCC find that a function with loops has no effects but our counters, and so has one that
 * calls it. GCC then takes calls of it out of its callers' loops, as it does without the plugin: a loop whose condition
 * asks such a function would take quadratic time. GCC asks again at the end, when counters of loops are there, too.
 * Other functions take little time, and are left out.
 *
 * A function that calls itself is left out: GCC would keep its counters in registers during such a call. Must not know
 * what is counted. */
#include "gcc.h"
#include "plugin.h"
#include "line/linecount.h"

static const struct pass_data effects_pass_data = {
    GIMPLE_PASS, "profplug_effects", OPTGROUP_NONE, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0, 0
};

class effects_pass : public gimple_opt_pass {
public:
    effects_pass (gcc::context *context)
        : gimple_opt_pass (effects_pass_data, context), finder (make_pass_local_pure_const (context))
    {
    }
    bool gate (function *) final override { return flag_ipa_pure_const && !seen_error (); }
    unsigned int execute (function *fun) final override;

private:
    opt_pass *finder;
};

/* Is it a call of a function without effects that may take long? What GCC itself computes from numbers does not. */
static bool may_have_loops (gimple *call)
{
    tree callee = gimple_call_fndecl (call);
    int flags = gimple_call_flags (call);
    return callee && flags & (ECF_CONST | ECF_PURE) && !(flags & ECF_CONST && fndecl_built_in_p (callee));
}

/* The arrays of line counters that the function adds to. `*calls`: it calls functions that may have loops. False: it
 * calls itself. */
static bool find_arrays (function *fun, vec<tree> *arrays, bool *calls)
{
    basic_block block;
    FOR_EACH_BB_FN (block, fun)
        for (gimple_stmt_iterator at = gsi_start_bb (block); !gsi_end_p (at); gsi_next (&at)) {
            gimple *statement = gsi_stmt (at);
            tree stored = gimple_store_p (statement) ? get_base_address (gimple_get_lhs (statement)) : NULL_TREE;
            if (stored && is_line_array (stored) && TREE_STATIC (stored))
                arrays->safe_push (stored);
            if (!is_gimple_call (statement))
                continue;
            if (gimple_call_fndecl (statement) == fun->decl)
                return false;
            *calls |= may_have_loops (statement);
        }
    return true;
}

unsigned int effects_pass::execute (function *fun)
{
    auto_vec<tree> arrays;
    bool takes_long = mark_dfs_back_edges (fun);
    if (!find_arrays (fun, &arrays, &takes_long) || !takes_long)
        return 0;
    for (tree array : arrays)
        TREE_STATIC (array) = 0;       /* GCC takes it for a local variable meanwhile */
    unsigned int todo = finder->execute (fun);
    for (tree array : arrays)
        TREE_STATIC (array) = 1;
    return todo;
}

void effects_register_pass (const char *plugin_name)
{
    static struct register_pass_info where = { nullptr, "fix_loops", 1, PASS_POS_INSERT_BEFORE };
    where.pass = new effects_pass (g);
    register_callback (plugin_name, PLUGIN_PASS_MANAGER_SETUP, nullptr, &where);
}
