/* SPDX-License-Identifier: MIT */
/* account.c: see account.h. Each part of the cost is a number and how far it may be off. Parts are independent, so
 * their errors add up as squares. The prices were measured with the programs of tests/truth/overhead.py; the decision
 * is in docs/decisions/overhead.md. It must not know the file's bytes or output. */
#include "estimate/account.h"
#include "words/plural.h"

#include <math.h>

/* Of what the runtime's own clocks say of starts and ends, of threads and forks. They do not see how its larger image
 * is loaded and its memory given back. */
#define FIXED_LEAST 1.02
#define FIXED_MOST 1.14
/* A part of the start and end of a process that no clock of ours sees: the kernel frees its memory afterwards, and the
 * program's first calls touch what the start mapped. A thread's birth and death take a seventh of that time. */
#define AFTER_MOST 0.22
#define THREADS_A_PROCESS 7.0
/* Of what they say of samples: for the most part those are prices of arming an event, so many for each. */
#define TAKEN_LEAST 0.75
#define TAKEN_MOST 1.1
#define TAKEN_ARMINGS 4.5
/* Of a sample, in prices of arming its event: what its interrupts push out of the caches. The handler, the arming and
 * three times that for the interrupts are among what the runtime's clocks say. */
#define SAMPLE_LEAST 0.3
#define SAMPLE_MOST 1.7
/* Likewise, of the first few: the code that takes them, and what it needs of the program's files, is cold. */
#define SAMPLES_COLD 5
#define SAMPLE_COLD_LEAST 3
#define SAMPLE_COLD_MOST 13
/* Of an interrupt that finds the thread in the kernel, likewise: it raises no signal, and no clock of ours sees it.
 * Such interrupts are as far apart as samples. */
#define UNRAISED_LEAST 0.6
#define UNRAISED_MOST 1.4
/* Of a thread, likewise: what the kernel does after its event or timer was closed, and once for each thread. */
#define THREAD_LEAST 0.4
#define THREAD_MOST 1.5
/* Of the calls that were timed. Each also makes the program's next instructions slower. */
#define CALLS_LEAST 1.0
#define CALLS_MOST 1.27
/* In prices of a count, which is a cycle: an allocation or a free. Not in those of a timed activation, because in some
 * runs the clock is read three times as quickly. */
#define HEAP_COUNTS 10.8
#define HEAP_COUNTS_SAMPLED 4.5 /* with blocks=sampled: 2.5 to 7.5, by what the processor does meanwhile */
#define HEAP_SIGMA_SAMPLED 0.3
/* Blocks that are drawn are booked by their line, and found again. The runtime times some steps of that, of three kinds
 * that differ. */
#define DRAWN_SIGMA 0.1
#define DRAWN_STEPS 3
/* In counts, for each call: what samples find there is off by so much. The processor waits there for what comes before,
 * or has the next instructions in hand. */
#define HEAP_SHARED_SIGMA 0.8
/* Of the CPU time, by that price, with blocks=exact or off: where a program does little else, the price is too low. */
#define HEAP_MOST 0.12
/* An operation: a transfer on a file that is not timed, another one that is not, and one that is timed. */
#define OPERATION_FILE_COUNTS 40
#define OPERATION_COUNTS 150
#define OPERATION_TIMED_COUNTS 630
#define OPERATION_SIGMA 0.17
/* A timed operation costs so many more if the caches are cold: after a switch, or when the last one was so long ago. */
#define RARE_LEAST 1100
#define RARE_MOST 2300
#define RARE_FROM_NS 3000.0
#define RARE_TO_NS 5000.0
/* Samples do not see all that operations cost, since caches are cold on return from the kernel. So each costs so many
 * more, and on a socket the second pair. The pair above contains that already. */
