/* SPDX-License-Identifier: GPL-3.0-or-later */
/* linerecord.cc: records a function's flow graph and the lines of its blocks, in the format of profplug/abi/line.h. The
 * record is emitted as top-level assembler, so that -flto keeps it even if it drops the function. Must not know why an
 * edge has a counter. */
#include "gcc.h"
#include "plugin.h"
#include "line/linecount.h"

/* ---- bytes ---- */

static void add_number (vec<unsigned char> *bytes, uint64_t number)
{
    for (; number > 127; number >>= 7)
        bytes->safe_push ((number & 127) | 128);
    bytes->safe_push (number);
}

static void add_text (vec<unsigned char> *bytes, const char *text)
{
    do
        bytes->safe_push (*text);
    while (*text++);
}

static uint64_t hash_bytes (const vec<unsigned char> *bytes, unsigned kind)      /* FNV-1a */
{
    uint64_t hash = UINT64_C (0xcbf29ce484222325) ^ kind;
    for (unsigned i = 0; i < bytes->length (); i++)
        hash = (hash ^ (*bytes)[i]) * UINT64_C (0x100000001b3);
    return hash ^ hash >> 29;
}

static uint64_t write (enum pp_line_record_kind kind, const vec<unsigned char> *bytes)
{
    uint64_t id = hash_bytes (bytes, kind);
    unsigned length = bytes->length (), size = (sizeof (struct pp_line_record) + length + 7) & ~7u;
    auto_vec<char> text;
    text.reserve (length * 4 + 200);
    char piece[160];
    auto say = [&] (const char *what) { for (; *what; what++) text.safe_push (*what); };
    snprintf (piece, sizeof piece,
              "\t.pushsection profplug_lines,\"a\",@progbits; .balign 8; .long %u,%u; .quad 0x%llx", kind, size,
              (unsigned long long) id);
    say (piece);
    for (unsigned i = 0; i < size - sizeof (struct pp_line_record); i++) {
        snprintf (piece, sizeof piece, "%s%u", i % 64 ? "," : "\n\t.byte ", i < length ? (*bytes)[i] : 0);
        say (piece);
    }
    say ("; .popsection");
    text.safe_push (0);
    if (symtab->state < EXPANSION)
        symtab->finalize_toplevel_asm (build_string (text.length (), text.address ()));
    else
        sitetab_take_text (xstrdup (text.address ()));
    return id;
}

/* ---- files ---- */

static uint64_t file_id (const char *name)
{
    static hash_map<nofree_string_hash, uint64_t> *known;
    if (!known)
        known = new hash_map<nofree_string_hash, uint64_t>;
    if (uint64_t *id = known->get (name))
        return *id;
    auto_vec<unsigned char> bytes;
    const char *path = IS_ABSOLUTE_PATH (name) ? name : concat (get_src_pwd (), "/", name, NULL);
    add_text (&bytes, remap_debug_filename (path));
    uint64_t id = write (PP_LINE_FILE, &bytes);
    known->put (xstrdup (name), id);
    return id;
}

static unsigned file_index (vec<uint64_t> *files, const char *name)
{
    uint64_t id = file_id (name);
    for (unsigned i = 0; i < files->length (); i++)
        if ((*files)[i] == id)
            return i;
    files->safe_push (id);
    return files->length () - 1;
}

/* ---- lines ---- */

struct line { unsigned file, number; };
struct line_list {
    auto_vec<struct line> lines;
    hash_set<int_hash<uint64_t, UINT64_MAX, UINT64_MAX - 1>> known;
};

static void add_line (struct line_list *list, vec<uint64_t> *files, location_t location)
{
    expanded_location where = expand_location (location);
    if (!where.file)
        return;
    struct line line = { file_index (files, where.file), where.line > 0 ? (unsigned) where.line : 1 };
    if (!list->known.add ((uint64_t) line.file << 32 | line.number))
        list->lines.safe_push (line);
}

static bool is_real (location_t location)
{
    return LOCATION_LOCUS (location) > BUILTINS_LOCATION;
}

typedef hash_set<int_hash<location_t, UNKNOWN_LOCATION, BUILTINS_LOCATION>> location_set;

