/* SPDX-License-Identifier: MIT */
/* section-bottleneck.c: what exceeds the limits of its category, with the evidence. */
#include "model/namesake.h"
#include "words/columns.h"
#include "words/quote.h"
#include "words/shortname.h"
#include "section/section.h"

static const char *finding_name(struct arena *arena, const struct model *model, const struct model_finding *f,
                                const struct view *view)
{
    int room = view->width / 4 < 32 ? view->width / 4 : 32;
    return f->is_stage ? name_cut(arena, f->name, room)
                       : label_fit(arena, function_label(arena, &model->function[f->subject]), room);
}

static const char *finding_place(struct arena *arena, const struct model_finding *f)
{
    return f->file[0] ? name_cut(arena, arena_print(arena, "%s:%u", path_short(f->file), f->line), 32) : "";
}

static void finding_print(FILE *out, const struct model *model, const struct model_finding *f, const struct view *view,
                          struct arena *arena, int names, int places)
{
    static const char *const colour[] = { "", "\033[33m", "\033[31m" };
    const char *name = finding_name(arena, model, f, view), *place = finding_place(arena, f);
    fprintf(out, "%s%-8s%s", paint(view, colour[f->severity]), severity_name(f->severity),
            f->severity ? paint(view, "\033[0m") : "");
    int used = 8 + 2 + 6 + 2 + names + 2 + 10 + 2 + places;
    bool room = view->width - used >= 50;
    fprintf(out, "  %-6s  %s%*s  %-10s  %s", priority_name(f->priority), name, names - text_columns(name), "", f->rule,
            place);
    if (room)
        fprintf(out, "%*s", places - text_columns(place) + 2, "");
    else
        fprintf(out, "\n%18s", "");
    text_wrap(out, f->text, room ? used + 2 : 18, room ? used + 2 : 18, view->width);
    fputc('\n', out);
}

void text_bottlenecks(FILE *out, const struct model *model, const struct view *view)
{
    size_t shown = view->top && view->top < model->finding_count ? view->top : model->finding_count;
    int names = 0, places = 0;
    struct arena arena = { 0 };
    text_heading(out, view, "BOTTLENECKS", model->finding_count ? "" : "none above the thresholds");
    for (size_t i = 0; i < shown; i++) {
        const struct model_finding *f = &model->finding[i];
        int name = text_columns(finding_name(&arena, model, f, view)), place = text_columns(finding_place(&arena, f));
        names = name > names ? name : names;
        places = place > places ? place : places;
    }
    for (size_t i = 0; i < shown; i++)
        finding_print(out, model, &model->finding[i], view, &arena, names, places);
    text_more(out, model->finding_count - shown);
    arena_free(&arena);
}
