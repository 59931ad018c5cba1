/* SPDX-License-Identifier: MIT */
/* throughput.c: how much a stage handles in a second, and in each window of time. See model.h. */
#include "model/model.h"

#include <stdlib.h>
#include <string.h>

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

#define FEW_WINDOWS 4u /* fewer windows say nothing about the variation */
/* average per window; with fewer, the variation is only that of small integers */
#define FEW_EACH 16u

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
        for (first = 0; first < PP_WINDOWS && !w.count[first]; first++) {}
        for (last = PP_WINDOWS; last > first && !w.count[last - 1]; last--) {}
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
    struct throughput t = { .unit = "calls",
                            .handled = stage->times.calls,
                            .windows = &stage->times.windows[PP_WINDOW_CALLS] };
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
