/* SPDX-License-Identifier: MIT */
/* gain.c: what the run gains if a part of its threads' time goes. What the first thread does is on the way to the end
 * of the run. What others do is so only while the first one waits for them, and there all of them work side by side.
 * It must not know any rule. */
#include "advice/facts.h"
#include "model/namesake.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SHORT_SLEEP_NS 1e6
#define REST_FASTER 0.5 /* of the rest of the CPU time: more than caches can give back */
#define LEAST_CROWDED 1.1 /* times the CPU time: less needs no word */
#define LITTLE_CPU 0.02 /* of the run's CPU time: what others than the first thread have together is not looked at */

double advice_first_part(const struct model_operations *sum)
{
    return sum->wall_ns ? fmin(1, (double)sum->first_wall_ns / (double)sum->wall_ns) : 1;
}

/* A thread of this process answers it: what it reads there, another thread writes. */
static bool is_answered(const struct model *model, const struct model_operation *read)
{
    if ((read->kind != PP_OPERATION_READ && read->kind != PP_OPERATION_RECEIVE) || read->target == MODEL_NONE ||
        model->target[read->target].kind == PP_TARGET_FILE)
        return false;
    for (size_t i = 0; i < model->operation_count; i++) {
        const struct model_operation *o = &model->operation[i];
        if (o->target == read->target && (o->kind == PP_OPERATION_WRITE || o->kind == PP_OPERATION_SEND) &&
            o->sum.wall_ns && advice_first_part(&o->sum) < 0.5)
            return true;
    }
    return false;
}

/* A device, or time itself: nobody hands on work by it. */
static bool is_device(const struct model_target *target)
{
    return target->kind == PP_TARGET_OTHER &&
           (strstr(target->name, "[timerfd]") || strncmp(target->name, "/dev/", 5) == 0);
}

/* It looks again and again whether another thread has changed memory, as the compiler says. */
static bool is_watch(const struct model *model, const struct model_operation *o)
{
    bool sleeps = o->line != MODEL_NONE && o->kind == PP_OPERATION_SLEEP;
    const struct model_line *line = sleeps ? &model->line[o->line] : NULL;
    const struct model_remark *r;
    for (size_t next = 0; line && (r = remark_at_line(model, line->file, line->line, &next));)
        if (r->kind == PP_REMARK_WATCH)
            return true;
    return false;
}

/* How much longer than its CPU time a thread's computing took. A row without a delay may be of one that was killed. */
double advice_thread_stretch(const struct advice *a, const struct model_thread *t)
{
    if (a->serves || !t->cpu_ns || !t->delay_ns)
        return a->stretch;
    double room = (double)t->wall_ns - (double)t->cpu_ns - (double)t->wait_ns;
    return 1 + fmin((double)t->delay_ns, fmax(0, room)) / (double)t->cpu_ns;
}

double advice_threads_stretch(const struct advice *a, double first)
{
    double own = a->stretch, cpu = 0, busy = 0;
    for (size_t i = 0; i < a->model->thread_count; i++) {
        const struct model_thread *t = &a->model->thread[i];
        if (thread_is_first(a->model, t)) {
            own = advice_thread_stretch(a, t);
            continue;
        }
        cpu += (double)t->cpu_ns;
        busy += (double)t->cpu_ns * advice_thread_stretch(a, t);
    }
    return first * own + (1 - first) * (cpu > 0 ? busy / cpu : a->stretch);
}

struct place { /* what samples tell of a function */
    double stretch, first; /* first: the part of its time that the first thread spent */
};

static struct place place_of(const struct advice *a, uint32_t line)
{
    const struct model *model = a->model;
    uint32_t function = line == MODEL_NONE ? MODEL_NONE : model->line[line].function;
    double ns = 0, busy = 0, first = 0;
    for (size_t i = 0; i < model->sample_count && function != MODEL_NONE; i++) {
        const struct model_sample *s = &model->sample[i];
        if (s->function != function)
            continue;
        double took = (double)s->ns + s->system.ns;
        const struct model_thread *t = s->thread < model->thread_count ? &model->thread[s->thread] : NULL;
        ns += took;
        busy += took * (t ? advice_thread_stretch(a, t) : a->stretch);
        first += t && thread_is_first(model, t) ? took : 0;
    }
    return ns > 0 ? (struct place){ busy / ns, first / ns } : (struct place){ a->stretch, 0 };
}

