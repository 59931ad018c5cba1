/* SPDX-License-Identifier: MIT */
/* kernel.c: see kernel.h. Two sources tell where kernel time was spent.
 *
 * The runtime times calls of the C library. What such calls took by the clock, less waiting, and less what samples saw
 * of the library's own code in them, the kernel did for them. The calls that led there are known of some of them, which
 * stand for all (rt/sample/blocked.c).
 *
 * All else in the kernel is page faults and system calls that the runtime does not know. Between two samples the clock
 * tells how much of it there was (rt/sample/unseen.c). The lines of the two samples get half of it each. That is right
 * for a line that runs on for some samples, and fair to lines that take turns, but it blurs what each of these caused.
 * A line has it if that is no chance. So have all other lines together, each by its own part: in a short run no line
 * alone has enough of it. */
#include "estimate/kernel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "merge/pagefault.h"
#include "store/map.h"

#define SIGMAS 2        /* less unseen time of a line than this many errors may be chance */
#define REST_SIGMAS 1   /* the same of all lines of which that is so */
#define ROUNDING_NS 1.0 /* of sums of doubles: less than that is none */
#define CHANCE 2        /* errors by which sources may contradict each other */
#define TURNS_PART 0.01 /* of the kernel's time: lines with less take nothing from others */
#define LIKELY 0.5      /* of what others would have by halves, if the kernel's time was theirs */
/* What page faults take at most: one of 4 KB by itself and in times of a trial's, and one of 2 MB, of which a program
 * has no more than its memory holds, and none if that is small. */
#define FAULT_NS 4e3
#define FAULT_TRIALS 3
#define HUGE_FAULT_NS 400e3
#define HUGE_PAGE 2e6
#define HUGE_LEAST_RSS 8e6

static double square(double x) { return x * x; }

struct callsite {             /* a call in the program */
    double busy_ns, variance; /* by clocks */
    double user_ns;           /* by samples in the library that it called */
    double found_ns;          /* whose callers are known */
};
struct line {
    double unseen_ns, called_ns;
    double seen_ns;      /* of timed calls: what samples at this line saw in the library's code */
    double probed_ns;    /* part of unseen_ns, of samples in probes */
    double placeable_ns; /* of samples that are not in the runtime and may have it */
    double calls_ns;     /* kernel time of calls there */
    bool wraps;          /* samples were in the runtime, for it */
    double user_ns;
    double shared;         /* variance: it may be that of lines that take turns with this one */
    double counted, timed; /* variances by unseen_ns and by called_ns, which is mostly a part of that */
    double variance;
};
struct placing {
    struct model *model;
    struct map by_address, by_line;
    struct callsite *site;
    size_t site_count, site_capacity;
    struct line *line;
    size_t line_count, line_capacity;
};

static uint32_t *site_at(struct placing *p, uint64_t address, uint32_t module)
{
    struct {
        uint64_t address, module;
    } key = { address, module };
    return map_at(&p->by_address, &key, sizeof key);
}

static struct callsite *site_get(struct placing *p, uint64_t address, uint32_t module)
{
    uint32_t *found = site_at(p, address, module);
    return *found == MAP_FRESH ? NULL : &p->site[*found];
}

static void calls_add(struct placing *p)
{
    for (size_t i = 0; i < p->model->operation_count; i++) {
        const struct model_operation *o = &p->model->operation[i];
        const struct model_point *point = &p->model->point[o->point];
        if (!operation_is_call(o->kind) || !point->known || !o->sum.cpu_ns)
            continue;
        uint32_t *found = site_at(p, point->address, point->module);
        if (*found == MAP_FRESH) {
            *found = (uint32_t)p->site_count;
            *ARRAY_PUSH(p->site, p->site_count, p->site_capacity) = (struct callsite){ 0 };
        }
        p->site[*found].busy_ns += (double)o->sum.cpu_ns;
        p->site[*found].variance += o->sum.variance + o->sum.cpu_variance;
    }
}

