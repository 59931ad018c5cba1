/* SPDX-License-Identifier: GPL-3.0-or-later */
/* linecount.cc: the pass that decides where lines are counted. It runs once on each function, as soon as the function
 * is in SSA form. So the flow graph is that of the source, and each inlined copy counts for itself. Must not know where
 * counters are at run time (lineslot.cc), nor how the graph is recorded (linerecord.cc).
 *
 * A counter is an element of an array that GCC takes for a static variable of the unit. No pointer leads to it, but
 * calls may change it. So the optimizers store counters before every call that might not return. In loops without such
 * calls they keep sums in registers, and compute them from trip counts. The array is never defined: lineslot.cc
 * replaces it at the end.
 *
 * When GCC optimizes, this pass inserts marks in place of counters, and linefold.cc inserts the counters after
 * inlining. Marks have no weight in decisions about inlining.
 *
 * While a unit is streamed for -flto the array is an external variable, because otherwise each partition would have to
 * define it. */
#include "gcc.h"
#include "plugin.h"
#include "line/linecount.h"

/* ---- the counters ---- */

tree linecount_array (uint64_t id, unsigned counters)
{
    char name[40];
    snprintf (name, sizeof name, LINE_ARRAY_PREFIX "%016llx", (unsigned long long) id);
    tree array = build_decl (UNKNOWN_LOCATION, VAR_DECL, get_identifier (name),
                             build_array_type_nelts (uint64_type_node, counters));
    DECL_EXTERNAL (array) = flag_generate_lto != 0;
    TREE_STATIC (array) = !DECL_EXTERNAL (array);
    DECL_PRESERVE_P (array) = 1;       /* otherwise a call that does not return (exit) would leave counters unwritten */
    TREE_USED (array) = 1;
    DECL_ARTIFICIAL (array) = 1;
    DECL_IGNORED_P (array) = 1;
    SET_DECL_ALIGN (array, 64);
    DECL_USER_ALIGN (array) = 1;
    varpool_node::get_create (array);
    return array;
}

static tree element (tree array, unsigned counter)
{
    return build4 (ARRAY_REF, uint64_type_node, array, size_int (counter), NULL_TREE, NULL_TREE);
}

gimple_seq linecount_add (tree array, unsigned counter, tree more)
{
    tree old = make_ssa_name (uint64_type_node), sum = make_ssa_name (uint64_type_node);
    gimple_seq sequence = nullptr;
    gimple_seq_add_stmt_without_update (&sequence, gimple_build_assign (old, element (array, counter)));
    gimple_seq_add_stmt_without_update (&sequence, gimple_build_assign (sum, PLUS_EXPR, old, more));
    gimple_seq_add_stmt_without_update (&sequence, gimple_build_assign (element (array, counter), sum));
    return sequence;
}

static void count_edge (edge e, tree array, unsigned counter, tree more)
{
    gsi_insert_seq_on_edge (e, linecount_add (array, counter, more));
}

/* ---- loops that control leaves through their exits alone: counters in locals ---- */

/* GCC keeps a counter in a register during a loop. If the counter is in a branch, GCC adds a flag, so that no other
 * thread sees a store that the program does not make. The flag prevents vectorization. A local that is added to the
 * counter at the loop's exits is a plain sum. It does not overwrite what a signal handler counts meanwhile. */
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
            quiet = !linereturn_may_not (gsi_stmt (at)) && !gimple_has_volatile_ops (gsi_stmt (at))
                    && gimple_code (gsi_stmt (at)) != GIMPLE_ASM
                    && !(is_gimple_call (gsi_stmt (at))
                         && gimple_call_flags (gsi_stmt (at)) & (ECF_RETURNS_TWICE | ECF_NORETURN));
        for (class loop *loop = block->loop_father; !quiet && loop && !loud->add (loop); loop = loop_outer (loop))
            ;
    }
}

/* The outermost loop around the edge that control leaves through its exits alone, or null. */
static class loop *quiet_loop (edge e, hash_set<class loop *> *loud)
{
    class loop *found = nullptr;
    for (class loop *loop = find_common_loop (e->src->loop_father, e->dest->loop_father);
         loop && loop_outer (loop) && !loud->contains (loop); loop = loop_outer (loop))
        found = loop;
    return found;
}

/* Before the loop: local = 0; at its exits: array[counter] += local; returns the local. */
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

void linecount_edges (function *fun, struct line_graph *graph, tree array)
{
    hash_set<class loop *> loud;
    hash_map<class loop *, unsigned> loads;                /* how many counters a loop has */
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
    bool gate (function *) final override
    {
        return arguments.lines != LINES_NONE && POINTER_SIZE == 64 && !seen_error ();
    }
    unsigned int execute (function *fun) final override;
};

unsigned int linecount_pass::execute (function *fun)
{
    linereturn_learn (fun);
    if (flag_tm || !lineselect_wants (fun) || select_exclusion (fun->decl) != PP_REASON_NONE)
        return 0;
    linegraph_split (fun, true);
    struct line_graph graph;
    linegraph_make (fun, &graph, true);
    if (linegraph_plan (&graph)) {
        uint64_t id = linerecord_write (fun, &graph);
        if (optimize)
            linefold_mark (fun, &graph, id);
        else
            linecount_edges (fun, &graph, linecount_array (id, graph.counters));
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
