/* SPDX-License-Identifier: MIT */
/* identity.c: which modules, sites, files and so on of a data file are those of the files before it. Modules are known
 * by build-id, sites by the table of their object, everything else by its content. See gathering.h. */
#include "gather/gathering.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

uint32_t number_new(const struct map *map, uint32_t number)
{
    uint32_t found = number ? map_get(map, &number, sizeof number) : MAP_FRESH;
    return found == MAP_FRESH ? 0 : found;
}

/* ---- texts ---- */

static void texts_count(struct adding *a, uint32_t kind, const char **text, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t *found = map_at_text(&a->g->texts, arena_print(&a->arena, "%u:%s", kind, text[i]));
        if (*found == MAP_FRESH) {
            *found = (uint32_t)a->g->text_count;
            *ARRAY_PUSH(a->g->text, a->g->text_count, a->g->text_capacity) =
                (struct gathered_text){ .text = arena_copy(&a->g->arena, text[i]), .kind = kind };
        }
        a->g->text[*found].files++;
    }
}

/* The arguments of the first file stand for all if they are the same. */
static void arguments_add(struct adding *a)
{
    struct gather *g = a->g;
    size_t known = 0;
    for (size_t i = 0; i < g->text_count; i++)
        known += g->text[i].kind == PP_RECORD_ARGUMENT;
    if (!g->added) {
        for (size_t i = 0; i < a->p->argument_count; i++)
            *ARRAY_PUSH(g->text, g->text_count, g->text_capacity) =
                (struct gathered_text){ arena_copy(&g->arena, a->p->argument[i]), PP_RECORD_ARGUMENT, 1 };
        return;
    }
    bool same = known == a->p->argument_count;
    for (size_t i = 0, k = 0; same && i < g->text_count; i++)
        if (g->text[i].kind == PP_RECORD_ARGUMENT)
            same = strcmp(g->text[i].text, a->p->argument[k++]) == 0;
    g->arguments_differ = g->arguments_differ || !same;
}

static void children_add(struct adding *a)
{
    for (size_t i = 0; i < a->p->child_count; i++)
        *ARRAY_PUSH(a->g->child, a->g->child_count, a->g->child_capacity) =
            (struct profile_child){ a->p->child[i].pid, arena_copy(&a->g->arena, a->p->child[i].path) };
}

/* ---- modules ---- */

static void modules_add(struct adding *a)
{
    struct gather *g = a->g;
    for (size_t i = 0; i < a->p->module_count; i++) {
        const struct profile_module *m = &a->p->module[i];
        char text[2 * sizeof m->build_id + 1] = "";
        for (uint32_t k = 0; k < m->build_id_size; k++)
            snprintf(text + 2 * k, 3, "%02x", m->build_id[k]);
        char *key = arena_print(&a->arena, "%s:%s", text, m->build_id_size ? base_name(m->path) : m->path);
        uint32_t *found = map_at_text(&g->modules, key);
        if (*found == MAP_FRESH) {
            *found = (uint32_t)g->module_count + 1;
            struct profile_module *to = ARRAY_PUSH(g->module, g->module_count, g->module_capacity);
            *to = *m;
            to->id = *found;
            to->path = arena_copy(&g->arena, m->path);
        }
        struct profile_module *to = &g->module[*found - 1];
        to->instrumented = to->instrumented || m->instrumented;
        to->runtime = to->runtime || m->runtime;
        if (m->id)
            *map_at(&a->module_of, &m->id, sizeof m->id) = *found;
    }
}

/* ---- sites ---- */

/* Whether the program knows such a function, in whatever file of that name and at whatever line. */
static const char *function_text(struct arena *arena, const char *file, const char *symbol)
{
    const char *dot = symbol[0] ? strchr(symbol + 1, '.') : NULL; /* without suffixes of clones */
    return arena_print(arena, "%s:%.*s", base_name(file), dot ? (int)(dot - symbol) : (int)strlen(symbol), symbol);
}

