/* SPDX-License-Identifier: GPL-3.0-or-later */
/* strides.cc: remarks on how far each access to memory moves in a step of its loop, before the loop is unrolled or
 * vectorized. Must not know what becomes of the loop. */
#include "gcc.h"
#include "plugin.h"
#include "remark/remarks.h"

#define ACCESSES_MOST 8                  /* of a loop: those with the largest strides */
#define KERNEL_ROUNDS_MOST 16
#define COLUMN_LINES_LEAST 512           /* fewer cache lines are there when the next column is walked */

struct stride {
    tree access;
    gimple *statement;
    HOST_WIDE_INT bytes;
    tree variable;                     /* the step where it is no constant */
    bool starts_alike;                 /* each walk begins at the same place: no column has a neighbour */
};

static int by_size (const void *a, const void *b)
{
    const struct stride *x = (const struct stride *) a, *y = (const struct stride *) b;
    if (!x->variable != !y->variable)
        return x->variable ? -1 : 1;
    HOST_WIDE_INT p = absu_hwi (x->bytes), q = absu_hwi (y->bytes);
    if (p != q)
        return p > q ? -1 : 1;
    return gimple_uid (x->statement) < gimple_uid (y->statement) ? -1 : 1;
}

static tree accessed (gimple *statement, bool *store)
{
    if (!gimple_assign_single_p (statement) || gimple_clobber_p (statement))
        return NULL_TREE;
    *store = gimple_store_p (statement);
    tree access = *store ? gimple_assign_lhs (statement) : gimple_assign_rhs1 (statement);
    return gimple_vuse (statement) && REFERENCE_CLASS_P (access) ? access : NULL_TREE;
}

gimple *remark_chase (class loop *loop, tree pointer)
{
    gimple *phi = pointer && TREE_CODE (pointer) == SSA_NAME ? SSA_NAME_DEF_STMT (pointer) : nullptr;
    if (!phi || gimple_code (phi) != GIMPLE_PHI || gimple_bb (phi) != loop->header || !loop->latch)
        return nullptr;
    tree next = PHI_ARG_DEF_FROM_EDGE (phi, loop_latch_edge (loop));
    for (unsigned i = 0; i < 4 && next && TREE_CODE (next) == SSA_NAME; i++) {
        gimple *read = SSA_NAME_DEF_STMT (next);
        if (!gimple_bb (read) || !flow_bb_inside_loop_p (loop, gimple_bb (read)) || !is_gimple_assign (read))
            return nullptr;
        if (gimple_assign_load_p (read)) {
            tree from = get_base_address (gimple_assign_rhs1 (read));
            return from && TREE_CODE (from) == MEM_REF && TREE_OPERAND (from, 0) == pointer ? read : nullptr;
        }
        next = gimple_assign_rhs1 (read);
    }
    return nullptr;
}

/* Another cache line in each step, of which a small part is used: a step that copies whole blocks uses all of it. */
static bool is_column (const struct stride *one)
{
    HOST_WIDE_INT size = int_size_in_bytes (TREE_TYPE (one->access));
    return absu_hwi (one->bytes) >= PP_CACHE_LINE_BYTES && (size < 0 || absu_hwi (one->bytes) >= 2 * absu_hwi (size));
}

/* Does a variable of the loop go on by one? Then an index that goes on by more was multiplied, as that of a row is. */
static bool counts_by_one (class loop *loop)
{
    affine_iv iv;
    for (gphi_iterator at = gsi_start_phis (loop->header); !gsi_end_p (at); gsi_next (&at)) {
        tree number = gimple_phi_result (at.phi ());
        if (!virtual_operand_p (number) && INTEGRAL_TYPE_P (TREE_TYPE (number))
            && simple_iv (loop, loop, number, &iv, false) && integer_onep (iv.step)) /* GCC itself may count down */
            return true;
    }
    return false;
}

/* Does the walk begin where the one before began? A column begins beside another one: at an offset that varies, at a
 * pointer that a loop around moves, or, as its caller knows, at a parameter. */
