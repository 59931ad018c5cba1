/* SPDX-License-Identifier: MIT */
/* summary.c: what happened in a folder of runs or on a day: how often each program ran, failed and how long it took;
 * where the time of its stages went; which runs were unlike the others. See chart.h. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "show/chart.h"
#include "show/table.h"
#include "store/map.h"
#include "words/figure.h"
#include "words/plural.h"
#include "words/quote.h"

struct total { /* of a program, or of a stage */
    const char *program, *name;
    size_t runs, failed, capacity;
    double *ns; /* by run */
    double sum_ns, median_ns, spread_ns;
    uint64_t entries, peak_bytes;
    const struct history_run *slowest;
    double slowest_ns;
};

struct totals {
    struct map at;
    struct total *row;
    size_t count, capacity;
};

static struct total *total_of(struct totals *all, const char *program, const char *name)
{
    struct arena arena = { 0 };
    uint32_t *at = map_at_text(&all->at, arena_print(&arena, "%s\n%s", program, name));
    arena_free(&arena);
    if (*at == MAP_FRESH) {
        *at = (uint32_t)all->count;
        *ARRAY_PUSH(all->row, all->count, all->capacity) = (struct total){ .program = program, .name = name };
    }
    return &all->row[*at];
}

static void total_add(struct total *t, const struct history_run *run, double ns, uint64_t entries)
{
    *ARRAY_PUSH(t->ns, t->runs, t->capacity) = ns;
    t->sum_ns += ns;
    t->entries += entries;
    t->failed += run->failed;
    t->peak_bytes = run->peak_bytes > t->peak_bytes ? run->peak_bytes : t->peak_bytes;
    if (ns > t->slowest_ns) {
        t->slowest_ns = ns;
        t->slowest = run;
    }
}

static int number_compare(const void *a, const void *b)
{
    double one = *(const double *)a, two = *(const double *)b;
    return (one > two) - (one < two);
}

static double middle(double *value, size_t count)
{
    qsort(value, count, sizeof *value, number_compare);
    return (value[(count - 1) / 2] + value[count / 2]) / 2;
}

static int total_compare(const void *a, const void *b)
{
    const struct total *one = a, *two = b;
    if (one->sum_ns != two->sum_ns)
        return one->sum_ns < two->sum_ns ? 1 : -1;
    return strcmp(one->name, two->name);
}

static void totals_end(struct totals *all)
{
    for (size_t i = 0; i < all->count; i++) {
        struct total *t = &all->row[i];
        t->median_ns = middle(t->ns, t->runs);
        for (size_t k = 0; k < t->runs; k++)
            t->ns[k] = fabs(t->ns[k] - t->median_ns);
        t->spread_ns = 1.4826 * middle(t->ns, t->runs);
    }
    if (all->count)
        qsort(all->row, all->count, sizeof *all->row, total_compare);
}

static void totals_free(struct totals *all)
{
    for (size_t i = 0; i < all->count; i++)
        free(all->row[i].ns);
    free(all->row);
    map_free(&all->at);
}

static void totals_make(struct totals *program, struct totals *stage, const struct history_run *run, size_t count)
{
    *program = *stage = (struct totals){ 0 };
    for (size_t i = 0; i < count; i++) {
        total_add(total_of(program, run[i].program, ""), &run[i], (double)run[i].wall_ns, 0);
        for (size_t k = 0; k < run[i].figure_count; k++)
            if (strcmp(run[i].figure[k].kind, "stage") == 0)
                total_add(total_of(stage, run[i].program, run[i].figure[k].name), &run[i], run[i].figure[k].ns,
                          run[i].figure[k].count);
    }
    totals_end(program);
    totals_end(stage);
}

static void programs_print(FILE *out, const struct view *view, const struct totals *program)
{
    static const struct table_column column[] = {
        { "program", true, 0 }, { "runs", false, 0 },    { "failed", false, 0 }, { "total", false, 2 },
        { "median", false, 0 }, { "slowest", false, 0 }, { "peak", false, 1 },   { "slowest run", true, 0 },
    };
    struct arena arena = { 0 };
    struct table table = {
        .arena = &arena, .column = column, .columns = sizeof column / sizeof *column, .colour = view->colour
    };
    char figure[FIGURE_BYTES];
    for (size_t i = 0; i < program->count; i++) {
        const struct total *t = &program->row[i];
        table_cell(&table, path_short(t->program));
        table_cell(&table, arena_print(&arena, "%zu", t->runs));
        table_cell(&table, arena_print(&arena, "%zu", t->failed));
        table_cell(&table, figure_time(figure, t->sum_ns));
        table_cell(&table, figure_time(figure, t->median_ns));
        table_cell(&table, figure_time(figure, t->slowest_ns));
        table_cell(&table, t->peak_bytes ? figure_size(figure, (double)t->peak_bytes) : "");
        table_cell(&table, t->slowest ? path_short(t->slowest->path) : "");
    }
    table_print(&table, out, view->width);
    table_free(&table);
    arena_free(&arena);
}

