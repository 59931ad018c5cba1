/* SPDX-License-Identifier: MIT */
/* comparisons.c: a sort that makes what it compares anew in each comparison: a number from text, a copy without
 * capitals, a date. Each element is compared some twenty times, and its key could be made once. */
#include <math.h>
#include <stdlib.h>

#include "advice/library.h"
#include "model/namesake.h"

#define LEAST_SHARE 0.1 /* of the CPU time, in such functions of libraries below the comparison */
#define LEAST_PART 0.4  /* of the comparison's time */
#define LEAST_CALLS 10000
#define LEAST_CALL_NS 40 /* less is a comparison as such */
#define LEAST_SAVED 0.75 /* of the comparisons' time; a comparison of keys stays */
#define MOST_SAVED 1.05

/* Library functions of these kinds turn an element into its key. */
static const enum library makers[] = { LIBRARY_HEAP,    LIBRARY_PARSE, LIBRARY_FORMAT,
                                       LIBRARY_PREPARE, LIBRARY_SCAN,  LIBRARY_COPY };

/* The function with most time of those that the one that sorts calls often: what that calls in turn has less. */
static uint32_t comparison_in(const struct model *model, uint32_t sorter)
{
    uint32_t most = MODEL_NONE;
    for (size_t i = 1; i < model->node_count; i++) {
        uint32_t of = model->node[i].function;
        if (of != MODEL_NONE && of != sorter && model->function[of].calls_known &&
            model->function[of].calls >= LEAST_CALLS && model->node[model->node[i].parent].function == sorter &&
            (most == MODEL_NONE || model->function[of].total.ns > model->function[most].total.ns))
            most = of;
    }
    return most;
}

/* By function: the part of its time below the comparison. Others may call it, too, as to look at each element once. */
static double *below_part(const struct model *model, uint32_t comparison)
{
    double *part = memory_zeroed(model->function_count + 1, sizeof *part);
    double *all = memory_zeroed(model->function_count + 1, sizeof *all);
    bool *inside = memory_zeroed(model->node_count + 1, sizeof *inside);
    for (size_t i = 1; i < model->node_count; i++) {
        const struct model_node *n = &model->node[i];
        inside[i] = inside[n->parent] || (n->function != MODEL_NONE && n->function == comparison);
        if (n->function == MODEL_NONE)
            continue;
        part[n->function] += inside[i] ? n->below.ns : 0;
        all[n->function] += n->below.ns;
    }
    for (uint32_t f = 0; f < model->function_count; f++) /* those that were inlined have no place in the tree */
        part[f] = f == comparison ? 1 : all[f] > 0 ? part[f] / all[f] : 0;
    free(all);
    free(inside);
    return part;
}

/* The time of what makes keys there. *at: the line with most of it, and the name of what it calls. */
static double made_ns(const struct advice *a, const double *below, struct library_line *at, uint64_t *samples)
{
    double ns = 0;
    *at = (struct library_line){ .line = MODEL_NONE };
    for (size_t k = 0; k < sizeof makers / sizeof *makers; k++) {
        struct library_use use = library_use(a, makers[k]);
        for (size_t i = 0; i < use.count; i++) {
            uint32_t function = a->model->line[use.line[i].line].function;
            double mine = function == MODEL_NONE ? 0 : below[function] * use.line[i].ns;
            if (mine <= 0)
                continue;
            ns += mine;
            *samples += (uint64_t)ceil(below[function] * (double)use.line[i].samples);
            if (at->line == MODEL_NONE || mine > at->ns) {
                *at = use.line[i];
                at->ns = mine;
            }
        }
    }
    return ns;
}

void advice_comparisons(struct advice *a)
{
    struct model *model = a->model;
    struct library_use sorts = library_use(a, LIBRARY_SORT);
    for (size_t i = 0; i < sorts.count; i++) {
        uint32_t sorter = model->line[sorts.line[i].line].function;
        uint32_t comparison = sorter == MODEL_NONE ? MODEL_NONE : comparison_in(model, sorter);
        if (comparison == MODEL_NONE || !library_is_first(a, &sorts, i))
            continue;
        const struct model_function *f = &model->function[comparison];
        struct library_line at;
        uint64_t samples = 0;
        double *below = below_part(model, comparison);
        double made = made_ns(a, below, &at, &samples), all = fmax(f->total.ns, made), calls = (double)f->calls;
        free(below);
        if (at.line == MODEL_NONE || library_share(a, made) < LEAST_SHARE || made < LEAST_PART * all ||
            all < LEAST_CALL_NS * calls)
            continue;
        struct model_advice *to = library_advise(a, ADVICE_comparisons, &at, all, samples, LEAST_SAVED, MOST_SAVED);
        char time[FIGURE_BYTES], own[FIGURE_BYTES], count[FIGURE_BYTES];
        if (!to)
            continue;
        advice_title(a, to, function_label(&model->arena, f), "makes what it compares anew in each comparison");
        to->evidence = arena_print(&model->arena,
                                   "%s compared %s times and took %s, %.0f %% of the CPU time, %s of it in %s and the "
                                   "like.",
                                   sorts.line[i].name, figure_count(count, calls), figure_time(time, all),
                                   100 * library_share(a, all), figure_time(own, made), at.name);
        advice_figure(to, "comparisons", calls);
    }
}