#define CROWDED_RATIO 0.1 /* and so much more where others had the CPUs: then equal work takes unequal CPU time, */
#define CROWDED_FROM 0.25 /* if threads were without one for so much of their CPU time; less, and less is asked */

/* A thread has more CPU time if it is interrupted often, or beside another one on the same core. */
double advice_uneven_ratio(const struct advice *a)
{
    return ADVICE_UNEVEN + CROWDED_RATIO * fmin(1, fmax(0, a->stretch - 1) / CROWDED_FROM);
}

double advice_error(const struct advice *a, uint32_t line)
{
    struct value self = line == MODEL_NONE ? (struct value){ 0 } : a->model->line[line].self;
    return self.ns > 0 ? sqrt(self.variance) / self.ns : 0;
}

double advice_stretch(const struct advice *a, uint32_t line) { return place_of(a, line).stretch; }

static int by_start(const void *a, const void *b)
{
    const struct model_thread *const *x = a, *const *y = b;
    return (*x)->start_ns < (*y)->start_ns ? -1 : (*x)->start_ns > (*y)->start_ns;
}

/* How long at least one other thread was there. */
static double company_ns(const struct model *model)
{
    const struct model_thread **other = memory_zeroed(model->thread_count + 1, sizeof *other);
    size_t count = 0;
    uint64_t until = 0;
    double ns = 0;
    for (size_t i = 0; i < model->thread_count; i++)
        if (!thread_is_first(model, &model->thread[i]))
            other[count++] = &model->thread[i];
    if (count)
        qsort(other, count, sizeof *other, by_start);
    for (size_t i = 0; i < count; i++) {
        uint64_t from = other[i]->start_ns > until ? other[i]->start_ns : until;
        ns += other[i]->end_ns > from ? (double)(other[i]->end_ns - from) : 0;
        until = other[i]->end_ns > until ? other[i]->end_ns : until;
    }
    free(other);
    return ns;
}

static void others_make(struct advice *a)
{
    const struct model *model = a->model;
    for (size_t i = 0; i < model->thread_count; i++) {
        const struct model_thread *t = &model->thread[i];
        if (thread_is_first(model, t))
            continue;
        a->others.threads++;
        a->others.alive_ns += (double)t->wall_ns;
        a->others.cpu_ns += (double)t->cpu_ns;
        a->others.most_cpu_ns = fmax(a->others.most_cpu_ns, (double)t->cpu_ns);
        double busy = (double)t->cpu_ns * advice_thread_stretch(a, t);
        a->others.busy_ns += busy;
        a->others.most_busy_ns = fmax(a->others.most_busy_ns, busy);
    }
    double started = -a->others.threads, waited = 0, known = 0;
    for (size_t i = 0; i < model->operation_count; i++) {
        const struct model_operation *o = &model->operation[i];
        enum pp_wait wait = operation_wait(model, o);
        /* Short sleeps only look whether something has happened. */
        bool held_up = wait == PP_WAIT_IO ||
                       (wait == PP_WAIT_SLEEP && (double)o->sum.wall_ns > SHORT_SLEEP_NS * (double)o->sum.calls);
        if (!operation_is_call(o->kind))
            continue;
        if (o->kind == PP_OPERATION_START)
            started += (double)o->sum.calls;
        if (o->kind == PP_OPERATION_CHILD)
            waited += (double)o->sum.calls;
        if (wait == PP_WAIT_SLEEP && !held_up)
            a->others.unclear_ns += (double)o->sum.wait_ns * (1 - advice_first_part(&o->sum));
        if ((wait == PP_WAIT_EVENT && o->kind != PP_OPERATION_START) || is_answered(model, o) || is_watch(model, o))
            a->first_event_ns += (double)o->sum.first_wall_ns;
        /* A pipe is waited at for work, a file is not. */
        const struct model_target *target = o->target != MODEL_NONE ? &model->target[o->target] : NULL;
        if (held_up && (!target || target->kind == PP_TARGET_FILE || is_device(target)))
            a->others.busy_ns += (double)o->sum.wait_ns * (1 - advice_first_part(&o->sum));
    }
    for (size_t i = 0; i < model->run.child_count; i++) {
        const struct model_child *child = &model->run.child[i];
        a->others.busy_ns += child->readable ? (double)child->cpu_ns : 0;
        if (child->readable && child->wall_ns > child->cpu_ns) /* it waited, or had no CPU */
            a->others.unclear_ns += (double)(child->wall_ns - child->cpu_ns);
        known += child->readable && child->exit_kind != MODEL_EXIT_EXEC && !child->further;
    }
    a->others.unseen = started > known || (waited > 0 && known < 1);
}