/* Where the time of a callsite was known before, its samples share it as they did. */
static void calls_place(struct placing *p)
{
    struct model *model = p->model;
    for (size_t i = 0; i < model->sample_count; i++) {
        const struct model_sample *s = &model->sample[i];
        bool within = s->call || (s->library && !s->profiler);
        struct callsite *site = within ? site_get(p, s->address, s->module) : NULL;
        if (site && s->call)
            site->found_ns += s->system.ns;
        else if (site)
            site->user_ns += (double)s->ns;
    }
    for (size_t i = 0; i < model->sample_count; i++) {
        struct model_sample *s = &model->sample[i];
        const struct callsite *site = s->call ? site_get(p, s->address, s->module) : NULL;
        double kernel = site ? fmax(0, site->busy_ns - site->user_ns) : 0, part;
        if (!s->call)
            continue;
        part = site && site->found_ns > 0 ? s->system.ns / site->found_ns : 0;
        s->system = (struct value){ kernel * part, site ? part * site->variance : 0 };
    }
}

/* ---- between two samples, in the program's own code ---- */

/* The mean interval between the signals of an entry, by what they stand for. */
static double interval_of(const struct model_sample *s)
{
    return (double)s->ns / (double)s->count * ((double)s->count + s->excess) / (double)s->count;
}

static double signals_of(const struct model_sample *s)
{
    return (double)s->count / ((double)s->count + s->excess) * (double)s->count;
}

/* The variance of an entry's unseen time. All that the kernel took between two samples is at one line or at another by
 * chance, but for what calls explain. By events the runtime's own is known. */
static double unseen_variance(const struct model *model, const struct model_sample *s)
{
    bool timer = model->run.sample_source == PP_SAMPLE_TIMER;
    double more = s->unseen_ns - s->called_ns;
    return fmax(interval_of(s) * fabs(s->unseen_ns),
                timer || (!s->profiler && more > 0) ? square(more) / signals_of(s) : 0);
}

struct taker {                         /* samples of one kind */
    double user_ns, more_ns, variance; /* more_ns: unseen, beyond what calls and page faults may have taken */
    double samples;
};

static double faults_most_ns(const struct model *model, double faults)
{
    double rss = (double)model->run.peak_rss_bytes, huge = rss < HUGE_LEAST_RSS ? 0 : fmin(faults, rss / HUGE_PAGE);
    return faults * fmax(FAULT_NS, FAULT_TRIALS * (double)model->run.fault_ns) + huge * HUGE_FAULT_NS;
}

double kernel_unknown(const struct model *model, const struct model_sample *s)
{
    return fmax(0, s->unseen_ns - s->called_ns - faults_most_ns(model, s->faults));
}

/* In the program's code, at a known line, which makes no system call by itself. */
static bool is_own(const struct locations *where, const struct model_sample *s, size_t sample)
{
    return !s->library && where->place[where->of_sample[sample]].kind == PLACE_KNOWN_LINE;
}

/* What its own code has of a thread's unseen time, for each ns of others; 0: that may be right. Others would have half
 * of what lies between them and it, or as much for each of their samples, if the time was theirs. Of few samples the
 * times in between differ as much as they are long. */
static double moving(const struct taker *own, const struct taker *other)
{
    bool certain = own->more_ns > SIGMAS * sqrt(own->variance) && other->more_ns > SIGMAS * sqrt(other->variance);
    double likely = own->user_ns > 0 ? fmin(1, other->user_ns / own->user_ns) * own->more_ns : 0;
    double chance = certain ? SIGMAS * sqrt(1 / own->samples + 1 / other->samples) : 0;
    return certain && other->more_ns > LIKELY * (1 - chance) * likely ? own->more_ns / other->more_ns : 0;
}

/* ---- by line ---- */

/* The part of a sample that is in the time of a timed call: in the code of the library that was called. */
static double seen_of(struct placing *p, const struct model_sample *s)
{
    const struct callsite *site = s->library && !s->profiler && !s->call ? site_get(p, s->address, s->module) : NULL;
    return site && site->user_ns > 0 ? (double)s->ns * fmin(1, site->busy_ns / site->user_ns) : 0;
}

static struct line *line_of(struct placing *p, const struct locations *where, size_t sample)
{
    uint32_t place = where->of_sample[sample];
    const struct locate_step *user = locations_user(p->model, where, place, p->model->sample[sample].path);
    uint32_t line = user ? user->line : MODEL_NONE;
    uint32_t key[2] = { line, line == MODEL_NONE ? place : 0 };
    uint32_t *found = map_at(&p->by_line, key, sizeof key);
    if (*found == MAP_FRESH) {
        *found = (uint32_t)p->line_count;
        *ARRAY_PUSH(p->line, p->line_count, p->line_capacity) = (struct line){ 0 };
    }
    return &p->line[*found];
}

