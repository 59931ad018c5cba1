/* SPDX-License-Identifier: MIT */
/* rule: pagefaults */
/* sizes: 1 3 */
/* wide: 0.5 2 10 */
/* leaks.c: articles are read and scored, and nobody frees them. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t *article_read(unsigned number, unsigned words)
{
    uint64_t *text = malloc(words * sizeof *text); /* @ */
    if (!text) exit(1);
    for (unsigned i = 0; i < words; i++) text[i] = number * 31u + i;
    return text;
}

int main(int argc, char **argv)
{
    unsigned articles = (unsigned)(9000 * (argc > 1 ? atof(argv[1]) : 1));
    uint64_t score = 0;
    for (unsigned number = 0; number < articles; number++) {
        unsigned words = 1000 + number % 1000;
        uint64_t *text = article_read(number, words);
        score = score * 31 + text[number % words];
#ifdef FIXED
        free(text);
#endif
    }
    printf("%llu\n", (unsigned long long)score);
    return 0;
}
