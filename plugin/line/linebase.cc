/* SPDX-License-Identifier: GPL-3.0-or-later */
/* linebase.cc: emits the code that computes a function's base: the address from which the thread's line counters are
 * reached. It chooses the place that is executed least often: the entry, or blocks above those that count. At the entry
 * it reuses what the probe has loaded. Planned before the probe is inserted, emitted after it. Must not know what
 * refers to counters.
 *
 *   uint64_t end = object.end; struct pp_tls *tls = thread pointer + object.tls;
 *   char *base = likely (end <= tls->limit) ? tls->counters + end
 *                : object.stages ? __profplug_hits (&object) : .Lprofplug_waste_end; */
#include "gcc.h"
#include "plugin.h"
#include "emit.h"
#include "line/linecount.h"

/* The plan for the current function. */
static struct {
    function *fun;
    basic_block landing;               /* the block after the probe */
    bool home;                         /* counters are in the gs segment, so no base is needed */
    bool unprobed;                     /* home, and no probe tests pp_segment.ready */
    bool shared;                       /* the probe computes the base, in these two blocks: */
    basic_block fast, slow;
    tree fast_base, slow_base;
    hash_map<basic_block, basic_block> starts;      /* of a block that needs a base: the block that computes it */
    hash_map<basic_block, tree> bases;              /* of such a block: its base */
} work;

static tree emit_reached (basic_block block, tree tls, tree end)
{
    tree counters = emit_tls_pointer (block, tls, offsetof (struct pp_tls, counters));
    tree bytes = useless_type_conversion_p (sizetype, uint64_type_node)
                     ? end
                     : emit_value (block, sizetype, build1 (NOP_EXPR, sizetype, end));
    return emit_operation (block, POINTER_PLUS_EXPR, counters, bytes);
}

/* From `first` to `join`: base = object.stages ? __profplug_hits (&object) : .Lprofplug_waste_end; */
static void emit_hits (basic_block first, basic_block join, gphi *base)
{
    basic_block hook = new_block (first);
    tree stages = emit_object_field (first, u32_pointer_type, offsetof (struct pp_object, stages));
    emit_if (first, EQ_EXPR, stages, build_int_cst (uint32_type_node, 0));
    edge from_off = flow (first, join, EDGE_TRUE_VALUE, profile_probability::even ());
    flow (first, hook, EDGE_FALSE_VALUE, profile_probability::even ());
    gcall *call = gimple_build_call (hits_decl, 1, address_of (object_decl));
    tree fetched = make_ssa_name (ptr_type_node);
    gimple_call_set_lhs (call, fetched);
    emit (hook, call);
    edge from_hook = flow_on (hook, join);
    add_phi_arg (base, address_of (waste_decl), from_off, UNKNOWN_LOCATION);
    add_phi_arg (base, fetched, from_hook, UNKNOWN_LOCATION);
}

/* Computes the base on the edge. */
static tree emit_base (edge e)
{
    basic_block first = split_edge (e), join = split_edge (single_succ_edge (first));
    remove_edge (single_succ_edge (first));
    basic_block fast = new_block (first), slow = new_block (fast);

    tree end = emit_object_field (first, u64_pointer_type, offsetof (struct pp_object, end));
    tree tls = emit_tls (first), limit = emit_tls_u64 (first, tls, offsetof (struct pp_tls, limit));
    emit_if (first, GT_EXPR, end, limit);
    flow_if (first, slow, fast, rarely ());
    tree base = make_ssa_name (ptr_type_node);
    gphi *phi = create_phi_node (base, join);
    tree reached = emit_reached (fast, tls, end);
    add_phi_arg (phi, reached, flow_on (fast, join), UNKNOWN_LOCATION);
    emit_hits (slow, join, phi);
    return base;
}

/* ---- a base that the probe computes ---- */

bool linebase_is_shared (function *fun)
{
    return work.fun == fun && work.shared;
}

void linebase_share (basic_block test, basic_block fast, basic_block slow, tree tls, tree end)
{
    basic_block first = new_block (fast);
    flow (test, first, EDGE_TRUE_VALUE, rarely ());
    work.fast = fast;
    work.slow = slow;
    work.fast_base = emit_reached (fast, tls, end);
    work.slow_base = make_ssa_name (ptr_type_node);
    emit_hits (first, slow, create_phi_node (work.slow_base, slow));
}

tree linebase_slow ()
{
    return work.slow_base;
}

/* The base at the end of a block that follows work.fast and work.slow. */
static tree shared_base (basic_block block, hash_map<basic_block, tree> *bases)
{
    if (block == work.fast || block == work.slow)
        return block == work.fast ? work.fast_base : work.slow_base;
    if (tree *known = bases->get (block))
        return *known;
    edge e;
    edge_iterator i;
    auto_vec<tree> from;
    bool same = true;
    FOR_EACH_EDGE (e, i, block->preds) {
        from.safe_push (shared_base (e->src, bases));
        same = same && from.last () == from[0];
    }
    tree base = from[0];
    if (!same) {
        base = make_ssa_name (ptr_type_node);
        gphi *phi = create_phi_node (base, block);
        FOR_EACH_EDGE (e, i, block->preds)
            add_phi_arg (phi, from[e->dest_idx], e, UNKNOWN_LOCATION);
    }
    bases->put (block, base);
    return base;
}

