/* SPDX-License-Identifier: MIT */
/* rounds.c: see rounds.h. The compiler says which calls not every round makes, which loops not every round enters,
 * what every round does, and whether that comes at equal distances; all are counted. Which rounds were slow is not
 * known. How much can go is not known either: the saving is a bound. */
#include "advice/rounds.h"

#include <math.h>
#include <string.h>

#define LEAST_ROUNDS 64
#define SELDOM 16          /* rounds for each call, at least */
#define SEVERAL 3          /* a program may begin and end with such a call */
#define LEAST_CALL_NS 4e5
#define TIMES_LONGER 20    /* than a round without it */
#define LEAST_SHARE 0.1    /* of the CPU time */
#define SIGMAS 1.5         /* so many errors less, it is still as much: a short run's few samples may all fall there */
/* A loop that goes on once for so many of the rounds only does what they left to do: nothing is done in vain. */
#define LEAST_LEFT 0.5
#define MOST_LEFT 1.1
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

/* How often the round went, at most; 0: not known. */
static double rounds_most(const struct model *model, const struct model_remark *seldom)
{
    const struct model_function *each = seldom->why[0] ? function_find(model, seldom->why, seldom->file) : NULL;
    const struct model_remark *loop =
        seldom->value > 0 ? remark_loop(model, seldom->file, (uint32_t)seldom->value) : NULL;
    return each ? (double)each->calls : loop && loop->is_counted ? loop->entries : 0;
}

