/* SPDX-License-Identifier: MIT */
/* section-accuracy.c: what ran, what was counted, timed and sampled, what that cost, and what was lost or skipped. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "words/columns.h"
#include "words/figure.h"
#include "words/plural.h"
#include "words/quote.h"
#include "words/shortname.h"
#include "section/section.h"

/* Wraps between groups, which are separated by three blanks. */
static void groups_wrap(FILE *out, char *text, int used, int width)
{
    const char *gap = "";
    for (char *next; text; text = next, gap = "   ") {
        next = strstr(text, "   ");
        if (next) {
            *next = 0;
            next += 3;
        }
        int wide = text_columns(text), before = (int)strlen(gap);
        if (used && used + before + wide > width && wide <= width) {
            fputc('\n', out);
            used = before = 0;
            gap = "";
        }
        fputs(gap, out);
        text_wrap(out, text, used + before, 0, width);
        used = wide <= width ? used + before + wide : width;
    }
}

const char *text_cpu(char to[CPU_BYTES], uint64_t ns)
{
    char time[FIGURE_BYTES];
    snprintf(to, CPU_BYTES, ns ? "%s cpu" : "cpu unknown", figure_time(time, (double)ns));
    return to;
}

const char *text_crew(struct arena *arena, const struct model *model)
{
    uint64_t count = model->run.thread_count;
    const char *parts = "", *threads = count ? arena_print(arena, "%llu thread%s", (unsigned long long)count,
                                                           plural(count, "", "s"))
                                             : "threads unknown";
    if (model->part_count > 1 && model->merged_as != PP_MERGE_THREADS)
        parts = arena_print(arena, "%zu %s", model->part_count, merge_as_name(model->merged_as));
    return !parts[0] ? threads : count == model->part_count ? parts : arena_print(arena, "%s, %s", parts, threads);
}

static void overhead_print(FILE *out, const struct model_run *r)
{
    double cpu = (double)(r->user_ns + r->system_ns), least = run_overhead_percent(r, (double)r->self_ns),
           most = run_overhead_percent(r, (double)r->self_most_ns);
    char a[FIGURE_BYTES], b[FIGURE_BYTES], c[FIGURE_BYTES];
    if (!(cpu > 0) && r->level == PP_LEVEL_OFF)
        return;
    if (r->cost_unknown)
        fprintf(out, "   overhead not measured (%s; `profplug overhead` measures it)", r->cost_unknown);
    else if (run_is_short(r))
        fprintf(out, "   overhead %s (%s to %s; the run is too short for a percentage)",
                figure_time(a, (double)(r->self_ns + r->self_most_ns) / 2), figure_time(b, (double)r->self_ns),
                figure_time(c, (double)r->self_most_ns));
    else
        fprintf(out, "   overhead %.1f %% (%.1f to %.1f; budget %.1f %%)", (least + most) / 2, least, most,
                r->budget_permille / 10.0);
}

const char *text_end(struct arena *arena, const struct model_run *r)
{
    switch (r->exit_kind) {
    case MODEL_EXIT_EXIT: return arena_print(arena, "exit %d", r->exit_status);
    case MODEL_EXIT_SIGNAL:
        return arena_print(arena, "ended by signal %d (%s)", r->exit_status, strsignal(r->exit_status));
    case MODEL_EXIT_EXEC: return "became another program (exec)";
    case MODEL_EXIT_KILLED: return "killed or ended by a signal: times stop at its last recorded activity";
    case MODEL_EXIT_RUNNING: return "still running";
    default:
        return r->sealed ? "ended by quick_exit, status unknown"
                         : "still running or killed: only the machine that ran it can tell";
    }
}

void text_run(FILE *out, const struct model *model, const struct view *view)
{
    const struct model_run *r = &model->run;
    char a[FIGURE_BYTES], b[CPU_BYTES], c[FIGURE_BYTES], *text = NULL;
    size_t bytes;
    struct arena arena = { 0 };
    const char *program = quote_plain(&arena, path_short(r->program));
    FILE *line = open_memstream(&text, &bytes);
    if (!line)
        return;
    for (size_t i = 1; i < r->argument_count && i < 8; i++)
        fprintf(line, " %s", name_cut(&arena, r->argument[i], 60));
    fprintf(line, "%s   %s wall, %s%s, %s", r->argument_count > 8 ? " ..." : "", figure_time(a, (double)r->wall_ns),
            run_cpu_is_least(r) && r->user_ns + r->system_ns ? "at least " : "", text_cpu(b, r->user_ns + r->system_ns),
            text_crew(&arena, model));
    if (r->peak_rss_bytes)
        fprintf(line, ", %s%s peak", run_peak_is_least(r) ? "at least " : "",
                figure_size(c, (double)r->peak_rss_bytes));
    fprintf(line, "   %s", text_end(&arena, r));
    overhead_print(line, r);
    fprintf(line, "   %s", level_name(r->level));
    fclose(line);
    fprintf(out, "%s%s%s", paint(view, "\033[1m"), program, paint(view, "\033[0m"));
    groups_wrap(out, text, text_columns(program), view->width);
    free(text);
    fputc('\n', out);
    arena_free(&arena);
}

