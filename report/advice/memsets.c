/* SPDX-License-Identifier: MIT */
/* memsets.c: large memory is cleared for a small use of it. Who uses a byte spends more on it than clearing takes, so
 * where clearing prevails, most of what was cleared is not used. */
#include "advice/library.h"

#include <string.h>

#define LEAST_SHARE 0.1
#define LARGE_SHARE 0.18  /* of the run: to use all that is cleared, byte by byte, takes many times as long */
#define FUNCTION_PART 0.6 /* of its function's time, which does more than that */
#define LEAST_BLOCK 1024.0 /* bytes: cleared in some 20 ns, as long as calloc takes for all else */
#define WRAPPER_PART 0.9  /* such a function does nothing else: its callers use the memory */

/* Whether the blocks that calloc gets there are so small that getting them takes longer than clearing them. */
static bool is_small(const struct model *model, uint32_t line)
{
    double blocks = 0, bytes = 0;
    for (size_t i = 0; i < model->allocation_count; i++)
        if (model->allocation[i].line == line && model->allocation[i].kind == PP_CALLSITE_BLOCKS) {
            blocks += (double)model->allocation[i].blocks.alloc_blocks;
            bytes += (double)model->allocation[i].blocks.alloc_bytes;
        }
    return bytes < LEAST_BLOCK * blocks;
}

/* Whether the compiler saw that a value is written which is known only then: that is no clearing. */
static bool is_fill(const struct model *model, uint32_t index)
{
    const struct model_line *line = &model->line[index];
    for (size_t i = 0; i < model->remark_count; i++)
        if (model->remark[i].kind == PP_REMARK_FILL && model->remark[i].line == line->line &&
            strcmp(model->remark[i].file, line->file) == 0)
            return true;
    return false;
}

static bool is_unused(const struct advice *a, const struct library_line *at, double ns)
{
    double share = library_share(a, ns);
    const struct model_function *f = &a->model->function[a->model->line[at->line].function];
    double part = f->total.ns > 0 ? ns / f->total.ns : 0;
    return share >= LARGE_SHARE || (share >= LEAST_SHARE && part >= FUNCTION_PART && part < WRAPPER_PART);
}

void advice_memsets(struct advice *a)
{
    struct library_use use = library_use(a, LIBRARY_CLEAR);
    for (size_t i = 0; i < use.count; i++) {
        const struct library_line *at = &use.line[i];
        double ns = at->ns - at->system_ns;
        if (!is_unused(a, at, ns) || is_fill(a->model, at->line) ||
            (strstr(at->name, "calloc") && is_small(a->model, at->line)) ||
            advice_has(a, ADVICE_reallocs, a->model->line[at->line].function))
            continue;
        struct model_advice *to = library_advise(a, ADVICE_memsets, at, ns, at->samples, 0.85, 1.3);
        char time[FIGURE_BYTES], rest[FIGURE_BYTES];
        if (to)
            to->evidence = arena_print(
                &a->model->arena,
                "%s took %s here, %.0f %% of the CPU time; all else, and so the use of what was cleared, took %s.",
                at->name, figure_time(time, ns), 100 * library_share(a, ns),
                figure_time(rest, coverage_cpu_ns(a->model) - ns));
    }
}
