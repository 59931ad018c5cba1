/* SPDX-License-Identifier: MIT */
/* reconcile.c: see reconcile.h.
 *
 * A sample on a line that its own counters say was never reached is an error of the line table, or of the unwinding
 * that led to the line: the optimizer moved an instruction, and its line with it. It is counted and shown, and its time
 * goes to the function's remainder: where the instruction came from nobody knows, and a neighbouring line would carry
 * an error without saying so.
 *
 * On a line that was reached so rarely that its own code cannot have taken the time, samples are in an instruction of
 * it that the optimizer put among those of a loop, or behind one that takes long: an interrupt comes before the
 * instruction that follows. The numbers stay, since nobody knows whose it is; a note says so.
 *
 * Of a run that was cut off, hits may be missing that were still in registers: there nothing is held against a line.
 *
 * A stage that only computes has more time by its samples, as often as not, than its CPU clock has. A thread has as
 * much user and kernel time as its clock.
 *
 * Kernel time between two samples stands at the lines of these, by halves. What stays in the kernel for milliseconds,
 * in a call that nobody wraps, and has little code of its own is met by none, and what runs beside it has its time. But
 * clocks tell how long each node of the call tree had a CPU. */
#include "estimate/reconcile.h"
#include "estimate/kernel.h"
#include "estimate/region.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "store/map.h"
#include "words/plural.h"

static bool hits_are_whole(const struct model *model)
{
    return model->has_hits && model->run.sealed && model->run.exit_kind == MODEL_EXIT_EXIT &&
           !model->run.losses[PP_LOSS_DISK] && !model->run.losses[PP_LOSS_MEMORY];
}

static void strays_take(struct model *model)
{
    for (size_t i = 0; i < model->line_count; i++) {
        struct model_line *line = &model->line[i];
        if (!line->hits_known || line->hits || !line->samples)
            continue;
        line->stray_samples = line->samples;
        model->coverage.stray += line->samples;
        line->samples = 0;
        line->total.ns = fmax(0, line->total.ns - line->self.ns);
        line->total_samples -= line->stray_samples < line->total_samples ? line->stray_samples : line->total_samples;
        line->self = line->booked = (struct value){ 0, 0 };
        line->library_ns = 0;
        line->callee_count = 0;
        for (uint32_t inner = line->inner; inner; inner = model->inner[inner].next)
            model->inner[inner].samples = 0, model->inner[inner].self_ns = 0;
    }
}

/* If the disk was full, the runtime continued in private memory, and without memory nowhere. Samples that were taken
 * then are lost. */
void samples_miss(struct model *model)
{
    struct model_run *run = &model->run;
    uint64_t known = model->coverage.samples + run->losses[PP_LOSS_SAMPLES];
    if ((run->losses[PP_LOSS_DISK] || run->losses[PP_LOSS_MEMORY]) && run->events_sampled > known)
        run->losses[PP_LOSS_SAMPLES] += run->events_sampled - known;
}

#define SURE 2   /* errors of a clock that was read at some of the entries, and of samples */
#define PASSES 8 /* what a region gives can bring others to their bound */

/* INFINITY: not known. */
static double most_of(struct value clock) { return clock.ns > 0 ? clock.ns + SURE * sqrt(clock.variance) : INFINITY; }

/* A process that a signal ended did not read its CPU time then. Threads and samples may know more: what they are sure
 * of, and no more than its threads could take. */
void regions_complete(struct regions *r)
{
    struct model_run *run = &r->model->run;
    uint64_t threads = 0, known = number_whole(fmax(0, r->booked_ns - SURE * sqrt(r->squares_ns2))),
             most = run->wall_ns * (run->thread_count ? run->thread_count : 1);
    for (size_t i = 0; i < r->model->thread_count; i++)
        threads += r->model->thread[i].cpu_ns;
    if (threads > run->system_ns && threads - run->system_ns > known)
        known = threads - run->system_ns;
    most = most > run->system_ns ? most - run->system_ns : 0;
    known = known < most ? known : most;
    if (known > run->user_ns)
        run->user_ns = known;
}

/* What samples say beyond the clock was chance, and regions below theirs have it. An estimate that exceeds its bound by
 * d with the error s is near the bound: its error shrinks to s * s / (s + d). */
