/* SPDX-License-Identifier: MIT */
/* signal.c: blocks all signals of a thread for a moment, without the C library's bookkeeping. It must not know why. */
#define _GNU_SOURCE
#include "system/signal.h"
#include "system/state.h"
#include <string.h>
#include <sys/syscall.h>

static uint64_t blocked = UINT64_MAX;

void pp_signals_leave_open(int number) { blocked &= ~(UINT64_C(1) << (number - 1)); }

/* NULL in a copy that is not the elected one. */
static struct pp_tls *own(void) { return pp_tls_offset ? pp_tls() : NULL; }

void pp_signals_forget(uint64_t *mask)
{
    if (own() && own()->held) {
        *mask = own()->mask;
        own()->held = 0;
    }
}

void pp_signals_block(sigset_t *saved)
{
    if (pp_forbids(PP_FORBIDDEN_CORE)) {
        memset(saved, 0, PP_SIGNALS_BYTES);
        return;
    }
    if (own() && own()->held) { /* they are blocked already, and stay so in pp_signals_restore */
        own()->held++;
        memset(saved, 0, PP_SIGNALS_BYTES);
        return;
    }
    syscall(SYS_rt_sigprocmask, SIG_BLOCK, &blocked, saved, PP_SIGNALS_BYTES);
    if (own() && !own()->held++)
        memcpy(&own()->mask, saved, PP_SIGNALS_BYTES);
}

void pp_signals_restore(const sigset_t *saved)
{
    if (own() && own()->held > 1) {
        own()->held--;
        return;
    }
    if (own())
        own()->held = 0;
    if (!pp_forbids(PP_FORBIDDEN_CORE))
        syscall(SYS_rt_sigprocmask, SIG_SETMASK, saved, NULL, PP_SIGNALS_BYTES);
}
