/* SPDX-License-Identifier: MIT */
/* divisions.c: a hot loop that divides by what stays the same in it. A division takes 4 to 20 times as long as a
 * multiplication, and the reciprocal can be computed before the loop. */
#include "advice/library.h"
#include "advice/loops.h"

#include <math.h>
#include <string.h>

#define LEAST_SHARE 0.04       /* of the run's CPU time, on the line that divides */
#define LEAST_SHARE_APART 0.06 /* of one elsewhere */
#define LEAST_PART 0.55        /* of the line's time: the rest is to load, store and multiply */
#define MOST_PART 1.1          /* what comes next waits for the quotient, too */
#define LEAST_INNER 0.55       /* the same in an innermost loop */
#define MOST_INNER 1.1
#define REST_NS 0.25  /* at least stays of a step: to load, multiply and store */
#define MOST_REST 0.5 /* of it: vectors need less */
/* On a line with less of the loop's time, a division by a fixed number may take none: the processor divides while it
 * does the rest. Measured of 8 % of a loop around hypot: 0 to 8 % go. */
#define LEAST_OF_LOOP 0.15
/* The same of integers, with the time where the loop counts: a processor counts on while it divides, and stalls there
 * in the end. A division that a comparison replaces is not all that a step does. */
#define LEAST_INTEGER 0.3
#define MOST_INTEGER 0.6
/* The same of a step, at least: samples fall where the quotient is waited for. */
#define LEAST_EACH_NS 0.4
#define MOST_EACH_NS 1.2

/* A square root beside a division of integers, of the time of both: the processor works on both at once, or on one
 * after the other. */
#define MOST_BESIDE 0.35

/* Where what is divided is a state that each step makes of the one before, such as a generator's: a processor divides
 * meanwhile. In a step that takes no longer the division costs nothing, nor where most of the loop's time is elsewhere,
 * however slow the processor. */
#define STATE_NS 4.0
#define LEAST_OF_STATE 0.5 /* of the loop, at the line that divides */

#define CONSTANT_ACTION "make the divisor a constant, or a power of two and use a mask"
#define DIVISOR_ACTION CONSTANT_ACTION "; an index that goes round needs no division: if (++i == n) i = 0"

/* An index that goes round, by a number that the compiler knows: two multiplications, and what is done with the index
 * waits for them. These bounds are of what a step saves, and of what part of its time. */
#define LEAST_ROUND_NS 0.3
#define MOST_ROUND_NS 0.75
#define MOST_ROUND 0.5
#define CHAIN_NS 6.0 /* where the next index waits, too, that is the time of a step, if it is no longer than this */
#define LEAST_CHAIN 0.38
#define MOST_CHAIN 0.75

#define LEAST_REST_PART 0.5 /* of fmod, where the quotient is small */
#define MOST_REST_PART 1.05

static void modulo_tell(struct advice *a, const struct advice_loop *loop, const struct model_remark *found)
{
    bool waits = found->why[0] && loop->cpu_ns < CHAIN_NS * loop->steps;
    double most = waits ? MOST_CHAIN * loop->cpu_ns : fmin(MOST_ROUND * loop->cpu_ns, MOST_ROUND_NS * loop->steps);
    double least = waits ? LEAST_CHAIN * loop->cpu_ns : fmin(most, LEAST_ROUND_NS * loop->steps);
    if (most < LEAST_SHARE * a->cpu_ns)
        return;
    struct model_advice *to = loop_add(a, ADVICE_divisions, loop, found, least, most);
    if (!to)
        return;
    advice_title(a, to, advice_subject(a, to->line), "takes the rest of a division for an index that goes round");
    to->evidence = arena_print(&a->model->arena, "%s, %.3g ns a step. It %s.", loop_time(a, loop),
                               loop->cpu_ns / loop->steps, found->text);
    to->action = arena_print(&a->model->arena,
                             "compare and begin anew: if (++i == %lld) i = 0; or make the size a power of two, which "
                             "needs a mask only",
                             (long long)found->value);
    to->before = "at = (at + 1) % 1000;";
    to->after = "if (++at == 1000) at = 0;";
}

