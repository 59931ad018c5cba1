/* SPDX-License-Identifier: MIT */
/* zstd.c: `zstd MEGABYTES LEVEL THREADS` compresses generated text, decompresses it and prints sizes and a checksum. With threads the
 * compressed size depends on the cut into jobs alone, so it repeats. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "zstd.h"

static void generate(char *text, size_t size)
{
    static const char *const word[] = { "time", "line", "stage", "frame", "count", "of", "the", "and", "in", "profile", "0x1f", "\n" };
    uint32_t state = 99;
    size_t at = 0;
    while (at < size) {
        state = state * 1664525u + 1013904223u;
        const char *w = word[(state >> 8) % 12 & (state >> 20 & 15)];
        for (; *w && at < size; w++)
            text[at++] = *w;
        if (at < size)
            text[at++] = (state >> 12) % 5 ? ' ' : (char)(state >> 24);
    }
}

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    size_t size = (size_t)(atof(argv[1]) * 1e6), bound = ZSTD_compressBound(size);
    char *text = malloc(size), *packed = malloc(bound), *back = malloc(size);
    ZSTD_CCtx *compressor = ZSTD_createCCtx();
    if (!text || !packed || !back || !compressor)
        return 2;
    generate(text, size);
    ZSTD_CCtx_setParameter(compressor, ZSTD_c_compressionLevel, atoi(argv[2]));
    ZSTD_CCtx_setParameter(compressor, ZSTD_c_checksumFlag, 1);
    size_t refused = ZSTD_CCtx_setParameter(compressor, ZSTD_c_nbWorkers, atoi(argv[3]));
    if (ZSTD_isError(refused))
        printf("workers: %s\n", ZSTD_getErrorName(refused));
    ZSTD_CCtx_setParameter(compressor, ZSTD_c_jobSize, 1 << 20);
    size_t n = ZSTD_compress2(compressor, packed, bound, text, size);
    if (ZSTD_isError(n)) {
        printf("compress: %s\n", ZSTD_getErrorName(n));
        return 1;
    }
    size_t m = ZSTD_decompress(back, size, packed, n);
    uint64_t sum = 14695981039346656037u;
    for (size_t i = 0; i < n; i++)
        sum = (sum ^ (unsigned char)packed[i]) * 1099511628211u;
    printf("%zu to %zu, %016llx, back %s\n", size, n, (unsigned long long)sum, m == size && !memcmp(text, back, size) ? "the same" : "DIFFERENT");
    printf("damaged: %s\n", ZSTD_getErrorName(ZSTD_decompress(back, size, packed, n / 2)));
    ZSTD_freeCCtx(compressor);
    free(text);
    free(packed);
    free(back);
    return 0;
}
