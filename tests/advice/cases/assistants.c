/* SPDX-License-Identifier: MIT */
/* rule: soloists */
/* neither: imbalance */
/* libraries: -pthread */
/* assistants.c: a weaver hands each cloth to one of two helpers, who measure it. With -DFIXED they store it in a file, one of
 * them more than the other: who reads and writes for the one that computes is no worker without work. */
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CLOTH = 64 * 1024, SHELF = 4, HELPERS = 2 };
struct helper {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    unsigned put, got;
    bool is_over;
    FILE *store;
    uint32_t cloth[SHELF][CLOTH / 4];
    uint64_t measured;
};
static struct helper helper[HELPERS];

static void cloth_keep(struct helper *h, const uint32_t *cloth)
{
#ifdef FIXED
    for (int copy = 0; copy < 6; copy++) {
        rewind(h->store);
        fwrite(cloth, 1, CLOTH, h->store);
    }
#else
    for (int i = 0; i < CLOTH / 4; i++)
        h->measured += cloth[i] & 0xff;
#endif
}

static void *help(void *of)
{
    struct helper *h = of;
    pthread_mutex_lock(&h->lock);
    for (;;) {
        if (h->got < h->put) {
            pthread_mutex_unlock(&h->lock);
            cloth_keep(h, h->cloth[h->got % SHELF]);
            pthread_mutex_lock(&h->lock);
            h->got++;
            pthread_cond_signal(&h->changed);
        } else if (h->is_over) {
            break;
        } else {
            pthread_cond_wait(&h->changed, &h->lock);
        }
    }
    pthread_mutex_unlock(&h->lock);
    return NULL;
}

static uint32_t cloth_weave(uint32_t *cloth, uint32_t thread)
{
    for (int row = 0; row < 12; row++)
        for (int i = 0; i < CLOTH / 4; i++) {
            thread = (thread ^ thread >> 15) * 0x2c1b3c6du; /* @ */
            cloth[i] += thread >> 7;                        /* @ */
        }
    return thread;
}

static void helper_give(struct helper *h, const uint32_t *cloth)
{
    pthread_mutex_lock(&h->lock);
    while (h->put - h->got == SHELF)
        pthread_cond_wait(&h->changed, &h->lock);
    memcpy(h->cloth[h->put++ % SHELF], cloth, CLOTH);
    pthread_cond_signal(&h->changed);
    pthread_mutex_unlock(&h->lock);
}

int main(int argc, char **argv)
{
    int cloths = (int)(1500 * (argc > 1 ? atof(argv[1]) : 1));
    uint32_t thread = 1;
    for (int i = 0; i < HELPERS; i++) {
        helper[i].store = tmpfile();
        setvbuf(helper[i].store, NULL, _IONBF, 0);
        pthread_mutex_init(&helper[i].lock, NULL);
        pthread_cond_init(&helper[i].changed, NULL);
        if (pthread_create(&helper[i].thread, NULL, help, &helper[i]))
            return 2;
    }
    for (int n = 0; n < cloths; n++) {
        static uint32_t cloth[CLOTH / 4];
        thread = cloth_weave(cloth, thread + (uint32_t)n);
        helper_give(&helper[n % 3 != 0], cloth);
    }
    for (int i = 0; i < HELPERS; i++) {
        pthread_mutex_lock(&helper[i].lock);
        helper[i].is_over = true;
        pthread_cond_signal(&helper[i].changed);
        pthread_mutex_unlock(&helper[i].lock);
        pthread_join(helper[i].thread, NULL);
    }
    printf("%u\n", thread);
    return 0;
}
