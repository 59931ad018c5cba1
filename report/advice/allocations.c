/* SPDX-License-Identifier: MIT */
/* allocations.c: a function that spends much of its time on getting and giving back memory. Samples see the allocator
 * alone. Without its blocks the calls go, too, and what is done to fresh memory: measured, 1.1 to 1.9 times as much. */
#include <string.h>

#include "advice/library.h"
#include "words/shortname.h"

#define LEAST_SHARE 0.1

static bool is_told(const struct advice *a, uint32_t function)
{
    for (size_t i = 0; i < a->model->advice_count; i++)
        if (strcmp(a->model->advice[i].rule, "allocations") == 0 && a->model->advice[i].function == function)
            return true;
    return false;
}

/* All lines of the function. */
static double function_ns(const struct advice *a, const struct library_use *use, uint32_t function, uint64_t *samples)
{
    double ns = 0;
    for (size_t i = 0; i < use->count; i++)
        if (a->model->line[use->line[i].line].function == function) {
            ns += use->line[i].ns - use->line[i].system_ns;
            *samples += use->line[i].samples;
        }
    return ns;
}

/* Whether a destructor runs in that function. */
static bool is_destroyed(const struct advice *a, const struct library_use *use, uint32_t function)
{
    const struct model *model = a->model;
    for (size_t i = 0; i < use->count; i++) {
        const struct model_line *l = &model->line[use->line[i].line];
        for (uint32_t k = 0; k < l->callee_count && l->function == function; k++) {
            const char *name = model->callee[l->callee + k].name;
            if (name && strstr(name, "::~"))
                return true;
        }
    }
    return false;
}

/* Objects of C++ that are made and destroyed at lines of one function: their code is in headers, and mostly what
 * allocates is, too. */
static void objects_tell(struct advice *a)
{
    struct library_use use = library_use(a, LIBRARY_OBJECT);
    for (size_t i = 0; i < use.count; i++) {
        const struct library_line *at = &use.line[i];
        uint32_t function = a->model->line[at->line].function;
        uint64_t samples = 0;
        double ns = function_ns(a, &use, function, &samples);
        if (library_share(a, ns) < LEAST_SHARE || is_told(a, function) || !is_destroyed(a, &use, function))
            continue;
        struct model_advice *to = library_advise(a, ADVICE_allocations, at, ns, samples, 1.1, 1.8);
        char time[FIGURE_BYTES];
        if (!to)
            continue;
        advice_title(a, to, advice_subject(a, at->line), "makes and destroys objects that it needs for a moment");
        to->evidence = arena_print(&a->model->arena,
                                   "%s and what destroys it took %s in this function, %.0f %% of the CPU time.",
                                   name_short(&a->model->arena, at->name), figure_time(time, ns),
                                   100 * library_share(a, ns));
        to->action = "use what is there (std::string_view, std::span or a reference), or keep one object outside of "
                     "the loop and clear it";
        to->before = "for (size_t i = 0; i < n; i++) count(text.substr(at[i], 8));";
        to->after = "std::string_view all(text);\nfor (size_t i = 0; i < n; i++) count(all.substr(at[i], 8));";
    }
}

void advice_allocations(struct advice *a)
{
    struct library_use use = library_use(a, LIBRARY_HEAP);
    for (size_t i = 0; i < use.count; i++) {
        const struct library_line *at = &use.line[i];
        uint32_t function = a->model->line[at->line].function;
        uint64_t samples = 0;
        double ns = function_ns(a, &use, function, &samples);
        if (library_share(a, ns) < LEAST_SHARE || is_told(a, function))
            continue;
        struct model_advice *to = library_advise(a, ADVICE_allocations, at, ns, samples, 1.2, 1.9);
        char time[FIGURE_BYTES], count[FIGURE_BYTES];
        if (!to)
            continue;
        to->evidence = arena_print(&a->model->arena, "The allocator took %s in this function, %.0f %% of the CPU time",
                                   figure_time(time, ns), 100 * library_share(a, ns));
        to->evidence = a->model->run.heap_calls
                           ? arena_print(&a->model->arena, "%s; the run called it %s times in all.", to->evidence,
                                         figure_count(count, (double)a->model->run.heap_calls))
                           : arena_print(&a->model->arena, "%s.", to->evidence);
        advice_figure(to, "heap_calls", (double)a->model->run.heap_calls);
    }
    objects_tell(a);
}
