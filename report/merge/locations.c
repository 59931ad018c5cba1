/* SPDX-License-Identifier: MIT */
/* locations.c: see locations.h. */
#include "merge/locations.h"

const struct locate_step *locations_user(const struct model *model, const struct locations *where, uint32_t place,
                                         uint32_t path)
{
    const struct locate_place *at = &where->place[place];
    const struct locate_step *innermost = at->count ? &where->step[at->first] : NULL;
    if (!innermost || at->user != MODEL_NONE)
        return innermost ? innermost + at->user : NULL;
    for (; path; path = model->path[path].parent) {
        const struct locate_place *call = where->of_path[path] == MODEL_NONE ? NULL
                                                                             : &where->place[where->of_path[path]];
        if (!call || !call->count || call->user == MODEL_NONE)
            continue;
        const struct locate_step *user = &where->step[call->first + call->user];
        return user->line == MODEL_NONE ? innermost : user;
    }
    return innermost;
}

const struct locate_step *locations_user_of_point(const struct model *model, const struct locations *where,
                                                  uint32_t point)
{
    const struct locate_step *innermost = locations_user(model, where, where->of_point[point], 0);
    for (uint32_t i = point; i && model->point[i].known; i = model->point[i].outer) {
        const struct locate_place *place = &where->place[where->of_point[i]];
        if (place->count && place->user != MODEL_NONE)
            return &where->step[place->first + place->user];
    }
    return innermost;
}

uint32_t locations_inner(const struct locations *where, uint32_t place, const struct locate_step *user)
{
    uint32_t line = where->step[where->place[place].first].line;
    return line == user->line ? MODEL_NONE : line;
}
