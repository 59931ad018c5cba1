/* SPDX-License-Identifier: MIT */
/* scalars.c: a hot loop that does the same to one element after the other, although vector instructions take several at
 * once. Why the compiler did not use them decides what to do. */
#include "advice/loops.h"

#include <string.h>

/* With data in memory instead of caches, or with a short loop, half of the gain is left. */
#define LEAST_PART 0.5
#define FEW 2           /* at a time: moving elements into vectors and back may take what that gains */
#define OVERHEAD 0.65 /* counting and jumping, too, happen once for several elements */

static const char *action_of(const struct model_remark *stream, bool off, const char **cause)
{
    if (off) {
        *cause = "the compiler's vectorizer is off";
        return "compile this file with -O3, and without -fno-tree-vectorize";
    }
    if (stream->detail[0]) {
        *cause = "memory that may overlap keeps the compiler from it";
        return "declare the pointers restrict (or sum in a local variable) and compile with -O3";
    }
    *cause = "at -O2 the compiler does so only where it needs no extra code for the last elements";
    return "compile this file with -O3, or with -fvect-cost-model=dynamic";
}

void advice_scalars(struct advice *a)
{
    struct advice_loop loop;
    for (size_t next = 0; loop_next(a, &next, &loop);) {
        const struct model_remark *stream = loop_remark(a, &loop, PP_REMARK_STREAM);
        if (!stream || stream->value < 2 || loop_remark(a, &loop, PP_REMARK_VECTORIZED) ||
            advice_has(a, ADVICE_reallocs, a->model->line[loop.line].function)) /* it copies what grows */
            continue;
        double part = 1 - OVERHEAD / (double)stream->value;
        bool off = loop_vectors_off(a, &loop);
        const char *cause, *action = action_of(stream, off, &cause);
        struct model_advice *to = loop_add(a, ADVICE_scalars, &loop, loop.remark, LEAST_PART * part * loop.cpu_ns,
                                           part * loop.cpu_ns);
        if (!to)
            continue;
        to->action = action;
        if (stream->value <= FEW) {
            to->kind = SAVING_BOUND;
            to->low_ns = 0;
        }
        bool named = !off && stream->detail[0] && !strstr(stream->detail, "...") && !strstr(stream->why, "...");
        const char *names = named ? arena_print(&a->model->arena, ": %s and %s", stream->detail, stream->why) : "";
        to->evidence = arena_print(&a->model->arena, "%s, one element a step; vectors take %d at a time, but %s%s.",
                                   loop_time(a, &loop), (int)stream->value, cause, names);
        advice_figure(to, "elements", (double)stream->value);
    }
}
