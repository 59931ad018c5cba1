/* SPDX-License-Identifier: MIT */
/* quote.c: see quote.h. */
#include "words/quote.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Reads the character at `at`, and returns its bytes; 0 where that is no UTF-8. */
static int code_read(const unsigned char *at, uint32_t *code)
{
    static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
    int bytes = *at < 0x80 ? 1 : (*at & 0xe0) == 0xc0 ? 2 : (*at & 0xf0) == 0xe0 ? 3 : (*at & 0xf8) == 0xf0 ? 4 : 0;
    *code = bytes == 1 ? *at : *at & (0x7fu >> bytes);
    for (int i = 1; i < bytes; i++) {
        if ((at[i] & 0xc0) != 0x80)
            return 0;
        *code = *code << 6 | (at[i] & 0x3f);
    }
    return bytes && *code >= least[bytes] && *code <= 0x10ffff && *code >> 11 != 0x1b ? bytes : 0;
}

/* Whether a character steers the terminal, changes the order of those around it, or may stand in no document. */
static bool code_is_hidden(uint32_t code)
{
    static const struct {
        uint32_t first, last;
    } hidden[] = { { 0, 0x1f },      /* controls */
                   { 0x7f, 0x9f },   /* delete, and the controls with the eighth bit */
                   { 0x61c, 0x61c }, /* the order of writing, to 0x2069 */
                   { 0x200e, 0x200f },   { 0x2028, 0x202e }, { 0x2066, 0x2069 }, { 0xfdd0, 0xfdef }, /* no characters */
                   { 0xfeff, 0xfeff }, /* a mark of the order of bytes */
                   { 0xfff9, 0xfffb }, /* notes between lines */
                   { 0xe0000, 0xe007f }, /* tags */ };
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++)
        if (code >= hidden[i].first && code <= hidden[i].last)
            return true;
    return (code & 0xfffe) == 0xfffe;
}

/* Most texts are letters of ASCII: they stay as they are. */
static bool is_bare(const char *text)
{
    while (*text >= ' ' && *text <= '~')
        text++;
    return !*text;
}

const char *quote_plain(struct arena *arena, const char *text)
{
    static const char letters[] = "abtnvfr";
    if (is_bare(text))
        return arena_copy(arena, text);
    char *plain = arena_take(arena, strlen(text) * 4 + 1), *to = plain;
    for (const unsigned char *at = (const unsigned char *)text; *at;) {
        uint32_t code;
        int bytes = code_read(at, &code);
        if (bytes && !code_is_hidden(code)) {
            memcpy(to, at, (size_t)bytes);
            to += bytes;
        } else if (*at >= '\a' && *at <= '\r') {
            *to++ = '\\';
            *to++ = letters[*at - '\a'];
        } else if (bytes > 1) {
            to += sprintf(to, code > 0xffff ? "\\U%08x" : "\\u%04x", code);
        } else {
            to += sprintf(to, "\\x%02x", *at);
        }
        at += bytes ? bytes : 1;
    }
    *to = 0;
    return plain;
}

void quote_print(FILE *out, const char *text)
{
    struct arena arena = { 0 };
    if (is_bare(text)) {
        fputs(text, out);
        return;
    }
    fputs(quote_plain(&arena, text), out);
    arena_free(&arena);
}

const char *quote_shell(struct arena *arena, const char *text)
{
    static const char bare[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+./,:@%=";
    if (text[0] && !text[strspn(text, bare)])
        return text;
    bool plain = strcmp(quote_plain(arena, text), text) == 0;
    char *quoted = arena_take(arena, 4 * strlen(text) + 4), *to = quoted;
    to += sprintf(to, plain ? "'" : "$'");
    for (const unsigned char *at = (const unsigned char *)text; *at; at++)
        if (plain)
            to += *at == '\'' ? sprintf(to, "'\\''") : sprintf(to, "%c", *at);
        else if (*at < ' ' || *at >= 0x7f || *at == '\'' || *at == '\\')
            to += sprintf(to, "\\%03o", *at);
        else
            *to++ = (char)*at;
    *to = '\'';
    return quoted;
}

void quote_document(FILE *out, const char *json)
{
    const char *kept = json;
    for (const char *at = json; *at;) {
        uint32_t code;
        if (*at > 0 && *at < 0x7f) { /* nearly all of it */
            at++;
            continue;
        }
        int bytes = code_read((const unsigned char *)at, &code);
        if (!bytes || (code >= 0x7f && code_is_hidden(code))) {
            fwrite(kept, 1, (size_t)(at - kept), out);
            if (!bytes)
                fprintf(out, "\\udc%02x", (unsigned char)*at);
            else if (code > 0xffff)
                fprintf(out, "\\u%04x\\u%04x", 0xd7c0 + (code >> 10), 0xdc00 | (code & 0x3ff));
            else
                fprintf(out, "\\u%04x", code);
            kept = at + (bytes ? bytes : 1);
        }
        at += bytes ? bytes : 1;
    }
    fputs(kept, out);
}

void quote_json(FILE *out, const char *text)
{
    char *json = NULL;
    size_t size;
    if (is_bare(text) && !strpbrk(text, "\"\\")) {
        fprintf(out, "\"%s\"", text);
        return;
    }
    FILE *string = open_memstream(&json, &size);
    if (string) {
        for (const char *at = text; *at; at++)
            if (*at == '"' || *at == '\\')
                fprintf(string, "\\%c", *at);
            else if ((unsigned char)*at < ' ')
                fprintf(string, "\\u%04x", (unsigned char)*at);
            else
                fputc(*at, string);
        fclose(string);
    }
    fputc('"', out);
    quote_document(out, json ? json : "");
    fputc('"', out);
    free(json);
}

void quote_prose(FILE *out, const char *text)
{
    struct arena arena = { 0 };
    quote_json(out, quote_plain(&arena, text));
    arena_free(&arena);
}
