/* SPDX-License-Identifier: MIT */
/* parts.c: calls the rows of parts.def. It must not know what a part does. */
#include "process/parts.h"
#include "operation/operation.h"
#include "probe/frame.h"
#include "probe/snapshot.h"
#include "probe/stage.h"
#include "process/fault.h"
#include "process/fork.h"
#include "process/restart.h"
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

static const struct {
    uint32_t when;
    void (*start)(void);
    void (*birth)(struct pp_thread *thread);
    void (*death)(struct pp_thread *thread);
    void (*fork_child)(struct pp_thread *self);
} parts[] = {
#define PP_PART(name, when, start, birth, death, fork_child) { when, start, birth, death, fork_child },
#include "process/parts.def"
};
#define COUNT (sizeof parts / sizeof *parts)

static bool is_on(size_t i)
{
    return parts[i].when == PP_ALWAYS || pp_on(parts[i].when);
}

void pp_parts_start(void)
{
    for (size_t i = 0; i < COUNT; i++)
        if (parts[i].start && is_on(i))
            parts[i].start();
}

void pp_parts_birth(struct pp_thread *thread)
{
    for (size_t i = 0; i < COUNT; i++)
        if (parts[i].birth && is_on(i))
            parts[i].birth(thread);
}

void pp_parts_death(struct pp_thread *thread)
{
    for (size_t i = COUNT; i--;)
        if (parts[i].death && is_on(i))
            parts[i].death(thread);
}

void pp_parts_fork_child(struct pp_thread *self)
{
    for (size_t i = 0; i < COUNT; i++)
        if (parts[i].fork_child && is_on(i))
            parts[i].fork_child(self);
}
