/* SPDX-License-Identifier: MIT */
/* screen.c: the report for a terminal: what ran, what was found, what to do next. section-stage.c shows stages,
 * section-hot.c functions and lines. It must not know files, ELF or DWARF. */
#include "show/screen.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "words/figure.h"
#include "model/namesake.h"
#include "words/shortname.h"
#include "words/plural.h"
#include "words/quote.h"
#include "show/source.h"
#include "show/table.h"

const char *paint(const struct view *view, const char *code) { return view->colour ? code : ""; }

void text_heading(FILE *out, const struct view *view, const char *title, const char *remark)
{
    fprintf(out, "\n%s%s%s%s%s%s\n", paint(view, "\033[1m"), title, paint(view, "\033[0m"), remark[0] ? "  " : "",
            remark, "");
}

const char *path_short(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

void text_wrap(FILE *out, const char *raw, int used, int indent, int width)
{
    struct arena arena = { 0 };
    const char *text = quote_plain(&arena, raw);
    bool first = true;
    while (*text) {
        size_t gap = strspn(text, " "), bytes = strcspn(text + gap, " ");
        char word[256];
        int wide = bytes < sizeof word
                       ? text_columns((snprintf(word, sizeof word, "%.*s", (int)bytes, text + gap), word))
                       : (int)bytes;
        if (!first && used + (int)gap + wide > width) {
            fprintf(out, "\n%*s", indent, "");
            used = indent;
            gap = 0;
        }
        text += strspn(text, " ");
        fprintf(out, "%*s%.*s", (int)gap, "", (int)bytes, text);
        used += (int)gap + wide;
        first = false;
        text += bytes;
    }
    arena_free(&arena);
}

int name_room(const struct view *view) { return view->width < 100 ? 2 * view->width / 5 : 40; }

void text_more(FILE *out, size_t left_out)
{
    if (left_out)
        fprintf(out, "and %zu more (--top 0 shows all)\n", left_out);
}

/* Whether a legend entry such as "self, share: sampled" describes only columns that are not shown. */
static bool part_is_absent(const struct table *table, const char *part, size_t length)
{
    const char *colon = memmem(part, length, ": ", 2);
    for (const char *at = part; colon && at < colon;) {
        const char *comma = memmem(at, (size_t)(colon - at), ", ", 2),
                   *and = memmem(at, (size_t)(colon - at), " and ", 5),
                   *end = comma ? comma
                          : and ? and
                                : colon;
        bool known = false;
        for (size_t c = 0; c < table->columns; c++)
            if (strlen(table->column[c].title) == (size_t)(end - at) &&
                memcmp(table->column[c].title, at, (size_t)(end - at)) == 0) {
                known = true;
                if (!table->dropped[c])
                    return false;
            }
        if (!known)
            return false;
        at = end + (end == comma ? 2 : end == and? 5 : 0);
    }
    return colon;
}

static char *parts_shown(struct arena *arena, const struct table *table, const char *meaning)
{
    char *text = arena_copy(arena, "");
    for (const char *at = meaning, *end; *at; at = *end ? end + 2 : end) {
        end = strstr(at, "; ");
        end = end ? end : at + strlen(at);
        if (!part_is_absent(table, at, (size_t)(end - at)))
            text = arena_print(arena, "%s%s%.*s", text, text[0] ? "; " : "", (int)(end - at), at);
    }
    return text;
}

void text_foot(FILE *out, const struct view *view, const struct table *table, const char *meaning)
{
    char text[1536];
    bool narrow = table->hidden[0];
    meaning = parts_shown(table->arena, table, meaning);
    if (!meaning[0] && !narrow)
        return;
    snprintf(text, sizeof text, "%s%s", meaning, meaning[0] && narrow ? "; " : "");
    size_t used = strlen(text);
    if (narrow)
        snprintf(text + used, sizeof text - used, "not shown for lack of width: %s (COLUMNS=%d shows them)",
                 table->hidden, (table->wanted + 40 - name_room(view) + 9) / 10 * 10);
    fputs(paint(view, "\033[2m"), out);
    text_wrap(out, text, 0, 0, view->width);
    fprintf(out, "%s\n", paint(view, "\033[0m"));
}

/* ---- the run ---- */

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

/* 0 means that the program was killed before its CPU time was first read. */
#define CPU_BYTES (FIGURE_BYTES + 16)
static const char *cpu_figure(char to[CPU_BYTES], uint64_t ns)
{
    char time[FIGURE_BYTES];
    snprintf(to, CPU_BYTES, ns ? "%s cpu" : "cpu unknown", figure_time(time, (double)ns));
    return to;
}

static void overhead_print(FILE *out, const struct model_run *r)
{
    double cpu = (double)(r->user_ns + r->system_ns), least = run_overhead_percent(r, (double)r->self_ns),
           most = run_overhead_percent(r, (double)r->self_most_ns);
    char a[FIGURE_BYTES], b[FIGURE_BYTES], c[FIGURE_BYTES];
    if (!(cpu > 0) && r->level == PP_LEVEL_OFF)
        return;
    if (r->cost_unknown)
        fputs("   overhead not measured: profplug overhead", out);
    else if (run_is_short(r))
        fprintf(out, "   overhead %s (%s to %s; the run is too short for a percentage)",
                figure_time(a, (double)(r->self_ns + r->self_most_ns) / 2), figure_time(b, (double)r->self_ns),
                figure_time(c, (double)r->self_most_ns));
    else
        fprintf(out, "   overhead %.1f %% (%.1f to %.1f; budget %.1f %%)", (least + most) / 2, least, most,
                r->budget_permille / 10.0);
}

static void run_print(FILE *out, const struct model *model, const struct view *view)
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
    fprintf(line, "%s   %s wall, %s, %llu thread%s", r->argument_count > 8 ? " ..." : "",
            figure_time(a, (double)r->wall_ns), cpu_figure(b, r->user_ns + r->system_ns),
            (unsigned long long)r->thread_count, plural(r->thread_count, "", "s"));
    if (r->peak_rss_bytes)
        fprintf(line, ", %s peak", figure_size(c, (double)r->peak_rss_bytes));
    switch (r->exit_kind) {
    case MODEL_EXIT_EXIT: fprintf(line, "   exit %d", r->exit_status); break;
    case MODEL_EXIT_SIGNAL:
        fprintf(line, "   ended by signal %d (%s)", r->exit_status, strsignal(r->exit_status));
        break;
    case MODEL_EXIT_EXEC: fputs("   became another program (exec)", line); break;
    case MODEL_EXIT_KILLED:
        fputs("   killed or ended by a signal: times stop at its last recorded activity", line);
        break;
    case MODEL_EXIT_RUNNING: fputs("   still running", line); break;
    default:
        fputs(r->sealed ? "   ended by quick_exit, status unknown"
                        : "   still running or killed: only the machine that ran it can tell",
              line);
        break;
    }
    overhead_print(line, r);
    fprintf(line, "   %s", level_name(r->level));
    fclose(line);
    fprintf(out, "%s%s%s", paint(view, "\033[1m"), program, paint(view, "\033[0m"));
    groups_wrap(out, text, text_columns(program), view->width);
    free(text);

    fputc('\n', out);

    char counted[256];
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

static void trouble_print(FILE *out, const struct model *model, const struct view *view)
{
    const struct model_run *r = &model->run;
    char a[FIGURE_BYTES], b[FIGURE_BYTES], words[WORDS_BYTES];
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
        if (r->sample_signals)
            trouble_line(out, view, "note", " no samples: the data file had no room for the %s that were taken",
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

static void children_print(FILE *out, const struct model *model, const struct view *view)
{
    char wall[FIGURE_BYTES], cpu[CPU_BYTES], end[64];
    struct arena arena = { 0 };
    if (!model->run.child_count)
        return;
    text_heading(out, view, "CHILDREN", "each has its own data file");
    for (size_t i = 0; i < model->run.child_count; i++) {
        const struct model_child *c = &model->run.child[i];
        bool numbered = c->exit_kind == MODEL_EXIT_EXIT || c->exit_kind == MODEL_EXIT_SIGNAL;
        snprintf(end, sizeof end, numbered ? "%s %d" : "%s", exit_name(c->exit_kind), c->exit_status);
        if (c->readable)
            fprintf(out, "%u  %s wall, %s, %s  %s\n", c->pid, figure_time(wall, (double)c->wall_ns),
                    cpu_figure(cpu, c->cpu_ns), end, quote_plain(&arena, c->path));
        else
            fprintf(out, "%u  %s\n", c->pid, quote_plain(&arena, c->complaint ? c->complaint : c->path));
    }
    arena_free(&arena);
}

/* ---- what was found ---- */

static const char *finding_name(struct arena *arena, const struct model *model, const struct model_finding *f,
                                const struct view *view)
{
    int room = view->width / 4 < 32 ? view->width / 4 : 32;
    return f->is_stage ? name_cut(arena, f->name, room)
                       : label_fit(arena, function_label(arena, &model->function[f->subject]), room);
}

static const char *finding_place(struct arena *arena, const struct model_finding *f)
{
    return f->file[0] ? name_cut(arena, arena_print(arena, "%s:%u", path_short(f->file), f->line), 32) : "";
}

static void finding_print(FILE *out, const struct model *model, const struct model_finding *f, const struct view *view,
                          struct arena *arena, int names, int places)
{
    static const char *const colour[] = { "", "\033[33m", "\033[31m" };
    const char *name = finding_name(arena, model, f, view), *place = finding_place(arena, f);
    fprintf(out, "%s%-8s%s", paint(view, colour[f->severity]), severity_name(f->severity),
            f->severity ? paint(view, "\033[0m") : "");
    int used = 8 + 2 + 6 + 2 + names + 2 + 10 + 2 + places;
    bool room = view->width - used >= 50;
    fprintf(out, "  %-6s  %s%*s  %-10s  %s", priority_name(f->priority), name, names - text_columns(name), "", f->rule,
            place);
    if (room)
        fprintf(out, "%*s", places - text_columns(place) + 2, "");
    else
        fprintf(out, "\n%18s", "");
    text_wrap(out, f->text, room ? used + 2 : 18, room ? used + 2 : 18, view->width);
    fputc('\n', out);
}

static void findings_print(FILE *out, const struct model *model, const struct view *view)
{
    size_t shown = view->top && view->top < model->finding_count ? view->top : model->finding_count;
    int names = 0, places = 0;
    struct arena arena = { 0 };
    text_heading(out, view, "BOTTLENECKS", model->finding_count ? "" : "none above the thresholds");
    for (size_t i = 0; i < shown; i++) {
        const struct model_finding *f = &model->finding[i];
        int name = text_columns(finding_name(&arena, model, f, view)), place = text_columns(finding_place(&arena, f));
        names = name > names ? name : names;
        places = place > places ? place : places;
    }
    for (size_t i = 0; i < shown; i++)
        finding_print(out, model, &model->finding[i], view, &arena, names, places);
    text_more(out, model->finding_count - shown);
    arena_free(&arena);
}

static void next_print(FILE *out, const struct model *model, const struct view *view)
{
    struct arena arena = { 0 };
    const char *file = text_hottest_file(model), *path = quote_shell(&arena, model->run.path);
    const char *tool = view->program ? quote_shell(&arena, view->program) : "profplug";
    const char *report = arena_print(&arena, "%s report --format json %s", tool, path);
    const char *annotate = file && source_get(file) ? arena_print(&arena, "%s annotate %s %s", tool, path,
                                                                  quote_shell(&arena, path_short(file)))
                                                    : "";
    bool together = 6 + text_columns(annotate) + 3 + text_columns(report) <= view->width;
    fprintf(out, "\nnext: %s%s%s\n", annotate, !annotate[0] ? "" : together ? "   " : "\n      ", report);
    arena_free(&arena);
}

void text_report(FILE *out, const struct model *model, const struct view *asked)
{
    struct view person = *asked, *view = &person;
    view->for_person = true;
    run_print(out, model, view);
    trouble_print(out, model, view);
    if (model->empty_reason) {
        fprintf(out, "\nThe profile is empty: %s\n", model->empty_reason);
        if (view->explain)
            text_coverage(out, model, view);
        children_print(out, model, view);
        return;
    }
    if (view->between) {
        text_between(out, model, view);
        return;
    }
    text_advice(out, model, view);
    text_stages(out, model, view);
    text_numbers(out, model, view);
    findings_print(out, model, view);
    text_hot(out, model, view);
    text_allocations(out, model, view);
    text_mappings(out, model, view);
    text_volumes(out, model, view, PP_CALLSITE_POOLS);
    text_volumes(out, model, view, PP_CALLSITE_COPIES);
    text_volumes(out, model, view, PP_CALLSITE_FILLS);
    text_arena(out, model, view);
    text_waits_by_calls(out, model, view);
    text_operations(out, model, view);
    text_snapshots(out, model, view);
    children_print(out, model, view);
    text_coverage(out, model, view);
    next_print(out, model, view);
}
