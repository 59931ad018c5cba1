/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lineslot.cc: the pass that gives the counters of lines their place at run time. Runs once on each function, after probe.cc. What optimizers
 * made of references to the arrays of linecount.cc (single elements, merged and vector stores, addresses) becomes a reference to the thread's
 * own counters. Must not know what the counters count.
 *
 *   array[i] = array[i] + 1;
 *
 * becomes, where K is the slot of array[0],
 *
 *   uint64_t end = object.end;                                          once, at the entry
 *   char *base = unlikely (end > tls->limit) ? __profplug_hits (&object) : tls->counters + end;
 *   ++*(uint64_t *) (base - 8 - K * 8 + i * 8);                          (counters of a range lie upwards, slots downwards)
 *
 * In a function that must not be touched, which others were inlined into, the base is memory that nobody reads. */
#include "gcc.h"
#include "plugin.h"
#include "emit.h"
#include "linecount.h"

/* Bytes from the base to the array's start. */
static HOST_WIDE_INT array_offset (tree array)
{
    static hash_map<int_hash<unsigned HOST_WIDE_INT, 0, 1>, unsigned> *slots;
    if (!slots)
        slots = new hash_map<int_hash<unsigned HOST_WIDE_INT, 0, 1>, unsigned>;
    unsigned HOST_WIDE_INT id = strtoull (IDENTIFIER_POINTER (DECL_NAME (array)) + strlen (LINE_ARRAY_PREFIX), nullptr, 16);
    bool known;
    unsigned &slot = slots->get_or_insert (id, &known);
    if (!known)
        slot = sitetab_take_lines (id, tree_to_uhwi (TYPE_SIZE_UNIT (TREE_TYPE (array))) / 8);
    return -8 - (HOST_WIDE_INT) slot * 8;
}

/* ---- where arrays are referred to ---- */

static tree find_array (tree *at, int *walk, void *)
{
    if (TYPE_P (*at))
        *walk = 0;
    return VAR_P (*at) && is_line_array (*at) ? *at : NULL_TREE;
}

static bool refers_to_array (gimple *statement)
{
    if (gimple_code (statement) == GIMPLE_LABEL || is_gimple_debug (statement))
        return false;
    for (unsigned i = 0; i < gimple_num_ops (statement); i++)
        if (tree *op = gimple_op_ptr (statement, i))
            if (*op && TREE_CODE (*op) != SSA_NAME && walk_tree (op, find_array, nullptr, nullptr))
                return true;
    return false;
}

bool lineslot_is_counter (gimple *statement)
{
    if (gimple_assign_single_p (statement))
        return refers_to_array (statement);
    /* The sum between load and store. */
    if (!is_gimple_assign (statement) || gimple_assign_rhs_code (statement) != PLUS_EXPR || TREE_CODE (gimple_assign_lhs (statement)) != SSA_NAME)
        return false;
    gimple *user;
    use_operand_p use;
    return single_imm_use (gimple_assign_lhs (statement), &use, &user) && gimple_assign_single_p (user) && refers_to_array (user);
}

/* ---- the new references ---- */

struct rewriting { tree base; };

/* An address into an array: base + offset, which is known at the entry, so that a name for it stands there. */
static tree emit_address (tree base, HOST_WIDE_INT offset)
{
    tree name = make_ssa_name (ptr_type_node);
    gimple *statement = gimple_build_assign (name, POINTER_PLUS_EXPR, base, build_int_cst (sizetype, offset));
    if (TREE_CODE (base) == SSA_NAME) {
        gimple *made = SSA_NAME_DEF_STMT (base);
        gimple_stmt_iterator at = gimple_code (made) == GIMPLE_PHI ? gsi_after_labels (gimple_bb (made)) : gsi_for_stmt (made);
        if (gimple_code (made) == GIMPLE_PHI)
            gsi_insert_before (&at, statement, GSI_SAME_STMT);
        else
            gsi_insert_after (&at, statement, GSI_SAME_STMT);
    }
    return name;
}

