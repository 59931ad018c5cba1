/* SPDX-License-Identifier: MIT */
/* An inventory: books sales of articles, which come by their number, and makes a report of each day. Prints the value
 * of what is left and a sum over the reports. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARTICLES 1500u
#define SALES 4000u

struct article {
    uint32_t number, stock, cents, sold;
    char name[32];
};

static struct article articles[ARTICLES];

static void articles_make(void)
{
    uint32_t number = 1000;
    for (unsigned i = 0; i < ARTICLES; i++) {
        number += 1 + i * 2654435761u % 13;
        articles[i].number = number;
        articles[i].stock = 1u << 20;
        articles[i].cents = 99 + i * 7919 % 10000;
        snprintf(articles[i].name, sizeof articles[i].name, "article %u", number);
    }
}

static struct article *article_find(uint32_t number)
{
#ifdef FIXED
    for (unsigned low = 0, high = ARTICLES; low < high;) {
        unsigned middle = (low + high) / 2;
        if (articles[middle].number == number) return &articles[middle];
        if (articles[middle].number < number) low = middle + 1;
        else high = middle;
    }
#else
    for (unsigned i = 0; i < ARTICLES; i++) /* @ */
        if (articles[i].number == number) return &articles[i]; /* @ */
#endif
    return NULL;
}

static int sales_book(unsigned day)
{
    uint32_t seed = day * 2654435761u + 5;
    for (unsigned i = 0; i < SALES; i++) {
        seed = seed * 1664525u + 1013904223u;
        struct article *article = article_find(articles[(seed >> 16) % ARTICLES].number);
        if (!article) return 1;
        article->stock--;
        article->sold++;
    }
    return 0;
}

static uint64_t day_report(unsigned day)
{
    uint64_t h = day;
    for (int pass = 0; pass < 6; pass++)
        for (unsigned i = 0; i < ARTICLES; i++) {
            for (const char *c = articles[i].name; *c; c++) h = (h ^ (uint8_t)*c) * 1099511628211ULL;
            h ^= articles[i].sold * (uint64_t)articles[i].cents;
        }
    return h;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    unsigned days = (unsigned)(400 * scale) + 1;
    uint64_t sum = 0, value = 0;
    articles_make();
    for (unsigned i = 0; i < days; i++) {
        if (sales_book(i)) return 1;
        sum += day_report(i) >> 8;
    }
    for (unsigned i = 0; i < ARTICLES; i++) value += articles[i].stock * (uint64_t)articles[i].cents;
    printf("%llu %llu\n", (unsigned long long)value, (unsigned long long)sum);
    return 0;
}
