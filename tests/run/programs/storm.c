/* SPDX-License-Identifier: MIT */
/* Everything at once: threads that come and go, signals into probes, jumps out of handlers, forks, libraries never. Calls stay
 * exact, nothing hangs. */
#include "expect.h"
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>

enum { SECONDS = 3, WORKERS = 4, LEAST_FORKS = 12 };
static _Atomic int stop;
static _Atomic unsigned long leaves, handled, stages, scopes;

KEEP void leaf(void) { __atomic_add_fetch(&leaves, 1, __ATOMIC_RELAXED); __asm__ volatile("" ::: "memory"); }
PROFPLUG_STAGE("stormy", "compute") KEEP void stormy(int n) { __atomic_add_fetch(&stages, 1, __ATOMIC_RELAXED); for (int i = 0; i < n; i++) leaf(); __asm__ volatile(""); }
PROFPLUG_STAGE("handling", "compute") KEEP void handling(void) { __atomic_add_fetch(&handled, 1, __ATOMIC_RELAXED); leaf(); __asm__ volatile(""); }
static void handler(int s) { handling(); }

KEEP int recurse(int n) { leaf(); if (n % 3 == 0) { PROFPLUG_SCOPE("deep"); __atomic_add_fetch(&scopes, 1, __ATOMIC_RELAXED); leaf(); } int r = n ? recurse(n - 1) : 0; __asm__ volatile("" : "+r"(r)); return r; }

static void *brief(void *arg) { stormy(3); return arg; }
static void *worker(void *arg)
{
    unsigned seed = (unsigned)(size_t)arg;
    while (!stop) {
        switch (rand_r(&seed) % 4) {
        case 0: stormy(5); break;
        case 1: recurse(20); break;
        case 2: {
            pthread_t t;
            if (!pthread_create(&t, 0, brief, 0)) pthread_join(t, 0);
            break;
        }
        default: for (int i = 0; i < 10; i++) leaf();
        }
    }
    return 0;
}

int main(void)
{
    struct sigaction a = { .sa_handler = handler, .sa_flags = SA_RESTART };
    sigaction(SIGALRM, &a, 0);
    struct itimerval every = { { 0, 300 }, { 0, 300 } };
    pthread_t t[WORKERS];
    for (size_t i = 0; i < WORKERS; i++) pthread_create(&t[i], 0, worker, (void *)(i + 1));
    setitimer(ITIMER_REAL, &every, 0);
    int forks = 0, bad = 0;
    for (unsigned long long end = wall_ns() + SECONDS * 1000000000ull; wall_ns() < end || forks < LEAST_FORKS; forks++) {
        pid_t pid = fork();
        if (pid == 0) {
            setitimer(ITIMER_REAL, &(struct itimerval){ { 0, 0 }, { 0, 0 } }, 0);
            signal(SIGALRM, SIG_IGN);
            unsigned long before = leaves;
            recurse(30);
            stormy(9);
            expect("calls leaf %lu", leaves - before);
            expect("exit EXIT 11");
            exit(11);
        }
        int status;
        while (waitpid(pid, &status, 0) < 0) { }
        bad |= !WIFEXITED(status) || WEXITSTATUS(status) != 11;
        usleep(20000);
    }
    setitimer(ITIMER_REAL, &(struct itimerval){ { 0, 0 }, { 0, 0 } }, 0);
    stop = 1;
    for (int i = 0; i < WORKERS; i++) pthread_join(t[i], 0);
#ifdef __SANITIZE_THREAD__               /* calls handlers later than their signals come, also where the runtime refuses what it is told, and counts that: amid a fork, at a thread's end */
    expect("told_or_lost leaf stormy handling deep %lu", leaves + stages + handled + scopes);
#else
    expect("calls leaf %lu", leaves);
    expect("stage stormy stage %lu", stages);
    expect("stage handling stage %lu", handled);
    expect("stage deep scope %lu", scopes);
#endif
    expect("children %d", forks);
    expect("closed");
    expect("exit EXIT 0");
    return bad;
}
