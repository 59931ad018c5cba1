/* SPDX-License-Identifier: MIT */
/* seeks.c: a line that moves the position of a stream after each small piece. stdio then writes what its buffer holds,
 * so that each piece costs a system call or two. Whether the program can do without is not known: a record that is
 * changed in place needs the move. So the saving is a bound. */
#include "advice/advice.h"

#include <string.h>

#define LEAST_CALLS 1000
#define SMALL_BYTES 512.0
#define PIECE_BYTES 65536.0
#define LEAST_IN_ORDER 0.95 /* of the calls: then nothing is gone back to, and flushes and smallwrites speak */

/* Functions that move a stream's position, and so write its buffer first; docs/advice.md lists them. */
static bool moves_position(const char *name)
{
    static const char *const all[] = { "fseek", "fseeko", "fseeko64", "fsetpos", "fsetpos64", "rewind" };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(name, all[i]) == 0)
            return true;
    return false;
}

static const char *mover(const struct model *model, uint32_t index)
{
    const struct model_line *line = &model->line[index];
    const char *name = line->callee_count ? model->callee[line->callee].name : NULL;
    return name && moves_position(name) ? name : NULL;
}

void advice_seeks(struct advice *a)
{
    struct model *model = a->model;
    for (size_t i = 0; i < a->use_count; i++) {
        const struct advice_use *use = &a->use[i];
        double calls = (double)(use->sum.calls - use->sum.errors), bytes = (double)use->sum.bytes;
        const char *name = operation_account(use->kind) == 2 ? mover(model, use->line) : NULL;
        if (!name || use->sum.calls < use->sum.errors || calls < LEAST_CALLS || bytes > SMALL_BYTES * calls ||
            (double)use->sum.sequential > LEAST_IN_ORDER * calls)
            continue;
        double low, high, stays = (bytes / PIECE_BYTES + 1) / calls;
        advice_gain_part(a, &use->sum, 1 - stays, &low, &high);
        struct model_advice *to = advice_add(a, ADVICE_seeks, use->line, 0, high, SAVING_BOUND);
        if (!to)
            continue;
        char count[FIGURE_BYTES], each[FIGURE_BYTES], time[FIGURE_BYTES];
        to->evidence = arena_print(&model->arena,
                                   "%s wrote what the stream's buffer held, %s times, %s each. That took %s.", name,
                                   figure_count(count, calls), figure_size(each, bytes / calls),
                                   figure_time(time, (double)use->sum.wall_ns));
        advice_figure(to, "calls", calls);
        advice_figure(to, "bytes", bytes);
        advice_figure(to, "wall_ns", (double)use->sum.wall_ns);
        advice_rule_out(a, to, "%.0f %% of the writes go on where the last one ended",
                        100 * (double)use->sum.sequential / calls);
    }
}
