/* SPDX-License-Identifier: GPL-3.0-or-later */
/* looptrips.cc: two passes that count entries and steps of innermost loops that nobody annotated (loops=auto). No code
 * goes into a loop but one addition where a list or a tree is searched: steps follow from a variable that goes by equal
 * steps anyway, and are added up outside.
 *
 *   for (i = 0; i < n; i++)              before it: array[ENTRIES] += 1; array[SUM] += n;
 *   for (p = s; *p; p++)                 before it: array[ENTRIES] += 1; at its exits: array[SUM] += p - s;
 *   for (j = 0; j < m; j++)              before the outer one, if it does nothing but this: array[ENTRIES] += m;
 *     for (i = 0; i < n; i++)                array[SUM] += m * n; a store in it would keep GCC from vectorizing
 *   for (; list; list = list->next)      where it is searched, a register of ours counts the steps
 *   if (++n == most) for (...)           the entries of any loop that some rounds of another skip, and those rounds
 *
 * The first pass runs before vectorization, and takes loops whose steps GCC can compute when they are entered. Others
 * are never vectorized. The second one takes these after induction variables were chosen, so that none is kept for the
 * profiler alone. An array of linecount.cc belongs to one copy of a loop. A remark names its id and says how steps
 * follow from the sums. Must not know where counters are at run time, nor who reads them. */
#include "gcc.h"
#include "plugin.h"
#include "emit.h"
#include "line/linecount.h"
#include "remark/remarks.h"

enum {
    FEW = 16,                          /* steps: a loop that never goes round more often is not counted */
    EXITS = 3,                         /* loops=auto: more of them take more code than they are worth */
    TEXT_STATEMENTS = 12               /* loops=auto: a loop over text with no more is not counted */
};
/* Elements of a loop's array. They are not neighbours, because GCC would add to both in a vector, which takes more. */
enum { ENTRIES = 0, SUM = 2 };

struct count {
    tree before;                       /* what is added up before the loop; null: a variable is looked at, or nothing */
    tree variable, next, start;        /* at the loop's header, at the end of a step, before the loop */
    int64_t step;                      /* what a step adds to the sum */
    bool more;                         /* each entry goes round once more than the sum says */
};

/* ---- how steps can be told ---- */

static bool is_integer (tree type)
{
    return (INTEGRAL_TYPE_P (type) || POINTER_TYPE_P (type)) && TYPE_PRECISION (type) >= 32
           && TYPE_PRECISION (type) <= 64;
}

/* GCC's own formula. */
static bool find_formula (class loop *loop, struct count *count)
{
    tree latch = number_of_latch_executions (loop);
    if (!latch || chrec_contains_undetermined (latch))
        return false;
    if (tree_fits_uhwi_p (latch)) {
        count->step = tree_to_uhwi (latch) + 1;
        return tree_to_uhwi (latch) >= FEW && tree_to_uhwi (latch) < INT64_MAX / 4;
    }
    tree type = TREE_TYPE (latch);
    if (!INTEGRAL_TYPE_P (type) || TYPE_PRECISION (type) > 64)
        return false;
    /* n - 1 times to the latch is n steps, and n is at hand: an addition in memory, and nothing else */
    tree steps = fold_build2 (PLUS_EXPR, type, unshare_expr (latch), build_one_cst (type));
    count->more = TREE_CODE (steps) == PLUS_EXPR && integer_onep (TREE_OPERAND (steps, 1));
    count->before = count->more ? latch : steps;
    count->step = 1;
    return true;
}

/* Is the value there at the exit? */
static bool reaches_exit (tree value, edge out)
{
    return dominated_by_p (CDI_DOMINATORS, out->src, gimple_bb (SSA_NAME_DEF_STMT (value)));
}