static bool starts_alike (class loop *loop, data_reference *reference)
{
    tree base = DR_BASE_ADDRESS (reference), offset = DR_OFFSET (reference);
    if (!base || !offset || TREE_CODE (offset) != INTEGER_CST)
        return false;
    if (TREE_CODE (base) == ADDR_EXPR)
        return true;
    gimple *made = TREE_CODE (base) == SSA_NAME ? SSA_NAME_DEF_STMT (base) : nullptr;
    if (!made)
        return false;
    if (SSA_NAME_IS_DEFAULT_DEF (base))
        return !counts_by_one (loop);
    class loop *around = loop_outer (loop);
    bool moves = is_gimple_assign (made) || gimple_code (made) == GIMPLE_PHI;
    return !moves || !loop_depth (around) || !flow_bb_inside_loop_p (around, gimple_bb (made));
}

/* ---- columns of matrices whose rows are found by pointers ---- */

/* Does the address of what the statement reads move in the loop? */
static bool read_moves (class loop *loop, gimple *read)
{
    data_reference *reference =
        create_data_ref (loop_preheader_edge (loop), loop, gimple_assign_rhs1 (read), read, true, false);
    tree step = DR_STEP (reference);
    bool moves = step && !integer_zerop (step);
    free_data_ref (reference);
    return moves;
}

/* m[row][column], where the loop goes through rows: it reads a pointer in each step, and goes as far from there as in
 * all its steps; the loop around goes on by a small part of a cache line. */
static bool walks_rows (class loop *loop, tree access)
{
    class loop *around = loop_outer (loop);
    tree base = get_base_address (access);
    tree at = base && TREE_CODE (base) == MEM_REF ? TREE_OPERAND (base, 0) : NULL_TREE;
    gimple *sum = at && TREE_CODE (at) == SSA_NAME ? SSA_NAME_DEF_STMT (at) : nullptr;
    affine_iv iv;
    if (!sum || !is_gimple_assign (sum) || gimple_assign_rhs_code (sum) != POINTER_PLUS_EXPR || !loop_depth (around))
        return false;
    tree row = gimple_assign_rhs1 (sum), offset = gimple_assign_rhs2 (sum);
    gimple *read = TREE_CODE (row) == SSA_NAME ? SSA_NAME_DEF_STMT (row) : nullptr;
    return read && gimple_bb (read) && flow_bb_inside_loop_p (loop, gimple_bb (read)) && is_gimple_assign (read)
           && gimple_assign_load_p (read) && TREE_CODE (offset) == SSA_NAME && remark_is_invariant (loop, offset)
           && read_moves (loop, read) && simple_iv (around, around, offset, &iv, false)
           && TREE_CODE (iv.step) == INTEGER_CST && !integer_zerop (iv.step)
           && absu_hwi (int_cst_value (iv.step)) <= PP_CACHE_LINE_BYTES / 2;
}

/* ---- an index that is kept within limits moves there as it does without them ---- */

#define OPERATIONS_MOST 16               /* between a counter and an address */
#define LIMIT_LEAST 512                  /* a constant one: below it the index would mostly stand still */

static tree value_moved (class loop *loop, tree value, int steps);

/* It takes one of two ways. Where one stands still, that is the limit. */
static tree either (tree one, tree other)
{
    if (!one || !other)
        return NULL_TREE;
    if (integer_zerop (one))
        return other;
    return integer_zerop (other) || operand_equal_p (one, other) ? one : NULL_TREE;
}

/* Would an index mostly stand still above this limit? */
static bool is_near (tree limit)
{
    return tree_fits_shwi_p (limit) && IN_RANGE (tree_to_shwi (limit), 1, LIMIT_LEAST - 1);
}

/* Does the condition at the edge's begin, if there is one, compare what goes on in order, or stays? Other conditions
 * may hold for most steps; nor may the index move below a near limit alone. */
static bool is_by_limit (class loop *loop, edge way, bool moves, int steps)
{
    gimple *last = last_stmt (way->src);
    if (!last || gimple_code (last) != GIMPLE_COND)
        return true;
    tree left = gimple_cond_lhs (last), right = gimple_cond_rhs (last);
    tree_code code = gimple_cond_code (last);
    bool below = way->flags & EDGE_TRUE_VALUE ? code == LT_EXPR || code == LE_EXPR || code == EQ_EXPR
                                              : code == GT_EXPR || code == GE_EXPR || code == NE_EXPR;
    return value_moved (loop, left, steps) && value_moved (loop, right, steps)
           && !(moves && below && is_near (right));
}

