/* SPDX-License-Identifier: GPL-3.0-or-later */
/* repeat.cc: remarks on calls of library functions that a loop repeats with the same arguments, on calls that walk a
 * string which the loop makes longer, on those that take a stream in small pieces, and on those of locks. Which
 * functions: repeated.def. GCC moves out of loops what it may; these are the calls that it had to leave. Must not know
 * how often a loop runs. */
#include "gcc.h"
#include "plugin.h"
#include "remark/remarks.h"

#define PIECE_MOST 16                    /* bytes */
#define UNPACKED_MOST 32                 /* bytes of a piece, of functions that unpack from memory */
#define STORES_MOST 12                   /* between a call and what was stored for it */

static const char *const repeated[] = {
#define PP_REPEATED(...) __VA_ARGS__,
#define PP_MATHEMATICAL(...)
#define PP_PIECES(...)
#include "remark/repeated.def"
};

static const char *const pieces[] = {
#define PP_REPEATED(...)
#define PP_MATHEMATICAL(...)
#define PP_PIECES(...) __VA_ARGS__,
#include "remark/repeated.def"
};

/* The name of the library's function that is called, or null if it is the program's own. */
const char *remark_library_name (gimple *statement)
{
    tree function = is_gimple_call (statement) ? gimple_call_fndecl (statement) : NULL_TREE;
    if (!function || !DECL_NAME (function) || !TREE_PUBLIC (function))
        return nullptr;
    cgraph_node *node = cgraph_node::get (function);
    if (node && node->definition && !fndecl_built_in_p (function))
        return nullptr;
    const char *name = IDENTIFIER_POINTER (DECL_NAME (function));
    return strncmp (name, "__builtin_", 10) ? name : name + 10;
}

bool remark_is_any_of (const char *name, const char *const *list, unsigned count)
{
    for (unsigned i = 0; name && i < count; i++)
        if (!strcmp (name, list[i]))
            return true;
    return false;
}

#define IS_ANY_OF(name, list) remark_is_any_of (name, list, ARRAY_SIZE (list))

/* Does a call within the loop, other than this one, perhaps change what the pointer leads to? Stores do not count with
 * `calls_only`. */
bool remark_may_change (class loop *loop, gimple *except, tree pointer, bool calls_only)
{
    basic_block *blocks = get_loop_body (loop);
    bool found = false;
    ao_ref memory;
    ao_ref_init_from_ptr_and_size (&memory, pointer, NULL_TREE);
    for (unsigned i = 0; i < loop->num_nodes && !found; i++)
        for (gimple_stmt_iterator at = gsi_start_bb (blocks[i]); !gsi_end_p (at) && !found; gsi_next (&at)) {
            gimple *statement = gsi_stmt (at);
            if (statement == except || !gimple_vdef (statement) || lineslot_is_counter (statement)
                || (calls_only && !is_gimple_call (statement)))
                continue;
            found = stmt_may_clobber_ref_p_1 (statement, &memory);
        }
    free (blocks);
    return found;
}

/* Does the call's result decide whether the loop goes on? */
static bool decides_exit (class loop *loop, tree result, int steps)
{
    use_operand_p use;
    imm_use_iterator at;
    if (!result || TREE_CODE (result) != SSA_NAME || steps <= 0)
        return false;
    FOR_EACH_IMM_USE_FAST (use, at, result) {
        gimple *user = USE_STMT (use);
        edge e;
        edge_iterator i;
        if (is_gimple_assign (user) && decides_exit (loop, gimple_assign_lhs (user), steps - 1))
            return true;
        if (gimple_code (user) == GIMPLE_COND)
            FOR_EACH_EDGE (e, i, gimple_bb (user)->succs)
                if (!flow_bb_inside_loop_p (loop, e->dest))
                    return true;
    }
    return false;
}

/* Does the function read what a pointer of this type leads to? Those of dates do, though they may change it, too. */
static bool is_input (const char *name, tree parameter)
{
    static const char *const dates[] = { "mktime", "timegm" };
    return POINTER_TYPE_P (parameter) && (TYPE_READONLY (TREE_TYPE (parameter)) || IS_ANY_OF (name, dates));
}

