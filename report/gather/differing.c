/* SPDX-License-Identifier: MIT */
/* differing.c: how the files differ: of the runs as a whole, of each stage and of each function the least value, the
 * median, the most, and which file that is. See gathering.h.
 *
 * CPU time of functions is estimated by samples, so some of the difference is chance. If errors explain all of it, the
 * sum of squared differences, each divided by its variance, is about the number of files less one. It is taken for
 * more if it exceeds that by three standard deviations (Wilson and Hilferty 1931). */
#include "gather/gathering.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int values_by_subject(const void *a, const void *b)
{
    const struct gathered_value *x = a, *y = b;
    return x->subject != y->subject ? (x->subject < y->subject ? -1 : 1) : x->part < y->part ? -1 : x->part > y->part;
}

static int numbers_ascending(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

/* Values of one subject by part, as they come from values_by_subject. */
struct series {
    uint64_t *value; /* by part */
    double *variance;
    size_t parts;
};

/* Whether the errors explain that files differ. A file without samples has the variance that the mean would have. */
static bool is_chance(const struct series *s, double mean)
{
    double sum = 0, total = 0, value = 0;
    for (size_t i = 0; i < s->parts; i++) {
        total += s->variance[i];
        value += (double)s->value[i];
    }
    if (value <= 0 || s->parts < 2)
        return true;
    double each = total / value; /* variance of a ns, on the average */
    for (size_t i = 0; i < s->parts; i++) {
        double off = (double)s->value[i] - mean;
        sum += off * off / (each * mean);
    }
    double freedom = (double)s->parts - 1, part = 2 / (9 * freedom);
    return (cbrt(sum / freedom) - (1 - part)) / sqrt(part) < 3;
}

static void spread_write(struct gather *g, enum pp_spread_of of, enum pp_spread_value value, const char *name,
                         const char *file, struct series *s, bool estimated)
{
    struct pp_spread head = { .of = of, .value = value, .least = UINT64_MAX };
    double sum = 0;
    for (size_t i = 0; i < s->parts; i++) {
        head.parts += s->value[i] != 0;
        head.total += s->value[i];
        sum += (double)s->value[i];
        if (s->value[i] < head.least) {
            head.least = s->value[i];
            head.least_part = (uint32_t)i;
        }
        if (s->value[i] > head.most || !i) {
            head.most = s->value[i];
            head.most_part = (uint32_t)i;
            head.most_error = estimated ? (uint64_t)sqrt(s->variance[i]) : 0;
        }
    }
    head.chance = estimated && is_chance(s, sum / (double)s->parts);
    qsort(s->value, s->parts, sizeof *s->value, numbers_ascending);
    uint64_t high = s->value[s->parts / 2], low = s->value[(s->parts - 1) / 2];
    head.median = low + (high - low) / 2;
    writer_record(g->writer, PP_RECORD_SPREAD, &head, sizeof head, (const char *[]){ name, file }, 2);
}

static void series_clear(struct series *s)
{
    memset(s->value, 0, s->parts * sizeof *s->value);
    memset(s->variance, 0, s->parts * sizeof *s->variance);
}

typedef struct gather_function subject_namer(const struct gather *g, uint32_t subject, const void *context);

static void values_write(struct gather *g, struct gathered_values *v, enum pp_spread_of of, enum pp_spread_value value,
                         subject_namer *namer, const void *context, struct series *s)
{
    if (v->count && !v->full)
        qsort(v->item, v->count, sizeof *v->item, values_by_subject);
    for (size_t i = 0, end; i < v->count && !v->full; i = end) {
        series_clear(s);
        for (end = i; end < v->count && v->item[end].subject == v->item[i].subject; end++) {
            s->value[v->item[end].part] += v->item[end].value;
            s->variance[v->item[end].part] += v->item[end].variance;
        }
        struct gather_function is = namer(g, v->item[i].subject, context);
        if (is.name)
            spread_write(g, of, value, is.name, is.file, s, of == PP_SPREAD_FUNCTION && value == PP_SPREAD_CPU);
    }
}

static struct gather_function stage_name(const struct gather *g, uint32_t subject, const void *context)
{
    (void)context;
    return (struct gather_function){ g->stage[subject].path, "" };
}

static struct gather_function counted_name(const struct gather *g, uint32_t subject, const void *context)
{
    (void)context;
    return (struct gather_function){ g->function_name[subject], g->function_file[subject] };
}

struct sampled {
    const struct gather_function *function;
    size_t count;
};

static struct gather_function sampled_name(const struct gather *g, uint32_t subject, const void *context)
{
    const struct sampled *all = context;
    (void)g;
    return subject < all->count ? all->function[subject] : (struct gather_function){ NULL, NULL };
}

/* Samples are numbered as they came. In the file they are in the order of the blocks. */
static void samples_settle(struct gather *g, const uint32_t *of_sample, size_t samples, double scale)
{
    size_t *first = memory_zeroed(g->block_count + 1, sizeof *first);
    for (size_t i = 0; i < g->block_count; i++)
        first[i + 1] = first[i] + g->block[i].sample_count;
    for (size_t i = 0; i < g->cpu.count; i++) {
        uint32_t number = g->cpu.item[i].subject;
        size_t at = first[g->sample_block[number]] + g->sample_row[number];
        g->cpu.item[i].subject = at < samples ? of_sample[at] : UINT32_MAX;
        g->cpu.item[i].value = (uint64_t)((double)g->cpu.item[i].value * scale);
        g->cpu.item[i].variance *= (float)(scale * scale);
    }
    free(first);
}

bool gather_tell(struct gather *g, const uint32_t *of_sample, size_t samples, const struct gather_function *function,
                 size_t functions, double scale)
{
    struct series s = { memory_zeroed(g->added + 1, sizeof *s.value), memory_zeroed(g->added + 1, sizeof *s.variance),
                        g->added };
    struct sampled sampled = { function, functions };
    static const enum pp_spread_value run_value[] = { PP_SPREAD_WALL, PP_SPREAD_CPU, PP_SPREAD_RSS };
    for (unsigned k = 0; k < sizeof run_value / sizeof *run_value && g->added; k++) {
        series_clear(&s);
        for (size_t i = 0; i < g->added; i++)
            s.value[i] = run_value[k] == PP_SPREAD_WALL  ? g->part[i].head.wall_ns
                         : run_value[k] == PP_SPREAD_CPU ? g->part[i].head.cpu_ns
                                                         : g->part[i].head.peak_rss_bytes;
        spread_write(g, PP_SPREAD_RUN, run_value[k], "", "", &s, false);
    }
    samples_settle(g, of_sample, samples, scale);
    values_write(g, &g->stage_wall, PP_SPREAD_STAGE, PP_SPREAD_WALL, stage_name, NULL, &s);
    values_write(g, &g->stage_calls, PP_SPREAD_STAGE, PP_SPREAD_CALLS, stage_name, NULL, &s);
    values_write(g, &g->cpu, PP_SPREAD_FUNCTION, PP_SPREAD_CPU, sampled_name, &sampled, &s);
    values_write(g, &g->calls, PP_SPREAD_FUNCTION, PP_SPREAD_CALLS, counted_name, NULL, &s);
    writer_records(g->writer);
    free(s.value);
    free(s.variance);
    return writer_finish(g->writer, &g->header);
}
