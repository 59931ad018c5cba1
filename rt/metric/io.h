/* SPDX-License-Identifier: MIT */
/* io.h: the process's account of bytes read and written. */
#ifndef PP_IO_H
#define PP_IO_H

#include "rt.h"


void pp_io_usage(struct pp_header *header);          /* at the end: since the source's start, without our own */
uint64_t pp_resident_bytes(struct pp_thread *thread);                 /* the process's resident memory, 0 if not known; own thread, or null */
void pp_io_own(struct pp_thread *thread, uint64_t bytes);              /* the thread read so much of what is no part of its account; own thread */

#endif
