/* SPDX-License-Identifier: MIT */
/* rule: searches */
/* libraries: -pthread */
/* sizes: 0.3 1 3 */
/* guestbooks.c: two porters enter the guests of a night into one book, which has too few pages. Both wait for the book
 * while the other one looks for a guest: that the book is held for long is no more than this search makes of it. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PORTERS 2
#define GUESTS 6000
#ifndef FIXED
#define PAGES 64
#else
#define PAGES 16384
#endif

struct guest {
    struct guest *next;
    char name[24];
    uint32_t nights;
};

static struct guest *page[PAGES];
static pthread_mutex_t book = PTHREAD_MUTEX_INITIALIZER;
static uint32_t arrivals;

static uint32_t page_of(const char *name)
{
    uint32_t hash = 2166136261u;
    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * 16777619u;
    return hash % PAGES;
}

static void guest_enter(const char *name)
{
    pthread_mutex_lock(&book);
    struct guest **first = &page[page_of(name)], *g;
    for (g = *first; g; g = g->next)    /* @ */
        if (strcmp(g->name, name) == 0) /* @ */
            break;
    if (!g && (g = calloc(1, sizeof *g))) {
        strcpy(g->name, name);
        g->next = *first;
        *first = g;
    }
    if (g)
        g->nights++;
    pthread_mutex_unlock(&book);
}

static uint32_t room_clean(uint32_t dust)
{
    for (int i = 0; i < 300; i++)
        dust = dust * 1664525u + (dust >> 13);
    return dust;
}

static void *porter_work(void *of)
{
    uint32_t random = (uint32_t)(uintptr_t)of, dust = 1;
    for (uint32_t i = 0; i < arrivals; i++) {
        char name[24];
        random = random * 1664525u + 1013904223u;
        snprintf(name, sizeof name, "guest %u", (random >> 8) % GUESTS);
        dust = room_clean(dust);
        guest_enter(name);
    }
    return (void *)(uintptr_t)(dust & 1);
}

int main(int argc, char **argv)
{
    pthread_t porter[PORTERS];
    uint64_t nights = 0, guests = 0;
    arrivals = (uint32_t)(400000 * (argc > 1 ? atof(argv[1]) : 1));
    for (uintptr_t i = 0; i < PORTERS; i++)
        pthread_create(&porter[i], NULL, porter_work, (void *)(i + 1));
    for (int i = 0; i < PORTERS; i++)
        pthread_join(porter[i], NULL);
    for (int i = 0; i < PAGES; i++)
        for (struct guest *g = page[i]; g; g = g->next) {
            guests++;
            nights += g->nights;
        }
    printf("%llu guests, %llu nights\n", (unsigned long long)guests, (unsigned long long)nights);
    return 0;
}
