/* SPDX-License-Identifier: MIT */
/* causal.h: contract of `profplug causal` with the library that it preloads (causal/). The tool writes FOLDER/request,
 * whose folder PROFPLUG_CAUSAL names, and each process maps FOLDER/PID.causal. Depends on stdint alone. */
#ifndef PROFPLUG_ABI_CAUSAL_H
#define PROFPLUG_ABI_CAUSAL_H

#include <stdint.h>

#define PP_CAUSAL_MAGIC "ppcause1" /* 8 bytes, no terminator */
#define PP_CAUSAL_NAME 512u
#define PP_CAUSAL_THREADS 500u /* at a time; further ones are not slowed, and counted */

struct pp_causal_request {
    char magic[8];
    uint32_t percent; /* by how much the target is to seem faster, 0 to 100 */
    uint32_t reserved;
    char target[PP_CAUSAL_NAME];   /* name of a stage, loop or scope; empty: nothing is slowed */
    char progress[PP_CAUSAL_NAME]; /* the loop whose time is asked for; empty: the process's */
};

/* A thread's account. Virtual time is time minus delay_ns. */
struct pp_causal_account {
    uint32_t tid;      /* 0: nobody's, or not yet; stored last, release (partner: the ticker's acquire) */
    uint32_t blocked;  /* in a call that another thread ends */
    uint32_t pausing;  /* in a pause of ours */
    uint32_t ordinal;  /* of the thread, from 1, which is the first thread; 0: the account is free */
    uint64_t delay_ns; /* pauses that it made, or need not make */
    int64_t excess_ns; /* what its pauses were too long by */
};
struct pp_causal_result {
    char magic[8];
    uint32_t pid, found;           /* found: the data file was there, and with it the stages */
    uint64_t delay_ns;             /* the most of any thread so far */
    uint64_t ticks, target_ticks;  /* looks; those that found a thread in the target, which was not blocked */
    uint64_t target_ns;            /* time that those looks stand for, over all threads */
    uint64_t pause_ns;             /* all pauses, over all threads */
    uint64_t progress_ns;          /* from the loop's first beginning to its last end, and the delay of */
    uint64_t progress_delay_ns;    /* its thread meanwhile */
    uint64_t refused_threads;      /* that found no account */
    struct pp_causal_account account[PP_CAUSAL_THREADS];
};
#endif
