/* SPDX-License-Identifier: MIT */
/* event.h: the two kernel clocks that raise a signal in a thread, and only while it runs user code: a perf event, and a
 * timer on the thread's user time. They must not know what the signal is for. */
#ifndef PROFPLUG_RT_EVENT_H
#define PROFPLUG_RT_EVENT_H

#include <stdbool.h>
#include <stdint.h>

/* An event raises a round of signals, and pauses with the last of them, whose si_code is POLL_HUP. Then it is armed
 * again. In a virtual machine that costs two exits, so it is not done at every signal. */
#define PP_EVENT_ROUND 2

/* Opens an event that raises signal `number` in the thread, and pauses at once: the first round is of one signal.
 * Returns a descriptor, or -1 with errno if the kernel refuses. Async-signal-safe, like everything here. */
int pp_event_arm(int tid, int number, uint64_t period_ns);
/* Opens an event that raises signal `number` in the thread at page faults of its user code: at the one with number
 * `first`, and, unless pp_event_step changes that, at each as many further on. Returns as above. */
int pp_event_count_faults(int tid, int number, uint64_t first);
void pp_event_step(int fd, uint64_t step);
/* Goes on, or stands still. */
void pp_event_count(int fd, bool counts);
/* Starts the next round of so many signals now, which are period_ns apart. Leaves errno alone. */
void pp_event_refresh(int fd, uint64_t period_ns, unsigned samples);
/* Acknowledges a signal that was lost. If it was the last of its round, the event continues with one more. */
void pp_event_acknowledge(int fd);
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
