/* SPDX-License-Identifier: GPL-3.0-or-later */
/* prologue.cc: probes in executables on x86-64, written as assembler before the function's first instruction. GCC
 * compiles the function as if there were none: the fast path takes no register, and the slow path preserves those that
 * hold arguments. Must not know which functions they are for.
 *
 *       cmpq $0, %fs:__profplug_home@tpoff       if (!ready) goto look;            unless all callers test it
 *       je look
 *       addq $1, %gs:HOME - 8 - K * 8(%rip)      ++counter;
 *       jns due                                  if (counter >= 0) goto due;       in a framed function
 *   body:
 *       ... the function ...
 *   due: call *__profplug_enter_kept             or _count_kept: reads object and K at its return address, then either
 *       jmp body                                 returns to the jump, or calls the body and returns for the function
 *       .long object - ., K
 *   look: the same, with K | PP_SLOT_UNCOUNTED in a framed function
 *
 * A framed function may not read its return address, and may have at most 8 words of arguments on the stack. The slow
 * path copies these for the body: it is then _enter_kept_2, _4 or _8, and the number of words comes after K. */
#include "gcc.h"
#include "plugin.h"
#include "emit.h"

#ifdef COUNTER_SPACE

#define STACK_WORDS 8                    /* words of arguments that the slow path copies at most */

/* The plan for the current function. */
static struct {
    tree function;
    unsigned slot;
    bool framed;
    bool looks;
    unsigned number;
} plan;

static void (*own_prologue) (FILE *);
static void (*own_epilogue) (FILE *);

/* Is a value of the type wider than the part of a register that the slow path saves? */
static bool is_wide (tree type)
{
    if (VECTOR_TYPE_P (type))
        return !tree_fits_uhwi_p (TYPE_SIZE_UNIT (type)) || tree_to_uhwi (TYPE_SIZE_UNIT (type)) > 16;
    if (TREE_CODE (type) == ARRAY_TYPE)
        return is_wide (TREE_TYPE (type));
    if (RECORD_OR_UNION_TYPE_P (type))
        for (tree field = TYPE_FIELDS (type); field; field = DECL_CHAIN (field))
            if (TREE_CODE (field) == FIELD_DECL && is_wide (TREE_TYPE (field)))
                return true;
    return false;
}

/* Switches the assembler to AT&T syntax, and back. */
static void dialect (FILE *file, bool back)
{
    if (ASSEMBLER_DIALECT == ASM_INTEL)
        fputs (back ? "\t.intel_syntax noprefix\n" : "\t.att_syntax prefix\n", file);
}

static bool is_planned ()
{
    return plan.function && plan.function == current_function_decl && !cfun->is_thunk;
}

static void write_prologue (FILE *file)
{
    own_prologue (file);
    if (!is_planned ())
        return;
    dialect (file, false);
    if (flag_cf_protection & CF_BRANCH
        && !lookup_attribute ("nocf_check", TYPE_ATTRIBUTES (TREE_TYPE (current_function_decl))))
        fputs ("\tendbr64\n", file);
    if (plan.looks)
        fprintf (file, "\tcmpq\t$0, %%fs:__profplug_home@tpoff\n\tje\t.Lprofplug_look%u\n", plan.number);
    fprintf (file, "\taddq\t$1, %%gs:.Lprofplug_home_end-%u(%%rip)\n", 8 + plan.slot * 8);
    if (plan.framed)
        fprintf (file, "\tjns\t.Lprofplug_due%u\n", plan.number);
    if (plan.framed || plan.looks)
        fprintf (file, ".Lprofplug_body%u:\n", plan.number);
    dialect (file, true);
}

/* Words of stack arguments of the current function. */
static unsigned stack_words ()
{
    HOST_WIDE_INT bytes = crtl->args.size.to_constant ();
    gcc_assert (bytes >= 0 && bytes <= STACK_WORDS * 8);
    return (bytes + 7) / 8;
}

/* The jump is written as bytes, so that it always has a distance of four bytes. */
static void write_slow (FILE *file, const char *label, const char *hook, unsigned slot)
{
    unsigned words = plan.framed ? stack_words () : 0;
    fprintf (file,
             ".Lprofplug_%s%u:\n\tcall\t*__profplug_%s_kept%s@GOTPCREL(%%rip)\n"
             "\t.byte\t0xe9\n\t.long\t.Lprofplug_body%u-.-4\n"
             "\t.long\t.Lprofplug_object-.\n\t.long\t%u\n",
             label, plan.number, hook,
             words == 0   ? ""
             : words <= 2 ? "_2"
             : words <= 4 ? "_4"
                          : "_8",
             plan.number, slot);
    if (words)
        fprintf (file, "\t.long\t%u\n", words);
}