/* A file of another build has the same functions by and large, one of another program has not. */
static bool program_same(struct adding *a, char error[READER_ERROR_BYTES])
{
    struct gather *g = a->g;
    const char *own = base_name(a->p->header.program), *first = base_name(g->header.program);
    size_t all = 0, shared = 0, known = 0;
    struct map seen = { 0 };
    for (size_t i = 0; i < a->p->site_count; i++) {
        const struct profile_site *s = &a->p->site[i];
        if (s->kind != PP_SITE_FUNCTION && s->kind != PP_SITE_STAGE)
            continue;
        const char *text = function_text(&a->arena, s->file, s->symbol);
        uint32_t *once = map_at_text(&seen, text);
        bool is_shared = map_get(&g->functions, text, strlen(text)) != MAP_FRESH;
        all += *once == MAP_FRESH;
        shared += *once == MAP_FRESH && is_shared;
        *once = 0;
        *map_at_text(&g->functions, text) = 0;
    }
    known = g->functions.count - (all - shared);
    size_t least = all < known ? all : known;
    bool same = !g->added || g->as == PP_MERGE_PROCESSES || (least ? 2 * shared >= least : strcmp(own, first) == 0);
    if (!same)
        snprintf(error, READER_ERROR_BYTES,
                 "a run of another program, %.100s: %zu of its %zu functions are in %.100s; expected half or more", own,
                 shared, all, first);
    map_free(&seen);
    return same;
}

static bool object_is(const struct gathered_object *o, const struct profile_object *from)
{
    return o->head.unit == from->head.unit && o->head.directory == from->head.directory &&
           o->head.compiler == from->head.compiler &&
           memcmp(o->site, from->site, from->head.site_count * sizeof *from->site) == 0 &&
           memcmp(o->strings, from->strings, from->head.strings_size) == 0;
}

static void *arena_keep(struct arena *arena, const void *from, size_t bytes)
{
    void *to = arena_take(arena, bytes + 1);
    memcpy(to, from, bytes);
    return to;
}

static void functions_name(struct gather *g, const struct gathered_object *o)
{
    for (uint32_t i = 0; i < o->head.site_count; i++) {
        const struct pp_site *s = &o->site[i];
        bool counted = s->mode == PP_MODE_COUNTED || s->mode == PP_MODE_FRAMED;
        uint64_t key = (uint64_t)o->head.last_key - s->slot;
        if ((s->kind != PP_SITE_FUNCTION && s->kind != PP_SITE_STAGE) || !counted || key >= g->key_count)
            continue;
        if (key >= g->function_capacity) {
            size_t wanted = g->key_count + g->key_count / 2 + 64;
            g->function_name = array_extended(g->function_name, g->function_capacity, wanted, sizeof(char *));
            g->function_file = array_extended(g->function_file, g->function_capacity, wanted, sizeof(char *));
            g->function_capacity = wanted;
        }
        g->function_name[key] = o->strings + s->name;
        g->function_file[key] = o->strings + s->file;
    }
}

static bool object_add(struct adding *a, const struct profile_object *from, char error[READER_ERROR_BYTES])
{
    struct gather *g = a->g;
    struct {
        uint32_t module, slots, sites, strings;
    } key = { number_new(&a->module_of, from->head.module), from->head.slot_count, from->head.site_count,
              from->head.strings_size };
    uint32_t *first = map_at(&g->objects, &key, sizeof key), found = *first;
    while (found != MAP_FRESH && !object_is(&g->object[found], from))
        found = g->object[found].alike;
    if (found == MAP_FRESH) {
        if (g->key_count + from->head.slot_count + 1 > GATHER_KEYS) {
            snprintf(error, READER_ERROR_BYTES, "%u counters in one object, expected at most %u in all files together",
                     from->head.slot_count, GATHER_KEYS);
            return false;
        }
        struct gathered_object *o = ARRAY_PUSH(g->object, g->object_count, g->object_capacity);
        o->alike = *first;
        *first = found = (uint32_t)g->object_count - 1;
        o->head = from->head;
        o->head.module = key.module;
        g->key_count += from->head.slot_count;
        o->head.last_key = (uint32_t)g->key_count - 1;
        o->site = arena_keep(&g->arena, from->site, from->head.site_count * sizeof *from->site);
        o->strings = arena_keep(&g->arena, from->strings, from->head.strings_size);
        functions_name(g, o);
    }
    uint64_t slots = from->head.slot_count < from->head.last_key ? from->head.slot_count : from->head.last_key;
    if (slots)
        *ARRAY_PUSH(a->range, a->range_count, a->range_capacity) =
            (struct key_range){ from->head.last_key - slots + 1, from->head.last_key,
                                g->object[found].head.last_key - slots + 1 };
    return true;
}

