/* SPDX-License-Identifier: GPL-3.0-or-later */
/* seldom.cc: remarks on what not every round of a loop does, nor every call of a function: calls of other functions,
 * and loops that stand there or are inlined there. Where that takes long, some rounds are far slower than the others.
 * Must not know how often they come, nor how long they take. */
#include "gcc.h"
#include "plugin.h"
#include "remark/remarks.h"

#define BLOCKS_MOST 40                   /* of a function without a loop around it */

/* The function of this unit that the statement calls, or null. */
static tree own_callee (gimple *statement)
{
    tree function = is_gimple_call (statement) ? gimple_call_fndecl (statement) : NULL_TREE;
    cgraph_node *node = function ? cgraph_node::get (function) : nullptr;
    return node && node->ultimate_alias_target ()->definition && function != current_function_decl
           && strncmp (function_name (function), "__profplug_", 11) ? function : NULL_TREE;
}

static const char *symbol_of (tree function)
{
    const char *name = IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (function));
    return name + (*name == '*');
}

/* ---- what decides ---- */

/* The innermost loop around the block of which not every round comes there; null: none. */
static class loop *choosy_loop (basic_block block)
{
    for (class loop *loop = block->loop_father; loop && loop_outer (loop); loop = loop_outer (loop)) {
        if (loop->latch && !dominated_by_p (CDI_DOMINATORS, loop->latch, block))
            return loop;
        block = loop->header;
    }
    return nullptr;
}

/* A block that every call comes to which returns, as late as it can be; null: none returns. */
static basic_block end_of_function ()
{
    basic_block last = nullptr;
    edge back;
    edge_iterator at;
    FOR_EACH_EDGE (back, at, EXIT_BLOCK_PTR_FOR_FN (cfun)->preds)
        last = last ? nearest_common_dominator (CDI_DOMINATORS, last, back->src) : back->src;
    return last;
}

/* The last block before it that comes each time. */
static basic_block decision_of (basic_block block, basic_block always)
{
    do
        block = get_immediate_dominator (CDI_DOMINATORS, block);
    while (block && !dominated_by_p (CDI_DOMINATORS, always, block));
    return block;
}

static tree without_casts (tree value)
{
    while (TREE_CODE (value) == SSA_NAME && is_gimple_assign (SSA_NAME_DEF_STMT (value))
           && CONVERT_EXPR_CODE_P (gimple_assign_rhs_code (SSA_NAME_DEF_STMT (value))))
        value = gimple_assign_rhs1 (SSA_NAME_DEF_STMT (value));
    return value;
}

/* The statement, if it computes from a number of GCC's, as x + 1 or x % 64. */
static gassign *computes (tree value, enum tree_code code)
{
    value = without_casts (value);
    gassign *made = TREE_CODE (value) == SSA_NAME ? dyn_cast<gassign *> (SSA_NAME_DEF_STMT (value)) : nullptr;
    return made && gimple_assign_rhs_code (made) == code && TREE_CODE (gimple_assign_rhs2 (made)) == INTEGER_CST
           ? made : nullptr;
}

static bool is_counter (tree value);

/* Do all callers in this unit hand in a counter? Their bodies are there: callers are compiled after what they call. */
static bool is_counted_by_callers (tree parameter)
{
    cgraph_node *node = cgraph_node::get (current_function_decl);
    unsigned index = 0;
    for (tree one = DECL_ARGUMENTS (current_function_decl); one && one != parameter; one = DECL_CHAIN (one))
        index++;
    for (cgraph_edge *call = node ? node->callers : nullptr; call; call = call->next_caller)
        if (!call->call_stmt || call->caller->decl == current_function_decl
            || index >= gimple_call_num_args (call->call_stmt)
            || !is_counter (gimple_call_arg (call->call_stmt, index)))
            return false;
    return node && node->callers;
}

