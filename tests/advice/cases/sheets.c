/* SPDX-License-Identifier: MIT */
/* sizes: 1 3 */
/* rule: pagefaults */
/* not: memsets */
/* sheets.c: white sheets of paper are drawn on: all of a sheet is looked at, so it is not cleared in vain. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHEET = 36 << 20 };

static unsigned char *sheet_take(void)
{
#ifndef FIXED
    unsigned char *sheet = malloc(SHEET); /* @ */
#else
    static unsigned char *sheet;
    if (!sheet)
        sheet = malloc(SHEET);
#endif
    memset(sheet, 255, SHEET);
    return sheet;
}

static unsigned long sheet_draw(unsigned char *sheet, unsigned number)
{
    unsigned long ink = 0;
    for (unsigned y = 0; y < SHEET; y += 4096)
        sheet[y + number % 4096] = (unsigned char)number;
    for (unsigned i = 0; i < SHEET; i++)
        ink += 255u - sheet[i];
    return ink;
}

int main(int argc, char **argv)
{
    unsigned sheets = (unsigned)(50 * (argc > 1 ? atof(argv[1]) : 1));
    unsigned long ink = 0;
    for (unsigned i = 0; i < sheets; i++) {
        unsigned char *sheet = sheet_take();
        ink += sheet_draw(sheet, i);
#ifndef FIXED
        free(sheet);
#endif
    }
    printf("%lu\n", ink);
    return 0;
}
