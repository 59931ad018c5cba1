/* SPDX-License-Identifier: MIT */
/* marker.c: errno around everything that has a probe in it or that the runtime wraps. One line each says what it was before and after; without
 * probes the lines are the same. The argument is a library with probes. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <profplug.h>

#define OUTSIDE __attribute__((no_instrument_function, noinline))
enum { MARK = 4242 };
static volatile long sink;
extern char **environ;

OUTSIDE static void say(const char *what, int now, int repeated)
{
    char line[200];                      /* without stdio, which could have probes' errors for its own */
    int n = snprintf(line, sizeof line, "%s: errno %d, %d times\n", what, now, repeated);
    if (write(1, line, (size_t)n) != n)
        abort();
}

/* The same errno each of TIMES times, or the first other one. */
#define HOLD(what, times, call) do {                            \
        int now_ = MARK, done_ = 0;                             \
        while (done_ < (times) && now_ == MARK) {               \
            errno = MARK;                                       \
            call;                                               \
            now_ = errno;                                       \
            done_++;                                            \
        }                                                       \
        say(what, now_, done_);                                 \
    } while (0)

OUTSIDE static uint64_t cpu_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static __attribute__((noinline)) void counted(void) { sink++; }
static __attribute__((noinline)) void framed(int rounds) { for (int i = 0; i < rounds; i++) counted(); }
PROFPLUG_STAGE("stage") static __attribute__((noinline)) void staged(int rounds) { framed(rounds); }
static __attribute__((noinline)) void scoped(void) { PROFPLUG_SCOPE("scope"); counted(); }

static __attribute__((noinline)) void looped(int rounds)
{
    PROFPLUG_LOOP("loop")
    for (int i = 0; i < rounds; i++)
        counted();
}

static __attribute__((noinline)) void deep(int depth)
{
    char room[64];
    memset(room, depth, sizeof room);
    for (int i = 0; i < 2; i++)
        sink += room[i];
    if (depth)
        deep(depth - 1);
    sink++;
}

PROFPLUG_STAGE("deep") static __attribute__((noinline)) void deep_stage(int depth)
{
    if (depth)
        deep_stage(depth - 1);
    sink++;
}

/* Many call paths: tables grow, and find no room in the end. */
static __attribute__((noinline)) void path(unsigned bits, int depth);
#define PATH(n) static __attribute__((noinline)) void path##n(unsigned bits, int depth) { for (int i = 0; i < 1; i++) path(bits, depth); sink++; }
PATH(0) PATH(1) PATH(2) PATH(3) PATH(4) PATH(5) PATH(6) PATH(7)
static __attribute__((noinline)) void path(unsigned bits, int depth)
{
    static void (*const way[])(unsigned, int) = { path0, path1, path2, path3, path4, path5, path6, path7 };
    if (depth)
        way[bits & 7](bits >> 3, depth - 1);
}

static jmp_buf back;
static __attribute__((noinline)) void jumper(void) { longjmp(back, 1); }
static __attribute__((noinline)) void jumped(void) { if (!setjmp(back)) { scoped(); jumper(); } }

static __attribute__((constructor)) void early(void) { HOLD("a constructor", 3, staged(3)); }
static __attribute__((destructor)) void late(void) { HOLD("a destructor", 3, staged(3)); }

static void many_paths(void)
{
    for (unsigned i = 0; i < 4096; i++)
        path(i * 2654435761u >> 8, 6);
}

static void first_of_thread(void)
{
    HOLD("first call of a thread", 1, staged(1));
    HOLD("then", 10, staged(1));
    HOLD("free in a thread", 10, free(malloc(100)));
}

static void *thread_body(void *how)
{
    if (how)
        HOLD("malloc as a thread's first", 1, free(malloc(10)));
    first_of_thread();
    errno = MARK;
    return 0;
}

static void thread_run(void *how)
{
    pthread_t thread;
    if (pthread_create(&thread, 0, thread_body, how) == 0)
        pthread_join(thread, 0);
}

static void many_threads(void)
{
    for (int i = 0; i < 50; i++)
        thread_run(0);
}

static void in_handler(int n)
{
    (void)n;
    errno = MARK + 1;
    staged(2);
    sink += errno != MARK + 1;
    errno = MARK;
}

static void child_run(int how)
{
    pid_t child = how == 2 ? vfork() : fork();
    if (!child) {
        if (how == 2)
            _exit(0);
        if (errno != MARK)
            say("in a fork's child", errno, 1);
        HOLD("stage in a fork's child", 5, staged(2));
        _exit(0);
    }
    int kept = errno;
    while (waitpid(child, 0, 0) < 0 && errno == EINTR)
        ;
    errno = kept;
}

