/* SPDX-License-Identifier: MIT */
/* check.c: profplug check: judges objectives of stages in data files, or compares runs with those of a baseline.
 * objective.c and difference/ judge, verdict.c and gate.c print. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "command/command.h"
#include "command/diff.h"
#include "host/projectfile.h"
#include "words/diag.h"
#include "words/output.h"
#include "load.h"
#include "show/regression.h"
#include "show/screen.h"
#include "show/verdict.h"

struct request {
    struct objective *objective;
    size_t objective_count, objective_capacity;
    struct verdict *verdict;
    size_t verdict_count, verdict_capacity;
    /* kept open, because verdicts point into them */
    struct model **model;
    size_t model_count, model_capacity;
    const char **baseline;
    size_t baseline_count, baseline_capacity;
    double allowed; /* part by which counts may grow */
    struct diff_request diff;
    const char *output;
    verdict_print print;
    regression_print print_worse;
    const char *limit; /* an option that only a baseline has, as given; NULL: none */
};

static int allowed_take(struct request *r, const char *value)
{
    char *end;
    r->allowed = strtod(value, &end) / 100;
    r->limit = "--allow-counts";
    return value[0] && !*end && r->allowed >= 0 && r->allowed <= 1000
               ? 0
               : diag_error("--allow-counts", "'%s' is not a percentage; expected a number from 0 to 100000", value);
}

static int option_take(struct request *r, enum flag_id id, const struct flags *flags)
{
    const char *value = flags->value;
    char why[256];
    switch (id) {
    case FLAG_CHECK_SLO:
        if (!objective_parse(ARRAY_PUSH(r->objective, r->objective_count, r->objective_capacity), value, why))
            return diag_error("--slo", "'%s': %s", value, why);
        return 0;
    case FLAG_CHECK_BASELINE: *ARRAY_PUSH(r->baseline, r->baseline_count, r->baseline_capacity) = value; return 0;
    case FLAG_CHECK_ALLOW: return allowed_take(r, value);
    case FLAG_CHECK_LEAST: r->limit = "--min-effect"; return diff_limit_take(&r->diff, value);
    case FLAG_CHECK_TOP: r->limit = "--top"; return diff_top_take(&r->diff, value);
    case FLAG_CHECK_FORMAT:
        r->print = verdict_format(value);
        r->print_worse = regression_format(value);
        return r->print ? 0 : diag_error("--format", "'%s' is not a format of check; expected " VERDICT_FORMATS, value);
    case FLAG_CHECK_OUTPUT: r->output = value; return 0;
    default: return flags_refuse(flags, id);
    }
}

static int file_check(struct request *r, const char *path)
{
    struct model *model = model_open(path);
    char why[256];
    if (!model)
        return DIAG_WRONG;
    *ARRAY_PUSH(r->model, r->model_count, r->model_capacity) = model;
    for (size_t i = 0; i < r->objective_count; i++)
        if (!objective_judge(ARRAY_PUSH(r->verdict, r->verdict_count, r->verdict_capacity), &r->objective[i], model,
                             why))
            return diag_error(model->run.path, "--slo '%s': %s", r->objective[i].text, why);
    return 0;
}

/* All files are read before the first line is printed, so that a failed check prints only its error. */
static int request_run(struct request *r, char **path)
{
    int status = file_check(r, *path);
    while (!status && *path && *++path)
        status = file_check(r, *path);
    if (status)
        return status;
    FILE *out = output_open(r->output);
    struct view view = { 0 };
    if (!out)
        return DIAG_WRONG;
    view_terminal(&view, out);
    r->print(out, r->verdict, r->verdict_count, view.colour);
    for (size_t i = 0; i < r->verdict_count; i++)
        if (!r->verdict[i].met)
            status = DIAG_FOUND;
    return output_end(out, status);
}

/* ---- against a baseline ---- */

static int worse_print(struct request *r, const struct difference *d, const char *newest)
{
    struct arena arena = { 0 };
    struct regressions found;
    bool there;
    char *root = arena_copy(&arena, project_file(&arena, ".git", &there));
    if (!there || strlen(root) < strlen(".git"))
        root[0] = 0;
    else
        root[strlen(root) - strlen(".git")] = 0;
    if (root[0] && root[1] && root[strlen(root) - 1] == '/')
        root[strlen(root) - 1] = 0;
    regressions_find(&found, d, root, r->allowed);
    found.newest = newest;
    FILE *out = output_open(r->output);
    struct view view = { .top = r->diff.top_given ? r->diff.view.top : 20 };
    int status = DIAG_WRONG;
    if (out) {
        view_terminal(&view, out);
        r->print_worse(out, &found, &view);
        status = output_end(out, found.count ? DIAG_FOUND : DIAG_DONE);
    }
    regressions_free(&found);
    arena_free(&arena);
    return status;
}

