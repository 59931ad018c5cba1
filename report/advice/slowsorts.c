/* SPDX-License-Identifier: MIT */
/* slowsorts.c: a loop of a sort in quadratic time, as the compiler says: it exchanges neighbours,
 * or moves elements on until one is at its place. Steps for each element are counted, or follow from its time, so what
 * a sort of n log n steps would take is known well enough. */
#include "advice/loops.h"

#include <math.h>
#include <string.h>

#define LEAST_SHARE 0.1
#define FEWEST_ENTRIES 32
#define LEAST_STEPS 32     /* for each element: fewer are soon done, or what is sorted is nearly in order */
#define LEAST_ENTRY_NS 300 /* the same where steps are not counted */
#define STEP_NS 1.5        /* of such a loop */
#define ELEMENTS 4         /* for each step: in the mean half of half of them are passed */
#define COMPARED_NS 2      /* a comparison of a good sort, at least, if not as long as a step here, */
#define COMPARED_MOST_NS \
    20 /* and at most so much more than two steps: it is a call, and nobody can guess its outcome */
#define MOST_LEFT 0.7

static const char *way(const struct model_remark *sort)
{
    return strcmp(sort->why, "selecting") == 0    ? "looks for the least of the rest, for one place after the other"
           : strcmp(sort->why, "moving") == 0     ? "moves elements on by one until the next is at its place"
           : strcmp(sort->why, "exchanging") == 0 ? "exchanges neighbours until all are in order"
                                                  : "exchanges an element with each that should stand before it";
}

void advice_slowsorts(struct advice *a)
{
    struct advice_loop loop;
    for (size_t next = 0; loop_next(a, &next, &loop);) {
        const struct model_remark *sort = loop_remark(a, &loop, PP_REMARK_SORT);
        if (!sort || loop.entries < FEWEST_ENTRIES || loop.share < LEAST_SHARE)
            continue;
        bool counted = loop.remark->is_counted && loop.remark->steps > 0;
        double steps = counted ? loop.remark->steps / loop.entries : loop.cpu_ns / loop.entries / STEP_NS;
        if (counted ? steps < LEAST_STEPS : loop.cpu_ns < LEAST_ENTRY_NS * loop.entries)
            continue;
        double each = loop.cpu_ns / loop.entries / steps, good = log2(ELEMENTS * steps),
               elements = fmax(loop.entries, steps), /* a few passes may be enough, or a few may be looked for */
            least = elements * good * fmax(COMPARED_NS, each), most = elements * good * (COMPARED_MOST_NS + 2 * each);
        if (most > MOST_LEFT * loop.cpu_ns)
            continue;
        struct model_advice *to =
            loop_add(a, ADVICE_slowsorts, &loop, loop.remark, loop.cpu_ns - most, loop.cpu_ns - least);
        if (!to)
            continue;
        char entries[FIGURE_BYTES], count[FIGURE_BYTES];
        to->evidence =
            arena_print(&a->model->arena,
                        "%s. It %s: %s times, %s%s steps each, where a good sort compares each element about "
                        "%.0f times.",
                        loop_time(a, &loop), way(sort), figure_count(entries, loop.entries), counted ? "" : "about ",
                        figure_count(count, round(steps)), good);
        advice_figure(to, "entries", loop.entries);
        advice_figure(to, "steps_each", steps);
    }
}
