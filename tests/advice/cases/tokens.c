/* SPDX-License-Identifier: MIT */
/* sizes: 0.5 1 5 */
/* rule: copies */
/* tokens.c: a line is copied, cut at its commas, and each piece is copied again. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIELDS = 8 };

static int line_cut(char *field[FIELDS], char *line)
{
    int count = 0;
#ifndef FIXED
    char *work = strdup(line);
    for (char *at = work; at && count < FIELDS; count++) {
        char *end = strchr(at, ',');
        if (end)
            *end++ = 0;
        field[count] = strdup(at); /* @ */
        at = end;
    }
    free(work);
#else
    for (char *at = line; at && count < FIELDS; count++) {
        char *end = strchr(at, ',');
        if (end)
            *end++ = 0;
        field[count] = at;
        at = end;
    }
#endif
    return count;
}

static void fields_free(char *field[FIELDS], int count)
{
#ifndef FIXED
    for (int i = 0; i < count; i++)
        free(field[i]);
#else
    memset(field, 0, (size_t)count * sizeof *field);
#endif
}

int main(int argc, char **argv)
{
    unsigned lines = (unsigned)(500000 * (argc > 1 ? atof(argv[1]) : 1)), sum = 1;
    for (unsigned i = 0; i < lines; i++) {
        char line[] = "north,0000,birch,4,left bank,,june,old";
        char *field[FIELDS];
        line[6] = (char)('0' + i % 10);
        int count = line_cut(field, line);
        for (int k = 0; k < count; k++)
            sum = (sum ^ (unsigned char)field[k][0]) * 16777619u;
        fields_free(field, count);
    }
    printf("%u\n", sum);
    return 0;
}
