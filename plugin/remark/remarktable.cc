/* SPDX-License-Identifier: GPL-3.0-or-later */
/* remarktable.cc: the remarks of the current function, and the chunks of the unit's remarks as assembler, in the format
 * of profplug/abi/remark.h. Must not know what a remark says. */
#include "gcc.h"
#include "plugin.h"
#include "remark/remarks.h"

#define REMARKS_MOST 2000                /* of a function: what exceeds this is dropped */

/* ---- bytes ---- */

static void add_number (vec<unsigned char> *bytes, uint64_t number)
{
    for (; number > 127; number >>= 7)
        bytes->safe_push ((number & 127) | 128);
    bytes->safe_push (number);
}

/* ---- texts of a chunk ---- */

struct chunk {
    hash_map<nofree_string_hash, unsigned> known;
    auto_vec<const char *> texts;
    auto_vec<unsigned char> functions;
    unsigned count;                    /* of functions */
};

static unsigned text_index (struct chunk *chunk, const char *text)
{
    if (!text || !*text)
        return 0;
    if (unsigned *index = chunk->known.get (text))
        return *index;
    char *copy = xstrdup (text);
    chunk->texts.safe_push (copy);
    chunk->known.put (copy, chunk->texts.length ());
    return chunk->texts.length ();
}

static const char *path_of (const char *name)
{
    static hash_map<nofree_string_hash, const char *> *known;
    if (!name)
        return "";
    if (!known)
        known = new hash_map<nofree_string_hash, const char *>;
    if (const char **path = known->get (name))
        return *path;
    const char *path = IS_ABSOLUTE_PATH (name) ? name : concat (get_src_pwd (), "/", name, NULL);
    path = remap_debug_filename (path);
    known->put (xstrdup (name), path);
    return path;
}

/* ---- the current function ---- */

struct remark {
    enum pp_remark_kind kind;
    unsigned loop, line;
    const char *file;
    location_t where;
    int64_t value;
    char *detail, *why;
    bool expected;                     /* it was true before the last optimizations, and is not yet seen after them */
};

static struct {
    tree function;                     /* null: none */
    bool early;
    vec<struct remark_loop> loops;
    vec<struct remark> remarks;
} work;

static void work_clear ()
{
    for (struct remark &one : work.remarks) {
        free (one.detail);
        free (one.why);
    }
    work.loops.truncate (0);
    work.remarks.truncate (0);
    work.function = NULL_TREE;
}

void remark_begin (function *fun)
{
    work_clear ();
    work.function = fun->decl;
    work.early = false;
}

void remark_expect (bool early)
{
    work.early = early;
}

bool remark_has_begun (function *fun)
{
    return work.function == fun->decl;
}

tree remark_body (tree block)
{
    while (block && TREE_CODE (block) == BLOCK && !inlined_function_outer_scope_p (block))
        block = BLOCK_SUPERCONTEXT (block);
    return block && TREE_CODE (block) == BLOCK ? block : NULL_TREE;
}

bool remark_same_source (location_t a, location_t b)
{
    const char *x = LOCATION_FILE (a), *y = LOCATION_FILE (b);
    return x && y && !strcmp (x, y) && remark_body (LOCATION_BLOCK (a)) == remark_body (LOCATION_BLOCK (b));
}

static bool is_real (location_t where)
{
    return LOCATION_LOCUS (where) > BUILTINS_LOCATION;
}

/* Where the user wrote it: the call of what was inlined from a header of the system, or where a macro of one stands. */
static location_t written_at (location_t where)
{
    location_t macro = expansion_point_location_if_in_system_header (where);
    if (!in_system_header_at (macro))
        return macro;
    for (tree body = remark_body (LOCATION_BLOCK (where)); body && in_system_header_at (where);
         body = remark_body (BLOCK_SUPERCONTEXT (body)))
        if (is_real (BLOCK_SOURCE_LOCATION (body)))
            where = BLOCK_SOURCE_LOCATION (body);
    return where;
}

static void widen (struct remark_loop *to, location_t where)
{
    if (!is_real (where) || !remark_same_source (where, to->where))
        return;
    unsigned line = LOCATION_LINE (where);
    to->first = to->first && to->first < line ? to->first : line;
    to->last = to->last > line ? to->last : line;
}

