/* SPDX-License-Identifier: MIT */
/* reallocs.c: arrays that are resized so often that it takes a good part of the time. Where sizes double, the time of
 * resizing is a small part of that of filling. Some programs resize by hand: a new block, a copy, and the old one
 * goes. */
#include "advice/library.h"
#include "advice/loops.h"

#include <math.h>
#include <string.h>

#define LEAST_SHARE 0.12
#define LEAST_SAMPLES 8 /* in fewer, an array that doubles may seem to take as much */
#define LEAST_MOVED 8.0 /* sum of the sizes asked for, as a multiple of the largest; doubling has 2 */
#define LEAST_STEPS 16   /* blocks for each array: equal steps from nothing add up to half of that times the largest */
#define SAMPLED_MOST 0.5 /* of the arrays: where more blocks were sampled, a few large arrays may have most steps */
#define SURE 2           /* standard errors */
#define UNDRAWN 0.125    /* of the mean bytes between draws: so many blocks of 16 bytes may have met none */
#define LEAST_BLOCKS 500
#define MOST_BRIEF 0.1  /* of the blocks go before the next one comes: then no new block has replaced them */
#define MOST_LIVE 0.02  /* of the blocks are there at the same time: one for each array */
#define LEAST_FREED 0.9 /* of the blocks */
#define LARGEST_ELEMENT 64 /* bytes */
#define WHOLE 0.04         /* so far from a whole number its size may be found: blocks are sampled, */
#define NEAR 0.04          /* and from the mean of 1 to n the mean length of what is copied */

static double blocks_off(const struct model_blocks *b) { return SURE * sqrt((double)b->alloc_blocks_variance); }

/* How many arrays begin there at least, with a null pointer: all blocks less the resized ones. The runtime counts those
 * in the whole run, without what it sampled by bytes (rt/memory/heapsample.c): where that may be many nobody knows. It
 * counts all calls, too, and half of these got a block: what other lines did not get this one did. 0: not known. */
static double arrays_least(const struct advice *a, const struct model_blocks *b, const struct model_blocks *others)
{
    const struct model_run *run = &a->model->run;
    double mean = (double)run->blocks_mean, sampled = mean > 0 ? 2 * (double)b->alloc_bytes / mean : 0,
           least = (double)b->alloc_blocks - blocks_off(b), most = (double)b->alloc_blocks + blocks_off(b),
           rest = (double)run->heap_calls / 2 - (double)others->alloc_blocks - blocks_off(others) - UNDRAWN * mean,
           arrays = fmax(least, fmin(most, rest)) - sampled - (double)run->moves;
    return mean > 0 && sampled <= SAMPLED_MOST * arrays ? fmax(0, arrays) : 0;
}

static void blocks_count(struct model_blocks *to, const struct model_blocks *more)
{
    to->alloc_blocks += more->alloc_blocks;
    to->alloc_bytes += more->alloc_bytes;
    to->alloc_blocks_variance += more->alloc_blocks_variance;
}

/* Whether the sizes asked for there add up to little more than the largest: doubling asks for 2 of it, steps of a third
 * for 4. Those of arrays that come one after the other do not, but an array that has few steps asks for less, too.
 * Where blocks are not counted nobody knows. */
static bool grows_enough(const struct advice *a, uint32_t line)
{
    struct model_blocks all = { 0 }, others = { 0 };
    double peak = 0;
    for (size_t i = 0; i < a->model->allocation_count; i++) {
        const struct model_allocation *row = &a->model->allocation[i];
        bool here = row->line == line && row->library == MODEL_NONE;
        if (row->kind != PP_CALLSITE_BLOCKS)
            continue;
        blocks_count(here ? &all : &others, &row->blocks);
        peak += here ? (double)(int64_t)row->blocks.peak_bytes : 0;
    }
    return all.alloc_bytes > 0 && ((double)all.alloc_bytes < LEAST_MOVED * peak ||
                                   (double)all.alloc_blocks < LEAST_STEPS * arrays_least(a, &all, &others));
}

static void resized_tell(struct advice *a)
{
    struct library_use use = library_use(a, LIBRARY_RESIZE);
    for (size_t i = 0; i < use.count; i++) {
        const struct library_line *at = &use.line[i];
        if (library_share(a, at->ns) < LEAST_SHARE || at->samples < LEAST_SAMPLES || grows_enough(a, at->line))
            continue;
        struct model_advice *to = library_advise(a, ADVICE_reallocs, at, at->ns, at->samples, 0.8, 1.2);
        char time[FIGURE_BYTES], kernel[FIGURE_BYTES];
        if (!to)
            continue;
        to->evidence =
            arena_print(&a->model->arena, "%s took %s here, %.0f %% of the CPU time, %s of it in the kernel.", at->name,
                        figure_time(time, at->ns), 100 * library_share(a, at->ns), figure_time(kernel, at->system_ns));
    }
}

static bool is_free(const struct library_line *at) { return strcmp(at->name, "free") == 0; }

