/* SPDX-License-Identifier: MIT */
/* takings.c: see takings.h. It must not know any rule. */
#include "advice/takings.h"

#include <math.h>
#include <string.h>

#define FEWEST_WAITS 1000
#define BRIEF_WAIT_NS 50e3 /* in the mean: waking a thread takes about as long */
#define BRIEF_CPU 0.5      /* of the function's CPU time, with all that it calls: more than what the lock is for */
#define BRIEF_SHARE 0.15   /* of the run's CPU time, where nobody waits */

struct takings takings_of(const struct advice *a, const struct library_use *use, uint32_t function)
{
    struct takings t = { 0 };
    bool gives_back = false;
    if (function == MODEL_NONE)
        return t;
    t.user_ns = library_function_ns(a, use, function, true, &t.samples);
    for (size_t i = 0; i < use->count; i++) {
        const struct library_line *at = &use->line[i];
        const struct model_line *line = &a->model->line[at->line];
        if (line->function != function)
            continue;
        const struct model_operations *waits = &advice_use(a, at->line, PP_OPERATION_LOCK)->sum;
        t.cpu_ns += fmin(line->self.ns, at->ns - at->system_ns + line->system_ns);
        t.wait_ns += (double)waits->wait_ns;
        t.waits += (double)waits->calls;
        /* A function that only takes locks for its callers says nothing about how long they hold them. */
        gives_back |= strstr(at->name, "unlock") || strstr(at->name, "~");
    }
    double all = a->model->function[function].total.ns;
    bool waits_little = t.waits >= FEWEST_WAITS && t.wait_ns < BRIEF_WAIT_NS * t.waits;
    t.is_brief = gives_back && t.cpu_ns > BRIEF_CPU * all && waits_little;
    t.is_brief |= gives_back && library_share(a, t.user_ns) > BRIEF_SHARE;
    return t;
}
