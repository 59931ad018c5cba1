/* SPDX-License-Identifier: MIT */
/* debugentry.c: see debugentry.h. Every read is bounded by the bytes of the unit, because files may be corrupt.
 * Each entry takes a byte or more and the cursor never goes back, so that every walk ends. */
#include "symbol/debugentry.h"
#include "symbol/codes.h"

#include <stdlib.h>
#include <string.h>

/* ---- abbreviations ---- */

struct attribute {
    uint16_t name; /* 0: nobody asks for it */
    uint16_t form;
    int32_t implicit;
};

/* Pass over `width` bytes, then over an attribute of that form. Form 0 is the last one. */
struct skip {
    uint16_t width, form;
};
enum { SKIP_SIBLING = 0xffff };

struct entry_table {
    uint64_t offset;
    uint16_t version;
    uint8_t offset_size;
    bool odd;   /* has what only dwarf.c reads */
    bool dense; /* codes are 1, 2, 3, ... */
    struct abbreviation *abbreviation;
    struct attribute *attribute;
    struct skip *skip;
    size_t count, capacity, attribute_count, attribute_capacity, skip_count, skip_capacity;
};

bool entry_table_is_plain(const struct entry_table *table) { return !table->odd; }

void entry_table_close(struct entry_table *table)
{
    free(table->abbreviation);
    free(table->attribute);
    free(table->skip);
    free(table);
}

static enum die_kind kind_of(uint64_t tag)
{
    switch (tag) {
    case TAG_SUBPROGRAM: return DIE_FUNCTION;
    case TAG_INLINED_SUBROUTINE: return DIE_INLINED;
    case TAG_CALL_SITE:
    case TAG_GNU_CALL_SITE: return DIE_CALL;
    case TAG_NAMESPACE: return DIE_NAMESPACE;
    case TAG_MODULE: return DIE_MODULE;
    case TAG_CLASS_TYPE:
    case TAG_STRUCTURE_TYPE:
    case TAG_UNION_TYPE:
    case TAG_INTERFACE_TYPE: return DIE_TYPE;
    case TAG_LEXICAL_BLOCK:
    case TAG_TRY_BLOCK:
    case TAG_CATCH_BLOCK:
    case TAG_WITH_STMT:
    case TAG_COMMON_BLOCK: return DIE_BLOCK;
    default: return DIE_OTHER;
    }
}

static bool is_asked(uint64_t name)
{
    switch (name) {
    case AT_SIBLING:
    case AT_NAME:
    case AT_STMT_LIST:
    case AT_LOW_PC:
    case AT_HIGH_PC:
    case AT_LANGUAGE:
    case AT_COMP_DIR:
    case AT_INLINE:
    case AT_ABSTRACT_ORIGIN:
    case AT_DECL_FILE:
    case AT_DECL_LINE:
    case AT_DECL_COLUMN:
    case AT_DECLARATION:
    case AT_ARTIFICIAL:
    case AT_SPECIFICATION:
    case AT_RANGES:
    case AT_CALL_COLUMN:
    case AT_CALL_FILE:
    case AT_CALL_LINE:
    case AT_LINKAGE_NAME:
    case AT_DWO_NAME:
    case AT_CALL_RETURN_PC:
    case AT_CALL_ORIGIN:
    case AT_CALL_TAIL_CALL:
    case AT_MIPS_LINKAGE_NAME:
    case AT_GNU_TAIL_CALL:
    case AT_GNU_DWO_NAME: return true;
    default: return false;
    }
}

enum { WIDTH_VARIES = -1, WIDTH_UNKNOWN = -2 };

