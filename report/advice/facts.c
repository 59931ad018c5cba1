/* SPDX-License-Identifier: MIT */
/* facts.c: what the rules of advice ask for: the run's time by step, and what each line did by kind of operation. It
 * must not know any rule. */
#include "advice/facts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int use_order(const void *a, const void *b)
{
    const struct advice_use *x = a, *y = b;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    return (int)x->kind - (int)y->kind;
}

/* One row for each line and kind, from one for each line, kind, stage and target. */
static void uses_make(struct advice *a)
{
    const struct model *model = a->model;
    size_t count = 0;
    uint64_t *most = memory_zeroed(model->operation_count + 1, sizeof *most);
    a->use = memory_zeroed(model->operation_count + 1, sizeof *a->use);
    for (size_t i = 0; i < model->operation_count; i++) {
        const struct model_operation *o = &model->operation[i];
        if (o->line != MODEL_NONE)
            a->use[count++] = (struct advice_use){ .line = o->line,
                                                   .kind = o->kind,
                                                   .sum = o->sum,
                                                   .target = o->target,
                                                   .targets = o->target != MODEL_NONE };
    }
    qsort(a->use, count, sizeof *a->use, use_order);
    for (size_t i = 0; i < count; i++) {
        struct advice_use *last = a->use_count ? &a->use[a->use_count - 1] : NULL;
        uint64_t calls = a->use[i].sum.calls;
        if (!last || last->line != a->use[i].line || last->kind != a->use[i].kind) {
            most[a->use_count] = calls;
            a->use[a->use_count++] = a->use[i];
            continue;
        }
        operations_add(&last->sum, &a->use[i].sum);
        last->targets += a->use[i].targets && a->use[i].target != last->target;
        if (calls > most[a->use_count - 1]) {
            most[a->use_count - 1] = calls;
            last->target = a->use[i].target;
        }
    }
    free(most);
}

const struct advice_use *advice_use(const struct advice *a, uint32_t line, enum pp_operation_kind kind)
{
    static const struct advice_use none;
    struct advice_use key = { .line = line, .kind = kind };
    const struct advice_use *found =
        a->use_count ? bsearch(&key, a->use, a->use_count, sizeof *a->use, use_order) : NULL;
    return found ? found : &none;
}

double advice_opens(const struct advice *a, const struct advice_use *use, double times)
{
    const struct model *model = a->model;
    double *calls = memory_zeroed(2 * (model->target_count + 1), sizeof *calls), *opens = calls + model->target_count;
    double sum = 0;
    for (size_t i = 0; i < model->operation_count; i++) {
        const struct model_operation *o = &model->operation[i];
        if (o->target == MODEL_NONE)
            continue;
        calls[o->target] += o->line == use->line && o->kind == use->kind ? (double)o->sum.calls : 0;
        opens[o->target] += o->kind == PP_OPERATION_OPEN ? (double)o->sum.calls : 0;
    }
    for (size_t t = 0; t < model->target_count; t++)
        sum += fmin(calls[t], times * fmax(1, opens[t]));
    free(calls);
    return sum;
}

#define WRITES_LEAST 8
#define WRITE_MOST_BYTES 4096
#define WRITE_LEAST_WAIT_NS 20000.0 /* in the mean, without the longest: what the page cache takes does not wait */
#define WRITE_LEAST_WAIT 0.3        /* of the calls' time */
#define WRITES_OF_SYNC 100          /* and more for each confirmation: few writes meet one */

/* Who writes to a file that is confirmed all the time waits for these confirmations. */
static bool is_confirmed(const struct model *model, uint32_t target, double writes)
{
    double syncs = 0;
    for (size_t i = 0; i < model->operation_count; i++)
        if (model->operation[i].kind == PP_OPERATION_SYNC && model->operation[i].target == target)
            syncs += (double)model->operation[i].sum.calls;
    return syncs * WRITES_OF_SYNC > writes;
}

bool advice_writes_wait(const struct model *model, unsigned kind, const struct model_operations *sum, uint32_t target)
{
    double calls = (double)sum->calls, wait = (double)sum->wait_ns - (double)sum->most_ns;
    return operation_account(kind) == 2 && target != MODEL_NONE && model->target[target].kind == PP_TARGET_FILE &&
           calls >= WRITES_LEAST && (double)sum->bytes <= WRITE_MOST_BYTES * calls &&
           wait >= WRITE_LEAST_WAIT_NS * calls && wait >= WRITE_LEAST_WAIT * (double)sum->wall_ns &&
           !is_confirmed(model, target, calls);
}

#define STATIC_BYTES 4e6 /* of variables, at most */

