/* SPDX-License-Identifier: MIT */
/* narrow.h: leaves out what did not happen in one stage, or in one thread. It must not know how it is shown. */
#ifndef PROFPLUG_NARROW_H
#define PROFPLUG_NARROW_H

#include "model/model.h"

struct profile;

/* Leaves the blocks of the threads of that name or number; before the profile is merged. The text says which, in a
 * sentence without an end. NULL: there is no such thread, and `why` says so. */
#define NARROW_BYTES 512
const char *narrow_thread(struct profile *profile, const char *thread, char why[NARROW_BYTES]);

/* Marks the stages of that name or key, with those inside them; before the model is analysed. NULL as above. */
const char *narrow_stage(struct model *model, const char *stage, char why[NARROW_BYTES]);

#endif
