/* SPDX-License-Identifier: MIT */
/* io.h: bytes that the process and its threads read and write. */
#ifndef PP_IO_H
#define PP_IO_H

#include "rt.h"

/* At the end: stores the bytes since the start, without our own. */
void pp_io_usage(struct pp_header *header);
/* The process's resident memory, 0 if not known. Own thread or NULL. */
uint64_t pp_resident_bytes(struct pp_thread *thread);
/* Own thread: a reading of ours took so many bytes, which are subtracted from its account. */
void pp_io_own(struct pp_thread *thread, uint64_t bytes);

#endif
