/* SPDX-License-Identifier: MIT */
/* strides.c: a hot loop that walks down a column: each step reads another cache line, and uses a small part of it. The
 * next column reads the same cache lines again, and by then they are gone from the fast cache. */
#include "advice/loops.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CACHE_BYTES (32 << 10)  /* of the fastest cache of any machine of today */
#define LEAST_BYTES (1 << 20)   /* a program that never held more has its columns in a cache */
#define SEQUENTIAL_LEAST_NS 0.5 /* a step through memory in order, with a little arithmetic */
#define SEQUENTIAL_MOST_NS 2.5
#define LEAST_STEP_NS 0.9
#define ROWS_LEAST 512.0 /* of a matrix whose rows are found by pointers: lines of fewer stay in a cache */
#define KERNEL_LARGE_BYTES (32u << 20) /* more than the caches of a core */
#define KERNEL_LARGE 0.88              /* of the time: the rest is the arithmetic of the kernel */
#define KERNEL_SMALL 0.4
/* Of a transposition by blocks of 64: 34 to 63 % of matrices of 4-byte numbers, 1,000 to 8,192 wide. */
#define TURNED_LEAST 0.32
#define TURNED_MOST 0.63
/* GCC takes several columns at once where it vectorizes the loop around: then a step is one of several. */
#define COLUMNS_AT_ONCE 3
/* Working piece by piece saves so much of a sieve: a third at 3 million numbers, three quarters at 100 million. */
#define PIECES_LEAST 0.33
#define PIECES_MOST 0.75
#define PIECES_LEAST_SHARE 0.15 /* of the run's CPU time: a walk of less may be short */
/* A division, a square root or a sum in order takes 4 to 5 cycles a step: the next cache line arrives meanwhile. */
#define ARITHMETIC_NS 1.3

/* Walks that go along structures again and again, and read a field or two of each. */
#define FIELDS_MOST 2
#define FIELDS_PART 4.0  /* so many times what is read is a structure, at least */
#define FIELDS_WALKS 3.0 /* fewer, and filling the arrays takes as long */
#define FIELDS_BYTES 8e6 /* of a walk: less is in a cache */
#define FIELDS_STEP_NS 3.0
#define FIELDS_SHARE 0.15 /* of the run's CPU time */
#define FIELDS_LEFT 0.5   /* of a step, at most */

/* Walks of structures in order are no columns: their stride is the structure. What is read is then a field, or an
 * element of it by a fixed number: "all[i].x", "at->side[3]". A matrix in a structure ends with an index that moves. */
static bool is_column(const struct model_remark *r)
{
    const char *field = NULL, *index = strrchr(r->detail, '[');
    for (const char *at = r->detail; *at; at++)
        if (strncmp(at, "...", 3) == 0) /* what has no name */
            at += 2;
        else if (*at == '.' || strncmp(at, "->", 2) == 0)
            field = at;
    return !field || (index && index > field && !isdigit((unsigned char)index[1]));
}

static const struct model_remark *column_of(const struct advice *a, const struct advice_loop *loop)
{
    const struct model_remark *r = loop->remark, *found;
    static const unsigned kind[] = { PP_REMARK_COLUMN, PP_REMARK_STRIDE_VARIABLE, PP_REMARK_MULTIPLES };
    for (unsigned k = 0; k < 3; k++)
        for (size_t next = 0; (found = remark_of_loop(a->model, r->file, r->loop_first, r->loop_last, kind[k], &next));)
            if (is_column(found) && strcmp(found->why, "alike") != 0) /* each walk begins at the same place */
                return found;
    bool many = loop->entries > 0 && loop->steps >= ROWS_LEAST * loop->entries;
    return many ? loop_remark(a, loop, PP_REMARK_ROWS) : NULL;
}

/* Whether a column and its neighbours fit into the fastest cache: then they are read once. */
static bool is_small(const struct advice *a, const struct advice_loop *loop, const struct model_remark *column)
{
    const struct model_remark *trips = loop_remark(a, loop, PP_REMARK_TRIPS);
    double steps = trips ? (double)trips->value : -1, walked = steps * fabs((double)column->value);
    bool few = loop->entries > 0 && loop->steps * PP_CACHE_LINE_BYTES < loop->entries * CACHE_BYTES; /* as of a block */
    return few || (trips && steps * PP_CACHE_LINE_BYTES < CACHE_BYTES) ||
           (trips && column->kind == PP_REMARK_COLUMN && walked < LEAST_BYTES) ||
           (a->model->run.peak_rss_bytes && a->model->run.peak_rss_bytes < 2 * LEAST_BYTES);
}

/* What a step takes at least in memory order. Along rows each column has a sum of its own, and none waits for another.
 */
