/* SPDX-License-Identifier: MIT */
/* passes.c: see passes.h. */
#include "advice/passes.h"
#include "words/quote.h"

#include <math.h>
#include <string.h>

#define LEAST_OPENS 4
#define LEAST_AGAIN 4.0 /* opens of a file, in the mean */

static void scaled_add(struct model_operations *to, struct model_operations more, double part)
{
    more.wall_ns = (uint64_t)((double)more.wall_ns * part);
    more.wait_ns = (uint64_t)((double)more.wait_ns * part);
    more.cpu_ns = (uint64_t)((double)more.cpu_ns * part);
    more.first_wall_ns = (uint64_t)((double)more.first_wall_ns * part);
    operations_add(to, &more);
}

bool passes_made(const struct advice *a, const struct advice_use *use)
{
    const char *name = a->model->target[use->target].name;
    return !strncmp(name, "/dev/", 5) || !strncmp(name, "/proc/", 6) || !strncmp(name, "/sys/", 5);
}

bool passes_of(const struct advice *a, const struct advice_use *use, struct passes *p)
{
    struct model_operations sum[PP_OPERATION_COUNT] = { 0 };
    *p = (struct passes){ .opens = (double)(use->sum.calls - use->sum.errors), .targets = (double)use->targets };
    if (use->kind != PP_OPERATION_OPEN || use->sum.calls <= use->sum.errors || use->target == MODEL_NONE ||
        a->model->target[use->target].kind != PP_TARGET_FILE || p->opens < LEAST_OPENS ||
        p->opens < LEAST_AGAIN * p->targets)
        return false;
    operations_of_target(a->model, use->target, sum);
    double all = (double)sum[PP_OPERATION_OPEN].calls, closes = (double)sum[PP_OPERATION_CLOSE].calls;
    for (unsigned kind = 0; kind < PP_OPERATION_COUNT; kind++) {
        p->pass_bytes += operation_account(kind) == 1 ? (double)sum[kind].bytes / fmax(1, all) : 0;
        p->written_bytes += operation_account(kind) == 2 ? (double)sum[kind].bytes : 0;
    }
    for (size_t i = 0; i < a->model->operation_count; i++) {
        const struct model_operation *o = &a->model->operation[i];
        if (o->line == use->line && o->kind == use->kind && o->target == use->target)
            p->again += (double)o->sum.calls;
    }
    /* A clock around a call cannot tell when the CPU was taken away; the line's CPU time does not have that. */
    double wait = fmin((double)use->sum.wait_ns, (double)use->sum.wall_ns), in_calls = (double)use->sum.wall_ns - wait;
    double self = a->model->line[use->line].self.ns, part = self > 0 && self < in_calls ? self / in_calls : 1;
    scaled_add(&p->around, use->sum, part);
    if (all > 0 && closes > 0)
        scaled_add(&p->around, sum[PP_OPERATION_CLOSE], part * fmin(1, p->opens / fmax(all, closes)));
    return true;
}

const char *passes_file(const struct advice *a, const struct advice_use *use)
{
    const char *name = a->model->target[use->target].name, *slash = passes_made(a, use) ? NULL : strrchr(name, '/');
    return quote_plain(&a->model->arena, slash && slash[1] ? slash + 1 : name);
}
