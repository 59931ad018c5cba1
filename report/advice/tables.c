/* SPDX-License-Identifier: MIT */
/* tables.c: mathematical functions that are computed anew where what they give could be kept: the compiler says that
 * there are few different numbers, that a loop asks for the same one each time, that each result is the one before
 * times a factor, that the power is a fixed one, or that a distance is only compared. And functions that look for a
 * character in a text which never changes. */
#include "advice/library.h"
#include "advice/loops.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_SHARE 0.05 /* of the run's CPU time */
#define LONGEST_NS 200.0 /* a call: so many there were at least */
#define SHORTEST_NS 3.0  /* a step that takes less does not call in each round */
#define TIMES_MORE 4.0   /* calls than numbers, at least */
#define LARGE 4096.0     /* numbers: a table of more is not in the fastest cache */
#define LEAST_PART 0.85  /* of the function's time */
#define LEAST_LARGE 0.75
#define LEAST_ROOT 0.65 /* of that of a power with a root in it */
#define MOST_ROOT 0.9

#define LEAST_COMPARED 0.6 /* of a distance: its square takes a few products, and no root or care for large numbers */

#define LEAST_FACTORS 0.5
#define CALLS_LEFT 2.0   /* in each round of a loop of factors: the first result, and the factor */
enum cause { NONE, SAME, FEW, PLACE, FACTORS, POWER, COMPARED };
struct saving {
    enum cause cause;
    const struct model_remark *remark;
    double least, most; /* least: of the function's time; most: with what else the line does */
    bool is_bound;
};

/* The loop that the remark names, or the one around its line: of FACTORS, the function may have been inlined. */
static const struct model_remark *loop_around(const struct advice *a, const struct model_remark *r)
{
    size_t next = 0;
    return r->kind == PP_REMARK_FACTORS
               ? remark_of_loop(a->model, r->file, r->loop_first, r->loop_last, PP_REMARK_LOOP, &next)
               : remark_loop(a->model, r->file, r->line);
}

/* How often the loop around goes round each time; 0: not known. */
static double rounds_of(const struct advice *a, const struct model_remark *r)
{
    const struct model_remark *loop = loop_around(a, r);
    return loop && loop->is_counted && loop->steps > 0 && loop->entries > 0 ? loop->steps / loop->entries : 0;
}

/* How often it is called, at least, while what the remark names stays the same. */
static double calls_of(const struct advice *a, const struct library_line *at, const struct model_remark *r)
{
    const struct model_remark *loop = remark_loop(a->model, r->file, r->line);
    const struct model_function *f = &a->model->function[a->model->line[at->line].function];
    double calls = at->ns / LONGEST_NS, steps = loop && loop->is_counted ? loop->steps : 0;
    if (steps > 0 && at->ns >= SHORTEST_NS * steps)
        calls = fmax(calls, steps);
    if (!r->why[0])
        return calls;
    const struct model_function *around = r->function != MODEL_NONE ? &a->model->function[r->function] : f;
    if (f->inlined && library_has(LIBRARY_PLACE, r->detail))
        f = around; /* to which the text was given: it has the other one inlined */
    double begun = f->calls_known && f->calls && !f->inlined && !f->has_copies ? (double)f->calls : 0;
    double entries = loop && loop->is_counted ? loop->entries : 0;
    if (begun > 0 && entries > 0)
        begun = fmin(begun, entries);
    begun = begun > 0 ? begun : entries;
    return begun > 0 ? calls / begun : 0;
}

static struct saving saving_of(const struct advice *a, const struct library_line *at, const struct model_remark *r)
{
    struct saving s = { .cause = NONE, .remark = r, .most = 1 };
    if (r->kind == PP_REMARK_REPEATED_CALL && library_has(LIBRARY_MATH, r->detail)) {
        double rounds = rounds_of(a, r);
        s.cause = SAME;
        s.is_bound = rounds <= 0;
        s.most = rounds > 0 ? 1 - 1 / rounds : 1;
        s.least = 0.9 * s.most;
    } else if (r->kind == PP_REMARK_FEW_VALUES) {
        double calls = calls_of(a, at, r), values = (double)r->value;
        enum cause found = library_has(LIBRARY_PLACE, r->detail) ? PLACE : FEW;
        s.cause = calls >= TIMES_MORE * values ? found : NONE;
        s.least = (values > LARGE || (found == PLACE && r->why[0]) ? LEAST_LARGE : LEAST_PART) *
                  (1 - values / fmax(1, calls)); /* looking for a character in a short text takes a few ns */
    } else if (r->kind == PP_REMARK_FACTORS) {
        double rounds = rounds_of(a, r), part = rounds > 0 ? 1 - CALLS_LEFT / rounds : 1;
        s.cause = part >= LEAST_FACTORS ? FACTORS : NONE;
        s.is_bound = rounds <= 0;
        s.most = fmax(0, part);
        s.least = LEAST_PART * s.most;
    } else if (r->kind == PP_REMARK_POWER) {
        double power = strtod(r->why, NULL);
        s.cause = POWER;
        s.least = power == trunc(power) ? LEAST_PART : LEAST_ROOT;
        s.most = power == trunc(power) ? 1 : MOST_ROOT;
    } else if (r->kind == PP_REMARK_COMPARED) {
        s.cause = COMPARED;
        s.least = LEAST_COMPARED;
    }
    return s;
}

