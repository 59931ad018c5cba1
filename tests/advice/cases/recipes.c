/* SPDX-License-Identifier: MIT */
/* rule: trials */
/* sizes: 0.5 1 2 */
/* titled: common */
/* does: Euclid */
/* least: 90 */
/* recipes.c: amounts are reduced to the smallest whole numbers, by trying which numbers divide both. */
#include <stdio.h>
#include <stdlib.h>

static int common(int a, int b)
{
    int found = 1;
#ifdef FIXED
    for (found = a; b;) {
        int rest = found % b;
        found = b;
        b = rest;
    }
#else
    for (int i = 1; i <= a && i <= b; i++)
        if (a % i == 0 && b % i == 0) /* @ */
            found = i;
#endif
    return found;
}

int main(int argc, char **argv)
{
    int recipes = (int)(20000 * (argc > 1 ? atof(argv[1]) : 1));
    long sum = 0;
    unsigned state = 7;
    for (int i = 0; i < recipes; i++) {
        state = state * 1664525u + 1013904223u;
        int flour = 100 + (int)(state >> 8) % 9900, water = 100 + (int)(state >> 16) % 9900;
        sum += flour / common(flour, water);
    }
    printf("%ld\n", sum);
    return 0;
}
