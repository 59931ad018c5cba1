/* SPDX-License-Identifier: MIT */
/* changes.c: see changes.h. One walk writes both forms; a form is how titles, rows and sentences look. */
#include "show/changes.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "show/table.h"
#include "words/figure.h"
#include "words/plural.h"
#include "words/quote.h"
#include "words/shortname.h"

#define SHARE_WORTH 0.01 /* of the CPU time: unclear sites below it are not listed */
#define SEEN_LEAST 0.005 /* of a machine that is slower in a run: what is less is not seen in the figures */
enum { CELL = 160, NAME_COLUMNS = 44 };

struct page {
    FILE *out;
    const struct difference *d;
    const struct view *view;
    bool markdown;
    struct arena arena;
};

/* ---- forms ---- */

static void title(struct page *p, const char *text, const char *remark)
{
    if (p->markdown)
        fprintf(p->out, "\n### %s\n\n%s%s", text, remark, remark[0] ? "\n\n" : "");
    else
        text_heading(p->out, p->view, text, remark);
}

static void sentence(struct page *p, const char *text)
{
    if (p->markdown) {
        fprintf(p->out, "%s\n", text);
    } else {
        text_wrap(p->out, text, 0, 2, p->view->width);
        fputc('\n', p->out);
    }
}

/* In markdown | parts cells, and names may hold what it would take for its own. */
static void cell_print(FILE *out, const char *text)
{
    for (; *text; text++)
        fprintf(out, strchr("|\\`*_<>[]", *text) ? "\\%c" : "%c", *text);
}

static void table_write(struct page *p, struct table *t)
{
    if (!p->markdown) {
        table_print(t, p->out, p->view->width);
        return;
    }
    for (size_t i = 0; i < t->columns; i++)
        fprintf(p->out, "%s%s", i ? " | " : "| ", t->column[i].title);
    fputs(" |\n|", p->out);
    for (size_t i = 0; i < t->columns; i++)
        fputs(t->column[i].left ? "---|" : "---:|", p->out);
    for (size_t i = 0; i < t->cell_count; i++) {
        fputs(i % t->columns ? " | " : "\n| ", p->out);
        cell_print(p->out, t->cell[i]);
        fputs(i % t->columns == t->columns - 1 ? " |" : "", p->out);
    }
    fputc('\n', p->out);
}

static struct table table_open(struct page *p, const struct table_column *column, size_t columns)
{
    return (struct table){ .arena = &p->arena, .column = column, .columns = columns, .colour = p->view->colour };
}

/* ---- cells ---- */

static const char *place_of(struct page *p, const char *file, uint32_t line)
{
    if (!file || !file[0])
        return "-";
    return line ? arena_print(&p->arena, "%s:%u", path_short(file), line) : path_short(file);
}

/* "FILE:71 in load", "load", "stage load". A line that moved says from where. */
static const char *site_text(struct page *p, const struct difference_site *s)
{
    const char *name = name_fit(&p->arena, s->name, NAME_COLUMNS);
    if (s->kind == DIFFERENCE_STAGE)
        return arena_print(&p->arena, "stage %s%s", name, site_is_total(s->key) ? ", all places" : "");
    if (s->kind == DIFFERENCE_FUNCTION)
        return arena_print(&p->arena, "%s  %s", name, place_of(p, s->file[ARM_NEW], s->line[ARM_NEW]));
    const char *was = "";
    if (strcmp(path_short(s->file[ARM_OLD]), path_short(s->file[ARM_NEW])))
        was = arena_print(&p->arena, " (was %s)", place_of(p, s->file[ARM_OLD], s->line[ARM_OLD]));
    else if (s->line[ARM_OLD] != s->line[ARM_NEW])
        was = arena_print(&p->arena, " (was :%u)", s->line[ARM_OLD]);
    return arena_print(&p->arena, "%s%s in %s", place_of(p, s->file[ARM_NEW], s->line[ARM_NEW]), was, name);
}

static const char *percent(struct page *p, double ratio)
{
    char text[FIGURE_BYTES];
    if (ratio >= 1000)
        return "over 1000 times";
    if (ratio >= 2)
        return arena_print(&p->arena, "%s times", figure_times(text, ratio));
    return arena_print(&p->arena, "%+.1f %%", 100 * (ratio - 1));
}

static double total_scale(const struct difference_site *s) { return s->ratio / exp(s->time[s->clock].change); }

