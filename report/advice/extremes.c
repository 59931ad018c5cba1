/* SPDX-License-Identifier: MIT */
/* extremes.c: a loop that goes through all elements to find the least or the largest, after which that one is marked or
 * replaced, as the compiler says: the next one is looked for among the same elements. A heap finds it by the levels. */
#include "advice/loops.h"

#include <math.h>

#define LEAST_SHARE 0.1
#define LEAST_ENTRIES 100
#define LEAST_ELEMENTS 32.0 /* in the mean: a heap of fewer takes as long */
#define LEVEL_MOST_NS 30.0  /* an element that comes and goes takes two comparisons a level, which nobody can guess */
#define LEVEL_LEAST_NS 3.0
#define MOST_LEFT 0.5
#define LEAST_PART 0.75 /* an element that becomes better moves in the heap, too */

void advice_extremes(struct advice *a)
{
    struct advice_loop loop;
    for (size_t next = 0; loop_next(a, &next, &loop);) {
        const struct model_remark *least = loop_remark(a, &loop, PP_REMARK_LEAST);
        double each = least && loop.entries > 0 && loop.remark->is_counted ? loop.steps / loop.entries : 0;
        if (each < LEAST_ELEMENTS || loop.entries < LEAST_ENTRIES || loop.share < LEAST_SHARE)
            continue;
        double levels = loop.entries * log2(each), most = LEVEL_MOST_NS * levels;
        if (most > MOST_LEFT * loop.cpu_ns)
            continue;
        struct model_advice *to = loop_add(a, ADVICE_extremes, &loop, least, LEAST_PART * (loop.cpu_ns - most),
                                           loop.cpu_ns - LEVEL_LEAST_NS * levels);
        char count[FIGURE_BYTES], elements[FIGURE_BYTES];
        if (!to)
            continue;
        to->evidence = arena_print(&a->model->arena,
                                   "%s. It %s: %s times, among %s in the mean, where a heap compares about %.0f.",
                                   loop_time(a, &loop), least->text, figure_count(count, loop.entries),
                                   figure_count(elements, round(each)), 2 * log2(each));
        advice_figure(to, "entries", loop.entries);
        advice_figure(to, "steps_each", each);
    }
}
