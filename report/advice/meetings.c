/* SPDX-License-Identifier: MIT */
/* meetings.c: threads that wait for each other after each little piece of work, at a barrier, a condition or a
 * semaphore. To sleep, to be woken and to get a CPU again then takes longer than the piece. Where there are many more
 * threads than CPUs, oversubscribed.c tells it. */
#include "advice/advice.h"
#include "model/namesake.h"

#include <math.h>
#include <string.h>

#define LEAST_WAITS 2000.0
#define LEAST_PART 0.15   /* of the CPU time, in these calls */
#define MOST_PIECE 50e3   /* ns of other work for each wait: with more, waking is not what takes long */
#define SAVED_LEAST 0.65  /* of that CPU time: larger pieces have to meet, too */

struct meetings {
    double waits, cpu_ns, first_cpu_ns; /* first: of the first thread */
    uint32_t line;                      /* with most of that CPU time */
    unsigned lines;
    enum pp_operation_kind kind;        /* there */
};

static struct meetings meetings_of(const struct advice *a)
{
    struct meetings m = { .line = MODEL_NONE };
    double most = 0;
    for (size_t i = 0; i < a->use_count; i++) {
        const struct advice_use *use = &a->use[i];
        if (use->kind != PP_OPERATION_BARRIER && use->kind != PP_OPERATION_CONDITION &&
            use->kind != PP_OPERATION_SEMAPHORE)
            continue;
        double cpu = fmax((double)use->sum.cpu_ns, a->model->line[use->line].self.ns);
        m.waits += (double)use->sum.calls;
        m.cpu_ns += cpu;
        m.first_cpu_ns += cpu * advice_first_part(&use->sum);
        m.lines++;
        if (cpu > most) {
            most = cpu;
            m.line = use->line;
            m.kind = use->kind;
        }
    }
    return m;
}

/* Without the meetings the first thread still does its work, and the CPUs share the rest: the run takes no less. */
static double least_ns(const struct advice *a, const struct meetings *m)
{
    double cpus = fmin(a->model->run.cpu_count ? (double)a->model->run.cpu_count : 2, a->others.threads + 1), own = 0;
    for (size_t i = 0; i < a->model->thread_count; i++) {
        const struct model_thread *t = &a->model->thread[i];
        if (thread_is_first(a->model, t))
            own = fmax(0, (double)t->cpu_ns - m->first_cpu_ns) * advice_thread_stretch(a, t);
    }
    return fmax(own, (a->cpu_ns - m->cpu_ns) / cpus);
}

static void kind_tell(struct model_advice *to, enum pp_operation_kind kind)
{
    if (kind == PP_OPERATION_BARRIER)
        return;
    to->action = "hand over several pieces at once, through a queue that has room for many; wake one waiter "
                 "(pthread_cond_signal), and only where the queue was empty or full";
    to->before = "lock(&q); while (q.count) wait(&q); queue_put(&q, piece);\npthread_cond_broadcast(&q.changed); "
                 "unlock(&q);";
    to->after = "block[n++] = piece;\nif (n == 64) { lock(&q); queue_put(&q, block, n); "
                "pthread_cond_signal(&q.filled); unlock(&q); n = 0; }";
}

static bool are_too_many(const struct advice *a)
{
    for (size_t i = 0; i < a->model->advice_count; i++)
        if (!strcmp(a->model->advice[i].rule, "oversubscribed"))
            return true;
    return false;
}

void advice_meetings(struct advice *a)
{
    struct meetings m = meetings_of(a);
    double piece = m.waits > 0 ? fmax(0, a->cpu_ns - m.cpu_ns) / m.waits : 0;
    if (a->others.threads < 1 || a->serves || are_too_many(a) || m.line == MODEL_NONE || m.waits < LEAST_WAITS ||
        m.cpu_ns < LEAST_PART * a->cpu_ns || piece > MOST_PIECE)
        return;
    double busy = fmin(1, a->cpu_ns * a->stretch / a->run_ns);
    double low = SAVED_LEAST * m.cpu_ns / a->cpu_ns * busy * a->run_ns;
    struct model_advice *to = advice_add(a, ADVICE_meetings, m.line, low, fmax(low, a->run_ns - least_ns(a, &m)),
                                         SAVING_MEASURED);
    if (!to)
        return;
    char count[FIGURE_BYTES], work[FIGURE_BYTES], time[FIGURE_BYTES];
    const char *at = m.kind == PP_OPERATION_BARRIER ? "a barrier" : m.kind == PP_OPERATION_CONDITION ? "a condition"
                                                                                                    : "a semaphore";
    const char *where = m.lines > 1 ? arena_print(&a->model->arena, ", most of it here, of %u lines", m.lines) : "";
    to->evidence = arena_print(&a->model->arena,
                               "Threads waited at %s %s times, after %s of work in the mean. To sleep and to be woken "
                               "took %s of CPU time (%.0f %%)%s.",
                               at, figure_count(count, m.waits), figure_time(work, piece), figure_time(time, m.cpu_ns),
                               100 * m.cpu_ns / a->cpu_ns, where);
    kind_tell(to, m.kind);
    advice_figure(to, "waits", m.waits);
    advice_figure(to, "cpu_ns", m.cpu_ns);
    advice_figure(to, "piece_ns", piece);
}
