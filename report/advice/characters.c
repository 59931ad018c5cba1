/* SPDX-License-Identifier: MIT */
/* characters.c: a stream that is read or written by a call for each character. Each call looks at its state and,
 * where there are threads, takes its lock, while the character itself lies in a buffer. */
#include "advice/library.h"

#define LEAST_SHARE 0.08 /* of the CPU time, at lines of one function */
/* How much of that time is saved: a character of an array must be looked at, too; but around a call the program cannot
 * keep what it counts in registers. */
#define LEAST_PART 0.85
#define MOST_PART 1.45

/* How long the program's calls at that line took, without the kernel's part. */
static double ns_at(const struct library_use *use, uint32_t line)
{
    for (size_t i = 0; i < use->count; i++)
        if (use->line[i].line == line)
            return use->line[i].ns - use->line[i].system_ns;
    return 0;
}

/* `other`: the calls of the other kind. Those at the same line go with the same remedy, and only one is told there. */
static void tell(struct advice *a, enum library kind, const struct library_use *other)
{
    struct library_use use = library_use(a, kind);
    for (size_t i = 0; i < use.count; i++) {
        const struct library_line *at = &use.line[i];
        uint64_t samples = 0;
        double both = ns_at(other, at->line),
               ns = library_function_ns(a, &use, a->model->line[at->line].function, true, &samples) + both;
        if (library_share(a, ns) < LEAST_SHARE || !library_is_first(a, &use, i) ||
            (both > 0 && advice_has(a, ADVICE_characters, a->model->line[at->line].function)))
            continue;
        struct model_advice *to = library_advise(a, ADVICE_characters, at, ns, samples, LEAST_PART, MOST_PART);
        char time[FIGURE_BYTES];
        if (!to)
            continue;
        to->evidence =
            arena_print(&a->model->arena,
                        "Calls of %s%s took %s here, %.0f %% of the CPU time, without what the kernel did for "
                        "them: each looks at the stream's state and its lock.",
                        at->name,
                        both <= 0             ? ""
                        : kind == LIBRARY_GET ? " and putc"
                                              : " and getc",
                        figure_time(time, ns), 100 * library_share(a, ns));
        if (both > 0) {
            to->action = "read a block (fread, 64 KiB), change it there and write it by fwrite; where no other thread "
                         "uses the streams, getc_unlocked and putc_unlocked are a small change that saves much of it";
            to->before = "while ((c = getc(in)) != EOF) putc(turn(c), out);";
            to->after = "while ((n = fread(block, 1, sizeof block, in)) > 0) {\n    for (i = 0; i < n; i++) block[i] = "
                        "turn(block[i]);\n    fwrite(block, 1, n, out);\n}";
        } else if (kind == LIBRARY_PUT) {
            to->action = "put the characters into an array and write it by one fwrite; where no other thread uses the "
                         "stream, putc_unlocked is a small change that saves much of it";
            to->before = "for (i = 0; i < n; i++) putc(text[i], out);";
            to->after = "fwrite(text, 1, n, out);";
        }
    }
}

void advice_characters(struct advice *a)
{
    struct library_use get = library_use(a, LIBRARY_GET), put = library_use(a, LIBRARY_PUT);
    tell(a, LIBRARY_GET, &put);
    tell(a, LIBRARY_PUT, &get);
}
