/* SPDX-License-Identifier: MIT */
/* slowness.h: what entries of a stage, or iterations of a loop, that are far slower than the others have in common. For
 * the rules of slow entries. */
#ifndef PROFPLUG_ADVICE_SLOWNESS_H
#define PROFPLUG_ADVICE_SLOWNESS_H

#include "advice/advice.h"

/* Times of the entries: of a loop, those of its iterations. */
const struct model_times *stall_times(const struct model_stage *stage);
/* The function that ran about once in each of so many slow entries, and took most time; its calls and that time. */
struct stall_occasion {
    uint32_t function; /* MODEL_NONE: none */
    double calls, ns;
};
struct stall_occasion stall_occasion(const struct advice *advice, uint32_t stage, double entries);
/* Whether that function takes most of each stall, which lasts so long: then it is the cause, whoever else had the
 * CPU. */
bool stall_is_cause(const struct stall_occasion *occasion, double stall_ns);
/* Whether the stalls, which took so long together, may be somebody else's: others had the CPU, or the program was
 * stopped. */
bool stall_is_taken(const struct advice *advice, const struct model_stage *stage, double excess_ns);
/* Whether slow entries come at equal distances: `pauses` tells those. */
bool stall_is_regular(const struct model_stage *stage);

#endif
