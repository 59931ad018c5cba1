/* SPDX-License-Identifier: MIT */
/* trampoline.c: slow halves of probes that stand before a function's own first instruction (plugin/prologue.cc): what its
 * arguments come in may not be another afterwards. Must not know what the hooks do.
 *
 * Called from behind the function, where a jump of five bytes to its body follows, and then the distance to the object and the slot. They go back
 * there; but where an activation is to be timed, the body is called from here, and what it returns to leaves the activation. Its token lies
 * on the stack, above that return address. Arguments that came on the stack are copied to between the two, as many words as stand behind the slot, in
 * room for 2, 4 or 8: they are the body's own to write to, and what it returns to has to know where the token lies.
 *
 * A body that ends by a tail call hands our return address on. So a function may find it as its own, and takes the place of the activation then:
 * programs that are written as tail calls would run out of stack. */
#define _GNU_SOURCE
#include "process/copies.h"

#ifdef __x86_64__

extern const char pp_trampoline_back[] __attribute__((visibility("hidden"))), pp_trampoline_back_2[] __attribute__((visibility("hidden")));
extern const char pp_trampoline_back_4[] __attribute__((visibility("hidden"))), pp_trampoline_back_8[] __attribute__((visibility("hidden")));

__attribute__((visibility("hidden"), used)) void pp_trampoline_count(struct pp_object *object, uint32_t slot)
{
    pp_elected()->count(object, slot);
}

__attribute__((visibility("hidden"), used)) void pp_trampoline_leave(uint64_t token)
{
    if (token)
        pp_elected()->leave(token, 0);
}

/* Where the token of the activation lies that is left by returning; null for a return to anybody else. */
static uint64_t *token_left(uint64_t *stack)
{
    const char *back = (const char *)(uintptr_t)stack[1];
    return back == pp_trampoline_back ? &stack[2] : back == pp_trampoline_back_2 ? &stack[2 + 2] : back == pp_trampoline_back_4 ? &stack[2 + 4] :
           back == pp_trampoline_back_8 ? &stack[2 + 8] : NULL;
}

/* `stack` is at the address behind the function; its own return address lies above it. The token of an activation that is to be called from here. */
__attribute__((visibility("hidden"), used)) uint64_t pp_trampoline_enter(struct pp_object *object, uint32_t slot, uint64_t *stack)
{
    uint64_t *instead = token_left(stack);
    if (instead) {
        pp_trampoline_leave(*instead);
        *instead = 0;                                    /* until there is another */
    }
    uint64_t token = pp_elected()->enter(object, slot, (uint64_t)(uintptr_t)&stack[1]);      /* below what its caller opened */
    if (!instead)
        return token;
    *instead = token;
    return 0;
}

#ifdef PP_SHARED
#define VISIBLE(name)
#else
#define VISIBLE(name) "\t.hidden " name "\n"
#endif
#define BEGIN(name) "\t.globl " name "\n" VISIBLE(name) "\t.type " name ", @function\n" name ":\n\t.cfi_startproc\n"
#define END(name) "\t.cfi_endproc\n\t.size " name ", .-" name "\n"
#define PUSH(name) "\tpushq %" name "\n\t.cfi_adjust_cfa_offset 8\n"
#define POP(name) "\tpopq %" name "\n\t.cfi_adjust_cfa_offset -8\n"
#define GROW(bytes) "\tsubq $" bytes ", %rsp\n\t.cfi_adjust_cfa_offset " bytes "\n"
#define SHRINK(bytes) "\taddq $(" bytes "), %rsp\n\t.cfi_adjust_cfa_offset -(" bytes ")\n"
/* On a stack that is aligned: GCC calls functions that it sees to need no alignment without (-fipa-stack-alignment), and never saw this call. */
#define CALL(name) \
    PUSH("rbx") "\t.cfi_rel_offset %rbx, 0\n\tmovq %rsp, %rbx\n\t.cfi_def_cfa_register %rbx\n\tandq $-16, %rsp\n\tcall " name "\n" \
    "\tmovq %rbx, %rsp\n\t.cfi_def_cfa_register %rsp\n" POP("rbx") "\t.cfi_restore %rbx\n"
/* A word for the body's address, which outlives its place on the stack by one instruction; the general registers, which callers know that the body
 * leaves alone (-fipa-ra); and what other arguments come in: GCC is told that the rest is not kept. Floating point is not the hooks', but what they
 * call of the C library may copy by vectors. */