void regions_reconcile(struct regions *r, const struct value *clock)
{
    for (unsigned pass = 0; pass < PASSES; pass++) {
        double over = 0, room = 0;
        for (size_t i = 0; i <= r->model->stage_count; i++) {
            double user = r->region[i].user.ns, most = most_of(clock[i]);
            over += user > most ? user - most : 0;
            room += user < most ? user : 0;
        }
        for (size_t i = 0; i <= r->model->stage_count && over > 0 && room > 0; i++) {
            struct value *user = &r->region[i].user;
            double most = most_of(clock[i]), error = sqrt(user->variance);
            if (user->ns > most) {
                user->variance *= error > 0 ? pow(error / (error + user->ns - most), 2) : 1;
                user->ns = most;
            } else if (user->ns < most) {
                user->ns *= 1 + over / room;
            }
        }
    }
}

/* ---- threads ---- */

#define KNOWN 0.97    /* of the run's CPU time, at least: what the rows of its threads have */
#define ALONE 0.95    /* of it in one thread, at most: else the run's CPU time tells as much */
#define ELSEWHERE 0.02 /* of the samples' time, at most: of no known thread */
#define OWN_SIGMA 0.5 /* of what the profiler did in a thread */
#define CLOCK_SIGMA 0.01 /* of a thread's time: what is in it beside all that it did */
#define CHANCE 4      /* errors by which threads and the kernel's ticks may differ in the user time */

struct group { /* threads one after the other, with the same tables */
    double clock_ns, own_ns, doubt_ns, doubt_variance, doubt_part;
    struct value user, kernel;
    double more_user, more_kernel, free; /* what they get, and the variance of how it is split */
    double placed_ns;                    /* kernel time, as it is then */
};
struct part { /* what a sum has of a group, or of no group */
    struct value *to;
    const struct group *of;
    double ns;
};
struct groups {
    struct group *group;
    uint32_t *of; /* by thread */
    size_t count;
    struct map at; /* (sum, group) -> part */
    struct part *part;
    size_t part_count, part_capacity;
};

static double square(double x) { return x * x; }

static struct group *group_of(const struct groups *g, const struct model *model, const struct model_sample *s)
{
    return s->thread < model->thread_count ? &g->group[g->of[s->thread]] : NULL;
}

/* Whether the clocks of several groups tell the run's CPU time. */
static bool groups_open(struct groups *g, const struct model *model)
{
    struct map at = { 0 };
    double cpu = (double)(model->run.user_ns + model->run.system_ns), known = 0, most = 0;
    g->group = memory_zeroed(model->thread_count + 1, sizeof *g->group);
    g->of = memory_zeroed(model->thread_count + 1, sizeof *g->of);
    for (size_t i = 0; i < model->thread_count; i++) {
        const struct model_thread *t = &model->thread[i];
        uint32_t *found = map_at(&at, &t->block, sizeof t->block);
        if (*found == MAP_FRESH)
            *found = (uint32_t)g->count++;
        g->of[i] = *found;
        g->group[*found].clock_ns += (double)t->cpu_ns;
        known += (double)t->cpu_ns;
        most = fmax(most, g->group[*found].clock_ns);
    }
    map_free(&at);
    for (size_t i = 0; i < g->count && known > 0; i++)
        g->group[i].own_ns = regions_own(&model->run) * g->group[i].clock_ns / known;
    return known >= KNOWN * cpu && cpu >= KNOWN * known && most < ALONE * known;
}

/* Adds up each group's time by samples and by the clocks of calls. False: not all samples belong to one. */
static bool groups_sum(struct groups *g, const struct model *model, double lost)
{
    struct value all = { 0, 0 }, elsewhere = { 0, 0 };
    for (size_t i = 0; i < model->sample_count; i++) {
        const struct model_sample *s = &model->sample[i];
        struct group *of = group_of(g, model, s);
        region_book(s, of ? &all : &elsewhere);
        if (!of)
            continue;
        struct value user = { 0, 0 };
        region_book(s, &user);
        of->user.ns += user.ns * lost;
        of->user.variance += user.variance * square(lost);
        of->kernel.ns += s->system.ns;
        of->kernel.variance += s->system.variance;
        of->doubt_ns += s->doubt.ns;
        of->doubt_variance += s->doubt.ns > 0 ? s->doubt.variance : 0;
    }
    return elsewhere.ns <= ELSEWHERE * all.ns;
}

