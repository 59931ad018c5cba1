/* SPDX-License-Identifier: MIT */
/* exchanges.c: little questions and answers over pipes or a connection, one at a time. For each question the two sides
 * wake each other, which takes longer than the work that is asked for. Whether the next question depends on the answer
 * is not known, so the saving is a bound. Slow answers are told by roundtrips.c. */
#include "advice/advice.h"
#include "model/namesake.h"
#include "words/quote.h"

#include <math.h>

#define LEAST_EXCHANGES 1000.0
#define MOST_BYTES 1024.0  /* of a question and of an answer, in the mean */
#define ALIKE 0.9          /* one answer for each question, about */
#define LEAST_SWITCHES 0.5 /* of threads for each: with fewer, several pieces are on the way at once */
#define LEAST_PART 0.25    /* of the run is spent on it, where they are asked */
#define MOST_NS 500e3      /* for each */
#define MOST_MORE 1.15     /* of the calls' time: what the profiler does around them goes with them */

struct exchanges {
    double asks, asked_bytes, asking_ns;  /* writes of the first thread to pipes */
    double answers, answered_bytes;       /* those of others */
    double taken, taken_bytes, taking_ns; /* reads; taking_ns: of the first thread */
    uint32_t line;                        /* that asks most, or takes the answers of a connection */
    uint32_t connection;                  /* the target; MODEL_NONE: pipes */
};

static bool is_of_pipe(const struct model *model, const struct model_operation *o)
{
    return o->target != MODEL_NONE && model->target[o->target].kind == PP_TARGET_PIPE;
}

static void exchanges_sum(const struct model *model, struct exchanges *e)
{
    double most = 0;
    *e = (struct exchanges){ .line = MODEL_NONE, .connection = MODEL_NONE };
    for (size_t i = 0; i < model->operation_count; i++) {
        const struct model_operation *o = &model->operation[i];
        double calls = (double)o->sum.calls, first = advice_first_part(&o->sum);
        if (!is_of_pipe(model, o))
            continue;
        if (o->kind == PP_OPERATION_READ) {
            e->taken += calls;
            e->taken_bytes += (double)o->sum.bytes;
            e->taking_ns += (double)o->sum.first_wall_ns;
        } else if (o->kind == PP_OPERATION_WRITE && first > 0.5) {
            e->asks += calls;
            e->asked_bytes += (double)o->sum.bytes;
            e->asking_ns += (double)o->sum.first_wall_ns;
            if (o->line != MODEL_NONE && calls > most) {
                most = calls;
                e->line = o->line;
            }
        } else if (o->kind == PP_OPERATION_WRITE) {
            e->answers += calls;
            e->answered_bytes += (double)o->sum.bytes;
        }
    }
}

/* Each side's pieces are small, and there are as many of both. */
static bool are_little(const struct exchanges *e)
{
    double answers = e->answers, bytes = e->answered_bytes;
    if (answers <= 0) { /* of another process, whose pieces are known where they are read */
        answers = e->taken;
        bytes = e->taken_bytes;
    }
    return e->asks >= LEAST_EXCHANGES && e->line != MODEL_NONE && e->asked_bytes <= MOST_BYTES * e->asks &&
           bytes <= MOST_BYTES * e->asks && answers >= ALIKE * e->asks &&
           (e->answers <= 0 || ALIKE * answers <= e->asks);
}

