/* SPDX-License-Identifier: MIT */
/* symbolize.c: the units of a file and the trees of their functions, from what debugentry.c and dwarf.c read. See
 * symbolize.h and unit.h. Must not know libdwarf. The arrays that it fills are used by function.c (names) and
 * lookup.c (addresses).
 *
 * When a file is opened, only the address ranges of its units are read. A unit's line table and its tree of functions
 * are read when one of its addresses is asked for. Files may be corrupt: DIEs are visited in strictly increasing order,
 * so a wrong sibling link cannot loop, and depths are limited. */
#include "symbol/codes.h"
#include "symbol/debugentry.h"
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

/* Reads a unit's own DIE. False if that is not possible. `handle`: NULL for a plain unit. */
static bool unit_read(struct symbolizer *s, struct unit *unit, const struct unit_head *head, struct die *die,
                      struct Dwarf_Die_s **handle)
{
    enum { SOME = 1024 }; /* bytes that its own DIE has at most, usually */
    struct section_window window = { 0 };
    struct entries e;
    struct entry entry;
    bool found = false, plain = entry_table_is_plain(head->table) && head->address_size == 8 &&
                                (head->type == UNIT_COMPILE || head->type == UNIT_PARTIAL || head->type == UNIT_TYPE);
    unit->table = head->table;
    for (uint64_t to = unit->end - unit->die > SOME ? unit->die + SOME : unit->end;; to = unit->end) {
        found = entries_open(s, unit, unit->die, to, &window, &e) && entry_next(&e, &entry);
        e.quiet = to < unit->end;
        if (found && plain)
            entry_read(&e, &entry, true, die);
        if (!e.c.bad || !e.quiet)
            break;
    }
    if (found)
        unit->is_types = entry.abbreviation->tag != TAG_COMPILE_UNIT && entry.abbreviation->tag != TAG_SKELETON_UNIT;
    section_window_close(&window);
    if (!found || (plain && !die->dwo_name))
        return found;
    unit->table = NULL;
    unit->debug = !debug_need(s) ? NULL : unit->in_alt ? s->alt : s->debug;
    *handle = unit->debug ? die_open(s, unit->debug, unit->die, "unreadable unit") : NULL;
    if (*handle)
        die_read(s, unit->debug, *handle, true, die);
    return *handle;
}

/* Lists the units of one debug file. `alt`: its supplement, which has no code. */
static void units_read(struct symbolizer *s, struct sections *sections, bool alt)
{
    struct unit_head head = { 0 };
    while (unit_head_next(s, sections, &head)) {
        struct Dwarf_Die_s *handle = NULL;
        struct die die = { 0 };
        if (!head.table)
            continue;
        struct unit *unit = ARRAY_PUSH(s->units, s->unit_count, s->unit_capacity);
        struct range_taker taker = { s, (uint32_t)(s->unit_count - 1) };
        *unit = (struct unit){ .sections = sections,
                               .at = head.at,
                               .die = head.die,
                               .end = head.next,
                               .skeleton = head.die,
                               .space = alt,
                               .version = head.version,
                               .in_alt = alt };
        if (!unit_read(s, unit, &head, &die, &handle)) {
            s->unit_count--;
            continue;
        }
        unit->has_statements = die.has_statements;
        unit->statements = die.statements;
        unit->base = die.has_low ? die.low : 0;
        unit->ranges_base = die.ranges_base;
        unit->signature = head.type == UNIT_SKELETON ? head.signature : die.signature;
        unit_describe(s, unit, &die);
        unit->dwo_name = text_keep(s, die.dwo_name);
        if (!alt && handle)
            die_ranges(s, unit, unit->debug, handle, &die, take_unit_range, &taker);
        else if (!alt)
            entry_ranges(s, unit, &die, take_unit_range, &taker);
        die_done(&die);
        if (handle)
            die_close(handle);
    }
}

/* ---- the tree of functions ---- */

