/* SPDX-License-Identifier: MIT */
/* calm.c: why there is no finding: where the time went, and that no known remedy is for that. */
#include "first/first.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/namesake.h"
#include "model/team.h"
#include "words/shortname.h"

#define FLAT 0.05 /* of the CPU time: a line below it is not worth much work */
#define MOST 0.5
#define LEAST_KNOWN 0.5  /* of the CPU time, on known lines: rules look at lines, and can find nothing elsewhere */
#define FUNCTION_MORE 1.25 /* of the hottest line's CPU time: a function with more is named */
#define CALLS_MORE 1.1 /* of what a function takes by itself: what it calls is worth a word */
#define WORTH_NAMING 0.1 /* of a line's CPU time: what it calls in a library */
#define FEWEST 20        /* samples, below which nothing is said of shares but of what clocks told */
#define NOT_SHORT_NS 50e6 /* a run of so much CPU time would have had more samples than FEWEST */
#define SURE 10.0        /* percent: the error of a line's time that tells without samples where most time goes */

/* Without waits for threads whose own lines tell what they did. */
static double line_wait_ns(const struct model_line *line)
{
    return (double)traffic_wait_ns(&line->traffic) - line->joined_ns;
}

uint32_t first_hottest_line(const struct model *model)
{
    uint32_t best = MODEL_NONE;
    double most = 0;
    for (uint32_t i = 0; i < model->line_count; i++) {
        double ns = model->line[i].self.ns + line_wait_ns(&model->line[i]);
        if (ns > most) {
            most = ns;
            best = i;
        }
    }
    return best;
}

static const char *most_text(double share)
{
    return share >= MOST ? "Most CPU time is" : "The largest known part of the CPU time is";
}

static const char *place_text(struct arena *arena, const struct model *model, uint32_t line)
{
    const struct model_line *l = &model->line[line];
    return arena_print(arena, "%s:%u in %s", path_short(l->file), l->line,
                       label_fit(arena, function_label(arena, &model->function[l->function]), 40));
}

/* What the line calls in libraries: the two with most of its CPU time, and their shares of it. */
static const char *callees_text(struct arena *arena, const struct model *model, uint32_t line)
{
    const struct model_line *l = &model->line[line];
    const char *text = "";
    unsigned told = 0;
    for (uint32_t i = 0; i < l->callee_count && told < 2; i++) {
        const struct model_callee *callee = &model->callee[l->callee + i];
        if (!callee->name || callee->self_ns < WORTH_NAMING * l->self.ns)
            continue;
        text = arena_print(arena, "%s%s%.0f %% of that in %s", text, told++ ? " and " : ", ",
                           100 * fmin(1, callee->self_ns / l->self.ns), label_fit(arena, callee->name, 40));
    }
    return text;
}

/* The library with most of the CPU time, as samples divide each line's among what it calls; its share, and the line
 * that has most of that. */
static const struct model_module *library_find(struct arena *arena, const struct model *model, double *share,
                                               uint32_t *line)
{
    double cpu = coverage_cpu_ns(model), most = 0;
    double *at = arena_take(arena, (model->line_count + 1) * sizeof *at);
    const struct model_module *found = NULL;
    *line = MODEL_NONE;
    for (size_t m = 0; m < model->module_count && cpu > 0; m++) {
        double ns = 0;
        uint32_t first = MODEL_NONE;
        memset(at, 0, model->line_count * sizeof *at);
        for (size_t i = 0; i < model->sample_count && !model->module[m].runtime; i++) {
            const struct model_sample *s = &model->sample[i];
            if (s->library != model->module[m].id || s->profiler)
                continue;
            if (s->line == MODEL_NONE || !model->line[s->line].samples) {
                ns += (double)s->ns;
                continue;
            }
            double part = model->line[s->line].self.ns * (double)s->count / (double)model->line[s->line].samples;
            ns += part;
            at[s->line] += part;
            if (first == MODEL_NONE || at[s->line] > at[first])
                first = s->line;
        }
        if (ns > most) {
            most = ns;
            *line = first;
            found = &model->module[m];
        }
    }
    *share = cpu > 0 ? fmin(1, most / cpu) : 0;
    return found;
}

