/* SPDX-License-Identifier: GPL-3.0-or-later */
/* linecount.cc: the pass that counts how often lines are reached. Runs once on each function, as soon as it is in SSA form, so that the flow
 * graph is the source's and each copy that inlining makes counts by itself. Must not know where counters lie at run time (lineslot.cc), nor
 * how the graph is written down (linerecord.cc).
 *
 * The edges of a spanning tree of the flow graph follow from the others, by what goes in coming out; the others get a counter each. A counter
 * is an element of an array that GCC knows as a static variable of the unit: no pointer leads to it, calls may change it. So optimizers
 * bring counters up to date before every call that might not return. Over loops without such calls they are sums in locals, which optimizers
 * work out from trip counts. The array is never defined: lineslot.cc replaces it at the end.
 *
 * Where control may leave in the middle of a block, after a call that may not return, blocks are split, and the graph has an edge to the
 * outside. Abnormal edges (longjmp, computed goto) carry no code: their ends have edges from and to the outside in their place. Those edges,
 * and the returns, are a star around the outside, and always in the tree.
 *
 * While a unit is streamed for -flto the array is an external variable, since partitions would have to define another. */
#include "gcc.h"
#include "plugin.h"
#include "linecount.h"

/* ---- the graph ---- */

static bool returns_twice (gimple *statement)
{
    return is_gimple_call (statement) && (gimple_call_flags (statement) & ECF_RETURNS_TWICE);
}

/* Nothing but the return of its value follows: the call may become a jump, and must not get a counter behind it, or programs that are written
 * as tail calls would run out of stack. Whether it came back is not known then: what follows, the blocks in `path`, tells nothing of its lines.
 * Of a function's call of itself the result may be reckoned with, too: GCC makes a loop of `return n + sum (n - 1)`. */