static bool is_by_limits (class loop *loop, edge way, tree moves, int steps)
{
    basic_block top = get_immediate_dominator (CDI_DOMINATORS, way->dest);
    while (is_by_limit (loop, way, !integer_zerop (moves), steps)) {
        if (way->src == top)
            return true;
        if (!single_pred_p (way->src))
            return false;
        way = single_pred_edge (way->src);
    }
    return false;
}

static tree phi_moved (class loop *loop, gimple *phi, int steps)
{
    class loop *in = gimple_bb (phi)->loop_father;
    affine_iv iv;
    tree sum = NULL_TREE;
    if (in->header == gimple_bb (phi)) {
        if (!simple_iv (in, in, gimple_phi_result (phi), &iv, true) || !remark_is_invariant (loop, iv.step))
            return NULL_TREE;
        return in == loop ? fold_convert (sizetype, iv.step)
                          : value_moved (loop, PHI_ARG_DEF_FROM_EDGE (phi, loop_preheader_edge (in)), steps);
    }
    for (unsigned i = 0; i < gimple_phi_num_args (phi); i++) {
        tree way = value_moved (loop, gimple_phi_arg_def (phi, i), steps);
        if (!way || !is_by_limits (loop, gimple_phi_arg_edge (as_a<gphi *> (phi), i), way, steps))
            return NULL_TREE;
        sum = i ? either (sum, way) : way;
    }
    return sum;
}

/* By how much the value goes on in a step of the loop; null: that varies, or is not known. */
static tree value_moved (class loop *loop, tree value, int steps)
{
    if (remark_is_invariant (loop, value))
        return size_zero_node;
    gimple *made = TREE_CODE (value) == SSA_NAME && steps > 0 ? SSA_NAME_DEF_STMT (value) : nullptr;
    if (!made || (!INTEGRAL_TYPE_P (TREE_TYPE (value)) && !POINTER_TYPE_P (TREE_TYPE (value))))
        return NULL_TREE;
    if (gimple_code (made) == GIMPLE_PHI)
        return phi_moved (loop, made, steps - 1);
    if (!is_gimple_assign (made))
        return NULL_TREE;
    tree_code code = gimple_assign_rhs_code (made);
    tree left = gimple_assign_rhs1 (made), right = gimple_assign_rhs2 (made);
    if (CONVERT_EXPR_CODE_P (code))
        return value_moved (loop, left, steps - 1);
    if (code != PLUS_EXPR && code != POINTER_PLUS_EXPR && code != MINUS_EXPR && code != MULT_EXPR && code != MIN_EXPR
        && code != MAX_EXPR)
        return NULL_TREE;
    tree one = value_moved (loop, left, steps - 1), other = value_moved (loop, right, steps - 1);
    if (!one || !other)
        return NULL_TREE;
    if (code == MIN_EXPR || code == MAX_EXPR)
        return code == MIN_EXPR && is_near (right) ? NULL_TREE : either (one, other);
    if (code != MULT_EXPR)
        return size_binop (code == MINUS_EXPR ? MINUS_EXPR : PLUS_EXPR, one, other);
    if (!integer_zerop (one) && !integer_zerop (other))
        return NULL_TREE;
    return integer_zerop (one) ? size_binop (MULT_EXPR, fold_convert (sizetype, left), other)
                               : size_binop (MULT_EXPR, one, fold_convert (sizetype, right));
}

static tree address_moved (class loop *loop, tree access)
{
    tree sum = size_zero_node, part = access;
    for (; handled_component_p (part); part = TREE_OPERAND (part, 0)) {
        tree index = TREE_CODE (part) == ARRAY_REF ? TREE_OPERAND (part, 1) : NULL_TREE;
        tree moves = index ? value_moved (loop, index, OPERATIONS_MOST) : size_zero_node;
        tree size = TYPE_SIZE_UNIT (TREE_TYPE (part));
        if (!moves || (index && !size))
            return NULL_TREE;
        if (index)
            sum = size_binop (PLUS_EXPR, sum, size_binop (MULT_EXPR, moves, fold_convert (sizetype, size)));
    }
    tree base = TREE_CODE (part) == MEM_REF ? value_moved (loop, TREE_OPERAND (part, 0), OPERATIONS_MOST)
                : DECL_P (part) ? size_zero_node : NULL_TREE;
    return base ? size_binop (PLUS_EXPR, sum, base) : NULL_TREE;
}

/* ---- walks of a loop around: a kernel of a few steps stands inside of it ---- */

