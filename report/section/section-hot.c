/* SPDX-License-Identifier: MIT */
/* section-hot.c: the hottest lines with their source, the functions, and how much of the time has a known
 * place. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "words/figure.h"
#include "words/quote.h"
#include "model/namesake.h"
#include "words/shortname.h"
#include "show/source.h"
#include "show/table.h"
#include "section/section.h"

const char *text_error(char *to, struct value value, const char *of)
{
    double error = value_error_percent(value);
    if (error <= 0)
        return "-";
    if (value_is_vague(value))
        snprintf(to, FIGURE_BYTES, "few %s", of);
    else
        snprintf(to, FIGURE_BYTES, "+-%.*f%%", error < 9.95 ? 1 : 0, error);
    return to;
}

const char *text_samples(struct arena *arena, const struct model *model)
{
    char taken[FIGURE_BYTES], due[FIGURE_BYTES];
    uint64_t count = run_samples_taken(model);
    if (count == model->coverage.samples)
        return "";
    return arena_print(arena, "; samples: %s of %s were taken%s, and each also stands for the skipped ones before it",
                       figure_count(taken, (double)count), figure_count(due, (double)model->coverage.samples),
                       model->run.given_up[PP_GIVEN_SAMPLES] ? ", to stay cheap" : "");
}

static bool by_key(const struct view *view, const char *key) { return view->sort && strcmp(view->sort, key) == 0; }

static const char *what_cell(const struct model *model, struct arena *arena, const struct model_line *line)
{
    const struct source *source = source_get(line->file);
    const char *text = source ? source_line(source, line->line, true) : NULL;
    if (!text)
        return source ? "(the file has no such line)" : "(source not found)";
    return source_changed_ns(source) > model->run.start_realtime_ns ? arena_print(arena, "~ %s", text) : text;
}

/* The place in a header where most of what the line costs was spent. */
static const char *inner_cell(const struct model *model, struct arena *arena, const struct model_line *line)
{
    size_t count;
    const struct model_inner **inner = inner_list(model, line, &count);
    const struct model_line *at = count ? &model->line[inner[0]->line] : NULL;
    free(inner);
    return at ? arena_print(arena, "%s:%u", path_short(at->file), at->line) : "";
}

/* What most of the line's time was in, if that is code that it calls in libraries or headers. */
static const char *callee_cell(const struct model *model, struct arena *arena, const struct model_line *line, int room)
{
    const struct model_callee *callee = line_callee(model, line);
    return !callee ? "" : callee->name ? name_fit(arena, callee->name, room) : "(through a pointer)";
}

void text_lines(FILE *out, const struct model *model, const struct view *view)
{
    static const struct table_column column[] = {
        { "LINES", true, 0 },      { "hits", false, 45 },  { "samples", false, 20 }, { "self", false, 0 },
        { "+-", false, 30 },       { "% CPU", false, 60 }, { "kernel", false, 57 },  { "waits", false, 58 },
        { "read", false, 27 },     { "written", false, 26 }, { "total", false, 10 }, { "per hit", false, 35 },
        { "libraries", false, 40 }, { "inside", true, 12 },  { "callee", true, 44 },  { "function", true, 0 },
        { "what", true, 0 },
    };
    struct arena arena = { 0 };
    struct table table = { .arena = &arena,
                           .column = column,
                           .columns = sizeof column / sizeof *column,
                           .colour = view->colour,
                           .sorted = by_key(view, "total")     ? "total"
                                     : by_key(view, "name")    ? "LINES"
                                     : by_key(view, "calls")   ? "hits"
                                     : by_key(view, "samples") ? "samples"
                                     : by_key(view, "wait")    ? "waits"
                                     : by_key(view, "mean")    ? "per hit"
                                                               : "self" };
    size_t count, left_out, headers = 0;
    uint32_t *list = view_lines(model, view, &count, &left_out);
    double whole = coverage_cpu_ns(model);
    char text[FIGURE_BYTES];
    for (size_t i = 0; i < count; i++) {
        const struct model_line *line = &model->line[list[i]];
        table_cell(&table,
                   name_cut(&arena, arena_print(&arena, "%s:%u", path_short(line->file), line->line), view->width / 4));
        table_cell(&table, line->hits_known ? figure_count(text, (double)line->hits) : "-");
        table_cell(&table, figure_count(text, (double)line->samples));
        table_cell(&table, figure_time(text, line->self.ns));
        table_cell(&table, text_error(text, line->self, "samples"));
        table_cell(&table, figure_share(text, whole > 0 ? line->self.ns / whole : 0));
        table_cell(&table, line->system_ns > 0 ? figure_time(text, line->system_ns) : "-");
        const struct model_traffic *traffic = &line->traffic;
        table_cell(&table, traffic_wait_ns(traffic) ? figure_time(text, (double)traffic_wait_ns(traffic)) : "-");
        table_cell(&table, traffic->read_bytes ? figure_size(text, (double)traffic->read_bytes) : "-");
        table_cell(&table, traffic->write_bytes ? figure_size(text, (double)traffic->write_bytes) : "-");
        table_cell(&table, figure_time(text, line->total.ns));
        table_cell(&table,
                   line->hits_known && line->hits ? figure_time(text, line->self.ns / (double)line->hits) : "-");
        table_cell(&table, line->library_ns > 0 ? figure_time(text, line->library_ns) : "-");
        table_cell(&table, name_cut(&arena, inner_cell(model, &arena, line), view->width / 6));
        table_cell(&table, callee_cell(model, &arena, line, view->width / 6));
        table_cell(&table,
                   label_fit(&arena, function_label(&arena, &model->function[line->function]), view->width / 5));
        headers += line->inner != 0;
        table_cell(&table, what_cell(model, &arena, line));
    }
    if (table.cell_count || left_out) {
        fputc('\n', out);
        table_print(&table, out, view->width);
        text_more(out, left_out);
        const char *skipped = text_samples(&arena, model),
                   *inside = "libraries: includes headers and wrappers that the line called; inside: where most of "
                             "that was";
        text_foot(out, view, &table,
                  !headers || strstr(table.hidden, "libraries") ? skipped + (*skipped ? 2 : 0)
                                                                : arena_print(&arena, "%s%s", inside, skipped));
    }
    free(list);
    table_free(&table);
    arena_free(&arena);
}

