/* SPDX-License-Identifier: MIT */
/* dwarf.c: the only user of libdwarf: reads the entries of split units, and of others that debugentry.c does not
 * know, one by one. See unit.h. Must not know what is made of them.
 *
 * It keeps the first complaint, and uses the rest of the file. */
#include "symbol/debugsection.h"
#include "symbol/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libdwarf.h"
#include "dwarf.h"

/* ---- the two interfaces of libdwarf: PROFPLUG_LIBDWARF_2021 is set by cmake/libdwarf.cmake ---- */

#ifdef PROFPLUG_LIBDWARF_2021
#define debug_init(path, group, debug, error) \
    dwarf_init_path(path, NULL, 0, DW_DLC_READ, group, NULL, NULL, debug, NULL, 0, NULL, error)
#define debug_finish(debug) dwarf_finish(debug, &(Dwarf_Error){ NULL })
#define ranges_free dwarf_ranges_dealloc
#else
#define debug_init(path, group, debug, error) dwarf_init_path(path, NULL, 0, group, NULL, NULL, debug, error)
#define debug_finish(debug) dwarf_finish(debug)
#define ranges_free dwarf_dealloc_ranges
#endif

void symbolizer_complain(struct symbolizer *s, const char *what, const char *detail)
{
    const char *path = image_debug_path(s->image);
    if (!*s->complaint)
        snprintf(s->complaint, sizeof s->complaint, "%s: %s%s%s", path ? path : image_path(s->image), what,
                 detail ? ": " : "", detail ? detail : "");
    for (char *at = s->complaint; *at; at++) /* names in it may come from a damaged file */
        if ((unsigned char)*at < ' ')
            *at = '?';
}

/* After a libdwarf call: true if there is a result. An error is noted and freed. */
static bool got(struct symbolizer *s, Dwarf_Debug debug, int result, Dwarf_Error *error, const char *what)
{
    if (result == DW_DLV_ERROR) {
        if (what)
            symbolizer_complain(s, what, *error ? dwarf_errmsg(*error) : NULL);
        if (*error)
            dwarf_dealloc_error(debug, *error);
        *error = NULL;
    }
    return result == DW_DLV_OK;
}

struct Dwarf_Debug_s *debug_open(struct symbolizer *s, const char *path, bool is_split)
{
    char why[sizeof s->complaint - 100]; /* so that what it is about has room beside it */
    Dwarf_Debug debug = NULL;
    Dwarf_Error error = NULL;
    int result;
    /* what is allocated is freed here, because libdwarf would spend most of its time on its own bookkeeping */
    dwarf_set_de_alloc_flag(0);
    if (!section_lists_sound(path, why, sizeof why)) {
        if (!*s->complaint)
            snprintf(s->complaint, sizeof s->complaint, "%s", why);
        return NULL;
    }
    result = debug_init(path, is_split ? DW_GROUPNUMBER_DWO : DW_GROUPNUMBER_BASE, &debug, &error);
    if (result == DW_DLV_OK)
        return debug;
    snprintf(why, sizeof why, "unreadable debug information in %s", path);
    symbolizer_complain(s, why, result == DW_DLV_ERROR && error ? dwarf_errmsg(error) : NULL);
    if (error)
        dwarf_dealloc_error(NULL, error);
    return NULL;
}

bool debug_need(struct symbolizer *s)
{
    const char *alt = image_debug_alt_path(s->image);
    if (s->debug_tried)
        return s->debug;
    s->debug_tried = true;
    s->debug = debug_open(s, image_debug_path(s->image), false);
    if (s->debug && alt && (s->alt = debug_open(s, alt, false)))
        debug_tie(s, s->debug, s->alt, "supplementary debug information");
    return s->debug;
}

void debug_close(struct Dwarf_Debug_s *debug) { debug_finish(debug); }

bool debug_tie(struct symbolizer *s, struct Dwarf_Debug_s *debug, struct Dwarf_Debug_s *to, const char *what)
{
    Dwarf_Error error = NULL;
    return got(s, debug, dwarf_set_tied_dbg(debug, to, &error), &error, what);
}

/* ---- one DIE ---- */

static uint64_t number_of(struct symbolizer *s, Dwarf_Debug debug, Dwarf_Attribute attribute)
{
    Dwarf_Unsigned value = 0;
    Dwarf_Signed negative = 0;
    Dwarf_Error error = NULL;
    if (got(s, debug, dwarf_formudata(attribute, &value, &error), &error, NULL))
        return value;
    return got(s, debug, dwarf_formsdata(attribute, &negative, &error), &error, NULL) && negative > 0
               ? (uint64_t)negative
               : 0;
}

