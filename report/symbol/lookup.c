/* SPDX-License-Identifier: MIT */
/* lookup.c: the answers of symbolize.h, from the arrays of unit.h. Must not know libdwarf. */
#include "symbol/unit.h"

#include <stdlib.h>
#include <string.h>

#define NO_UNIT UINT32_MAX

static int unit_range_order(const void *left, const void *right)
{
    const struct unit_range *a = left, *b = right;
    return a->low < b->low ? -1 : a->low > b->low ? 1 : a->unit < b->unit ? -1 : a->unit > b->unit;
}

void unit_ranges_sort(struct symbolizer *s)
{
    uint64_t reach = 0;
    if (s->range_count)
        qsort(s->ranges, s->range_count, sizeof *s->ranges, unit_range_order);
    for (size_t i = 0; i < s->range_count; i++) {
        if (s->ranges[i].high > reach)
            reach = s->ranges[i].high;
        s->ranges[i].reach = reach;
    }
}

bool unit_map(struct unit *unit)
{
    uint32_t *parent = memory_zeroed(unit->scope_count + 1, sizeof *parent);
    bool whole;
    for (size_t i = 0; i < unit->scope_count; i++)
        parent[i] = unit->scopes[i].parent;
    whole = scope_map_build(&unit->map, unit->ranges, unit->range_count, parent);
    free(parent);
    free(unit->ranges);
    unit->ranges = NULL;
    return whole;
}

void unit_free(struct unit *unit)
{
    line_program_close(&unit->lines);
    scope_map_close(&unit->map);
    map_free(&unit->declared);
    free(unit->file);
    free(unit->scopes);
    free(unit->ranges);
    free(unit->declarations);
    free(unit->absents);
}

/* The unit whose DIEs include the offset. */
struct unit *unit_holding(struct symbolizer *s, bool alt, uint64_t offset)
{
    size_t low = alt ? s->main_units : 0, high = alt ? s->unit_count : s->main_units;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (s->units[middle].end <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low < (alt ? s->unit_count : s->main_units) && s->units[low].die <= offset ? &s->units[low] : NULL;
}

const char *unit_file(const struct unit *unit, uint64_t number)
{
    return number < unit->file_count ? unit->file[number] : NULL;
}

bool symbolizer_has_lines(const struct symbolizer *s)
{
    for (size_t i = 0; i < s->main_units; i++)
        if (s->units[i].has_statements)
            return true;
    return false;
}

const char *symbolizer_complaint(const struct symbolizer *s) { return *s->complaint ? s->complaint : NULL; }

/* ---- line programs ---- */

struct lines_taker {
    struct symbolizer *s;
    struct unit *unit;
    size_t file_capacity;
};

static void file_take(void *closure, uint64_t number, const char *directory, const char *name)
{
    struct lines_taker *taker = closure;
    struct unit *unit = taker->unit;
    while (unit->file_count <= number) /* numbers come one after the other */
        ARRAY_PUSH(unit->file, unit->file_count, taker->file_capacity);
    unit->file[number] = path_keep(taker->s, unit->directory, directory, name);
}

static bool code_ask(void *closure, uint64_t address)
{
    const struct lines_taker *taker = closure;
    return image_is_code(taker->s->image, address);
}

void unit_lines(struct symbolizer *s, struct unit *unit)
{
    struct lines_taker taker = { s, unit, 0 };
    struct sections *sections = unit->in_alt ? s->alt_sections : s->sections;
    if (unit->lines_read)
        return;
    unit->lines_read = true;
    if (!unit->has_statements || !sections)
        return;
    const char *wrong = line_program_read(&unit->lines, sections, unit->statements, file_take, code_ask, &taker);
    if (wrong)
        symbolizer_complain(s, wrong, NULL);
}

/* ---- lookup ---- */

/* What one unit knows about an address; true if it knows anything. */
static bool unit_lookup(struct symbolizer *s, struct unit *unit, uint64_t address, const struct line_row **row,
                        uint32_t *scope)
{
    unit_tree(s, unit);
    unit_lines(s, unit);
    *row = line_program_find(&unit->lines, unit->in_alt ? s->alt_sections : s->sections, &s->window, address, &s->row)
               ? &s->row
               : NULL;
    *scope = scope_map_find(&unit->map, address);
    return *row || *scope != SCOPE_NONE;
}

struct unit *unit_find(struct symbolizer *s, uint64_t address, const struct line_row **row, uint32_t *scope)
{
    size_t low = 0, high = s->range_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (s->ranges[middle].low <= address)
            low = middle + 1;
        else
            high = middle;
    }
    for (size_t i = low; i-- > 0 && s->ranges[i].reach > address;)
        if (s->ranges[i].high > address && unit_lookup(s, &s->units[s->ranges[i].unit], address, row, scope))
            return &s->units[s->ranges[i].unit];
    for (size_t i = 0; i < s->main_units; i++) /* units that do not tell which addresses they cover */
        if (!s->units[i].has_ranges && !s->units[i].is_types && s->units[i].has_statements &&
            unit_lookup(s, &s->units[i], address, row, scope))
            return &s->units[i];
    *row = NULL;
    *scope = SCOPE_NONE;
    return NULL;
}

/* Its own, otherwise that of another copy. */
static const char *linkage_name(const struct function *function)
{
    return function->linkage_name != function->name ? function->linkage_name : function->first->linkage_name;
}