/* Kernel time that may be chance by samples alone is none, as far as the clock says that it is missing. Then both agree
 * with the clock, each by its variance. */
static void group_settle(struct group *g)
{
    double left = g->clock_ns - g->own_ns - g->user.ns - g->kernel.ns;
    if (g->doubt_ns > 0 && left > 0) {
        g->doubt_part = fmin(1, left / g->doubt_ns);
        g->kernel.ns += g->doubt_part * g->doubt_ns;
        g->kernel.variance += g->doubt_part * g->doubt_variance;
        left -= g->doubt_part * g->doubt_ns;
    }
    struct value *user = &g->user, *kernel = &g->kernel;
    double own = square(OWN_SIGMA * g->own_ns), all = user->variance + kernel->variance;
    if (all <= 0) { /* nothing says how sure they are: each as much as it has */
        user->variance = square(user->ns);
        kernel->variance = square(kernel->ns);
        all = user->variance + kernel->variance;
    }
    if (all <= 0)
        return;
    left -= fmax(-g->own_ns, fmin(g->own_ns, left * own / (all + own)));
    g->more_user = fmax(-user->ns, left * user->variance / all);
    g->more_kernel = fmax(-kernel->ns, left * kernel->variance / all);
    g->free = user->variance * kernel->variance / all;
}

/* The kernel's ticks tell how all user time is split from the kernel's. Returns the variance of the user time. */
static double groups_split(struct groups *g, const struct model *model)
{
    struct value ticks = regions_split(model);
    double user = 0, all = 0, more;
    for (size_t i = 0; i < g->count; i++) {
        user += g->group[i].user.ns + g->group[i].more_user;
        all += g->group[i].free;
    }
    if (all <= 0 || fabs(ticks.ns - user) > CHANCE * sqrt(all + ticks.variance))
        return all;
    more = (ticks.ns - user) / (all + ticks.variance);
    for (size_t i = 0; i < g->count; i++) {
        struct group *of = &g->group[i];
        double moved = fmax(-of->user.ns - of->more_user, fmin(of->kernel.ns + of->more_kernel, more * of->free));
        of->more_user += moved;
        of->more_kernel -= moved;
    }
    return all * ticks.variance / (all + ticks.variance);
}

static void sample_settle(struct model_sample *s, const struct group *g, double lost)
{
    if (s->doubt.ns > 0) {
        s->system.ns += s->doubt.ns * g->doubt_part;
        s->system.variance += s->doubt.variance * g->doubt_part;
        s->doubt.ns *= 1 - g->doubt_part;
    }
    if (g->user.ns > 0)
        s->ns = number_whole((double)s->ns * lost * fmax(0, 1 + g->more_user / g->user.ns));
    if (g->kernel.ns <= 0)
        return;
    double part = s->system.variance > 0 ? s->system.variance / g->kernel.variance : s->system.ns / g->kernel.ns;
    s->system.ns = fmax(0, s->system.ns + g->more_kernel * part);
    s->system.variance += fmax(0, square(g->more_kernel) - g->kernel.variance) * part; /* they contradict the clock */
}

static void groups_free(struct groups *g)
{
    map_free(&g->at);
    free(g->part);
    free(g->group);
    free(g->of);
    free(g);
}

/* A thread's CPU clock is exact. What samples and the clocks of calls say of it agrees with that before they are added
 * up over all threads: else what they are off in one would be taken from others, or given to them. */
