/* SPDX-License-Identifier: MIT */
/* slowpeers.c: a line that waits for one peer after the other, and one of them is so slow that the others have to wait
 * for it. */
#include "advice/advice.h"
#include "words/quote.h"

#include <math.h>

#define LEAST_CALLS 5
#define SLOW_NS 500e3  /* a call: less is no slow peer */
#define SLOWER 3.0     /* than the other peers, a call */
#define LEAST_PART 0.6 /* of the line's waiting */

struct peers {
    double calls, wait_ns;           /* of all that the first thread serves: no thread of its own lets one wait */
    double slow_calls, slow_wait_ns; /* of the one with the most */
    double rest_ns;                  /* what else happened in the run */
    uint32_t slow, count;
};

static void peers_of(const struct advice *a, uint32_t line, enum pp_operation_kind kind, struct peers *p)
{
    const struct model *model = a->model;
    *p = (struct peers){ .slow = MODEL_NONE };
    for (size_t i = 0; i < model->operation_count; i++) {
        const struct model_operation *o = &model->operation[i];
        if (o->line != line || o->kind != kind || o->target == MODEL_NONE ||
            model->target[o->target].kind != PP_TARGET_SOCKET || !o->sum.calls)
            continue;
        if (advice_first_part(&o->sum) < 0.5) /* another thread serves it, such as the other end of the connection */
            continue;
        double wait = (double)o->sum.wait_ns;
        p->count++;
        p->calls += (double)o->sum.calls;
        p->wait_ns += wait;
        if (p->slow == MODEL_NONE || wait > p->slow_wait_ns) {
            p->slow = o->target;
            p->slow_calls = (double)o->sum.calls;
            p->slow_wait_ns = wait;
        }
    }
    p->rest_ns = fmax(0, a->run_ns - p->slow_wait_ns);
}

/* Whether the first thread polls about as often: then it takes what is there, and no peer waits for another. */
static bool polls_first(const struct advice *a, double calls)
{
    double polls = 0;
    for (size_t i = 0; i < a->use_count; i++)
        if (a->use[i].kind == PP_OPERATION_POLL)
            polls += (double)a->use[i].sum.calls * advice_first_part(&a->use[i].sum);
    return polls > 0.5 * calls;
}

void advice_slowpeers(struct advice *a)
{
    for (size_t i = 0; i < a->use_count; i++) {
        const struct advice_use *use = &a->use[i];
        enum pp_operation_kind kind = use->kind;
        if (use->targets < 2 || (kind != PP_OPERATION_RECEIVE && kind != PP_OPERATION_READ &&
                                 kind != PP_OPERATION_SEND && kind != PP_OPERATION_WRITE))
            continue;
        struct peers p;
        peers_of(a, use->line, kind, &p);
        double others = p.calls - p.slow_calls, each = others > 0 ? (p.wait_ns - p.slow_wait_ns) / others : 0;
        double slow_each = p.slow_calls > 0 ? p.slow_wait_ns / p.slow_calls : 0;
        if (p.count < 2 || p.slow_calls < LEAST_CALLS || others < LEAST_CALLS || slow_each < SLOWER * each ||
            slow_each < SLOW_NS || p.slow_wait_ns < LEAST_PART * p.wait_ns || polls_first(a, p.slow_calls))
            continue;
        double saves = fmin(p.slow_wait_ns, p.rest_ns);
        struct model_advice *to =
            advice_add(a, ADVICE_slowpeers, use->line, 0.55 * saves, 1.05 * saves, SAVING_MEASURED);
        if (!to)
            continue;
        char waited[FIGURE_BYTES], slow[FIGURE_BYTES], other[FIGURE_BYTES], count[FIGURE_BYTES];
        figure_count(count, p.count - 1);
        const char *others_said = p.count == 2 ? "the other one" : arena_print(&a->model->arena, "%s others", count);
        to->evidence =
            arena_print(&a->model->arena, "It waited %s for %s, %s a call, and for %s only %s a call.",
                        figure_time(waited, p.slow_wait_ns),
                        quote_plain(&a->model->arena, a->model->target[p.slow].name), figure_time(slow, slow_each),
                        others_said, figure_time(other, each));
        advice_figure(to, "calls", p.slow_calls);
        advice_figure(to, "wait_ns", p.slow_wait_ns);
        advice_figure(to, "peers", p.count);
        advice_rule_out(a, to, "all peers are slow: the others take %s a call", other);
    }
}
