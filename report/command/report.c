/* SPDX-License-Identifier: MIT */
/* report.c: profplug report: options to a view, a data file to a model, a format by its row in exports.def. */
#include <stdlib.h>
#include <string.h>

#include "advice/simulate.h"
#include "command/command.h"
#include "host/simulated.h"
#include "words/diag.h"
#include "words/output.h"
#include "words/spelling.h"
#include "merge/between.h"
#include "export/export.h"
#include "load.h"
#include "pager.h"
#include "section/section.h"
#include "show/source.h"

#define SECTIONS_MOST 64

struct request {
    struct view view;
    const char *format, *output, *file;
    const char *between[2], *stage, *thread, *causal, *against;
    const char *by; /* NULL: not given */
    char by_section[32];
    bool top_given, tables_asked; /* tables_asked: by an option that is about tables */
    bool is_range;                /* `between` was given by --from or --to */
    const char *section[SECTIONS_MOST];
};

static bool number_take(const char *text, double most, double *value)
{
    char *end;
    *value = strtod(text, &end);
    return text[0] && !*end && *value >= 0 && *value <= most;
}

static int section_refuse(const char *name)
{
    struct arena arena = { 0 };
    char *all = arena_copy(&arena, ""), ask[SPELLING_BYTES];
    struct spelling close = { .said = name };
    for (const struct section *s = section_table; s->name; s++) {
        all = arena_print(&arena, "%s%s%s", all, all[0] ? ", " : "", s->name);
        spelling_offer(&close, s->name);
    }
    if (strcmp(name, "all") == 0)
        diag_error("--section", "'all' is no table; for all tables use --all");
    else
        diag_error("--section", "'%s' is not known%s; expected one of %s", name, spelling_ask(&close, ask), all);
    arena_free(&arena);
    return DIAG_WRONG;
}

/* Names, parted by commas. They are cut in place. */
static int sections_take(struct request *r, char *names)
{
    for (char *next; names; names = next) {
        next = strchr(names, ',');
        if (next)
            *next++ = 0;
        const struct section *s = section_find(names);
        if (!s)
            return section_refuse(names);
        if (r->view.section_count < SECTIONS_MOST)
            r->section[r->view.section_count++] = s->name;
    }
    return 0;
}

static int sort_refuse(const char *key, const char *rows)
{
    struct arena arena = { 0 };
    diag_error("--sort", "'%s' is %s%s%s; expected one of %s", key, rows ? "nothing that a " : "not known",
               rows ? rows : "", rows ? " has" : "", sort_names(&arena, rows));
    arena_free(&arena);
    return DIAG_WRONG;
}

/* Returns 0, or DIAG_WRONG after one line. */
static int option_take(struct request *r, enum flag_id id, struct flags *flags)
{
    const char *value = flags->value;
    double number;
    switch (id) {
    case FLAG_REPORT_FORMAT: r->format = value; return 0;
    case FLAG_REPORT_OUTPUT: r->output = value; return 0;
    case FLAG_REPORT_EXPLAIN: r->view.explain = r->tables_asked = true; return 0;
    case FLAG_REPORT_PAGER: pager_refuse(); return 0;
    case FLAG_REPORT_ALL: r->view.whole = true; return 0;
    case FLAG_REPORT_TREE: return sections_take(r, (char[]){ "tree" });
    case FLAG_REPORT_SECTION: return sections_take(r, (char *)value);
    case FLAG_REPORT_STAGE: r->stage = value; return 0;
    case FLAG_REPORT_THREAD: r->thread = value; return 0;
    case FLAG_REPORT_FROM: r->between[0] = value; r->is_range = true; return 0;
    case FLAG_REPORT_TO: r->between[1] = value; r->is_range = true; return 0;
    case FLAG_REPORT_CAUSAL: r->causal = value; return 0;
    case FLAG_REPORT_AGAINST: r->against = value; return 0;
    case FLAG_REPORT_MAP: return place_take(value, true);
    case FLAG_REPORT_SOURCE: return place_take(value, false);
    case FLAG_REPORT_TOP:
        if (!number_take(value, 1e9, &number) || number != (double)(size_t)number)
            return diag_error("--top", "'%s' is not a count; expected a number, 0 for all", value);
        r->view.top = (size_t)number;
        r->top_given = r->tables_asked = true;
        return 0;
    case FLAG_REPORT_MIN:
        r->tables_asked = true;
        if (!number_take(value, 100, &r->view.min_percent))
            return diag_error("--min-percent", "'%s' is not a percentage; expected a number from 0 to 100", value);
        return 0;
    case FLAG_REPORT_SORT:
        if (!sort_known(value))
            return sort_refuse(value, NULL);
        r->view.sort = value;
        r->tables_asked = true;
        return 0;
    case FLAG_REPORT_BY:
        if (!rows_section(value))
            return diag_error("--by", "'%s' is not known; expected %s", value, rows_names);
        r->by = value;
        return sections_take(r, strcpy(r->by_section, rows_section(value)));
    case FLAG_REPORT_FILTER:
        if (!value[0])
            return diag_error("--filter", "nothing to look for; expected a part of a name, or a pattern such as "
                                          "'read_*'");
        r->view.filter = value;
        r->tables_asked = true;
        return 0;
    case FLAG_REPORT_INT64:
        if (strcmp(value, "string") != 0 && strcmp(value, "number") != 0)
            return diag_error("--int64", "'%s' is not known; expected string or number", value);
        r->view.int64_strings = value[0] == 's';
        return 0;
    case FLAG_REPORT_BETWEEN: /* two values: the second is the next argument */
        r->between[0] = value;
        r->between[1] = flags_further(flags);
        return r->between[1] ? 0
                             : diag_error("--between", "only one snapshot given; expected two, the earlier one first");
    default: return flags_refuse(flags, id);
    }
}

