/* SPDX-License-Identifier: MIT */
/* rule: strides */
/* sizes: 1 3 */
/* matrices.c: sums of the columns of a matrix that is a part of a structure. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define SIDE 1024

struct field {
    int64_t column[SIDE];
    int32_t height[SIDE][SIDE];
};

static void columns_sum(struct field *field)
{
#ifdef FIXED
    for (unsigned y = 0; y < SIDE; y++)
        for (unsigned x = 0; x < SIDE; x++) field->column[x] += field->height[y][x] & 7;
#else
    for (unsigned x = 0; x < SIDE; x++)
        for (unsigned y = 0; y < SIDE; y++) field->column[x] += field->height[y][x] & 7; /* @ */
#endif
}

int main(int argc, char **argv)
{
    unsigned years = (unsigned)(60 * (argc > 1 ? atof(argv[1]) : 1)) + 1;
    struct field *field = calloc(1, sizeof *field);
    int64_t sum = 0;
    for (unsigned i = 0; field && i < SIDE * SIDE; i++) field->height[i / SIDE][i % SIDE] = (int32_t)(i * 2654435761u >> 16);
    for (unsigned year = 0; field && year < years; year++) columns_sum(field);
    for (unsigned x = 0; field && x < SIDE; x++) sum = sum * 31 + field->column[x];
    free(field);
    printf("%lld\n", (long long)sum);
    return 0;
}