#define FEWEST_ANSWERS 20
#define MOSTLY_WAITS 0.5  /* of the run: the first thread waits for clients */
#define MOSTLY_WAITED 0.8 /* of the lives of the others, where the first one waits for their ends */

/* Whether it answers clients and waits for them most of the time. A program that connects to others is left out. */
static bool serves(const struct advice *a)
{
    const struct model *model = a->model;
    double accepts = 0, answers = 0, waits = 0, joins = 0, others = 0;
    for (size_t i = 0; i < model->operation_count; i++) {
        const struct model_operation *o = &model->operation[i];
        enum pp_wait wait = operation_wait(model, o);
        if (o->kind == PP_OPERATION_CONNECT && o->sum.calls)
            return false;
        accepts += o->kind == PP_OPERATION_ACCEPT;
        answers += o->kind == PP_OPERATION_SERVED ? (double)o->sum.calls : 0;
        joins += o->kind == PP_OPERATION_JOIN ? (double)o->sum.first_wall_ns : 0;
        if (operation_is_call(o->kind) && (wait == PP_WAIT_NETWORK || wait == PP_WAIT_POLL)) {
            waits += (double)o->sum.wait_ns * advice_first_part(&o->sum);
            others += (double)o->sum.wait_ns * (1 - advice_first_part(&o->sum));
        }
    }
    /* or it waits for threads that wait for clients */
    if (others > MOSTLY_WAITED * (a->threads_ns - a->wall_ns))
        waits += joins;
    return accepts > 0 && answers >= FEWEST_ANSWERS && waits > MOSTLY_WAITS * a->wall_ns;
}

/* Waits of a server that are part of its work: for locks and files, and not for clients or its own queues. */
static bool is_work(const struct model *model, const struct model_operation *o)
{
    enum pp_wait wait = operation_wait(model, o);
    return operation_is_call(o->kind) && (wait == PP_WAIT_LOCK || (wait == PP_WAIT_IO && o->target != MODEL_NONE &&
                                                                   model->target[o->target].kind == PP_TARGET_FILE));
}

static void serves_make(struct advice *a)
{
    if (!(a->serves = serves(a)))
        return;
    a->stretch = 1; /* it has no CPU when it is woken, however much it computes */
    a->run_ns = a->cpu_ns;
    for (size_t i = 0; i < a->model->operation_count; i++)
        if (is_work(a->model, &a->model->operation[i]))
            a->run_ns += (double)a->model->operation[i].sum.wait_ns;
    for (size_t i = 0; i < a->use_count; i++) {
        struct advice_use *use = &a->use[i];
        struct model_operation as = { .kind = use->kind, .target = use->target };
        if (is_work(a->model, &as))
            continue;
        use->sum.wall_ns -= use->sum.wall_ns < use->sum.wait_ns ? use->sum.wall_ns : use->sum.wait_ns;
        use->sum.wait_ns = 0;
    }
}

void gain_make(struct advice *a)
{
    a->stretch = a->cpu_ns > 0 ? 1 + run_crowded_ns(a->model) / a->cpu_ns : 1;
    serves_make(a);
    others_make(a);
    a->first_event_ns = fmin(a->first_event_ns, a->run_ns);
    a->beside_ns = fmax(0, company_ns(a->model) - a->first_event_ns);
    a->abreast = a->first_event_ns > 0 ? fmax(1, a->others.alive_ns / a->first_event_ns) : 1;
    a->abreast = fmin(a->abreast, fmax(1, a->others.threads));
}

/* first: the part that the first thread spent, 0 to 1. */
static void gain_of(const struct advice *a, double all_ns, double first, double *low_ns, double *high_ns)
{
    if (a->serves) { /* whichever thread was busy, a client waited for it */
        *low_ns = *high_ns = fmin(all_ns, a->run_ns);
        return;
    }
    double own = fmin(all_ns * first, a->run_ns), others = all_ns * (1 - first);
    *low_ns = fmin(own + fmin(others / a->abreast, a->first_event_ns), a->run_ns);
    *high_ns = fmin(own + fmin(others, a->first_event_ns), a->run_ns);
}

