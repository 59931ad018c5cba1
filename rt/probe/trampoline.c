/* SPDX-License-Identifier: MIT */
/* trampoline.c: the slow paths of probes before a function's first instruction (plugin/prologue.cc). All registers that
 * may hold arguments are preserved. It must not know what the hooks do.
 *
 * The probe is a jump to a stub behind the function. The stub calls us, so our return address is the address STUB of
 *
 *     STUB + 0    jmp body        five bytes: an opcode and a 32-bit distance
 *     STUB + 5    .long           distance from here to the object (struct pp_object)
 *     STUB + 9    .long           slot of the site
 *     STUB + 13   .long           words of arguments on the stack (__profplug_enter_kept_2, _4 and _8)
 *
 * If the call is only counted, or is not timed, we return to STUB, which jumps to the body. If it is timed, we call the
 * body from here. It returns to pp_trampoline_back, which leaves the activation and returns to the function's caller.
 * The stack while the body runs, from high addresses to low:
 *
 *     the caller's arguments on the stack
 *     return address into the caller
 *     token of the activation (at first, STUB was here)
 *     copies of the arguments: room for 0, 2, 4 or 8 words
 *     return address: pp_trampoline_back, _back_2, _back_4 or _back_8
 *
 * The body gets copies of its stack arguments, since it addresses them relative to its own return address, and may
 * write to them. There is a return point for each size of the room, so that each knows where the token is.
 *
 * If a body ends in a tail call, the next function gets our return point as its return address. If that one is timed,
 * too, its activation replaces the one whose token is there. Otherwise programs that are written as tail calls would
 * overflow the stack. */
#define _GNU_SOURCE
#include "process/copies.h"

#ifdef __x86_64__

extern const char pp_trampoline_back[] __attribute__((visibility("hidden")));
extern const char pp_trampoline_back_2[] __attribute__((visibility("hidden")));
extern const char pp_trampoline_back_4[] __attribute__((visibility("hidden")));
extern const char pp_trampoline_back_8[] __attribute__((visibility("hidden")));

/* Words of the stack at a trampoline's entry, as pp_trampoline_enter gets it. */
enum { STACK_STUB, STACK_RETURN, STACK_ABOVE };

__attribute__((visibility("hidden"), used)) void pp_trampoline_count(struct pp_object *object, uint32_t slot)
{
    pp_elected()->count(object, slot);
}

__attribute__((visibility("hidden"), used)) void pp_trampoline_leave(uint64_t token)
{
    if (token)
        pp_elected()->leave(token, 0);
}

/* If the function returns to one of our return points: where the token is that this one will leave. Otherwise null. */
static uint64_t *token_left(uint64_t *stack)
{
    const char *back = (const char *)(uintptr_t)stack[STACK_RETURN];
    if (back == pp_trampoline_back)
        return &stack[STACK_ABOVE];
    if (back == pp_trampoline_back_2)
        return &stack[STACK_ABOVE + 2];
    if (back == pp_trampoline_back_4)
        return &stack[STACK_ABOVE + 4];
    return back == pp_trampoline_back_8 ? &stack[STACK_ABOVE + 8] : NULL;
}

/* Returns the token of an activation whose body is to be called from here; 0: return to the stub. */
__attribute__((visibility("hidden"), used)) uint64_t pp_trampoline_enter(struct pp_object *object, uint32_t slot,
                                                                         uint64_t *stack)
{
    uint64_t *instead = token_left(stack);
    if (instead) {
        pp_trampoline_leave(*instead);
        *instead = 0; /* until there is another */
    }
    /* The stack address lies below everything that the caller opened. */
    uint64_t token = pp_elected()->enter(object, slot, (uint64_t)(uintptr_t)&stack[STACK_RETURN]);
    if (!instead)
        return token;
    *instead = token;
    return 0;
}

