/* SPDX-License-Identifier: MIT */
/* trace.c: what the kernel shows of this process: descriptors, tasks, timers, mappings, handlers, the environment. It prints one line for each, and
 * then calls no more; the same program without probes says which of them are not its own. THREADS of its own do work first. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <profplug.h>

#define OUTSIDE __attribute__((no_instrument_function, noinline))
static volatile long sink;
static pthread_barrier_t met, leave;
extern char **environ;

OUTSIDE static long cpu_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static __attribute__((noinline)) void counted(void) { sink++; }

PROFPLUG_STAGE("stage") static __attribute__((noinline)) void staged(void)
{
    PROFPLUG_SCOPE("scope");
    for (int i = 0; i < 10; i++)
        counted();
    free(malloc(100));
}

static __attribute__((noinline)) void work(long ms)
{
    PROFPLUG_LOOP("loop")
    for (long end = cpu_ms() + ms; cpu_ms() < end;)
        for (int i = 0; i < 100; i++)
            staged();
}

static void *body(void *unused)
{
    work(40);
    pthread_barrier_wait(&met);
    pthread_barrier_wait(&leave);
    return unused;
}

OUTSIDE static void text_show(const char *kind, const char *path)
{
    static char text[1 << 20];
    int fd = open(path, O_RDONLY);
    ssize_t got = fd < 0 ? 0 : read(fd, text, sizeof text - 1), n = got;
    while (n > 0 && got < (ssize_t)sizeof text - 1 && (n = read(fd, text + got, sizeof text - 1 - (size_t)got)) > 0)
        got += n;
    close(fd);
    text[got > 0 ? got : 0] = 0;
    for (char *line = strtok(text, "\n"); line; line = strtok(0, "\n"))
        printf("%s %s\n", kind, line);
}

OUTSIDE static void folder_show(const char *kind, const char *path)
{
    DIR *folder = opendir(path);
    for (struct dirent *e; folder && (e = readdir(folder));) {
        char name[600], target[600];
        if (e->d_name[0] == '.' || atoi(e->d_name) == dirfd(folder))
            continue;
        snprintf(name, sizeof name, "%s/%s", path, e->d_name);
        ssize_t n = readlink(name, target, sizeof target - 1);
        target[n > 0 ? n : 0] = 0;
        int fd = !strcmp(kind, "fd") ? atoi(e->d_name) : -1;
        printf("%s %s %s%s\n", kind, fd >= 0 ? e->d_name : "-", target, fd > 2 && !(fcntl(fd, F_GETFD) & FD_CLOEXEC) ? " inherited" : "");
    }
    if (folder)
        closedir(folder);
}

int main(int argc, char **argv)
{
    int threads = argc > 1 ? atoi(argv[1]) : 0;
    pthread_t thread[16];
    pthread_barrier_init(&met, 0, (unsigned)threads + 1);
    pthread_barrier_init(&leave, 0, (unsigned)threads + 1);
    for (int i = 0; i < threads; i++)
        pthread_create(&thread[i], 0, body, 0);
    work(60);
    pthread_barrier_wait(&met);
    setvbuf(stdout, 0, _IOFBF, 1 << 16);
    folder_show("fd", "/proc/self/fd");
    folder_show("task", "/proc/self/task");
    text_show("timer", "/proc/self/timers");
    text_show("map", "/proc/self/maps");
    text_show("status", "/proc/self/status");
    text_show("limit", "/proc/self/limits");
    for (char **e = environ; *e; e++)
        printf("environ %s\n", *e);
    int low[3];
    for (int i = 0; i < 3; i++)
        low[i] = open("/dev/null", O_RDONLY);
    printf("opened %d %d %d\n", low[0], low[1], low[2]);
    static const char *const functions[] = { "malloc", "free", "calloc", "realloc", "open", "read", "write", "fork", "execve", "_exit", "exit", "sigaction",
                                             "pthread_create", "dlopen", "dlclose", "signal", "close" };
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        Dl_info info;
        void *at = dlsym(RTLD_DEFAULT, functions[i]);
        printf("function %s %s\n", functions[i], at && dladdr(at, &info) ? strrchr(info.dli_fname, '/') ? strrchr(info.dli_fname, '/') + 1 : info.dli_fname : "-");
    }
    pthread_barrier_wait(&leave);
    for (int i = 0; i < threads; i++)
        pthread_join(thread[i], 0);
    return 0;
}
