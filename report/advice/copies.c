/* SPDX-License-Identifier: MIT */
/* copies.c: a line whose time goes into copying memory: of elements that move up, or of values that are handed on. */
#include "advice/library.h"
#include "words/shortname.h"

#define LEAST_MOVED 0.08
#define LEAST_COPIED 0.15

static void lines_tell(struct advice *a, enum library kind, double least, const char *predicate, const char *action)
{
    struct library_use use = library_use(a, kind);
    for (size_t i = 0; i < use.count; i++) {
        const struct library_line *at = &use.line[i];
        if (library_share(a, at->ns) < least)
            continue;
        struct model_advice *to = library_advise(a, ADVICE_copies, at, at->ns, at->samples, 0.7, 1);
        char time[FIGURE_BYTES];
        if (!to)
            continue;
        to->evidence = arena_print(&a->model->arena, "%s took %s here, %.0f %% of the CPU time.",
                                   name_short(&a->model->arena, at->name), figure_time(time, at->ns),
                                   100 * library_share(a, at->ns));
        if (predicate)
            advice_title(a, to, advice_subject(a, at->line), predicate);
        if (action)
            to->action = action;
    }
}

void advice_copies(struct advice *a)
{
    lines_tell(a, LIBRARY_MOVE, LEAST_MOVED, "moves many elements to add or remove one",
               "do not close the gap each time: keep an index of the first element, or a ring; where order does not "
               "matter, put the last element into the gap");
    lines_tell(a, LIBRARY_COPY, LEAST_COPIED, NULL, NULL);
}