static const char *text_of(struct symbolizer *s, Dwarf_Debug debug, Dwarf_Attribute attribute)
{
    char *text = NULL;
    Dwarf_Error error = NULL;
    return got(s, debug, dwarf_formstring(attribute, &text, &error), &error, "unreadable string") ? text : NULL;
}

/* An address that a .dwo gives by index is looked up through the skeleton. libdwarf 20210528 does not find it through
 * the tied file. */
static bool index_to_address(struct symbolizer *s, uint64_t index, uint64_t *address)
{
    Dwarf_Addr value = 0;
    Dwarf_Error error = NULL;
    if (!got(s, s->debug, dwarf_debug_addr_index_to_addr(s->skeleton, index, &value, &error), &error,
             "unreadable address index"))
        return false;
    *address = value;
    return true;
}

static bool address_of(struct symbolizer *s, Dwarf_Debug debug, Dwarf_Attribute attribute, Dwarf_Half form,
                       uint64_t *address)
{
    Dwarf_Addr value = 0;
    Dwarf_Unsigned index = 0;
    Dwarf_Error error = NULL;
    if (s->skeleton && dwarf_addr_form_is_indexed(form))
        return got(s, debug, dwarf_get_debug_addr_index(attribute, &index, &error), &error,
                   "unreadable address index") &&
               index_to_address(s, index, address);
    if (!got(s, debug, dwarf_formaddr(attribute, &value, &error), &error, "unreadable address"))
        return false;
    *address = value;
    return true;
}

static void take(struct symbolizer *s, Dwarf_Debug debug, Dwarf_Attribute attribute, bool with_code, struct die *die)
{
    Dwarf_Half number = 0, form = 0;
    Dwarf_Off offset = 0;
    Dwarf_Error error = NULL;
    if (!got(s, debug, dwarf_whatattr(attribute, &number, &error), &error, NULL) ||
        !got(s, debug, dwarf_whatform(attribute, &form, &error), &error, NULL))
        return;
    switch (number) {
    case DW_AT_name: die->name = text_of(s, debug, attribute); break;
    case DW_AT_linkage_name:
    case DW_AT_MIPS_linkage_name: die->linkage_name = text_of(s, debug, attribute); break;
    case DW_AT_comp_dir: die->directory = text_of(s, debug, attribute); break;
    case DW_AT_dwo_name:
    case DW_AT_GNU_dwo_name: die->dwo_name = text_of(s, debug, attribute); break;
    case DW_AT_GNU_ranges_base:
        if (got(s, debug, dwarf_global_formref(attribute, &offset, &error), &error, "unreadable range list"))
            die->ranges_base = offset;
        break;
    case DW_AT_GNU_dwo_id: die->signature = number_of(s, debug, attribute); break;
    case DW_AT_language: die->is_cplusplus = language_is_cplusplus(number_of(s, debug, attribute)); break;
    case DW_AT_decl_file: die->decl_file = number_of(s, debug, attribute); break;
    case DW_AT_decl_line: die->decl_line = number_of(s, debug, attribute); break;
    case DW_AT_decl_column: die->decl_column = number_of(s, debug, attribute); break;
    case DW_AT_call_file: die->call_file = number_of(s, debug, attribute); break;
    case DW_AT_call_line: die->call_line = number_of(s, debug, attribute); break;
    case DW_AT_call_column: die->call_column = number_of(s, debug, attribute); break;
    case DW_AT_stmt_list:
        die->has_statements = true;
        if (form != DW_FORM_sec_offset)
            die->statements = number_of(s, debug, attribute);
        else if (got(s, debug, dwarf_global_formref(attribute, &offset, &error), &error, "unreadable line table"))
            die->statements = offset;
        break;
    case DW_AT_declaration:
    case DW_AT_inline: die->is_abstract = true; break;
    case DW_AT_artificial: die->is_artificial = true; break;
    case DW_AT_call_tail_call:
    case DW_AT_GNU_tail_call: die->is_jump = true; break;
    case DW_AT_call_return_pc:
    case DW_AT_low_pc: die->has_low = with_code && address_of(s, debug, attribute, form, &die->low); break;
    case DW_AT_high_pc:
        if (!with_code)
            break;
        if (form == DW_FORM_addr || dwarf_addr_form_is_indexed(form)) {
            die->has_high = address_of(s, debug, attribute, form, &die->high);
        } else {
            die->high = number_of(s, debug, attribute);
            die->has_high = die->high_is_size = true;
        }
        break;
    case DW_AT_ranges:
        if (!with_code)
            break;
        die->ranges_form = form;
        if (form == DW_FORM_sec_offset &&
            got(s, debug, dwarf_global_formref(attribute, &offset, &error), &error, "unreadable range list"))
            die->has_ranges = true, die->ranges_value = offset;
        else if (form != DW_FORM_sec_offset)
            die->has_ranges = true, die->ranges_value = number_of(s, debug, attribute);
        break;
    case DW_AT_call_origin:
    case DW_AT_abstract_origin:
    case DW_AT_specification:
        die->origin_in_alt = form == DW_FORM_GNU_ref_alt || form == DW_FORM_ref_sup4 || form == DW_FORM_ref_sup8;
        if (form != DW_FORM_ref_sig8 &&
            got(s, debug, dwarf_global_formref(attribute, &offset, &error), &error, "unreadable reference"))
            die->has_origin = true, die->origin = offset;
        break;
    default: break;
    }
}

