/* SPDX-License-Identifier: MIT */
/* nests.c: see nests.h. A remark names the id of an array of counters: entries, sizes and steps by class of size. It
 * must not know how code counts them. */
#include "estimate/nests.h"

#include <stdlib.h>
#include <string.h>

#include "model/fit.h"

enum { COUNTERS = 3 * PP_NEST_CLASSES };

/* Of all threads. */
static void counts_find(const struct profile *profile, uint64_t id, uint64_t count[COUNTERS])
{
    uint64_t key = 0;
    uint32_t counters = 0;
    memset(count, 0, COUNTERS * sizeof *count);
    for (size_t i = 0; i < profile->use_count; i++)
        if (profile->use[i].id == id) {
            key = profile->use[i].key;
            counters = profile->use[i].counters < COUNTERS ? profile->use[i].counters : COUNTERS;
            for (size_t k = 0; k < profile->counter_count; k++)
                if (profile->counter[k].key >= key && profile->counter[k].key - key < counters)
                    count[profile->counter[k].key - key] += profile->counter[k].calls;
        }
}

static void nest_fit(const uint64_t count[COUNTERS], struct model_remark *loop)
{
    struct fit_point point[PP_NEST_CLASSES];
    struct fit fit;
    size_t points = 0;
    for (size_t k = 0; k + 1 < PP_NEST_CLASSES; k++) /* the last class has sizes of all kinds */
        if (count[k])
            point[points++] = (struct fit_point){ (double)count[PP_NEST_CLASSES + k] / (double)count[k],
                                                  (double)count[2 * PP_NEST_CLASSES + k] / (double)count[k] };
    if (!fit_find(point, points, &fit))
        return;
    loop->growth = fit.name;
    loop->growth_power = fit.power;
    loop->growth_sizes = (uint32_t)fit.sizes;
    loop->growth_least = fit.least;
    loop->growth_most = fit.most;
    loop->growth_error_percent = fit.error_percent;
}

void nests_merge(struct model *model, const struct profile *profile)
{
    uint64_t count[COUNTERS];
    for (size_t i = 0; i < model->remark_count; i++) {
        const struct model_remark *nest = &model->remark[i];
        if (nest->kind != PP_REMARK_NEST)
            continue;
        counts_find(profile, strtoull(nest->detail, NULL, 16), count);
        for (size_t k = 0; k < model->remark_count; k++) {
            struct model_remark *loop = &model->remark[k];
            if (loop->kind == PP_REMARK_LOOP && loop->loop_first == nest->loop_first &&
                loop->loop_last == nest->loop_last && loop->function == nest->function &&
                strcmp(loop->file, nest->file) == 0 && !loop->growth)
                nest_fit(count, loop);
        }
    }
}
