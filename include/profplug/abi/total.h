/* SPDX-License-Identifier: MIT */
/* total.h: the file in which the processes of a folder count what their data files take together, where the option
 * max-total bounds that, and which of them were not recorded. The runtime writes it, `profplug run` and reports read
 * it. */
#ifndef PROFPLUG_ABI_TOTAL_H
#define PROFPLUG_ABI_TOTAL_H

#include <stdint.h>

#define PP_TOTAL_NAME "profplug-total" /* in the folder of the data files */
#define PP_TOTAL_MAGIC "pptotal1"      /* 8 bytes, no terminator */
#define PP_MIN_FREE (256ull << 20)     /* bytes of the disk that min-free asks for by default, */
#define PP_MIN_FREE_PART 10u           /* or this part of it, if that is less */
#define PP_TOTAL_LEAST 65536u          /* bytes that must be free, or a process is not recorded */

/* If the program's address space or disk is limited, the runtime takes at most one part in this many of it. */
#define PP_SHARE 16u

struct pp_total {
    char magic[8];
    uint64_t bytes;     /* counted for data files so far; atomic */
    uint64_t processes; /* that were not recorded, because the bound was reached; atomic */
    uint64_t crowded;   /* that were not recorded, because less of the disk was free than min-free asks; atomic */
    uint64_t reserved[4];
};

#endif