/* Are the arguments, and what those lead to that the function only reads, the same in each step? */
static bool is_repeated (class loop *loop, gimple *call, const char *name)
{
    bool condition = !strcmp (name, "strlen") && decides_exit (loop, gimple_call_lhs (call), 3);
    tree types = TYPE_ARG_TYPES (gimple_call_fntype (call));
    for (unsigned i = 0; i < gimple_call_num_args (call); i++, types = types ? TREE_CHAIN (types) : NULL_TREE) {
        tree argument = gimple_call_arg (call, i);
        if (!remark_is_invariant (loop, argument))
            return false;
        if (types && TREE_VALUE (types) && is_input (name, TREE_VALUE (types))
            && remark_may_change (loop, call, argument, condition))
            return false;
    }
    return true;
}

/* ---- strings that grow ---- */

/* Does the loop begin the string anew in each step: a store at its begin, or a call that fills it? */
static bool is_begun_anew (class loop *loop, tree string)
{
    static const char *const fillers[] = { "strcpy", "strncpy", "stpcpy", "sprintf", "snprintf", "vsnprintf", "memset",
                                           "memcpy", "memmove", "fgets", "strlcpy", "read", "fread", "recv",
                                           "__strcpy_chk", "__sprintf_chk", "__snprintf_chk", "__memcpy_chk" };
    basic_block *blocks = get_loop_body (loop);
    bool found = false;
    for (unsigned i = 0; i < loop->num_nodes && !found; i++)
        for (gimple_stmt_iterator at = gsi_start_bb (blocks[i]); !gsi_end_p (at) && !found; gsi_next (&at)) {
            gimple *statement = gsi_stmt (at);
            if (IS_ANY_OF (remark_library_name (statement), fillers)) {
                for (unsigned k = 0; k < gimple_call_num_args (statement) && k < 2; k++)
                    found |= operand_equal_p (gimple_call_arg (statement, k), string);
            } else if (gimple_assign_single_p (statement) && gimple_store_p (statement)) {
                tree to = gimple_assign_lhs (statement), base = get_base_address (to);
                if (TREE_CODE (string) == ADDR_EXPR)
                    found = base == get_base_address (TREE_OPERAND (string, 0))
                            && integer_zerop (TREE_CODE (to) == ARRAY_REF ? TREE_OPERAND (to, 1) : integer_zero_node);
                else
                    found = TREE_CODE (to) == MEM_REF && TREE_OPERAND (to, 0) == string
                            && integer_zerop (TREE_OPERAND (to, 1));
            }
        }
    free (blocks);
    return found;
}

/* Is the length of the string used to write behind its end? */
static bool writes_at_end (tree string, tree length, int steps)
{
    use_operand_p use;
    imm_use_iterator at;
    if (!length || TREE_CODE (length) != SSA_NAME || steps <= 0)
        return false;
    FOR_EACH_IMM_USE_FAST (use, at, length) {
        gimple *user = USE_STMT (use);
        if (!is_gimple_assign (user))
            continue;
        tree made = gimple_assign_lhs (user);
        if (gimple_assign_rhs_code (user) == POINTER_PLUS_EXPR && operand_equal_p (gimple_assign_rhs1 (user), string)) {
            gimple *writer;
            use_operand_p written;
            imm_use_iterator of;
            FOR_EACH_IMM_USE_FAST (written, of, made) {
                writer = USE_STMT (written);
                if (gimple_vdef (writer)
                    && ((is_gimple_call (writer) && gimple_call_num_args (writer)
                         && gimple_call_arg (writer, 0) == made)
                        || (gimple_assign_single_p (writer)
                            && get_base_address (gimple_assign_lhs (writer))
                            && TREE_CODE (get_base_address (gimple_assign_lhs (writer))) == MEM_REF
                            && TREE_OPERAND (get_base_address (gimple_assign_lhs (writer)), 0) == made)))
                    return true;
            }
        } else if (TREE_CODE (made) == SSA_NAME && writes_at_end (string, made, steps - 1)) {
            return true;
        }
    }
    return false;
}

static bool is_growing (class loop *loop, gimple *call, const char *name)
{
    static const char *const appenders[] = { "strcat", "strncat", "strlcat", "__strcat_chk", "__strncat_chk" };
    bool appends = IS_ANY_OF (name, appenders);
    if (!gimple_call_num_args (call) || (!appends && strcmp (name, "strlen")))
        return false;
    tree string = gimple_call_arg (call, 0);
    return remark_is_invariant (loop, string) && (appends || writes_at_end (string, gimple_call_lhs (call), 3))
           && !is_begun_anew (loop, string);
}