/* How often a loop goes round that does so a few times only; 0: more often, or not known. */
static HOST_WIDE_INT few_rounds (class loop *loop)
{
    tree latch = number_of_latch_executions (loop);
    bool known = latch && tree_fits_uhwi_p (latch);
    return known && tree_to_uhwi (latch) < KERNEL_ROUNDS_MOST ? tree_to_uhwi (latch) + 1 : 0;
}

/* Bytes by which the access moves in a step of the loop; null: that varies, or is not known. */
static tree moved (data_reference *reference, class loop *loop)
{
    tree sum = size_zero_node, part = DR_REF (reference);
    for (unsigned i = 0; i < DR_NUM_DIMENSIONS (reference); i++) {
        tree moves = evolution_part_in_loop_num (DR_ACCESS_FN (reference, i), loop->num), size = size_one_node;
        if (handled_component_p (part)) {
            if (TREE_CODE (part) == ARRAY_REF)
                size = TYPE_SIZE_UNIT (TREE_TYPE (part));
            part = TREE_OPERAND (part, 0);
        }
        if (!moves)
            continue;
        if (tree_contains_chrecs (moves, nullptr) || chrec_contains_undetermined (moves) || !size)
            return NULL_TREE;
        moves = size_binop (MULT_EXPR, fold_convert (sizetype, moves), fold_convert (sizetype, size));
        sum = size_binop (PLUS_EXPR, sum, moves);
    }
    return integer_zerop (sum) ? address_moved (loop, DR_REF (reference)) : sum;
}

static HOST_WIDE_INT constant_of (tree bytes, HOST_WIDE_INT otherwise)
{
    return bytes && TREE_CODE (bytes) == INTEGER_CST ? (HOST_WIDE_INT) int_cst_value (bytes) : otherwise;
}

/* Does the loop around walk down a column, beside which the loop around that one begins the next? The kernel uses a few
 * bytes of each cache line. */
static bool walks_around (class loop *loop, unsigned number, tree access, gimple *statement, bool store)
{
    class loop *around = loop, *beyond;
    while (few_rounds (around) && loop_depth (around) > 2)
        around = loop_outer (around);
    beyond = loop_outer (around);
    tree latch = number_of_latch_executions (around);
    if (around == loop || few_rounds (around) || !loop_depth (beyond)
        || (latch && tree_fits_uhwi_p (latch) && tree_to_uhwi (latch) < COLUMN_LINES_LEAST))
        return false;
    data_reference *reference = create_data_ref (loop_preheader_edge (beyond), loop, access, statement, !store, false);
    HOST_WIDE_INT used = MAX (int_size_in_bytes (TREE_TYPE (access)), 1);
    for (class loop *inner = loop; inner != around; inner = loop_outer (inner)) {
        HOST_WIDE_INT bytes = absu_hwi (constant_of (moved (reference, inner), 0));
        used += bytes < PP_CACHE_LINE_BYTES ? bytes * (few_rounds (inner) - 1) : 0;
    }
    tree step = moved (reference, around);
    HOST_WIDE_INT bytes = constant_of (step, 0), beside = constant_of (moved (reference, beyond), 0);
    HOST_WIDE_INT least = MAX (PP_CACHE_LINE_BYTES, 2 * used);
    bool is_far = step && (bytes ? (HOST_WIDE_INT) absu_hwi (bytes) >= least : !integer_zerop (step));
    free_data_ref (reference);
    if (!is_far || !beside || absu_hwi (beside) >= PP_CACHE_LINE_BYTES / 2)
        return false;
    char *text = remark_text (access, statement), *how = remark_text (step, statement);
    remark_add (PP_REMARK_COLUMN_AROUND, number, gimple_location (statement), LOCATION_LINE (remark_place (around)),
                text, how);
    free (text);
    free (how);
    return true;
}

/* Does the access walk in order here, but by a cache line or more in each step of the loop around? Then it would be the
 * column if the two loops were swapped. */
static bool is_turned (class loop *loop, const struct stride *one, bool store)
{
    class loop *around = loop_outer (loop);
    if (!one->bytes || absu_hwi (one->bytes) >= PP_CACHE_LINE_BYTES / 2 || !loop_depth (around))
        return false;
    data_reference *reference =
        create_data_ref (loop_preheader_edge (around), loop, one->access, one->statement, !store, false);
    tree step = moved (reference, around);
    bool is_far = step && (TREE_CODE (step) == INTEGER_CST ? absu_hwi (int_cst_value (step)) >= PP_CACHE_LINE_BYTES
                                                           : !integer_zerop (step));
    free_data_ref (reference);
    return is_far;
}

