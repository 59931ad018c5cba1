/* SPDX-License-Identifier: MIT */
/* moments.c MODE: says when its own stages, waits and values were, by its own clock; moments.py compares the timeline
 * with that. Modes: all; killed: by itself, in an open stage; forked: the child says what is its own. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <profplug.h>
#include "truth.h"

enum { THREADS = 3, ENTRIES = 4000, SLOW = 2345, SLEEPS = 5, VALUES = 20000, ROWS = 300 };

struct moment { uint64_t before, after; };
struct moments { struct moment inner[ENTRIES], sleep[SLEEPS]; pid_t thread; };

static pid_t own_id(void) { return (pid_t)syscall(SYS_gettid); }

PROFPLUG_STAGE("inner") static __attribute__((noinline)) void inner(int i)
{
    if (i == SLOW)
        usleep(3000); /* slow */
    profplug_gauge("depth", i % 9 - 4);
}

PROFPLUG_STAGE("outer") static __attribute__((noinline)) void outer(struct moments *own)
{
    own->thread = own_id();
    for (int i = 0; i < SLEEPS; i++) {
        own->sleep[i].before = now_ns();
        usleep(2000); /* sleeps */
        own->sleep[i].after = now_ns();
    }
    for (int i = 0; i < ENTRIES; i++) {
        own->inner[i].before = now_ns();
        inner(i);
        own->inner[i].after = now_ns();
    }
}

static pthread_barrier_t together; /* a thread that begins when another has ended goes on in its records */

static void *work(void *own)
{
    pthread_barrier_wait(&together);
    outer(own);
    return NULL;
}

static void moments_print(const struct moments *own)
{
    for (int i = 0; i < SLEEPS; i++)
        printf("sleep %d %d %" PRIu64 " %" PRIu64 "\n", own->thread, i, own->sleep[i].before, own->sleep[i].after);
    for (int i = 0; i < ENTRIES; i++)
        printf("inner %d %d %" PRIu64 " %" PRIu64 "\n", own->thread, i, own->inner[i].before, own->inner[i].after);
}

PROFPLUG_STAGE("count") static __attribute__((noinline)) void count(void)
{
    struct moment all = { now_ns(), 0 };
    int64_t sum = 0;
    for (int i = 0; i < VALUES; i++) {
        profplug_count("seen", i % 3);
        sum += i % 3;
    }
    all.after = now_ns();
    printf("count %d 0 %" PRIu64 " %" PRIu64 "\nsum %" PRId64 "\n", own_id(), all.before, all.after, sum);
}

PROFPLUG_STAGE("rows") static __attribute__((noinline)) void rows(void)
{
    uint64_t until;
    PROFPLUG_LOOP("row")
    for (int i = 0; i < ROWS; i++)
        for (until = now_ns() + 20000; now_ns() < until;) /* so long that each is timed */
            continue;
}

PROFPLUG_STAGE("open") static __attribute__((noinline)) void end_within(void)
{
    printf("open %d 0 %" PRIu64 " 0\n", own_id(), now_ns());
    fflush(stdout);
    kill(getpid(), SIGKILL);
    pause();
}

static struct moments own[THREADS];

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "all";
    pthread_t thread[THREADS];
    if (!strcmp(mode, "killed")) {
        rows();
        end_within();
    }
    if (!strcmp(mode, "forked")) {
        rows();
        pid_t child = fork();
        if (!child) {
            printf("child %d 0 %" PRIu64 " 0\n", getpid(), now_ns());
            count();
            return 0;
        }
        return waitpid(child, NULL, 0) != child;
    }
    pthread_barrier_init(&together, NULL, THREADS);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, work, &own[i]);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    count();
    rows();
    for (int i = 0; i < THREADS; i++)
        moments_print(&own[i]);
    return 0;
}
