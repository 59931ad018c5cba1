/* SPDX-License-Identifier: MIT */
/* objective.c: see objective.h. */
#include "estimate/objective.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FORM "expected STAGE METRIC<LIMIT, such as 'load p95<50ms'"
#define METRICS \
    "p50, p99.9 and the like, mean, min, max, calls, iterations, throughput, or COUNTER.sum, .count, .mean, .min, .max"

/* ---- reading ---- */

static bool refuse(char why[256], const char *format, const char *about)
{
    snprintf(why, 256, format, about);
    return false;
}

/* Puts the last word of `text` into `word`, and what is before it, without trailing blanks, into `rest`. False if one
 * of them does not fit or is empty. */
static bool last_word(const char *text, size_t bytes, char *rest, size_t rest_room, char *word, size_t word_room)
{
    while (bytes && isspace((unsigned char)text[bytes - 1]))
        bytes--;
    size_t begin = bytes;
    while (begin && !isspace((unsigned char)text[begin - 1]))
        begin--;
    size_t end = begin, first = 0;
    while (end && isspace((unsigned char)text[end - 1]))
        end--;
    while (first < end && isspace((unsigned char)text[first]))
        first++;
    if (begin == bytes || first == end || end - first >= rest_room || bytes - begin >= word_room)
        return false;
    snprintf(rest, rest_room, "%.*s", (int)(end - first), text + first);
    snprintf(word, word_room, "%.*s", (int)(bytes - begin), text + begin);
    return true;
}

static bool metric_parse(struct objective *o)
{
    static const struct {
        const char *name;
        enum objective_metric metric;
        enum objective_unit unit;
    } plain[] = { { "mean", OBJECTIVE_MEAN, OBJECTIVE_NS },
                  { "min", OBJECTIVE_MIN, OBJECTIVE_NS },
                  { "max", OBJECTIVE_MAX, OBJECTIVE_NS },
                  { "calls", OBJECTIVE_CALLS, OBJECTIVE_COUNT },
                  { "iterations", OBJECTIVE_ITERATIONS, OBJECTIVE_COUNT },
                  { "throughput", OBJECTIVE_THROUGHPUT, OBJECTIVE_PER_SECOND } };
    static const char *const fields[] = { "count", "sum", "mean", "min", "max" };
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (strcmp(o->metric_name, plain[i].name) == 0) {
            o->metric = plain[i].metric;
            o->unit = plain[i].unit;
            return true;
        }
    const char *dot = strrchr(o->metric_name, '.');
    for (size_t i = 0; dot && dot > o->metric_name && i < sizeof fields / sizeof *fields; i++)
        if (strcmp(dot + 1, fields[i]) == 0 && (size_t)(dot - o->metric_name) < sizeof o->counter) {
            o->metric = OBJECTIVE_COUNTER;
            o->unit = OBJECTIVE_COUNT;
            snprintf(o->field, sizeof o->field, "%s", fields[i]);
            snprintf(o->counter, sizeof o->counter, "%.*s", (int)(dot - o->metric_name), o->metric_name);
            return true;
        }
    char *end = o->metric_name;
    double percent =
        o->metric_name[0] == 'p' && isdigit((unsigned char)o->metric_name[1]) ? strtod(o->metric_name + 1, &end) : 0;
    o->metric = OBJECTIVE_PERCENTILE;
    o->unit = OBJECTIVE_NS;
    o->fraction = percent / 100;
    return !*end && percent > 0 && percent < 100 &&
           strspn(o->metric_name + 1, "0123456789.") == strlen(o->metric_name + 1);
}

static bool limit_parse(struct objective *o, const char *text)
{
    static const struct {
        const char *name;
        enum objective_unit unit;
        double factor;
    } units[] = { { "ns", OBJECTIVE_NS, 1 },        { "us", OBJECTIVE_NS, 1e3 }, { "ms", OBJECTIVE_NS, 1e6 },
                  { "s", OBJECTIVE_NS, 1e9 },       { "", OBJECTIVE_COUNT, 1 },  { "", OBJECTIVE_PER_SECOND, 1 },
                  { "/s", OBJECTIVE_PER_SECOND, 1 } };
    char *end;
    text += strspn(text, " \t");
    o->limit = strtod(text, &end);
    if (end == text || !isfinite(o->limit) || strspn(text, "0123456789.+-eE") < (size_t)(end - text))
        return false;
    end += strspn(end, " \t");
    size_t bytes = strcspn(end, " \t");
    if (end[bytes + strspn(end + bytes, " \t")])
        return false;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (units[i].unit == o->unit && strlen(units[i].name) == bytes && strncmp(units[i].name, end, bytes) == 0) {
            o->limit *= units[i].factor;
            return true;
        }
    return false;
}

