/* SPDX-License-Identifier: MIT */
/* accept.c: profplug accept: notes that a finding is known and stays as it is, so that reports tell it in one line. */
#include <string.h>

#include "command/command.h"
#include "host/accepted.h"
#include "words/diag.h"
#include "words/quote.h"
#include "words/spelling.h"

static const char *const rules[] = {
#define ADVICE(name, version, step, section, predicate, action, before, after) #name,
#include "advice/advice.def"
};

/* Whether the ID is of a rule that there is: RULE@PLACE. Else one line is said. */
static bool id_is_known(const char *id)
{
    char rule[64] = "", ask[SPELLING_BYTES];
    const char *at = strchr(id, '@');
    if (at && at > id && at[1] && !id[strcspn(id, "\t\n\r")] && at - id < (ptrdiff_t)sizeof rule) {
        memcpy(rule, id, (size_t)(at - id));
        for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
            if (strcmp(rules[i], rule) == 0)
                return true;
    }
    struct spelling close = { .said = rule };
    for (size_t i = 0; rule[0] && i < sizeof rules / sizeof *rules; i++)
        spelling_offer(&close, rules[i]);
    diag_error(id,
               "no finding has such an ID%s; expected RULE@FUNCTION, as `profplug report --section findings` has it",
               spelling_ask(&close, ask));
    return false;
}

/* A reason is one line of the file. */
static const char *line_made(struct arena *arena, const char *why)
{
    char *line = arena_copy(arena, why);
    for (char *p = line; *p; p++)
        *p = *p == '\t' || *p == '\n' || *p == '\r' ? ' ' : *p;
    return line;
}

static int rows_list(const struct accepted *a)
{
    struct arena arena = { 0 };
    for (size_t i = 0; i < a->count; i++)
        printf("%s  %s\n", quote_plain(&arena, a->row[i].id), quote_plain(&arena, a->row[i].why));
    if (!a->count)
        printf("nothing is accepted in %s\n", quote_plain(&arena, a->path));
    arena_free(&arena);
    return DIAG_DONE;
}

static int row_remove(struct accepted *a, const char *id)
{
    if (accepted_remove(a, id))
        return accepted_write(a) ? DIAG_DONE : DIAG_WRONG;
    char ask[SPELLING_BYTES];
    struct spelling close = { .said = id };
    for (size_t i = 0; i < a->count; i++)
        spelling_offer(&close, a->row[i].id);
    return diag_error(id, "is not accepted%s; expected an ID that `profplug accept --list` prints",
                      spelling_ask(&close, ask));
}

static int row_put(struct accepted *a, const char *id, const char *why)
{
    struct arena arena = { 0 };
    accepted_put(a, id, line_made(&arena, why));
    bool done = accepted_write(a);
    if (done)
        printf("accepted in %s\n", quote_plain(&arena, a->path));
    arena_free(&arena);
    return done ? DIAG_DONE : DIAG_WRONG;
}

int command_accept(int argc, char **argv)
{
    const char *removed = NULL;
    bool listed = false;
    struct flags flags;
    flags_begin(&flags, "accept", argc, argv, false);
    for (enum flag_id id; (id = flags_next(&flags)) != FLAG_END;) {
        switch (id) {
        case FLAG_ACCEPT_LIST: listed = true; break;
        case FLAG_ACCEPT_REMOVE: removed = flags.value; break;
        default: return flags_refuse(&flags, id);
        }
    }
    int words = argc - flags.next, wanted = listed || removed ? 0 : 2;
    if (words > wanted)
        return diag_error(argv[flags.next + wanted], "too many arguments; expected profplug accept ID \"why\"");
    if (words < wanted)
        return diag_error("accept", "%s; expected profplug accept ID \"why\"",
                          words ? "no reason given" : "no ID given");
    const char *id = wanted ? argv[flags.next] : NULL, *why = wanted ? argv[flags.next + 1] : NULL;
    if (id && !id_is_known(id))
        return DIAG_WRONG;
    if (why && !why[strspn(why, " \t\r\n")])
        return diag_error(id, "the reason is empty; expected profplug accept ID \"why\"");
    struct accepted a;
    int status = DIAG_WRONG;
    if (accepted_read(&a))
        status = listed ? rows_list(&a) : removed ? row_remove(&a, removed) : row_put(&a, id, why);
    accepted_free(&a);
    return status;
}
