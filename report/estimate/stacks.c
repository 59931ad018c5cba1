/* SPDX-License-Identifier: MIT */
/* stacks.c: see stacks.h. A sample's chain of calls comes from its path. Where the path does not reach the thread's
 * first function, the call tree tells who called, without lines. */
#include "estimate/stacks.h"

#include <math.h>
#include <stdlib.h>

#include "merge/paths.h"

#define NS_LEAST 0.5 /* of what is left over: less is rounding */

struct builder {
    struct model *model;
    const struct locations *where;
    struct map frames, stacks;
    struct map named;                    /* name -> number */
    uint32_t name_count;
    struct model_frame *chain; /* of one stack, innermost first; parents are not set */
    size_t count, capacity;
};

static void chain_push(struct builder *b, uint32_t function, uint32_t line, const char *name)
{
    *ARRAY_PUSH(b->chain, b->count, b->capacity) =
        (struct model_frame){ .function = function, .line = line, .name = name };
}

static void place_push(struct builder *b, uint32_t place, bool innermost)
{
    const struct locate_place *p = place == MODEL_NONE ? NULL : &b->where->place[place];
    for (uint32_t k = 0; p && k < p->count; k++) {
        const struct locate_step *step = &b->where->step[p->first + k];
        if (innermost || paths_show(b->model, step))
            chain_push(b, step->function, step->line, NULL);
    }
}

/* Whether the node is a function that was called, and not a loop or a scope. */
static bool node_is_call(const struct model *model, uint32_t node)
{
    return model->function[model->node[node].function].kind <= PP_SITE_STAGE;
}

/* The part of the call tree above what the chain holds. */
static void callers_push(struct builder *b, uint32_t node)
{
    const struct model *model = b->model;
    uint32_t outermost = b->count ? b->chain[b->count - 1].function : MODEL_NONE, above = node;
    for (uint32_t n = node; n; n = model->node[n].parent)
        if (node_is_call(model, n) && model->node[n].function == outermost)
            above = model->node[n].parent;
    for (uint32_t n = above; n; n = model->node[n].parent)
        if (node_is_call(model, n))
            chain_push(b, model->node[n].function, MODEL_NONE, NULL);
}

static void path_push(struct builder *b, uint32_t path, uint32_t node)
{
    const struct model *model = b->model;
    bool whole = false;
    for (uint32_t p = path; p; p = model->path[p].parent) {
        place_push(b, b->where->of_path[p], false);
        whole = !model->path[p].parent && model->path[p].end == PP_PATH_WHOLE;
    }
    if (!whole || !b->count)
        callers_push(b, node);
}

static uint32_t frame_get(struct builder *b, uint32_t parent, const struct model_frame *as)
{
    struct model *model = b->model;
    uint32_t number = 0;
    if (as->name) {
        uint32_t *found = map_at_text(&b->named, as->name);
        if (*found == MAP_FRESH)
            *found = ++b->name_count;
        number = *found;
    }
    uint32_t key[4] = { parent, number ? MODEL_NONE : as->function, as->line, number };
    uint32_t *found = map_at(&b->frames, key, sizeof key);
    if (*found == MAP_FRESH) {
        *found = (uint32_t)model->frame_count;
        *ARRAY_PUSH(model->frame, model->frame_count, model->frame_capacity) =
            (struct model_frame){ .parent = parent, .function = key[1], .line = as->line, .name = as->name };
    }
    return *found;
}

/* The stack of the chain, which is used up. Valid until the next one. */
static struct model_stack *stack_get(struct builder *b, uint32_t stage)
{
    struct model *model = b->model;
    uint32_t frame = 0;
    while (b->count)
        frame = frame_get(b, frame, &b->chain[--b->count]);
    uint32_t key[2] = { frame, stage }, *found = map_at(&b->stacks, key, sizeof key);
    if (*found == MAP_FRESH) {
        *found = (uint32_t)model->stack_count;
        *ARRAY_PUSH(model->stack, model->stack_count, model->stack_capacity) =
            (struct model_stack){ .frame = frame, .stage = stage };
    }
    return &model->stack[*found];
}

