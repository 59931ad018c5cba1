/* SPDX-License-Identifier: GPL-3.0-or-later */
/* streams.cc: remarks on loops that do the same to one element after the other and could do so to several at once: what
 * the vectorizer needs is there, whatever it is told to do. Loops that were vectorized lose the remark later. Must not
 * know why the vectorizer decides as it does. */
#include "gcc.h"
#include "plugin.h"
#include "remark/remarks.h"

#define ACCESSES_MOST 16

struct stream {
    class loop *loop;
    auto_vec<data_reference_p> accesses;
    unsigned largest, smallest;          /* bytes of the elements */
    bool works;                          /* it stores elements, or sums them up */
    tree one, other;                     /* accesses that may overlap */
    tree sum;                            /* a floating-point sum, which other orders would change a little */
};

static unsigned bytes_of (tree type)
{
    tree size = TYPE_SIZE_UNIT (type);
    bool is_number = (INTEGRAL_TYPE_P (type) || SCALAR_FLOAT_TYPE_P (type)) && size && tree_fits_uhwi_p (size);
    unsigned HOST_WIDE_INT bytes = is_number ? tree_to_uhwi (size) : 0;
    return bytes <= 8 && pow2p_hwi (bytes) ? bytes : 0;
}

static bool is_element (struct stream *stream, tree type)
{
    unsigned bytes = bytes_of (type);
    if (!bytes)
        return false;
    stream->largest = MAX (stream->largest, bytes);
    stream->smallest = MIN (stream->smallest, bytes);
    return true;
}

/* Operations that vectors of every x86-64 and AArch64 have. Integers are not divided, and long ones not multiplied. */
static bool is_vector_operation (struct stream *stream, gimple *statement)
{
    tree type = TREE_TYPE (gimple_assign_lhs (statement));
    if (SCALAR_FLOAT_TYPE_P (type))
        stream->largest = MAX (stream->largest, bytes_of (type));
    switch (gimple_assign_rhs_code (statement)) {
    case TRUNC_DIV_EXPR:
    case TRUNC_MOD_EXPR:
    case FLOOR_MOD_EXPR:
    case CEIL_DIV_EXPR:
    case FLOOR_DIV_EXPR:
    case EXACT_DIV_EXPR:
    case LROTATE_EXPR:
    case RROTATE_EXPR:
        return false;
    case LSHIFT_EXPR:
    case RSHIFT_EXPR:
        return remark_is_invariant (stream->loop, gimple_assign_rhs2 (statement));
    case FLOAT_EXPR:
    case FIX_TRUNC_EXPR:
        return bytes_of (TREE_TYPE (gimple_assign_rhs1 (statement))) <= 4;
    default:
        return true;
    }
}

static bool is_good_access (struct stream *stream, gimple *statement)
{
    bool store = gimple_store_p (statement);
    tree access = store ? gimple_assign_lhs (statement) : gimple_assign_rhs1 (statement);
    if (stream->accesses.length () >= ACCESSES_MOST || gimple_has_volatile_ops (statement))
        return false;
    if (!dominated_by_p (CDI_DOMINATORS, stream->loop->latch, gimple_bb (statement)))
        return false;
    data_reference_p made =
        create_data_ref (loop_preheader_edge (stream->loop), stream->loop, access, statement, !store, false);
    stream->accesses.safe_push (made);
    tree step = DR_STEP (made);
    if (!step || !tree_fits_shwi_p (step) || !is_element (stream, TREE_TYPE (access)))
        return false;
    bool moves = tree_to_shwi (step) == (HOST_WIDE_INT) bytes_of (TREE_TYPE (access));
    stream->works |= store;
    return moves || integer_zerop (step);
}

static bool is_good_statement (struct stream *stream, gimple *statement)
{
    if (is_gimple_debug (statement) || lineslot_is_counter (statement) || gimple_code (statement) == GIMPLE_COND
        || gimple_code (statement) == GIMPLE_LABEL || gimple_code (statement) == GIMPLE_PREDICT
        || gimple_code (statement) == GIMPLE_NOP)
        return true;
    if (is_gimple_call (statement)) {
        combined_fn function = gimple_call_combined_fn (statement);
        return function == CFN_SQRT || function == CFN_BUILT_IN_SQRT || function == CFN_BUILT_IN_SQRTF
               || function == CFN_BUILT_IN_FABS || function == CFN_BUILT_IN_FABSF;
    }
    if (!is_gimple_assign (statement))
        return false;
    if (gimple_vuse (statement))
        return gimple_assign_single_p (statement) && is_good_access (stream, statement);
    return is_vector_operation (stream, statement);
}

/* An operation that makes the next value of a sum. */
static bool is_sum_of (tree value, gimple *made)
{
    if (!is_gimple_assign (made))
        return false;
    switch (gimple_assign_rhs_code (made)) {
    case PLUS_EXPR:
    case BIT_AND_EXPR:
    case BIT_IOR_EXPR:
    case BIT_XOR_EXPR:
        break;
    case MIN_EXPR:
    case MAX_EXPR:
        if (bytes_of (TREE_TYPE (value)) == 8)
            return false;
        break;
    default:
        return false;
    }
    return (gimple_assign_rhs1 (made) == value) != (gimple_assign_rhs2 (made) == value);
}

