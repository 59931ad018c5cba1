/* SPDX-License-Identifier: MIT */
/* sizes: 0.3 1 */
/* rule: locks */
/* neither: lockcalls */
/* butlers.c: three butlers take plates from one shelf, each polishes its plate there, with the shelf locked, and lays it
 * on a table. That takes longer, and needs no lock: it is no part of what the others wait for. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define BUTLERS 3

static pthread_mutex_t shelf = PTHREAD_MUTEX_INITIALIZER;
static unsigned plates;
static uint64_t laid[BUTLERS * 16];

static uint64_t butler_serve(uint64_t seed)
{
    uint64_t shine, place;
    pthread_mutex_lock(&shelf);
    unsigned plate = plates ? plates-- : 0;
    shine = place = plate;
#ifdef FIXED
    pthread_mutex_unlock(&shelf);
#endif
    for (int i = 0; i < 30000 && plate; i++)
        shine = shine * 6364136223846793005ULL + (shine >> 7); /* @ */
#ifndef FIXED
    pthread_mutex_unlock(&shelf);
#endif
    for (int i = 0; i < 60000 && plate; i++)
        place = place * 6364136223846793005ULL + (place >> 9);
    return plate ? seed + (shine ^ place) % 1000 + 1 : seed;
}

static void *butler_work(void *at)
{
    uint64_t *mine = at, before;
    do {
        before = *mine;
        *mine = butler_serve(before);
    } while (*mine != before);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t thread[BUTLERS];
    uint64_t all = 0;
    plates = (unsigned)(6000 * (argc > 1 ? atof(argv[1]) : 1));
    for (int i = 0; i < BUTLERS; i++)
        pthread_create(&thread[i], NULL, butler_work, &laid[i * 16]);
    for (int i = 0; i < BUTLERS; i++) {
        pthread_join(thread[i], NULL);
        all += laid[i * 16];
    }
    printf("%llu\n", (unsigned long long)all);
    return 0;
}
