/* SPDX-License-Identifier: MIT */
/* chart.c: see chart.h. */
#include "show/chart.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "show/table.h"
#include "words/figure.h"
#include "words/plural.h"
#include "words/quote.h"
#include "words/shortname.h"

enum { CHART_ROWS = 10, AXIS = 10, COMMIT_SHOWN = 10 };

const char *stamp_text(char to[STAMP_BYTES], uint64_t ns)
{
    time_t seconds = (time_t)(ns / 1000000000u);
    struct tm t;
    if (!gmtime_r(&seconds, &t) || !strftime(to, STAMP_BYTES, "%Y-%m-%d %H:%M", &t))
        to[0] = 0;
    return to;
}

static const char *value_text(char *to, const struct series *s, double value)
{
    return s->is_size ? figure_size(to, value) : figure_time(to, value);
}

/* ---- the list of runs ---- */

void runs_print(FILE *out, const struct view *view, const struct history_run *run, size_t count)
{
    static const struct table_column column[] = {
        { "started (UTC)", true, 0 }, { "program", true, 0 }, { "end", true, 5 },    { "wall", false, 0 },
        { "cpu", false, 8 },          { "peak", false, 4 },   { "input", false, 3 }, { "commit", true, 6 },
        { "host", true, 2 },          { "file", true, 1 },
    };
    struct arena arena = { 0 };
    struct table table = {
        .arena = &arena, .column = column, .columns = sizeof column / sizeof *column, .colour = view->colour
    };
    size_t first = view->top && view->top < count ? count - view->top : 0;
    char stamp[STAMP_BYTES], figure[FIGURE_BYTES];
    for (size_t i = first; i < count; i++) {
        const struct history_run *r = &run[i];
        table_cell(&table, stamp_text(stamp, r->start_ns));
        table_cell(&table, path_short(r->program));
        table_cell(&table, r->end);
        table_cell(&table, figure_time(figure, (double)r->wall_ns));
        table_cell(&table, figure_time(figure, (double)r->cpu_ns));
        table_cell(&table, r->peak_bytes ? figure_size(figure, (double)r->peak_bytes) : "");
        table_cell(&table, r->input_bytes ? figure_size(figure, (double)r->input_bytes) : "");
        table_cell(&table, arena_print(&arena, "%.*s", COMMIT_SHOWN, r->commit));
        table_cell(&table, r->host);
        table_cell(&table, path_short(r->path));
    }
    table_print(&table, out, view->width);
    table_free(&table);
    if (first)
        fprintf(out, "%zu earlier %s (--top 0)\n", first, plural(first, "run", "runs"));
    arena_free(&arena);
}

/* The short name, unless another one of the set has it, too. */
static const char *name_text(struct arena *arena, const struct series_set *set, const struct series *s)
{
    const char *name = name_short(arena, s->name);
    for (size_t i = 0; i < set->count; i++)
        if (strcmp(set->series[i].name, s->name) != 0 && strcmp(name_short(arena, set->series[i].name), name) == 0)
            return quote_plain(arena, s->name);
    return quote_plain(arena, name);
}

/* ---- changes ---- */

static const char *commit_text(struct arena *arena, const struct history_run *run)
{
    return run->commit[0] ? arena_print(arena, "%.*s", COMMIT_SHOWN, run->commit) : "an unknown commit";
}

static const char *change_text(struct arena *arena, const struct series *s, size_t number)
{
    const struct changepoint *c = &s->change[number];
    return arena_print(arena, "%+.1f %% (%+.1f to %+.1f) from run %zu on", 100 * (c->ratio - 1), 100 * (c->low - 1),
                       100 * (c->high - 1), c->at + 1);
}

/* When it was, in which commits, and what else changed. */
static void change_print(FILE *out, const struct view *view, struct arena *arena, const struct series_set *set,
                         const struct series *s, size_t number)
{
    const struct history_run *first = s->run[s->change[number].at], *before = s->run[s->change[number].at - 1];
    char stamp[STAMP_BYTES], one[FIGURE_BYTES], two[FIGURE_BYTES];
    const char *commits = "", *calls = "";
    if (first->commit[0] || before->commit[0])
        commits = arena_print(arena, ", %s after %s", commit_text(arena, first), commit_text(arena, before));
    if (s->calls[number][0] != s->calls[number][1])
        calls = arena_print(arena, "; calls %s to %s", figure_count(one, (double)s->calls[number][0]),
                            figure_count(two, (double)s->calls[number][1]));
    text_wrap(out,
              arena_print(arena, "%s  %s %s%s%s", stamp_text(stamp, first->start_ns), name_text(arena, set, s),
                          change_text(arena, s, number), quote_plain(arena, commits), calls),
              0, 18, view->width);
    fputc('\n', out);
}

