/* SPDX-License-Identifier: MIT */
/* cpu.h: CPU time of threads and of the process. */
#ifndef PP_CPU_H
#define PP_CPU_H

#include "rt.h"

/* Own thread: updates its row's cpu_ns and returns its CPU time, 0 if not known. Async-signal-safe. */
uint64_t pp_cpu_note(struct pp_thread *thread);
/* Own thread: how long it had no CPU since that was last found, beyond what operations waited. A reading of the CPU
 * clock can end a thread's turn. So it is read only if the thread lost its CPU or gave it up meanwhile, which may be in
 * a call that nobody wraps, or if a signal came at the kernel's tick, at which it loses it. */
uint64_t pp_cpu_off(struct pp_thread *thread, uint64_t now_ns, bool ticked);
/* Own thread: CPU time so far, 0 if it may not be asked. Async-signal-safe. */
uint64_t pp_cpu_own(void);
/* Call it at the start: what the loader, or a program before exec, used is not part of the run. */
void pp_cpu_start(void);
void pp_cpu_fork_child(void);
/* User and system time since pp_cpu_start. False: it may not be asked. */
bool pp_cpu_used(uint64_t *ns);
/* Stores user time, system time and peak memory since pp_cpu_start. */
void pp_cpu_usage(struct pp_header *header);
/* Any live thread, once: updates its row's delay_ns. */
void pp_cpu_delay(struct pp_thread *thread);
/* Any live thread: updates its row's cpu_ns. */
void pp_cpu_row(struct pp_thread *thread);

#endif
