/* SPDX-License-Identifier: MIT */
/* abandoned.c: waits that are left without returning, by longjmp out of a handler, by cancellation, by the end of a thread and by a fork, and waits of handlers within waits. Says what
 * is open when the program ends: a line each, open KIND LINE; and the lines whose waits were left: gone LINE. */
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define HERE __attribute__((noinline))
static const struct timespec hour = { 3600, 0 };
static _Thread_local sigjmp_buf back;
static _Atomic int ready;
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

HERE static void left(void)
{
    say("gone", "sleep", __LINE__ + 2);
    ready++;
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
    ready++;
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
    ready++;
    for (;;)
        for (int i = 0; i < 1000; i++) sink += (uint64_t)i;
    return unused;
}

static void cleans_up(void *unused)
{
    (void)unused;
    say("open", "semaphore", __LINE__ + 2);
    ready++;
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
    ready++;
    for (;;) sink++;
    return unused;
}

static void waits_within(int number)
{
    (void)number;
    say("open", "semaphore", __LINE__ + 2);
    ready++;
    if (sem_wait(&none)) sink++;
}

static void *is_interrupted(void *own_stack)
{
    static char room[2][1 << 16];
    static _Atomic int taken;
    if (own_stack) sigaltstack(&(stack_t){ .ss_sp = room[taken++], .ss_size = sizeof room[0] }, NULL);
    say("open", "sleep", __LINE__ + 2);
    ready++;
    if (nanosleep(&hour, NULL)) sink++;
    return NULL;
}

static void forks(int number)
{
    (void)number;
    pid_t child = fork();
    if (!child) _exit(0);
    ready += waitpid(child, NULL, 0) == child;
}

static void *is_forked(void *unused)
{
    say("open", "sleep", __LINE__ + 2);
    ready++;
    while (clock_nanosleep(CLOCK_MONOTONIC, 0, &hour, NULL)) sink++;
    return unused;
}

static void until(int count)
{
    while (ready < count) usleep(1000);
    usleep(50000);                       /* and it waits */
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
    usleep(300000);
    pthread_kill(*(pthread_t *)thread, SIGALRM);
    return NULL;
}

int main(void)
{
    struct sigaction within = { .sa_handler = waits_within }, aside = { .sa_handler = waits_within, .sa_flags = SA_ONSTACK };
    sem_init(&none, 0, 0);
    signal(SIGUSR1, jump), signal(SIGALRM, forks);
    sigaction(SIGUSR2, &within, NULL), sigaction(SIGHUP, &aside, NULL);
    interrupt(begin(waits_again, NULL), SIGUSR1, 1);
    interrupt(begin(works_on, NULL), SIGUSR1, 1);
    pthread_t cancelled = begin(is_cancelled, &none);
    int before = ready;
    pthread_cancel(cancelled);
    until(before + 1);
    for (int i = 0; i < 2; i++) {
        cancelled = begin(is_cancelled, NULL);
        pthread_cancel(cancelled);
        pthread_join(cancelled, NULL);
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
    return 0;
}
