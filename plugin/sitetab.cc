/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sitetab.cc: writes site records, and the object that heads them, as assembler at the end of the unit. Must not know
 * GIMPLE.
 *
 * The object is a local label, so it is not in the symbol table. Functions refer to it by an offset from their own
 * section, so --gc-sections keeps it exactly as long as one of them. Addresses in it are relative to itself, so it
 * needs no dynamic relocation. There is no constructor: the first probe that takes its slow path registers the whole
 * linked image. */
#include "gcc.h"
#include "plugin.h"

#include "emit.h"
#include "profplug/abi/line.h"

#include <cxxabi.h>

static vec<struct pp_site> sites;
static unsigned slots, probed;
static vec<struct pp_line_use> uses;
static vec<const char *> texts;

/* ---- strings: interned, with the offset each one will have ---- */
static hash_map<nofree_string_hash, unsigned> *offsets;
static vec<const char *> strings;
static unsigned strings_size;

static unsigned string_add (const char *text)
{
    if (!offsets) {
        offsets = new hash_map<nofree_string_hash, unsigned>;
        const char *empty = xstrdup ("");
        offsets->put (empty, 0);
        strings.safe_push (empty);
        strings_size = 1;
    }
    if (unsigned *known = offsets->get (text))
        return *known;
    char *copy = xstrdup (text);
    unsigned offset = strings_size;
    offsets->put (copy, offset);
    strings.safe_push (copy);
    strings_size += strlen (copy) + 1;
    return offset;
}

/* ---- names ---- */
const char *function_symbol (tree function)
{
    const char *symbol = IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (function));
    return *symbol == '*' ? symbol + 1 : symbol;
}

/* C++ names are demangled from the symbol, so that they are the same in lto1, which knows no scopes. */
const char *function_name (tree function)
{
    static hash_map<nofree_string_hash, const char *> *known;
    const char *symbol = function_symbol (function);
    if (strncmp (symbol, "_Z", 2)) {
        /* A clone is named after its function: f.isra.0. No name in a source has a dot. */
        const char *name = DECL_NAME (function) ? IDENTIFIER_POINTER (DECL_NAME (function)) : symbol;
        const char *dot = strchr (name, '.');
        return dot && dot != name ? xstrndup (name, dot - name) : name;
    }
    if (!known)
        known = new hash_map<nofree_string_hash, const char *>;
    if (const char **name = known->get (symbol))
        return *name;
    char *plain = xstrdup (symbol);
    if (char *suffix = strchr (plain, '.'))
        *suffix = 0;
    int status;
    char *name = abi::__cxa_demangle (plain, nullptr, nullptr, &status);
    if (!name)
        name = xstrdup (DECL_NAME (function) ? IDENTIFIER_POINTER (DECL_NAME (function)) : symbol);
    free (plain);
    known->put (xstrdup (symbol), name);
    return name;
}

static const char *path_as_debug_info_has_it (const char *path)
{
    return path ? remap_debug_filename (path) : "";
}

unsigned sitetab_add (tree function, const struct choice *choice)
{
    struct pp_site site = {};
    bool left_out = choice->mode == PP_MODE_LEFT_OUT;
    slots += choice->mode == PP_MODE_FRAMED && slots % 2;      /* its first two words are aligned */
    site.slot = left_out ? 0 : slots;
    slots += left_out ? 0 : choice->mode == PP_MODE_FRAMED ? PP_FRAMED_SLOTS : 1;
    probed += !left_out;
    site.kind = choice->stage ? PP_SITE_STAGE : PP_SITE_FUNCTION;
    site.mode = choice->mode;
    site.category = choice->stage ? (unsigned) choice->category : wrapper_is (function);
    site.reason = choice->reason;
    site.name = string_add (function_name (function));
    site.symbol = string_add (function_symbol (function));
    site.file = string_add (path_as_debug_info_has_it (DECL_SOURCE_FILE (function)));
    site.line = DECL_SOURCE_LINE (function);
    site.stage = string_add (choice->stage ? choice->stage : "");
    site.statements = choice->statements;
    sites.safe_push (site);
    return site.slot;
}

