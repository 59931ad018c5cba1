/* SPDX-License-Identifier: MIT */
/* privatestack.h: a stack of our own for each thread. A signal's stack may be an alternate one of a few KB, with no
 * room for us. What needs more runs on the private stack, with signals blocked. */
#ifndef PP_APART_H
#define PP_APART_H

#include "file/memory.h"
#include "rt.h"

#define PP_PRIVATE_STACK_BYTES 32768u /* pages that are not touched cost nothing */

/* Gives the thread a private stack. If memory is short, work is done on the current stack. */
static inline void pp_private_stack_make(struct pp_private *p)
{
    char *stack = p->private_stack ? NULL : pp_memory(PP_PRIVATE_STACK_BYTES);
    if (stack)
        p->private_stack = (uint64_t)(uintptr_t)(stack + PP_PRIVATE_STACK_BYTES);
}

/* Calls work(first, second, third) there. `work` must not call this function. */
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
