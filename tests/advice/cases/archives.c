/* SPDX-License-Identifier: MIT */
/* sizes: 0.2 1 3 */
/* rule: characters */
/* says: gzread */
/* libraries: -lz */
/* archives.c: the lines and letters of a packed log are counted, byte by byte. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

static long seen[256];

static void log_pack(const char *path, long bytes)
{
    gzFile out = gzopen(path, "wb1");
    static char line[80];
    unsigned state = 7;
    for (; bytes > 0; bytes -= 80) {
        for (int i = 0; i < 79; i++)
            line[i] = "sphinx of black\tquartz judge my vow "[i % 36];
        for (int i = 0; i < 6; i++)
            line[i * 9] = (char)('a' + (state = state * 1664525u + 1013904223u) / 200000000u);
        line[79] = '\n';
        gzwrite(out, line, sizeof line);
    }
    gzclose(out);
}

static inline int next(gzFile in)
{
#ifndef FIXED
    unsigned char c;
    return gzread(in, &c, 1) == 1 ? c : -1; /* @ */
#else
    static unsigned char block[65536];
    static int have, at;
    if (at >= have) {
        have = gzread(in, block, sizeof block);
        at = 0;
    }
    return have > 0 ? block[at++] : -1;
#endif
}

int main(int argc, char **argv)
{
    double size = argc > 1 ? atof(argv[1]) : 1;
    char path[64];
    snprintf(path, sizeof path, "archives.%d.tmp.gz", (int)getpid());
    log_pack(path, (long)(30e6 * size));
    gzFile in = gzopen(path, "rb");
    unlink(path);
    for (int c; (c = next(in)) >= 0;)
        seen[c]++;
    printf("%ld lines, %ld times e\n", seen['\n'], seen['e']);
    gzclose(in);
    return 0;
}
