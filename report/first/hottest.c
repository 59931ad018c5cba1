/* SPDX-License-Identifier: MIT */
/* hottest.c: the lines with most CPU time or waits, or functions where no line is known. Each has a bar of the
 * program's own code (u), the kernel (k) and waits (w). Below them, how sure the times are. */
#include "first/first.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/namesake.h"
#include "show/source.h"
#include "store/map.h"
#include "words/columns.h"
#include "words/excerpt.h"
#include "words/plural.h"
#include "words/quote.h"
#include "words/shortname.h"

#define LEAST_PART 0.01 /* of the CPU time, or of the threads' time: a line below it is not listed */
#define LITTLE_WAIT 0.001 /* of a line's CPU time: a lock that was taken at once */
#define LITTLE_REST 0.005 /* of all waits: less is 0 % */
#define CLOCKED 0.5       /* of a line's CPU time, in the kernel */
#define LEAST_WAITS 0.01  /* of CPU time and waits */
enum { CPU, KERNEL, WAIT, BAR, HITS, EACH, COLUMNS };
enum { BAR_WIDE = 10, WHAT_LEAST = 16, WHAT_MOST = 44, WHOSE_MOST = 36, GAP = 2 };

struct row {
    const struct model_line *line; /* of all functions that have code there */
    const char *place, *what, *cell[COLUMNS];
    int at; /* the byte of `what` where most time is; negative: not known */
};

static double wait_ns(const struct model_line *l) { return (double)traffic_wait_ns(&l->traffic); }

static bool waits_long(const struct model_line *l) { return wait_ns(l) > LITTLE_WAIT * l->self.ns; }

static bool is_listed(const struct model *model, const struct model_line *l)
{
    return l->self.ns >= LEAST_PART * coverage_cpu_ns(model) || wait_ns(l) >= LEAST_PART * run_threads_ns(model);
}

/* A brace alone is where a function or loop begins or ends: whose, the line does not say. */
static bool is_brace(const char *text) { return strspn(text, "{}(); \t") == strlen(text); }

static const char *what_text(struct arena *arena, const struct model *model, const struct model_line *l, int *at)
{
    const struct source *source = source_get(l->file);
    const char *text = source ? source_line(source, l->line, true) : NULL;
    if (!text || !text[0])
        return arena_print(arena, "in %s", function_label(arena, &model->function[l->function]));
    bool changed = source_changed_ns(source) > model->run.start_realtime_ns;
    if (is_brace(text)) {
        const char *whose = function_label(arena, &model->function[l->function]);
        text = arena_print(arena, "%s in %s", text, label_fit(arena, whose, WHOSE_MOST));
    } else if (!changed) {
        *at = source_offset(source, l->line, l->column);
    }
    return quote_plain(arena, changed ? arena_print(arena, "~ %s", text) : text);
}

static const char *bar_text(struct arena *arena, const struct model_line *l, double whole)
{
    char text[BAR_WIDE + 1];
    double system = fmin(l->system_ns, l->self.ns), user = l->self.ns - system;
    int u = (int)lround(BAR_WIDE * user / whole), k = (int)lround(BAR_WIDE * (user + system) / whole),
        w = (int)lround(BAR_WIDE * (l->self.ns + wait_ns(l)) / whole);
    for (int i = 0; i < w; i++)
        text[i] = i < u ? 'u' : i < k ? 'k' : 'w';
    text[w] = 0;
    return arena_copy(arena, text);
}

/* What threads did whose end is waited for is told at their lines. */
static double heat(const struct model_line *l) { return fmax(l->self.ns, wait_ns(l) - l->joined_ns); }

static int by_heat(const void *a, const void *b)
{
    const struct model_line *x = a, *y = b;
    double p = heat(x), q = heat(y);
    int order = p < q ? 1 : p > q ? -1 : strcmp(x->file, y->file);
    return order ? order : x->line < y->line ? -1 : x->line > y->line;
}

/* What a function has on no line, as a row of line 0 with the label as file; where no line is known, all that it has,
 * with the calls as hits. */
static void functions_join(const struct model_function *f, bool none_known, struct model_line *joined, size_t *count)
{
    struct value self = f->self;
    if (f->kind > PP_SITE_STAGE || (self.ns <= 0 && !(none_known && traffic_wait_ns(&f->traffic))))
        return;
    if (!none_known && f->remainder_ns <= 0)
        return;
    struct model_line *row = &joined[(*count)++];
    *row = (struct model_line){ .file = f->label ? f->label : f->name, .self = self };
    if (none_known) {
        row->system_ns = f->system_ns;
        row->traffic = f->traffic;
        row->hits_known = f->calls_known;
        row->hits = f->calls;
    } else {
        row->self.ns = f->remainder_ns;
        row->system_ns = f->remainder_system_ns;
        row->self.variance *= f->remainder_ns / self.ns;
    }
}

