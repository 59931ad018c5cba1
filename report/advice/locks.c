/* SPDX-License-Identifier: MIT */
/* locks.c: locks that threads wait for, told where they are held, if that is known, else where threads wait. Where a
 * lock is held for short and only taken too often, lockcalls.c tells it. */
#include "advice/takings.h"
#include "words/plural.h"

#include <math.h>
#include <string.h>

#define LEAST_WAIT 0.01  /* of the time that all threads were there */
#define FOUGHT_LEAST 0.5 /* of the CPU time at the line that waits: taking a lock that nobody wants is no work, */
#define FOUGHT_MOST 1.6  /* and who gives it back wakes the next one, and fetches what that one wrote */
#define HOLDS_LONG "holds a lock for long while others wait for it"
#define OWN_WAIT 0.5 /* of the waits: the holder itself waited meanwhile, so that computing less helps little */
#define CROWDED 0.1  /* of the CPU time: so much longer, and more, threads were ready but had no CPU */
#define LACK 0.5     /* the same: who no longer waits for the lock may wait for a CPU instead, all the time */
#define PACED 0.25   /* of the run: no longer is the busiest thread not at work, and others' waits may cost nothing */
#define PART 0.99    /* of the waits: less is told as a part */
#define WORKS 0.1    /* of a line's waits: what computes for less only waits */
#define SURE 2       /* standard errors */

struct wait { /* for what one function held, or at the lines of one function */
    struct model_operations sum;
    uint32_t waiter, holder; /* lines: most of the wait; MODEL_NONE: unknown */
    double most_ns, own_most_ns, own_ns;
    double all_ns, all_calls; /* of the lines that waited, whoever held it; 0: as in `sum` */
    enum pp_operation_kind own_kind;
    uint32_t own_line; /* MODEL_NONE: unknown */
};

/* What a thread does that waits with a lock held. */
static const char *predicate_of(enum pp_operation_kind kind)
{
    switch (kind) {
    case PP_OPERATION_SYNC: return "waits for the disk with a lock held";
    case PP_OPERATION_READ:
    case PP_OPERATION_RECEIVE: return "reads with a lock held";
    case PP_OPERATION_WRITE:
    case PP_OPERATION_SEND: return "writes with a lock held";
    case PP_OPERATION_SLEEP: return "sleeps with a lock held";
    default: return "waits for something else with a lock held";
    }
}

/* Another rule may say already that what is waited for there takes long. That a lock is held meanwhile is told where
 * it is taken, then. */
static uint32_t untold_line(const struct model *model, uint32_t line, uint32_t otherwise)
{
    for (size_t i = 0; i < model->advice_count; i++)
        if (model->advice[i].line == line && otherwise != MODEL_NONE)
            return otherwise;
    return line;
}

/* How long threads were on a CPU to take the lock where they wait for it: what else the line does is no part of it. */
static double fought_ns(const struct advice *a, const struct library_use *takers, uint32_t waiter)
{
    const struct model_line *line = waiter != MODEL_NONE ? &a->model->line[waiter] : NULL;
    if (!line)
        return 0;
    return fmin(line->self.ns, takings_of(a, takers, line->function).cpu_ns) * advice_stretch(a, waiter) / a->abreast;
}

