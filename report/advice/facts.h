/* SPDX-License-Identifier: MIT */
/* facts.h: makes the facts of struct advice. For advise.c alone. */
#ifndef PROFPLUG_ADVICE_FACTS_H
#define PROFPLUG_ADVICE_FACTS_H

#include "advice/advice.h"

void facts_make(struct advice *advice, struct model *model); /* free advice->use */
void gain_make(struct advice *advice); /* gain.c: for facts.c alone */

#endif