static struct remark_loop describe (class loop *loop, location_t where)
{
    struct remark_loop made = {};
    made.where = where;
    made.told = find_loop_location (loop).get_location_t ();
    made.number = loop->num;
    made.innermost = !loop->inner;
    if (!is_real (where))
        return made;
    basic_block *blocks = get_loop_body (loop);
    for (unsigned i = 0; i < loop->num_nodes; i++)
        for (gimple_stmt_iterator at = gsi_start_bb (blocks[i]); !gsi_end_p (at); gsi_next (&at))
            if (!is_gimple_debug (gsi_stmt (at)) && !lineslot_is_counter (gsi_stmt (at)))
                widen (&made, gimple_location (gsi_stmt (at)));
    free (blocks);
    widen (&made, where);
    return made;
}

/* GCC's own answer for a loop of two exits may be a debug statement's place: that of a call inlined before it. */
location_t remark_place (class loop *loop)
{
    gimple *leave = get_loop_exit_condition (loop);
    gimple_stmt_iterator at = gsi_start_nondebug_bb (loop->header);
    for (; !(leave && is_real (gimple_location (leave))) && !gsi_end_p (at); gsi_next_nondebug (&at))
        leave = gsi_stmt (at);
    location_t where = leave ? gimple_location (leave) : find_loop_location (loop).get_location_t ();
    return is_real (where) ? where : UNKNOWN_LOCATION;
}

unsigned remark_loop_number (class loop *loop)
{
    location_t where = loop && loop_outer (loop) ? remark_place (loop) : UNKNOWN_LOCATION;
    if (where == UNKNOWN_LOCATION)
        return 0;
    expanded_location at = expand_location (where);
    for (unsigned i = 0; i < work.loops.length (); i++) {
        expanded_location other = expand_location (work.loops[i].where);
        if (at.line == other.line && at.column == other.column && remark_same_source (where, work.loops[i].where))
            return i + 1;
    }
    struct remark_loop made = describe (loop, where);
    for (unsigned i = 0; i < work.loops.length (); i++) {
        const struct remark_loop *known = &work.loops[i];
        if (known->number == made.number && made.first && remark_same_source (where, known->where)
            && made.first <= known->last && known->first <= made.last)
            return i + 1;
    }
    work.loops.safe_push (made);
    return work.loops.length ();
}

struct remark_loop *remark_loop_at (unsigned number)
{
    return number && number <= work.loops.length () ? &work.loops[number - 1] : nullptr;
}

static bool same_text (const char *a, const char *b)
{
    return a == b || (a && b && !strcmp (a, b));
}

/* Is it a name of the profiler's own, in a loop that is measured? */
static bool is_ours (const char *text)
{
    return text && strstr (text, "profplug_");
}

void remark_add (enum pp_remark_kind kind, unsigned loop, location_t where, int64_t value, const char *detail,
                 const char *why)
{
    if (!is_real (where) && loop)
        where = remark_loop_at (loop)->where;
    if (!is_real (where) || work.remarks.length () >= REMARKS_MOST || is_ours (detail) || is_ours (why))
        return;
    where = written_at (where);
    struct remark made = { kind, loop, (unsigned) LOCATION_LINE (where), path_of (LOCATION_FILE (where)),
                           LOCATION_LOCUS (where), value, nullptr, nullptr, work.early };
    for (struct remark &one : work.remarks)
        if (one.expected && !work.early && one.kind == kind && one.where == made.where) {
            one.expected = false;
            return;
        }
    for (struct remark &one : work.remarks)
        if (one.kind == kind && one.loop == loop && one.line == made.line && one.value == value
            && same_text (one.file, made.file) && same_text (one.detail, detail) && same_text (one.why, why)) {
            one.expected = one.expected && work.early; /* early, it stood for another of its line as well */
            return;
        }
    made.detail = detail ? xstrdup (detail) : nullptr;
    made.why = why ? xstrdup (why) : nullptr;
    work.remarks.safe_push (made);
}

void remark_add_loop (unsigned number)
{
    const struct remark_loop *loop = remark_loop_at (number);
    unsigned before = work.remarks.length ();
    remark_add (PP_REMARK_LOOP, number, loop->where, loop->last);
    if (work.remarks.length () == before || !loop->first)
        return;
    struct remark *made = &work.remarks.last ();
    if (written_at (loop->where) != loop->where)
        made->value = made->line;
    else
        made->line = loop->first;
}

void remark_drop (enum pp_remark_kind kind, unsigned loop)
{
    for (unsigned i = work.remarks.length (); i-- > 0;)
        if (work.remarks[i].kind == kind && work.remarks[i].loop == loop) {
            free (work.remarks[i].detail);
            free (work.remarks[i].why);
            work.remarks.ordered_remove (i);
        }
}

