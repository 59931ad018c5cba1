/* SPDX-License-Identifier: MIT */
/* quote.c: see quote.h. */
#include "words/quote.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

char *quote_clean(const char *text)
{
    char *clean = strdup(text);
    for (unsigned char *p = (unsigned char *)clean; clean && *p;) {
        int more = *p < 0x80                           ? 0
                   : (*p & 0xe0) == 0xc0 && *p >= 0xc2 ? 1
                   : (*p & 0xf0) == 0xe0               ? 2
                   : (*p & 0xf8) == 0xf0 && *p < 0xf5  ? 3
                                                       : -1;
        bool good = more >= 0;
        for (int i = 1; good && i <= more; i++)
            good = (p[i] & 0xc0) == 0x80;
        good = good && !(p[0] == 0xe0 && p[1] < 0xa0) && !(p[0] == 0xed && p[1] > 0x9f) &&
               !(p[0] == 0xf0 && p[1] < 0x90) && !(p[0] == 0xf4 && p[1] > 0x8f);
        if (good)
            p += 1 + more;
        else
            *p++ = '?';
    }
    return clean;
}

void quote_json(FILE *out, const char *text)
{
    char *clean = quote_clean(text);
    fputc('"', out);
    for (const char *at = clean ? clean : ""; *at; at++)
        if (*at == '"' || *at == '\\')
            fprintf(out, "\\%c", *at);
        else if ((unsigned char)*at < ' ')
            fprintf(out, "\\u%04x", (unsigned char)*at);
        else
            fputc(*at, out);
    fputc('"', out);
    free(clean);
}
