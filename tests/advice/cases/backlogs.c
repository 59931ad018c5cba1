/* SPDX-License-Identifier: MIT */
/* rule: pagefaults */
/* does: bound */
/* sizes: 1 */
/* wide: 1 3 10 */
/* backlogs.c: a thread reads pages of a newspaper and hands them to one that counts their words and prints at its own
 * pace; with FIXED the first one waits while 8 pages lie there. */
#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PAGE 8000u

struct page {
    struct page *next;
    unsigned number;
    unsigned char text[PAGE];
};

static pthread_mutex_t desk = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t laid = PTHREAD_COND_INITIALIZER, taken = PTHREAD_COND_INITIALIZER;
static struct page *first, **last = &first;
static unsigned lying, pages;

static struct page *page_read(unsigned number)
{
    struct page *page = malloc(sizeof *page); /* @ */
    if (!page)
        exit(1);
    page->next = NULL;
    page->number = number;
    memset(page->text, 'a' + (int)(number % 26), PAGE); /* @ */
    for (unsigned i = number % 7; i < PAGE; i += 61)
        page->text[i] = ' ';
    return page;
}

static void *read_all(void *unused)
{
    for (unsigned i = 0; i < pages; i++) {
        struct page *page = page_read(i);
        pthread_mutex_lock(&desk);
#ifdef FIXED
        while (lying >= 8)
            pthread_cond_wait(&taken, &desk);
#endif
        if (!first)
            pthread_cond_signal(&laid);
        *last = page;
        last = &page->next;
        lying++;
        pthread_mutex_unlock(&desk);
    }
    return unused;
}

static struct page *page_take(void)
{
    pthread_mutex_lock(&desk);
    while (!first)
        pthread_cond_wait(&laid, &desk);
    struct page *page = first;
    first = page->next;
    if (!first)
        last = &first;
    if (lying-- == 8)
        pthread_cond_signal(&taken);
    pthread_mutex_unlock(&desk);
    return page;
}

int main(int argc, char **argv)
{
    pthread_t reader;
    unsigned words = 0, sum = 0;
    mallopt(M_TRIM_THRESHOLD, 1 << 28); /* else an arena may go back to the kernel and come again, in both */
    pages = (unsigned)(20000 * (argc > 1 ? atof(argv[1]) : 1));
    if (pthread_create(&reader, NULL, read_all, NULL))
        return 1;
    for (unsigned i = 0; i < pages; i++) {
        struct page *page = page_take();
        for (unsigned k = 0; k < PAGE; k += 2)
            words += page->text[k] == ' ';
        sum += page->number;
        if (i % 64 == 63)
            usleep(500);
        free(page);
    }
    pthread_join(reader, NULL);
    printf("%u words, %u\n", words, sum);
    return 0;
}
