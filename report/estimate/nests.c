/* SPDX-License-Identifier: MIT */
/* nests.c: see nests.h. A remark names the id of an array of counters: entries, sizes and steps by class of size. It
 * must not know how code counts them. */
#include "estimate/nests.h"

#include <stdlib.h>
#include <string.h>

#include "estimate/steps.h"
#include "model/fit.h"

enum { COUNTERS = 3 * PP_NEST_CLASSES };

struct nesting {
    const struct profile *profile;
    struct profile_counter *counter; /* by key */
    struct map ids;                  /* of arrays: the first of their uses */
    struct map loops;                /* of lines: the first of the loops there */
    uint32_t *use_next, *loop_next;  /* the next of the same id, and at the same lines; MAP_FRESH ends it */
};

static void uses_index(struct nesting *n)
{
    n->use_next = memory_zeroed(n->profile->use_count + 1, sizeof *n->use_next);
    for (size_t i = n->profile->use_count; i-- > 0;) {
        uint32_t *first = map_at(&n->ids, &n->profile->use[i].id, sizeof n->profile->use[i].id);
        n->use_next[i] = *first;
        *first = (uint32_t)i;
    }
}

struct loop_place {
    uint32_t first, last, function;
};

static struct loop_place place_of(const struct model_remark *r)
{
    return (struct loop_place){ r->loop_first, r->loop_last, r->function };
}

static void loops_index(struct nesting *n, const struct model *model)
{
    n->loop_next = memory_zeroed(model->remark_count + 1, sizeof *n->loop_next);
    for (size_t i = model->remark_count; i-- > 0;) {
        struct loop_place place = place_of(&model->remark[i]);
        if (model->remark[i].kind != PP_REMARK_LOOP)
            continue;
        uint32_t *first = map_at(&n->loops, &place, sizeof place);
        n->loop_next[i] = *first;
        *first = (uint32_t)i;
    }
}

/* Of all threads. */
static void counts_find(const struct nesting *n, uint64_t id, uint64_t count[COUNTERS])
{
    memset(count, 0, COUNTERS * sizeof *count);
    for (uint32_t i = map_get(&n->ids, &id, sizeof id); i != MAP_FRESH; i = n->use_next[i]) {
        const struct profile_use *use = &n->profile->use[i];
        for (uint32_t k = 0; k < use->counters && k < COUNTERS; k++)
            count[k] += counters_sum(n->counter, n->profile->counter_count, use->key + k);
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
    struct nesting n = { .profile = profile };
    uint64_t count[COUNTERS];
    n.counter = counters_sorted(profile);
    uses_index(&n);
    loops_index(&n, model);
    for (size_t i = 0; i < model->remark_count; i++) {
        const struct model_remark *nest = &model->remark[i];
        struct loop_place place = place_of(nest);
        if (nest->kind != PP_REMARK_NEST)
            continue;
        counts_find(&n, strtoull(nest->detail, NULL, 16), count);
        for (uint32_t k = map_get(&n.loops, &place, sizeof place); k != MAP_FRESH; k = n.loop_next[k])
            if (strcmp(model->remark[k].file, nest->file) == 0 && !model->remark[k].growth)
                nest_fit(count, &model->remark[k]);
    }
    map_free(&n.ids);
    map_free(&n.loops);
    free(n.counter);
    free(n.use_next);
    free(n.loop_next);
}
