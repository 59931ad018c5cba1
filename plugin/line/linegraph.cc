/* SPDX-License-Identifier: GPL-3.0-or-later */
/* linegraph.cc: a function's flow graph as used for counting, and the choice of edges that get a counter. Must not know
 * how a counter is emitted.
 *
 * A block is entered as often as it is left. So counts of the edges of a spanning tree follow from those of the other
 * edges, and only these get counters.
 *
 * A call that may not return ends its block, and the graph has an edge from there to the outside. Abnormal edges
 * (longjmp, computed goto) cannot carry code. In their place their ends have edges from and to the outside. All edges
 * to the outside, and the returns, are always in the tree. */
#include "gcc.h"
#include "plugin.h"
#include "line/linecount.h"

/* ---- the graph ---- */

static bool returns_twice (gimple *statement)
{
    return is_gimple_call (statement) && (gimple_call_flags (statement) & ECF_RETURNS_TWICE);
}

/* Does nothing follow the call but the return of its value? Then it may become a jump. A counter after it would prevent
 * that, and programs that are written as tail calls would overflow the stack. Without a counter it is unknown whether
 * the call returned, so the lines of the blocks that follow, `path`, are not recorded. The result of a recursive call
 * may also be an operand: GCC makes a loop of `return n + sum (n - 1)`. */
static bool is_tail (basic_block block, gimple *call, vec<basic_block> *path)
{
    if (!is_gimple_call (call) || (!flag_optimize_sibling_calls && !gimple_call_must_tail_p (as_a<gcall *> (call))))
        return false;
    tree value = gimple_call_lhs (call);
    bool recursive = gimple_call_fndecl (call) == current_function_decl;
    gimple_stmt_iterator at = gsi_for_stmt (call);
    gsi_next (&at);
    for (int steps = 0; steps < 8; steps++) {
        for (; !gsi_end_p (at); gsi_next (&at)) {
            gimple *statement = gsi_stmt (at);
            if (greturn *last = dyn_cast<greturn *> (statement))
                return recursive || !gimple_return_retval (last)
                       || (value && operand_equal_p (gimple_return_retval (last), value, 0));
            if (is_gimple_debug (statement) || gimple_clobber_p (statement) || gimple_code (statement) == GIMPLE_LABEL
                || gimple_code (statement) == GIMPLE_PREDICT || gimple_code (statement) == GIMPLE_NOP)
                continue;
            if (recursive && is_gimple_assign (statement) && !gimple_vuse (statement))
                continue;
            if (!gimple_assign_single_p (statement) || !value
                || !operand_equal_p (gimple_assign_rhs1 (statement), value, 0))
                return false;
            value = gimple_assign_lhs (statement);
        }
        edge e;
        edge_iterator i;
        edge next = nullptr;
        FOR_EACH_EDGE (e, i, block->succs)
            if (!(e->flags & (EDGE_ABNORMAL | EDGE_EH))) {
                if (next)
                    return false;
                next = e;
            }
        if (!next || next->dest == EXIT_BLOCK_PTR_FOR_FN (cfun))
            return false;
        block = next->dest;
        for (gphi_iterator phi = gsi_start_phis (block); !gsi_end_p (phi); gsi_next (&phi))
            if (value && PHI_ARG_DEF_FROM_EDGE (phi.phi (), next) == value)
                value = gimple_phi_result (phi.phi ());
        at = gsi_start_bb (block);
        if (path)
            path->safe_push (block);
    }
    return false;
}

/* May control leave the function at this statement? A call that returns twice has returned once already when that
 * matters. */
static bool may_leave (basic_block block, gimple *statement)
{
    return linereturn_may_not (statement) && !returns_twice (statement) && !is_tail (block, statement, nullptr);
}

static bool is_dispatcher (basic_block block)
{
    gimple_stmt_iterator at = gsi_start_nondebug_after_labels_bb (block);
    return !gsi_end_p (at) && gimple_call_internal_p (gsi_stmt (at), IFN_ABNORMAL_DISPATCHER);
}

static bool is_entered_abnormally (basic_block block)
{
    edge e;
    edge_iterator i;
    FOR_EACH_EDGE (e, i, block->preds)
        if (e->flags & EDGE_ABNORMAL)
            return true;
    return false;
}

/* For gcov a call ends a block even if it always returns. This decides where a line with several blocks is entered. */
static bool ends_line (basic_block block, gimple *call)
{
    gimple_stmt_iterator at = gsi_for_stmt (call);
    gsi_next_nondebug (&at);
    return !gsi_end_p (at) && gimple_lineno (gsi_stmt (at)) != gimple_lineno (call) && is_gimple_call (call)
           && stmt_can_terminate_bb_p (call) && !returns_twice (call) && !is_tail (block, call, nullptr);
}

