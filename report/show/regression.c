/* SPDX-License-Identifier: MIT */
/* regression.c: see regression.h. A site is worse if it is slower, or if a count that is the same in all runs of one
 * program grew. Lines that are new count for the function that they make slower: moved code shall not fail. */
#include "show/regression.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "words/figure.h"
#include "words/shortname.h"

#define SUSPECTED 1.5 /* times as long: told, though it is not known whether it is chance */
#define MOSTLY 0.25   /* of what a function takes more: a line that is told as the place */
#define FEW_DIGITS 8  /* bytes of a whole run: a printed number or two that has a digit more */
#define DIGITS 0.05   /* of the bytes written, where many numbers are printed */

/* ---- where ---- */

static const char *path_within(const char *path, const char *root)
{
    size_t bytes = strlen(root);
    return bytes && strncmp(path, root, bytes) == 0 ? path + bytes + (path[bytes] == '/') : path;
}

/* The line of a function that takes most of what the function takes more. */
static void place_find(const struct difference *d, struct regression *r, double more_ns)
{
    const struct difference_site *s = &d->site[r->site];
    double most = MOSTLY * more_ns;
    for (size_t i = 0; s->kind == DIFFERENCE_FUNCTION && i < d->site_count; i++) {
        const struct difference_site *l = &d->site[i];
        double more = l->time[CLOCK_CPU].ns[ARM_NEW] - l->time[CLOCK_CPU].ns[ARM_OLD];
        if (l->kind == DIFFERENCE_LINE && l->parent == r->site && more > most) {
            most = more;
            r->file = l->file[ARM_NEW];
            r->line = l->line[ARM_NEW];
        }
    }
    for (size_t i = 0; s->kind == DIFFERENCE_FUNCTION && i < d->single_count; i++) {
        const struct difference_single *l = &d->single[i];
        if (l->kind == DIFFERENCE_LINE && l->arm == ARM_NEW && l->cpu_ns > most && strcmp(l->name, s->name) == 0 &&
            strcmp(l->file, s->file[ARM_NEW]) == 0) {
            most = l->cpu_ns;
            r->file = l->file;
            r->line = l->line;
        }
    }
}

/* ---- what ---- */

static const char *counter_words(const struct difference_site *s, enum difference_counter counter)
{
    static const char *const words[COUNTERS] = { "",      "iterations", "allocations", "bytes allocated",
                                                 "reads", "bytes read", "writes",      "bytes written" };
    return counter != COUNTER_HITS       ? words[counter]
           : s->kind == DIFFERENCE_LINE  ? "hits"
           : s->kind == DIFFERENCE_STAGE ? "entries"
                                         : "calls";
}

/* Exact, with all digits: a gate that fails by one must show it. */
static const char *whole_text(struct arena *arena, uint64_t low, uint64_t high)
{
    return low == high ? arena_print(arena, "%llu", (unsigned long long)low)
                       : arena_print(arena, "%llu to %llu", (unsigned long long)low, (unsigned long long)high);
}

/* Whether as many writes wrote a little more: printed times and addresses have a digit more from run to run. */
static bool count_is_of_digits(const struct difference_site *s, enum difference_counter counter)
{
    const struct difference_count *bytes = &s->count[COUNTER_WRITE_BYTES], *writes = &s->count[COUNTER_WRITES];
    if (counter != COUNTER_WRITE_BYTES || !writes->known || writes->low[ARM_NEW] > writes->high[ARM_OLD])
        return false;
    uint64_t more = bytes->low[ARM_NEW] - bytes->high[ARM_OLD];
    return more <= FEW_DIGITS ||
           (more <= writes->high[ARM_OLD] && (double)more <= DIGITS * (double)bytes->high[ARM_OLD]);
}

static bool count_is_worse(const struct difference_site *s, enum difference_counter counter, double allowed)
{
    const struct difference_count *c = &s->count[counter];
    return c->known && c->changed && (double)c->low[ARM_NEW] > (double)c->high[ARM_OLD] * (1 + allowed) &&
           !count_is_of_digits(s, counter);
}

static const char *counts_text(struct arena *arena, const struct difference_site *s, double allowed, double *part)
{
    const char *text = "";
    *part = 0;
    for (int i = 0; i < COUNTERS; i++) {
        const struct difference_count *c = &s->count[i];
        if (!count_is_worse(s, (enum difference_counter)i, allowed))
            continue;
        text = arena_print(arena, "%s%s%s instead of %s %s", text, text[0] ? ", " : "",
                           whole_text(arena, c->low[ARM_NEW], c->high[ARM_NEW]),
                           whole_text(arena, c->low[ARM_OLD], c->high[ARM_OLD]),
                           counter_words(s, (enum difference_counter)i));
        *part = fmax(*part, (double)c->low[ARM_NEW] / fmax((double)c->high[ARM_OLD], 1));
    }
    return text;
}