/* A loop of its own code and of a library's, which makes calls that no wrapper knows, as localtime asks for a file's
 * date: by halves both have of the kernel's time as their samples take turns. What page faults cannot have taken moves
 * to the library's samples. Lines that call one of our wrappers may ask the kernel, too, as by syscall. */
static void own_clear(struct placing *p, const struct locations *where)
{
    struct model *model = p->model;
    struct taker(*of)[2] = memory_zeroed(model->thread_count + 1, sizeof *of);
    for (size_t i = 0; i < model->sample_count; i++)
        if (model->sample[i].profiler)
            line_of(p, where, i)->wraps = true;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < model->sample_count; i++) {
            struct model_sample *s = &model->sample[i];
            struct taker *thread = of[s->thread < model->thread_count ? s->thread : model->thread_count];
            bool own = is_own(where, s, i) && !line_of(p, where, i)->wraps;
            double more = kernel_unknown(model, s);
            if (!s->count || s->profiler)
                continue;
            if (pass) {
                double part = moving(&thread[1], &thread[0]);
                s->unseen_ns += own && part > 0 ? -more : more * part;
                continue;
            }
            thread[own].user_ns += (double)s->ns;
            thread[own].more_ns += more;
            thread[own].samples += (double)s->count;
            thread[own].variance += interval_of(s) * fabs(s->unseen_ns);
        }
    free(of);
}

/* The part of the calls' time that samples saw. It is in `called_ns` as well as in samples. */
static double seen_part(struct placing *p)
{
    double called = 0, seen = 0;
    for (size_t i = 0; i < p->model->sample_count; i++) {
        called += p->model->sample[i].called_ns;
        seen += seen_of(p, &p->model->sample[i]);
    }
    return called > 0 ? fmin(1, seen / called) : 0;
}

/* In the runtime, which the program called as such. In a wrapped call of the C library it is the program's call. */
static bool is_in_probe(const struct locations *where, const struct model_sample *s, size_t sample)
{
    const char *callee = s->profiler ? where->place[where->of_sample[sample]].callee : NULL;
    return callee && strncmp(callee + strspn(callee, "_"), "profplug_", 9) == 0;
}

static void lines_add(struct placing *p, const struct locations *where)
{
    for (size_t i = 0; i < p->model->sample_count; i++) {
        const struct model_sample *s = &p->model->sample[i];
        struct line *l = line_of(p, where, i);
        if (s->call)
            l->calls_ns += s->system.ns;
        if (!s->count)
            continue;
        l->user_ns += s->profiler ? 0 : (double)s->ns;
        l->unseen_ns += s->unseen_ns;
        l->called_ns += s->called_ns;
        l->seen_ns += seen_of(p, s);
        l->probed_ns += is_in_probe(where, s, i) ? fmax(0, s->unseen_ns) : 0;
        l->placeable_ns += s->profiler ? 0 : fmax(0, s->unseen_ns);
        l->counted += unseen_variance(p->model, s);
        l->timed += interval_of(s) * s->called_ns;
    }
    for (size_t i = 0; i < p->line_count; i++)
        p->line[i].variance = fmax(p->line[i].counted, p->line[i].timed);
}

/* Unseen time of a line beyond that of calls; below 0: less. What samples saw of the calls is not unseen. Of a line
 * that runs on for some samples they saw it there. Of lines that take turns, each has a part of all. If the two
 * disagree, the calls explain it. */
static double line_excess(const struct line *l, double seen)
{
    double by_own = l->unseen_ns - l->called_ns + l->seen_ns, by_all = l->unseen_ns - l->called_ns * (1 - seen);
    return by_own > 0 && by_all > 0 ? fmin(by_own, by_all) : by_own < 0 && by_all < 0 ? fmax(by_own, by_all) : 0;
}

static bool is_certain(const struct line *l, double seen)
{
    return fabs(line_excess(l, seen)) > SIGMAS * sqrt(l->variance);
}

/* Less than its calls have by their clocks, by variances: that of the clocks is what samples do not explain. */
static double line_less(const struct line *l, double seen)
{
    double less = fmin(0, line_excess(l, seen));
    return less < 0 ? less * fmax(0, 1 - l->variance / square(less)) : 0;
}

/* What part of their unseen time beyond that of calls do lines have of which none is certain: the sum of all, those
 * with less than their calls among them, by the sum of those with more. 0: that sum may be chance, too. */
