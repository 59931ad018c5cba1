/* SPDX-License-Identifier: MIT */
/* rule: slowsorts */
/* not: copies */
/* neither: sorting */
/* sizes: 0.5 1 2 */
/* shelves.c: books are put in order by their titles, one shelf after the other: each is moved to its place. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BOOKS 1500

struct book {
    char title[24];
    uint32_t number;
};

static uint32_t state = 1;

static uint32_t random_next(void) { return state = state * 1664525u + 1013904223u; }

#ifdef FIXED
static int by_title(const void *a, const void *b)
{
    return strcmp(((const struct book *)a)->title, ((const struct book *)b)->title);
}
#endif

__attribute__((noinline)) static void shelf_order(struct book *book, int count)
{
#ifndef FIXED
    for (int i = 1; i < count; i++) {
        struct book next = book[i];
        int at = i;
        while (at > 0 && strcmp(book[at - 1].title, next.title) > 0) { /* @ */
            book[at] = book[at - 1]; /* @ */
            at--;
        }
        book[at] = next;
    }
#else
    qsort(book, (size_t)count, sizeof *book, by_title);
#endif
}

int main(int argc, char **argv)
{
    int shelves = (int)(40 * (argc > 1 ? atof(argv[1]) : 1));
    static struct book book[BOOKS];
    uint32_t sum = 0;
    for (int shelf = 0; shelf < shelves; shelf++) {
        for (int i = 0; i < BOOKS; i++) {
            book[i].number = random_next();
            snprintf(book[i].title, sizeof book[i].title, "On %08x", random_next() >> 4);
        }
        shelf_order(book, BOOKS);
        for (int i = 0; i < BOOKS; i++)
            sum = sum * 31 + book[i].number;
    }
    printf("%08x\n", sum);
    return 0;
}
