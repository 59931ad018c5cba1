/* SPDX-License-Identifier: MIT */
/* allocations.c: a function that spends much of its time on getting and giving back memory. Samples see the allocator
 * alone. Without its blocks the calls go, too, and what is done to fresh memory. Measured: 0.75 to 1.1 times as much
 * where a function calls malloc itself, 1.35 to 1.8 where a library does so for it, whose other work goes as well. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "advice/homes.h"
#include "advice/library.h"
#include "model/namesake.h"
#include "words/shortname.h"

#define LEAST_SHARE 0.1
#define FEWEST 5               /* samples */
#define LEAST_PART 0.8 /* of the allocator's time */
#define MOST_PART 1.5
#define LEAST_THROUGH 1.1 /* where a library asks for the blocks */
#define MOST_THROUGH 1.9
#define LEAST_SHARE_BRIEF 0.05 /* where its blocks live only in the function */
#define MOST_LIVE 0.01         /* of all bytes of such blocks, at the peak of the heap */
#define LEAST_BLOCK_NS 6.0     /* what getting and freeing one takes at least: samples see much of that in who calls */
#define MOST_BLOCK_NS 12.0
#define FAR_MORE 3.0
#define KNOWN_OBJECTS 0.5 /* of their time */
#define LEAST_MADE 0.05   /* of their time, in constructors */
#define LONG_NS 1e5       /* for one object to be destroyed */
#define LEAST_OBJECTS 0.7 /* of what making and destroying objects takes */
#define GAIN_OBJECTS 1.15
#define LEAST_TEXTS 0.45 /* where it puts texts together: that remains, in a buffer that is there */
#define GAIN_TEXTS 0.9
#define MOST_OBJECTS 0.8  /* of the allocator's time in a function: what remains is little */
#define MOST_OF_OBJECTS 0.5 /* of their time: a copy or a measured text that is no more is a part of theirs */
#define LEAST_REGROWN 0.8 /* of what growing took where it is filled anew each time */
#define MOST_REGROWN 1.1

static uint32_t home_of(const struct advice *a, const uint32_t *home, const struct library_line *at)
{
    uint32_t function = a->model->line[at->line].function;
    return function == MODEL_NONE ? MODEL_NONE : home[function];
}

/* All lines of the function, or of those at home there. */
static double function_ns(const struct advice *a, const struct library_use *use, const uint32_t *home,
                          uint32_t function, uint64_t *samples)
{
    double ns = 0;
    for (size_t i = 0; i < use->count; i++)
        if (home_of(a, home, &use->line[i]) == function) {
            ns += use->line[i].ns - use->line[i].system_ns;
            *samples += use->line[i].samples;
        }
    return ns;
}

/* Whether most of what allocates in the function does so for such objects. */
static bool has_most(const struct advice *a, const struct library_use *heap, const uint32_t *home, uint32_t function,
                     double ns)
{
    uint64_t samples = 0;
    return ns >= MOST_OBJECTS * function_ns(a, heap, home, function, &samples);
}

static bool gives_back(const struct library_line *at)
{
    return strstr(at->name, "free") || strstr(at->name, "delete") || strstr(at->name, "_Zd");
}

/* Where the function asks for blocks, though giving them back may take longer: that is where they can be done without.
 */
static const struct library_line *asking(const struct advice *a, const struct library_use *use, const uint32_t *home,
                                         size_t at)
{
    uint32_t function = home_of(a, home, &use->line[at]);
    for (size_t i = at; i < use->count && function != MODEL_NONE; i++)
        if (home_of(a, home, &use->line[i]) == function && !gives_back(&use->line[i]))
            return &use->line[i];
    return &use->line[at];
}

/* How many blocks the function got and gave back itself, of which few are there at a time; 0 if it is not like that:
 * wrappers do only one of these, and a table that grows keeps much of what it got. */
static double brief_blocks(const struct advice *a, const struct library_use *use, uint32_t function)
{
    const struct model *model = a->model;
    bool gets = false, frees = false;
    double blocks = 0, bytes = 0, peak = 0;
    for (size_t i = 0; i < use->count; i++)
        if (model->line[use->line[i].line].function == function) {
            frees |= gives_back(&use->line[i]);
            gets |= !gives_back(&use->line[i]);
        }
    for (size_t i = 0; i < model->allocation_count && function != MODEL_NONE; i++)
        if (model->allocation[i].function == function) {
            blocks += (double)model->allocation[i].blocks.alloc_blocks;
            bytes += (double)model->allocation[i].blocks.alloc_bytes;
            peak += (double)model->allocation[i].blocks.peak_bytes;
        }
    return gets && frees && peak < MOST_LIVE * bytes ? blocks : 0;
}