static double rest_part(const struct placing *p, double seen)
{
    double sum = 0, above = 0, variance = 0;
    for (size_t i = 0; i < p->line_count; i++) {
        double more = line_excess(&p->line[i], seen);
        if (is_certain(&p->line[i], seen))
            continue;
        sum += more - line_less(&p->line[i], seen);
        above += p->line[i].placeable_ns > 0 ? fmax(0, more) : 0;
        variance += p->line[i].variance;
    }
    return sum > REST_SIGMAS * sqrt(variance) && above > 0 ? fmin(1, sum / above) : 0;
}

/* What is unseen beside samples in probes is the runtime's, as the look at the heap where a stage ends. */
static double line_program(const struct line *l)
{
    return l->placeable_ns > 0 ? l->placeable_ns / (l->placeable_ns + l->probed_ns) : 0;
}

static double line_more(const struct line *l, double seen, double rest)
{
    double more = line_excess(l, seen);
    if (more < 0)
        return line_less(l, seen);
    return more * line_program(l) * (is_certain(l, seen) ? 1 : rest);
}

/* The variance of that. Where clocks and samples agree, neither is off by more than their difference. */
static double line_variance(const struct line *l, double seen)
{
    return is_certain(l, seen) ? l->variance : fmin(l->variance, square(line_excess(l, seen)));
}

/* What of that may be chance by samples alone. */
static double line_doubt(const struct line *l, double seen, double rest)
{
    return is_certain(l, seen) ? 0 : fmax(0, line_excess(l, seen)) * line_program(l) * (1 - rest);
}

/* Has one as much of it as the other, for its user time? */
static bool is_alike(const struct line *a, double a_ns, const struct line *b, double b_ns)
{
    double variance = a->variance / square(a->user_ns) + b->variance / square(b->user_ns);
    return square(a_ns / a->user_ns - b_ns / b->user_ns) <= square(SIGMAS) * variance;
}

/* A timer's signals are milliseconds apart. Lines that take turns meanwhile all have as much of the kernel's time, for
 * their user time, whichever caused it. So of lines that have as much as others each may have half of it by that. A
 * line with calls of the kernel, but without a signal, may have what lies between two of them. */
static void shared_find(struct placing *p, double seen, double rest)
{
    double *more = memory_zeroed(p->line_count + 1, sizeof *more), all = 0, left = 0, signals = 0;
    for (size_t i = 0; i < p->model->sample_count; i++) {
        const struct model_sample *s = &p->model->sample[i];
        left += s->count ? s->unseen_ns - s->called_ns : 0;
        signals += s->count ? signals_of(s) : 0;
    }
    for (size_t i = 0; i < p->line_count; i++)
        all += more[i] = p->line[i].user_ns > 0 ? fmax(0, line_more(&p->line[i], seen, rest)) : 0;
    for (size_t k = 0; k < p->line_count; k++)
        for (size_t i = 0; i < p->line_count && more[k] > TURNS_PART * all; i++)
            if (i != k && more[i] > 0 && is_alike(&p->line[i], more[i], &p->line[k], more[k]))
                p->line[i].shared += more[k];
    for (size_t i = 0; i < p->line_count; i++) {
        struct line *l = &p->line[i];
        l->shared = l->user_ns <= 0 ? square(fmax(0, left) / fmax(1, signals))
                    : more[i] > 0   ? square(more[i] / 2) * l->shared / (l->shared + more[i])
                                    : 0;
    }
    free(more);
}

/* System calls that the runtime made in wrapped calls are unseen, too, and are not in the time of these: what part of
 * the time that would go to lines is left without them. */
static double program_part(const struct placing *p, double seen, double rest)
{
    double sum = 0;
    for (size_t i = 0; i < p->line_count; i++)
        sum += fmax(0, line_more(&p->line[i], seen, rest));
    return sum > 0 ? fmax(0, 1 - (double)p->model->run.calls_ns / sum) : 1;
}

/* A call's time by its clock, less what samples do not find of it. Their own error and the difference is also that of
 * the clocks at most, and in proportion where samples saw a part of the calls. */
static void call_settle(struct model_sample *s, const struct line *l, double less, double difference)
{
    double part = s->system.ns / l->calls_ns, left = fmax(0, 1 + less / l->calls_ns),
           known = fmin(1, l->called_ns / l->calls_ns);
    s->doubt.variance = known > 0 ? (l->variance + square(difference)) * part / square(known) : INFINITY;
    s->system = (struct value){ s->system.ns * left, fmin(s->system.variance, s->doubt.variance) +
                                                         (less < 0 ? l->variance * left * part : 0) };
}