static tree rewrite (tree *at, int *walk, void *data)
{
    struct walk_stmt_info *info = (struct walk_stmt_info *) data;
    struct rewriting *rewriting = (struct rewriting *) info->info;
    tree t = *at;
    if (TYPE_P (t)) {
        *walk = 0;
        return NULL_TREE;
    }
    bool is_memory = TREE_CODE (t) == MEM_REF || TREE_CODE (t) == TARGET_MEM_REF;
    if (is_memory && TREE_CODE (TREE_OPERAND (t, 0)) == ADDR_EXPR && VAR_P (TREE_OPERAND (TREE_OPERAND (t, 0), 0))
        && is_line_array (TREE_OPERAND (TREE_OPERAND (t, 0), 0))) {
        HOST_WIDE_INT offset = array_offset (TREE_OPERAND (TREE_OPERAND (t, 0), 0)) + tree_to_shwi (TREE_OPERAND (t, 1));
        t = copy_node (t);
        TREE_OPERAND (t, 0) = rewriting->base;
        TREE_OPERAND (t, 1) = build_int_cst (TREE_TYPE (TREE_OPERAND (t, 1)), offset);
        TREE_TYPE (t) = build_aligned_type (TREE_TYPE (t), 64);
        if (TREE_CODE (t) == MEM_REF)
            TREE_THIS_NOTRAP (t) = 1;
        *at = t;
        *walk = 0;
    } else if (TREE_CODE (t) == ARRAY_REF && VAR_P (TREE_OPERAND (t, 0)) && is_line_array (TREE_OPERAND (t, 0)) && tree_fits_uhwi_p (TREE_OPERAND (t, 1))) {
        *at = memory (rewriting->base, u64_pointer_type, array_offset (TREE_OPERAND (t, 0)) + tree_to_uhwi (TREE_OPERAND (t, 1)) * 8);
        *walk = 0;
    } else if (TREE_CODE (t) == ADDR_EXPR) {
        poly_int64 within;
        tree array = get_addr_base_and_unit_offset (TREE_OPERAND (t, 0), &within);
        if (array && VAR_P (array) && is_line_array (array)) {
            *at = emit_address (rewriting->base, array_offset (array) + within.to_constant ());
            *walk = 0;
        }
    } else if (VAR_P (t) && is_line_array (t)) {
        tree reference = build2 (MEM_REF, TREE_TYPE (t), rewriting->base, build_int_cst (u64_pointer_type, array_offset (t)));
        TREE_THIS_NOTRAP (reference) = 1;
        *at = reference;
        *walk = 0;
    }
    return NULL_TREE;
}

static bool debug_refers_to_array (gimple *statement)
{
    if (!gimple_debug_bind_p (statement) || !gimple_debug_bind_has_value_p (statement))
        return false;
    return walk_tree (gimple_debug_bind_get_value_ptr (statement), find_array, nullptr, nullptr) != NULL_TREE;
}

/* ---- the entry ---- */

static tree emit_base (function *fun)
{
    basic_block first = split_edge (single_succ_edge (ENTRY_BLOCK_PTR_FOR_FN (fun))), join = split_edge (single_succ_edge (first));
    remove_edge (single_succ_edge (first));
    basic_block fast = new_block (first), hook = new_block (fast);
    place = fun->function_start_locus;

    tree end = emit_object_field (first, u64_pointer_type, offsetof (struct pp_object, end));
    tree tls = emit_tls (first), limit = emit_tls_u64 (first, tls, offsetof (struct pp_tls, limit));
    emit_if (first, GT_EXPR, end, limit);
    flow_if (first, hook, fast, rarely ());

    tree counters = emit_tls_pointer (fast, tls, offsetof (struct pp_tls, counters));
    tree bytes = useless_type_conversion_p (sizetype, uint64_type_node) ? end : emit_value (fast, sizetype, build1 (NOP_EXPR, sizetype, end));
    tree reached = emit_operation (fast, POINTER_PLUS_EXPR, counters, bytes);
    edge from_fast = flow_on (fast, join);

    gcall *call = gimple_build_call (hits_decl, 1, address_of (object_decl));
    tree fetched = make_ssa_name (ptr_type_node);
    gimple_call_set_lhs (call, fetched);
    emit (hook, call);
    edge from_hook = flow_on (hook, join);

    tree base = make_ssa_name (ptr_type_node);
    gphi *phi = create_phi_node (base, join);
    add_phi_arg (phi, reached, from_fast, UNKNOWN_LOCATION);
    add_phi_arg (phi, fetched, from_hook, UNKNOWN_LOCATION);
    return base;
}

