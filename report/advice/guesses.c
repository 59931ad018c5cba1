/* SPDX-License-Identifier: MIT */
/* guesses.c: a short hot loop that branches on data, and whose steps take several times what their instructions do. No
 * counter says how often the processor guessed wrong; so a loop that has another reason to be slow is left out. */
#include "advice/loops.h"

#include <string.h>

#define LEAST_SHARE 0.15
#define MOST_LINES 6
#define LEAST_STEPS 100000
#define LEAST_TRIPS 8    /* in each entry: else it is leaving the loop that is not guessed */
#define LEAST_STEP_NS 2  /* a wrong guess takes 15 to 20 cycles */
#define MOST_STEP_NS 12  /* one wrong guess a step takes less */
#define FREE_LEAST_NS 0.4 /* a step without branch */
#define FREE_MOST_NS 1.1

/* Whether the compiler knows of something in the loop that takes as long as a wrong guess. */
static bool is_slow_anyway(const struct advice *a, const struct advice_loop *loop)
{
    static const unsigned kinds[] = { PP_REMARK_DIVISION,      PP_REMARK_SQUARE_ROOT,   PP_REMARK_CALL,
                                      PP_REMARK_INDIRECT_CALL, PP_REMARK_VIRTUAL_CALL,  PP_REMARK_ATOMIC,
                                      PP_REMARK_CHASE,         PP_REMARK_ACCUMULATION,  PP_REMARK_COLUMN,
                                      PP_REMARK_DECAY,         PP_REMARK_STRIDE_VARIABLE,
                                      PP_REMARK_MULTIPLES };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (loop_remark(a, loop, kinds[i]))
            return true;
    return false;
}

/* Whether a line of the loop spends time in a library. */
static bool calls_library(const struct model *model, const struct model_remark *loop)
{
    for (size_t i = 0; i < model->line_count; i++)
        if (model->line[i].callee_count && model->line[i].line >= loop->loop_first &&
            model->line[i].line <= loop->loop_last && strcmp(model->line[i].file, loop->file) == 0)
            return true;
    return false;
}

void advice_guesses(struct advice *a)
{
    struct advice_loop loop;
    for (size_t next = 0; loop_next(a, &next, &loop);) {
        const struct model_remark *branch = loop_remark(a, &loop, PP_REMARK_BRANCH);
        double each = loop.steps >= LEAST_STEPS ? loop.cpu_ns / loop.steps : 0;
        if (!branch || !branch->why[0] || loop.share < LEAST_SHARE || each < LEAST_STEP_NS || each > MOST_STEP_NS ||
            loop.entries <= 0 || loop.steps < LEAST_TRIPS * loop.entries ||
            loop.remark->loop_last - loop.remark->loop_first > MOST_LINES || is_slow_anyway(a, &loop) ||
            calls_library(a->model, loop.remark))
            continue;
        struct model_advice *to = loop_add(a, ADVICE_guesses, &loop, branch, (1 - FREE_MOST_NS / each) * loop.cpu_ns,
                                           (1 - FREE_LEAST_NS / each) * loop.cpu_ns);
        if (!to)
            continue;
        char step[FIGURE_BYTES];
        to->evidence = arena_print(&a->model->arena,
                                   "%s and %s. A step takes %s, as if the processor often guessed the branch wrong; "
                                   "the compiler sees nothing else in it that takes so long.",
                                   loop_time(a, &loop), branch->text, figure_time(step, each));
        advice_figure(to, "step_ns", each);
    }
}
