/* SPDX-License-Identifier: MIT */
/* succession.c COUNT: threads one after the other, each of which does a little. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static volatile unsigned sink;

__attribute__((noinline)) static void little(void) { sink++; }

static void *thread(void *argument)
{
    little();
    return argument;
}

int main(int argc, char **argv)
{
    int count = argc > 1 ? atoi(argv[1]) : 10;
    for (int i = 0; i < count; i++) {
        pthread_t id;
        if (pthread_create(&id, NULL, thread, NULL))
            return 1;
        pthread_join(id, NULL);
    }
    printf("%u\n", sink);
}