bool objective_parse(struct objective *o, const char *text, char why[256])
{
    *o = (struct objective){ .fraction = 0 };
    if (strlen(text) >= sizeof o->text)
        return refuse(why, "it is too long; expected up to 255 bytes%s", "");
    snprintf(o->text, sizeof o->text, "%s", text);
    const char *relation = NULL;
    for (const char *at = text; *at; at++)
        if (*at == '<' || *at == '>')
            relation = at; /* the last one, because a stage's name may contain one */
    if (!relation)
        return refuse(why, "no < or > is in it; " FORM "%s", "");
    size_t wide = relation[1] == '=' ? 2 : 1;
    snprintf(o->relation, sizeof o->relation, "%.*s", (int)wide, relation);
    if (!last_word(text, (size_t)(relation - text), o->stage, sizeof o->stage, o->metric_name, sizeof o->metric_name))
        return refuse(why, "a stage and a metric are not there; " FORM "%s", "");
    if (!metric_parse(o))
        return refuse(why, "no such metric '%.80s'; expected " METRICS, o->metric_name);
    if (!limit_parse(o, relation + wide)) {
        static const char *const expected[] = { "a number and ns, us, ms or s", "a number", "a number, or one and /s" };
        snprintf(why, 256, "'%.80s' is no limit for it; expected %s", relation + wide, expected[o->unit]);
        return false;
    }
    return true;
}

/* ---- judging ---- */

static bool is_asked(const struct objective *o, const struct model_stage *s)
{
    return strcmp(o->stage, s->name) == 0 || strcmp(o->stage, s->key) == 0;
}

/* A stage has a row for each parent, and one name. */
static void names_list(const struct model *model, char *to, size_t room)
{
    size_t used = 0, listed = 0;
    to[0] = 0;
    for (size_t i = 0; i < model->stage_count && used < room; i++) {
        size_t first = 0;
        while (strcmp(model->stage[first].name, model->stage[i].name) != 0)
            first++;
        if (first < i)
            continue;
        if (listed++ == 6) {
            snprintf(to + used, room - used, ", ...");
            break;
        }
        used += (size_t)snprintf(to + used, room - used, "%s%.24s", used ? ", " : "", model->stage[i].name);
    }
}

static bool times_judge(struct verdict *v, const struct objective *o, const struct model *model, char why[256])
{
    struct model_times all = { .calls = 0 };
    bool loop = false;
    for (size_t i = 0; i < model->stage_count; i++) {
        const struct model_stage *s = &model->stage[i];
        bool iterations = s->kind == PP_SITE_LOOP && s->iteration.calls;
        loop = loop || (is_asked(o, s) && iterations);
        if (is_asked(o, s))
            times_add(&all, iterations ? &s->iteration : &s->times);
    }
    v->of = loop ? "iterations" : "entries";
    v->entries = all.calls;
    v->timed = all.timed_calls;
    if (!all.timed_calls) {
        free(all.histogram);
        return refuse(why, "none of its entries ended in this run; expected one at least of '%.60s'", o->stage);
    }
    switch (o->metric) {
    case OBJECTIVE_MEAN: v->value = all.mean_ns; break;
    case OBJECTIVE_MIN: v->value = (double)all.min_ns; break;
    case OBJECTIVE_MAX: v->value = (double)all.max_ns; break;
    default: v->value = times_percentile(&all, o->fraction); break;
    }
    v->low = v->high = v->value;
    if (o->metric == OBJECTIVE_PERCENTILE) { /* correct to half a bucket */
        double half = v->value / (2 << PP_SUB_BITS);
        v->low = fmax(v->value - half, (double)all.min_ns);
        v->high = fmin(v->value + half, (double)all.max_ns);
    }
    free(all.histogram);
    return true;
}

