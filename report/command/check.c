/* SPDX-License-Identifier: MIT */
/* check.c: profplug check. What is asked of stages, by data files; what it means is objective.c's, how it looks verdict.c's. */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "command/command.h"
#include "words/diag.h"
#include "load.h"
#include "show/screen.h"
#include "show/verdict.h"

enum { KEY_SLO = 256, KEY_FORMAT };

static const struct option options[] = {
    { "slo", required_argument, NULL, KEY_SLO }, { "format", required_argument, NULL, KEY_FORMAT }, { "output", required_argument, NULL, 'o' }, { 0 }
};

struct request {
    struct objective *objective;     size_t objective_count, objective_capacity;
    struct verdict *verdict;         size_t verdict_count, verdict_capacity;
    struct model **model;            size_t model_count, model_capacity;       /* verdicts name what is theirs */
    const char *output;
    verdict_print print;
};

static int option_take(struct request *r, int key, char *value, char *const *argv)
{
    char why[256];
    switch (key) {
    case KEY_SLO:
        if (!objective_parse(ARRAY_PUSH(r->objective, r->objective_count, r->objective_capacity), value, why))
            return diag_error("--slo", "'%s': %s", value, why);
        return 0;
    case KEY_FORMAT:
        r->print = verdict_format(value);
        return r->print ? 0 : diag_error("--format", "'%s' is none of check's; expected " VERDICT_FORMATS, value);
    case 'o': r->output = value; return 0;
    case ':': return diag_error(argv[optind - 1], "a value is missing; expected one after it");
    default:  return diag_error(argv[optind - 1], "no such option; expected those that `profplug help check` lists");
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
        if (!objective_judge(ARRAY_PUSH(r->verdict, r->verdict_count, r->verdict_capacity), &r->objective[i], model, why))
            return diag_error(model->run.path, "--slo '%s': %s", r->objective[i].text, why);
    return 0;
}

/* All files are read before the first line is written: a check that cannot be made says nothing else. */
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
    opterr = 0;
    optind = 0;
    for (int key; !status && (key = getopt_long(argc, argv, ":o:", options, NULL)) != -1;)
        status = option_take(&r, key, optarg, argv);
    if (!status && !r.objective_count)
        status = diag_error("--slo", "nothing to check; expected one at least, such as --slo 'load p95<50ms'");
    if (!status)
        status = request_run(&r, argv + optind);
    for (size_t i = 0; i < r.model_count; i++)
        model_free(r.model[i]);
    free(r.model);
    free(r.objective);
    free(r.verdict);
    return status;
}
