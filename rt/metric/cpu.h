/* SPDX-License-Identifier: MIT */
/* cpu.h: CPU time. */
#ifndef PP_CPU_H
#define PP_CPU_H

#include "rt.h"


uint64_t pp_cpu_note(struct pp_thread *thread);      /* own thread: brings its row's cpu_ns up to date; its CPU time, 0: not known; async-signal-safe */
uint64_t pp_cpu_own(void);                           /* own thread: CPU time so far, 0: it may not be asked; async-signal-safe */
void pp_cpu_start(void);                             /* what the process used so far is not the run's: the loader, a program before exec */
void pp_cpu_fork_child(void);
bool pp_cpu_used(uint64_t *ns);                      /* user and system together, since pp_cpu_start; false: it may not be asked */
void pp_cpu_usage(struct pp_header *header);         /* user, system and peak, since pp_cpu_start */
void pp_cpu_delay(struct pp_thread *thread);         /* any live thread, once: brings its row's delay_ns up to date */
void pp_cpu_rows(void);                              /* at the seal: the rows of all live threads; the header's user, system and peak */

#endif
