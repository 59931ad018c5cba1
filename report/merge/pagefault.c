/* SPDX-License-Identifier: MIT */
/* pagefault.c: see pagefault.h. Signals of an event on page faults tell the places of these (rt/sample/faulting.c).
 *
 * What page faults take is kernel time between samples, of which each sample's line has half. Lines that take turns so
 * have that of others. The faults between two samples are known, too: had they been shared by halves, each line would
 * have so many. Where it has fewer, what the difference took moves to lines that have more. */
#include "merge/pagefault.h"

#include <math.h>
#include <stdlib.h>

#include "store/map.h"

#define SIGMAS 2        /* less faults of a line than this many errors may be chance */
#define SIGNALS_LEAST 4 /* with fewer nothing is known of lines, */
#define MOVED_SIGNALS 8 /* nor is time moved */
#define TRIAL_MOST 3    /* times what a first touch took in the trial */
#define HUGE_LEAST 8    /* times that */

static double square(double x) { return x * x; }

struct place { /* samples of a line, or of a place without one */
    uint32_t line;
    double halves, halved;      /* page faults by halves, and those while the event counted */
    struct value placed, shown; /* by signals; of these, within the stages that are shown */
    struct value kernel;        /* time of samples */
};
struct faulting {
    struct model *model;
    struct map by_line;
    struct place *place;
    uint32_t *of; /* by sample */
    size_t count, capacity;
    double placed, halved; /* page faults in all, by signals, and by halves meanwhile */
};

static uint32_t place_find(struct faulting *f, uint32_t line, uint32_t at)
{
    uint32_t key[2] = { line, line == MODEL_NONE ? at : 0 }, *found = map_at(&f->by_line, key, sizeof key);
    if (*found == MAP_FRESH) {
        *found = (uint32_t)f->count;
        *ARRAY_PUSH(f->place, f->count, f->capacity) = (struct place){ .line = line };
    }
    return *found;
}

/* Time between samples in the runtime, which a line called, is that line's, and so are faults by halves. Those whose
 * signals came in the runtime are its own. */
static void places_add(struct faulting *f, const struct locations *where)
{
    struct model *model = f->model;
    for (size_t i = 0; i < model->sample_count; i++) {
        const struct model_sample *s = &model->sample[i];
        uint32_t at = where->of_sample[i];
        const struct locate_step *user = locations_user(model, where, at, s->path);
        uint32_t line = user ? user->line : MODEL_NONE, of = f->of[i] = place_find(f, line, at);
        f->place[of].halves += s->faults;
        f->place[of].halved += s->halved;
        f->halved += s->halved;
        f->place[of].kernel.ns += s->call || s->profiler ? 0 : s->system.ns;
        f->place[of].kernel.variance += s->call || s->profiler ? 0 : s->system.variance;
        uint32_t own = s->profiler ? place_find(f, MODEL_NONE, at) : of;
        struct place *p = &f->place[own];
        p->placed.ns += s->placed.ns;
        p->placed.variance += s->placed.variance;
        if (stage_is_within(model, model->node[s->node].stage)) {
            p->shown.ns += s->placed.ns;
            p->shown.variance += s->placed.variance;
        }
        model->faults += s->faults;
        model->fault_signals += s->fault_signals;
        f->placed += s->placed.ns;
    }
}

/* After a thread's last sample page faults are that line's, and no sample says that the event counted them. If more are
 * placed than were halved meanwhile, these are among those that were not. */
static void halved_complete(struct faulting *f)
{
    double missing = fmax(0, f->placed - f->halved), left = 0, part;
    for (size_t i = 0; i < f->count; i++)
        left += fmax(0, f->place[i].halves - f->place[i].halved);
    part = left > 0 ? fmin(1, missing / left) : 0;
    for (size_t i = 0; i < f->count; i++) {
        double more = part * fmax(0, f->place[i].halves - f->place[i].halved);
        f->place[i].halved += more;
        f->halved += more;
    }
}

