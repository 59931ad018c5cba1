/* SPDX-License-Identifier: MIT */
/* columns.c: see columns.h. */
#include "words/columns.h"

int text_columns(const char *text)
{
    int n = 0;
    for (const unsigned char *p = (const unsigned char *)text; *p; p++)
        n += (*p & 0xc0) != 0x80;
    return n;
}

int bytes_within(const char *text, int columns)
{
    int at = 0, n = 0;
    for (; text[at]; at++) {
        if (((unsigned char)text[at] & 0xc0) != 0x80 && ++n > columns)
            break;
    }
    return at;
}
