/* SPDX-License-Identifier: MIT */
/* stage.h: the records of stages in a thread block, and the sources of metrics. */
#ifndef PP_STAGE_H
#define PP_STAGE_H

#include "rt.h"

/* The next chunk of stages. Other threads may ask for it while it is stored (snapshot.c). Partner: stages_add in
 * stage.c. */
static inline struct pp_stages *pp_stages_next(struct pp_stages *c)
{
    return (struct pp_stages *)(uintptr_t)atomic_load_explicit((_Atomic uint64_t *)&c->next, memory_order_acquire);
}

/* Makes stage 0, which is outside of all stages. */
bool pp_stage_make_first(struct pp_thread *thread);
/* Restarts the records of a reused block, in the first chunk that it had. */
void pp_stage_adopt(struct pp_thread *thread, struct pp_stages *chunk);
/* The record of a key under a parent stage. It is made if there is none. Null: no room, which is counted. */
struct pp_stage *pp_stage_get(struct pp_thread *thread, uint32_t key, uint32_t kind, uint32_t parent);
/* A frame of the stage opens, or has closed: reads the metrics that are due. */
void pp_stage_open(struct pp_thread *thread, struct pp_frame *frame, struct pp_stage *stage);
void pp_stage_close(struct pp_thread *thread, struct pp_frame *frame, struct pp_stage *stage, uint64_t start_ns,
                    uint64_t wall_ns);
/* Books one timed activation: its number and when it began. */
void pp_stage_time(struct pp_stage *stage, uint64_t wall_ns, uint64_t index, uint64_t start_ns);
uint64_t pp_stage_mean(const struct pp_stage *stage); /* of timed activations in ns, at least 1 */
uint32_t pp_bucket(uint64_t value);                   /* the histogram bucket of a value: format.h */
void pp_sources_start(void);
void pp_sources_birth(struct pp_thread *thread);
void pp_sources_death(struct pp_thread *thread);
void pp_sources_fork_child(struct pp_thread *thread);

#endif
