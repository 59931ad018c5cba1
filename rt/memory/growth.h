/* SPDX-License-Identifier: MIT */
/* growth.h: what lives from entry to entry. */
#ifndef PP_GROWTH_H
#define PP_GROWTH_H

#include "rt.h"


/* Entry number `index` of a stage has ended. Of each group a few are enough, so that the cost is bounded whatever an entry takes. */
void pp_growth_note(struct pp_growth *growth, uint64_t index);
static inline bool pp_growth_due(const struct pp_growth *growth, uint64_t index)
{
    return growth->shift < 2 || !(index & ((UINT64_C(1) << growth->shift >> 2) - 1));
}

#endif
