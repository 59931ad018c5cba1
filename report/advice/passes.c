/* SPDX-License-Identifier: MIT */
/* passes.c: see passes.h. */
#include "advice/passes.h"

#include <profplug/abi/further.h>

#include "words/quote.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_OPENS 4
#define MOST_WRITTEN 2.0 /* times what a pass reads: less is no new file */
#define MOST_CHANGES 0.1 /* for each pass: then most passes read the same */
#define LEAST_AGAIN 4.0  /* opens of a file, in the mean */

void passes_add(struct model_operations *to, struct model_operations more, double part)
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

struct opened {
    double here, all, closed;
    struct model_operations sum; /* of its opens here */
};

/* A file that the line opened again. Those that have no name were opened once. */
static bool is_reopened(const struct model *model, const struct opened *of, uint32_t target)
{
    return of[target].here >= 2 && model->target[target].kind == PP_TARGET_FILE &&
           strcmp(model->target[target].name, PP_FURTHER_FILES) != 0;
}

static struct opened *opened_make(const struct model *model, const struct advice_use *use)
{
    struct opened *of = memory_zeroed(model->target_count + 1, sizeof *of);
    for (size_t i = 0; i < model->operation_count; i++) {
        const struct model_operation *o = &model->operation[i];
        if (o->target == MODEL_NONE)
            continue;
        of[o->target].all += o->kind == PP_OPERATION_OPEN ? (double)o->sum.calls : 0;
        of[o->target].closed += o->kind == PP_OPERATION_CLOSE ? (double)o->sum.calls : 0;
        if (o->line != use->line || o->kind != use->kind)
            continue;
        of[o->target].here += (double)o->sum.calls - (double)o->sum.errors;
        operations_add(&of[o->target].sum, &o->sum);
    }
    return of;
}

static uint64_t less(uint64_t from, uint64_t by) { return from > by ? from - by : 0; }

/* Opens of one file, without one that took longer than all others: it waited for something that the others did not. */
static struct model_operations usual(struct model_operations sum)
{
    uint64_t wall_ns = sum.wall_ns, most_ns = sum.most_ns;
    if (2 * most_ns <= wall_ns)
        return sum;
    sum.wall_ns = less(wall_ns, most_ns);
    sum.wait_ns = less(sum.wait_ns, most_ns);
    sum.first_wall_ns = (uint64_t)((double)sum.first_wall_ns * (double)sum.wall_ns / (double)wall_ns);
    return sum;
}

/* Closing what the line opened again, of each of its files: another line may have opened it, too. */
static void closes_add(const struct model *model, const struct opened *of, double part, struct passes *p)
{
    for (size_t i = 0; i < model->operation_count; i++) {
        const struct model_operation *o = &model->operation[i];
        if (o->kind == PP_OPERATION_CLOSE && o->target != MODEL_NONE && is_reopened(model, of, o->target))
            passes_add(&p->around, o->sum,
                       part * fmin(1, of[o->target].here / fmax(of[o->target].all, of[o->target].closed)));
    }
}

double passes_written(const struct advice *a, const struct advice_use *use)
{
    struct model_operations sum[PP_OPERATION_COUNT] = { 0 };
    double bytes = 0;
    operations_of_target(a->model, use->target, sum);
    for (unsigned kind = 0; kind < PP_OPERATION_COUNT; kind++)
        bytes += operation_account(kind) == 2 ? (double)sum[kind].bytes : 0;
    return bytes;
}

