/* SPDX-License-Identifier: MIT */
/* operations.c: adds up I/O, socket and waiting operations from the threads' tables, by line, function and stage. It
 * must not know how a place is named. See merge.h. */
#include <math.h>
#include <stdlib.h>

#include "merge/merge.h"
#include "merge/unfinished.h"

static void traffic_add(const struct model *model, struct model_traffic *to, const struct model_operation *o)
{
    unsigned account = operation_account(o->kind);
    if (account & 1) {
        to->read_bytes += o->sum.bytes;
        to->reads += o->sum.calls;
    }
    if (account & 2) {
        to->write_bytes += o->sum.bytes;
        to->writes += o->sum.calls;
    }
    if (!operation_is_call(o->kind))
        return;
    to->wall_ns += o->sum.wall_ns;
    to->wait_ns[operation_wait(model, o)] += o->sum.wait_ns;
}

/* ---- from the file ---- */

static uint32_t *targets_merge(struct model *model, const struct profile *profile, uint32_t *most)
{
    *most = 0;
    for (size_t i = 0; i < profile->target_count; i++)
        *most = profile->target[i].id > *most && profile->target[i].id < 1u << 24 ? profile->target[i].id : *most;
    uint32_t *of = memory_zeroed((size_t)*most + 1, sizeof *of);
    struct map seen = { 0 };
    for (uint32_t i = 0; i <= *most; i++)
        of[i] = MODEL_NONE;
    for (size_t i = 0; i < profile->target_count; i++) {
        const struct profile_target *t = &profile->target[i];
        if (!t->id || t->id > *most)
            continue;
        uint32_t *found = map_at_text(&seen, arena_print(&model->arena, "%u:%s", t->kind, t->name));
        if (*found == MAP_FRESH) {
            *found = (uint32_t)model->target_count;
            *ARRAY_PUSH(model->target, model->target_count, model->target_capacity) = (struct model_target){
                (enum pp_target_kind)t->kind, arena_copy(&model->arena, t->name), { NULL, NULL }
            };
        }
        of[t->id] = *found;
    }
    map_free(&seen);
    return of;
}

static void answers_merge(struct model *model, const struct profile *profile, const uint32_t *target_of, uint32_t most)
{
    for (size_t i = 0; i < profile->answers_count; i++) {
        const struct profile_answers *from = &profile->answers[i];
        uint32_t target = from->target <= most ? target_of[from->target] : MODEL_NONE;
        if (target == MODEL_NONE)
            continue;
        uint64_t **to = &model->target[target].answers[from->kind == PP_OPERATION_SERVED];
        if (!*to)
            *to = memory_zeroed(PP_BUCKETS, sizeof **to);
        for (uint32_t k = 0; k < from->bucket_count; k++)
            (*to)[from->bucket[k].bucket] += from->bucket[k].count;
    }
}

/* ---- no more than there was ---- */

/* Operations of one thread directly in one stage, without inner stages. */
struct span {
    double most_ns, exact_ns, guessed_ns, variance;
};

/* Time that all threads of the block lived, or were off the CPU. Infinity if it is not known. */
static double threads_ns(const struct profile *profile, const struct profile_block *b, bool off_cpu)
{
    uint64_t latest = profile->header.end_ns ? profile->header.end_ns : profile->header.heartbeat_ns;
    double ns = 0;
    bool known = false;
    for (size_t i = 0; i < profile->thread_count; i++) {
        const struct pp_thread_row *r = &profile->thread[i];
        uint64_t end = r->end_ns ? r->end_ns : latest;
        if (!r->tid || r->block != b->id || end <= r->start_ns)
            continue;
        ns += fmax(0, (double)(end - r->start_ns) - (off_cpu ? (double)r->cpu_ns : 0));
        known = true;
    }
    return known ? ns : INFINITY;
}

