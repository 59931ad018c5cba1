/* SPDX-License-Identifier: MIT */
/* symbolize.c: the units of a file and the trees of their functions, from what dwarf.c reads. See symbolize.h and
 * unit.h. Must not know libdwarf. The arrays that it fills are used by function.c (names) and lookup.c (addresses).
 *
 * When a file is opened, only the address ranges of its units are read. A unit's line table and its tree of functions
 * are read when one of its addresses is asked for. Files may be corrupt: DIEs are visited in strictly increasing order,
 * so a wrong sibling link cannot loop, and depths are limited. */
#include "symbol/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX 512 /* of DIEs within DIEs */

/* ---- units ---- */

struct range_taker {
    struct symbolizer *s;
    uint32_t unit;
};

static bool take_unit_range(void *closure, uint64_t low, uint64_t high)
{
    struct range_taker *taker = closure;
    struct symbolizer *s = taker->s;
    *ARRAY_PUSH(s->ranges, s->range_count, s->range_capacity) = (struct unit_range){ low, high, 0, taker->unit };
    s->units[taker->unit].has_ranges = true;
    return true;
}

static void unit_describe(struct symbolizer *s, struct unit *unit, const struct die *die)
{
    if (die->directory && !unit->directory)
        unit->directory = text_keep(s, die->directory);
    unit->is_cplusplus = unit->is_cplusplus || die->is_cplusplus;
}

/* Lists the units of one debug file. `alt`: its supplement, which has no code. */
static void units_read(struct symbolizer *s, struct Dwarf_Debug_s *debug, bool alt)
{
    struct unit_header header = { 0 };
    for (struct Dwarf_Die_s *handle; (handle = debug_unit_next(s, debug, &header)); die_close(handle)) {
        struct unit *unit = ARRAY_PUSH(s->units, s->unit_count, s->unit_capacity);
        struct range_taker taker = { s, (uint32_t)(s->unit_count - 1) };
        struct die die;
        die_read(s, debug, handle, true, &die);
        *unit = (struct unit){ .debug = debug,
                               .die = header.offset,
                               .end = header.next,
                               .skeleton = header.offset,
                               .space = alt,
                               .version = header.version,
                               .in_alt = alt,
                               .has_statements = die.has_statements,
                               .statements = die.statements,
                               .base = die.has_low ? die.low : 0,
                               .ranges_base = die.ranges_base,
                               .signature = header.is_skeleton ? header.signature : die.signature,
                               .is_types = header.is_types };
        unit_describe(s, unit, &die);
        unit->dwo_name = text_keep(s, die.dwo_name);
        if (!alt)
            die_ranges(s, unit, debug, handle, &die, take_unit_range, &taker);
        die_done(&die);
    }
}

/* ---- the tree of functions ---- */

struct walk {
    struct symbolizer *s;
    struct unit *unit;
    uint64_t last;
    uint32_t scope;
    bool full;
};

static bool take_scope_range(void *closure, uint64_t low, uint64_t high)
{
    struct walk *walk = closure;
    struct unit *unit = walk->unit;
    struct code_scope *scope = &unit->scopes[walk->scope];
    if (scope->high == 0)
        scope->low = low, scope->high = high;
    *ARRAY_PUSH(unit->ranges, unit->range_count, unit->range_capacity) = (struct scope_range){ low, high, walk->scope };
    return true;
}

/* Adds the scope of a function or inlined function. Returns its number, or SCOPE_NONE if it has no code. */
static uint32_t scope_add(struct walk *walk, struct Dwarf_Die_s *handle, uint64_t offset, const struct die *die,
                          bool is_inlined, uint32_t parent)
{
    struct unit *unit = walk->unit;
    size_t before = unit->range_count;
    walk->scope = (uint32_t)unit->scope_count;
    *ARRAY_PUSH(unit->scopes, unit->scope_count, unit->scope_capacity) =
        (struct code_scope){ .die = offset,
                             .parent = parent,
                             .call_file = (uint32_t)die->call_file,
                             .call_line = (uint32_t)die->call_line,
                             .call_column = (uint32_t)die->call_column,
                             .is_inlined = is_inlined };
    die_ranges(walk->s, unit, unit->debug, handle, die, take_scope_range, walk);
    if (unit->range_count == before)
        unit->scope_count--;
    return unit->range_count == before ? SCOPE_NONE : walk->scope;
}

