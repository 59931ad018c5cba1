/* SPDX-License-Identifier: MIT */
/* conversions.c: a hot loop that goes from float to double and back in each step, mostly because a constant or a
 * function is double. Conversions take as long as the arithmetic, and doubles fill twice the space of a vector. */
#include "advice/loops.h"

#include <math.h>
#include <string.h>

#define LEAST_SHARE 0.04
#define LEAST_PART 0.55 /* of the time of the lines that convert */
#define MOST_PART 1.05 /* their samples slip to the next line */
#define SHORT_LINES 12  /* in a short loop samples fall on the statement that waits for what was converted */
#define LEAST_SHORT 0.33 /* of such a loop's time */
#define MOST_SHORT 0.66
/* Where conversions alone keep the compiler from vectors: of four floats each, less what is loaded and stored. */
#define FLOATS 4
#define LEAST_VECTORS 0.6
#define MOST_VECTORS 0.9
#define LEAST_INLINED 0.1 /* of the loop's time: less is not spoken of */

/* CPU time of lines of the loop that convert from this type; the hottest of them. *inlined: of lines that are not
 * between the loop's first and last. */
static double lines_ns(const struct advice *a, const struct advice_loop *loop, const char *from,
                       const struct model_remark **hottest, double *inlined)
{
    const struct model_remark *r = loop->remark, *one;
    double sum = 0, most = -1;
    *inlined = 0;
    uint32_t last = 0;
    for (size_t next = 0;
         (one = remark_of_loop(a->model, r->file, r->loop_first, r->loop_last, PP_REMARK_CONVERSION, &next));) {
        double ns = remark_own_ns(a, one);
        if (strcmp(one->detail, from) != 0 || one->line == last)
            continue;
        last = one->line;
        sum += ns;
        *inlined += one->line < r->loop_first || one->line > r->loop_last ? ns : 0;
        if (ns > most) {
            most = ns;
            *hottest = one;
        }
    }
    return most < 0 ? -1 : sum;
}

/* Whether vectors would do the loop as soon as all is float: its elements are in order and do not overlap, and a whole
 * number of vectors holds them, so that it needs no extra code at -O2. */
static bool waits_for_floats(const struct advice *a, const struct advice_loop *loop)
{
    const struct model_remark *stream = loop_remark(a, loop, PP_REMARK_STREAM),
                              *trips = loop_remark(a, loop, PP_REMARK_TRIPS);
    return stream && !stream->detail[0] && trips && trips->value % FLOATS == 0 &&
           loop_remark(a, loop, PP_REMARK_NOT_VECTORIZED) && !loop_remark(a, loop, PP_REMARK_VECTORIZED);
}

void advice_conversions(struct advice *a)
{
    struct advice_loop loop;
    for (size_t next = 0; loop_next(a, &next, &loop);) {
        const struct model_remark *there = NULL, *back = NULL;
        double inlined_up, inlined_down;
        double up_ns = lines_ns(a, &loop, "float", &there, &inlined_up),
               down_ns = lines_ns(a, &loop, "double", &back, &inlined_down);
        double ns = up_ns > down_ns ? up_ns : down_ns;
        double whole = loop.remark->loop_last - loop.remark->loop_first < SHORT_LINES ? loop.cpu_ns : 0;
        if (!there || !back || fmax(ns, whole) < LEAST_SHARE * a->cpu_ns)
            continue;
        bool vectors = waits_for_floats(a, &loop);
        double low = fmax(LEAST_PART * ns, (vectors ? LEAST_VECTORS : LEAST_SHORT) * whole),
               high = fmax(MOST_PART * ns, (vectors ? MOST_VECTORS : MOST_SHORT) * whole);
        struct model_advice *to = loop_add(a, ADVICE_conversions, &loop, up_ns > down_ns ? there : back, low, high);
        if (!to)
            continue;
        to->evidence =
            arena_print(&a->model->arena, "%s; each step converts float to double (line %u) and back (line %u).",
                        loop_time(a, &loop), there->line, back->line);
        double inlined = fmax(inlined_up, inlined_down);
        char time[FIGURE_BYTES];
        if (inlined >= LEAST_INLINED * loop.cpu_ns)
            to->evidence =
                arena_print(&a->model->arena, "%s Lines of functions that are inlined there convert, too, and took %s.",
                            to->evidence, figure_time(time, inlined));
        if (vectors)
            to->evidence =
                arena_print(&a->model->arena, "%s Of floats alone vectors take four at a time.", to->evidence);
        advice_figure(to, "line_ns", ns);
    }
}
