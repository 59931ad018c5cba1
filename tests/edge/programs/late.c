/* SPDX-License-Identifier: MIT */
/* Threads whose data is destroyed in several rounds, by code that is instrumented: also after the runtime's own
 * destructor. Each is one thread all the same.
 * expect: stage late 80
 * expect: threads probed 21 */
#include <profplug.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_key_t key;
static int rounds;

PROFPLUG_STAGE("late") static void late(void *data)
{
    free(malloc(100));
    if (++rounds < 4)
        pthread_setspecific(key, data);
}

static void *run(void *data)
{
    rounds = 0;
    pthread_setspecific(key, data);
    free(malloc(10));
    return data;
}

int main(void)
{
    int all = 0;
    pthread_key_create(&key, late);
    for (int i = 0; i < 20; i++, all += rounds) {
        pthread_t thread;
        pthread_create(&thread, NULL, run, &thread);
        pthread_join(thread, NULL);
    }
    printf("%d\n", all);
    return 0;
}