/* Bytes of an attribute of this form. */
static int form_width(const struct entry_table *table, uint64_t form)
{
    switch (form) {
    case FORM_FLAG_PRESENT:
    case FORM_IMPLICIT_CONST: return 0;
    case FORM_DATA1:
    case FORM_FLAG:
    case FORM_REF1:
    case FORM_STRX1:
    case FORM_ADDRX1: return 1;
    case FORM_DATA2:
    case FORM_REF2:
    case FORM_STRX2:
    case FORM_ADDRX2: return 2;
    case FORM_STRX3:
    case FORM_ADDRX3: return 3;
    case FORM_DATA4:
    case FORM_REF4:
    case FORM_REF_SUP4:
    case FORM_STRX4:
    case FORM_ADDRX4: return 4;
    case FORM_ADDR:
    case FORM_DATA8:
    case FORM_REF8:
    case FORM_REF_SIG8:
    case FORM_REF_SUP8: return 8;
    case FORM_DATA16: return 16;
    case FORM_REF_ADDR: return table->version == 2 ? 8 : table->offset_size;
    case FORM_STRP:
    case FORM_SEC_OFFSET:
    case FORM_LINE_STRP:
    case FORM_STRP_SUP:
    case FORM_GNU_REF_ALT:
    case FORM_GNU_STRP_ALT: return table->offset_size;
    case FORM_BLOCK2:
    case FORM_BLOCK4:
    case FORM_STRING:
    case FORM_BLOCK:
    case FORM_BLOCK1:
    case FORM_SDATA:
    case FORM_UDATA:
    case FORM_REF_UDATA:
    case FORM_EXPRLOC:
    case FORM_STRX:
    case FORM_ADDRX:
    case FORM_LOCLISTX:
    case FORM_RNGLISTX:
    case FORM_GNU_ADDR_INDEX:
    case FORM_GNU_STR_INDEX: return WIDTH_VARIES;
    default: return WIDTH_UNKNOWN;
    }
}

static bool is_index(uint64_t form)
{
    return form == FORM_STRX || form == FORM_ADDRX || form == FORM_RNGLISTX || form == FORM_GNU_ADDR_INDEX ||
           form == FORM_GNU_STR_INDEX || (form >= FORM_STRX1 && form <= FORM_ADDRX4);
}

static void attribute_add(struct entry_table *table, uint64_t name, uint64_t form, int64_t implicit)
{
    int width = form_width(table, form);
    bool asked = is_asked(name);
    struct skip *last = &table->skip[table->skip_count - 1];
    if (width == WIDTH_UNKNOWN || (asked && (is_index(form) || implicit != (int32_t)implicit)))
        table->odd = true;
    *ARRAY_PUSH(table->attribute, table->attribute_count, table->attribute_capacity) =
        (struct attribute){ asked ? (uint16_t)name : 0, (uint16_t)form, (int32_t)implicit };
    if (name == AT_SIBLING && form == FORM_REF4)
        last->form = SKIP_SIBLING;
    else if (width < 0 || last->width > 0x7fff)
        last->form = (uint16_t)form;
    else
        last->width = (uint16_t)(last->width + width);
    if (last->form)
        *ARRAY_PUSH(table->skip, table->skip_count, table->skip_capacity) = (struct skip){ 0, 0 };
}

static int code_order(const void *left, const void *right)
{
    const struct abbreviation *a = left, *b = right;
    return a->code < b->code ? -1 : a->code > b->code;
}

/* False if it cannot be read to its end. */
static bool table_fill(struct entry_table *table, struct bytes *c)
{
    for (uint64_t code; (code = bytes_leb(c));) {
        uint64_t tag = bytes_leb(c);
        struct abbreviation *a = ARRAY_PUSH(table->abbreviation, table->count, table->capacity);
        *a = (struct abbreviation){ .code = code,
                                    .tag = (uint16_t)tag,
                                    .kind = (uint8_t)kind_of(tag),
                                    .first = (uint32_t)table->attribute_count,
                                    .skip = (uint32_t)table->skip_count,
                                    .has_children = bytes_fixed(c, 1) };
        *ARRAY_PUSH(table->skip, table->skip_count, table->skip_capacity) = (struct skip){ 0, 0 };
        for (uint64_t name, form;;) {
            name = bytes_leb(c);
            form = bytes_leb(c);
            int64_t implicit = form == FORM_IMPLICIT_CONST ? bytes_signed_leb(c) : 0;
            if (c->bad || (!name && !form))
                break;
            attribute_add(table, name, form, implicit);
        }
        size_t count = table->attribute_count - a->first;
        if (c->bad || count > UINT16_MAX)
            return false;
        a->count = (uint16_t)count;
        table->dense = table->dense && code == table->count;
    }
    if (!table->dense && table->count)
        qsort(table->abbreviation, table->count, sizeof *table->abbreviation, code_order);
    return !c->bad;
}

/* Tables are kept, because units share them. NULL if it cannot be read. Those of a sound file do not overlap: more work
 * than to read all of them a few times is refused. */