static void counted_print(FILE *out, const struct model *model, const struct view *view)
{
    const struct model_run *r = &model->run;
    char a[FIGURE_BYTES], b[FIGURE_BYTES], c[FIGURE_BYTES], counted[256];
    struct arena arena = { 0 };
    snprintf(counted, sizeof counted, "%s call%s counted, %s timed, %s sample%s",
             figure_count(a, (double)r->events_counted), plural(r->events_counted, "", "s"),
             figure_count(b, (double)r->events_timed), figure_count(c, (double)run_samples_taken(model)),
             plural(run_samples_taken(model), "", "s"));
    if (model->coverage.samples && r->sample_period_ns) {
        uint64_t skipped = model->coverage.samples - run_samples_taken(model);
        snprintf(counted + strlen(counted), sizeof counted - strlen(counted),
                 skipped ? " (one every %s of CPU time was due; %s skipped)" : " (one every %s of CPU time)",
                 figure_time(a, r->sample_period_ns), figure_count(b, (double)skipped));
    }
    text_wrap(out, counted, 0, 0, view->width);
    fputc('\n', out);
    for (size_t i = 0; i < r->label_count; i++)
        fprintf(out, "%s%s", i ? ", " : "labels: ", quote_plain(&arena, r->label[i]));
    if (r->label_count)
        fputc('\n', out);
    arena_free(&arena);
}

__attribute__((format(printf, 4, 5))) static void trouble_line(FILE *out, const struct view *view, const char *word,
                                                               const char *format, ...)
{
    char text[1536];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    fprintf(out, "%s%s:%s", paint(view, "\033[33m"), word, paint(view, "\033[0m"));
    text_wrap(out, text, (int)strlen(word) + 1, 2, view->width);
    fputc('\n', out);
}

/* One line with everything that the runtime skipped to stay in budget. */
static void given_print(FILE *out, const struct model *model, const struct view *view)
{
    const struct model_run *r = &model->run;
    char text[1024] = "", a[FIGURE_BYTES], b[FIGURE_BYTES], words[WORDS_BYTES];
    size_t used = 0;
    for (unsigned i = 0; i < PP_GIVEN_COUNT; i++)
        if (r->given_up[i] && used < sizeof text)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s after %s, %s %s", used ? ";" : "",
                                     figure_time(b, (double)r->given_up_ns[i]), figure_count(a, (double)r->given_up[i]),
                                     given_text(words, model, i));
    if (used)
        trouble_line(out, view, "to stay in budget", "%s", text);
}

void text_accuracy(FILE *out, const struct model *model, const struct view *view)
{
    const struct model_run *r = &model->run;
    char a[FIGURE_BYTES], b[FIGURE_BYTES], words[WORDS_BYTES];
    counted_print(out, model, view);
    for (unsigned i = 0; i < PP_LOSS_COUNT; i++)
        if (r->losses[i])
            trouble_line(out, view, "lost", " %s %s", figure_count(a, (double)r->losses[i]),
                         loss_text(words, i, r->losses[i]));
    given_print(out, model, view);
    for (size_t i = 0; i < model->notice_count; i++)
        trouble_line(out, view, "note", " %s", model->notice[i]);
    if (r->sample_note[0])
        trouble_line(out, view, "note", " %s: %s", model->coverage.samples ? "samples" : "no samples", r->sample_note);
    else if (!model->coverage.samples && !model->empty_reason) {
        if (r->sample_signals && model->narrowed_to)
            trouble_line(out, view, "note", " no sample of the %s that were taken %s %s",
                         figure_count(a, (double)r->sample_signals),
                         run_lost_samples(model) ? "and found room fell into" : "fell into", part_noun(model));
        else if (r->sample_signals)
            trouble_line(out, view, "note", " no samples: %s the %s that were taken",
                         run_lost_samples(model) ? "there was no room for" : "the data file has none of",
                         figure_count(a, (double)r->sample_signals));
        else if (r->sample_source == PP_SAMPLE_NONE)
            trouble_line(out, view, "note", " no samples: sampling was off (level=%s)", level_name(r->level));
        else if (r->user_ns < 5 * (uint64_t)r->sample_period_ns)
            trouble_line(out, view, "note",
                         " no samples: the run had only %s of user CPU time, and samples come every %s",
                         figure_time(a, (double)r->user_ns), figure_time(b, r->sample_period_ns));
        else
            trouble_line(out, view, "note",
                         " no samples: none arrived in %s of user CPU time, although one every %s was requested",
                         figure_time(a, (double)r->user_ns), figure_time(b, r->sample_period_ns));
    }
    if (r->memory_note[0])
        trouble_line(out, view, "note", " %s", r->memory_note);
}

void text_certainty(FILE *out, const struct model *model, const struct view *view)
{
    const struct model_run *r = &model->run;
    struct arena arena = { 0 };
    char a[FIGURE_BYTES], b[FIGURE_BYTES];
    double least = run_overhead_percent(r, (double)r->self_ns), most = run_overhead_percent(r, (double)r->self_most_ns);
    const char *cost;
    if (r->cost_unknown)
        cost = r->cost_is_wide
                   ? arena_print(&arena, "%.1f to %.1f %%: %s; `profplug overhead` measures it", least, most,
                                 r->cost_unknown)
                   : arena_print(&arena, "not measured: %s; `profplug overhead` measures it", r->cost_unknown);
    else if (run_is_short(r))
        cost = arena_print(&arena, "%s to %s; the run is too short for a percentage",
                           figure_time(a, (double)r->self_ns), figure_time(b, (double)r->self_most_ns));
    else
        cost = arena_print(&arena, "%.1f to %.1f %% of the CPU time that is left without it", least, most);
    text_heading(out, view, "ACCURACY",
                 arena_print(&arena, "level %s, budget %.1f %%", level_name(r->level), r->budget_permille / 10.0));
    text_wrap(out, arena_print(&arena, "profiling cost %s", cost), 0, 0, view->width);
    fputc('\n', out);
    text_accuracy(out, model, view);
    arena_free(&arena);
}
