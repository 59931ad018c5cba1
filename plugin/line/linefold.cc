/* SPDX-License-Identifier: GPL-3.0-or-later */
/* linefold.cc: the pass that inserts counters once functions are inlined. Until then marks stand where linecount.cc
 * would have counted. A mark is a call of an internal function. GCC copies it with the code around it, otherwise
 * ignores it, and gives it no weight when it decides what to inline. This pass counts on a spanning tree of the graph
 * after inlining, chosen by GCC's own frequency estimates. How often each mark is reached follows from these counters.
 * So the calls of an inlined function often need no counter of their own. Must not know lines.
 *
 *   .LAUNDER (id, counter, counters);               a mark
 *   asm volatile ("#profplug" : );                  an anchor: gives the function an effect, so GCC keeps its calls
 *
 * Marks that the graph cannot count get a counter each. */
#include "gcc.h"
#include "plugin.h"
#include "line/linecount.h"

#define ANCHOR "#profplug"

bool linefold_is_mark (gimple *statement, uint64_t *id, unsigned *counter)
{
    if (!gimple_call_internal_p (statement, IFN_LAUNDER) || gimple_call_lhs (statement)
        || gimple_call_num_args (statement) != 3)
        return false;
    if (id)
        *id = tree_to_uhwi (gimple_call_arg (statement, 0));
    if (counter)
        *counter = tree_to_uhwi (gimple_call_arg (statement, 1));
    return true;
}

bool linefold_is_anchor (gimple *statement)
{
    return gimple_code (statement) == GIMPLE_ASM && !strcmp (gimple_asm_string (as_a<gasm *> (statement)), ANCHOR);
}

static gimple *mark_make (uint64_t id, unsigned counter, unsigned counters)
{
    return gimple_build_call_internal (IFN_LAUNDER, 3, build_int_cstu (uint64_type_node, id),
                                       build_int_cst (unsigned_type_node, counter),
                                       build_int_cst (unsigned_type_node, counters));
}

void linefold_mark (function *fun, struct line_graph *graph, uint64_t id)
{
    for (struct line_edge &e : graph->edges)
        if (e.counter >= 0)
            gsi_insert_on_edge (e.real, mark_make (id, e.counter, graph->counters));
    gasm *anchor = gimple_build_asm_vec (ggc_strdup (ANCHOR), nullptr, nullptr, nullptr, nullptr);
    gimple_asm_set_volatile (anchor, true);
    gsi_insert_on_edge (single_succ_edge (ENTRY_BLOCK_PTR_FOR_FN (fun)), anchor);
}

/* ---- the pass ---- */
static const struct pass_data linefold_pass_data = {
    GIMPLE_PASS, "profplug_fold", OPTGROUP_NONE, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0, 0
};

class linefold_pass : public gimple_opt_pass {
public:
    linefold_pass (gcc::context *context) : gimple_opt_pass (linefold_pass_data, context) {}
    bool gate (function *) final override { return !seen_error (); }
    unsigned int execute (function *fun) final override;
};

/* With -fnon-call-exceptions GCC assumes that a volatile statement may throw. So an anchor that was inlined into a try
 * block ends its basic block, and its removal leaves dead exception edges. */
static void drop_anchors (function *fun)
{
    basic_block block;
    bool left = false;
    FOR_EACH_BB_FN (block, fun) {
        bool dropped = false;
        for (gimple_stmt_iterator at = gsi_start_bb (block); !gsi_end_p (at);)
            if (linefold_is_anchor (gsi_stmt (at))) {
                unlink_stmt_vdef (gsi_stmt (at));
                dropped |= gsi_remove (&at, true);
            } else
                gsi_next (&at);
        left |= dropped && gimple_purge_dead_eh_edges (block);
    }
    if (left)
        cleanup_tree_cfg ();
}

static void find_marks (function *fun, vec<gimple *> *marks)
{
    basic_block block;
    FOR_EACH_BB_FN (block, fun)
        for (gimple_stmt_iterator at = gsi_start_bb (block); !gsi_end_p (at); gsi_next (&at))
            if (linefold_is_mark (gsi_stmt (at)))
                marks->safe_push (gsi_stmt (at));
}

static void drop (gimple *mark)
{
    gimple_stmt_iterator at = gsi_for_stmt (mark);
    gsi_remove (&at, true);
}

/* array[counter]++; in place of the mark. An id has one array in a function: GCC would take two for different memory.
 * Another function that counts so may share it. It calls setjmp, so GCC keeps no counter in a register while it is
 * called. */
static void count_mark (gimple *mark, vec<tree> *arrays, vec<uint64_t> *ids)
{
    uint64_t id;
    unsigned counter, i = 0;
    linefold_is_mark (mark, &id, &counter);
    while (i < ids->length () && (*ids)[i] != id)
        i++;
    if (i == ids->length ()) {
        ids->safe_push (id);
        arrays->safe_push (linecount_array (id, tree_to_uhwi (gimple_call_arg (mark, 2))));
    }
    tree array = (*arrays)[i];
    gimple_stmt_iterator at = gsi_for_stmt (mark);
    gsi_insert_seq_before (&at, linecount_add (array, counter, build_one_cst (uint64_type_node)), GSI_SAME_STMT);
    gsi_remove (&at, true);
}

unsigned int linefold_pass::execute (function *fun)
{
    auto_vec<gimple *> marks;
    drop_anchors (fun);
    find_marks (fun, &marks);
    if (marks.is_empty ())
        return 0;
    loop_optimizer_init (AVOID_CFG_MODIFICATIONS);
    mark_irreducible_loops ();
    linegraph_split (fun, false);
    struct line_graph graph;
    linegraph_make (fun, &graph, false);
    if (linegraph_plan (&graph)) {
        tree array = linecount_array (linerecord_write_fold (&graph), graph.counters);
        for (gimple *mark : marks)
            drop (mark);
        linecount_edges (fun, &graph, array);
        gsi_commit_edge_inserts ();
    } else {
        auto_vec<tree> arrays;
        auto_vec<uint64_t> ids;
        for (gimple *mark : marks)
            count_mark (mark, &arrays, &ids);
    }
    loop_optimizer_finalize ();
    free_dominance_info (fun, CDI_DOMINATORS);
    free_dominance_info (fun, CDI_POST_DOMINATORS);
    return TODO_update_ssa | TODO_cleanup_cfg;
}

void linefold_register_pass (const char *plugin_name)
{
    static struct register_pass_info where = { nullptr, "*all_optimizations", 1, PASS_POS_INSERT_BEFORE };
    where.pass = new linefold_pass (g);
    register_callback (plugin_name, PLUGIN_PASS_MANAGER_SETUP, nullptr, &where);
}
