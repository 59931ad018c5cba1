/* SPDX-License-Identifier: MIT */
/* threads.h: the table of threads, and which row a thread block has there: THREADS and THREAD extents. */
#ifndef PROFPLUG_THREADS_H
#define PROFPLUG_THREADS_H

#include "read/extent.h"

bool threads_take(struct cursor *c, const struct extent *e, struct profile *p);
void threads_number(struct profile *p); /* after all rows were taken: sets p->thread_id */
/* Whether the row is of the first thread of its process, whose end is the end of the run. */
bool thread_leads(const struct profile *p, size_t row);
bool thread_take(struct cursor *c, const struct extent *e, struct profile *p);

#endif