/* A line has as many as the signals say, and no more than there were. Others are on no line: before the event was
 * open, in the kernel for a call, or where signals were too few. */
static void lines_find(struct faulting *f)
{
    double scale = f->placed > f->model->faults ? f->model->faults / f->placed : 1;
    for (size_t i = 0; i < f->count && f->model->fault_signals >= SIGNALS_LEAST; i++) {
        const struct place *p = &f->place[i];
        if (p->line == MODEL_NONE || p->shown.ns <= SIGMAS * sqrt(p->shown.variance))
            continue;
        f->model->line[p->line].faults.count = (struct value){ p->shown.ns * scale, p->shown.variance * square(scale) };
        f->model->line_faults += p->shown.ns * scale;
    }
}

/* Where lines have kernel time in proportion to their faults, that is what a fault takes. System calls that the runtime
 * does not know are in it, such as those of realloc. So it is not much more than a first touch took in a trial, unless
 * it is so much more that pages of 2 MB must be the reason. */
static struct value fault_time(const struct faulting *f)
{
    double product = 0, squares = 0, variance = 0;
    for (size_t i = 0; i < f->count; i++) {
        product += f->place[i].halves * f->place[i].kernel.ns;
        squares += square(f->place[i].halves);
        variance += square(f->place[i].halves) * f->place[i].kernel.variance;
    }
    double each = squares > 0 ? product / squares : 0, most = TRIAL_MOST * f->model->run.fault_ns;
    return (struct value){ most > 0 && each < HUGE_LEAST * most ? fmin(each, most) : each,
                           squares > 0 ? variance / square(squares) : 0 };
}

/* How many more faults a place has than by halves, while the event counted. Those in the kernel have no place. */
static double place_more(const struct faulting *f, const struct place *p)
{
    return p->placed.ns - p->halved * (f->halved > 0 ? f->placed / f->halved : 0);
}

static void time_move(struct faulting *f, struct value fault)
{
    double each = fault.ns, taken = 0, wanted = 0, part, unknown;
    for (size_t i = 0; i < f->count; i++) {
        double more = place_more(f, &f->place[i]);
        taken += fmin(f->place[i].kernel.ns, fmax(0, -more) * each);
        wanted += fmax(0, more) * each;
    }
    if (taken <= 0 || wanted <= 0)
        return;
    part = fmin(1, wanted / taken);
    unknown = fmin(1, fault.variance / square(each));
    for (size_t i = 0; i < f->model->sample_count; i++) {
        struct model_sample *s = &f->model->sample[i];
        const struct place *p = &f->place[f->of[i]];
        double more = place_more(f, p), variance = square(each) * p->placed.variance, of, moved;
        if (more < 0 && !s->call && !s->profiler && s->system.ns > 0) {
            of = s->system.ns / p->kernel.ns;
            moved = part * fmin(p->kernel.ns, -more * each);
            s->system.ns -= moved * of;
        } else if (more > 0 && s->placed.ns > 0 && !s->profiler) {
            of = s->placed.ns / p->placed.ns;
            moved = more * each * fmin(1, taken / wanted);
            s->system.ns += moved * of;
        } else {
            continue;
        }
        s->system.variance += (variance + square(moved) * unknown) * of;
    }
}

void pagefaults_place(struct model *model, const struct locations *where)
{
    struct faulting f = { .model = model, .of = memory_zeroed(model->sample_count + 1, sizeof *f.of) };
    places_add(&f, where);
    halved_complete(&f);
    struct value fault = fault_time(&f);
    model->fault_ns = fault.ns;
    lines_find(&f);
    if (model->fault_signals >= MOVED_SIGNALS && model->faults > 0)
        time_move(&f, fault);
    map_free(&f.by_line);
    free(f.place);
    free(f.of);
}

void pagefaults_close(struct model *model)
{
    for (size_t i = 0; i < model->line_count; i++)
        model->line[i].faults.ns = fmin(model->line[i].faults.count.ns * model->fault_ns, model->line[i].system_ns);
}