/* After the last instruction the stack is as at the first one. The unwinder is told so. */
static void write_epilogue (FILE *file)
{
    if (is_planned () && (plan.framed || plan.looks)) {
        dialect (file, false);
        if (dwarf2out_do_cfi_asm () && dwarf2out_do_frame ())
            fputs ("\t.cfi_def_cfa 7, 8\n\t.cfi_restore 3\n\t.cfi_restore 6\n"
                   "\t.cfi_restore 12\n\t.cfi_restore 13\n\t.cfi_restore 14\n\t.cfi_restore 15\n",
                   file);
        if (plan.looks)
            write_slow (file, "look", plan.framed ? "enter" : "count",
                        plan.framed ? plan.slot | PP_SLOT_UNCOUNTED : plan.slot);
        if (plan.framed)
            write_slow (file, "due", "enter", plan.slot);
        dialect (file, true);
        /* Callers must not assume that the function leaves vector registers unchanged. The slow path saves the general
         * ones. */
        if (cgraph_rtl_info *info = cgraph_node::rtl_info (current_function_decl))
            info->function_used_regs |= crtl->abi->full_and_partial_reg_clobbers () & ~reg_class_contents[GENERAL_REGS];
    }
    plan.function = NULL_TREE;
    own_epilogue (file);
}

/* Do the function's arguments take at most 8 words of stack, with default alignment? Each structure is assumed to be on
 * the stack. One of up to 16 bytes is also assumed to take two registers of each kind, whatever the ABI says. */
static bool takes_little_stack (function *fun)
{
    unsigned HOST_WIDE_INT words = aggregate_value_p (DECL_RESULT (fun->decl), fun->decl) ? 1 : 0, vectors = 0,
                           stack = 0;
    if (stdarg_p (TREE_TYPE (fun->decl)) || PREFERRED_STACK_BOUNDARY > 128)
        return false;
    for (tree argument = DECL_ARGUMENTS (fun->decl); argument; argument = DECL_CHAIN (argument)) {
        tree type = TREE_TYPE (argument), bytes = TYPE_SIZE_UNIT (type);
        if (!bytes || !tree_fits_uhwi_p (bytes) || TYPE_ALIGN (type) > 128 || tree_to_uhwi (bytes) > STACK_WORDS * 8)
            return false;
        if (TREE_ADDRESSABLE (type)
            || ((INTEGRAL_TYPE_P (type) || POINTER_TYPE_P (type)) && tree_to_uhwi (bytes) <= 8)) {
            words++;
        } else if (SCALAR_FLOAT_TYPE_P (type) && tree_to_uhwi (bytes) <= 8) {
            vectors++;
        } else {
            stack += (tree_to_uhwi (bytes) + 7) / 8 + (TYPE_ALIGN (type) > 64);
            words += tree_to_uhwi (bytes) <= 16 ? 2 : 0;
            vectors += tree_to_uhwi (bytes) <= 16 ? 2 : 0;
        }
    }
    return stack + (words > 6 ? words - 6 : 0) + (vectors > 8 ? vectors - 8 : 0) <= STACK_WORDS;
}

/* Does the function read its return address or its caller's frame? */
static bool looks_back (function *fun)
{
    basic_block block;
    FOR_EACH_BB_FN (block, fun)
        for (gimple_stmt_iterator at = gsi_start_bb (block); !gsi_end_p (at); gsi_next (&at)) {
            gimple *call = gsi_stmt (at);
            static const enum built_in_function backward[] = { BUILT_IN_RETURN_ADDRESS, BUILT_IN_FRAME_ADDRESS,
                                                               BUILT_IN_DWARF_CFA,      BUILT_IN_APPLY_ARGS,
                                                               BUILT_IN_APPLY,          BUILT_IN_RETURN,
                                                               BUILT_IN_UNWIND_INIT };
            for (enum built_in_function name : backward)
                if (gimple_call_builtin_p (call, name))
                    return true;
        }
    return false;
}

bool prologue_is_planned (tree function) { return plan.function && plan.function == function; }

bool prologue_plan (function *fun, const struct choice *choice, unsigned slot)
{
    bool framed = choice->mode == PP_MODE_FRAMED;
    /* Microsoft's convention preserves more vector registers than the slow path does. */
    if (ix86_abi != SYSV_ABI || lookup_attribute ("ms_abi", TYPE_ATTRIBUTES (TREE_TYPE (fun->decl))))
        return false;
    if (!segment_is_used () || flag_split_stack || lookup_attribute ("ms_hook_prologue", DECL_ATTRIBUTES (fun->decl)))
        return false;
    if (framed
        && (choice->reason == PP_REASON_CATCHES || !takes_little_stack (fun) || looks_back (fun)
            || is_wide (TREE_TYPE (DECL_RESULT (fun->decl)))))
        return false;
    for (tree argument = DECL_ARGUMENTS (fun->decl); argument; argument = DECL_CHAIN (argument))
        if (is_wide (TREE_TYPE (argument)))
            return false;
    if (!own_prologue) {
        own_prologue = targetm.asm_out.function_prologue;
        own_epilogue = targetm.asm_out.function_epilogue;
        targetm.asm_out.function_prologue = write_prologue;
        targetm.asm_out.function_epilogue = write_epilogue;
    }
    plan.function = fun->decl;
    plan.slot = slot;
    plan.framed = framed;
    plan.looks = !ready_is_known (fun->decl);
    plan.number++;
    return true;
}

#else

bool prologue_is_planned (tree) { return false; }

bool prologue_plan (function *, const struct choice *, unsigned)
{
    return false;
}

#endif