/* Time that all threads of the block spent outside stages. Infinity if it is not known. */
static double outside_ns(const struct profile *profile, const struct profile_block *b)
{
    double ns = threads_ns(profile, b, false);
    for (uint32_t i = 1; i < b->stage_count; i++)
        ns -= b->stage[i].parent == 0 && b->stage[i].key && b->stage[i].kind != PP_SITE_ITERATION
                  ? (double)b->stage[i].wall_ns
                  : 0;
    return ns > 0 ? ns : INFINITY;
}

static struct span *spans_take(const struct profile *profile, const struct profile_block *b)
{
    struct span *span = memory_zeroed(b->stage_count + 1, sizeof *span);
    span[0].most_ns = outside_ns(profile, b);
    /* an open stage has had more time, but it is not known how much */
    for (uint32_t i = 1; i < b->stage_count; i++)
        span[i].most_ns =
            b->stage[i].active || b->stage[i].kind == PP_SITE_ITERATION ? INFINITY : (double)b->stage[i].self_ns;
    return span;
}

static bool is_guessed(const struct model_operations *sum) { return sum->untimed > 0; }

/* If measured and estimated times together exceed the time of the stage, the estimates are cut to what is left. An
 * estimate that exceeds its bound by d with error s is near the bound: its error shrinks to s * s / (s + d). */
static void span_bound(const struct span *s, struct model_operations *sum)
{
    double over = s->exact_ns + s->guessed_ns - s->most_ns, error = sqrt(s->variance);
    if (!is_guessed(sum) || over <= 0)
        return;
    double part = fmax(0, s->most_ns - s->exact_ns) / s->guessed_ns, shrink = error / (error + over);
    uint64_t least = sum->most_ns < sum->wall_ns ? sum->most_ns : sum->wall_ns,
             wall = (uint64_t)((double)sum->wall_ns * part);
    sum->wait_ns = (uint64_t)((double)sum->wait_ns * part);
    sum->wall_ns = wall > least ? wall : least; /* the longest call was timed */
    sum->variance *= shrink * shrink;
}

/* As span_bound, of waits: a timed call that was preempted stands for others that were not. */
static void waits_bound(const struct span *s, struct model_operations *sum)
{
    double over = s->exact_ns + s->guessed_ns - s->most_ns, error = sqrt(s->variance);
    if (!is_guessed(sum) || over <= 0 || s->guessed_ns <= 0)
        return;
    double part = fmax(0, s->most_ns - s->exact_ns) / s->guessed_ns, shrink = error / (error + over);
    uint64_t least = sum->most_ns < sum->wall_ns ? sum->most_ns : sum->wall_ns,
             wait = (uint64_t)((double)sum->wait_ns * part), less;
    wait = sum->wait_ns && !wait ? 1 : wait; /* it did wait: stalls.c tells waits by line from this */
    less = sum->wait_ns - wait;
    sum->wait_ns = wait;
    sum->wall_ns = sum->wall_ns - least > less ? sum->wall_ns - less : least;
    sum->variance *= shrink * shrink;
}

static void off_cpu_bound(struct model *model, const struct profile *profile)
{
    struct span *span = memory_zeroed(profile->block_count + 1, sizeof *span);
    for (size_t i = 0; i < profile->block_count; i++)
        span[i].most_ns = threads_ns(profile, &profile->block[i], true);
    for (unsigned pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < profile->operation_count; i++) {
            const struct profile_operation *from = &profile->operation[i];
            struct model_operations *sum = &model->operation[i].sum;
            if (from->block == UINT32_MAX || !operation_is_call(from->kind))
                continue;
            struct span *s = &span[from->block];
            if (pass) {
                waits_bound(s, sum);
            } else if (is_guessed(sum)) {
                s->guessed_ns += (double)sum->wait_ns;
                s->variance += sum->variance;
            } else {
                s->exact_ns += (double)sum->wait_ns;
            }
        }
    free(span);
}

