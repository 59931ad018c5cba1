/* SPDX-License-Identifier: MIT */
/* markdown.c: what to change first, the stages and the hottest lines, for a comment or a job's summary. Names are
 * written so that they are text: they make no link, no table and no HTML. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "exchange/tool.h"
#include "model/namesake.h"
#include "show/screen.h"
#include "words/figure.h"
#include "words/quote.h"
#include "words/shortname.h"

#define LINES_MOST 10
#define FINDINGS_MOST 5
#define NAME_COLUMNS 80 /* comments are refused above some 65,000 bytes */

static void text_print(FILE *out, const char *text)
{
    struct arena arena = { 0 };
    for (const char *c = quote_plain(&arena, text); *c; c++)
        if (*c == '<' || *c == '>' || *c == '&')
            fputs(*c == '<' ? "&lt;" : *c == '>' ? "&gt;" : "&amp;", out);
        else
            fprintf(out, strchr("\\`*_{}[]()#+!|~@", *c) ? "\\%c" : "%c", *c);
    arena_free(&arena);
}

static void place_print(FILE *out, const char *file, uint32_t line)
{
    text_print(out, path_short(file));
    if (line)
        fprintf(out, ":%" PRIu32, line);
}

static void findings_print(FILE *out, const struct model *model)
{
    size_t shown = 0, accepted = 0;
    fputs("\n### What to change first\n\n", out);
    for (size_t i = 0; i < model->advice_count; i++) {
        const struct model_advice *a = &model->advice[i];
        const char *of = a->of_busy ? "busy" : "wall";
        accepted += a->accepted != NULL;
        if (a->accepted || shown == FINDINGS_MOST)
            continue;
        fprintf(out, "%zu. **", ++shown);
        text_print(out, a->title);
        fputs("** (", out);
        place_print(out, a->file, a->line == MODEL_NONE ? a->at : model->line[a->line].line);
        if (a->kind == SAVING_BOUND)
            fprintf(out, "), saves at most %.0f %% of the %s time.\n   ", a->high_percent, of);
        else
            fprintf(out, "), saves %.0f to %.0f %% of the %s time.\n   ", a->low_percent, a->high_percent, of);
        text_print(out, a->evidence);
        fputs("\n   Do: ", out);
        text_print(out, a->action);
        putc('\n', out);
    }
    if (!shown)
        fputs("Nothing stands out.\n", out);
    if (model->advice_count - accepted > shown)
        fprintf(out, "\n%zu more in `profplug report --section findings`.\n", model->advice_count - accepted - shown);
    if (accepted)
        fprintf(out, "\n%zu accepted as it is.\n", accepted);
}

static void stages_print(FILE *out, const struct model *model)
{
    char time[4][FIGURE_BYTES];
    struct arena arena = { 0 };
    if (!model->stage_count)
        return;
    fputs("\n### Stages\n\n| stage | wall time | calls | mean | p99 | CPU |\n|---|---:|---:|---:|---:|---:|\n", out);
    for (size_t i = 0; i < model->stage_count; i++) {
        const struct model_stage *s = &model->stage[i];
        fputs("| ", out);
        text_print(out, name_cut(&arena, quote_plain(&arena, s->key), NAME_COLUMNS));
        fprintf(out, " | %s | %" PRIu64 " | %s | %s | %s |\n", figure_time(time[0], (double)s->times.wall_ns),
                s->times.calls, figure_time(time[1], s->times.timed_calls ? s->times.mean_ns : -1),
                figure_time(time[2], s->times.timed_calls ? times_percentile(&s->times, 0.99) : -1),
                figure_time(time[3], stage_cpu_ns(s)));
    }
    arena_free(&arena);
}

static void lines_print(FILE *out, const struct model *model)
{
    struct view view = { .top = LINES_MOST };
    struct arena arena = { 0 };
    size_t count, left_out;
    char time[2][FIGURE_BYTES];
    uint32_t *order = view_lines(model, &view, &count, &left_out);
    double cpu_ns = coverage_cpu_ns(model);
    fputs("\n### Hottest lines\n\n"
          "| line | function | CPU | of the run's CPU time | waits |\n|---|---|---:|---:|---:|\n",
          out);
    for (size_t i = 0; i < count; i++) {
        const struct model_line *l = &model->line[order[i]];
        fputs("| ", out);
        place_print(out, l->file, l->line);
        fputs(" | ", out);
        if (l->function != MODEL_NONE)
            text_print(out, label_fit(&arena, function_label(&arena, &model->function[l->function]), NAME_COLUMNS));
        fprintf(out, " | %s | %.1f %% +-%.0f %% | %s |\n", figure_time(time[0], l->self.ns),
                cpu_ns > 0 ? 100 * l->self.ns / cpu_ns : 0, value_error_percent(l->self),
                figure_time(time[1], l->stalled.ns));
    }
    if (left_out)
        fprintf(out, "\n%zu more line%s time. After +- is one standard error, of the line's time.\n", left_out,
                left_out == 1 ? " has" : "s have");
    free(order);
    arena_free(&arena);
}

void export_markdown(FILE *out, const struct model *model, const struct export_request *request)
{
    (void)request;
    char time[2][FIGURE_BYTES], bytes[FIGURE_BYTES];
    const struct model_run *r = &model->run;
    fputs("## ", out);
    text_print(out, r->program);
    fprintf(out, "\n\n%s, %s CPU, %" PRIu64 " %s, %s", figure_time(time[0], (double)r->wall_ns),
            figure_time(time[1], (double)(r->user_ns + r->system_ns)), r->thread_count,
            r->thread_count == 1 ? "thread" : "threads", figure_size(bytes, (double)r->peak_rss_bytes));
    if (r->exit_kind == MODEL_EXIT_EXIT || r->exit_kind == MODEL_EXIT_SIGNAL)
        fprintf(out, ", %s %" PRId32, exit_name(r->exit_kind), r->exit_status);
    fputs(".\n", out);
    findings_print(out, model);
    stages_print(out, model);
    lines_print(out, model);
}
