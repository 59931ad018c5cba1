/* SPDX-License-Identifier: MIT */
/* privatestack.h: the stack that a signal or a handler of the program's has may have no room but for what is on it: an
 * alternate one of a few KB. What needs more has one of its own, of each thread, and runs on it with signals held off.
 */
#ifndef PP_APART_H
#define PP_APART_H

#include "file/memory.h"
#include "rt.h"

#define PP_PRIVATE_STACK_BYTES 32768u /* what is not touched costs nothing */

/* The thread has one from then on, unless memory is short: then the work is done on the stack that it finds. */
static inline void pp_private_stack_make(struct pp_private *p)
{
    char *stack = p->private_stack ? NULL : pp_memory(PP_PRIVATE_STACK_BYTES);
    if (stack)
        p->private_stack = (uint64_t)(uintptr_t)(stack + PP_PRIVATE_STACK_BYTES);
}

/* work(first, second, third), which does not come back here itself. */
static inline void pp_on_private_stack(const struct pp_private *p, void (*work)(void *, void *, void *), void *first,
                                       void *second, void *third)
{
#if defined __x86_64__
    uint64_t stack = p->private_stack;
    if (PP_LIKELY(stack)) {
        __asm__ volatile("movq %%rsp, %%rbx\n\tmovq %3, %%rsp\n\tcall *%4\n\tmovq %%rbx, %%rsp"
                         : "+D"(first), "+S"(second), "+d"(third), "+a"(stack)
                         : "c"(work)
                         : "rbx", "r8", "r9", "r10", "r11", "cc", "memory"); /* the runtime has no floating point */
        return;
    }
#endif
    (void)p;
    work(first, second, third);
}

#endif