void text_functions(FILE *out, const struct model *model, const struct view *view)
{
    static const struct table_column column[] = {
        { "FUNCTIONS", true, 0 }, { "calls", false, 0 }, { "total", false, 50 },     { "+-", false, 20 },
        { "self", false, 0 },     { "+-", false, 30 },   { "% CPU", false, 60 },     { "kernel", false, 38 },
        { "waits", false, 40 },   { "% time", false, 8 }, { "wall", false, 15 },     { "libraries", false, 35 },
        { "no line", false, 33 }, { "where", true, 10 },
    };
    struct arena arena = { 0 };
    struct table table = { .arena = &arena,
                           .column = column,
                           .columns = sizeof column / sizeof *column,
                           .colour = view->colour,
                           .sorted = by_key(view, "total")   ? "total"
                                     : by_key(view, "calls") ? "calls"
                                     : by_key(view, "name")  ? "FUNCTIONS"
                                     : by_key(view, "wait")  ? "waits"
                                     : by_key(view, "mean") || by_key(view, "samples") ? NULL
                                                             : "self" };
    size_t count, left_out;
    uint32_t *list = view_functions(model, view, &count, &left_out);
    double whole = coverage_cpu_ns(model);
    char text[FIGURE_BYTES];
    double threads = fmax(1, run_threads_ns(model));
    bool copies = false;
    for (size_t i = 0; i < count; i++) {
        const struct model_function *f = &model->function[list[i]];
        table_cell(&table, label_fit(&arena, function_label(&arena, f), name_room(view)));
        bool more = f->calls_known && f->has_copies;
        copies = copies || more;
        table_cell(&table, !f->calls_known
                               ? f->inlined ? "inlined" : "-"
                               : arena_print(&arena, "%s%s", figure_count(text, (double)f->calls), more ? "+" : ""));
        bool self = f->self.ns > 0;
        table_cell(&table, f->total.ns > 0 ? figure_time(text, f->total.ns) : "-");
        table_cell(&table, f->total.ns > 0 ? text_error(text, f->total, "samples") : "-");
        table_cell(&table, self ? figure_time(text, f->self.ns) : "-");
        table_cell(&table, self ? text_error(text, f->self, "samples") : "-");
        table_cell(&table, self && whole > 0 ? figure_share(text, f->self.ns / whole) : "-");
        table_cell(&table, f->system_ns > 0 ? figure_time(text, f->system_ns) : "-");
        table_cell(&table, f->stalled.ns > 0 ? figure_time(text, f->stalled.ns) : "-");
        table_cell(&table, f->stalled.ns > 0 ? figure_share(text, fmin(1, f->stalled.ns / threads)) : "-");
        table_cell(&table, f->wall_known ? figure_time(text, (double)f->wall_ns) : "-");
        table_cell(&table, f->library_ns > 0 ? figure_time(text, f->library_ns) : "-");
        table_cell(&table,
                   f->remainder_ns > 0 && model->coverage.known_line ? figure_time(text, f->remainder_ns) : "-");
        table_cell(&table, f->file[0] ? name_cut(&arena,
                                                 f->line ? arena_print(&arena, "%s:%u", path_short(f->file), f->line)
                                                         : path_short(f->file),
                                                 32)
                                      : "");
    }
    if (count || left_out) {
        char cpu[FIGURE_BYTES], all[FIGURE_BYTES];
        fputc('\n', out);
        table_print(&table, out, view->width);
        text_more(out, left_out);
        text_foot(out, view, &table,
                  arena_print(&arena,
                              "%s%s%s%swaits: time off the CPU in calls that wait, including callees; "
                              "%% time: waits, of the %s of all threads; wall: inclusive, where every call was "
                              "timed",
                              copies ? "calls: those that optimization left (+: and inlined copies, not counted); "
                                     : "calls: those that optimization left; ",
                              whole > 0 ? "total and self: CPU time, with and without callees, +- one sigma; kernel: "
                                          "part of self; libraries: part of self, with headers and wrappers; % CPU: "
                                          "self, of "
                                        : "",
                              whole > 0 ? figure_time(cpu, whole) : "", whole > 0 ? "; " : "",
                              figure_time(all, threads)));
    }
    free(list);
    table_free(&table);
    arena_free(&arena);
}

