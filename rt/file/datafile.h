/* SPDX-License-Identifier: MIT */
/* datafile.h: what the core of the runtime (thread.c, lifecycle.c) needs of the data file beyond rt.h. */
#ifndef PROFPLUG_RT_DATAFILE_H
#define PROFPLUG_RT_DATAFILE_H

#include "rt.h"


/* A zeroed, mapped extent, published in the directory under `kind` when pp_extent_publish is called on it (fill its head
 * first). `bytes` is rounded up to pages; *size gets what it is. Lock-free, async-signal-safe. Where the disk or max-file has
 * no room the memory is anonymous, PP_LOSS_DISK is counted and publishing is silent; null (PP_LOSS_MEMORY) if even that fails. */
struct pp_extent { void *address; uint64_t offset, size; };     /* offset 0: not in the file */
bool pp_extent_claim(struct pp_extent *extent, uint64_t bytes);
void pp_extent_publish(const struct pp_extent *extent, enum pp_extent_kind kind, uint32_t thread);
/* Appends a record; safe in any thread, and in a signal handler unless it interrupts one (then it is lost and counted). */
bool pp_record_add(enum pp_record_kind kind, const void *payload, uint32_t size);
bool pp_record_add2(enum pp_record_kind kind, const void *head, uint32_t head_size, const void *tail, uint32_t tail_size);

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
