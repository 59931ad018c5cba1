/* SPDX-License-Identifier: MIT */
/* shortname.c: see shortname.h. One walk over the name: brackets are skipped or kept as a whole, and a blank outside of
 * them ends the result's type, so that what stood before it goes. */
#include "words/shortname.h"

#include <stdlib.h>
#include <string.h>

#include "words/columns.h"
#include "words/quote.h"

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Past the bracket that closes the one at `at`; arrows and comparisons inside parentheses do not nest. */
static const char *bracket_end(const char *at)
{
    char open = *at, close = open == '(' ? ')' : open == '<' ? '>' : open == '{' ? '}' : ']';
    int depth = 0;
    for (const char *p = at; *p; p++) {
        if (*p == '(' && open != '(') {
            p = bracket_end(p);
            if (!*p--)
                break;
        } else if (*p == open) {
            depth++;
        } else if (*p == close && !(close == '>' && p > at && p[-1] == '-') && --depth == 0) {
            return p + 1;
        }
    }
    return at + strlen(at);
}

static bool begins(const char *text, const char *with) { return strncmp(text, with, strlen(with)) == 0; }

/* Length of the operator's sign at `at`; longer ones stand first. */
static size_t sign_length(const char *at)
{
    static const char *const signs[] = { "()", "[]", "<<=", ">>=", "<=>", "->*", "<<", ">>", "<=", ">=",
                                         "->", "==", "!=",  "&&",  "||",  "++",  "--", "+=", "-=", "*=",
                                         "/=", "%=", "&=",  "|=",  "^=",  "<",   ">",  "+",  "-",  "*",
                                         "/",  "%",  "&",   "|",   "^",   "~",   "!",  "=",  "," };
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (begins(at, signs[i]))
            return strlen(signs[i]);
    return 0;
}

/* GCC's suffixes: .isra.0 .part.1 .constprop.2 .cold .lto_priv.3, and the number of a function within a function. */
static size_t length_unsuffixed(const char *name)
{
    static const char *const suffix[] = { ".isra", ".part.", ".constprop.", ".cold", ".lto_priv." };
    size_t length = strlen(name);
    for (size_t i = 0; i < sizeof suffix / sizeof *suffix; i++) {
        const char *found = name[0] ? strstr(name + 1, suffix[i]) : NULL;
        if (found && (size_t)(found - name) < length)
            length = (size_t)(found - name);
    }
    return length;
}

/* Skips what may follow a parameter list. */
static const char *qualifiers_skip(const char *p)
{
    static const char *const word[] = { " const", " volatile", " &&", " &", " noexcept" };
    for (size_t i = 0; i < sizeof word / sizeof *word;)
        if (begins(p, word[i])) {
            p += strlen(word[i]);
            i = 0;
        } else {
            i++;
        }
    return p;
}

/* Brackets that the walk meets, of which the last ones stand for what it kept. */
struct brackets {
    struct name_bracket *bracket;
    size_t count, most;
};

static void bracket_note(struct brackets *to, char kind, const char *open)
{
    if (to->count < to->most)
        to->bracket[to->count++] = (struct name_bracket){ kind, open, bracket_end(open) };
}

