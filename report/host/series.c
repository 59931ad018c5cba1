/* SPDX-License-Identifier: MIT */
/* series.c: see series.h. Only like is compared with like: runs of one program on one machine with the same options,
 * arguments and size of input. Growth with the size of input is told from runs that differ in arguments and size. */
#include "host/series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "words/shortname.h"

#define LEVEL 0.01     /* of one series: how often a change is told where there is none */
#define LEVEL_ALL 0.05 /* of all series together */
#define SIZE_SAME 0.01 /* what a program reads besides its input may vary */
#define SIZE_RANGE 4.0 /* the largest input by the smallest, at least, for a growth to be told */
enum { SIZES_LEAST = 3 };

bool series_is_program(const struct history_run *run, const char *said)
{
    const char *slash = strrchr(run->program, '/');
    return strcmp(run->program, said) == 0 || (slash && strcmp(slash + 1, said) == 0);
}

static bool size_is_same(uint64_t a, uint64_t b)
{
    return fabs((double)a - (double)b) <= SIZE_SAME * fmax((double)a, (double)b);
}

/* Why a run cannot be compared with the newest one; SERIES_REASONS: it can. */
static enum series_reason run_compare(const struct history_run *run, const struct history_run *newest)
{
    if (run->failed != newest->failed)
        return SERIES_FAILED;
    if (strcmp(run->host, newest->host) != 0 || strcmp(run->cpu, newest->cpu) != 0)
        return SERIES_MACHINE;
    if (strcmp(run->options, newest->options) != 0)
        return SERIES_OPTIONS;
    if (!size_is_same(run->input_bytes, newest->input_bytes))
        return SERIES_SIZE;
    return strcmp(run->arguments, newest->arguments) != 0 ? SERIES_ARGUMENTS : SERIES_REASONS;
}

/* ---- values ---- */

static const struct history_figure *figure_find(const struct history_run *run, const char *kind, const char *name)
{
    for (size_t i = 0; i < run->figure_count; i++)
        if (strcmp(run->figure[i].name, name) == 0 && strcmp(run->figure[i].kind, kind) == 0)
            return &run->figure[i];
    return NULL;
}

/* The run's value for a series; 0: it has none. *calls: 0 if they were not counted. */
static double value_of(const struct history_run *run, const struct series *s, uint64_t *calls)
{
    *calls = 0;
    if (strcmp(s->kind, "run") == 0)
        return (double)(s->is_size ? run->peak_bytes : s->name[0] == 'c' ? run->cpu_ns : run->wall_ns);
    const struct history_figure *f = figure_find(run, s->kind, s->name);
    *calls = f ? f->count : 0;
    return f ? f->ns : 0;
}

static int whole_compare(const void *a, const void *b)
{
    uint64_t one = *(const uint64_t *)a, two = *(const uint64_t *)b;
    return (one > two) - (one < two);
}

static uint64_t calls_median(const struct series *s, size_t begin, size_t end)
{
    uint64_t *calls = memory_zeroed(end - begin, sizeof *calls), middle;
    for (size_t i = begin; i < end; i++)
        value_of(s->run[i], s, &calls[i - begin]);
    qsort(calls, end - begin, sizeof *calls, whole_compare);
    middle = calls[(end - begin) / 2];
    free(calls);
    return middle;
}

static void changes_find(struct series *s, double level)
{
    s->unlike = memory_zeroed(s->count + 1, sizeof *s->unlike);
    s->change_count = changepoint_find(s->value, s->count, level, s->change, SERIES_CHANGES);
    s->unlike_count = changepoint_outliers(s->value, s->count, s->change, s->change_count, s->unlike);
    for (size_t i = 0; i < s->change_count; i++) {
        size_t begin = i ? s->change[i - 1].at : 0;
        size_t end = i + 1 < s->change_count ? s->change[i + 1].at : s->count;
        s->calls[i][0] = calls_median(s, begin, s->change[i].at);
        s->calls[i][1] = calls_median(s, s->change[i].at, end);
    }
}

/* ---- growth with the size of the input ---- */

/* The quantile 0.975 of Student's distribution, by Cornish and Fisher's series; within 1 % from three degrees on. */
static double student_975(double freedom)
{
    const double z = 1.959964;
    double g1 = (pow(z, 3) + z) / 4, g2 = (5 * pow(z, 5) + 16 * pow(z, 3) + 3 * z) / 96;
    double g3 = (3 * pow(z, 7) + 19 * pow(z, 5) + 17 * pow(z, 3) - 15 * z) / 384;
    double series = z + g1 / freedom + g2 / pow(freedom, 2) + g3 / pow(freedom, 3);
    return freedom < 1.5 ? 12.706 : freedom < 2.5 ? 4.303 : series;
}

