/* SPDX-License-Identifier: GPL-3.0-or-later */
/* emit.cc: helpers that build GIMPLE: declarations that emitted code refers to, statements, blocks and edges. Must not
 * know what a probe consists of. */
#include "gcc.h"
#include "emit.h"

/* Trees that outlive a function. All are roots of GCC's garbage collector. */
tree object_decl;                      /* this unit's struct pp_object, a local label in its assembler */
tree count_decl, enter_decl, leave_decl, resync_decl, hits_decl;
tree waste_decl;                       /* end of the memory for line counters that nobody reads */
tree u64_pointer_type, u32_pointer_type, pointer_pointer_type;
static tree segment_decl, segment_tls_decl;  /* end of the unit's counters; the image's struct pp_segment */
static tree tls_u64_pointer_type, tls_pointer_pointer_type;

static const struct ggc_root_tab roots[] = {
#define ROOT(tree) { &tree, 1, sizeof (tree), &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node }
    ROOT (object_decl),
    ROOT (count_decl),
    ROOT (enter_decl),
    ROOT (leave_decl),
    ROOT (resync_decl),
    ROOT (hits_decl),
    ROOT (waste_decl),
    ROOT (segment_decl),
    ROOT (segment_tls_decl),
    ROOT (u64_pointer_type),
    ROOT (u32_pointer_type),
    ROOT (pointer_pointer_type),
    ROOT (tls_u64_pointer_type),
    ROOT (tls_pointer_pointer_type),
#undef ROOT
    LAST_GGC_ROOT_TAB
};

tree hook_declare (const char *name, tree type)
{
    /* The runtime is compiled with the System V calling convention, even if -mabi selects another for this unit. */
    tree convention = get_identifier ("sysv_abi");
    if (lookup_attribute_spec (convention))
        type = build_type_attribute_variant (type, tree_cons (convention, NULL_TREE, NULL_TREE));
    tree hook = build_fn_decl (name, type);
    SET_DECL_ASSEMBLER_NAME (hook, get_identifier (name));
    TREE_NOTHROW (hook) = 1;
    return hook;
}

/* Leaf, so that a call of it ends no block and needs no abnormal edges. */
static tree declare_hook (const char *name, tree type)
{
    tree hook = hook_declare (name, type);
    DECL_ATTRIBUTES (hook) = tree_cons (get_identifier ("leaf"), NULL_TREE, DECL_ATTRIBUTES (hook));
    return hook;
}

static tree declare_variable (const char *name, unsigned bytes)
{
    tree type = build_array_type_nelts (uint64_type_node, bytes / 8);
    tree variable = build_decl (UNKNOWN_LOCATION, VAR_DECL, get_identifier (name), type);
    TREE_ADDRESSABLE (variable) = 1;
    TREE_USED (variable) = 1;
    DECL_ARTIFICIAL (variable) = 1;
    DECL_IGNORED_P (variable) = 1;
    return variable;
}

/* ---- counters of an executable ---- */

/* Is the link in this command a shared library's? The compiler's options do not say so, but the driver passes its own
 * to its children. */
static bool is_linked_as_library ()
{
    const char *driver = getenv ("COLLECT_GCC_OPTIONS");
    return driver && strstr (driver, "'-shared'");
}

bool is_for_library ()
{
    static const bool linked = is_linked_as_library ();
    return linked || (flag_pic && !flag_pie) || !arguments.segment;
}

bool segment_is_used ()
{
#ifdef COUNTER_SPACE
    return COUNTER_SPACE_IS_USABLE && !is_for_library ();
#else
    return false;
#endif
}

static void declare_home ()
{
#ifdef COUNTER_SPACE
    segment_decl = declare_variable ("profplug_home", 8);
    TREE_TYPE (segment_decl) =
        build_array_type_nelts (build_qualified_type (uint64_type_node, ENCODE_QUAL_ADDR_SPACE (COUNTER_SPACE)), 1);
    TREE_STATIC (segment_decl) = 1;
    TREE_ASM_WRITTEN (segment_decl) = 1;
    SET_DECL_ASSEMBLER_NAME (segment_decl, get_identifier ("*.Lprofplug_home_end"));
    varpool_node::get_create (segment_decl);      /* GCC needs the node of a variable that is stored to */

    segment_tls_decl = declare_variable ("profplug_home_tls", sizeof (struct pp_segment));
    TREE_STATIC (segment_tls_decl) = 1;
    TREE_ASM_WRITTEN (segment_tls_decl) = 1;
    set_decl_tls_model (segment_tls_decl, TLS_MODEL_LOCAL_EXEC);
    SET_DECL_ASSEMBLER_NAME (segment_tls_decl, get_identifier ("*__profplug_home"));
#endif
}

