/* SPDX-License-Identifier: MIT */
/* stages.h: which threads are in a stage now, as the data file that the runtime writes has it. It must not know of
 * delays. */
#ifndef PROFPLUG_CAUSAL_STAGES_H
#define PROFPLUG_CAUSAL_STAGES_H

#include <stdbool.h>
#include <stdint.h>

/* Opens the process's data file, FOLDER/PID. False: there is none, or not yet. */
bool stages_open(const char *folder);

#define STAGES_KEYS 64u

struct stages_query {
    const char *name; /* of stages, loops or scopes; the rest begins with 0 */
    uint64_t key[STAGES_KEYS], known;
    uint32_t key_count;
};

/* Calls `found` for each thread that is in one of them. */
void stages_find(struct stages_query *query, void (*found)(void *context, uint32_t tid), void *context);
#endif
