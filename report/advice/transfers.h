/* SPDX-License-Identifier: MIT */
/* transfers.h: many small transfers, one after the other, that could be few large ones. For the rules of reads and
 * writes. */
#ifndef PROFPLUG_ADVICE_TRANSFERS_H
#define PROFPLUG_ADVICE_TRANSFERS_H

#include "advice/advice.h"

/* Whether the line makes many small transfers of this kind with files. Then: what doing them in large pieces saves. */
bool transfers_are_small(const struct advice *advice, const struct advice_use *use, double *low_ns, double *high_ns);
/* The evidence: how many, how large, how long. */
void transfers_tell(struct advice *advice, struct model_advice *to, const struct advice_use *use, const char *noun);

#endif
