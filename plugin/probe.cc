/* SPDX-License-Identifier: GPL-3.0-or-later */
/* probe.cc: the pass that inserts probes into functions. It runs once on each function, after every GIMPLE
 * optimization, in SSA form. Must not know why a function is probed (select.cc) nor how its site is recorded
 * (sitetab.cc).
 *
 * What a function becomes, in C. `object` is this unit's pp_object, K the function's slot.
 *
 *   int f (int x) { return g (x) + 1; }
 *
 * counted, in an executable on x86-64 (`home` is the image's struct pp_segment, HOME the end of the unit's counters in
 * the gs segment):
 *
 *   int f (int x)
 *   {
 *       if (unlikely (!home.ready)) __profplug_count (&object, K); else ++*(HOME - 8 - K * 8);
 *       return g (x) + 1;
 *   }
 *
 * counted, elsewhere:
 *
 *   int f (int x)
 *   {
 *       uint64_t end = object.end; struct pp_tls *tls = thread pointer + object.tls;
 *       if (unlikely (end > tls->limit)) { if (end != PP_END_OFF) __profplug_count (&object, K); }
 *       else ++*(uint64_t *) (tls->counters + end - 8 - K * 8);
 *       return g (x) + 1;
 *   }
 *
 * framed:
 *
 *   int f (int x)
 *   {
 *       uint64_t token = 0, end = object.end; struct pp_tls *tls = thread pointer + object.tls;
 *       if (unlikely (end > tls->limit)) {
 *           if (end != PP_END_OFF) token = __profplug_enter (&object, K | PP_SLOT_UNCOUNTED);
 *       } else {
 *           int64_t *counter = (int64_t *) (tls->counters + end - 8 - K * 8);
 *           if (unlikely (++*counter >= 0)) token = __profplug_enter (&object, K);
 *       }
 *       int result = g (x) + 1;
 *       if (unlikely (token)) __profplug_leave (token);
 *       return result;
 *   }
 *
 * The token is one SSA name, live from the entry to every exit: returns, tail calls and resumed unwinding.
 * __profplug_leave comes before a tail call, and the token is 0 after it. So a tail call that becomes a plain call is
 * not left twice. Stages have no tail calls. Control can come back into an activation at landing pads, after setjmp,
 * and at non-local labels. There __profplug_resync corrects the thread's state. Targets of computed gotos need none,
 * because no activation was skipped on the way to them. */
#include "gcc.h"
#include "plugin.h"
#include "emit.h"
#include "ways.h"

/* ---- entry ---- */
struct entry {
    basic_block first;                 /* where the probe begins: before all code of the function */
    basic_block join;                  /* empty, where all paths of the probe meet */
};

static struct entry open_entry (function *fun)
{
    struct entry entry;
    entry.first = split_edge (single_succ_edge (ENTRY_BLOCK_PTR_FOR_FN (fun)));
    entry.join = split_edge (single_succ_edge (entry.first));
    remove_edge (single_succ_edge (entry.first));
    return entry;
}

/* The address of a slot's counter, as a pointer and an offset: tls->counters + end, and -8 - slot * 8 */
static tree emit_counter (basic_block block, tree tls, tree end, unsigned slot, HOST_WIDE_INT *offset)
{
    tree counters = emit_tls_pointer (block, tls, offsetof (struct pp_tls, counters));
    tree bytes = useless_type_conversion_p (sizetype, uint64_type_node)
                     ? end
                     : emit_value (block, sizetype, build1 (NOP_EXPR, sizetype, end));
    *offset = -8 - (HOST_WIDE_INT) slot * 8;
    return emit_operation (block, POINTER_PLUS_EXPR, counters, bytes);
}

/* if (end > tls->limit) goto slow; returns end */
static tree emit_reach (basic_block block, basic_block fast, basic_block slow, tree *tls)
{
    tree end = emit_object_field (block, u64_pointer_type, offsetof (struct pp_object, end));
    *tls = emit_tls (block);
    tree limit = emit_tls_u64 (block, *tls, offsetof (struct pp_tls, limit));
    emit_if (block, GT_EXPR, end, limit);
    if (linebase_is_shared (cfun))
        linebase_share (block, fast, slow, *tls, end);
    else
        flow (block, slow, EDGE_TRUE_VALUE, rarely ());
    flow (block, fast, EDGE_FALSE_VALUE, rarely ().invert ());
    return end;
}