void die_read(struct symbolizer *s, struct Dwarf_Debug_s *debug, struct Dwarf_Die_s *handle, bool with_code,
              struct die *die)
{
    Dwarf_Attribute *list = NULL;
    Dwarf_Signed count = 0;
    Dwarf_Error error = NULL;
    memset(die, 0, sizeof *die);
    if (!got(s, debug, dwarf_attrlist(handle, &list, &count, &error), &error, "unreadable attributes"))
        return;
    for (Dwarf_Signed i = 0; i < count; i++) {
        bool had = die->has_ranges;
        take(s, debug, list[i], with_code, die);
        if (die->has_ranges && !had)
            die->ranges = list[i];
        else
            dwarf_dealloc_attribute(list[i]);
    }
    dwarf_dealloc(debug, list, DW_DLA_LIST);
}

void die_done(struct die *die)
{
    if (die->ranges)
        dwarf_dealloc_attribute(die->ranges);
    die->ranges = NULL;
}

/* ---- ranges of code ---- */

static void visit_old_ranges(struct symbolizer *s, const struct unit *unit, Dwarf_Debug debug, Dwarf_Die handle,
                             const struct die *die, range_visitor visitor, void *closure)
{
    Dwarf_Ranges *ranges = NULL;
    Dwarf_Signed count = 0;
    Dwarf_Unsigned bytes = 0;
    Dwarf_Off real = 0;
    Dwarf_Error error = NULL;
    uint64_t base = unit->base;
    if (unit->is_split) /* its lists are in the file, after the base that the skeleton names */
        debug = s->debug, handle = NULL;
    if (!got(s, debug,
             dwarf_get_ranges_b(debug, die->ranges_value + (unit->is_split ? unit->ranges_base : 0), handle, &real,
                                &ranges, &count, &bytes, &error),
             &error, "unreadable range list"))
        return;
    for (Dwarf_Signed i = 0; i < count && ranges[i].dwr_type != DW_RANGES_END; i++)
        if (ranges[i].dwr_type == DW_RANGES_ADDRESS_SELECTION)
            base = ranges[i].dwr_addr2;
        else if (!range_visit(s, visitor, closure, base + ranges[i].dwr_addr1, base + ranges[i].dwr_addr2))
            break;
    ranges_free(debug, ranges, count);
}

/* One entry of a DWARF 5 list, with `low` and `high` as libdwarf resolved them. False stops. */
static bool visit_entry(struct symbolizer *s, unsigned kind, uint64_t raw1, uint64_t raw2, uint64_t low, uint64_t high,
                        uint64_t *base, range_visitor visitor, void *closure)
{
    switch (kind) {
    case DW_RLE_end_of_list: return false;
    case DW_RLE_base_address: *base = raw1; return true;
    case DW_RLE_base_addressx: *base = low; return true;
    case DW_RLE_offset_pair: return range_visit(s, visitor, closure, *base + raw1, *base + raw2);
    default: return range_visit(s, visitor, closure, low, high);
    }
}