static struct entry_table *table_open(struct symbolizer *s, struct sections *sections, uint64_t offset,
                                      const struct unit_head *head)
{
    uint64_t key[3] = { offset, (uint64_t)(uintptr_t)sections, head->offset_size | (unsigned)head->version << 8 };
    uint32_t *at = map_at(&s->table_of, key, sizeof key);
    uint64_t *read = &s->table_bytes[sections == s->alt_sections];
    size_t size = 0;
    if (*at != MAP_FRESH)
        return s->tables[*at];
    *at = (uint32_t)s->table_count;
    struct entry_table **slot = ARRAY_PUSH(s->tables, s->table_count, s->table_capacity);
    const uint8_t *bytes = section_whole(sections, SECTION_ABBREV, &size);
    if (offset >= size || *read / 8 > size)
        return *slot = NULL;
    struct bytes c = { bytes + offset, bytes + size, false };
    struct entry_table *table = memory_zeroed(1, sizeof *table);
    *table = (struct entry_table){ .version = head->version, .offset_size = head->offset_size, .dense = true };
    bool sound = table_fill(table, &c);
    *read += (uint64_t)(c.at - bytes) - offset;
    if (!sound) {
        entry_table_close(table);
        table = NULL;
    }
    return *slot = table;
}

static const struct abbreviation *abbreviation_find(const struct entry_table *table, uint64_t code)
{
    size_t low = 0, high = table->count;
    if (table->dense)
        return code - 1 < table->count ? &table->abbreviation[code - 1] : NULL;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (table->abbreviation[middle].code < code)
            low = middle + 1;
        else
            high = middle;
    }
    return low < table->count && table->abbreviation[low].code == code ? &table->abbreviation[low] : NULL;
}

bool language_is_cplusplus(uint64_t language)
{
    switch (language) {
    case 0x04: /* C++ */
    case 0x19: /* C++03 */
    case 0x1a: /* C++11 */
    case 0x21: /* C++14 */
    case 0x2b: /* C++17 */
    case 0x3a: /* C++20 */ return true;
    default: return false;
    }
}

/* ---- units ---- */

bool unit_head_next(struct symbolizer *s, struct sections *sections, struct unit_head *head)
{
    enum { HEAD_MOST = 40 };
    struct section_window window = { 0 };
    uint64_t whole = section_size(sections, SECTION_INFO), at = head->next;
    if (at >= whole)
        return false;
    size_t some = whole - at < HEAD_MOST ? (size_t)(whole - at) : HEAD_MOST;
    const uint8_t *bytes = section_piece(sections, SECTION_INFO, at, some, &window);
    struct bytes c = { bytes, bytes ? bytes + some : NULL, false };
    uint64_t length = bytes_fixed(&c, 4), abbreviations;
    *head = (struct unit_head){ .at = at, .offset_size = 4, .address_size = 8 };
    if (length == 0xffffffff) {
        head->offset_size = 8;
        length = bytes_fixed(&c, 8);
    }
    uint64_t start = at + (uint64_t)(c.at - bytes);
    bool sound = !c.bad && length && length <= whole - start;
    head->next = start + length;
    head->version = (uint16_t)bytes_fixed(&c, 2);
    head->type = head->version < 5 ? UNIT_COMPILE : (uint8_t)bytes_fixed(&c, 1);
    if (head->version >= 5)
        head->address_size = (uint8_t)bytes_fixed(&c, 1);
    abbreviations = bytes_fixed(&c, head->offset_size);
    if (head->version < 5)
        head->address_size = (uint8_t)bytes_fixed(&c, 1);
    if (head->type != UNIT_COMPILE && head->type != UNIT_PARTIAL)
        head->signature = bytes_fixed(&c, 8);
    if (head->type == UNIT_TYPE || head->type == UNIT_SPLIT_TYPE)
        bytes_fixed(&c, head->offset_size);
    head->die = at + (uint64_t)(c.at - bytes);
    sound = sound && !c.bad && head->die <= head->next;
    section_window_close(&window);
    if (!sound) {
        symbolizer_complain(s, "unreadable unit header", NULL);
        return false;
    }
    if (head->version < 2 || head->version > 5)
        symbolizer_complain(s, "unknown version of a unit", NULL);
    else if (!(head->table = table_open(s, sections, abbreviations, head)))
        symbolizer_complain(s, "unreadable abbreviations", NULL);
    return true;
}