/* Does it go on by equal steps from round to round: what was, and a number? In memory, too, if the sum is at hand. */
static bool is_counter (tree value)
{
    value = without_casts (value);
    gassign *sum = computes (value, PLUS_EXPR);
    tree of = sum ? without_casts (gimple_assign_rhs1 (sum)) : value;
    if (TREE_CODE (of) != SSA_NAME)
        return false;
    gimple *made = SSA_NAME_DEF_STMT (of);
    if (SSA_NAME_IS_DEFAULT_DEF (of))
        return SSA_NAME_VAR (of) && TREE_CODE (SSA_NAME_VAR (of)) == PARM_DECL
               && DECL_CONTEXT (SSA_NAME_VAR (of)) == current_function_decl
               && is_counted_by_callers (SSA_NAME_VAR (of));
    if (sum && gimple_assign_load_p (made))
        return true;
    gphi *phi = dyn_cast<gphi *> (made);
    for (unsigned i = 0; phi && i < gimple_phi_num_args (phi); i++) {
        gassign *next = computes (gimple_phi_arg_def (phi, i), PLUS_EXPR);
        if (next && without_casts (gimple_assign_rhs1 (next)) == of)
            return true;
    }
    return phi && sum;
}

/* A counter modulo a number, or one that is compared for equality, after which it begins anew. */
static bool is_regular (gimple *decision)
{
    gcond *cond = decision ? dyn_cast<gcond *> (decision) : nullptr;
    if (!cond || (gimple_cond_code (cond) != EQ_EXPR && gimple_cond_code (cond) != NE_EXPR))
        return false;
    tree value = gimple_cond_lhs (cond);
    if (gassign *rest = computes (value, TRUNC_MOD_EXPR))
        return is_counter (gimple_assign_rhs1 (rest));
    if (gassign *bits = computes (value, BIT_AND_EXPR))
        return is_counter (gimple_assign_rhs1 (bits));
    return TREE_CODE (gimple_cond_rhs (cond)) == INTEGER_CST && !integer_zerop (gimple_cond_rhs (cond))
           && is_counter (value);
}

/* ---- what every round does ---- */

/* What every round of the loop does, and is counted: a call of another function, or an inner loop, whose line is
 * given. False: nothing is known. */
static bool each_round (class loop *loop, tree except, const char **symbol, unsigned *line)
{
    basic_block *blocks = get_loop_body (loop);
    unsigned depth = UINT_MAX;                             /* of the inner loop: an outer one is entered less often */
    for (unsigned i = 0; i < loop->num_nodes && !*symbol; i++) {
        if (!dominated_by_p (CDI_DOMINATORS, loop->latch, blocks[i]))
            continue;
        class loop *inner = blocks[i]->loop_father;
        if (inner != loop && !inner->inner && loop_depth (inner) < depth && remark_loop_number (inner)) {
            depth = loop_depth (inner);
            *line = LOCATION_LINE (remark_loop_at (remark_loop_number (inner))->where);
        }
        for (gimple_stmt_iterator at = gsi_start_bb (blocks[i]); inner == loop && !gsi_end_p (at); gsi_next (&at)) {
            tree function = own_callee (gsi_stmt (at));
            if (function && function != except)
                *symbol = symbol_of (function);
        }
    }
    free (blocks);
    return *symbol || *line;
}

/* Not every call of the current function comes to the block, and calls are counted. */
static bool is_seldom_called (basic_block block)
{
    basic_block end = end_of_function ();
    return end && !MAIN_NAME_P (DECL_NAME (current_function_decl)) && n_basic_blocks_for_fn (cfun) <= BLOCKS_MOST
           && !dominated_by_p (CDI_DOMINATORS, end, block);
}

/* ---- calls ---- */

void seldom_remark (basic_block block, gimple *statement)
{
    tree callee = own_callee (statement);
    if (!callee)
        return;
    const char *symbol = nullptr;
    unsigned line = 0;
    class loop *loop = choosy_loop (block);
    if (loop) {
        if (!each_round (loop, callee, &symbol, &line))
            return;
    } else {
        if (TREE_PUBLIC (callee) || !is_seldom_called (block))
            return;
        symbol = symbol_of (current_function_decl);
    }
    basic_block decision = decision_of (block, loop ? loop->latch : end_of_function ());
    if (decision && is_regular (last_nondebug_stmt (decision)))
        remark_add (PP_REMARK_REGULAR, 0, gimple_location (statement), 0);
    remark_add (PP_REMARK_SELDOM, 0, gimple_location (statement), symbol ? 0 : line, symbol_of (callee), symbol);
}

class loop *seldom_call (basic_block block, gimple *statement)
{
    return own_callee (statement) ? choosy_loop (block) : nullptr;
}

