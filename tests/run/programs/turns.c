/* SPDX-License-Identifier: MIT */
/* Two threads that take turns on a pair of sockets, TIMES times, with a little work at each: three parts in one function, one in another. Says the CPU time that
 * the process took by its own clock, and how often it gave up its processor. */
#include "expect.h"
#include <pthread.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>

static volatile unsigned sink;
static unsigned times;
static int end[2];

KEEP void often(unsigned n) { for (unsigned i = 0; i < n; i++) sink += i * i; }
KEEP void seldom(unsigned n) { for (unsigned i = 0; i < n; i++) sink += i * i; }

QUIET static void *partner(void *unused)
{
    char c;
    for (unsigned i = 0; i < times && read(end[1], &c, 1) == 1 && write(end[1], &c, 1) == 1; i++) {
        often(900);
        seldom(300);
    }
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    struct timespec t;
    struct rusage usage;
    char c = 'x';
    times = argc > 1 ? (unsigned)atoi(argv[1]) : 20000;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, end) || pthread_create(&thread, NULL, partner, NULL)) return 1;
    for (unsigned i = 0; i < times && write(end[0], &c, 1) == 1 && read(end[0], &c, 1) == 1; i++) {
        often(900);
        seldom(300);
    }
    pthread_join(thread, NULL);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    getrusage(RUSAGE_SELF, &usage);
    printf("cpu %llu switches %ld\n", (unsigned long long)t.tv_sec * 1000000000u + (unsigned long long)t.tv_nsec, usage.ru_nvcsw);
    fflush(stdout);
    expect("calls seldom %u", 2 * times);
    expect("exit EXIT 0");
    return 0;
}
