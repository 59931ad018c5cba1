/* SPDX-License-Identifier: MIT */
/* diff.c: `profplug diff`: runs of an old and a new program, or two stages of a run, to what changed. difference/ finds
 * it, changes.c and jsondifference.c print it. */
#include <stdlib.h>
#include <string.h>

#include "command/command.h"
#include "command/diff.h"
#include "load.h"
#include "pager.h"
#include "show/source.h"
#include "words/diag.h"
#include "words/output.h"
#include "words/progress.h"

static bool number_take(const char *text, double least, double most, double *value)
{
    char *end;
    *value = strtod(text, &end);
    return text[0] && !*end && *value >= least && *value <= most;
}

int diff_format_take(struct diff_request *r, const char *value)
{
    static const struct {
        const char *name;
        difference_print print;
    } formats[] = { { "text", changes_text }, { "json", difference_json }, { "markdown", changes_markdown } };
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (strcmp(value, formats[i].name) == 0) {
            r->print = formats[i].print;
            r->whole = i > 0;
            return 0;
        }
    return diag_error("--format", "'%s' is not known; expected text, json or markdown", value);
}

int diff_top_take(struct diff_request *r, const char *value)
{
    double number;
    if (!number_take(value, 0, 1e9, &number) || number != (double)(size_t)number)
        return diag_error("--top", "'%s' is not a count; expected a number, 0 for all", value);
    r->view.top = (size_t)number;
    r->top_given = true;
    return 0;
}

int diff_limit_take(struct diff_request *r, const char *value)
{
    double number;
    if (!number_take(value, 0, 1000, &number))
        return diag_error("--min-effect", "'%s' is not a percentage; expected a number from 0 to 1000", value);
    r->limits.least_effect = number / 100;
    return 0;
}

struct diff_request diff_begin(void)
{
    return (struct diff_request){ .print = changes_text, .limits = { .q = 0.01, .least_effect = 0.03 } };
}

/* Adds the run of a file. Returns 0, or DIAG_WRONG after one line. */
int diff_add(struct difference *difference, enum difference_arm arm, const char *path, const char *stage)
{
    struct model *model = model_open_part(path, stage, NULL);
    if (!model)
        return DIAG_WRONG;
    difference_add(difference, arm, model, stage);
    model_free(model);
    source_forget();
    return 0;
}

int diff_print(struct diff_request *r, struct difference *difference)
{
    FILE *out = output_open(r->output);
    if (!out)
        return DIAG_WRONG;
    difference_judge(difference, &r->limits);
    if (!r->top_given)
        r->view.top = r->whole ? 0 : 15;
    view_terminal(&r->view, out);
    if (!r->output)
        pager_begin();
    r->print(out, difference, &r->view);
    return output_end(out, DIAG_DONE);
}

static int option_take(struct diff_request *r, enum flag_id id, const struct flags *flags)
{
    const char *value = flags->value;
    switch (id) {
    case FLAG_DIFF_FORMAT: return diff_format_take(r, value);
    case FLAG_DIFF_OUTPUT: r->output = value; return 0;
    case FLAG_DIFF_TOP: return diff_top_take(r, value);
    case FLAG_DIFF_LEAST: return diff_limit_take(r, value);
    case FLAG_DIFF_STAGE:
        if (r->stages == ARMS)
            return diag_error("--stage", "'%s' is a third stage; expected two, the old one first", value);
        r->stage[r->stages++] = value;
        return 0;
    case FLAG_DIFF_PAGER: pager_refuse(); return 0;
    case FLAG_DIFF_MAP: return place_take(value, true);
    case FLAG_DIFF_SOURCE: return place_take(value, false);
    default: return flags_refuse(flags, id);
    }
}

/* Options stand before the `--` that parts old from new, because getopt would take it for the end of options. */
static char **parting_find(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--") == 0)
            return &argv[i];
    return NULL;
}

static int stages_compare(struct diff_request *r, char **path, size_t paths, struct difference *d)
{
    if (r->stages == 1)
        return diag_error("--stage", "only one stage; expected two, the old one first");
    if (paths > 1)
        return diag_error(path[1], "a second file; expected one, whose two stages are compared");
    for (int arm = 0; arm < ARMS; arm++)
        if (diff_add(d, (enum difference_arm)arm, paths ? path[0] : NULL, r->stage[arm]))
            return DIAG_WRONG;
    return diff_print(r, d);
}

static int files_compare(struct diff_request *r, char **old, size_t olds, char **new, size_t news,
                         struct difference *d)
{
    int status = 0;
    progress_begin("reading runs", olds + news);
    for (size_t i = 0; i < olds + news && !status; i++) {
        progress_step(i);
        status = diff_add(d, i < olds ? ARM_OLD : ARM_NEW, i < olds ? old[i] : new[i - olds], NULL);
    }
    progress_end();
    return status ? status : diff_print(r, d);
}

int command_diff(int argc, char **argv)
{
    struct diff_request r = diff_begin();
    struct flags flags;
    char **parting = parting_find(argc, argv);
    int before = parting ? (int)(parting - argv) : argc;
    char *last = argv[before];
    argv[before] = NULL;
    flags_begin(&flags, "diff", before, argv, false);
    for (enum flag_id id; (id = flags_next(&flags)) != FLAG_END;)
        if (option_take(&r, id, &flags))
            return DIAG_WRONG;
    argv[before] = last;
    int behind = before; /* options may stand behind the new runs, too */
    for (int i = before + 1; i < argc; i++)
        if (strcmp(argv[i], "--") == 0)
            return diag_error("--", "given twice; expected it once, between the old and the new runs");
    if (parting) {
        struct flags more;
        flags_begin(&more, "diff", argc - before, parting, false);
        for (enum flag_id id; (id = flags_next(&more)) != FLAG_END;)
            if (option_take(&r, id, &more))
                return DIAG_WRONG;
        behind += more.next;
    }
    size_t olds = (size_t)(before - flags.next), news = (size_t)(argc - behind);
    char **old = argv + flags.next, **new = argv + behind;
    if (!parting && !r.stages && olds == 2) {
        olds = news = 1;
        new = old + 1;
    }
    if (!r.stages && (!olds || !news))
        return diag_error("diff", "%s; expected OLD... -- NEW..., or OLD NEW",
                          olds > 2        ? "no -- tells the old runs from the new ones"
                          : olds || news ? "runs of one program alone"
                                         : "nothing to compare");
    struct difference *d = difference_open();
    int status = r.stages ? stages_compare(&r, old, olds + news, d) : files_compare(&r, old, olds, new, news, d);
    difference_free(d);
    return status;
}
