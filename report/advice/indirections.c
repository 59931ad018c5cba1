/* SPDX-License-Identifier: MIT */
/* indirections.c: a hot loop that calls small functions through pointers or virtual tables. Such a call is not inlined,
 * and where its target changes from step to step, the processor guesses wrong and waits. */
#include "advice/loops.h"
#include "model/namesake.h"

#include <math.h>
#include <string.h>

#define LEAST_SHARE 0.1  /* of the run's CPU time: the loop and what it calls */
#define LEAST_CALLS 10000
#define MOST_LINES 20
#define MOST_PER_CALL 40 /* ns: functions that do more gain nothing worth mentioning */
/* What goes of a call and the work around it: at least the call and return, at most a wrong guess, too. */
#define LEAST_PART 0.5
#define LEAST_CALL_NS 3
#define MOST_CALL_NS 8
#define MOST_COPIED 256 /* bytes of an argument: copying more takes longer than the call */
#define EQUAL 0.02      /* calls and steps: what was entered and left in between */

/* The same where all calls lead to one function, which the processor guesses rightly. */
#define ONE_LEAST 0.3
#define ONE_MOST 0.6

struct target {
    double cpu_ns, calls; /* of functions that the loop's function calls */
    uint32_t functions, last; /* how many, and one of them */
};

/* The loop does little else and calls nothing by name. */
static bool is_plain(const struct advice *a, const struct advice_loop *loop)
{
    return loop->remark->loop_last - loop->remark->loop_first <= MOST_LINES && !loop_remark(a, loop, PP_REMARK_CALL);
}

/* The loop is what its function does, or goes round as often as the function calls: then what the function calls is
 * called by the loop, through pointers. */
static bool are_its_calls(const struct advice *a, const struct advice_loop *loop, const struct target *targets)
{
    const struct model_function *function = loop_function(a, loop);
    return (function && loop->cpu_ns >= function->self.ns / 2) ||
           (loop->steps > 0 && fabs(targets->calls - loop->steps) <= EQUAL * loop->steps);
}

static struct target targets_of(const struct advice *a, const struct advice_loop *loop)
{
    const struct model *model = a->model;
    uint32_t caller = model->line[loop->line].function;
    struct target sum = { 0 };
    for (size_t i = 1; i < model->node_count; i++) {
        const struct model_node *node = &model->node[i];
        if (model->node[node->parent].function != caller || node->function == MODEL_NONE || node->function == caller)
            continue;
        const struct model_function *callee = &model->function[node->function];
        if (!callee->calls_known || callee->calls < LEAST_CALLS)
            continue;
        sum.cpu_ns += node->sampled_ns;
        sum.calls += (double)callee->calls;
        sum.functions += !sum.functions || sum.last != node->function; /* a caller has a node for each of its callers */
        sum.last = node->function;
    }
    return sum;
}

/* Nothing is to be sorted by what is called. */
static void one_tell(struct advice *a, struct model_advice *to, const char *name)
{
    advice_title(a, to, advice_subject(a, to->line), "calls a small function through a pointer in each step");
    to->action = arena_print(&a->model->arena,
                             "call %s by its name where the pointer leads to it, so that it is inlined; or hand over a "
                             "block of elements by one call",
                             name);
    to->before = "for (i = 0; i < n; i++) sum += take(&x[i]);";
    to->after = "if (take == usual)\n    for (i = 0; i < n; i++) sum += usual(&x[i]);\n"
                "else\n    for (i = 0; i < n; i++) sum += take(&x[i]);";
}

void advice_indirections(struct advice *a)
{
    struct advice_loop loop;
    for (size_t next = 0; loop_next(a, &next, &loop);) {
        const struct model_remark *through = loop_remark(a, &loop, PP_REMARK_VIRTUAL_CALL);
        if (!through)
            through = loop_remark(a, &loop, PP_REMARK_INDIRECT_CALL);
        const struct model_remark *copy = loop_remark(a, &loop, PP_REMARK_STRUCTURE_COPY);
        if (copy && copy->value > MOST_COPIED)
            continue; /* structures.c */
        if (through && through->kind == PP_REMARK_INDIRECT_CALL && through->value)
            continue; /* each call says which comes next */
        struct target targets = through && is_plain(a, &loop) ? targets_of(a, &loop) : (struct target){ 0 };
        double ns = loop.cpu_ns + targets.cpu_ns, each = targets.calls > 0 ? ns / targets.calls : 0;
        if (!targets.functions || ns < LEAST_SHARE * a->cpu_ns || each > MOST_PER_CALL ||
            !are_its_calls(a, &loop, &targets))
            continue;
        bool one = targets.functions == 1 && through->kind == PP_REMARK_INDIRECT_CALL;
        double least = one ? ONE_LEAST * each : fmin(LEAST_PART * each, LEAST_CALL_NS);
        struct model_advice *to =
            loop_add(a, ADVICE_indirections, &loop, through, targets.calls * fmin(least, LEAST_CALL_NS),
                     targets.calls * fmin(one ? ONE_MOST * each : each, MOST_CALL_NS));
        if (!to)
            continue;
        char count[FIGURE_BYTES], time[FIGURE_BYTES];
        const char *name = function_label(&a->model->arena, &a->model->function[targets.last]);
        const char *functions =
            targets.functions == 1 ? name : arena_print(&a->model->arena, "%u functions", targets.functions);
        to->evidence = arena_print(
            &a->model->arena, "%s and %s. %s calls of %s, %s each with the loop around.", loop_time(a, &loop),
            strstr(through->text, "...") ? "calls through a pointer" : through->text,
            figure_count(count, targets.calls), functions, figure_time(time, each));
        if (one)
            one_tell(a, to, name);
        advice_figure(to, "calls", targets.calls);
        advice_figure(to, "targets", targets.functions);
    }
}