unsigned sitetab_take_lines (uint64_t id, unsigned counters)
{
    slots += counters;
    struct pp_line_use use = { id, slots - 1, counters };
    uses.safe_push (use);
    return use.slot;
}

void sitetab_name_line (uint64_t id, unsigned slot)
{
    struct pp_line_use use = { id, slot, 1 };
    uses.safe_push (use);
}

void sitetab_take_text (const char *text)
{
    texts.safe_push (text);
}

/* ---- assembler text ---- */
static void write_string (const char *text)
{
    fputs ("\t.asciz\t\"", asm_out_file);
    for (; *text; text++) {
        unsigned char c = *text;
        if (c == '"' || c == '\\')
            fprintf (asm_out_file, "\\%c", c);
        else if (c < ' ' || c >= 0x7f)
            fprintf (asm_out_file, "\\%03o", c);
        else
            putc (c, asm_out_file);
    }
    fputs ("\"\n", asm_out_file);
}

static void write_site (const struct pp_site *site)
{
#define PP_SITE_FIELD(type, bytes, name, meaning)                                                             \
    fprintf (asm_out_file, "%s%s%lu", strcmp (#name, "slot") ? "; " : "\t", bytes == 4 ? ".long " : ".byte ", \
             (unsigned long) site->name);
#include "profplug/abi/site.def"
    putc ('\n', asm_out_file);
}

/* struct pp_line_slots, after the strings. The section of lines is always there, so that its start and stop symbols are
 * defined. Its label keeps the unit's own records under --gc-sections. */
static void write_line_slots ()
{
    fprintf (asm_out_file,
             "\t.balign\t8\n.Lprofplug_slots:\n"
             "\t.weak\t__start_profplug_lines\n\t.hidden\t__start_profplug_lines\n"
             "\t.weak\t__stop_profplug_lines\n\t.hidden\t__stop_profplug_lines\n"
             "\t.long\t__start_profplug_lines-.Lprofplug_slots\n"
             "\t.long\t__stop_profplug_lines-.Lprofplug_slots\n"
             "\t.long\t.Lprofplug_waste_end-.Lprofplug_slots\n"
             "\t.long\t%u\n",
             uses.length ());
    for (unsigned i = 0; i < uses.length (); i++)
        fprintf (asm_out_file, "\t.quad\t0x%llx; .long %u,%u\n", (unsigned long long) uses[i].id, uses[i].slot,
                 uses[i].counters);
    fprintf (asm_out_file,
             "\t.long\t.Lprofplug_lines-.Lprofplug_slots\n"
             "\t.section\tprofplug_lines,\"a\"\n\t.balign\t8\n.Lprofplug_lines:\n\t.long\t%u, %u\n\t.quad\t0\n"
             "\t.section\t.bss.profplug_waste,\"aw\",@nobits\n\t.balign\t64\n\t.zero\t%u\n.Lprofplug_waste_end:\n",
             PP_LINE_NONE, (unsigned) sizeof (struct pp_line_record), slots * 8);
}

/* The last words of the object, and what they refer to. */
static void write_home ()
{
    if (!segment_is_used ()) {
        fputs ("\t.zero\t16\n", asm_out_file);
        return;
    }
    fprintf (asm_out_file,
             "\t.weak\t__start_profplug_home\n\t.hidden\t__start_profplug_home\n"
             "\t.weak\t__stop_profplug_home\n\t.hidden\t__stop_profplug_home\n"
             "\t.long\t.Lprofplug_home_end-.Lprofplug_object\n"
             "\t.long\t__start_profplug_home-.Lprofplug_object\n"
             "\t.long\t__stop_profplug_home-.Lprofplug_object\n"
             "\t.long\t__profplug_home@tpoff\n"
             "\t.pushsection\tprofplug_home,\"aw\",@nobits\n\t.balign\t16\n\t.zero\t%u\n"
             ".Lprofplug_home_end:\n\t.popsection\n"
             "\t.pushsection\t.tbss.__profplug_home,\"awTG\",@nobits,__profplug_home,comdat\n\t.balign\t8\n"
             "\t.weak\t__profplug_home\n\t.hidden\t__profplug_home\n\t.type\t__profplug_home,@object\n"
             "\t.size\t__profplug_home,%u\n"
             "__profplug_home:\n\t.zero\t%u\n\t.popsection\n",
             slots * 8, (unsigned) sizeof (struct pp_segment), (unsigned) sizeof (struct pp_segment));
}

void sitetab_finish (void *, void *)
{
    if (!(probed || uses.length ()) || !asm_out_file || flag_syntax_only || seen_error ())
        return;
    slots += slots % 2 + (slots ? 0 : 2);
    unsigned unit_string = string_add (path_as_debug_info_has_it (main_input_filename));
    unsigned directory_string = string_add (path_as_debug_info_has_it (get_src_pwd ()));
    unsigned compiler_string = string_add (compiler_name);

    /* struct pp_object, field by field. */
    fprintf (asm_out_file,
             "\t.section\tprofplug_objects,\"aw\"\n"
             "\t.balign\t64\n"
             "\t.weak\t__start_profplug_objects\n\t.hidden\t__start_profplug_objects\n"
             "\t.weak\t__stop_profplug_objects\n\t.hidden\t__stop_profplug_objects\n"
             ".Lprofplug_object:\n"
             "\t.quad\t-1\n"                                                 /* end: PP_END_UNREGISTERED */
             "\t.long\t1\n"                                                  /* stages */
             "\t.long\t%u\n"                                                 /* abi */
             "\t.quad\t0\n"                                                  /* tls */
             "\t.long\t.Lprofplug_sites-.Lprofplug_object\n"                 /* sites */
             "\t.long\t.Lprofplug_strings-.Lprofplug_object\n"               /* strings */
             "\t.long\t__start_profplug_objects-.Lprofplug_object\n"         /* objects_start */
             "\t.long\t__stop_profplug_objects-.Lprofplug_object\n"          /* objects_stop */
             "\t.long\t%u, %u, %u, %u, %u, %u, %u, 0\n",                     /* site_count .. flags, last_key */
             PP_ABI_VERSION, sites.length (), strings_size, slots, unit_string, directory_string, compiler_string,
             (arguments.default_on ? 0u : PP_OBJECT_DEFAULT_OFF) | (uses.length () ? PP_OBJECT_LINES : 0u)
             | (segment_is_used () ? PP_OBJECT_SEGMENT : 0u));
    write_home ();
    if (is_for_library ())
        fputs ("\t.globl\t" PP_LINK_EMBEDDED "\n", asm_out_file);
    /* It asks for the symbol, and writes nothing. In no other kind of section may it be a shared library's. */
    fputs ("\t.pushsection\t.debug_profplug_runtime,\"\",@progbits\n\t.reloc\t., BFD_RELOC_NONE, " PP_LINK_RUNTIME "\n",
           asm_out_file);
    heapcall_write_names ();
    fputs ("\t.byte\t0\n\t.popsection\n", asm_out_file);
    fputs ("\t.weak\t__start_profplug_wrappers\n\t.hidden\t__start_profplug_wrappers\n"
           "\t.weak\t__stop_profplug_wrappers\n\t.hidden\t__stop_profplug_wrappers\n"
           "\t.long\t__start_profplug_wrappers-.Lprofplug_object\n"
           "\t.long\t__stop_profplug_wrappers-.Lprofplug_object\n"
           "\t.zero\t32\n"                                                 /* reserved */
           "\t.section\tprofplug_wrappers,\"a\",@progbits\n\t.balign\t4\n\t.long\t0\n",
           asm_out_file);
    fprintf (asm_out_file, "\t.section\tprofplug_sites,\"a\"\n\t.balign\t8\n.Lprofplug_sites:\n");
    for (unsigned i = 0; i < sites.length (); i++)
        write_site (&sites[i]);
    fprintf (asm_out_file, ".Lprofplug_strings:\n");
    for (unsigned i = 0; i < strings.length (); i++)
        write_string (strings[i]);
    if (uses.length ())
        write_line_slots ();
    for (unsigned i = 0; i < texts.length (); i++)
        fprintf (asm_out_file, "%s\n", texts[i]);
    in_section = nullptr;      /* so that GCC names its section again before it continues */
}
