/* SPDX-License-Identifier: MIT */
/* operation.c: names and arithmetic of operations and waits. See model.h. */
#include "model/model.h"

#include <math.h>

static const struct {
    const char *name;
    enum pp_wait wait;
    unsigned account;
} row[] = {
#define PP_OPERATION(id, name, group, account, meaning) { name, PP_WAIT_##group, account },
#include <profplug/abi/operation.def>
};

const char *operation_name(unsigned kind) { return kind < PP_OPERATION_COUNT ? row[kind].name : "unknown"; }
bool operation_is_call(unsigned kind)
{
    return kind != PP_OPERATION_RESPONSE && kind != PP_OPERATION_SERVED && kind != PP_OPERATION_ESTABLISH &&
           kind != PP_OPERATION_COPIED && kind != PP_OPERATION_HELD &&
           kind != PP_OPERATION_SPLIT;
}

bool operation_only_waits(unsigned kind)
{
    return kind < PP_OPERATION_FILE && operation_is_call(kind) && row[kind].wait != PP_WAIT_IO &&
           row[kind].wait != PP_WAIT_NETWORK;
}

enum pp_wait operation_wait(const struct model *model, const struct model_operation *o)
{
    enum pp_wait wait = o->kind < PP_OPERATION_COUNT ? row[o->kind].wait : PP_WAIT_IO;
    return wait == PP_WAIT_IO && o->target != MODEL_NONE && model->target[o->target].kind == PP_TARGET_SOCKET
               ? PP_WAIT_NETWORK
               : wait;
}
unsigned operation_account(unsigned kind) { return kind < PP_OPERATION_COUNT ? row[kind].account : 0; }

bool operation_has_bytes(unsigned kind)
{
    return operation_account(kind) || kind == PP_OPERATION_SPLICE || kind == PP_OPERATION_RECEIVE ||
           kind == PP_OPERATION_SEND || kind == PP_OPERATION_COPIED;
}

bool unfinished_at_least(const struct model *model)
{
    return !model->run.sealed && model->run.exit_kind != MODEL_EXIT_RUNNING;
}

const char *wait_name(unsigned wait)
{
    static const char *const name[] = {
#define PP_WAIT(id, name, meaning) name,
#include <profplug/abi/operation.def>
    };
    return wait < PP_WAIT_COUNT ? name[wait] : "unknown";
}

uint64_t traffic_wait_ns(const struct model_traffic *t)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < PP_WAIT_COUNT; i++)
        sum += t->wait_ns[i];
    return sum;
}

/* If not all transfers were timed, their waits are estimates. Together with the measured waits they cannot exceed the
 * time off the CPU. */
double stage_wait_ns(const struct model_stage *stage, unsigned wait)
{
    const uint64_t *each = stage->traffic.wait_ns;
    double wall = (double)stage->times.wall_ns, off = stage_off_cpu_ns(stage),
           transfers = (double)each[PP_WAIT_IO] + (double)each[PP_WAIT_NETWORK];
    double others = (double)traffic_wait_ns(&stage->traffic) - transfers, room = off < 0 ? wall - others : off - others,
           own = wait < PP_WAIT_COUNT ? (double)each[wait] : 0;
    if (wait == PP_WAIT_IO || wait == PP_WAIT_NETWORK)
        return transfers <= room ? own : room > 0 ? own * room / transfers : 0;
    return others > wall ? own * wall / others : own;
}

double stage_other_wait_ns(const struct model_stage *stage)
{
    double off = stage_off_cpu_ns(stage), known = (double)traffic_wait_ns(&stage->traffic);
    return off < 0 ? off : off > known ? off - known : 0;
}

/* rt/operation/start.c: what calls of this length did besides waiting is known of the first ones from a callsite, and
 * of later ones in steps of 19, 21, ... 121 in the mean. Its spread is not, so an exponential one is assumed. */
#define SLOW_NS 10000.0
#define DRAWS_FIRST 8.0
#define DRAWS_RARE 60.0
#define DRAWS_GROW 3640.0 /* calls until then, the sum of the steps */

static double draws_of(double calls)
{
    double later = calls - DRAWS_FIRST, start = DRAWS_FIRST + 1;
    return later <= 0            ? calls
           : later <= DRAWS_GROW ? sqrt(later + start * start) - 1
                                 : DRAWS_RARE + (later - DRAWS_GROW) / (2 * DRAWS_RARE + 1);
}

