/* SPDX-License-Identifier: MIT */
/* privatestack.h: the stack that a signal or a handler of the program's has may have no room but for what is on it: an alternate one of a few KB. What needs more
 * has one of its own, of each thread, and runs on it with signals held off. */
#ifndef PP_APART_H
#define PP_APART_H

#include "file/memory.h"
#include "rt.h"

#define PP_APART_BYTES 32768u            /* what is not touched costs nothing */

/* The thread has one from then on, unless memory is short: then the work is done on the stack that it finds. */
static inline void pp_apart_make(struct pp_private *p)
{
    char *stack = p->apart ? NULL : pp_memory(PP_APART_BYTES);
    if (stack) p->apart = (uint64_t)(uintptr_t)(stack + PP_APART_BYTES);
}

/* work(first, second, third), which does not come back here itself. */
static inline void pp_apart(const struct pp_private *p, void (*work)(void *, void *, void *), void *first, void *second, void *third)
{
#if defined __x86_64__
    uint64_t stack = p->apart;
    if (PP_LIKELY(stack)) {
        __asm__ volatile("movq %%rsp, %%rbx\n\tmovq %3, %%rsp\n\tcall *%4\n\tmovq %%rbx, %%rsp"
                         : "+D"(first), "+S"(second), "+d"(third), "+a"(stack)
                         : "c"(work)
                         : "rbx", "r8", "r9", "r10", "r11", "cc", "memory");     /* the runtime has no floating point */
        return;
    }
#endif
    (void)p;
    work(first, second, third);
}

#endif
