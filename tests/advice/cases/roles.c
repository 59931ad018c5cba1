/* SPDX-License-Identifier: MIT */
/* sizes: 1 3 */
/* rule: imbalance */
/* libraries: -pthread */
/* roles.c: one function serves two lists of jobs, each with a thread. Where both threads check blocks, one has more of them. The twin is a
 * pipeline: one thread checks, the other mixes, and no piece of one's work could be given to the other. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define BYTES 65536
enum { LONG_LIST = 1500, SHORT_LIST = 500 };

struct list {
    void (*job)(uint32_t *state, const uint8_t *block);
    unsigned jobs;
    uint32_t state;
    uint8_t block[BYTES];
};

__attribute__((noinline)) static void check(uint32_t *state, const uint8_t *block)
{
    uint32_t a = *state, b = 0;
    for (unsigned i = 0; i < BYTES; i++) {
        a = (a + block[i]) % 65521;
        b = (b + a) % 65521;
    }
    *state = b << 16 | a;
}

__attribute__((noinline)) static void mix(uint32_t *state, const uint8_t *block)
{
    uint32_t h = *state;
    for (unsigned i = 0; i < BYTES; i++)
        h = ((h ^ block[i]) * 16777619u) % 4294967291u;
    *state = h;
}

static void *serve(void *given)
{
    struct list *l = given;
    for (unsigned i = 0; i < l->jobs; i++)
        l->job(&l->state, l->block); /* @ */
    return NULL;
}

int main(int argc, char **argv)
{
    double size = argc > 1 ? atof(argv[1]) : 1;
    struct list *list = calloc(2, sizeof *list);
    pthread_t thread[2];
    if (!list)
        return 2;
    list[0].job = list[1].job = check;
#ifdef FIXED
    list[1].job = mix;
#else
    (void)mix;
#endif
    list[0].state = list[1].state = 1;
    list[0].jobs = (unsigned)(LONG_LIST * size);
    list[1].jobs = (unsigned)(SHORT_LIST * size);
    for (int i = 0; i < 2; i++)
        if (pthread_create(&thread[i], NULL, serve, &list[i]))
            return 2;
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    printf("%u jobs\n", list[0].jobs + list[1].jobs);
    int bad = !list[0].state;
    free(list);
    return bad;
}
