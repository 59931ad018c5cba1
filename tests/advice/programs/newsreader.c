/* SPDX-License-Identifier: MIT */
/* A news reader: unpacks articles, which it makes itself, scores each, and shows the best. Prints the best article's
 * number and a sum over all scores. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT 6000u

struct article {
    unsigned number, length;
    char text[TEXT];
};

struct reader {
    struct article *current;
    unsigned shown, best;
    uint64_t best_score, sum;
};

static void *xmalloc(size_t size)
{
    void *block = malloc(size);
    if (!block) {
        fprintf(stderr, "no memory for %zu bytes\n", size);
        exit(1);
    }
    return block;
}

static struct article *article_unpack(unsigned number)
{
    struct article *article = xmalloc(sizeof *article); /* @ */
    uint64_t seed = number * 0x9e3779b97f4a7c15ULL + 1;
    article->number = number;
    article->length = TEXT - number % 64;
    for (unsigned i = 0; i < TEXT; i += 8) {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        memcpy(article->text + i, &seed, 8);
    }
    return article;
}

static char *title_copy(const struct article *article)
{
    char *title = xmalloc(64);
    for (unsigned i = 0; i < 63; i++) title[i] = (char)('a' + (uint8_t)article->text[i] % 26);
    title[63] = 0;
    return title;
}

static uint64_t article_score(const struct article *article)
{
    uint64_t h = article->number;
    for (int pass = 0; pass < 4; pass++)
        for (unsigned i = 0; i < article->length; i += 8) {
            uint64_t piece;
            memcpy(&piece, article->text + i, 8);
            h = (h ^ piece) * 0x9e3779b97f4a7c15ULL;
        }
    return h >> 20;
}

static void reader_show(struct reader *reader, unsigned number)
{
#ifdef FIXED
    free(reader->current);
#endif
    reader->current = article_unpack(number); /* @ */
    char *title = title_copy(reader->current);
    uint64_t score = article_score(reader->current) + (uint8_t)title[7];
    if (score > reader->best_score) {
        reader->best_score = score;
        reader->best = number;
    }
    reader->sum += score;
    reader->shown++;
    free(title);
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    unsigned articles = (unsigned)(45000 * scale) + 1;
    struct reader reader = { 0 };
    for (unsigned i = 0; i < articles; i++) reader_show(&reader, i);
    printf("%u %u %llu\n", reader.shown, reader.best, (unsigned long long)reader.sum);
    return 0;
}
