/* SPDX-License-Identifier: MIT */
/* names.c: which function is which. A site of the plugin and a symbol of the debug information mean the same source
 * function when the symbol without clone suffixes and the file agree, or when only one function carries that symbol. */
#include <stdlib.h>
#include <string.h>

#include "merge/merge.h"

const char *path_whole(struct arena *arena, const char *directory, const char *file)
{
    if (!file[0])
        return "";
    char *path =
        file[0] == '/' || !directory[0] ? arena_copy(arena, file) : arena_print(arena, "%s/%s", directory, file);
    char *to = path;
    const char *from = path;
    bool absolute = path[0] == '/';
    while (*from) {
        size_t step = strcspn(from, "/");
        bool dots = step == 2 && from[0] == '.' && from[1] == '.';
        if (step == 0 || (step == 1 && from[0] == '.')) {
            /* nothing to keep */
        } else if (dots && to > path && !(to - path >= 2 && to[-1] == '.' && to[-2] == '.')) {
            while (to > path && *--to != '/') {}
        } else if (!(dots && absolute)) {
            if (to > path || absolute)
                *to++ = '/';
            memmove(to, from, step);
            to += step;
        }
        from += step;
        from += *from == '/';
    }
    *to = 0;
    return path;
}

size_t symbol_base(const char *symbol)
{
    const char *dot = symbol[0] ? strchr(symbol + 1, '.') : NULL;
    if (dot && strncmp(dot, PP_REGION_MARK, sizeof PP_REGION_MARK - 1) == 0)
        dot = strchr(dot + sizeof PP_REGION_MARK - 1, '.');
    return dot ? (size_t)(dot - symbol) : strlen(symbol);
}

bool symbol_is_part(const char *symbol)
{
    const char *dot = symbol[0] ? strchr(symbol + 1, '.') : NULL;
    return dot && (strstr(dot, ".part.") || strstr(dot, ".cold"));
}

uint32_t names_function(struct model *model, struct names *names, const char *symbol, const char *name,
                        const char *file, uint32_t line)
{
    char *base = arena_print(&model->arena, "%.*s", (int)symbol_base(symbol), symbol);
    char *key = arena_print(&model->arena, "%s:%s", file, base);
    uint32_t *found = map_at_text(&names->by_key, key);
    if (*found != MAP_FRESH)
        return *found;
    uint32_t *alone = map_at_text(&names->by_symbol, base);
    if (*alone < NAMES_MANY) {
        /* A C++ method's debug information may name the class's header, and a symbol table names no file at all. */
        const struct model_function *f = &model->function[*alone];
        bool mangled = base[0] == '_' && base[1] == 'Z';
        if (!file[0] || !f->file[0] || mangled)
            return *found = *alone;
    }
    size_t length = strlen(base);
    if (strncmp(name, base, length) == 0 && name[length] == '.')
        name = base; /* GCC may name a clone with its suffixes */
    uint32_t id = (uint32_t)model->function_count;
    *found = id;
    *alone = *alone == MAP_FRESH ? id : NAMES_MANY;
    struct model_function *f = ARRAY_PUSH(model->function, model->function_count, model->function_capacity);
    *f = (struct model_function){ .id = id + 1,
                                  .key = key,
                                  .name = arena_copy(&model->arena, name[0] ? name : base),
                                  .symbol = base,
                                  .file = arena_copy(&model->arena, file),
                                  .line = line,
                                  .stage = MODEL_NONE };
    return id;
}

void names_free(struct names *names)
{
    map_free(&names->by_key);
    map_free(&names->by_symbol);
}
