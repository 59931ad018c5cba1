/* SPDX-License-Identifier: MIT */
/* unfinished.c: see unfinished.h. */
#include "thread/unfinished.h"
#include "system/state.h"
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
            pp_unfinished_drop(u);
            pp_loss(PP_LOSS_OPERATIONS, 1); /* it will not be booked */
        }
    }
}
