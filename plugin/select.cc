/* SPDX-License-Identifier: GPL-3.0-or-later */
/* select.cc: decides how a function is probed, or why it is not. Looks at the function after optimization. Changes
 * nothing. Must not know what a probe consists of. */
#include "gcc.h"
#include "plugin.h"

static const char *const reason_texts[] = {
#define PP_SITE_REASON(id, text) text,
#include "profplug/abi/site.def"
};

const char *reason_text (enum pp_site_reason reason)
{
    return reason_texts[reason];
}

static bool has_attribute (tree function, const char *name)
{
    return lookup_attribute (name, DECL_ATTRIBUTES (function)) != NULL_TREE;
}

/* An ifunc resolver. target_clones makes one, too. */
static bool is_resolver (cgraph_node *node)
{
    if (node->ifunc_resolver)
        return true;
    ipa_ref *ref;
    FOR_EACH_ALIAS (node, ref)
        if (lookup_attribute ("ifunc", DECL_ATTRIBUTES (ref->referring->decl)))
            return true;
    return false;
}

typedef hash_set<int_hash<unsigned, 0, UINT_MAX>> uid_set;

static void add_callees (cgraph_node *node, uid_set *uids)
{
    if (uids->add (DECL_UID (node->decl)))
        return;
    for (cgraph_edge *call = node->callees; call; call = call->next_callee)
        add_callees (call->callee->ultimate_alias_target (), uids);
}

/* A resolver and what it calls run before relocation, in a static program even before thread-local storage exists. They
 * are searched at the unit's first function, because GCC later forgets calls in functions that it has expanded. They
 * are searched again when functions are expanded, because target_clones makes its resolver in between. */
static bool runs_before_relocation (tree function)
{
    static uid_set *uids;
    static bool looked_again;
    bool expanding = symtab->state >= EXPANSION;
    if (!uids || (expanding && !looked_again)) {
        uids = uids ? uids : new uid_set;
        looked_again = expanding;
        cgraph_node *node;
        FOR_EACH_FUNCTION (node)
            if (is_resolver (node))
                add_callees (node, uids);
    }
    return uids->contains (DECL_UID (function));
}

/* Start-up code that GCC generates: _GLOBAL__sub_I_x and what it calls. Implicit member functions of a class, and
 * bodies of parallel regions, are treated as the user's code. */
static bool is_start_up (tree function)
{
    const char *symbol = function_symbol (function);
    return DECL_ARTIFICIAL (function)
           && (DECL_STATIC_CONSTRUCTOR (function) || DECL_STATIC_DESTRUCTOR (function)
               || !strncmp (symbol, "_GLOBAL__", 9)
               || !strncmp (symbol, "_Z41__static_initialization_and_destruction", 43) || !strncmp (symbol, "_ZTH", 4)
               || !strncmp (symbol, "_ZTW", 4));
}

enum pp_site_reason select_exclusion (tree function)
{
    struct function *fun = DECL_STRUCT_FUNCTION (function);       /* with -flto it may not be read yet */
    if (has_attribute (function, "no_instrument_function")
        || has_attribute (function, "no_profile_instrument_function"))
        return PP_REASON_ATTRIBUTE;
    if (has_attribute (function, "naked"))
        return PP_REASON_NAKED;
    if (runs_before_relocation (function))
        return PP_REASON_RESOLVER;
    cgraph_node *node = cgraph_node::get (function);
    if (node && (node->thunk || node->former_thunk_p ()))
        return PP_REASON_THUNK;
    if (is_start_up (function))
        return PP_REASON_ARTIFICIAL;
    if (has_attribute (function, "no_split_stack"))
        return PP_REASON_SPLIT_STACK;
    /* In the x86 interrupt conventions no register is free for a call. __builtin_eh_return leaves a function without a
     * return. */
    if (has_attribute (function, "interrupt") || has_attribute (function, "no_caller_saved_registers")
        || (fun && fun->calls_eh_return))
        return PP_REASON_UNSUPPORTED;
    if (filter_judge (function_symbol (function), function_name (function), DECL_SOURCE_FILE (function)) == FILTER_SKIP)
        return PP_REASON_FILTER;
    return PP_REASON_NONE;
}

/* Can control come back into the middle of an activation, after callees were left without a return? */
static bool is_re_entered (function *fun)
{
    if (fun->calls_setjmp || fun->has_nonlocal_label)
        return true;
    if (fun->eh && fun->eh->region_tree) {
        basic_block block;
        edge e;
        edge_iterator i;
        FOR_EACH_BB_FN (block, fun)
            FOR_EACH_EDGE (e, i, block->preds)
                if (e->flags & EDGE_EH)
                    return true;
    }
    return false;
}

static unsigned count_statements (function *fun)
{
    unsigned count = 0, counting = 0;
    basic_block block;
    FOR_EACH_BB_FN (block, fun)
        for (gimple_stmt_iterator i = gsi_start_bb (block); !gsi_end_p (i); gsi_next (&i))
            if (!is_gimple_debug (gsi_stmt (i)) && gimple_code (gsi_stmt (i)) != GIMPLE_LABEL) {
                count++;
                counting += lineslot_is_counter (gsi_stmt (i));
            }
    return count - (count < counting ? count : counting);
}

static struct choice choose (struct choice choice, enum pp_site_mode mode, enum pp_site_reason reason)
{
    choice.mode = mode;
    choice.reason = reason;
    return choice;
}

struct choice select_function (function *fun)
{
    struct choice choice = { PP_MODE_LEFT_OUT, PP_REASON_NONE, PP_CATEGORY_CUSTOM, nullptr, count_statements (fun) };
    enum pp_site_reason reason = select_exclusion (fun->decl);
    if (reason != PP_REASON_NONE)
        return choose (choice, PP_MODE_LEFT_OUT, reason);
    if (arguments.functions == FUNCTIONS_NONE)
        return choose (choice, PP_MODE_LEFT_OUT, PP_REASON_SELECTION);
    choice.stage = annotate_stage (fun->decl, &choice.category);
    if (choice.stage)
        return choose (choice, PP_MODE_TIMED, PP_REASON_STAGE);
    if (arguments.functions == FUNCTIONS_STAGES)
        return choose (choice, PP_MODE_LEFT_OUT, PP_REASON_SELECTION);
    if (is_re_entered (fun))
        return choose (choice, PP_MODE_FRAMED, PP_REASON_CATCHES);
    if (arguments.functions == FUNCTIONS_ALL)
        return choose (choice, PP_MODE_FRAMED, PP_REASON_ALL);
    if (choice.statements >= arguments.min_size)
        return choose (choice, PP_MODE_FRAMED, PP_REASON_LARGE);
    if (mark_dfs_back_edges (fun))
        return choose (choice, PP_MODE_FRAMED, PP_REASON_LOOPS);
    return choose (choice, PP_MODE_COUNTED, PP_REASON_SMALL);
}
