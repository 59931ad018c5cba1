/* SPDX-License-Identifier: MIT */
/* narrow.c: see narrow.h. A block of the file holds what one thread did, and those that took the block over when it had
 * ended: they cannot be told apart. */
#include "estimate/narrow.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read/profile.h"
#include "words/spelling.h"

static bool row_is(const struct profile *p, size_t row, const char *thread)
{
    char *end;
    unsigned long long number = strtoull(thread, &end, 10);
    return strcmp(p->thread[row].name, thread) == 0 || (thread[0] && !*end && p->thread_id[row] == number);
}

static void block_clear(struct profile_block *b)
{
    b->sample_count = b->stall_count = b->frame_count = b->tally_count = 0;
    b->event_count = 0;
    memset(b->seen, 0, sizeof b->seen);
    b->node_count = b->node_count > 1 ? 1 : b->node_count;
    b->stage_count = b->stage_count > 1 ? 1 : b->stage_count;
    b->path_count = b->path_count > 1 ? 1 : b->path_count;
    memset(b->unfinished, 0, sizeof b->unfinished);
}

const char *narrow_thread(struct profile *p, const char *thread, char why[NARROW_BYTES])
{
    struct spelling close = { .said = thread };
    char ask[SPELLING_BYTES], number[24];
    const char *called = thread;
    bool *taken = memory_zeroed(p->block_count + 1, sizeof *taken);
    uint64_t cpu_ns = 0, all_ns = p->header.user_ns + p->header.system_ns;
    size_t named = 0, kept = 0, operations = 0;
    bool is_main = strcmp(thread, "main") == 0; /* the first thread, if none has that name */
    for (size_t i = 0; is_main && i < p->thread_count; i++)
        is_main = strcmp(p->thread[i].name, thread) != 0;
    if (is_main) {
        snprintf(number, sizeof number, "%u", p->header.pid);
        thread = number;
    }
    for (size_t i = 0; i < p->thread_count; i++) {
        spelling_offer(&close, p->thread[i].name);
        for (size_t b = 0; row_is(p, i, thread) && b < p->block_count; b++)
            taken[b] = taken[b] || p->block[b].id == p->thread[i].block;
        named += row_is(p, i, thread);
    }
    if (!named) {
        free(taken);
        snprintf(why, NARROW_BYTES,
                 "'%s' is no thread of this run%s; expected a name or number that --section threads "
                 "lists",
                 called, spelling_ask(&close, ask));
        return NULL;
    }
    uint32_t *now_at = memory_zeroed(p->thread_count + 1, sizeof *now_at); /* by row: where it is kept */
    for (size_t b = 0; b < p->block_count; b++)
        if (!taken[b])
            block_clear(&p->block[b]);
    for (size_t i = 0; i < p->thread_count; i++) {
        bool with = false;
        for (size_t b = 0; b < p->block_count; b++)
            with = with || (taken[b] && p->block[b].id == p->thread[i].block);
        now_at[i] = UINT32_MAX;
        if (!with)
            continue;
        cpu_ns += p->thread[i].cpu_ns;
        now_at[i] = (uint32_t)kept;
        p->thread_id[kept] = p->thread_id[i];
        p->thread[kept++] = p->thread[i];
    }
    for (size_t i = 0; i < p->operation_count; i++)
        if (p->operation[i].block < p->block_count && taken[p->operation[i].block])
            p->operation[operations++] = p->operation[i];
    p->operation_count = operations;
    double part = all_ns ? fmin(1, (double)cpu_ns / (double)all_ns) : 0;
    p->header.user_ns = (uint64_t)((double)p->header.user_ns * part);
    p->header.system_ns = (uint64_t)((double)p->header.system_ns * part);
    for (size_t b = 0; b < p->block_count; b++)
        for (size_t i = 0; i < p->block[b].event_count; i++) {
            uint32_t *row = &p->block[b].event[i].row.thread;
            *row = *row < p->thread_count ? now_at[*row] : UINT32_MAX;
        }
    free(now_at);
    p->thread_count = p->thread_seen = kept;
    for (size_t b = 0; b < p->block_count; b++) /* blocks name their thread by its row */
        for (size_t i = 0; i < kept; i++)
            if (p->thread[i].block == p->block[b].id)
                p->block[b].row = (uint32_t)i;
    free(taken);
    if (kept > named)
        snprintf(why, NARROW_BYTES, "thread %s, with %zu other%s that ran in its place before or after it", called,
                 kept - named, kept - named == 1 ? "" : "s");
    else
        snprintf(why, NARROW_BYTES, named > 1 ? "the %2$zu threads %1$s" : "thread %1$s", called, named);
    return why;
}

const char *narrow_stage(struct model *model, const char *stage, char why[NARROW_BYTES])
{
    struct spelling close = { .said = stage };
    char ask[SPELLING_BYTES];
    bool *within = arena_take(&model->arena, model->stage_count + 1), found = false;
    for (uint32_t i = 0; i < model->stage_count; i++) { /* parents come before their children */
        const struct model_stage *s = &model->stage[i];
        spelling_offer(&close, s->name);
        within[i] =
            strcmp(s->name, stage) == 0 || strcmp(s->key, stage) == 0 || (s->parent != MODEL_NONE && within[s->parent]);
        found = found || within[i];
    }
    if (!found) {
        snprintf(why, NARROW_BYTES,
                 "'%s' is no stage, loop or scope of this run%s; expected one that --section stages "
                 "lists",
                 stage, spelling_ask(&close, ask));
        return NULL;
    }
    model->narrowed = within;
    snprintf(why, NARROW_BYTES, "stage %s", stage);
    return why;
}