static const char *interval(struct page *p, const struct difference_site *s)
{
    const struct difference_time *t = &s->time[s->clock];
    double scale = total_scale(s);
    return arena_print(&p->arena, "%s to %s", percent(p, t->low * scale), percent(p, t->high * scale));
}

/* Its own cost changed, but not its code as far as is known: what is around it may be why. */
static bool is_same_code(const struct difference_site *s)
{
    return s->cause == CAUSE_COST && s->clock == CLOCK_CPU && s->code_known && s->code_same &&
           !s->count[COUNTER_HITS].changed;
}

static const char *cause_text(struct page *p, const struct difference_site *s)
{
    const struct difference_count *hits = &s->count[COUNTER_HITS];
    char one[FIGURE_BYTES], two[FIGURE_BYTES];
    const char *what = s->kind == DIFFERENCE_LINE ? "hits" : s->kind == DIFFERENCE_FUNCTION ? "calls" : "entries";
    switch (s->cause) {
    case CAUSE_HITS:
        if (!hits->changed)
            return s->ratio > 1 ? "more hits of its lines" : "fewer hits of its lines";
        return arena_print(&p->arena, "%s: %s to %s", what, figure_count(one, (double)hits->high[ARM_OLD]),
                           figure_count(two, (double)hits->high[ARM_NEW]));
    case CAUSE_COST:
        return arena_print(&p->arena, "%scosts %s%s", hits->known ? "each " : "", s->ratio > 1 ? "more" : "less",
                           is_same_code(s) ? ", same code" : "");
    case CAUSE_KERNEL: return s->ratio > 1 ? "more time in the kernel" : "less time in the kernel";
    case CAUSE_WAIT: return s->ratio > 1 ? "waits longer" : "waits less";
    default: return "";
    }
}

/* ---- parts ---- */

