/* SPDX-License-Identifier: MIT */
/* A gallery's guest book: visitors sign, and those who signed before get their old entry counted up. Prints how many
 * signed, and who came most often. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WAYS 4096u

struct entry {
    struct entry *next, *chain;
    unsigned visits;
    char name[24];
};

struct book {
    struct entry *first;
    struct entry *ways[WAYS];
    unsigned entries;
};

static struct book book;

#ifdef FIXED
static unsigned way(const char *name)
{
    uint32_t value = 2166136261u;
    for (; *name; name++) value = (value ^ (unsigned char)*name) * 16777619u;
    return (value ^ value >> 13) % WAYS;
}
#endif

static struct entry *entry_of(const char *name)
{
#ifdef FIXED
    for (struct entry *entry = book.ways[way(name)]; entry; entry = entry->chain)
        if (!strcmp(entry->name, name)) return entry;
#else
    for (struct entry *entry = book.first; entry; entry = entry->next) /* @ */
        if (!strcmp(entry->name, name)) return entry; /* @ */
#endif
    struct entry *entry = calloc(1, sizeof *entry);
    if (!entry) exit(1);
    snprintf(entry->name, sizeof entry->name, "%s", name);
    entry->next = book.first;
    book.first = entry;
#ifdef FIXED
    entry->chain = book.ways[way(name)];
    book.ways[way(name)] = entry;
#endif
    book.entries++;
    return entry;
}

static uint64_t signature_draw(const char *name, unsigned visitor)
{
    uint64_t ink = visitor;
    for (unsigned i = 0; i < 3000; i++) ink = (ink ^ (unsigned char)name[i & 7]) * 1099511628211ULL;
    return ink >> 35;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    unsigned visitors = (unsigned)(60000 * scale) + 1;
    uint64_t ink = 0;
    for (unsigned i = 0; i < visitors; i++) {
        char name[24];
        unsigned who = i * 2654435761u >> 21;
        snprintf(name, sizeof name, "visitor-%05u-%c", who * 7 % 1511, 'a' + who % 5);
        entry_of(name)->visits++;
        ink += signature_draw(name, i);
    }
    struct entry *best = book.first;
    for (struct entry *entry = book.first; entry; entry = entry->next)
        if (entry->visits > best->visits || (entry->visits == best->visits && strcmp(entry->name, best->name) < 0)) best = entry;
    printf("%u %s %u %llu\n", book.entries, best->name, best->visits, (unsigned long long)ink);
    return 0;
}