static void sample_stack(struct builder *b, const struct regions *regions, uint32_t i)
{
    struct model *model = b->model;
    const struct model_sample *s = &model->sample[i];
    uint32_t place = b->where->of_sample[i];
    if (s->profiler)
        chain_push(b, MODEL_NONE, MODEL_NONE, "[profiler]");
    else if ((s->library || s->call) && b->where->place[place].callee)
        chain_push(b, MODEL_NONE, MODEL_NONE, b->where->place[place].callee);
    else if (s->library && !s->call)
        chain_push(b, MODEL_NONE, MODEL_NONE, "[library]");
    place_push(b, place, true);
    path_push(b, s->path, s->node);
    if (!b->count)
        chain_push(b, MODEL_NONE, MODEL_NONE, "[outside known code]");
    struct model_stack *stack = stack_get(b, model->node[s->node].stage);
    stack->samples += s->count;
    stack->user_ns += region_ns(regions, s);
    stack->system_ns += s->system.ns;
}

/* Rows of waits have joined paths: their callers are those of the call tree. */
static void wait_stack(struct builder *b, const struct model_stall *s)
{
    const struct model *model = b->model;
    chain_push(b, MODEL_NONE, MODEL_NONE, arena_print(&b->model->arena, "[waits: %s]", operation_name(s->kind)));
    uint32_t function = s->line == MODEL_NONE ? MODEL_NONE : model->line[s->line].function, n = s->node;
    while (n && !node_is_call(model, n))
        n = model->node[n].parent;
    if (function != MODEL_NONE) {
        chain_push(b, function, s->line, NULL);
        if (n && model->node[n].function == function)
            n = model->node[n].parent;
    }
    for (; n; n = model->node[n].parent)
        if (node_is_call(model, n))
            chain_push(b, model->node[n].function, MODEL_NONE, NULL);
    stack_get(b, model->node[s->node].stage)->wait_ns += s->time.ns;
}

static void blocks_stack(struct builder *b, uint32_t i)
{
    const struct model_point *p = &b->model->point[i];
    if (!p->blocks.alloc_blocks && !p->blocks.alloc_bytes)
        return;
    for (uint32_t at = i; at && b->model->point[at].known; at = b->model->point[at].outer)
        place_push(b, b->where->of_point[at], at == i);
    if (!b->count)
        chain_push(b, MODEL_NONE, MODEL_NONE, "[allocated elsewhere]");
    struct model_stack *stack = stack_get(b, MODEL_NONE);
    stack->alloc_bytes += (double)p->blocks.alloc_bytes;
    stack->alloc_blocks += (double)p->blocks.alloc_blocks;
    stack->live_bytes += fmax(0, (double)p->blocks.alloc_bytes - (double)p->blocks.free_bytes);
    stack->live_blocks += fmax(0, (double)p->blocks.alloc_blocks - (double)p->blocks.free_blocks);
}

static void rest_stack(struct builder *b, const char *name, double user_ns, double system_ns)
{
    if (user_ns < NS_LEAST && system_ns < NS_LEAST)
        return;
    chain_push(b, MODEL_NONE, MODEL_NONE, name);
    struct model_stack *stack = stack_get(b, MODEL_NONE);
    stack->user_ns += user_ns;
    stack->system_ns += system_ns;
}

void stacks_build(struct model *model, const struct locations *where, const struct regions *regions)
{
    struct builder b = { .model = model, .where = where };
    const struct model_coverage *c = &model->coverage;
    *ARRAY_PUSH(model->frame, model->frame_count, model->frame_capacity) =
        (struct model_frame){ .function = MODEL_NONE, .line = MODEL_NONE };
    double user_ns = 0, system_ns = 0;
    for (uint32_t i = 0; i < model->sample_count; i++)
        if (stage_is_within(model, model->node[model->sample[i].node].stage)) {
            sample_stack(&b, regions, i);
            user_ns += region_ns(regions, &model->sample[i]);
            system_ns += model->sample[i].system.ns;
        }
    for (size_t i = 0; i < model->stall_count; i++)
        if (model->stall[i].time.ns > 0)
            wait_stack(&b, &model->stall[i]);
    for (uint32_t i = 0; model->has_blocks && !model->narrowed_to && i < model->point_count; i++)
        if (model->point[i].kind == PP_CALLSITE_BLOCKS)
            blocks_stack(&b, i);
    rest_stack(&b, "[not sampled]", c->sampled_ns + c->not_sampled_ns - user_ns, 0);
    rest_stack(&b, "[kernel, for the profiler]", 0, c->toll_ns);
    rest_stack(&b, "[kernel, on no line]", 0, c->kernel_ns - system_ns - c->toll_ns);
    map_free(&b.frames);
    map_free(&b.stacks);
    map_free(&b.named);
    free(b.chain);
}
