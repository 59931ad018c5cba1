/* SPDX-License-Identifier: MIT */
/* tree.c: stages under their parents, each with a bar of its share. Of a loop, the iterations. */
#include "first/first.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "words/columns.h"
#include "words/shortname.h"

enum { TIME = 8, SHARE = 6, COUNT = 7, GAP = 2, BAR_LEAST = 6, BAR_MOST = 20, NAME_LEAST = 12, NAME_FAIR = 16 };

#define THREADS_MORE 1.02 /* than the run's time */

static const char *stage_label(struct arena *arena, const struct model_stage *s, int room)
{
    const char *kind = s->times.open ? " (open)" : s->kind == PP_SITE_LOOP ? " (loop)" : "";
    int most = room - (int)strlen(kind), indent = (int)(2 * (s->depth < 10 ? s->depth : 10));
    indent = indent < most - 8 ? indent : most - 8;
    return arena_print(arena, "%*s%s%s", indent, "", name_cut(arena, s->name, most - indent), kind);
}

/* `ends`: how many of mean and p99 have room. */
static void stage_line(FILE *out, const struct model *model, const struct model_stage *s, const char *label, int names,
                       int bar, int ends)
{
    const struct model_times *t = s->kind == PP_SITE_LOOP && s->iteration.calls ? &s->iteration : &s->times;
    char time[FIGURE_BYTES], count[FIGURE_BYTES], mean[FIGURE_BYTES] = "-", late[FIGURE_BYTES] = "-", row[256];
    double share = stage_share(model, s);
    int filled = (int)lround(fmin(1, share) * bar);
    if (t->timed_calls)
        figure_time(mean, t->mean_ns);
    if (t->timed_calls > 1)
        figure_time(late, times_percentile(t, 0.99));
    for (int i = 0; i < bar; i++)
        row[i] = i < filled ? '#' : ' ';
    row[bar] = 0;
    fprintf(out, "%s%*s  %*s  %*.0f %%  %s  %*s", label, names - text_columns(label), "", TIME,
            figure_time(time, (double)s->times.wall_ns), SHARE - 2, 100 * share, row, COUNT,
            figure_count(count, (double)t->calls));
    for (int i = 0; i < ends; i++)
        fprintf(out, "  %*s", TIME, i ? late : mean);
    fputc('\n', out);
}

size_t first_tree(FILE *out, const struct model *model, const struct view *view, size_t rows)
{
    struct view cut = { .top = rows, .for_person = true };
    struct arena arena = { 0 };
    size_t count, left_out;
    if (!model->stage_count)
        return 0;
    uint32_t *list = view_stages(model, &cut, &count, &left_out);
    int ends = 2, fixed = TIME + SHARE + COUNT + 4 * GAP + ends * (TIME + GAP), names = NAME_LEAST;
    for (; ends && view->width - fixed - BAR_LEAST < NAME_FAIR; ends--)
        fixed -= TIME + GAP;
    int widest = view->width - fixed - BAR_LEAST > NAME_LEAST ? view->width - fixed - BAR_LEAST : NAME_LEAST;
    bool loops = false, *shown = memory_zeroed(model->stage_count, sizeof *shown);
    const char **label = memory_zeroed(count, sizeof *label);
    for (size_t i = 0; i < count; i++) {
        const struct model_stage *s = &model->stage[list[i]];
        label[i] = stage_label(&arena, s, widest);
        names = text_columns(label[i]) > names ? text_columns(label[i]) : names;
        loops = loops || (s->kind == PP_SITE_LOOP && s->iteration.calls);
        shown[list[i]] = true;
    }
    int bar = view->width - fixed - names;
    bar = bar > BAR_MOST ? BAR_MOST : bar < BAR_LEAST ? BAR_LEAST : bar;
    static const char *const end[] = { "mean", "p99" }, *const told[] = { "calls", "calls and mean",
                                                                          "calls, mean and p99" };
    fprintf(out, "%s%-*s  %*s  %*s  %*s  %*s", paint(view, "\033[1m"), names, "STAGES", TIME, "time", SHARE, "share",
            bar, "", COUNT, "calls");
    for (int i = 0; i < ends; i++)
        fprintf(out, "  %*s", TIME, end[i]);
    fprintf(out, "%s\n", paint(view, "\033[0m"));
    double largest = 0;
    char text[FIGURE_BYTES];
    for (size_t i = 0; i < count; i++)
        stage_line(out, model, &model->stage[list[i]], label[i], names, bar, ends);
    for (size_t i = 0; i < model->stage_count; i++)
        largest = shown[i] ? largest : fmax(largest, stage_share(model, &model->stage[i]));
    const char *foot =
        left_out ? arena_print(&arena, "and %zu more, the largest %.1f %% of the time", left_out, 100 * largest) : "";
    if (loops)
        foot = arena_print(&arena, "%s%sof a loop, %s are those of its iterations", foot, foot[0] ? "; " : "",
                           told[ends]);
    if (run_threads_ns(model) > THREADS_MORE * (double)model->run.wall_ns && !model->narrowed)
        foot = arena_print(&arena, "%s%sshare: of %s, the time of all threads together", foot, foot[0] ? "; " : "",
                           figure_time(text, run_threads_ns(model)));
    if (foot[0]) {
        fputs(paint(view, "\033[2m"), out);
        text_wrap(out, foot, 0, 0, view->width);
        fprintf(out, "%s\n", paint(view, "\033[0m"));
    }
    free(shown);
    free(label);
    free(list);
    arena_free(&arena);
    return count + left_out;
}