void threads_reconcile(struct regions *r, struct model *model)
{
    struct groups *g = memory_zeroed(1, sizeof *g);
    double lost = regions_lost(model), placed = 0;
    if (!groups_open(g, model) || !groups_sum(g, model, lost)) {
        groups_free(g);
        return;
    }
    r->groups = g;
    for (size_t i = 0; i < g->count; i++) {
        group_settle(&g->group[i]);
        model->coverage.unplaced_ns -= g->group[i].doubt_part * g->group[i].doubt_ns;
    }
    r->by_threads = fmax(1, groups_split(g, model));
    for (size_t i = 0; i < model->sample_count; i++) {
        struct model_sample *s = &model->sample[i];
        struct group *of = group_of(g, model, s);
        if (of)
            sample_settle(s, of, lost);
        if (of)
            of->placed_ns += s->system.ns;
    }
    for (size_t i = 0; i < model->sample_count; i++) {
        struct model_sample *s = &model->sample[i];
        struct group *of = group_of(g, model, s);
        if (of && of->placed_ns > 0) /* none has less than nothing, which leaves the others less */
            s->system.ns *= (of->kernel.ns + of->more_kernel) / of->placed_ns;
        placed += s->system.ns;
    }
    model->coverage.placed_ns = placed;
    model->coverage.unplaced_ns = fmax(0, model->coverage.unplaced_ns);
}

void threads_share(struct regions *r, const struct model_sample *sample, struct value *to)
{
    struct groups *g = r->groups;
    if (!g)
        return;
    struct {
        uint64_t to, of;
    } key = { (uint64_t)(uintptr_t)to, (uint64_t)(uintptr_t)group_of(g, r->model, sample) };
    uint32_t *found = map_at(&g->at, &key, sizeof key);
    if (*found == MAP_FRESH) {
        *found = (uint32_t)g->part_count;
        *ARRAY_PUSH(g->part, g->part_count, g->part_capacity) =
            (struct part){ .to = to, .of = group_of(g, r->model, sample) };
    }
    g->part[*found].ns += (double)sample->ns + sample->system.ns;
}

static double least_of(const struct group *g) { return fmax(g->own_ns, CLOCK_SIGMA * g->clock_ns); }

/* A sum is not farther off than by all that the others have of its threads. If it has all of a thread's time, it has
 * the error of what the profiler did there. */
void threads_bound(struct regions *r)
{
    struct groups *g = r->groups;
    struct map at = { 0 };
    struct value **to = g ? memory_zeroed(g->part_count + 1, sizeof *to) : NULL;
    double *most = g ? memory_zeroed(g->part_count + 1, sizeof *most) : NULL;
    uint32_t count = 0;
    for (size_t i = 0; g && i < g->part_count; i++) {
        const struct part *p = &g->part[i];
        uint64_t key = (uint64_t)(uintptr_t)p->to;
        uint32_t *found = map_at(&at, &key, sizeof key);
        if (*found == MAP_FRESH)
            to[*found = count++] = p->to;
        most[*found] += p->of ? square(fmax(0, p->of->clock_ns - p->ns)) + square(least_of(p->of)) : INFINITY;
    }
    for (uint32_t i = 0; i < count; i++)
        to[i]->variance = fmin(to[i]->variance, most[i]);
    map_free(&at);
    free(to);
    free(most);
    if (g)
        groups_free(g);
    r->groups = NULL;
}

/* ---- nodes ---- */

#define NODE_SIGMA 0.03 /* of a node's clock */
#define OFF_SIGMA 0.005 /* of what it had no CPU */
#define CLEAR 5         /* errors of clocks and samples: what is less may be chance */
#define MIXED_SIGMA 0.5 /* of time on no line, if functions that are not timed ran in the node */
#define ROUNDING_NS 1.0 /* of sums of doubles, */
#define ROUNDING 1e-9   /* and in parts of them */
#define CLEAR_PART 0.02 /* of the run's CPU time: less is not worth it, */
#define CLEAR_NS 10e6   /* nor is less than that */

struct node_time { /* of a node's own activations */
    double clock_ns, user_ns, user_variance;
    double calls_ns, between_ns; /* kernel time: of calls with a clock, and between samples */
    struct value left;           /* what the clock leaves for that between samples */
    double lacks_ns, takes_ns, gives_ns;
    double variance; /* of clocks alone */
    double weight;   /* of its samples beside the kernel's time */
    bool mixed;      /* samples met functions in it that are not timed: it may be theirs */
};

static double node_clock(const struct model_node *n) { return (double)n->self_ns - (double)n->off_ns - n->paused.ns; }

/* Of each node, what its clock leaves beside all that is known. Returns what all clocks together have beyond the CPU
 * time. *missed: what no source has of that, beyond chance, as of threads without samples. */