/* `only`: the block's only outgoing edge, or null. */
static void block_lines (function *fun, struct line_graph *graph, unsigned number, edge only, struct line_list *lines,
                         vec<uint64_t> *files, location_set *seen)
{
    basic_block block = graph->blocks[number];
    if (!block) {
        if (number)
            add_line (lines, files, graph->jumps[number - graph->real]);
        return;
    }
    if (number == 1 && is_real (DECL_SOURCE_LOCATION (fun->decl))) {
        seen->add (DECL_SOURCE_LOCATION (fun->decl));
        add_line (lines, files, DECL_SOURCE_LOCATION (fun->decl));
    }
    for (; block; block = graph->next[block->index]) {
        if (graph->silent.contains (block))
            return;
        for (gimple_stmt_iterator at = gsi_start_bb (block); !gsi_end_p (at); gsi_next (&at)) {
            location_t location = gimple_location (gsi_stmt (at));
            if (is_gimple_debug (gsi_stmt (at)) || !is_real (location))
                continue;
            seen->add (location);
            add_line (lines, files, location);
            if (graph->departures.contains (gsi_stmt (at)))
                return;
        }
    }
    /* A goto that became an edge. */
    if (only && is_real (only->goto_locus) && !seen->contains (only->goto_locus))
        add_line (lines, files, only->goto_locus);
}

static int by_origin (const void *a, const void *b)
{
    const struct line_edge *x = *(const struct line_edge *const *) a, *y = *(const struct line_edge *const *) b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return x < y ? -1 : x > y;
}

/* Lists every mark in the block: its function takes the place of the file, and its counter the place of the line. */
static void block_marks (basic_block block, struct line_list *marks, vec<uint64_t> *ids)
{
    for (gimple_stmt_iterator at = gsi_start_bb (block); !gsi_end_p (at); gsi_next (&at)) {
        struct line mark;
        uint64_t id;
        if (!linefold_is_mark (gsi_stmt (at), &id, &mark.number))
            continue;
        for (mark.file = 0; mark.file < ids->length () && (*ids)[mark.file] != id; mark.file++)
            ;
        if (mark.file == ids->length ())
            ids->safe_push (id);
        marks->lines.safe_push (mark);
    }
}

/* If `fun` is null, writes a FOLD record. */
static uint64_t graph_write (function *fun, struct line_graph *graph)
{
    auto_vec<uint64_t> files;
    auto_vec<unsigned char> edges, lines;
    auto_vec<struct line_edge *> order;
    location_set seen;
    for (unsigned i = 0; i < graph->edges.length (); i++)
        order.safe_push (&graph->edges[i]);
    order.qsort (by_origin);
    unsigned next = 0;
    for (unsigned number = 0; number < graph->blocks.length (); number++) {
        unsigned first = next;
        while (next < order.length () && order[next]->from == number)
            next++;
        add_number (&edges, next - first);
        for (unsigned i = first; i < next; i++) {
            add_number (&edges, order[i]->to);
            add_number (&edges, order[i]->again ? graph->counters + 1 : order[i]->counter + 1);
        }
        struct line_list list;
        if (fun)
            block_lines (fun, graph, number, next == first + 1 ? order[first]->real : nullptr, &list, &files, &seen);
        else
            for (basic_block block = graph->blocks[number]; block; block = graph->next[block->index])
                block_marks (block, &list, &files);
        add_number (&lines, list.lines.length ());
        int before = 0;
        for (unsigned i = 0; i < list.lines.length (); i++) {
            int change = (int) list.lines[i].number - before;
            before = list.lines[i].number;
            add_number (&lines, list.lines[i].file);
            add_number (&lines, change < 0 ? (unsigned) (-change - 1) * 2 + 1 : (unsigned) change * 2);
        }
    }
    auto_vec<unsigned char> bytes;
    add_text (&bytes, fun ? function_symbol (fun->decl) : "");
    add_number (&bytes, graph->counters);
    add_number (&bytes, graph->blocks.length ());
    add_number (&bytes, files.length ());
    for (unsigned i = 0; i < files.length (); i++)
        for (unsigned shift = 0; shift < 64; shift += 8)
            bytes.safe_push (files[i] >> shift);
    bytes.safe_splice (edges);
    bytes.safe_splice (lines);
    return write (fun ? PP_LINE_FUNCTION : PP_LINE_FOLD, &bytes);
}

uint64_t linerecord_write (function *fun, struct line_graph *graph)
{
    return graph_write (fun, graph);
}

uint64_t linerecord_write_fold (struct line_graph *graph)
{
    return graph_write (nullptr, graph);
}
