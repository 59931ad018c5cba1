/* SPDX-License-Identifier: MIT */
/* requests.c: questions over TCP that are sent in several small pieces. The second piece waits until the peer has
 * acknowledged the first one, and the peer delays that: Nagle's algorithm and delayed acknowledgement. */
#include "advice/advice.h"
#include "words/quote.h"

#include <math.h>
#include <string.h>

#define LEAST_ANSWERS 3
#define DELAY_LEAST_NS 36e6 /* an acknowledgement is delayed by 40 ms */
#define DELAY_MOST_NS 60e6
#define ANSWER_MOST_NS 250e6 /* with what the peer does itself, where the requests went out in pieces */
#define SPLIT_LEAST 0.8      /* of the answers */
#define DELAY_NS 46e6        /* of an answer goes at most */
#define SMALL_BYTES 1400.0
#define LEAST_PIECES 1.8 /* sent for each answer */

/* The line that sends most of the small pieces to the target; NULL: none is small, or there are too few. */
static const struct model_operation *sender(const struct model *model, uint32_t target, double answers)
{
    const struct model_operation *best = NULL;
    double calls = 0, bytes = 0;
    for (size_t i = 0; i < model->operation_count; i++) {
        const struct model_operation *o = &model->operation[i];
        if (o->target != target || (o->kind != PP_OPERATION_SEND && o->kind != PP_OPERATION_WRITE))
            continue;
        calls += (double)o->sum.calls;
        bytes += (double)o->sum.bytes;
        if (o->line != MODEL_NONE && (!best || o->sum.calls > best->sum.calls ||
                                      (o->sum.calls == best->sum.calls && o->line < best->line)))
            best = o;
    }
    return calls >= LEAST_PIECES * answers && bytes <= SMALL_BYTES * calls ? best : NULL;
}

void advice_requests(struct advice *a)
{
    struct model *model = a->model;
    for (uint32_t t = 0; t < model->target_count; t++) {
        struct model_operations sum[PP_OPERATION_COUNT] = { 0 };
        if (model->target[t].kind != PP_TARGET_SOCKET || strncmp(model->target[t].name, "tcp", 3) != 0)
            continue;
        operations_of_target(model, t, sum);
        const struct model_operations *answer = &sum[PP_OPERATION_RESPONSE];
        double answers = (double)answer->calls, took = (double)answer->wall_ns, low, high;
        bool is_split = (double)sum[PP_OPERATION_SPLIT].calls >= SPLIT_LEAST * answers;
        if (answers < LEAST_ANSWERS || took < DELAY_LEAST_NS * answers ||
            took > (is_split ? ANSWER_MOST_NS : DELAY_MOST_NS) * answers)
            continue;
        const struct model_operation *from = sender(model, t, answers);
        if (!from)
            continue;
        struct model_operations waited = *answer;
        double delayed = fmin(took, DELAY_NS * answers), part = delayed / took;
        waited.wait_ns = waited.wall_ns;
        advice_gain_part(a, &waited, part, &low, &high);
        struct model_advice *to = advice_add(a, ADVICE_requests, from->line, low * 0.85, high * 1.05, SAVING_MEASURED);
        if (!to)
            continue;
        char count[FIGURE_BYTES], pieces[FIGURE_BYTES], each[FIGURE_BYTES];
        double sends = (double)(sum[PP_OPERATION_SEND].calls + sum[PP_OPERATION_WRITE].calls);
        double bytes = (double)(sum[PP_OPERATION_SEND].bytes + sum[PP_OPERATION_WRITE].bytes);
        to->evidence =
            arena_print(&model->arena, "%s answers of %s came %s after %.2g sends of %s each: the time by which TCP "
                                       "delays an acknowledgement.",
                        figure_count(count, answers), quote_plain(&model->arena, model->target[t].name),
                        figure_time(each, took / answers), sends / answers, figure_size(pieces, bytes / sends));
        advice_figure(to, "calls", answers);
        advice_figure(to, "sends", sends);
        advice_figure(to, "bytes", bytes);
        advice_figure(to, "wait_ns", took);
    }
}
