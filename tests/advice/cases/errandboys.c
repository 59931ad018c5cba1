/* SPDX-License-Identifier: MIT */
/* rule: sleeps */
/* sizes: 1 2 */
/* most: 35 */
/* libraries: -pthread */
/* errandboys.c: a thread is sent for each errand, and the shop looks every millisecond whether it is back. Only one is
 * on its way at a time, so what is saved is no more than the end of the last sleep of each. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct errand {
    uint32_t number, brought;
    atomic_int back;
};

static void *errand_run(void *of)
{
    struct errand *e = of;
    uint32_t x = e->number;
    for (int i = 0; i < 4500000; i++)
        x = x * 1664525 + (x >> 7);
    e->brought = x;
    atomic_store(&e->back, 1);
    return NULL;
}

int main(int argc, char **argv)
{
    uint32_t errands = (uint32_t)(30 * (argc > 1 ? atof(argv[1]) : 1)), sum = 0;
    for (uint32_t i = 0; i < errands; i++) {
        struct errand e = { .number = i };
        pthread_t thread;
        pthread_create(&thread, NULL, errand_run, &e);
#ifndef FIXED
        while (!atomic_load(&e.back))
            usleep(1000); /* @ */
#endif
        pthread_join(thread, NULL);
        sum ^= e.brought;
    }
    printf("%08x\n", sum);
    return 0;
}