/* ---- entries ---- */

bool entries_open(struct symbolizer *s, const struct unit *unit, uint64_t from, uint64_t to,
                  struct section_window *window, struct entries *e)
{
    const uint8_t *bytes =
        from < to ? section_piece(unit->sections, SECTION_INFO, from, (size_t)(to - from), window) : NULL;
    *e = (struct entries){ s, unit, from, bytes, { bytes, bytes ? bytes + (to - from) : NULL, false }, false };
    return bytes;
}

static void entry_bad(struct entries *e)
{
    e->c.bad = true;
    e->c.at = e->c.end;
    if (!e->quiet)
        symbolizer_complain(e->s, "unreadable entry", NULL);
}

bool entry_next(struct entries *e, struct entry *entry)
{
    if (e->c.bad || e->c.at == e->c.end)
        return false;
    *entry = (struct entry){ .offset = e->from + (uint64_t)(e->c.at - e->start) };
    uint64_t code = bytes_leb(&e->c);
    if (!code && !e->c.bad)
        return false;
    entry->abbreviation = abbreviation_find(e->unit->table, code);
    if (e->c.bad || !entry->abbreviation)
        return entry_bad(e), false;
    return true;
}

static void form_skip(struct entries *e, unsigned form)
{
    struct bytes *c = &e->c;
    int width = form_width(e->unit->table, form);
    if (width >= 0) {
        bytes_skip(c, (unsigned)width);
        return;
    }
    switch (form) {
    case FORM_STRING: bytes_text(c); break;
    case FORM_BLOCK:
    case FORM_EXPRLOC: bytes_skip(c, bytes_leb(c)); break;
    case FORM_BLOCK1: bytes_skip(c, bytes_fixed(c, 1)); break;
    case FORM_BLOCK2: bytes_skip(c, bytes_fixed(c, 2)); break;
    case FORM_BLOCK4: bytes_skip(c, bytes_fixed(c, 4)); break;
    default: bytes_leb(c);
    }
}

void entry_skip(struct entries *e, struct entry *entry)
{
    for (const struct skip *skip = &e->unit->table->skip[entry->abbreviation->skip];; skip++) {
        bytes_skip(&e->c, skip->width);
        if (skip->form == SKIP_SIBLING)
            entry->sibling = e->unit->at + bytes_fixed(&e->c, 4);
        else if (skip->form)
            form_skip(e, skip->form);
        else
            break;
    }
    if (e->c.bad)
        entry_bad(e);
}

static void sibling_go(struct entries *e, const struct entry *entry)
{
    e->c.at = e->start + (entry->sibling - e->from);
}

/* Whether its sibling lies ahead, in what is read. */
static bool has_sibling(const struct entries *e, const struct entry *entry)
{
    return !e->c.bad && entry->sibling > e->from + (uint64_t)(e->c.at - e->start) &&
           entry->sibling <= e->from + (uint64_t)(e->c.end - e->start);
}

void entry_leave(struct entries *e, const struct entry *of)
{
    if (!of->abbreviation->has_children)
        return;
    if (has_sibling(e, of)) {
        sibling_go(e, of);
        return;
    }
    for (size_t depth = 1; depth && e->c.at < e->c.end;) {
        struct entry entry;
        if (!entry_next(e, &entry)) {
            depth--;
            continue;
        }
        entry_skip(e, &entry);
        if (!entry.abbreviation->has_children)
            continue;
        if (has_sibling(e, &entry))
            sibling_go(e, &entry);
        else
            depth++;
    }
}

bool entries_below(struct symbolizer *s, const struct unit *unit, uint64_t offset, struct section_window *window,
                   struct entries *e)
{
    enum { SOME = 512 };
    uint64_t to = unit->end;
    struct entry entry;
    if (offset < to && to - offset > SOME && entries_open(s, unit, offset, offset + SOME, window, e)) {
        e->quiet = true;
        if (entry_next(e, &entry))
            entry_skip(e, &entry);
        if (!e->c.bad && entry.abbreviation && entry.sibling > offset && entry.sibling < to)
            to = entry.sibling;
    }
    return entries_open(s, unit, offset, to, window, e);
}

/* ---- attributes ---- */

struct value {
    uint64_t number;
    const char *text;
    bool in_alt, is_address, is_reference;
};

