/* SPDX-License-Identifier: MIT */
/* team.h: threads of OpenMP. Its library makes them, and lets them spin where they wait for each other: at the end of a
 * region, at a barrier, and between regions. Must not know why they wait. */
#ifndef PROFPLUG_MODEL_TEAM_H
#define PROFPLUG_MODEL_TEAM_H

#include "model/model.h"

bool module_is_team(const struct model_module *module); /* a library of OpenMP */
bool function_is_region(const struct model_function *function);
/* It was in that library, which a thread of a team or a line with a region called: it spins. */
bool sample_is_of_team(const struct model *model, const struct model_sample *sample);

#endif