static bool throughput_judge(struct verdict *v, const struct objective *o, const struct model *model, char why[256])
{
    double seconds = 0;
    v->of = "calls";
    for (size_t i = 0; i < model->stage_count; i++) {
        const struct model_stage *s = &model->stage[i];
        struct throughput t = stage_throughput(s);
        if (!is_asked(o, s))
            continue;
        v->entries += t.handled;
        seconds += (double)s->times.wall_ns / 1e9;
        v->of = t.unit;
    }
    v->timed = v->entries;
    v->low = v->high = v->value = seconds > 0 ? (double)v->entries / seconds : 0;
    return seconds > 0 ||
           refuse(why, "none of its entries took time in this run; expected one at least of '%.60s'", o->stage);
}

static bool counter_judge(struct verdict *v, const struct objective *o, const struct model *model, char why[256])
{
    struct model_tally all = { .count = 0 };
    for (size_t i = 0; i < model->stage_count; i++)
        for (size_t k = 0; k < model->number_count; k++) {
            const struct model_tally *t = model->stage[i].tally ? &model->stage[i].tally[k] : NULL;
            if (!t || !t->count || !is_asked(o, &model->stage[i]) || strcmp(model->number[k].name, o->counter) != 0)
                continue;
            all.min = !all.count || t->min < all.min ? t->min : all.min;
            all.max = !all.count || t->max > all.max ? t->max : all.max;
            all.count += t->count;
            all.sum += t->sum;
        }
    v->of = "values";
    v->entries = v->timed = all.count;
    v->value = strcmp(o->field, "count") == 0 ? (double)all.count
               : strcmp(o->field, "sum") == 0 ? (double)all.sum
               : strcmp(o->field, "min") == 0 ? (double)all.min
               : strcmp(o->field, "max") == 0 ? (double)all.max
               : all.count                    ? (double)all.sum / (double)all.count
                                              : 0;
    v->low = v->high = v->value;
    return all.count ||
           refuse(why, "the stage counted none in this run; expected profplug_count or profplug_gauge of '%.80s' in it",
                  o->counter);
}

/* How often the stage was entered, or a loop ran; or how many iterations it began. */
static bool number_judge(struct verdict *v, const struct objective *o, const struct model *model, char why[256])
{
    bool iterations = o->metric == OBJECTIVE_ITERATIONS, loop = false;
    for (size_t i = 0; i < model->stage_count; i++) {
        const struct model_stage *s = &model->stage[i];
        if (!is_asked(o, s) || (iterations && s->kind != PP_SITE_LOOP))
            continue;
        loop = loop || s->kind == PP_SITE_LOOP;
        v->entries += iterations ? s->iteration.calls : s->times.calls;
    }
    v->of = iterations ? "iterations" : loop ? "runs of the loop" : "calls";
    v->low = v->high = v->value = (double)v->entries;
    v->timed = v->entries;
    return loop || !iterations ||
           refuse(why, "'%.60s' is no loop; expected the name of a loop, or the metric calls", o->stage);
}

bool objective_judge(struct verdict *v, const struct objective *o, const struct model *model, char why[256])
{
    bool known = false;
    *v = (struct verdict){ .objective = o, .run = model->run.path, .file = "" };
    for (size_t i = 0; i < model->stage_count; i++) {
        const struct model_stage *s = &model->stage[i];
        if (!is_asked(o, s))
            continue;
        known = true;
        v->file = v->file[0] ? v->file : s->file;
        v->line = v->line ? v->line : s->line;
    }
    if (!known) {
        char list[160];
        names_list(model, list, sizeof list);
        snprintf(why, 256, "no stage, loop or scope '%.60s' in this run; expected one of %s", o->stage,
                 list[0] ? list : "its stages, and it has none");
        return false;
    }
    bool (*judge)(struct verdict *, const struct objective *, const struct model *, char[256]) =
        o->metric == OBJECTIVE_CALLS || o->metric == OBJECTIVE_ITERATIONS ? number_judge
        : o->metric == OBJECTIVE_THROUGHPUT                               ? throughput_judge
        : o->metric == OBJECTIVE_COUNTER                                  ? counter_judge
                                                                          : times_judge;
    bool done = judge(v, o, model, why);
    bool below = o->relation[0] == '<';
    v->met = o->relation[1] && v->value == o->limit ? true : below ? v->value < o->limit : v->value > o->limit;
    return done;
}
