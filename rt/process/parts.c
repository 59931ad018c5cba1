/* SPDX-License-Identifier: MIT */
/* parts.c: calls the rows of parts.def. It must not know what a part does. */
#include "process/parts.h"
#include "operation/holder.h"
#include "operation/operation.h"
#include "probe/frame.h"
#include "probe/snapshot.h"
#include "probe/stage.h"
#include "process/fault.h"
#include "process/fork.h"
#include "process/restart.h"
#include "process/sandbox.h"
#include "sample/sampler.h"
#include "system/state.h"
#include "thread/thread.h"
#include <stddef.h>

#define PP_ALWAYS PP_COLLECTOR_COUNT

static void snapshots_fork_child(struct pp_thread *self)
{
    (void)self;
    pp_snapshots_fork_child();
}

static inline bool is_on(uint32_t when) { return when == PP_ALWAYS || pp_on(when); }

static inline __attribute__((always_inline)) void begin(uint32_t when, void (*start)(void))
{
    if (start && is_on(when))
        start();
}

static inline __attribute__((always_inline)) void tell(uint32_t when, void (*part)(struct pp_thread *thread),
                                                       struct pp_thread *thread)
{
    if (part && is_on(when))
        part(thread);
}

void pp_parts_start(void)
{
#define PP_PART(name, when, start, birth, death, fork_child) begin(when, start);
#include "process/parts.def"
}

void pp_parts_birth(struct pp_thread *thread)
{
#define PP_PART(name, when, start, birth, death, fork_child) tell(when, birth, thread);
#include "process/parts.def"
}

void pp_parts_death(struct pp_thread *thread)
{
    static const struct {
        uint32_t when;
        void (*death)(struct pp_thread *thread);
    } parts[] = {
#define PP_PART(name, when, start, birth, death, fork_child) { when, death },
#include "process/parts.def"
    };
    for (size_t i = sizeof parts / sizeof *parts; i--;)
        tell(parts[i].when, parts[i].death, thread);
}

void pp_parts_fork_child(struct pp_thread *self)
{
#define PP_PART(name, when, start, birth, death, fork_child) tell(when, fork_child, self);
#include "process/parts.def"
}
