/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lineslot.cc: the pass that gives line counters their addresses at run time. It runs once on each function, after
 * probe.cc. The optimizers have made various references of the arrays of linecount.cc: elements, vectors, addresses.
 * Each becomes a reference to the thread's own counters. Must not know what the counters count.
 *
 *   array[i] = array[i] + 1;
 *
 * becomes, where K is the slot of array[0] and `base` is computed by linebase.cc,
 *
 *   ++*(uint64_t *) (base - 8 - K * 8 + i * 8);           (addresses rise with the counter, and fall with the slot)
 *
 * and in an executable on x86-64 ++*(HOME - 8 - K * 8 + i * 8), in the gs segment (struct pp_segment).
 *
 * Counter 0 needs no code if it counts calls that the function's probe counts, too: the probe's slot is then recorded
 * for it. In a function that may not be instrumented, but has inlined others, the base is memory that nobody reads. */
#include "gcc.h"
#include "plugin.h"
#include "emit.h"
#include "line/linecount.h"

static uint64_t array_id (tree array)
{
    return strtoull (IDENTIFIER_POINTER (DECL_NAME (array)) + strlen (LINE_ARRAY_PREFIX), nullptr, 16);
}

/* Bytes from the base to the start of the array. */
static HOST_WIDE_INT array_offset (tree array)
{
    static hash_map<int_hash<unsigned HOST_WIDE_INT, 0, 1>, unsigned> *slots;
    if (!slots)
        slots = new hash_map<int_hash<unsigned HOST_WIDE_INT, 0, 1>, unsigned>;
    unsigned HOST_WIDE_INT id = array_id (array);
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
    /* The addition between the load and the store. */
    if (!is_gimple_assign (statement) || gimple_assign_rhs_code (statement) != PLUS_EXPR
        || TREE_CODE (gimple_assign_lhs (statement)) != SSA_NAME)
        return false;
    gimple *user;
    use_operand_p use;
    return single_imm_use (gimple_assign_lhs (statement), &use, &user) && gimple_assign_single_p (user)
           && refers_to_array (user);
}

/* ---- the new references ---- */

struct rewriting { tree base; gimple_stmt_iterator before; bool behind; };      /* base is null in an executable */

