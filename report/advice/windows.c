/* SPDX-License-Identifier: MIT */
/* windows.c: a loop that adds up elements of which the walk before has added up all but one, or looks for the largest,
 * or puts them together by shifts, as the compiler says. The remedy needs two steps for each window, however wide. */
#include "advice/loops.h"

#include <math.h>

#define LEAST_SHARE 0.08
#define LEAST_WIDE 12.0 /* elements, in the mean */
#define STEPS_MOST 6.0  /* so many are left: what comes in and goes, and its place */
#define STEPS_LEAST 1.0

static void most_tell(struct advice *a, struct model_advice *to)
{
    advice_title(a, to, advice_subject(a, to->line), "looks for the largest of the same elements again in each round");
    to->action = "keep a queue of places whose values fall: take off its end what is smaller than the one that comes "
                 "in, and off its front what has left the window; the front is the largest, for two steps an "
                 "element";
    to->before = "for (i = 0; i + w <= n; i++)\n"
                 "    for (most[i] = x[i], k = 1; k < w; k++) most[i] = max(most[i], x[i + k]);";
    to->after = "for (i = 0; i < n; i++) {\n    while (end > first && x[q[end - 1]] <= x[i]) end--;\n"
                "    q[end++] = i;\n    first += q[first] + w <= i;\n"
                "    if (i + 1 >= w) most[i + 1 - w] = x[q[first]];\n}";
}

static void rolls_tell(struct advice *a, struct model_advice *to)
{
    advice_title(a, to, advice_subject(a, to->line), "puts the same elements together again in each round");
    to->action = "let it roll: go on from the number of the round before, shift in the element that comes, and mask "
                 "off the one that goes, or take off its part";
    to->before = "for (i = 0; i + w <= n; i++) for (key = 0, k = 0; k < w; k++) key = key << 2 | x[i + k];";
    to->after = "for (i = 0; i < n; i++) { key = (key << 2 | x[i]) & mask; if (i + 1 >= w) use(key); }";
}

void advice_windows(struct advice *a)
{
    struct advice_loop loop;
    for (size_t next = 0; loop_next(a, &next, &loop);) {
        const struct model_remark *window = loop_remark(a, &loop, PP_REMARK_WINDOW);
        const struct model_remark *trips = window ? loop_remark(a, &loop, PP_REMARK_TRIPS) : NULL;
        bool counted = window && loop.entries > 0 && loop.remark->is_counted;
        double each = trips ? (double)trips->value : counted ? loop.steps / loop.entries : 0;
        if (each < LEAST_WIDE || loop.share < LEAST_SHARE)
            continue;
        struct model_advice *to = loop_add(a, ADVICE_windows, &loop, window, (1 - STEPS_MOST / each) * loop.cpu_ns,
                                           (1 - STEPS_LEAST / each) * loop.cpu_ns);
        char count[FIGURE_BYTES], wide[FIGURE_BYTES];
        if (!to)
            continue;
        to->evidence = arena_print(&a->model->arena, "%s. It %s: %s elements", loop_time(a, &loop), window->text,
                                   figure_count(wide, round(each)));
        to->evidence = trips ? arena_print(&a->model->arena, "%s.", to->evidence)
                             : arena_print(&a->model->arena, "%s in the mean, %s times.", to->evidence,
                                           figure_count(count, loop.entries));
        if (window->value == PP_WINDOW_MOST)
            most_tell(a, to);
        else if (window->value == PP_WINDOW_ROLLS)
            rolls_tell(a, to);
        else if (window->why[0]) {
            to->before = "for (i = 0; i < n; i++) for (sum[i] = 0, k = 0; k <= i; k++) sum[i] += x[k];";
            to->after = "for (sum[0] = x[0], i = 1; i < n; i++) sum[i] = sum[i - 1] + x[i];";
        }
        if (counted)
            advice_figure(to, "entries", loop.entries);
        advice_figure(to, "steps_each", each);
    }
}