static struct prefix *prefix_add(struct walk *walk, struct prefix *parent, const char *name, uint64_t function_die)
{
    struct prefix *prefix = arena_take(&walk->s->arena, sizeof *prefix);
    *prefix = (struct prefix){ .parent = parent, .name = name, .function_die = function_die };
    return prefix;
}

static void walk_children(struct walk *walk, struct Dwarf_Die_s *parent_handle, uint32_t parent, struct prefix *prefix,
                          int depth);

static void walk_die(struct walk *walk, struct Dwarf_Die_s *handle, uint64_t offset, uint32_t parent,
                     struct prefix *prefix, int depth)
{
    struct unit *unit = walk->unit;
    enum die_kind kind;
    struct die die;
    uint32_t scope;
    if (!die_kind(walk->s, unit->debug, handle, &kind, "unreadable entry"))
        return;
    switch (kind) {
    case DIE_FUNCTION:
    case DIE_INLINED:
        die_read(walk->s, unit->debug, handle, true, &die);
        /* A function's code is its own, also where it stands within another, as an OpenMP region does. */
        scope = scope_add(walk, handle, offset, &die, kind == DIE_INLINED, kind == DIE_INLINED ? parent : SCOPE_NONE);
        if (scope == SCOPE_NONE && kind == DIE_FUNCTION && die.name && !die.is_abstract)
            *ARRAY_PUSH(unit->absents, unit->absent_count, unit->absent_capacity) =
                (struct absent){ offset, text_keep(walk->s, die.linkage_name ? die.linkage_name : die.name) };
        die_done(&die);
        if (kind == DIE_FUNCTION && prefix)
            *ARRAY_PUSH(unit->declarations, unit->declaration_count, unit->declaration_capacity) =
                (struct declaration){ offset, prefix };
        if (unit->is_cplusplus && kind == DIE_FUNCTION)
            prefix = prefix_add(walk, prefix, NULL, offset);
        walk_children(walk, handle, scope == SCOPE_NONE ? parent : scope, prefix, depth + 1);
        break;
    case DIE_NAMESPACE:
    case DIE_MODULE:
    case DIE_TYPE:
        if (!unit->is_cplusplus && kind == DIE_TYPE)
            break;
        die_read(walk->s, unit->debug, handle, false, &die);
        bool named = die.name;
        if (!named)
            die.name = kind == DIE_NAMESPACE ? "(anonymous namespace)" : "(anonymous)";
        prefix = prefix_add(walk, prefix, text_keep(walk->s, die.name), 0);
        if (!named) {
            prefix->file = (uint32_t)die.decl_file;
            prefix->line = (uint32_t)die.decl_line;
        }
        walk_children(walk, handle, parent, prefix, depth + 1);
        break;
    case DIE_BLOCK: walk_children(walk, handle, parent, prefix, depth + 1); break;
    default: break;
    }
}

static void walk_children(struct walk *walk, struct Dwarf_Die_s *parent_handle, uint32_t parent, struct prefix *prefix,
                          int depth)
{
    struct Dwarf_Debug_s *debug = walk->unit->debug;
    if (depth > DEPTH_MAX) {
        symbolizer_complain(walk->s, "entries nested too deep", NULL);
        return;
    }
    for (struct Dwarf_Die_s *handle = die_child(walk->s, debug, parent_handle), *next; handle; handle = next) {
        uint64_t offset = 0;
        if (!die_offset(walk->s, debug, handle, &offset) || offset <= walk->last || offset >= walk->unit->end) {
            symbolizer_complain(walk->s, "entries out of order", NULL);
            walk->full = true;
        } else {
            walk->last = offset;
            walk_die(walk, handle, offset, parent, prefix, depth);
        }
        next = walk->full ? NULL : die_sibling(walk->s, debug, handle);
        die_close(handle);
    }
}