static void wait_tell(struct advice *a, const struct wait *w, uint32_t line, const struct library_use *takers)
{
    double room = fmin(advice_room(a, 0, 1), advice_waits_room(a)), first = advice_first_part(&w->sum), low, high;
    double wait = (double)w->sum.wait_ns,
           calls = w->all_ns > 0 ? w->all_calls : (double)(w->sum.calls + w->sum.unfinished);
    bool by_wait = w->own_ns > OWN_WAIT * wait;
    if (wait < LEAST_WAIT * a->threads_ns)
        return;
    /* Threads that wait for each other's work gain alike. No more is gained than CPUs are free. */
    advice_gain_part(a, &w->sum, 1, &low, &high);
    /* Where the holder waits, too, no CPU is missing: those who wait here could go on at once, if one had to wait. */
    double alike = wait * (first + (1 - first) / a->abreast);
    high = fmin(high, by_wait ? room : fmin(1.25 * (a->serves ? low : alike), room));
    double least = by_wait ? fmin(fmax(0.7 * low, 0.5 * high), 0.65 * high) : fmin(0.7 * low, 0.8 * high);
    least = fmin(least, fmin(room, advice_room(a, 0, a->stretch)));
    double fought = fought_ns(a, takers, w->waiter), most = fmax(least, high) + FOUGHT_MOST * fought;
    bool lacks = (!by_wait && run_crowded_ns(a->model) >= LACK * a->cpu_ns) ||
                 advice_waits_room(a) <= PACED * a->run_ns;
    struct model_advice *to = advice_add(a, ADVICE_locks, line, lacks ? 0 : least + FOUGHT_LEAST * fought, most,
                                         lacks ? SAVING_BOUND : SAVING_MEASURED);
    if (!to)
        return;
    struct model *model = a->model;
    char count[FIGURE_BYTES], time[FIGURE_BYTES], own[FIGURE_BYTES];
    to->evidence = arena_print(&model->arena, "Threads waited %s for the lock, in %s %s",
                               figure_time(time, fmax(wait, w->all_ns)), figure_count(count, calls),
                               plural_figure(calls, "call", "calls"));
    if (w->waiter != MODEL_NONE && w->waiter != line)
        to->evidence =
            arena_print(&model->arena, "%s, most of them at line %u", to->evidence, model->line[w->waiter].line);
    if (w->holder != MODEL_NONE && w->holder != line && w->holder == w->waiter)
        to->evidence = arena_print(&model->arena, "%s, where it is taken", to->evidence);
    else if (w->holder != MODEL_NONE && w->holder != line)
        to->evidence = arena_print(&model->arena, "%s; the thread that held it had locked it at line %u", to->evidence,
                                   model->line[w->holder].line);
    if (wait < PART * w->all_ns)
        to->evidence = arena_print(&model->arena, "%s; for about %s of that it was held here", to->evidence,
                                   figure_time(time, wait));
    to->evidence = arena_print(&model->arena, "%s.", to->evidence);
    if (by_wait)
        to->evidence = arena_print(&model->arena, "%s Meanwhile the thread that held it waited itself, for %s (%s",
                                   to->evidence, figure_time(own, w->own_ns), operation_name(w->own_kind));
    if (by_wait && w->own_line != MODEL_NONE && w->own_line != line)
        to->evidence = arena_print(&model->arena, "%s at line %u", to->evidence, model->line[w->own_line].line);
    if (by_wait)
        to->evidence = arena_print(&model->arena, "%s).", to->evidence);
    if (w->holder != MODEL_NONE)
        advice_title(a, to, advice_subject(a, line), by_wait ? predicate_of(w->own_kind) : HOLDS_LONG);
    to->of_waiters = w->holder != MODEL_NONE && !by_wait && line != w->waiter;
    if (by_wait)
        to->action = "unlock before the call that waits, and lock again after it; or make it without what is shared";
    advice_figure(to, "calls", calls);
    advice_figure(to, "wait_ns", wait);
    advice_figure(to, "held_wait_ns", w->own_ns);
    advice_figure(to, "most_ns", (double)w->sum.most_ns);
}

/* ---- where it is held ---- */

/* Returns how much of a line's waiting is told by its holders. */
static double told_of(const struct model *model, uint32_t line)
{
    double ns = 0;
    for (size_t i = 0; i < model->hold_count; i++)
        ns += model->hold[i].line == line && model->hold[i].holder_function != MODEL_NONE
                  ? (double)model->hold[i].wait_ns
                  : 0;
    return ns;
}

/* The part of what a line waited for locks. */
static struct model_operations part_of(const struct advice *a, uint32_t line, double wait_ns, double waits)
{
    struct model_operations sum = advice_use(a, line, PP_OPERATION_LOCK)->sum;
    double first = advice_first_part(&sum);
    return (struct model_operations){ .calls = (uint64_t)waits,
                                      .wall_ns = (uint64_t)wait_ns,
                                      .wait_ns = (uint64_t)wait_ns,
                                      .first_wall_ns = (uint64_t)(first * wait_ns) };
}

