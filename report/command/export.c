/* SPDX-License-Identifier: MIT */
/* export.c: profplug export: a run in the format of another tool, by its row in tools.def. */
#include <string.h>

#include "command/command.h"
#include "exchange/tool.h"
#include "load.h"
#include "words/diag.h"
#include "words/output.h"
#include "words/spelling.h"

struct request {
    struct export_request wanted;
    const char *format, *output, *stage, *thread;
};

static const struct export_tool *tool_find(const char *name)
{
    for (const struct export_tool *t = export_tools; t->name; t++)
        if (strcmp(t->name, name) == 0)
            return t;
    struct spelling close = { .said = name };
    char ask[SPELLING_BYTES];
    for (const struct export_tool *t = export_tools; t->name; t++)
        spelling_offer(&close, t->name);
    diag_error("--format", "'%s' is not known%s; expected %s", name, spelling_ask(&close, ask), export_tool_names);
    return NULL;
}

/* Returns 0, or DIAG_WRONG after one line. */
static int option_take(struct request *r, enum flag_id id, struct flags *flags)
{
    const char *value = flags->value;
    switch (id) {
    case FLAG_EXPORT_FORMAT: r->format = value; return 0;
    case FLAG_EXPORT_OUTPUT: r->output = value; return 0;
    case FLAG_EXPORT_STAGE: r->stage = value; return 0;
    case FLAG_EXPORT_THREAD: r->thread = value; return 0;
    case FLAG_EXPORT_MAP: return place_take(value, true);
    case FLAG_EXPORT_SOURCE: return place_take(value, false);
    case FLAG_EXPORT_COST:
        r->wanted.cost = stack_cost_find(value);
        return r->wanted.cost ? 0 : diag_error("--metric", "'%s' is not known; expected %s", value, stack_cost_names);
    case FLAG_EXPORT_TABLE:
        r->wanted.table = value;
        return export_table_known(value)
                   ? 0
                   : diag_error("--table", "'%s' is not known; expected %s", value, export_table_names);
    default: return flags_refuse(flags, id);
    }
}

/* An empty file would look like a run that cost nothing. Returns 0, or DIAG_WRONG after one line. */
static int cost_check(const struct request *r, const struct model *model)
{
    char has[512] = "";
    if (!r->wanted.cost || export_sum(model, r->wanted.cost) > 0)
        return 0;
    for (const struct stack_cost *c = stack_costs; c->name; c++)
        if (export_sum(model, c) > 0 && strlen(has) + strlen(c->name) + 3 < sizeof has)
            strcat(strcat(has, *has ? ", " : ""), c->name);
    return diag_error("--metric", "%s has no %s by calls; it has %s",
                      r->stage    ? "that stage"
                      : r->thread ? "that thread"
                                  : "the run",
                      r->wanted.cost->name, *has ? has : "none of them");
}

int command_export(int argc, char **argv)
{
    struct request r = { .format = NULL };
    struct flags flags;
    flags_begin(&flags, "export", argc, argv, false);
    for (enum flag_id id; (id = flags_next(&flags)) != FLAG_END;)
        if (option_take(&r, id, &flags))
            return DIAG_WRONG;
    if (argc - flags.next > 1)
        return files_refuse(argv[flags.next + 1]);
    if (!r.format)
        return diag_error("export", "no format; expected --format and %s", export_tool_names);
    const struct export_tool *tool = tool_find(r.format);
    struct model *model = tool ? model_open_part(flags.next < argc ? argv[flags.next] : NULL, r.stage, r.thread) : NULL;
    if (!model)
        return DIAG_WRONG;
    if (cost_check(&r, model)) {
        model_free(model);
        return DIAG_WRONG;
    }
    FILE *out = output_open(r.output);
    if (out)
        tool->write(out, model, &r.wanted);
    model_free(model);
    return out ? output_end(out, DIAG_DONE) : DIAG_WRONG;
}