/* The word at `offset` from `base`. A null base means the thread's counters in the gs segment. */
static tree counter (tree base, HOST_WIDE_INT offset)
{
    return base ? memory (base, u64_pointer_type, offset) : segment_memory (offset);
}

/* ++counter; */
static void emit_count (basic_block block, tree base, HOST_WIDE_INT offset)
{
    tree count = emit_value (block, uint64_type_node, counter (base, offset));
    tree next = emit_operation (block, PLUS_EXPR, count, u64_constant (1));
    emit (block, gimple_build_assign (counter (base, offset), next));
}

/* In an executable: if (!ready) __profplug_count (&object, slot); else ++counter; If all callers test `ready`:
 * ++counter; */
static void count_entry_home (function *fun, unsigned slot)
{
    struct entry entry = open_entry (fun);
    if (ready_is_known (fun->decl)) {
        emit_count (entry.first, NULL_TREE, -8 - (HOST_WIDE_INT) slot * 8);
        flow_on (entry.first, entry.join);
        return;
    }
    basic_block fast = new_block (entry.first), hook = new_block (fast);
    emit_home_test (entry.first, fast, hook);
    emit_count (fast, NULL_TREE, -8 - (HOST_WIDE_INT) slot * 8);
    flow_on (fast, entry.join);
    emit (hook, gimple_build_call (count_decl, 2, address_of (object_decl), build_int_cst (uint32_type_node, slot)));
    flow_on (hook, entry.join);
}

static void count_entry (function *fun, unsigned slot)
{
    struct entry entry = open_entry (fun);
    basic_block fast = new_block (entry.first), registered = new_block (fast);

    tree tls, end = emit_reach (entry.first, fast, registered, &tls);

    /* else ++*(uint64_t *) (tls->counters + end - 8 - slot * 8); */
    HOST_WIDE_INT offset;
    tree counter_end = emit_counter (fast, tls, end, slot, &offset);
    emit_count (fast, counter_end, offset);
    flow_on (fast, entry.join);
    if (linebase_is_shared (fun)) {
        emit_count (registered, linebase_slow (), offset);
        flow_on (registered, entry.join);
        return;
    }

    /* if (end != PP_END_OFF) __profplug_count (&object, slot); */
    basic_block hook = new_block (registered);
    emit_if (registered, NE_EXPR, end, u64_constant (PP_END_OFF));
    flow_if (registered, hook, entry.join, profile_probability::even ());
    emit (hook, gimple_build_call (count_decl, 2, address_of (object_decl), build_int_cst (uint32_type_node, slot)));
    flow_on (hook, entry.join);
}

static tree emit_enter (basic_block block, unsigned slot)
{
    /* token = __profplug_enter (&object, slot); */
    gcall *call = gimple_build_call (enter_decl, 2, address_of (object_decl), build_int_cst (uint32_type_node, slot));
    tree token = make_ssa_name (uint64_type_node);
    gimple_call_set_lhs (call, token);
    emit (block, call);
    return token;
}

/* if (++counter >= 0) goto due; returns the edge to `join`, on which the token is 0. */
static edge emit_due (basic_block fast, basic_block due, basic_block join, tree base, HOST_WIDE_INT offset)
{
    emit_count (fast, base, offset);
    /* Read the counter again, so that the addition can be one instruction, which a signal handler cannot interrupt
     * halfway. */
    tree again = counter (base, offset);
    TREE_THIS_VOLATILE (again) = 1;
    tree reached = emit_value (fast, intDI_type_node,
                               build1 (NOP_EXPR, intDI_type_node, emit_value (fast, uint64_type_node, again)));
    emit_if (fast, GE_EXPR, reached, build_zero_cst (intDI_type_node));
    flow (fast, due, EDGE_TRUE_VALUE, rarely ());
    return flow (fast, join, EDGE_FALSE_VALUE, rarely ().invert ());
}

