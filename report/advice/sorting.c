/* SPDX-License-Identifier: MIT */
/* sorting.c: what is nearly in order is sorted as a whole, again and again. One sort of much data needs that data in
 * memory: where there was not enough memory for it, there were many sorts. */
#include <math.h>
#include <string.h>

#include "advice/library.h"

#define LEAST_SHARE 0.1
#define SORTED_NS 4.0 /* a comparison: where data is in no order, the processor guesses wrong half of the time */
#define MANY_COMPARISONS 1e6
#define SHUFFLED_NS 6.5 /* and from here on it is other data each time, or has been changed all over */
#define FEWEST_CALLS 16 /* of the function that sorts */
#define ELEMENT_BYTES 8 /* at least: qsort sorts a copy, so that those of 4 bytes need as much */

/* Elements that one sort of so many comparisons would have. */
static double elements_of(double comparisons)
{
    double n = comparisons;
    for (int i = 0; i < 20; i++)
        n = comparisons / fmax(1, log2(n));
    return n;
}

enum calling { NEVER_SEEN, ELSEWHERE, AT_LINE };

/* Where samples of a function were when a line's function had called it, be it through a library. */
static enum calling calling_of(const struct model *model, uint32_t called, uint32_t line)
{
    enum calling found = NEVER_SEEN;
    for (size_t i = 1; i < model->frame_count && found != AT_LINE; i++) {
        uint32_t at = model->frame[i].function == called ? model->frame[i].parent : 0;
        while (at && model->frame[at].function != model->line[line].function)
            at = model->frame[at].parent;
        if (at)
            found = model->frame[at].line == line ? AT_LINE : ELSEWHERE;
    }
    return found;
}

/* Calls of the function that compares: of those below the function that sorts the one that is called most, and at this
 * line, if any was seen there. */
static double comparisons_at(const struct model *model, uint32_t line)
{
    double most[AT_LINE + 1] = { 0, 0, 0 };
    for (size_t i = 1; i < model->node_count; i++) {
        const struct model_node *n = &model->node[i];
        const struct model_function *f = n->function == MODEL_NONE ? NULL : &model->function[n->function];
        if (f && f->calls_known && model->node[n->parent].function == model->line[line].function) {
            double *of = &most[calling_of(model, n->function, line)];
            *of = fmax(*of, (double)f->calls);
        }
    }
    return most[AT_LINE] > 0 ? most[AT_LINE] : most[NEVER_SEEN];
}

void advice_sorting(struct advice *a)
{
    struct library_use use = library_use(a, LIBRARY_SORT);
    for (size_t i = 0; i < use.count; i++) {
        const struct library_line *at = &use.line[i];
        const struct model_line *line = &a->model->line[at->line];
        const struct model_function *f = &a->model->function[line->function];
        double ns = fmax(at->ns, line->total.ns), calls = f->calls_known && !f->has_copies ? (double)f->calls : 0;
        double comparisons = comparisons_at(a->model, at->line), bytes = elements_of(comparisons) * ELEMENT_BYTES;
        bool inlined = strncmp(at->name, "std::", 5) == 0; /* how often it compares is not known */
        bool often = (calls >= FEWEST_CALLS && (inlined || ns < SHUFFLED_NS * comparisons)) ||
                     bytes > (double)a->model->run.peak_rss_bytes;
        bool in_order = comparisons > MANY_COMPARISONS && ns < SORTED_NS * comparisons;
        if (library_share(a, ns) < LEAST_SHARE || !(often || in_order))
            continue;
        struct model_advice *to = library_advise(a, ADVICE_sorting, at, ns, line->total_samples, 0.7, 1);
        char time[FIGURE_BYTES], count[FIGURE_BYTES];
        if (!to)
            continue;
        if (inlined && !in_order) { /* it may be other data each time */
            advice_title(a, to, advice_subject(a, at->line), "sorts many times");
            to->action = "where it is the same data, sort once, after all elements are there; where order is needed in "
                         "between, insert each element at its place, or keep a heap";
            to->kind = SAVING_BOUND;
            to->low_ns = 0;
        }
        to->evidence = arena_print(&a->model->arena, "%s and the comparisons took %s here, %.0f %% of the CPU time",
                                   at->name, figure_time(time, ns), 100 * library_share(a, ns));
        to->evidence =
            calls >= FEWEST_CALLS
                ? arena_print(&a->model->arena, "%s, in %s calls of this function.", to->evidence,
                              figure_count(count, calls))
            : bytes > (double)a->model->run.peak_rss_bytes
                ? arena_print(&a->model->arena, "%s: %s comparisons, more than one sort of all memory takes.",
                              to->evidence, figure_count(count, comparisons))
                : arena_print(&a->model->arena,
                              "%s: %s comparisons of %.1f ns each, as short as those of data that is in order already.",
                              to->evidence, figure_count(count, comparisons), ns / comparisons);
    }
}
