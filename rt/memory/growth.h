/* SPDX-License-Identifier: MIT */
/* growth.h: how much of the heap lives from entry to entry. */
#ifndef PP_GROWTH_H
#define PP_GROWTH_H

#include "rt.h"

/* Bytes of the heap that live now, in all threads. False: not known. */
bool pp_growth_live(uint64_t *bytes);
/* Entry number `index` of a stage has ended. Only a few entries of each group are looked at, so the cost is bounded. */
void pp_growth_note(struct pp_growth *growth, uint64_t index);
static inline bool pp_growth_due(const struct pp_growth *growth, uint64_t index)
{
    return growth->shift < 2 || !(index & ((UINT64_C(1) << growth->shift >> 2) - 1));
}

#endif
