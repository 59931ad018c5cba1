/* SPDX-License-Identifier: MIT */
/* formatting.c: numbers turned into text, or text into numbers, by functions that interpret a format or a locale. */
#include "advice/library.h"
#include "words/shortname.h"

#define LEAST_SHARE 0.2

static void lines_tell(struct advice *a, enum library kind, const char *predicate, const char *action)
{
    struct library_use use = library_use(a, kind);
    for (size_t i = 0; i < use.count; i++) {
        const struct library_line *at = &use.line[i];
        double ns = at->ns - at->system_ns;
        if (library_share(a, ns) < LEAST_SHARE)
            continue;
        struct model_advice *to = library_advise(a, ADVICE_formatting, at, ns, at->samples, 0.7, 1.15);
        char time[FIGURE_BYTES];
        if (!to)
            continue;
        to->evidence = arena_print(
            &a->model->arena, "%s took %s here, %.0f %% of the CPU time, without what the kernel did for it.",
            name_short(&a->model->arena, at->name), figure_time(time, ns), 100 * library_share(a, ns));
        if (predicate)
            advice_title(a, to, advice_subject(a, at->line), predicate);
        if (action)
            to->action = action;
    }
}

void advice_formatting(struct advice *a)
{
    lines_tell(a, LIBRARY_FORMAT, NULL, NULL);
    lines_tell(a, LIBRARY_PARSE, "spends its time on turning text into numbers",
               "read each number once and keep it; where many are read, convert digits in a loop of your own, or use "
               "std::from_chars; sscanf measures the whole rest of its text in each call");
}