double advice_wall(const struct advice *a, double ns)
{
    return a->wall_ns > a->run_ns && !a->serves ? ns * a->run_ns / a->wall_ns : ns;
}

double advice_room(const struct advice *a, double cpu_ns, double stretch)
{
    double cpus = a->others.threads + 1;
    if (a->model->run.cpu_count)
        cpus = fmin(cpus, (double)a->model->run.cpu_count);
    double busy = fmin(a->run_ns, a->cpu_ns * stretch / cpus);
    return a->cpu_ns > 0 ? a->run_ns - busy * fmax(0, 1 - cpu_ns / a->cpu_ns) : a->run_ns;
}

double advice_waits_room(const struct advice *a)
{
    return a->serves ? a->run_ns : fmax(0, a->run_ns - a->others.most_busy_ns);
}

double advice_faster(const struct advice *a, double cpu_ns)
{
    return a->serves ? a->run_ns : advice_room(a, cpu_ns + REST_FASTER * fmax(0, a->cpu_ns - cpu_ns), a->stretch);
}

void advice_gain_within(const struct advice *a, uint32_t line, double cpu_ns, double wait_ns, double error,
                        double *low_ns, double *high_ns)
{
    struct place place = place_of(a, line);
    double all_ns = cpu_ns * place.stretch + wait_ns;
    bool alone = a->others.threads < 1 || (wait_ns <= 0 && a->others.cpu_ns < LITTLE_CPU * a->cpu_ns);
    /* While others work beside it, the first thread may wait for them afterwards as much longer. */
    double own_ns = fmax(0, cpu_ns * place.stretch * place.first - a->beside_ns);
    gain_of(a, all_ns, alone ? 1 : all_ns > 0 ? own_ns / all_ns : 0, low_ns, high_ns);
    if (!a->serves)
        *high_ns = fmax(*low_ns, fmin(all_ns, advice_room(a, cpu_ns, 1)));
    *high_ns = fmin(a->run_ns, *high_ns * (1 + error));
}

void advice_gain(const struct advice *a, uint32_t line, double cpu_ns, double wait_ns, double *low_ns, double *high_ns)
{
    advice_gain_within(a, line, cpu_ns, wait_ns, advice_error(a, line), low_ns, high_ns);
}

/* Of calls. Of the rest of their time a part was on the CPU; in the other part the CPU was taken away. */
static double calls_cpu_ns(const struct model_operations *sum)
{
    double cpu = (double)sum->wall_ns - fmin((double)sum->wait_ns, (double)sum->wall_ns);
    return sum->cpu_ns ? fmin(cpu, (double)sum->cpu_ns) : cpu;
}

double advice_calls_ns(const struct advice *a, const struct model_operations *sum)
{
    return calls_cpu_ns(sum) * advice_threads_stretch(a, advice_first_part(sum)) +
           fmin((double)sum->wait_ns, (double)sum->wall_ns);
}

void advice_gain_part(const struct advice *a, const struct model_operations *sum, double part, double *low_ns,
                      double *high_ns)
{
    double cpu = calls_cpu_ns(sum);
    gain_of(a, part * advice_calls_ns(a, sum), advice_first_part(sum), low_ns, high_ns);
    if (a->serves)
        return;
    /* Who waits next to others that have no CPU would wait for one, unless these are of other programs. */
    *high_ns = fmin(*high_ns, advice_room(a, part * cpu, 1));
    *low_ns = fmin(fmin(*low_ns, *high_ns), advice_room(a, part * cpu, a->stretch));
}

const char *advice_in_run(const struct advice *a, double stretch, double cpu_ns, double wait_ns)
{
    char time[FIGURE_BYTES];
    double all_ns = cpu_ns * stretch + wait_ns;
    if (stretch < LEAST_CROWDED || all_ns < LEAST_CROWDED * (cpu_ns + wait_ns))
        return "";
    return arena_print(&a->model->arena, ", or about %s by the clock, with the waits for a free CPU",
                       figure_time(time, all_ns));
}
