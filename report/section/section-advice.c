/* SPDX-License-Identifier: MIT */
/* section-advice.c: what to change first: place, evidence, remedy, and what it would save. */
#include "section/section.h"
#include "show/source.h"
#include "words/quote.h"

static const char *saving_text(struct arena *arena, const struct model_advice *a)
{
    if (a->kind == SAVING_BOUND)
        return arena_print(arena, "saves at most %.0f %% of the run", a->high_percent);
    return arena_print(arena, "saves %.0f to %.0f %% of the run", a->low_percent, a->high_percent);
}

void text_advice(FILE *out, const struct model *model, const struct view *view)
{
    struct arena arena = { 0 };
    if (model->advice_count)
        text_heading(out, view, "FINDINGS", "");
    for (size_t i = 0; i < model->advice_count && i < 5; i++) {
        const struct model_advice *a = &model->advice[i];
        fprintf(out, "%zu  %s   %s\n", i + 1, quote_plain(&arena, a->title), saving_text(&arena, a));
        if (a->file[0])
            fprintf(out, "   %s:%u\n", quote_plain(&arena, path_short(a->file)), a->at);
        fputs("   ", out);
        text_wrap(out, a->evidence, 3, 3, view->width);
        fputs("\n   Do: ", out);
        text_wrap(out, a->action, 7, 7, view->width);
        fputc('\n', out);
    }
    arena_free(&arena);
}
