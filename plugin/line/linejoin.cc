/* SPDX-License-Identifier: GPL-3.0-or-later */
/* linejoin.cc: finds ways through a function that no line tells apart, as those of `x = c ? a : b`. Between the branch
 * and where they meet again they become one block of the graph, so that no counter stands in them: GCC makes a
 * conditional move of such ways, and a counter would leave a jump that the processor guesses wrong. Must not know what
 * edges get a counter. */
#include "gcc.h"
#include "plugin.h"
#include "line/linecount.h"

enum { WAYS = 12 };                    /* blocks between a branch and where its ways meet, at most */

static bool is_there (location_t location)
{
    return LOCATION_LOCUS (location) > BUILTINS_LOCATION;
}

static bool is_line (location_t location, location_t line)
{
    expanded_location a = expand_location (location), b = expand_location (line);
    return a.line == b.line && a.file && b.file && !strcmp (a.file, b.file);
}

/* The location of the branch at the block's end, or none. */
static location_t branch_location (basic_block block)
{
    for (gimple_stmt_iterator at = gsi_last_nondebug_bb (block); !gsi_end_p (at); gsi_prev_nondebug (&at))
        if (is_there (gimple_location (gsi_stmt (at))))
            return gimple_location (gsi_stmt (at));
    return UNKNOWN_LOCATION;
}

static bool are_plain (vec<edge, va_gc> *edges, location_t line)
{
    edge e;
    edge_iterator i;
    FOR_EACH_EDGE (e, i, edges)
        if (e->flags & (EDGE_ABNORMAL | EDGE_EH | EDGE_FAKE)
            || (line && is_there (e->goto_locus) && !is_line (e->goto_locus, line)))
            return false;
    return true;
}

/* Does the block only compute, and nothing that has a mark or (where `line` is one) another line? */
static bool is_plain (basic_block block, location_t line)
{
    for (gimple_stmt_iterator at = gsi_start_bb (block); !gsi_end_p (at); gsi_next (&at)) {
        gimple *statement = gsi_stmt (at);
        enum gimple_code code = gimple_code (statement);
        if (is_gimple_debug (statement) || code == GIMPLE_PREDICT || code == GIMPLE_NOP)
            continue;
        if (code != GIMPLE_ASSIGN && code != GIMPLE_COND
            && (code != GIMPLE_LABEL || FORCED_LABEL (gimple_label_label (as_a<glabel *> (statement)))))
            return false;
        if (gimple_has_volatile_ops (statement) || linereturn_may_not (statement)
            || (line && is_there (gimple_location (statement)) && !is_line (gimple_location (statement), line)))
            return false;
    }
    return are_plain (block->succs, line);
}

static bool comes_from (basic_block block, basic_block branch, vec<basic_block> *ways)
{
    edge e;
    edge_iterator i;
    FOR_EACH_EDGE (e, i, block->preds)
        if (e->src != branch && !ways->contains (e->src))
            return false;
    return true;
}

static void follow (basic_block block, vec<basic_block> *ahead)
{
    edge e;
    edge_iterator i;
    FOR_EACH_EDGE (e, i, block->succs)
        if (!ahead->contains (e->dest))
            ahead->safe_push (e->dest);
}

/* Where the ways from the branch meet, or null: they are told apart, or some go elsewhere. A block is taken once all
 * that leads to it was, so there is no loop among them. */
static basic_block find_meeting (basic_block branch, bool with_lines, vec<basic_block> *ways)
{
    gimple *last = last_nondebug_stmt (branch);
    location_t line = with_lines ? branch_location (branch) : UNKNOWN_LOCATION;
    if (!last || gimple_code (last) != GIMPLE_COND || (with_lines && !line) || !are_plain (branch->succs, line))
        return nullptr;
    auto_vec<basic_block> ahead;
    follow (branch, &ahead);
    for (;;) {
        unsigned i = 0;
        while (i < ahead.length () && !comes_from (ahead[i], branch, ways))
            i++;
        if (i == ahead.length () || ahead[i] == EXIT_BLOCK_PTR_FOR_FN (cfun))
            return nullptr;
        basic_block next = ahead[i];
        if (ahead.length () == 1)
            return next;
        if (ways->length () == WAYS || !is_plain (next, line))
            return nullptr;
        ahead.unordered_remove (i);
        ways->safe_push (next);
        follow (next, &ahead);
    }
}

basic_block linejoin_last (const struct line_graph *graph, basic_block block)
{
    while (graph->next[block->index])
        block = graph->next[block->index];
    return block;
}

void linejoin (function *fun, struct line_graph *graph, bool with_lines, vec<bool> *inner)
{
    basic_block block;
    graph->next.safe_grow_cleared (last_basic_block_for_fn (fun));
    inner->safe_grow_cleared (last_basic_block_for_fn (fun));
    FOR_EACH_BB_FN (block, fun) {
        auto_vec<basic_block> ways;
        basic_block meeting = find_meeting (block, with_lines, &ways);
        if (!meeting)
            continue;
        graph->next[block->index] = meeting;
        (*inner)[meeting->index] = true;
        for (basic_block way : ways)
            (*inner)[way->index] = true;
    }
}
