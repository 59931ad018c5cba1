/* SPDX-License-Identifier: MIT */
/* number.c: the program's own counts and gauges, by stage, and the stages' windows of time. See merge.h. */
#include <stdlib.h>
#include <string.h>

#include "merge/merge.h"

/* ---- counts and gauges ---- */

static uint32_t number_index(struct model *model, const char *name, uint32_t kind)
{
    for (uint32_t i = 0; i < model->number_count; i++)
        if (strcmp(model->number[i].name, name) == 0)
            return i;
    *ARRAY_PUSH(model->number, model->number_count, model->number_capacity) =
        (struct model_number){ arena_copy(&model->arena, name), (enum pp_number_kind)kind };
    return (uint32_t)model->number_count - 1;
}

/* The name of an id. If its record was lost, the id is the name. */
uint32_t number_of(struct model *model, const struct profile *profile, uint32_t id)
{
    for (size_t i = 0; i < profile->number_count; i++)
        if (profile->number[i].id == id)
            return number_index(model, profile->number[i].name, profile->number[i].kind);
    return number_index(model, arena_print(&model->arena, "(number %u)", id), PP_NUMBER_COUNT);
}

void numbers_merge(struct model *model, const struct profile *profile)
{
    for (size_t i = 0; i < profile->number_count; i++)
        number_index(model, profile->number[i].name, profile->number[i].kind);
    /* register all numbers first, so that tables have their final size */
    for (size_t b = 0; b < profile->block_count; b++) {
        for (size_t i = 0; i < profile->block[b].tally_count; i++)
            number_of(model, profile, profile->block[b].tally[i].number);
        for (size_t i = 0; i < profile->block[b].event_count; i++)
            if (profile->block[b].event[i].kind == PP_TIMELINE_VALUES)
                number_of(model, profile, profile->block[b].event[i].row.what);
    }
}

static void tally_add(struct model_tally *to, const struct pp_tally *from)
{
    int64_t min = (int64_t)((uint64_t)INT64_MAX - from->low), max = (int64_t)(from->high + (uint64_t)INT64_MIN);
    to->min = !to->count || min < to->min ? min : to->min;
    to->max = !to->count || max > to->max ? max : to->max;
    to->count += from->count;
    to->sum = (__int128)((unsigned __int128)to->sum + words_join(from->sum));
}

void tallies_merge(struct model *model, const struct profile *profile, const struct profile_block *block,
                   const uint32_t *stage_of)
{
    for (size_t i = 0; i < block->tally_count; i++) {
        const struct profile_tally *from = &block->tally[i];
        uint32_t stage = from->stage < block->stage_count ? stage_of[from->stage] : MODEL_NONE;
        struct model_tally **list = stage == MODEL_NONE ? &model->outside : &model->stage[stage].tally;
        if (!*list)
            *list = memory_zeroed(model->number_count, sizeof **list);
        tally_add(&(*list)[number_of(model, profile, from->number)], &from->tally);
    }
}

/* ---- windows ---- */

struct model_windows windows_from(const struct pp_windows *windows)
{
    struct model_windows w = { .shift = windows->shift };
    /* interrupted while the windows were halved: their content is not reliable */
    if (windows->turn & 1)
        return w;
    memcpy(w.count, windows->count, sizeof w.count);
    for (unsigned i = 0; i < PP_WINDOWS; i++)
        w.total += w.count[i];
    return w;
}