/* "2.5 times as long (2.3 to 2.7)", or "12.0 % more (10.1 to 14.0)". */
static const char *ratio_text(struct arena *arena, double ratio, double low, double high)
{
    char a[FIGURE_BYTES], b[FIGURE_BYTES], c[FIGURE_BYTES];
    if (ratio >= 2)
        return arena_print(arena, "%s times as long (%s to %s)", figure_times(a, ratio), figure_times(b, low),
                           figure_times(c, high));
    return arena_print(arena, "%.1f %% more (%.1f to %.1f)", 100 * (ratio - 1), 100 * (low - 1), 100 * (high - 1));
}

static const char *time_text(struct arena *arena, const struct difference *d, const struct difference_site *s)
{
    static const char *const clocks[CLOCKS] = { "CPU time", "waiting", "wall time" };
    static const char *const causes[CAUSES] = { "", "; it runs more often", "; each time costs more",
                                                "; more time in the kernel", "; it waits longer" };
    const struct difference_time *t = &s->time[s->clock];
    double scale = s->ratio / exp(t->change);
    char old[FIGURE_BYTES], new[FIGURE_BYTES];
    return arena_print(arena, "%s of a run %s instead of %s, %s%s", clocks[s->clock],
                       figure_time(new, t->ns[ARM_NEW] / d->factor), figure_time(old, t->ns[ARM_OLD]),
                       ratio_text(arena, s->ratio, t->low * scale, t->high * scale), causes[s->cause]);
}

static const char *site_text(struct arena *arena, const struct difference_site *s)
{
    const char *name = name_short(arena, s->name);
    return s->kind == DIFFERENCE_LINE
               ? arena_print(arena, "%s:%u in %s", path_short(s->file[ARM_NEW]), s->line[ARM_NEW], name)
               : arena_print(arena, "%s %s", s->kind == DIFFERENCE_STAGE ? "stage" : "function", name);
}

/* A site that seems slower, though it may be chance. */
static const char *suspect_text(struct arena *arena, const struct difference *d, const struct difference_site *s)
{
    const struct difference_time *t = &s->time[s->clock];
    char times[FIGURE_BYTES], old[FIGURE_BYTES], new[FIGURE_BYTES];
    return arena_print(arena, "%s took %s times as long in these runs, %s instead of %s, which may be chance",
                       site_text(arena, s), figure_times(times, s->ratio), figure_time(new, t->ns[ARM_NEW] / d->factor),
                       figure_time(old, t->ns[ARM_OLD]));
}

/* ---- all ---- */

static int worse_compare(const void *a, const void *b)
{
    const struct regression *one = a, *two = b;
    if (one->order != two->order)
        return one->order < two->order ? -1 : 1;
    if (one->more_ns != two->more_ns)
        return one->more_ns < two->more_ns ? 1 : -1;
    if (one->more_part != two->more_part)
        return one->more_part < two->more_part ? 1 : -1;
    return (one->site > two->site) - (one->site < two->site);
}

void regressions_find(struct regressions *found, const struct difference *d, const char *root, double allowed)
{
    const struct difference_site *suspect = NULL;
    double suspected = 0;
    *found = (struct regressions){ .difference = d };
    for (size_t i = 0; i < d->site_count; i++) {
        const struct difference_site *s = &d->site[i];
        double part;
        const char *counts = counts_text(&found->arena, s, allowed, &part);
        bool slower = s->verdict == VERDICT_SLOWER;
        found->compared++;
        const struct difference_time *t = &s->time[s->clock];
        double more = t->ns[ARM_NEW] / d->factor - t->ns[ARM_OLD];
        bool unclear = s->verdict == VERDICT_UNCLEAR;
        found->unclear += unclear;
        found->decided = found->decided || (!unclear && s->verdict != VERDICT_NOT_TESTED);
        if (unclear && s->ratio > SUSPECTED && more > suspected) {
            suspect = s;
            suspected = more;
        }
        if (!slower && !counts[0])
            continue;
        struct regression *r = ARRAY_PUSH(found->row, found->count, found->capacity);
        *r = (struct regression){ .site = (uint32_t)i,
                                  .slower = slower,
                                  .order = !slower ? 2 : s->kind == DIFFERENCE_STAGE || s->clock == CLOCK_WALL,
                                  .file = s->file[ARM_NEW],
                                  .line = s->line[ARM_NEW],
                                  .more_ns = slower ? more : 0,
                                  .more_part = part };
        place_find(d, r, more);
        r->text = arena_print(&found->arena, "%s: %s%s%s", site_text(&found->arena, s),
                              slower ? time_text(&found->arena, d, s) : "", slower && counts[0] ? "; " : "", counts);
        r->file = arena_copy(&found->arena, path_within(r->file ? r->file : "", root));
    }
    if (suspect)
        found->suspect = suspect_text(&found->arena, d, suspect);
    if (found->count)
        qsort(found->row, found->count, sizeof *found->row, worse_compare);
}

void regressions_free(struct regressions *found)
{
    free(found->row);
    arena_free(&found->arena);
}
