/* SPDX-License-Identifier: MIT */
/* work.c FOLDER: calls that the kernel works in, so many of each at known lines. Prints for each line its number,
 * the kind of operation, how many calls, how many of them fail, and the CPU time of the loop by the thread's own clock, or 0
 * where a call is too short to hold the loop against it. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static unsigned long long cpu_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (unsigned long long)t.tv_sec * 1000000000u + (unsigned long long)t.tv_nsec;
}
static pthread_mutex_t saying = PTHREAD_MUTEX_INITIALIZER;
static char said[16384];
static void say(int line, const char *kind, long calls, long errors, unsigned long long cpu)
{
    pthread_mutex_lock(&saying);
    sprintf(said + strlen(said), "%d %s %ld %ld %llu\n", line, kind, calls, errors, cpu);
    pthread_mutex_unlock(&saying);
}
static void wrong(int line)
{
    fprintf(stderr, "line %d: %s\n", line, strerror(errno));
    _exit(3);
}

/* N times CALL, which is REPEAT calls of its kind, and fails each time if FAILS. */
#define SAY(kind, n, repeat, fails, timed, call)                                                           \
    do {                                                                                                   \
        unsigned long long began = cpu_ns();                                                               \
        for (long i = 0; i < (n); i++)                                                                     \
            if (((call) == -1) != (fails))                                                                 \
                wrong(__LINE__);                                                                           \
        say(__LINE__, kind, (n) * (repeat), (fails) ? (n) * (repeat) : 0, (timed) ? cpu_ns() - began : 0); \
    } while (0)

static char far[4096];                  /* a name that takes the kernel some time */
static struct stat status;
static char text[4096];
static int folder, file;

static void names(void)
{
    SAY("file", 2000, 1, 0, 1, stat(far, &status));
    SAY("file", 500, 1, 1, 0, stat("absent", &status));
    SAY("file", 300, 1, 0, 0, lstat("file", &status));
    SAY("file", 3000, 1, 0, 0, fstat(file, &status));
    SAY("file", 300, 1, 0, 0, fstatat(folder, "file", &status, 0));
    SAY("file", 1000, 1, 0, 1, access(far, R_OK));
    SAY("file", 200, 1, 1, 0, faccessat(folder, "absent", R_OK, 0));
    SAY("file", 200, 1, 0, 0, symlink("file", "link") | unlink("link"));
    SAY("file", 300, 1, 1, 0, readlink("file", text, sizeof text));
    SAY("file", 300, 1, 1, 0, readlinkat(folder, "file", text, sizeof text));
    SAY("file", 300, 2, 0, 1, rename("file", "other") | rename("other", "file"));
    SAY("file", 300, 2, 0, 1, mkdir("inner", 0700) | rmdir("inner"));
    SAY("file", 100, 1, 0, 0, link("file", "second") | remove("second"));
    SAY("file", 100, 2, 0, 0, ftruncate(file, 1 << 20) | truncate("file", 1 << 20));
    SAY("file", 100, 2, 0, 0, chmod("file", 0640) | fchmod(file, 0600));
    SAY("file", 100, 1, 0, 0, utimensat(folder, "file", NULL, 0));
    SAY("file", 100, 1, 0, 0, chdir("."));
    SAY("file", 100, 1, 1, 0, unlinkat(folder, "absent", 0));
}

static long entries(void)
{
    long n = 0;
    DIR *list = opendir("many");
    if (!list)
        return -1;
    while (readdir(list)) /* listed */
        n++;
    closedir(list);
    return n;
}

static void memory(void)
{
    enum { BYTES = 1 << 20 };
    char *room = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char *p;
    int way = MAP_PRIVATE | MAP_ANONYMOUS;
    SAY("memory", 200, 2, 0, 1, (p = mmap(NULL, BYTES, PROT_READ, way | MAP_POPULATE, -1, 0)) == MAP_FAILED ? -1 : munmap(p, BYTES));
    SAY("memory", 200, 3, 0, 0, (p = mremap(mmap(NULL, 4096, PROT_READ, way, -1, 0), 4096, BYTES, MREMAP_MAYMOVE)) == MAP_FAILED ? -1 : munmap(p, BYTES));
    SAY("memory", 100, 1, 1, 0, mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, -1, 0) == MAP_FAILED ? -1 : 0);
    SAY("memory", 500, 2, 0, 1, mprotect(room + 4096, 4096, PROT_READ) | mprotect(room + 4096, 4096, PROT_READ | PROT_WRITE));
    SAY("memory", 200, 2, 0, 1, madvise(room, BYTES, MADV_POPULATE_WRITE) | madvise(room, BYTES, MADV_DONTNEED));
    SAY("memory", 100, 1, 1, 0, madvise(room, BYTES, 4711));
    SAY("sync", 300, 2, 0, 0, msync(room, BYTES, MS_ASYNC) | msync(room, BYTES, MS_SYNC));
    SAY("sync", 100, 1, 1, 0, msync(room + 1, BYTES, MS_SYNC));
}

