/* SPDX-License-Identifier: MIT */
/* signal.c: all signals of a thread held off for a moment, without the C library's bookkeeping. It must not know why. */
#define _GNU_SOURCE
#include "system/signal.h"
#include "system/state.h"
#include <string.h>
#include <sys/syscall.h>



static uint64_t blocked = UINT64_MAX;

void pp_signals_leave_open(int number) { blocked &= ~(UINT64_C(1) << (number - 1)); }

/* How often this thread's are held off, and the mask from before the first time. Null in a copy that is not the elected one. */
static uint64_t *held(void) { return pp_tls_offset ? &pp_tls()->reserved[3] : 0; }

void pp_signals_forget(uint64_t *mask)
{
    if (held() && held()[0]) {
        *mask = held()[1];
        held()[0] = 0;
    }
}

void pp_signals_block(sigset_t *saved)
{
    if (pp_forbids(PP_FORBIDDEN_CORE)) {
        memset(saved, 0, PP_SIGNALS_BYTES);
        return;
    }
    syscall(SYS_rt_sigprocmask, SIG_BLOCK, &blocked, saved, PP_SIGNALS_BYTES);
    if (held() && !held()[0]++)
        memcpy(&held()[1], saved, PP_SIGNALS_BYTES);
}

void pp_signals_restore(const sigset_t *saved)
{
    if (held())
        held()[0] -= held()[0] != 0;
    if (!pp_forbids(PP_FORBIDDEN_CORE)) syscall(SYS_rt_sigprocmask, SIG_SETMASK, saved, 0, PP_SIGNALS_BYTES);
}
