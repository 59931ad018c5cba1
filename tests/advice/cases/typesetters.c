/* SPDX-License-Identifier: MIT */
/* rule: tables */
/* sizes: 0.3 1 3 */
/* titled: strchr */
/* says: parts */
/* neither: rescans */
/* typesetters.c: a text is cut into words at the characters that the caller names; each letter is looked for in these
 * by strchr. The twin makes a table of them. Both also cut short names, for which strchr is as good. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LETTERS (1 << 20)

__attribute__((noinline)) static unsigned words_cut(const char *text, const char *parts, uint32_t *hash)
{
    unsigned words = 0;
#ifdef FIXED
    char is_part[256] = { 1 };
    for (const char *p = parts; *p; p++)
        is_part[(unsigned char)*p] = 1;
#define IS_PART(letter) is_part[(unsigned char)(letter)]
#else
#define IS_PART(letter) (strchr(parts, letter) != NULL)
#endif
    for (const char *p = text;; words++) {
        uint32_t sum = 0;
        while (*p && IS_PART(*p)) /* @ */
            p++;
        if (!*p)
            return words;
        while (!IS_PART(*p)) /* @ */
            sum = sum * 31 + (unsigned char)*p++;
        *hash = *hash * 5 + sum;
    }
}

static unsigned names_cut(uint32_t *hash)
{
    unsigned parts = 0;
    for (unsigned i = 0; i < 200; i++) {
        char name[24];
        snprintf(name, sizeof name, "galley-%u.%u", i % 90, i % 7);
        for (const char *p = name; *p; p++)
            parts += strchr("-.", *p) != NULL;
        *hash += parts;
    }
    return parts;
}

int main(int argc, char **argv)
{
    unsigned rounds = (unsigned)(25 * (argc > 1 ? atof(argv[1]) : 1)), words = 0;
    const char *parts = argc > 2 ? argv[2] : " \t\r\n,.;:!?()[]\"'";
    char *text = malloc(LETTERS + 1);
    uint32_t hash = 0, state = 7;
    for (unsigned i = 0; i < LETTERS; i++) {
        state = state * 1664525u + 1013904223u;
        text[i] = state >> 29 ? (char)('a' + (state >> 16) % 26) : ' ';
    }
    text[LETTERS] = 0;
    for (unsigned r = 0; r < rounds; r++) {
        words += words_cut(text, parts, &hash);
        words += names_cut(&hash);
    }
    printf("%u %u\n", words, hash);
    free(text);
    return 0;
}