/* Nearly all that the line does is to wait. Had it the lock then, the holder would be known to wait itself. */
static bool only_waits(const struct model_line *line) { return line->total.ns < WORKS * line->stalled.ns; }

/* The most that the function can have computed. Lines that only wait are left out: their CPU time is spent falling
 * asleep and waking up. */
static double computed_ns(const struct model *model, uint32_t function)
{
    const struct value *all = &model->function[function].total;
    double works = all->ns;
    for (size_t i = 0; i < model->line_count; i++)
        if (model->line[i].function == function && only_waits(&model->line[i]))
            works -= model->line[i].total.ns;
    return works > 0 ? works + SURE * sqrt(all->variance * works / all->ns) : 0;
}

/* A holder that has no CPU makes others wait, however short its code is. On a busy machine all wait for no longer than
 * the holder's function computed or waited itself. */
static void without_cpu_drop(const struct advice *a, struct wait *w, uint32_t function)
{
    double wait = (double)w->sum.wait_ns, own = fmin(w->own_ns, wait);
    double most = own + a->abreast * computed_ns(a->model, function);
    if (run_crowded_ns(a->model) < CROWDED * a->cpu_ns || wait <= most)
        return;
    w->sum.first_wall_ns = (uint64_t)((double)w->sum.first_wall_ns * most / wait);
    w->sum.wall_ns = w->sum.wait_ns = (uint64_t)most;
}

static struct wait wait_of_holder(const struct advice *a, uint32_t function)
{
    const struct model *model = a->model;
    struct wait w = { .waiter = MODEL_NONE, .holder = MODEL_NONE, .own_line = MODEL_NONE };
    for (size_t i = 0; i < model->hold_count; i++) {
        const struct model_hold *h = &model->hold[i];
        if (h->holder_function != function || h->line == MODEL_NONE)
            continue;
        /* Waits whose holder was not seen are taken to be like those whose holder was. */
        double all = (double)advice_use(a, h->line, PP_OPERATION_LOCK)->sum.wait_ns, told = told_of(model, h->line);
        double more = told > 0 ? fmin(2, fmax(1, all / told)) : 1;
        double ns = (double)h->wait_ns * more, own = (double)h->own_ns * more;
        bool again = false;
        for (size_t k = 0; k < i && !again; k++)
            again = model->hold[k].holder_function == function && model->hold[k].line == h->line;
        w.all_ns += again ? 0 : all;
        w.all_calls += again ? 0 : (double)advice_use(a, h->line, PP_OPERATION_LOCK)->sum.calls;
        struct model_operations part = part_of(a, h->line, ns, (double)h->waits);
        part.most_ns = h->most_ns;
        operations_add(&w.sum, &part);
        w.own_ns += own;
        if (ns > w.most_ns || w.waiter == MODEL_NONE) {
            w.most_ns = ns;
            w.waiter = h->line;
            w.holder = h->holder_line;
        }
        if (own > w.own_most_ns) {
            w.own_most_ns = own;
            w.own_kind = h->own_kind;
            w.own_line = h->own_line;
        }
    }
    return w;
}

/* The last line before another lock is taken at which one is given back; UINT32_MAX: not known. An earlier one may be
 * on a way that leaves the function. */
static uint32_t last_held(const struct model *model, uint32_t taken)
{
    uint32_t next = UINT32_MAX, last = 0;
    for (int round = 0; round < 2; round++)
        for (size_t i = 0; i < model->remark_count; i++) {
            const struct model_remark *r = &model->remark[i];
            if (r->line <= model->line[taken].line || strcmp(r->file, model->line[taken].file) != 0)
                continue;
            if (!round && r->kind == PP_REMARK_LOCKS && r->line < next)
                next = r->line;
            if (round && r->kind == PP_REMARK_UNLOCKS && r->line < next && r->line > last)
                last = r->line;
        }
    return last ? last : UINT32_MAX;
}

/* The line of the holder's function, from the one that takes the lock to the one that gives it back, where most of the
 * time goes. */
