/* SPDX-License-Identifier: MIT */
/* loops.c: joins the compiler's remarks on loops with the CPU time of their lines. See loops.h. It must not know any
 * rule. */
#include "advice/loops.h"

#include <math.h>
#include <string.h>

#define LEAST_SHARE 0.05 /* of the run's CPU time: below it a loop is not spoken of */
#define MOST_SIGMA 0.15  /* of what is saved at least: what is saved at most has all of it */
#define LEAST_SAMPLES 4  /* of fewer in a loop, their chance says more than the loop does */

/* Of rows of this line, the one with most time; MODEL_NONE: none. */
static uint32_t hottest_line(const struct model *model, const char *file, uint32_t first, uint32_t last)
{
    uint32_t best = MODEL_NONE;
    for (size_t i = 0; i < model->line_count; i++) {
        const struct model_line *line = &model->line[i];
        if (line->line >= first && line->line <= last && strcmp(line->file, file) == 0 &&
            (best == MODEL_NONE || line->self.ns > model->line[best].self.ns))
            best = (uint32_t)i;
    }
    return best;
}

/* What a loop does is read at a statement of its body, not where it counts. */
static uint32_t body_line(const struct model *model, const struct model_remark *loop)
{
    uint32_t body = hottest_line(model, loop->file, loop->loop_first + 1, loop->loop_last);
    return body != MODEL_NONE ? body : hottest_line(model, loop->file, loop->loop_first, loop->loop_last);
}

static double steps_of(const struct model *model, const struct model_remark *loop)
{
    double most = -1;
    if (loop->is_counted)
        return loop->steps > 0 ? loop->steps : -1;
    for (size_t i = 0; i < model->line_count; i++) {
        const struct model_line *line = &model->line[i];
        if (line->hits_known && line->line >= loop->loop_first && line->line <= loop->loop_last &&
            (double)line->hits > most && strcmp(line->file, loop->file) == 0)
            most = (double)line->hits;
    }
    return most > 0 ? most : -1;
}

static bool is_spoken_of(const struct model *model, const struct model_remark *loop)
{
    for (size_t i = 0; i < model->advice_count; i++)
        if (model->advice[i].at >= loop->loop_first && model->advice[i].at <= loop->loop_last &&
            strcmp(model->advice[i].file, loop->file) == 0 && !model->advice[i].of_waiters)
            return true;
    return false;
}

static double least_ns(const struct advice *a)
{
    return fmax(LEAST_SHARE * a->cpu_ns,
                LEAST_SAMPLES * coverage_cpu_ns(a->model) / fmax(1, (double)run_samples_taken(a->model)));
}

/* What the kernel took to hand out pages that the loop touched first: that is no work of the loop (pagefaults.c). */
static double faults_ns(const struct model *model, const struct model_remark *loop)
{
    double ns = 0;
    for (size_t i = 0; i < model->line_count; i++) {
        const struct model_line *line = &model->line[i];
        if (line->faults.ns > 0 && line->line >= loop->loop_first && line->line <= loop->loop_last &&
            strcmp(line->file, loop->file) == 0)
            ns += line->faults.ns;
    }
    return ns;
}

static bool loop_make(const struct advice *a, const struct model_remark *r, double more_ns, struct advice_loop *loop)
{
    if (a->cpu_ns <= 0 || r->self_ns + more_ns < least_ns(a) || is_spoken_of(a->model, r))
        return false;
    double ns = r->self_ns + more_ns - faults_ns(a->model, r);
    if (ns < least_ns(a))
        return false;
    *loop = (struct advice_loop){ .remark = r,
                                  .cpu_ns = ns,
                                  .share = ns / a->cpu_ns,
                                  .steps = steps_of(a->model, r),
                                  .entries = r->is_counted ? r->entries : -1,
                                  .line = body_line(a->model, r) };
    return loop->line != MODEL_NONE;
}

bool loop_next(const struct advice *a, size_t *next, struct advice_loop *loop)
{
    while (*next < a->model->remark_count) {
        const struct model_remark *r = &a->model->remark[(*next)++];
        if (r->kind == PP_REMARK_LOOP && loop_make(a, r, 0, loop))
            return true;
    }
    return false;
}

bool loop_of(const struct advice *a, const struct model_remark *about, struct advice_loop *loop)
{
    size_t next = 0;
    const struct model_remark *r =
        remark_of_loop(a->model, about->file, about->loop_first, about->loop_last, PP_REMARK_LOOP, &next);
    bool apart = about->line < about->loop_first || about->line > about->loop_last;
    return r && loop_make(a, r, apart ? remark_own_ns(a, about) : 0, loop);
}

