/* SPDX-License-Identifier: MIT */
/* datafile.h: what the core of the runtime (thread.c, lifecycle.c) needs of the data file beyond rt.h. */
#ifndef PROFPLUG_RT_DATAFILE_H
#define PROFPLUG_RT_DATAFILE_H

#include "rt.h"

struct pp_mapped { struct pp_extent extent; uint32_t thread, kind; };

/* Creates the file of pp_run.path (made unique there) with its header and first directory chunk. Null: errno says why. */
struct pp_header *pp_file_create(void);
bool pp_file_open_to_readers(void);      /* the header is filled: it gets its name; false: it cannot (errno) */
void pp_file_abandon(void);
bool pp_file_holds(uint64_t address);    /* whether that is in memory that the file backs; async-signal-safe */
/* What has become of the file meanwhile: null, or what is to be said of it. A file that was cut short is lost (pp_file_lose). */
const char *pp_file_trouble(void);
void pp_extent_each(void (*visit)(const struct pp_mapped *mapped, void *context), void *context);

/* Takes an extent out of the directory (in a fork's child, of threads that it lacks). Its memory stays mapped until then. */
void pp_extent_withdraw(const struct pp_mapped *mapped);

/* fork. prepare takes the block of `thread` (the forking one's number, 0 for none) as it is, returns where the child's pid and path
 * will stand (null: no room), and keeps the records' lock until done. In the child, fork_child maps its own file, or private memory;
 * when that holds what is the child's, fork_named names it and tells the parent's file. False: there is none at pp_run.path. */
struct pp_child *pp_file_fork_prepare(uint32_t path_room, uint32_t thread);
void pp_file_fork_done(void);
void pp_file_fork_child(struct pp_child *child);
bool pp_file_fork_named(uint32_t pid);

#endif
