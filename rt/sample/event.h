/* SPDX-License-Identifier: MIT */
/* event.h: the two kernel clocks that raise a signal in a thread, and only while it runs user code: a perf event, and a
 * timer on the thread's user time. They must not know what the signal is for. */
#ifndef PROFPLUG_RT_EVENT_H
#define PROFPLUG_RT_EVENT_H

#include <stdbool.h>
#include <stdint.h>

/* Signals that may be pending while a thread has them blocked. The event pauses at each signal and is armed again while
 * it is paused, so the kernel need not stop it. */
#define PP_EVENT_PENDING 1

/* Opens an event that raises signal `number` in the thread once a period. Returns a descriptor, or -1 with errno if the
 * kernel refuses. Async-signal-safe, like everything here. */
int pp_event_arm(int tid, int number, uint64_t period_ns);
/* Acknowledges one signal, and starts the next interval now: next_ns long (0: the period stays). An event that is not
 * acknowledged stays paused. Leaves errno alone. */
void pp_event_refresh(int fd, uint64_t next_ns);
/* Acknowledges all outstanding signals: they went to a handler that does not acknowledge. */
void pp_event_resume(int fd);
/* Is the descriptor still such an event, of this thread (0: of any)? The program may have closed it, and got the same
 * number for a file of its own. */
bool pp_event_owned(int fd, int number, int tid);
/* Stops the event and closes the descriptor, if pp_event_owned. */
void pp_event_close(int fd, int number, int tid);

/* Arms a POSIX timer, which fires at the kernel's tick. Its signal carries `value`. Returns 0, or -1 with errno. */
int pp_timer_arm(int tid, int number, int value, uint64_t period_ns, uint64_t *timer);

#endif