static const char *text_at(struct sections *sections, enum section_id id, uint64_t offset)
{
    size_t size = 0;
    const uint8_t *bytes = sections ? section_whole(sections, id, &size) : NULL;
    /* where the last byte is a 0, every text has its end */
    return offset < size && (!bytes[size - 1] || memchr(bytes + offset, 0, size - offset))
               ? (const char *)bytes + offset
               : NULL;
}

static void value_read(struct entries *e, const struct attribute *attribute, struct value *v)
{
    struct bytes *c = &e->c;
    const struct unit *unit = e->unit;
    unsigned form = attribute->form;
    int width = form_width(unit->table, form);
    *v = (struct value){ 0 };
    if (width > 8)
        bytes_skip(c, (unsigned)width);
    else if (width > 0)
        v->number = bytes_fixed(c, (unsigned)width);
    switch (form) {
    case FORM_IMPLICIT_CONST: v->number = attribute->implicit > 0 ? (uint64_t)attribute->implicit : 0; break;
    case FORM_FLAG_PRESENT: v->number = 1; break;
    case FORM_ADDR: v->is_address = true; break;
    case FORM_UDATA: v->number = bytes_leb(c); break;
    case FORM_SDATA: {
        int64_t number = bytes_signed_leb(c);
        v->number = number > 0 ? (uint64_t)number : 0;
        break;
    }
    case FORM_REF_UDATA: v->number = bytes_leb(c); /* fall through */
    case FORM_REF1:
    case FORM_REF2:
    case FORM_REF4:
    case FORM_REF8:
        v->number += unit->at;
        v->is_reference = true;
        break;
    case FORM_REF_ADDR: v->is_reference = true; break;
    case FORM_GNU_REF_ALT:
    case FORM_REF_SUP4:
    case FORM_REF_SUP8: v->is_reference = v->in_alt = true; break;
    case FORM_STRING: v->text = text_keep(e->s, bytes_text(c)); break;
    case FORM_STRP: v->text = text_at(unit->sections, SECTION_STR, v->number); break;
    case FORM_LINE_STRP: v->text = text_at(unit->sections, SECTION_LINE_STR, v->number); break;
    case FORM_STRP_SUP:
    case FORM_GNU_STRP_ALT: v->text = text_at(e->s->alt_sections, SECTION_STR, v->number); break;
    default:
        if (width < 0)
            form_skip(e, form);
    }
}

static void take(unsigned name, const struct value *v, bool with_code, struct die *die)
{
    switch (name) {
    case AT_NAME: die->name = v->text; break;
    case AT_LINKAGE_NAME:
    case AT_MIPS_LINKAGE_NAME: die->linkage_name = v->text; break;
    case AT_COMP_DIR: die->directory = v->text; break;
    case AT_DWO_NAME:
    case AT_GNU_DWO_NAME: die->dwo_name = v->text; break;
    case AT_LANGUAGE: die->is_cplusplus = language_is_cplusplus(v->number); break;
    case AT_DECL_FILE: die->decl_file = v->number; break;
    case AT_DECL_LINE: die->decl_line = v->number; break;
    case AT_DECL_COLUMN: die->decl_column = v->number; break;
    case AT_CALL_FILE: die->call_file = v->number; break;
    case AT_CALL_LINE: die->call_line = v->number; break;
    case AT_CALL_COLUMN: die->call_column = v->number; break;
    case AT_STMT_LIST:
        die->has_statements = true;
        die->statements = v->number;
        break;
    case AT_DECLARATION:
    case AT_INLINE: die->is_abstract = true; break;
    case AT_ARTIFICIAL: die->is_artificial = true; break;
    case AT_CALL_TAIL_CALL:
    case AT_GNU_TAIL_CALL: die->is_jump = true; break;
    case AT_CALL_RETURN_PC:
    case AT_LOW_PC:
        die->has_low = with_code && v->is_address;
        die->low = v->number;
        break;
    case AT_HIGH_PC:
        die->has_high = with_code;
        die->high_is_size = !v->is_address;
        die->high = v->number;
        break;
    case AT_RANGES:
        die->has_ranges = with_code;
        die->ranges_value = v->number;
        break;
    case AT_CALL_ORIGIN:
    case AT_ABSTRACT_ORIGIN:
    case AT_SPECIFICATION:
        die->origin_in_alt = v->in_alt;
        if (v->is_reference)
            die->has_origin = true, die->origin = v->number;
        break;
    default: break;
    }
}

