/* SPDX-License-Identifier: MIT */
/* unit.h: what dwarf.c (libdwarf), debugentry.c (our own reader), symbolize.c (trees), function.c (names), lookup.c
 * (addresses) and jump.c (jumps) share: the units of one file and what was read of them. Private to these six; all
 * others use symbolize.h. */
#ifndef PROFPLUG_UNIT_H
#define PROFPLUG_UNIT_H

#include "store/arena.h"
#include "store/intern.h"
#include "store/map.h"
#include "symbol/lineprogram.h"
#include "symbol/scope.h"
#include "symbol/symbolize.h"

struct Dwarf_Debug_s;
struct Dwarf_Die_s;

/* A source function, as one chain of DIEs describes it. */
struct function {
    const char *name, *linkage_name, *file;
    uint32_t line, column;
    bool shares_line; /* a lambda, and another begins on its line: only the column tells them apart */
    uint64_t id; /* same for all chains that describe the same function */
    struct function *first; /* the first of these chains: its linkage_name is that of all that have none */
    bool is_implicit;       /* a member that nobody wrote, such as the copy constructor of a structure */
};

/* A function with code, or one inlined into it. */
struct code_scope {
    uint64_t die;       /* offset of its DIE in the unit's debug file */
    uint64_t low, high; /* its first range */
    uint32_t parent;
    uint32_t call_file, call_line, call_column;
    bool is_inlined;
    struct function *function; /* NULL until it is asked for */
};

/* What encloses a declaration: a namespace or type by name, or a function. */
struct prefix {
    struct prefix *parent;
    const char *name;
    uint64_t function_die;
    uint32_t file, line, column; /* of a type without a name, as that of a lambda; 0: unknown */
    bool shares_line;            /* another such type begins on its line */
};
/* A function of the source that has no code of its own, though it is called by its name: maybe it was merged. */
struct absent {
    uint64_t die;
    const char *symbol;
};
struct declaration {
    uint64_t die;
    struct prefix *prefix;
};

struct unit {
    struct entry_table *table;   /* of a plain unit: its abbreviations; NULL: dwarf.c reads it */
    struct sections *sections;   /* of the file or its supplement */
    struct Dwarf_Debug_s *debug; /* where the tree is, if dwarf.c reads it: the file, its supplement, or a .dwo */
    uint64_t at, die, end;       /* offsets of the unit's head, its own DIE and its end */
    uint64_t skeleton; /* offset of the unit's DIE in the file; differs from `die` when the tree is in a .dwo */
    uint64_t base, ranges_base; /* for its range lists */
    uint64_t signature;         /* its .dwo must have the same */
    uint32_t space;             /* distinguishes offsets of different debug files */
    uint16_t version;
    bool is_cplusplus, is_types, in_alt, is_split, tree_read, lines_read, has_ranges, has_statements;
    const char *directory, *dwo_name;
    const char **file; /* by number, NULL for none */
    size_t file_count;
    uint64_t statements; /* offset of its line program */
    struct line_program lines;
    struct code_scope *scopes;
    struct scope_range *ranges;
    struct declaration *declarations;
    struct absent *absents;
    size_t absent_count, absent_capacity;
    size_t scope_count, scope_capacity, range_count, range_capacity, declaration_count, declaration_capacity;
    struct scope_map map;
    struct map declared; /* linkage names of its declarations: their places */
    bool declared_read;
};

struct unit_range {
    uint64_t low, high, reach;
    uint32_t unit;
}; /* reach: largest high of it and of all before it */
struct function_slot {
    uint64_t key, extra;
    struct function *function;
};
struct concrete {
    uint64_t low;
    uint32_t unit, scope;
}; /* unit UINT32_MAX: scope is the number of a symbol */

struct symbolizer {
    struct image *image;
    struct Dwarf_Debug_s *debug, *alt;
    struct sections *sections, *alt_sections; /* of the same two files */
    struct map table_of;                      /* of the place of abbreviations: their number in `tables` */
    struct entry_table **tables;
    size_t table_count, table_capacity;
    uint64_t table_bytes[2]; /* of the abbreviations that were read, of the file and of its supplement */
    bool debug_tried; /* libdwarf is used only where there are units that are not plain */
    struct section_window window;
    struct line_row row; /* that was found last */
    struct Dwarf_Die_s *skeleton; /* while the tree of a split unit is read: resolves its address indexes */
    struct unit *units;           /* first the file's by offset, then the supplement's */
    size_t unit_count, unit_capacity, main_units;
    struct unit_range *ranges;
    size_t range_count, range_capacity;
    struct function_slot *functions; /* by DIE, and by content */
    size_t function_count, function_capacity;
    uint64_t next_id;
    struct concrete *concrete;
    size_t concrete_count, concrete_capacity;
    bool concrete_read;
    struct map by_name; /* of global symbols: their place in `named` */
    uint64_t *named;
    size_t named_count, named_capacity;
    bool names_read;
    uint64_t runtime_low, runtime_high; /* the profiler's own code */
    struct intern names;
    struct arena arena;
    char complaint[4600];
};