/* Whether a library asks for most of the function's blocks, as strndup does, or a vector that grows. */
static bool is_through_library(const struct model *model, uint32_t function)
{
    double own = 0, through = 0;
    for (size_t i = 0; i < model->allocation_count; i++)
        if (model->allocation[i].function == function)
            *(model->allocation[i].library != MODEL_NONE ? &through : &own) +=
                (double)model->allocation[i].blocks.alloc_blocks;
    return through > own;
}

/* Whether the function does nothing but give back what copies got: that was told with the copies. */
static bool frees_copies(const struct advice *a, const struct library_use *use, uint32_t function)
{
    bool told = false;
    for (size_t i = 0; i < a->model->advice_count; i++)
        for (size_t k = 0; k < a->model->advice[i].figure_count; k++)
            told = told || strcmp(a->model->advice[i].figure[k].name, "freed_ns") == 0;
    for (size_t i = 0; i < use->count && told; i++)
        if (a->model->line[use->line[i].line].function == function && !strstr(use->line[i].name, "free"))
            return false;
    return told;
}

struct objects { /* of C++ that lines of one function make and destroy */
    double ns, most_ns, made_ns; /* made_ns: without destructors */
    double counted_ns, count;    /* of objects whose destructors were counted */
    uint64_t samples;
    const char *name;      /* that of most time */
    bool destroys, handed; /* by itself; its caller does */
};

/* Objects that a function hands to its caller are destroyed there. */
static void handed_mark(struct model *model, struct objects *all)
{
    for (size_t i = 1; i < model->node_count; i++) {
        uint32_t mine = model->node[i].function, caller = model->node[model->node[i].parent].function;
        if (mine != MODEL_NONE && caller != MODEL_NONE && all[caller].destroys)
            all[mine].handed = true;
    }
}

/* How often it was called there at most; 0: not known. */
static double calls_most(const struct model *model, const struct model_node *n)
{
    const struct model_function *f = n->function != MODEL_NONE ? &model->function[n->function] : NULL;
    return !n->sampled_only ? (double)n->calls : f && f->calls_known ? (double)f->calls : 0;
}

/* An inlined destructor, of which samples alone tell, was called as often as what it is in. */
static void objects_count(const struct model *model, struct objects *of, uint32_t node, uint32_t user)
{
    double calls = 0;
    for (uint32_t i = node; i != user && !calls; i = model->node[i].parent)
        calls = calls_most(model, &model->node[i]);
    of->counted_ns += calls > 0 ? model->node[node].below.ns : 0;
    of->count += calls;
}

/* Few that are only destroyed, each for long, hold what was gathered in them meanwhile. */
static bool are_few(const struct objects *of)
{
    return of->made_ns < LEAST_MADE * of->ns && of->counted_ns >= KNOWN_OBJECTS * of->ns &&
           of->counted_ns > LONG_NS * of->count;
}

/* By function, from the call tree. The work of a constructor itself belongs to whoever makes the object: the compiler
 * writes those that copy, and puts them at the line of the structure. */
static struct objects *objects_make(const struct advice *a)
{
    struct model *model = a->model;
    struct objects *all = arena_take(&model->arena, (model->function_count + 1) * sizeof *all);
    bool *inside = memory_zeroed(model->node_count + 1, sizeof *inside);
    memset(all, 0, (model->function_count + 1) * sizeof *all);
    for (size_t i = 1; i < model->node_count; i++) {
        const struct model_node *n = &model->node[i];
        const char *name = n->function != MODEL_NONE ? model->function[n->function].name : "";
        inside[i] = inside[n->parent] || library_has(LIBRARY_OBJECT, name);
        if (!inside[i] || inside[n->parent])
            continue;
        uint32_t user = n->parent;
        while (user && model->node[user].function != MODEL_NONE &&
               library_makes(model->function[model->node[user].function].name))
            user = model->node[user].parent;
        if (!user || model->node[user].function == MODEL_NONE)
            continue;
        struct objects *of = &all[model->node[user].function];
        of->ns += n->below.ns;
        of->made_ns += strstr(name, "::~") ? 0 : n->below.ns;
        objects_count(model, of, (uint32_t)i, user);
        of->samples += n->below_samples;
        of->destroys = of->destroys || strstr(name, "::~");
        if (n->below.ns > of->most_ns) {
            of->most_ns = n->below.ns;
            of->name = name;
        }
    }
    free(inside);
    handed_mark(model, all);
    return all;
}

/* The time that a line spends in functions that it calls, inlined ones among them. */
static double below_ns(const struct model_line *line)
{
    return line->total.ns - line->self.ns + line->library_ns + line->system_ns;
}

/* The line of the function that makes them: that with most time in them, if it does not destroy them. Where lines that
 * call constructors and destructors have little of the time, it is the line with far more in what it calls. */
