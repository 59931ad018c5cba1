/* SPDX-License-Identifier: MIT */
/* copies.c: a line whose time goes into copying memory: of elements that move up, or of values that are handed on. */
#include <math.h>
#include <string.h>

#include "advice/library.h"
#include "words/shortname.h"

#define LEAST_MOVED 0.08
#define LEAST_COPIED 0.2
#define LEAST_PART 0.75 /* so much of the time is saved */
#define MOST_PART 1.2
/* The same of moving elements. A ring or a deque takes time, too: much, where few elements were moved each time. */
#define LEAST_GAP 0.55
#define MOST_GAP 1.1
#define LEAST_FREED 0.01  /* to be worth telling */
#define LEAST_LAYERS 0.08 /* copying in a function and in those that it calls, together */

/* Whether much of the line's time is the allocator's: then elements are not what it moves. */
static bool allocates(const struct library_use *heap, const struct library_line *at)
{
    for (size_t i = 0; i < heap->count; i++)
        if (heap->line[i].line == at->line && heap->line[i].ns > 0.3 * at->ns)
            return true;
    return false;
}

/* Whether it has been told that the function resizes by hand, for which it copies. Where realloc resizes, what the
 * function copies is something else. */
static bool is_resizing(const struct advice *a, uint32_t function)
{
    for (size_t i = 0; i < a->model->advice_count; i++)
        for (size_t k = 0; k < a->model->advice[i].figure_count; k++)
            if (a->model->advice[i].function == function &&
                strcmp(a->model->advice[i].figure[k].name, ADVICE_RESIZE_COPIES) == 0)
                return true;
    return false;
}

/* A line gets blocks by strdup and the like, and they must be freed as well. So it is charged
 * a share of the time in free: that of its blocks among all blocks. */
static double freed_ns(const struct advice *a, const struct library_use *heap, uint32_t line)
{
    const struct model *model = a->model;
    double mine = 0, all = 0, frees = 0;
    for (size_t i = 0; i < model->allocation_count; i++) {
        const struct model_allocation *row = &model->allocation[i];
        double blocks = row->kind == PP_CALLSITE_BLOCKS ? (double)row->blocks.alloc_blocks : 0;
        all += blocks;
        mine += row->line == line ? blocks : 0;
    }
    for (size_t i = 0; i < heap->count; i++)
        frees += strstr(heap->line[i].name, "free") ? heap->line[i].ns : 0;
    return all > 0 ? frees * mine / all : 0;
}

/* A copy that a constructor of C++ makes is destroyed in the same function, mostly at the end of the statement. */
static double destroyed_ns(const struct advice *a, const struct library_line *at)
{
    const struct model *model = a->model;
    double ns = 0;
    for (size_t i = 0; i < model->entry_count && strncmp(at->name, "std::", 5) == 0; i++) {
        const struct model_callee *c = &model->entry[i];
        if (c->name && model->line[c->line].function == model->line[at->line].function && strstr(c->name, "::~") &&
            library_has(LIBRARY_OBJECT, c->name))
            ns += c->self_ns;
    }
    return ns;
}

static void freed_tell(struct advice *a, struct model_advice *to, double freed)
{
    char time[FIGURE_BYTES];
    if (library_share(a, freed) <= LEAST_FREED)
        return;
    to->evidence =
        arena_print(&a->model->arena, "%s Giving back the copies took %s.", to->evidence, figure_time(time, freed));
    advice_figure(to, "freed_ns", freed);
}

/* Whether the compiler says that elements move on there, to make room for one. */
static bool makes_room(const struct advice *a, const struct library_line *at)
{
    const struct model_line *line = &a->model->line[at->line];
    const struct model_remark *r;
    for (size_t next = 0; (r = remark_at_line(a->model, line->file, line->line, &next));)
        if (r->kind == PP_REMARK_GAP)
            return true;
    return strstr(at->name, "::insert") != NULL;
}

static void room_tell(struct advice *a, struct model_advice *to, const struct library_line *at)
{
    bool cpp = strncmp(at->name, "std::", 5) == 0;
    advice_title(a, to, advice_subject(a, at->line), "moves many elements to make room for one");
    to->action =
        cpp ? "append all, and sort once (std::sort); where order is needed in between, use a std::set or a "
              "std::priority_queue; to put elements in front, use a std::deque"
            : "append all at the end, and sort once (qsort); where order is needed in between, keep a tree or a "
              "heap; where a new one always comes first, append it and go through the array from its end";
    to->before = cpp ? "for (auto &x : all) sorted.insert(std::lower_bound(sorted.begin(), sorted.end(), x), x);"
                     : "for (i = 0; i < n; i++) {\n    at = place(a, count, x[i]);\n"
                       "    memmove(a + at + 1, a + at, (count++ - at) * sizeof *a);\n    a[at] = x[i];\n}";
    to->after = cpp ? "sorted = all;\nstd::sort(sorted.begin(), sorted.end());"
                    : "for (i = 0; i < n; i++) a[count++] = x[i];\nqsort(a, count, sizeof *a, compare);";
}