#ifdef COUNTER_SPACE
static tree in_counter_space (tree type)
{
    return build_qualified_type (type, TYPE_QUALS_NO_ADDR_SPACE (type) | ENCODE_QUAL_ADDR_SPACE (COUNTER_SPACE));
}
#endif

void segment_refer (tree reference, HOST_WIDE_INT offset)
{
#ifdef COUNTER_SPACE
    TREE_OPERAND (reference, 0) =
        build1 (ADDR_EXPR, build_pointer_type (in_counter_space (uint64_type_node)), segment_decl);
    TREE_OPERAND (reference, 1) = build_int_cst (u64_pointer_type, offset);
    TREE_TYPE (reference) = in_counter_space (build_aligned_type (TREE_TYPE (reference), 64));
#else
    (void) reference, (void) offset;
#endif
}

tree segment_memory (HOST_WIDE_INT offset)
{
    tree reference = build2 (MEM_REF, uint64_type_node, address_of (waste_decl), build_int_cst (u64_pointer_type, 0));
    segment_refer (reference, offset);
    TREE_THIS_NOTRAP (reference) = 1;
    return reference;
}

static tree segment_word (size_t offset)
{
    return memory (address_of (segment_tls_decl), u64_pointer_type, offset);
}

tree emit_home_address (gimple_stmt_iterator *before, bool behind, HOST_WIDE_INT offset)
{
    tree distance = make_ssa_name (uint64_type_node), bytes = make_ssa_name (sizetype),
         own = make_ssa_name (ptr_type_node), name = make_ssa_name (ptr_type_node);
    gimple *statements[] = {
        gimple_build_assign (distance, segment_word (offsetof (struct pp_segment, distance))),
        gimple_build_assign (bytes, NOP_EXPR, distance),
        gimple_build_assign (own, POINTER_PLUS_EXPR, build1 (ADDR_EXPR, ptr_type_node, segment_decl), bytes),
        gimple_build_assign (name, POINTER_PLUS_EXPR, own, build_int_cst (sizetype, offset)),
    };
    for (gimple *statement : statements)
        if (behind)
            gsi_insert_after (before, statement, GSI_NEW_STMT);
        else
            gsi_insert_before (before, statement, GSI_SAME_STMT);
    return name;
}

void emit_home_test (basic_block block, basic_block fast, basic_block slow)
{
    emit_if (block, EQ_EXPR, emit_value (block, uint64_type_node, segment_word (offsetof (struct pp_segment, ready))),
             u64_constant (0));
    flow_if (block, slow, fast, rarely ());
}

void declare_all ()
{
    if (object_decl)
        return;
    u64_pointer_type = build_pointer_type (uint64_type_node);
    u32_pointer_type = build_pointer_type (uint32_type_node);
    pointer_pointer_type = build_pointer_type (ptr_type_node);

    /* Declares a static variable, and marks it as written already, because sitetab.cc writes it. */
    object_decl = declare_variable ("profplug_object", sizeof (struct pp_object));
    TREE_STATIC (object_decl) = 1;
    TREE_ASM_WRITTEN (object_decl) = 1;
    SET_DECL_ALIGN (object_decl, 64 * BITS_PER_UNIT);
    SET_DECL_ASSEMBLER_NAME (object_decl, get_identifier ("*.Lprofplug_object"));

    waste_decl = declare_variable ("profplug_waste", 8);
    TREE_STATIC (waste_decl) = 1;
    TREE_ASM_WRITTEN (waste_decl) = 1;
    SET_DECL_ASSEMBLER_NAME (waste_decl, get_identifier ("*.Lprofplug_waste_end"));

    declare_home ();

#ifdef THREAD_SPACE
    int qualifiers = ENCODE_QUAL_ADDR_SPACE (THREAD_SPACE);
#else
    int qualifiers = TYPE_UNQUALIFIED;
#endif
    tls_u64_pointer_type = build_pointer_type (build_qualified_type (uint64_type_node, qualifiers));
    tls_pointer_pointer_type = build_pointer_type (build_qualified_type (ptr_type_node, qualifiers));

    tree u64 = uint64_type_node, u32 = uint32_type_node;
    count_decl =
        declare_hook ("__profplug_count", build_function_type_list (void_type_node, ptr_type_node, u32, NULL_TREE));
    enter_decl = declare_hook ("__profplug_enter", build_function_type_list (u64, ptr_type_node, u32, NULL_TREE));
    leave_decl = declare_hook ("__profplug_leave", build_function_type_list (void_type_node, u64, NULL_TREE));
    resync_decl = declare_hook ("__profplug_resync",
                                build_function_type_list (void_type_node, ptr_type_node, u32, u64, NULL_TREE));
    hits_decl = declare_hook ("__profplug_hits", build_function_type_list (ptr_type_node, ptr_type_node, NULL_TREE));
}