/* The same, as the loop around counts it. */
static double rounds_exact(const struct model *model, const struct model_remark *seldom)
{
    const struct model_remark *r;
    for (size_t i = 0; (r = remark_at_line(model, seldom->file, seldom->line, &i));)
        if (r->kind == PP_REMARK_ROUNDS && r->steps > 0)
            return r->steps;
    return 0;
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

/* What some rounds alone do. */
struct seldom {
    const struct model_function *function; /* it is called; or a loop stands in it, or is inlined in it */
    uint32_t line;                         /* where it takes longest; MODEL_NONE: the function's own */
    double times, rounds, ns, variance;
    bool is_called, is_exact; /* is_exact: its rounds; else there are so many at most */
};

static void rounds_find(const struct model *model, const struct model_remark *r, double exact, struct seldom *found)
{
    found->is_exact = exact > 0;
    found->rounds = exact > 0 ? exact : rounds_most(model, r);
}

static bool call_find(const struct model *model, const struct dear *dear, const struct model_remark *r,
                      struct seldom *found)
{
    const struct model_function *f = dear_find(dear, r);
    if (!f)
        return false;
    *found = (struct seldom){ .function = f, .line = line_of(model, f), .times = (double)f->calls,
                              .ns = f->total.ns, .variance = f->total.variance, .is_called = true };
    rounds_find(model, r, rounds_exact(model, r), found);
    return true;
}

/* Of what is inlined at one line, that line's own time is no part: other rounds come there, too. */
static bool loop_find(const struct model *model, const struct model_remark *r, struct seldom *found)
{
    *found = (struct seldom){ .line = MODEL_NONE, .times = r->entries };
    rounds_find(model, r, r->steps, found);
    if (!r->is_counted || found->times * SELDOM > found->rounds)
        return false;
    for (uint32_t i = 0; i < model->line_count; i++) {
        const struct model_line *line = &model->line[i];
        if (line->line < r->loop_first || line->line > r->loop_last || strcmp(line->file, r->file) != 0)
            continue;
        found->ns += line->total.ns - (r->is_inlined ? line->self.ns : 0);
        found->variance += line->total.variance - (r->is_inlined ? line->self.variance : 0);
        if (found->line == MODEL_NONE || line->total.ns > model->line[found->line].total.ns)
            found->line = i;
    }
    if (found->line == MODEL_NONE || model->line[found->line].function == MODEL_NONE)
        return false;
    found->function = &model->function[model->line[found->line].function];
    return true;
}

/* Whether what comes seldom goes over what the rounds since then left to do, by a loop that is counted. */
static bool is_catching_up(const struct model *model, const struct model_remark *r, const struct seldom *s)
{
    uint32_t of = s->is_called ? (uint32_t)(s->function - model->function) : r->function;
    for (size_t i = 0; i < model->remark_count; i++) {
        const struct model_remark *l = &model->remark[i];
        if (l->kind == PP_REMARK_LOOP && l->is_counted && l->function == of && of != MODEL_NONE &&
            l->entries >= s->times && l->entries <= s->times + SEVERAL && l->steps >= LEAST_LEFT * s->rounds &&
            l->steps <= MOST_LEFT * s->rounds)
            return true;
    }
    return false;
}

static enum advice_id kind_of(const struct model *model, const struct model_remark *r, const struct seldom *s)
{
    const struct model_remark *other;
    for (size_t i = 0; (other = remark_at_line(model, r->file, r->line, &i));)
        if (other->kind == PP_REMARK_REGULAR)
            return s->times == 1 ? ADVICE_firstentries : ADVICE_pauses;
    return s->times == 1 ? ADVICE_firstentries : ADVICE_slowbatches;
}

static bool is_long(const struct advice *a, const struct seldom *s)
{
    bool once = s->times == 1;
    double sure = s->ns - SIGMAS * sqrt(fmax(0, s->variance));
    return s->times >= 1 && (once || (s->times > SEVERAL && s->ns <= MOST_SHARE * a->cpu_ns)) &&
           s->rounds >= LEAST_ROUNDS && s->times * SELDOM <= s->rounds && sure >= LEAST_SHARE * a->cpu_ns &&
           s->ns >= LEAST_CALL_NS * s->times && s->ns / s->times >= TIMES_LONGER * (a->cpu_ns - s->ns) / s->rounds;
}

void rounds_ask(struct advice *a, enum advice_id id)
{
    struct model *model = a->model;
    struct dear dear = dear_make(a);
    for (size_t i = 0; i < model->remark_count && !model->part_count; i++) {
        const struct model_remark *r = &model->remark[i];
        struct seldom s;
        if (!(r->kind == PP_REMARK_SELDOM ? call_find(model, &dear, r, &s)
                                          : r->kind == PP_REMARK_PIECE && loop_find(model, r, &s)) ||
            !is_long(a, &s) || kind_of(model, r, &s) != id || (s.times > 1 && is_catching_up(model, r, &s)) ||
            is_told(model, r->file, r->line) ||
            (s.line != MODEL_NONE && is_told(model, r->file, model->line[s.line].line)))
            continue;
        double low, high;
        char count[FIGURE_BYTES], all[FIGURE_BYTES], each[FIGURE_BYTES], usual[FIGURE_BYTES];
        advice_gain(a, s.line, s.ns, 0, &low, &high);
        struct model_advice *to = advice_add(a, id, s.line, 0, high, SAVING_BOUND);
        if (!to)
            continue;
        if (s.line == MODEL_NONE) {
            to->file = s.function->file;
            to->at = s.function->line;
        }
        to->function = (uint32_t)(s.function - model->function);
        advice_title(a, to, s.function->name,
                     s.times == 1 ? "makes one round far longer than all others"
                                  : "makes a few rounds far longer than the others");
        to->evidence = arena_print(&model->arena,
                                   "Line %u %s in %s of %s rounds%s, for %s each; without it a round takes %s.",
                                   r->line, s.is_called ? "calls it" : "comes", figure_count(count, s.times),
                                   figure_count(all, s.rounds), s.is_exact ? "" : " at most",
                                   figure_time(each, s.ns / s.times),
                                   figure_time(usual, (a->cpu_ns - s.ns) / s.rounds));
        advice_figure(to, "calls", s.times);
        advice_figure(to, "rounds", s.rounds);
        advice_figure(to, "cpu_ns", s.ns);
    }
}