#define COLD_LEAST 0
#define COLD_MOST 100
#define SOCKET_LEAST 150
#define SOCKET_MOST 520
/* A transfer on a file that is not timed, if it moves a page or more: the copy takes the place of our memory. */
#define PAGE_LEAST 60
#define PAGE_MOST 300
#define PAGE_BYTES 4096.0
#define PRICE_SIGMA 0.15
/* A timed activation, of what it takes in a loop of them: where the last one was so long ago, what it needs is cold. */
#define TIMED_COLD_MOST 5
#define TIMED_COLD_NS 5000.0
#define CODE_SIGMA 0.003 /* of the CPU time: what has no price */
/* Of a first touch, for each page fault that an event on them counted: see docs/decisions/kernel.md. */
#define FAULT_LEAST 0.04
#define FAULT_MOST 0.08
/* Of the code's own time: with what it pushes out of the caches. The prices of allocations have that in them. */
#define CODE_LEAST 0.9
#define CODE_MOST 1.12
/* Where it has no price: the processor does the program's own work beside it, or waits for what locks do. */
#define UNPRICED_LEAST 0.4
#define UNPRICED_MOST 2
/* Samples on the way to stdio's functions for single characters: they wait for what the character before has changed,
 * as the C library's own code would. A loop of fgetc and fputc took 8 to 11 % more, with 27 to 30 % of samples there.
 */
#define CHARACTERS_LEAST 0.1
#define CHARACTERS_MOST 0.7
/* A count costs this part of what it takes in a loop of counts, or less. It is made with recording off, too. */
#define COUNT_MOST 0.2
/* Of the price of arming a perf event. A switch stops one and arms it again; which of both is ours to pay depends on
 * who runs next. What the runtime does after a wait is cold, too. All switches together are taken for the budget and a
 * five-hundredth of the wall time at most, because a thread that switches more often has no event (pp_rate_turns). It
 * loses that after 64 switches at the earliest. */
#define SWITCH_LEAST 0.4
#define SWITCH_MOST 0.9
#define SWITCH_MANY_LEAST 0.6 /* the same, where they were taken for the budget */
#define SWITCH_MANY_MOST 1.6
#define SWITCHES_LEAST 70
#define SWITCHES_IDLE 2e-3
/* In prices of a count, at each switch beyond operations: the runtime's own memory is cold after it, how much so nobody
 * knows. */
#define AWOKEN_LEAST 100
#define AWOKEN_MOST 3500
#define SIGMAS 1.3
/* Samples beyond the prices by this much are believed alone: stdio by lines has no price, for one. */
#define UNPRICED_SIGMAS 1.0
#define PRICED_SIGMAS 2.0 /* where prices tell half of it and more */
#define WIDTH_PERCENT 1.0 /* an interval may be this wide, or this part of its middle */
#define WIDTH_PART 0.5
#define WIDEST 6.0          /* bounds that are further apart tell nothing, */
#define WIDEST_PERCENT 25.0 /* unless even the upper one is small */
/* Prices are of two machines, and by so much measured costs were off, even where each part seemed to be known better:
 * this part of the overhead, or of the time without it. */
#define PRICES_PART 0.23
#define PRICES_LEAST 0.0045

struct part {
    double ns, reach; /* reach: how far the truth may be from ns */
};

/* What makes a result too uncertain, in words. */
enum { FIXED, SAMPLES, THREADS, CALLS, COLD, CODE, COUNTS, SWITCHES, FAULTS, CHARACTERS, PARTS };
static const char *const doubts[PARTS] = {
    [FIXED] = "the start and the end of the process weigh most",
    [SAMPLES] = "what a sample costs is not known more closely",
    [THREADS] = "what a thread costs is not known more closely",
    [CALLS] = "what the kernel does for the profiler is not known more closely",
    [COLD] = "many small calls, whose cost here is not known more closely",
    [CODE] = "", /* code_doubt */
    [COUNTS] = "what a count costs is not known where counts are dense",
    [SWITCHES] = "", /* switches_doubt */
    [FAULTS] = "what page faults cost while they are counted is not known more closely",
    [CHARACTERS] = "what each character costs is not known more closely",
};

