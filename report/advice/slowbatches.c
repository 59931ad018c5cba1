/* SPDX-License-Identifier: MIT */
/* slowbatches.c: a few entries of a stage, or iterations of a loop, that are far slower than the others, at no regular
 * distance, and what differs in them: a function that runs in them alone, a wait in them alone, or a stage inside that
 * is slow in them. Where nothing is known to differ it is silent. What can go is not known, so it is a bound. */
#include "advice/rounds.h"
#include "advice/slowness.h"
#include "model/namesake.h"

#include <math.h>
#include <stdlib.h>

#define FEWEST_ENTRIES 16
#define FEWEST_SLOW 2
#define MOST_SLOW_PART 0.25
#define TIMES_SLOWER 3.0
#define TIMES_CLOSE 4.0 /* the slowest ones take so many times as long as the least of them */
#define LEAST_STALL_NS 2e5
#define LEAST_SHARE 0.1 /* of the stage's time goes beyond what the others take */
#define LEAST_INSIDE 0.6 /* of that is in what differs */
#define NUMBERS 6u      /* of entries that are named */

struct slow {
    const struct model_times *times;
    double median_ns, excess_ns, count, each_ns; /* each_ns: beyond the median */
    struct model_slow kept[PP_SLOWEST];          /* by number */
    uint32_t kept_count;
};

struct difference {
    uint32_t function, stage, line; /* MODEL_NONE but for one of them */
    double ns; /* in each slow entry */
};

static int by_number(const void *a, const void *b)
{
    const struct model_slow *x = a, *y = b;
    return x->index < y->index ? -1 : x->index > y->index;
}

/* All slow entries by the histogram, and those that are kept. The first one is a matter of its own. On a busy machine
 * others take long, too, as they wait for a CPU: those do not count that take far less than the slowest ones. */
static struct slow slow_of(const struct model_times *t)
{
    struct slow s = { .times = t, .median_ns = times_percentile(t, 0.5) };
    double limit = TIMES_SLOWER * s.median_ns, beyond;
    if (t->slowest_count > 1)
        limit = fmax(limit, (double)t->slowest[1].wall_ns / TIMES_CLOSE);
    beyond = times_beyond(t, limit, &s.count);
    for (uint32_t i = 0; i < t->slowest_count; i++)
        if ((double)t->slowest[i].wall_ns > limit) {
            if (t->slowest[i].index)
                s.kept[s.kept_count++] = t->slowest[i];
            else {
                s.count--;
                beyond -= (double)t->slowest[i].wall_ns;
            }
        }
    qsort(s.kept, s.kept_count, sizeof *s.kept, by_number);
    s.excess_ns = beyond - s.count * s.median_ns;
    s.each_ns = s.count > 0 ? s.excess_ns / s.count : 0;
    return s;
}

static bool is_few(const struct model_stage *stage, const struct slow *s)
{
    return s->median_ns > 0 && s->times->timed_calls >= FEWEST_ENTRIES && s->kept_count >= FEWEST_SLOW &&
           s->count >= FEWEST_SLOW && s->count <= MOST_SLOW_PART * (double)s->times->timed_calls &&
           s->each_ns >= LEAST_STALL_NS && s->excess_ns >= LEAST_SHARE * (double)stage->times.wall_ns;
}

/* The part of what the kept ones took beyond the median that slow entries of another stage took inside them. */
static double part_inside(const struct slow *s, const struct model_times *inner)
{
    double all = 0, inside = 0, median = times_percentile(inner, 0.5);
    for (uint32_t i = 0; i < s->kept_count; i++) {
        const struct model_slow *of = &s->kept[i];
        all += (double)of->wall_ns - s->median_ns;
        for (uint32_t k = 0; k < inner->slowest_count; k++) {
            const struct model_slow *in = &inner->slowest[k];
            if (in->thread_id == of->thread_id && in->start_ns >= of->start_ns &&
                in->start_ns + in->wall_ns <= of->start_ns + of->wall_ns)
                inside += (double)in->wall_ns - median;
        }
    }
    return all > 0 ? inside / all : 0;
}

/* The innermost stage inside that is slow in the same entries. */
static uint32_t stage_inside(const struct model *model, uint32_t stage, const struct slow *s, double *part)
{
    uint32_t found = MODEL_NONE;
    for (uint32_t i = 0; i < model->stage_count; i++) {
        double of = i != stage && stage_encloses(model, stage, i) ? part_inside(s, &model->stage[i].times) : 0;
        if (of >= LEAST_INSIDE && (found == MODEL_NONE || stage_encloses(model, found, i))) {
            found = i;
            *part = of;
        }
    }
    return found;
}