static const struct export *export_find(const char *name)
{
    for (const struct export *e = export_table; e->name; e++)
        if (strcmp(e->name, name) == 0)
            return e;
    return NULL;
}

/* What `profplug causal` found replaces what rules could only bound. Returns 0, or DIAG_WRONG after one line. */
static int savings_simulate(struct model *model, const char *path)
{
    struct arena arena = { 0 };
    struct simulation simulation;
    int status = simulated_read(path, &arena, &simulation);
    if (!status)
        advice_simulate(model, &simulation);
    arena_free(&arena);
    return status;
}

int command_report(int argc, char **argv)
{
    struct request r = { .format = "text" };
    struct flags flags;
    flags_begin(&flags, "report", argc, argv, false);
    for (enum flag_id id; (id = flags_next(&flags)) != FLAG_END;)
        if (option_take(&r, id, &flags))
            return DIAG_WRONG;
    if (argc - flags.next > 1)
        return files_refuse(argv[flags.next + 1]);
    if (r.by && r.view.sort && !sort_fits(r.view.sort, r.by))
        return sort_refuse(r.view.sort, r.by);
    r.file = flags.next < argc ? argv[flags.next] : NULL;
    const struct export *format = export_find(r.format);
    if (!format)
        return diag_error("--format", "'%s' is not known; expected %s", r.format, EXPORT_NAMES);
    if (r.against && strcmp(r.format, "html") != 0)
        return diag_error("--against", "only a page shows it; expected --format html, or `profplug diff`");
    if (!r.top_given)
        r.view.top = format->is_for_terminal ? 15 : 0;
    r.view.section = r.section;
    r.view.whole = r.view.whole || r.tables_asked;
    if (r.between[0] || r.between[1]) {
        r.between[0] = r.between[0] ? r.between[0] : "start";
        r.between[1] = r.between[1] ? r.between[1] : "end";
    }
    struct model *model = model_open_part(r.file, r.stage, r.thread);
    struct model *against = model && r.against ? model_open_part(r.against, r.stage, r.thread) : NULL;
    if (!model || (r.against && !against)) {
        model_free(model);
        return DIAG_WRONG;
    }
    r.view.against = against;
    struct between between = { .site = NULL };
    char why[256];
    int status = r.causal ? savings_simulate(model, r.causal) : DIAG_DONE;
    if (!status && r.between[0] && !between_make(&between, model, r.between[0], r.between[1], why))
        status = diag_error(r.is_range ? "--from, --to" : "--between", "%s", why);
    FILE *out = status ? NULL : output_open(r.output);
    r.view.between = r.between[0] ? &between : NULL;
    if (!out) { /* already told */
        status = DIAG_WRONG;
    } else {
        view_terminal(&r.view, out);
        if (!r.output)
            pager_begin();
        r.view.program = command_self;
        format->write(out, model, &r.view);
        status = output_end(out, DIAG_DONE);
    }
    between_free(&between);
    model_free(model);
    model_free(against);
    source_forget();
    return status;
}