/* What GCC made of strcat has no place. It is before what it was made of. */
static location_t place_of (gimple *statement)
{
    for (gimple_stmt_iterator at = gsi_for_stmt (statement); !gsi_end_p (at); gsi_next_nondebug (&at))
        if (LOCATION_LOCUS (gimple_location (gsi_stmt (at))) > BUILTINS_LOCATION)
            return gimple_location (gsi_stmt (at));
    return UNKNOWN_LOCATION;
}

/* Reads from, or moves to, a place of a file that is the same in each call; or moves to one that may differ. Who asks
 * where it is, or how much there is, moves by 0. */
void place_remark (gimple *statement)
{
    static const char *const from_start[] = { "lseek", "lseek64", "fseek", "fseeko", "fseeko64" };
    static const char *const reads[] = { "pread", "pread64" };
    bool calls = is_gimple_call (statement) && gimple_call_num_args (statement);
    const char *name = calls ? remark_library_name (statement) : nullptr;
    unsigned count = name ? gimple_call_num_args (statement) : 0;
    bool may_move = count == 3 && IS_ANY_OF (name, from_start);
    bool moves = may_move && integer_zerop (gimple_call_arg (statement, 2));
    tree place = moves ? gimple_call_arg (statement, 1)
                 : count == 4 && IS_ANY_OF (name, reads) ? gimple_call_arg (statement, 3) : NULL_TREE;
    if (place && tree_fits_shwi_p (place))
        remark_add (PP_REMARK_FIXED_PLACE, 0, gimple_location (statement), tree_to_shwi (place), name);
    else if (count == 1 && !strcmp (name, "rewind"))
        remark_add (PP_REMARK_FIXED_PLACE, 0, gimple_location (statement), 0, name);
    else if ((may_move && !integer_zerop (gimple_call_arg (statement, 1)))
             || (count == 2 && (!strcmp (name, "fsetpos") || !strcmp (name, "fsetpos64"))))
        remark_add (PP_REMARK_OTHER_PLACE, 0, gimple_location (statement), 0, name);
}

/* The constant that was last stored for the call, where its argument points or in a field of that name; 0: none. Calls
 * and what comes together from several ways end the search. */
static HOST_WIDE_INT stored_for (gimple *call, tree argument, const char *field)
{
    tree memory = gimple_vuse (call);
    for (int left = STORES_MOST; left && memory; left--) {
        gimple *store = SSA_NAME_DEF_STMT (memory);
        if (!gimple_assign_single_p (store))
            return 0;
        tree to = gimple_assign_lhs (store), value = gimple_assign_rhs1 (store);
        tree name = field && TREE_CODE (to) == COMPONENT_REF ? DECL_NAME (TREE_OPERAND (to, 1)) : NULL_TREE;
        bool is_it = field ? name && !strcmp (IDENTIFIER_POINTER (name), field)
                           : TREE_CODE (argument) == ADDR_EXPR
                                 && operand_equal_p (to, TREE_OPERAND (argument, 0), OEP_ADDRESS_OF);
        if (is_it && !lineslot_is_counter (store))
            return tree_fits_shwi_p (value) ? tree_to_shwi (value) : 0;
        memory = gimple_vuse (store);
    }
    return 0;
}

/* Converts or unpacks a few bytes: how many is said in memory. */
static void told_remark (gimple *statement, const char *symbol)
{
    unsigned count = gimple_call_num_args (statement);
    bool converts = !strcmp (symbol, "iconv") && count == 5, unpacks = !strcmp (symbol, "inflate") && count == 2;
    if (!converts && !unpacks)
        return;
    HOST_WIDE_INT bytes = stored_for (statement, gimple_call_arg (statement, converts ? 2 : 0),
                                      converts ? nullptr : "avail_out");
    if (IN_RANGE (bytes, 1, converts ? PIECE_MOST : UNPACKED_MOST))
        remark_add (PP_REMARK_FEW_BYTES, 0, gimple_location (statement), bytes, symbol);
}