const struct model_remark *loop_remark(const struct advice *a, const struct advice_loop *loop, unsigned kind)
{
    size_t next = 0;
    return remark_of_loop(a->model, loop->remark->file, loop->remark->loop_first, loop->remark->loop_last, kind, &next);
}

bool loop_vectors_off(const struct advice *a, const struct advice_loop *loop)
{
    const struct model_remark *scalar = loop_remark(a, loop, PP_REMARK_NOT_VECTORIZED);
    return scalar && strcmp(scalar->detail, "the vectorizer is off") == 0;
}

double loop_sigma(const struct advice_loop *loop) { return sqrt(loop->remark->self_variance); }

static double line_ns(const struct advice *a, const struct model_remark *remark, bool own)
{
    double sum = 0;
    for (size_t i = 0; i < a->model->line_count; i++) {
        const struct model_line *line = &a->model->line[i];
        if (line->line == remark->line && strcmp(line->file, remark->file) == 0)
            sum += line->self.ns - (own ? fmin(line->self.ns, line->library_ns + line->system_ns) : 0);
    }
    return sum;
}

double remark_line_ns(const struct advice *a, const struct model_remark *remark) { return line_ns(a, remark, false); }

double remark_own_ns(const struct advice *a, const struct model_remark *remark) { return line_ns(a, remark, true); }

uint32_t remark_line(const struct advice *a, const struct model_remark *remark, const struct advice_loop *loop)
{
    uint32_t found = hottest_line(a->model, remark->file, remark->line, remark->line);
    return found != MODEL_NONE || !loop ? found : loop->line;
}

const struct model_function *loop_function(const struct advice *a, const struct advice_loop *loop)
{
    uint32_t function = a->model->line[loop->line].function;
    return function == MODEL_NONE ? NULL : &a->model->function[function];
}

double loop_calls(const struct advice *a, const struct advice_loop *loop)
{
    const struct model_function *function = loop_function(a, loop);
    const struct model_remark *trips = loop_remark(a, loop, PP_REMARK_TRIPS_UNKNOWN);
    if (!function || (trips && trips->value))
        return -1;
    return function->calls_known && !function->inlined && !function->has_copies && function->calls
               ? (double)function->calls
               : -1;
}

/* The line that is named, whatever samples say: which of a loop's lines they fall on depends on the CPU. 0: the loop's
 * body has several lines, of which the hottest is told. */
static uint32_t named_line(const struct advice_loop *loop, const struct model_remark *remark)
{
    if (remark != loop->remark)
        return remark->line;
    return remark->loop_last == remark->loop_first + 1 ? remark->loop_last : 0;
}

struct model_advice *loop_add(struct advice *a, enum advice_id id, const struct advice_loop *loop,
                              const struct model_remark *remark, double low_cpu_ns, double high_cpu_ns)
{
    double low, high, unused;
    double sigma = loop->cpu_ns > 0 ? loop_sigma(loop) / loop->cpu_ns : 0;
    uint32_t line = remark == loop->remark ? loop->line : remark_line(a, remark, loop);
    /* More than the line's time is reckoned from the whole loop: that has more samples than the line, and had no more
     * than the run's CPU time. */
    double own = advice_error(a, line);
    double loops = loop->cpu_ns > 0 ? fmin(sigma, fmax(0, a->cpu_ns / loop->cpu_ns - 1)) : 0;
    double error = high_cpu_ns > a->model->line[line].self.ns ? loops : fmax(own, loops);
    advice_gain(a, line, low_cpu_ns * (1 - fmin(MOST_SIGMA, sigma)), 0, &low, &unused);
    advice_gain_within(a, line, high_cpu_ns, 0, error, &unused, &high);
    struct model_advice *to = advice_add(a, id, line, low, fmin(high, a->run_ns), SAVING_MEASURED);
    if (to) {
        uint32_t named = named_line(loop, remark);
        if (named) {
            to->file = remark->file;
            to->at = named;
        }
        advice_figure(to, "cpu_ns", loop->cpu_ns);
        if (loop->steps > 0)
            advice_figure(to, "steps", loop->steps);
    }
    return to;
}

const char *loop_time(struct advice *a, const struct advice_loop *loop)
{
    char time[FIGURE_BYTES];
    const struct model_remark *r = loop->remark;
    figure_time(time, loop->cpu_ns);
    return r->loop_first == r->loop_last
               ? arena_print(&a->model->arena, "The loop at line %u took %s of CPU time (%.0f %%)", r->loop_first, time,
                             100 * loop->share)
               : arena_print(&a->model->arena, "The loop at lines %u to %u took %s of CPU time (%.0f %%)",
                             r->loop_first, r->loop_last, time, 100 * loop->share);
}
