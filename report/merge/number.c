/* SPDX-License-Identifier: MIT */
/* number.c: the program's own counts and gauges, by stage, and how many of something a stage handles a second. See model.h, merge.h. */
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

/* The name of an id; one whose record was lost has its id for a name. */
static uint32_t number_of(struct model *model, const struct profile *profile, uint32_t id)
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
    for (size_t b = 0; b < profile->block_count; b++)            /* so that there is room for all from here on */
        for (size_t i = 0; i < profile->block[b].tally_count; i++)
            number_of(model, profile, profile->block[b].tally[i].number);
}

static void tally_add(struct model_tally *to, const struct pp_tally *from)
{
    int64_t min = (int64_t)((uint64_t)INT64_MAX - from->low), max = (int64_t)(from->high + (uint64_t)INT64_MIN);
    to->min = !to->count || min < to->min ? min : to->min;
    to->max = !to->count || max > to->max ? max : to->max;
    to->count += from->count;
    to->sum = (__int128)((unsigned __int128)to->sum + ((unsigned __int128)from->sum[1] << 64 | from->sum[0]));
}

void tallies_merge(struct model *model, const struct profile *profile, const struct profile_block *block, const uint32_t *stage_of)
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
    if (windows->turn & 1)                               /* amid being halved: what stands where is not known */
        return w;
    memcpy(w.count, windows->count, sizeof w.count);
    for (unsigned i = 0; i < PP_WINDOWS; i++)
        w.total += w.count[i];
    return w;
}

static void halve(struct model_windows *w)
{
    for (unsigned i = 0; i < PP_WINDOWS / 2; i++)
        w->count[i] = w->count[2 * i] + w->count[2 * i + 1];
    memset(w->count + PP_WINDOWS / 2, 0, sizeof w->count / 2);
    w->shift++;
}

void windows_add(struct model_windows *to, const struct model_windows *more)
{
    struct model_windows add = *more;
    if (!more->total)
        return;
    while (to->shift < add.shift)
        halve(to);
    while (add.shift < to->shift)
        halve(&add);
    for (unsigned i = 0; i < PP_WINDOWS; i++)
        to->count[i] += add.count[i];
    to->total += add.total;
}

/* ---- throughput ---- */

#define FEW_WINDOWS 4u                   /* that say something of how it varies */
#define FEW_EACH 16u                     /* that a window holds on average: else it is the step from one to two that is seen */

static int ascending(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static void windows_judge(struct throughput *t, const struct model_windows *kept)
{
    struct model_windows w = *kept;
    uint32_t first = 0, last = 0;
    for (;;) {
        for (first = 0; first < PP_WINDOWS && !w.count[first]; first++) { }
        for (last = PP_WINDOWS; last > first && !w.count[last - 1]; last--) { }
        if (last < first + FEW_WINDOWS + 2)
            return;
        if (w.total / (last - first) >= FEW_EACH)
            break;
        halve(&w);
    }
    uint64_t *between = w.count + first + 1;
    t->window_count = last - first - 2;
    t->window_ns = UINT64_C(1) << (PP_WINDOW_BITS + w.shift);
    qsort(between, t->window_count, sizeof *between, ascending);
    double scale = 1e9 / (double)t->window_ns;
    t->min = (double)between[0] * scale;
    t->max = (double)between[t->window_count - 1] * scale;
    t->median = ((double)between[(t->window_count - 1) / 2] + (double)between[t->window_count / 2]) / 2 * scale;
}

struct throughput stage_throughput(const struct model_stage *stage)
{
    struct throughput t = { .unit = "calls", .handled = stage->times.calls, .windows = &stage->times.windows[PP_WINDOW_CALLS] };
    if (stage->times.windows[PP_WINDOW_ITEMS].total) {
        t.unit = "items";
        t.windows = &stage->times.windows[PP_WINDOW_ITEMS];
        t.handled = t.windows->total;
    } else if (stage->kind == PP_SITE_LOOP && stage->iteration.calls) {
        t.unit = "iterations";
        t.windows = &stage->iteration.windows[PP_WINDOW_CALLS];
        t.handled = stage->iteration.calls;
    }
    if (stage->times.wall_ns)
        t.per_second = 1e9 * (double)t.handled / (double)stage->times.wall_ns;
    windows_judge(&t, t.windows);
    return t;
}
