/* SPDX-License-Identifier: MIT */
/* debugentry.h: the entries (DIEs) of units that lie in one plain file or in its supplement, read by
 * ourselves: many times faster than by libdwarf, and a unit at a time. Private to the sources of unit.h. Must not know
 * libdwarf.
 *
 * A unit is plain if it is not split and if what we ask for is not told by an index, as Clang does. Others are read by
 * dwarf.c. */
#ifndef PROFPLUG_DEBUGENTRY_H
#define PROFPLUG_DEBUGENTRY_H

#include "symbol/bytes.h"
#include "symbol/unit.h"

struct abbreviation {
    uint64_t code;
    uint32_t first, skip; /* its attributes, and how to pass over them */
    uint16_t count, tag;
    uint8_t kind; /* enum die_kind */
    bool has_children;
};

/* The next unit of .debug_info. The head is zeros before the first one. */
struct unit_head {
    uint64_t at, next, die, signature;
    struct entry_table *table; /* of its abbreviations; NULL: unreadable */
    uint16_t version;
    uint8_t type, offset_size, address_size;
};
bool unit_head_next(struct symbolizer *s, struct sections *sections, struct unit_head *head);
/* Whether the abbreviations have nothing that only dwarf.c reads. */
bool entry_table_is_plain(const struct entry_table *table);
void entry_table_close(struct entry_table *table);

/* Entries of a unit in the order of the file. */
struct entries {
    struct symbolizer *s;
    const struct unit *unit;
    uint64_t from; /* offset of `start` */
    const uint8_t *start;
    struct bytes c;
    bool quiet; /* what cannot be read is no news */
};
struct entry {
    uint64_t offset, sibling; /* sibling: 0 if it is not told, or not read yet */
    const struct abbreviation *abbreviation;
};

/* Those between two offsets. The bytes live until the window is used again. False if they cannot be read. */
bool entries_open(struct symbolizer *s, const struct unit *unit, uint64_t from, uint64_t to,
                  struct section_window *window, struct entries *e);
/* One entry and all below it. */
bool entries_below(struct symbolizer *s, const struct unit *unit, uint64_t offset, struct section_window *window,
                   struct entries *e);
/* Goes to the next entry. False where siblings end, or if it cannot be read. Then call one of the two that follow. */
bool entry_next(struct entries *e, struct entry *entry);
void entry_skip(struct entries *e, struct entry *entry); /* passes over its attributes */
void entry_read(struct entries *e, struct entry *entry, bool with_code, struct die *die);
void entry_leave(struct entries *e, const struct entry *entry); /* passes over its children, after its attributes */

/* Calls the visitor for each range of code, until it says false. */
void entry_ranges(struct symbolizer *s, const struct unit *unit, const struct die *die, range_visitor visitor,
                  void *closure);

#endif