static double sequential_ns(const struct advice *a, const struct advice_loop *loop, const struct model_remark *column)
{
    bool slow = loop_remark(a, loop, PP_REMARK_DIVISION) || loop_remark(a, loop, PP_REMARK_SQUARE_ROOT) ||
                (loop_remark(a, loop, PP_REMARK_ORDERED_SUM) && !(column && column->kind == PP_REMARK_ROWS));
    const struct model_remark *scalar = loop_remark(a, loop, PP_REMARK_NOT_VECTORIZED);
    if (!slow && scalar && strstr(scalar->text, "outer-loop already vectorized"))
        return SEQUENTIAL_LEAST_NS / COLUMNS_AT_ONCE;
    return slow ? ARITHMETIC_NS : SEQUENTIAL_LEAST_NS;
}

/* A kernel of a few steps inside of a loop that walks down a column: its own steps lie side by side, so the walk is
 * that of the loop around. How many steps that makes is not known, so a part of the time is told, by whether the
 * matrices fit into a cache. */
static void kernel_tell(struct advice *a, const struct advice_loop *loop, const struct model_remark *around)
{
    const struct model *model = a->model;
    struct model_remark place = *around;
    struct advice_loop whole = *loop;
    bool large = model->run.peak_rss_bytes >= KERNEL_LARGE_BYTES;
    bool small = model->run.peak_rss_bytes && model->run.peak_rss_bytes < 2 * LEAST_BYTES;
    if (small) /* no walk along structures: the compiler saw that the next walk begins beside this one */
        return;
    place.file = loop->remark->file;
    place.line = (uint32_t)around->value;
    for (size_t i = 0; i < model->line_count; i++) /* the rest of a step: its first lines */
        if (model->line[i].line >= place.line && model->line[i].line < loop->remark->loop_first &&
            strcmp(model->line[i].file, place.file) == 0)
            whole.cpu_ns += model->line[i].self.ns;
    whole.share = whole.cpu_ns / a->cpu_ns;
    struct model_advice *to =
        loop_add(a, ADVICE_strides, &whole, &place, (large ? KERNEL_LARGE : KERNEL_SMALL) / 2 * whole.cpu_ns,
                 (large ? KERNEL_LARGE : KERNEL_SMALL) * whole.cpu_ns);
    if (!to)
        return;
    to->evidence = arena_print(&a->model->arena,
                               "%s. In each step of the loop around it (line %u) %s is %s bytes further on, in another "
                               "cache line.",
                               loop_time(a, &whole), place.line,
                               strstr(around->detail, "...") ? "what it reads or writes" : around->detail, around->why);
    to->action = arena_print(&a->model->arena,
                             "swap the loop at line %u and the one around it, so that the steps of the kernel and its "
                             "neighbours lie side by side; or store the matrix by columns",
                             place.line);
    to->before = "for (x = 1; x < w; x++)\n    for (y = 1; y < h; y++) out[y * w + x] = kernel(in, x, y);";
    to->after = "for (y = 1; y < h; y++)\n    for (x = 1; x < w; x++) out[y * w + x] = kernel(in, x, y);";
}

/* Another access of the loop is in order, and would be the column if the loops were swapped. */
static bool is_turned(const struct model_remark *column)
{
    return column->kind == PP_REMARK_COLUMN ? strcmp(column->why, "turned") == 0
                                            : column->kind == PP_REMARK_STRIDE_VARIABLE && column->value;
}

/* Both sides cannot be in order. In blocks each cache line is used while it is there. */
static void turned_tell(struct model_advice *to)
{
    to->action =
        "do it in blocks of 64 by 64 or so, each from begin to end: one side walks down columns whichever loop "
        "is the inner one, and in a block its cache lines are still there for the next column";
    to->before = "for (y = 0; y < h; y++)\n    for (x = 0; x < w; x++) to[x * h + y] = from[y * w + x];";
    to->after = "for (y0 = 0; y0 < h; y0 += 64)\n    for (x0 = 0; x0 < w; x0 += 64)\n"
                "        for (y = y0; y < y0 + 64 && y < h; y++)\n"
                "            for (x = x0; x < x0 + 64 && x < w; x++) to[x * h + y] = from[y * w + x];";
}

/* Each walk has longer steps than the one before, so there is no row, and no loop to swap. */
static void pieces_tell(struct advice *a, const struct advice_loop *loop, const struct model_remark *walk)
{
    struct model_advice *to =
        loop_add(a, ADVICE_strides, loop, walk, PIECES_LEAST * loop->cpu_ns, PIECES_MOST * loop->cpu_ns);
    if (!to)
        return;
    advice_title(a, to, advice_subject(a, to->line), "goes over the same memory again and again, in long steps");
    to->evidence = arena_print(&a->model->arena,
                               "%s; in each step %s is %s bytes further on, mostly in another cache line, and each "
                               "walk begins when the cache has lost what the one before read.",
                               loop_time(a, loop),
                               strstr(walk->detail, "...") ? "what it reads or writes" : walk->detail, walk->why);
    to->action = "work on a piece that fits the cache (128 KiB or so): do a part of all walks there, then of all in "
                 "the next piece, and keep where each goes on; smaller elements, such as bits, help as well";
    to->before = "for (i = 2; i * i <= n; i++)\n    for (j = i * i; j <= n; j += i) marked[j] = 1;";
    to->after = "for (end = PIECE; end < n + PIECE; end += PIECE)\n    for (k = 0; k < walks; k++)\n"
                "        for (; at[k] < end && at[k] <= n; at[k] += step[k]) marked[at[k]] = 1;";
}