/* ---- loops ---- */

/* Where it stands in this source: the call there of what it was inlined from. */
static location_t seen_from (location_t where, tree source)
{
    for (tree body = remark_body (LOCATION_BLOCK (where)); body != source;
         body = remark_body (BLOCK_SUPERCONTEXT (body))) {
        if (!body)
            return UNKNOWN_LOCATION;
        where = BLOCK_SOURCE_LOCATION (body);
    }
    return where;
}

/* Its lines there, and what it has. */
static void describe (class loop *loop, tree source, const char *file, struct seldom_piece *piece)
{
    basic_block *blocks = get_loop_body (loop);
    for (unsigned i = 0; i < loop->num_nodes; i++)
        for (gimple_stmt_iterator at = gsi_start_nondebug_bb (blocks[i]); !gsi_end_p (at); gsi_next_nondebug (&at)) {
            gimple *statement = gsi_stmt (at);
            location_t own = gimple_location (statement), where = seen_from (own, source);
            piece->calls |= is_gimple_call (statement) && !gimple_call_internal_p (statement)
                            && !gimple_call_builtin_p (statement);
            if (LOCATION_LOCUS (own) <= BUILTINS_LOCATION || LOCATION_LOCUS (where) <= BUILTINS_LOCATION
                || !LOCATION_FILE (where) || strcmp (LOCATION_FILE (where), file))
                continue;
            unsigned line = LOCATION_LINE (where);
            piece->inlined &= remark_body (LOCATION_BLOCK (own)) != source;
            piece->where = !piece->first || line < piece->first ? where : piece->where;
            piece->first = !piece->first || line < piece->first ? line : piece->first;
            piece->last = line > piece->last ? line : piece->last;
        }
    free (blocks);
    piece->calls |= loop->inner != nullptr;
}

/* The time of its lines shall be its own: so no other round may do something there. */
bool seldom_find (class loop *loop, struct seldom_piece *piece)
{
    class loop *round = loop_outer (loop_outer (loop) ? loop_outer (loop) : loop) ? loop_outer (loop) : nullptr;
    basic_block always = round ? round->latch : end_of_function ();
    *piece = {};
    if (!always || dominated_by_p (CDI_DOMINATORS, always, loop->header))
        return false;
    basic_block decided = decision_of (loop->header, always);
    gimple *decision = decided ? last_nondebug_stmt (decided) : nullptr;
    location_t where = decision ? gimple_location (decision) : UNKNOWN_LOCATION;
    if (LOCATION_LOCUS (where) <= BUILTINS_LOCATION || !LOCATION_FILE (where)
        || (round && !flow_bb_inside_loop_p (round, decided)))
        return false;
    piece->round = round;
    piece->inlined = true;
    describe (loop, remark_body (LOCATION_BLOCK (where)), LOCATION_FILE (where), piece);
    unsigned line = LOCATION_LINE (where);
    if (!piece->first || (piece->inlined ? piece->first != piece->last : line >= piece->first && line <= piece->last))
        return false;
    piece->regular = is_regular (decision);
    if (round)
        each_round (round, NULL_TREE, &piece->symbol, &piece->line);
    else if (is_seldom_called (loop->header))
        piece->symbol = symbol_of (current_function_decl);
    return true;
}

void seldom_piece_remark (const struct seldom_piece *piece, uint64_t entries, const struct seldom_rounds *rounds)
{
    char text[80];
    snprintf (text, sizeof text, "%016llx %016llx %lld %d", (unsigned long long) entries,
              (unsigned long long) rounds->id, (long long) rounds->step, rounds->more);
    if (piece->regular)
        remark_add (PP_REMARK_REGULAR, 0, piece->where, 0);
    remark_add (PP_REMARK_PIECE, 0, piece->where,
                (int64_t) piece->last << 32 | (int64_t) piece->inlined << 31 | (piece->symbol ? 0 : piece->line), text,
                piece->symbol);
}

void seldom_rounds_remark (location_t where, const struct seldom_rounds *rounds)
{
    char text[80];
    snprintf (text, sizeof text, "%016llx %016llx %lld %d", 0ULL, (unsigned long long) rounds->id,
              (long long) rounds->step, rounds->more);
    remark_add (PP_REMARK_ROUNDS, 0, where, 0, text);
}
