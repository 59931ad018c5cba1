/* SPDX-License-Identifier: MIT */
/* function.c: a function's name and the place of its declaration, from the DIEs that describe it. See unit.h. Must not
 * know libdwarf. */
#include "symbol/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <profplug/abi/format.h>

#define CHAIN_MAX 16 /* of abstract origins and specifications */
#define NAME_SIZE 8192

const char *text_keep(struct symbolizer *s, const char *text)
{
    return text ? intern_text(&s->names, text, strlen(text)) : NULL;
}

/* `name` in `directory`, which is itself in `top`, unless one of them is absolute. */
const char *path_keep(struct symbolizer *s, const char *top, const char *directory, const char *name)
{
    char path[NAME_SIZE];
    int length;
    if (!name || !*name)
        return NULL;
    if (*name == '/' || ((!directory || !*directory) && (!top || !*top)))
        return text_keep(s, name);
    if (!directory || !*directory)
        length = snprintf(path, sizeof path, "%s/%s", top, name);
    else if (*directory == '/' || !top || !*top)
        length = snprintf(path, sizeof path, "%s/%s", directory, name);
    else
        length = snprintf(path, sizeof path, "%s/%s/%s", top, directory, name);
    return length < (int)sizeof path ? intern_text(&s->names, path, (size_t)length) : NULL;
}

/* ---- names with their scope ---- */

static const char *qualified(struct symbolizer *s, struct unit *unit, uint64_t offset, const char *name, int depth);

/* The qualified name of the function at a DIE that may take its name from another. */
static const char *qualified_at(struct symbolizer *s, struct unit *unit, uint64_t offset, int depth)
{
    struct die die;
    for (; depth < CHAIN_MAX && die_at(s, unit, offset, &die); offset = die.origin, depth++)
        if (die.name || !die.has_origin || die.origin_in_alt)
            return die.name ? qualified(s, unit, offset, die.name, depth) : NULL;
    return NULL;
}

static void prefix_write(struct symbolizer *s, struct unit *unit, const struct prefix *prefix, char *text, size_t size,
                         int depth)
{
    const char *name = prefix->name ? prefix->name : qualified_at(s, unit, prefix->function_die, depth + 1);
    size_t used;
    if (prefix->name && prefix->parent && depth < CHAIN_MAX * 4)
        prefix_write(s, unit, prefix->parent, text, size, depth + 1);
    used = strlen(text);
    if (name)
        snprintf(text + used, size - used, "%s::", name);
}

