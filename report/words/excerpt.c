/* SPDX-License-Identifier: MIT */
/* excerpt.c: see excerpt.h. Strings and brackets are skipped as C has them; where that is wrong, another part is shown.
 */
#include "words/excerpt.h"

#include <stdbool.h>
#include <string.h>

#include "words/columns.h"

enum { DOTS = 3, LEAST = 12 };

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || (c & 0x80);
}

/* Past the string or character that begins there. */
static int literal_end(const char *text, int from)
{
    int i = from + 1;
    for (; text[i] && text[i] != text[from]; i++)
        i += text[i] == '\\' && text[i + 1];
    return text[i] ? i + 1 : i;
}

/* Where the statement around a place begins. */
static int statement_begin(const char *text, int at)
{
    int begin = 0, depth = 0;
    for (int i = 0; i < at && text[i]; i++) {
        if (text[i] == '"' || (text[i] == '\'' && !(i && is_word(text[i - 1])))) {
            int end = literal_end(text, i);
            if (end > at)
                break;
            i = end - 1;
        } else if (text[i] == '(' || text[i] == '[') {
            depth++;
        } else if (text[i] == ')' || text[i] == ']') {
            depth -= depth > 0;
        } else if (text[i] == '{' || text[i] == '}' || (text[i] == ';' && !depth)) {
            begin = i + 1;
        }
    }
    return begin + (int)strspn(text + begin, " \t");
}

static int word_begin(const char *text, int at)
{
    while (at > 0 && is_word(text[at]) && is_word(text[at - 1]))
        at--;
    return at;
}

/* Past the word, or the sign, at a place. */
static int word_end(const char *text, int at)
{
    int end = at;
    while (is_word(text[end]))
        end++;
    return end > at ? end : at + 1;
}

/* Bytes from `from` on that fit, without a part of a word if more is there. */
static int bytes_fit(const char *text, int from, int columns)
{
    int bytes = bytes_within(text + from, columns), whole = bytes;
    if (!text[from + bytes])
        return bytes;
    while (bytes > 0 && is_word(text[from + bytes]) && is_word(text[from + bytes - 1]))
        bytes--;
    while (bytes > 0 && text[from + bytes - 1] == ' ')
        bytes--;
    return bytes ? bytes : whole;
}

const char *source_excerpt(struct arena *arena, const char *text, int at, int columns)
{
    int length = (int)strlen(text), from = 0;
    if (text_columns(text) <= columns)
        return text;
    if (columns < LEAST)
        return arena_print(arena, "%.*s", bytes_within(text, columns), text);
    if (at > 0 && at < length) {
        int wanted = word_end(text, at);
        from = statement_begin(text, at);
        if (from + bytes_fit(text, from, columns - (from ? 2 : 1) * DOTS) < wanted) {
            /* from words before it on, so that two thirds are for what follows */
            for (from = word_begin(text, at); from > 0;) {
                int before = from - 1;
                while (before > 0 && (text[before] & 0xc0) == 0x80)
                    before--;
                before = word_begin(text, before);
                if (text_columns(text + before) - text_columns(text + at) > columns / 3 - DOTS)
                    break;
                from = before;
            }
            from += (int)strspn(text + from, " ");
        }
    }
    const char *lead = from ? "..." : "";
    int room = columns - (from ? DOTS : 0);
    if (text_columns(text + from) <= room)
        return arena_print(arena, "%s%s", lead, text + from);
    return arena_print(arena, "%s%.*s...", lead, bytes_fit(text, from, room - DOTS), text + from);
}
