/* SPDX-License-Identifier: MIT */
/* stage.h: records of stages. */
#ifndef PP_STAGE_H
#define PP_STAGE_H

#include "rt.h"


bool pp_stage_make_first(struct pp_thread *thread);
void pp_stage_adopt(struct pp_thread *thread, struct pp_stages *chunk);
/* The record of (key, parent stage), made if need be. Null: no room. */
struct pp_stage *pp_stage_get(struct pp_thread *thread, uint32_t key, uint32_t kind, uint32_t parent);
void pp_stage_open(struct pp_thread *thread, struct pp_frame *frame, struct pp_stage *stage);
void pp_stage_close(struct pp_thread *thread, struct pp_frame *frame, struct pp_stage *stage, uint64_t start_ns, uint64_t wall_ns);
void pp_stage_time(struct pp_stage *stage, uint64_t wall_ns, uint64_t index, uint64_t start_ns);
uint64_t pp_stage_mean(const struct pp_stage *stage);    /* in whole nanoseconds, 1 at least */
uint32_t pp_bucket(uint64_t value);
void pp_sources_start(void);
void pp_sources_birth(struct pp_thread *thread);
void pp_sources_death(struct pp_thread *thread);
void pp_sources_fork_child(struct pp_thread *thread);

#endif