static void allocations(void)
{
    void *volatile block = 0, *volatile other = 0;
    size_t volatile huge = PTRDIFF_MAX;
    void *aligned = 0;
    HOLD("malloc", 1000, block = malloc(100); free(block));
    HOLD("calloc", 1000, block = calloc(10, 100); free(block));
    HOLD("realloc", 1000, block = realloc(0, 10); block = realloc(block, 100000); free(block));
    HOLD("reallocarray", 100, block = reallocarray(0, 10, 10); free(block));
    HOLD("memalign", 100, block = aligned_alloc(64, 640); free(block));
    HOLD("posix_memalign", 100, if (!posix_memalign(&aligned, 64, 640)) free(aligned));
    HOLD("large blocks", 20, block = malloc(10 << 20); free(block));
    HOLD("free of nothing", 10, free(0));
    HOLD("malloc refused", 2, block = malloc(huge); sink += block == 0);
    HOLD("calloc refused", 2, block = calloc(huge, 16); sink += block == 0);
    HOLD("calloc too large", 2, block = calloc(huge, 1); sink += block == 0);
    other = malloc(100);
    HOLD("realloc refused", 2, block = realloc(other, huge); sink += block == 0);
    HOLD("reallocarray refused", 2, block = reallocarray(other, huge, 16); sink += block == 0);
    HOLD("aligned_alloc refused", 2, block = aligned_alloc(64, huge - 63); sink += block == 0);
    HOLD("posix_memalign of no power of two", 2, sink += posix_memalign(&aligned, 24, 10));
    HOLD("posix_memalign refused", 2, sink += posix_memalign(&aligned, 64, huge));
    HOLD("a free after them", 1, free(other));
}

static void replacements(void)
{
    char *arguments[] = { "nothing", 0 };
    HOLD("execve of nothing", 2, execve("/nonexistent/program", arguments, environ));
    HOLD("execv of a folder", 2, execv("/", arguments));
    HOLD("execvp of nothing", 2, execvp("no-such-program-anywhere", arguments));
    HOLD("execlp of nothing", 2, execlp("no-such-program-anywhere", "x", (char *)0));
    HOLD("execl of a data file", 2, execl("/proc/self/status", "x", (char *)0));
    HOLD("fexecve of nothing", 2, fexecve(-1, arguments, environ));
    pid_t child;
    HOLD("posix_spawn of nothing", 1, sink += posix_spawn(&child, "/nonexistent/program", 0, 0, arguments, environ));
    HOLD("stage after them", 10, staged(1));
}

int main(int argc, char **argv)
{
    say("main begins", errno, 1);
    HOLD("counted", 1000, counted());
    HOLD("framed", 1000, framed(3));
    HOLD("stage", 5000, staged(3));
    HOLD("scope", 1000, scoped());
    HOLD("loop", 100, looped(300));
    HOLD("regions", 100, profplug_begin("region"); profplug_end("region"));
    HOLD("end without begin", 100, profplug_end("never begun"));
    HOLD("begin without end", 100, profplug_begin("never ended"));
    HOLD("many names", 1, for (int i = 0; i < 3000; i++) { char name[20]; snprintf(name, sizeof name, "name%d", i); profplug_begin(name); profplug_end(name); });
    HOLD("longjmp", 100, jumped());
    HOLD("deep", 3, deep(5000));
    HOLD("deep stages", 3, deep_stage(20000));
    HOLD("many paths", 1, many_paths());
    allocations();
    HOLD("a thread", 1, thread_run(0));
    HOLD("a thread that allocates", 1, thread_run(main));
    HOLD("many threads", 1, many_threads());
    signal(SIGUSR1, in_handler);
    HOLD("handlers", 100, raise(SIGUSR1));
    HOLD("fork", 5, child_run(1));
    HOLD("vfork", 3, child_run(2));
    replacements();
    HOLD("samples", 1, for (uint64_t end = cpu_ns() + 150000000; cpu_ns() < end && errno == MARK;) for (int i = 0; i < 1000; i++) counted());
    if (argc > 1) {
        void *library = 0;
        void (*call)(void) = 0;
        for (int round = 0; round < 2; round++) {
            HOLD("dlopen", 1, library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL));
            if (library)
                *(void **)&call = dlsym(library, "marker_library");
            if (call)
                HOLD("first call into a library", 1, call());
            if (call)
                HOLD("calls into a library", 100, call());
            if (library)
                HOLD("dlclose", 1, dlclose(library));
        }
        say(call ? "library called" : "library not called", 0, 1);
    }
    HOLD("descriptors all closed", 1, closefrom(3));
    HOLD("stage after that", 300, staged(3));
    HOLD("samples after that", 1, for (uint64_t end = cpu_ns() + 80000000; cpu_ns() < end && errno == MARK;) staged(3000));
    HOLD("thread after that", 1, thread_run(0));
    HOLD("fork after that", 1, child_run(1));
    say("lines that handlers spoilt", (int)(sink == 0), 1);
    return 0;
}