/* The line that waits about once in each slow entry and nowhere else. */
static uint32_t line_of_wait(const struct model *model, uint32_t stage, const struct slow *s, double *ns)
{
    uint32_t found = MODEL_NONE;
    for (size_t i = 0; i < model->operation_count; i++) {
        const struct model_operation *o = &model->operation[i];
        double wait = (double)o->sum.wait_ns;
        if (o->line != MODEL_NONE && o->stage != MODEL_NONE && operation_is_call(o->kind) &&
            stage_encloses(model, stage, o->stage) && (double)o->sum.calls <= 1.5 * s->count &&
            wait >= LEAST_INSIDE * s->excess_ns && wait > *ns) {
            found = o->line;
            *ns = wait;
        }
    }
    return found;
}

static bool difference_find(const struct advice *a, uint32_t stage, const struct slow *s, struct difference *found)
{
    const struct model *model = a->model;
    double part = 0, wait = 0;
    *found = (struct difference){ MODEL_NONE, MODEL_NONE, MODEL_NONE, 0 };
    struct stall_occasion occasion = stall_occasion(a, stage, s->count);
    if (stall_is_cause(&occasion, s->each_ns) && occasion.calls >= s->count / 2) {
        found->function = occasion.function;
        found->ns = occasion.ns / occasion.calls;
        return true;
    }
    if ((found->line = line_of_wait(model, stage, s, &wait)) != MODEL_NONE) {
        found->ns = wait / s->count;
        return true;
    }
    if (stall_is_taken(a, &model->stage[stage], s->excess_ns))
        return false;
    found->stage = stage_inside(model, stage, s, &part);
    found->ns = part * s->each_ns;
    return found->stage != MODEL_NONE;
}

/* "numbers 12, 57 and 130", "numbers 1, 2, 3, 4, 5, 6 and others" */
static const char *numbers_text(struct model *model, const struct slow *s)
{
    const char *text = "numbers";
    uint32_t shown = s->kept_count < NUMBERS ? s->kept_count : NUMBERS;
    bool more = s->count > shown;
    for (uint32_t i = 0; i < shown; i++)
        text = arena_print(&model->arena, "%s%s %llu", text, !i ? "" : i + 1 == shown && !more ? " and" : ",",
                           (unsigned long long)s->kept[i].index);
    return more ? arena_print(&model->arena, "%s and others", text) : text;
}

static void difference_tell(struct advice *a, struct model_advice *to, const struct model_stage *stage,
                            const struct slow *s, const struct difference *d)
{
    struct model *model = a->model;
    char count[FIGURE_BYTES], slow[FIGURE_BYTES], usual[FIGURE_BYTES], each[FIGURE_BYTES];
    const char *noun = stage->kind == PP_SITE_LOOP ? "iterations" : "entries", *name = "";
    figure_time(each, d->ns);
    if (d->line == MODEL_NONE) {
        to->file = stage->file;
        to->at = stage->line;
    }
    if (d->function != MODEL_NONE) {
        const struct model_function *f = &model->function[d->function];
        to->function = d->function;
        to->file = f->file;
        to->at = f->line;
        name = function_label(&model->arena, f);
    } else if (d->stage != MODEL_NONE) {
        to->file = model->stage[d->stage].file;
        to->at = model->stage[d->stage].line;
        name = model->stage[d->stage].name;
    }
    advice_title(a, to, stage->name, "is slow in a few of its rounds");
    const char *form = d->function != MODEL_NONE ? "Only these call %s, %s each"
                       : d->line != MODEL_NONE   ? "Only these wait here%s, %s each"
                                                 : "In these, %s takes %s longer";
    const char *differs = arena_print(&model->arena, form, name, each);
    to->evidence = arena_print(&model->arena, "%s of %llu %s (%s) take %s, most take %s. %s.",
                               figure_count(count, s->count), (unsigned long long)s->times->calls, noun,
                               numbers_text(model, s), figure_time(slow, s->median_ns + s->each_ns),
                               figure_time(usual, s->median_ns), differs);
    if (d->stage != MODEL_NONE)
        to->action = arena_print(&model->arena,
                                 "look at what %s is given in these %s, and treat that case on its own: "
                                 "a better method, a part of it each time, or another thread",
                                 name, noun);
    advice_figure(to, "slow_entries", s->count);
    advice_figure(to, "slow_ns", s->median_ns + s->each_ns);
    advice_figure(to, "median_ns", s->median_ns);
}

void advice_slowbatches(struct advice *a)
{
    struct model *model = a->model;
    uint32_t told = MODEL_NONE; /* stages stand behind those around them */
    for (uint32_t i = 0; i < model->stage_count && !model->part_count; i++) {
        const struct model_stage *stage = &model->stage[i];
        struct slow s = slow_of(stall_times(stage));
        struct difference d;
        if (!is_few(stage, &s) || stall_is_regular(stage) || (told != MODEL_NONE && stage_encloses(model, told, i)) ||
            !difference_find(a, i, &s, &d))
            continue;
        struct model_advice *to =
            advice_add(a, ADVICE_slowbatches, d.line, 0, advice_wall(a, s.excess_ns), SAVING_BOUND);
        if (!to)
            continue;
        difference_tell(a, to, stage, &s, &d);
        told = i;
    }
    rounds_ask(a, ADVICE_slowbatches);
}
