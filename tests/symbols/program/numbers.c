/* SPDX-License-Identifier: MIT */
/* numbers.c: loops that the compiler unrolls, vectorizes and versions. */
#include "inline.h"
#include "program.h"
#include <math.h>

uint32_t first_in_text(const char *text)
{
    return mix_text(text);
}

static inline double at(const double *matrix, size_t size, size_t row, size_t column)
{
    return matrix[row * size + column];
}

static void multiply(double *out, const double *a, const double *b, size_t size)
{
    for (size_t i = 0; i < size; i++)
        for (size_t j = 0; j < size; j++) {
            double sum = 0;
            for (size_t k = 0; k < size; k++)
                sum += at(a, size, i, k) * at(b, size, k, j);
            out[i * size + j] = sum;
        }
}

static inline void fill(double *matrix, size_t size, uint32_t seed)
{
    for (size_t i = 0; i < size * size; i++)
        matrix[i] = (double)(mix(seed + (uint32_t)i) >> 8) / (1 << 24);
}

static int solve(double *matrix, double *right, size_t size)
{
    for (size_t column = 0; column < size; column++) {
        size_t best = column;
        for (size_t row = column + 1; row < size; row++)
            if (fabs(at(matrix, size, row, column)) > fabs(at(matrix, size, best, column)))
                best = row;
        if (fabs(at(matrix, size, best, column)) < 1e-12)
            return 0;
        for (size_t k = 0; k < size; k++) {
            double kept = matrix[best * size + k];
            matrix[best * size + k] = matrix[column * size + k];
            matrix[column * size + k] = kept;
        }
        double kept = right[best];
        right[best] = right[column];
        right[column] = kept;
        for (size_t row = 0; row < size; row++) {
            double factor = row == column ? 0 : at(matrix, size, row, column) / at(matrix, size, column, column);
            for (size_t k = column; k < size; k++)
                matrix[row * size + k] -= factor * at(matrix, size, column, k);
            right[row] -= factor * right[column];
        }
    }
    for (size_t i = 0; i < size; i++)
        right[i] /= at(matrix, size, i, i);
    return 1;
}

double matrix_run(size_t size, uint32_t seed)
{
    double *memory = must(calloc(3 * size * size + size, sizeof *memory)), total = 0;
    double *a = memory, *b = a + size * size, *c = b + size * size, *right = c + size * size;
    fill(a, size, seed);
    fill(b, size, seed + 1);
    multiply(c, a, b, size);
    for (size_t i = 0; i < size; i++)
        right[i] = sqrt((double)i) + sin((double)seed);
    if (solve(c, right, size))
        for (size_t i = 0; i < size; i++)
            total += right[i];
    free(memory);
    return total;
}

static inline unsigned char *pixel_at(unsigned char *pixel, int width, int x, int y)
{
    return pixel + ((size_t)y * (size_t)width + (size_t)x) * 3;
}

void blur(unsigned char *pixel, int width, int height, int radius)
{
    unsigned char *copy = memcpy(must(malloc((size_t)width * (size_t)height * 3)), pixel, (size_t)width * (size_t)height * 3);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            for (int channel = 0; channel < 3; channel++) {
                int sum = 0, count = 0;
                for (int dy = -radius; dy <= radius; dy++)
                    for (int dx = -radius; dx <= radius; dx++, count++)
                        sum += pixel_at(copy, width, clamp(x + dx, 0, width - 1), clamp(y + dy, 0, height - 1))[channel];
                pixel_at(pixel, width, x, y)[channel] = (unsigned char)clamp(sum / count, 0, 255);
            }
    free(copy);
}
