/* SPDX-License-Identifier: MIT */
/* remaps.c: a line that maps files again and again, where the calls themselves take long: entering all pages at once,
 * and taking them out. Where the first touches take long, pagefaults.c has spoken. */
#include "advice/advice.h"

#define LEAST_MAPS 50.0
#define LEAST_SHARE 0.08
#define LEAST_RETURNED 0.9 /* of the bytes, before the end */
#define LEAST_PART 0.8
#define MOST_PART 1.1

static const struct model_blocks *file_maps(const struct model *model, uint32_t line)
{
    for (size_t i = 0; i < model->mapping_count; i++) {
        const struct model_blocks *b = &model->mapping[i].blocks;
        if (model->mapping[i].line == line && (double)b->alloc_blocks >= LEAST_MAPS && !b->touched_bytes &&
            (double)b->free_bytes >= LEAST_RETURNED * (double)b->alloc_bytes)
            return b;
    }
    return NULL;
}

/* The calls that take such memory back, at lines that map none. */
static struct model_operations returns_of(const struct advice *a)
{
    struct model_operations sum = { 0 };
    for (size_t i = 0; i < a->use_count; i++) {
        bool maps = false;
        for (size_t k = 0; k < a->model->mapping_count; k++)
            maps |= a->model->mapping[k].line == a->use[i].line;
        if (a->use[i].kind == PP_OPERATION_MEMORY && !maps)
            operations_add(&sum, &a->use[i].sum);
    }
    return sum;
}

void advice_remaps(struct advice *a)
{
    const struct model *model = a->model;
    struct model_operations returns = returns_of(a);
    for (size_t i = 0; i < a->use_count; i++) {
        const struct advice_use *use = &a->use[i];
        const struct model_blocks *maps = use->kind == PP_OPERATION_MEMORY ? file_maps(model, use->line) : NULL;
        double ns = advice_calls_ns(a, &use->sum), low, high, unused;
        if (!maps || ns < LEAST_SHARE * a->run_ns || advice_has(a, ADVICE_pagefaults, model->line[use->line].function))
            continue;
        struct model_operations all = use->sum;
        operations_add(&all, &returns);
        advice_gain_part(a, &use->sum, LEAST_PART, &low, &unused);
        advice_gain_part(a, &all, MOST_PART, &unused, &high);
        struct model_advice *to = advice_add(a, ADVICE_remaps, use->line, low, high, SAVING_MEASURED);
        char count[FIGURE_BYTES], size[FIGURE_BYTES], time[FIGURE_BYTES];
        if (!to)
            continue;
        double times = (double)maps->alloc_blocks;
        to->evidence = arena_print(
            &a->model->arena, "It mapped %s of a file %s times. The calls took %s, and taking it back takes more.",
            figure_size(size, (double)maps->alloc_bytes / times), figure_count(count, times), figure_time(time, ns));
        advice_figure(to, "calls", times);
        advice_figure(to, "wall_ns", ns);
    }
}