/* What to do to see into a library of the user's own. Those of the system stand in their folders. */
static const char *way_in(const struct model_module *library)
{
    static const char *const systems[] = { "/lib", "/usr/lib", "/opt/", "/nix/", "/gnu/", "/snap/" };
    for (size_t i = 0; i < sizeof systems / sizeof *systems; i++)
        if (!strncmp(library->path, systems[i], strlen(systems[i])))
            return "";
    return library->instrumented || library->path[0] != '/'
               ? ""
               : " It was not compiled with the plugin: with profplug-gcc its lines are shown, too.";
}

/* The function with most CPU time on no line, if that is more than `least`. */
static const char *function_text(struct arena *arena, const struct model *model, double least, double cpu)
{
    const struct model_function *best = NULL;
    for (size_t i = 0; i < model->function_count; i++)
        if (model->function[i].remainder_ns > (best ? best->remainder_ns : least))
            best = &model->function[i];
    if (best)
        return arena_print(arena, "%s in %s, on no known line: %.0f %% of it.", most_text(best->remainder_ns / cpu),
                           label_fit(arena, function_label(arena, best), 40), 100 * best->remainder_ns / cpu);
    return least > 0 ? NULL : "No line and no function of its CPU time is known.";
}

/* The function with most CPU time of its own, where the hottest line has much less. */
static const char *most_function_text(struct arena *arena, const struct model *model, double line_ns, double cpu)
{
    const struct model_function *best = NULL;
    for (size_t i = 0; i < model->function_count; i++)
        if (model->function[i].self.ns > (best ? best->self.ns : FUNCTION_MORE * line_ns))
            best = &model->function[i];
    if (!best)
        return "";
    /* perf says that, where what is called was inlined */
    bool calls = best->total.ns > CALLS_MORE * best->self.ns;
    return arena_print(arena, " Of functions, %s has most: %.0f %%%s.",
                       label_fit(arena, function_label(arena, best), 40), 100 * fmin(1, best->self.ns / cpu),
                       calls ? arena_print(arena, ", %.0f %% with what it calls", 100 * fmin(1, best->total.ns / cpu))
                             : "");
}

/* Most time is the line's, and the kernel's, which clocks measured, so that no samples are needed to say so. */
static bool line_is_sure(const struct model *model, uint32_t line, double cpu)
{
    const struct model_line *l = line == MODEL_NONE ? NULL : &model->line[line];
    return l && l->system_ns >= MOST * cpu && value_error_percent(l->self) < SURE;
}

static const char *reason_find(struct arena *arena, const struct model *model)
{
    double cpu = coverage_cpu_ns(model), waits = 0, share;
    uint32_t line = MODEL_NONE, wait = MODEL_NONE;
    for (uint32_t i = 0; i < model->line_count; i++) {
        double ns = line_wait_ns(&model->line[i]);
        if (line == MODEL_NONE || model->line[i].self.ns > model->line[line].self.ns)
            line = i;
        if (ns > 0 && (wait == MODEL_NONE || ns > line_wait_ns(&model->line[wait])))
            wait = i;
    }
    for (size_t i = 0; i < model->operation_count; i++)
        waits += operation_is_call(model->operation[i].kind) ? (double)model->operation[i].sum.wait_ns : 0;
    char time[FIGURE_BYTES];
    double threads = model->narrowed ? cpu + waits : run_threads_ns(model);
    /* Where threads hand work to each other all but one wait, and the program does not. */
    bool works = !model->narrowed && cpu + run_crowded_ns(model) >= MOST * (double)model->run.wall_ns;
    if (threads > 0 && waits >= MOST * threads && !works && !model->serves)
        return arena_print(arena, "It mostly waits: %.0f %% of its %stime%s%s.", 100 * fmin(1, waits / threads),
                           model->narrowed ? "" : "threads' ", wait != MODEL_NONE ? ", most of that at " : "",
                           wait != MODEL_NONE ? place_text(arena, model, wait) : "");
    bool few = run_samples_taken(model) < FEWEST;
    if (!(cpu > 0) || (few && !line_is_sure(model, line, cpu)))
        return NULL;
    uint32_t caller;
    const struct model_module *library = library_find(arena, model, &share, &caller);
    bool placed = line != MODEL_NONE && model->line[line].self.ns > 0, called = caller != MODEL_NONE;
    if (library && share >= MOST)
        return arena_print(arena, "%.0f %% of the CPU time is in %s%s%s%s.%s", 100 * share, path_short(library->path),
                           called ? ", most of it called from " : "", called ? place_text(arena, model, caller) : "",
                           called ? callees_text(arena, model, caller) : "", way_in(library));
    const char *function = function_text(arena, model, placed ? model->line[line].self.ns : 0, cpu);
    if (function)
        return function;
    double top = model->line[line].self.ns / cpu;
    const char *most = most_function_text(arena, model, model->line[line].self.ns, cpu);
    if (top < FLAT)
        return arena_print(arena, "It is flat: no line has more than %.1f %% of %s CPU time.%s", 100 * top,
                           figure_time(time, cpu), most);
    return arena_print(arena, "%s at %s: %.0f %% of %s%s.%s", most_text(top), place_text(arena, model, line), 100 * top,
                       figure_time(time, cpu), callees_text(arena, model, line), most);
}

