/* SPDX-License-Identifier: MIT */
/* findings.c: one finding in a few lines: who does what and what that costs, the source line, the evidence, and what to
 * do. None of it is cut but names that no line would hold. */
#include "first/first.h"

#include <math.h>
#include <string.h>

#include "show/source.h"
#include "words/columns.h"
#include "words/excerpt.h"
#include "words/plural.h"
#include "words/quote.h"
#include "words/shortname.h"

/* The finding with this number among those that nobody accepted. */
static const struct model_advice *finding_at(const struct model *model, size_t number)
{
    for (size_t i = 0; i < model->advice_count; i++)
        if (!model->advice[i].accepted && !number--)
            return &model->advice[i];
    return NULL;
}

size_t first_finding_count(const struct model *model)
{
    size_t count = 0;
    while (finding_at(model, count))
        count++;
    return count;
}

/* Where the title's last line ends, if it is wrapped to the width. */
static int title_end(const char *title, int indent, int width)
{
    int used = indent;
    for (const char *at = title; *at;) {
        size_t gap = strspn(at, " "), bytes = strcspn(at + gap, " ");
        struct arena arena = { 0 };
        int wide = text_columns(arena_print(&arena, "%.*s", (int)bytes, at + gap));
        arena_free(&arena);
        if (used > indent && used + (int)gap + wide > width) {
            used = indent;
            gap = 0;
        }
        used += (int)gap + wide;
        at += strspn(at, " ") + bytes;
    }
    return used;
}

/* Ends the line, which has `used` columns, with the saving at its right end. */
static void saving_print(FILE *out, const struct view *view, const struct model_advice *a, const char *saving, int used)
{
    const char *colour = a->low_percent >= 20 ? "\033[31m" : a->low_percent >= 5 ? "\033[33m" : "";
    int gap = view->width - used - text_columns(saving);
    fprintf(out, "%*s%s%s%s\n", gap > 0 ? gap : 0, "", paint(view, colour), saving,
            colour[0] ? paint(view, "\033[0m") : "");
}

/* The place and as much of its source as fits. Returns the columns used. */
static int place_print(FILE *out, struct arena *arena, const struct model *model, const struct view *view,
                       const struct model_advice *a, int room)
{
    if (!a->file[0] || !a->at)
        return 0;
    const struct source *source = source_get(a->file);
    const char *text = source ? source_line(source, a->at, true) : NULL;
    const char *place = name_cut(arena, arena_print(arena, "%s:%u", path_short(a->file), a->at), room / 2);
    int used = 3 + text_columns(place), wide = used < 17 ? 17 : used;
    fprintf(out, "   %s", place);
    if (!text || !text[0])
        return used;
    bool same = a->line != MODEL_NONE && model->line[a->line].line == a->at;
    int at = same ? source_offset(source, a->at, model->line[a->line].column) : -1;
    const char *shown = source_excerpt(arena, quote_plain(arena, text), at, room - wide - 2);
    fprintf(out, "%*s%s%s%s", wide + 2 - used, "", paint(view, "\033[2m"), shown, paint(view, "\033[0m"));
    return wide + 2 + text_columns(shown);
}

/* The title with names that no line would hold cut in their middles. */
static const char *title_fit(struct arena *arena, const char *title, int width)
{
    const char *fit = "";
    for (const char *at = title; *at;) {
        size_t bytes = strcspn(at, " "), gap = strspn(at + bytes, " ");
        const char *word = name_cut(arena, arena_print(arena, "%.*s", (int)bytes, at), width);
        fit = arena_print(arena, "%s%s%.*s", fit, word, (int)gap, at + bytes);
        at += bytes + gap;
    }
    return fit;
}

/* Title and place. The saving ends the first line that has room for it. */
static void head_print(FILE *out, const struct model *model, const struct view *view, struct arena *arena,
                       size_t number, const struct model_advice *a)
{
    const char *title = title_fit(arena, quote_plain(arena, a->title), view->width - 3);
    const char *saving = saving_text(arena, a);
    int end = title_end(title, 3, view->width), wide = 2 + text_columns(saving);
    bool beside = end + wide <= view->width;
    fprintf(out, "%-2zu %s", number + 1, paint(view, "\033[1m"));
    text_wrap(out, title, 3, 3, view->width);
    fputs(paint(view, "\033[0m"), out);
    if (beside)
        saving_print(out, view, a, saving, end);
    else
        fputc('\n', out);
    int used = place_print(out, arena, model, view, a, beside ? view->width : view->width - wide);
    if (!beside)
        saving_print(out, view, a, saving, used);
    else if (used)
        fputc('\n', out);
}

void first_finding(FILE *out, const struct model *model, const struct view *view, size_t number)
{
    const struct model_advice *a = finding_at(model, number);
    struct arena arena = { 0 };
    if (!a)
        return;
    head_print(out, model, view, &arena, number, a);
    if (a->evidence[0]) {
        fputs("   ", out);
        text_wrap(out, a->evidence, 3, 3, view->width);
        fputc('\n', out);
    }
    bool ends = strchr(".!?", a->action[0] ? a->action[strlen(a->action) - 1] : '.');
    fprintf(out, "   %sDo:%s ", paint(view, "\033[1m"), paint(view, "\033[0m"));
    const char *action = ends ? a->action : arena_print(&arena, "%s.", a->action);
    if (a->tried)
        action = arena_print(&arena, "%s (helped in %u of %u tries)", action, a->helped, a->tried);
    text_wrap(out, action, 7, 7, view->width);
    fputc('\n', out);
    arena_free(&arena);
}

void first_findings_rest(FILE *out, const struct model *model, const struct view *view, size_t shown)
{
    size_t count = first_finding_count(model), accepted = model->advice_count - count;
    struct arena arena = { 0 };
    if (shown < count) {
        double low = 0, high = 0;
        for (size_t i = shown; i < count; i++) {
            low = fmax(low, finding_at(model, i)->low_percent);
            high = fmax(high, finding_at(model, i)->high_percent);
        }
        fprintf(out, "and %zu more, %sat most %.0f %% of the %s time (--section findings)\n", count - shown,
                count - shown > 1 ? "each " : "", ceil(high), finding_at(model, 0)->of_busy ? "busy" : "wall");
    }
    for (size_t i = 0; i < model->advice_count && accepted == 1; i++) {
        const struct model_advice *a = &model->advice[i];
        if (!a->accepted)
            continue;
        const char *id = name_cut(&arena, a->id, view->width / 2);
        fprintf(out, "accepted: %s: %s\n", id, name_cut(&arena, a->accepted, view->width - 12 - text_columns(id)));
    }
    if (count && finding_at(model, 0)->of_busy) {
        char time[FIGURE_BYTES];
        const char *text = arena_print(&arena,
                                       "busy time: %s on CPUs and waiting for locks and files; else it waited "
                                       "for clients",
                                       figure_time(time, model->advised_ns));
        text_wrap(out, text, 0, 2, view->width);
        fputc('\n', out);
    }
    if (accepted > 1)
        fprintf(out, "accepted: %zu others (profplug accept --list)\n", accepted);
    arena_free(&arena);
}