/* ---- statements: each is appended to a block ---- */
location_t place;               /* given to the statements that are emitted */

void emit (basic_block block, gimple *statement)
{
    gimple_set_location (statement, place);
    gimple_stmt_iterator end = gsi_last_bb (block);
    gsi_insert_after (&end, statement, GSI_NEW_STMT);
}

/* name = right; */
tree emit_value (basic_block block, tree type, tree right)
{
    tree name = make_ssa_name (type);
    emit (block, gimple_build_assign (name, right));
    return name;
}

/* name = left CODE right; */
tree emit_operation (basic_block block, enum tree_code code, tree left, tree right)
{
    tree name = make_ssa_name (TREE_TYPE (left));
    emit (block, gimple_build_assign (name, code, left, right));
    return name;
}

/* if (left CODE right) ...; the caller adds the edges */
void emit_if (basic_block block, enum tree_code code, tree left, tree right)
{
    emit (block, gimple_build_cond (code, left, right, NULL_TREE, NULL_TREE));
}

/* *(type *) (pointer + offset), which does not trap */
tree memory (tree pointer, tree pointer_type, HOST_WIDE_INT offset)
{
    tree reference = build2 (MEM_REF, TREE_TYPE (pointer_type), pointer, build_int_cst (pointer_type, offset));
    TREE_THIS_NOTRAP (reference) = 1;
    return reference;
}

tree address_of (tree variable)
{
    return build1 (ADDR_EXPR, ptr_type_node, variable);
}

tree u64_constant (unsigned HOST_WIDE_INT value)
{
    return build_int_cstu (uint64_type_node, value);
}

/* A field of the object. Volatile, so that it is read once: another thread may be registering the object. */
tree emit_object_field (basic_block block, tree pointer_type, size_t offset)
{
    tree field = memory (address_of (object_decl), pointer_type, offset);
    TREE_THIS_VOLATILE (field) = 1;
    TREE_SIDE_EFFECTS (field) = 1;
    return emit_value (block, TREE_TYPE (pointer_type), field);
}

/* The thread's pp_tls: thread pointer + object.tls. Read after object.end, which tells whether object.tls is valid. On
 * x86 the result is an offset in the segment of the thread pointer. */
tree emit_tls (basic_block block)
{
    tree distance = emit_object_field (block, u64_pointer_type, offsetof (struct pp_object, tls));
#ifdef THREAD_SPACE
    return emit_value (block, tls_u64_pointer_type, build1 (NOP_EXPR, tls_u64_pointer_type, distance));
#else
    gcall *call = gimple_build_call (builtin_decl_explicit (BUILT_IN_THREAD_POINTER), 0);
    tree base = make_ssa_name (ptr_type_node);
    gimple_call_set_lhs (call, base);
    emit (block, call);
    return emit_operation (block, POINTER_PLUS_EXPR, base,
                           emit_value (block, sizetype, build1 (NOP_EXPR, sizetype, distance)));
#endif
}

/* A word of pp_tls. */
tree emit_tls_u64 (basic_block block, tree tls, size_t offset)
{
    return emit_value (block, uint64_type_node, memory (tls, tls_u64_pointer_type, offset));
}

tree emit_tls_pointer (basic_block block, tree tls, size_t offset)
{
    return emit_value (block, ptr_type_node, memory (tls, tls_pointer_pointer_type, offset));
}

basic_block new_block (basic_block after)
{
    basic_block block = create_empty_bb (after);
    block->count = profile_count::uninitialized ();
    if (current_loops)
        add_bb_to_loop (block, after->loop_father);
    return block;
}

/* Adds an edge between two blocks. The first edge into a new block sets its execution count. */
edge flow (basic_block from, basic_block to, int flags, profile_probability probability)
{
    edge e = make_edge (from, to, flags);
    e->probability = probability;
    if (!to->count.initialized_p ())
        to->count = e->count ();
    return e;
}

void flow_if (basic_block from, basic_block yes, basic_block no, profile_probability probability)
{
    flow (from, yes, EDGE_TRUE_VALUE, probability);
    flow (from, no, EDGE_FALSE_VALUE, probability.invert ());
}

edge flow_on (basic_block from, basic_block to)
{
    return flow (from, to, EDGE_FALLTHRU, profile_probability::always ());
}

profile_probability rarely ()
{
    return profile_probability::very_unlikely ();
}

void emit_register (const char *plugin_name)
{
    register_callback (plugin_name, PLUGIN_REGISTER_GGC_ROOTS, nullptr, const_cast<struct ggc_root_tab *> (roots));
}