/* ---- what is known ---- */

static int by_statements(const void *a, const void *b)
{
    const struct model_function *x = *(const struct model_function *const *)a,
                                *y = *(const struct model_function *const *)b;
    if (x->mode != y->mode)
        return x->mode < y->mode ? -1 : 1;
    int order = strcmp(x->file, y->file);
    return order ? order : x->line < y->line ? -1 : x->line > y->line;
}

static void explain_print(FILE *out, const struct model *model)
{
    const struct model_function **list = memory_zeroed(model->function_count, sizeof *list);
    struct arena arena = { 0 };
    size_t count = 0;
    for (size_t i = 0; i < model->function_count; i++)
        if (model->function[i].has_site && model->function[i].kind <= PP_SITE_STAGE)
            list[count++] = &model->function[i];
    qsort(list, count, sizeof *list, by_statements);
    fputc('\n', out);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "%s:%u: %s: %s%s%s\n", quote_plain(&arena, list[i]->file), list[i]->line,
                quote_plain(&arena, function_label(&arena, list[i])), mode_name(list[i]->mode),
                reason_text(list[i]->reason)[0] ? ": " : "", reason_text(list[i]->reason));
    arena_free(&arena);
    free(list);
}

static void share_print(FILE *out, const char **separator, double part, double whole, const char *what)
{
    if (whole <= 0 || part / whole < 0.0005) /* would be shown as 0.0% */
        return;
    fprintf(out, "%s%.1f%% %s", *separator, 100 * part / whole, what);
    *separator = ", ";
}

void text_coverage(FILE *out, const struct model *model, const struct view *view)
{
    const struct model_coverage *c = &model->coverage;
    struct coverage_part part[COVERAGE_PARTS];
    double whole = coverage_cpu_ns(model);
    char figure[FIGURE_BYTES], remark[64], text[1024] = "";
    const char *separator = "";
    FILE *line = whole > 0 ? fmemopen(text, sizeof text, "w") : NULL;
    if (line) {
        snprintf(remark, sizeof remark, "of %s CPU time", figure_time(figure, whole));
        text_heading(out, view, "WHERE THE TIME IS KNOWN", remark);
        coverage_parts(model, part);
        for (unsigned i = 0; i < COVERAGE_PARTS; i++)
            share_print(line, &separator, part[i].ns, whole, part[i].what);
        fclose(line);
        text_wrap(out, text, 0, 0, view->width);
        fputc('\n', out);
    }
    snprintf(text, sizeof text,
             "functions: %llu can be timed, %llu only counted, %llu not instrumented, "
             "%llu seen only inlined%s",
             (unsigned long long)c->framed, (unsigned long long)c->counted, (unsigned long long)c->left_out,
             (unsigned long long)c->inlined, view->explain ? "" : " (profplug report --explain)");
    text_wrap(out, text, 0, 0, view->width);
    fputc('\n', out);
    if (view->explain)
        explain_print(out, model);
}