static int ranges_by_key(const void *a, const void *b)
{
    const struct key_range *x = a, *y = b;
    return x->low < y->low ? -1 : x->low > y->low;
}

/* Regions that got their key at run time. */
static void places_add(struct adding *a)
{
    struct gather *g = a->g;
    size_t in_tables = 0;
    for (size_t i = 0; i < a->p->object_count; i++)
        in_tables += a->p->object[i].head.site_count;
    for (size_t i = in_tables; i < a->p->site_count; i++) {
        const struct profile_site *s = &a->p->site[i];
        const char *text = arena_print(&a->arena, "%u:%u:%u:%s:%s:%s", s->kind, s->category, s->line, s->file,
                                       s->name, s->stage);
        uint32_t *found = map_at_text(&g->places, text);
        if (*found == MAP_FRESH && g->key_count + 1 < GATHER_KEYS) {
            *found = (uint32_t)g->key_count++;
            struct profile_site *to = ARRAY_PUSH(g->place, g->place_count, g->place_capacity);
            *to = *s;
            to->key = *found;
            to->name = arena_copy(&g->arena, s->name);
            to->file = arena_copy(&g->arena, s->file);
            to->stage = arena_copy(&g->arena, s->stage);
        }
        if (*found != MAP_FRESH)
            *map_at(&a->place_of, &s->key, sizeof s->key) = *found;
    }
}

uint64_t key_new(struct adding *a, uint64_t key)
{
    size_t low = 0, high = a->range_count; /* the last range that begins at or before the key is range[low - 1] */
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (a->range[middle].low <= key)
            low = middle + 1;
        else
            high = middle;
    }
    if (low && key <= a->range[low - 1].high)
        return a->range[low - 1].to + (key - a->range[low - 1].low);
    return key <= UINT32_MAX ? number_new(&a->place_of, (uint32_t)key) : 0;
}

/* ---- the program's numbers, targets, callsites, lines ---- */

static void numbers_add(struct adding *a)
{
    struct gather *g = a->g;
    for (size_t i = 0; i < a->p->number_count; i++) {
        const struct profile_number *n = &a->p->number[i];
        uint32_t *found = map_at_text(&g->numbers, arena_print(&a->arena, "%u:%s", n->kind, n->name));
        if (*found == MAP_FRESH && g->number_count < PP_NUMBERS) {
            *found = (uint32_t)g->number_count + 1;
            *ARRAY_PUSH(g->number, g->number_count, g->number_capacity) =
                (struct profile_number){ *found, n->kind, arena_copy(&g->arena, n->name) };
        }
        if (*found == MAP_FRESH)
            g->header.losses[PP_LOSS_NUMBERS]++;
        else
            *map_at(&a->number_of, &n->id, sizeof n->id) = *found;
    }
}

static void targets_add(struct adding *a)
{
    struct gather *g = a->g;
    for (size_t i = 0; i < a->p->target_count; i++) {
        const struct profile_target *t = &a->p->target[i];
        uint32_t *found = map_at_text(&g->targets, arena_print(&a->arena, "%u:%s", t->kind, t->name));
        if (*found == MAP_FRESH && g->target_count < (1u << 20)) {
            *found = (uint32_t)g->target_count + 1;
            *ARRAY_PUSH(g->target, g->target_count, g->target_capacity) =
                (struct profile_target){ *found, t->kind, arena_copy(&g->arena, t->name) };
        }
        if (*found != MAP_FRESH && t->id)
            *map_at(&a->target_of, &t->id, sizeof t->id) = *found;
    }
}

static int points_by_number(const void *a, const void *b)
{
    const struct profile_point *x = a, *y = b;
    return x->number < y->number ? -1 : x->number > y->number;
}

