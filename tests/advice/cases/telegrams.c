/* SPDX-License-Identifier: MIT */
/* sizes: 0.1 1 */
/* rule: tables */
/* not: rescans */
/* does: 256 */
/* least: 50 */
/* telegrams.c: telegrams come in groups of four characters that stand for three bytes. What each character stands for
 * is looked for in the alphabet. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LETTERS 40000

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
static char text[LETTERS + 1];
static unsigned char raw[LETTERS];
#ifdef FIXED
static unsigned char place[256];
#endif

__attribute__((noinline)) static unsigned telegram_read(void)
{
    unsigned n = 0;
    for (unsigned i = 0; i + 3 < LETTERS; i += 4) {
        uint32_t group = 0;
        for (unsigned k = 0; k < 4; k++)
#ifdef FIXED
            group = group << 6 | place[(unsigned char)text[i + k]];
#else
            group = group << 6 | (uint32_t)(strchr(alphabet, text[i + k]) - alphabet); /* @ */
#endif
        raw[n++] = (unsigned char)(group >> 16);
        raw[n++] = (unsigned char)(group >> 8);
        raw[n++] = (unsigned char)group;
    }
    return n;
}

int main(int argc, char **argv)
{
    unsigned telegrams = (unsigned)(1000 * (argc > 1 ? atof(argv[1]) : 1));
    uint32_t sum = 0, seed = 42;
#ifdef FIXED
    for (unsigned i = 0; i < 64; i++)
        place[(unsigned char)alphabet[i]] = (unsigned char)i;
#endif
    for (unsigned t = 0; t < telegrams; t++) {
        for (unsigned i = 0; i < LETTERS; i++) {
            seed = seed * 1664525u + 1013904223u;
            text[i] = alphabet[seed >> 26];
        }
        unsigned n = telegram_read();
        for (unsigned i = 0; i < n; i++)
            sum = (sum ^ raw[i]) * 16777619u;
    }
    printf("%u\n", sum);
    return 0;
}
