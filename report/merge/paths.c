/* SPDX-License-Identifier: MIT */
/* paths.c: see paths.h. Probes know the functions that they time. Below the innermost of these, the call tree
 * continues with the functions that samples found on the stack. A recursive function appears once. */
#include "merge/paths.h"

#include <stdlib.h>

uint32_t *paths_merge(struct model *model, struct map *known, const struct profile_block *b)
{
    uint32_t *of = memory_zeroed((size_t)b->path_count + 1, sizeof *of);
    if (!model->path_count)
        *ARRAY_PUSH(model->path, model->path_count, model->path_capacity) = (struct model_path){ .parent = 0 };
    for (uint32_t i = 1; i < b->path_count; i++) {
        const struct pp_path *p = &b->path[i];
        if (!p->module && !p->address) { /* its extent was published after the first look */
            of[i] = of[p->parent];
            continue;
        }
        struct {
            uint64_t address;
            uint32_t module, parent, end, zero;
        } key = { p->address, p->module, of[p->parent], of[p->parent] ? 0 : p->end, 0 };
        uint32_t *found = map_at(known, &key, sizeof key);
        if (*found == MAP_FRESH) {
            *found = (uint32_t)model->path_count;
            *ARRAY_PUSH(model->path, model->path_count, model->path_capacity) = (struct model_path){
                .address = p->address, .module = p->module, .parent = key.parent, .end = (enum pp_path_end)key.end
            };
        }
        of[i] = *found;
    }
    return of;
}

bool paths_show(const struct model *model, const struct locate_step *step)
{
    const struct model_function *f = &model->function[step->function];
    return f->has_lines || f->has_site;
}

struct descent {
    struct model *model;
    const struct locations *where;
    struct map children; /* (node, function) -> node */
    uint32_t *function;
    size_t count, capacity; /* of one sample's stack, innermost first */
};

static void stack_push(struct descent *d, uint32_t place)
{
    const struct locate_place *p = &d->where->place[place];
    for (uint32_t k = 0; k < p->count; k++)
        if (paths_show(d->model, &d->where->step[p->first + k]))
            *ARRAY_PUSH(d->function, d->count, d->capacity) = d->where->step[p->first + k].function;
}

static uint32_t *child_at(struct descent *d, uint32_t node, uint32_t function)
{
    uint32_t key[2] = { node, function };
    return map_at(&d->children, key, sizeof key);
}

static uint32_t child_get(struct descent *d, uint32_t node, uint32_t function)
{
    struct model *model = d->model;
    uint32_t *found = child_at(d, node, function);
    if (*found == MAP_FRESH) {
        *found = (uint32_t)model->node_count;
        uint32_t stage = model->node[node].stage;
        *ARRAY_PUSH(model->node, model->node_count, model->node_capacity) =
            (struct model_node){ .parent = node, .function = function, .stage = stage, .sampled_only = true };
    }
    return *found;
}

/* The number of functions on the stack below the innermost activation of the node's function. If that function is not
 * on the known part, the size of the stack. */
static size_t below_function(const struct descent *d, uint32_t node)
{
    size_t i = 0;
    while (i < d->count && d->function[i] != d->model->node[node].function)
        i++;
    return i;
}

/* Whether every call of the function enters the node. If only some do, samples find their node by their paths. */
static bool node_firm(const struct model *model, uint32_t node)
{
    const struct model_node *n = &model->node[node];
    return model->function[n->function].kind != PP_SITE_FUNCTION || n->timed_calls + n->active >= n->calls;
}

/* Descends from the node that probes knew. `place` is the location of the innermost call; MODEL_NONE if it is outside
 * the program. `path`: the calls around it. */
static uint32_t descend(struct descent *d, uint32_t node, uint32_t place, uint32_t path)
{
    struct model *model = d->model;
    if ((!path && place == MODEL_NONE) || model->node[node].overflow)
        return node;
    d->count = 0;
    if (place != MODEL_NONE)
        stack_push(d, place);
    for (uint32_t p = path; p; p = model->path[p].parent)
        if (d->where->of_path[p] != MODEL_NONE)
            stack_push(d, d->where->of_path[p]);
    uint32_t top = node;
    while (top && !node_firm(model, top) && below_function(d, top) < d->count)
        top = model->node[top].parent;
    size_t below = below_function(d, top);
    for (uint32_t n = top; n && below == d->count; n = model->node[n].parent)
        below = below_function(d, n); /* try its caller */
    uint32_t at = top;
    for (size_t k = below; k-- > 0;) {
        uint32_t again = at;
        while (again != top && model->node[again].function != d->function[k])
            again = model->node[again].parent;
        at = model->node[again].function == d->function[k] ? again : child_get(d, at, d->function[k]);
    }
    return at;
}

void paths_descend(struct model *model, const struct locations *where)
{
    struct descent d = { .model = model, .where = where };
    for (uint32_t i = 1; i < model->node_count; i++) {
        uint32_t *found = child_at(&d, model->node[i].parent, model->node[i].function);
        if (*found == MAP_FRESH)
            *found = i;
    }
    for (uint32_t i = 0; i < model->sample_count; i++) {
        struct model_sample *s = &model->sample[i];
        s->probed_node = s->probed_node ? s->probed_node : s->node; /* it is known of what no tick met */
        s->node = descend(&d, s->node, s->path ? where->of_sample[i] : MODEL_NONE, s->path);
    }
    for (size_t i = 0; i < model->stall_count; i++) {
        struct model_stall *s = &model->stall[i];
        /* of an unfinished call at least the function that made it is known */
        bool placed = !s->path && s->unfinished && model->point[s->point].known;
        s->probed_node = s->node;
        s->node = descend(&d, s->node, placed ? where->of_point[s->point] : where->of_wait[i],
                          s->path ? model->path[s->path].parent : 0);
    }
    map_free(&d.children);
    free(d.function);
}
