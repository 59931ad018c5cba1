/* SPDX-License-Identifier: MIT */
/* advices.c: what to change, where, and what that would save, with an example of the code before and after. */
#include "page/page.h"

#include <string.h>

#include "page/markup.h"
#include "section/section.h"
#include "show/source.h"

static const char *weight_name(const struct model_advice *a)
{
    return a->low_percent >= 20 ? "high" : a->low_percent >= 5 ? "medium" : "low";
}

static void place_write(FILE *out, const struct model_advice *a)
{
    const struct source *source = a->file && a->file[0] && a->at ? source_get(a->file) : NULL;
    const char *text = source ? source_line(source, a->at, true) : NULL;
    if (!a->file || !a->file[0])
        return;
    fputs("<p class=\"at\">", out);
    plain_place(out, a->file, a->at);
    if (text && text[0]) {
        fputs(" <code>", out);
        markup_text(out, text);
        fputs("</code>", out);
    }
    fputs("</p>\n", out);
}

/* An example is several lines long. */
static void example_write(FILE *out, const char *title, const char *code)
{
    markup_print(out, "<figure><figcaption>%s</figcaption><pre>", title);
    for (const char *end; *code; code = end + (*end == '\n')) {
        struct arena arena = { 0 };
        end = code + strcspn(code, "\n");
        markup_source(out, arena_print(&arena, "%.*s", (int)(end - code), code));
        fputs("\n", out);
        arena_free(&arena);
    }
    fputs("</pre></figure>\n", out);
}

static void finding_write(FILE *out, const struct model_advice *a, size_t number)
{
    struct arena arena = { 0 };
    markup_print(out, "<article class=\"finding %s\" id=\"finding-%zu\">\n", weight_name(a), number);
    markup_print(out, "<h3><span class=\"number\">%zu</span> %s</h3>\n<p class=\"saving\">%s</p>\n", number, a->title,
                 saving_text(&arena, a));
    place_write(out, a);
    if (a->evidence[0])
        markup_print(out, "<p>%s</p>\n", a->evidence);
    markup_print(out, "<p class=\"do\"><strong>Do:</strong> %s</p>\n", a->action);
    if (a->tried)
        markup_print(out, "<p>This helped in %u of %u tries.</p>\n", a->helped, a->tried);
    if (a->before || a->ruled_out_count || (a->verify && a->verify[0])) {
        fputs("<details><summary>Example, and how to check</summary>\n", out);
        if (a->before) {
            fputs("<div class=\"example\">\n", out);
            example_write(out, "before", a->before);
            if (a->after)
                example_write(out, "after", a->after);
            fputs("</div>\n", out);
        }
        if (a->ruled_out_count)
            fputs("<p>Ruled out:</p>\n<ul>\n", out);
        for (uint32_t i = 0; i < a->ruled_out_count; i++)
            markup_print(out, "<li>%s</li>\n", a->ruled_out[i]);
        if (a->ruled_out_count)
            fputs("</ul>\n", out);
        if (a->verify && a->verify[0])
            markup_print(out, "<p>To check: <code>%s</code>; rebuild; <code>%s</code></p>\n", a->keep, a->verify);
        fputs("</details>\n", out);
    }
    fputs("</article>\n", out);
    arena_free(&arena);
}

void plain_findings(FILE *out, const struct model *model)
{
    size_t number = 0, accepted = 0;
    fputs("<section id=\"findings\">\n<h2>Findings</h2>\n", out);
    for (size_t i = 0; i < model->advice_count; i++) {
        if (model->advice[i].accepted)
            accepted++;
        else
            finding_write(out, &model->advice[i], ++number);
    }
    if (!number)
        fputs("<p>Nothing found that would save time or memory for sure. The lines below have most of the time.</p>\n",
              out);
    if (accepted)
        fputs("<h3>Accepted</h3>\n<ul>\n", out);
    for (size_t i = 0; i < model->advice_count; i++)
        if (model->advice[i].accepted)
            markup_print(out, "<li>%s: %s</li>\n", model->advice[i].title, model->advice[i].accepted);
    if (accepted)
        fputs("</ul>\n", out);
    fputs("</section>\n", out);
}
