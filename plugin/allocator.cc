/* SPDX-License-Identifier: GPL-3.0-or-later */
/* allocator.cc: allocators=on. GCC's attributes malloc and alloc_size mark functions of the program as allocators.
 * After each call of one, the runtime is told what it handed out:
 *
 *       block = pool_alloc (pool, count, size);
 *       __profplug_handed (count * size, block != 0);
 *
 * This is inserted before inlining, so that the call is booked in its caller even if it is inlined. Calls that an
 * allocator makes of another one are not counted: the outer call is. Must not know what is done with the numbers. */
#include "gcc.h"
#include "plugin.h"

/* ---- what both have in common ---- */

tree volume_declare (const char *name, tree type)
{
    tree hook = hook_declare (name, type);
    DECL_ATTRIBUTES (hook) = tree_cons (get_identifier ("leaf"), NULL_TREE, DECL_ATTRIBUTES (hook));
    return hook;
}

static void insert (gimple_stmt_iterator *before, gimple *statement, location_t location)
{
    gimple_set_location (statement, location);
    gsi_insert_before (before, statement, GSI_SAME_STMT);
}

tree volume_wide (gimple_stmt_iterator *before, tree number, location_t location)
{
    if (TREE_CODE (number) == INTEGER_CST)
        return build_int_cstu (uint64_type_node, TREE_INT_CST_LOW (number));
    if (useless_type_conversion_p (uint64_type_node, TREE_TYPE (number)))
        return number;
    tree wide = make_ssa_name (uint64_type_node);
    insert (before, gimple_build_assign (wide, NOP_EXPR, number), location);
    return wide;
}

/* ---- allocators ---- */

/* Allocators in system headers take from the heap, which is counted already, or hand out no memory. A built-in one is
 * the C library's, whoever declares it. */
static bool hands_out (tree function)
{
    if (!function || fndecl_built_in_p (function) || in_system_header_at (DECL_SOURCE_LOCATION (function))
        || !POINTER_TYPE_P (TREE_TYPE (TREE_TYPE (function))))
        return false;
    return lookup_attribute ("alloc_size", TYPE_ATTRIBUTES (TREE_TYPE (function)))
           || lookup_attribute ("malloc", DECL_ATTRIBUTES (function));
}

/* The bytes that alloc_size tells. Without it 0: then only blocks are counted. */
static tree bytes_of (gcall *call, tree function, gimple_stmt_iterator *before)
{
    tree size = lookup_attribute ("alloc_size", TYPE_ATTRIBUTES (TREE_TYPE (function))), product = NULL_TREE;
    for (tree place = size ? TREE_VALUE (size) : NULL_TREE; place; place = TREE_CHAIN (place)) {
        unsigned HOST_WIDE_INT argument = TREE_INT_CST_LOW (TREE_VALUE (place)) - 1;
        if (argument >= gimple_call_num_args (call) || !INTEGRAL_TYPE_P (TREE_TYPE (gimple_call_arg (call, argument))))
            return build_zero_cst (uint64_type_node);
        tree factor = volume_wide (before, gimple_call_arg (call, argument), gimple_location (call)), more = factor;
        if (product) {
            more = make_ssa_name (uint64_type_node);
            insert (before, gimple_build_assign (more, MULT_EXPR, product, factor), gimple_location (call));
        }
        product = more;
    }
    return product ? product : build_zero_cst (uint64_type_node);
}

static const struct pass_data allocator_pass_data = {
    GIMPLE_PASS, "profplug_allocators", OPTGROUP_NONE, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0, 0
};

class allocator_pass : public gimple_opt_pass {
public:
    allocator_pass (gcc::context *context) : gimple_opt_pass (allocator_pass_data, context) {}
    bool gate (function *) final override { return arguments.allocators && POINTER_SIZE == 64 && !seen_error (); }
    unsigned int execute (function *fun) final override;
};

/* The place after the call, where it has returned. False if there is none. */
static void tell (gcall *call, tree function)
{
    gimple_stmt_iterator at = gsi_for_stmt (call);
    location_t location = gimple_location (call);
    edge on = stmt_ends_bb_p (call) ? find_fallthru_edge (gimple_bb (call)->succs) : nullptr;
    if (gimple_call_noreturn_p (call) || gimple_call_must_tail_p (call) || (stmt_ends_bb_p (call) && !on))
        return;
    tree bytes = bytes_of (call, function, &at), block = gimple_call_lhs (call),
         there = make_ssa_name (boolean_type_node), flag = make_ssa_name (uint32_type_node);
    tree hook = volume_declare ("__profplug_handed", build_function_type_list (void_type_node, uint64_type_node,
                                                                               uint32_type_node, NULL_TREE));
    gimple_seq sequence = nullptr;
    if (!block || TREE_CODE (block) != SSA_NAME) {
        tree stored = block;
        block = make_ssa_name (TREE_TYPE (TREE_TYPE (function)));
        gimple_call_set_lhs (call, block);
        update_stmt (call);
        if (stored)
            gimple_seq_add_stmt_without_update (&sequence, gimple_build_assign (stored, block));
    }
    gimple_seq_add_stmt_without_update (&sequence, gimple_build_assign (there, NE_EXPR, block,
                                                                        build_zero_cst (TREE_TYPE (block))));
    gimple_seq_add_stmt_without_update (&sequence, gimple_build_assign (flag, NOP_EXPR, there));
    gimple_seq_add_stmt_without_update (&sequence, gimple_build_call (hook, 2, bytes, flag));
    /* The hook must not become a tail call, because the runtime takes the line from its return address. */
    gasm *nothing = gimple_build_asm_vec ("", nullptr, nullptr, nullptr, nullptr);
    gimple_asm_set_volatile (nothing, true);
    gimple_seq_add_stmt_without_update (&sequence, nothing);
    for (gimple_stmt_iterator each = gsi_start (sequence); !gsi_end_p (each); gsi_next (&each))
        gimple_set_location (gsi_stmt (each), location);
    if (on)
        gsi_insert_seq_on_edge (on, sequence);
    else
        gsi_insert_seq_after (&at, sequence, GSI_NEW_STMT);
}

unsigned int allocator_pass::execute (function *fun)
{
    if (flag_tm || select_exclusion (fun->decl) != PP_REASON_NONE || hands_out (fun->decl))
        return 0;
    auto_vec<gcall *> calls;
    basic_block block;
    FOR_EACH_BB_FN (block, fun)
        for (gimple_stmt_iterator at = gsi_start_bb (block); !gsi_end_p (at); gsi_next (&at))
            if (gcall *call = dyn_cast<gcall *> (gsi_stmt (at)))
                if (hands_out (gimple_call_fndecl (call)))
                    calls.safe_push (call);
    if (calls.is_empty ())
        return 0;
    for (gcall *call : calls)
        tell (call, gimple_call_fndecl (call));
    gsi_commit_edge_inserts ();
    free_dominance_info (fun, CDI_DOMINATORS);
    free_dominance_info (fun, CDI_POST_DOMINATORS);
    cgraph_edge::rebuild_edges ();
    return TODO_update_ssa;
}

void allocator_register_pass (const char *plugin_name)
{
    static struct register_pass_info where = { nullptr, "ssa", 1, PASS_POS_INSERT_AFTER };
    where.pass = new allocator_pass (g);
    register_callback (plugin_name, PLUGIN_PASS_MANAGER_SETUP, nullptr, &where);
}
