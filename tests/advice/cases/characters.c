/* SPDX-License-Identifier: MIT */
/* sizes: 0.2 1 3 */
/* characters.c: the letters and words of a text file are counted. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long seen[256];

static void text_make(FILE *out, long bytes)
{
    static char line[80];
    for (int i = 0; i < 79; i++)
        line[i] = "sphinx of black\tquartz judge my vow "[i % 36];
    line[79] = '\n';
    for (; bytes > 0; bytes -= 80)
        fwrite(line, 1, sizeof line, out);
    rewind(out);
}

static long text_pass(FILE *in)
{
    long words = 0;
    int before = ' ';
#ifndef FIXED
    for (int c; (c = fgetc(in)) != EOF; before = c) { /* @ */
#else
    static unsigned char block[65536];
    for (size_t have = 0, at = 0;; at++) {
        if (at == have && (at = 0, have = fread(block, 1, sizeof block, in)) == 0)
            break;
        int c = block[at];
#endif
        seen[c]++;
        words += c <= ' ' && before > ' ';
#ifdef FIXED
        before = c;
#endif
    }
    return words;
}

static unsigned long mix(unsigned long h, long rounds)
{
    while (rounds--)
        h = (h ^ h >> 15) * 0x2c1b3c6dul;
    return h;
}

int main(int argc, char **argv)
{
    double size = argc > 1 ? atof(argv[1]) : 1;
    FILE *in = tmpfile();
    text_make(in, (long)(60e6 * size));
    long words = text_pass(in);
    printf("%ld words, %ld times e, %lu\n", words, seen['e'], mix((unsigned long)words, (long)(2e7 * size)));
    fclose(in);
    return 0;
}