static void changes_print(FILE *out, const struct view *view, struct arena *arena, const struct series_set *set)
{
    bool headed = false;
    for (size_t i = 0; i < set->count; i++)
        for (size_t k = 0; k < set->series[i].change_count; k++) {
            fputs(headed ? "" : "\nCHANGES, the first run of the new level\n", out);
            headed = true;
            change_print(out, view, arena, set, &set->series[i], k);
        }
}

static void rows_print(FILE *out, const struct view *view, struct arena *arena, const struct series_set *set)
{
    static const struct table_column column[] = {
        { "series", true, 0 },  { "runs", false, 1 },   { "first", false, 2 },
        { "newest", false, 0 }, { "changes", true, 0 },
    };
    struct table table = {
        .arena = arena, .column = column, .columns = sizeof column / sizeof *column, .colour = view->colour
    };
    char figure[FIGURE_BYTES];
    for (size_t i = 0; i < set->count; i++) {
        const struct series *s = &set->series[i];
        for (size_t k = 0; k < s->change_count + !s->change_count; k++) {
            bool head = k == 0;
            table_cell(&table, head ? arena_print(arena, "%s %s", s->kind, name_text(arena, set, s)) : "");
            table_cell(&table, head ? arena_print(arena, "%zu", s->count) : "");
            table_cell(&table, head && s->count ? value_text(figure, s, s->value[0]) : "");
            table_cell(&table, head && s->count ? value_text(figure, s, s->value[s->count - 1]) : "");
            table_cell(&table, s->change_count                      ? change_text(arena, s, k)
                               : s->count < 2 * CHANGEPOINT_SEGMENT ? "too few runs to tell"
                                                                    : "none found");
        }
    }
    table_print(&table, out, view->width);
    table_free(&table);
}

/* ---- the chart ---- */

static void axis_print(FILE *out, const struct series *s, double value, bool labelled)
{
    char figure[FIGURE_BYTES] = "";
    fprintf(out, "%*s |", AXIS, labelled ? value_text(figure, s, value) : "");
}

/* A run is a column. Runs of the oldest that have no room are left out. */
static void chart_print(FILE *out, const struct view *view, const struct series_set *set, const struct series *s)
{
    struct arena arena = { 0 };
    size_t room = view->width > AXIS + 12 ? (size_t)view->width - AXIS - 2 : 10;
    size_t first = s->count > room ? s->count - room : 0;
    double low = INFINITY, high = 0;
    char stamp[2][STAMP_BYTES];
    if (!s->count)
        return;
    for (size_t i = first; i < s->count; i++)
        if (!s->unlike[i]) /* the others shall not be flat beside it */
            low = fmin(low, s->value[i]), high = fmax(high, s->value[i]);
    if (high < low * 1.1) /* noise shall not look like a mountain range */
        low -= high * 0.05, high *= 1.05;
    fputs("\n   ", out);
    quote_print(out, s->kind);
    fprintf(out, " %s%s\n", name_text(&arena, set, s), first ? "  (the newest runs)" : "");
    for (int row = CHART_ROWS - 1; row >= 0; row--) {
        axis_print(out, s, low + (high - low) * row / (CHART_ROWS - 1), row % 3 == 0);
        for (size_t i = first; i < s->count; i++) {
            double part = fmin(fmax((s->value[i] - low) / (high - low), 0), 1);
            int at = (int)lround(part * (CHART_ROWS - 1));
            fputc(at != row ? ' ' : s->unlike[i] ? 'o' : '*', out);
        }
        fputc('\n', out);
    }
    fprintf(out, "%*s +", AXIS, "");
    for (size_t i = first; i < s->count; i++) {
        bool change = false;
        for (size_t k = 0; k < s->change_count; k++)
            change = change || s->change[k].at == i;
        fputc(change ? '^' : '-', out);
    }
    fprintf(out, "\n%*s  ", AXIS, "");
    text_wrap(out,
              arena_print(&arena, "%s to %s (UTC), %zu %s, ^ change, o unlike the others, cut at the edge",
                          stamp_text(stamp[0], s->run[first]->start_ns),
                          stamp_text(stamp[1], s->run[s->count - 1]->start_ns), s->count - first,
                          plural(s->count - first, "run", "runs")),
              AXIS + 2, AXIS + 2, view->width);
    fputc('\n', out);
    arena_free(&arena);
}

