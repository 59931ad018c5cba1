/* SPDX-License-Identifier: MIT */
/* unfinished.c: see unfinished.h. */
#include "thread/unfinished.h"
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
        if (u->call && u->call < stack_address && pp_thread_on_stack(pp_private(thread), stack_address, u->call))
            pp_unfinished_drop(u);
    }
}

void pp_unfinished_settle(struct pp_thread *thread, uint64_t interrupted)
{
    if (interrupted)
        pp_unfinished_cut(thread, interrupted);
    else
        pp_unfinished_clear(thread);
}