void linegraph_split (function *fun, bool with_lines)
{
    basic_block block;
    auto_vec<basic_block> blocks;
    FOR_EACH_BB_FN (block, fun)
        blocks.safe_push (block);
    for (basic_block first : blocks) {
        if (is_dispatcher (first))
            continue;
        block = first;
        if (is_entered_abnormally (block)) {
            gimple_stmt_iterator at = gsi_start_nondebug_after_labels_bb (block);
            if (!gsi_end_p (at) && gimple_call_builtin_p (gsi_stmt (at), BUILT_IN_SETJMP_RECEIVER))
                block = split_block (block, gsi_stmt (at))->dest;
            else if (gsi_end_p (at) || !returns_twice (gsi_stmt (at)))
                block = split_block_after_labels (block)->dest;
        }
        /* Backwards, so that each statement is moved only once. */
        gimple_stmt_iterator at = gsi_last_bb (block);
        if (!gsi_end_p (at))
            gsi_prev (&at);
        while (!gsi_end_p (at)) {
            gimple *statement = gsi_stmt (at);
            gsi_prev (&at);
            if (may_leave (block, statement) || (with_lines && ends_line (block, statement)))
                split_block (block, statement);
        }
    }
}

/* Finds the tail calls, and the blocks that follow them. */
static void find_tails (function *fun, struct line_graph *graph)
{
    basic_block some;
    FOR_EACH_BB_FN (some, fun)
        for (gimple_stmt_iterator at = gsi_start_bb (some); !gsi_end_p (at); gsi_next (&at)) {
            auto_vec<basic_block> path;
            if (is_dispatcher (some) || !is_tail (some, gsi_stmt (at), &path))
                continue;
            graph->tails.add (gsi_stmt (at));
            if (!linereturn_may_not (gsi_stmt (at)))
                continue;
            graph->departures.add (gsi_stmt (at));
            for (basic_block block : path)
                graph->silent.add (block);
        }
}

static void add_edge (struct line_graph *graph, unsigned from, unsigned to, edge real, unsigned weight)
{
    struct line_edge e = { from, to, real, weight, -1, false };
    graph->edges.safe_push (e);
}

/* ---- weights: estimates of how often an edge is taken. Heavy edges go into the tree first. ---- */
enum { FIXED = 1u << 31, TAIL = 1u << 30 };

static bool is_cold (basic_block block)
{
    for (int steps = 0; steps < 3; steps++) {
        gimple *last = last_nondebug_stmt (block);
        if (EDGE_COUNT (block->succs) == 0)
            return true;
        if (last && is_gimple_call (last) && gimple_call_fndecl (last)
            && lookup_attribute ("cold", DECL_ATTRIBUTES (gimple_call_fndecl (last))))
            return true;
        if (!single_succ_p (block) || single_succ (block) == EXIT_BLOCK_PTR_FOR_FN (cfun))
            return false;
        block = single_succ (block);
    }
    return false;
}

static unsigned block_weight (basic_block block)
{
    static const unsigned by_depth[] = { 100, 1000, 10000, 100000, 1000000, 10000000 };
    unsigned depth = block->loop_father ? bb_loop_depth (block) : 0;
    return by_depth[depth < 5 ? depth : 5];
}

/* GCC's estimate of how often the edge is taken in a thousand calls of the function. Without a profile: by loop
 * depth. */
static unsigned edge_frequency (edge e)
{
    profile_count entry = ENTRY_BLOCK_PTR_FOR_FN (cfun)->count;
    if (profile_status_for_fn (cfun) != PROFILE_ABSENT && entry.initialized_p () && entry.nonzero_p ()
        && e->count ().initialized_p ()) {
        double times = e->count ().to_sreal_scale (entry).to_double () * 1000;
        return times < 1 ? 1 : times < TAIL / 4 ? (unsigned) times : TAIL / 4;
    }
    unsigned from = block_weight (e->src), to = block_weight (e->dest);
    return (from < to ? from : to) * 2;
}

static unsigned edge_weight (edge e)
{
    unsigned weight = edge_frequency (e);
    if (e->flags & EDGE_EH)
        return 0;
    if (is_cold (e->dest))
        return weight / 100;
    /* An edge to a loop's header weighs less than an equally frequent one in its body, and so gets a counter first. */
    if (!single_succ_p (e->src) && e->dest != EXIT_BLOCK_PTR_FOR_FN (cfun) && !single_pred_p (e->dest))
        weight += weight / 4;                       /* critical edge: a counter would need a block of its own */
    return weight
           + (e->src->loop_father && e->dest->loop_father && e->dest->loop_father->header == e->dest ? 0 : weight / 8);
}

/* Adds an edge to another block. A goto that became one of several edges out of a block gets a virtual block, for its
 * line. */
