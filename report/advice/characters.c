/* SPDX-License-Identifier: MIT */
/* characters.c: a stream that is read or written by a call for each character. Each call looks at its state and,
 * where there are threads, takes its lock, while the character itself lies in a buffer. */
#include "advice/library.h"

#define LEAST_SHARE 0.12 /* of the CPU time, at lines of one function */
/* How much of that time is saved: a character of an array must be looked at, too; but around a call the program cannot
 * keep what it counts in registers. */
#define LEAST_PART 0.85
#define MOST_PART 1.45

static void tell(struct advice *a, enum library kind)
{
    struct library_use use = library_use(a, kind);
    for (size_t i = 0; i < use.count; i++) {
        const struct library_line *at = &use.line[i];
        uint64_t samples = 0;
        double ns = library_function_ns(a, &use, a->model->line[at->line].function, true, &samples);
        if (library_share(a, ns) < LEAST_SHARE || !library_is_first(a, &use, i))
            continue;
        struct model_advice *to = library_advise(a, ADVICE_characters, at, ns, samples, LEAST_PART, MOST_PART);
        char time[FIGURE_BYTES];
        if (!to)
            continue;
        to->evidence = arena_print(&a->model->arena,
                                   "Calls of %s took %s here, %.0f %% of the CPU time, without what the kernel did for "
                                   "them: each looks at the stream's state and its lock.",
                                   at->name, figure_time(time, ns), 100 * library_share(a, ns));
        if (kind == LIBRARY_PUT) {
            to->action = "put the characters into an array and write it by one fwrite; where no other thread uses the "
                         "stream, putc_unlocked is a small change that saves much of it";
            to->before = "for (i = 0; i < n; i++) putc(text[i], out);";
            to->after = "fwrite(text, 1, n, out);";
        }
    }
}

void advice_characters(struct advice *a)
{
    tell(a, LIBRARY_GET);
    tell(a, LIBRARY_PUT);
}