static void visit_new_ranges(struct symbolizer *s, const struct unit *unit, const struct die *die,
                             range_visitor visitor, void *closure)
{
    Dwarf_Rnglists_Head head = NULL;
    Dwarf_Unsigned count = 0, global = 0;
    Dwarf_Error error = NULL;
    uint64_t base = unit->base;
    bool more = true;
    if (!got(s, s->debug,
             dwarf_rnglists_get_rle_head(die->ranges, die->ranges_form, die->ranges_value, &head, &count, &global,
                                         &error),
             &error, "unreadable range list"))
        return;
    for (Dwarf_Unsigned i = 0; i < count && more; i++) {
        unsigned length = 0, kind = 0;
        Dwarf_Unsigned raw1 = 0, raw2 = 0, low = 0, high = 0;
        Dwarf_Bool unavailable = 0;
        more = got(s, s->debug,
                   dwarf_get_rnglists_entry_fields_a(head, i, &length, &kind, &raw1, &raw2, &unavailable, &low, &high,
                                                     &error),
                   &error, "unreadable range list") &&
               (unavailable || visit_entry(s, kind, raw1, raw2, low, high, &base, visitor, closure));
    }
    dwarf_dealloc_rnglists_head(head);
}

/* The same in a .dwo, entry by entry: libdwarf 20210528 cannot find a list there by its index, nor the base address. */
static void visit_split_ranges(struct symbolizer *s, const struct unit *unit, const struct die *die,
                               range_visitor visitor, void *closure)
{
    Dwarf_Unsigned at = 0, end = 0, local = 0, global = 0, header = 0, entries = 0, array = 0, first = 0;
    Dwarf_Small offset_size = 0, extension = 0, address_size = 0, segment_size = 0;
    unsigned version = 0;
    Dwarf_Error error = NULL;
    uint64_t base = unit->base;
    for (int tries = 0; !end && tries < 2; tries++) { /* newer versions read the tables only on request */
        if (tries && !got(s, unit->debug, dwarf_load_rnglists(unit->debug, &entries, &error), &error,
                          "unreadable range lists in .dwo"))
            return;
        got(s, unit->debug,
            dwarf_get_rnglist_context_basics(unit->debug, 0, &header, &offset_size, &extension, &version, &address_size,
                                             &segment_size, &entries, &array, &first, &end, &error),
            &error, "unreadable range lists in .dwo");
    }
    at = die->ranges_value;
    if (die->ranges_form == DW_FORM_rnglistx) { /* the global offset that 0.11 returns is not that of the list */
        if (!got(s, unit->debug, dwarf_get_rnglist_offset_index_value(unit->debug, 0, at, &local, &global, &error),
                 &error, "unreadable range list in .dwo"))
            return;
        at = array + local;
    }
    while (at >= first && at < end) {
        unsigned length = 0, kind = 0;
        Dwarf_Unsigned raw1 = 0, raw2 = 0;
        uint64_t low = 0, high = 0;
        if (!got(s, unit->debug, dwarf_get_rnglist_rle(unit->debug, 0, at, end, &length, &kind, &raw1, &raw2, &error),
                 &error, "unreadable range list in .dwo") ||
            !length)
            return;
        if ((kind == DW_RLE_base_addressx || kind == DW_RLE_startx_length || kind == DW_RLE_startx_endx) &&
            !index_to_address(s, raw1, &low))
            return;
        if (kind == DW_RLE_startx_endx && !index_to_address(s, raw2, &high))
            return;
        if (kind == DW_RLE_startx_length)
            high = low + raw2;
        if (kind == DW_RLE_start_end || kind == DW_RLE_start_length)
            low = raw1, high = kind == DW_RLE_start_end ? raw2 : raw1 + raw2;
        if (!visit_entry(s, kind, raw1, raw2, low, high, &base, visitor, closure))
            return;
        at += length;
    }
}

void die_ranges(struct symbolizer *s, const struct unit *unit, struct Dwarf_Debug_s *debug, struct Dwarf_Die_s *handle,
                const struct die *die, range_visitor visitor, void *closure)
{
    if (die->has_ranges && unit->version < 5)
        visit_old_ranges(s, unit, debug, handle, die, visitor, closure);
    else if (die->has_ranges)
        (unit->is_split ? visit_split_ranges : visit_new_ranges)(s, unit, die, visitor, closure);
    else if (die->has_low && die->has_high)
        range_visit(s, visitor, closure, die->low, die->high_is_size ? die->low + die->high : die->high);
}

/* ---- from one DIE to the next ---- */

struct Dwarf_Die_s *die_open(struct symbolizer *s, struct Dwarf_Debug_s *debug, uint64_t offset, const char *what)
{
    Dwarf_Die handle = NULL;
    Dwarf_Error error = NULL;
    return got(s, debug, dwarf_offdie_b(debug, offset, 1, &handle, &error), &error, what) ? handle : NULL;
}

void die_close(struct Dwarf_Die_s *handle) { dwarf_dealloc_die(handle); }