static double nodes_time(const struct model *model, struct node_time *time, double lost, double *missed)
{
    struct value user = { 0, 0 };
    double cpu = (double)(model->run.user_ns + model->run.system_ns), own = regions_own(&model->run), kernel = 0, each,
           sum;
    for (size_t i = 0; i < model->sample_count; i++) {
        const struct model_sample *s = &model->sample[i];
        struct node_time *t = &time[s->probed_node];
        struct value booked = { 0, 0 };
        if (s->count) /* else clocks said it: nodes_meet */
            region_book(s, &booked);
        user.ns += booked.ns * lost;
        user.variance += booked.variance * square(lost);
        kernel += s->system.ns + s->doubt.ns;
        t->user_ns += booked.ns * lost;
        t->user_variance += booked.variance * square(lost);
        t->calls_ns += s->call ? s->system.ns : 0;
        t->variance += s->call ? s->system.variance : 0;
        t->between_ns += s->call ? 0 : (s->system.ns + s->doubt.ns) * lost;
    }
    *missed = fmax(0, cpu - own - user.ns - kernel - CLEAR * sqrt(user.variance));
    each = user.ns > 0 ? user.variance / user.ns : 0;
    sum = time[0].user_ns + time[0].calls_ns + time[0].between_ns - cpu;
    for (size_t i = 1; i < model->node_count; i++) {
        const struct model_node *n = &model->node[i];
        struct node_time *t = &time[i];
        t->clock_ns = node_clock(n);
        t->variance += square(NODE_SIGMA * t->clock_ns) + square(OFF_SIGMA * (double)n->off_ns) + n->paused.variance;
        t->left.ns = t->clock_ns - t->user_ns - t->calls_ns - (user.ns > 0 ? own * t->user_ns / user.ns : 0);
        /* no sample is no certainty: by chance user time may have none */
        t->left.variance = t->variance + fmax(t->user_variance, fmax(0, t->clock_ns) * each);
        sum += t->clock_ns;
    }
    return sum;
}

/* Is it a sample of the program's own code, which kernel time between samples can stand beside? */
static bool is_near(const struct model_sample *s) { return s->count && !s->call && !s->profiler; }

/* A sample at a line that runs on has its part of all the kernel's time between samples by chance. One beside long
 * stays in the kernel has more. */
static double sample_weight(const struct model *model, const struct model_sample *s, double usual)
{
    return is_near(s) ? fmax(0, kernel_unknown(model, s) - usual * (double)s->ns) : 0;
}

static double usual_find(const struct model *model)
{
    double unknown = 0, user = 0;
    for (size_t i = 0; i < model->sample_count; i++) {
        const struct model_sample *s = &model->sample[i];
        unknown += is_near(s) ? kernel_unknown(model, s) : 0;
        user += is_near(s) ? (double)s->ns : 0;
    }
    return user > 0 ? unknown / user : 0;
}

static double signals_of(const struct model_sample *s)
{
    return (double)s->count / ((double)s->count + s->excess) * (double)s->count;
}

static bool node_gives(const struct node_time *t, double ns)
{
    return t->lacks_ns <= 0 && (ns > 0 ? t->gives_ns < t->between_ns : t->gives_ns > 0);
}

/* Nodes that do not lack have `ns` too much together. Each gives what its clock says. If that is more or less, it is
 * off by chance, by the variance of what the clock leaves. */
static void nodes_give(struct node_time *time, size_t count, double ns)
{
    for (size_t i = 1; i < count; i++) {
        struct node_time *t = &time[i];
        t->gives_ns = t->lacks_ns > 0 ? 0 : fmin(t->between_ns, fmax(0, t->between_ns - t->left.ns));
        ns -= t->gives_ns;
    }
    for (unsigned pass = 0; pass < PASSES && fabs(ns) > ROUNDING_NS; pass++) {
        double variance = 0, part;
        for (size_t i = 1; i < count; i++)
            variance += node_gives(&time[i], ns) ? time[i].left.variance : 0;
        part = variance > 0 ? ns / variance : 0;
        for (size_t i = 1; i < count; i++) {
            struct node_time *t = &time[i];
            double more = fmin(t->between_ns - t->gives_ns, fmax(-t->gives_ns, part * t->left.variance));
            if (!node_gives(t, ns))
                continue;
            t->gives_ns += more;
            ns -= more;
        }
    }
}