/* Does the next walk begin beside this one, as that down the next column does? */
static bool is_beside (class loop *loop, tree access)
{
    class loop *around = loop_outer (loop);
    HOST_WIDE_INT bytes = loop_depth (around) ? constant_of (address_moved (around, access), 0) : 0;
    return bytes && absu_hwi (bytes) < PP_CACHE_LINE_BYTES / 2;
}

/* ---- steps that differ from walk to walk: a row has the same length for all of them ---- */

static tree without_conversions (tree value)
{
    while (CONVERT_EXPR_P (value)
           || (TREE_CODE (value) == MULT_EXPR && TREE_CODE (TREE_OPERAND (value, 1)) == INTEGER_CST))
        value = TREE_OPERAND (value, 0);
    for (gimple *made; TREE_CODE (value) == SSA_NAME && is_gimple_assign (made = SSA_NAME_DEF_STMT (value))
                       && CONVERT_EXPR_CODE_P (gimple_assign_rhs_code (made));)
        value = gimple_assign_rhs1 (made);
    return value;
}

/* Is the value read from another place in each step of the loop? */
static bool is_read_on (class loop *loop, tree value)
{
    gimple *made = TREE_CODE (value) == SSA_NAME ? SSA_NAME_DEF_STMT (value) : nullptr;
    return made && gimple_bb (made) && flow_bb_inside_loop_p (loop, gimple_bb (made)) && is_gimple_assign (made)
           && gimple_assign_load_p (made) && read_moves (loop, made);
}

/* Does the loop around go on by the length of the step, as where multiples of a number are marked, then of the next? */
static bool grows (class loop *loop, tree step)
{
    class loop *around = loop_outer (loop);
    affine_iv iv;
    return loop_depth (around) && TREE_CODE (step) == SSA_NAME && simple_iv (around, around, step, &iv, true)
           && !integer_zerop (iv.step);
}

/* Does each walk begin where one before it stopped, which was kept? Then the memory is gone over in pieces. */
static bool goes_on (class loop *loop)
{
    for (gphi_iterator at = gsi_start_phis (loop->header); !gsi_end_p (at); gsi_next (&at)) {
        tree first = virtual_operand_p (gimple_phi_result (at.phi ()))
                         ? NULL_TREE : PHI_ARG_DEF_FROM_EDGE (at.phi (), loop_preheader_edge (loop));
        if (first && is_read_on (loop_outer (loop), without_conversions (first)))
            return true;
    }
    return false;
}

static void tell_variable (class loop *loop, unsigned number, const struct stride *one, bool turned)
{
    location_t where = gimple_location (one->statement);
    tree bare = without_conversions (one->variable);
    char *text = remark_text (one->access, one->statement), *step = remark_text (one->variable, one->statement);
    if (grows (loop, bare)) {
        if (!goes_on (loop))
            remark_add (PP_REMARK_MULTIPLES, number, where, 0, text, step);
    } else if (loop_depth (loop_outer (loop)) && is_read_on (loop_outer (loop), bare)) {
        /* steps out of a table */
    } else if (!strstr (step, "...") || is_beside (loop, one->access)) /* a row's length may have no name left */
        remark_add (PP_REMARK_STRIDE_VARIABLE, number, where, turned, text, step);
    free (text);
    free (step);
}

/* turned: another access of the loop is. */
static void tell (class loop *loop, unsigned number, const struct stride *one, bool turned)
{
    if (one->variable) {
        tell_variable (loop, number, one, turned);
        return;
    }
    char *text = remark_text (one->access, one->statement);
    remark_add (is_column (one) ? PP_REMARK_COLUMN : PP_REMARK_STRIDE, number, gimple_location (one->statement),
                one->bytes, text,
                !is_column (one) ? nullptr : one->starts_alike ? "alike" : turned ? "turned" : nullptr);
    free (text);
}

/* ---- a field or two of each structure of an array ---- */

#define FIELDS_MOST 2
#define FIELDS_PART 4                    /* so many times what is read is a structure, at least */