/* rt/operation/start.c: in how many of a thread's calls that only wait the CPU clock is read. */
#define READ_FIRST 32
#define READ_STEP 16.0
#define READ_GROWTH 64
#define READ_MOST_STEP 512.0

#define WORKS 0.5 /* of its time: other calls of a line may wait long, and theirs would be cut with it */

/* For each ns on the CPU, how long threads of the block were ready and had none. */
static double ready_part(const struct profile *profile, const struct profile_block *b)
{
    double cpu = 0, delay = 0;
    for (size_t i = 0; i < profile->thread_count; i++)
        if (profile->thread[i].tid && profile->thread[i].block == b->id) {
            cpu += (double)profile->thread[i].cpu_ns;
            delay += (double)profile->thread[i].delay_ns;
        }
    return cpu > 0 ? delay / cpu : 0;
}

/* The runtime leaves out of waits what calls that only wait work in the mean of readings. Calls that return at once are
 * on the CPU, or ready and had none: where that is most of their time, all that they ran is taken off, as far as
 * readings of its clock are many, because one stands for all since the last. */
static void work_leave(struct model *model, const struct profile *profile)
{
    double *calls = memory_zeroed(profile->block_count + 1, sizeof *calls),
           *ready = memory_zeroed(profile->block_count + 1, sizeof *ready);
    for (size_t i = 0; i < profile->block_count; i++)
        ready[i] = -1; /* not asked yet */
    for (unsigned pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < profile->operation_count; i++) {
            const struct profile_operation *from = &profile->operation[i];
            struct model_operations *sum = &model->operation[i].sum;
            if (from->block == UINT32_MAX || !operation_only_waits(from->kind))
                continue;
            double *all = &calls[from->block], step = fmax(READ_STEP, fmin(READ_MOST_STEP, *all / READ_GROWTH));
            if (!pass) {
                *all += (double)sum->calls;
                continue;
            }
            double known = *all <= READ_FIRST ? 1 : fmax(0, 1 - 2 * step / fmax(1, (double)sum->calls));
            if (ready[from->block] < 0)
                ready[from->block] = ready_part(profile, &profile->block[from->block]);
            double ran = (double)sum->cpu_ns;
            if (ran * (1 + ready[from->block]) < WORKS * (double)sum->wall_ns)
                continue;
            double left = fmin((double)sum->wait_ns, (double)sum->wall_ns - known * ran);
            sum->wait_ns = sum->wait_ns ? (uint64_t)fmax(1, left) : 0; /* 1: stalls.c tells its line from this */
        }
    free(calls);
    free(ready);
}

/* Call it while the model's operations are in the order of the profile's. */
static void operations_bound(struct model *model, const struct profile *profile)
{
    struct span **span = memory_zeroed(profile->block_count + 1, sizeof *span);
    for (size_t i = 0; i < profile->block_count; i++)
        span[i] = spans_take(profile, &profile->block[i]);
    for (unsigned pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < profile->operation_count; i++) {
            const struct profile_operation *from = &profile->operation[i];
            struct model_operations *sum = &model->operation[i].sum;
            if (from->block == UINT32_MAX || !operation_is_call(from->kind))
                continue;
            struct span *s = &span[from->block][from->stage];
            if (pass) {
                span_bound(s, sum);
            } else if (is_guessed(sum)) {
                s->guessed_ns += (double)sum->wall_ns;
                s->variance += sum->variance;
            } else {
                s->exact_ns += (double)sum->wall_ns;
            }
        }
    for (size_t i = 0; i < profile->block_count; i++)
        free(span[i]);
    free(span);
}

static void operations_of_first(struct model *model, const struct profile *profile)
{
    for (size_t i = 0; i < profile->operation_count; i++)
        if (block_is_first(profile, profile->operation[i].block))
            model->operation[i].sum.first_wall_ns = model->operation[i].sum.wall_ns;
}