static void stages_print(FILE *out, const struct view *view, const struct totals *stage)
{
    static const struct table_column column[] = {
        { "stage", true, 0 },  { "program", true, 1 }, { "total", false, 0 },   { "runs", false, 3 },
        { "calls", false, 2 }, { "median", false, 0 }, { "slowest", false, 0 }, { "slowest run", true, 0 },
    };
    struct arena arena = { 0 };
    struct table table = {
        .arena = &arena, .column = column, .columns = sizeof column / sizeof *column, .colour = view->colour
    };
    size_t shown = view->top && view->top < stage->count ? view->top : stage->count;
    char figure[FIGURE_BYTES];
    for (size_t i = 0; i < shown; i++) {
        const struct total *t = &stage->row[i];
        table_cell(&table, t->name);
        table_cell(&table, path_short(t->program));
        table_cell(&table, figure_time(figure, t->sum_ns));
        table_cell(&table, arena_print(&arena, "%zu", t->runs));
        table_cell(&table, figure_count(figure, (double)t->entries));
        table_cell(&table, figure_time(figure, t->median_ns));
        table_cell(&table, figure_time(figure, t->slowest_ns));
        table_cell(&table, t->slowest ? path_short(t->slowest->path) : "");
    }
    if (!shown)
        return;
    fputs("\nSTAGES, wall time of a run\n", out);
    table_print(&table, out, view->width);
    if (shown < stage->count)
        fprintf(out, "%zu more (--top 0)\n", stage->count - shown);
    table_free(&table);
    arena_free(&arena);
}

/* A run is unlike the others if it is far from their median, as a single spike of a series is: see changepoint.c. */
static bool run_is_unlike(const struct total *t, double ns)
{
    return t->runs >= CHANGEPOINT_SEGMENT && fabs(ns - t->median_ns) > (4.5 + 60.0 / (double)t->runs) * t->spread_ns &&
           fabs(ns - t->median_ns) > CHANGEPOINT_LEAST * t->median_ns;
}

/* Failed runs first, so that many that are merely slow do not hide them. */
static void noteworthy_print(FILE *out, const struct totals *program, const struct history_run *run, size_t count)
{
    enum { SHOWN = 20 };
    struct arena arena = { 0 };
    char one[FIGURE_BYTES], two[FIGURE_BYTES];
    size_t shown = 0, all = 0;
    for (size_t i = 0; i < 2 * count; i++) {
        const struct history_run *r = &run[i % count];
        if (r->failed != (i < count))
            continue;
        for (size_t p = 0; p < program->count; p++) {
            const struct total *t = &program->row[p];
            bool unlike = run_is_unlike(t, (double)r->wall_ns);
            if (strcmp(t->program, r->program) != 0 || !(unlike || r->failed))
                continue;
            if (all++ >= SHOWN)
                continue;
            fputs(shown++ ? "" : "\nFAILED, OR UNLIKE THE OTHERS\n", out);
            fprintf(out, "%s: %s, %s", quote_plain(&arena, path_short(r->path)), quote_plain(&arena, r->end),
                    figure_time(one, (double)r->wall_ns));
            if (unlike)
                fprintf(out, "; half of the %zu runs take %s or less", t->runs, figure_time(two, t->median_ns));
            fputc('\n', out);
        }
    }
    if (all > shown)
        fprintf(out, "and %zu more\n", all - shown);
    arena_free(&arena);
}

void summary_print(FILE *out, const struct view *view, const struct history_run *run, size_t count, const char *of)
{
    struct totals program, stage;
    struct arena arena = { 0 };
    size_t failed = 0;
    char from[STAMP_BYTES], to[STAMP_BYTES];
    totals_make(&program, &stage, run, count);
    for (size_t i = 0; i < count; i++)
        failed += run[i].failed;
    fprintf(out, "%s: %zu %s of %zu %s, %zu failed", quote_plain(&arena, of), count, plural(count, "run", "runs"),
            program.count, plural(program.count, "program", "programs"), failed);
    if (count)
        fprintf(out, ", %s to %s (UTC)", stamp_text(from, run[0].start_ns), stamp_text(to, run[count - 1].start_ns));
    fputs("\n\n", out);
    programs_print(out, view, &program);
    stages_print(out, view, &stage);
    noteworthy_print(out, &program, run, count);
    totals_free(&program);
    totals_free(&stage);
    arena_free(&arena);
}

static void totals_json(FILE *out, const char *name, const struct totals *all)
{
    fprintf(out, "\"%s\": [", name);
    for (size_t i = 0; i < all->count; i++) {
        const struct total *t = &all->row[i];
        fputs(i ? ",\n  {\"program\": " : "\n  {\"program\": ", out);
        quote_json(out, t->program);
        if (t->name[0]) {
            fputs(", \"name\": ", out);
            quote_json(out, t->name);
        }
        fprintf(out,
                ", \"runs\": %zu, \"failed\": %zu, \"total_ns\": %.17g, \"median_ns\": %.17g, \"slowest_ns\": %.17g, "
                "\"entries\": %" PRIu64 ", \"slowest_file\": ",
                t->runs, t->failed, t->sum_ns, t->median_ns, t->slowest_ns, t->entries);
        quote_json(out, t->slowest ? t->slowest->path : "");
        fputc('}', out);
    }
    fputs(all->count ? "\n ]" : "]", out);
}

void summary_json(FILE *out, const struct history_run *run, size_t count, const char *of)
{
    struct totals program, stage;
    totals_make(&program, &stage, run, count);
    fputs("{\"schema\": \"profplug-history/1\", \"of\": ", out);
    quote_json(out, of);
    fprintf(out, ", \"run_count\": %zu,\n ", count);
    totals_json(out, "programs", &program);
    fputs(",\n ", out);
    totals_json(out, "stages", &stage);
    fputs("}\n", out);
    totals_free(&program);
    totals_free(&stage);
}