/* ---- where to compute a base: in the blocks that need it, or in a dominator that runs less often ---- */
enum { ONCE = 1000, NEVER = 1000000000 };

/* How often a block is executed in a thousand calls of the function. NEVER: no code can be inserted there. */
static int frequency (function *fun, basic_block block)
{
    edge e;
    edge_iterator i;
    FOR_EACH_EDGE (e, i, block->preds)
        if (e->flags & (EDGE_ABNORMAL | EDGE_EH))
            return NEVER;
    profile_count entry = ENTRY_BLOCK_PTR_FOR_FN (fun)->count;
    if (block->flags & BB_IRREDUCIBLE_LOOP)
        return NEVER;
    if (!entry.initialized_p () || !entry.nonzero_p () || !block->count.initialized_p ())
        return ONCE;
    double times = block->count.to_sreal_scale (entry).to_double () * ONCE;
    return times < 1 ? 1 : times < NEVER / 10 ? (int) times : NEVER / 10;
}

/* Chooses the blocks at whose start a base is computed. A block that needs a base takes it from the topmost chosen
 * block that dominates it. */
static void find_starts (function *fun, const hash_set<basic_block> *needy, int at_entry, hash_set<basic_block> *starts)
{
    auto_vec<basic_block> order, rest;
    auto_vec<int> cost;
    cost.safe_grow_cleared (last_basic_block_for_fn (fun));
    basic_block top = single_succ (ENTRY_BLOCK_PTR_FOR_FN (fun));
    rest.safe_push (top);
    while (!rest.is_empty ()) {
        basic_block block = rest.pop ();
        order.safe_push (block);
        for (basic_block son = first_dom_son (CDI_DOMINATORS, block); son; son = next_dom_son (CDI_DOMINATORS, son))
            rest.safe_push (son);
    }
    while (!order.is_empty ()) {
        basic_block block = order.pop ();
        int below = const_cast<hash_set<basic_block> *> (needy)->contains (block) ? (int) NEVER : cost[block->index];
        if (!below)
            continue;
        int here = block == top ? at_entry : frequency (fun, block);
        /* Computing a base takes a dozen instructions. So one that runs up to a quarter more often than several below
         * it is still preferred. */
        if (block == top || (here < NEVER && here <= below + below / 4)) {
            starts->add (block);
            below = here;
        }
        basic_block above = block == top ? nullptr : get_immediate_dominator (CDI_DOMINATORS, block);
        if (above)
            cost[above->index] = below < NEVER - cost[above->index] ? cost[above->index] + below : (int) NEVER;
    }
}

/* ---- the plan ---- */

void linebase_plan (function *fun, const vec<basic_block> *needy, bool probed, bool counted, bool wasted)
{
    hash_set<basic_block> needs, starts;
    work.fun = fun;
    work.home = false;
    work.shared = counted && !segment_is_used ();
    work.starts.empty ();
    work.bases.empty ();
    if (needy->is_empty ())
        return;
    work.landing = split_edge (single_succ_edge (ENTRY_BLOCK_PTR_FOR_FN (fun)));
    for (basic_block block : *needy)
        needs.add (block);
    if (wasted) {
        tree base = make_ssa_name (ptr_type_node);
        gimple_stmt_iterator at = gsi_start_bb (work.landing);
        gsi_insert_before (&at, gimple_build_assign (base, address_of (waste_decl)), GSI_NEW_STMT);
        work.bases.put (work.landing, base);
        starts.add (work.landing);
    } else {
        calculate_dominance_info (CDI_DOMINATORS);
        find_starts (fun, &needs, probed ? ONCE / 3 : ONCE, &starts);
    }
    for (basic_block block : *needy) {
        basic_block start = nullptr;
        for (basic_block at = wasted ? work.landing : block; at && at != ENTRY_BLOCK_PTR_FOR_FN (fun);
             at = at == work.landing ? nullptr : get_immediate_dominator (CDI_DOMINATORS, at))
            if (starts.contains (at))
                start = at;
        work.starts.put (block, start);
        work.shared = work.shared || (probed && !wasted && start == work.landing);
    }
    free_dominance_info (fun, CDI_DOMINATORS);
}

void linebase_plan_home (function *fun, bool unprobed)
{
    work.fun = fun;
    work.home = true;
    work.shared = false;
    work.unprobed = unprobed;
}

/* At the entry: if (!ready) __profplug_hits (&object); */
static void emit_home_look ()
{
    basic_block first = split_edge (single_succ_edge (ENTRY_BLOCK_PTR_FOR_FN (work.fun))),
                join = split_edge (single_succ_edge (first));
    remove_edge (single_succ_edge (first));
    basic_block hook = new_block (first);
    emit_home_test (first, join, hook);
    emit (hook, gimple_build_call (hits_decl, 1, address_of (object_decl)));
    flow_on (hook, join);
}

tree linebase_of (basic_block needy)
{
    if (work.home) {
        if (work.unprobed)
            emit_home_look ();
        work.unprobed = false;
        return NULL_TREE;
    }
    basic_block start = *work.starts.get (needy);
    if (tree *known = work.bases.get (start))
        return *known;
    tree base;
    if (start == work.landing && work.shared) {
        hash_map<basic_block, tree> found;
        base = shared_base (single_pred (start), &found);
    } else
        base = emit_base (start == work.landing ? single_pred_edge (start) : split_block_after_labels (start));
    work.bases.put (start, base);
    return base;
}