static void points_add(struct adding *a)
{
    struct gather *g = a->g;
    struct profile_point *point = memory_zeroed(a->p->point_count + 1, sizeof *point);
    if (a->p->point_count) {
        memcpy(point, a->p->point, a->p->point_count * sizeof *point);
        qsort(point, a->p->point_count, sizeof *point, points_by_number); /* the outer one comes first */
    }
    for (size_t i = 0; i < a->p->point_count; i++) {
        struct pp_callsite to = point[i].point;
        to.module = number_new(&a->module_of, to.module);
        to.library = number_new(&a->module_of, to.library);
        to.outer = (uint16_t)number_new(&a->point_of, to.outer);
        to.known = 1;
        uint32_t *found = map_at(&g->points, &to, sizeof to);
        if (*found == MAP_FRESH && g->point_count < UINT16_MAX) {
            if (!g->point_count) /* number 0 stands for those without one of their own */
                memset(ARRAY_PUSH(g->point, g->point_count, g->point_capacity), 0, sizeof to);
            *found = (uint32_t)g->point_count;
            *ARRAY_PUSH(g->point, g->point_count, g->point_capacity) = to;
        }
        if (*found != MAP_FRESH && point[i].number)
            *map_at(&a->point_of, &point[i].number, sizeof point[i].number) = *found;
    }
    free(point);
}

static void lines_add(struct adding *a)
{
    struct gather *g = a->g;
    for (size_t i = 0; i < a->p->line_file_count; i++) {
        const struct profile_line_file *f = &a->p->line_file[i];
        uint32_t *found = map_at(&g->line_files, &f->id, sizeof f->id);
        if (*found == MAP_FRESH)
            *ARRAY_PUSH(g->record, g->record_count, g->record_capacity) = (struct gathered_record){
                PP_LINE_FILE, f->id, strlen(f->path) + 1, arena_copy(&g->arena, f->path)
            };
        *found = 0;
    }
    for (size_t i = 0; i < a->p->flow_count; i++) {
        const struct profile_flow *f = &a->p->flow[i];
        uint32_t *found = map_at(&g->lines, &f->id, sizeof f->id);
        if (*found == MAP_FRESH)
            *ARRAY_PUSH(g->record, g->record_count, g->record_capacity) =
                (struct gathered_record){ f->is_fold ? PP_LINE_FOLD : PP_LINE_FUNCTION, f->id, f->payload_bytes,
                                          arena_keep(&g->arena, f->payload, f->payload_bytes) };
        *found = 0;
    }
    for (size_t i = 0; i < a->p->use_count; i++) {
        struct profile_use use = a->p->use[i];
        use.key = key_new(a, use.key);
        uint64_t last = key_new(a, a->p->use[i].key + use.counters - 1);
        if (!use.key || last != use.key + use.counters - 1)
            continue; /* the table of its object was lost */
        struct {
            uint64_t id, key, counters;
        } key = { use.id, use.key, use.counters };
        uint32_t *found = map_at(&g->uses, &key, sizeof key);
        if (*found == MAP_FRESH)
            *ARRAY_PUSH(g->use, g->use_count, g->use_capacity) = use;
        *found = 0;
    }
}

bool identities_add(struct adding *a, char error[READER_ERROR_BYTES])
{
    if (!program_same(a, error))
        return false;
    modules_add(a);
    for (size_t i = 0; i < a->p->object_count; i++)
        if (!object_add(a, &a->p->object[i], error))
            return false;
    if (a->range_count)
        qsort(a->range, a->range_count, sizeof *a->range, ranges_by_key);
    places_add(a);
    for (uint32_t i = 0; i < a->p->site_count; i++) {
        const struct profile_site *s = &a->p->site[i];
        if (s->key && s->kind != PP_SITE_FUNCTION)
            *map_at(&a->title_of, &s->key, sizeof s->key) = i;
    }
    texts_count(a, PP_RECORD_LABEL, a->p->label, a->p->label_count);
    texts_count(a, PP_RECORD_OPTION, a->p->option, a->p->option_count);
    arguments_add(a);
    children_add(a);
    numbers_add(a);
    targets_add(a);
    points_add(a);
    lines_add(a);
    return true;
}