/* What the declaration at a DIE is inside of, or NULL. */
static const struct prefix *prefix_of(const struct unit *unit, uint64_t offset)
{
    size_t low = 0, high = unit->declaration_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (unit->declarations[middle].die < offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low < unit->declaration_count && unit->declarations[low].die == offset ? unit->declarations[low].prefix
                                                                                  : NULL;
}

/* The name with what its declaration is inside of. The function of an OpenMP region is named after the one around it
 * already. */
static const char *qualified(struct symbolizer *s, struct unit *unit, uint64_t offset, const char *name, int depth)
{
    const struct prefix *prefix = strstr(name, PP_REGION_MARK) ? NULL : prefix_of(unit, offset);
    char text[NAME_SIZE] = "";
    if (prefix)
        prefix_write(s, unit, prefix, text, sizeof text, depth);
    size_t used = strlen(text);
    snprintf(text + used, sizeof text - used, "%s", name);
    return text_keep(s, text);
}

/* ---- functions, once each ---- */

static uint64_t mix(uint64_t value)
{
    value ^= value >> 31;
    value *= 0x9e3779b97f4a7c15u;
    return value ^ value >> 29;
}

static struct function_slot *slot_in(struct function_slot *slots, size_t capacity, uint64_t key, uint64_t extra)
{
    size_t at = mix(key ^ mix(extra)) & (capacity - 1);
    while (slots[at].function && (slots[at].key != key || slots[at].extra != extra))
        at = (at + 1) & (capacity - 1);
    return &slots[at];
}

/* The slot of a key; its function is NULL if the key is new. Valid until the next call. */
static struct function_slot *function_slot(struct symbolizer *s, uint64_t key, uint64_t extra)
{
    if (s->function_count * 2 >= s->function_capacity) {
        size_t capacity = s->function_capacity ? s->function_capacity * 2 : 1024;
        struct function_slot *slots = memory_zeroed(capacity, sizeof *slots);
        for (size_t i = 0; i < s->function_capacity; i++)
            if (s->functions[i].function)
                *slot_in(slots, capacity, s->functions[i].key, s->functions[i].extra) = s->functions[i];
        free(s->functions);
        s->functions = slots;
        s->function_capacity = capacity;
    }
    return slot_in(s->functions, s->function_capacity, key, extra);
}

static void slot_fill(struct symbolizer *s, uint64_t key, uint64_t extra, struct function *function)
{
    *function_slot(s, key, extra) = (struct function_slot){ key, extra, function };
    s->function_count++;
}

/* A function of a lambda has no line of its own, and a class without a name that has one. Both tell it from others. */
static void lambda_read(struct symbolizer *s, struct unit *unit, uint64_t offset, struct function *function)
{
    static const char unnamed[] = "(anonymous)::";
    const struct prefix *class = function->name && !function->line ? prefix_of(unit, offset) : NULL;
    const char *at = class && class->line ? function->name : NULL, *last = NULL;
    for (; at && (at = strstr(at, unnamed)); at++)
        last = at;
    if (!last)
        return;
    char text[NAME_SIZE], column[16] = "";
    unit_lines(s, unit);
    function->line = class->line;
    function->column = class->column;
    function->shares_line = class->shares_line;
    function->file = unit_file(unit, class->file);
    if (class->shares_line)
        snprintf(column, sizeof column, ":%u", class->column);
    snprintf(text, sizeof text, "%.*s{lambda:%u%s}::%s", (int)(last - function->name), function->name, class->line,
             column, last + sizeof unnamed - 1);
    function->name = text_keep(s, text);
}

/* Whether a member makes, assigns or destroys objects of its type. A lambda's operator is artificial, too. */
static bool is_special(const char *name, const struct prefix *type)
{
    size_t length = type && type->name ? strcspn(type->name, "<") : 0;
    return name[0] == '~' || strcmp(name, "operator=") == 0 ||
           (length && strlen(name) == length && memcmp(name, type->name, length) == 0);
}

/* Follows the DIEs that this one refers to. The first one that has an attribute decides. */
static void function_read(struct symbolizer *s, struct unit *unit, uint64_t offset, struct function *function)
{
    struct die die;
    for (int depth = 0; unit && depth < CHAIN_MAX && die_at(s, unit, offset, &die); depth++) {
        if (!function->linkage_name)
            function->linkage_name = text_keep(s, die.linkage_name);
        if (die.decl_line && !function->line) {
            unit_lines(s, unit);
            function->line = (uint32_t)die.decl_line;
            function->column = (uint32_t)die.decl_column;
            function->file = unit_file(unit, die.decl_file);
        }
        if (die.name && !function->name) {
            if (unit->is_cplusplus)
                unit_tree(s, unit);
            function->name = qualified(s, unit, offset, die.name, 0);
            lambda_read(s, unit, offset, function);
            function->is_implicit = die.is_artificial && is_special(die.name, prefix_of(unit, offset));
        }
        if (!die.has_origin || (die.origin_in_alt && !s->alt_sections))
            break;
        offset = die.origin;
        if (!unit->is_split) /* link-time optimization refers to other units, dwz to another file */
            unit = unit_holding(s, die.origin_in_alt || unit->in_alt, offset);
    }
    if (!function->linkage_name)
        function->linkage_name = function->name;
}

struct function *die_function(struct symbolizer *s, struct unit *unit, uint64_t die)
{
    struct function_slot *slot = function_slot(s, die, unit->space);
    struct function *function;
    uint64_t content;
    if (slot->function)
        return slot->function;
    function = arena_take(&s->arena, sizeof *function);
    function_read(s, unit, die, function);
    slot_fill(s, die, unit->space, function);
    /* Whether it is the same function, found in another unit or as another copy. Strings are interned, so their
     * addresses are compared. */
    content = mix((uint64_t)(uintptr_t)function->file ^ mix((uint64_t)function->line << 32 | function->column)) |
              (uint64_t)1 << 63;
    slot = function->name ? function_slot(s, (uintptr_t)function->name, content) : NULL;
    function->first = slot && slot->function ? slot->function : function;
    function->id = function->first != function ? function->first->id : ++s->next_id;
    if (slot && !slot->function)
        slot_fill(s, (uintptr_t)function->name, content, function);
    return function;
}

struct function *scope_function(struct symbolizer *s, struct unit *unit, struct code_scope *scope)
{
    if (!scope->function)
        scope->function = die_function(s, unit, scope->die);
    return scope->function;
}

void unit_name(struct symbolizer *s, struct unit *unit)
{
    struct image_symbol symbol;
    char text[NAME_SIZE];
    for (size_t i = 0; unit->is_cplusplus && i < unit->scope_count; i++) {
        struct code_scope *scope = &unit->scopes[i];
        if (scope->is_inlined || !image_symbol(s->image, scope->low, &symbol) || symbol.address != scope->low ||
            strncmp(symbol.name, "_Z", 2) != 0 || strstr(symbol.name, PP_REGION_MARK))
            continue;
        struct function *first = scope_function(s, unit, scope)->first;
        if (!first->name || first->linkage_name != first->name)
            continue;
        snprintf(text, sizeof text, "%.*s", (int)strcspn(symbol.name, "."), symbol.name);
        first->linkage_name = text_keep(s, text);
    }
}
