/* SPDX-License-Identifier: MIT */
/* bits.c: a loop that takes numbers apart bit by bit, to count bits, to compute a checksum or to put a field together,
 * as the compiler says. A few nanoseconds for each number remain. */
#include "advice/loops.h"

#include <math.h>
#include <string.h>

#define LEAST_SHARE 0.08
#define LEAST_BITS 4.0   /* in the mean */
#define MOST_BITS 128.0 /* more are those of a generator, of which each step gives one */
#define LEFT_MOST_NS 5.0 /* of a number: a table, of which each look waits for the one before */
#define LEFT_LEAST_NS 0.8
#define MOST_LEFT 0.45
#define LEAST_LEFT 0.06

void advice_bits(struct advice *a)
{
    struct advice_loop loop;
    for (size_t next = 0; loop_next(a, &next, &loop);) {
        const struct model_remark *bits = loop_remark(a, &loop, PP_REMARK_BITS);
        const struct model_remark *trips = loop_remark(a, &loop, PP_REMARK_TRIPS);
        bool counted = loop.entries > 0 && loop.remark->is_counted; /* a few steps are not, but their number is known */
        double each = !bits ? 0 : counted ? loop.steps / loop.entries : trips ? (double)trips->value : 0;
        if (each < LEAST_BITS || each > MOST_BITS || loop.share < LEAST_SHARE)
            continue;
        double most = MOST_LEFT * loop.cpu_ns, least = LEAST_LEFT * loop.cpu_ns;
        if (counted) {
            most = fmin(LEFT_MOST_NS * loop.entries, most);
            least = fmin(LEFT_LEAST_NS * loop.entries, most);
        }
        struct model_advice *to = loop_add(a, ADVICE_bits, &loop, loop.remark, loop.cpu_ns - most, loop.cpu_ns - least);
        char count[FIGURE_BYTES], time[FIGURE_BYTES];
        if (!to)
            continue;
        to->evidence = counted ? arena_print(&a->model->arena, "%s. It %s, %s times, %.0f bits in the mean, %s each.",
                                             loop_time(a, &loop), bits->text, figure_count(count, loop.entries), each,
                                             figure_time(time, loop.cpu_ns / loop.entries))
                               : arena_print(&a->model->arena, "%s. It %s, %.0f bits each time.", loop_time(a, &loop),
                                             bits->text, each);
        if (strcmp(bits->why, "a count") == 0) {
            to->action =
                "count them by __builtin_popcount or __builtin_popcountl (std::popcount in C++), which -mpopcnt "
                "makes one instruction; for parity there is __builtin_parity";
            to->before = "while (x) { count += x & 1; x >>= 1; }";
            to->after = "count = __builtin_popcount(x);";
        } else if (strcmp(bits->why, "a checksum") == 0) {
            to->action = "make a table of 256 entries once, with what eight steps come to, and take a byte at a time";
            to->before = "crc ^= *p;\nfor (k = 0; k < 8; k++) crc = crc & 1 ? crc >> 1 ^ POLYNOMIAL : crc >> 1;";
            to->after = "crc = crc >> 8 ^ table[(crc ^ *p) & 255];";
        } else
            to->action = "take a whole word from there, shift it and mask it; or keep the bits that are left in a "
                         "variable of 64";
        if (counted)
            advice_figure(to, "entries", loop.entries);
        advice_figure(to, "steps_each", each);
    }
}