/* More than calls explain goes to the line's samples. Less means that its calls took less than their clocks say: they
 * are as short as the reading of a clock, or the thread was preempted in them. A line with more samples by chance has
 * more user time and more of the kernel's: `joint` is what both together vary beyond each alone. */
static void unseen_place(struct placing *p, const struct locations *where, double seen, double rest)
{
    double program = program_part(p, seen, rest), user_ns = (double)p->model->run.user_ns,
           user = user_ns / fmax(1, user_ns + (double)p->model->run.system_ns);
    for (size_t i = 0; i < p->model->sample_count; i++) {
        struct model_sample *s = &p->model->sample[i];
        const struct line *l = line_of(p, where, i);
        double more = line_more(l, seen, rest), variance = line_variance(l, seen), part;
        if (s->call && l->calls_ns > 0)
            call_settle(s, l, fmin(0, more), line_excess(l, seen));
        if (!s->call && !s->profiler && more > 0 && s->unseen_ns > 0) {
            part = s->unseen_ns / l->placeable_ns;
            s->system = (struct value){ more * part * program, (variance + l->shared) * part };
            s->joint = variance * part * user;
        }
        if (s->call && l->user_ns <= 0 && l->calls_ns > 0)
            s->system.variance += l->shared * s->system.ns / l->calls_ns;
        if (!s->call && !s->profiler && l->placeable_ns > 0 && s->unseen_ns > 0) {
            part = s->unseen_ns / l->placeable_ns;
            s->doubt = (struct value){ line_doubt(l, seen, rest) * part * program, variance * part };
        }
    }
}

/* Of a thread that switches often nothing is known between samples. It makes calls: their time is missing there. */
static void certainty_find(const struct placing *p, double seen, double rest)
{
    struct model_coverage *c = &p->model->coverage;
    double called = 0, busy = 0;
    bool any = false;
    for (size_t i = 0; i < p->line_count; i++) {
        c->unseen_variance += p->line[i].variance;
        c->unplaced_ns +=
            is_certain(&p->line[i], seen) ? 0 : line_excess(&p->line[i], seen) - line_less(&p->line[i], seen);
        called += p->line[i].called_ns;
        any = any || p->line[i].unseen_ns != 0;
    }
    /* after its last sample, the time of an interval may be missing in each thread */
    c->unseen_variance += (double)p->model->thread_count * square((double)p->model->run.sample_period_ns);
    c->unplaced_ns = rest > 0 ? 0 : fmax(0, c->unplaced_ns);
    for (size_t i = 0; i < p->site_count; i++)
        busy += p->site[i].busy_ns;
    c->unseen_known = called <= 0 && !any ? 0 : busy > 0 ? fmin(1, called / busy) : 1;
}

void kernel_place(struct model *model, const struct locations *where)
{
    struct placing p = { .model = model };
    own_clear(&p, where);
    calls_add(&p);
    calls_place(&p);
    lines_add(&p, where);
    double seen = seen_part(&p), rest = rest_part(&p, seen);
    if (model->run.sample_source == PP_SAMPLE_TIMER)
        shared_find(&p, seen, rest);
    unseen_place(&p, where, seen, rest);
    pagefaults_place(model, where);
    certainty_find(&p, seen, rest);
    for (size_t i = 0; i < model->sample_count; i++)
        model->coverage.placed_ns += model->sample[i].system.ns;
    map_free(&p.by_address);
    map_free(&p.by_line);
    free(p.site);
    free(p.line);
}

double *kernel_lines(const struct model *model, const struct locations *where)
{
    double *sum = memory_zeroed(model->sample_count + 1, sizeof *sum),
           *of = memory_zeroed(model->sample_count + 1, sizeof *of);
    for (unsigned pass = 0; pass < 2; pass++) {
        struct map rows = { 0 };
        uint32_t count = 0;
        for (size_t i = 0; i < model->sample_count; i++) {
            const struct model_sample *s = &model->sample[i];
            const struct locate_step *user = locations_user(model, where, where->of_sample[i], s->path);
            uint32_t key[2] = { s->probed_node, user ? user->line : MODEL_NONE }, *row = map_at(&rows, key, sizeof key);
            if (*row == MAP_FRESH)
                *row = count++;
            if (pass)
                of[i] = sum[*row];
            else
                sum[*row] += s->system.variance;
        }
        map_free(&rows);
    }
    free(sum);
    return of;
}

