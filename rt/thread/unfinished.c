/* SPDX-License-Identifier: MIT */
/* unfinished.c: see unfinished.h. */
#include "thread/unfinished.h"
#include "operation/operation.h"
#include "thread/thread.h"

void pp_unfinished_clear(struct pp_thread *thread)
{
    for (unsigned i = 0; i < PP_UNFINISHED; i++)
        pp_unfinished_drop(&thread->unfinished[i]);
}

void pp_unfinished_cut(struct pp_thread *thread, uint64_t stack_address)
{
    for (unsigned i = 0; i < PP_UNFINISHED; i++) {
        struct pp_unfinished *u = &thread->unfinished[i];
        if (u->call && (!stack_address || (u->call < stack_address &&
                                           pp_thread_on_stack(pp_private(thread), stack_address, u->call)))) {
            struct pp_unfinished left = *u;
            pp_unfinished_drop(u);
            pp_start_left(thread, &left);
        }
    }
}