/* The newest run here, if nobody named one. It may be the baseline's own: then nothing new is to be checked. */
static int newest_add(const struct request *r, struct difference *d, char **newest)
{
    struct stat its, one;
    *newest = load_newest_name(".");
    if (!*newest)
        return DIAG_WRONG;
    for (size_t i = 0; i < r->baseline_count; i++)
        if (stat(*newest, &its) == 0 && stat(r->baseline[i], &one) == 0 && its.st_dev == one.st_dev &&
            its.st_ino == one.st_ino)
            return diag_error(*newest, "the newest run here, and the baseline's; expected a run to check beside it");
    return diff_add(d, ARM_NEW, *newest, NULL);
}

static int baseline_check(struct request *r, char **path)
{
    struct difference *d = difference_open();
    char *newest = NULL;
    int status = 0;
    for (size_t i = 0; i < r->baseline_count && !status; i++)
        status = diff_add(d, ARM_OLD, r->baseline[i], NULL);
    if (!status && !*path)
        status = newest_add(r, d, &newest);
    for (; *path && !status; path++)
        status = diff_add(d, ARM_NEW, *path, NULL);
    if (!status) {
        difference_judge(d, &r->diff.limits);
        status = difference_is_of_one_program(d)
                     ? worse_print(r, d, newest)
                     : diag_error(r->baseline[0], "a run of '%s', and '%s' has only %zu of its %zu functions; expected "
                                                  "runs of the same program",
                                  d->run[0].program, d->run[d->run_count - 1].program,
                                  d->matched[DIFFERENCE_FUNCTION], d->sites[ARM_OLD][DIFFERENCE_FUNCTION]);
    }
    difference_free(d);
    free(newest);
    return status;
}

/* `--baseline OLD... -- NEW...`: what stands before the `--` and belongs to no option is of the baseline, too. */
static char **parting_find(int argc, char **argv)
{
    bool based = false;
    for (int i = 1; i < argc; i++) {
        based = based || strncmp(argv[i], "--baseline", strlen("--baseline")) == 0;
        if (strcmp(argv[i], "--") == 0)
            return based ? &argv[i] : NULL;
    }
    return NULL;
}

static int usage_check(const struct request *r)
{
    if (!r->objective_count && !r->baseline_count)
        return diag_error("check", "nothing to check; expected an objective, such as --slo 'load p95<50ms', or "
                                   "--baseline FILE");
    if (r->objective_count && r->baseline_count)
        return diag_error("--baseline", "given together with --slo; expected one of them, and another call for the "
                                        "other");
    if (r->objective_count && r->limit)
        return diag_error(r->limit, "is for --baseline; expected it without --slo");
    return 0;
}

int command_check(int argc, char **argv)
{
    struct request r = { .print = verdict_format("text"),
                         .print_worse = regression_format("text"),
                         .diff = diff_begin() };
    char **parting = parting_find(argc, argv), *none[] = { NULL };
    int status = 0, before = parting ? (int)(parting - argv) : argc;
    char *last = argv[before];
    argv[before] = NULL;
    struct flags flags;
    flags_begin(&flags, "check", before, argv, false);
    for (enum flag_id id; !status && (id = flags_next(&flags)) != FLAG_END;)
        status = option_take(&r, id, &flags);
    argv[before] = last;
    char **path = status ? none : parting ? parting + 1 : argv + flags.next;
    for (int i = flags.next; !status && parting && r.baseline_count && i < before; i++)
        *ARRAY_PUSH(r.baseline, r.baseline_count, r.baseline_capacity) = argv[i];
    if (!status)
        status = usage_check(&r);
    if (!status && r.baseline_count)
        status = baseline_check(&r, path);
    else if (!status)
        status = request_run(&r, path);
    for (size_t i = 0; i < r.model_count; i++)
        model_free(r.model[i]);
    free(r.model);
    free(r.baseline);
    free(r.objective);
    free(r.verdict);
    return status;
}
