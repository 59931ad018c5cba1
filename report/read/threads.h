/* SPDX-License-Identifier: MIT */
/* threads.h: the table of threads, and which row a thread block has there: THREADS and THREAD extents. */
#ifndef PROFPLUG_THREADS_H
#define PROFPLUG_THREADS_H

#include "read/extent.h"

bool threads_take(struct cursor *c, const struct extent *e, struct profile *p);
void threads_number(struct profile *p); /* after all rows were taken: sets p->thread_id */
bool thread_take(struct cursor *c, const struct extent *e, struct profile *p);

#endif
