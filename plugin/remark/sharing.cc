/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sharing.cc: remarks on what may make threads write to the same cache line: neighbours in an array whose elements do
 * not fill lines. One kind is said where such an element is handed to a new thread, the other where a part of one is
 * written again and again. Units that start no threads have the second one for updates alone. Writes are looked at
 * before they are vectorized, and kept if they are still there. Must not know which threads run what. */
#include "gcc.h"
#include "plugin.h"
#include "remark/remarks.h"

#define LINE_BYTES 64
#define ELEMENT_MOST 192                 /* of a larger one, the hot fields of neighbours are seldom in one line */
#define STEPS_MOST 5
#define SMALL_BLOCKS 6                   /* of a function that a loop elsewhere calls for each element */
#define NEAR 4                           /* lines: of several writes that became one, the place of one is left */

static const struct {
    const char *symbol;
    unsigned argument;                   /* what the thread is given */
} starters[] = { { "pthread_create", 3 }, { "thrd_create", 2 } };

/* Does the unit start threads? Those of std::thread get copies. */
static bool is_threaded ()
{
    for (auto &starter : starters)
        if (symtab_node::get_for_asmname (get_identifier (starter.symbol)))
            return true;
    return false;
}

/* Bytes of an element of which several share a line; 0: it is none. */
static int64_t part_bytes (tree type)
{
    tree size = type && COMPLETE_TYPE_P (type) ? TYPE_SIZE_UNIT (type) : NULL_TREE;
    if (!size || !tree_fits_shwi_p (size))
        return 0;
    int64_t bytes = tree_to_shwi (size);
    return bytes > 0 && bytes <= ELEMENT_MOST && bytes % LINE_BYTES ? bytes : 0;
}

/* The outermost array that the reference picks an element from, or null. */
static tree element_of (tree reference)
{
    tree found = NULL_TREE;
    for (; handled_component_p (reference); reference = TREE_OPERAND (reference, 0))
        if (TREE_CODE (reference) == ARRAY_REF)
            found = reference;
    return found;
}

/* The type of the elements that the address leads into, if it is one of an array. */
static tree handed_type (tree address, int steps, tree *object)
{
    if (steps <= 0)
        return NULL_TREE;
    if (TREE_CODE (address) == ADDR_EXPR) {
        tree to = TREE_OPERAND (address, 0), base = get_base_address (to), element = element_of (to);
        *object = base;
        if (element)
            return TREE_TYPE (element);
        if (base && TREE_CODE (base) == MEM_REF && TREE_CODE (TREE_OPERAND (base, 0)) == ADDR_EXPR)
            *object = base = TREE_OPERAND (TREE_OPERAND (base, 0), 0);
        return base && VAR_P (base) && TREE_CODE (TREE_TYPE (base)) == ARRAY_TYPE ? TREE_TYPE (TREE_TYPE (base))
                                                                                  : NULL_TREE;
    }
    gimple *statement = TREE_CODE (address) == SSA_NAME ? SSA_NAME_DEF_STMT (address) : nullptr;
    tree found = NULL_TREE;
    if (gphi *phi = safe_dyn_cast<gphi *> (statement)) {
        for (unsigned i = 0; i < gimple_phi_num_args (phi) && !found; i++)
            if (gimple_phi_arg_def (phi, i) != address)
                found = handed_type (gimple_phi_arg_def (phi, i), steps - 1, object);
        return found;
    }
    if (!statement || !is_gimple_assign (statement))
        return NULL_TREE;
    tree from = gimple_assign_rhs1 (statement);
    tree_code code = gimple_assign_rhs_code (statement);
    if (code == POINTER_PLUS_EXPR && POINTER_TYPE_P (TREE_TYPE (from))
        && TREE_CODE (TREE_TYPE (TREE_TYPE (from))) == RECORD_TYPE) {
        *object = from;
        return TREE_TYPE (TREE_TYPE (from));
    }
    if (code == POINTER_PLUS_EXPR || CONVERT_EXPR_CODE_P (code) || code == SSA_NAME || code == ADDR_EXPR)
        return handed_type (from, steps - 1, object);
    return NULL_TREE;
}

static void handing_remark (gimple *call)
{
    tree function = gimple_call_fndecl (call);
    if (!function || !DECL_NAME (function))
        return;
    for (auto &starter : starters) {
        if (strcmp (IDENTIFIER_POINTER (DECL_NAME (function)), starter.symbol)
            || gimple_call_num_args (call) <= starter.argument)
            continue;
        tree object = NULL_TREE, type = handed_type (gimple_call_arg (call, starter.argument), STEPS_MOST, &object);
        if (!part_bytes (type))
            continue;
        char *text = remark_text (object);
        remark_add (PP_REMARK_THREAD_PART, 0, gimple_location (call), part_bytes (type), text, remark_type_text (type));
        free (text);
    }
}

/* What a statement writes, or null. */
static tree written_by (gimple *statement)
{
    if (gimple_store_p (statement))
        return gimple_get_lhs (statement);
    tree function = is_gimple_call (statement) ? gimple_call_fndecl (statement) : NULL_TREE;
    if (!function || !fndecl_built_in_p (function, BUILT_IN_NORMAL)
        || !strstr (IDENTIFIER_POINTER (DECL_NAME (function)), "_fetch_")
        || TREE_CODE (gimple_call_arg (statement, 0)) != ADDR_EXPR)
        return NULL_TREE;
    return TREE_OPERAND (gimple_call_arg (statement, 0), 0);
}

