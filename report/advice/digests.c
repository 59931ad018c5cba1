/* SPDX-License-Identifier: MIT */
/* digests.c: a loop that goes over bytes to the last one and writes nothing, as a hash or a sum does, again and again
 * over the same ones. That they have not changed follows from time: all else that ran cannot have written so much. */
#include "advice/loops.h"

#include <math.h>

#define LEAST_SHARE 0.15   /* of the CPU time */
#define LEAST_WALKS 50
#define LEAST_TIMES 8.0    /* what is gone over, to all that there is */
#define LEAST_WALK_BYTES 256.0
#define UNCHANGED 2.0      /* what is gone over, to what others can have written meanwhile */
#define WRITE_BYTES_NS 2.0 /* of code that makes data, and of vectors and libraries, which may copy it */
#define COPY_BYTES_NS 32.0
#define OWN_BYTES 67108864.0 /* of resident memory: what is less may be that of the process that started it */
#define LEAST_PART 0.75 /* what is changed has to be gone over */
#define MOST_PART 1.05

/* What may have been written outside of the loop, at most. What the kernel writes is read from files, and counted. */
static double written_most(const struct advice *a, const struct advice_loop *loop)
{
    const struct model *model = a->model;
    double fast = a->step_ns[STEP_LIBRARY], other = fmax(0, a->cpu_ns - a->step_ns[STEP_KERNEL] - loop->cpu_ns);
    for (size_t i = 0; i < model->remark_count; i++)
        if (model->remark[i].kind == PP_REMARK_VECTORIZED)
            fast += model->remark[i].self_ns;
    fast = fmin(fast, other);
    return fast * COPY_BYTES_NS + (other - fast) * WRITE_BYTES_NS;
}

void advice_digests(struct advice *a)
{
    struct advice_loop loop;
    double there = advice_bytes_there(a->model), resident = (double)a->model->run.peak_rss_bytes;
    there = resident > OWN_BYTES ? fmax(there, resident) : there;
    for (size_t next = 0; loop_next(a, &next, &loop);) {
        const struct model_remark *digest = loop_remark(a, &loop, PP_REMARK_DIGEST);
        double bytes = loop.remark->is_counted ? loop.remark->steps : -1;
        double walks = loop.entries > 0 ? loop.entries : loop_calls(a, &loop);
        if (!digest || loop.share < LEAST_SHARE || walks < LEAST_WALKS || bytes < LEAST_WALK_BYTES * walks ||
            bytes < LEAST_TIMES * there || bytes < UNCHANGED * written_most(a, &loop))
            continue;
        struct model_advice *to =
            loop_add(a, ADVICE_digests, &loop, loop.remark, LEAST_PART * loop.cpu_ns, MOST_PART * loop.cpu_ns);
        if (!to)
            continue;
        char count[FIGURE_BYTES], all[FIGURE_BYTES], least[FIGURE_BYTES];
        to->evidence = arena_print(&a->model->arena,
                                   "%s. It went %s times over %s in all, where the program had %s at most; what else "
                                   "ran cannot have written so much meanwhile.",
                                   loop_time(a, &loop), figure_count(count, walks), figure_size(all, bytes),
                                   figure_size(least, there));
        advice_figure(to, "walks", walks);
        advice_figure(to, "bytes", bytes);
        advice_figure(to, "there_bytes", there);
    }
}
