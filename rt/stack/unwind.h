/* SPDX-License-Identifier: MIT */
/* unwind.h: unwinds a stack, one frame at a time, by the call frame information of the loaded images. It must not know
 * samples or modules. It takes no lock, and touches no page of a stack before that is known to be readable. */
#ifndef PP_UNWIND_H
#define PP_UNWIND_H

#include <stdbool.h>
#include <stdint.h>

/* The stack pointer's DWARF number. */
#if defined __x86_64__
#define PP_UNWIND_STACK 7
#elif defined __aarch64__
#define PP_UNWIND_STACK 31
#else
#define PP_UNWIND_STACK 0
#endif
#define PP_UNWIND_REGISTERS 33 /* DWARF numbers 0..32: enough for the architectures that are supported */
#define PP_UNWIND_SAVED 11     /* the most registers that a function preserves for its caller */

struct pp_unwind {
    uint64_t reg[PP_UNWIND_REGISTERS];
    uint64_t known;                 /* bit per register whose value is known */
    uint64_t pc;                    /* of this frame: the interrupted instruction, or a return address */
    uint64_t stack_low, stack_high; /* the stack is known to be readable between them */
    bool returned;                  /* pc is a return address: the call lies before it */
    bool outermost;                 /* the last step failed because this function has no caller */
    /* What the steps read, for lastwalk.c: where each preserved register was found, by its place in `saved`; 0: it is
     * still in the register. */
    uint64_t saved_at[PP_UNWIND_SAVED];
    /* Of the last step: the word that held the return address. 0: it read more than is said here, or none at all. 1: it
     * read more, and a return address of 0. */
    uint64_t slot;
    /* Of the last step: the preserved register that it began with, by its place plus 1; 0: the stack pointer. And its
     * value, and where that had been found. */
    uint64_t base, base_value, base_at;
};

/* The address to look up: of the interrupted instruction, or of the last byte of the call. */
static inline uint64_t unwind_place(const struct pp_unwind *unwind) { return unwind->pc - unwind->returned; }

/* Starts at the interrupted instruction. context: what the kernel passed to the signal handler. False on architectures
 * that cannot be unwound. A caller that knows how far the stack is readable may set stack_high, which saves system
 * calls. */
bool pp_unwind_start(struct pp_unwind *unwind, const void *context);

/* Starts at the function that this is inlined into. Of its registers those that calls preserve are known. False on
 * architectures that cannot be unwound. The caller sets stack_high as far as it knows the stack to be readable, and has
 * no use for saved_at. */
static inline __attribute__((always_inline)) bool pp_unwind_here(struct pp_unwind *unwind)
{
#if defined __x86_64__
    enum { RBX = 3, RBP = 6, RSP = 7, R12 = 12, R13, R14, R15, RIP }; /* DWARF numbers */
    __asm__ volatile("leaq 0(%%rip), %%rax\n\tmovq %%rax, %0\n\tmovq %%rsp, %1\n\tmovq %%rbx, %2\n\tmovq %%rbp, %3"
                     : "=m"(unwind->pc), "=m"(unwind->reg[RSP]), "=m"(unwind->reg[RBX]), "=m"(unwind->reg[RBP])
                     :
                     : "rax", "memory");
    __asm__ volatile("movq %%r12, %0\n\tmovq %%r13, %1\n\tmovq %%r14, %2\n\tmovq %%r15, %3"
                     : "=m"(unwind->reg[R12]), "=m"(unwind->reg[R13]), "=m"(unwind->reg[R14]), "=m"(unwind->reg[R15])
                     :
                     : "memory");
    unwind->known = 1u << RBX | 1u << RBP | 1u << RSP | 1u << R12 | 1u << R13 | 1u << R14 | 1u << R15 | 1u << RIP;
    unwind->reg[RIP] = unwind->pc;
    unwind->stack_low = unwind->stack_high = unwind->reg[RSP] & ~UINT64_C(4095);
    unwind->returned = unwind->outermost = false;
    return true;
#else
    (void)unwind;
    return false;
#endif
}

/* Reads a word of a stack. False: it is not readable. */
bool pp_unwind_word(struct pp_unwind *unwind, uint64_t address, uint64_t *value);
/* Takes the preserved registers from where `saved_at` says, as far as that is not below `low`. Those found below, or in
 * no memory, are what they are now. */
void pp_unwind_reload(struct pp_unwind *unwind, const uint64_t *saved_at, uint64_t low);
/* Does the preserved register at this place, plus 1, have the value? */
bool pp_unwind_holds(const struct pp_unwind *unwind, uint64_t base, uint64_t value);

/* Where the function begins that contains the address; 0: unknown. frames: as below. */
uint64_t pp_unwind_function(uint64_t address, uint64_t frames);

/* Goes to the calling frame. frames: address of the .eh_frame_hdr of the image that unwind_place lies in, 0 for none.
 * mapping: a number for that image at that address, under which the result may be cached; 0: do not cache. False: there
 * is no caller, or none that can be trusted; then `unwind` cannot be used for another step. */
bool pp_unwind_step(struct pp_unwind *unwind, uint64_t frames, uint32_t mapping);

#endif
