/* SPDX-License-Identifier: MIT */
/* head.c: what ran, how it ended, what profiling cost, and what changes how to read the rest. */
#include "first/first.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "words/columns.h"
#include "words/plural.h"
#include "words/quote.h"
#include "words/shortname.h"

enum { FEW = 10 }; /* samples: below, shares of time are guesses */
#define MUCH 100.0   /* percent of what the program took */
#define MOST_OWN 0.5 /* of the CPU time: in the profiler's code, by samples */

static void run_line(FILE *out, const struct model *model, const struct view *view)
{
    const struct model_run *r = &model->run;
    struct arena arena = { 0 };
    char a[FIGURE_BYTES], b[FIGURE_BYTES];
    uint64_t cpu = r->user_ns + r->system_ns;
    const char *took =
        cpu ? arena_print(&arena, "%s%s CPU", run_cpu_is_least(r) ? "at least " : "", figure_time(b, (double)cpu))
            : "CPU unknown";
    const char *figures = arena_print(&arena, "  %s, %s, %s", figure_time(a, (double)r->wall_ns), took,
                                      text_crew(&arena, model));
    if (r->peak_rss_bytes)
        figures = arena_print(&arena, "%s, %s%s", figures, run_peak_is_least(r) ? "at least " : "",
                              figure_size(a, (double)r->peak_rss_bytes));
    bool cut = r->exit_kind == MODEL_EXIT_KILLED || (r->exit_kind == MODEL_EXIT_UNKNOWN && !r->sealed);
    figures = arena_print(&arena, "%s   %s", figures,
                          !cut                                 ? text_end(&arena, r)
                          : r->exit_kind == MODEL_EXIT_UNKNOWN ? "runs or was killed"
                                                               : "killed");
    int room = view->width - text_columns(figures);
    const char *program = name_cut(&arena, path_short(r->program), room > 16 ? room : 16), *words = "";
    for (size_t i = 1; i < r->argument_count; i++)
        words = arena_print(&arena, "%s %s", words, quote_plain(&arena, r->argument[i]));
    room -= text_columns(program);
    if (text_columns(words) > room)
        words = room > 8 ? arena_print(&arena, " %s", name_cut(&arena, words + 1, room - 1)) : "";
    fprintf(out, "%s%s%s%s", paint(view, "\033[1m"), program, paint(view, "\033[0m"), words);
    text_wrap(out, figures, text_columns(program) + text_columns(words), 2, view->width);
    fputc('\n', out);
    arena_free(&arena);
}

__attribute__((format(printf, 3, 4))) static void said_line(FILE *out, const struct view *view, const char *format, ...)
{
    char text[1024];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    text_wrap(out, text, 0, 2, view->width);
    fputc('\n', out);
}