/* Whether the line's blocks are each replaced by the next: they go after that one came, and few are there at once. */
static bool replaces(const struct model_allocation *row)
{
    double blocks = (double)row->blocks.alloc_blocks;
    return row->kind == PP_CALLSITE_BLOCKS && row->line != MODEL_NONE && row->function != MODEL_NONE &&
           row->library == MODEL_NONE && blocks >= LEAST_BLOCKS &&
           (double)row->blocks.temporary_blocks <= MOST_BRIEF * blocks &&
           (double)row->blocks.peak_blocks <= MOST_LIVE * blocks &&
           (double)row->blocks.free_blocks >= LEAST_FREED * blocks;
}

/* Whether the loop copies all elements of an array each time one is added: by its steps these were 0, 1, 2 and so on to
 * as many as there were blocks, and the blocks had room for just that. A filter that makes another array from each has
 * as many each time. */
static bool copies_grown(const struct model_allocation *row, const struct advice_loop *loop)
{
    if (!loop->remark->is_counted || loop->steps <= 0 || loop->entries < LEAST_BLOCKS)
        return false;
    double size = (double)row->blocks.alloc_bytes / loop->steps, mean = loop->steps / loop->entries;
    return fabs(size - round(size)) <= WHOLE * size && size >= 1 - WHOLE && size < LARGEST_ELEMENT &&
           fabs(mean - loop->entries / 2) <= NEAR * mean &&
           fabs((double)row->blocks.alloc_blocks - loop->entries) <= NEAR * loop->entries;
}

/* A loop of the same function copies, element by element. */
static void looped_tell(struct advice *a)
{
    struct library_use heap = library_use(a, LIBRARY_HEAP);
    struct advice_loop loop;
    for (size_t next = 0; loop_next(a, &next, &loop);) {
        uint32_t function = a->model->line[loop.line].function;
        for (size_t i = 0; i < a->model->allocation_count && function != MODEL_NONE; i++) {
            const struct model_allocation *row = &a->model->allocation[i];
            if (row->function != function || !replaces(row) || !copies_grown(row, &loop) ||
                advice_has(a, ADVICE_reallocs, function))
                continue;
            uint64_t samples = 0;
            double ns = library_function_ns(a, &heap, function, false, &samples) + loop.remark->self_ns;
            const struct library_line gets = { .line = row->line };
            samples += (uint64_t)(loop.remark->self_ns / fmax(1, coverage_cpu_ns(a->model)) *
                                  (double)run_samples_taken(a->model));
            struct model_advice *to = library_share(a, ns) < LEAST_SHARE
                                          ? NULL : library_advise(a, ADVICE_reallocs, &gets, ns, samples, 0.8, 1.2);
            char time[FIGURE_BYTES], count[FIGURE_BYTES], elements[FIGURE_BYTES];
            if (!to)
                continue;
            to->evidence = arena_print(&a->model->arena,
                                       "%s times it gets a block, copies into it by the loop at line %u, and frees "
                                       "the one before it; each has one element more, %s in the mean. That took %s, "
                                       "%.0f %% of the CPU time.",
                                       figure_count(count, loop.entries), loop.remark->line,
                                       figure_count(elements, round(loop.steps / loop.entries)), figure_time(time, ns),
                                       100 * library_share(a, ns));
            to->action = "grow by doubling: keep a capacity beside the count, and get a new block only when they meet";
            advice_figure(to, ADVICE_RESIZE_COPIES, loop.cpu_ns);
        }
    }
}

/* The same function copies, and frees the old block. */
static void replaced_tell(struct advice *a)
{
    struct library_use heap = library_use(a, LIBRARY_HEAP), copies = library_use(a, LIBRARY_COPY);
    for (size_t i = 0; i < a->model->allocation_count; i++) {
        const struct model_allocation *row = &a->model->allocation[i];
        const struct library_line gets = { .line = row->line }, *frees = NULL; /* samples may have missed the first */
        uint64_t samples = 0;
        double copied = replaces(row) ? library_function_ns(a, &copies, row->function, false, &samples) : 0;
        double ns = copied + library_function_ns(a, &heap, row->function, false, &samples);
        for (size_t k = 0; k < heap.count; k++) {
            if (heap.line[k].line != row->line && a->model->line[heap.line[k].line].function == row->function &&
                is_free(&heap.line[k]))
                frees = &heap.line[k];
        }
        if (copied <= 0 || !frees || library_share(a, ns) < LEAST_SHARE ||
            advice_has(a, ADVICE_reallocs, row->function))
            continue;
        struct model_advice *to = library_advise(a, ADVICE_reallocs, &gets, ns, samples, 0.8, 1.2);
        char time[FIGURE_BYTES], count[FIGURE_BYTES], size[FIGURE_BYTES];
        if (!to)
            continue;
        double blocks = (double)row->blocks.alloc_blocks;
        to->evidence = arena_print(
            &a->model->arena,
            "About %s times it gets a block, copies into it, and frees the one before it; of %s in the mean. That took "
            "%s, %.0f %% of the CPU time.",
            figure_count(count, blocks), figure_size(size, (double)row->blocks.alloc_bytes / blocks),
            figure_time(time, ns), 100 * library_share(a, ns));
        to->action = "grow by doubling: keep a capacity beside the count, and get a new block only when they meet";
        advice_figure(to, ADVICE_RESIZE_COPIES, copied);
    }
}

void advice_reallocs(struct advice *a)
{
    resized_tell(a);
    replaced_tell(a);
    looped_tell(a);
}