/* The variable that costs least: best is one that begins at 0 and is there at the exits. */
static bool find_variable (class loop *loop, const vec<edge> *exits, struct count *count)
{
    int best = -1;
    for (gphi_iterator at = gsi_start_phis (loop->header); !gsi_end_p (at); gsi_next (&at)) {
        tree name = gimple_phi_result (at.phi ());
        affine_iv iv;
        if (VECTOR_TYPE_P (TREE_TYPE (name)))              /* its steps are no longer those of the source */
            return false;
        if (virtual_operand_p (name) || !is_integer (TREE_TYPE (name)) || !simple_iv (loop, loop, name, &iv, false)
            || TREE_CODE (iv.step) != INTEGER_CST || integer_zerop (iv.step))
            continue;
        int64_t step = int_cst_value (iv.step);             /* of an unsigned variable, too, it may be below 0 */
        tree start = PHI_ARG_DEF_FROM_EDGE (at.phi (), loop_preheader_edge (loop)),
             next = PHI_ARG_DEF_FROM_EDGE (at.phi (), loop_latch_edge (loop));
        if (TREE_CODE (next) != SSA_NAME || step < -65536 || step > 65536)
            continue;
        bool by_next = true;
        for (edge out : *exits)
            by_next = by_next && reaches_exit (next, out);
        int worth = 1 + (TREE_CODE (start) == INTEGER_CST) + integer_zerop (start) + (step > 0) + by_next;
        if (worth <= best)
            continue;
        best = worth;
        count->variable = name;
        count->next = next;
        count->start = start;
        count->step = step;
        count->more = !by_next;
    }
    return best >= 0;
}

/* ---- the code ---- */

/* A variable of our own, that begins at 0 and goes on by one: a list has none. */
static void make_variable (class loop *loop, struct count *count)
{
    gimple_stmt_iterator at = gsi_after_labels (loop->header);
    count->variable = make_ssa_name (uint64_type_node);
    count->next = make_ssa_name (uint64_type_node);
    count->start = build_zero_cst (uint64_type_node);
    count->step = 1;
    gphi *phi = create_phi_node (count->variable, loop->header);
    add_phi_arg (phi, count->start, loop_preheader_edge (loop), UNKNOWN_LOCATION);
    add_phi_arg (phi, count->next, loop_latch_edge (loop), UNKNOWN_LOCATION);
    gsi_insert_before (&at,
                       gimple_build_assign (count->next, PLUS_EXPR, count->variable, build_one_cst (uint64_type_node)),
                       GSI_SAME_STMT);
}

static tree wide (tree value)
{
    return fold_convert (uint64_type_node, unshare_expr (value));
}

static void add_before (class loop *loop, tree array, unsigned counter, tree more)
{
    gimple_seq sequence = nullptr;
    more = force_gimple_operand (wide (more), &sequence, true, NULL_TREE);
    gimple_seq_add_seq_without_update (&sequence, linecount_add (array, counter, more));
    gsi_insert_seq_on_edge_immediate (loop_preheader_edge (loop), sequence);
}

/* The value on the edge out of the loop, in a phi, as loops in closed form have it. */
static tree value_at_exit (edge out, tree value)
{
    for (gphi_iterator at = gsi_start_phis (out->dest); !gsi_end_p (at); gsi_next (&at))
        if (PHI_ARG_DEF_FROM_EDGE (at.phi (), out) == value)
            return gimple_phi_result (at.phi ());
    tree name = copy_ssa_name (value);
    add_phi_arg (create_phi_node (name, out->dest), value, out, UNKNOWN_LOCATION);
    return name;
}

/* array[SUM] += variable - start; less a step where the variable went on before the exit, if there are exits where it
 * did not. So no exit keeps an older value alive. */
static void add_at_exit (edge out, tree array, const struct count *count)
{
    bool went_on = reaches_exit (count->next, out);
    if (!single_pred_p (out->dest))
        out = single_pred_edge (split_edge (out));
    tree end = value_at_exit (out, went_on ? count->next : count->variable),
         type = unsigned_type_for (TREE_TYPE (end)), start = fold_convert (type, unshare_expr (count->start));
    end = fold_convert (type, end);
    if (went_on && count->more)
        start = fold_build2 (PLUS_EXPR, type, start, build_int_cst (type, count->step));
    bool up = count->step > 0;
    tree went = fold_build2 (MINUS_EXPR, type, up ? end : start, up ? start : end);
    gimple_seq sequence = nullptr;
    went = force_gimple_operand (fold_convert (uint64_type_node, went), &sequence, true, NULL_TREE);
    gimple_seq_add_seq_without_update (&sequence, linecount_add (array, SUM, went));
    gimple_stmt_iterator at = gsi_after_labels (out->dest);
    gsi_insert_seq_before (&at, sequence, GSI_SAME_STMT);
}