/* Takes from samples what their nodes give. Returns what that is; by thread in *from. */
static double samples_give(struct model *model, const struct node_time *time, double lost, double *from)
{
    double given = 0;
    for (size_t i = 0; i < model->sample_count; i++) {
        struct model_sample *s = &model->sample[i];
        const struct node_time *t = &time[s->probed_node];
        if (s->call || t->gives_ns <= 0)
            continue;
        double had = s->system.ns + s->doubt.ns, of = had * lost / t->between_ns,
               kept = 1 - t->gives_ns / t->between_ns;
        from[s->thread < model->thread_count ? s->thread : model->thread_count] += had * (1 - kept);
        given += had * (1 - kept);
        model->coverage.placed_ns -= s->system.ns * (1 - kept);
        model->coverage.unplaced_ns = fmax(0, model->coverage.unplaced_ns - s->doubt.ns * (1 - kept));
        s->system.ns *= kept;
        s->system.variance = fmin(s->system.variance, t->left.variance * of);
        s->joint *= square(kept);
        s->doubt.ns *= kept;
        s->doubt.variance *= square(kept);
    }
    return given;
}

/* A node without a sample near that time in the thread: `part` of it is its function's, on no line. */
static void placeless_add(struct model *model, struct locations *where, uint32_t node, uint32_t thread,
                          const struct node_time *t, double part)
{
    size_t count = model->sample_count;
    double ns = t->takes_ns * part;
    where->of_sample = array_extended(where->of_sample, count, count + 1, sizeof *where->of_sample);
    where->of_sample[count] = (uint32_t)where->place_count;
    *ARRAY_PUSH(where->place, where->place_count, where->place_capacity) =
        (struct locate_place){ .kind = PLACE_OUTSIDE, .user = MODEL_NONE };
    *ARRAY_PUSH(model->sample, model->sample_count, model->sample_capacity) =
        (struct model_sample){ .node = node,
                               .probed_node = node,
                               .function = MODEL_NONE,
                               .line = MODEL_NONE,
                               .thread = thread,
                               .system = { ns, t->variance * part },
                               .astray = square(MIXED_SIGMA * ns),
                               .mixed = t->mixed };
}

static void mixed_find(const struct model *model, const struct locations *where, struct node_time *time)
{
    for (size_t i = 0; i < model->sample_count; i++) {
        const struct model_sample *s = &model->sample[i];
        const struct locate_step *user = locations_user(model, where, where->of_sample[i], s->path);
        uint32_t node = s->probed_node;
        while (node && model->function[model->node[node].function].kind > PP_SITE_STAGE)
            node = model->node[node].parent;
        if (s->count && !s->profiler && user && node && user->function != model->node[node].function)
            time[s->probed_node].mixed = true;
    }
}

/* Nodes that lack time get `part` of theirs in a thread that gave as much. */
static void thread_takes(struct model *model, struct locations *where, struct node_time *time, uint32_t thread,
                         double part, double usual)
{
    size_t count = model->sample_count;
    for (size_t i = 0; i < model->node_count; i++)
        time[i].weight = 0;
    for (size_t i = 0; i < count; i++)
        if (model->sample[i].thread == thread)
            time[model->sample[i].probed_node].weight += sample_weight(model, &model->sample[i], usual);
    for (size_t i = 0; i < count; i++) {
        struct model_sample *s = &model->sample[i];
        const struct node_time *t = &time[s->probed_node];
        bool takes = s->thread == thread && t->takes_ns > 0 && t->weight > 0;
        double of = takes ? part * sample_weight(model, s, usual) / t->weight : 0;
        if (!s->count && !s->call && t->takes_ns > 0)
            s->ns = 0;
        if (of <= 0)
            continue;
        s->system.ns += t->takes_ns * of;
        s->system.variance = t->variance * of;
        s->astray = square(t->takes_ns * of) / signals_of(s);
        s->mixed = t->mixed;
    }
    for (uint32_t i = 1; i < model->node_count; i++)
        if (time[i].takes_ns > 0 && time[i].weight <= 0)
            placeless_add(model, where, i, thread, &time[i], part);
}

