/* SPDX-License-Identifier: MIT */
/* rounds.c: see rounds.h. The compiler says which calls not every round makes, and what every round does; both are
 * counted. Which rounds were slow is not known, so their distances are not told. How much can go is not known either:
 * the saving is a bound. */
#include "advice/rounds.h"

#include <math.h>
#include <string.h>

#define LEAST_ROUNDS 64
#define SELDOM 16          /* rounds for each call, at least */
#define SEVERAL 3          /* a program may begin and end with such a call */
#define LEAST_CALL_NS 5e5
#define TIMES_LONGER 20    /* than a round without it */
#define LEAST_SHARE 0.08   /* of the CPU time */
#define MOST_SHARE 0.8     /* more is the program's work itself, which the other rounds have no need of */

static bool is_function(const struct model_function *f, const char *symbol, const char *file)
{
    return f->calls_known && !f->inlined && !f->has_copies && strcmp(f->symbol, symbol) == 0 &&
           strcmp(f->file, file) == 0;
}

static const struct model_function *function_find(const struct model *model, const char *symbol, const char *file)
{
    for (size_t i = 0; i < model->function_count; i++)
        if (is_function(&model->function[i], symbol, file))
            return &model->function[i];
    return NULL;
}

/* Functions with so much time that a rule may speak of them. A large program has a hundred thousand remarks, and few of
 * these. */
struct dear {
    const struct model_function **function;
    size_t count;
};

static struct dear dear_make(struct advice *a)
{
    struct model *model = a->model;
    struct dear dear = { arena_take(&model->arena, (model->function_count + 1) * sizeof *dear.function), 0 };
    for (size_t i = 0; i < model->function_count; i++)
        if (model->function[i].total.ns >= LEAST_SHARE * a->cpu_ns)
            dear.function[dear.count++] = &model->function[i];
    return dear;
}

static const struct model_function *dear_find(const struct dear *dear, const struct model_remark *r)
{
    for (size_t i = 0; i < dear->count; i++)
        if (is_function(dear->function[i], r->detail, r->file))
            return dear->function[i];
    return NULL;
}

/* How often the round went; 0: not known. */
static double rounds_of(const struct model *model, const struct model_remark *seldom)
{
    const struct model_function *each = seldom->why[0] ? function_find(model, seldom->why, seldom->file) : NULL;
    const struct model_remark *loop =
        seldom->value > 0 ? remark_loop(model, seldom->file, (uint32_t)seldom->value) : NULL;
    return each ? (double)each->calls : loop && loop->is_counted ? loop->entries : 0;
}

/* The line of the function that has most time, with what it calls. */
static uint32_t line_of(const struct model *model, const struct model_function *of)
{
    uint32_t best = MODEL_NONE;
    for (uint32_t i = 0; i < model->line_count; i++)
        if (model->line[i].function != MODEL_NONE && &model->function[model->line[i].function] == of &&
            (best == MODEL_NONE || model->line[i].total.ns > model->line[best].total.ns))
            best = i;
    return best;
}

static bool is_told(const struct model *model, const char *file, uint32_t line)
{
    for (size_t i = 0; i < model->advice_count; i++)
        if (model->advice[i].at == line && strcmp(model->advice[i].file, file) == 0)
            return true;
    return false;
}

void rounds_ask(struct advice *a, enum advice_id id, bool once)
{
    struct model *model = a->model;
    struct dear dear = dear_make(a);
    for (size_t i = 0; i < model->remark_count && !model->part_count; i++) {
        const struct model_remark *r = &model->remark[i];
        const struct model_function *f = r->kind == PP_REMARK_SELDOM ? dear_find(&dear, r) : NULL;
        if (!f)
            continue;
        double rounds = rounds_of(model, r), calls = (double)f->calls, ns = f->total.ns;
        if (calls < 1 || (calls == 1) != once || (!once && (calls <= SEVERAL || ns > MOST_SHARE * a->cpu_ns)) ||
            rounds < LEAST_ROUNDS || calls * SELDOM > rounds || ns < LEAST_CALL_NS * calls ||
            ns / calls < TIMES_LONGER * (a->cpu_ns - ns) / rounds)
            continue;
        uint32_t line = line_of(model, f);
        double low, high;
        char count[FIGURE_BYTES], all[FIGURE_BYTES], each[FIGURE_BYTES], usual[FIGURE_BYTES];
        if (is_told(model, r->file, r->line) || (line != MODEL_NONE && is_told(model, r->file, model->line[line].line)))
            continue;
        advice_gain(a, ns, 0, &low, &high);
        struct model_advice *to = advice_add(a, id, line, 0, high, SAVING_BOUND);
        if (!to)
            continue;
        if (line == MODEL_NONE) {
            to->file = f->file;
            to->at = f->line;
        }
        to->function = (uint32_t)(f - model->function);
        advice_title(a, to, f->name,
                     once ? "makes one round far longer than all others"
                          : "makes a few rounds far longer than the others");
        to->evidence = arena_print(&model->arena,
                                   "Line %u calls it in %s of %s rounds at most, for %s each; without it a round "
                                   "takes %s.",
                                   r->line, figure_count(count, calls), figure_count(all, rounds),
                                   figure_time(each, ns / calls), figure_time(usual, (a->cpu_ns - ns) / rounds));
        advice_figure(to, "calls", calls);
        advice_figure(to, "rounds", rounds);
        advice_figure(to, "cpu_ns", ns);
    }
}