static struct part between(double low, double high)
{
    return (struct part){ (low + high) / 2, fabs(high - low) / 2 };
}

/* Of what the runtime's clocks say: samples. The rest is fixed for each process, thread and fork. */
static double taken_ns(const struct model_run *r, double seen)
{
    return fmin((double)r->sample_signals * r->arming_ns * TAKEN_ARMINGS, seen);
}

static struct part fixed_part(const struct model_run *r, double seen)
{
    double rest = seen - taken_ns(r, seen), others = r->thread_count > 1 ? (double)r->thread_count - 1 : 0,
           process = rest * THREADS_A_PROCESS / (THREADS_A_PROCESS + others);
    return between(rest * FIXED_LEAST, rest * FIXED_MOST + process * AFTER_MOST);
}

/* What the events of threads may cost at switches: a thread that switches more often has a timer instead. */
static double switches_most_ns(const struct model_run *r)
{
    double threads = (double)r->thread_count, idle = SWITCHES_IDLE * (double)r->wall_ns * threads / (threads + 1);
    return fmax(r->budget_permille / 1e3 * (double)(r->user_ns + r->system_ns) + idle,
                SWITCHES_LEAST * (double)r->arming_ns);
}

static bool switches_are_many(const struct model_run *r)
{
    return (double)r->switches * r->arming_ns > switches_most_ns(r);
}

/* A signal stands for more periods than one where samples would cost too much. A timer has no such interrupts. */
static struct part unraised_part(const struct model *model)
{
    const struct model_run *r = &model->run;
    if (!r->sample_signals || !r->sample_period_ns)
        return (struct part){ 0 };
    double weight = fmax(1, (double)model->coverage.samples / (double)r->sample_signals),
           full = (double)r->system_ns / (double)r->sample_period_ns / weight * r->arming_ns;
    return between(switches_are_many(r) ? 0 : full * UNRAISED_LEAST, full * UNRAISED_MOST);
}

static struct part samples_part(const struct model *model, double seen)
{
    const struct model_run *r = &model->run;
    double full = (double)r->sample_signals * r->arming_ns, clocks = taken_ns(r, seen);
    double cold = fmin((double)r->sample_signals, SAMPLES_COLD) * r->arming_ns;
    struct part taken = between(clocks * TAKEN_LEAST, clocks * TAKEN_MOST),
                unseen = between(full * SAMPLE_LEAST, full * SAMPLE_MOST),
                first = between(cold * SAMPLE_COLD_LEAST, cold * SAMPLE_COLD_MOST), unraised = unraised_part(model);
    return (struct part){ taken.ns + unseen.ns + first.ns + unraised.ns,
                          hypot(hypot(taken.reach, unseen.reach), hypot(first.reach, unraised.reach)) };
}

static struct part threads_part(const struct model_run *r)
{
    double full = (double)r->thread_count * r->arming_ns;
    return between(full * THREAD_LEAST, full * THREAD_MOST);
}

static struct part calls_part(const struct model_run *r)
{
    return between((double)r->calls_ns * CALLS_LEAST, (double)r->calls_ns * CALLS_MOST);
}

static bool is_on_socket(const struct model *model, const struct model_operation *o)
{
    return o->kind == PP_OPERATION_RECEIVE || o->kind == PP_OPERATION_SEND || o->kind == PP_OPERATION_CONNECT ||
           o->kind == PP_OPERATION_ACCEPT ||
           ((o->kind == PP_OPERATION_READ || o->kind == PP_OPERATION_WRITE) && o->target != MODEL_NONE &&
            model->target[o->target].kind == PP_TARGET_SOCKET);
}

static bool is_on_file(const struct model *model, const struct model_operation *o)
{
    return operation_has_bytes(o->kind) && o->target != MODEL_NONE && model->target[o->target].kind == PP_TARGET_FILE;
}

