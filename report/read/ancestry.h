/* SPDX-License-Identifier: MIT */
/* ancestry.h: finds the data file of the process that started another, from headers alone. It must not know the rest
 * of files. */
#ifndef PROFPLUG_ANCESTRY_H
#define PROFPLUG_ANCESTRY_H

#include <stddef.h>
#include <stdint.h>

#include "profplug/abi/format.h"

struct ancestry {
    char *path; /* belongs to the caller */
    uint32_t pid, root_pid;
    uint32_t ancestors[9]; /* parent, grandparent and so on; 0 past the last */
    char host[64];
    uint64_t refused;          /* extents that found no room */
    uint64_t refused_memory;   /* pieces of memory, among them such of extents */
    uint64_t start_ns, end_ns; /* since the epoch; end is UINT64_MAX if never sealed */
};

#define KIN_NONE SIZE_MAX

struct ancestry ancestry_make(char *path, const struct pp_header *header);

/* The file of the nearest ancestor of all[of] that has one, otherwise of the root process of its run. KIN_NONE:
 * none. */
size_t ancestry_parent(const struct ancestry *all, size_t count, size_t of);

/* Whether `pid` is the process of the file or one of its ancestors. */
int ancestry_descends(const struct ancestry *kin, uint32_t pid);

/* The end of the chain of parents; `of` if it has none. */
size_t ancestry_root(const struct ancestry *all, size_t count, size_t of);

#endif
