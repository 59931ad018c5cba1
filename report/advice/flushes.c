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

void advice_flushes(struct advice *a)
{
    for (size_t i = 0; i < a->use_count; i++) {
        const struct advice_use *use = &a->use[i];
        const struct model_line *line = &a->model->line[use->line];
        const struct model_callee *callee = line->callee_count ? &a->model->callee[line->callee] : NULL;
        double low, high;
        if (operation_account(use->kind) != 2 || !callee || !callee->name || !is_buffered(callee->name) ||
            !transfers_are_small(a, use, &low, &high))
            continue;
        struct model_advice *to = advice_add(a, ADVICE_flushes, use->line, low, high, SAVING_MEASURED);
        if (!to)
            continue;
        transfers_tell(a, to, use, "writes");
        to->evidence = arena_print(&a->model->arena, "%s They are made in %s.", to->evidence, callee->name);
    }
}