/* A value that a step hands to the next one: a counter, or an integer that elements, or some of them, are added to. */
static bool is_good_value (struct stream *stream, gphi *phi)
{
    tree value = gimple_phi_result (phi), next = PHI_ARG_DEF_FROM_EDGE (phi, loop_latch_edge (stream->loop));
    affine_iv iv;
    if (virtual_operand_p (value) || simple_iv (stream->loop, stream->loop, value, &iv, true))
        return true;
    if (TREE_CODE (next) != SSA_NAME || !is_element (stream, TREE_TYPE (value)))
        return false;
    gimple *made = SSA_NAME_DEF_STMT (next);
    stream->works = true;
    if (SCALAR_FLOAT_TYPE_P (TREE_TYPE (value)) && is_gimple_assign (made)) {
        stream->sum = value;
        bool subtracts = gimple_assign_rhs_code (made) == MINUS_EXPR && gimple_assign_rhs1 (made) == value;
        bool adds = gimple_assign_rhs_code (made) == PLUS_EXPR && is_sum_of (value, made);
        return has_single_use (value) && (adds || subtracts);
    }
    if (!INTEGRAL_TYPE_P (TREE_TYPE (value)))
        return false;
    if (gphi *either = dyn_cast<gphi *> (made)) {
        for (unsigned i = 0; i < gimple_phi_num_args (either); i++) {
            tree one = gimple_phi_arg_def (either, i);
            if (one != value && (TREE_CODE (one) != SSA_NAME || !is_sum_of (value, SSA_NAME_DEF_STMT (one))))
                return false;
        }
        return num_imm_uses (value) == 2 && bytes_of (TREE_TYPE (value)) <= 4;
    }
    return is_sum_of (value, made) && has_single_use (value);
}

/* The pointer that an address is reckoned from. */
static tree pointer_of (tree address)
{
    while (CONVERT_EXPR_P (address) || TREE_CODE (address) == POINTER_PLUS_EXPR)
        address = TREE_OPERAND (address, 0);
    return address;
}

/* Does an element depend on another one? Pointers that may overlap are remembered: a check when the loop begins, or
 * the word restrict, settles that. */
static bool is_independent (struct stream *stream)
{
    static vec<class loop *> nest;
    nest.truncate (0);
    nest.safe_push (stream->loop);
    for (unsigned i = 0; i < stream->accesses.length (); i++)
        for (unsigned k = i + 1; k < stream->accesses.length (); k++) {
            data_reference_p a = stream->accesses[i], b = stream->accesses[k];
            if (DR_IS_READ (a) && DR_IS_READ (b))
                continue;
            struct data_dependence_relation *between = initialize_data_dependence_relation (a, b, nest);
            compute_affine_dependence (between, stream->loop);
            bool independent = DDR_ARE_DEPENDENT (between) == chrec_known, unknown = false, apart = true;
            if (DDR_ARE_DEPENDENT (between) == chrec_dont_know) {
                unknown = true;
                apart = !operand_equal_p (pointer_of (DR_BASE_ADDRESS (a)), pointer_of (DR_BASE_ADDRESS (b)), 0);
            } else if (!independent) {
                for (unsigned n = 0; n < DDR_NUM_DIST_VECTS (between); n++)
                    apart = apart && DDR_DIST_VECT (between, n)[0] == 0;
            }
            free_dependence_relation (between);
            bool stays = integer_zerop (DR_STEP (a)) || integer_zerop (DR_STEP (b));
            if (!apart || (unknown && integer_zerop (DR_STEP (a)) && integer_zerop (DR_STEP (b))))
                return false;
            /* what stays where it is cannot be checked when the loop begins, so it is named first */
            if (unknown && (stays || !stream->one)) {
                stream->one = DR_REF (a);
                stream->other = DR_REF (b);
            }
        }
    return true;
}

static bool is_stream (struct stream *stream, basic_block *blocks)
{
    class loop *loop = stream->loop;
    tree latch = single_exit (loop) ? number_of_latch_executions (loop) : NULL_TREE;
    if (!latch || chrec_contains_undetermined (latch) || !loop_latch_edge (loop)
        || (tree_fits_uhwi_p (latch) && tree_to_uhwi (latch) < 8))
        return false;
    for (gphi_iterator at = gsi_start_phis (loop->header); !gsi_end_p (at); gsi_next (&at))
        if (!is_good_value (stream, at.phi ()))
            return false;
    for (unsigned i = 0; i < loop->num_nodes; i++)
        for (gimple_stmt_iterator at = gsi_start_bb (blocks[i]); !gsi_end_p (at); gsi_next (&at))
            if (!is_good_statement (stream, gsi_stmt (at)))
                return false;
    return stream->works && stream->accesses.length () && is_independent (stream);
}

static unsigned vector_bytes ()
{
    machine_mode mode = targetm.vectorize.preferred_simd_mode (SImode);
    return VECTOR_MODE_P (mode) ? GET_MODE_SIZE (mode).to_constant () : 0;
}

void stream_remark (class loop *loop, unsigned number, basic_block *blocks)
{
    struct stream stream = {};
    stream.loop = loop;
    stream.smallest = 8;
    if (is_stream (&stream, blocks) && vector_bytes () >= 2 * stream.largest) {
        char *one = stream.one ? remark_text (stream.one) : nullptr, *sum = nullptr;
        char *other = stream.other ? remark_text (stream.other) : nullptr;
        if (stream.sum)
            remark_add (PP_REMARK_ORDERED_SUM, number, remark_loop_at (number)->where, vector_bytes () / stream.largest,
                        sum = remark_text (stream.sum));
        else
            remark_add (PP_REMARK_STREAM, number, remark_loop_at (number)->where, vector_bytes () / stream.largest, one,
                        other);
        free (one);
        free (other);
        free (sum);
    }
    for (data_reference_p one : stream.accesses)
        free_data_ref (one);
}

void stream_settle (unsigned number)
{
    if (!remark_has (PP_REMARK_VECTORIZED, number))
        return;
    remark_drop (PP_REMARK_STREAM, number);
    /* vectors that keep the order still add one element after the other */
    if (flag_associative_math)
        remark_drop (PP_REMARK_ORDERED_SUM, number);
}