/* In an executable. Returns the token. */
static tree frame_entry_home (function *fun, unsigned slot)
{
    struct entry entry = open_entry (fun);
    bool ready = ready_is_known (fun->decl);
    basic_block fast = ready ? entry.first : new_block (entry.first), due = new_block (fast),
                hook = ready ? nullptr : new_block (due);
    if (!ready)
        emit_home_test (entry.first, fast, hook);
    edge from_fast = emit_due (fast, due, entry.join, NULL_TREE, -8 - (HOST_WIDE_INT) slot * 8);
    tree due_token = emit_enter (due, slot);
    edge from_due = flow_on (due, entry.join);

    tree token = make_ssa_name (uint64_type_node);
    gphi *phi = create_phi_node (token, entry.join);
    add_phi_arg (phi, u64_constant (0), from_fast, UNKNOWN_LOCATION);
    add_phi_arg (phi, due_token, from_due, UNKNOWN_LOCATION);
    if (!ready) {
        tree hook_token = emit_enter (hook, slot | PP_SLOT_UNCOUNTED);
        add_phi_arg (phi, hook_token, flow_on (hook, entry.join), UNKNOWN_LOCATION);
    }
    return token;
}

/* Returns the token. */
static tree frame_entry (function *fun, unsigned slot)
{
    struct entry entry = open_entry (fun);
    basic_block fast = new_block (entry.first), due = new_block (fast), registered = new_block (due),
                hook = new_block (registered);

    tree tls, end = emit_reach (entry.first, fast, registered, &tls);

    HOST_WIDE_INT offset;
    tree counter_end = emit_counter (fast, tls, end, slot, &offset);
    edge from_fast = emit_due (fast, due, entry.join, counter_end, offset);
    tree due_token = emit_enter (due, slot);
    edge from_due = flow_on (due, entry.join);

    /* if (end != PP_END_OFF) token = __profplug_enter (&object, slot | PP_SLOT_UNCOUNTED); */
    emit_if (registered, EQ_EXPR, end, u64_constant (PP_END_OFF));
    edge from_off = flow (registered, entry.join, EDGE_TRUE_VALUE, profile_probability::even ());
    flow (registered, hook, EDGE_FALSE_VALUE, profile_probability::even ());
    tree hook_token = emit_enter (hook, slot | PP_SLOT_UNCOUNTED);
    edge from_hook = flow_on (hook, entry.join);

    tree token = make_ssa_name (uint64_type_node);
    gphi *phi = create_phi_node (token, entry.join);
    add_phi_arg (phi, u64_constant (0), from_fast, UNKNOWN_LOCATION);
    add_phi_arg (phi, due_token, from_due, UNKNOWN_LOCATION);
    add_phi_arg (phi, u64_constant (0), from_off, UNKNOWN_LOCATION);
    add_phi_arg (phi, hook_token, from_hook, UNKNOWN_LOCATION);
    return token;
}

/* Returns the token. */
static tree time_entry (function *fun, unsigned slot)
{
    struct entry entry = open_entry (fun);
    basic_block hook = new_block (entry.first);

    /* token = object.stages ? __profplug_enter (&object, slot) : 0; */
    tree stages = emit_object_field (entry.first, u32_pointer_type, offsetof (struct pp_object, stages));
    emit_if (entry.first, NE_EXPR, stages, build_int_cst (uint32_type_node, 0));
    flow (entry.first, hook, EDGE_TRUE_VALUE, profile_probability::likely ());
    edge from_off = flow (entry.first, entry.join, EDGE_FALSE_VALUE, profile_probability::unlikely ());
    tree hook_token = emit_enter (hook, slot);
    edge from_hook = flow_on (hook, entry.join);

    tree token = make_ssa_name (uint64_type_node);
    gphi *phi = create_phi_node (token, entry.join);
    add_phi_arg (phi, u64_constant (0), from_off, UNKNOWN_LOCATION);
    add_phi_arg (phi, hook_token, from_hook, UNKNOWN_LOCATION);
    return token;
}

/* ---- ways out and ways back in ---- */

/* Before `statement`:
 *   if (token) __profplug_leave (token); */