bool passes_of(const struct advice *a, const struct advice_use *use, struct passes *p)
{
    const struct model *model = a->model;
    struct model_operations sum[PP_OPERATION_COUNT] = { 0 };
    *p = (struct passes){ .use = *use };
    if (use->kind != PP_OPERATION_OPEN)
        return false;
    struct opened *of = opened_make(model, use);
    /* A clock around a call cannot tell when the CPU was taken away; the line's CPU time does not have that. */
    double wait = fmin((double)use->sum.wait_ns, (double)use->sum.wall_ns), in_calls = (double)use->sum.wall_ns - wait;
    double self = model->line[use->line].self.ns, part = self > 0 && self < in_calls ? self / in_calls : 1;
    for (uint32_t t = 0; t < model->target_count; t++) {
        if (!is_reopened(model, of, t))
            continue;
        p->opens += of[t].here;
        p->targets++;
        if (of[t].here > p->again) {
            p->again = of[t].here;
            p->use.target = t;
        }
        passes_add(&p->around, usual(of[t].sum), part);
    }
    p->use.targets = (uint32_t)p->targets;
    closes_add(model, of, part, p);
    free(of);
    if (p->opens < LEAST_OPENS || p->opens < LEAST_AGAIN * p->targets)
        return false;
    operations_of_target(model, p->use.target, sum);
    double all = (double)sum[PP_OPERATION_OPEN].calls;
    for (unsigned kind = 0; kind < PP_OPERATION_COUNT; kind++)
        p->pass_bytes += operation_account(kind) == 1 ? (double)sum[kind].bytes / fmax(1, all) : 0;
    p->written_bytes = passes_written(a, &p->use);
    return true;
}

/* Whether the function is above the other in the call tree, or is that one. True if the tree does not tell: it has no
 * inlined functions. */
static bool is_above(const struct model *model, uint32_t above, uint32_t function)
{
    bool known = model->function[above].inlined;
    for (size_t i = 1; i < model->node_count; i++) {
        if (model->node[i].function != function)
            continue;
        known = true;
        for (uint32_t at = (uint32_t)i; at; at = model->node[at].parent)
            if (model->node[at].function == above)
                return true;
    }
    return above == function || !known;
}

static double writes_of(const struct model *model, uint32_t target)
{
    struct model_operations sum[PP_OPERATION_COUNT] = { 0 };
    double calls = 0;
    operations_of_target(model, target, sum);
    for (unsigned kind = 0; kind < PP_OPERATION_COUNT; kind++)
        calls += operation_account(kind) == 2 ? (double)sum[kind].calls : 0;
    return calls;
}

bool passes_change(const struct advice *a, const struct advice_use *use, const struct passes *p)
{
    const struct model *model = a->model;
    uint32_t pass = model->line[use->line].function;
    if (p->written_bytes <= MOST_WRITTEN * p->pass_bytes || writes_of(model, use->target) <= MOST_CHANGES * p->opens)
        return false;
    for (size_t i = 0; i < model->operation_count; i++) {
        const struct model_operation *o = &model->operation[i];
        double opens = 0;
        if (o->target != use->target || operation_account(o->kind) != 2 || !o->sum.bytes)
            continue;
        if (o->line == MODEL_NONE || model->line[o->line].function == MODEL_NONE || pass == MODEL_NONE ||
            is_above(model, model->line[o->line].function, pass))
            return true;
        for (size_t k = 0; k < model->operation_count; k++) {
            const struct model_operation *other = &model->operation[k];
            if (other->target == use->target && other->kind == PP_OPERATION_OPEN && other->line != MODEL_NONE &&
                model->line[other->line].function == model->line[o->line].function)
                opens += (double)other->sum.calls;
        }
        if (opens < 1 || opens > MOST_CHANGES * p->opens)
            return true;
    }
    return false;
}

double passes_function_ns(const struct advice *a, const struct advice_use *use)
{
    uint32_t of = a->model->line[use->line].function;
    const struct model_function *f = of == MODEL_NONE ? NULL : &a->model->function[of];
    return f ? f->total.ns * advice_stretch(a, use->line) + f->stalled.ns : 0;
}

const char *passes_file(const struct advice *a, const struct advice_use *use)
{
    const char *name = a->model->target[use->target].name, *slash = passes_made(a, use) ? NULL : strrchr(name, '/');
    return quote_plain(&a->model->arena, slash && slash[1] ? slash + 1 : name);
}