struct walk {
    struct symbolizer *s;
    struct unit *unit;
    uint64_t last;
    uint32_t scope;
    bool full;
    struct prefix **unnamed; /* types without a name */
    size_t unnamed_count, unnamed_capacity;
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
    if (handle)
        die_ranges(walk->s, unit, unit->debug, handle, die, take_scope_range, walk);
    else
        entry_ranges(walk->s, unit, die, take_scope_range, walk);
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

/* Whether there may be code or names in it. */
static bool kind_counts(const struct unit *unit, enum die_kind kind)
{
    return kind == DIE_FUNCTION || kind == DIE_INLINED || kind == DIE_NAMESPACE || kind == DIE_MODULE ||
           kind == DIE_BLOCK || (kind == DIE_TYPE && unit->is_cplusplus);
}

/* Notes an entry that counts. Sets what its children are in. `handle`: NULL for a plain unit. */
static void walk_take(struct walk *walk, struct Dwarf_Die_s *handle, uint64_t offset, enum die_kind kind,
                      const struct die *die, uint32_t *parent, struct prefix **prefix)
{
    struct unit *unit = walk->unit;
    if (kind == DIE_FUNCTION || kind == DIE_INLINED) {
        /* A function's code is its own, also where it stands within another, as an OpenMP region does. */
        uint32_t scope =
            scope_add(walk, handle, offset, die, kind == DIE_INLINED, kind == DIE_INLINED ? *parent : SCOPE_NONE);
        if (scope == SCOPE_NONE && kind == DIE_FUNCTION && die->name && !die->is_abstract)
            *ARRAY_PUSH(unit->absents, unit->absent_count, unit->absent_capacity) =
                (struct absent){ offset, text_keep(walk->s, die->linkage_name ? die->linkage_name : die->name) };
        if (kind == DIE_FUNCTION && *prefix)
            *ARRAY_PUSH(unit->declarations, unit->declaration_count, unit->declaration_capacity) =
                (struct declaration){ offset, *prefix };
        if (unit->is_cplusplus && kind == DIE_FUNCTION)
            *prefix = prefix_add(walk, *prefix, NULL, offset);
        *parent = scope == SCOPE_NONE ? *parent : scope;
    } else if (kind != DIE_BLOCK) {
        const char *name = die->name              ? die->name
                           : kind == DIE_NAMESPACE ? "(anonymous namespace)"
                                                   : "(anonymous)";
        *prefix = prefix_add(walk, *prefix, text_keep(walk->s, name), 0);
        if (!die->name) {
            (*prefix)->file = (uint32_t)die->decl_file;
            (*prefix)->line = (uint32_t)die->decl_line;
            (*prefix)->column = (uint32_t)die->decl_column;
            *ARRAY_PUSH(walk->unnamed, walk->unnamed_count, walk->unnamed_capacity) = *prefix;
        }
    }
}

static int unnamed_order(const void *left, const void *right)
{
    const struct prefix *a = *(struct prefix *const *)left, *b = *(struct prefix *const *)right;
    if (a->file != b->file)
        return a->file < b->file ? -1 : 1;
    return a->line != b->line ? (a->line < b->line ? -1 : 1) : (a->column > b->column) - (a->column < b->column);
}

/* Lambdas are named after their lines. Those that share one are told apart by their columns. */
static void walk_tell(struct walk *walk)
{
    struct prefix **all = walk->unnamed;
    if (walk->unnamed_count)
        qsort(all, walk->unnamed_count, sizeof(struct prefix *), unnamed_order);
    for (size_t i = 0, end; i < walk->unnamed_count; i = end) {
        for (end = i + 1; end < walk->unnamed_count && all[end]->file == all[i]->file &&
                          all[end]->line == all[i]->line;)
            end++;
        for (size_t k = i; k < end; k++)
            all[k]->shares_line = all[i]->column != all[end - 1]->column;
    }
    free(all);
}

/* ---- by our own reader ---- */

static void walk_entries(struct walk *walk, struct entries *e, uint32_t parent, struct prefix *prefix, int depth)
{
    struct entry entry;
    if (depth > DEPTH_MAX) {
        symbolizer_complain(walk->s, "entries nested too deep", NULL);
        e->c.bad = true;
    }
    while (entry_next(e, &entry)) {
        enum die_kind kind = entry.abbreviation->kind;
        uint32_t in = parent;
        struct prefix *below = prefix;
        struct die die;
        if (!kind_counts(walk->unit, kind)) {
            entry_skip(e, &entry);
            entry_leave(e, &entry);
            continue;
        }
        if (kind == DIE_BLOCK) {
            entry_skip(e, &entry);
        } else {
            entry_read(e, &entry, true, &die);
            if (e->c.bad)
                break;
            walk_take(walk, NULL, entry.offset, kind, &die, &in, &below);
        }
        if (entry.abbreviation->has_children)
            walk_entries(walk, e, in, below, depth + 1);
    }
}

static void walk_plain(struct walk *walk)
{
    struct unit *unit = walk->unit;
    struct section_window window = { 0 };
    struct entries e;
    struct entry entry;
    if (!entries_open(walk->s, unit, unit->die, unit->end, &window, &e))
        symbolizer_complain(walk->s, "unreadable unit", NULL);
    else if (entry_next(&e, &entry)) {
        entry_skip(&e, &entry);
        if (entry.abbreviation->has_children)
            walk_entries(walk, &e, SCOPE_NONE, NULL, 0);
    }
    section_window_close(&window);
}

/* ---- by libdwarf ---- */

static void walk_children(struct walk *walk, struct Dwarf_Die_s *parent_handle, uint32_t parent, struct prefix *prefix,
                          int depth);

static void walk_die(struct walk *walk, struct Dwarf_Die_s *handle, uint64_t offset, uint32_t parent,
                     struct prefix *prefix, int depth)
{
    enum die_kind kind;
    struct die die;
    if (!die_kind(walk->s, walk->unit->debug, handle, &kind, "unreadable entry") || !kind_counts(walk->unit, kind))
        return;
    if (kind != DIE_BLOCK) {
        die_read(walk->s, walk->unit->debug, handle, kind == DIE_FUNCTION || kind == DIE_INLINED, &die);
        walk_take(walk, handle, offset, kind, &die, &parent, &prefix);
        die_done(&die);
    }
    walk_children(walk, handle, parent, prefix, depth + 1);
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

/* The tree of a unit that libdwarf reads. */
static bool walk_handles(struct walk *walk)
{
    struct symbolizer *s = walk->s;
    struct unit *unit = walk->unit;
    struct Dwarf_Die_s *handle;
    if (unit->dwo_name &&
        (!dwo_open(s, unit) || !(s->skeleton = die_open(s, s->debug, unit->skeleton, "unreadable unit"))))
        return false;
    if ((handle = die_open(s, unit->debug, unit->die, "unreadable unit"))) {
        walk->last = unit->die;
        walk_children(walk, handle, SCOPE_NONE, NULL, 0);
        die_close(handle);
    }
    if (s->skeleton)
        die_close(s->skeleton);
    s->skeleton = NULL;
    return true;
}

void unit_tree(struct symbolizer *s, struct unit *unit)
{
    struct walk walk = { .s = s, .unit = unit };
    if (unit->tree_read)
        return;
    unit->tree_read = true;
    bool read = true;
    if (unit->table)
        walk_plain(&walk);
    else
        read = walk_handles(&walk);
    walk_tell(&walk);
    if (!read)
        return;
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
    if (!path || !(s->sections = sections_open(path, s->complaint, sizeof s->complaint)))
        return s;
    if (alt)
        s->alt_sections = sections_open(alt, s->complaint, sizeof s->complaint);
    units_read(s, s->sections, false);
    s->main_units = s->unit_count;
    if (s->alt_sections)
        units_read(s, s->alt_sections, true);
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
    for (size_t i = 0; i < s->table_count; i++)
        if (s->tables[i])
            entry_table_close(s->tables[i]);
    free(s->tables);
    map_free(&s->table_of);
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
