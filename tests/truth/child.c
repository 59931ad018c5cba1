/* SPDX-License-Identifier: MIT */
/* child.c: waits for children inside of the C library: lines "NAME LEAST MOST KIND" in ns, which a call waited at least
 * and at most, by a child that sleeps 200 ms and by the program's own clock. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>

#define SLEEP_NS 200000000ll

static long long now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (long long)t.tv_sec * 1000000000 + t.tv_nsec;
}
__attribute__((noinline)) static int by_system(const char *command)
{
    int status = system(command);
    __asm__ volatile("" : "+r"(status));
    return status;
}
__attribute__((noinline)) static int by_pclose(FILE *f)
{
    int status = pclose(f);
    __asm__ volatile("" : "+r"(status));
    return status;
}

/* A read that waits and gets the end of the stream. The next one knows that end. */
static char text[64];
#define READER(name, call)                                     \
    __attribute__((noinline)) static int by_##name(FILE *f)    \
    {                                                          \
        int ended = 0;                                         \
        for (int i = 0; i < 2; i++)                            \
            ended += (call);                                   \
        return ended == 2;                                     \
    }
READER(fgets, !fgets(text, sizeof text, f))
READER(fread, !fread(text, 1, sizeof text, f))
READER(fgetc, fgetc(f) == EOF)
static char *line;
static size_t room;
READER(getline, getline(&line, &room, f) < 0)

static int ends(const char *name, int (*reader)(FILE *))
{
    long long start = now_ns();
    FILE *f = popen("sleep 0.2", "r");
    long long opened = now_ns() - start;
    if (!f || !reader(f))
        return 0;
    printf("%s %lld %lld read\n", name, SLEEP_NS - opened, now_ns() - start);
    return !pclose(f);
}

/* Several threads at once: the interrupt's action is that of before when the last one is back. */
static void *crowd(void *wrong)
{
    for (int i = 0; i < 8; i++)
        if (system("exit 1") != 1 << 8)
            *(volatile int *)wrong = 1;
    return NULL;
}
static int crowd_is_right(void)
{
    pthread_t thread[6];
    struct sigaction after;
    int wrong = 0;
    signal(SIGINT, SIG_DFL); /* a shell starts what runs in the background with it ignored */
    for (int i = 0; i < 6; i++)
        if (pthread_create(&thread[i], NULL, crowd, &wrong))
            return 0;
    for (int i = 0; i < 6; i++)
        pthread_join(thread[i], NULL);
    return !wrong && !sigaction(SIGINT, NULL, &after) && after.sa_handler == SIG_DFL;
}

int main(void)
{
    struct sigaction before, after;
    long long start = now_ns(), most;
    if (sigaction(SIGINT, NULL, &before) || by_system("sleep 0.2; exit 7") != 7 << 8 || sigaction(SIGINT, NULL, &after))
        return 1;
    if (before.sa_handler != after.sa_handler || !system(NULL) || by_system("kill -9 $$") != SIGKILL)
        return 2;
    most = now_ns() - start;
    printf("by_system %lld %lld child\n", SLEEP_NS, most);
    start = now_ns();
    FILE *f = popen("sleep 0.2; exit 9", "r");
    long long opened = now_ns() - start;
    if (!f || by_pclose(f) != 9 << 8)
        return 3;
    most = now_ns() - start;
    printf("by_pclose %lld %lld child\n", SLEEP_NS - opened, most);
    if (!crowd_is_right())
        return 4;
    if (!ends("by_fgets", by_fgets) || !ends("by_fread", by_fread) || !ends("by_fgetc", by_fgetc) || !ends("by_getline", by_getline))
        return 5;
    return waitpid(-1, NULL, 0) != -1 || errno != ECHILD;
}
