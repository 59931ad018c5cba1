/* SPDX-License-Identifier: MIT */
/* rescans.c: text that is gone over from its start each time, to find a row or word by its number. Two ways: a loop
 * over bytes that the compiler saw counting up to a number, and calls of strchr and the like in a counted loop or
 * function, which together go over far more bytes than there are. What the kernel calls the peak of resident memory may
 * be that of the process that started it, so what is there is what was allocated. */
#include "advice/library.h"
#include "advice/loops.h"

#include <math.h>

#define LEAST_SHARE 0.08  /* of the CPU time */
#define LEAST_WALKS 20
#define LEAST_WALK_NS 250.0 /* a few hundred bytes: what is shorter is no long way */
#define LEAST_CALLS_NS 1000.0 /* the same where a function of the library goes on by a row at each call */
#define BYTES_NS 1.0        /* of strchr, at least: rows of 20 bytes take 5 ns each */
#define LEAST_TIMES 8.0     /* what is gone over, to what is there */
#define MOST_PART 1.05
#define LEAST_PART 0.85     /* an index of where rows start is one access, and has to be made */

static void rescan_tell(struct advice *a, struct model_advice *to, double ns, double walks, const char *how)
{
    char time[FIGURE_BYTES], count[FIGURE_BYTES], each[FIGURE_BYTES];
    to->evidence = arena_print(&a->model->arena, "It takes %s of CPU time (%.0f %%): %s %s, %s each.",
                               figure_time(time, ns), 100 * ns / a->cpu_ns, figure_count(count, walks), how,
                               figure_time(each, ns / walks));
    advice_figure(to, "walks", walks);
    advice_figure(to, "cpu_ns", ns);
}

static void bytes_ask(struct advice *a)
{
    struct advice_loop loop;
    for (size_t next = 0; loop_next(a, &next, &loop);) {
        const struct model_remark *seek = loop_remark(a, &loop, PP_REMARK_SEEK);
        double walks = loop.entries > 0 ? loop.entries : loop_calls(a, &loop);
        if (!seek || loop.share < LEAST_SHARE || walks < LEAST_WALKS || loop.cpu_ns < LEAST_WALK_NS * walks)
            continue;
        struct model_advice *to =
            loop_add(a, ADVICE_rescans, &loop, loop.remark, LEAST_PART * loop.cpu_ns, MOST_PART * loop.cpu_ns);
        if (to)
            rescan_tell(a, to, loop.cpu_ns, walks,
                        arena_print(&a->model->arena, "walks over bytes that count in %s", seek->detail));
    }
}

/* Whether the compiler says that of a call at the line, which goes over text. */
static bool is_said(const struct advice *a, const struct library_line *at, unsigned kind, enum library what)
{
    const struct model_line *line = &a->model->line[at->line];
    const struct model_remark *r;
    for (size_t next = 0; (r = remark_at_line(a->model, line->file, line->line, &next));)
        if (r->kind == kind && library_has(what, r->detail))
            return true;
    return false;
}

/* How often the way was begun: entries of the counted loop around the line, or calls of its function. Where each step
 * of the loop begins at the same place, each is a way. */
static double walks_of(const struct advice *a, const struct library_line *at)
{
    const struct model_line *line = &a->model->line[at->line];
    const struct model_remark *loop = remark_loop(a->model, line->file, line->line);
    double each = library_call_ns(a, at);
    if (is_said(a, at, PP_REMARK_SAME_TEXT, LIBRARY_SCAN))
        return loop && loop->is_counted && loop->steps > 0 ? loop->steps : line->hits_known ? (double)line->hits : -1;
    if (loop && loop->is_counted && loop->entries > 0)
        return loop->entries;
    return each > 0 ? at->ns / each : -1;
}

void advice_rescans(struct advice *a)
{
    struct library_use use = library_use(a, LIBRARY_SCAN);
    double there = advice_bytes_there(a->model);
    bytes_ask(a);
    for (size_t i = 0; i < use.count; i++) {
        const struct library_line *at = &use.line[i];
        double walks = walks_of(a, at);
        if (library_share(a, at->ns) < LEAST_SHARE || walks < LEAST_WALKS || at->ns < LEAST_CALLS_NS * walks ||
            at->ns < BYTES_NS * LEAST_TIMES * there ||
            /* each character is looked for in a text that never changes: tables.c tells it */
            is_said(a, at, PP_REMARK_FEW_VALUES, LIBRARY_PLACE))
            continue;
        struct model_advice *to = library_advise(a, ADVICE_rescans, at, at->ns, at->samples, LEAST_PART, MOST_PART);
        if (to)
            rescan_tell(a, to, at->ns, walks, arena_print(&a->model->arena, "ways by %s", at->name));
    }
}
