/* SPDX-License-Identifier: MIT */
/* section-advice.c: what to change first: place, evidence, remedy, and what it would save. */
#include "section/section.h"

#include <string.h>

#include "words/columns.h"
#include "words/quote.h"

const char *saving_text(struct arena *arena, const struct model_advice *a)
{
    char low[32], high[32], size[FIGURE_BYTES];
    const char *of = a->of_busy ? "busy" : "wall";
    if (a->saved_bytes > 0 && a->high_percent < 1)
        return arena_print(arena, "saves %s", figure_size(size, a->saved_bytes));
    snprintf(low, sizeof low, "%.*f", a->low_percent < 9.95 && a->high_percent < 9.95 ? 1 : 0, a->low_percent);
    snprintf(high, sizeof high, "%.*f", a->high_percent < 9.95 ? 1 : 0, a->high_percent);
    if (a->kind == SAVING_SIMULATED && a->high_percent < 1)
        return "saves nothing shown (simulated)";
    if (a->kind == SAVING_BOUND || a->low_percent < 0.05)
        return arena_print(arena, "saves at most %s %% of the %s time", high, of);
    if (strcmp(low, high) == 0)
        return arena_print(arena, "saves %s %% of the %s time", low, of);
    return arena_print(arena, "saves %s to %s %% of the %s time", low, high, of);
}

/* A sentence with its label, wrapped below itself. */
static void said_print(FILE *out, const struct view *view, const char *label, const char *text)
{
    int used = 3 + text_columns(label);
    fprintf(out, "   %s", label);
    text_wrap(out, text, used, used, view->width);
    fputc('\n', out);
}

/* An example keeps its lines. */
static void example_print(FILE *out, struct arena *arena, const char *label, const char *text)
{
    for (const char *end; text; text = *end ? end + 1 : NULL, label = "") {
        end = text + strcspn(text, "\n");
        fprintf(out, "   %-8s%s\n", label, quote_plain(arena, arena_print(arena, "%.*s", (int)(end - text), text)));
    }
}

void text_advice(FILE *out, const struct model *model, const struct view *view)
{
    struct arena arena = { 0 };
    size_t shown = view->top && view->top < model->advice_count ? view->top : model->advice_count;
    if (shown)
        text_heading(out, view, "FINDINGS", "");
    for (size_t i = 0; i < shown; i++) {
        const struct model_advice *a = &model->advice[i];
        fprintf(out, "%s%zu  ", i ? "\n" : "", i + 1);
        text_wrap(out, arena_print(&arena, "%s   %s", a->title, saving_text(&arena, a)), 3, 3, view->width);
        fputc('\n', out);
        if (a->file[0])
            fprintf(out, "   %s:%u\n", quote_plain(&arena, path_short(a->file)), a->at);
        said_print(out, view, "", a->evidence);
        said_print(out, view, "Do: ", a->action);
        if (a->tried)
            said_print(out, view, "",
                       arena_print(&arena,
                                   "Findings of this rule helped in %u of %u tries "
                                   "(profplug try list).",
                                   a->helped, a->tried));
        if (a->before) {
            example_print(out, &arena, "before", a->before);
            example_print(out, &arena, "after", a->after);
        }
        for (uint32_t k = 0; k < a->ruled_out_count; k++)
            said_print(out, view, k ? "           " : "Ruled out: ", a->ruled_out[k]);
        if (a->section)
            said_print(out, view, "More: ", arena_print(&arena, "--section %s", a->section));
        if (a->verify)
            said_print(out, view, "Verify: ", arena_print(&arena, "%s; rebuild; %s", a->keep, a->verify));
        if (a->accepted)
            said_print(out, view, "Accepted: ", a->accepted);
        said_print(out, view, "ID: ", a->id);
    }
    if (shown)
        text_more(out, model->advice_count - shown);
    arena_free(&arena);
}
