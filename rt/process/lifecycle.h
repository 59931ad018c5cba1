/* SPDX-License-Identifier: MIT */
/* lifecycle.h: the profiled process from its start to its end. */
#ifndef PP_LIFECYCLE_H
#define PP_LIFECYCLE_H

#include "rt.h"

extern uint32_t pp_own_pid __attribute__((visibility("hidden"))); /* as in the header, which may be gone */
/* Sets the pid, and the times at which the process begins. */
void pp_header_begin(struct pp_header *header, uint32_t pid);
/* Decides whether the run is recorded, and opens the file. Once per process, in any thread. default_off: the program's
 * objects ask for no recording unless PROFPLUG is set. */
void pp_process_start(bool default_off);
/* exec: the file ends now, with what the kernel is asked, or was asked just before. If exec failed, it goes on. */
enum pp_replaced { PP_REPLACED_NOT, PP_REPLACED_ASKED, PP_REPLACED_AGAIN };
enum pp_replaced pp_process_replaced(uint64_t now_ns);
void pp_process_resume(enum pp_replaced how);

void pp_heartbeat(struct pp_thread *thread, uint64_t now_ns);
#define PP_HEARTBEAT_NS UINT64_C(20000000)

#endif
