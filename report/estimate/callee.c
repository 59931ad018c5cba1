/* SPDX-License-Identifier: MIT */
/* callee.c: see callee.h. */
#include "estimate/callee.h"

#include <stdlib.h>

#include "symbol/binding.h"

static const char *step_name(const struct callees *c, uint32_t step)
{
    return c->model->function[c->where->step[step].function].name;
}

/* The function inside a place by which it was entered: the outermost one. */
static const char *place_name(const struct callees *c, uint32_t place)
{
    const struct locate_place *p = place == MODEL_NONE ? NULL : &c->where->place[place];
    return p && p->count ? binding_plain(&c->model->arena, step_name(c, p->first + p->count - 1)) : NULL;
}

/* Finds what the user's line calls on the way to the sample. False: it calls nothing. */
static bool callee_find(const struct callees *c, uint32_t sample, const char **name)
{
    const struct model_sample *s = &c->model->sample[sample];
    uint32_t inner = c->where->of_sample[sample];
    const struct locate_place *place = &c->where->place[inner];
    *name = NULL;
    if (place->user != MODEL_NONE) {
        if (place->user > 0)
            *name = step_name(c, place->first + place->user - 1);
        else
            *name = place->callee;
        return place->user > 0 || s->library || s->call;
    }
    for (uint32_t path = s->path; path; path = c->model->path[path].parent) {
        uint32_t of = c->where->of_path[path];
        if (of == MODEL_NONE)
            continue;
        place = &c->where->place[of];
        if (place->user == MODEL_NONE) {
            inner = of;
            continue;
        }
        *name = place->user > 0 ? step_name(c, place->first + place->user - 1) : place->callee;
        if (!*name || ((*name)[0] == '_' && (*name)[1] == 'Z' && place_name(c, inner)))
            *name = place_name(c, inner);
        return true;
    }
    return false;
}

void callees_add(struct callees *c, uint32_t sample, double ns)
{
    struct model *model = c->model;
    const struct model_sample *s = &model->sample[sample];
    const char *name;
    if (s->line == MODEL_NONE || !callee_find(c, sample, &name))
        return;
    uint32_t key[2] = { s->line, 0 };
    if (name) {
        uint32_t *number = map_at_text(&c->names, name);
        if (*number == MAP_FRESH)
            *number = ++c->name_count;
        key[1] = *number;
    }
    uint32_t *found = map_at(&c->rows, key, sizeof key);
    if (*found == MAP_FRESH) {
        *found = (uint32_t)model->callee_count;
        *ARRAY_PUSH(model->callee, model->callee_count, model->callee_capacity) =
            (struct model_callee){ .line = s->line, .name = name };
    }
    struct model_callee *row = &model->callee[*found];
    row->self_ns += ns;
    row->system_ns += s->system.ns;
    row->samples += s->count;
}

static int by_line(const void *a, const void *b)
{
    const struct model_callee *x = a, *y = b;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    if (x->self_ns != y->self_ns)
        return x->self_ns < y->self_ns ? 1 : -1;
    return x->samples < y->samples ? 1 : x->samples > y->samples ? -1 : 0;
}

void callees_close(struct callees *c)
{
    struct model *model = c->model;
    if (model->callee_count)
        qsort(model->callee, model->callee_count, sizeof *model->callee, by_line);
    for (uint32_t i = 0; i < model->callee_count; i++) {
        struct model_line *line = &model->line[model->callee[i].line];
        if (!line->callee_count++)
            line->callee = i;
    }
    map_free(&c->rows);
    map_free(&c->names);
}