static double operations_called(const struct model *model)
{
    double calls = 0;
    for (size_t i = 0; i < model->operation_count; i++)
        calls += operation_is_call(model->operation[i].kind) ? (double)model->operation[i].sum.calls : 0;
    return calls;
}

static double operations_timed(const struct model *model)
{
    double calls = 0;
    for (size_t i = 0; i < model->operation_count; i++) {
        const struct model_operation *o = &model->operation[i];
        if (operation_is_call(o->kind))
            calls += (double)(o->sum.calls - o->sum.untimed);
    }
    return calls;
}

/* The part of timed operations that find everything cold. */
static double operations_rare(const struct model *model, double cpu_ns)
{
    double timed = operations_timed(model), apart = cpu_ns / fmax(operations_called(model), 1),
           rare = (apart - RARE_FROM_NS) / (RARE_TO_NS - RARE_FROM_NS),
           switched = (double)model->run.switches / fmax(timed, 1);
    return fmin(fmax(fmax(rare, switched), 0), 1);
}

static struct part cold_part(const struct model *model, double cpu_ns)
{
    double others = 0, sockets = 0, pages = 0, rare = operations_rare(model, cpu_ns),
           count_ns = model->run.count_ps / 1e3;
    for (size_t i = 0; i < model->operation_count; i++) {
        const struct model_operation *o = &model->operation[i];
        double calls = operation_is_call(o->kind) ? (double)o->sum.calls : 0;
        others += is_on_file(model, o) ? calls - (double)o->sum.untimed : calls;
        sockets += is_on_socket(model, o) ? calls - rare * (double)(o->sum.calls - o->sum.untimed) : 0;
        pages += is_on_file(model, o) ? fmin((double)o->sum.untimed, (double)o->sum.bytes / PAGE_BYTES) : 0;
    }
    struct part all = between(others * COLD_LEAST, others * COLD_MOST),
                more = between(sockets * SOCKET_LEAST, sockets * SOCKET_MOST),
                moved = between(pages * PAGE_LEAST, pages * PAGE_MOST);
    return (struct part){ (all.ns + more.ns + moved.ns) * count_ns,
                          hypot(hypot(all.reach, more.reach), moved.reach) * count_ns };
}

/* What operations cost by their prices. */
static struct part operations_part(const struct model *model, double cpu_ns)
{
    double counts = 0, count_ns = model->run.count_ps / 1e3,
           alone = operations_timed(model) * operations_rare(model, cpu_ns);
    for (size_t i = 0; i < model->operation_count; i++) {
        const struct model_operation *o = &model->operation[i];
        if (operation_is_call(o->kind))
            counts += (double)o->sum.untimed * (is_on_file(model, o) ? OPERATION_FILE_COUNTS : OPERATION_COUNTS) +
                      (double)(o->sum.calls - o->sum.untimed) * OPERATION_TIMED_COUNTS;
    }
    struct part cold = between(alone * RARE_LEAST * count_ns, alone * RARE_MOST * count_ns);
    return (struct part){ counts * count_ns + cold.ns,
                          hypot(SIGMAS * OPERATION_SIGMA * counts * count_ns, cold.reach) };
}

static struct part with_caches(double ns, double least, double most, double sigma)
{
    struct part p = between(ns * least, ns * most);
    p.reach = hypot(p.reach, SIGMAS * sigma);
    return p;
}

static struct part timed_part(const struct model_run *r, double timed_ns, double cpu_ns)
{
    double cold = fmin(cpu_ns / fmax((double)r->events_timed, 1) / TIMED_COLD_NS, 1);
    struct part p = between(timed_ns, timed_ns * (1 + (TIMED_COLD_MOST - 1) * cold));
    p.reach = hypot(p.reach, SIGMAS * PRICE_SIGMA * timed_ns);
    return p;
}