/* clang-format off */
#ifdef PP_SHARED
#define VISIBLE(name)
#else
#define VISIBLE(name) "\t.hidden " name "\n"
#endif
#define BEGIN(name) \
    "\t.globl " name "\n" \
    VISIBLE(name) \
    "\t.type " name ", @function\n" \
    name ":\n" \
    "\t.cfi_startproc\n"
#define END(name) \
    "\t.cfi_endproc\n" \
    "\t.size " name ", .-" name "\n"
#define PUSH(name) "\tpushq %" name "\n\t.cfi_adjust_cfa_offset 8\n"
#define POP(name) "\tpopq %" name "\n\t.cfi_adjust_cfa_offset -8\n"
#define GROW(bytes) "\tsubq $" bytes ", %rsp\n\t.cfi_adjust_cfa_offset " bytes "\n"
#define SHRINK(bytes) "\taddq $(" bytes "), %rsp\n\t.cfi_adjust_cfa_offset -(" bytes ")\n"

/* Calls a function with the stack aligned to 16 bytes. GCC calls a function without aligning the stack if it sees that
 * it needs no alignment (-fipa-stack-alignment), and it does not see this call. */
#define CALL(name) \
    PUSH("rbx") \
    "\t.cfi_rel_offset %rbx, 0\n" \
    "\tmovq %rsp, %rbx\n" \
    "\t.cfi_def_cfa_register %rbx\n" \
    "\tandq $-16, %rsp\n" \
    "\tcall " name "\n" \
    "\tmovq %rbx, %rsp\n" \
    "\t.cfi_def_cfa_register %rsp\n" \
    POP("rbx") \
    "\t.cfi_restore %rbx\n"

/* Saves all registers that the body may expect to find unchanged, and loads STUB into rax, the object into rdi and the
 * slot into rsi. The saved ones are the argument registers, and the other general registers that calls may change: a
 * caller may know that the function leaves them alone (-fipa-ra). GCC is told that the rest is lost. The hooks use no
 * vector registers, but functions of the C library that they call may copy with them.
 * `room`: bytes below the return address that are already allocated. KEPT bytes are saved:
 *   200  a word for the body's address, which the call reads just after it was popped
 *   128  rax rcx rdx rsi rdi r8 r9 r10 r11
 *     0  xmm0 to xmm7 */
#define KEPT "208"
#define KEPT_BODY "200"
#define KEEP(room) \
    GROW("8") \
    PUSH("rax") PUSH("rcx") PUSH("rdx") PUSH("rsi") PUSH("rdi") PUSH("r8") PUSH("r9") PUSH("r10") PUSH("r11") \
    GROW("128") \
    "\tmovups %xmm0, (%rsp)\n" \
    "\tmovups %xmm1, 16(%rsp)\n" \
    "\tmovups %xmm2, 32(%rsp)\n" \
    "\tmovups %xmm3, 48(%rsp)\n" \
    "\tmovups %xmm4, 64(%rsp)\n" \
    "\tmovups %xmm5, 80(%rsp)\n" \
    "\tmovups %xmm6, 96(%rsp)\n" \
    "\tmovups %xmm7, 112(%rsp)\n" \
    "\tmovq " KEPT "+" room "(%rsp), %rax\n"      /* STUB */ \
    "\tmovslq 5(%rax), %rdi\n" \
    "\tleaq 5(%rax, %rdi), %rdi\n"                /* the object */ \
    "\tmovl 9(%rax), %esi\n"                      /* the slot */
#define RESTORE \
    "\tmovups (%rsp), %xmm0\n" \
    "\tmovups 16(%rsp), %xmm1\n" \
    "\tmovups 32(%rsp), %xmm2\n" \
    "\tmovups 48(%rsp), %xmm3\n" \
    "\tmovups 64(%rsp), %xmm4\n" \
    "\tmovups 80(%rsp), %xmm5\n" \
    "\tmovups 96(%rsp), %xmm6\n" \
    "\tmovups 112(%rsp), %xmm7\n" \
    SHRINK("128") \
    POP("r11") POP("r10") POP("r9") POP("r8") POP("rdi") POP("rsi") POP("rdx") POP("rcx") POP("rax") \
    "\tleaq 8(%rsp), %rsp\n"                      /* the word for the body's address */ \
    "\t.cfi_adjust_cfa_offset -8\n"

