/* SPDX-License-Identifier: MIT */
/* fork.h: the handlers around fork. */
#ifndef PP_FORK_H
#define PP_FORK_H

void pp_generation_start(void); /* lets the kernel mark a child that came without the C library's fork */
void pp_fork_start(void);       /* registers the handlers */

#endif
