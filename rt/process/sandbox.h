/* SPDX-License-Identifier: MIT */
/* sandbox.h: which system calls a seccomp filter lets through. */
#ifndef PP_SANDBOX_H
#define PP_SANDBOX_H

#include "rt.h"

void pp_sandbox_start(void); /* asks for events, timers and pages under a filter that was there before the program */

#endif
