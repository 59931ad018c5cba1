/* SPDX-License-Identifier: MIT */
/* sizes: 0.3 1 3 */
/* libraries: -pthread */
/* sleeps.c: a press prints sheets in a thread of its own; the desk hands it one sheet after the other. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct press {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    uint32_t sheet, printed; /* asked for, and done */
    int closes;
    uint32_t ink;
};

static uint32_t sheet_print(uint32_t number)
{
    uint32_t ink = number;
    for (uint32_t i = 0; i < 400000; i++)
        ink = ink * 1664525 + (ink >> 13);
    return ink;
}

static void *press_run(void *of)
{
    struct press *p = of;
    pthread_mutex_lock(&p->lock);
    for (;;) {
        while (p->sheet == p->printed && !p->closes)
            pthread_cond_wait(&p->changed, &p->lock);
        if (p->sheet == p->printed)
            break;
        uint32_t number = p->sheet;
        pthread_mutex_unlock(&p->lock);
        uint32_t ink = sheet_print(number);
        pthread_mutex_lock(&p->lock);
        p->ink ^= ink;
        p->printed = number;
        pthread_cond_broadcast(&p->changed);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

static void sheet_order(struct press *p, uint32_t number)
{
    pthread_mutex_lock(&p->lock);
    p->sheet = number;
    pthread_cond_broadcast(&p->changed);
    while (p->printed != number) {
#ifndef FIXED
        pthread_mutex_unlock(&p->lock);
        usleep(5000); /* @ */
        pthread_mutex_lock(&p->lock);
#else
        pthread_cond_wait(&p->changed, &p->lock);
#endif
    }
    pthread_mutex_unlock(&p->lock);
}

int main(int argc, char **argv)
{
    static struct press p = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0, 0, 0 };
    uint32_t count = (uint32_t)(120 * (argc > 1 ? atof(argv[1]) : 1));
    pthread_t thread;
    pthread_create(&thread, NULL, press_run, &p);
    for (uint32_t i = 1; i <= count; i++)
        sheet_order(&p, i);
    pthread_mutex_lock(&p.lock);
    p.closes = 1;
    pthread_cond_broadcast(&p.changed);
    pthread_mutex_unlock(&p.lock);
    pthread_join(thread, NULL);
    printf("%u sheets, %08x\n", count, p.ink);
    return 0;
}