/* An example in the language of the function that was called, and of what it did. */
static void example_choose(struct model_advice *to, enum library kind, const char *name)
{
    bool cpp = strncmp(name, "std::", 5) == 0;
    if (kind == LIBRARY_MOVE && cpp) {
        to->before = "std::vector<item> queue;\nwhile (is_old(queue.front())) queue.erase(queue.begin());";
        to->after = "std::deque<item> queue;\nwhile (is_old(queue.front())) queue.pop_front();";
    } else if (kind == LIBRARY_MOVE) {
        to->before = "while (is_old(&q[0])) memmove(q, q + 1, --n * sizeof *q);";
        to->after = "while (is_old(&q[first])) first++;";
    } else if (cpp) {
        to->before = "long f(std::string text);";
        to->after = "long f(const std::string &text);";
    }
}

static void lines_tell(struct advice *a, enum library kind, double least, const char *predicate, const char *action)
{
    struct library_use use = library_use(a, kind), heap = library_use(a, LIBRARY_HEAP);
    for (size_t i = 0; i < use.count; i++) {
        const struct library_line *at = &use.line[i];
        uint32_t function = a->model->line[at->line].function;
        /* constructors are told by who makes the object: see allocations.c */
        if (library_share(a, at->ns) < least || (kind == LIBRARY_MOVE && allocates(&heap, at)) ||
            is_resizing(a, function) ||
            (kind == LIBRARY_COPY && function != MODEL_NONE && library_makes(a->model->function[function].name)))
            continue;
        double freed = kind == LIBRARY_COPY ? fmax(freed_ns(a, &heap, at->line), destroyed_ns(a, at)) : 0;
        struct model_advice *to =
            library_advise(a, ADVICE_copies, at, at->ns + freed, at->samples,
                           kind == LIBRARY_MOVE ? LEAST_GAP : LEAST_PART, kind == LIBRARY_MOVE ? MOST_GAP : MOST_PART);
        char time[FIGURE_BYTES];
        if (!to)
            continue;
        to->evidence = arena_print(&a->model->arena, "%s took %s here, %.0f %% of the CPU time.",
                                   name_short(&a->model->arena, at->name), figure_time(time, at->ns),
                                   100 * library_share(a, at->ns));
        freed_tell(a, to, freed);
        example_choose(to, kind, at->name);
        if (predicate)
            advice_title(a, to, advice_subject(a, at->line), predicate);
        if (action)
            to->action = action;
        if (kind == LIBRARY_MOVE && makes_room(a, at))
            room_tell(a, to, at);
    }
}

/* The same bytes are copied by one function, and again by one that calls it. */
static void layers_tell(struct advice *a)
{
    struct library_use use = library_use(a, LIBRARY_COPY), heap = library_use(a, LIBRARY_HEAP);
    const struct model *model = a->model;
    double ns = 0, freed = 0;
    uint64_t samples = 0;
    size_t others = 0;
    uint32_t first = use.count ? model->line[use.line[0].line].function : MODEL_NONE;
    for (size_t i = 0; i < use.count; i++) {
        uint32_t function = model->line[use.line[i].line].function;
        bool linked =
            function != first && (advice_is_below(model, function, first) || advice_is_below(model, first, function));
        others += linked;
        ns += linked || function == first ? use.line[i].ns : 0;
        freed += linked || function == first ? freed_ns(a, &heap, use.line[i].line) : 0;
        samples += linked || function == first ? use.line[i].samples : 0;
    }
    if (!others || library_share(a, ns) < LEAST_LAYERS)
        return;
    struct model_advice *to = library_advise(a, ADVICE_copies, &use.line[0], ns + freed, samples, 0.8, 1.25);
    char time[FIGURE_BYTES];
    if (!to)
        return;
    advice_title(a, to, advice_subject(a, use.line[0].line), "copies what other functions around it copy, too");
    to->evidence =
        arena_print(&a->model->arena,
                    "Copying took %s, %.0f %% of the CPU time, here and at %zu %s in functions that it calls or "
                    "that call it.",
                    figure_time(time, ns), 100 * library_share(a, ns), others, others == 1 ? "line" : "lines");
    freed_tell(a, to, freed);
    to->action = "hand on pointers into what is there, with a length, in place of a copy for each layer";
}

void advice_copies(struct advice *a)
{
    lines_tell(a, LIBRARY_MOVE, LEAST_MOVED, "moves many elements to add or remove one",
               "do not close the gap each time: keep an index of the first element, or a ring; where order does not "
               "matter, put the last element into the gap");
    lines_tell(a, LIBRARY_COPY, LEAST_COPIED, NULL, NULL);
    layers_tell(a);
}