/* In short entries of a stage the kernel's byte counts are read only now and then. Hooked calls are known one by one.
 * If they account for all bytes of the process, the stage's bytes are exact. Otherwise a stage has at least its hooked
 * bytes, and at most those and all unhooked ones. */
static void metric_settle(const struct model_run *run, struct model_stage *s, unsigned metric, uint64_t hooked,
                          int64_t unhooked)
{
    double least = (double)hooked, most = run->io_known && unhooked >= 0 ? least + (double)unhooked : INFINITY,
           half = (most - least) / 2;
    if (!s->metric_known[metric] || s->metric_exact[metric] || s->times.open)
        return;
    s->metric[metric] = fmin(fmax(s->metric[metric], least), most);
    if (half * half < s->metric_variance[metric])
        s->metric_variance[metric] = half * half;
    s->metric_exact[metric] = half == 0;
}

static void stages_settle(struct model *model)
{
    const struct model_run *run = &model->run;
    for (size_t i = 0; model->has_operations && i < model->stage_count; i++) {
        struct model_stage *s = &model->stage[i];
        metric_settle(run, s, PP_METRIC_READ_BYTES, s->traffic.read_bytes, run->unhooked_read_bytes);
        metric_settle(run, s, PP_METRIC_WRITE_BYTES, s->traffic.write_bytes, run->unhooked_write_bytes);
    }
}

/* Wraps around instead of overflowing: a corrupt file may contain any numbers. */
static int64_t difference(int64_t from, uint64_t less) { return (int64_t)((uint64_t)from - less); }

void operations_merge(struct model *model, const struct profile *profile, uint32_t *const *stage_of)
{
    uint32_t most, *target_of = targets_merge(model, profile, &most);
    for (size_t i = 0; i < profile->operation_count; i++) {
        const struct profile_operation *from = &profile->operation[i];
        bool has_target = from->kind != PP_OPERATION_HELD;
        uint64_t calls = from->sum.timed + from->sum.untimed, stood_for = from->sum.timed + from->sum.stood;
        double spread = 1024.0 * (double)from->sum.spread;
        struct model_operation *to = ARRAY_PUSH(model->operation, model->operation_count, model->operation_capacity);
        *to = (struct model_operation){ .kind = (enum pp_operation_kind)from->kind,
                                        .point = from->point,
                                        .target =
                                            has_target && from->target <= most ? target_of[from->target] : MODEL_NONE,
                                        .stage =
                                            from->block == UINT32_MAX ? MODEL_NONE : stage_of[from->block][from->stage],
                                        .line = MODEL_NONE,
                                        .function = MODEL_NONE,
                                        .module = MODEL_NONE,
                                        .library = MODEL_NONE,
                                        .sum = { calls,
                                                 from->sum.errors,
                                                 from->sum.bytes,
                                                 from->sum.wall_ns,
                                                 from->sum.wait_ns,
                                                 from->sum.most_ns,
                                                 from->sum.sequential,
                                                 from->sum.untimed,
                                                 operation_only_waits(from->kind) ? 0 : spread,
                                                 { 0 },
                                                 0,
                                                 0,
                                                 from->sum.cpu_ns,
                                                 0,
                                                 operation_only_waits(from->kind) ? spread : 0 } };
        if (stood_for && stood_for < calls) { /* the last calls are assumed to be like those before */
            double more = (double)calls / (double)stood_for;
            to->sum.wall_ns = number_whole((double)from->sum.wall_ns * more);
            to->sum.wait_ns = number_whole((double)from->sum.wait_ns * more);
            to->sum.cpu_ns = number_whole((double)from->sum.cpu_ns * more);
            to->sum.variance *= more * more;
            to->sum.cpu_variance *= more * more;
        }
        if (operation_is_call(from->kind) && from->sum.untimed > from->sum.stood)
            /* the header counts untimed calls that a timed call represents */
            model->run.given_up[PP_GIVEN_OPERATIONS] += from->sum.untimed - from->sum.stood;
        for (unsigned k = 0; k < PP_SIZES; k++)
            to->sum.size[k] = from->sum.size[k];
        model->run.unhooked_read_bytes =
            difference(model->run.unhooked_read_bytes, operation_account(to->kind) & 1 ? to->sum.bytes : 0);
        model->run.unhooked_write_bytes =
            difference(model->run.unhooked_write_bytes, operation_account(to->kind) & 2 ? to->sum.bytes : 0);
    }
    holds_merge(model, profile);
    work_leave(model, profile);
    operations_bound(model, profile);
    off_cpu_bound(model, profile);
    operations_of_first(model, profile);
    unfinished_operations(model, profile, stage_of, target_of, most);
    for (size_t i = 0; i < model->operation_count; i++)
        for (uint32_t s = model->operation[i].stage; s != MODEL_NONE; s = model->stage[s].parent)
            traffic_add(model, &model->stage[s].traffic, &model->operation[i]);
    answers_merge(model, profile, target_of, most);
    model->has_operations = model->operation_count;
    model->run.unhooked_read_bytes = difference(model->run.unhooked_read_bytes, -model->run.io_read_bytes);
    model->run.unhooked_write_bytes = difference(model->run.unhooked_write_bytes, -model->run.io_write_bytes);
    stages_settle(model);
    free(target_of);
}

