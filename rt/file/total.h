/* SPDX-License-Identifier: MIT */
/* total.h: how much the data files of one folder take together, where the option max-total bounds that, and how much of
 * their disk stays free. */
#ifndef PP_TOTAL_H
#define PP_TOTAL_H

#include "rt.h"

/* An errno: a process is not recorded, and counted in profplug-total. */
#define PP_FILE_COUNTED (-1)

/* Opens the count beside the data file pp_run.path, and makes it if there is none. True, and nothing is counted,
 * without the option. False: this process must not be recorded, because the bound was reached (it is counted there) or
 * because the count could not be opened (a message says so). */
bool pp_total_open(void);
/* Counts a fork's child with so many bytes. False: it must not be recorded: PP_FILE_COUNTED. */
bool pp_total_process(uint64_t bytes);
/* Whether the disk of a file that begins has as much free as min-free asks. False: PP_FILE_COUNTED. */
bool pp_total_leaves(int fd);
/* Counts so many more bytes of a data file. False: that would exceed the bound. Lock-free, async-signal-safe. */
bool pp_total_take(uint64_t bytes);
bool pp_total_holds(uint64_t address); /* whether the count is there in memory; async-signal-safe */

#endif
