/* SPDX-License-Identifier: MIT */
/* kept.c: slow halves of probes that stand before a function's own first instruction (plugin/prologue.cc): what its
 * arguments come in may not be another afterwards. Must not know what the hooks do.
 *
 * Called from behind the function, where a jump of five bytes to its body follows, and then the distance to the object and the slot. They go back
 * there; but where an activation is to be timed, the body is called from here, and what it returns to leaves the activation. Its token lies
 * on the stack, above that return address.
 *
 * A body that ends by a tail call hands our return address on. So a function may find it as its own, and takes the place of the activation then:
 * programs that are written as tail calls would run out of stack. */
#define _GNU_SOURCE
#include "core.h"

#ifdef __x86_64__

extern const char pp_kept_back[] __attribute__((visibility("hidden")));

__attribute__((visibility("hidden"), used)) void pp_kept_count(struct pp_object *object, uint32_t slot)
{
    pp_elected()->count(object, slot);
}

__attribute__((visibility("hidden"), used)) void pp_kept_leave(uint64_t token)
{
    if (token)
        pp_elected()->leave(token, 0);
}

/* `stack` is at the address behind the function; its own return address lies above it. The token of an activation that is to be called from here. */
__attribute__((visibility("hidden"), used)) uint64_t pp_kept_enter(struct pp_object *object, uint32_t slot, uint64_t *stack)
{
    bool instead = stack[1] == (uint64_t)(uintptr_t)pp_kept_back;
    if (instead) {
        pp_kept_leave(stack[2]);
        stack[2] = 0;                                    /* until there is another */
    }
    uint64_t token = pp_elected()->enter(object, slot, (uint64_t)(uintptr_t)&stack[1]);      /* below what its caller opened */
    if (!instead)
        return token;
    stack[2] = token;
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
#define SHRINK(bytes) "\taddq $" bytes ", %rsp\n\t.cfi_adjust_cfa_offset -" bytes "\n"
/* A word for the body's address, which outlives its place on the stack by one instruction; the general registers, which callers know that the body
 * leaves alone (-fipa-ra); and what other arguments come in: GCC is told that the rest is not kept. Floating point is not the hooks', but what they
 * call of the C library may copy by vectors. */
#define KEEP \
    GROW("8") PUSH("rax") PUSH("rcx") PUSH("rdx") PUSH("rsi") PUSH("rdi") PUSH("r8") PUSH("r9") PUSH("r10") PUSH("r11") GROW("128") \
    "\tmovups %xmm0, (%rsp)\n\tmovups %xmm1, 16(%rsp)\n\tmovups %xmm2, 32(%rsp)\n\tmovups %xmm3, 48(%rsp)\n" \
    "\tmovups %xmm4, 64(%rsp)\n\tmovups %xmm5, 80(%rsp)\n\tmovups %xmm6, 96(%rsp)\n\tmovups %xmm7, 112(%rsp)\n" \
    "\tmovq 208(%rsp), %rax\n\tmovslq 5(%rax), %rdi\n\tleaq 5(%rax, %rdi), %rdi\n\tmovl 9(%rax), %esi\n"
#define RESTORE \
    "\tmovups (%rsp), %xmm0\n\tmovups 16(%rsp), %xmm1\n\tmovups 32(%rsp), %xmm2\n\tmovups 48(%rsp), %xmm3\n" \
    "\tmovups 64(%rsp), %xmm4\n\tmovups 80(%rsp), %xmm5\n\tmovups 96(%rsp), %xmm6\n\tmovups 112(%rsp), %xmm7\n" \
    SHRINK("128") POP("r11") POP("r10") POP("r9") POP("r8") POP("rdi") POP("rsi") POP("rdx") POP("rcx") POP("rax") "\tleaq 8(%rsp), %rsp\n\t.cfi_adjust_cfa_offset -8\n"

__asm__("\t.text\n\t.globl pp_kept_start, pp_kept_stop\n\t.hidden pp_kept_start, pp_kept_stop\npp_kept_start:\n"
        BEGIN("__profplug_count_kept") KEEP "\tcall pp_kept_count\n" RESTORE "\tret\n" END("__profplug_count_kept")

        BEGIN("__profplug_enter_kept")
        KEEP
        "\tleaq 208(%rsp), %rdx\n\tcall pp_kept_enter\n\ttestq %rax, %rax\n\tjne 1f\n"
        "\t.cfi_remember_state\n"
        RESTORE
        "\tret\n"
        "1:\t.cfi_restore_state\n"
        "\tmovq 208(%rsp), %rdx\n\tmovslq 1(%rdx), %rcx\n\tleaq 5(%rdx, %rcx), %rdx\n\tmovq %rdx, 200(%rsp)\n"
        "\tmovq %rax, 208(%rsp)\n\t.cfi_adjust_cfa_offset 8\n"
        RESTORE
        "\tcall *-8(%rsp)\n"
        "\t.hidden pp_kept_back\npp_kept_back:\n"
        PUSH("rax") PUSH("rdx") PUSH("rcx") PUSH("rsi") PUSH("rdi") PUSH("r8") PUSH("r9") PUSH("r10") PUSH("r11") GROW("40")
        "\tmovups %xmm0, (%rsp)\n\tmovups %xmm1, 16(%rsp)\n\tmovq 112(%rsp), %rdi\n\tcall pp_kept_leave\n\tmovups (%rsp), %xmm0\n\tmovups 16(%rsp), %xmm1\n"
        SHRINK("40") POP("r11") POP("r10") POP("r9") POP("r8") POP("rdi") POP("rsi") POP("rcx") POP("rdx") POP("rax") SHRINK("8")
        "\tret\n"
        END("__profplug_enter_kept")
        "pp_kept_stop:\n");

#endif
