/* SPDX-License-Identifier: MIT */
/* shape.c: see shape.h. A graph is that of the function as written, before others were inlined. Its lines count by
 * their order, so that a comment above or within changes nothing. */
#include "estimate/shape.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbol/image.h"

struct shaping {
    struct model *model;
    struct names *names;
    const struct profile *profile;
    struct map lines, files;
};

static uint64_t hash_add(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 29;
}

static int by_place(const void *a, const void *b)
{
    const struct profile_place *x = a, *y = b;
    if (x->file != y->file)
        return x->file < y->file ? -1 : 1;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    return x->block < y->block ? -1 : x->block > y->block;
}

static size_t line_key(char *key, size_t room, const char *file, uint32_t line, uint32_t function)
{
    int n = snprintf(key, room, "%u:%u:%s", line, function, file);
    return n < (int)room ? (size_t)n : room - 1;
}

/* What a line looks like: how many blocks it has, and how many edges lead into and out of each of its own. */
static uint64_t line_shape(const struct profile_place *place, size_t count, const uint32_t *in, const uint32_t *out)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++)
        if (place[i].is_main)
            sum += hash_add(hash_add(1, in[place[i].block]), out[place[i].block]);
    return hash_add(sum, count) | 1;
}

static const char *file_of(struct shaping *s, const struct profile_flow *flow, uint32_t file)
{
    uint32_t found = map_get(&s->files, &flow->file[file], sizeof *flow->file);
    return found == MAP_FRESH ? "" : path_whole(&s->model->arena, "", s->profile->line_file[found].path);
}

static void flow_shape(struct shaping *s, const struct profile_flow *flow)
{
    struct model *model = s->model;
    char key[4608];
    uint32_t *in = memory_zeroed(flow->block_count + 1, sizeof *in),
             *out = memory_zeroed(flow->block_count + 1, sizeof *out);
    struct profile_place *place = memory_zeroed(flow->place_count + 1, sizeof *place);
    uint64_t hash = hash_add(flow->block_count, flow->edge_count);
    for (size_t i = 0; i < flow->edge_count; i++) {
        in[flow->edge[i].to]++;
        out[flow->edge[i].from]++;
        hash = hash_add(hash_add(hash, flow->edge[i].from), flow->edge[i].to);
    }
    memcpy(place, flow->place, flow->place_count * sizeof *place);
    const char *file = "";
    uint32_t of = UINT32_MAX, ordinal = 0, function = names_function(model, s->names, flow->symbol, flow->symbol,
                                                    file_of(s, flow, flow->place[0].file), flow->place[0].line);
    qsort(place, flow->place_count, sizeof *place, by_place);
    for (size_t i = 0, end; i < flow->place_count; i = end) {
        for (end = i; end < flow->place_count && place[end].file == place[i].file && place[end].line == place[i].line;
             end++)
            hash = hash_add(hash_add(hash, ordinal), 2 * (uint64_t)place[end].block + place[end].is_main);
        ordinal++;
        file = of == place[i].file ? file : file_of(s, flow, place[i].file);
        of = place[i].file;
        uint32_t line = map_get(&s->lines, key, line_key(key, sizeof key, file, place[i].line, function));
        if (line != MAP_FRESH)
            model->line[line].shape = hash_add(model->line[line].shape, line_shape(&place[i], end - i, in, out));
    }
    /* several graphs of one name: a sum does not depend on their order */
    model->function[function].shape += hash | 1;
    free(place);
    free(out);
    free(in);
}

static uint32_t function_of(const struct names *names, const char *symbol)
{
    uint32_t found = map_get(&names->by_symbol, symbol, symbol_base(symbol));
    return found < NAMES_MANY ? found : MODEL_NONE;
}

/* Clones count with their function. Code that the plugin did not see is left out: it is not compared. */
static void code_measure(struct model *model, const struct names *names, const struct profile_module *module)
{
    struct image *image;
    struct image_symbol symbol;
    if (!module->instrumented || image_open(module->path, module->build_id, module->build_id_size, &image, NULL, 0))
        return;
    for (size_t i = 0; image_symbol_at(image, i, &symbol); i++) {
        uint32_t function = function_of(names, symbol.name);
        if (function != MODEL_NONE)
            model->function[function].code_bytes += symbol.size;
    }
    image_close(image);
}

void shapes_find(struct model *model, struct names *names, const struct profile *profile)
{
    struct shaping s = { .model = model, .names = names, .profile = profile };
    struct map seen = { 0 };
    char key[4608];
    for (uint32_t i = 0; i < profile->line_file_count; i++)
        *map_at(&s.files, &profile->line_file[i].id, sizeof profile->line_file[i].id) = i;
    for (uint32_t i = 0; i < model->line_count; i++) {
        const struct model_line *l = &model->line[i];
        *map_at(&s.lines, key, line_key(key, sizeof key, l->file, l->line, l->function)) = i;
    }
    for (size_t i = 0; i < profile->flow_count; i++) {
        const struct profile_flow *flow = &profile->flow[i];
        uint32_t *first = flow->is_fold || !flow->place_count ? NULL : map_at(&seen, &flow->id, sizeof flow->id);
        if (!first || *first != MAP_FRESH)
            continue;
        *first = 0;
        flow_shape(&s, flow);
    }
    for (size_t i = 0; i < profile->module_count; i++)
        code_measure(model, names, &profile->module[i]);
    map_free(&seen);
    map_free(&s.files);
    map_free(&s.lines);
}
