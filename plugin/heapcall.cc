/* SPDX-License-Identifier: GPL-3.0-or-later */
/* heapcall.cc: calls of malloc, calloc, realloc and free in an executable. They go through words of the runtime
 * (struct pp_heap_calls) that hold the function in effect:
 *
 *       call *__profplug_heap(%rip)              instead of call malloc
 *
 * The runtime's malloc is a jump through such a word, which is so left out. The object goes on to ask for malloc by
 * name: an allocator in an archive is linked for that alone. Must not know what is in the words. */
#include "gcc.h"
#include "plugin.h"
#include "emit.h"

#ifdef COUNTER_SPACE

static const struct pass_data heapcall_pass_data = { RTL_PASS, "profplug_heapcalls", OPTGROUP_NONE, TV_NONE, 0, 0, 0,
                                                     0, 0 };

class heapcall_pass : public rtl_opt_pass {
public:
    heapcall_pass (gcc::context *context) : rtl_opt_pass (heapcall_pass_data, context) {}
    bool gate (function *fun) final override { return prologue_is_planned (fun->decl) && !seen_error (); }
    unsigned int execute (function *) final override;
};

static struct {
    const char *name;
    int offset;
    bool called; /* in this unit, through its word */
} known[] = { { "malloc", offsetof (struct pp_heap_calls, get), false },
              { "calloc", offsetof (struct pp_heap_calls, get_zeroed), false },
              { "realloc", offsetof (struct pp_heap_calls, resize), false },
              { "free", offsetof (struct pp_heap_calls, give), false } };

/* The place in the table, -1: none. A function that the unit itself defines is no call of the heap. */
static int known_of (rtx symbol)
{
    tree function = SYMBOL_REF_DECL (symbol);
    if (!function || TREE_CODE (function) != FUNCTION_DECL || !DECL_EXTERNAL (function) || !TREE_PUBLIC (function))
        return -1;
    for (size_t i = 0; i < ARRAY_SIZE (known); i++)
        if (!strcmp (targetm.strip_name_encoding (XSTR (symbol, 0)), known[i].name))
            return (int)i;
    return -1;
}

unsigned int heapcall_pass::execute (function *)
{
    for (rtx_insn *at = get_insns (); at; at = NEXT_INSN (at)) {
        rtx call = CALL_P (at) ? get_call_rtx_from (at) : NULL_RTX;
        rtx called = call ? XEXP (call, 0) : NULL_RTX;
        if (!called || !MEM_P (called) || GET_CODE (XEXP (called, 0)) != SYMBOL_REF)
            continue;
        int which = known_of (XEXP (called, 0));
        if (which < 0)
            continue;
        rtx table = gen_rtx_SYMBOL_REF (Pmode, "__profplug_heap");
        SYMBOL_REF_FLAGS (table) |= SYMBOL_FLAG_LOCAL; /* hidden: it is addressed without the GOT */
        /* Where an option forbids calls through memory, the call stays as it is. */
        rtx word = gen_rtx_MEM (Pmode, plus_constant (Pmode, table, known[which].offset));
        known[which].called |= validate_change (at, &XEXP (called, 0), word, false);
    }
    return 0;
}

void heapcall_write_names ()
{
    for (const auto &one : known)
        if (one.called)
            fprintf (asm_out_file, "\t.reloc\t., BFD_RELOC_NONE, %s\n", one.name);
}

void heapcall_register_pass (const char *plugin_name)
{
    /* After all that knows what malloc does, and before lengths of jumps are decided. */
    static struct register_pass_info where = { nullptr, "shorten", 1, PASS_POS_INSERT_BEFORE };
    where.pass = new heapcall_pass (g);
    register_callback (plugin_name, PLUGIN_PASS_MANAGER_SETUP, nullptr, &where);
}

#else

void heapcall_register_pass (const char *) {}
void heapcall_write_names () {}

#endif
