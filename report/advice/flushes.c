/* SPDX-License-Identifier: MIT */
/* flushes.c: a line that writes a file in small pieces, because stdio or a stream is told to flush each of them. */
#include "advice/transfers.h"

#include <string.h>

/* What writes of its own accord only where it flushes or has no buffer; docs/advice.md lists them. */
static bool is_buffered(const char *name)
{
    static const char *const whole[] = { "fflush",  "fflush_unlocked", "fprintf", "printf",  "vfprintf", "vprintf",
                                         "fputs",   "puts",            "fputc",   "putc",    "putchar",  "fwrite",
                                         "fputs_unlocked", "fwrite_unlocked", "perror" };
    static const char *const part[] = { "std::endl", "std::flush", "ostream" };
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
        if (strcmp(name, whole[i]) == 0)
            return true;
    for (size_t i = 0; i < sizeof part / sizeof *part; i++)
        if (strstr(name, part[i]))
            return true;
    return false;
}

struct pieces { /* what lines of one function write to one file so */
    struct model_operations sum;
    double low_ns, high_ns;
    size_t lines;
    uint32_t line; /* that with most time */
    uint64_t most_ns;
};

static bool line_flushes(const struct advice *a, const struct advice_use *use, double *low_ns, double *high_ns)
{
    const struct model_line *line = &a->model->line[use->line];
    const struct model_callee *callee = line->callee_count ? &a->model->callee[line->callee] : NULL;
    return operation_account(use->kind) == 2 && callee && callee->name && is_buffered(callee->name) &&
           transfers_are_small(a, use, low_ns, high_ns);
}

/* False: a line before it stands for the function and file. */
static bool pieces_join(const struct advice *a, size_t first, struct pieces *p)
{
    const struct advice_use *of = &a->use[first];
    uint32_t function = a->model->line[of->line].function;
    *p = (struct pieces){ .line = of->line };
    for (size_t i = 0; i < a->use_count; i++) {
        const struct advice_use *use = &a->use[i];
        bool alike = i == first || (function != MODEL_NONE && a->model->line[use->line].function == function &&
                                    use->target == of->target);
        double low, high;
        if (!alike || !line_flushes(a, use, &low, &high))
            continue;
        if (i < first)
            return false;
        operations_add(&p->sum, &use->sum);
        p->low_ns += low;
        p->high_ns += high;
        p->lines++;
        if (use->sum.wall_ns > p->most_ns) {
            p->most_ns = use->sum.wall_ns;
            p->line = use->line;
        }
    }
    return p->lines > 0;
}

void advice_flushes(struct advice *a)
{
    for (size_t i = 0; i < a->use_count; i++) {
        struct pieces p;
        if (!pieces_join(a, i, &p))
            continue;
        struct model_advice *to = advice_add(a, ADVICE_flushes, p.line, p.low_ns, p.high_ns, SAVING_MEASURED);
        if (!to)
            continue;
        struct advice_use use = a->use[i];
        use.sum = p.sum;
        use.line = p.lines > 1 ? MODEL_NONE : p.line;
        transfers_tell(a, to, &use, "writes");
        const char *name = a->model->callee[a->model->line[p.line].callee].name;
        if (p.lines > 1)
            to->evidence = arena_print(&a->model->arena, "%s They are made at %zu lines here, most time in %s.",
                                       to->evidence, p.lines, name);
        else
            to->evidence = arena_print(&a->model->arena, "%s They are made in %s.", to->evidence, name);
        use.line = p.line;
        if (transfers_buffer(a, to, &use))
            advice_title(a, to, advice_subject(a, p.line), "writes small pieces to a stream that has no buffer");
    }
}