static void known_line(FILE *out, const struct model *model, const struct view *view)
{
    const struct model_run *r = &model->run;
    char a[FIGURE_BYTES], b[FIGURE_BYTES], c[FIGURE_BYTES], known[64] = "";
    struct arena arena = { 0 };
    double least = run_overhead_percent(r, (double)r->self_ns), most = run_overhead_percent(r, (double)r->self_most_ns);
    if (coverage_cpu_ns(model) > 0 && run_samples_taken(model) >= FEW)
        snprintf(known, sizeof known, "   %.0f %% of CPU time is on known lines", 100 * coverage_known_share(model));
    /* Where the cost takes a sentence or two, what is known stands below it. */
    bool is_long = r->cost_unknown || (!run_is_short(r) && least + most > 2 * MUCH);
    /* Samples are in user code alone. */
    double own = model->coverage.samples ? (double)model->coverage.profiler / (double)model->coverage.samples *
                                               model->coverage.sampled_ns / coverage_cpu_ns(model)
                                         : 0;
    if (r->cost_unknown && own > MOST_OWN && run_samples_taken(model) >= FEW)
        said_line(out, view,
                  "profiling took most of the CPU time: by samples, %.0f %% of it is in profplug's own code; "
                  "`profplug overhead PROGRAM` measures it; --level basic costs less",
                  100 * own);
    else if (r->cost_is_wide)
        said_line(out, view, "profiling cost %s to %s: %s; `profplug overhead PROGRAM` measures it",
                  run_is_short(r) ? figure_time(a, (double)r->self_ns)
                                  : arena_print(&arena, "%.*f", least < 9.95, least),
                  run_is_short(r) ? figure_time(b, (double)r->self_most_ns)
                                  : arena_print(&arena, "%.*f %%", most < 9.95, most),
                  r->cost_unknown);
    else if (r->cost_unknown)
        said_line(out, view, "profiling cost not measured: %s; `profplug overhead PROGRAM` measures it",
                  r->cost_unknown);
    else if (run_is_short(r))
        said_line(out, view, "profiling cost %s (%s to %s)%s",
                  figure_time(a, (double)(r->self_ns + r->self_most_ns) / 2), figure_time(b, (double)r->self_ns),
                  figure_time(c, (double)r->self_most_ns), known);
    else if (least + most > 2 * MUCH)
        said_line(
            out, view,
            "by its own estimate profiling took more CPU time than the program itself (%s for %s), which a busy "
            "machine can feign: `profplug overhead PROGRAM` measures it; --level basic costs less",
            figure_time(a, (double)(r->self_ns + r->self_most_ns) / 2),
            figure_time(b, fmax(0, (double)(r->user_ns + r->system_ns) - (double)(r->self_ns + r->self_most_ns) / 2)));
    else
        said_line(out, view, "profiling cost %.1f %% (%.1f to %.1f)%s", (least + most) / 2, least, most, known);
    if (known[0] && is_long)
        said_line(out, view, "%s", known + strspn(known, " "));
    arena_free(&arena);
}

/* What a loss takes from the numbers; frames that longjmp left are closed, only later. */
static void losses_line(FILE *out, const struct model *model, const struct view *view)
{
    char words[WORDS_BYTES], count[FIGURE_BYTES];
    unsigned first = PP_LOSS_COUNT, kinds = 0;
    for (unsigned i = 0; i < PP_LOSS_COUNT; i++) {
        if (!model->run.losses[i] || i == PP_LOSS_HEALED)
            continue;
        first = kinds++ ? first : i;
    }
    if (!kinds)
        return;
    loss_text(words, first, model->run.losses[first]);
    figure_count(count, (double)model->run.losses[first]);
    if (kinds > 1)
        said_line(out, view, "lost: %s %s; and %u more (--section accuracy)", count, words, kinds - 1);
    else
        said_line(out, view, "lost: %s %s", count, words);
}

/* A run of which samples can say little. Counts hold all the same. */
static void samples_line(FILE *out, const struct model *model, const struct view *view)
{
    const struct model_run *r = &model->run;
    uint64_t taken = run_samples_taken(model);
    struct arena arena = { 0 };
    char a[FIGURE_BYTES], b[FIGURE_BYTES];
    double cpu_ns = model->narrowed ? coverage_cpu_ns(model) : (double)(r->user_ns + r->system_ns);
    double own_ns = r->cost_unknown ? cpu_ns : fmax(0, cpu_ns - (double)(r->self_ns + r->self_most_ns) / 2);
    const char *cpu = figure_time(a, cpu_ns);
    if (taken >= FEW)
        return;
    if (model->coverage.samples)
        said_line(out, view, "%llu sample%s in %s of %sCPU time: how lines share it is rough. Counts are exact.",
                  (unsigned long long)taken, plural(taken, "", "s"), cpu,
                  !model->narrowed_to ? ""
                  : model->narrowed   ? "this stage's "
                                      : "this thread's ");
    else if (r->sample_note[0])
        said_line(out, view, "no samples: %s", r->sample_note);
    else if (r->sample_signals && model->narrowed_to)
        said_line(out, view, "no sample fell into %s%s; %s. Counts are exact.", part_noun(model),
                  run_lost_samples(model) ? ", or it found no room" : "",
                  model->coverage.kernel_ns > 0
                      ? arena_print(&arena, "%s of its CPU time was the kernel's, as clocks told",
                                    figure_time(b, model->coverage.kernel_ns))
                      : "how lines share its CPU time is not known");
    else if (r->sample_signals && run_lost_samples(model))
        said_line(out, view, "no samples, so no CPU time by line: they found no room");
    else if (r->sample_signals)
        said_line(out, view, "no samples, so no CPU time by line: none that was taken is in the data file");
    else if (r->sample_source == PP_SAMPLE_NONE)
        said_line(out, view, "no samples, so no CPU time by line: sampling was off (level=%s)", level_name(r->level));
    else if (cpu_ns < r->sample_period_ns)
        said_line(out, view, "no samples: %s of CPU time, and one is taken every %s. Counts are exact.", cpu,
                  figure_time(b, r->sample_period_ns));
    else if (own_ns < r->sample_period_ns)
        said_line(out, view,
                  "no samples: %s of CPU time without the profiler's, and one is taken every %s. Counts are exact.",
                  figure_time(a, own_ns), figure_time(b, r->sample_period_ns));
    else
        said_line(out, view, "no samples came in %s of CPU time, of which %s was the kernel's. Counts are exact.", cpu,
                  figure_time(b, (double)r->system_ns));
    arena_free(&arena);
}