static void modulos_tell(struct advice *a)
{
    struct advice_loop loop;
    for (size_t i = 0; i < a->model->remark_count; i++)
        if (a->model->remark[i].kind == PP_REMARK_MODULO && loop_of(a, &a->model->remark[i], &loop) && loop.steps > 0)
            modulo_tell(a, &loop, &a->model->remark[i]);
}

/* Divisions of integers elsewhere. */
static void divisors_tell(struct advice *a)
{
    for (size_t i = 0; i < a->model->remark_count; i++) {
        const struct model_remark *r = &a->model->remark[i];
        double ns = r->kind == PP_REMARK_DIVISOR ? remark_own_ns(a, r) : 0, low, high, unused;
        uint32_t line = ns > 0 && ns >= LEAST_SHARE_APART * a->cpu_ns ? remark_line(a, r, NULL) : MODEL_NONE;
        if (line == MODEL_NONE)
            continue;
        advice_gain(a, line, LEAST_PART * ns, 0, &low, &unused);
        advice_gain(a, line, MOST_PART * ns, 0, &unused, &high);
        struct model_advice *to = advice_add(a, ADVICE_divisions, line, low, high, SAVING_MEASURED);
        if (!to)
            continue;
        char time[FIGURE_BYTES];
        advice_title(a, to, advice_subject(a, line), "divides by a number that seldom changes");
        to->evidence = arena_print(&a->model->arena, "Line %u took %s of CPU time (%.0f %%), and %s.", r->line,
                                   figure_time(time, ns), 100 * ns / a->cpu_ns, r->text);
        to->action = DIVISOR_ACTION;
        advice_figure(to, "line_ns", ns);
    }
}

static double lines_ns(const struct model *model, const char *file, uint32_t first, uint32_t last)
{
    double ns = 0;
    for (size_t i = 0; i < model->line_count; i++)
        if (model->line[i].line >= first && model->line[i].line <= last && strcmp(model->line[i].file, file) == 0)
            ns += model->line[i].self.ns;
    return ns;
}

/* How much of the time at the loop's head may be that of a division, by its line's part of the body. */
static double head_ns(const struct advice *a, const struct advice_loop *loop, const struct model_remark *division)
{
    const struct model_remark *r = loop->remark;
    if (division->line <= r->loop_first || division->line > r->loop_last)
        return 0;
    double head = lines_ns(a->model, r->file, r->loop_first, r->loop_first);
    if (r->loop_last == r->loop_first + 1) /* all of the body, though no sample may fall there */
        return head;
    double body = lines_ns(a->model, r->file, r->loop_first + 1, r->loop_last);
    return body > 0 ? head * remark_own_ns(a, division) / body : 0;
}

/* The rest of a division of floating point numbers is computed bit by bit, of all bits of the quotient. */
static void rests_tell(struct advice *a)
{
    struct library_use use = library_use(a, LIBRARY_REST);
    for (size_t i = 0; i < use.count; i++) {
        const struct library_line *at = &use.line[i];
        if (library_share(a, at->ns) < LEAST_SHARE_APART)
            continue;
        struct model_advice *to =
            library_advise(a, ADVICE_divisions, at, at->ns, at->samples, LEAST_REST_PART, MOST_REST_PART);
        char time[FIGURE_BYTES];
        if (!to)
            continue;
        advice_title(a, to, advice_subject(a, at->line), "takes the rest of a division by a slow function");
        to->evidence =
            arena_print(&a->model->arena,
                        "%s took %s here, %.0f %% of the CPU time; it computes one bit of the quotient after "
                        "the other.",
                        at->name, figure_time(time, at->ns), 100 * library_share(a, at->ns));
        to->action =
            "where the number grows by steps, take the divisor off when it is reached; else x - d * floor(x / d), "
            "with d times the reciprocal computed before (the last digits may differ)";
        to->before = "for (i = 0; i < n; i++) out[i] = wave(fmod(i * step, 1.0));";
        to->after = "for (i = 0; i < n; i++) {\n    out[i] = wave(at);\n    if ((at += step) >= 1.0) at -= 1.0;\n}";
    }
}