/* Which nodes clearly lack time. Returns how much, all together. */
static double lacks_find(const struct model *model, struct node_time *time, double off)
{
    double least = fmax(CLEAR_NS, CLEAR_PART * (double)(model->run.user_ns + model->run.system_ns)), lacks = 0;
    for (size_t i = 1; i < model->node_count; i++) {
        struct node_time *t = &time[i];
        double more = t->left.ns - t->between_ns;
        if (more > fmax(least, CLEAR * sqrt(t->left.variance + square(off))))
            lacks += t->lacks_ns = more;
    }
    return lacks;
}

void nodes_reconcile(struct model *model, struct locations *where)
{
    struct node_time *time = memory_zeroed(model->node_count + 1, sizeof *time);
    double *from = memory_zeroed(model->thread_count + 1, sizeof *from), lost = regions_lost(model), missed,
           off = nodes_time(model, time, lost, &missed),
           lacks = model->run.off_known ? lacks_find(model, time, off) : 0, given = 0, usual = usual_find(model);
    if (lacks > fmax(0, off) + missed) {
        nodes_give(time, model->node_count, lacks - fmax(0, off) - missed);
        given = samples_give(model, time, lost, from);
        mixed_find(model, where, time);
    }
    for (size_t i = 1; i < model->node_count && given > 0; i++) {
        struct node_time *t = &time[i];
        t->takes_ns = given * t->lacks_ns / lacks;
        t->variance += square(t->lacks_ns - t->takes_ns) + square(off * t->lacks_ns / lacks);
        model->coverage.placed_ns += t->takes_ns;
    }
    for (size_t i = 0; i <= model->thread_count; i++)
        if (from[i] > 0)
            thread_takes(model, where, time, i < model->thread_count ? (uint32_t)i : MODEL_NONE, from[i] / given,
                         usual);
    free(from);
    free(time);
}

#define STATEMENT_NS 5000 /* what no statement takes by itself: some misses of the cache and of the TLB */
#define FEWEST 10         /* samples, below which chance may do it */

static void displaced_tell(struct model *model)
{
    for (size_t i = 0; i < model->line_count; i++) {
        const struct model_line *line = &model->line[i];
        double own = line->self.ns - line->library_ns - line->system_ns;
        if (!line->hits_known || !line->hits || line->samples < FEWEST || own < STATEMENT_NS * (double)line->hits)
            continue;
        const char *name = strrchr(line->file, '/');
        model_notice(
            model,
            "%s:%u: %.1f ms of its own in %llu hit%s, %.1f us each, is more than a statement takes: the compiler "
            "placed code of that line within a loop, probably, and the time is of the lines around it there",
            name ? name + 1 : line->file, line->line, own / 1e6, (unsigned long long)line->hits,
            plural(line->hits, "", "s"), own / 1e3 / (double)line->hits);
    }
}

void settle(struct model *model)
{
    double *on_lines = memory_zeroed(model->function_count, sizeof *on_lines),
           *system_ns = memory_zeroed(model->function_count, sizeof *system_ns);
    uint64_t *samples = memory_zeroed(model->function_count, sizeof *samples);
    if (hits_are_whole(model)) {
        strays_take(model);
        displaced_tell(model);
    }
    for (size_t i = 0; i < model->line_count; i++) {
        on_lines[model->line[i].function] += model->line[i].self.ns;
        system_ns[model->line[i].function] += model->line[i].system_ns;
        samples[model->line[i].function] += model->line[i].samples;
    }
    for (size_t i = 0; i < model->function_count; i++) {
        struct model_function *f = &model->function[i];
        double more_ns = fmax(0, f->self.ns - on_lines[i]);
        f->remainder_ns = f->samples > samples[i] || more_ns > fmax(ROUNDING_NS, ROUNDING * f->self.ns) ? more_ns : 0;
        f->remainder_system_ns = fmin(f->remainder_ns, fmax(0, f->system_ns - system_ns[i]));
    }
    free(on_lines);
    free(system_ns);
    free(samples);
}