void kernel_stretch(struct model *model, double times)
{
    for (size_t i = 0; i < model->sample_count; i++) {
        struct model_sample *s = &model->sample[i];
        if (s->call)
            continue;
        model->coverage.placed_ns += s->system.ns * (times - 1);
        s->system = (struct value){ s->system.ns * times, s->system.variance * square(times) };
        s->joint *= square(times);
    }
}

void kernel_limit(struct model *model, double most_ns)
{
    double placed = model->coverage.placed_ns;
    for (size_t i = 0; i < model->sample_count && placed > most_ns; i++) {
        struct value *system = &model->sample[i].system;
        double excess = system->ns * (1 - most_ns / placed);
        *system = (struct value){ system->ns - excess, system->variance + excess * excess };
    }
    model->coverage.placed_ns = fmin(placed, most_ns);
}

/* So much is still on no line, and by clocks it is no chance: it goes where samples saw it, by as much as they did. */
static void doubt_settle(struct model *model, double left_ns)
{
    double doubt = 0, part;
    for (size_t i = 0; i < model->sample_count; i++)
        doubt += model->sample[i].doubt.ns;
    part = doubt > 0 && left_ns >= ROUNDING_NS ? fmin(1, left_ns / doubt) : 0;
    for (size_t i = 0; i < model->sample_count && part > 0; i++) {
        struct model_sample *s = &model->sample[i];
        s->system.ns += s->doubt.ns * part;
        s->system.variance += s->doubt.ns > 0 ? s->doubt.variance * part : 0;
        model->coverage.placed_ns += s->doubt.ns * part;
    }
    model->coverage.unplaced_ns *= 1 - part;
}

/* The clock of a call has what its thread was ready to run and had no CPU, as where a thread that it wakes takes it. If
 * sources are more than the CPU time, it may be that: the variance that explains it, of the calls of such threads, as
 * far as samples allow it. */
static double calls_doubt(struct model *model, double excess_ns)
{
    double *called = memory_zeroed(model->thread_count + 1, sizeof *called), most = 0, doubt, sum = 0;
    for (size_t i = 0; i < model->sample_count; i++)
        if (model->sample[i].call && model->sample[i].thread < model->thread_count)
            called[model->sample[i].thread] += model->sample[i].system.ns;
    for (size_t i = 0; i < model->thread_count; i++)
        most += fmin(called[i], (double)model->thread[i].delay_ns);
    doubt = square(fmin(most, fmax(0, excess_ns)));
    for (size_t i = 0; i < model->sample_count && doubt > 0; i++) {
        struct model_sample *s = &model->sample[i];
        double had = s->call && s->thread < model->thread_count ? called[s->thread] : 0, more;
        if (had <= 0)
            continue;
        more = doubt * s->system.ns / most * fmin(1, (double)model->thread[s->thread].delay_ns / had);
        more = fmin(more, s->doubt.variance);
        s->system.variance += more;
        sum += more;
    }
    free(called);
    return sum;
}

double kernel_settle(struct model *model, double off_ns, double user_variance, double kernel_ns)
{
    struct model_coverage *c = &model->coverage;
    double placed = 0, whole = off_ns + c->placed_ns, unknown = (1 - c->unseen_known) * kernel_ns;
    for (size_t i = 0; i < model->sample_count; i++)
        placed += model->sample[i].system.variance;
    off_ns -= c->unplaced_ns;
    /* what stands on no line can give nothing where there is none */
    double lineless = off_ns < 0 && c->unplaced_ns <= 0 ? 0 : c->unseen_variance;
    double all = user_variance + fmax(placed, lineless) + square(unknown);
    if (c->unseen_known <= 0 || all <= 0)
        return 0;
    all += calls_doubt(model, -off_ns);
    c->settled_variance = fabs(off_ns) <= CHANCE * sqrt(all) ? all : 0;
    off_ns = fmax(-CHANCE * sqrt(all), fmin(CHANCE * sqrt(all), off_ns)); /* more than that is no chance */
    c->placed_ns = 0;
    for (size_t i = 0; i < model->sample_count; i++) {
        struct value *system = &model->sample[i].system;
        system->ns = fmax(0, system->ns + off_ns * system->variance / all);
        c->placed_ns += system->ns;
    }
    double user_ns = off_ns * user_variance / all;
    doubt_settle(model, whole - c->placed_ns - user_ns);
    return user_ns;
}
