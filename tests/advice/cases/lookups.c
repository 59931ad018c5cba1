/* SPDX-License-Identifier: MIT */
/* sizes: 0.4 1 5 */
/* base: 2 */
/* lookups.c: letters of a font are looked for in the folders of a path; most stand in the last one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FOLDERS = 8, LETTERS = 40 };
static char top[] = "/tmp/lookups-XXXXXX";

static const char *path_of(int folder, int letter)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%d/%d", top, folder, letter);
    return path;
}

static int folder_of(int letter)
{
    struct stat info;
#ifdef FIXED
    static int known[LETTERS];
    if (known[letter])
        return known[letter] - 1;
#endif
    for (int i = 0; i < FOLDERS; i++)
        if (stat(path_of(i, letter), &info) == 0 && info.st_size > 0) { /* @ */
#ifdef FIXED
            known[letter] = i + 1;
#endif
            return i;
        }
    return -1;
}

static unsigned glyph_draw(unsigned seed)
{
    for (int i = 0; i < 3000; i++)
        seed = (seed ^ seed >> 15) * 0x2c1b3c6du;
    return seed;
}

int main(int argc, char **argv)
{
    int count = (int)(50000 * (argc > 1 ? atof(argv[1]) : 1));
    unsigned ink = 1;
    char folder[64];
    if (!mkdtemp(top))
        return 1;
    for (int i = 0; i < FOLDERS; i++) {
        snprintf(folder, sizeof folder, "%s/%d", top, i);
        mkdir(folder, 0700);
    }
    for (int i = 0; i < LETTERS; i++) {
        FILE *out = fopen(path_of(FOLDERS - 1 - i % 2, i), "w");
        fprintf(out, "%d\n", i);
        fclose(out);
    }
    for (int i = 0; i < count; i++)
        ink = glyph_draw(ink + (unsigned)folder_of(i * 7 % LETTERS));
    printf("%u\n", ink);
    for (int i = 0; i < LETTERS; i++)
        unlink(path_of(FOLDERS - 1 - i % 2, i));
    for (int i = 0; i < FOLDERS; i++) {
        snprintf(folder, sizeof folder, "%s/%d", top, i);
        rmdir(folder);
    }
    rmdir(top);
    return 0;
}
