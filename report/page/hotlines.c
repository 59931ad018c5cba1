/* SPDX-License-Identifier: MIT */
/* hotlines.c: the lines with most CPU time or waits. */
#include "page/page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/namesake.h"
#include "page/markup.h"
#include "section/section.h"
#include "show/source.h"

enum { ROWS_MOST = 25 };

/* CPU time in user code, in the kernel, and waits, one behind the other: the same order as in the table. */
static void mix_write(FILE *out, const struct model_line *l, double waits, double whole)
{
    double user = fmax(l->self.ns - l->system_ns, 0), part[] = { user, l->system_ns, waits }, x = 0;
    static const char *const name[] = { "user", "kernel", "wait" };
    fputs("<td class=\"picture\"><svg class=\"bar\" viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" "
          "aria-hidden=\"true\">", out);
    for (int i = 0; i < 3 && whole > 0; i++) {
        double wide = 100 * part[i] / whole;
        if (wide >= 0.05)
            fprintf(out, "<rect class=\"%s\" x=\"%.2f\" width=\"%.2f\" height=\"10\"/>", name[i], x, wide);
        x += wide;
    }
    fputs("</svg></td>", out);
}

static void line_write(FILE *out, struct arena *arena, const struct model *model, const struct model_line *l,
                       double whole)
{
    char text[FIGURE_BYTES];
    const struct source *source = source_get(l->file);
    const char *code = source ? source_line(source, l->line, true) : NULL;
    double waits = (double)traffic_wait_ns(&l->traffic), cpu = coverage_cpu_ns(model);
    fputs("<tr><th scope=\"row\">", out);
    plain_place(out, l->file, l->line);
    fputs("</th><td class=\"code\"><code>", out);
    if (code)
        markup_text(out, code);
    else if (l->function != MODEL_NONE)
        markup_text(out, function_label(arena, &model->function[l->function]));
    fputs("</code></td>", out);
    fprintf(out, "<td>%s</td>", l->self.ns > 0 ? figure_time(text, l->self.ns) : "-");
    fprintf(out, "<td>%s</td>", cpu > 0 && l->self.ns > 0 ? figure_share(text, l->self.ns / cpu) : "-");
    fprintf(out, "<td>%s</td>", l->system_ns > 0 ? figure_time(text, l->system_ns) : "-");
    fprintf(out, "<td>%s</td>", waits > 0 ? figure_time(text, waits) : "-");
    mix_write(out, l, waits, whole);
    fprintf(out, "<td>%s</td>", l->hits_known ? figure_count(text, (double)l->hits) : "-");
    fprintf(out, "<td>%s</td>",
            l->hits_known && l->hits && l->self.ns > 0 ? figure_time(text, l->self.ns / (double)l->hits) : "-");
    const char *error = l->self.ns > 0 ? text_error(text, l->self, "samples") : "-";
    bool plus_minus = strncmp(error, "+-", 2) == 0; /* a page has the sign, as the script has */
    fprintf(out, "<td>%s%s</td></tr>\n", plus_minus ? "&plusmn;" : "", error + 2 * plus_minus);
}

void plain_lines(FILE *out, const struct model *model, const struct view *view)
{
    struct view shown = { .top = ROWS_MOST, .min_percent = view->min_percent, .for_person = true };
    struct arena arena = { 0 };
    size_t count, left_out;
    uint32_t *line = view_lines(model, &shown, &count, &left_out);
    double whole = 0;
    for (size_t i = 0; i < count; i++)
        whole = fmax(whole, model->line[line[i]].self.ns + (double)traffic_wait_ns(&model->line[line[i]].traffic));
    fputs("<section id=\"hottest\">\n<h2>Hottest lines</h2>\n", out);
    if (count)
        fputs("<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Hottest lines\"><table>\n<thead><tr>"
              "<th scope=\"col\">line</th><th scope=\"col\" class=\"code\">code</th><th scope=\"col\">CPU</th>"
              "<th scope=\"col\">of CPU</th><th scope=\"col\">kernel</th><th scope=\"col\">wait</th>"
              "<th scope=\"col\"><span class=\"unseen\">bar</span></th><th scope=\"col\">hits</th>"
              "<th scope=\"col\">per hit</th><th scope=\"col\">error</th></tr></thead>\n<tbody>\n", out);
    for (size_t i = 0; i < count; i++)
        line_write(out, &arena, model, &model->line[line[i]], whole);
    if (count)
        fputs("</tbody></table></div>\n<p class=\"legend\">Bar: <span class=\"key user\">CPU</span> "
              "<span class=\"key kernel\">of it kernel</span> <span class=\"key wait\">wait</span> "
              "Error: one standard error of the CPU time. Hits are exact.</p>\n", out);
    else
        fputs("<p>No line has CPU time or waits.</p>\n", out);
    fputs("</section>\n", out);
    free(line);
    arena_free(&arena);
}
