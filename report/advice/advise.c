/* SPDX-License-Identifier: MIT */
/* advise.c: walks the tree of steps, asks the rules of those that matter, and puts what they found in order. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "advice/facts.h"
#include "model/namesake.h"
#include "words/quote.h"

#define LEAST_PART 0.01    /* of the run: a saving below it is not mentioned, and a step below it is ruled out */
#define LEAST_TRUSTED 0.33 /* of threads that may or may not be on the way to the end */

static const struct step {
    enum advice_step parent;
    const char *meaning;
} steps[STEP_COUNT] = {
#define STEP(id, parent, meaning) { STEP_##parent, meaning },
#include "advice/step.def"
};

static const struct row {
    const char *name;
    unsigned version;
    enum advice_step step;
    const char *section, *predicate, *action, *before, *after;
    void (*ask)(struct advice *advice);
} rows[ADVICE_COUNT] = {
#define ADVICE(name, version, step, section, predicate, action, before, after) \
    { #name, version, STEP_##step, section, predicate, action, before, after, advice_##name },
#include "advice/advice.def"
};

static bool step_is_out(const struct advice *a, enum advice_step step)
{
    return a->step_ns[step] >= 0 && a->step_ns[step] < LEAST_PART * a->run_ns;
}

/* The siblings of the step, and those of the steps around it, that have next to nothing. */
static void siblings_rule_out(struct advice *a, struct model_advice *to, enum advice_step step)
{
    char time[FIGURE_BYTES];
    for (; step != STEP_RUN; step = steps[step].parent)
        for (unsigned s = 0; s < STEP_COUNT; s++)
            if (s != step && s != STEP_RUN && steps[s].parent == steps[step].parent && step_is_out(a, s))
                advice_rule_out(a, to, "%s %s", figure_time(time, a->step_ns[s]), steps[s].meaning);
}

const char *advice_subject(const struct advice *a, uint32_t line)
{
    struct model *model = a->model;
    uint32_t function = line == MODEL_NONE ? MODEL_NONE : model->line[line].function;
    if (function == MODEL_NONE)
        return "the program";
    uint32_t stage = model->function[function].stage;
    return stage != MODEL_NONE ? model->stage[stage].name : function_label(&model->arena, &model->function[function]);
}

void advice_title(struct advice *a, struct model_advice *to, const char *subject, const char *predicate)
{
    to->title = arena_print(&a->model->arena, "%s %s", subject, predicate);
}

bool advice_has(const struct advice *a, enum advice_id id, uint32_t function)
{
    for (size_t i = 0; i < a->model->advice_count; i++)
        if (strcmp(a->model->advice[i].rule, rows[id].name) == 0 && a->model->advice[i].function == function)
            return true;
    return false;
}

void advice_figure(struct model_advice *to, const char *name, double value)
{
    if (to->figure_count < sizeof to->figure / sizeof *to->figure)
        to->figure[to->figure_count++] = (struct model_figure){ name, value };
}

void advice_rule_out(struct advice *a, struct model_advice *to, const char *format, ...)
{
    char text[256];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (to->ruled_out_count < sizeof to->ruled_out / sizeof *to->ruled_out)
        to->ruled_out[to->ruled_out_count++] = arena_copy(&a->model->arena, text);
}

struct model_advice *advice_add(struct advice *a, enum advice_id id, uint32_t line, double low_ns, double high_ns,
                                enum saving_kind kind)
{
    struct model *model = a->model;
    if (high_ns < LEAST_PART * a->run_ns)
        return NULL;
    struct model_advice *to = ARRAY_PUSH(model->advice, model->advice_count, model->advice_capacity);
    const struct row *row = &rows[id];
    to->rule = row->name;
    to->version = row->version;
    to->line = line;
    to->function = MODEL_NONE;
    to->file = "";
    if (line != MODEL_NONE) {
        to->function = model->line[line].function;
        to->file = model->line[line].file;
        to->at = model->line[line].line;
    }
    to->evidence = "";
    to->action = row->action;
    to->before = row->before[0] ? row->before : NULL;
    to->after = row->after[0] ? row->after : NULL;
    to->section = row->section;
    to->kind = kind;
    to->of_busy = a->serves;
    double least = a->others.threads < 1 ? 0 : LEAST_TRUSTED * high_ns;
    if (kind == SAVING_MEASURED && low_ns >= least && low_ns < high_ns / 2) {
        /* The likely part: "0 to 80 %" would help nobody. Where the parts are known, all of them may go. */
        high_ns = low_ns >= LEAST_TRUSTED * high_ns ? high_ns : (low_ns + high_ns) / 1.5;
        low_ns = high_ns / 2;
    } else if (kind == SAVING_MEASURED && low_ns < high_ns / 2)
        to->kind = SAVING_BOUND; /* from next to nothing to much is no prediction */
    to->high_ns = fmin(high_ns, a->run_ns);
    to->low_ns = fmax(0, fmin(low_ns, to->high_ns));
    advice_title(a, to, advice_subject(a, line), row->predicate);
    return to;
}

/* Of two that are about the same line, the one whose row stands first knows better. */
static bool is_told(const struct model *model, size_t i)
{
    const struct model_advice *f = &model->advice[i];
    for (size_t k = 0; k < i; k++)
        if (f->line != MODEL_NONE && model->advice[k].line == f->line && !model->advice[k].of_waiters)
            return true;
    return false;
}

/* By the middle of what may be saved: "at most 64 %" is more to look at than "at most 7 %", and than "4 to 8 %". */
static int advice_order(const void *a, const void *b)
{
    const struct model_advice *x = a, *y = b;
    if (x->low_ns + x->high_ns != y->low_ns + y->high_ns)
        return x->low_ns + x->high_ns < y->low_ns + y->high_ns ? 1 : -1;
    return x->high_ns < y->high_ns ? 1 : x->high_ns > y->high_ns ? -1 : strcmp(x->id, y->id);
}

static const char *program_of(const struct model *model)
{
    return model->run.argument_count ? model->run.argument[0] : model->run.program;
}

/* What keeps this build, before the next one takes its place. */
static const char *keep_command(struct model *model)
{
    const char *program = program_of(model), *old = arena_print(&model->arena, "%s.before", program);
    return arena_print(&model->arena, "cp %s %s", quote_shell(&model->arena, program),
                       quote_shell(&model->arena, old));
}

/* Both builds in turn, with the arguments of this run. */
static const char *verify_command(struct model *model)
{
    const char *program = program_of(model), *old = arena_print(&model->arena, "%s.before", program);
    const char *text = arena_print(&model->arena, "profplug compare -n 5 %s", quote_shell(&model->arena, old));
    text = arena_print(&model->arena, "%s %s%s", text, quote_shell(&model->arena, program),
                       model->run.argument_count > 1 ? " --" : "");
    for (size_t i = 1; i < model->run.argument_count; i++)
        text = arena_print(&model->arena, "%s %s", text, quote_shell(&model->arena, model->run.argument[i]));
    return text;
}

void advice_sort(struct model *model)
{
    if (model->advice_count)
        qsort(model->advice, model->advice_count, sizeof *model->advice, advice_order);
}

static void advice_finish(struct advice *a, struct model_advice *to)
{
    const struct model *model = a->model;
    const char *slash = strrchr(to->file, '/');
    to->id = arena_print(&a->model->arena, "%s@%s", to->rule,
                         to->function != MODEL_NONE ? model->function[to->function].name
                         : slash                    ? slash + 1
                                                    : to->file);
    to->low_percent = 100 * to->low_ns / a->run_ns;
    to->high_percent = fmin(100, 100 * to->high_ns / a->least_ns);
}

/* A rule may name a function at two of its lines. Then each ID has how far below the function's first line that is: a
 * number of the line itself would change with every edit above. */
static void ids_part(struct model *model)
{
    char *twice = memory_zeroed(model->advice_count + 1, 1);
    for (size_t i = 0; i < model->advice_count; i++)
        for (size_t k = 0; k < i; k++)
            if (!strcmp(model->advice[i].id, model->advice[k].id))
                twice[i] = twice[k] = 1;
    for (size_t i = 0; i < model->advice_count; i++) {
        struct model_advice *to = &model->advice[i];
        unsigned first = to->function == MODEL_NONE ? 0 : model->function[to->function].line;
        if (twice[i] && to->at)
            to->id = arena_print(&model->arena, "%s+%u", to->id, to->at - (to->at > first ? first : 0));
    }
    free(twice);
}

void advise(struct model *model)
{
    struct advice a;
    facts_make(&a, model);
    model->advised_ns = a.run_ns;
    model->serves = a.serves;
    for (unsigned i = 0; i < ADVICE_COUNT && a.run_ns > 0; i++) {
        size_t before = model->advice_count;
        /* In the stages of a server its clients may be what some entries wait for. */
        if (step_is_out(&a, rows[i].step) || (a.serves && !strcmp(rows[i].section, "stages")))
            continue;
        rows[i].ask(&a);
        for (size_t k = before; k < model->advice_count; k++)
            siblings_rule_out(&a, &model->advice[k], rows[i].step);
    }
    size_t kept = 0;
    for (size_t i = 0; i < model->advice_count; i++)
        if (!is_told(model, i))
            model->advice[kept++] = model->advice[i];
    model->advice_count = kept;
    advice_locks_refer(model);
    const char *keep = keep_command(model), *verify = verify_command(model);
    for (size_t i = 0; i < kept; i++) {
        model->advice[i].keep = keep;
        model->advice[i].verify = verify;
        advice_finish(&a, &model->advice[i]);
    }
    ids_part(model);
    advice_sort(model);
    free(a.use);
}