/* Threads of OpenMP spin where they wait for each other: that is CPU time, and no work. */
static const char *spun_text(struct arena *arena, const struct model *model)
{
    double cpu = coverage_cpu_ns(model), ns = 0;
    for (size_t i = 0; i < model->sample_count; i++)
        ns += sample_is_of_team(model, &model->sample[i]) ? (double)model->sample[i].ns : 0;
    if (!(cpu > 0) || ns < WORTH_NAMING * cpu)
        return "";
    return arena_print(arena,
                       " OpenMP's threads spin for %.0f %% of the CPU time, where they wait for each other: with "
                       "OMP_WAIT_POLICY=passive they sleep.",
                       100 * fmin(1, ns / cpu));
}

/* Whether the program was built without lines. A library, or a file that is no longer the run's, has its own words. So
 * has a static executable whose lines are known, but not which of them called the C library. */
static bool lines_lack(struct arena *arena, const struct model *model)
{
    double share;
    uint32_t caller;
    for (size_t i = 0; i < model->module_count; i++) {
        const struct model_module *m = &model->module[i];
        if (m->instrumented && m->samples && (m->complaint ? !strstr(m->complaint, "without -g") : m->frameless))
            return false;
    }
    return !library_find(arena, model, &share, &caller) || share < MOST;
}

void first_calm(FILE *out, const struct model *model, const struct view *view)
{
    struct arena arena = { 0 };
    const char *reason = reason_find(&arena, model), *text;
    double known = coverage_known_share(model);
    /* Of a process that only waits, such as a server's parent, hardly any CPU time can be known. */
    if (reason && run_samples_taken(model) >= FEWEST && known < LEAST_KNOWN)
        text = arena_print(
            &arena, "No source line is known for %.0f %% of the CPU time, so no problem could be looked for%s.%s %s",
            100 * (1 - known), known > 0 ? " there" : "",
            lines_lack(&arena, model) ? " Compile with -g and do not strip." : "", reason);
    else if (reason)
        text = arena_print(&arena, "No %sproblem with a known remedy was found. %s%s%s",
                           model->advice_count ? "other " : "",
                           model->serves ? "It is a server, which mostly waits for its clients. " : "", reason,
                           spun_text(&arena, model));
    else if (!model->narrowed_to && !run_samples_taken(model) && coverage_cpu_ns(model) >= NOT_SHORT_NS)
        text = "Without samples nothing tells which lines take the CPU time.";
    else
        text = arena_print(&arena,
                           "%s is too short to tell where its time goes: let %s do more work, or the same several "
                           "times.",
                           model->narrowed      ? "This stage"
                           : model->narrowed_to ? "This thread's part"
                                                : "The run",
                           model->narrowed_to ? "the run" : "it");
    if (model->finding_count > (reason ? 1u : 0u)) /* else it is the place just named */
        text = arena_print(&arena, "%s --section bottlenecks shows %s.", text,
                           model->finding_count == 1
                               ? "the place that takes most"
                               : arena_print(&arena, "the %zu places that take most", model->finding_count));
    fputs("   ", out);
    text_wrap(out, text, 3, 3, view->width);
    fputc('\n', out);
    arena_free(&arena);
}
