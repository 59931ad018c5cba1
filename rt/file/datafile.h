/* SPDX-License-Identifier: MIT */
/* datafile.h: the data file, as other rooms use it. */
#ifndef PROFPLUG_RT_DATAFILE_H
#define PROFPLUG_RT_DATAFILE_H

#include "rt.h"

/* pp_extent_claim maps a zeroed extent of at least so many bytes, rounded up to pages. Fill its head, then publish it
 * in the directory under its kind. Both are lock-free and async-signal-safe. Where the disk or max-file has no room,
 * the memory is anonymous, PP_LOSS_DISK is counted, and publishing does nothing to the file. False, with PP_LOSS_MEMORY
 * counted: there is no memory either. */
struct pp_extent {
    void *address;
    uint64_t offset, size; /* offset 0: it is not in the file */
};
bool pp_extent_claim(struct pp_extent *extent, uint64_t bytes);
void pp_extent_publish(const struct pp_extent *extent, enum pp_extent_kind kind, uint32_t thread);
#define PP_EXTENT_LEFT UINT32_MAX /* instead of a thread: a fork's child leaves the extent to its parent, and unmaps */
/* Appends a record, the second from two parts. False: it found no room, which is counted. Call it from any thread. */
bool pp_record_add(enum pp_record_kind kind, const void *payload, uint32_t size);
bool pp_record_add2(enum pp_record_kind kind, const void *head, uint32_t head_size, const void *tail,
                    uint32_t tail_size);

struct pp_mapped {
    struct pp_extent extent;
    uint32_t thread, kind;
    bool left; /* to the parent, at a fork */
};

#define PP_FILE_MODE 0644 /* what the umask leaves of it: a program whose umask is 0 makes no file for all to write */
/* Creates the file with its header and first directory chunk. pp_run.path gets a name that is free. NULL: errno says
 * why, or is PP_FILE_COUNTED. */
struct pp_header *pp_file_create(void);
/* Call it when the header is filled: the file becomes valid and gets its name. False: errno says why. */
bool pp_file_open_to_readers(void);
void pp_file_abandon(void);
bool pp_file_holds(uint64_t address); /* whether the file backs the memory there; async-signal-safe */
/* What somebody did to the file meanwhile, as words for a message. NULL: nothing. A file that was cut short is lost. */
const char *pp_file_trouble(void);
void pp_extent_each(void (*visit)(const struct pp_mapped *mapped, void *context), void *context);

/* Takes an extent out of the directory of a fork's child. Its memory stays mapped. */
void pp_extent_withdraw(const struct pp_mapped *mapped);

/* Fork, with all signals blocked. In the parent, pp_file_fork_prepare copies the block of the thread that forks (0: it
 * has none), keeps `path_room` bytes for the path of the child's file, and locks the records until pp_file_fork_done.
 * In the child, pp_file_fork_child maps a file of its own, or private memory. When the
 * child's data are in it, pp_file_fork_named names the file and tells the parent's file. False: the child has no file
 * at pp_run.path. *first: it is the first of its parent's children of which that is so. */
void pp_file_fork_prepare(uint32_t path_room, uint32_t thread);
void pp_file_fork_done(void);
void pp_file_fork_child(void);
bool pp_file_fork_named(uint32_t pid, bool *first);

#endif
