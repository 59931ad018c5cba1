/* SPDX-License-Identifier: MIT */
/* rule: windows */
/* sizes: 0.3 1 3 */
/* base: 4 */
/* titled: largest */
/* does: queue */
/* least: 80 */
/* skylines.c: the highest of the last values of a series, for each of its places; the first ones have fewer before. */
#include <stdio.h>
#include <stdlib.h>

#define WIDE 200

static float *value, *highest;

static void highest_find(int n)
{
#ifdef FIXED
    int *queue = malloc((size_t)n * sizeof *queue), first = 0, end = 0;
    for (int i = 0; i < n; i++) {
        while (end > first && value[queue[end - 1]] <= value[i])
            end--;
        queue[end++] = i;
        first += queue[first] + WIDE <= i;
        highest[i] = value[queue[first]];
    }
    free(queue);
#else
    for (int i = 0; i < n; i++) {
        int from = i >= WIDE ? i - WIDE + 1 : 0;
        float most = value[from];
        for (int k = from + 1; k <= i; k++) /* @ */
            if (value[k] > most) /* @ */
                most = value[k];
        highest[i] = most;
    }
#endif
}

int main(int argc, char **argv)
{
    int n = (int)(700000 * (argc > 1 ? atof(argv[1]) : 1));
    unsigned state = 3;
    float level = 0;
    double sum = 0;
    value = malloc((size_t)n * sizeof *value);
    highest = malloc((size_t)n * sizeof *highest);
    for (int i = 0; i < n; i++) {
        state = state * 1664525u + 1013904223u;
        value[i] = level = 0.97f * level + (float)(state >> 20);
    }
    highest_find(n);
    for (int i = 0; i < n; i++)
        sum += highest[i];
    printf("%.1f\n", sum);
    return 0;
}
