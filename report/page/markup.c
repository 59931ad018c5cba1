/* SPDX-License-Identifier: MIT */
/* markup.c: see markup.h. */
#include "page/markup.h"

#include <stdarg.h>
#include <string.h>

#include "store/arena.h"
#include "words/quote.h"

static void plain_print(FILE *out, const char *plain)
{
    for (; *plain; plain++)
        switch (*plain) {
        case '&': fputs("&amp;", out); break;
        case '<': fputs("&lt;", out); break;
        case '>': fputs("&gt;", out); break;
        case '"': fputs("&quot;", out); break;
        case '\'': fputs("&#39;", out); break;
        default: putc(*plain, out);
        }
}

void markup_text(FILE *out, const char *text)
{
    struct arena arena = { 0 };
    plain_print(out, quote_plain(&arena, text ? text : ""));
    arena_free(&arena);
}

void markup_source(FILE *out, const char *text)
{
    struct arena arena = { 0 };
    for (size_t part; *text; text += part) {
        part = strcspn(text, "\t");
        plain_print(out, quote_plain(&arena, arena_print(&arena, "%.*s", (int)part, text)));
        if (text[part] == '\t') {
            putc('\t', out);
            part++;
        }
    }
    arena_free(&arena);
}

void markup_print(FILE *out, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    for (const char *at = format; *at; at++) {
        if (*at != '%') {
            putc(*at, out);
            continue;
        }
        size_t bytes = strspn(at + 1, "0123456789.z") + 2;
        char one[16] = "";
        memcpy(one, at, bytes < sizeof one ? bytes : sizeof one - 1);
        switch (one[bytes - 1]) {
        case 's': markup_text(out, va_arg(list, const char *)); break;
        case 'd': fprintf(out, one, va_arg(list, int)); break;
        case 'f': fprintf(out, one, va_arg(list, double)); break;
        case 'u':
            if (strchr(one, 'z'))
                fprintf(out, one, va_arg(list, size_t));
            else
                fprintf(out, one, va_arg(list, unsigned));
            break;
        default: putc('%', out);
        }
        at += bytes - 1;
    }
    va_end(list);
}