static void leave_before (gimple *statement, tree token, bool timed)
{
    if (integer_zerop (token))
        return;
    /* A return is given the line of the closing brace, like the epilogue, so that no line gets code that had none. */
    place = gimple_code (statement) == GIMPLE_RETURN ? cfun->function_end_locus : gimple_location (statement);
    gimple_stmt_iterator before = gsi_for_stmt (statement);
    basic_block first = gimple_bb (statement);
    gsi_prev (&before);
    edge e = gsi_end_p (before) ? split_block_after_labels (first) : split_block (first, gsi_stmt (before));
    basic_block rest = e->dest;
    remove_edge (e);
    basic_block hook = new_block (first);

    emit_if (first, NE_EXPR, token, u64_constant (0));
    flow_if (first, hook, rest, timed ? profile_probability::very_likely () : rarely ());

    emit (hook, gimple_build_call (leave_decl, 1, token));
    flow_on (hook, rest);
}

/* __profplug_resync (&object, slot, token); before the statement at `where` */
static void resync_at (gimple_stmt_iterator where, unsigned slot, tree token)
{
    gcall *call =
        gimple_build_call (resync_decl, 3, address_of (object_decl), build_int_cst (uint32_type_node, slot), token);
    gsi_insert_before (&where, call, GSI_SAME_STMT);
}

/* The token's value at the end of blocks that follow tail calls. */
typedef hash_map<basic_block, tree> token_map;

static tree token_after (basic_block block, token_map *values, tree token)
{
    tree *slot = values->get (block);
    if (!slot)
        return token;
    if (*slot)
        return *slot;
    edge e;
    edge_iterator i;
    tree value = NULL_TREE;
    bool same = true;
    FOR_EACH_EDGE (e, i, block->preds) {
        tree from = token_after (e->src, values, token);
        if (value && !operand_equal_p (value, from, 0))
            same = false;
        value = from;
    }
    if (!same) {
        value = make_ssa_name (uint64_type_node);
        gphi *phi = create_phi_node (value, block);
        FOR_EACH_EDGE (e, i, block->preds)
            add_phi_arg (phi, token_after (e->src, values, token), e, UNKNOWN_LOCATION);
    }
    values->put (block, value);
    return value;
}

static void frame_function (function *fun, const struct choice *choice, unsigned slot)
{
    struct ways ways;
    bool timed = choice->mode == PP_MODE_TIMED;
    find_ways (fun, timed, &ways);
    tree token = timed                ? time_entry (fun, slot)
                 : segment_is_used () ? frame_entry_home (fun, slot)
                                      : frame_entry (fun, slot);

    /* After a tail call the token is 0. */
    token_map values;
    for (gimple *call : ways.tail_calls)
        for (basic_block block = single_succ (gimple_bb (call)); block != EXIT_BLOCK_PTR_FOR_FN (fun);
             block = single_succ (block))
            values.put (block, NULL_TREE);
    for (gimple *call : ways.tail_calls)
        values.put (gimple_bb (call), u64_constant (0));
    auto_vec<tree> last;
    for (gimple *statement : ways.returns)
        last.safe_push (token_after (gimple_bb (statement), &values, token));

    place = UNKNOWN_LOCATION;
    for (basic_block block : ways.receivers) {
        gimple_stmt_iterator at = gsi_after_labels (block);
        if (!gsi_end_p (at) && gimple_call_builtin_p (gsi_stmt (at), BUILT_IN_SETJMP_RECEIVER))
            gsi_next (&at);
        resync_at (at, slot, token);
    }
    for (gimple *call : ways.twice)
        if (edge e = find_fallthru_edge (gimple_bb (call)->succs)) {
            basic_block between = split_edge (e);
            resync_at (gsi_last_bb (between), slot, token);
        }
    for (unsigned i = 0; i < ways.returns.length (); i++)
        leave_before (ways.returns[i], last[i], timed);
    for (gimple *call : ways.departures)
        leave_before (call, token, timed);
    for (gimple *call : ways.tail_calls)
        leave_before (call, token, timed);
}

/* ---- the pass ---- */
static const struct pass_data probe_pass_data = {
    GIMPLE_PASS, "profplug", OPTGROUP_NONE, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0, 0
};

class probe_pass : public gimple_opt_pass {
public:
    probe_pass (gcc::context *context) : gimple_opt_pass (probe_pass_data, context) {}
    unsigned int execute (function *fun) final override;
};

