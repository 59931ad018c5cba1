/* SPDX-License-Identifier: MIT */
/* unwind.h: from a signal's context outwards, a frame at a time, by the call frame information of the images. Knows
 * nothing of samples or modules; takes no lock, and touches no stack page before somebody said that it is readable. */
#ifndef PP_UNWIND_H
#define PP_UNWIND_H

#include <stdbool.h>
#include <stdint.h>

#define PP_UNWIND_REGISTERS 33       /* DWARF numbers 0..32; the architectures that are known need no more */

struct pp_unwind {
    uint64_t reg[PP_UNWIND_REGISTERS];
    uint64_t known;                  /* bit per register whose value is known */
    uint64_t pc;                     /* of this frame: the interrupted instruction, or a return address */
    uint64_t stack_low, stack_high;  /* between them the stack is readable: known beforehand, or pages that proved to be */
    bool returned;                   /* pc is a return address: the call lies before it */
    bool outermost;                  /* the last step ended here since this function has no caller */
};

/* The address to look up: of the interrupted instruction or of the call's last byte. */
static inline uint64_t unwind_place(const struct pp_unwind *unwind) { return unwind->pc - unwind->returned; }

/* context: what the kernel gave the signal handler. False where this architecture cannot be unwound. Who knows that the stack is
 * readable from its pointer to some place may say so in stack_high, and spares the kernel's answers. */
bool pp_unwind_start(struct pp_unwind *unwind, const void *context);

/* The frame that it is expanded in, as if it were at a call: with its own registers, of which only those that calls keep are known. False
 * where this architecture cannot. The stack that is in use is readable; the caller says so in stack_high, as far as it knows. */
static inline __attribute__((always_inline)) bool pp_unwind_here(struct pp_unwind *unwind)
{
#if defined __x86_64__
    __asm__ volatile("leaq 0(%%rip), %%rax\n\tmovq %%rax, %0\n\tmovq %%rsp, %1\n\tmovq %%rbx, %2\n\tmovq %%rbp, %3"
                     : "=m"(unwind->pc), "=m"(unwind->reg[7]), "=m"(unwind->reg[3]), "=m"(unwind->reg[6])
                     :
                     : "rax", "memory");
    __asm__ volatile("movq %%r12, %0\n\tmovq %%r13, %1\n\tmovq %%r14, %2\n\tmovq %%r15, %3"
                     : "=m"(unwind->reg[12]), "=m"(unwind->reg[13]), "=m"(unwind->reg[14]), "=m"(unwind->reg[15])
                     :
                     : "memory");
    unwind->known = 0x1f0c8;             /* these and the return address */
    unwind->reg[16] = unwind->pc;
    unwind->stack_low = unwind->stack_high = unwind->reg[7] & ~UINT64_C(4095);
    unwind->returned = unwind->outermost = false;
    return true;
#else
    (void)unwind;
    return false;
#endif
}

/* To the calling frame. frames: address of the .eh_frame_hdr of the image that unwind_place lies in, 0 for none; mapping: a number of that
 * image at that address, under which what is found may be kept, 0 for none. False: no more frames, or none that can be trusted; the state is
 * then unchanged or useless. */
bool pp_unwind_step(struct pp_unwind *unwind, uint64_t frames, uint32_t mapping);

#endif