void advice_divisions(struct advice *a)
{
    struct advice_loop loop;
    rests_tell(a);
    for (size_t next = 0; loop_next(a, &next, &loop);) {
        const struct model_remark *division = loop_remark(a, &loop, PP_REMARK_DIVISION);
        const struct model_remark *root = loop_remark(a, &loop, PP_REMARK_SQUARE_ROOT);
        const struct model_remark *found = division ? division : root;
        if (found && strcmp(found->detail, "...") == 0) /* it has no name in the source: the library's, mostly */
            continue;
        double line_ns = found ? remark_own_ns(a, found) : 0;
        bool of_integers = division && found->why[0];
        bool of_state = of_integers && strcmp(division->why, "state") == 0;
        if (of_state &&
            (loop.steps < 0 || loop.cpu_ns < STATE_NS * loop.steps || line_ns < LEAST_OF_STATE * loop.cpu_ns))
            continue;
        double head = found ? head_ns(a, &loop, found) : 0;
        if (!found || line_ns + head < LEAST_SHARE * a->cpu_ns)
            continue;
        double stays = loop.steps > 0 ? fmin(REST_NS * loop.steps, MOST_REST * loop.cpu_ns) : 0;
        double goes = fmin(line_ns + head, loop.cpu_ns - stays);
        double least = of_integers ? LEAST_INTEGER * (line_ns + head) : LEAST_INNER * goes;
        double most = of_integers ? MOST_INTEGER * (line_ns + head) : fmin(MOST_INNER * goes, loop.cpu_ns - stays);
        bool is_beside = !division && strcmp(root->why, "divides") == 0;
        bool is_little = division && !of_integers && line_ns + head < LEAST_OF_LOOP * loop.cpu_ns;
        if (is_beside)
            least = 0, most = MOST_BESIDE * goes;
        if (of_integers && loop.steps > 0 && !loop_remark(a, &loop, PP_REMARK_BRANCH)) {
            double part = fmin(1, MOST_INTEGER * loop.cpu_ns / (MOST_EACH_NS * loop.steps)) * loop.steps;
            least = fmax(least, LEAST_EACH_NS * part);
            most = fmax(most, MOST_EACH_NS * part);
        }
        struct model_advice *to = loop_add(a, ADVICE_divisions, &loop, found, least, most);
        if (!to)
            continue;
        if (is_beside || is_little) {
            to->low_ns = 0;
            to->kind = SAVING_BOUND;
        }
        char time[FIGURE_BYTES];
        bool is_named = strcmp(found->detail, "a number") != 0;
        const char *of_line =
            arena_print(&a->model->arena, ", %s of it on line %u", figure_time(time, line_ns), found->line);
        to->evidence = arena_print(&a->model->arena, "%s%s: %s.", loop_time(a, &loop), line_ns > 0 ? of_line : "",
                                   is_named   ? arena_print(&a->model->arena, "it %s", found->text)
                                   : division ? "its divisor stays the same in the loop"
                                              : "it takes the square root of what stays the same in the loop");
        if (head > line_ns / 2)
            to->evidence = arena_print(&a->model->arena,
                                       "%s A part of the %s at line %u, where the loop counts, is spent on the "
                                       "division as well.",
                                       to->evidence, figure_time(time, head), loop.remark->loop_first);
        advice_figure(to, "line_ns", line_ns);
        if (!division) {
            advice_title(a, to, advice_subject(a, loop.line), "takes the same square root in each step");
            to->before = "for (i = 0; i < n; i++) a[i] *= sqrt(d);";
            to->after = "double root = sqrt(d);\nfor (i = 0; i < n; i++) a[i] *= root;";
            to->action = arena_print(&a->model->arena, "compute sqrt(%s) once, before the loop, and use that",
                                     !is_named || strstr(found->detail, "...") ? "..." : found->detail);
        } else if (found->why[0]) {
            to->action = of_state ? CONSTANT_ACTION : DIVISOR_ACTION;
        } else {
            to->action = arena_print(&a->model->arena,
                                     "compute 1.0 / %s before the loop and multiply by it (the last digit may differ)",
                                     is_named ? found->detail : "divisor");
        }
    }
    divisors_tell(a);
    modulos_tell(a);
}
