/* SPDX-License-Identifier: MIT */
/* analyse.h: samples become time of functions and lines, with its error; what is known is told from what is not. */
#ifndef PROFPLUG_ANALYSE_H
#define PROFPLUG_ANALYSE_H

#include "merge/locations.h"
#include "merge/merge.h"

/* Names every sample's place and adds up. The profile gives the modules; the files are opened here, one at a time. */
void analyse(struct model *model, struct names *names, const struct profile *profile);

/* locate.c: through the binaries that ran. */
void locate(struct model *model, struct names *names, const struct profile *profile, struct locations *locations);
void locations_free(struct locations *locations);

#endif