struct Dwarf_Die_s *die_child(struct symbolizer *s, struct Dwarf_Debug_s *debug, struct Dwarf_Die_s *of)
{
    Dwarf_Die handle = NULL;
    Dwarf_Error error = NULL;
    return got(s, debug, dwarf_child(of, &handle, &error), &error, "unreadable entry") ? handle : NULL;
}

struct Dwarf_Die_s *die_sibling(struct symbolizer *s, struct Dwarf_Debug_s *debug, struct Dwarf_Die_s *of)
{
    Dwarf_Die handle = NULL;
    Dwarf_Error error = NULL;
    return got(s, debug, dwarf_siblingof_b(debug, of, 1, &handle, &error), &error, "unreadable entry") ? handle : NULL;
}

bool die_offset(struct symbolizer *s, struct Dwarf_Debug_s *debug, struct Dwarf_Die_s *handle, uint64_t *offset)
{
    Dwarf_Off value = 0;
    Dwarf_Error error = NULL;
    if (!got(s, debug, dwarf_dieoffset(handle, &value, &error), &error, NULL))
        return false;
    *offset = value;
    return true;
}

bool die_kind(struct symbolizer *s, struct Dwarf_Debug_s *debug, struct Dwarf_Die_s *handle, enum die_kind *kind,
              const char *what)
{
    Dwarf_Half tag = 0;
    Dwarf_Error error = NULL;
    if (!got(s, debug, dwarf_tag(handle, &tag, &error), &error, what))
        return false;
    switch (tag) {
    case DW_TAG_subprogram: *kind = DIE_FUNCTION; break;
    case DW_TAG_inlined_subroutine: *kind = DIE_INLINED; break;
    case DW_TAG_call_site:
    case DW_TAG_GNU_call_site: *kind = DIE_CALL; break;
    case DW_TAG_namespace: *kind = DIE_NAMESPACE; break;
    case DW_TAG_module: *kind = DIE_MODULE; break;
    case DW_TAG_class_type:
    case DW_TAG_structure_type:
    case DW_TAG_union_type:
    case DW_TAG_interface_type: *kind = DIE_TYPE; break;
    case DW_TAG_lexical_block:
    case DW_TAG_try_block:
    case DW_TAG_catch_block:
    case DW_TAG_with_stmt:
    case DW_TAG_common_block: *kind = DIE_BLOCK; break;
    default: *kind = DIE_OTHER; break;
    }
    return true;
}

bool handle_at(struct symbolizer *s, struct unit *unit, uint64_t offset, struct die *die)
{
    enum die_kind kind;
    struct Dwarf_Die_s *handle = die_open(s, unit->debug, offset, "unreadable reference");
    bool found = handle && die_kind(s, unit->debug, handle, &kind, NULL);
    memset(die, 0, sizeof *die);
    if (found)
        die_read(s, unit->debug, handle, false, die);
    if (handle)
        die_close(handle);
    return found;
}

/* ---- units ---- */

struct Dwarf_Die_s *debug_unit_next(struct symbolizer *s, struct Dwarf_Debug_s *debug, struct unit_header *header)
{
    Dwarf_Unsigned length = 0, type_offset = 0, after = 0;
    Dwarf_Half version = 0, tag = 0, type = 0, address_size = 0, length_size = 0, extension_size = 0;
    Dwarf_Off abbreviations = 0;
    Dwarf_Sig8 signature = { { 0 } };
    Dwarf_Error error = NULL;
    Dwarf_Die handle = NULL;
    while (got(s, debug,
               dwarf_next_cu_header_d(debug, 1, &length, &version, &abbreviations, &address_size, &length_size,
                                      &extension_size, &signature, &type_offset, &after, &type, &error),
               &error, "unreadable unit header")) {
        header->at = header->next;
        header->next = after;
        memcpy(&header->signature, &signature, sizeof header->signature);
        if (header->next <= header->at) {
            symbolizer_complain(s, "unit headers run backwards", NULL);
            return NULL;
        }
        if (!got(s, debug, dwarf_siblingof_b(debug, NULL, 1, &handle, &error), &error, "unreadable unit"))
            continue;
        header->is_split = type == DW_UT_split_compile;
        if (die_offset(s, debug, handle, &header->offset) &&
            got(s, debug, dwarf_tag(handle, &tag, &error), &error, NULL)) {
            header->is_compiled = tag == DW_TAG_compile_unit;
            return handle;
        }
        dwarf_dealloc_die(handle);
    }
    return NULL;
}
