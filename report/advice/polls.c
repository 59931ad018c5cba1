/* SPDX-License-Identifier: MIT */
/* polls.c: a line that polls again and again, and whose polls find nothing before their timeout. */
#include "advice/ticks.h"

#include <math.h>

#define FOUND_MOST 0.3   /* calls that something came of, of all: more, and it is an event loop */
#define LATE_NS 350000.0 /* a poll that times out ends so much after a whole number of milliseconds, in the mean */
#define LATE_PART 0.3    /* or so much of its time, where threads wait for a CPU */
#define LONGER 10.0      /* means, and so much more: a poll that took longer had a timeout that others did not reach */
#define LONGER_NS 250e6  /* so late a busy machine lets no thread wake up */
#define ALONE 0.9        /* of the polls' time is the first thread's, or the others': else both are in the line */

/* Calls that take what a poll may have found: of the threads that poll there, where that is known. */
static double found(const struct advice *a, const struct advice_use *use)
{
    double calls = 0, first = advice_first_part(&use->sum);
    for (size_t i = 0; i < a->use_count; i++) {
        const struct advice_use *u = &a->use[i];
        bool takes = u->kind == PP_OPERATION_READ || u->kind == PP_OPERATION_RECEIVE || u->kind == PP_OPERATION_ACCEPT;
        bool gives = u->kind == PP_OPERATION_WRITE || u->kind == PP_OPERATION_SEND || u->kind == PP_OPERATION_CONNECT;
        enum pp_target_kind on = u->target == MODEL_NONE ? PP_TARGET_FILE : a->model->target[u->target].kind;
        double same = advice_first_part(&u->sum);
        if ((takes && on != PP_TARGET_FILE) || (gives && on == PP_TARGET_SOCKET))
            calls += (double)(u->sum.calls - u->sum.errors) *
                     (first >= ALONE ? same : first <= 1 - ALONE ? 1 - same : 1);
    }
    return calls;
}

void advice_polls(struct advice *a)
{
    for (size_t i = 0; i < a->use_count; i++) {
        const struct advice_use *use = &a->use[i];
        struct ticks t;
        if (use->kind != PP_OPERATION_POLL || !ticks_of(a, use, &t))
            continue;
        double late_ns = fmod(t.mean_ns, 1e6), taken = found(a, use);
        if (t.mean_ns < 1e6 || late_ns > fmax(LATE_NS, LATE_PART * t.mean_ns) || taken > FOUND_MOST * t.calls ||
            (double)use->sum.most_ns > LONGER * t.mean_ns + LONGER_NS)
            continue;
        struct model_advice *to = advice_add(a, ADVICE_polls, use->line, t.low_ns, t.high_ns,
                                             t.is_bound ? SAVING_BOUND : SAVING_MEASURED);
        if (!to)
            continue;
        ticks_tell(a, to, use, &t, "polls");
        advice_figure(to, "found_calls", taken);
        advice_rule_out(a, to, "an event loop: %.0f reads followed the %.0f polls", taken, t.calls);
    }
}
