/* SPDX-License-Identifier: GPL-3.0-or-later */
/* naps.cc: remarks on loops that sleep: those that do nothing but look whether memory has changed, which another thread
 * or process must do; and those that end by themselves, so that the sleep sets a pace. Of all others nothing is said.
 * Must not know how long they sleep. */
#include "gcc.h"
#include "plugin.h"
#include "remark/remarks.h"

#define OPERATIONS_MOST 8 /* between what is looked at and the condition */

/* What conditions come from that may end a loop. */
struct looked {
    explicit looked (class loop *l) : loop (l) {}
    class loop *loop;
    tree memory = NULL_TREE;  /* that is read; null: none */
    /* numbers of the loop's own; what functions return; more than was followed */
    bool steps = false, calls = false, many = false;
    hash_set<tree> seen;
};

static void looked_follow (struct looked *of, tree value, int operations)
{
    if (TREE_CODE (value) != SSA_NAME || remark_is_invariant (of->loop, value) || of->seen.add (value))
        return;
    gimple *made = SSA_NAME_DEF_STMT (value);
    const char *name = remark_library_name (made);
    if (!operations)
        of->many = true;
    else if (gimple_code (made) == GIMPLE_PHI) {
        of->steps |= gimple_bb (made) == of->loop->header;
        for (unsigned i = 0; i < gimple_phi_num_args (made); i++)
            looked_follow (of, gimple_phi_arg_def (made, i), operations - 1);
    } else if (name && !strncmp (name, "__atomic_load_", 14))
        of->memory = gimple_call_arg (made, 0);
    else if (!is_gimple_assign (made))
        of->calls = true;
    else if (gimple_assign_load_p (made))
        of->memory = gimple_assign_rhs1 (made);
    else
        for (unsigned i = 1; i < gimple_num_ops (made); i++)
            looked_follow (of, gimple_op (made, i), operations - 1);
}

/* By its last statement the block decides whether the loop goes on. */
static void block_follow (struct looked *of, basic_block block)
{
    gimple *last = last_nondebug_stmt (block);
    if (!last || gimple_code (last) != GIMPLE_COND) {
        of->many = true;
        return;
    }
    looked_follow (of, gimple_cond_lhs (last), OPERATIONS_MOST);
    looked_follow (of, gimple_cond_rhs (last), OPERATIONS_MOST);
}

/* It counts, maybe up to a number in memory. */
static bool ends_by_itself (class loop *loop)
{
    struct looked of (loop);
    auto_vec<edge> exits = get_loop_exit_edges (loop);
    if (exits.length () != 1 || !loop->latch || !dominated_by_p (CDI_DOMINATORS, loop->latch, exits[0]->src))
        return false;
    block_follow (&of, exits[0]->src);
    return of.steps && !of.calls && !of.many;
}

/* Nothing but locks, clocks and sleeps, and no write: what ends the loop is done elsewhere. */
static bool only_looks (class loop *loop)
{
    static const char *const harmless[] = { "usleep", "nanosleep", "clock_nanosleep", "thrd_sleep", "sleep",
                                            "sched_yield", "pthread_mutex_lock", "pthread_mutex_unlock",
                                            "pthread_rwlock_rdlock", "pthread_rwlock_unlock", "clock_gettime",
                                            "__errno_location" };
    basic_block *blocks = get_loop_body (loop);
    bool looks = true;
    for (unsigned i = 0; i < loop->num_nodes && looks; i++)
        for (gimple_stmt_iterator at = gsi_start_bb (blocks[i]); !gsi_end_p (at) && looks; gsi_next_nondebug (&at)) {
            gimple *statement = gsi_stmt (at);
            const char *name = remark_library_name (statement);
            if (lineslot_is_counter (statement) || gimple_clobber_p (statement))
                continue;
            if (is_gimple_call (statement) && !(name && !strncmp (name, "__atomic_load_", 14)))
                looks = remark_is_any_of (name, harmless, ARRAY_SIZE (harmless));
            else if (gimple_store_p (statement)) {
                tree base = get_base_address (gimple_assign_lhs (statement));
                looks = base && VAR_P (base) && auto_var_in_fn_p (base, current_function_decl);
            }
        }
    free (blocks);
    return looks;
}

void nap_remark (class loop *loop, gimple *statement)
{
    static const char *const naps[] = { "usleep", "nanosleep", "clock_nanosleep", "thrd_sleep", "sleep" };
    if (!remark_is_any_of (remark_library_name (statement), naps, ARRAY_SIZE (naps)))
        return;
    struct looked of (loop);
    for (edge one : get_loop_exit_edges (loop))
        block_follow (&of, one->src);
    if (of.memory && !of.steps && !of.calls && !of.many && only_looks (loop)) {
        char *text = remark_text (of.memory), *name = text + (text[0] == '&');
        bool is_lost = !strncmp (name, "...", 3) || *name == '*';
        remark_add (PP_REMARK_WATCH, 0, gimple_location (statement), 0, is_lost ? "memory" : name);
        free (text);
        return;
    }
    while (loop_outer (loop) && ends_by_itself (loop))
        loop = loop_outer (loop);
    if (!loop_outer (loop))
        remark_add (PP_REMARK_PACE, 0, gimple_location (statement), 0);
}
