/* SPDX-License-Identifier: MIT */
/* sizes: 0.3 1 3 */
/* allocations.c: names are compared without regard to case. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAMES 512
#define NAME_BYTES 24

static char name[NAMES][NAME_BYTES];

static void names_make(void)
{
    unsigned seed = 5;
    for (int i = 0; i < NAMES; i++)
        for (int k = 0; k < NAME_BYTES - 1; k++) {
            seed = seed * 1103515245 + 12345;
            name[i][k] = (char)((seed >> 20 & 1 ? 'a' : 'A') + (seed >> 16 & 3));
        }
}

static char *lower(const char *of, char *to)
{
    for (int i = 0; i < NAME_BYTES; i++)
        to[i] = (char)(of[i] >= 'A' && of[i] <= 'Z' ? of[i] + 32 : of[i]);
    return to;
}

static int name_compare(const char *a, const char *b)
{
#ifndef FIXED
    char *x = malloc(NAME_BYTES), *y = malloc(NAME_BYTES); /* @ */
#else
    char x[NAME_BYTES], y[NAME_BYTES];
#endif
    int order = strncmp(lower(a, x), lower(b, y), NAME_BYTES);
#ifndef FIXED
    free(x);
    free(y);
#endif
    return order < 0 ? -1 : order > 0;
}

int main(int argc, char **argv)
{
    int rounds = (int)(60 * (argc > 1 ? atof(argv[1]) : 1));
    long sum = 0;
    names_make();
    for (int round = 0; round < rounds; round++)
        for (int i = 0; i < NAMES; i++)
            for (int k = 0; k < NAMES; k++)
                sum += name_compare(name[i], name[k]) * (k - i + round);
    printf("%ld\n", sum);
    return 0;
}