#define READ_SIGMA 0.2 /* of what a call that only waits works, by readings of the CPU clock, which disturb it */

double operations_wait_variance(const struct model_operation *o)
{
    const struct model_operations *sum = &o->sum;
    double wait = (double)sum->wait_ns, left = fmax(0, (double)sum->wall_ns - wait);
    if (operation_only_waits(o->kind))
        return fmin(wait * wait, left * left * READ_SIGMA * READ_SIGMA + (left > 0 ? sum->cpu_variance : 0));
    double calls = (double)sum->calls, slow = fmin(calls, wait / SLOW_NS);
    double drawn = fmax(1, draws_of(slow));
    double used = fmin(left, wait);
    return wait > 0 && calls > DRAWS_FIRST ? used * used / drawn * (1 - drawn / calls) + sum->variance : 0;
}

void operations_add(struct model_operations *to, const struct model_operations *more)
{
    to->calls += more->calls;
    to->errors += more->errors;
    to->bytes += more->bytes;
    to->wall_ns += more->wall_ns;
    to->wait_ns += more->wait_ns;
    to->most_ns = more->most_ns > to->most_ns ? more->most_ns : to->most_ns;
    to->sequential += more->sequential;
    to->untimed += more->untimed;
    to->variance += more->variance;
    to->unfinished += more->unfinished;
    to->unfinished_ns += more->unfinished_ns;
    to->cpu_ns += more->cpu_ns;
    to->first_wall_ns += more->first_wall_ns;
    to->cpu_variance += more->cpu_variance;
    for (unsigned i = 0; i < PP_SIZES; i++)
        to->size[i] += more->size[i];
}

/* In a call that waits it is no lack of CPUs: one that slept meanwhile takes so long to go on. */
double run_crowded_ns(const struct model *model)
{
    double room = run_threads_ns(model) - (double)(model->run.user_ns + model->run.system_ns);
    for (size_t i = 0; i < model->operation_count; i++)
        room -= operation_is_call(model->operation[i].kind) ? (double)model->operation[i].sum.wait_ns : 0;
    return fmin((double)model->run.delay_ns, fmax(0, room));
}

double run_unclear_ns(const struct model *model)
{
    double ns = 0;
    for (size_t i = 0; i < model->thread_count && !model->run.sealed; i++) {
        const struct model_thread *t = &model->thread[i];
        double known = (double)t->cpu_ns + (double)t->wait_ns;
        ns += t->delay_ns ? 0 : fmax(0, (double)t->wall_ns - known);
    }
    return ns;
}

double run_elsewhere_ns(const struct model *model)
{
    const struct model_thread *t = model->thread;
    if (model->run.thread_count != 1 || model->thread_count != 1 || !model->run.sealed || !model->has_operations)
        return 0;
    double known = (double)t->cpu_ns + (double)t->wait_ns + (double)t->delay_ns;
    return t->delay_ns ? fmax(0, (double)t->wall_ns - known) : 0;
}

double operations_waits(const struct model *model)
{
    double calls = 0;
    for (size_t i = 0; i < model->operation_count; i++) {
        const struct model_operation *o = &model->operation[i];
        calls += operation_is_call(o->kind) && o->sum.wait_ns > o->sum.wall_ns / 2 ? (double)o->sum.calls : 0;
    }
    return calls;
}

double target_percentile(const struct model_target *target, enum pp_operation_kind kind,
                         const struct model_operations *sum, double fraction)
{
    uint64_t kept = 0, *answers = target->answers[kind == PP_OPERATION_SERVED];
    for (uint32_t i = 0; answers && i < PP_BUCKETS; i++)
        kept += answers[i];
    /* a killed program may have lost the last ones in one of the two */
    if (!kept || kept + sum->calls / 100 + 10 < sum->calls)
        return -1;
    struct model_times times = { .histogram = answers, .timed_calls = kept, .max_ns = sum->most_ns };
    return times_percentile(&times, fraction);
}

void operations_of_target(const struct model *model, uint32_t target, struct model_operations sum[PP_OPERATION_COUNT])
{
    for (size_t i = 0; i < model->operation_count; i++)
        if (model->operation[i].target == target)
            operations_add(&sum[model->operation[i].kind], &model->operation[i].sum);
}
