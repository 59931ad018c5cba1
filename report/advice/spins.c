/* SPDX-License-Identifier: MIT */
/* spins.c: a line that asks all the time, without a pause, whether something has happened, by calls or by looking at
 * memory. It keeps a CPU busy with that. How much of the run that costs depends on who else could use the CPU, so the
 * saving is a bound. */
#include "advice/loops.h"

#include <math.h>
#include <string.h>

#define LEAST_CALLS 5000
#define MOST_NS 20000.0 /* a call: who waits in it does not spin */
#define MOST_PART 1.2   /* of the line's CPU time, an estimate: the wall time of a yield is others' work, too */
#define FOUND_MOST 0.05 /* calls that something came of, of all */

#define LEAST_SHARE 0.08 /* of the CPU time, in a loop that does nothing but take a flag */
#define FLAG_LINES 3

/* Calls that failed on what may have something later. Without a descriptor, or on a file, the next one fails, too. */
static double came_too_early(const struct advice *a, const struct advice_use *use)
{
    double failed = 0;
    for (size_t i = 0; i < a->model->operation_count; i++) {
        const struct model_operation *o = &a->model->operation[i];
        if (o->line == use->line && o->kind == use->kind && o->target != MODEL_NONE &&
            a->model->target[o->target].kind != PP_TARGET_FILE)
            failed += (double)o->sum.errors;
    }
    return failed;
}

/* Calls of the line that came to nothing; negative: it is no such call. */
static double asked_for_nothing(const struct advice *a, const struct advice_use *use)
{
    double calls = (double)use->sum.calls, taken = 0;
    switch (use->kind) {
    case PP_OPERATION_READ:
    case PP_OPERATION_RECEIVE:
    case PP_OPERATION_ACCEPT: return came_too_early(a, use);
    case PP_OPERATION_YIELD: return calls;
    case PP_OPERATION_POLL: break;
    default: return -1;
    }
    for (size_t i = 0; i < a->use_count; i++) {
        const struct advice_use *u = &a->use[i];
        bool file = u->target == MODEL_NONE || a->model->target[u->target].kind == PP_TARGET_FILE;
        if (!file &&
            (u->kind == PP_OPERATION_READ || u->kind == PP_OPERATION_RECEIVE || u->kind == PP_OPERATION_ACCEPT))
            taken += (double)(u->sum.calls - u->sum.errors);
    }
    return calls - taken;
}

/* Whether all that the loop does is to take a flag that another thread gives back: a lock by itself. A loop that adds
 * by comparing and exchanging does it again as another thread was quicker, and waits for nothing. */
static const struct model_remark *takes_flag(const struct advice *a, const struct advice_loop *loop)
{
    static const char *const takes[] = { "__atomic_test_and_set", "__atomic_exchange", "__sync_lock_test_and_set" };
    static const unsigned other[] = { PP_REMARK_CALL,   PP_REMARK_INDIRECT_CALL, PP_REMARK_VIRTUAL_CALL,
                                      PP_REMARK_STRIDE, PP_REMARK_CHASE,         PP_REMARK_TRIPS_KNOWN,
                                      PP_REMARK_TRIPS,  PP_REMARK_STREAM,        PP_REMARK_ACCUMULATION };
    const struct model_remark *atomic = loop_remark(a, loop, PP_REMARK_ATOMIC);
    bool takes_it = false;
    for (size_t i = 0; atomic && i < sizeof takes / sizeof *takes; i++)
        takes_it |= strncmp(atomic->detail, takes[i], strlen(takes[i])) == 0;
    for (size_t i = 0; i < sizeof other / sizeof *other; i++)
        takes_it &= !loop_remark(a, loop, other[i]);
    return takes_it && loop->remark->loop_last - loop->remark->loop_first <= FLAG_LINES ? atomic : NULL;
}

/* How much of it a lock that sleeps would save depends on who else could use the CPU. */
static void flags_tell(struct advice *a)
{
    struct advice_loop loop;
    for (size_t next = 0; loop_next(a, &next, &loop);) {
        const struct model_remark *atomic = takes_flag(a, &loop);
        double unused, most;
        if (!atomic || loop.share < LEAST_SHARE || a->others.threads < 1)
            continue;
        advice_gain(a, loop.line, loop.cpu_ns, 0, &unused, &most);
        struct model_advice *to = advice_add(a, ADVICE_spins, loop.line, 0, most, SAVING_BOUND);
        if (!to)
            continue;
        advice_title(a, to, advice_subject(a, loop.line), "spins until another thread gives a lock back");
        to->evidence = arena_print(&a->model->arena, "%s, and does nothing but ask for it (%s)%s.", loop_time(a, &loop),
                                   atomic->detail,
                                   a->model->run.cpu_count && a->others.threads + 1 > a->model->run.cpu_count
                                       ? arena_print(&a->model->arena,
                                                     ". There are more threads than the %u CPUs: it may keep the one "
                                                     "that has the lock from a CPU",
                                                     (unsigned)a->model->run.cpu_count)
                                       : "");
        to->action = "take a pthread_mutex_t, which lets the thread sleep; and hold it for less: work on data of the "
                     "thread's own first, and add that under the lock";
        to->before = "while (atomic_flag_test_and_set(&busy)) ;";
        to->after = "pthread_mutex_lock(&lock);";
        advice_figure(to, "cpu_ns", loop.cpu_ns);
    }
}

void advice_spins(struct advice *a)
{
    flags_tell(a);
    for (size_t i = 0; i < a->use_count; i++) {
        const struct advice_use *use = &a->use[i];
        double calls = (double)use->sum.calls, took = (double)use->sum.wall_ns, idle;
        if (calls < LEAST_CALLS || took > MOST_NS * calls || (idle = asked_for_nothing(a, use)) < 0 ||
            idle < (1 - FOUND_MOST) * calls)
            continue;
        double own = a->model->line[use->line].self.ns, cpu = own > 0 ? own : fmin(took, a->cpu_ns);
        double most = fmin(took, MOST_PART * cpu * advice_stretch(a, use->line));
        struct model_advice *to = advice_add(a, ADVICE_spins, use->line, 0, most, SAVING_BOUND);
        if (!to)
            continue;
        char count[FIGURE_BYTES], found[FIGURE_BYTES], time[FIGURE_BYTES];
        to->evidence = arena_print(
            &a->model->arena, "It asked %s times and found something %s times; that took %s of CPU time (%.0f %%).",
            figure_count(count, calls), figure_count(found, fmax(0, calls - idle)), figure_time(time, cpu),
            100 * cpu / fmax(1, a->cpu_ns));
        advice_figure(to, "calls", calls);
        advice_figure(to, "found_calls", fmax(0, calls - idle));
        advice_figure(to, "wall_ns", took);
    }
}