/* Writes the short name and returns its length. */
static size_t name_walk(char *to, const char *name, struct brackets *brackets)
{
    size_t n = 0;
    bool is_operator = false; /* a blank then belongs to the name */
    for (const char *p = name; *p;) {
        bool word_begins = p == name || !is_word(p[-1]);
        if (word_begins && begins(p, "operator") && !is_word(p[8])) {
            size_t sign = sign_length(p + 8);
            memcpy(to + n, p, 8 + sign);
            n += 8 + sign;
            p += 8 + sign;
            is_operator = true;
            if (sign && *p == ' ') /* "operator< <int>": the blank parts the sign from the arguments */
                p++;
        } else if (begins(p, "__cxx11::")) {
            p += 9;
        } else if (begins(p, "(anonymous")) {
            memcpy(to + n, "(anonymous)", 11);
            n += 11;
            p = bracket_end(p);
        } else if (*p == '(') {
            bracket_note(brackets, '(', p);
            p = qualifiers_skip(bracket_end(p));
            if (!begins(p, "::") && n)
                break;
        } else if (*p == '<' && n) {
            memcpy(to + n, "<...>", 5);
            n += 5;
            bracket_note(brackets, '<', p);
            p = bracket_end(p);
        } else if (begins(p, "{lambda(")) {
            memcpy(to + n, "{lambda", 7);
            n += 7;
            p = bracket_end(p + 7);
        } else if (*p == '[') {
            p = bracket_end(p); /* [abi:cxx11], [clone .isra.0] */
        } else if (*p == ' ' && !is_operator) {
            n = brackets->count = 0;
            p++;
        } else {
            is_operator = is_operator && !begins(p, "::");
            to[n++] = *p++;
        }
    }
    while (n && to[n - 1] == ' ')
        n--;
    to[n] = 0;
    return n;
}

#define WALK_BYTES(name) (3 * strlen(name) + 16) /* "<>" grows most */

const char *name_short(struct arena *arena, const char *name)
{
    if (!strpbrk(name, "<(:")) {
        size_t length = length_unsuffixed(name);
        return name[length] ? arena_print(arena, "%.*s", (int)length, name) : name;
    }
    char *to = arena_take(arena, WALK_BYTES(name));
    return name_walk(to, name, &(struct brackets){ .most = 0 }) ? to : name;
}

size_t name_brackets(const char *name, struct name_bracket *bracket, size_t most)
{
    char *to = memory_zeroed(1, WALK_BYTES(name)); /* an arena would clear 64 KiB for each name */
    struct brackets brackets = { bracket, 0, most };
    if (!name_walk(to, name, &brackets))
        brackets.count = 0;
    free(to);
    return brackets.count;
}

const char *name_cut(struct arena *arena, const char *text, int columns)
{
    text = quote_plain(arena, text);
    int wide = text_columns(text), head = (columns - 3) / 3, tail = columns - 3 - head, at = 0;
    const char *front = text, *back = text;
    if (wide <= columns || columns < 8)
        return text;
    for (const char *p = text; *p; p++)
        if (((unsigned char)*p & 0xc0) != 0x80 && ++at > head) {
            front = p;
            break;
        }
    at = 0;
    for (const char *p = text; *p; p++)
        if (((unsigned char)*p & 0xc0) != 0x80 && ++at > wide - tail) {
            back = p;
            break;
        }
    return arena_print(arena, "%.*s...%s", (int)(front - text), text, back);
}

const char *name_fit(struct arena *arena, const char *name, int columns)
{
    return label_fit(arena, name_short(arena, name), columns);
}

/* Past the first scope of a name, or NULL; a scope within brackets is none of its own. */
static const char *scope_end(const char *name)
{
    for (const char *p = name; *p; p++)
        if (*p == '<' || *p == '(' || *p == '{')
            p = bracket_end(p) - 1;
        else if (begins(p, "::"))
            return p[2] ? p + 2 : NULL;
    return NULL;
}

const char *label_fit(struct arena *arena, const char *label, int columns)
{
    for (const char *scope; text_columns(label) > columns && (scope = scope_end(label));)
        label = scope;
    return name_cut(arena, label, columns);
}

enum name_match name_match(const char *name, const char *said)
{
    if (strcmp(name, said) == 0)
        return NAME_WHOLLY;
    struct arena arena = { 0 };
    const char *brief = name_short(&arena, name), *want = name_short(&arena, said);
    size_t b = strlen(brief), w = strlen(want);
    bool whole = strcmp(brief, want) == 0;
    bool part =
        w && b > w + 2 && strcmp(brief + b - w, want) == 0 && brief[b - w - 1] == ':' && brief[b - w - 2] == ':';
    arena_free(&arena);
    return whole ? NAME_WHOLLY : part ? NAME_PARTLY : NAME_OTHER;
}
