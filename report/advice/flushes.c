/* SPDX-License-Identifier: MIT */
/* flushes.c: a line that writes a file in small pieces, because stdio or a stream is told to flush each of them. */
#include "advice/transfers.h"
#include "words/shortname.h"

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

static bool line_flushes(const struct advice *a, const struct advice_use *use, double *low_ns, double *high_ns)
{
    const struct model_line *line = &a->model->line[use->line];
    const struct model_callee *callee = line->callee_count ? &a->model->callee[line->callee] : NULL;
    return operation_account(use->kind) == 2 && callee && callee->name && is_buffered(callee->name) &&
           transfers_are_small(a, use, low_ns, high_ns);
}

static bool goes_to_stderr(const struct advice *a, uint32_t line)
{
    const struct model_line *l = &a->model->line[line];
    const struct model_remark *r;
    for (size_t next = 0; (r = remark_at_line(a->model, l->file, l->line, &next));)
        if (r->kind == PP_REMARK_STDERR)
            return true;
    return false;
}

static void stderr_tell(struct advice *a, struct model_advice *to, uint32_t line)
{
    advice_title(a, to, advice_subject(a, line), "writes small pieces to stderr, which has no buffer");
    to->action = "write there less often, as after each thousandth piece or once a second; where all of it is needed, "
                 "give it a buffer: setvbuf(stderr, NULL, _IOFBF, 65536) at the start";
    to->before = "for (i = 0; i < n; i++) { work(i); fprintf(stderr, \"\\r%d\", i); }";
    to->after = "for (i = 0; i < n; i++) { work(i); if (i % 1000 == 0) fprintf(stderr, \"\\r%d\", i); }";
}

void advice_flushes(struct advice *a)
{
    for (size_t i = 0; i < a->use_count; i++) {
        struct transfers t;
        if (!transfers_join(a, i, line_flushes, &t))
            continue;
        struct model_advice *to = advice_add(a, ADVICE_flushes, t.line, t.low_ns, t.high_ns, SAVING_MEASURED);
        if (!to)
            continue;
        struct advice_use use = a->use[i];
        transfers_tell_joined(a, to, &use, &t, "writes");
        const char *name =
            name_short(&a->model->arena, a->model->callee[a->model->line[t.line].callee].name);
        to->evidence = arena_print(&a->model->arena, t.lines > 1 ? "%s Most time is in %s." : "%s They are made in %s.",
                                   to->evidence, name);
        use.line = t.line;
        if (goes_to_stderr(a, t.line))
            stderr_tell(a, to, t.line);
        else if (transfers_buffer(a, to, &use))
            advice_title(a, to, advice_subject(a, t.line), "writes small pieces to a stream that has no buffer");
    }
}