/* May code stand before the loop? */
static bool is_open_before (class loop *loop)
{
    return !(loop->header->flags & BB_IRREDUCIBLE_LOOP) && loop->latch && EDGE_COUNT (loop->header->preds) == 2
           && !(loop_preheader_edge (loop)->flags & EDGE_COMPLEX);
}

/* ---- a loop that does little but go through another one ---- */

/* Is there nothing in the loop that could leave it but its exits? */
static bool is_plain (class loop *loop)
{
    bool plain = true;
    basic_block *blocks = get_loop_body (loop);
    for (unsigned i = 0; plain && i < loop->num_nodes; i++)
        for (gimple_stmt_iterator at = gsi_start_nondebug_bb (blocks[i]); plain && !gsi_end_p (at);
             gsi_next_nondebug (&at)) {
            gimple *statement = gsi_stmt (at);
            plain = gimple_code (statement) != GIMPLE_ASM && !stmt_can_throw_internal (cfun, statement)
                    && !(is_gimple_call (statement) && gimple_has_side_effects (statement));
        }
    free (blocks);
    return plain;
}

/* The loop around this one, if each of its rounds goes through this one, which has the same number of steps in all of
 * them; and how often its latch will be reached, which is known before. */
static class loop *frame_of (class loop *loop, const struct count *count, tree *latch)
{
    class loop *outer = loop_outer (loop);
    if (loop_depth (loop) < 2 || outer->inner != loop || loop->next || !count->step || !is_open_before (outer)
        || (count->before && !expr_invariant_in_loop_p (outer, count->before)))
        return nullptr;
    auto_vec<edge> exits;
    exits.safe_splice (get_loop_exit_edges (outer));
    *latch = number_of_latch_executions (outer);
    bool known = exits.length () == 1 && *latch && !chrec_contains_undetermined (*latch)
                 && INTEGRAL_TYPE_P (TREE_TYPE (*latch)) && TYPE_PRECISION (TREE_TYPE (*latch)) <= 64;
    return known && dominated_by_p (CDI_DOMINATORS, exits[0]->src, loop->header) && is_plain (outer) ? outer : nullptr;
}

