/* SPDX-License-Identifier: MIT */
/* lengths.c: a line that measures long strings again and again: by itself, or by sscanf, which measures all that is
 * left of its text before it reads the first number. */
#include "advice/library.h"

#include <math.h>
#include <string.h>

#define LEAST_SHARE 0.15
#define LEAST_SHARE_SAME 0.05 /* where it is the same string each time */
#define MOSTLY 0.4            /* then short strings matter, too */
#define LEAST_CALL_NS 100     /* of the function: less is a short string */
#define LEAST_SCAN_NS 2e3     /* of a call of sscanf: reading three numbers of a short text takes a quarter of that */

/* How often the line ran: as often as the innermost loop around it went round. 0: it is not known. */
static double line_rounds(const struct model *model, uint32_t line)
{
    const struct model_remark *loop = remark_loop(model, model->line[line].file, model->line[line].line);
    return loop && loop->is_counted ? loop->steps : 0;
}

static void scans_tell(struct advice *a)
{
    struct library_use use = library_use(a, LIBRARY_PARSE);
    for (size_t i = 0; i < use.count; i++) {
        const struct library_line *at = &use.line[i];
        uint32_t function = a->model->line[at->line].function;
        double rounds = line_rounds(a->model, at->line), all = 0;
        uint64_t samples = 0;
        if (!strstr(at->name, "sscanf") || library_share(a, at->ns) < LEAST_SHARE ||
            at->ns < LEAST_SCAN_NS * fmax(1, rounds) || rounds <= 0 || advice_has(a, ADVICE_lengths, function))
            continue;
        for (size_t k = i; k < use.count; k++) /* the others of the function, too: it reads one text */
            if (a->model->line[use.line[k].line].function == function && strstr(use.line[k].name, "sscanf")) {
                all += use.line[k].ns;
                samples += use.line[k].samples;
            }
        struct model_advice *to = library_advise(a, ADVICE_lengths, at, all, samples, 0.8, 1.05);
        char time[FIGURE_BYTES], count[FIGURE_BYTES], each[FIGURE_BYTES];
        if (!to)
            continue;
        advice_title(a, to, advice_subject(a, at->line), "measures the rest of a long text for each few numbers");
        to->evidence = arena_print(&a->model->arena,
                                   "%s took %s in this function, %.0f %% of the CPU time; here it was called %s times "
                                   "and took %s each time: it goes to the end of the text before it reads.",
                                   at->name, figure_time(time, all), 100 * library_share(a, all),
                                   figure_count(count, rounds), figure_time(each, at->ns / rounds));
        to->action = "read numbers by strtod and strtol, which stop behind the number; or cut the text into lines "
                     "first, so that sscanf measures one line";
        to->before = "while (sscanf(p, \"%lf%n\", &x, &n) == 1) { add(x); p += n; }";
        to->after = "for (char *end; x = strtod(p, &end), end != p; p = end) add(x);";
        advice_figure(to, "calls", rounds);
    }
}

/* Whether the compiler saw that the loop around measures the same string, or one that it makes longer. */
static bool is_same_string(const struct model *model, uint32_t line)
{
    const struct model_line *at = &model->line[line];
    for (size_t i = 0; i < model->remark_count; i++) {
        const struct model_remark *r = &model->remark[i];
        if ((r->kind == PP_REMARK_REPEATED_CALL || r->kind == PP_REMARK_GROWING_STRING) && r->line == at->line &&
            library_has(LIBRARY_MEASURE, r->detail) && strcmp(r->file, at->file) == 0)
            return true;
    }
    return false;
}

void advice_lengths(struct advice *a)
{
    scans_tell(a);
    struct library_use use = library_use(a, LIBRARY_MEASURE);
    for (size_t i = 0; i < use.count; i++) {
        const struct library_line *at = &use.line[i];
        double each = library_call_ns(a, at), share = library_share(a, at->ns);
        bool same = is_same_string(a->model, at->line);
        if (share < (same ? LEAST_SHARE_SAME : LEAST_SHARE) || (share < MOSTLY && each >= 0 && each < LEAST_CALL_NS))
            continue;
        struct model_advice *to = library_advise(a, ADVICE_lengths, at, at->ns, at->samples, 0.8, 1.08);
        char time[FIGURE_BYTES];
        if (!to)
            continue;
        to->evidence = arena_print(&a->model->arena,
                                   "Going to the end of a string (%s) took %s here, %.0f %% of the "
                                   "CPU time%s.",
                                   at->name, figure_time(time, at->ns), 100 * share,
                                   same ? "; in each round of the loop it is the same string" : "");
        if (same)
            continue;
        advice_title(a, to, advice_subject(a, at->line), "measures strings for much of its time");
        to->action =
            "keep the length beside the string when it is made or read; where it is the same string each time, "
            "measure it once, before the loop";
    }
}
