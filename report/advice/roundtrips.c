/* SPDX-License-Identifier: MIT */
/* roundtrips.c: a line that waits for the answer of a slow peer each time right after it asked. What is done with one
 * answer could be done while the next one is made. Whether the next question depends on the answer is not known, so
 * the saving is a bound. */
#include "advice/advice.h"
#include "words/quote.h"

#include <math.h>
#include <string.h>

#define LEAST_ANSWERS 10
#define SLOW_NS 500e3 /* an answer: less is the way there and back */
#define COMPUTES 0.8  /* of that time, at least */
#define ONCE_MOST 1.2 /* answers a thread, where those ask that were started for it */
#define AT_ONCE 0.9   /* of the time between question and answer, the line waits: nothing is done meanwhile */

/* As the runtime names both ends of a socketpair: the first ones have numbers. */
static bool is_pair(const struct model_target *peer)
{
    return strstr(peer->name, "(unnamed)") || strncmp(peer->name, "unix pair ", 10) == 0;
}

static const char *peer_name(const struct advice *a, const struct advice_use *use, const struct model_target *peer)
{
    bool unnamed = strstr(peer->name, "(unnamed)") || (is_pair(peer) && use->targets > 1);
    return unnamed ? "sockets without a name" : quote_plain(&a->model->arena, peer->name);
}

/* A delayed acknowledgement is another matter: requests.c. */
static bool is_delayed(const struct model_target *target, double each_ns)
{
    return strncmp(target->name, "tcp", 3) == 0 && each_ns > 36e6 && each_ns < 60e6;
}

/* Another thread of this process makes the answers, and computes nearly all the while: asking ahead gains nothing. */
static bool is_computed_here(const struct advice *a, const struct advice_use *use, double wait)
{
    const struct model *model = a->model;
    for (size_t i = 0; i < model->operation_count; i++)
        if (model->operation[i].kind == PP_OPERATION_SERVED && model->operation[i].target == use->target)
            return a->others.most_busy_ns >= COMPUTES * wait;
    return false;
}

/* The threads that ask do so about once each, so that no question waits for the answer before it. */
static bool asks_once(const struct advice *a, const struct advice_use *use, double answers)
{
    return advice_first_part(&use->sum) < 0.5 && answers <= ONCE_MOST * a->others.threads;
}

/* What the line waited for answers. A function that reads for those who answer, too, also waits for their questions:
 * then it is what the first thread waited, and no longer than answers took. */
static struct model_operations asked(const struct advice *a, const struct advice_use *use, double took)
{
    struct model_operations sum = use->sum;
    bool answers = false, apart = false;
    for (size_t i = 0; i < a->model->operation_count; i++) {
        const struct model_operation *o = &a->model->operation[i];
        bool reads = o->kind == PP_OPERATION_READ || o->kind == PP_OPERATION_RECEIVE;
        answers = answers || (o->target == use->target && o->kind == PP_OPERATION_SERVED);
        apart = apart || (o->target == use->target && reads && o->line != use->line);
    }
    if (!answers || apart)
        return sum;
    uint64_t most = sum.first_wall_ns ? sum.first_wall_ns : sum.wait_ns;
    sum.wait_ns = most < took ? most : (uint64_t)took;
    sum.wall_ns = sum.wait_ns;
    sum.first_wall_ns = sum.first_wall_ns ? sum.wall_ns : 0;
    return sum;
}

void advice_roundtrips(struct advice *a)
{
    for (size_t i = 0; i < a->use_count; i++) {
        const struct advice_use *use = &a->use[i];
        const struct model_operations *answer = &advice_use(a, use->line, PP_OPERATION_RESPONSE)->sum;
        double answers = (double)answer->calls, took = (double)answer->wall_ns;
        if ((use->kind != PP_OPERATION_RECEIVE && use->kind != PP_OPERATION_READ) || answers < LEAST_ANSWERS ||
            use->target == MODEL_NONE || took < SLOW_NS * answers || asks_once(a, use, answers))
            continue;
        struct model_operations sum = asked(a, use, took);
        double wait = (double)sum.wait_ns;
        if (wait < AT_ONCE * took || is_delayed(&a->model->target[use->target], took / answers) ||
            is_computed_here(a, use, wait))
            continue;
        const struct model_target *peer = &a->model->target[use->target];
        double rest = fmax(0, a->run_ns - wait), low, high;
        /* Behind pairs may be several peers: their answers may be made at the same time. */
        double part = is_pair(peer) ? 1 - 1 / answers : fmin(1, 1.2 * rest / wait);
        advice_gain_part(a, &sum, part * wait / (double)sum.wall_ns, &low, &high);
        struct model_advice *to = advice_add(a, ADVICE_roundtrips, use->line, 0, high, SAVING_BOUND);
        if (!to)
            continue;
        char count[FIGURE_BYTES], each[FIGURE_BYTES], time[FIGURE_BYTES];
        to->evidence = arena_print(&a->model->arena, "%s answers of %s came %s after the question, and it waited %s.",
                                   figure_count(count, answers),
                                   peer_name(a, use, peer),
                                   figure_time(each, took / answers), figure_time(time, wait));
        advice_figure(to, "calls", answers);
        advice_figure(to, "wait_ns", wait);
        advice_figure(to, "response_ns", took);
    }
}