static struct saving best_at(const struct advice *a, const struct library_line *at)
{
    const struct model_line *line = &a->model->line[at->line];
    const struct model_remark *r;
    struct saving best = { .cause = NONE };
    bool others = false; /* calls at the line for too many numbers: which of the time is theirs is not known */
    for (size_t next = 0; (r = remark_at_line(a->model, line->file, line->line, &next));) {
        struct saving s = saving_of(a, at, r);
        others |= r->kind == PP_REMARK_FEW_VALUES && s.cause == NONE;
        bool same = s.cause == best.cause && s.cause != NONE; /* copies of the loop may have fewer numbers */
        if (s.cause != NONE && (same ? s.remark->value > best.remark->value
                                     : best.cause == NONE || s.is_bound < best.is_bound ||
                                           (s.is_bound == best.is_bound && s.least > best.least)))
            best = s;
    }
    if (others && (best.cause == FEW || best.cause == PLACE))
        best.cause = NONE;
    return best;
}

/* x * x, 1 / (x * sqrt(x)) */
static const char *product_text(struct arena *arena, double power)
{
    const char *text = "";
    for (double left = fabs(power); left > 0; left -= 1)
        text = arena_print(arena, "%s%s%s", text, text[0] ? " * " : "", left >= 1 ? "x" : "sqrt(x)");
    return power > 0 ? text : arena_print(arena, strchr(text, '*') ? "1 / (%s)" : "1 / %s", text);
}

