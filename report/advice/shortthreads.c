/* SPDX-License-Identifier: MIT */
/* shortthreads.c: threads that are started again and again for so little work that their birth and end take most of it.
 * A thread that is kept is woken up instead. */
#include "advice/crew.h"

#include <math.h>

#define LEAST_THREADS 200
#define WORK_MOST_NS 300e3  /* of CPU time a thread, with its birth and its end */
#define BIRTH_NS 25e3       /* of it, the kernel's for its birth and its end */
#define WAKE_LEAST_NS 300.0 /* what handing on a piece takes instead: it may lie in a queue, or be done at once, */
#define WAKE_MOST_NS 15e3   /* or a thread that is kept is woken up for it */
#define MOST_MORE 1.05      /* of the calls' time: what is made for each thread around them goes, too */
#define LEAST_PART 0.65     /* where CPUs are busy, threads that are kept wait for one, too */
#define LEAST_SHARE 0.1     /* of the run */

void advice_shortthreads(struct advice *a)
{
    struct crew c;
    if (!crew_find(a, &c) || c.threads < LEAST_THREADS || c.cpu_ns > WORK_MOST_NS * c.threads)
        return;
    double work = fmax(0, c.cpu_ns - BIRTH_NS * c.threads) / fmin(c.cpus, a->abreast);
    double born = (double)c.start->sum.first_wall_ns, all = born + c.joined_ns - work;
    if (all < LEAST_SHARE * a->run_ns)
        return;
    double most = fmin(MOST_MORE * all, a->run_ns) - WAKE_LEAST_NS * c.threads;
    double least = fmax(LEAST_PART * (all - WAKE_MOST_NS * c.threads), most / 2);
    struct model_advice *to = advice_add(a, ADVICE_shortthreads, c.start->line, least, most, SAVING_MEASURED);
    if (!to)
        return;
    char count[FIGURE_BYTES], each[FIGURE_BYTES], starts[FIGURE_BYTES], joins[FIGURE_BYTES];
    to->evidence = arena_print(&a->model->arena,
                               "%s threads were started, with %s of CPU time each; starting them took %s, and waiting "
                               "for their end %s.",
                               figure_count(count, c.threads), figure_time(each, c.cpu_ns / c.threads),
                               figure_time(starts, born), figure_time(joins, c.joined_ns));
    advice_figure(to, "threads", c.threads);
    advice_figure(to, "start_ns", born);
    advice_figure(to, "wait_ns", c.joined_ns);
}