/* Copies the arguments that came on the stack into the room. rdx is STUB. The arguments lie above STUB's word and the
 * return address into the caller. The room is a multiple of 16 bytes, so that the copies are aligned like the
 * originals. */
#define COPY(room) \
    "\tmovl 13(%rdx), %ecx\n"                     /* how many words */ \
    "\tleaq " KEPT "+16+" room "(%rsp), %rsi\n" \
    "\tleaq " KEPT "(%rsp), %rdi\n" \
    "\trep movsq\n"

#define ENTER(suffix, room, copy) \
    BEGIN("__profplug_enter_kept" suffix) \
    GROW(room) \
    KEEP(room) \
    "\tleaq " KEPT "+" room "(%rsp), %rdx\n"      /* the stack at entry */ \
    CALL("pp_trampoline_enter") \
    "\ttestq %rax, %rax\n" \
    "\tjne 1f\n" \
    "\t.cfi_remember_state\n" \
    RESTORE \
    SHRINK(room) \
    "\tret\n"                                     /* to STUB */ \
    /* Timed: call the body. */ \
    "1:\t.cfi_restore_state\n" \
    "\tmovq " KEPT "+" room "(%rsp), %rdx\n"      /* STUB */ \
    copy \
    "\tmovslq 1(%rdx), %rcx\n" \
    "\tleaq 5(%rdx, %rcx), %rdx\n"                /* where the jump at STUB leads: the body */ \
    "\tmovq %rdx, " KEPT_BODY "(%rsp)\n" \
    "\tmovq %rax, " KEPT "+" room "(%rsp)\n"      /* the token replaces STUB, */ \
    "\t.cfi_adjust_cfa_offset 8\n"                /* so our return address is now the one into the caller */ \
    RESTORE \
    "\tcall *-8(%rsp)\n"                          /* the word KEPT_BODY, which RESTORE has just popped */ \
    "\t.hidden pp_trampoline_back" suffix "\n" \
    "pp_trampoline_back" suffix ":\n" \
    /* Leave the activation, and preserve what the body returned and what callers may expect unchanged. */ \
    PUSH("rax") PUSH("rdx") PUSH("rcx") PUSH("rsi") PUSH("rdi") PUSH("r8") PUSH("r9") PUSH("r10") PUSH("r11") \
    GROW("40") \
    "\tmovups %xmm0, (%rsp)\n" \
    "\tmovups %xmm1, 16(%rsp)\n" \
    "\tmovq 112+" room "(%rsp), %rdi\n"           /* the token */ \
    CALL("pp_trampoline_leave") \
    "\tmovups (%rsp), %xmm0\n" \
    "\tmovups 16(%rsp), %xmm1\n" \
    SHRINK("40") \
    POP("r11") POP("r10") POP("r9") POP("r8") POP("rdi") POP("rsi") POP("rcx") POP("rdx") POP("rax") \
    SHRINK("8+" room)                             /* the token and the room */ \
    "\tret\n" \
    END("__profplug_enter_kept" suffix)

__asm__("\t.text\n"
        "\t.globl pp_trampoline_start, pp_trampoline_stop\n"
        "\t.hidden pp_trampoline_start, pp_trampoline_stop\n"
        "pp_trampoline_start:\n"
        BEGIN("__profplug_count_kept")
        KEEP("0")
        CALL("pp_trampoline_count")
        RESTORE
        "\tret\n"
        END("__profplug_count_kept")

        ENTER("", "0", "")
        ENTER("_2", "16", COPY("16"))
        ENTER("_4", "32", COPY("32"))
        ENTER("_8", "64", COPY("64"))
        "pp_trampoline_stop:\n");
/* clang-format on */

#endif