/* The attributes of a DIE that are used. */
struct die {
    uint16_t ranges_form;
    bool is_cplusplus, has_low, has_high, high_is_size, has_ranges, has_origin, origin_in_alt, has_statements;
    bool is_abstract; /* a declaration, or what copies refer to */
    bool is_jump;     /* of a call */
    bool is_artificial; /* nobody wrote it: the compiler did */
    /* of a call: low is the address after it, origin the function that it calls */
    uint64_t low, high, origin, decl_file, decl_line, decl_column, call_file, call_line, call_column, ranges_value,
        ranges_base, signature, statements;
    const char *name, *linkage_name, *directory, *dwo_name;
    void *ranges; /* the attribute, while the DIE is read */
};

enum die_kind { DIE_OTHER, DIE_FUNCTION, DIE_INLINED, DIE_NAMESPACE, DIE_MODULE, DIE_TYPE, DIE_BLOCK, DIE_CALL };

struct unit_header {
    uint64_t at, next, offset, signature;
    bool is_split, is_compiled;
};

/* dwarf.c. What it cannot read is reported to the symbolizer, which keeps the first complaint. A function that returns
 * a handle leaves it to the caller to close. NULL: there is none. */
void symbolizer_complain(struct symbolizer *s, const char *what, const char *detail); /* detail: may be NULL */
struct Dwarf_Debug_s *debug_open(struct symbolizer *s, const char *path, bool is_split);
void debug_close(struct Dwarf_Debug_s *debug);
bool debug_tie(struct symbolizer *s, struct Dwarf_Debug_s *debug, struct Dwarf_Debug_s *to, const char *what);
/* Goes to the next unit and returns its DIE. The header is zero before the first one. */
struct Dwarf_Die_s *debug_unit_next(struct symbolizer *s, struct Dwarf_Debug_s *debug, struct unit_header *header);
struct Dwarf_Die_s *die_open(struct symbolizer *s, struct Dwarf_Debug_s *debug, uint64_t offset, const char *what);
struct Dwarf_Die_s *die_child(struct symbolizer *s, struct Dwarf_Debug_s *debug, struct Dwarf_Die_s *of);
struct Dwarf_Die_s *die_sibling(struct symbolizer *s, struct Dwarf_Debug_s *debug, struct Dwarf_Die_s *of);
void die_close(struct Dwarf_Die_s *handle);
bool die_offset(struct symbolizer *s, struct Dwarf_Debug_s *debug, struct Dwarf_Die_s *handle, uint64_t *offset);
bool die_kind(struct symbolizer *s, struct Dwarf_Debug_s *debug, struct Dwarf_Die_s *handle, enum die_kind *kind,
              const char *what);
/* Call die_done afterwards. with_code: also reads its addresses. */
void die_read(struct symbolizer *s, struct Dwarf_Debug_s *debug, struct Dwarf_Die_s *handle, bool with_code,
              struct die *die);
void die_done(struct die *die);
/* Calls the visitor for each range of code, until it says false. */
typedef bool (*range_visitor)(void *closure, uint64_t low, uint64_t high);
void die_ranges(struct symbolizer *s, const struct unit *unit, struct Dwarf_Debug_s *debug, struct Dwarf_Die_s *handle,
                const struct die *die, range_visitor visitor, void *closure);
bool handle_at(struct symbolizer *s, struct unit *unit, uint64_t offset, struct die *die); /* as die_at does */
/* Opens the file and its supplement, if they were not yet. False if they cannot be read. */
bool debug_need(struct symbolizer *s);

/* debugentry.c */
bool die_at(struct symbolizer *s, struct unit *unit, uint64_t offset, struct die *die); /* without its addresses */
bool range_visit(struct symbolizer *s, range_visitor visitor, void *closure, uint64_t low, uint64_t high);
bool language_is_cplusplus(uint64_t language);

/* symbolize.c */
void unit_tree(struct symbolizer *s, struct unit *unit); /* reads the tree of functions, if it was not yet */

/* function.c */
const char *text_keep(struct symbolizer *s, const char *text); /* NULL for NULL */
const char *path_keep(struct symbolizer *s, const char *top, const char *directory, const char *name);
struct function *scope_function(struct symbolizer *s, struct unit *unit, struct code_scope *scope);
struct function *die_function(struct symbolizer *s, struct unit *unit, uint64_t die);
/* Gives the functions of a C++ unit that DWARF has no linkage name for, as of static ones, that of the symbol at their
 * code. Inlined copies have it, too. Call it once, before names are used. */
void unit_name(struct symbolizer *s, struct unit *unit);

/* lookup.c */
void unit_lines(struct symbolizer *s, struct unit *unit); /* reads the line program, if it was not yet */
bool unit_map(struct unit *unit); /* flattens its scopes; false if they had to be cut */
void unit_free(struct unit *unit);
void unit_ranges_sort(struct symbolizer *s);
struct unit *unit_holding(struct symbolizer *s, bool alt, uint64_t offset);
/* The unit of an address and its innermost scope; NULL and SCOPE_NONE if nothing is known. */
struct unit *unit_find(struct symbolizer *s, uint64_t address, const struct line_row **row, uint32_t *scope);
const char *unit_file(const struct unit *unit, uint64_t number);

#endif
