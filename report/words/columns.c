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