/* ---- writes, as they are before optimizers join, move and split them ---- */
static struct {
    function *fun;
    struct write {
        location_t where;
        int loop;                        /* GCC's number; 0: none */
        int64_t bytes;
        char *text, *type;               /* type: empty for an element of a global array */
    };
    auto_vec<write> list;
} writes;

static void writes_forget (function *fun)
{
    for (auto &write : writes.list) {
        free (write.text);
        free (write.type);
    }
    writes.list.truncate (0);
    writes.fun = fun;
}

/* Does the statement write what it has read there, as `+=` does? */
static bool is_update (gimple *statement, tree to)
{
    tree value = gimple_assign_single_p (statement) ? gimple_assign_rhs1 (statement) : NULL_TREE;
    gimple *made = value && TREE_CODE (value) == SSA_NAME ? SSA_NAME_DEF_STMT (value) : nullptr;
    if (!made || !is_gimple_assign (made))
        return false;
    for (unsigned i = 1; i < gimple_num_ops (made); i++) {
        tree operand = gimple_op (made, i);
        gimple *read = operand && TREE_CODE (operand) == SSA_NAME ? SSA_NAME_DEF_STMT (operand) : nullptr;
        if (read && gimple_assign_load_p (read) && operand_equal_p (gimple_assign_rhs1 (read), to, OEP_ADDRESS_OF))
            return true;
    }
    return false;
}

/* The same element in each step of the loop: each thread has one of its own, or all write to one. Threads may be
 * started in another unit. Those of std::thread get copies. */
static void write_find (class loop *loop, gimple *statement, bool threaded)
{
    tree to = written_by (statement), type = NULL_TREE;
    if (!to || !handled_component_p (to) || (loop && loop->inner) || !(threaded || is_update (statement, to)))
        return;
    tree base = get_base_address (to), element = element_of (to);
    if (base && TREE_CODE (base) == MEM_REF && TREE_CODE (TREE_OPERAND (base, 0)) == SSA_NAME
        && TREE_CODE (TREE_TYPE (base)) == RECORD_TYPE) {
        if (!loop || remark_is_invariant (loop, TREE_OPERAND (base, 0)))
            type = TREE_TYPE (base);
    } else if (base && VAR_P (base) && is_global_var (base) && !DECL_THREAD_LOCAL_P (base) && element
               && TREE_CODE (TREE_OPERAND (element, 1)) == SSA_NAME
               && (!loop || remark_is_invariant (loop, TREE_OPERAND (element, 1))))
        type = TREE_TYPE (element);
    if (!part_bytes (type))
        return;
    writes.list.safe_push ({ gimple_location (statement), loop ? loop->num : 0, part_bytes (type), remark_text (to),
                             xstrdup (base && VAR_P (base) ? "" : remark_type_text (type)) });
}

void sharing_look (function *fun)
{
    basic_block block;
    unsigned blocks = n_basic_blocks_for_fn (fun);
    bool threaded = is_threaded ();
    writes_forget (fun);
    FOR_EACH_BB_FN (block, fun) {
        class loop *loop = block->loop_father && loop_outer (block->loop_father) ? block->loop_father : nullptr;
        /* outside of loops only a small function is called often enough */
        for (gimple_stmt_iterator at = gsi_start_bb (block); !gsi_end_p (at); gsi_next (&at))
            if (threaded || loop || blocks <= NUM_FIXED_BLOCKS + SMALL_BLOCKS)
                write_find (loop, gsi_stmt (at), threaded);
    }
}

/* Is there still a write near that place, within a loop if it was in one? One of several may stand for all. */
static bool is_still_written (function *fun, location_t where, bool in_loop)
{
    basic_block block;
    expanded_location here = expand_location (where);
    FOR_EACH_BB_FN (block, fun)
        for (gimple_stmt_iterator at = gsi_start_bb (block); !gsi_end_p (at); gsi_next (&at)) {
            gimple *statement = gsi_stmt (at);
            if (!gimple_vdef (statement) || lineslot_is_counter (statement)
                || (in_loop && !loop_outer (block->loop_father)))
                continue;
            expanded_location there = expand_location (gimple_location (statement));
            if (there.file == here.file && abs (there.line - here.line) <= NEAR)
                return true;
        }
    return false;
}

void sharing_settle (function *fun)
{
    if (writes.fun != fun)
        return;
    for (auto &write : writes.list) {
        class loop *loop = write.loop ? get_loop (fun, write.loop) : nullptr;
        if (is_still_written (fun, write.where, loop != nullptr))
            remark_add (PP_REMARK_PART_WRITE, loop ? remark_loop_number (loop) : 0, write.where, write.bytes,
                        write.text, write.type);
    }
    writes_forget (nullptr);
}

void sharing_remark (gimple *statement)
{
    if (is_gimple_call (statement) && !lineslot_is_counter (statement))
        handing_remark (statement);
}