void operations_settle(struct model *model, const uint32_t *point_of)
{
    for (size_t i = 0; i < model->operation_count; i++)
        model->operation[i].point = point_of[model->operation[i].point];
    for (size_t i = 0; i < model->stall_count; i++)
        model->stall[i].point = point_of[model->stall[i].point];
}

/* ---- lines and functions ---- */

static uint32_t module_index(const struct model *model, uint32_t id)
{
    for (uint32_t i = 0; id && i < model->module_count; i++)
        if (model->module[i].id == id)
            return i;
    return MODEL_NONE;
}

/* Joins entries of different threads and callsites if they agree in everything that is shown. */
void operations_sum(struct model *model, const struct locations *where)
{
    struct map seen = { 0 };
    size_t kept = 0;
    for (size_t i = 0; i < model->operation_count; i++) {
        struct model_operation o = model->operation[i];
        if (!stage_is_within(model, o.stage))
            continue;
        const struct model_point *p = &model->point[o.point];
        uint32_t inner = MODEL_NONE;
        if (o.kind == PP_OPERATION_HELD)
            continue; /* holds.c */
        const struct locate_place *place = p->known ? &where->place[where->of_point[o.point]] : NULL;
        o.module = module_index(model, p->module);
        o.library = module_index(model, p->library);
        o.attributed = p->known;
        if (place && place->count) {
            const struct locate_step *step = locations_user_of_point(model, where, o.point);
            inner = locations_inner(where, where->of_point[o.point], step);
            o.line = step->line;
            o.function = step->function;
            if (step->line != MODEL_NONE)
                line_column_add(&model->line[step->line], step->column, (double)o.sum.wall_ns);
        }
        o.unsure = place ? place->unsure : NULL;
        uint32_t key[] = { o.kind,   o.target,  o.stage,      o.line,          o.function,
                           o.module, o.library, o.attributed, o.unsure != NULL };
        uint32_t *found = map_at(&seen, key, sizeof key);
        if (o.line != MODEL_NONE)
            traffic_add(model, &model->line[o.line].traffic, &o);
        if (o.line != MODEL_NONE && inner != MODEL_NONE)
            traffic_add(model, &inner_row(model, o.line, inner)->traffic, &o);
        if (o.function != MODEL_NONE)
            traffic_add(model, &model->function[o.function].traffic, &o);
        if (*found == MAP_FRESH) {
            *found = (uint32_t)kept;
            model->operation[kept++] = o;
        } else {
            operations_add(&model->operation[*found].sum, &o.sum);
        }
    }
    model->operation_count = kept;
    map_free(&seen);
}
