/* SPDX-License-Identifier: MIT */
/* abandoned.c: waits that are left without returning, by longjmp out of a handler, by cancellation, by the end of a thread and by a fork, and waits of handlers within waits. Says what
 * is open when the program ends: a line each, open KIND LINE; a line for each wait that was left: gone KIND LINE; and between what times all those took, in ns: took LEAST MOST. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define HERE __attribute__((noinline))
static const struct timespec hour = { 3600, 0 };
static _Thread_local sigjmp_buf back;
static _Atomic int ready, newest;        /* how often a thread was, and the last one if it is to wait */
static volatile uint64_t sink;
static sem_t none;

static void jump(int number)
{
    siglongjmp(back, number);
}

static void say(const char *what, const char *kind, int line)
{
    char text[64];
    int n = snprintf(text, sizeof text, "%s %s %d\n", what, kind, line);
    if (write(1, text, (size_t)n) != n) _exit(9);
}

static void is_ready(int to_wait)
{
    newest = to_wait ? gettid() : 0;
    ready++;
}

static uint64_t clock_ns(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}
static uint64_t cpu_ns(void) { return clock_ns(CLOCK_THREAD_CPUTIME_ID); }

/* Of waits that are left: since when the last one lasts, and the least and the most that all took. */
static _Atomic uint64_t since_ns, least_ns, most_ns;
static void leaves(void) { least_ns += clock_ns(CLOCK_MONOTONIC) - since_ns; }
static void has_left(void) { most_ns += clock_ns(CLOCK_MONOTONIC) - since_ns; }

HERE static void left(void)
{
    say("gone", "sleep", __LINE__ + 3);
    is_ready(1);
    since_ns = clock_ns(CLOCK_MONOTONIC);
    if (nanosleep(&hour, NULL)) sink++;
}

HERE static void deeper(int depth)
{
    char room[512];
    memset(room, depth, sizeof room);
    if (depth) {
        deeper(depth - 1);
        sink += (uint64_t)room[depth];
        return;
    }
    say("open", "semaphore", __LINE__ + 2);
    is_ready(1);
    if (sem_wait(&none)) sink++;
}

static void *waits_again(void *unused)   /* in a frame below that of the wait that was left */
{
    if (!sigsetjmp(back, 1)) left();
    deeper(8);
    return unused;
}

static void *works_on(void *unused)
{
    if (!sigsetjmp(back, 1)) left();
    uint64_t begun_ns = cpu_ns();
    while (cpu_ns() - begun_ns < 100000000)   /* it is sampled */
        for (int i = 0; i < 1000; i++) sink += (uint64_t)i;
    is_ready(0);
    for (;;) sink++;
    return unused;
}

static void cleans_up(void *unused)
{
    (void)unused;
    say("open", "semaphore", __LINE__ + 2);
    is_ready(1);
    if (sem_wait(&none)) sink++;
}

static void *is_cancelled(void *waits)
{
    if (waits) {
        pthread_cleanup_push(cleans_up, NULL);
        left();
        pthread_cleanup_pop(0);
    } else {
        left();
    }
    return NULL;
}

static void *takes_over(void *unused)    /* the block of a thread that was cancelled */
{
    is_ready(0);
    for (;;) sink++;
    return unused;
}

static void waits_within(int number)
{
    (void)number;
    say("open", "semaphore", __LINE__ + 2);
    is_ready(1);
    if (sem_wait(&none)) sink++;
}

static void *is_interrupted(void *own_stack)
{
    static char room[2][1 << 16];
    static _Atomic int taken;
    if (own_stack) sigaltstack(&(stack_t){ .ss_sp = room[taken++], .ss_size = sizeof room[0] }, NULL);
    say("open", "sleep", __LINE__ + 2);
    is_ready(1);
    if (nanosleep(&hour, NULL)) sink++;
    return NULL;
}

static void forks(int number)
{
    (void)number;
    pid_t child = fork();
    if (!child) _exit(0);
    if (waitpid(child, NULL, 0) == child) is_ready(1);
}

static void *is_forked(void *unused)
{
    say("open", "sleep", __LINE__ + 2);
    is_ready(1);
    while (clock_nanosleep(CLOCK_MONOTONIC, 0, &hour, NULL)) sink++;
    return unused;
}

/* A thread is in the system call of one of the waits above. */
static int waits(int thread)
{
    char path[64], text[64] = "";
    unsigned long number = 0, address = 0;
    snprintf(path, sizeof path, "/proc/self/task/%d/syscall", thread);
    int from = open(path, O_RDONLY);
    if (from < 0 || read(from, text, sizeof text - 1) < 0) exit(5);
    close(from);
    if (sscanf(text, "%lu %lx", &number, &address) != 2) return 0;
    return number == SYS_nanosleep || number == SYS_clock_nanosleep || (number == SYS_futex && address - (uintptr_t)&none < sizeof none);
}

static void until(int count)             /* are ready, and what is to wait does */
{
    while (ready < count) usleep(1000);
    while (newest && !waits(newest)) usleep(1000);
}

static pthread_t begin(void *(*start)(void *), void *given)
{
    pthread_t thread;
    int before = ready;
    if (pthread_create(&thread, NULL, start, given)) exit(3);
    until(before + 1);
    return thread;
}

static void interrupt(pthread_t thread, int number, int more)
{
    int before = ready;
    pthread_kill(thread, number);
    until(before + more);
}

static void *interrupts(void *thread)
{
    while (!waits(getpid())) usleep(1000);
    leaves();
    pthread_kill(*(pthread_t *)thread, SIGALRM);
    return NULL;
}

int main(void)
{
    struct sigaction within = { .sa_handler = waits_within }, aside = { .sa_handler = waits_within, .sa_flags = SA_ONSTACK };
    sem_init(&none, 0, 0);
    signal(SIGUSR1, jump), signal(SIGALRM, forks);
    sigaction(SIGUSR2, &within, NULL), sigaction(SIGHUP, &aside, NULL);
    for (int i = 0; i < 2; i++) {
        pthread_t thread = begin(i ? works_on : waits_again, NULL);
        leaves();
        interrupt(thread, SIGUSR1, 1);
        has_left();
    }
    pthread_t cancelled = begin(is_cancelled, &none);
    int before = ready;
    leaves();
    pthread_cancel(cancelled);
    until(before + 1);
    has_left();
    for (int i = 0; i < 2; i++) {
        cancelled = begin(is_cancelled, NULL);
        leaves();
        pthread_cancel(cancelled);
        pthread_join(cancelled, NULL);
        has_left();
        begin(takes_over, NULL);
    }
    interrupt(begin(is_interrupted, NULL), SIGUSR2, 1);
    interrupt(begin(is_interrupted, &none), SIGHUP, 1);
    interrupt(begin(is_forked, NULL), SIGALRM, 1);
    if (!sigsetjmp(back, 1)) {           /* of the thread that ends the process */
        pthread_t self = pthread_self();
        signal(SIGALRM, jump);
        if (pthread_create(&cancelled, NULL, interrupts, &self)) return 4;
        left();
    }
    has_left();
    char text[64];
    int n = snprintf(text, sizeof text, "took %llu %llu\n", (unsigned long long)least_ns, (unsigned long long)most_ns);
    return write(1, text, (size_t)n) != n;
}