static void others(void)
{
    int size;
    SAY("control", 1000, 1, 0, 0, ioctl(file, FIONREAD, &size));
    SAY("control", 300, 1, 1, 0, ioctl(file, TCGETS, text));
    SAY("yield", 300, 1, 0, 0, sched_yield());
}

/* ---- starts ---- */

static void *nothing(void *given) { return given; }
static int made(void)
{
    pthread_t other;
    int result = pthread_create(&other, NULL, nothing, NULL) ? -1 : 0;
    if (result || pthread_join(other, NULL))
        wrong(__LINE__);
    return __LINE__ - 3;
}
static int forked(void)
{
    int ended;
    pid_t child = fork();
    if (!child)
        _exit(stat("file", &status));
    if (child < 0 || waitpid(child, &ended, 0) != child || ended)
        wrong(__LINE__);
    return __LINE__ - 5;
}
static char *const arguments[] = { "true", NULL };
extern char **environ;
static int spawned(void)
{
    int ended;
    pid_t child;
    if (posix_spawn(&child, "/bin/true", NULL, NULL, arguments, environ) ||
        waitpid(child, &ended, 0) != child || ended)
        wrong(__LINE__);
    return __LINE__ - 3;
}
/* The child of vfork counts for its parent. */
static int borrowed(void)
{
    struct stat own;
    int ended;
    pid_t child = vfork();
    if (!child)
        _exit(stat("file", &own) | (execve("absent", arguments, environ) == -1 ? 0 : 1));
    if (child < 0 || waitpid(child, &ended, 0) != child || ended)
        wrong(__LINE__);
    return __LINE__ - 3;
}
static void starts(void)
{
    int line = 0;
    for (int i = 0; i < 50; i++)
        line = made();
    printf("made %d\n", line);
    for (int i = 0; i < 20; i++)
        line = forked();
    say(line, "start", 20, 0, 0);
    for (int i = 0; i < 10; i++)
        line = spawned();
    say(line, "start", 10, 0, 0);
    for (int i = 0; i < 10; i++)
        line = borrowed();
    say(line, "start", 10, 10, 0);
    say(line, "file", 10, 0, 0);
    SAY("start", 30, 1, 1, 0, execve("absent", arguments, environ));
    SAY("start", 30, 1, 1, 0, execvp("./absent", arguments));
    SAY("start", 30, 1, 1, 0, posix_spawn(NULL, "absent", NULL, NULL, arguments, environ) ? -1 : 0);
}

/* ---- elsewhere ---- */

static volatile sig_atomic_t handled;
static int handler_line;
static void handle(int number)
{
    int kept = errno;
    handled += stat("file", &status) + number;
    handler_line = __LINE__ - 1;
    errno = kept;
}

static void *thread(void *unused)
{
    struct stat own;
    for (int i = 0; i < 5000; i++)
        if (stat("file", &own)) /* threads */
            wrong(__LINE__);
    return unused;
}

int main(int argc, char **argv)
{
    if (argc < 2 || chdir(argv[1]))
        return 2;
    file = open("file", O_RDWR | O_CREAT, 0600);
    folder = open(".", O_RDONLY | O_DIRECTORY);
    for (int i = 0; i < 60; i++)
        strcat(far, "././many/../");
    strcat(far, "file");
    if (mkdir("many", 0700) || file < 0 || folder < 0)
        return 4;
    for (int i = 0; i < 2000; i++) {
        sprintf(text, "many/%d", i);
        close(open(text, O_CREAT | O_WRONLY, 0600));
    }
    names();
    memory();
    others();
    starts();
    unsigned long long began = cpu_ns();
    for (int i = 0; i < 20; i++)
        if (entries() != 2002)
            return 5;
    printf("entries %llu\n", cpu_ns() - began);
    signal(SIGUSR1, handle);
    for (int i = 0; i < 100; i++)
        raise(SIGUSR1);
    say(handler_line, "file", 100, 0, 0);
    pthread_t other[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&other[i], NULL, thread, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(other[i], NULL);
    fputs(said, stdout);
    return 0;
}