/* ---- split DWARF ---- */

/* Finds the unit with that signature in a .dwo, its DIE and its end. */
static bool dwo_unit(struct symbolizer *s, struct Dwarf_Debug_s *debug, struct unit *unit)
{
    struct unit_header header = { 0 };
    for (struct Dwarf_Die_s *handle; (handle = debug_unit_next(s, debug, &header)); die_close(handle)) {
        struct die die;
        if (!header.is_compiled)
            continue;
        die_read(s, debug, handle, false, &die);
        if ((header.is_split ? header.signature : die.signature) != unit->signature)
            continue;
        unit->debug = debug;
        unit->is_split = true;
        unit->die = header.offset;
        unit->end = header.next;
        unit_describe(s, unit, &die);
        die_close(handle);
        return true;
    }
    return false;
}

static bool dwo_open(struct symbolizer *s, struct unit *unit)
{
    const char *path = path_keep(s, unit->directory, NULL, unit->dwo_name);
    char what[sizeof s->complaint];
    struct Dwarf_Debug_s *debug = path ? debug_open(s, path, true) : NULL;
    if (!debug)
        return false;
    unit->space = 2 + (uint32_t)(unit - s->units);
    if (debug_tie(s, debug, s->debug, "split debug information") && dwo_unit(s, debug, unit))
        return true;
    snprintf(what, sizeof what, "its split debug information %s belongs to another build", path);
    symbolizer_complain(s, what, NULL);
    debug_close(debug);
    return false;
}

void unit_tree(struct symbolizer *s, struct unit *unit)
{
    struct walk walk = { s, unit, 0, 0, false };
    struct Dwarf_Die_s *handle;
    if (unit->tree_read)
        return;
    unit->tree_read = true;
    if (unit->dwo_name &&
        (!dwo_open(s, unit) || !(s->skeleton = die_open(s, s->debug, unit->skeleton, "unreadable unit"))))
        return;
    if ((handle = die_open(s, unit->debug, unit->die, "unreadable unit"))) {
        walk.last = unit->die;
        walk_children(&walk, handle, SCOPE_NONE, NULL, 0);
        die_close(handle);
    }
    if (s->skeleton)
        die_close(s->skeleton);
    s->skeleton = NULL;
    if (!unit_map(unit))
        symbolizer_complain(s, "address ranges overlap too much", NULL);
    unit_name(s, unit);
}

/* ---- opening and closing ---- */

struct symbolizer *symbolizer_open(struct image *image)
{
    struct symbolizer *s = calloc(1, sizeof *s);
    const char *path = image_debug_path(image), *alt = image_debug_alt_path(image);
    if (!s)
        return NULL;
    s->image = image;
    if (!path || !(s->debug = debug_open(s, path, false)))
        return s;
    s->sections = sections_open(path, s->complaint, sizeof s->complaint);
    if (alt && (s->alt = debug_open(s, alt, false)))
        debug_tie(s, s->debug, s->alt, "supplementary debug information");
    if (s->alt)
        s->alt_sections = sections_open(alt, s->complaint, sizeof s->complaint);
    units_read(s, s->debug, false);
    s->main_units = s->unit_count;
    if (s->alt)
        units_read(s, s->alt, true);
    unit_ranges_sort(s);
    return s;
}

void symbolizer_close(struct symbolizer *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < s->unit_count; i++) {
        if (s->units[i].is_split)
            debug_close(s->units[i].debug);
        unit_free(&s->units[i]);
    }
    if (s->alt)
        debug_close(s->alt);
    if (s->debug)
        debug_close(s->debug);
    sections_close(s->sections);
    sections_close(s->alt_sections);
    section_window_close(&s->window);
    intern_close(&s->names);
    arena_free(&s->arena);
    free(s->functions);
    free(s->units);
    free(s->ranges);
    free(s->concrete);
    free(s->named);
    map_free(&s->by_name);
    free(s);
}