/* By those that were timed. */
static struct part drawn_part(const struct model_run *r)
{
    double ns = (double)r->draws_ns;
    return (struct part){ ns, ns * hypot(DRAWN_SIGMA, sqrt(DRAWN_STEPS / fmax(1, (double)r->draws))) };
}

/* One that is resized is counted as two, and makes one call. */
static double heap_counts_ns(const struct model_run *r, double counts)
{
    return counts * r->count_ps / 1e3 * ((double)r->heap_calls - (double)r->moves);
}

static double heap_ns(const struct model_run *r)
{
    return heap_counts_ns(r, r->blocks_mean ? HEAP_COUNTS_SAMPLED : HEAP_COUNTS);
}

/* Code of the runtime in user mode. Prices times counts know much of it, and samples see all of it, with an error. Both
 * are weighted by their variances, unless they contradict each other: then there was work that has no price. Samples
 * may also see that caches were cold in it (cold_part). */
static const char *code_doubt(const struct model *model, double timed_ns, double cpu_ns)
{
    double operations = operations_part(model, cpu_ns).ns, heap = heap_ns(&model->run) + drawn_part(&model->run).ns;
    if (timed_ns <= 0 && operations <= 0 && heap <= 0)
        return "what its probes cost is not known more closely";
    if (timed_ns >= operations && timed_ns >= heap)
        return "what timed calls and entries of stages cost is not known more closely";
    return heap >= operations ? "what allocations cost is not known more closely"
                              : "what reads, waits and the like cost is not known more closely";
}

static struct part code_part(const struct model *model, double timed_ns, double cold_ns, double cpu_ns)
{
    const struct model_run *r = &model->run;
    const struct model_coverage *c = &model->coverage;
    const struct part drawn = drawn_part(r), timed = timed_part(r, timed_ns, cpu_ns),
                      operation = operations_part(model, cpu_ns);
    double all = 0, squares = 0, heap = heap_ns(r), priced = timed.ns + operation.ns + heap + drawn.ns,
           heap_sigma = hypot((r->blocks_mean ? HEAP_SIGMA_SAMPLED : PRICE_SIGMA) * heap, drawn.reach),
           priced_sigma = hypot(hypot(timed.reach / SIGMAS, hypot(operation.reach / SIGMAS, heap_sigma)),
                                CODE_SIGMA * cpu_ns);
    double others = priced > 0 ? 1 - (heap + drawn.ns) / priced : 1, least = 1 - (1 - CODE_LEAST) * others,
           most = 1 + (CODE_MOST - 1) * others;
    /* Where threads lose their event, samples come at ticks, and find half of what the clocks see in operations. */
    double each = c->samples ? c->sampled_ns / (double)c->samples : 0, hits = (double)(c->profiler - c->characters),
           sampled = each * hits;
    bool at_ticks = !r->arming_ns && (double)r->switches > SWITCHES_LEAST * (double)r->thread_count;
    if ((at_ticks && sampled < priced) || !c->samples || run_is_short(r)) /* a few may have hit its start */
        return with_caches(priced, least, most, priced_sigma);
    for (size_t i = 0; i < model->sample_count; i++) {
        all += (double)model->sample[i].count;
        squares += (double)model->sample[i].count + model->sample[i].excess;
    }
    /* With one average signal added, because none may be one that did not come. */
    double usual = all > 0 ? squares / all : 1, share = all > 0 ? fmin(hits / all, 1) : 0,
           sampled_sigma = hypot(heap_counts_ns(r, HEAP_SHARED_SIGMA),
                                 each * sqrt((hits + c->profiler_excess) * (1 - share) + usual * usual));
    double both = hypot(priced_sigma, sampled_sigma), seen = priced + cold_ns;
    if (seen < sampled / 2 && sampled - seen > UNPRICED_SIGMAS * both)
        return with_caches(sampled, UNPRICED_LEAST, UNPRICED_MOST, sampled_sigma);
    if (fabs(sampled - priced) > PRICED_SIGMAS * both)
        return with_caches(sampled, least, most, sampled_sigma);
    double weight = priced_sigma * priced_sigma / (both * both); /* of the samples */
    return with_caches(weight * sampled + (1 - weight) * priced, least, most, priced_sigma * sampled_sigma / both);
}