static int time_order(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median, as sites' changes are those of typical runs: of a mean, one run of a busy machine would be most. */
static double wall_of(const struct difference *d, int arm)
{
    double *wall = memory_zeroed(d->run_count + 1, sizeof *wall);
    size_t n = 0;
    for (size_t i = 0; i < d->run_count; i++)
        if ((int)d->run[i].arm == arm)
            wall[n++] = (double)d->run[i].wall_ns;
    qsort(wall, n, sizeof *wall, time_order);
    double median = n ? (wall[(n - 1) / 2] + wall[n / 2]) / 2 : 0;
    free(wall);
    return median;
}

static void head_print(struct page *p)
{
    const struct difference *d = p->d;
    char one[FIGURE_BYTES], two[FIGURE_BYTES];
    double cpu[ARMS] = { 0, 0 };
    const struct difference_run *first[ARMS] = { NULL, NULL };
    for (size_t i = 0; i < d->run_count; i++) {
        const struct difference_run *r = &d->run[i];
        first[r->arm] = first[r->arm] ? first[r->arm] : r;
        cpu[r->arm] += (double)r->cpu_ns / (double)d->runs[r->arm];
    }
    for (int arm = 0; arm < ARMS; arm++) {
        const struct difference_run *r = first[arm];
        const char *of = arm ? "new" : "old";
        if (d->stage[arm])
            sentence(p, arena_print(&p->arena, "%s  stage %s of %s", of, quote_plain(&p->arena, d->stage[arm]),
                                    quote_plain(&p->arena, r->path)));
        else
            sentence(p, arena_print(&p->arena, "%s  %zu %s of %s%s%s: %s CPU on average, %s wall (median)", of,
                                    d->runs[arm],
                                    plural(d->runs[arm], "run", "runs"), quote_plain(&p->arena, r->program),
                                    r->input[0] ? " " : "", quote_plain(&p->arena, r->input),
                                    figure_time(one, cpu[arm]), figure_time(two, wall_of(d, arm))));
        if (p->markdown)
            fputc('\n', p->out);
    }
    if (d->factor_known)
        sentence(p, arena_print(&p->arena,
                                "machine  %.1f %% %s for the new runs (+-%.1f), by %zu sites whose code and counts are "
                                "unchanged; taken out below",
                                100 * fabs(d->factor - 1), d->factor > 1 ? "slower" : "faster", 100 * d->factor_error,
                                d->control_count));
    else if (!d->stage[ARM_OLD]) /* stages are of the same run */
        sentence(p, "machine  whether it was slower for one of the programs is not known: fewer than five functions and"
                    " lines with samples did the same in both");
    for (size_t i = 0; i < d->notice_count; i++) {
        if (p->markdown)
            fputc('\n', p->out);
        sentence(p, arena_print(&p->arena, "note: %s", d->notice[i]));
    }
}

static int site_order(const void *a, const void *b)
{
    const struct difference_site *x = *(const struct difference_site *const *)a,
                                 *y = *(const struct difference_site *const *)b;
    double cost[2];
    for (int i = 0; i < 2; i++) {
        const struct difference_site *s = i ? y : x;
        const struct difference_time *t = &s->time[s->clock];
        cost[i] = fabs(t->ns[ARM_OLD] * (s->ratio - 1));
    }
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    return cost[0] != cost[1] ? (cost[0] < cost[1] ? 1 : -1) : strcmp(x->key, y->key);
}

typedef bool (*chooser)(const struct difference_site *site, int wanted);

static const struct difference_site **choose(const struct difference *d, chooser wants, int wanted, size_t *count)
{
    const struct difference_site **list = memory_zeroed(d->site_count + 1, sizeof *list);
    *count = 0;
    for (size_t i = 0; i < d->site_count; i++)
        if (wants(&d->site[i], wanted))
            list[(*count)++] = &d->site[i];
    qsort(list, *count, sizeof *list, site_order);
    return list;
}

static size_t shown(const struct page *p, size_t count)
{
    return p->view->top && count > p->view->top ? p->view->top : count;
}

static void more_print(struct page *p, size_t left_out)
{
    if (left_out)
        sentence(p, arena_print(&p->arena, "%zu more (--top 0 for all)", left_out));
}

static bool has_verdict(const struct difference_site *s, int verdict) { return (int)s->verdict == verdict; }

/* The times are shown as measured. Returns what the title says was taken out of the change between them. */
static const char *without_text(const struct difference *d)
{
    if (d->factor_known)
        return "; change without the machine's";
    for (size_t i = 0; i < d->run_count; i++)
        if (fabs(d->run[i].factor - 1) > SEEN_LEAST)
            return "; change without the machine's from run to run";
    return "";
}

static void verdicts_print(struct page *p, enum difference_verdict verdict, const char *name)
{
    static const struct table_column column[] = { { "site", true, 0 },      { "old", false, 3 },
                                                  { "new", false, 2 },      { "change", false, 0 },
                                                  { "interval", false, 1 }, { "why", true, 0 } };
    size_t count;
    char one[FIGURE_BYTES], two[FIGURE_BYTES];
    bool same_code = false;
    const struct difference_site **list = choose(p->d, has_verdict, verdict, &count);
    struct table t = table_open(p, column, sizeof column / sizeof *column);
    if (count)
        title(p, name,
              arena_print(&p->arena, "time of a run%s; interval at %.3g %%",
                          without_text(p->d), 100 * (1 - p->d->limits.q)));
    for (size_t i = 0; i < shown(p, count); i++) {
        const struct difference_site *s = list[i];
        const struct difference_time *time = &s->time[s->clock];
        table_cell(&t, site_text(p, s));
        const char *clock = s->clock == CLOCK_WALL ? " wall" : s->clock == CLOCK_WAIT ? " waits" : "";
        table_cell(&t, arena_print(&p->arena, "%s%s", figure_time(one, time->ns[ARM_OLD]), clock));
        table_cell(&t, figure_time(two, time->ns[ARM_NEW]));
        table_cell(&t, percent(p, s->ratio));
        table_cell(&t, interval(p, s));
        table_cell(&t, cause_text(p, s));
        same_code |= is_same_code(s);
    }
    if (count)
        table_write(p, &t);
    more_print(p, count - shown(p, count));
    if (same_code)
        sentence(p, "same code: as large, with the same flow graph and hits. A constant, its data, what runs before it "
                    "or its place in memory may differ");
    table_free(&t);
    free(list);
}

static bool has_counts(const struct difference_site *s, int unused)
{
    for (int i = 0; i < COUNTERS; i++)
        if (s->count[i].changed)
            return true;
    return false;
}

static const char *counter_text(const struct difference_site *s, enum difference_counter counter)
{
    static const char *const names[] = { "",      "iterations", "blocks allocated", "bytes allocated",
                                         "reads", "bytes read", "writes",           "bytes written" };
    if (counter != COUNTER_HITS)
        return names[counter];
    return s->kind == DIFFERENCE_LINE ? "hits" : s->kind == DIFFERENCE_FUNCTION ? "calls" : "entries";
}

static const char *range_text(struct page *p, const struct difference_count *c, enum difference_arm arm)
{
    if (c->low[arm] == c->high[arm])
        return arena_print(&p->arena, "%" PRIu64, c->low[arm]);
    return arena_print(&p->arena, "%" PRIu64 " to %" PRIu64, c->low[arm], c->high[arm]);
}

static void counts_print(struct page *p)
{
    static const struct table_column column[] = { { "site", true, 0 }, { "count", true, 0 }, { "old", false, 0 },
                                                  { "new", false, 0 }, { "code", true, 1 } };
    size_t count, rows = 0;
    const struct difference_site **list = choose(p->d, has_counts, 0, &count);
    struct table t = table_open(p, column, sizeof column / sizeof *column);
    if (count)
        title(p, "COUNTS", "exact");
    for (size_t i = 0; i < shown(p, count); i++)
        for (int k = 0; k < COUNTERS; k++) {
            const struct difference_site *s = list[i];
            const struct difference_count *c = &s->count[k];
            if (!c->changed)
                continue;
            table_cell(&t, site_text(p, s));
            table_cell(&t, counter_text(s, (enum difference_counter)k));
            table_cell(&t, range_text(p, c, ARM_OLD));
            table_cell(&t, range_text(p, c, ARM_NEW));
            table_cell(&t, !s->code_known ? "not known" : s->code_same ? "same" : "changed");
            rows++;
        }
    if (rows)
        table_write(p, &t);
    more_print(p, count - shown(p, count));
    table_free(&t);
    free(list);
}

static bool is_unclear(const struct difference_site *s, int unused)
{
    return s->verdict == VERDICT_UNCLEAR && (s->share[ARM_OLD] >= SHARE_WORTH || s->share[ARM_NEW] >= SHARE_WORTH);
}

static void unclear_print(struct page *p)
{
    static const struct table_column column[] = { { "site", true, 0 },       { "share of CPU", false, 2 },
                                                  { "time", true, 0 },       { "change", false, 1 },
                                                  { "interval", false, 0 },  { "visible from", false, 0 },
                                                  { "runs needed", false, 0 } };
    char one[FIGURE_BYTES];
    size_t count;
    if (!p->d->stage[ARM_OLD] && (p->d->runs[ARM_OLD] < 2 || p->d->runs[ARM_NEW] < 2))
        return; /* times are not judged, as a note says */
    const struct difference_site **list = choose(p->d, is_unclear, 0, &count);
    struct table t = table_open(p, column, sizeof column / sizeof *column);
    if (count)
        title(p, "NOT DECIDED",
              arena_print(&p->arena,
                          "times vary too much; visible from: the least change that these runs find in 4 of 5 cases; "
                          "runs needed: of each program, to find %.3g %%",
                          100 * p->d->limits.least_effect));
    for (size_t i = 0; i < shown(p, count); i++) {
        const struct difference_site *s = list[i];
        const struct difference_time *time = &s->time[s->clock];
        table_cell(&t, site_text(p, s));
        table_cell(&t, figure_share(one, s->share[ARM_NEW]));
        table_cell(&t, s->clock == CLOCK_CPU ? "CPU" : s->clock == CLOCK_WALL ? "wall" : "waits");
        table_cell(&t, percent(p, s->ratio));
        table_cell(&t, interval(p, s));
        table_cell(&t, percent(p, time->least));
        table_cell(&t, time->runs_needed > 0 ? arena_print(&p->arena, "%.0f", time->runs_needed)
                                             : "more runs do not help");
    }
    if (count)
        table_write(p, &t);
    more_print(p, count - shown(p, count));
    table_free(&t);
    free(list);
}

static void singles_print(struct page *p)
{
    static const struct table_column column[] = {
        { "only in", true, 0 }, { "site", true, 0 }, { "cpu", false, 0 }, { "hits or calls", false, 0 }
    };
    const struct difference *d = p->d;
    char one[FIGURE_BYTES], two[FIGURE_BYTES];
    struct table t = table_open(p, column, sizeof column / sizeof *column);
    if (d->single_count)
        title(p, "NOT MATCHED", "");
    for (size_t i = 0; i < shown(p, d->single_count); i++) {
        const struct difference_single *s = &d->single[i];
        const char *place = place_of(p, s->file, s->line), *name = name_fit(&p->arena, s->name, NAME_COLUMNS);
        table_cell(&t, s->arm == ARM_OLD ? "old" : "new");
        table_cell(&t, s->kind == DIFFERENCE_LINE ? arena_print(&p->arena, "%s in %s", place, name)
                       : s->kind == DIFFERENCE_STAGE
                           ? arena_print(&p->arena, "stage %s", name)
                           : arena_print(&p->arena, "%s  %s", name, place));
        table_cell(&t, figure_time(one, s->cpu_ns));
        table_cell(&t, s->hits_known ? figure_count(two, (double)s->hits) : "not counted");
    }
    if (d->single_count)
        table_write(p, &t);
    more_print(p, d->single_count - shown(p, d->single_count));
    table_free(&t);
}

/* How small a change of a function with a tenth of the time these runs show, and what a tenth, or half of it, takes. */
static void seen_print(struct page *p)
{
    const struct difference *d = p->d;
    char text[FIGURE_BYTES];
    double seen = d->seen_least - 1, effect = seen > 0.1 ? 0.1 : fmax(d->limits.least_effect, seen / 2),
           runs = difference_runs_for(d, effect);
    if (d->seen_least <= 0)
        return;
    const char *more = runs < 1e6 ? arena_print(&p->arena, "; %.3g %% would take %.0f runs of each", 100 * effect, runs)
                                  : "; more runs show no less";
    sentence(p, arena_print(&p->arena,
                            "these runs show in 19 of 20 cases if a function with a tenth of the CPU time "
                            "takes %s%s",
                            seen < 1 ? arena_print(&p->arena, "%s %% more", figure_times(text, 100 * seen))
                                     : arena_print(&p->arena, "%s times as long", figure_times(text, d->seen_least)),
                            seen <= d->limits.least_effect ? "" : more));
}

static void foot_print(struct page *p)
{
    const struct difference *d = p->d;
    size_t old = 0, matched = 0, lines = d->sites[ARM_OLD][DIFFERENCE_LINE];
    for (int kind = 0; kind < DIFFERENCE_KINDS; kind++) {
        old += d->sites[ARM_OLD][kind];
        matched += d->matched[kind];
    }
    fputc('\n', p->out);
    bool is_judged = d->runs[ARM_OLD] > 1 && d->runs[ARM_NEW] > 1;
    if (!d->stage[ARM_OLD] && is_judged && !d->verdict_count[VERDICT_SLOWER] && !d->verdict_count[VERDICT_FASTER])
        sentence(p, arena_print(&p->arena, "no change of time of %.3g %% or more was found (false discovery rate %g): "
                                           "of %zu places with enough time, %zu surely have none, and of %zu the "
                                           "times vary too much between runs to tell",
                                100 * d->limits.least_effect, d->limits.q,
                                d->verdict_count[VERDICT_SAME] + d->verdict_count[VERDICT_UNCLEAR],
                                d->verdict_count[VERDICT_SAME], d->verdict_count[VERDICT_UNCLEAR]));
    if (!d->count_changes)
        sentence(p, "no count changed");
    seen_print(p);
    sentence(p, arena_print(&p->arena, "matched %zu of %zu stages, functions and lines of the old program (%zu of %zu "
                                       "lines)",
                            matched, old, d->matched[DIFFERENCE_LINE], lines));
}

static void stages_print(struct page *p)
{
    struct table t = table_open(p, stage_columns, STAGE_COLUMNS);
    stages_fill(&t, p->d);
    title(p, "STAGES", "times of an entry, of a loop's iteration; bytes in all");
    if (t.cell_count)
        table_write(p, &t);
    table_free(&t);
}

static void page_print(struct page *p)
{
    head_print(p);
    if (p->d->stage[ARM_OLD])
        stages_print(p);
    verdicts_print(p, VERDICT_SLOWER, "SLOWER");
    verdicts_print(p, VERDICT_FASTER, "FASTER");
    counts_print(p);
    if (!p->d->stage[ARM_OLD])
        unclear_print(p);
    singles_print(p);
    foot_print(p);
    arena_free(&p->arena);
}

void changes_text(FILE *out, const struct difference *difference, const struct view *view)
{
    struct page p = { .out = out, .d = difference, .view = view };
    page_print(&p);
}

void changes_markdown(FILE *out, const struct difference *difference, const struct view *view)
{
    struct page p = { .out = out, .d = difference, .view = view, .markdown = true };
    fputs("## profplug: what changed\n\n", out);
    page_print(&p);
}
