/* SPDX-License-Identifier: MIT */
/* A tavern writes down what its guests drink, page after page of a book that must survive a fire at the end of the
 * evening. Prints the barrels that were emptied and a sum over the book. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct page {
    uint32_t guest, drinks;
    uint64_t mark;
    char note[48];
};

static int book_open(void)
{
    char path[64];
    snprintf(path, sizeof path, "tavern-%d.book", (int)getpid());
#ifdef FIXED
    int book = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
#else
    int book = open(path, O_RDWR | O_CREAT | O_TRUNC | O_DSYNC, 0600); /* @ */
#endif
    unlink(path);
    return book;
}

static uint64_t guest_drink(struct page *page, unsigned guest)
{
    uint64_t thirst = guest;
    for (unsigned i = 0; i < 100000; i++) thirst = (thirst ^ i) * 1099511628211ULL;
    page->guest = guest;
    page->drinks = 1 + (unsigned)(thirst >> 61);
    page->mark = thirst;
    snprintf(page->note, sizeof page->note, "guest %u had %u", guest, page->drinks);
    return page->drinks;
}

static int page_write(int book, const struct page *page)
{
    return write(book, page, sizeof *page) == sizeof *page; /* @ */
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    unsigned guests = (unsigned)(500 * scale) + 1;
    uint64_t drinks = 0, sum = 0;
    struct page page = { 0 };
    int book = book_open();
    if (book < 0) return 1;
    for (unsigned i = 0; i < guests; i++) {
        drinks += guest_drink(&page, i);
        if (!page_write(book, &page)) return 1; /* @ */
    }
    fdatasync(book);
    lseek(book, 0, SEEK_SET);
    while (read(book, &page, sizeof page) == sizeof page) sum = sum * 31 + page.mark;
    printf("%llu %llu\n", (unsigned long long)drinks / 40, (unsigned long long)sum);
    close(book);
    return 0;
}
