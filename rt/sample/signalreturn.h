/* SPDX-License-Identifier: MIT */
/* signalreturn.h: the code that handlers return to, where they are installed by the kernel's own call. */
#ifndef PROFPLUG_RT_SIGNALRETURN_H
#define PROFPLUG_RT_SIGNALRETURN_H

#include <stddef.h>

#if defined __x86_64__
extern void pp_signal_return(void) __attribute__((visibility("hidden")));
#define PP_RESTORER pp_signal_return
#define PP_RESTORER_FLAG 0x04000000ul
#else
#define PP_RESTORER NULL
#define PP_RESTORER_FLAG 0ul
#endif

#endif
