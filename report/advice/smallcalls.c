/* SPDX-License-Identifier: MIT */
/* smallcalls.c: a hot loop that calls a small function which the compiler did not inline, and why not. The call itself
 * costs little; but what the function keeps behind pointers is written and read again at each call. */
#include "advice/loops.h"

#include <math.h>
#include <string.h>

#define LEAST_SHARE 0.15 /* of the run's CPU time: the loop and what it calls there */
#define LEAST_CALLS 10000
#define LEAST_OF_STEPS 0.5 /* of the loop's steps make the call */
#define LEAST_OWN 0.9      /* of the callee's time is its own: it calls nothing that matters */
#define MOST_PER_CALL 6    /* ns, with the loop around: what does more gains nothing worth mentioning */
/* What goes of that. */
#define LEAST_PART 0.4
#define LEAST_CALL_NS 1.5
#define MOST_PART 0.8
#define MOST_CALL_NS 3

struct small_call {
    const struct model_remark *remark;
    const struct model_function *callee;
    double calls, cpu_ns; /* of the callee, where the loop's function calls it */
};

static bool is_named(const struct model_function *f, const char *name)
{
    size_t length = strlen(name);
    return !strcmp(f->name, name) || (!strncmp(f->name, name, length) && f->name[length] == '(') ||
           !strcmp(f->symbol, name);
}

/* What the loop's function calls by that name, one of the program's own. */
static struct small_call call_of(const struct advice *a, const struct advice_loop *loop, const struct model_remark *r)
{
    const struct model *model = a->model;
    uint32_t inlined = model->line[loop->line].function, caller = loop->remark->function;
    struct small_call found = { .remark = r };
    for (size_t i = 1; i < model->node_count; i++) {
        const struct model_node *node = &model->node[i];
        const struct model_function *f = node->function == MODEL_NONE ? NULL : &model->function[node->function];
        uint32_t from = model->node[node->parent].function;
        if (!f || !f->has_site || !f->calls_known || node->function == from || !is_named(f, r->detail) ||
            from == MODEL_NONE || (from != caller && from != inlined))
            continue;
        found.callee = f;
        found.cpu_ns += node->sampled_ns;
    }
    if (!found.callee || found.callee->self.ns <= 0)
        return (struct small_call){ 0 };
    /* calls are known by function, time by caller */
    found.calls = (double)found.callee->calls * fmin(1, found.cpu_ns / found.callee->self.ns);
    if (loop->steps > 0 && found.calls > loop->steps) { /* other lines of the caller call it, too */
        found.cpu_ns *= loop->steps / found.calls;
        found.calls = loop->steps;
    }
    return found;
}

static bool is_small(const struct advice *a, const struct advice_loop *loop, const struct small_call *call)
{
    double ns = loop->cpu_ns + call->cpu_ns;
    return call->callee && call->calls >= LEAST_CALLS && ns >= LEAST_SHARE * a->cpu_ns &&
           ns <= MOST_PER_CALL * call->calls && (loop->steps < 0 || call->calls >= LEAST_OF_STEPS * loop->steps) &&
           call->callee->self.ns >= LEAST_OWN * call->callee->total.ns;
}

/* GCC's reason, as its inliner words it, to what its author can do about it. */
static const char *remedy(const char *why)
{
    if (strstr(why, "its body is elsewhere") || strstr(why, "body not available"))
        return "define it in a header as static inline, or compile and link with -flto, so that it can be inlined";
    if (strstr(why, "not inlinable"))
        return "take away what forbids inlining it: the attribute noinline, alloca, setjmp or variable arguments";
    return "let it be inlined where it is hot: declare it static inline with the attribute always_inline; or split off "
           "what it seldom does into a function of its own";
}

void advice_smallcalls(struct advice *a)
{
    struct advice_loop loop;
    for (size_t next = 0; loop_next(a, &next, &loop);) {
        struct small_call call = { 0 };
        const struct model_remark *r;
        for (size_t i = 0; (r = remark_of_loop(a->model, loop.remark->file, loop.remark->loop_first,
                                               loop.remark->loop_last, PP_REMARK_CALL, &i));) {
            struct small_call one = call_of(a, &loop, r);
            if (is_small(a, &loop, &one) && one.cpu_ns >= call.cpu_ns)
                call = one;
        }
        if (!call.callee || strstr(call.remark->why, "calls itself"))
            continue;
        double each = (loop.cpu_ns + call.cpu_ns) / call.calls;
        struct model_advice *to = loop_add(a, ADVICE_smallcalls, &loop, call.remark,
                                           call.calls * fmin(LEAST_PART * each, LEAST_CALL_NS),
                                           call.calls * fmin(MOST_PART * each, MOST_CALL_NS));
        if (!to)
            continue;
        char count[FIGURE_BYTES], time[FIGURE_BYTES];
        to->evidence = arena_print(&a->model->arena, "%s and %s. %s calls, %s each with the loop around.",
                                   loop_time(a, &loop), call.remark->text, figure_count(count, call.calls),
                                   figure_time(time, each));
        to->action = remedy(call.remark->why);
        advice_figure(to, "calls", call.calls);
        advice_figure(to, "call_ns", each);
    }
}
