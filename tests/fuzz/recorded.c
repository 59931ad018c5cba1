/* SPDX-License-Identifier: MIT */
/* recorded.c [die]: a little of everything, so that its data file has a little of everything: threads, a stage, a loop, a scope,
 * recursion, allocations, a child; with an argument it is killed in the middle. */
#include <profplug.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

PROFPLUG_STAGE("load", "data_loading")
static int load(int n)
{
    volatile int sum = 0;
    for (int i = 0; i < n; i++)
        sum += i;
    return sum;
}

static int deep(int n) { return n < 2 ? n : deep(n - 1) + deep(n - 2); }

static void *work(void *argument)
{
    PROFPLUG_SCOPE("work");
    load(1000000);
    free(malloc(100));
    return argument;
}

int main(int argc, char **argv)
{
    pthread_t thread[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&thread[i], NULL, work, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(thread[i], NULL);
    PROFPLUG_LOOP("batches")
    for (int i = 0; i < 5; i++) {
        load(100000);
        if (argc > 1 && i == 3)
            raise(SIGKILL);
    }
    pid_t child = fork();
    if (!child)
        _exit(load(10));
    waitpid(child, NULL, 0);
    printf("%d\n", deep(15));
    return 0;
}