static bool is_tail (basic_block block, gimple *call, vec<basic_block> *path)
{
    if (!flag_optimize_sibling_calls || !is_gimple_call (call))
        return false;
    tree value = gimple_call_lhs (call);
    bool recursive = gimple_call_fndecl (call) == current_function_decl;
    gimple_stmt_iterator at = gsi_for_stmt (call);
    gsi_next (&at);
    for (int steps = 0; steps < 8; steps++) {
        for (; !gsi_end_p (at); gsi_next (&at)) {
            gimple *statement = gsi_stmt (at);
            if (greturn *last = dyn_cast<greturn *> (statement))
                return recursive || !gimple_return_retval (last) || (value && operand_equal_p (gimple_return_retval (last), value, 0));
            if (is_gimple_debug (statement) || gimple_clobber_p (statement) || gimple_code (statement) == GIMPLE_LABEL
                || gimple_code (statement) == GIMPLE_PREDICT || gimple_code (statement) == GIMPLE_NOP)
                continue;
            if (recursive && is_gimple_assign (statement) && !gimple_vuse (statement))
                continue;
            if (!gimple_assign_single_p (statement) || !value || !operand_equal_p (gimple_assign_rhs1 (statement), value, 0))
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

/* May control leave the function at this statement? A call that returns twice has returned already where that matters. */
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

static void split_blocks (function *fun)
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
        /* From the end, so that each statement is moved once. */
        gimple_stmt_iterator at = gsi_last_bb (block);
        if (!gsi_end_p (at))
            gsi_prev (&at);
        while (!gsi_end_p (at)) {
            gimple *statement = gsi_stmt (at);
            gsi_prev (&at);
            if (may_leave (block, statement))
                split_block (block, statement);
        }
    }
}

/* Notes calls in place of the return, and what stands behind them. */
static void find_tails (struct line_graph *graph)
{
    for (unsigned number = 1; number < graph->blocks.length (); number++)
        for (gimple_stmt_iterator at = gsi_start_bb (graph->blocks[number]); !gsi_end_p (at); gsi_next (&at)) {
            auto_vec<basic_block> path;
            if (!is_tail (graph->blocks[number], gsi_stmt (at), &path))
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

/* ---- weights: how often an edge is probably taken; the heavier, the rather in the tree ---- */
enum { FIXED = 1u << 31, TAIL = 1u << 30 };

static bool is_cold (basic_block block)
{
    for (int steps = 0; steps < 3; steps++) {
        gimple *last = last_stmt (block);
        if (EDGE_COUNT (block->succs) == 0)
            return true;
        if (last && is_gimple_call (last) && gimple_call_fndecl (last) && lookup_attribute ("cold", DECL_ATTRIBUTES (gimple_call_fndecl (last))))
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

static unsigned edge_weight (edge e)
{
    unsigned from = block_weight (e->src), to = block_weight (e->dest), weight = (from < to ? from : to) * 2;
    if (e->flags & EDGE_EH)
        return 0;
    if (is_cold (e->dest))
        return weight / 100;
    /* The end of a loop's body rather than its start: what is seldom skipped stays free of code. */
    if (!single_succ_p (e->src) && e->dest != EXIT_BLOCK_PTR_FOR_FN (cfun) && !single_pred_p (e->dest))
        weight += weight / 4;                       /* critical: a counter would need a block of its own */
    return weight + (e->src->loop_father && e->dest->loop_father && e->dest->loop_father->header == e->dest ? 0 : weight / 8);
}

/* An edge to another block. A goto that became one of several ways on has a block on paper, for its line. */
static void add_way (struct line_graph *graph, unsigned from, edge e, unsigned weight, gimple *last)
{
    unsigned to = graph->numbers[e->dest->index];
    gimple_stmt_iterator at = gsi_last_nondebug_bb (e->src);
    while (!gsi_end_p (at) && LOCATION_LOCUS (gimple_location (gsi_stmt (at))) <= BUILTINS_LOCATION)
        gsi_prev_nondebug (&at);
    bool several = !single_succ_p (e->src) || (last && may_leave (e->src, last));
    if (!several || gsi_end_p (at) || LOCATION_LOCUS (e->goto_locus) <= BUILTINS_LOCATION
        || (LOCATION_LINE (e->goto_locus) == gimple_lineno (gsi_stmt (at)) && !strcmp (LOCATION_FILE (e->goto_locus), gimple_filename (gsi_stmt (at))))) {
        add_edge (graph, from, to, e, weight);
        return;
    }
    add_edge (graph, from, graph->blocks.length (), e, weight);
    add_edge (graph, graph->blocks.length (), to, e, weight);
    graph->blocks.safe_push (nullptr);
    graph->jumps.safe_push (e->goto_locus);
}

/* Has it a tail? Then the block's edge leads behind that. */
static bool has_tail (struct line_graph *graph, basic_block block)
{
    for (gimple_stmt_iterator at = gsi_last_bb (block); !gsi_end_p (at); gsi_prev (&at))
        if (graph->tails.contains (gsi_stmt (at)))
            return true;
    return false;
}

static void graph_make (function *fun, struct line_graph *graph)
{
    graph->numbers.safe_grow_cleared (last_basic_block_for_fn (fun));
    graph->blocks.safe_push (nullptr);
    basic_block block;
    FOR_EACH_BB_FN (block, fun)
        if (!is_dispatcher (block)) {
            graph->numbers[block->index] = graph->blocks.length ();
            graph->blocks.safe_push (block);
        }
    graph->real = graph->blocks.length ();
    find_tails (graph);
    edge start = single_succ_edge (ENTRY_BLOCK_PTR_FOR_FN (fun));
    add_edge (graph, 0, graph->numbers[start->dest->index], start, 150);
    for (unsigned number = 1; number < graph->real; number++) {
        block = graph->blocks[number];
        gimple *last = last_stmt (block);
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
                add_way (graph, number, e, tail && !(e->flags & EDGE_EH) ? (unsigned) TAIL : edge_weight (e), last);
        if (leaves)
            add_edge (graph, number, 0, nullptr, FIXED);
        if (is_entered_abnormally (block)) {
            gimple_stmt_iterator first = gsi_start_nondebug_after_labels_bb (block);
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

/* Gives the edges outside of the tree their counters. False if one of them cannot carry code. */
static bool graph_plan (struct line_graph *graph)
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

/* ---- the counters ---- */

static tree array_make (uint64_t id, unsigned counters)
{
    char name[40];
    snprintf (name, sizeof name, LINE_ARRAY_PREFIX "%016llx", (unsigned long long) id);
    tree array = build_decl (UNKNOWN_LOCATION, VAR_DECL, get_identifier (name), build_array_type_nelts (uint64_type_node, counters));
    DECL_EXTERNAL (array) = flag_generate_lto != 0;
    TREE_STATIC (array) = !DECL_EXTERNAL (array);
    DECL_PRESERVE_P (array) = 1;       /* else calls that do not come back here (exit) would leave counters unwritten */
    TREE_USED (array) = 1;
    DECL_ARTIFICIAL (array) = 1;
    DECL_IGNORED_P (array) = 1;
    SET_DECL_ALIGN (array, 64);
    DECL_USER_ALIGN (array) = 1;
    return array;
}

static tree element (tree array, unsigned counter)
{
    return build4 (ARRAY_REF, uint64_type_node, array, size_int (counter), NULL_TREE, NULL_TREE);
}

/* array[counter] += more; on the edge */
static void count_edge (edge e, tree array, unsigned counter, tree more)
{
    tree old = make_ssa_name (uint64_type_node), sum = make_ssa_name (uint64_type_node);
    gimple_seq sequence = nullptr;
    gimple_seq_add_stmt_without_update (&sequence, gimple_build_assign (old, element (array, counter)));
    gimple_seq_add_stmt_without_update (&sequence, gimple_build_assign (sum, PLUS_EXPR, old, more));
    gimple_seq_add_stmt_without_update (&sequence, gimple_build_assign (element (array, counter), sum));
    gsi_insert_seq_on_edge (e, sequence);
}

/* ---- loops that nothing leaves but their exits: counters in locals ---- */

/* GCC itself keeps a counter in a register over a loop, but one in a branch only with a flag beside it, lest another thread see a store that the
 * program does not make; then the loop is not vectorized. A local that is added at the exits is but a sum, and what a signal handler counts
 * meanwhile stays. */
enum { FLUSHES = 64 };

static void find_quiet_loops (function *fun, hash_set<class loop *> *loud)
{
    basic_block block;
    FOR_EACH_BB_FN (block, fun) {
        bool quiet = !(block->flags & BB_IRREDUCIBLE_LOOP);
        edge e;
        edge_iterator i;
        FOR_EACH_EDGE (e, i, block->succs)
            quiet = quiet && !(e->flags & (EDGE_ABNORMAL | EDGE_EH));
        for (gimple_stmt_iterator at = gsi_start_bb (block); quiet && !gsi_end_p (at); gsi_next (&at))
            quiet = !linereturn_may_not (gsi_stmt (at)) && !gimple_has_volatile_ops (gsi_stmt (at)) && gimple_code (gsi_stmt (at)) != GIMPLE_ASM
                    && !(is_gimple_call (gsi_stmt (at)) && gimple_call_flags (gsi_stmt (at)) & (ECF_RETURNS_TWICE | ECF_NORETURN));
        for (class loop *loop = block->loop_father; !quiet && loop && !loud->add (loop); loop = loop_outer (loop))
            ;
    }
}

/* The outermost quiet loop around an edge, or null. */
static class loop *quiet_loop (edge e, hash_set<class loop *> *loud)
{
    class loop *found = nullptr;
    for (class loop *loop = find_common_loop (e->src->loop_father, e->dest->loop_father); loop && loop_outer (loop) && !loud->contains (loop); loop = loop_outer (loop))
        found = loop;
    return found;
}

/* local = 0; where the loop begins, array[counter] += local; where it ends; returns the local, or null if it ends nowhere. */
static tree loop_local (class loop *loop, const vec<edge> *exits, tree array, unsigned counter)
{
    tree local = create_tmp_reg (uint64_type_node);
    DECL_IGNORED_P (local) = 1;
    edge e;
    edge_iterator i;
    FOR_EACH_EDGE (e, i, loop->header->preds)
        if (!flow_bb_inside_loop_p (loop, e->src))
            gsi_insert_on_edge (e, gimple_build_assign (local, build_zero_cst (uint64_type_node)));
    for (edge out : *exits)
        count_edge (out, array, counter, local);
    return local;
}

static void count_edges (function *fun, struct line_graph *graph, tree array)
{
    hash_set<class loop *> loud;
    hash_map<class loop *, unsigned> loads;                /* counters of a loop */
    tree one = build_one_cst (uint64_type_node);
    bool locals = optimize && current_loops && !flag_non_call_exceptions;
    if (locals)
        find_quiet_loops (fun, &loud);
    for (unsigned round = 0; round < 2; round++)
        for (struct line_edge &e : graph->edges) {
            if (e.counter < 0)
                continue;
            class loop *loop = locals ? quiet_loop (e.real, &loud) : nullptr;
            if (round == 0) {
                if (loop)
                    loads.get_or_insert (loop)++;
                continue;
            }
            auto_vec<edge> exits;
            if (loop)
                exits.safe_splice (get_loop_exit_edges (loop));
            if (exits.is_empty () || exits.length () * *loads.get (loop) > FLUSHES)
                count_edge (e.real, array, e.counter, one);
            else {
                tree local = loop_local (loop, &exits, array, e.counter);
                gsi_insert_on_edge (e.real, gimple_build_assign (local, PLUS_EXPR, local, one));
            }
        }
}

/* ---- the pass ---- */
static const struct pass_data linecount_pass_data = {
    GIMPLE_PASS, "profplug_lines", OPTGROUP_NONE, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0, 0
};

class linecount_pass : public gimple_opt_pass {
public:
    linecount_pass (gcc::context *context) : gimple_opt_pass (linecount_pass_data, context) {}
    bool gate (function *) final override { return arguments.lines != LINES_NONE && POINTER_SIZE == 64 && !seen_error (); }
    unsigned int execute (function *fun) final override;
};

unsigned int linecount_pass::execute (function *fun)
{
    linereturn_learn (fun);
    if (flag_tm || !lineselect_wants (fun) || select_exclusion (fun) != PP_REASON_NONE)
        return 0;
    split_blocks (fun);
    struct line_graph graph;
    graph_make (fun, &graph);
    if (graph_plan (&graph)) {
        tree array = array_make (linerecord_write (fun, &graph), graph.counters);
        count_edges (fun, &graph, array);
        gsi_commit_edge_inserts ();
    }
    free_dominance_info (fun, CDI_DOMINATORS);
    free_dominance_info (fun, CDI_POST_DOMINATORS);
    return TODO_update_ssa;
}

bool is_line_array (const_tree decl)
{
    return VAR_P (decl) && DECL_NAME (decl) && DECL_ARTIFICIAL (decl)
           && !strncmp (IDENTIFIER_POINTER (DECL_NAME (decl)), LINE_ARRAY_PREFIX, strlen (LINE_ARRAY_PREFIX));
}

static void after_streaming (void *, void *)
{
    varpool_node *node;
    FOR_EACH_VARIABLE (node)
        if (is_line_array (node->decl)) {
            DECL_EXTERNAL (node->decl) = 0;
            TREE_STATIC (node->decl) = 1;
        }
}

void linecount_register_pass (const char *plugin_name)
{
    static struct register_pass_info where = { nullptr, "ssa", 1, PASS_POS_INSERT_AFTER };
    where.pass = new linecount_pass (g);
    register_callback (plugin_name, PLUGIN_PASS_MANAGER_SETUP, nullptr, &where);
    register_callback (plugin_name, PLUGIN_ALL_IPA_PASSES_END, after_streaming, nullptr);
}