static void explain (function *fun, const struct choice *choice)
{
    enum pp_category category;
    bool asked_for = choice->reason == PP_REASON_SELECTION || choice->reason == PP_REASON_FILTER;
    if (choice->mode == PP_MODE_LEFT_OUT && !asked_for && annotate_stage (fun->decl, &category))
        WARN_AT (DECL_SOURCE_LOCATION (fun->decl), OPT_Wattributes, "profplug: stage %qD is not measured: %s",
                 fun->decl, reason_text (choice->reason));
    if (arguments.explain && choice->mode == PP_MODE_LEFT_OUT)
        inform (DECL_SOURCE_LOCATION (fun->decl), "profplug: %qD is not instrumented: %s", fun->decl,
                reason_text (choice->reason));
    else if (arguments.explain)
        predict_tell (fun, choice);
}

/* A unit for a target without probes is compiled without them, with one warning. */
static void refuse_target ()
{
    static bool told;
    if (!told)
        warning (0, "profplug: only 64-bit code is instrumented; this unit is compiled plain");
    told = true;
}

/* A call that starts a parallel region has no place, and debug information gives it that of the statement before. The
 * region's function has the place of its pragma. */
static void place_region (gcall *call)
{
    tree callee = gimple_call_fndecl (call),
         region = gimple_call_num_args (call) ? gimple_call_arg (call, 0) : NULL_TREE;
    if (callee && gimple_location (call) == UNKNOWN_LOCATION && region && TREE_CODE (region) == ADDR_EXPR
        && TREE_CODE (TREE_OPERAND (region, 0)) == FUNCTION_DECL && DECL_ARTIFICIAL (TREE_OPERAND (region, 0))
        && !strncmp (IDENTIFIER_POINTER (DECL_NAME (callee)), "__builtin_GOMP_", 15))
        gimple_set_location (call, DECL_SOURCE_LOCATION (TREE_OPERAND (region, 0)));
}

/* A call that may wait becomes no jump, because nothing on the stack would tell who waits. Such calls are those of
 * functions in system headers that are not said to be leaves, as most of the C library's are. */
static void mend_calls (function *fun)
{
    basic_block block;
    FOR_EACH_BB_FN (block, fun)
        for (gimple_stmt_iterator at = gsi_start_bb (block); !gsi_end_p (at); gsi_next (&at)) {
            gcall *call = dyn_cast<gcall *> (gsi_stmt (at));
            if (call)
                place_region (call);
            tree callee = call && gimple_call_tail_p (call) ? gimple_call_fndecl (call) : NULL_TREE;
            if (callee && DECL_EXTERNAL (callee) && DECL_IN_SYSTEM_HEADER (callee)
                && !(gimple_call_flags (call) & ECF_LEAF) && !gimple_call_must_tail_p (call))
                gimple_call_set_tail (call, false);
        }
}

unsigned int probe_pass::execute (function *fun)
{
    if (seen_error ())
        return 0;
    if (!target_is_supported ()) {
        refuse_target ();
        return 0;
    }
    mend_calls (fun);
    struct choice choice = select_function (fun);
    explain (fun, &choice);
    unsigned slot = sitetab_add (fun->decl, &choice);
    wrapper_note (fun);
    lineslot_plan (fun, &choice, slot);
    if (choice.mode == PP_MODE_LEFT_OUT)
        return 0;
    declare_all ();
    if (choice.mode != PP_MODE_TIMED && prologue_plan (fun, &choice, slot))
        return 0;
    free_dominance_info (fun, CDI_DOMINATORS);
    free_dominance_info (fun, CDI_POST_DOMINATORS);
    place = fun->function_start_locus;     /* as for the prologue */
    if (choice.mode == PP_MODE_COUNTED)
        segment_is_used () ? count_entry_home (fun, slot) : count_entry (fun, slot);
    else
        frame_function (fun, &choice, slot);
    return TODO_update_ssa_only_virtuals;
}

void probe_register_pass (const char *plugin_name)
{
    static struct register_pass_info where = { nullptr, "optimized", 1, PASS_POS_INSERT_BEFORE };
    where.pass = new probe_pass (g);
    register_callback (plugin_name, PLUGIN_PASS_MANAGER_SETUP, nullptr, &where);
    emit_register (plugin_name);
}