static void saving_tell(struct advice *a, struct model_advice *to, const struct library_line *at,
                        const struct saving *s, double ns, double each)
{
    struct arena *arena = &a->model->arena;
    const struct model_remark *r = s->remark;
    const char *subject = advice_subject(a, at->line);
    char time[FIGURE_BYTES], step[FIGURE_BYTES];
    to->evidence = arena_print(arena, "%s took %s here, %.0f %% of the CPU time%s.", at->name, figure_time(time, ns),
                               100 * library_share(a, ns),
                               each > 0 ? arena_print(arena, ", %s a step", figure_time(step, each)) : "");
    if (s->cause == SAME) {
        advice_title(a, to, subject, arena_print(arena, "computes %s of the same numbers in each step", at->name));
        to->evidence = arena_print(arena, "%s Its arguments stay the same in the loop around it.", to->evidence);
        to->action = arena_print(arena, "call %s once, before the loop, and keep what it gives", at->name);
        to->before = "for (i = 0; i < n; i++) a[i] *= exp(-t / d);";
        to->after = "double fade = exp(-t / d);\nfor (i = 0; i < n; i++) a[i] *= fade;";
    } else if (s->cause == FEW) {
        to->evidence = arena_print(arena,
                                   "%s By the ranges that the compiler knows, it can be called for %.0f different "
                                   "numbers at most%s%s%s.",
                                   to->evidence, (double)r->value, r->why[0] ? ", as long as " : "", r->why,
                                   r->why[0] ? " stays the same" : "");
        to->action = arena_print(arena,
                                 "compute it once for each of the %.0f numbers, into a table%s, and look there; what "
                                 "is done with the result can be in the table, too",
                                 (double)r->value,
                                 r->why[0] ? arena_print(arena, " that is made anew when %s changes", r->why) : "");
    } else if (s->cause == PLACE) {
        bool given = r->why[0];
        advice_title(a, to, subject,
                     arena_print(arena, "looks for each character by %s in %s", at->name,
                                 given ? "the same text" : "a text that never changes"));
        to->evidence = arena_print(arena, "%s There are no more than %.0f different characters to look for.",
                                   to->evidence, (double)r->value);
        if (given)
            to->evidence = arena_print(arena, "%s Where they are looked for, %s stays the same for long.", to->evidence,
                                       r->why);
        to->action = arena_print(arena, "make a table of %.0f entries by the character, %s, and look there",
                                 (double)r->value, given ? "where the text is given" : "once");
        to->before = given ? "while (!strchr(parts, *p)) p++;" : "value = strchr(digits, c) - digits;";
        to->after = given ? "for (i = 0; i <= strlen(parts); i++) parts_it[(unsigned char)parts[i]] = 1;   /* once */\n"
                            "while (!parts_it[(unsigned char)*p]) p++;"
                          : "for (i = 0; digits[i]; i++) place[(unsigned char)digits[i]] = i;   /* once */\n"
                            "value = place[(unsigned char)c];";
    } else if (s->cause == FACTORS) {
        advice_title(a, to, subject, arena_print(arena, "computes %s of numbers in equal steps", at->name));
        to->evidence = arena_print(
            arena, "%s In its loop each result is the one before times a factor that stays the same.", to->evidence);
        to->action = arena_print(
            arena,
            "call %s before the loop, for the first number and for the factor, and multiply in each step (the last "
            "digits may differ); or keep the results in a table",
            at->name);
        to->before = "for (i = 0; i < n; i++) sum += pay[i] * pow(1 + rate, -i);";
        to->after = "double left = 1, factor = 1 / (1 + rate);\n"
                    "for (i = 0; i < n; i++, left *= factor) sum += pay[i] * left;";
    } else if (s->cause == COMPARED) {
        advice_title(a, to, subject, "takes a root that is only compared");
        to->evidence = arena_print(arena, "%s Its result is only compared.", to->evidence);
        to->action = "compare squares: x * x + y * y with r * r; of a complex number, x and y are creal and cimag "
                     "(real and imag in C++)";
        to->before = "if (hypot(x, y) < r) inside++;";
        to->after = "if (x * x + y * y < r * r) inside++;";
    } else {
        const char *product = product_text(arena, strtod(r->why, NULL));
        advice_title(a, to, subject, arena_print(arena, "calls %s for a power that is fixed", at->name));
        to->evidence = arena_print(arena, "%s The power is %s each time.", to->evidence, r->why);
        to->action = arena_print(arena, "write %s, with x in a variable (the last digit may differ)", product);
        to->before = "y = pow(x, 3);";
        to->after = "y = x * x * x;";
    }
}

static void tables_ask(struct advice *a, enum library kind)
{
    struct library_use use = library_use(a, kind);
    for (size_t i = 0; i < use.count; i++) {
        const struct library_line *at = &use.line[i];
        const struct model_line *line = &a->model->line[at->line];
        struct saving s = best_at(a, at);
        if (s.cause == NONE || line->function == MODEL_NONE || advice_has(a, ADVICE_tables, line->function))
            continue;
        double ns = 0, own = 0;
        uint64_t samples = 0;
        for (size_t k = i; k < use.count; k++) {
            const struct model_line *other = &a->model->line[use.line[k].line];
            if (other->function != line->function || best_at(a, &use.line[k]).cause != s.cause)
                continue;
            ns += use.line[k].ns;
            own += other->self.ns - fmin(other->self.ns, other->library_ns + other->system_ns);
            samples += use.line[k].samples;
        }
        if (library_share(a, ns) < LEAST_SHARE)
            continue;
        double rounds = s.cause == SAME || s.cause == FACTORS ? rounds_of(a, s.remark) : 0;
        const struct model_remark *loop = loop_around(a, s.remark);
        double steps = loop && loop->is_counted ? loop->steps : 0;
        /* with the result, what the line makes of it goes; vectors may do what is left */
        double whole = ns + (s.cause == POWER || s.cause == FACTORS || s.cause == COMPARED ? 0 : own);
        struct model_advice *to =
            library_advise(a, ADVICE_tables, at, whole, samples, s.least * ns / whole, s.most);
        if (!to)
            continue;
        if (s.is_bound)
            to->kind = SAVING_BOUND;
        saving_tell(a, to, at, &s, ns, steps > 0 ? at->ns / steps : 0);
        if (s.cause == FEW || s.cause == PLACE)
            advice_figure(to, "values", (double)s.remark->value);
        if (rounds > 0)
            advice_figure(to, "rounds", rounds);
    }
}

void advice_tables(struct advice *a)
{
    tables_ask(a, LIBRARY_MATH);
    tables_ask(a, LIBRARY_PLACE);
}
