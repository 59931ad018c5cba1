/* SPDX-License-Identifier: MIT */
/* screen.c: how text stands on a terminal: headings, wrapped sentences, and what is below a table. It must not know
 * what a table shows, files, ELF or DWARF. */
#include "show/screen.h"

#include <string.h>

#include "words/quote.h"
#include "show/table.h"

const char *paint(const struct view *view, const char *code) { return view->colour ? code : ""; }

void text_heading(FILE *out, const struct view *view, const char *title, const char *remark)
{
    fprintf(out, "\n%s%s%s%s%s%s\n", paint(view, "\033[1m"), title, paint(view, "\033[0m"), remark[0] ? "  " : "",
            remark, "");
}

const char *path_short(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* Bytes up to the next gap. That of a number of thousands, as in "44 988", is none. */
static size_t word_bytes(const char *text)
{
    size_t bytes = strcspn(text, " ");
    while (bytes && is_digit(text[bytes - 1]) && text[bytes] && strspn(text + bytes + 1, "0123456789") == 3)
        bytes += 1 + strcspn(text + bytes + 1, " ");
    return bytes;
}

void text_wrap(FILE *out, const char *raw, int used, int indent, int width)
{
    struct arena arena = { 0 };
    const char *text = quote_plain(&arena, raw);
    bool first = true;
    while (*text) {
        size_t gap = strspn(text, " "), bytes = word_bytes(text + gap);
        char word[256];
        int wide = bytes < sizeof word
                       ? text_columns((snprintf(word, sizeof word, "%.*s", (int)bytes, text + gap), word))
                       : (int)bytes;
        if (!first && used + (int)gap + wide > width) {
            fprintf(out, "\n%*s", indent, "");
            used = indent;
            gap = 0;
        }
        text += strspn(text, " ");
        fprintf(out, "%*s%.*s", (int)gap, "", (int)bytes, text);
        used += (int)gap + wide;
        first = false;
        text += bytes;
    }
    arena_free(&arena);
}

int name_room(const struct view *view) { return view->width < 100 ? 2 * view->width / 5 : 40; }

void text_more(FILE *out, size_t left_out)
{
    if (left_out)
        fprintf(out, "and %zu more (--top 0 shows all)\n", left_out);
}

/* Whether a legend entry such as "self, share: sampled" describes only columns that are not shown. */
static bool part_is_absent(const struct table *table, const char *part, size_t length)
{
    const char *colon = memmem(part, length, ": ", 2);
    for (const char *at = part; colon && at < colon;) {
        const char *comma = memmem(at, (size_t)(colon - at), ", ", 2),
                   *and = memmem(at, (size_t)(colon - at), " and ", 5),
                   *end = comma ? comma
                          : and ? and
                                : colon;
        bool known = false;
        for (size_t c = 0; c < table->columns; c++)
            if (strlen(table->column[c].title) == (size_t)(end - at) &&
                memcmp(table->column[c].title, at, (size_t)(end - at)) == 0) {
                known = true;
                if (!table->dropped[c])
                    return false;
            }
        if (!known)
            return false;
        at = end + (end == comma ? 2 : end == and? 5 : 0);
    }
    return colon;
}

static char *parts_shown(struct arena *arena, const struct table *table, const char *meaning)
{
    char *text = arena_copy(arena, "");
    for (const char *at = meaning, *end; *at; at = *end ? end + 2 : end) {
        end = strstr(at, "; ");
        end = end ? end : at + strlen(at);
        if (!part_is_absent(table, at, (size_t)(end - at)))
            text = arena_print(arena, "%s%s%.*s", text, text[0] ? "; " : "", (int)(end - at), at);
    }
    return text;
}

void text_foot(FILE *out, const struct view *view, const struct table *table, const char *meaning)
{
    char text[1536];
    bool narrow = table->hidden[0];
    meaning = parts_shown(table->arena, table, meaning);
    if (!meaning[0] && !narrow)
        return;
    snprintf(text, sizeof text, "%s%s", meaning, meaning[0] && narrow ? "; " : "");
    size_t used = strlen(text);
    if (narrow)
        snprintf(text + used, sizeof text - used, "not shown for lack of width: %s (COLUMNS=%d shows them)",
                 table->hidden, (table->wanted + 40 - name_room(view) + 9) / 10 * 10);
    fputs(paint(view, "\033[2m"), out);
    text_wrap(out, text, 0, 0, view->width);
    fprintf(out, "%s\n", paint(view, "\033[0m"));
}
