/* SPDX-License-Identifier: MIT */
/* mirror.h: what the files of this room share: the open data file, and where its extents are in memory. No other room
 * includes it. */
#ifndef PP_MIRROR_H
#define PP_MIRROR_H

#include "file/datafile.h"
#include <sys/types.h>

/* A directory chunk has a mirror that says where its extents lie in memory, so that a fork's child can map its own file
 * at the same addresses. It is private memory, so the child sees it as it was at the fork. */
struct pp_mirror {
    struct pp_directory *directory;
    struct pp_mirror *_Atomic next;
    struct pp_extent own;   /* of the directory chunk itself */
    _Atomic uint32_t count; /* entries claimed; may exceed the array */
    struct pp_mapped entry[PP_DIRECTORY_ENTRIES];
};

/* A range of the file that is mapped in one go, because an extent of its own costs five system calls. The file begins
 * with one, and small extents come from others while it is short. */
struct pp_piece {
    char *address;
    uint64_t offset, size;
    _Atomic uint64_t used;
};
#define PP_FILE_PIECE 65536u
#define PP_FILE_PIECES 16u

struct pp_file {
    int fd;
    dev_t device;
    ino_t inode;
    int broken;             /* an errno: why no more disk blocks are requested; or PP_FILE_COUNTED */
    _Atomic uint64_t bytes; /* least size of the file, unless somebody cut it */
    bool unnamed;           /* the file does not have the name pp_run.path yet */
    _Atomic bool growing;   /* somebody maps the next piece */
    _Atomic unsigned pieces;
};
extern struct pp_file pp_file __attribute__((visibility("hidden")));
extern struct pp_mirror pp_file_first __attribute__((visibility("hidden")));
extern struct pp_piece pp_file_piece[PP_FILE_PIECES] __attribute__((visibility("hidden")));

/* extent.c */
uint64_t pp_file_pages(uint64_t bytes); /* rounded up to whole pages */
/* Gives a range of the file disk blocks, so that a store to its mapping cannot raise SIGBUS. False: errno says why. */
bool pp_file_blocks(int fd, uint64_t offset, uint64_t bytes);
void *pp_file_map(uint64_t offset, uint64_t bytes); /* a range of the file that is new; NULL: errno says why */

/* datafile.c */
bool pp_file_is_ours(int fd); /* whether the descriptor is the data file's. Loses the file if it was cut short */
/* A descriptor of the data file, -1 for none; *opened: the caller closes it. */
int pp_file_descriptor(bool *opened);
int pp_file_new(char path[static 1400], bool *unnamed); /* a new file for `path`; *unnamed: it gets that name later */
/* Gives the path to `fd`, or to a new file where that is -1. If the name is taken, .1, .2 ... .15 go before the
 * extension, and then numbers from the time in us. Returns the descriptor, or -1. */
int pp_file_name(char path[static 1400], int fd);
extern unsigned pp_file_number __attribute__((visibility("hidden"))); /* where it begins, after the plain path */
void pp_file_remember(int fd); /* of a new file, before it is moved to a high number */

/* record.c: with all signals blocked */
void pp_records_lock(void);
void pp_records_unlock(void);
void pp_records_fork_child(void);
/* In a fork's child without a file, which still has its parent's records: whether it is the first of its parent's. */
bool pp_records_fileless(void);
/* Its kind and size are set. NULL: no room. */
struct pp_record *pp_record_reserve(uint32_t kind, uint32_t size);
void pp_record_commit(struct pp_record *record);

#endif
