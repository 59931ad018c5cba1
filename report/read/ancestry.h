/* SPDX-License-Identifier: MIT */
/* ancestry.h: which data file is of the process that started another's, from their headers alone. It must not know what else is in files. */
#ifndef PROFPLUG_KIN_H
#define PROFPLUG_KIN_H

#include <stddef.h>
#include <stdint.h>

#include "profplug/abi/format.h"

struct ancestry {
    char *path;                          /* its owner's */
    uint32_t pid, root_pid;
    uint32_t ancestors[9];               /* its parent, that one's, and so on; 0 past the last */
    char host[64];
    uint64_t refused;                    /* pieces of the file that found no room */
    uint64_t start_ns, end_ns;           /* since the epoch; end UINT64_MAX: never sealed */
};

#define KIN_NONE SIZE_MAX

struct ancestry ancestry_make(char *path, const struct pp_header *header);

/* The file of the nearest ancestor of the process of `all[of]` that has one, or else of the first process of its run; KIN_NONE if
 * there is none. */
size_t ancestry_parent(const struct ancestry *all, size_t count, size_t of);

/* Whether process `pid` is, or was an ancestor of, the process of the file. */
int ancestry_descends(const struct ancestry *kin, uint32_t pid);

/* The last of its parents, `of` itself if it has none. */
size_t ancestry_root(const struct ancestry *all, size_t count, size_t of);

#endif
