/* SPDX-License-Identifier: MIT */
/* repeatedcalls.c: calls that prepare something which could be kept: a pattern, a statement, a conversion. One of them
 * takes so little that much time in them means many. */
#include <string.h>

#include "advice/library.h"
#include "words/shortname.h"

#define LEAST_SHARE 0.05
#define MOST_CALL_NS 1e6 /* what one call takes at most, but for unusual patterns */
#define FEWEST_CALLS 16
#define USED_LEAST 0.1 /* of its time: what uses it is worth a sentence */

/* Whether the compiler saw that the loop around changes none of its arguments. */
static bool has_same_arguments(const struct model *model, const struct library_line *at)
{
    const struct model_line *line = &model->line[at->line];
    for (size_t i = 0; i < model->remark_count; i++) {
        const struct model_remark *r = &model->remark[i];
        if (r->kind == PP_REMARK_REPEATED_CALL && r->line == line->line && strcmp(r->detail, at->name) == 0 &&
            strcmp(r->file, line->file) == 0)
            return true;
    }
    return false;
}

/* Where a function prepares and undoes that: the line that prepares, though it may take less. */
static const struct library_line *preparing(const struct advice *a, const struct library_use *use, size_t at)
{
    uint32_t function = a->model->line[use->line[at].line].function;
    for (size_t i = 0; i < use->count; i++)
        if (a->model->line[use->line[i].line].function == function && !library_has(LIBRARY_UNDO, use->line[i].name))
            return &use->line[i];
    return &use->line[at];
}

/* As a programmer says it: a constructor by its class, std::basic_regex<char, ...>::basic_regex as std::regex. */
static const char *said(struct arena *arena, const char *name, bool *is_made)
{
    const char *text = name_short(arena, name), *last = strrchr(text, ':'), *type = text;
    size_t bytes = last ? strlen(last + 1) : 0;
    for (const char *at = text; last && (at = strstr(at, "::")) && at + 1 < last; at += 2)
        type = at + 2;
    if (!bytes || strncmp(type, last + 1, bytes) != 0 || (type[bytes] != '<' && type + bytes + 1 != last))
        return text;
    *is_made = true;
    const char *scope = strstr(text, "__cxx11::");
    bool typical = strncmp(type, "basic_", 6) == 0 && strstr(name, "<char,");
    type += typical ? 6 : 0;
    return arena_print(arena, "%.*s%.*s", (int)((scope && scope < type ? scope : type - 6 * typical) - text), text,
                       (int)(bytes - 6 * typical), type);
}

void advice_repeatedcalls(struct advice *a)
{
    struct library_use use = library_use(a, LIBRARY_PREPARE), later = library_use(a, LIBRARY_PREPARED);
    for (size_t i = 0; i < use.count; i++) {
        const struct library_line *at = &use.line[i];
        uint32_t function = a->model->line[at->line].function;
        uint64_t samples = 0, ignored = 0;
        /* the first use of what is prepared prepares more of it */
        double ns = library_function_ns(a, &use, function, false, &samples),
               more = library_function_ns(a, &later, function, false, &ignored);
        if (library_share(a, ns) < LEAST_SHARE || at->ns < FEWEST_CALLS * MOST_CALL_NS ||
            advice_has(a, ADVICE_repeatedcalls, function) ||
            /* told already: the statement is made for each row */
            (strstr(at->name, "sqlite3_") && advice_has(a, ADVICE_queries, function)))
            continue;
        at = preparing(a, &use, i);
        struct model_advice *to = library_advise(a, ADVICE_repeatedcalls, at, ns + more / 2, samples, 0.8,
                                                 1.3 * (ns + more) / (ns + more / 2));
        double each = library_call_ns(a, at);
        char time[FIGURE_BYTES], call[FIGURE_BYTES];
        if (!to)
            continue;
        bool is_made = false;
        const char *name = said(&a->model->arena, at->name, &is_made);
        to->evidence =
            arena_print(&a->model->arena, "%s%s%s took %s here, %.0f %% of the CPU time",
                        is_made ? "Making " : "", name,
                        ns > at->ns ? " and what undoes it" : "", figure_time(time, ns), 100 * library_share(a, ns));
        to->evidence = each >= 0 ? arena_print(&a->model->arena, "%s, %s in each call of this function.", to->evidence,
                                               figure_time(call, each))
                                 : arena_print(&a->model->arena, "%s: far more than one call takes.", to->evidence);
        if (more > USED_LEAST * ns)
            to->evidence = arena_print(&a->model->arena,
                                       "%s What uses it took %s here, in part because it prepares the rest "
                                       "at first use.",
                                       to->evidence, figure_time(time, more));
        if (has_same_arguments(a->model, at))
            to->evidence = arena_print(&a->model->arena, "%s Its arguments are the same each time.", to->evidence);
        to->action =
            is_made ? arena_print(&a->model->arena,
                                  "where its arguments are the same, make one %s before the loop, or a static one; "
                                  "where they differ, keep those that were made by argument",
                                  name)
                    : arena_print(&a->model->arena,
                                  "where its arguments are the same, call %s once, before the loop, and keep what it "
                                  "gives; where they differ, keep results by argument",
                                  name);
    }
}
