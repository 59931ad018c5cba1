/* SPDX-License-Identifier: MIT */
/* trials.c: a loop that tries one number after the other as a divisor, beyond the square root, as the compiler says.
 * Its steps are counted, so what is left of them follows. Where the loop leaves at a divisor, numbers without large
 * factors save little: how many there are is not known, unless the numbers are those of a range. */
#include "advice/loops.h"

#include <math.h>

#define LEAST_STEPS 64.0 /* in the mean: fewer are soon done */
#define LEAST_SHARE 0.08
#define ROOTS_MOST 2.0 /* steps are left, as a multiple of the root of what there were */
#define ROOTS_LEAST 0.5
#define EUCLID_STEPS 25.0 /* of numbers below a billion, seldom more */

static void common_tell(struct advice *a, struct model_advice *to, const struct advice_loop *loop, const char *took)
{
    advice_title(a, to, advice_subject(a, loop->line), "tries all numbers to find a common divisor");
    to->evidence = arena_print(&a->model->arena, "%s Euclid's algorithm needs about ten steps.", took);
    to->action = "use Euclid's algorithm, of which each step divides one number by the other and goes on with the rest";
    to->before = "for (i = 1; i <= a && i <= b; i++) if (a % i == 0 && b % i == 0) gcd = i;";
    to->after = "while (b) { rest = a % b; a = b; b = rest; }";
}

void advice_trials(struct advice *a)
{
    struct advice_loop loop;
    for (size_t next = 0; loop_next(a, &next, &loop);) {
        const struct model_remark *trial = loop_remark(a, &loop, PP_REMARK_TRIAL);
        double each = trial && loop.entries > 0 && loop.remark->is_counted ? loop.steps / loop.entries : 0;
        if (each < LEAST_STEPS || loop.share < LEAST_SHARE)
            continue;
        bool common = trial->why[0];
        double most = common ? EUCLID_STEPS / each : ROOTS_MOST / sqrt(each),
               least = common ? 1 / each : ROOTS_LEAST / sqrt(each);
        struct model_advice *to =
            loop_add(a, ADVICE_trials, &loop, trial, (1 - most) * loop.cpu_ns, (1 - least) * loop.cpu_ns);
        char count[FIGURE_BYTES], steps[FIGURE_BYTES], root[FIGURE_BYTES];
        if (!to)
            continue;
        if (!trial->value) {
            to->low_ns = 0;
            to->kind = SAVING_BOUND;
        }
        const char *took =
            arena_print(&a->model->arena, "%s. It %s: %s times, up to the %sth one in the mean.", loop_time(a, &loop),
                        trial->text, figure_count(count, loop.entries), figure_count(steps, round(each)));
        if (common)
            common_tell(a, to, &loop, took);
        else
            to->evidence = arena_print(&a->model->arena, "%s The square root of that is %s.", took,
                                       figure_count(root, round(sqrt(each))));
        advice_figure(to, "entries", loop.entries);
        advice_figure(to, "steps_each", each);
    }
}