/* One row a place, hottest first: a line stands once for each function that has code there. */
static struct model_line *lines_join(const struct model *model, size_t *count)
{
    struct view all = { .for_person = true };
    struct map places = { 0 };
    struct arena arena = { 0 };
    size_t rows, none;
    uint32_t *list = view_lines(model, &all, &rows, &none);
    struct model_line *joined = memory_zeroed(rows + model->function_count, sizeof *joined);
    bool none_known = !rows;
    *count = 0;
    for (size_t i = 0; i < rows; i++) {
        const struct model_line *l = &model->line[list[i]];
        uint32_t *at = map_at_text(&places, arena_print(&arena, "%u:%s", l->line, l->file));
        if (*at == MAP_FRESH) {
            *at = (uint32_t)*count;
            joined[(*count)++] = *l;
            continue;
        }
        struct model_line *to = &joined[*at];
        to->self.ns += l->self.ns;
        to->joined_ns += l->joined_ns;
        to->self.variance += l->self.variance;
        to->system_ns += l->system_ns;
        to->hits += l->hits;
        to->hits_known = to->hits_known && l->hits_known;
        for (unsigned k = 0; k < PP_WAIT_COUNT; k++)
            to->traffic.wait_ns[k] += l->traffic.wait_ns[k];
    }
    for (size_t i = 0; i < model->function_count; i++)
        functions_join(&model->function[i], none_known, joined, count);
    if (*count)
        qsort(joined, *count, sizeof *joined, by_heat);
    map_free(&places);
    arena_free(&arena);
    free(list);
    return joined;
}

/* Puts the rows that are listed before the others, and returns how many these are. */
static size_t rows_part(const struct model *model, struct model_line *line, size_t count)
{
    struct model_line *other = memory_zeroed(count + 1, sizeof *other);
    size_t listed = 0, others = 0;
    for (size_t i = 0; i < count; i++)
        if (is_listed(model, &line[i]))
            line[listed++] = line[i];
        else
            other[others++] = line[i];
    memcpy(line + listed, other, others * sizeof *other);
    free(other);
    return listed;
}

static struct row row_make(struct arena *arena, const struct model *model, const struct view *view,
                           const struct model_line *l, double whole)
{
    char text[FIGURE_BYTES];
    struct row r = { .line = l, .at = -1, .cell = { "", "", "", "", "", "" } };
    r.what = l->line ? what_text(arena, model, l, &r.at) : model->line_count ? "(on no known line)" : "";
    if (l->line)
        r.place = name_cut(arena, arena_print(arena, "%s:%u", path_short(l->file), l->line), view->width / 3);
    else
        r.place = label_fit(arena, l->file, view->width / 2);
    if (l->self.ns > 0)
        r.cell[CPU] = arena_copy(arena, figure_time(text, l->self.ns));
    if (l->system_ns > 0)
        r.cell[KERNEL] = arena_copy(arena, figure_time(text, l->system_ns));
    if (waits_long(l))
        r.cell[WAIT] = arena_copy(arena, figure_time(text, wait_ns(l)));
    r.cell[BAR] = bar_text(arena, l, whole);
    if (l->hits_known)
        r.cell[HITS] = arena_copy(arena, figure_count(text, (double)l->hits));
    if (l->hits_known && l->hits && l->self.ns > 0)
        r.cell[EACH] = arena_copy(arena, figure_time(text, l->self.ns / (double)l->hits));
    return r;
}

static void cells_print(FILE *out, const char *place, int places, const char *what, int whats, const char *const *cell,
                        const int *wide)
{
    char *line = NULL;
    size_t size;
    FILE *to = open_memstream(&line, &size);
    if (!to)
        return;
    fprintf(to, "%s%*s%s%*s", place, places - text_columns(place) + (whats ? GAP : 0), "", what,
            whats - text_columns(what), "");
    for (int c = 0; c < COLUMNS; c++)
        if (wide[c] && c == BAR)
            fprintf(to, "%*s%s%*s", GAP, "", cell[c], wide[c] - text_columns(cell[c]), "");
        else if (wide[c])
            fprintf(to, "%*s%*s%s", GAP, "", wide[c] - text_columns(cell[c]), "", cell[c]);
    fclose(to);
    while (size && line[size - 1] == ' ')
        size--;
    fprintf(out, "%.*s\n", (int)size, line);
    free(line);
}

/* What the letters of bars mean, what the rows from `shown` on have, and the error of the line with most CPU time that
 * has one. */