/* Takes a few bytes from a stream, or adds a few: its sizes are constants, such as size and count of fread. */
void piece_remark (gimple *statement)
{
    if (!remark_library_name (statement))
        return;
    const char *symbol = function_symbol (gimple_call_fndecl (statement));
    told_remark (statement, symbol);
    HOST_WIDE_INT bytes = 1;
    unsigned sizes = 0;
    for (unsigned i = 0; i < gimple_call_num_args (statement); i++) {
        tree size = gimple_call_arg (statement, i);
        if (!INTEGRAL_TYPE_P (TREE_TYPE (size)))
            continue;
        if (!tree_fits_shwi_p (size) || !IN_RANGE (tree_to_shwi (size), 1, PIECE_MOST))
            return;
        bytes *= tree_to_shwi (size);
        sizes++;
    }
    if (sizes && bytes <= PIECE_MOST && IS_ANY_OF (symbol, pieces))
        remark_add (PP_REMARK_FEW_BYTES, 0, gimple_location (statement), bytes,
                    strncmp (symbol, "_Z", 2) ? symbol
                                              : IDENTIFIER_POINTER (DECL_NAME (gimple_call_fndecl (statement))));
}

static bool is_stderr (tree stream)
{
    gimple *made = TREE_CODE (stream) == SSA_NAME ? SSA_NAME_DEF_STMT (stream) : nullptr;
    tree from = made && gimple_assign_load_p (made) ? gimple_assign_rhs1 (made) : NULL_TREE;
    return from && VAR_P (from) && DECL_EXTERNAL (from) && DECL_NAME (from)
           && !strcmp (IDENTIFIER_POINTER (DECL_NAME (from)), "stderr");
}

/* Takes the buffer of a stream away, or writes to the one that never has one. */
void buffer_remark (gimple *statement)
{
    static const char *const writers[] = { "fprintf", "vfprintf", "fputs", "fputc", "putc", "fwrite", "__fprintf_chk",
                                           "__vfprintf_chk", "fputs_unlocked", "fputc_unlocked", "fwrite_unlocked" };
    const char *name = remark_library_name (statement);
    for (unsigned i = 0; IS_ANY_OF (name, writers) && i < gimple_call_num_args (statement); i++)
        if (is_stderr (gimple_call_arg (statement, i)))
            remark_add (PP_REMARK_STDERR, 0, gimple_location (statement), 0, name);
    bool set = name && !strcmp (name, "setvbuf") && gimple_call_num_args (statement) == 4;
    tree what = set ? gimple_call_arg (statement, 2)
                : name && !strcmp (name, "setbuf") && gimple_call_num_args (statement) == 2
                    ? gimple_call_arg (statement, 1) : NULL_TREE;
    if (!what || !(set ? tree_fits_shwi_p (what) && tree_to_shwi (what) == _IONBF : integer_zerop (what)))
        return;
    char *stream = remark_text (gimple_call_arg (statement, 0));
    remark_add (PP_REMARK_UNBUFFERED, 0, gimple_location (statement), 0, name, stream);
    free (stream);
}

/* Takes a lock or gives it back: what is between is done with the lock held. */
void lock_remark (gimple *statement)
{
    static const char *const takers[] = { "pthread_mutex_lock", "pthread_mutex_trylock", "pthread_mutex_timedlock",
                                          "pthread_rwlock_rdlock", "pthread_rwlock_wrlock", "pthread_spin_lock",
                                          "mtx_lock" };
    static const char *const givers[] = { "pthread_mutex_unlock", "pthread_rwlock_unlock", "pthread_spin_unlock",
                                          "mtx_unlock" };
    const char *name = remark_library_name (statement);
    if (IS_ANY_OF (name, takers) || IS_ANY_OF (name, givers))
        remark_add (IS_ANY_OF (name, takers) ? PP_REMARK_LOCKS : PP_REMARK_UNLOCKS, 0, gimple_location (statement), 0,
                    name);
}

void repeat_remark (class loop *loop, gimple *statement)
{
    static const char *const scanners[] = { "strchr", "strchrnul", "strrchr", "index", "memchr", "strstr", "memmem",
                                            "strpbrk", "strspn", "strcspn", "wcschr", "wmemchr" };
    const char *name = remark_library_name (statement);
    if (!name)
        return;
    if (IS_ANY_OF (name, scanners) && gimple_call_num_args (statement)
        && remark_is_invariant (loop, gimple_call_arg (statement, 0)))
        remark_add (PP_REMARK_SAME_TEXT, 0, gimple_location (statement), 0, name);
    if (is_growing (loop, statement, name))
        remark_add (PP_REMARK_GROWING_STRING, 0, place_of (statement), 0, name);
    else if (IS_ANY_OF (name, repeated) && gimple_call_num_args (statement) && is_repeated (loop, statement, name))
        remark_add (PP_REMARK_REPEATED_CALL, 0, gimple_location (statement), 0, name);
}