/* Does a step do nothing that may take longer than to wait for memory: no calls, divisions or guesses? */
static bool is_quick (class loop *loop, basic_block *blocks)
{
    for (unsigned i = 0; i < loop->num_nodes; i++)
        for (gimple_stmt_iterator at = gsi_start_nondebug_bb (blocks[i]); !gsi_end_p (at); gsi_next_nondebug (&at)) {
            gimple *statement = gsi_stmt (at);
            if (is_gimple_call (statement) || gimple_code (statement) == GIMPLE_ASM)
                return false;
            if (gimple_code (statement) == GIMPLE_COND && flow_bb_inside_loop_p (loop, EDGE_SUCC (blocks[i], 0)->dest)
                && flow_bb_inside_loop_p (loop, EDGE_SUCC (blocks[i], 1)->dest))
                return false;
            tree_code code = is_gimple_assign (statement) ? gimple_assign_rhs_code (statement) : ERROR_MARK;
            if (code == RDIV_EXPR || code == TRUNC_DIV_EXPR || code == TRUNC_MOD_EXPR)
                return false;
        }
    return true;
}

static void fields_remark (class loop *loop, unsigned number, basic_block *blocks, const vec<struct stride> &found)
{
    HOST_WIDE_INT bytes = 0, read = 0;
    unsigned count = 0;
    for (const struct stride &one : found) {
        if (one.variable)
            return;
        if (absu_hwi (one.bytes) < PP_CACHE_LINE_BYTES)
            continue;
        if (TREE_CODE (one.access) != COMPONENT_REF || (bytes && one.bytes != bytes)
            || int_size_in_bytes (TREE_TYPE (TREE_OPERAND (one.access, 0))) != (HOST_WIDE_INT) absu_hwi (one.bytes))
            return;
        bytes = one.bytes;
        read += int_size_in_bytes (TREE_TYPE (one.access));
        count++;
    }
    if (!count || count > FIELDS_MOST || read * FIELDS_PART > (HOST_WIDE_INT) absu_hwi (bytes)
        || !is_quick (loop, blocks))
        return;
    char *text = remark_text (found[0].access, found[0].statement);
    remark_add (PP_REMARK_FIELD, number, gimple_location (found[0].statement), bytes, text);
    free (text);
}

void strides_remark (class loop *loop, unsigned number, basic_block *blocks)
{
    bool around = false;
    auto_vec<struct stride> found;
    unsigned order = 0;
    bool chases = false, turned = false;
    for (unsigned i = 0; i < loop->num_nodes; i++)
        for (gimple_stmt_iterator at = gsi_start_bb (blocks[i]); !gsi_end_p (at); gsi_next (&at)) {
            gimple *statement = gsi_stmt (at);
            bool store;
            tree access = accessed (statement, &store);
            if (!access || lineslot_is_counter (statement))
                continue;
            tree base = get_base_address (access);
            gimple *chase = !chases && base && TREE_CODE (base) == MEM_REF
                                ? remark_chase (loop, TREE_OPERAND (base, 0)) : nullptr;
            if (chase) {
                char *text = remark_text (gimple_assign_rhs1 (chase), chase);
                remark_add (PP_REMARK_CHASE, number, gimple_location (chase), 0, text);
                free (text);
                chases = true;
            }
            around = around || walks_around (loop, number, access, statement, store);
            if (walks_rows (loop, access)) {
                char *text = remark_text (access);
                remark_add (PP_REMARK_ROWS, number, gimple_location (statement), 0, text);
                free (text);
            }
            gimple_set_uid (statement, ++order);
            data_reference *reference =
                create_data_ref (loop_preheader_edge (loop), loop, access, statement, !store, false);
            tree step = DR_STEP (reference);
            struct stride one = { access, statement, 0, NULL_TREE, starts_alike (loop, reference) };
            if (!step && is_beside (loop, access))
                step = address_moved (loop, access);
            if (step && tree_fits_shwi_p (step))
                one.bytes = tree_to_shwi (step);
            else
                one.variable = step;
            free_data_ref (reference);
            turned = turned || is_turned (loop, &one, store);
            if (one.bytes || one.variable)
                found.safe_push (one);
        }
    found.qsort (by_size);
    for (unsigned i = 0; i < found.length () && i < ACCESSES_MOST; i++)
        tell (loop, number, &found[i], turned);
    fields_remark (loop, number, blocks, found);
}
