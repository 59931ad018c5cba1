/* SPDX-License-Identifier: MIT */
/* check.c: profplug check: judges objectives of stages in data files. objective.c judges, verdict.c prints. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "command/command.h"
#include "words/diag.h"
#include "load.h"
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
    const char *output;
    verdict_print print;
};

static int option_take(struct request *r, enum flag_id id, const struct flags *flags)
{
    const char *value = flags->value;
    char why[256];
    switch (id) {
    case FLAG_CHECK_SLO:
        if (!objective_parse(ARRAY_PUSH(r->objective, r->objective_count, r->objective_capacity), value, why))
            return diag_error("--slo", "'%s': %s", value, why);
        return 0;
    case FLAG_CHECK_FORMAT:
        r->print = verdict_format(value);
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
    FILE *out = r->output ? fopen(r->output, "w") : stdout;
    struct view view = { 0 };
    if (!out)
        return diag_error(r->output, "%s; expected a file to write to", strerror(errno));
    view_terminal(&view, out);
    r->print(out, r->verdict, r->verdict_count, view.colour);
    if (r->output && fclose(out) != 0)
        return diag_error(r->output, "%s; expected room for the result", strerror(errno));
    for (size_t i = 0; i < r->verdict_count; i++)
        if (!r->verdict[i].met)
            return DIAG_FOUND;
    return DIAG_DONE;
}

int command_check(int argc, char **argv)
{
    struct request r = { .print = verdict_format("text") };
    int status = 0;
    struct flags flags;
    flags_begin(&flags, "check", argc, argv, false);
    for (enum flag_id id; !status && (id = flags_next(&flags)) != FLAG_END;)
        status = option_take(&r, id, &flags);
    if (!status && !r.objective_count)
        status =
            diag_error("--slo", "nothing to check; expected at least one objective, such as --slo 'load p95<50ms'");
    if (!status)
        status = request_run(&r, argv + flags.next);
    for (size_t i = 0; i < r.model_count; i++)
        model_free(r.model[i]);
    free(r.model);
    free(r.objective);
    free(r.verdict);
    return status;
}
