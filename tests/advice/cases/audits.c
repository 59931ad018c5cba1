/* SPDX-License-Identifier: MIT */
/* sizes: 0.5 1 */
/* rule: locks */
/* libraries: -pthread */
/* audits.c: three clerks add up what they are told, and each entry goes to the disk before the next. The clerk that
 * writes keeps the lock of the sums meanwhile; in the twin it does not. */
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define CLERKS 3

static pthread_mutex_t sums_lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t sums[16];
static unsigned entries;
static int book;

static uint64_t entry_weigh(uint64_t entry)
{
    for (unsigned i = 0; i < 60000; i++) {
        entry ^= entry >> 29;
        entry *= 0xbf58476d1ce4e5b9u;
    }
    return entry;
}

static void entry_keep(unsigned number, uint64_t weight)
{
    pthread_mutex_lock(&sums_lock); /* @ */
    sums[weight & 15] += weight >> 32;
#ifdef FIXED
    pthread_mutex_unlock(&sums_lock);
#endif
    if (pwrite(book, &weight, sizeof weight, (off_t)(number * sizeof weight)) != sizeof weight)
        exit(1);
    fdatasync(book); /* @ */
#ifndef FIXED
    pthread_mutex_unlock(&sums_lock);
#endif
}

static void *clerk(void *of)
{
    unsigned which = (unsigned)(uintptr_t)of;
    for (unsigned i = 0; i < entries; i++)
        entry_keep(which * entries + i, entry_weigh(which * 1000003u + i));
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t thread[CLERKS];
    uint64_t sum = 0;
    char path[] = "book-XXXXXX";
    entries = (unsigned)(200 * (argc > 1 ? atof(argv[1]) : 1));
    book = mkstemp(path);
    for (uintptr_t i = 0; i < CLERKS; i++)
        pthread_create(&thread[i], NULL, clerk, (void *)i);
    for (unsigned i = 0; i < CLERKS; i++)
        pthread_join(thread[i], NULL);
    unlink(path);
    for (unsigned i = 0; i < 16; i++)
        sum += sums[i];
    printf("%u entries, %llu\n", entries * CLERKS, (unsigned long long)sum);
    return book < 0;
}