/* A walk along large structures of which a field or two are wanted: a cache line comes from memory for each. */
static void fields_tell(struct advice *a, const struct advice_loop *loop)
{
    const struct model_remark *field = loop_remark(a, loop, PP_REMARK_FIELD);
    double step = loop->steps > 0 && loop->entries > 0 ? loop->cpu_ns / loop->steps : 0,
           walked = field ? loop->steps / fmax(1, loop->entries) * fabs((double)field->value) : 0,
           least = SEQUENTIAL_LEAST_NS, most = fmin(SEQUENTIAL_MOST_NS, FIELDS_LEFT * step);
    if (!field || loop->share < FIELDS_SHARE || loop->entries < FIELDS_WALKS || walked < FIELDS_BYTES ||
        step < FIELDS_STEP_NS)
        return;
    struct model_advice *to =
        loop_add(a, ADVICE_strides, loop, field, (1 - most / step) * loop->cpu_ns, (1 - least / step) * loop->cpu_ns);
    char size[FIGURE_BYTES], all[FIGURE_BYTES], each[FIGURE_BYTES];
    if (!to)
        return;
    advice_title(a, to, advice_subject(a, to->line), "reads a field of each large structure");
    to->evidence =
        arena_print(&a->model->arena,
                    "%s; in each step %s is %s further on, in another cache line, and a walk goes over %s. A "
                    "step takes %s.",
                    loop_time(a, loop), strstr(field->detail, "...") ? "what it reads" : field->detail,
                    figure_size(size, fabs((double)field->value)), figure_size(all, walked), figure_time(each, step));
    to->action =
        "keep that field in an array of its own, beside the structures or in their place, so that a cache line "
        "has several; or keep what is seldom used elsewhere, and a pointer to it";
    to->before = "struct { float weight; char rest[252]; } all[N];\nfor (i = 0; i < N; i++) sum += all[i].weight;";
    to->after = "float weight[N];\nfor (i = 0; i < N; i++) sum += weight[i];";
    advice_figure(to, "stride_bytes", (double)field->value);
}

void advice_strides(struct advice *a)
{
    struct advice_loop loop;
    for (size_t next = 0; loop_next(a, &next, &loop);) {
        const struct model_remark *column = column_of(a, &loop),
                                  *around = column ? NULL : loop_remark(a, &loop, PP_REMARK_COLUMN_AROUND);
        double step = loop.steps > 0 ? loop.cpu_ns / loop.steps : -1;
        double sequential = sequential_ns(a, &loop, column);
        if (around)
            kernel_tell(a, &loop, around);
        if (!column && !around)
            fields_tell(a, &loop);
        if (!column || is_small(a, &loop, column) ||
            (step >= 0 && step < sequential * LEAST_STEP_NS / SEQUENTIAL_LEAST_NS))
            continue;
        if (column->kind == PP_REMARK_MULTIPLES) {
            if (loop.share >= PIECES_LEAST_SHARE)
                pieces_tell(a, &loop, column);
            continue;
        }
        double low = 0.5 * loop.cpu_ns, high = 0.97 * loop.cpu_ns;
        if (step > 0) {
            high = (1 - sequential / step) * loop.cpu_ns;
            low = fmax((1 - (SEQUENTIAL_MOST_NS - SEQUENTIAL_LEAST_NS + sequential) / step) * loop.cpu_ns, high / 2);
        }
        if (is_turned(column))
            low = TURNED_LEAST * loop.cpu_ns, high = TURNED_MOST * loop.cpu_ns;
        struct model_advice *to = loop_add(a, ADVICE_strides, &loop, column, low, high);
        if (!to)
            continue;
        char each[FIGURE_BYTES];
        const char *what = strstr(column->detail, "...") ? "what it reads or writes" : column->detail;
        to->evidence =
            column->kind == PP_REMARK_COLUMN
                ? arena_print(&a->model->arena, "%s; in each step %s is %lld bytes further on, in another cache line.",
                              loop_time(a, &loop), what, llabs((long long)column->value))
            : column->kind == PP_REMARK_ROWS
                ? arena_print(&a->model->arena, "%s; in each step %s is in another row, to which a pointer leads.",
                              loop_time(a, &loop), what)
            : strstr(column->why, "...")
                ? arena_print(&a->model->arena, "%s; in each step %s is a whole row further on.", loop_time(a, &loop),
                              what)
                : arena_print(&a->model->arena, "%s; in each step %s is a whole row further on (%s bytes).",
                              loop_time(a, &loop), what, column->why);
        if (step > 0)
            to->evidence = arena_print(&a->model->arena, "%s A step takes %s.", to->evidence, figure_time(each, step));
        if (is_turned(column))
            turned_tell(to);
        advice_figure(to, "stride_bytes", column->kind == PP_REMARK_COLUMN ? (double)column->value : 0);
    }
}
