/* SPDX-License-Identifier: MIT */
/* growingstrings.c: strings that are put together by functions which first walk to the string's end. */
#include <string.h>

#include "advice/library.h"

#define LEAST_SHARE 0.05
#define LEAST_SHARE_JOIN 0.1
#define LARGE_BYTES 2048.0
#define LEAST_CALL_NS 100 /* of the function: less is a short string */

static bool is_assigned(const struct model *model, uint32_t line)
{
    const struct model_line *l = &model->line[line];
    for (uint32_t i = 0; i < l->callee_count; i++) {
        const char *name = model->callee[l->callee + i].name;
        if (name && strstr(name, "basic_string") && strstr(name, "operator="))
            return true;
    }
    return false;
}

/* Bytes of a block that the line gets, in the mean: such a result of operator+ is no word. */
static double block_bytes(const struct model *model, uint32_t line)
{
    double blocks = 0, bytes = 0;
    for (size_t i = 0; i < model->allocation_count; i++) {
        const struct model_allocation *row = &model->allocation[i];
        if (row->line == line && row->kind == PP_CALLSITE_BLOCKS) {
            blocks += (double)row->blocks.alloc_blocks;
            bytes += (double)row->blocks.alloc_bytes;
        }
    }
    return blocks > 0 ? bytes / blocks : 0;
}

/* text = text + part, in C++: all of the text is copied to append to it. Moving the result there takes no time. */
static void joins_tell(struct advice *a)
{
    struct library_use use = library_use(a, LIBRARY_JOIN);
    for (size_t i = 0; i < use.count; i++) {
        const struct library_line *at = &use.line[i];
        double each = block_bytes(a->model, at->line);
        if (library_share(a, at->ns) < LEAST_SHARE_JOIN || !(is_assigned(a->model, at->line) || each >= LARGE_BYTES))
            continue;
        struct model_advice *to = library_advise(a, ADVICE_growingstrings, at, at->ns, at->samples, 0.75, 1.1);
        char time[FIGURE_BYTES], size[FIGURE_BYTES];
        if (!to)
            continue;
        advice_title(a, to, advice_subject(a, at->line), "copies a string to append to it");
        to->action = "append by += where text = text + part copies all that is there; where part + text puts it in "
                     "front, append it, too, and reverse the text at the end; call reserve if its length is known";
        to->before = "for (i = 0; i < n; i++) text = text + part[i];";
        to->after = "for (i = 0; i < n; i++) text += part[i];";
        figure_time(time, at->ns);
        to->evidence = each >= LARGE_BYTES
                           ? arena_print(&a->model->arena,
                                         "operator+ took %s here, %.0f %% of the CPU time, for strings of %s in the "
                                         "mean: it copies all that the string has already.",
                                         time, 100 * library_share(a, at->ns), figure_size(size, each))
                           : arena_print(&a->model->arena,
                                         "operator+ took %s here, %.0f %% of the CPU time, and its result is "
                                         "assigned: it copies all that the string has already.",
                                         time, 100 * library_share(a, at->ns));
    }
}

void advice_growingstrings(struct advice *a)
{
    joins_tell(a);
    struct library_use use = library_use(a, LIBRARY_APPEND);
    for (size_t i = 0; i < use.count; i++) {
        const struct library_line *at = &use.line[i];
        double each = library_call_ns(a, at);
        if (library_share(a, at->ns) < LEAST_SHARE || (each >= 0 && each < LEAST_CALL_NS))
            continue;
        struct model_advice *to = library_advise(a, ADVICE_growingstrings, at, at->ns, at->samples, 0.8, 1);
        char time[FIGURE_BYTES];
        if (to)
            to->evidence =
                arena_print(&a->model->arena,
                            "%s took %s here, %.0f %% of the CPU time: each call walks over all that is there "
                            "already, to find its end.",
                            at->name, figure_time(time, at->ns), 100 * library_share(a, at->ns));
    }
}