double advice_bytes_there(const struct model *model)
{
    double bytes = STATIC_BYTES + (double)model->run.io_read_bytes;
    for (size_t i = 0; i < model->allocation_count; i++)
        bytes += (double)model->allocation[i].blocks.alloc_bytes;
    for (size_t i = 0; i < model->mapping_count; i++)
        bytes += (double)model->mapping[i].blocks.alloc_bytes;
    return bytes;
}

static enum advice_step step_of(const struct model *model, const struct model_operation *o)
{
    static const enum advice_step step[PP_WAIT_COUNT] = {
        [PP_WAIT_IO] = STEP_DISK,     [PP_WAIT_NETWORK] = STEP_NETWORK, [PP_WAIT_LOCK] = STEP_LOCK,
        [PP_WAIT_SLEEP] = STEP_SLEEP, [PP_WAIT_POLL] = STEP_POLL,       [PP_WAIT_EVENT] = STEP_EVENT,
    };
    bool syncs = o->kind == PP_OPERATION_SYNC || advice_writes_wait(model, o->kind, &o->sum, o->target);
    return syncs ? STEP_SYNC : step[operation_wait(model, o)];
}

static void steps_make(struct advice *a)
{
    const struct model *model = a->model;
    double *step = a->step_ns;
    for (size_t i = 0; i < model->operation_count; i++) {
        const struct model_operation *o = &model->operation[i];
        if (!operation_is_call(o->kind))
            continue;
        step[step_of(model, o)] += (double)o->sum.wait_ns;
        step[STEP_WAITS] += (double)o->sum.wait_ns;
    }
    step[STEP_RUN] = a->threads_ns;
    step[STEP_BURNS] = a->cpu_ns;
    step[STEP_KERNEL] = (double)model->run.system_ns;
    for (size_t i = 0; i < model->function_count; i++)
        step[STEP_LIBRARY] += model->function[i].library_ns;
    step[STEP_LIBRARY] = fmin(step[STEP_LIBRARY], (double)model->run.user_ns);
    step[STEP_USER] = (double)model->run.user_ns - step[STEP_LIBRARY];
    step[STEP_MEMORY] = -1; /* what allocating takes is not known; its rules find out */
}

/* How long samples found the profiler itself at work: in its own code, and in the kernel for it. */
static double seen_ns(const struct model *model)
{
    double ns = model->coverage.toll_ns;
    for (size_t i = 0; i < model->node_count; i++)
        ns += model->node[i].profiler_ns;
    return ns;
}

/* How much longer the run took for being profiled: nothing of that goes with a remedy. What profiling costs threads
 * that work side by side may not be on the way to the end. Where the cost is not known, it is what samples saw of it.
 */
static double profiling_ns(const struct advice *a)
{
    const struct model_run *r = &a->model->run;
    double cost = r->cost_unknown ? seen_ns(a->model) : (double)r->self_ns;
    if (a->serves) /* whichever thread was busy: the middle, as its parts are measured with the same clocks */
        return r->cost_unknown ? cost : (double)(r->self_ns + r->self_most_ns) / 2;
    return a->others.threads >= 1 ? 0 : fmin(cost * a->stretch, a->wall_ns / 2);
}

/* The run's time, if profiling cost as much as it may have. Of threads, it cost each that computes its part. */
static double least_ns(const struct advice *a)
{
    const struct model_run *r = &a->model->run;
    double most = r->cost_unknown ? seen_ns(a->model) : (double)r->self_most_ns; /* a wide bound says too little */
    if (a->serves)
        return a->run_ns - fmax(0, most - profiling_ns(a));
    if (a->others.threads < 1)
        return fmax(a->wall_ns / 2, a->wall_ns - most * a->stretch);
    double part = a->cpu_ns > 0 ? most / a->cpu_ns : 0, busy = fmin(a->run_ns, a->cpu_ns * a->stretch);
    return a->run_ns - fmin(0.5, part) * busy;
}

void facts_make(struct advice *a, struct model *model)
{
    *a = (struct advice){ .model = model,
                          .wall_ns = (double)model->run.wall_ns,
                          .cpu_ns = (double)(model->run.user_ns + model->run.system_ns),
                          .threads_ns = run_threads_ns(model) };
    a->run_ns = a->wall_ns;
    uses_make(a);
    steps_make(a);
    gain_make(a);
    a->run_ns -= fmin(profiling_ns(a), a->run_ns / 2);
    a->least_ns = fmin(a->run_ns, least_ns(a));
}

bool advice_is_below(const struct model *model, uint32_t inner, uint32_t outer)
{
    for (size_t i = 1; i < model->node_count; i++)
        for (uint32_t n = model->node[i].function == inner ? model->node[i].parent : 0; n; n = model->node[n].parent)
            if (model->node[n].function == outer && inner != outer)
                return true;
    return false;
}
