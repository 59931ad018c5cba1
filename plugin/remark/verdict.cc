/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verdict.cc: remarks on whether loops are vectorized, and if not, why not, in GCC's own words: the vectorizer's
 * messages are taken while it runs, as -fopt-info-vec prints them. What counts in the end is the code: a loop that was
 * vectorized has vectors in it. Must not know why the vectorizer decides as it does. */
#include "gcc.h"
#include "plugin.h"
#include "remark/remarks.h"

/* ---- messages ---- */

static pretty_printer *printer;
static bool listens;

void verdict_begin ()
{
    if (!printer)
        printer = new pretty_printer ();
    pp_clear_output_area (printer);
    dump_context &context = dump_context::get ();
    listens = !context.m_test_pp;
    if (!listens)
        return;
    context.m_test_pp = printer;
    context.m_test_pp_flags =
        MSG_OPTIMIZED_LOCATIONS | MSG_MISSED_OPTIMIZATION | MSG_PRIORITY_USER_FACING | MSG_PRIORITY_REEMITTED;
    context.refresh_dumps_are_enabled ();
}

/* A message begins a line with "FILE:LINE:COLUMN: missed: " or "... optimized: ". */
struct message {
    const char *file;
    unsigned line, column;
    bool missed;
    char *text;
};

/* Cuts the place off the line's head. False if there is none. */
static bool message_read (char *line, struct message *message)
{
    static const char *const kinds[] = { ": optimized: ", ": missed: " };
    for (unsigned missed = 0; missed < 2; missed++) {
        char *end = strstr (line, kinds[missed]), *at = end;
        if (!end)
            continue;
        for (unsigned colons = 0; at > line && colons < 2;)
            colons += *--at == ':';
        if (sscanf (at, ":%u:%u: ", &message->line, &message->column) != 2)
            continue;
        *at = 0;
        message->file = line;
        message->missed = missed;
        message->text = end + strlen (kinds[missed]);
        while (*message->text == ' ')
            message->text++;
        return true;
    }
    return false;
}

/* The loop whose condition is at the message's place. 0: none */
static unsigned loop_at (const struct message *message)
{
    for (unsigned number = 1; remark_loop_at (number); number++) {
        expanded_location where = expand_location (remark_loop_at (number)->told);
        if (where.file && !strcmp (where.file, message->file) && where.line == (int) message->line
            && where.column == (int) message->column)
            return number;
    }
    return 0;
}

/* Cuts the statement, or the pair of references, that a reason ends with: their names are GCC's own, and differ from
 * compilation to compilation. */
static void cut_statement (char *reason)
{
    for (char *colon = reason; (colon = strstr (colon, ": ")); colon += 2) {
        const char *mark = strchr (colon, '_');
        if (strpbrk (colon, ";{=") || (mark && ISDIGIT (mark[1]))) {
            *colon = 0;
            return;
        }
    }
    char *names = strstr (reason, " between ");
    if (names && strchr (names, '_'))
        *names = 0;
}

static void tell_missed (unsigned number, const struct message *why)
{
    static const char prefix[] = "not vectorized"; /* the kind of the remark says it */
    const char *text = why->text;
    if (!strncmp (text, prefix, sizeof prefix - 1) && strspn (text + sizeof prefix - 1, ":, ") == 2)
        text += sizeof prefix + 1;
    char *reason = xstrdup (text), statement[40] = "";
    for (size_t length = strlen (reason); length && strchr (". :\r", reason[length - 1]);)
        reason[--length] = 0;
    cut_statement (reason);
    location_t where = remark_loop_at (number)->where;
    if (why->line != (unsigned) LOCATION_LINE (where))
        snprintf (statement, sizeof statement, "line %u", why->line);
    remark_add (PP_REMARK_NOT_VECTORIZED, number, where, why->line, reason, statement);
    free (reason);
}