static uint32_t line_under(const struct model *model, const struct wait *w, uint32_t function)
{
    uint32_t best = w->holder, last = best == MODEL_NONE ? 0 : last_held(model, best);
    bool by_wait = w->own_ns > OWN_WAIT * (double)w->sum.wait_ns;
    double most = 0;
    for (uint32_t i = 0; i < model->line_count && w->holder != MODEL_NONE; i++) {
        const struct model_line *l = &model->line[i];
        double ns = by_wait ? l->stalled.ns : l->total.ns;
        bool waits = !by_wait && only_waits(l);
        if (l->function == function && l->line > model->line[w->holder].line && l->line <= last && i != w->waiter &&
            !waits && ns > most) {
            most = ns;
            best = i;
        }
    }
    return best;
}

static void holders_tell(struct advice *a, const struct library_use *takers)
{
    const struct model *model = a->model;
    for (size_t i = 0; i < model->hold_count; i++) {
        uint32_t function = model->hold[i].holder_function;
        bool again = function == MODEL_NONE;
        for (size_t k = 0; k < i && !again; k++)
            again = model->hold[k].holder_function == function;
        if (again)
            continue;
        struct wait w = wait_of_holder(a, function);
        without_cpu_drop(a, &w, function);
        if (!takings_of(a, takers, function).is_brief)
            wait_tell(a, &w, untold_line(model, line_under(model, &w, function), w.holder), takers);
    }
}

/* ---- where threads wait ---- */

/* The waits of all lines of one function, at its line with the most: mostly it is one lock. False: another line of the
 * function has more. */
static bool waits_join(const struct advice *a, const struct advice_use *use, struct model_operations *sum)
{
    uint32_t function = a->model->line[use->line].function;
    *sum = use->sum;
    for (size_t k = 0; k < a->use_count; k++) {
        const struct advice_use *u = &a->use[k];
        if (u == use || u->kind != use->kind || function == MODEL_NONE || a->model->line[u->line].function != function)
            continue;
        if (u->sum.wait_ns > use->sum.wait_ns || (u->sum.wait_ns == use->sum.wait_ns && u < use))
            return false;
        operations_add(sum, &u->sum);
    }
    return true;
}

void advice_locks(struct advice *a)
{
    struct library_use takers = library_use(a, LIBRARY_LOCK);
    holders_tell(a, &takers);
    for (size_t i = 0; i < a->use_count; i++) {
        const struct advice_use *use = &a->use[i];
        struct wait w = { .waiter = use->line, .holder = MODEL_NONE, .own_line = MODEL_NONE };
        if (use->kind == PP_OPERATION_LOCK && told_of(a->model, use->line) < 0.5 * (double)use->sum.wait_ns &&
            waits_join(a, use, &w.sum) && !takings_of(a, &takers, a->model->line[use->line].function).is_brief)
            wait_tell(a, &w, use->line, &takers);
    }
}

/* ---- what takes the time while it is held ---- */

/* Whether the finding is about work in the code of the function, with what was inlined there, or below it. */
static bool is_within(const struct model *model, const struct model_advice *f, uint32_t function)
{
    const struct model_remark *r;
    bool works = !strcmp(f->section, "lines") || !strcmp(f->section, "steps");
    if (f->function == MODEL_NONE || f->line == MODEL_NONE || !works)
        return false;
    if (f->function == function || advice_is_below(model, f->function, function))
        return true;
    for (size_t next = 0; (r = remark_at_line(model, f->file, f->at, &next));)
        if (r->function == function)
            return true;
    return false;
}

void advice_locks_refer(struct model *model)
{
    for (size_t i = 0; i < model->advice_count; i++) {
        struct model_advice *to = &model->advice[i];
        const struct model_advice *best = NULL;
        double most = -1; /* of twice the middle of what is saved, as findings are put in order */
        if (strcmp(to->rule, "locks") || to->function == MODEL_NONE || !strstr(to->title, HOLDS_LONG))
            continue;
        for (size_t k = 0; k < model->advice_count; k++) {
            const struct model_advice *f = &model->advice[k];
            if (f->low_ns + f->high_ns > most && is_within(model, f, to->function)) {
                most = f->low_ns + f->high_ns;
                best = f;
            }
        }
        if (best)
            to->action = arena_print(&model->arena, "if it is with the lock held that %s, mend that first; else %s",
                                     best->title, to->action);
    }
}