static void add_way (struct line_graph *graph, unsigned from, edge e, unsigned weight, gimple *last, bool with_jumps)
{
    unsigned to = graph->numbers[e->dest->index];
    gimple_stmt_iterator at = gsi_last_nondebug_bb (e->src);
    while (!gsi_end_p (at) && LOCATION_LOCUS (gimple_location (gsi_stmt (at))) <= BUILTINS_LOCATION)
        gsi_prev_nondebug (&at);
    bool several = !single_succ_p (e->src) || (last && may_leave (e->src, last));
    if (!with_jumps || !several || gsi_end_p (at) || LOCATION_LOCUS (e->goto_locus) <= BUILTINS_LOCATION
        || (LOCATION_LINE (e->goto_locus) == gimple_lineno (gsi_stmt (at))
            && !strcmp (LOCATION_FILE (e->goto_locus), gimple_filename (gsi_stmt (at))))) {
        add_edge (graph, from, to, e, weight);
        return;
    }
    add_edge (graph, from, graph->blocks.length (), e, weight);
    add_edge (graph, graph->blocks.length (), to, e, weight);
    graph->blocks.safe_push (nullptr);
    graph->jumps.safe_push (e->goto_locus);
}

/* Does the block contain a tail call? Then code on its edges would come after that call. */
static bool has_tail (struct line_graph *graph, basic_block block)
{
    for (gimple_stmt_iterator at = gsi_last_bb (block); !gsi_end_p (at); gsi_prev (&at))
        if (graph->tails.contains (gsi_stmt (at)))
            return true;
    return false;
}

void linegraph_make (function *fun, struct line_graph *graph, bool with_jumps)
{
    basic_block block;
    graph->numbers.safe_grow_cleared (last_basic_block_for_fn (fun));
    graph->blocks.safe_push (nullptr);
    auto_vec<bool> inner;
    linejoin (fun, graph, with_jumps, &inner);
    FOR_EACH_BB_FN (block, fun)
        if (!is_dispatcher (block) && !inner[block->index]) {
            graph->numbers[block->index] = graph->blocks.length ();
            graph->blocks.safe_push (block);
        }
    graph->real = graph->blocks.length ();
    find_tails (fun, graph);
    edge start = single_succ_edge (ENTRY_BLOCK_PTR_FOR_FN (fun));
    /* mostly the probe counts calls already */
    add_edge (graph, 0, graph->numbers[start->dest->index], start, edge_frequency (start) / 4);
    for (unsigned number = 1; number < graph->real; number++) {
        basic_block head = graph->blocks[number];
        block = linejoin_last (graph, head);
        gimple *last = last_nondebug_stmt (block);
        bool leaves = EDGE_COUNT (block->succs) == 0 || (last && may_leave (block, last));
        bool tail = has_tail (graph, block);
        edge e;
        edge_iterator i;
        FOR_EACH_EDGE (e, i, block->succs)
            if (e->flags & EDGE_ABNORMAL)
                leaves = leaves || !(last && returns_twice (last));
            else if (e->dest == EXIT_BLOCK_PTR_FOR_FN (fun))
                add_edge (graph, number, 0, e, FIXED);
            else
                add_way (graph, number, e, tail && !(e->flags & EDGE_EH) ? (unsigned) TAIL : edge_weight (e), last,
                         with_jumps);
        if (leaves)
            add_edge (graph, number, 0, nullptr, FIXED);
        if (is_entered_abnormally (head)) {
            gimple_stmt_iterator first = gsi_start_nondebug_after_labels_bb (head);
            add_edge (graph, 0, number, nullptr, FIXED);
            graph->edges.last ().again = !gsi_end_p (first) && returns_twice (gsi_stmt (first));
        }
    }
}

/* ---- the spanning tree (Kruskal) ---- */

static unsigned group_of (vec<unsigned> &groups, unsigned block)
{
    while (groups[block] != block)
        block = groups[block] = groups[groups[block]];
    return block;
}

static int by_weight (const void *a, const void *b)
{
    const struct line_edge *x = *(const struct line_edge *const *) a, *y = *(const struct line_edge *const *) b;
    if (x->weight != y->weight)
        return x->weight > y->weight ? -1 : 1;
    return x < y ? -1 : x > y;
}

bool linegraph_plan (struct line_graph *graph)
{
    auto_vec<unsigned> groups;
    auto_vec<struct line_edge *> order;
    for (unsigned i = 0; i < graph->blocks.length (); i++)
        groups.safe_push (i);
    for (unsigned i = 0; i < graph->edges.length (); i++)
        order.safe_push (&graph->edges[i]);
    order.qsort (by_weight);
    auto_vec<struct line_edge *> others;
    for (struct line_edge *e : order) {
        unsigned from = group_of (groups, e->from), to = group_of (groups, e->to);
        if (from != to)
            groups[from] = to;
        else if (!e->real)
            return false;
        else
            e->counter = 0;
    }
    for (unsigned i = 0; i < graph->edges.length (); i++)
        if (graph->edges[i].counter == 0)
            graph->edges[i].counter = graph->counters++;
    return graph->counters > 0;
}
