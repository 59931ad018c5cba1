/* SPDX-License-Identifier: MIT */
/* sizes: 0.2 1 3 */
/* rule: characters */
/* says: fread */
/* herbaria.c: leaves of a herbarium are measured; the numbers are read from a stream four bytes at a time. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static FILE *leaves_make(long count)
{
    FILE *out = tmpfile();
    uint32_t block[4096], state = 3;
    for (; count > 0; count -= 4096) {
        for (int i = 0; i < 4096; i++)
            block[i] = state = state * 1664525u + 1013904223u;
        fwrite(block, sizeof *block, 4096, out);
    }
    rewind(out);
    return out;
}

static uint32_t longest(FILE *in, uint64_t *sum)
{
    uint32_t most = 0;
#ifndef FIXED
    for (uint32_t leaf; fread(&leaf, sizeof leaf, 1, in) == 1;) { /* @ */
#else
    static uint32_t block[4096];
    for (size_t have = 0, at = 0;; at++) {
        if (at == have && (at = 0, have = fread(block, sizeof *block, 4096, in)) == 0)
            break;
        uint32_t leaf = block[at];
#endif
        *sum += leaf >> 7;
        most = leaf > most ? leaf : most;
    }
    return most;
}

int main(int argc, char **argv)
{
    double size = argc > 1 ? atof(argv[1]) : 1;
    FILE *in = leaves_make((long)(20e6 * size));
    uint64_t sum = 0;
    uint32_t most = longest(in, &sum);
    printf("%u at most, %llu in all\n", most, (unsigned long long)sum);
    fclose(in);
    return 0;
}