/* ---- all of it ---- */

static void left_out_print(FILE *out, const struct series_set *set)
{
    static const char *const what[] = { "that ended otherwise", "on other machines", "with other options",
                                        "with other arguments", "with another size of input" };
    const char *between = "left out: ";
    for (int i = 0; i < SERIES_REASONS; i++)
        if (set->left_out[i]) {
            fprintf(out, "%s%zu %s", between, set->left_out[i], what[i]);
            between = ", ";
        }
    if (between[0] == ',')
        fputc('\n', out);
}

static void unlike_print(FILE *out, const struct series_set *set)
{
    enum { SHOWN = 10 };
    size_t shown = 0, all = 0;
    struct arena arena = { 0 };
    char stamp[STAMP_BYTES], figure[FIGURE_BYTES], level[FIGURE_BYTES];
    for (size_t i = 0; i < set->count; i++)
        for (size_t k = 0, change = 0; k < set->series[i].count; k++) {
            const struct series *s = &set->series[i];
            change += change < s->change_count && s->change[change].at <= k;
            all += s->unlike[k];
            if (!s->unlike[k] || shown >= SHOWN)
                continue;
            fputs(shown++ ? "" : "\nUNLIKE THE OTHERS\n", out);
            fprintf(out, "%s  %s %s", stamp_text(stamp, s->run[k]->start_ns), name_text(&arena, set, s),
                    value_text(figure, s, s->value[k]));
            if (s->change_count)
                fprintf(out, ", the others about %s",
                        value_text(level, s, change ? s->change[change - 1].after : s->change[0].before));
            fputs("  ", out);
            quote_print(out, path_short(s->run[k]->path));
            fputc('\n', out);
        }
    if (all > shown)
        fprintf(out, "and %zu more\n", all - shown);
    arena_free(&arena);
}

static void growth_print(FILE *out, const struct series_set *set)
{
    bool headed = false;
    struct arena arena = { 0 };
    char one[FIGURE_BYTES], two[FIGURE_BYTES];
    for (size_t i = 0; i < set->count; i++) {
        const struct series_growth *g = &set->series[i].growth;
        if (!g->sizes)
            continue;
        if (!headed)
            fprintf(out, "\nGROWTH with the input, %s to %s: cost as size to the power of\n",
                    figure_size(one, (double)g->least), figure_size(two, (double)g->most));
        headed = true;
        fprintf(out, "  %.2f (%.2f to %.2f, %zu sizes)  ", g->exponent, g->low, g->high, g->sizes);
        quote_print(out, set->series[i].kind);
        fprintf(out, " %s\n", name_text(&arena, set, &set->series[i]));
    }
    arena_free(&arena);
}

void series_print(FILE *out, const struct view *view, const struct series_set *set, bool charted)
{
    struct arena arena = { 0 };
    const struct history_run *newest = set->newest;
    char size[FIGURE_BYTES];
    fprintf(out, "%s on %s (%s): %zu %s like the newest", quote_plain(&arena, path_short(newest->program)),
            quote_plain(&arena, newest->host), quote_plain(&arena, newest->cpu), set->used,
            plural(set->used, "run", "runs"));
    if (newest->input_bytes)
        fprintf(out, ", input %s", figure_size(size, (double)newest->input_bytes));
    fputc('\n', out);
    left_out_print(out, set);
    fputc('\n', out);
    rows_print(out, view, &arena, set);
    if (set->more)
        fprintf(out, "%zu smaller ones (--top 0)\n", set->more);
    for (size_t i = 0; charted && i < set->count; i++)
        chart_print(out, view, set, &set->series[i]);
    changes_print(out, view, &arena, set);
    unlike_print(out, set);
    growth_print(out, set);
    fputc('\n', out);
    text_wrap(
        out,
        arena_print(&arena,
                    "A change is %.0f %% or more and lasts %d runs or more. In a series without one it is told with "
                    "a probability of %.2g (E-divisive, permutation test). Intervals: 95 %%.",
                    100 * CHANGEPOINT_LEAST, CHANGEPOINT_SEGMENT, set->level),
        0, 0, view->width);
    fputc('\n', out);
    arena_free(&arena);
}

