/* SPDX-License-Identifier: MIT */
/* event.h: the two kernel clocks that raise a signal in a thread while it runs user code, and then alone: an event of the
 * perf subsystem, and a timer on the thread's user time. They must not know what the signal is for. */
#ifndef PROFPLUG_RT_EVENT_H
#define PROFPLUG_RT_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#define PP_EVENT_PENDING 1               /* signals that may wait while a thread has them blocked: the event pauses at each, and is armed anew while it stands, which spares stopping it */

/* An event that raises signal `number` in the thread every period. A descriptor, -1 with errno if the kernel refuses.
 * Async-signal-safe, like all here. */
int pp_event_arm(int tid, int number, uint64_t period_ns);
/* Acknowledges one signal, without which the event pauses, and counts anew from here: next_ns to the next one (0: goes on as it is). Leaves
 * errno alone. */
void pp_event_refresh(int fd, uint64_t next_ns);
/* The same for all that may be outstanding: they went to a handler that does not acknowledge. */
void pp_event_resume(int fd);
/* Is it still such an event, of this thread (0: of any)? A program may have closed it and been given its number for a file of
 * its own. */
bool pp_event_owned(int fd, int number, int tid);
/* Only if it is: stops it and closes the descriptor. */
void pp_event_close(int fd, int number, int tid);

/* A timer of the kernel's, at its tick; the signal carries `value`. 0, or -1 with errno. */
int pp_timer_arm(int tid, int number, int value, uint64_t period_ns, uint64_t *timer);

#endif
