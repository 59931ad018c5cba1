/* SPDX-License-Identifier: MIT */
/* stagetable.c: stages under their parents, with bars and how the times of their entries spread. */
#include "page/page.h"

#include <math.h>
#include <stdlib.h>

#include "page/markup.h"
#include "words/figure.h"

enum { ROWS_MOST = 60, BUCKETS = 28, SHARES = 200 };

/* How many entries took how long: a small picture, equal steps of the logarithm from the shortest to the longest. */
static void spread_write(FILE *out, const struct model_times *t)
{
    double low = (double)t->min_ns, high = (double)t->max_ns, at[SHARES], count[BUCKETS] = { 0 }, most = 0;
    if (t->timed_calls < 8 || low <= 0 || high < low * 1.05)
        return;
    for (int k = 0; k < SHARES; k++)
        at[k] = times_percentile(t, (k + 0.5) / SHARES);
    for (int i = 0; i < BUCKETS; i++) {
        /* shares of the entries at both ends, by the percentiles between which they lie */
        double from = low * pow(high / low, (double)i / BUCKETS), to = low * pow(high / low, (i + 1.0) / BUCKETS);
        for (int k = 0; k < SHARES; k++)
            count[i] += (at[k] >= from && at[k] < to) || (i == BUCKETS - 1 && at[k] >= to);
        most = fmax(most, count[i]);
    }
    fprintf(out, "<svg class=\"spread\" viewBox=\"0 0 %d 16\" preserveAspectRatio=\"none\" aria-hidden=\"true\">",
            BUCKETS * 4);
    for (int i = 0; i < BUCKETS; i++) {
        double tall = count[i] > 0 ? fmax(1.5, 16 * count[i] / most) : 0;
        if (tall > 0)
            fprintf(out, "<rect x=\"%d\" y=\"%.1f\" width=\"3\" height=\"%.1f\"/>", i * 4, 16 - tall, tall);
    }
    fputs("</svg>", out);
}

static void figure_cell(FILE *out, double ns)
{
    char text[FIGURE_BYTES];
    fprintf(out, "<td>%s</td>", figure_time(text, ns));
}

static void times_write(FILE *out, const struct model_times *t)
{
    bool known = t->timed_calls > 0;
    figure_cell(out, known ? t->mean_ns : -1);
    figure_cell(out, known ? times_percentile(t, 0.50) : -1);
    figure_cell(out, known ? times_percentile(t, 0.95) : -1);
    figure_cell(out, known ? times_percentile(t, 0.99) : -1);
    figure_cell(out, known ? (double)t->max_ns : -1);
    fputs("<td class=\"picture\">", out);
    if (known)
        spread_write(out, t);
    fputs("</td>", out);
}

static void share_write(FILE *out, double share)
{
    fprintf(out, "<td class=\"picture\"><svg class=\"bar\" viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" "
            "aria-hidden=\"true\"><rect width=\"%.2f\" height=\"10\"/></svg></td>", 100 * fmin(fmax(share, 0), 1));
}

static void stage_write(FILE *out, const struct model *model, uint32_t at)
{
    const struct model_stage *s = &model->stage[at];
    char text[FIGURE_BYTES];
    double share = stage_share(model, s);
    uint32_t depth = s->depth < 12 ? s->depth : 12;
    markup_print(out, "<tr><th scope=\"row\" class=\"in%u\">%s", depth, s->name);
    if (s->kind != PP_SITE_STAGE)
        markup_print(out, " <small>%s</small>", s->kind == PP_SITE_LOOP ? "loop" : "scope");
    if (s->times.open)
        fputs(" <small>open</small>", out);
    fputs("</th>", out);
    figure_cell(out, (double)s->times.wall_ns);
    fprintf(out, "<td>%s</td>", figure_share(text, share));
    share_write(out, share);
    figure_cell(out, (double)s->times.self_ns);
    fprintf(out, "<td>%s</td>", figure_count(text, (double)s->times.calls));
    times_write(out, &s->times);
    fputs("</tr>\n", out);
    if (s->kind == PP_SITE_LOOP && s->iteration.calls) {
        fprintf(out,
                "<tr class=\"each\"><th scope=\"row\" class=\"in%u\">each iteration</th><td></td><td></td><td></td>"
                "<td></td><td>%s</td>",
                depth + 1, figure_count(text, (double)s->iteration.calls));
        times_write(out, &s->iteration);
        fputs("</tr>\n", out);
    }
}

void plain_stages(FILE *out, const struct model *model, const struct view *view)
{
    size_t count, left_out;
    struct view shown = { .top = ROWS_MOST, .min_percent = view->min_percent };
    uint32_t *stage = view_stages(model, &shown, &count, &left_out);
    if (count) {
        fputs("<section id=\"stages\">\n<h2>Stages</h2>\n<div class=\"wide\" tabindex=\"0\" role=\"region\" "
              "aria-label=\"Stages\"><table>\n<thead><tr><th scope=\"col\">stage</th><th scope=\"col\">total</th>"
              "<th scope=\"col\">share</th><th scope=\"col\"><span class=\"unseen\">bar</span></th>"
              "<th scope=\"col\">self</th><th scope=\"col\">calls</th><th scope=\"col\">mean</th>"
              "<th scope=\"col\">p50</th><th scope=\"col\">p95</th><th scope=\"col\">p99</th>"
              "<th scope=\"col\">max</th><th scope=\"col\">spread</th></tr></thead>\n<tbody>\n", out);
        for (size_t i = 0; i < count; i++)
            stage_write(out, model, stage[i]);
        fputs("</tbody></table></div>\n<p class=\"legend\">Share: of the time that all threads were there. "
              "Spread: how many entries took how long, from the shortest to the longest, in equal ratios.", out);
        if (left_out)
            fprintf(out, " %zu more stage%s in the view Loops.", left_out, left_out == 1 ? " is" : "s are");
        fputs("</p>\n</section>\n", out);
    }
    free(stage);
}