static uint32_t objects_line(const struct advice *a, const struct library_use *use, uint32_t function, double ns)
{
    const struct model *model = a->model;
    uint32_t makes = MODEL_NONE, best = MODEL_NONE;
    for (size_t i = 0; i < use->count && makes == MODEL_NONE; i++)
        if (model->line[use->line[i].line].function == function && !strstr(use->line[i].name, "::~"))
            makes = use->line[i].line;
    for (uint32_t i = 0; i < model->line_count; i++)
        if (model->line[i].function == function &&
            (best == MODEL_NONE || below_ns(&model->line[i]) > below_ns(&model->line[best])))
            best = i;
    uint64_t samples = 0;
    bool known = library_function_ns(a, use, function, false, &samples) >= KNOWN_OBJECTS * ns;
    bool far = !known && makes != MODEL_NONE && below_ns(&model->line[best]) > FAR_MORE * below_ns(&model->line[makes]);
    return makes == MODEL_NONE || far ? best : makes;
}

/* What page faults of memory that goes back to the kernel and comes again took, if the function was told of that: the
 * objects are why. Then that is told here alone. */
static double pages_take(struct advice *a, uint32_t function)
{
    struct model *model = a->model;
    for (size_t i = 0; i < model->advice_count; i++) {
        const struct model_advice *told = &model->advice[i];
        for (size_t k = 0; k < told->figure_count && told->function == function; k++) {
            double ns = told->figure[k].value;
            if (strcmp(told->figure[k].name, ADVICE_PAGES_AGAIN) != 0)
                continue;
            memmove(&model->advice[i], &model->advice[i + 1], (--model->advice_count - i) * sizeof *model->advice);
            return ns;
        }
    }
    return 0;
}

/* What was told of the same line, but is a part of what objects take there: a constructor measures a text and copies
 * it, and a short run's few samples may see more of that than there is. */
static void parts_drop(struct advice *a, uint32_t line, double ns)
{
    struct model *model = a->model;
    size_t kept = 0;
    for (size_t i = 0; i < model->advice_count; i++) {
        const struct model_advice *told = &model->advice[i];
        bool part = told->line == line && (!strcmp(told->rule, "copies") || !strcmp(told->rule, "lengths"));
        for (size_t k = 0; k < told->figure_count && part; k++)
            part = strcmp(told->figure[k].name, "cpu_ns") != 0 || told->figure[k].value <= MOST_OF_OBJECTS * ns;
        if (!part)
            model->advice[kept++] = *told;
    }
    model->advice_count = kept;
}

/* Whether the function puts texts together that are so short that no block is got for them: that remains, then. */
static bool is_without_blocks(const struct model *model, uint32_t function, const struct objects *of)
{
    bool got = !model->has_blocks || !library_has(LIBRARY_JOIN, of->name);
    for (size_t i = 0; i < model->allocation_count && !got; i++)
        got = model->allocation[i].function == function && model->allocation[i].blocks.alloc_blocks;
    return !got;
}

static void objects_tell(struct advice *a, const struct library_use *heap, const uint32_t *home)
{
    struct objects *all = objects_make(a);
    struct library_use use = library_use(a, LIBRARY_OBJECT);
    for (uint32_t f = 0; f < a->model->function_count; f++) {
        const struct objects *of = &all[f];
        if (library_share(a, of->ns) < LEAST_SHARE || of->samples < FEWEST || (!of->destroys && !of->handed) ||
            are_few(of) || !has_most(a, heap, home, f, of->ns) || is_without_blocks(a->model, f, of))
            continue;
        struct library_line at = { .line = objects_line(a, &use, f, of->ns), .name = of->name };
        struct model_advice *to = NULL;
        bool texts = library_has(LIBRARY_JOIN, of->name);
        double pages = at.line != MODEL_NONE ? pages_take(a, f) : 0, all_ns = of->ns + pages;
        if (at.line != MODEL_NONE)
            parts_drop(a, at.line, of->ns);
        if (at.line != MODEL_NONE)
            to = library_advise(a, ADVICE_allocations, &at, all_ns, of->samples, texts ? LEAST_TEXTS : LEAST_OBJECTS,
                                texts ? GAIN_TEXTS : GAIN_OBJECTS);
        char time[FIGURE_BYTES], fresh[FIGURE_BYTES];
        if (!to)
            continue;
        advice_title(a, to, advice_subject(a, at.line), "makes and destroys objects that it needs for a moment");
        to->evidence = arena_print(&a->model->arena,
                                   "Making, copying and destroying them took %s in this function, %.0f %% of the CPU "
                                   "time, most of it in %s.",
                                   figure_time(time, of->ns), 100 * library_share(a, of->ns),
                                   name_short(&a->model->arena, at.name));
        if (pages > 0)
            to->evidence = arena_print(&a->model->arena, "%s The kernel took %s to hand out their pages each time.",
                                       to->evidence, figure_time(fresh, pages));
        to->action = "use what is there: a reference (for a parameter, or for (const auto &x : all)), "
                     "std::string_view or std::span; or keep one object outside of the loop and clear it";
        to->before = "for (size_t i = 0; i < n; i++) count(text.substr(at[i], 8));";
        to->after = "std::string_view all(text);\nfor (size_t i = 0; i < n; i++) count(all.substr(at[i], 8));";
    }
}