#define KEEP(room) \
    GROW("8") PUSH("rax") PUSH("rcx") PUSH("rdx") PUSH("rsi") PUSH("rdi") PUSH("r8") PUSH("r9") PUSH("r10") PUSH("r11") GROW("128") \
    "\tmovups %xmm0, (%rsp)\n\tmovups %xmm1, 16(%rsp)\n\tmovups %xmm2, 32(%rsp)\n\tmovups %xmm3, 48(%rsp)\n" \
    "\tmovups %xmm4, 64(%rsp)\n\tmovups %xmm5, 80(%rsp)\n\tmovups %xmm6, 96(%rsp)\n\tmovups %xmm7, 112(%rsp)\n" \
    "\tmovq 208+" room "(%rsp), %rax\n\tmovslq 5(%rax), %rdi\n\tleaq 5(%rax, %rdi), %rdi\n\tmovl 9(%rax), %esi\n"
#define RESTORE \
    "\tmovups (%rsp), %xmm0\n\tmovups 16(%rsp), %xmm1\n\tmovups 32(%rsp), %xmm2\n\tmovups 48(%rsp), %xmm3\n" \
    "\tmovups 64(%rsp), %xmm4\n\tmovups 80(%rsp), %xmm5\n\tmovups 96(%rsp), %xmm6\n\tmovups 112(%rsp), %xmm7\n" \
    SHRINK("128") POP("r11") POP("r10") POP("r9") POP("r8") POP("rdi") POP("rsi") POP("rdx") POP("rcx") POP("rax") "\tleaq 8(%rsp), %rsp\n\t.cfi_adjust_cfa_offset -8\n"

/* `room` bytes for arguments lie under what is kept, a multiple of 16, so that they are aligned as where they came. */
#define COPY(room) "\tmovl 13(%rdx), %ecx\n\tleaq 208+16+" room "(%rsp), %rsi\n\tleaq 208(%rsp), %rdi\n\trep movsq\n"
#define ENTER(suffix, room, copy) \
    BEGIN("__profplug_enter_kept" suffix) \
    GROW(room) KEEP(room) \
    "\tleaq 208+" room "(%rsp), %rdx\n" CALL("pp_trampoline_enter") "\ttestq %rax, %rax\n\tjne 1f\n" \
    "\t.cfi_remember_state\n" \
    RESTORE SHRINK(room) \
    "\tret\n" \
    "1:\t.cfi_restore_state\n" \
    "\tmovq 208+" room "(%rsp), %rdx\n" copy "\tmovslq 1(%rdx), %rcx\n\tleaq 5(%rdx, %rcx), %rdx\n\tmovq %rdx, 200(%rsp)\n" \
    "\tmovq %rax, 208+" room "(%rsp)\n\t.cfi_adjust_cfa_offset 8\n" \
    RESTORE \
    "\tcall *-8(%rsp)\n" \
    "\t.hidden pp_trampoline_back" suffix "\npp_trampoline_back" suffix ":\n" \
    PUSH("rax") PUSH("rdx") PUSH("rcx") PUSH("rsi") PUSH("rdi") PUSH("r8") PUSH("r9") PUSH("r10") PUSH("r11") GROW("40") \
    "\tmovups %xmm0, (%rsp)\n\tmovups %xmm1, 16(%rsp)\n\tmovq 112+" room "(%rsp), %rdi\n" CALL("pp_trampoline_leave") "\tmovups (%rsp), %xmm0\n\tmovups 16(%rsp), %xmm1\n" \
    SHRINK("40") POP("r11") POP("r10") POP("r9") POP("r8") POP("rdi") POP("rsi") POP("rcx") POP("rdx") POP("rax") SHRINK("8+" room) \
    "\tret\n" \
    END("__profplug_enter_kept" suffix)

__asm__("\t.text\n\t.globl pp_trampoline_start, pp_trampoline_stop\n\t.hidden pp_trampoline_start, pp_trampoline_stop\npp_trampoline_start:\n"
        BEGIN("__profplug_count_kept") KEEP("0") CALL("pp_trampoline_count") RESTORE "\tret\n" END("__profplug_count_kept")

        ENTER("", "0", "")
        ENTER("_2", "16", COPY("16"))
        ENTER("_4", "32", COPY("32"))
        ENTER("_8", "64", COPY("64"))
        "pp_trampoline_stop:\n");

#endif
