/* SPDX-License-Identifier: MIT */
/* ticks.h: a line that waits for something by looking again and again at a fixed interval. For the rules of sleeps and
 * of polls that time out. */
#ifndef PROFPLUG_ADVICE_TICKS_H
#define PROFPLUG_ADVICE_TICKS_H

#include "advice/advice.h"

struct ticks {
    double calls, mean_ns, others_ns; /* others_ns: what other threads and children did meanwhile, at most */
    double low_ns, high_ns;           /* what the run gains */
    bool is_bound; /* what is waited for may take all of it: others sleep, too, or are processes that were not seen */
};

/* False: the line does not wait again and again for about the same time, or nothing is known that it may wait for. */
bool ticks_of(const struct advice *advice, const struct advice_use *use, struct ticks *ticks);
void ticks_tell(struct advice *advice, struct model_advice *to, const struct advice_use *use,
                const struct ticks *ticks, const char *noun);

#endif