static struct part characters_part(const struct model_coverage *c)
{
    double ns = c->samples ? c->sampled_ns / (double)c->samples * (double)c->characters : 0;
    return between(ns * CHARACTERS_LEAST, ns * CHARACTERS_MOST);
}

static struct part counts_part(const struct model *model)
{
    double counts = (double)model->run.line_counts;
    for (size_t i = 0; i < model->function_count; i++)
        counts += model->function[i].calls > model->function[i].timed_calls
                      ? (double)(model->function[i].calls - model->function[i].timed_calls)
                      : 0;
    return between(0, counts * model->run.count_ps / 1e3 * COUNT_MOST);
}

static struct part switches_part(const struct model *model)
{
    const struct model_run *r = &model->run;
    double full = fmin((double)r->switches * r->arming_ns, switches_most_ns(r)),
           awoken = fmax((double)r->switches - operations_called(model), 0) * r->count_ps / 1e3;
    struct part event = switches_are_many(r) ? between(full * SWITCH_MANY_LEAST, full * SWITCH_MANY_MOST)
                                   : between(full * SWITCH_LEAST, full * SWITCH_MOST),
                memory = between(awoken * AWOKEN_LEAST, awoken * AWOKEN_MOST);
    return (struct part){ event.ns + memory.ns, hypot(event.reach, memory.reach) };
}

/* One thread alone takes turns with nothing but other processes. */
static const char *switches_doubt(const struct model_run *r)
{
    return r->thread_count > 1 ? "threads take turns too often" : "the program waits or loses the CPU too often";
}

static struct part faults_part(const struct model *model)
{
    double counted = 0;
    for (size_t i = 0; i < model->sample_count; i++)
        counted += model->sample[i].placed.ns;
    double full = counted * model->run.fault_ns;
    return between(full * FAULT_LEAST, full * FAULT_MOST);
}

static void budget_tell(struct model *model, const struct part *counts)
{
    const struct model_run *r = &model->run;
    double least = run_overhead_percent(r, (double)r->self_ns);
    if (r->budget_permille && least > r->budget_permille / 10.0 && r->self_ns > 1000000 &&
        r->user_ns + r->system_ns > 20000000)
        model_notice(model,
                     "by its own estimate profplug took at least %.1f %% of the program's CPU time, the budget is %.1f "
                     "%%%s",
                     least, r->budget_permille / 10.0,
                     counts->ns < 0.5 * (double)r->self_ns
                         ? ""
                         : ": short functions called often look slower than they are; leave some out (min-size=, "
                           "functions=stages, filter=)");
}

bool account_is_wide(const struct model_run *r, double low, double high)
{
    double least = run_overhead_percent(r, low), most = run_overhead_percent(r, high);
    return run_is_short(r) ? high - low > WIDTH_PART * (low + high) / 2
                           : most - least > fmax(WIDTH_PERCENT, WIDTH_PART * (least + most) / 2);
}

/* A fork costs the kernel more where the profiler's memory is mapped, and so do the page faults after it. What that is
 * has no price. So forks, by what each takes at least, may be this part of the CPU time. */
#define FORKS_MOST 0.1
#define FORK_LEAST_NS 50e3

static bool are_far_apart(const struct model_run *r, double low, double high)
{
    return run_overhead_percent(r, high) > fmax(WIDEST * run_overhead_percent(r, low), WIDEST_PERCENT);
}

static bool forks_are_much(const struct model *model, double cpu_ns)
{
    double forks = (double)model->run.unrecorded + (double)model->run.crowded +
                   (model->part_count ? (double)model->part_count - 1 : 0);
    for (size_t i = 0; i < model->run.child_count; i++)
        forks += !model->run.child[i].further;
    return forks * FORK_LEAST_NS > FORKS_MOST * cpu_ns;
}