void verdict_end ()
{
    if (!listens)
        return;
    dump_context &context = dump_context::get ();
    dumpfile_ensure_any_optinfo_are_flushed ();
    context.m_test_pp = nullptr;
    context.refresh_dumps_are_enabled ();
    listens = false;
    char *text = xstrdup (pp_formatted_text (printer)), *next;
    unsigned failed = 0;
    for (char *line = text; *line; line = next) {
        struct message message;
        next = line + strcspn (line, "\n");
        next += *next ? (*next = 0, 1) : 0;
        if (!message_read (line, &message))
            continue;
        unsigned number = loop_at (&message), bytes;
        if (failed && message.missed)
            tell_missed (failed, &message);
        failed = message.missed && !strcmp (message.text, "couldn't vectorize loop") ? number : 0;
        if (!number || message.missed)
            continue;
        if (sscanf (message.text, "loop vectorized using %u byte vectors", &bytes) == 1
            || sscanf (message.text, "loop vectorized using variable length %u byte vectors", &bytes) == 1)
            remark_loop_at (number)->told_bytes = MAX (remark_loop_at (number)->told_bytes, bytes);
        else if (strstr (message.text, "because of possible aliasing"))
            remark_add (PP_REMARK_ALIAS, number, remark_loop_at (number)->where, 0);
    }
    free (text);
    pp_clear_output_area (printer);
}

/* ---- the final code ---- */

/* Bytes of the largest vector that the loop computes. 0: none */
static unsigned vector_bytes (class loop *loop, basic_block *blocks)
{
    unsigned HOST_WIDE_INT most = 0;
    for (unsigned i = 0; i < loop->num_nodes; i++)
        for (gimple_stmt_iterator at = gsi_start_bb (blocks[i]); !gsi_end_p (at); gsi_next (&at)) {
            tree made = gimple_get_lhs (gsi_stmt (at));
            tree size = made && VECTOR_TYPE_P (TREE_TYPE (made)) ? TYPE_SIZE_UNIT (TREE_TYPE (made)) : NULL_TREE;
            if (size && tree_fits_uhwi_p (size) && tree_to_uhwi (size) > most)
                most = tree_to_uhwi (size);
        }
    return most;
}

/* Does the loop call the runtime? An annotated one does. */
static bool calls_us (class loop *loop, basic_block *blocks)
{
    for (unsigned i = 0; i < loop->num_nodes; i++)
        for (gimple_stmt_iterator at = gsi_start_bb (blocks[i]); !gsi_end_p (at); gsi_next (&at)) {
            tree function = is_gimple_call (gsi_stmt (at)) ? gimple_call_fndecl (gsi_stmt (at)) : NULL_TREE;
            if (function && !strncmp (function_symbol (function), "__profplug_", 11))
                return true;
        }
    return false;
}

void verdict_look (class loop *loop, unsigned number, basic_block *blocks)
{
    struct remark_loop *known = remark_loop_at (number);
    unsigned bytes = vector_bytes (loop, blocks);
    known->vector_bytes = known->vector_bytes > bytes ? known->vector_bytes : bytes;
    known->is_measured |= calls_us (loop, blocks);
    known->is_seldom = !optimize_loop_nest_for_speed_p (loop);
}

/* Such as a sum in order, of which GCC says that it is vectorized: only its loads were. */
#define TAKEN_APART "it was vectorized, and taken apart again"

void verdict_remark (unsigned number)
{
    const struct remark_loop *known = remark_loop_at (number);
    bool missed = remark_has (PP_REMARK_NOT_VECTORIZED, number);
    if (known->vector_bytes && (known->told_bytes || !missed)) {
        remark_drop (PP_REMARK_NOT_VECTORIZED, number);
        remark_add (PP_REMARK_VECTORIZED, number, known->where,
                    known->told_bytes ? known->told_bytes : known->vector_bytes);
    } else if (known->is_measured) {
        /* GCC's reason may be that call. */
        remark_drop (PP_REMARK_NOT_VECTORIZED, number);
        remark_add (PP_REMARK_NOT_VECTORIZED, number, known->where, 0, "each step of it is measured");
    } else if (!missed) {
        remark_add (PP_REMARK_NOT_VECTORIZED, number, known->where, 0,
                    !flag_tree_loop_vectorize ? "the vectorizer is off"
                    : known->told_bytes       ? TAKEN_APART
                    : known->is_seldom        ? "GCC takes the loop for one that seldom runs"
                                              : nullptr);
    }
}
