/* SPDX-License-Identifier: MIT */
/* altstack.c: notices when a thread changes its alternate signal stack. If that has room for a single signal frame, the
 * thread is not sampled: a sample may interrupt a handler of the program there, and the kernel kills a process whose
 * signal frame does not fit. It must not know how a thread is sampled. */
#define _GNU_SOURCE
#include "sample/sampler.h"
#include "system/signal.h"
#include "system/state.h"
#include "thread/thread.h"
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

PP_WRAPPER int sigaltstack(const stack_t *restrict set, stack_t *restrict old)
{
    struct pp_thread *thread = set && *pp_fork_generation && pp_on(PP_COLLECTOR_SAMPLES) ? pp_thread_self() : NULL;
    sigset_t saved;
    if (!thread)
        return (int)syscall(SYS_sigaltstack, set, old);
    pp_signals_block(&saved);
    int result = (int)syscall(SYS_sigaltstack, set, old);
    if (!result)
        pp_sampler_stack(thread);
    pp_signals_restore(&saved);
    return result;
}
