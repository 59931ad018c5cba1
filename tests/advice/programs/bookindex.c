/* SPDX-License-Identifier: MIT */
/* The index of a book: for each word the pages on which it stands. Prints the number of entries and a sum over them. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define WORDS 4000u
#define PER_PAGE 300u

struct entry {
    uint32_t *pages;
    uint32_t count, room;
    uint64_t weight;
};

static struct entry entries[WORDS];

static void entry_add(struct entry *entry, uint32_t page)
{
    if (entry->count && entry->pages[entry->count - 1] == page) return;
    if (entry->count == entry->room) {
#ifdef FIXED
        entry->room = entry->room ? entry->room * 2 : 8;
#else
        entry->room++;
#endif
        entry->pages = realloc(entry->pages, entry->room * sizeof *entry->pages); /* @ */
        if (!entry->pages) exit(1);
    }
    entry->pages[entry->count++] = page;
}

static uint32_t word_take(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    uint32_t a = *seed >> 20;
    return a * a % WORDS;
}

static void page_index(uint32_t page)
{
    uint32_t seed = page * 2654435761u + 17;
    for (unsigned i = 0; i < PER_PAGE; i++) {
        struct entry *entry = &entries[word_take(&seed)];
        entry_add(entry, page);
        entry->weight += i;
    }
}

static uint64_t page_rank(uint32_t page)
{
    uint64_t h = page;
    for (unsigned i = 0; i < 8000; i++) {
        h ^= h >> 31;
        h *= 0x7fb5d329728ea185ULL;
    }
    return h;
}

static void book_clear(uint64_t *sum, uint64_t *count)
{
    for (unsigned i = 0; i < WORDS; i++) {
        struct entry *entry = &entries[i];
        for (uint32_t k = 0; k < entry->count; k += 5) *sum = *sum * 31 + entry->pages[k] + entry->weight;
        *count += entry->count;
        free(entry->pages);
        entries[i] = (struct entry){ 0 };
    }
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    unsigned books = (unsigned)(10 * scale + 0.5), pages = 2000;
    uint64_t sum = 0, count = 0, ranks = 0;
    for (unsigned book = 0; book < books; book++) {
        for (uint32_t page = 0; page < pages; page++) {
            page_index(page + book);
            ranks += page_rank(page) >> 40;
        }
        book_clear(&sum, &count);
    }
    printf("%llu %llu %llu\n", (unsigned long long)count, (unsigned long long)sum, (unsigned long long)ranks);
    return 0;
}
