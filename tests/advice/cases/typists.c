/* SPDX-License-Identifier: MIT */
/* rule: characters */
/* sizes: 0.5 1 2 */
/* does: putc_unlocked */
/* least: 50 */
/* typists.c: a text is copied from one file to another, with capitals at the beginning of its sentences. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

static long text_make(FILE *out, long bytes)
{
    static char line[64] = "the bell rings. all stand up, and go. nobody says why. it rains";
    long made = 0;
    line[63] = '\n';
    for (; made < bytes; made += (long)sizeof line)
        fwrite(line, 1, sizeof line, out);
    rewind(out);
    return made;
}

static long text_copy(FILE *in, FILE *out)
{
    long capitals = 0;
    int begins = 1;
#ifndef FIXED
    for (int c; (c = getc(in)) != EOF; putc(c, out)) { /* @ */
        if (begins && c > ' ') {
            c = toupper(c);
            capitals++;
        }
        begins = c == '.' || (begins && c <= ' ');
    }
#else
    static unsigned char block[65536];
    for (size_t have; (have = fread(block, 1, sizeof block, in)) > 0; fwrite(block, 1, have, out))
        for (size_t i = 0; i < have; i++) {
            int c = block[i];
            if (begins && c > ' ') {
                block[i] = (unsigned char)(c = toupper(c));
                capitals++;
            }
            begins = c == '.' || (begins && c <= ' ');
        }
#endif
    return capitals;
}

int main(int argc, char **argv)
{
    FILE *in = tmpfile(), *out = tmpfile();
    long bytes = text_make(in, (long)(30e6 * (argc > 1 ? atof(argv[1]) : 1)));
    long capitals = text_copy(in, out);
    printf("%ld bytes, %ld capitals\n", bytes, capitals);
    fclose(in);
    fclose(out);
    return 0;
}
