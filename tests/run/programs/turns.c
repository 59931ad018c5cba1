/* SPDX-License-Identifier: MIT */
/* Two threads that take turns on a pair of sockets, TIMES times, with a little work at each, or WORK times as much: three parts in one function, one in another. Says the CPU time that
 * the process took by its own clock, how often it gave up its processor, and how many events it had open then; and what a call of each function takes,
 * since copies of a loop need not cost the same. */
#include "expect.h"
#include <dirent.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>

enum { PIECES = 401 };

static volatile unsigned sink;
static unsigned times, work = 1;
static int end[2];

/* A chain in a register: one through memory takes a changing time where the processor foresees which store it reads. */
KEEP void often(unsigned n) { unsigned x = sink; for (unsigned i = 0; i < n; i++) x = x * 1664525u + i; sink = x; }
KEEP void seldom(unsigned n) { unsigned x = sink; for (unsigned i = 0; i < n; i++) x = x * 1664525u + i; sink = x; }

QUIET static void *partner(void *unused)
{
    char c;
    for (unsigned i = 0; i < times && read(end[1], &c, 1) == 1 && write(end[1], &c, 1) == 1; i++) {
        often(900 * work);
        seldom(300 * work);
    }
    return unused;
}

static int ascending(const void *a, const void *b)
{
    long x = *(const long *)a, y = *(const long *)b;
    return (x > y) - (x < y);
}

QUIET KEEP static void nothing(unsigned n) { (void)n; }

static long call_ns(void (*function)(unsigned), unsigned n)
{
    struct timespec from, to;
    clock_gettime(CLOCK_MONOTONIC, &from);
    function(n);
    clock_gettime(CLOCK_MONOTONIC, &to);
    return (to.tv_sec - from.tv_sec) * 1000000000L + to.tv_nsec - from.tv_nsec;
}

/* Medians of calls of its own: what was interrupted is beside them. By turns, since a processor may be slower for a while. */
static void calls_print(void)
{
    static long none[PIECES], of_often[PIECES], of_seldom[PIECES];
    for (int i = 0; i < PIECES; i++) {
        none[i] = call_ns(nothing, 0);
        of_often[i] = call_ns(often, 900 * work);
        of_seldom[i] = call_ns(seldom, 300 * work);
    }
    qsort(none, PIECES, sizeof *none, ascending);
    qsort(of_often, PIECES, sizeof *of_often, ascending);
    qsort(of_seldom, PIECES, sizeof *of_seldom, ascending);
    long clock_ns = none[PIECES / 2];
    printf("calls %ld %ld\n", of_often[PIECES / 2] - clock_ns, of_seldom[PIECES / 2] - clock_ns);
}

/* Events that the process has open. */
QUIET static int events(void)
{
    int count = 0;
    DIR *stream = opendir("/proc/self/fd");
    for (struct dirent *entry; stream && (entry = readdir(stream));) {
        char what[64];
        ssize_t n = readlinkat(dirfd(stream), entry->d_name, what, sizeof what - 1);
        count += n > 0 && (what[n] = 0, strstr(what, "perf_event") != NULL);
    }
    if (stream)
        closedir(stream);
    return count;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    struct timespec t;
    struct rusage usage;
    char c = 'x';
    times = argc > 1 ? (unsigned)atoi(argv[1]) : 20000;
    work = argc > 2 ? (unsigned)atoi(argv[2]) : 1;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, end) || pthread_create(&thread, NULL, partner, NULL)) return 1;
    for (unsigned i = 0; i < times && write(end[0], &c, 1) == 1 && read(end[0], &c, 1) == 1; i++) {
        often(900 * work);
        seldom(300 * work);
    }
    pthread_join(thread, NULL);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    getrusage(RUSAGE_SELF, &usage);
    printf("cpu %llu switches %ld\n", (unsigned long long)t.tv_sec * 1000000000u + (unsigned long long)t.tv_nsec, usage.ru_nvcsw);
    printf("events %d\n", events());
    calls_print();
    fflush(stdout);
    expect("calls seldom %u", 2 * times + PIECES);
    expect("exit EXIT 0");
    return 0;
}
