/* SPDX-License-Identifier: GPL-3.0-or-later */
/* remarkpass.cc: the passes that collect remarks. Facts are taken early, and verdicts late:
 *
 *   profplug_writes   before optimizers of loops: what is written
 *   profplug_facts    before if-conversion and vectorization: trips and strides
 *   profplug_verdict  after vectorization: what the vectorizer said
 *   profplug_remarks  after every GIMPLE optimization, before probes: all else, and which loops are there
 *   profplug_jumps    before the assembler is written: which branches are left
 *
 * Must not know what is remarked. */
#include "gcc.h"
#include "plugin.h"
#include "remark/remarks.h"

static bool is_wanted (function *fun)
{
    return arguments.remarks && arguments.functions != FUNCTIONS_NONE && target_is_supported () && !seen_error ()
           && select_exclusion (fun->decl) == PP_REASON_NONE;
}

#define REMARK_PASS(name, text)                                                                      \
    static const struct pass_data name##_data = { GIMPLE_PASS, text, OPTGROUP_NONE, TV_NONE,         \
                                                  PROP_cfg | PROP_ssa, 0, 0, 0, 0 };                 \
    class name : public gimple_opt_pass {                                                            \
    public:                                                                                          \
        name (gcc::context *context) : gimple_opt_pass (name##_data, context) {}                     \
        bool gate (function *fun) final override { return is_wanted (fun); }                         \
        unsigned int execute (function *fun) final override;                                         \
    };
REMARK_PASS (writes_pass, "profplug_writes")
REMARK_PASS (facts_pass, "profplug_facts")
REMARK_PASS (verdict_pass, "profplug_verdict")
REMARK_PASS (remarks_pass, "profplug_remarks")
#undef REMARK_PASS

static void operations_remark (class loop *loop, unsigned number, basic_block *blocks)
{
    arithmetic_remark (loop, number, blocks);
    callee_remark (loop, number, blocks);
    reload_remark (loop, number, blocks);
    condition_remark (loop, number, blocks);
}

unsigned int writes_pass::execute (function *fun)
{
    if (optimize)
        sharing_look (fun);
    return 0;
}

/* The innermost loop around the block, or null. */
static class loop *loop_around (basic_block block)
{
    return block->loop_father && loop_outer (block->loop_father) ? block->loop_father : nullptr;
}

unsigned int facts_pass::execute (function *fun)
{
    basic_block block;
    remark_begin (fun);
    calculate_dominance_info (CDI_DOMINATORS);
    remark_expect (true);
    function_begin ();
    FOR_EACH_BB_FN (block, fun)
        for (gimple_stmt_iterator at = gsi_start_bb (block); !gsi_end_p (at); gsi_next (&at))
            function_look (loop_around (block), gsi_stmt (at));
    FOR_EACH_BB_FN (block, fun)
        for (gimple_stmt_iterator at = gsi_start_bb (block); !gsi_end_p (at); gsi_next (&at))
            function_remark (loop_around (block), gsi_stmt (at));
    remark_expect (false);
    FOR_EACH_LOOP_OF (loop, fun, LI_ONLY_INNERMOST) {
        unsigned number = remark_loop_number (loop);
        if (!number)
            continue;
        basic_block *blocks = get_loop_body (loop);
        trips_remark (loop, number);
        strides_remark (loop, number, blocks);
        stream_remark (loop, number, blocks);
        search_remark (loop, number, blocks);
        sort_remark (loop, number, blocks);
        trial_remark (loop, number, blocks);
        bits_remark (loop, number, blocks);
        window_remark (loop, number, blocks);
        modulo_remark (loop, number, blocks);
        fades_remark (loop, number, blocks);
        remark_expect (true);
        operations_remark (loop, number, blocks);
        remark_expect (false);
        free (blocks);
    }
    verdict_begin ();
    return 0;
}

unsigned int verdict_pass::execute (function *)
{
    verdict_end ();
    return 0;
}

/* What is remarked outside innermost loops, too. */
static void remark_statements (function *fun)
{
    basic_block block;
    FOR_EACH_BB_FN (block, fun) {
        class loop *loop = loop_around (block);
        for (gimple_stmt_iterator at = gsi_start_bb (block); !gsi_end_p (at); gsi_next (&at)) {
            structure_remark (loop, gsi_stmt (at));
            divisor_remark (loop, gsi_stmt (at));
            fill_remark (gsi_stmt (at));
            gap_remark (gsi_stmt (at));
            place_remark (gsi_stmt (at));
            piece_remark (gsi_stmt (at));
            buffer_remark (gsi_stmt (at));
            lock_remark (gsi_stmt (at));
            sharing_remark (gsi_stmt (at));
            seldom_remark (block, gsi_stmt (at));
            function_settle (loop, gsi_stmt (at));
            if (loop) {
                repeat_remark (loop, gsi_stmt (at));
                nap_remark (loop, gsi_stmt (at));
            }
        }
    }
}

bool remark_is_invariant (class loop *loop, tree value)
{
    if (TREE_CODE (value) != SSA_NAME)
        return is_gimple_min_invariant (value);
    basic_block made = gimple_bb (SSA_NAME_DEF_STMT (value));
    return !made || !flow_bb_inside_loop_p (loop, made);
}

bool remark_is_ordering (tree_code code)
{
    switch (code) {
    case LT_EXPR:
    case LE_EXPR:
    case GT_EXPR:
    case GE_EXPR:
    case UNLT_EXPR:
    case UNLE_EXPR:
    case UNGT_EXPR:
    case UNGE_EXPR:
        return true;
    default:
        return false;
    }
}

unsigned int remarks_pass::execute (function *fun)
{
    if (!remark_has_begun (fun))
        remark_begin (fun);
    if (!optimize) {
        remark_add (PP_REMARK_UNOPTIMIZED, 0, DECL_SOURCE_LOCATION (fun->decl), 0);
        return 0;
    }
    loop_optimizer_init (AVOID_CFG_MODIFICATIONS | LOOPS_HAVE_RECORDED_EXITS);
    FOR_EACH_LOOP_OF (loop, fun, LI_ONLY_INNERMOST) {
        unsigned number = remark_loop_number (loop);
        if (!number)
            continue;
        basic_block *blocks = get_loop_body (loop);
        remark_loop_at (number)->is_there = true;
        remark_add_loop (number);
        verdict_look (loop, number, blocks);
        operations_remark (loop, number, blocks);
        free (blocks);
    }
    for (unsigned number = 1; remark_loop_at (number); number++)
        if (remark_loop_at (number)->is_there) {
            verdict_remark (number);
            stream_settle (number);
        }
    calculate_dominance_info (CDI_DOMINATORS);
    remark_statements (fun);
    sharing_settle (fun);
    recursion_remark (fun);
    loop_optimizer_finalize ();
    return 0;
}

/* ---- the last pass, in RTL ---- */
static const struct pass_data jumps_pass_data = {
    RTL_PASS, "profplug_jumps", OPTGROUP_NONE, TV_NONE, 0, 0, 0, 0, 0
};

class jumps_pass : public rtl_opt_pass {
public:
    jumps_pass (gcc::context *context) : rtl_opt_pass (jumps_pass_data, context) {}
    bool gate (function *fun) final override { return remark_has_begun (fun); }
    unsigned int execute (function *fun) final override
    {
        jumps_confirm ();
        remark_end (fun);
        return 0;
    }
};

static void add_pass (const char *plugin_name, opt_pass *pass, const char *reference, enum pass_positioning_ops where)
{
    struct register_pass_info info = { pass, reference, 1, where };
    register_callback (plugin_name, PLUGIN_PASS_MANAGER_SETUP, nullptr, &info);
}

void remark_register_passes (const char *plugin_name)
{
    add_pass (plugin_name, new writes_pass (g), "fix_loops", PASS_POS_INSERT_AFTER);
    add_pass (plugin_name, new facts_pass (g), "ifcvt", PASS_POS_INSERT_BEFORE);
    add_pass (plugin_name, new verdict_pass (g), "vect", PASS_POS_INSERT_AFTER);
    add_pass (plugin_name, new remarks_pass (g), "profplug", PASS_POS_INSERT_BEFORE);
    add_pass (plugin_name, new jumps_pass (g), "final", PASS_POS_INSERT_BEFORE);
    callee_register (plugin_name);
    remarktable_register (plugin_name);
}