/* Emits an address within an array before the statement that uses it; with `behind`, at the end of the block. */
static tree emit_address (struct rewriting *rewriting, HOST_WIDE_INT offset)
{
    if (!rewriting->base)
        return emit_home_address (&rewriting->before, rewriting->behind, offset);
    tree name = make_ssa_name (ptr_type_node);
    gimple *statement =
        gimple_build_assign (name, POINTER_PLUS_EXPR, rewriting->base, build_int_cst (sizetype, offset));
    if (rewriting->behind)
        gsi_insert_after (&rewriting->before, statement, GSI_NEW_STMT);
    else
        gsi_insert_before (&rewriting->before, statement, GSI_SAME_STMT);
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
        HOST_WIDE_INT offset =
            array_offset (TREE_OPERAND (TREE_OPERAND (t, 0), 0)) + tree_to_shwi (TREE_OPERAND (t, 1));
        t = copy_node (t);
        if (rewriting->base) {
            TREE_OPERAND (t, 0) = rewriting->base;
            TREE_OPERAND (t, 1) = build_int_cst (TREE_TYPE (TREE_OPERAND (t, 1)), offset);
            TREE_TYPE (t) = build_aligned_type (TREE_TYPE (t), 64);
        } else
            segment_refer (t, offset);
        if (TREE_CODE (t) == MEM_REF)
            TREE_THIS_NOTRAP (t) = 1;
        *at = t;
        *walk = 0;
    } else if (TREE_CODE (t) == ARRAY_REF && VAR_P (TREE_OPERAND (t, 0)) && is_line_array (TREE_OPERAND (t, 0))
               && tree_fits_uhwi_p (TREE_OPERAND (t, 1))) {
        HOST_WIDE_INT offset = array_offset (TREE_OPERAND (t, 0)) + tree_to_uhwi (TREE_OPERAND (t, 1)) * 8;
        *at = rewriting->base ? memory (rewriting->base, u64_pointer_type, offset) : segment_memory (offset);
        *walk = 0;
    } else if (TREE_CODE (t) == ADDR_EXPR) {
        poly_int64 within;
        tree array = get_addr_base_and_unit_offset (TREE_OPERAND (t, 0), &within);
        if (array && VAR_P (array) && is_line_array (array)) {
            *at = emit_address (rewriting, array_offset (array) + within.to_constant ());
            *walk = 0;
        }
    } else if (VAR_P (t) && is_line_array (t)) {
        tree reference = build2 (MEM_REF, TREE_TYPE (t), rewriting->base ? rewriting->base : address_of (waste_decl),
                                 build_int_cst (u64_pointer_type, array_offset (t)));
        if (!rewriting->base)
            segment_refer (reference, array_offset (t));
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

/* ---- the pass ---- */
static const struct pass_data lineslot_pass_data = {
    GIMPLE_PASS, "profplug_slots", OPTGROUP_NONE, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0, 0
};

/* References to arrays in the current function, found before the probe is inserted, with their blocks. A phi has one
 * for each argument. */
struct reference { gimple *statement; basic_block block; unsigned argument; };
static struct {
    function *fun;
    auto_vec<struct reference> references;
} work;

class lineslot_pass : public gimple_opt_pass {
public:
    lineslot_pass (gcc::context *context) : gimple_opt_pass (lineslot_pass_data, context) {}
    unsigned int execute (function *fun) final override;
};

/* Is this a check of the thread sanitizer on a counter? It would report races: each thread has its own counters, but
 * the sanitizer does not know that. */
static bool is_watch (gimple *statement)
{
    if (!is_gimple_call (statement) || !gimple_call_fndecl (statement) || gimple_call_num_args (statement) == 0)
        return false;
    return !strncmp (function_symbol (gimple_call_fndecl (statement)), "__tsan_", 7)
           && walk_tree (gimple_call_arg_ptr (statement, 0), find_array, nullptr, nullptr);
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

static void find_references (function *fun)
{
    basic_block block;
    work.fun = fun;
    work.references.truncate (0);
    FOR_EACH_BB_FN (block, fun) {
        for (gphi_iterator at = gsi_start_phis (block); !gsi_end_p (at); gsi_next (&at))
            for (unsigned i = 0; i < gimple_phi_num_args (at.phi ()); i++)
                if (TREE_CODE (gimple_phi_arg_def (at.phi (), i)) == ADDR_EXPR
                    && walk_tree (gimple_phi_arg_def_ptr (at.phi (), i), find_array, nullptr, nullptr))
                    work.references.safe_push ({ at.phi (), gimple_phi_arg_edge (at.phi (), i)->src, i });
        for (gimple_stmt_iterator at = gsi_start_bb (block); !gsi_end_p (at); gsi_next (&at)) {
            if (debug_refers_to_array (gsi_stmt (at))) {
                gimple_debug_bind_reset_value (gsi_stmt (at));
                update_stmt (gsi_stmt (at));
            } else if (refers_to_array (gsi_stmt (at)))
                work.references.safe_push ({ gsi_stmt (at), block, 0 });
        }
    }
}

/* The array if `reference` is its first element, or null. */
static tree first_element (tree reference)
{
    poly_int64 within;
    if (!INTEGRAL_TYPE_P (TREE_TYPE (reference)) || TYPE_PRECISION (TREE_TYPE (reference)) != 64)
        return NULL_TREE;
    tree array = get_addr_base_and_unit_offset (reference, &within);
    return array && VAR_P (array) && is_line_array (array) && known_eq (within, 0) ? array : NULL_TREE;
}

/* Is `store` the last of old = array[0]; sum = old + 1; array[0] = sum; in one block? Then gives the other two. */
static bool counts_first (gimple *store, gimple **load, gimple **sum)
{
    if (!gimple_assign_single_p (store) || TREE_CODE (gimple_assign_lhs (store)) == SSA_NAME
        || TREE_CODE (gimple_assign_rhs1 (store)) != SSA_NAME)
        return false;
    tree array = first_element (gimple_assign_lhs (store));
    *sum = SSA_NAME_DEF_STMT (gimple_assign_rhs1 (store));
    if (!array || !is_gimple_assign (*sum) || gimple_assign_rhs_code (*sum) != PLUS_EXPR
        || !integer_onep (gimple_assign_rhs2 (*sum)))
        return false;
    *load = SSA_NAME_DEF_STMT (gimple_assign_rhs1 (*sum));
    return gimple_assign_load_p (*load) && first_element (gimple_assign_rhs1 (*load)) == array
           && has_single_use (gimple_assign_lhs (*load)) && has_single_use (gimple_assign_lhs (*sum))
           && gimple_bb (*load) == gimple_bb (store);
}

static void drop_statement (gimple *statement)
{
    gimple_stmt_iterator at = gsi_for_stmt (statement);
    unlink_stmt_vdef (statement);
    gsi_remove (&at, true);
    release_defs (statement);
}

/* Removes counters of the function's calls, which the probe counts at `slot` already. */
static bool drop_entries (function *fun, unsigned slot)
{
    bool dropped = false;
    for (basic_block block = single_succ (ENTRY_BLOCK_PTR_FOR_FN (fun));
         single_pred_p (block) && block != EXIT_BLOCK_PTR_FOR_FN (fun); block = single_succ (block)) {
        for (gimple_stmt_iterator at = gsi_start_bb (block); !gsi_end_p (at);) {
            gimple *store = gsi_stmt (at), *load, *sum;
            gsi_next (&at);
            if (!counts_first (store, &load, &sum))
                continue;
            sitetab_name_line (array_id (first_element (gimple_assign_lhs (store))), slot);
            drop_statement (store);
            drop_statement (sum);
            drop_statement (load);
            dropped = true;
        }
        if (!single_succ_p (block))
            break;
    }
    return dropped;
}

void lineslot_plan (function *fun, const struct choice *choice, unsigned slot)
{
    bool excluded = select_exclusion (fun->decl) != PP_REASON_NONE;
    if (flag_sanitize & SANITIZE_THREAD)
        drop_watches (fun);
    bool dropped = (choice->mode == PP_MODE_COUNTED || (choice->mode == PP_MODE_FRAMED && segment_is_used ()))
                   && drop_entries (fun, slot);
    find_references (fun);
    if (!work.references.is_empty ())
        declare_all ();
    auto_vec<basic_block> needy;
    for (struct reference &reference : work.references)
        needy.safe_push (reference.block);
    if (segment_is_used () && !excluded)
        linebase_plan_home (fun, choice->mode == PP_MODE_LEFT_OUT && !needy.is_empty ());
    else
        linebase_plan (fun, &needy, choice->mode == PP_MODE_COUNTED || choice->mode == PP_MODE_FRAMED, dropped,
                       excluded);
}

unsigned int lineslot_pass::execute (function *fun)
{
    if (work.fun != fun || work.references.is_empty ())
        return 0;
    free_dominance_info (fun, CDI_DOMINATORS);
    free_dominance_info (fun, CDI_POST_DOMINATORS);
    place = fun->function_start_locus;
    for (struct reference &reference : work.references) {
        gimple *statement = reference.statement;
        struct rewriting rewriting = { linebase_of (reference.block), gsi_none (), false };
        struct walk_stmt_info info;
        memset (&info, 0, sizeof info);
        info.info = &rewriting;
        if (gphi *phi = dyn_cast<gphi *> (statement)) {
            tree argument = unshare_expr (gimple_phi_arg_def (phi, reference.argument));
            rewriting.before = gsi_last_bb (gimple_phi_arg_edge (phi, reference.argument)->src);
            rewriting.behind = gsi_end_p (rewriting.before) || !stmt_ends_bb_p (gsi_stmt (rewriting.before));
            walk_tree (&argument, rewrite, &info, nullptr);
            SET_PHI_ARG_DEF (phi, reference.argument, argument);
            continue;
        }
        rewriting.before = gsi_for_stmt (statement);
        walk_gimple_op (statement, rewrite, &info);
        update_stmt (statement);
    }
    work.fun = nullptr;
    work.references.truncate (0);
    return TODO_update_ssa_only_virtuals;
}

void lineslot_register_pass (const char *plugin_name)
{
    /* After the probes, which are inserted at the same position. */
    static struct register_pass_info where = { nullptr, "profplug", 1, PASS_POS_INSERT_AFTER };
    where.pass = new lineslot_pass (g);
    register_callback (plugin_name, PLUGIN_PASS_MANAGER_SETUP, nullptr, &where);
}