/* The line of the caller that has most in what it calls; else that of the function itself. */
static uint32_t called_line(const struct advice *a, uint32_t caller, uint32_t otherwise)
{
    const struct model *model = a->model;
    uint32_t best = otherwise;
    double most = 0;
    for (uint32_t i = 0; i < model->line_count; i++)
        if (model->line[i].function == caller && below_ns(&model->line[i]) > most) {
            most = below_ns(&model->line[i]);
            best = i;
        }
    return best;
}

void advice_allocations(struct advice *a)
{
    struct library_use use = library_use(a, LIBRARY_HEAP);
    size_t before = a->model->advice_count;
    const uint32_t *home = homes_make(a, &use);
    objects_tell(a, &use, home);
    bool told = a->model->advice_count > before; /* constructors are told by who calls them */
    for (size_t i = 0; i < use.count; i++) {
        const struct library_line *at = asking(a, &use, home, i);
        uint32_t function = a->model->line[at->line].function, place = home_of(a, home, at);
        uint64_t samples = 0;
        double ns = function_ns(a, &use, home, place, &samples);
        double blocks = brief_blocks(a, &use, function), counted = blocks * LEAST_BLOCK_NS;
        if (((library_share(a, ns) < LEAST_SHARE || samples < FEWEST) &&
             library_share(a, counted) < LEAST_SHARE_BRIEF) ||
            advice_has(a, ADVICE_allocations, place) || advice_has(a, ADVICE_reallocs, function) ||
            frees_copies(a, &use, function) ||
            (told && function != MODEL_NONE && library_makes(a->model->function[function].name)))
            continue;
        double low, high, least, most;
        bool library = is_through_library(a->model, function);
        library_gain(a, at->line, ns, samples, library ? LEAST_THROUGH : LEAST_PART,
                     library ? MOST_THROUGH : MOST_PART, &low, &high);
        double regrown = place == function ? 0 : homes_regrown_ns(a->model, place, function);
        if (regrown > ns)
            library_gain(a, at->line, regrown, samples, LEAST_REGROWN, MOST_REGROWN, &low, &high);
        advice_gain(a, at->line, counted, 0, &least, &most);
        low = fmax(low, least);
        advice_gain(a, at->line, blocks * MOST_BLOCK_NS, 0, &least, &most);
        uint32_t line = place == function ? at->line : called_line(a, place, at->line);
        struct model_advice *to = advice_add(a, ADVICE_allocations, line, low, fmax(high, most), SAVING_MEASURED);
        char time[FIGURE_BYTES], count[FIGURE_BYTES];
        if (!to)
            continue;
        advice_figure(to, "cpu_ns", ns);
        advice_figure(to, "cpu_percent", 100 * library_share(a, ns));
        advice_figure(to, "samples", (double)samples);
        const char *where =
            place == function
                ? "this function,"
                : arena_print(&a->model->arena,
                              "this function and in %s, which fills what is destroyed here each time:",
                              function_label(&a->model->arena, &a->model->function[function]));
        to->evidence = arena_print(&a->model->arena,
                                   "The allocator took %s in %s %.0f %% of the CPU time; calling it and the first use "
                                   "of fresh memory take time as well",
                                   figure_time(time, ns), where, 100 * library_share(a, ns));
        to->evidence = a->model->run.heap_calls
                           ? arena_print(&a->model->arena, "%s. The run called it %s times in all.", to->evidence,
                                         figure_count(count, (double)a->model->run.heap_calls))
                           : arena_print(&a->model->arena, "%s.", to->evidence);
        if (library_share(a, counted) >= LEAST_SHARE_BRIEF)
            to->evidence = arena_print(&a->model->arena, "%s This function itself freed %s of the blocks that it got.",
                                       to->evidence, figure_count(count, blocks));
        advice_figure(to, "heap_calls", (double)a->model->run.heap_calls);
        if (place == function)
            continue;
        to->action = "make it once, outside of the loop, hand it on by reference, and clear() it before it is filled "
                     "again: it keeps its memory";
        to->before = "for (auto &text : all) { std::vector<int> found; fill(found, text); use(found); }";
        to->after = "std::vector<int> found;\nfor (auto &text : all) { found.clear(); fill(found, text); use(found); }";
    }
}
