/* SPDX-License-Identifier: MIT */
/* reconcile.c: see reconcile.h.
 *
 * A sample on a line that its own counters say was never reached is an error of the line table, or of the unwinding
 * that led to the line: the optimizer moved an instruction, and its line with it. It is counted and shown, and its time
 * goes to the function's remainder: where the instruction came from nobody knows, and a neighbouring line would carry
 * an error without saying so.
 *
 * On a line that was reached so rarely that its own code cannot have taken the time, samples are in an instruction of
 * it that the optimizer put among those of a loop, or behind one that takes long: an interrupt comes before the
 * instruction that follows. The numbers stay, since nobody knows whose it is; a note says so.
 *
 * Of a run that was cut off, hits may be missing that were still in registers: there nothing is held against a line.
 *
 * A stage that only computes has more time by its samples, as often as not, than its CPU clock has. */
#include "estimate/reconcile.h"
#include "estimate/region.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "words/plural.h"

static bool hits_are_whole(const struct model *model)
{
    return model->has_hits && model->run.sealed && model->run.exit_kind == MODEL_EXIT_EXIT &&
           !model->run.losses[PP_LOSS_DISK] && !model->run.losses[PP_LOSS_MEMORY];
}

static void strays_take(struct model *model)
{
    for (size_t i = 0; i < model->line_count; i++) {
        struct model_line *line = &model->line[i];
        if (!line->hits_known || line->hits || !line->samples)
            continue;
        line->stray_samples = line->samples;
        model->coverage.stray += line->samples;
        line->samples = 0;
        line->total.ns = fmax(0, line->total.ns - line->self.ns);
        line->total_samples -= line->stray_samples < line->total_samples ? line->stray_samples : line->total_samples;
        line->self = line->booked = (struct value){ 0, 0 };
        line->library_ns = 0;
        line->callee_count = 0;
        for (uint32_t inner = line->inner; inner; inner = model->inner[inner].next)
            model->inner[inner].samples = 0, model->inner[inner].self_ns = 0;
    }
}

#define SURE 2   /* errors of a clock that was read at some of the entries */
#define PASSES 8 /* what a region gives can bring others to their bound */

/* INFINITY: not known. */
static double most_of(struct value clock) { return clock.ns > 0 ? clock.ns + SURE * sqrt(clock.variance) : INFINITY; }

/* What samples say beyond the clock was chance, and regions below theirs have it. An estimate that exceeds its bound by
 * d with the error s is near the bound: its error shrinks to s * s / (s + d). */
void regions_reconcile(struct regions *r, const struct value *clock)
{
    for (unsigned pass = 0; pass < PASSES; pass++) {
        double over = 0, room = 0;
        for (size_t i = 0; i <= r->model->stage_count; i++) {
            double user = r->region[i].user.ns, most = most_of(clock[i]);
            over += user > most ? user - most : 0;
            room += user < most ? user : 0;
        }
        for (size_t i = 0; i <= r->model->stage_count && over > 0 && room > 0; i++) {
            struct value *user = &r->region[i].user;
            double most = most_of(clock[i]), error = sqrt(user->variance);
            if (user->ns > most) {
                user->variance *= error > 0 ? pow(error / (error + user->ns - most), 2) : 1;
                user->ns = most;
            } else if (user->ns < most) {
                user->ns *= 1 + over / room;
            }
        }
    }
}

#define STATEMENT_NS 5000 /* what no statement takes by itself: some misses of the cache and of the TLB */
#define FEWEST 10         /* samples, below which chance may do it */

static void displaced_tell(struct model *model)
{
    for (size_t i = 0; i < model->line_count; i++) {
        const struct model_line *line = &model->line[i];
        double own = line->self.ns - line->library_ns - line->system_ns;
        if (!line->hits_known || !line->hits || line->samples < FEWEST || own < STATEMENT_NS * (double)line->hits)
            continue;
        const char *name = strrchr(line->file, '/');
        model_notice(
            model,
            "%s:%u: %.1f ms of its own in %llu hit%s, %.1f us each, is more than a statement takes: the compiler "
            "placed code of that line within a loop, probably, and the time is of the lines around it there",
            name ? name + 1 : line->file, line->line, own / 1e6, (unsigned long long)line->hits,
            plural(line->hits, "", "s"), own / 1e3 / (double)line->hits);
    }
}

void settle(struct model *model)
{
    double *on_lines = memory_zeroed(model->function_count, sizeof *on_lines);
    uint64_t *samples = memory_zeroed(model->function_count, sizeof *samples);
    if (hits_are_whole(model)) {
        strays_take(model);
        displaced_tell(model);
    }
    for (size_t i = 0; i < model->line_count; i++) {
        on_lines[model->line[i].function] += model->line[i].self.ns;
        samples[model->line[i].function] += model->line[i].samples;
    }
    for (size_t i = 0; i < model->function_count; i++) {
        struct model_function *f = &model->function[i];
        f->remainder_ns = f->samples > samples[i] ? fmax(0, f->self.ns - on_lines[i]) : 0;
    }
    free(on_lines);
    free(samples);
}
