/* SPDX-License-Identifier: MIT */
/* callee.c: see callee.h. */
#include "estimate/callee.h"

#include <stdlib.h>
#include <string.h>

#include "symbol/binding.h"

bool callee_is_character(const char *callee)
{
    static const char *const names[] = { "fgetc", "getc", "getchar", "fputc", "putc", "putchar" };
    for (size_t i = 0; callee && i < sizeof names / sizeof *names; i++)
        if (strcmp(callee, names[i]) == 0)
            return true;
    return false;
}

/* A library that is itself instrumented contains a copy of the runtime. Its code is the profiler's. But its `syscall`
 * does what the C library's does, for a line that calls it. */
static bool is_profilers(const struct model *model, const struct model_sample *s, const char *callee)
{
    if (callee && strcmp(callee, "syscall") == 0)
        return false;
    for (size_t k = 0; s->library && k < model->module_count; k++) {
        const struct model_module *m = &model->module[k];
        if (m->id == s->library)
            return m->instrumented || m->runtime;
    }
    return false;
}

static bool is_allocator(const char *callee)
{
    static const char *const names[] = { "malloc", "calloc", "realloc", "free" };
    for (size_t i = 0; callee && i < sizeof names / sizeof *names; i++)
        if (strcmp(callee, names[i]) == 0)
            return true;
    return false;
}

static void sample_scale(struct model_sample *s, double part)
{
    s->ns = (uint64_t)((double)s->ns * part);
    s->excess *= part;
    s->unseen_ns *= part;
    s->called_ns *= part;
    s->faults *= part;
    s->placed.ns *= part;
    s->placed.variance *= part * part;
    s->fault_signals *= part;
    s->halved *= part;
}

/* Counts every second sample in wrappers of the allocator for the program. */
static void allocator_halve(struct model *model, struct locations *where)
{
    size_t count = model->sample_count;
    uint64_t met = 0;
    where->of_sample = array_extended(where->of_sample, count, 2 * count, sizeof *where->of_sample);
    for (size_t i = 0; i < count; i++) {
        struct model_sample *s = &model->sample[i];
        if (!s->profiler || !s->count || !is_allocator(where->place[where->of_sample[i]].callee))
            continue;
        uint64_t moved = (s->count + (met & 1)) / 2;
        met += s->count;
        if (!moved)
            continue;
        struct model_sample half = *s;
        uint64_t ns = s->ns;
        half.profiler = false;
        half.count = moved;
        sample_scale(&half, (double)moved / (double)s->count);
        sample_scale(s, 1 - (double)moved / (double)s->count);
        s->ns = ns - half.ns;
        s->count -= moved;
        where->of_sample[model->sample_count] = where->of_sample[i];
        *ARRAY_PUSH(model->sample, model->sample_count, model->sample_capacity) = half;
    }
}

void callees_own(struct model *model, struct locations *where)
{
    for (size_t i = 0; i < model->sample_count; i++)
        model->sample[i].profiler =
            is_profilers(model, &model->sample[i], where->place[where->of_sample[i]].callee);
    allocator_halve(model, where);
}

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

/* What code in headers that the user's line called has called in the end. */
static const char *entered_name(const struct callees *c, const struct model_sample *s, uint32_t place, const char *name)
{
    const char *entered = s->library || s->call ? c->where->place[place].callee : NULL;
    return entered && (!name || strcmp(entered, name) != 0) ? entered : NULL;
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

static uint32_t name_number(struct callees *c, const char *name)
{
    uint32_t *number = name ? map_at_text(&c->names, name) : NULL;
    if (number && *number == MAP_FRESH)
        *number = ++c->name_count;
    return number ? *number : 0;
}

void callees_add(struct callees *c, uint32_t sample, double ns)
{
    struct model *model = c->model;
    const struct model_sample *s = &model->sample[sample];
    const char *name;
    if (s->line == MODEL_NONE || !callee_find(c, sample, &name))
        return;
    const char *inner = entered_name(c, s, c->where->of_sample[sample], name);
    uint32_t key[3] = { s->line, name_number(c, name), name_number(c, inner) },
             *found = map_at(&c->rows, key, sizeof key);
    if (*found == MAP_FRESH) {
        *found = (uint32_t)model->entry_count;
        *ARRAY_PUSH(model->entry, model->entry_count, model->entry_capacity) =
            (struct model_callee){ .line = s->line, .name = name, .inner = inner };
    }
    struct model_callee *row = &model->entry[*found];
    row->self_ns += ns;
    row->system_ns += s->system.ns;
    row->samples += s->count;
}

/* One row for each line and name. */
static void callees_join(struct callees *c)
{
    struct model *model = c->model;
    struct map rows = { 0 };
    for (size_t i = 0; i < model->entry_count; i++) {
        const struct model_callee *entry = &model->entry[i];
        uint32_t key[2] = { entry->line, name_number(c, entry->name) }, *found = map_at(&rows, key, sizeof key);
        if (*found == MAP_FRESH) {
            *found = (uint32_t)model->callee_count;
            *ARRAY_PUSH(model->callee, model->callee_count, model->callee_capacity) =
                (struct model_callee){ .line = entry->line, .name = entry->name };
        }
        struct model_callee *row = &model->callee[*found];
        row->self_ns += entry->self_ns;
        row->system_ns += entry->system_ns;
        row->samples += entry->samples;
    }
    map_free(&rows);
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
    callees_join(c);
    if (model->entry_count)
        qsort(model->entry, model->entry_count, sizeof *model->entry, by_line);
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