static void sure_print(FILE *out, const struct model *model, const struct view *view, const struct row *row,
                       const struct model_line *line, size_t shown, size_t count)
{
    struct arena arena = { 0 };
    char text[FIGURE_BYTES];
    double cpu = 0, waits = 0, all = coverage_cpu_ns(model), all_waits = 0;
    bool system = false, waiting = false;
    size_t sampled = shown;
    for (size_t i = 0; i < count; i++) {
        all_waits += wait_ns(&line[i]);
        if (i < shown) {
            system = system || line[i].system_ns > 0;
            waiting = waiting || waits_long(&line[i]);
            if (value_error_percent(line[i].self) > 0 && (sampled == shown || line[i].self.ns > line[sampled].self.ns))
                sampled = i;
            continue;
        }
        cpu += line[i].self.ns;
        waits += wait_ns(&line[i]);
    }
    const char *said =
        arena_print(&arena, "u: user%s%s", system ? ", k: kernel" : "", waiting ? ", w: waiting" : "");
    if (shown < count)
        said = arena_print(&arena, "%s; %s more %s %.0f %% of the CPU time", said,
                           figure_count(text, (double)(count - shown)),
                           line->line ? plural(count - shown, "line has", "lines have")
                                      : plural(count - shown, "function has", "functions have"),
                           all > 0 ? 100 * fmin(1, cpu / all) : 0);
    if (shown < count && waits >= LITTLE_REST * all_waits && all_waits >= LEAST_WAITS * (all + all_waits))
        said = arena_print(&arena, "%s and %.0f %% of the waits", said, 100 * waits / all_waits);
    if (sampled < shown) {
        double error = value_error_percent(row[sampled].line->self);
        const char *figure = error > 100 ? " more than 100" : arena_print(&arena, "%.*f", error < 9.95 ? 1 : 0, error);
        uint64_t samples = run_samples_taken(model);
        const struct model_line *l = row[sampled].line;
        /* Of time in the kernel clocks tell, not samples. */
        bool clocked = l->system_ns > CLOCKED * l->self.ns;
        said = arena_print(&arena, "%s; cpu of %s +-%s %% (1 sigma; %s)", said, row[sampled].place, figure,
                           clocked ? "its kernel time is the difference of two clock readings, not sampled"
                                   : arena_print(&arena, "%s %s in all", figure_count(text, (double)samples),
                                                 plural(samples, "sample", "samples")));
    }
    fputs(paint(view, "\033[2m"), out);
    text_wrap(out, said, 0, 0, view->width);
    fprintf(out, "%s\n", paint(view, "\033[0m"));
    arena_free(&arena);
}

static bool rows_have_lines(const struct model_line *line, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (line[i].line)
            return true;
    return false;
}

size_t first_hottest(FILE *out, const struct model *model, const struct view *view, size_t rows)
{
    static const char *const titles[2][COLUMNS] = { { "cpu", "kernel", "wait", "", "hits", "per hit" },
                                                    { "cpu", "kernel", "wait", "", "calls", "per call" } };
    static const int first_to_go[] = { KERNEL, EACH, HITS };
    struct arena arena = { 0 };
    size_t count;
    struct model_line *line = lines_join(model, &count);
    size_t listed = rows_part(model, line, count);
    bool functions = count && !rows_have_lines(line, count);
    const char *heading = functions ? "HOTTEST FUNCTIONS" : "HOTTEST LINES", *const *title = titles[functions];
    double largest = 0;
    int wide[COLUMNS] = { 0 }, places = (int)strlen(heading), whats = 0;
    for (size_t i = 0; i < listed; i++)
        largest = fmax(largest, line[i].self.ns + wait_ns(&line[i]));
    size_t shown = listed < rows ? listed : rows;
    struct row *row = memory_zeroed(shown + 1, sizeof *row);
    for (size_t i = 0; i < shown; i++) {
        row[i] = row_make(&arena, model, view, &line[i], largest);
        places = text_columns(row[i].place) > places ? text_columns(row[i].place) : places;
        whats = text_columns(row[i].what) > whats ? text_columns(row[i].what) : whats;
        for (int c = 0; c < COLUMNS; c++)
            wide[c] = text_columns(row[i].cell[c]) > wide[c] ? text_columns(row[i].cell[c]) : wide[c];
    }
    int used = places + GAP;
    for (int c = 0; c < COLUMNS; c++) {
        wide[c] = wide[c] && (int)strlen(title[c]) > wide[c] ? (int)strlen(title[c]) : wide[c];
        used += wide[c] ? wide[c] + GAP : 0;
    }
    int wanted = whats < WHAT_LEAST ? whats : WHAT_LEAST;
    for (size_t i = 0; i < sizeof first_to_go / sizeof *first_to_go && view->width - used < wanted; i++) {
        used -= wide[first_to_go[i]] ? wide[first_to_go[i]] + GAP : 0;
        wide[first_to_go[i]] = 0;
    }
    int room = view->width - used;
    whats = whats < room ? whats : room > 0 ? room : 0;
    whats = whats < WHAT_MOST ? whats : WHAT_MOST;
    if (shown) {
        fputs(paint(view, "\033[1m"), out);
        cells_print(out, heading, places, "", whats, title, wide);
        fputs(paint(view, "\033[0m"), out);
        for (size_t i = 0; i < shown; i++)
            cells_print(out, row[i].place, places, source_excerpt(&arena, row[i].what, row[i].at, whats), whats,
                        row[i].cell, wide);
        sure_print(out, model, view, row, line, shown, count);
    }
    free(row);
    free(line);
    arena_free(&arena);
    return listed;
}