/* The order of threads decides what a contended lock costs: one program took 10, 15 and 117 % more in three hours. */
#define LOCKS_MOST 0.02

static bool locks_are_much(const struct model *model, double cpu_ns)
{
    double calls = 0;
    for (size_t i = 0; i < model->operation_count; i++)
        calls += model->operation[i].kind == PP_OPERATION_LOCK ? (double)model->operation[i].sum.calls : 0;
    return calls * OPERATION_TIMED_COUNTS * model->run.count_ps / 1e3 > LOCKS_MOST * cpu_ns;
}

/* Both bounds: by the errors of the parts, or as far as prices may be off, whichever is wider. */
static void interval_find(const struct model_run *r, struct part all, double *low, double *high)
{
    double whole = (double)(r->before_ns + r->user_ns + r->system_ns),
           ratio = run_overhead_percent(r, all.ns) / 100, off = fmax(ratio * PRICES_PART, PRICES_LEAST),
           less = fmax(ratio - off, 0), more = ratio + off;
    *low = fmax(all.ns - all.reach, 0);
    *high = all.ns + all.reach;
    if (run_overhead_percent(r, *high) - run_overhead_percent(r, *low) < 100 * (more - less)) {
        *low = whole * less / (1 + less);
        *high = whole * more / (1 + more);
    }
}

void account_find(struct model *model)
{
    struct model_run *r = &model->run;
    double cpu_ns = (double)(r->user_ns + r->system_ns), ns = 0, variance = 0;
    double timed_ns = fmin((double)r->events_timed * r->frame_ns, (double)r->self_ns);
    double seen = fmax((double)r->self_ns - timed_ns, 0);
    r->cost_is_wide = false;
    r->cost_unknown = !r->account_known  ? "an older runtime recorded it"
                      : run_is_cut(r)    ? "the end of the run was not seen"
                      : !(cpu_ns > 0)    ? "the CPU time is not known"
                      : run_is_unsampled(model) ? "there are no samples"
                      : locks_are_much(model, cpu_ns) ? "threads contend for locks, and who comes first changes"
                      : forks_are_much(model, cpu_ns) ? "its forks cost the kernel more than without us"
                                         : NULL;
    if (r->cost_unknown)
        return;
    const struct part cold = cold_part(model, cpu_ns), part[PARTS] = {
        [FIXED] = fixed_part(r, seen),
        [SAMPLES] = samples_part(model, seen),
        [THREADS] = threads_part(r),
        [CALLS] = calls_part(r),
        [COLD] = cold,
        [CODE] = code_part(model, timed_ns, cold.ns, cpu_ns),
        [COUNTS] = counts_part(model),
        [SWITCHES] = switches_part(model),
        [FAULTS] = faults_part(model),
        [CHARACTERS] = characters_part(&model->coverage),
    };
    size_t worst = 0;
    for (size_t i = 0; i < PARTS; i++) {
        ns += part[i].ns;
        variance += part[i].reach * part[i].reach;
        worst = part[i].reach > part[worst].reach ? i : worst;
    }
    double low, high;
    interval_find(r, (struct part){ ns, sqrt(variance) }, &low, &high);
    r->self_ns = number_whole(fmin(low, cpu_ns));
    r->self_most_ns = number_whole(fmin(high, cpu_ns));
    if (!r->blocks_mean && heap_ns(r) > HEAP_MOST * cpu_ns)
        r->cost_unknown = "what an allocation costs is not known where a program does little else";
    else if (account_is_wide(r, low, high)) {
        r->cost_is_wide = !are_far_apart(r, low, high);
        r->cost_unknown = worst == CODE       ? code_doubt(model, timed_ns, cpu_ns)
                          : worst == SWITCHES ? switches_doubt(r)
                                              : doubts[worst];
    } else
        budget_tell(model, &part[COUNTS]);
}
