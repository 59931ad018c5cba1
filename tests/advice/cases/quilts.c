/* SPDX-License-Identifier: MIT */
/* sizes: 1 2 */
/* rule: strides */
/* quilts.c: two matrices in one block, whose size is known at run time alone, are multiplied. */
#include <stdio.h>
#include <stdlib.h>

static void quilt_multiply(const float *a, const float *b, float *c, int n)
{
#ifdef FIXED
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            c[(size_t)i * n + j] = 0;
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++)
                c[(size_t)i * n + j] += a[(size_t)i * n + k] * b[(size_t)k * n + j];
    }
#else
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0;
            for (int k = 0; k < n; k++) /* @ */
                sum += a[(size_t)i * n + k] * b[(size_t)k * n + j]; /* @ */
            c[(size_t)i * n + j] = sum;
        }
#endif
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? 640 + (int)(128 * atof(argv[1])) : 768;
    size_t whole = (size_t)n * n;
    float *quilt = malloc(3 * whole * sizeof *quilt);
    unsigned seed = 1;
    double sum = 0;
    if (!quilt)
        return 1;
    for (size_t i = 0; i < 2 * whole; i++) {
        seed = seed * 1664525u + 1013904223u;
        quilt[i] = (float)(seed >> 28);
    }
    quilt_multiply(quilt, quilt + whole, quilt + 2 * whole, n);
    for (size_t i = 0; i < whole; i++)
        sum += quilt[2 * whole + i];
    printf("%.0f\n", sum);
    free(quilt);
    return 0;
}
