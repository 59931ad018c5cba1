/* SPDX-License-Identifier: MIT */
/* scattered.c: blocks of a file that are read many times over, in no order, because what is asked for has none. In the
 * order of the file each block is read once. How large the file is, is known where the program wrote it before. */
#include "advice/passes.h"

#include <math.h>

#define LEAST_READS 1000
#define MOST_IN_ORDER 0.2 /* of the reads */
#define LEAST_AGAIN 4.0   /* times the whole file */
#define LEAST_OWN 0.3     /* of the calls' time: the clock around a call may count what others had of the CPU */
#define LEAST_PART 0.75   /* of the time of the function that reads: it makes something of a block */
#define MOST_PART 1.15

void advice_scattered(struct advice *a)
{
    for (size_t i = 0; i < a->use_count; i++) {
        const struct advice_use *use = &a->use[i];
        double calls = (double)(use->sum.calls - use->sum.errors), bytes = (double)use->sum.bytes, low, high;
        if (operation_account(use->kind) != 1 || use->sum.calls <= use->sum.errors || calls < LEAST_READS ||
            use->targets != 1 || use->target == MODEL_NONE || a->model->target[use->target].kind != PP_TARGET_FILE ||
            (double)use->sum.sequential > MOST_IN_ORDER * calls)
            continue;
        struct passes p = { .opens = calls, .written_bytes = passes_written(a, use) };
        if (p.written_bytes <= 0 || bytes < LEAST_AGAIN * p.written_bytes || passes_change(a, use, &p))
            continue;
        double part = 1 - p.written_bytes / bytes, own = passes_function_ns(a, use);
        if (own > LEAST_OWN * (double)use->sum.wall_ns)
            advice_gain(a, use->line, 0, own * part, &low, &high);
        else
            advice_gain_part(a, &use->sum, part, &low, &high);
        struct model_advice *to =
            advice_add(a, ADVICE_scattered, use->line, LEAST_PART * low, MOST_PART * high, SAVING_MEASURED);
        char count[FIGURE_BYTES], size[FIGURE_BYTES], all[FIGURE_BYTES], time[FIGURE_BYTES];
        if (!to)
            continue;
        to->evidence = arena_print(
            &a->model->arena,
            "It read %s pieces of %s each from %s, of which %.0f %% go on where the last one ended: %.0f times the "
            "whole file (%s). That and what it made of them took %s.",
            figure_count(count, calls), figure_size(size, bytes / calls), passes_file(a, use),
            100 * (double)use->sum.sequential / calls, bytes / p.written_bytes, figure_size(all, p.written_bytes),
            figure_time(time, fmax(own, (double)use->sum.wall_ns)));
        advice_figure(to, "calls", calls);
        advice_figure(to, "bytes", bytes);
        advice_figure(to, "file_bytes", p.written_bytes);
    }
}
