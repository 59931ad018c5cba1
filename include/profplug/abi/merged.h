/* SPDX-License-Identifier: MIT */
/* merged.h: what `profplug merge` writes down of the files that it makes one of. Included by format.h. */
#ifndef PROFPLUG_ABI_MERGED_H
#define PROFPLUG_ABI_MERGED_H

#include <stdint.h>

/* A file that `profplug merge` took into this one, in order from 0. as: pp_merge_as, the same in all of them. */
enum pp_merge_as {
    PP_MERGE_THREADS, PP_MERGE_PROCESSES, PP_MERGE_RANKS, PP_MERGE_REPEATS, PP_MERGE_SHARDS, PP_MERGE_AS_COUNT
};
struct pp_part {
    uint32_t as, exit_kind;              /* pp_exit_kind */
    int32_t exit_status;
    uint32_t threads;
    uint64_t start_realtime_ns, wall_ns, cpu_ns, peak_rss_bytes;
    char path[];                         /* terminated */
};
/* How a value differs between those files. A file that has none counts as 0. */
enum pp_spread_of { PP_SPREAD_RUN, PP_SPREAD_STAGE, PP_SPREAD_FUNCTION, PP_SPREAD_OF_COUNT };
enum pp_spread_value {
    PP_SPREAD_WALL, PP_SPREAD_CPU, PP_SPREAD_RSS, PP_SPREAD_CALLS, PP_SPREAD_VALUE_COUNT
}; /* ns, ns, bytes, count. Of a function CPU is an estimate by samples, all else is exact */
struct pp_spread {
    uint32_t of, value;
    uint32_t parts;                      /* files in which it is not 0 */
    uint32_t least_part, most_part;      /* numbers of the first files with these values */
    uint32_t chance;                     /* of estimates, 1: the errors explain the differences. 0: they do not */
    uint64_t least, median, most, total; /* median of an even number of files: the mean of the two in the middle */
    uint64_t most_error;                 /* standard error of `most` as an estimate; 0: it is exact */
    char strings[];                      /* name and file, both terminated. A stage's name has those around it: a/b */
};

#endif