/* base = .Lprofplug_waste_end: for functions that must not be touched */
static tree emit_waste (function *fun)
{
    basic_block first = split_edge (single_succ_edge (ENTRY_BLOCK_PTR_FOR_FN (fun)));
    place = UNKNOWN_LOCATION;
    return emit_value (first, ptr_type_node, address_of (waste_decl));
}

/* ---- the pass ---- */
static const struct pass_data lineslot_pass_data = {
    GIMPLE_PASS, "profplug_slots", OPTGROUP_NONE, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0, 0
};

class lineslot_pass : public gimple_opt_pass {
public:
    lineslot_pass (gcc::context *context) : gimple_opt_pass (lineslot_pass_data, context) {}
    unsigned int execute (function *fun) final override;
};

/* The thread sanitizer watches a counter as if it were the program's: each thread has its own, and inherits it without a word to the sanitizer. */
static bool is_watch (gimple *statement)
{
    if (!is_gimple_call (statement) || !gimple_call_fndecl (statement) || gimple_call_num_args (statement) == 0)
        return false;
    return !strncmp (function_symbol (gimple_call_fndecl (statement)), "__tsan_", 7) && walk_tree (gimple_call_arg_ptr (statement, 0), find_array, nullptr, nullptr);
}

static void drop_watches (function *fun)
{
    basic_block block;
    FOR_EACH_BB_FN (block, fun)
        for (gimple_stmt_iterator at = gsi_start_bb (block); !gsi_end_p (at);)
            if (is_watch (gsi_stmt (at))) {
                unlink_stmt_vdef (gsi_stmt (at));
                gsi_remove (&at, true);
            } else
                gsi_next (&at);
}

unsigned int lineslot_pass::execute (function *fun)
{
    if (flag_sanitize & SANITIZE_THREAD)
        drop_watches (fun);
    auto_vec<gimple *> statements;
    basic_block block;
    FOR_EACH_BB_FN (block, fun) {
        for (gphi_iterator at = gsi_start_phis (block); !gsi_end_p (at); gsi_next (&at))
            for (unsigned i = 0; i < gimple_phi_num_args (at.phi ()); i++)
                if (TREE_CODE (gimple_phi_arg_def (at.phi (), i)) == ADDR_EXPR && walk_tree (gimple_phi_arg_def_ptr (at.phi (), i), find_array, nullptr, nullptr)) {
                    statements.safe_push (at.phi ());
                    break;
                }
        for (gimple_stmt_iterator at = gsi_start_bb (block); !gsi_end_p (at); gsi_next (&at)) {
            if (debug_refers_to_array (gsi_stmt (at))) {
                gimple_debug_bind_reset_value (gsi_stmt (at));
                update_stmt (gsi_stmt (at));
            } else if (refers_to_array (gsi_stmt (at)))
                statements.safe_push (gsi_stmt (at));
        }
    }
    if (statements.is_empty ())
        return 0;
    declare_all ();
    free_dominance_info (fun, CDI_DOMINATORS);
    free_dominance_info (fun, CDI_POST_DOMINATORS);
    struct rewriting rewriting = { select_exclusion (fun) == PP_REASON_NONE ? emit_base (fun) : emit_waste (fun) };
    struct walk_stmt_info info;
    for (gimple *statement : statements) {
        memset (&info, 0, sizeof info);
        info.info = &rewriting;
        if (gphi *phi = dyn_cast<gphi *> (statement)) {
            for (unsigned i = 0; i < gimple_phi_num_args (phi); i++) {
                tree argument = unshare_expr (gimple_phi_arg_def (phi, i));
                walk_tree (&argument, rewrite, &info, nullptr);
                SET_PHI_ARG_DEF (phi, i, argument);
            }
            continue;
        }
        walk_gimple_op (statement, rewrite, &info);
        update_stmt (statement);
    }
    return TODO_update_ssa_only_virtuals;
}

void lineslot_register_pass (const char *plugin_name)
{
    /* Behind the probes, which stand in the same place. */
    static struct register_pass_info where = { nullptr, "profplug", 1, PASS_POS_INSERT_AFTER };
    where.pass = new lineslot_pass (g);
    register_callback (plugin_name, PLUGIN_PASS_MANAGER_SETUP, nullptr, &where);
}
