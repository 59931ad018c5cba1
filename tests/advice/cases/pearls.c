/* SPDX-License-Identifier: MIT */
/* rule: reallocs */
/* sizes: 0.5 1 2 */
/* wide: 0.5 1 3 */
/* pearls.c: a necklace that gets one pearl after the other. */
#include <stdio.h>
#include <stdlib.h>

static int *necklace_add(int *pearls, int count, int pearl)
{
#ifndef FIXED
    int *longer = malloc((size_t)(count + 1) * sizeof(int)); /* @ */
    for (int i = 0; i < count; i++)
        longer[i] = pearls[i];
    free(pearls);
    pearls = longer;
#else
    if ((count & (count - 1)) == 0)
        pearls = realloc(pearls, (size_t)(count ? 2 * count : 1) * sizeof(int));
#endif
    pearls[count] = pearl;
    return pearls;
}

int main(int argc, char **argv)
{
    int count = (int)(25000 * (argc > 1 ? atof(argv[1]) : 1));
    int *pearls = NULL;
    long sum = 0;
    for (int i = 0; i < count; i++)
        pearls = necklace_add(pearls, i, i * 7 % 1000);
    for (int round = 0; round < 1000; round++)
        for (int i = 0; i < count; i++)
            sum += pearls[i] ^ round;
    printf("%ld\n", sum);
    free(pearls);
    return 0;
}
