/* SPDX-License-Identifier: MIT */
/* sizes: 1 2 */
/* rule: sleeps */
/* neither: soloists */
/* libraries: -pthread */
/* recorders.c: a thread makes each sheet that it is asked for, the program looks for it every two milliseconds, and
 * records all at its own pace in the end. The looks are a fault, and the pace is none. In the twin it waits. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static unsigned wanted, made, sheets;
static uint64_t sheet[4096];

static void *sheets_make(void *nothing)
{
    for (unsigned i = 0; i < sheets; i++) {
        uint64_t x = i;
        pthread_mutex_lock(&lock);
        while (wanted <= i)
            pthread_cond_wait(&changed, &lock);
        pthread_mutex_unlock(&lock);
        for (unsigned k = 0; k < 150000; k++)
            x = x * 6364136223846793005u + (x >> 33);
        pthread_mutex_lock(&lock);
        sheet[made++] = x;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&lock);
    }
    return nothing;
}

static void sheet_await(unsigned number)
{
    pthread_mutex_lock(&lock);
    wanted = number + 1;
    pthread_cond_broadcast(&changed);
    while (made <= number) {
#ifdef FIXED
        pthread_cond_wait(&changed, &lock);
#else
        struct timespec moment = { 0, 2000000 };
        pthread_mutex_unlock(&lock);
        nanosleep(&moment, NULL); /* @ */
        pthread_mutex_lock(&lock);
#endif
    }
    pthread_mutex_unlock(&lock);
}

static void sheet_record(unsigned number, uint64_t *sum)
{
    struct timespec turn = { 0, 3000000 };
    for (unsigned i = 0; i < 1000; i++)
        *sum = *sum * 31 + (sheet[number] >> i % 64);
    if (number % 2)
        nanosleep(&turn, NULL);
}

int main(int argc, char **argv)
{
    pthread_t thread;
    uint64_t sum = 0;
    sheets = (unsigned)(120 * (argc > 1 ? atof(argv[1]) : 1));
    pthread_create(&thread, NULL, sheets_make, NULL);
    for (unsigned i = 0; i < sheets; i++)
        sheet_await(i);
    pthread_join(thread, NULL);
    for (unsigned round = 0; round < 3; round++)
        for (unsigned i = 0; i < sheets; i++)
            sheet_record(i, &sum);
    printf("%llu\n", (unsigned long long)sum);
    return 0;
}