void entry_read(struct entries *e, struct entry *entry, bool with_code, struct die *die)
{
    const struct attribute *attribute =
        entry->abbreviation->count ? &e->unit->table->attribute[entry->abbreviation->first] : NULL;
    memset(die, 0, sizeof *die);
    for (unsigned i = 0; i < entry->abbreviation->count && !e->c.bad; i++) {
        struct value v;
        if (!attribute[i].name) {
            form_skip(e, attribute[i].form);
            continue;
        }
        value_read(e, &attribute[i], &v);
        if (attribute[i].name == AT_SIBLING)
            entry->sibling = v.number;
        else
            take(attribute[i].name, &v, with_code, die);
    }
    if (e->c.bad)
        entry_bad(e);
}

bool die_at(struct symbolizer *s, struct unit *unit, uint64_t offset, struct die *die)
{
    enum { SOME = 256 };
    struct entries e;
    struct entry entry;
    if (!unit->table)
        return handle_at(s, unit, offset, die);
    memset(die, 0, sizeof *die);
    for (int tries = 0; tries < 2; tries++) {
        uint64_t to = tries || unit->end - offset < SOME ? unit->end : offset + SOME;
        if (offset < unit->die || offset >= unit->end || !entries_open(s, unit, offset, to, &s->window, &e))
            break;
        e.quiet = to < unit->end;
        if (entry_next(&e, &entry)) {
            entry_read(&e, &entry, false, die);
            if (!e.c.bad)
                return true;
        }
        if (to == unit->end)
            break;
    }
    symbolizer_complain(s, "unreadable reference", NULL);
    return false;
}

/* ---- ranges of code ---- */

/* Ranges of sections that the linker removed begin outside the code. */
bool range_visit(struct symbolizer *s, range_visitor visitor, void *closure, uint64_t low, uint64_t high)
{
    return low >= high || !image_is_code(s->image, low) || visitor(closure, low, high);
}

/* Pairs of 8 bytes, relative to a base. */
static bool visit_pairs(struct symbolizer *s, struct bytes *c, uint64_t base, range_visitor visitor, void *closure)
{
    for (;;) {
        uint64_t low = bytes_fixed(c, 8), high = bytes_fixed(c, 8);
        if (c->bad || (!low && !high))
            return !c->bad;
        if (low == UINT64_MAX)
            base = high;
        else if (!range_visit(s, visitor, closure, base + low, base + high))
            return true;
    }
}

static bool visit_entries(struct symbolizer *s, struct bytes *c, uint64_t base, range_visitor visitor, void *closure)
{
    for (;;) {
        unsigned kind = (unsigned)bytes_fixed(c, 1);
        uint64_t low = 0, high = 0;
        switch (kind) {
        case RANGE_END: return !c->bad;
        case RANGE_OFFSET_PAIR:
            low = base + bytes_leb(c);
            high = base + bytes_leb(c);
            break;
        case RANGE_BASE: base = bytes_fixed(c, 8); break;
        case RANGE_START_END:
            low = bytes_fixed(c, 8);
            high = bytes_fixed(c, 8);
            break;
        case RANGE_START_LENGTH:
            low = bytes_fixed(c, 8);
            high = low + bytes_leb(c);
            break;
        default: return false; /* indexes: units that have them are not plain */
        }
        if (c->bad)
            return false;
        if (!range_visit(s, visitor, closure, low, high))
            return true;
    }
}

void entry_ranges(struct symbolizer *s, const struct unit *unit, const struct die *die, range_visitor visitor,
                  void *closure)
{
    size_t size = 0;
    if (!die->has_ranges) {
        if (die->has_low && die->has_high)
            range_visit(s, visitor, closure, die->low, die->high_is_size ? die->low + die->high : die->high);
        return;
    }
    bool old = unit->version < 5;
    const uint8_t *bytes = section_whole(unit->sections, old ? SECTION_RANGES : SECTION_RNGLISTS, &size);
    struct bytes c = { bytes, bytes ? bytes + size : NULL, false };
    bytes_skip(&c, die->ranges_value);
    if (!bytes || !(old ? visit_pairs : visit_entries)(s, &c, unit->base, visitor, closure))
        symbolizer_complain(s, "unreadable range list", NULL);
}