/* ---- JSON ---- */

static void field(FILE *out, const char *name, const char *text)
{
    fprintf(out, "\"%s\": ", name);
    quote_json(out, text);
    fputs(", ", out);
}

void runs_json(FILE *out, const struct history_run *run, size_t count)
{
    fputs("{\"schema\": \"profplug-history/1\",\n \"runs\": [", out);
    for (size_t i = 0; i < count; i++) {
        const struct history_run *r = &run[i];
        fputs(i ? ",\n  {" : "\n  {", out);
        field(out, "program", r->program);
        field(out, "arguments", r->arguments);
        field(out, "host", r->host);
        field(out, "cpu_model", r->cpu);
        field(out, "commit", r->commit);
        field(out, "options", r->options);
        field(out, "file", r->path);
        field(out, "end", r->end);
        fprintf(out,
                "\"start_ns\": %" PRIu64 ", \"pid\": %u, \"failed\": %s, \"wall_ns\": %" PRIu64 ", \"cpu_ns\": %" PRIu64
                ", \"peak_rss_bytes\": %" PRIu64 ", \"input_bytes\": %" PRIu64 "}",
                r->start_ns, r->pid, r->failed ? "true" : "false", r->wall_ns, r->cpu_ns, r->peak_bytes,
                r->input_bytes);
    }
    fputs(count ? "\n ]}\n" : "]}\n", out);
}

void series_json(FILE *out, const struct series_set *set)
{
    fputs("{\"schema\": \"profplug-history/1\", ", out);
    field(out, "program", set->newest->program);
    fprintf(out, "\"runs_compared\": %zu,\n \"series\": [", set->used);
    for (size_t i = 0; i < set->count; i++) {
        const struct series *s = &set->series[i];
        fputs(i ? ",\n  {" : "\n  {", out);
        field(out, "kind", s->kind);
        field(out, "name", s->name);
        fprintf(out, "\"unit\": \"%s\", \"values\": [", s->is_size ? "bytes" : "ns");
        for (size_t k = 0; k < s->count; k++)
            fprintf(out, "%s%.17g", k ? ", " : "", s->value[k]);
        fputs("], \"start_ns\": [", out);
        for (size_t k = 0; k < s->count; k++)
            fprintf(out, "%s%" PRIu64, k ? ", " : "", s->run[k]->start_ns);
        fputs("], \"unlike\": [", out);
        for (size_t k = 0, n = 0; k < s->count; k++)
            if (s->unlike[k])
                fprintf(out, "%s%zu", n++ ? ", " : "", k);
        fputs("], \"changes\": [", out);
        for (size_t k = 0; k < s->change_count; k++) {
            const struct changepoint *c = &s->change[k];
            fprintf(out, "%s{\"at\": %zu, ", k ? ", " : "", c->at);
            field(out, "commit", s->run[c->at]->commit);
            field(out, "commit_before", s->run[c->at - 1]->commit);
            fprintf(out,
                    "\"before\": %.17g, \"after\": %.17g, \"ratio\": %.6g, \"ratio_low\": %.6g, \"ratio_high\": %.6g, "
                    "\"calls_before\": %" PRIu64 ", \"calls_after\": %" PRIu64 "}",
                    c->before, c->after, c->ratio, c->low, c->high, s->calls[k][0], s->calls[k][1]);
        }
        fputs("]", out);
        if (s->growth.sizes)
            fprintf(out, ", \"growth\": {\"exponent\": %.6g, \"low\": %.6g, \"high\": %.6g, \"sizes\": %zu}",
                    s->growth.exponent, s->growth.low, s->growth.high, s->growth.sizes);
        fputs("}", out);
    }
    fputs(set->count ? "\n ]}\n" : "]}\n", out);
}