/* Least squares of the logarithms of the cost on those of the size. */
static void growth_find(struct series *s, const struct history_run *const *run, size_t count)
{
    double *x = memory_zeroed(count + 1, sizeof *x), *y = memory_zeroed(count + 1, sizeof *y);
    uint64_t *sizes = memory_zeroed(count + 1, sizeof *sizes), calls;
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        double value = run[i]->input_bytes ? value_of(run[i], s, &calls) : 0;
        if (!(value > 0))
            continue;
        sizes[n] = run[i]->input_bytes;
        x[n] = log((double)run[i]->input_bytes);
        y[n++] = log(value);
    }
    double mean_x = 0, mean_y = 0, xx = 0, xy = 0, rest = 0;
    for (size_t i = 0; i < n; i++)
        mean_x += x[i] / (double)n, mean_y += y[i] / (double)n;
    for (size_t i = 0; i < n; i++)
        xx += (x[i] - mean_x) * (x[i] - mean_x), xy += (x[i] - mean_x) * (y[i] - mean_y);
    double exponent = xx > 0 ? xy / xx : 0;
    for (size_t i = 0; i < n; i++)
        rest += pow(y[i] - mean_y - exponent * (x[i] - mean_x), 2);
    qsort(sizes, n, sizeof *sizes, whole_compare);
    size_t different = n > 0;
    for (size_t i = 1; i < n; i++)
        different += !size_is_same(sizes[i], sizes[i - 1]);
    if (different >= SIZES_LEAST && (double)sizes[n - 1] >= SIZE_RANGE * (double)sizes[0]) {
        double freedom = (double)n - 2, error = student_975(freedom) * sqrt(rest / freedom / xx);
        s->growth = (struct series_growth){ .sizes = different,
                                            .least = sizes[0],
                                            .most = sizes[n - 1],
                                            .exponent = exponent,
                                            .low = exponent - error,
                                            .high = exponent + error };
    }
    free(x);
    free(y);
    free(sizes);
}

/* ---- the set ---- */

static void series_add(struct series_set *set, const char *kind, const char *name, bool is_size,
                       const struct history_run *const *run, size_t count)
{
    struct series *s = ARRAY_PUSH(set->series, set->count, set->capacity);
    uint64_t calls;
    *s = (struct series){ .kind = kind, .name = name, .is_size = is_size };
    s->value = memory_zeroed(count + 1, sizeof *s->value);
    s->run = memory_zeroed(count + 1, sizeof *s->run);
    for (size_t i = 0; i < count; i++) {
        double value = value_of(run[i], s, &calls);
        if (value > 0) {
            s->run[s->count] = run[i];
            s->value[s->count++] = value;
        }
    }
}

static int figure_compare(const void *a, const void *b)
{
    const struct history_figure *one = *(const struct history_figure *const *)a;
    const struct history_figure *two = *(const struct history_figure *const *)b;
    if (one->ns != two->ns)
        return one->ns < two->ns ? 1 : -1;
    return strcmp(one->name, two->name);
}

/* A name may be given in full, or as it is shown. */
static bool is_chosen(const struct series_choice *choice, const char *name)
{
    struct arena arena = { 0 };
    bool chosen = !choice->name || !strcmp(name, choice->name) || !strcmp(name_short(&arena, name), choice->name);
    arena_free(&arena);
    return chosen;
}

/* The stages and functions of the newest run, the largest first. */
static void figures_add(struct series_set *set, const struct series_choice *choice,
                        const struct history_run *const *like, size_t count)
{
    const struct history_run *newest = set->newest;
    const struct history_figure **figure = memory_zeroed(newest->figure_count + 1, sizeof *figure);
    size_t n = 0;
    for (size_t i = 0; i < newest->figure_count; i++)
        if (newest->figure[i].ns > 0 && is_chosen(choice, newest->figure[i].name))
            figure[n++] = &newest->figure[i];
    qsort(figure, n, sizeof *figure, figure_compare);
    size_t shown = choice->top && choice->top < n ? choice->top : n;
    for (size_t i = 0; i < shown; i++)
        series_add(set, figure[i]->kind, figure[i]->name, false, like, count);
    set->more = n - shown;
    free(figure);
}

void series_make(struct series_set *set, const struct history_run *run, size_t count,
                 const struct series_choice *choice)
{
    static const char *const own[] = { "wall time", "cpu time", "peak memory" };
    *set = (struct series_set){ 0 };
    for (size_t i = count; i > 0 && !set->newest; i--)
        if (!choice->program || series_is_program(&run[i - 1], choice->program))
            set->newest = &run[i - 1];
    if (!set->newest)
        return;
    const struct history_run **like = memory_zeroed(count, sizeof *like), **any = memory_zeroed(count, sizeof *any);
    size_t all = 0;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(run[i].program, set->newest->program) != 0)
            continue;
        enum series_reason why = run_compare(&run[i], set->newest);
        if (why == SERIES_REASONS)
            like[set->used++] = &run[i];
        else
            set->left_out[why]++;
        if (why >= SERIES_ARGUMENTS)
            any[all++] = &run[i];
    }
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (!choice->name || strcmp(choice->name, own[i]) == 0)
            series_add(set, "run", own[i], i == 2, like, set->used);
    figures_add(set, choice, like, set->used);
    set->level = set->count ? fmin(LEVEL, LEVEL_ALL / (double)set->count) : LEVEL;
    for (size_t i = 0; i < set->count; i++) {
        changes_find(&set->series[i], set->level);
        growth_find(&set->series[i], any, all);
    }
    free(any);
    free(like);
}

void series_free(struct series_set *set)
{
    for (size_t i = 0; i < set->count; i++) {
        free(set->series[i].value);
        free(set->series[i].run);
        free(set->series[i].unlike);
    }
    free(set->series);
}
