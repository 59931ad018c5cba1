/* SPDX-License-Identifier: MIT */
/* sharing.c: threads that write to their own elements of one array, of which several are in a cache line: the line goes
 * from CPU to CPU with each write. A write takes a nanosecond if no other thread writes meanwhile, and some ten to a
 * hundred if one does. Where a write is not slow the saving is a bound: threads may not have run at once. */
#include "advice/loops.h"

#include <math.h>
#include <string.h>

#define LEAST_SHARE 0.15 /* of the CPU time, of all writes to such elements in a function */
#define LEAST_SLOW_NS 5  /* of a write that waits for the cache line */
#define FREE_MOST_NS 2.5 /* of one that does not */
#define FREE_LEAST_NS 0.5
#define FREE_BOUND_NS 0.25 /* so much in any case */
#define SMALL_BYTES 200 /* of code without a loop: its samples fall on what waits for the writes, where that stands */

/* Did threads that one line started live at once, and compute? */
static bool crew_is_abreast(const struct advice *a)
{
    for (size_t i = 0; i < a->model->group_count; i++)
        if (a->model->group[i].most_at_once >= 2 && (double)a->model->group[i].cpu_ns >= LEAST_SHARE * a->cpu_ns)
            return true;
    return false;
}

/* Where such elements are handed to threads. Elements that are picked by number have no type here, and need no proof:
 * the array is there for all. */
static bool is_handed(const struct model *model, const struct model_remark *write)
{
    for (size_t i = 0; i < model->remark_count; i++) {
        const struct model_remark *r = &model->remark[i];
        if (r->kind == PP_REMARK_THREAD_PART && r->value == write->value && strcmp(r->why, write->why) == 0)
            return true;
    }
    return !write->why[0];
}

struct writes {
    const struct model_remark *most;
    double ns, most_ns;
    unsigned count;
};

/* All writes of the function to elements of the kind. */
static struct writes writes_of(const struct advice *a, const struct model_remark *first)
{
    const struct model *model = a->model;
    struct writes w = { .most = first };
    uint32_t line = 0;
    for (size_t i = (size_t)(first - model->remark); i < model->remark_count; i++) {
        const struct model_remark *r = &model->remark[i];
        if (r->kind != PP_REMARK_PART_WRITE || r->function != first->function || r->value != first->value ||
            strcmp(r->why, first->why) != 0 || r->line == line)
            continue;
        double ns = remark_line_ns(a, r);
        line = r->line;
        w.ns += ns;
        w.count++;
        if (ns > w.most_ns) {
            w.most_ns = ns;
            w.most = r;
        }
    }
    const struct model_function *f = &model->function[first->function];
    if (!first->loop_first && f->code_bytes && f->code_bytes <= SMALL_BYTES && f->self.ns > w.ns) {
        w.most_ns += f->self.ns - w.ns;
        w.ns = f->self.ns;
    }
    return w;
}

static bool is_first(const struct model *model, const struct model_remark *write)
{
    for (const struct model_remark *r = model->remark; r < write; r++)
        if (r->kind == write->kind && r->function == write->function && r->value == write->value &&
            strcmp(r->why, write->why) == 0)
            return false;
    return true;
}

/* How often the function's writes were done: by calls, or by steps of the loop; negative: not known. */
static double times_of(const struct model *model, const struct model_remark *write)
{
    const struct model_remark *loop = write->loop_first ? remark_loop(model, write->file, write->line) : NULL;
    const struct model_function *f = &model->function[write->function];
    if (loop)
        return loop->is_counted && loop->steps > 0 ? loop->steps : -1;
    return f->calls_known && !f->inlined && !f->has_copies ? (double)f->calls : -1;
}

void advice_sharing(struct advice *a)
{
    const struct model *model = a->model;
    if (!crew_is_abreast(a))
        return;
    for (size_t i = 0; i < model->remark_count; i++) {
        const struct model_remark *r = &model->remark[i];
        if (r->kind != PP_REMARK_PART_WRITE || r->function == MODEL_NONE || !is_first(model, r) || !is_handed(model, r))
            continue;
        struct writes w = writes_of(a, r);
        uint32_t line = w.ns >= LEAST_SHARE * a->cpu_ns ? remark_line(a, w.most, NULL) : MODEL_NONE;
        if (line == MODEL_NONE)
            continue;
        double times = times_of(model, w.most), each = times > 0 ? w.most_ns / times : -1, low, high, unused;
        bool is_slow = each >= LEAST_SLOW_NS;
        double slow_low = is_slow ? fmax(w.ns - w.count * times * FREE_MOST_NS, 0) : 0;
        double free_ns = is_slow ? FREE_LEAST_NS : FREE_BOUND_NS;
        double slow_high = fmax(w.ns - w.count * fmax(0, times) * free_ns, 0);
        /* the threads write side by side: what one of them gains is the run's */
        advice_gain(a, line, slow_low, 0, &low, &unused);
        advice_gain(a, line, slow_high, 0, &high, &unused);
        struct model_advice *to =
            advice_add(a, ADVICE_sharing, line, low, high, is_slow ? SAVING_MEASURED : SAVING_BOUND);
        if (!to)
            continue;
        char time[FIGURE_BYTES], once[FIGURE_BYTES];
        to->evidence =
            arena_print(&a->model->arena,
                        "Writes to %s and what is beside it took %s of CPU time (%.0f %%); an element has "
                        "%lld bytes, so that several threads' elements are in one cache line.",
                        w.most->detail, figure_time(time, w.ns), 100 * w.ns / a->cpu_ns, (long long)r->value);
        if (each > 0)
            to->evidence =
                arena_print(&a->model->arena, "%s One write takes %s.", to->evidence, figure_time(once, each));
        advice_figure(to, "element_bytes", (double)r->value);
        advice_figure(to, "cpu_ns", w.ns);
    }
}