bool remark_confirm (enum pp_remark_kind kind, location_t where)
{
    bool found = false;
    for (struct remark &one : work.remarks)
        if (one.kind == kind && one.where == LOCATION_LOCUS (written_at (where))) {
            one.expected = false;
            found = true;
        }
    return found;
}

void remark_keep (enum pp_remark_kind kind, place_set *places)
{
    for (struct remark &one : work.remarks)
        one.expected |= one.kind == kind && !places->contains (one.where);
}

bool remark_has (enum pp_remark_kind kind, unsigned loop)
{
    for (struct remark &one : work.remarks)
        if (one.kind == kind && one.loop == loop)
            return true;
    return false;
}

/* ---- chunks ---- */

static struct chunk *unit;
static vec<char *> group_texts;          /* of chunks that units share */

static void encode (struct chunk *chunk, const struct remark *one)
{
    auto_vec<unsigned char> bytes;
    uint64_t value = one->value < 0 ? (uint64_t) (-one->value - 1) * 2 + 1 : (uint64_t) one->value * 2;
    const uint64_t fields[] = { (uint64_t) one->kind,
                                text_index (chunk, one->file),
                                one->line,
                                one->loop,
                                value,
                                text_index (chunk, one->detail),
                                text_index (chunk, one->why) };
    for (uint64_t field : fields)
        add_number (&bytes, field);
    add_number (&chunk->functions, bytes.length ());
    chunk->functions.safe_splice (bytes);
}

/* Directives that put the chunk into the section. `group`: the COMDAT group, or null. */
static char *chunk_text (struct chunk *chunk, const char *group)
{
    auto_vec<unsigned char> head;
    unsigned bytes = 5, lengths = 1;
    for (const char *text : chunk->texts)
        lengths += strlen (text) + 1;
    add_number (&head, chunk->texts.length () + 1);
    auto_vec<unsigned char> count;
    add_number (&count, chunk->count);
    bytes += head.length () + lengths + count.length () + chunk->functions.length ();

    char *out;
    size_t size;
    FILE *file = open_memstream (&out, &size);
    fprintf (file, "\t.pushsection\t" PP_REMARK_SECTION ",\"%s\",@progbits%s%s%s\n\t.long %u; .byte %u\n",
             group ? "G" : "", group ? ",\"" : "", group ? group : "", group ? "\",comdat" : "", bytes,
             PP_REMARK_VERSION);
    auto put = [&] (const vec<unsigned char> *from) {
        for (unsigned i = 0; i < from->length (); i++)
            fprintf (file, "%s%u", i % 64 ? "," : "\n\t.byte ", (*from)[i]);
        fputc ('\n', file);
    };
    put (&head);
    fputs ("\t.byte 0\n", file);
    for (const char *text : chunk->texts) {
        fputs ("\t.asciz\t\"", file);
        for (; *text; text++)
            fprintf (file, *text == '"' || *text == '\\' || *text < ' ' || *text == 0x7f ? "\\%03o" : "%c",
                     (unsigned char) *text);
        fputs ("\"\n", file);
    }
    put (&count);
    put (&chunk->functions);
    fputs ("\t.popsection\n", file);
    fclose (file);
    return out;
}

static bool is_final (const struct remark *one)
{
    return !one->expected && (!one->loop || work.loops[one->loop - 1].is_there);
}

void remark_end (function *fun)
{
    if (work.function != fun->decl)
        return;
    unsigned count = 0;
    for (struct remark &one : work.remarks)
        count += is_final (&one);
    if (count) {
        struct chunk own, *chunk = &own;
        own.count = 0;
        tree group = DECL_COMDAT_GROUP (fun->decl);
        if (!group)
            chunk = unit = unit ? unit : new struct chunk ();
        chunk->count++;
        unsigned symbol = text_index (chunk, function_symbol (fun->decl)),
                 file = text_index (chunk, path_of (DECL_SOURCE_FILE (fun->decl)));
        add_number (&chunk->functions, symbol);
        add_number (&chunk->functions, file);
        add_number (&chunk->functions, count);
        for (struct remark &one : work.remarks)
            if (is_final (&one))
                encode (chunk, &one);
        if (group)
            group_texts.safe_push (chunk_text (chunk, IDENTIFIER_POINTER (group)));
    }
    work_clear ();
}

static void finish_unit (void *, void *)
{
    if (!asm_out_file || flag_syntax_only || seen_error ())
        return;
    if (unit)
        group_texts.safe_push (chunk_text (unit, nullptr));
    for (char *text : group_texts)
        fputs (text, asm_out_file);
}

void remarktable_register (const char *plugin_name)
{
    register_callback (plugin_name, PLUGIN_FINISH_UNIT, finish_unit, nullptr);
}
