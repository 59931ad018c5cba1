/* SPDX-License-Identifier: MIT */
/* sizes: 0.5 1 6 */
/* base: 5 */
/* rule: seeks */
/* marks.c: songs stand one after the other in a file, each behind its length, and all are read. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned tune_of(const unsigned char *note, unsigned length, unsigned seed)
{
    for (unsigned i = 0; i < length; i++)
        seed = (seed ^ note[i]) * 16777619u;
    return seed;
}

static unsigned songs_read(FILE *in, unsigned songs)
{
    unsigned char note[256];
    unsigned length, tune = 1;
    rewind(in);
    for (unsigned i = 0; i < songs; i++) {
        if (fread(&length, sizeof length, 1, in) != 1)
            return 0;
#ifndef FIXED
        long here = ftell(in);
        fseek(in, here, SEEK_SET); /* @ */
#endif
        if (fread(note, 1, length, in) != length)
            return 0;
        tune = tune_of(note, length, tune);
    }
    return tune;
}

int main(int argc, char **argv)
{
    unsigned songs = (unsigned)(400000 * (argc > 1 ? atof(argv[1]) : 1));
    unsigned char note[256];
    FILE *in = tmpfile();
    for (unsigned i = 0; i < songs; i++) {
        unsigned length = 20 + i * 7 % 60;
        memset(note, (int)(i * 5 & 127), sizeof note);
        fwrite(&length, sizeof length, 1, in);
        fwrite(note, 1, length, in);
    }
    printf("%u\n", songs_read(in, songs));
    fclose(in);
    return 0;
}