/* Of a connection it is known which bytes are an answer. Both ends may be in this process, in the same lines. */
static void connection_sum(const struct model *model, uint32_t target, struct exchanges *e)
{
    double most = 0, moved = 0;
    *e = (struct exchanges){ .line = MODEL_NONE, .connection = target };
    for (size_t i = 0; i < model->operation_count; i++) {
        const struct model_operation *o = &model->operation[i];
        double calls = (double)o->sum.calls;
        if (o->target != target)
            continue;
        if (o->kind == PP_OPERATION_RESPONSE) {
            e->asks += calls;
            if (o->line != MODEL_NONE && calls > most) {
                most = calls;
                e->line = o->line;
            }
        } else if (o->kind == PP_OPERATION_READ || o->kind == PP_OPERATION_RECEIVE) {
            e->taking_ns += (double)o->sum.first_wall_ns;
            moved += (double)o->sum.bytes;
        } else if (o->kind == PP_OPERATION_WRITE || o->kind == PP_OPERATION_SEND) {
            e->asking_ns += (double)o->sum.first_wall_ns;
            moved += (double)o->sum.bytes;
        }
    }
    e->taken = e->asks;
    e->taken_bytes = e->asked_bytes = moved / 2;
}

/* The connection with the most time of the first thread. */
static void connections_sum(const struct model *model, struct exchanges *best)
{
    *best = (struct exchanges){ .line = MODEL_NONE, .connection = MODEL_NONE };
    for (uint32_t target = 0; target < model->target_count; target++) {
        struct exchanges e;
        if (model->target[target].kind != PP_TARGET_SOCKET)
            continue;
        connection_sum(model, target, &e);
        if (are_little(&e) && e.asking_ns + e.taking_ns > best->asking_ns + best->taking_ns)
            *best = e;
    }
}

static bool exchanges_find(const struct advice *a, struct exchanges *e)
{
    exchanges_sum(a->model, e);
    if (!are_little(e))
        connections_sum(a->model, e);
    return are_little(e) && (double)a->model->run.switches >= LEAST_SWITCHES * e->asks && !a->serves;
}

bool advice_is_exchange(const struct advice *a, uint32_t target)
{
    struct exchanges e;
    return target != MODEL_NONE && a->model->target[target].kind == PP_TARGET_PIPE && exchanges_find(a, &e);
}

/* The time that the first thread spends elsewhere, on the CPU or in calls. It remains. */
static double elsewhere_ns(const struct advice *a, uint32_t connection)
{
    const struct model *model = a->model;
    double ns = 0, calls = 0;
    for (size_t i = 0; i < model->operation_count; i++)
        if (operation_is_call(model->operation[i].kind) &&
            !(connection == MODEL_NONE ? is_of_pipe(model, &model->operation[i])
                                       : model->operation[i].target == connection))
            calls += (double)model->operation[i].sum.first_wall_ns;
    for (size_t i = 0; i < model->sample_count; i++) {
        const struct model_sample *s = &model->sample[i];
        bool first = s->thread < model->thread_count && thread_is_first(model, &model->thread[s->thread]);
        ns += first && !s->library && !s->profiler && !s->call ? (double)s->ns * model->coverage.scale : 0;
    }
    return ns * advice_threads_stretch(a, 1) + calls;
}

void advice_exchanges(struct advice *a)
{
    struct exchanges e;
    bool found = exchanges_find(a, &e);
    double all = e.asking_ns + e.taking_ns;
    if (!found || all > MOST_NS * e.asks || all < LEAST_PART * a->run_ns)
        return;
    double most = fmax(all, fmin(MOST_MORE * all, a->run_ns - elsewhere_ns(a, e.connection)));
    struct model_advice *to = advice_add(a, ADVICE_exchanges, e.line, 0, advice_wall(a, most), SAVING_BOUND);
    char count[FIGURE_BYTES], bytes[FIGURE_BYTES], each[FIGURE_BYTES], time[FIGURE_BYTES];
    if (!to)
        return;
    to->evidence = arena_print(
        &a->model->arena,
        "%s pieces of %s each went through %s, and an answer was read after each: %s for one, "
        "%s in all, most of it to wake who answers and who asked.",
        figure_count(count, e.asks), figure_size(bytes, e.asked_bytes / e.asks),
        e.connection == MODEL_NONE ? "a pipe" : quote_plain(&a->model->arena, a->model->target[e.connection].name),
        figure_time(each, all / e.asks), figure_time(time, all));
    advice_figure(to, "exchanges", e.asks);
    advice_figure(to, "wall_ns", all);
}
