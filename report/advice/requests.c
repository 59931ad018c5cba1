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
#define LEAST_PIECES 1.8  /* sent for each answer */
#define LEAST_ANSWERED 20 /* questions of clients */
/* Of the time of a server's sends: who has slept for 40 ms sends with cold caches. */
#define LEAST_COLD 0.6
#define MOST_COLD 1.2

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
        if (o->line != MODEL_NONE &&
            (!best || o->sum.calls > best->sum.calls || (o->sum.calls == best->sum.calls && o->line < best->line)))
            best = o;
    }
    return calls >= LEAST_PIECES * answers && bytes <= SMALL_BYTES * calls ? best : NULL;
}

static double read_ns(const struct model_operations *sum)
{
    return (double)sum[PP_OPERATION_RECEIVE].wait_ns + (double)sum[PP_OPERATION_READ].wait_ns;
}

/* How long it waited for the next question, in the mean. */
static double asked_ns(const struct model_operations *sum)
{
    return read_ns(sum) / (double)sum[PP_OPERATION_SERVED].calls;
}

/* The other side of it: a server whose answers go out in pieces. It sees no delay, only that the next question comes
 * later by it. What its clients wait for is not in its time, so its saving is that of the sends alone. */
static void answers_tell(struct advice *a, uint32_t target, const struct model_operations *sum)
{
    struct model *model = a->model;
    double answers = (double)sum[PP_OPERATION_SERVED].calls, low, high;
    const struct model_operation *from = answers >= LEAST_ANSWERED ? sender(model, target, answers) : NULL;
    if (!from || asked_ns(sum) < DELAY_LEAST_NS || asked_ns(sum) > DELAY_MOST_NS)
        return;
    struct model_operations sends = sum[PP_OPERATION_SEND];
    operations_add(&sends, &sum[PP_OPERATION_WRITE]);
    double calls = (double)sends.calls, bytes = (double)sends.bytes;
    struct model_operations saved = sends;
    if (!a->serves) { /* then the run waits for its clients */
        saved = sum[PP_OPERATION_RECEIVE];
        operations_add(&saved, &sum[PP_OPERATION_READ]);
    }
    advice_gain_part(a, &saved, a->serves ? 1 : fmin(1, DELAY_NS / asked_ns(sum)), &low, &high);
    struct model_advice *to = advice_add(a, ADVICE_requests, from->line, low * (a->serves ? LEAST_COLD : 0.7),
                                         high * (a->serves ? MOST_COLD : 1.05), SAVING_MEASURED);
    if (!to)
        return;
    char count[FIGURE_BYTES], each[FIGURE_BYTES], pieces[FIGURE_BYTES];
    advice_title(a, to, advice_subject(a, from->line), "sends an answer in pieces, and TCP delays the last one");
    to->evidence = arena_print(
        &model->arena,
        "%s answers went out by %.2g sends of %s each, and the next question came %s after each: the client waits for "
        "the last piece, which TCP holds back until the first one is acknowledged, often for 40 ms.",
        figure_count(count, answers), calls / answers, figure_size(pieces, bytes / calls),
        figure_time(each, asked_ns(sum)));
    to->action = "send an answer by one call (writev, or a buffer), and set TCP_NODELAY on the socket";
    advice_figure(to, "calls", answers);
    advice_figure(to, "sends", calls);
    advice_figure(to, "bytes", bytes);
    advice_figure(to, "wait_ns", asked_ns(sum) * answers);
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
        if (sum[PP_OPERATION_SERVED].calls)
            answers_tell(a, t, sum);
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
        double rest = read_ns(sum) - took, more = 0; /* of each answer, where that is sent in pieces, too */
        if (rest >= DELAY_LEAST_NS * answers && rest <= DELAY_MOST_NS * answers)
            more = fmin(rest, DELAY_NS * answers) / delayed;
        advice_gain_part(a, &waited, part, &low, &high);
        struct model_advice *to = advice_add(a, ADVICE_requests, from->line, low * (1 + more) * 0.85,
                                             high * (1 + more) * 1.05, SAVING_MEASURED);
        if (!to)
            continue;
        char count[FIGURE_BYTES], pieces[FIGURE_BYTES], each[FIGURE_BYTES], later[FIGURE_BYTES];
        double sends = (double)(sum[PP_OPERATION_SEND].calls + sum[PP_OPERATION_WRITE].calls);
        double bytes = (double)(sum[PP_OPERATION_SEND].bytes + sum[PP_OPERATION_WRITE].bytes);
        to->evidence =
            arena_print(&model->arena,
                        "%s answers of %s came %s after %.2g sends of %s each: the time by which TCP "
                        "delays an acknowledgement.",
                        figure_count(count, answers), quote_plain(&model->arena, model->target[t].name),
                        figure_time(each, took / answers), sends / answers, figure_size(pieces, bytes / sends));
        if (more > 0)
            to->evidence =
                arena_print(&model->arena, "%s The rest of each answer came %s later: it is sent in pieces, too.",
                            to->evidence, figure_time(later, rest / answers));
        advice_figure(to, "calls", answers);
        advice_figure(to, "sends", sends);
        advice_figure(to, "bytes", bytes);
        advice_figure(to, "wait_ns", more > 0 ? took + rest : took);
    }
}
