/* SPDX-License-Identifier: MIT */
/* unfinished.c: see unfinished.h. The runtime says where such a call began and under which node, not by which path.
 * Where all waits of that kind that the thread ended there, under that node, have one path, it is taken to be that. */
#include "merge/unfinished.h"
#include "read/threads.h"

bool block_is_first(const struct profile *profile, uint32_t block)
{
    return block < profile->block_count && thread_leads(profile, profile->block[block].row);
}

/* How long the call took so far. False: its thread has ended, or it began after the end. */
static bool lasted(const struct model *model, const struct profile *profile, const struct profile_block *b,
                   const struct pp_unfinished *u, uint64_t *ns)
{
    uint64_t end_ns = profile->header.start_ns + model->run.wall_ns;
    if (!u->start_ns || (b->row < profile->thread_count && profile->thread[b->row].end_ns) ||
        (model->run.sealed ? u->start_ns >= end_ns : u->start_ns > end_ns))
        return false;
    *ns = end_ns - u->start_ns;
    return true;
}

static uint32_t path_find(const struct profile *profile, const struct profile_block *b, const struct pp_unfinished *u)
{
    const struct pp_callsite *point = NULL;
    uint32_t found = 0;
    for (size_t i = 0; i < profile->point_count && u->point; i++)
        if (profile->point[i].number == u->point)
            point = &profile->point[i].point;
    for (size_t i = 0; point && i < b->stall_count; i++) {
        const struct pp_blocked_path *s = &b->stall[i];
        const struct pp_path *path = &b->path[s->path];
        if (!s->path || s->kind != u->kind || s->node != u->node || path->address != point->address ||
            path->module != point->module)
            continue;
        if (found && found != s->path)
            return 0;
        found = s->path;
    }
    return found;
}

/* Whether it may be a wait for work: for descriptors, connections, signals, what others say, or bytes of others. */
static bool seeks_work(const struct profile *profile, const struct pp_unfinished *u)
{
    if (u->kind == PP_OPERATION_READ || u->kind == PP_OPERATION_RECEIVE) {
        for (size_t i = 0; u->target && i < profile->target_count; i++)
            if (profile->target[i].id == u->target)
                return profile->target[i].kind != PP_TARGET_FILE && profile->target[i].kind != PP_TARGET_UNKNOWN;
        return false;
    }
    return u->kind == PP_OPERATION_POLL || u->kind == PP_OPERATION_ACCEPT || u->kind == PP_OPERATION_SIGNAL ||
           u->kind == PP_OPERATION_CONDITION || u->kind == PP_OPERATION_SEMAPHORE;
}

void unfinished_stalls(struct model *model, const struct profile *profile, const struct profile_block *b,
                       const uint32_t *path_of, const uint32_t *node_of)
{
    uint64_t ns;
    for (unsigned i = 0; i < PP_UNFINISHED; i++) {
        const struct pp_unfinished *u = &b->unfinished[i];
        if (!lasted(model, profile, b, u, &ns))
            continue;
        uint64_t thread = b->row < profile->thread_count ? profile->thread_id[b->row] : 0;
        *ARRAY_PUSH(model->stall, model->stall_count, model->stall_capacity) =
            (struct model_stall){ .kind = (enum pp_operation_kind)u->kind,
                                  .path = path_of[path_find(profile, b, u)],
                                  .node = b->node_count ? node_of[u->node] : 0,
                                  .line = MODEL_NONE,
                                  .time = { (double)ns, 0 },
                                  .unfinished = 1,
                                  .unfinished_ns = (double)ns,
                                  .point = u->point,
                                  .thread = thread,
                                  .first_thread = thread == profile->header.pid,
                                  .seeks_work = seeks_work(profile, u) };
    }
}

void unfinished_operations(struct model *model, const struct profile *profile, uint32_t *const *stage_of,
                           const uint32_t *target_of, uint32_t most)
{
    uint64_t ns;
    for (size_t k = 0; k < profile->block_count; k++) {
        const struct profile_block *b = &profile->block[k];
        for (unsigned i = 0; i < PP_UNFINISHED; i++) {
            const struct pp_unfinished *u = &b->unfinished[i];
            if (!lasted(model, profile, b, u, &ns))
                continue;
            uint32_t stage = u->node < b->node_count ? b->node[u->node].stage : 0;
            *ARRAY_PUSH(model->operation, model->operation_count, model->operation_capacity) = (struct model_operation){
                .kind = (enum pp_operation_kind)u->kind,
                .point = u->point,
                .target = u->target <= most ? target_of[u->target] : MODEL_NONE,
                .stage = stage < b->stage_count ? stage_of[k][stage] : MODEL_NONE,
                .line = MODEL_NONE,
                .function = MODEL_NONE,
                .module = MODEL_NONE,
                .library = MODEL_NONE,
                .sum = { .wall_ns = ns,
                         .wait_ns = ns,
                         .unfinished = 1,
                         .unfinished_ns = ns,
                         .first_wall_ns = block_is_first(profile, (uint32_t)k) ? ns : 0 }
            };
        }
    }
}

/* The rule of docs/report.md. What a pool or an event loop waits for its next work in, it comes back to. */
static bool is_idle(const struct model *model, const struct model_stall *s)
{
    if (!s->seeks_work || s->line == MODEL_NONE ||
        (s->first_thread && s->kind != PP_OPERATION_POLL && s->kind != PP_OPERATION_ACCEPT &&
         s->kind != PP_OPERATION_SIGNAL))
        return false;
    for (size_t i = 0; i < model->operation_count; i++)
        if (model->operation[i].kind == s->kind && model->operation[i].line == s->line && model->operation[i].sum.calls)
            return true;
    for (size_t i = 0; i < model->stall_count; i++)
        if (model->stall[i].unfinished && model->stall[i].kind == s->kind && model->stall[i].line == s->line &&
            model->stall[i].thread != s->thread)
            return true;
    return false;
}

void unfinished_judge(struct model *model)
{
    for (size_t i = 0; i < model->stall_count; i++) {
        struct model_stall *s = &model->stall[i];
        if (!s->unfinished)
            continue;
        s->idle = is_idle(model, s);
        *ARRAY_PUSH(model->unfinished, model->unfinished_count, model->unfinished_capacity) =
            (struct model_unfinished){ s->kind, s->line, s->node, s->thread, s->unfinished_ns, s->idle };
    }
}
