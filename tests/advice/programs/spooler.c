/* SPDX-License-Identifier: MIT */
/* A print spooler: the main thread hands pages to a printer's thread, one after another, and bills each when it is
 * ready. Prints a sum over pages and bills. */
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define PAGE 16384u

struct printer {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    unsigned page;
    bool has_page, is_ready, is_over;
    uint64_t ink;
};

static struct printer printer = { .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER };

static uint64_t page_raster(unsigned page)
{
    static uint8_t dots[PAGE];
    uint32_t seed = page * 2654435761u + 1;
    uint64_t ink = 0;
    for (int pass = 0; pass < 48; pass++)
        for (unsigned i = 0; i < PAGE; i++) {
            seed = seed * 1664525u + 1013904223u;
            dots[i] = (uint8_t)(dots[i] / 2 + (seed >> 24) / 2);
            ink += dots[i];
        }
    return ink;
}

static void *printer_thread(void *unused)
{
    pthread_mutex_lock(&printer.lock);
    for (;;) {
        while (!printer.has_page && !printer.is_over) pthread_cond_wait(&printer.changed, &printer.lock);
        if (!printer.has_page) break;
        unsigned page = printer.page;
        printer.has_page = false;
        pthread_mutex_unlock(&printer.lock);
        uint64_t ink = page_raster(page);
        pthread_mutex_lock(&printer.lock);
        printer.ink += ink;
        printer.is_ready = true;
        pthread_cond_broadcast(&printer.changed);
    }
    pthread_mutex_unlock(&printer.lock);
    return unused;
}

static void page_submit(unsigned page)
{
    pthread_mutex_lock(&printer.lock);
    printer.page = page;
    printer.has_page = true;
    printer.is_ready = false;
    pthread_cond_broadcast(&printer.changed);
    pthread_mutex_unlock(&printer.lock);
}

static void page_await(void)
{
    pthread_mutex_lock(&printer.lock);
    while (!printer.is_ready) {
#ifdef FIXED
        pthread_cond_wait(&printer.changed, &printer.lock);
#else
        pthread_mutex_unlock(&printer.lock);
        usleep(5000); /* @ */
        pthread_mutex_lock(&printer.lock);
#endif
    }
    pthread_mutex_unlock(&printer.lock);
}

static uint64_t page_bill(unsigned page)
{
    uint64_t cents = 0;
    for (unsigned i = 0; i < 60000; i++) cents += (page * 31u + i) % 1009 * (i & 7);
    return cents;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    unsigned pages = (unsigned)(100 * scale) + 1;
    uint64_t bills = 0;
    pthread_t thread;
    if (pthread_create(&thread, NULL, printer_thread, NULL)) return 1;
    for (unsigned i = 0; i < pages; i++) {
        page_submit(i);
        page_await();
        bills += page_bill(i);
    }
    pthread_mutex_lock(&printer.lock);
    printer.is_over = true;
    pthread_cond_broadcast(&printer.changed);
    pthread_mutex_unlock(&printer.lock);
    pthread_join(thread, NULL);
    printf("%llu %llu\n", (unsigned long long)printer.ink, (unsigned long long)bills);
    return 0;
}