static void frame_name(struct symbol_frame *frame, const struct function *function)
{
    if (!function)
        return;
    frame->function = function->name;
    frame->linkage_name = linkage_name(function);
    frame->function_file = function->file;
    frame->function_line = function->line;
    frame->lambda_column = function->shares_line ? function->column : 0;
    frame->function_id = function->id;
    frame->is_implicit = function->is_implicit;
}

size_t symbolizer_lookup(struct symbolizer *s, uint64_t address, struct symbol_frame *frames, size_t capacity)
{
    const struct line_row *row = NULL;
    struct image_symbol symbol;
    struct symbol_frame next = { 0 };
    uint32_t at = SCOPE_NONE;
    size_t count = 0;
    struct unit *unit = unit_find(s, address, &row, &at);
    if (!capacity)
        return 0;
    if (row) {
        next.file = unit_file(unit, row->file);
        next.line = row->line;
        next.column = row->column;
    }
    for (; at != SCOPE_NONE; at = unit->scopes[at].parent) {
        struct code_scope *scope = &unit->scopes[at];
        frame_name(&next, scope_function(s, unit, scope));
        next.is_inlined = scope->is_inlined;
        frames[count++ < capacity ? count - 1 : capacity - 1] = next;
        if (!scope->is_inlined)
            return count < capacity ? count : capacity;
        next = (struct symbol_frame){ .file = unit_file(unit, scope->call_file),
                                      .line = scope->call_line,
                                      .column = scope->call_column };
    }
    next.is_from_symbols = image_symbol(s->image, address, &symbol);
    if (next.is_from_symbols)
        next.function = next.linkage_name = symbol.name;
    if (!next.function && !next.file && !count)
        return 0;
    frames[count++ < capacity ? count - 1 : capacity - 1] = next;
    return count < capacity ? count : capacity;
}

/* ---- functions that have code of their own ---- */

static void describe(struct symbolizer *s, struct unit *unit, struct code_scope *scope, struct symbol_function *out)
{
    const struct function *function = scope_function(s, unit, scope);
    struct image_symbol symbol;
    *out = (struct symbol_function){ .low = scope->low, .high = scope->high };
    if (function) {
        out->name = function->name;
        out->linkage_name = linkage_name(function);
        out->file = function->file;
        out->line = function->line;
        out->function_id = function->id;
    }
    if (image_symbol(s->image, scope->low, &symbol) && symbol.address == scope->low)
        out->symbol = symbol.name;
}

static void describe_symbol(const struct image_symbol *symbol, struct symbol_function *out)
{
    *out = (struct symbol_function){ .name = symbol->name,
                                     .linkage_name = symbol->name,
                                     .symbol = symbol->name,
                                     .low = symbol->address,
                                     .high = symbol->address + symbol->size,
                                     .is_from_symbols = true };
}

bool symbolizer_function(struct symbolizer *s, uint64_t address, struct symbol_function *function)
{
    const struct line_row *row;
    struct image_symbol symbol;
    uint32_t at;
    struct unit *unit = unit_find(s, address, &row, &at);
    while (at != SCOPE_NONE && unit->scopes[at].is_inlined)
        at = unit->scopes[at].parent;
    if (at != SCOPE_NONE)
        return describe(s, unit, &unit->scopes[at], function), true;
    if (!image_symbol(s->image, address, &symbol))
        return false;
    describe_symbol(&symbol, function);
    return true;
}

static int concrete_order(const void *left, const void *right)
{
    const struct concrete *a = left, *b = right;
    if (a->low != b->low)
        return a->low < b->low ? -1 : 1;
    return a->unit != b->unit ? (a->unit < b->unit ? -1 : 1) : a->scope < b->scope ? -1 : a->scope > b->scope;
}

static void concrete_read(struct symbolizer *s)
{
    size_t kept = 0;
    struct image_symbol symbol;
    s->concrete_read = true;
    for (size_t i = 0; i < s->main_units; i++) {
        unit_tree(s, &s->units[i]);
        for (size_t k = 0; k < s->units[i].scope_count; k++)
            if (!s->units[i].scopes[k].is_inlined)
                *ARRAY_PUSH(s->concrete, s->concrete_count, s->concrete_capacity) =
                    (struct concrete){ s->units[i].scopes[k].low, (uint32_t)i, (uint32_t)k };
    }
    for (size_t i = 0; image_symbol_at(s->image, i, &symbol); i++) {
        const struct line_row *row;
        uint32_t scope;
        unit_find(s, symbol.address, &row, &scope);
        if (scope == SCOPE_NONE)
            *ARRAY_PUSH(s->concrete, s->concrete_count, s->concrete_capacity) =
                (struct concrete){ symbol.address, NO_UNIT, (uint32_t)i };
    }
    if (s->concrete_count)
        qsort(s->concrete, s->concrete_count, sizeof *s->concrete, concrete_order);
    /* of identical functions that the linker merged, the first name is used */
    for (size_t i = 0; i < s->concrete_count; i++)
        if (!kept || s->concrete[kept - 1].low != s->concrete[i].low)
            s->concrete[kept++] = s->concrete[i];
    s->concrete_count = kept;
}

bool symbolizer_function_at(struct symbolizer *s, size_t index, struct symbol_function *function)
{
    struct image_symbol symbol;
    const struct concrete *concrete;
    if (!s->concrete_read)
        concrete_read(s);
    if (index >= s->concrete_count)
        return false;
    concrete = &s->concrete[index];
    if (concrete->unit != NO_UNIT)
        describe(s, &s->units[concrete->unit], &s->units[concrete->unit].scopes[concrete->scope], function);
    else if (image_symbol_at(s->image, concrete->scope, &symbol))
        describe_symbol(&symbol, function);
    return true;
}
