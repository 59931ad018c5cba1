/* SPDX-License-Identifier: MIT */
/* sources_core.h: a core for the tests of the sampler, the modules and the sources of numbers. It keeps what they pass
 * in plain memory, where a test can read it. It must not know what a test asserts. */
#ifndef SOURCES_CORE_H
#define SOURCES_CORE_H

#include "rt.h"

#include <stdio.h>
#include <stdlib.h>

struct core_record { uint32_t kind, size; char bytes[2048]; };
extern struct core_record core_records[512];
extern uint32_t core_record_count;

extern uint32_t core_collectors;                     /* those that are on from the start: all */
void core_start(uint32_t sample_hz);                 /* the process */
struct pp_thread *core_birth(void);                  /* a block for this thread: birth hooks of all sources, then of the sampler */
void core_death(void);
struct pp_module *core_module(uint32_t id);          /* the latest record of it, null if there is none */

/* Calls visit for each sample of the thread's block; returns the sum of counts. */
uint64_t core_samples(struct pp_thread *thread, void (*visit)(const struct pp_sample *sample, void *context), void *context);

/* Path number `number` of the thread's block, null if it has none; and how many there are. */
const struct pp_path *core_path(const struct pp_thread *thread, uint32_t number);
uint32_t core_path_count(const struct pp_thread *thread);

#define CHECK(test, ...)                                                                    \
    do {                                                                                    \
        if (!(test)) {                                                                      \
            fprintf(stderr, "%s:%d: not so: %s: ", __FILE__, __LINE__, #test);              \
            fprintf(stderr, __VA_ARGS__);                                                   \
            fprintf(stderr, "\n");                                                          \
            exit(1);                                                                        \
        }                                                                                   \
    } while (0)

#endif
