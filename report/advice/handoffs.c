/* SPDX-License-Identifier: MIT */
/* handoffs.c: two threads that hand work to each other piece by piece, so that one waits whenever the other computes: a
 * reader that reads only after it was asked. Whether the next piece can be asked for ahead is not known: a bound. */
#include <math.h>

#include "advice/advice.h"

#define LEAST_WAITS 16 /* of each */
#define ALIKE 0.85     /* one waits as often as the other, about */
#define LEAST_PART 0.1 /* of the run: each waits so long, and works so long */
#define LEAST_ALL 0.88 /* of the run: both waits together. More: they do nothing side by side */
#define MOST_ALL 1.12
#define LEAST_PIECE_NS 2e5 /* of a turn: in less, who is woken up and how long that takes is what counts */

static bool is_for_other(enum pp_operation_kind kind)
{
    return kind == PP_OPERATION_CONDITION || kind == PP_OPERATION_SEMAPHORE || kind == PP_OPERATION_BARRIER;
}

void advice_handoffs(struct advice *a)
{
    const struct advice_use *at = NULL;
    double own = 0, other = 0, own_calls = 0, other_calls = 0;
    if (a->others.threads != 1 || a->serves)
        return;
    for (size_t i = 0; i < a->use_count; i++) {
        const struct model_operations *sum = &a->use[i].sum;
        double first = advice_first_part(sum);
        if (!is_for_other(a->use[i].kind))
            continue;
        own += (double)sum->wait_ns * first;
        other += (double)sum->wait_ns * (1 - first);
        own_calls += first > 0.5 ? (double)sum->calls : 0;
        other_calls += first > 0.5 ? 0 : (double)sum->calls;
        if (first > 0.5 && (!at || sum->wait_ns > at->sum.wait_ns))
            at = &a->use[i];
    }
    double run = a->wall_ns, calls = fmin(own_calls, other_calls);
    if (!at || calls < LEAST_WAITS || calls < ALIKE * fmax(own_calls, other_calls) ||
        fmin(own, other) < LEAST_PART * run || own + other < LEAST_ALL * run || own + other > MOST_ALL * run ||
        run < LEAST_PIECE_NS * calls)
        return;
    struct model_advice *to = advice_add(a, ADVICE_handoffs, at->line, 0, fmin(own, other), SAVING_BOUND);
    char mine[FIGURE_BYTES], its[FIGURE_BYTES], count[FIGURE_BYTES];
    if (!to)
        return;
    to->evidence = arena_print(&a->model->arena,
                               "It waited for the other thread for %s, and the other one for it for %s, %s times each: "
                               "one does nothing while the other works.",
                               figure_time(mine, own), figure_time(its, other), figure_count(count, calls));
    advice_figure(to, "wait_ns", own);
    advice_figure(to, "other_wait_ns", other);
    advice_figure(to, "waits", calls);
}