/* ---- the passes ---- */
#define TRIPS_PASS(name, text)                                                                       \
    static const struct pass_data name##_data = { GIMPLE_PASS, text, OPTGROUP_NONE, TV_NONE,         \
                                                  PROP_cfg | PROP_ssa, 0, 0, 0, 0 };                 \
    class name : public gimple_opt_pass {                                                            \
    public:                                                                                          \
        name (gcc::context *context) : gimple_opt_pass (name##_data, context) {}                     \
        bool gate (function *fun) final override                                                     \
        {                                                                                            \
            return (arguments.loops == LOOPS_AUTO || arguments.loops == LOOPS_ALL) && remark_has_begun (fun) \
                   && segment_is_used ();                                                            \
        }                                                                                            \
        unsigned int execute (function *fun) final override;                                         \
    };
TRIPS_PASS (formula_pass, "profplug_trips")
TRIPS_PASS (variable_pass, "profplug_trips2")
#undef TRIPS_PASS

/* Of the current function, by the loop's number. Copies of a loop share its number: all are counted, or none. */
enum fate { UNDECIDED, BY_FORMULA, BY_VARIABLE, BY_ENTRIES, NOT_AT_ALL };
static struct {
    function *fun;
    unsigned copies;
    auto_vec<enum fate> fates;
    auto_vec<unsigned> seen;           /* how many copies there were before vectorization */
    hash_map<class loop *, uint64_t> ids;  /* of those whose entries are counted */
} work;

/* May code stand before the loop and at its exits? */
static bool is_open (class loop *loop, const vec<edge> *exits)
{
    for (edge out : *exits)
        if (out->flags & EDGE_COMPLEX)
            return false;
    return !exits->is_empty () && is_open_before (loop);
}

static uint64_t id_of (function *fun, unsigned loop, const struct count *count)
{
    char text[160];
    const char *parts[] = { function_symbol (fun->decl), LOCATION_FILE (DECL_SOURCE_LOCATION (fun->decl)), text };
    uint64_t hash = UINT64_C (0xcbf29ce484222325);
    snprintf (text, sizeof text, "%u %u %lld %d", loop, work.copies++, (long long) count->step, count->more);
    for (const char *part : parts)
        for (; part && *part; part++)
            hash = (hash ^ (unsigned char) *part) * UINT64_C (0x100000001b3);
    return hash ^ hash >> 29;
}

/* Counts that are added up before the loop around theirs, after those of nests were looked at there. */
struct framed {
    class loop *outer;
    tree array, before, latch;
};

static void framed_add (const struct framed *one)
{
    tree rounds = fold_build2 (PLUS_EXPR, uint64_type_node, wide (one->latch), build_one_cst (uint64_type_node));
    add_before (one->outer, one->array, ENTRIES, rounds);
    if (one->before)
        add_before (one->outer, one->array, SUM,
                    fold_build2 (MULT_EXPR, uint64_type_node, wide (one->before), rounds));
}

static void add_sums (class loop *loop, const vec<edge> *exits, const struct count *count, tree array)
{
    add_before (loop, array, ENTRIES, build_one_cst (uint64_type_node));
    if (count->before)
        add_before (loop, array, SUM, count->before);
    if (count->variable)
        for (edge out : *exits)
            add_at_exit (out, array, count);
}

static tree insert (function *fun, class loop *loop, const vec<edge> *exits, const struct count *count,
                    vec<struct framed> *framed)
{
    bool summed = count->before || count->variable;
    unsigned number = remark_loop_number (loop);
    uint64_t id = id_of (fun, number, count);
    tree array = linecount_array (id, summed ? SUM + 1 : ENTRIES + 1);
    work.ids.put (loop, id);
    char text[40];
    snprintf (text, sizeof text, "%016llx", (unsigned long long) id);
    remark_add (PP_REMARK_COUNTED, number, remark_loop_at (number)->where, count->step, text,
                !summed ? "entries" : count->more ? "sum+entries" : "sum");
    tree latch;
    if (class loop *outer = framed ? frame_of (loop, count, &latch) : nullptr) {
        framed->safe_push ({ outer, array, count->before, latch });
        return array;
    }
    add_sums (loop, exits, count, array);
    return array;
}

static void give_up (unsigned number, const char *why)
{
    work.fates[number] = NOT_AT_ALL;
    remark_add (PP_REMARK_UNCOUNTED, number, remark_loop_at (number)->where, 0, why);
}

/* With loops=auto a loop within another one is counted only if that takes no variable: it may be entered as often as it
 * goes round. */
static bool is_dear (class loop *loop, const vec<edge> *exits)
{
    return arguments.loops == LOOPS_AUTO && (exits->length () > EXITS || loop_depth (loop) > 1);
}

/* Does the loop do nothing but walk text? Loops that skip blanks or find the end of a word are entered about as often
 * as they go round, in functions that do little else, so the counters would be most of what these execute. Tables of
 * characters' classes have two bytes for each, as the C library's has. */
static bool walks_text (class loop *loop)
{
    bool found = false;
    unsigned statements = 0;
    basic_block *blocks = get_loop_body (loop);
    for (unsigned i = 0; i < loop->num_nodes; i++)
        for (gimple_stmt_iterator at = gsi_start_nondebug_bb (blocks[i]); !gsi_end_p (at); gsi_next_nondebug (&at)) {
            gimple *statement = gsi_stmt (at);
            if (is_gimple_call (statement) || gimple_code (statement) == GIMPLE_ASM)
                statements += TEXT_STATEMENTS + 1;
            else if (gimple_assign_load_p (statement)) {
                tree size = TYPE_SIZE_UNIT (TREE_TYPE (gimple_assign_lhs (statement)));
                unsigned HOST_WIDE_INT bytes = size && tree_fits_uhwi_p (size) ? tree_to_uhwi (size) : 0;
                found = found || bytes == 1;
                statements += bytes == 1 || bytes == 2 ? 1 : TEXT_STATEMENTS + 1;
            } else if (is_gimple_assign (statement) || gimple_code (statement) == GIMPLE_COND)
                statements++;
        }
    free (blocks);
    return found && statements <= TEXT_STATEMENTS;
}

/* How many elements a search looks at tells a long list from a chain of a hash table, and what a power by a factor
 * saves depends on the steps. Each takes longer than counting it. */
static bool is_worth_steps (class loop *loop)
{
    unsigned number = remark_loop_number (loop);
    return search_compares (loop) || remark_has (PP_REMARK_FACTORS, number) || remark_has (PP_REMARK_FORK, number)
           || remark_has (PP_REMARK_TRIAL, number) || remark_has (PP_REMARK_BITS, number)
           || remark_has (PP_REMARK_ORDERED, number) || remark_has (PP_REMARK_PROBE, number)
           || (remark_has (PP_REMARK_SEARCH, number) && remark_has (PP_REMARK_CHASE, number));
}

/* What is decided of the loop before vectorization. */
static enum fate judge (class loop *loop, struct count *count, const char **why)
{
    auto_vec<edge> exits;
    exits.safe_splice (get_loop_exit_edges (loop));
    HOST_WIDE_INT most = likely_max_loop_iterations_int (loop);
    *why = "its exits are not all ordinary jumps";
    if (!is_open (loop, &exits))
        return NOT_AT_ALL;
    *why = "it goes round a few times at most";
    if (most >= 0 && most < FEW)                           /* it may also be unrolled or peeled */
        return NOT_AT_ALL;
    if (find_formula (loop, count))
        return BY_FORMULA;
    if (count->step)
        return NOT_AT_ALL;
    /* how long one entry takes tells a sort of much from one of little */
    unsigned number = remark_loop_number (loop);
    if (is_worth_steps (loop) || remark_has (PP_REMARK_SEEK, number)
        || (arguments.loops == LOOPS_AUTO && remark_has (PP_REMARK_SORT, number)))
        return BY_ENTRIES;
    *why = "loops=all would count them";
    return is_dear (loop, &exits) || (arguments.loops == LOOPS_AUTO && walks_text (loop)) ? NOT_AT_ALL : BY_VARIABLE;
}

static void find_loops (function *fun, vec<class loop *> *loops)
{
    calculate_dominance_info (CDI_DOMINATORS);
    FOR_EACH_LOOP_OF (loop, fun, LI_ONLY_INNERMOST)
        if (remark_loop_number (loop))
            loops->safe_push (loop);
}

static void finish ()
{
    /* An exit may leave several loops, and the start may have been computed in one of them. */
    rewrite_into_loop_closed_ssa (nullptr, TODO_update_ssa);
    scev_reset ();
}

/* The outermost loop around it that the same function of the source has: how its work grows with its size is a matter
 * of that function, wherever it was inlined. */
static class loop *nest_of (class loop *loop)
{
    class loop *nest = loop;
    location_t where = remark_loop_at (remark_loop_number (loop))->where;
    for (class loop *outer = loop_outer (loop); outer && loop_outer (outer); outer = loop_outer (outer))
        if (remark_same_source (find_loop_location (outer).get_location_t (), where))
            nest = outer;
    return nest == loop ? superloop_at_depth (loop, 1) : nest;
}

/* For each outermost loop: all its counted loops. Its remark stands at the first of them. */
static void count_nests (function *fun, const vec<class loop *> *loops, const vec<class loop *> *nests,
                         const vec<struct loop_counter> *counters)
{
    hash_set<class loop *> seen;
    for (unsigned i = 0; i < nests->length (); i++) {
        class loop *nest = (*nests)[i];
        if (seen.add (nest))
            continue;
        auto_vec<struct loop_counter> inner;
        unsigned number = 0;
        for (unsigned k = i; k < nests->length (); k++)
            if ((*nests)[k] == nest)
                inner.safe_push ((*counters)[k]);
        for (class loop *loop : *loops)
            if (!number && loop_depth (loop) > 1 && nest_of (loop) == nest
                && work.fates[remark_loop_number (loop)] == BY_FORMULA)
                number = remark_loop_number (loop);
        struct count none = {};
        uint64_t id = id_of (fun, number, &none);
        char text[40];
        snprintf (text, sizeof text, "%016llx", (unsigned long long) id);
        if (loopnest_count (nest, &inner, id))
            remark_add (PP_REMARK_NEST, number, remark_loop_at (number)->where, 0, text);
    }
}

/* ---- loops to which not every round of the loop around them comes ---- */

/* Exits but those that end the program, which lose the last rounds' count. */
static void exits_of (class loop *loop, vec<edge> *exits)
{
    auto_vec<edge> all;
    all.safe_splice (get_loop_exit_edges (loop));
    for (edge out : all)
        if (EDGE_COUNT (out->dest->succs))
            exits->safe_push (out);
}

/* GCC's formula for the only exit, or a variable that is there anyway. */
static bool find_rounds (class loop *loop, const vec<edge> *exits, struct count *count)
{
    class tree_niter_desc steps;
    if (exits->length () == 1 && number_of_iterations_exit (loop, (*exits)[0], &steps, false)
        && INTEGRAL_TYPE_P (TREE_TYPE (steps.niter)) && TYPE_PRECISION (TREE_TYPE (steps.niter)) <= 64) {
        count->before = integer_zerop (steps.may_be_zero) ? steps.niter
                        : fold_build3 (COND_EXPR, TREE_TYPE (steps.niter), unshare_expr (steps.may_be_zero),
                                       build_zero_cst (TREE_TYPE (steps.niter)), steps.niter);
        count->step = 1;
        count->more = true;
        return true;
    }
    return find_variable (loop, exits, count);
}

/* Counts how often the loop goes round. */
static uint64_t count_rounds (function *fun, class loop *loop, struct count *count)
{
    auto_vec<edge> exits;
    exits_of (loop, &exits);
    if (!is_open (loop, &exits) || !find_rounds (loop, &exits, count))
        return 0;
    uint64_t id = id_of (fun, 0, count);
    add_sums (loop, &exits, count, linecount_array (id, SUM + 1));
    return id;
}

/* Of outermost loops in what runs once, as main does. An inner one may be entered as often as it goes round; and in all
 * functions these counts took 0.8 % more instructions in SQLite. */
static struct seldom_rounds *rounds_of (function *fun, class loop *loop,
                                        hash_map<class loop *, struct seldom_rounds> *known)
{
    bool existed;
    struct seldom_rounds &rounds = known->get_or_insert (loop, &existed);
    if (!existed) {
        struct count count = {};
        bool once = cgraph_node::get (fun->decl)->frequency == NODE_FREQUENCY_EXECUTED_ONCE;
        rounds.id = once && loop_depth (loop) == 1 ? count_rounds (fun, loop, &count) : 0;
        rounds.step = count.step;
        rounds.more = count.more;
    }
    return &rounds;
}

/* An entry of those that are not counted yet takes an instruction, which its calls or inner loops outweigh. */
static bool count_pieces (function *fun)
{
    hash_map<class loop *, struct seldom_rounds> known;
    const struct seldom_rounds none = {};
    bool inserted = false;
    FOR_EACH_LOOP_OF (loop, fun, 0) {
        struct seldom_piece piece;
        uint64_t *counted = work.ids.get (loop), entries = counted ? *counted : 0;
        if (!seldom_find (loop, &piece) || !is_open_before (loop) || (!entries && !piece.calls))
            continue;
        const struct seldom_rounds *rounds = piece.round ? rounds_of (fun, piece.round, &known) : &none;
        if (!entries && (rounds->id || piece.symbol || piece.line)) {
            struct count once = {};
            entries = id_of (fun, 0, &once);
            add_before (loop, linecount_array (entries, ENTRIES + 1), ENTRIES, build_one_cst (uint64_type_node));
        }
        seldom_piece_remark (&piece, entries, rounds);
        inserted = true;
    }
    basic_block block;
    FOR_EACH_BB_FN (block, fun)
        for (gimple_stmt_iterator at = gsi_start_bb (block); !gsi_end_p (at); gsi_next (&at))
            if (class loop *around = seldom_call (block, gsi_stmt (at))) {
                const struct seldom_rounds *rounds = rounds_of (fun, around, &known);
                if (rounds->id)
                    seldom_rounds_remark (gimple_location (gsi_stmt (at)), rounds);
                inserted |= rounds->id != 0;
            }
    return inserted;
}

/* Is it counted before vectorization? */
static bool is_early (enum fate fate)
{
    return fate == BY_FORMULA || fate == BY_ENTRIES;
}

unsigned int formula_pass::execute (function *fun)
{
    auto_vec<class loop *> loops;
    work.fun = fun;
    work.copies = 0;
    work.fates.truncate (0);
    work.seen.truncate (0);
    work.ids.empty ();
    find_loops (fun, &loops);
    for (class loop *loop : loops) {
        struct count count = {};
        const char *why;
        unsigned number = remark_loop_number (loop);
        if (work.fates.length () <= number) {
            work.fates.safe_grow_cleared (number + 1);
            work.seen.safe_grow_cleared (number + 1);
        }
        work.seen[number]++;
        enum fate fate = judge (loop, &count, &why);
        if (fate != NOT_AT_ALL && work.fates[number] != UNDECIDED && work.fates[number] != fate) {
            why = "GCC computes the steps of some copies of it only";
            fate = NOT_AT_ALL;
        }
        if (fate == NOT_AT_ALL)
            give_up (number, why);
        else
            work.fates[number] = fate;
    }
    bool inserted = false;
    auto_vec<class loop *> nests;
    auto_vec<struct loop_counter> counters;                /* side by side with nests */
    auto_vec<struct framed> framed;
    for (class loop *loop : loops) {
        struct count count = {};
        const char *why;
        if (is_early (work.fates[remark_loop_number (loop)]) && is_early (judge (loop, &count, &why))) {
            auto_vec<edge> exits;
            exits.safe_splice (get_loop_exit_edges (loop));
            if (!count.step && is_worth_steps (loop))
                make_variable (loop, &count);
            tree array = insert (fun, loop, &exits, &count, count.variable ? nullptr : &framed);
            inserted = true;
            if (loop_depth (loop) > 1 && count.step && !count.variable) {
                nests.safe_push (nest_of (loop));
                counters.safe_push ({ array, ENTRIES, count.before ? (unsigned) SUM : 0, (uint64_t) count.step });
            }
        }
    }
    count_nests (fun, &loops, &nests, &counters);
    for (const struct framed &one : framed)
        framed_add (&one);
    if (count_pieces (fun) || inserted)
        finish ();
    return 0;
}

unsigned int variable_pass::execute (function *fun)
{
    auto_vec<class loop *> loops;
    bool inserted = false;
    if (work.fun != fun)
        return 0;
    find_loops (fun, &loops);
    for (class loop *loop : loops)
        if (remark_loop_number (loop) < work.seen.length ())
            work.seen[remark_loop_number (loop)]--;
    for (class loop *loop : loops) {
        unsigned number = remark_loop_number (loop);
        auto_vec<edge> exits;
        struct count count = {};
        exits.safe_splice (get_loop_exit_edges (loop));
        if (number >= work.fates.length () || work.fates[number] != BY_VARIABLE)
            continue;
        if (!work.seen[number] && is_open (loop, &exits) && find_variable (loop, &exits, &count)) {
            insert (fun, loop, &exits, &count, nullptr);
            inserted = true;
        } else
            give_up (number, "nothing in it goes by equal steps");
    }
    if (inserted)
        finish ();
    return 0;
}

void looptrips_register_pass (const char *plugin_name)
{
    /* After the remarks on facts, which are inserted at the same position. */
    static struct register_pass_info first = { nullptr, "ifcvt", 1, PASS_POS_INSERT_BEFORE },
                                     second = { nullptr, "ivopts", 1, PASS_POS_INSERT_AFTER };
    first.pass = new formula_pass (g);
    second.pass = new variable_pass (g);
    register_callback (plugin_name, PLUGIN_PASS_MANAGER_SETUP, nullptr, &first);
    register_callback (plugin_name, PLUGIN_PASS_MANAGER_SETUP, nullptr, &second);
}