/* Processes that it started or became: all together, and the one with most CPU time. */
static void children_line(FILE *out, const struct model *model, const struct view *view)
{
    const struct model_run *r = &model->run;
    struct arena arena = { 0 };
    const struct model_child *most = NULL;
    char a[FIGURE_BYTES], b[FIGURE_BYTES];
    uint64_t sum = 0;
    size_t unread = 0;
    for (size_t i = 0; i < r->child_count; i++) {
        const struct model_child *c = &r->child[i];
        unread += !c->readable;
        sum += c->cpu_ns;
        most = c->readable && (!most || c->cpu_ns > most->cpu_ns) ? c : most;
    }
    if (most)
        said_line(out, view, "CHILDREN  %zu process%s, %s CPU in all%s; %s%s: profplug report %s%s", r->child_count,
                  plural(r->child_count, "", "es"), figure_time(a, (double)sum),
                  sum > r->user_ns + r->system_ns ? ", more than here" : "", r->child_count > 1 ? "most " : "",
                  r->child_count > 1 ? figure_time(b, (double)most->cpu_ns) : "it", quote_shell(&arena, most->path),
                  unread ? arena_print(&arena, "; %zu cannot be read", unread) : "");
    if (most && r->child_count > 1)
        said_line(out, view, "  all together: profplug merge --as processes -o all.profplug FILES");
    if (!most && r->child_count)
        said_line(out, view, "CHILDREN  %zu process%s, whose files cannot be read (--section children)", r->child_count,
                  plural(r->child_count, "", "es"));
    if (r->unrecorded)
        said_line(out, view, "%llu process%s of this folder %s not recorded: its data files reached max-total",
                  (unsigned long long)r->unrecorded, plural(r->unrecorded, "", "es"),
                  plural(r->unrecorded, "was", "were"));
    if (r->crowded)
        said_line(out, view,
                  "%llu process%s of this folder %s not recorded: less of the disk was free than min-free asks",
                  (unsigned long long)r->crowded, plural(r->crowded, "", "es"), plural(r->crowded, "was", "were"));
    arena_free(&arena);
}

void first_head(FILE *out, const struct model *model, const struct view *view)
{
    run_line(out, model, view);
    known_line(out, model, view);
    if (model->narrowed_to)
        said_line(out, view, "%s only; hits, memory by line, snapshots%s are still the whole run's", model->narrowed_to,
                  model->narrowed ? ", calls of functions, bottlenecks, shares under FINDINGS and STAGES" : "");
    losses_line(out, model, view);
    if (model->doubt)
        said_line(out, view, "note: %s%s", model->doubt, model->doubt_count > 1 ? "; more: --section accuracy" : "");
    if (!model->empty_reason)
        samples_line(out, model, view);
    else
        said_line(out, view, "The profile is empty: %s", model->empty_reason);
    children_line(out, model, view);
}
