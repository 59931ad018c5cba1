/* SPDX-License-Identifier: MIT */
/* unfinished.c WAY SECONDS: every wrapped call that can block, each in a thread of its own, blocks until the program ends. Each thread says before the call when it begins, by the
 * kernel's clock; the main thread says since when all of them are blocked, and SECONDS later when the end begins: a line each, KIND LINE NANOSECONDS THREAD. WAY: return, exit,
 * signal, sleep (until it is killed), or look (until its standard input ends). Four threads of a pool wait in one line. */
#define _GNU_SOURCE
#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void say(const char *kind, int line, uint64_t at)
{
    char text[96];
    int n = snprintf(text, sizeof text, "%s %d %llu %d\n", kind, line, (unsigned long long)at, (int)gettid());
    if (write(1, text, (size_t)n) != n) _exit(9);
}

/* `call` begins in this line, and never returns. */
#define BLOCKS(kind, call)              \
    do {                                \
        say(#kind, __LINE__, now_ns()); \
        (void)!(call);                  \
    } while (0)

static const struct timespec hour = { 3600, 0 };
static struct timespec until(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    t.tv_sec += 3600;
    return t;
}

static pthread_mutex_t taken = PTHREAD_MUTEX_INITIALIZER;
static mtx_t taken_c11, own_c11[2];
static pthread_mutex_t owns[4] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
static pthread_rwlock_t held = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static cnd_t never_c11;
static sem_t none;
static pthread_barrier_t barrier;
static pthread_t sleeper;
static thrd_t sleeper_c11;
static pid_t child;
static int silent[2], full[2], quiet[2], crowded[2], listener, epoll, lock_file, backlog;
static struct sockaddr_un at;
static sigset_t nothing;

static void *sleeps(void *unused)
{
    BLOCKS(sleep, nanosleep(&hour, NULL));
    return unused;
}
static int sleeps_c11(void *unused)
{
    (void)unused;
    BLOCKS(sleep, thrd_sleep(&hour, NULL));
    return 0;
}

static char bytes[1 << 20];
static struct iovec piece = { bytes, sizeof bytes }, small = { bytes, 1 };

/* What was in its buffer would be written at the end, which would wait. */
static FILE *unbuffered(int fd)
{
    FILE *f = fdopen(fd, "w");
    setvbuf(f, NULL, _IONBF, 0);
    return f;
}

static void run(int which)
{
    struct pollfd wanted = { .fd = silent[0], .events = POLLIN };
    struct timeval long_time = { 3600, 0 };
    struct timespec real = until(CLOCK_REALTIME), steady = until(CLOCK_MONOTONIC);
    struct epoll_event event;
    struct msghdr message = { .msg_iov = &small, .msg_iovlen = 1 }, large = { .msg_iov = &piece, .msg_iovlen = 1 };
    struct mmsghdr messages = { .msg_hdr = message }, larges = { .msg_hdr = large };
    struct flock whole = { .l_type = F_WRLCK };
    siginfo_t info;
    fd_set set;
    int number;
    FD_ZERO(&set);
    FD_SET(silent[0], &set);
    switch (which) {
    case 0: BLOCKS(sleep, clock_nanosleep(CLOCK_MONOTONIC, 0, &hour, NULL)); break;
    case 1: BLOCKS(sleep, usleep(3600000000u)); break;
    case 2: BLOCKS(sleep, (int)sleep(3600)); break;
    case 3: BLOCKS(poll, poll(&wanted, 1, -1)); break;
    case 4: BLOCKS(poll, ppoll(&wanted, 1, NULL, &nothing)); break;
    case 5: BLOCKS(poll, select(silent[0] + 1, &set, NULL, NULL, &long_time)); break;
    case 6: BLOCKS(poll, pselect(silent[0] + 1, &set, NULL, NULL, &hour, &nothing)); break;
    case 7: BLOCKS(poll, epoll_wait(epoll, &event, 1, -1)); break;
    case 8: BLOCKS(poll, epoll_pwait(epoll, &event, 1, -1, &nothing)); break;
    case 9: BLOCKS(signal, pause()); break;
    case 10: BLOCKS(signal, sigsuspend(&nothing)); break;
    case 11: BLOCKS(signal, sigwait(&nothing, &number)); break;
    case 12: BLOCKS(signal, sigwaitinfo(&nothing, &info)); break;
    case 13: BLOCKS(signal, sigtimedwait(&nothing, &info, &hour)); break;
    case 14:
        number = open(getenv("LOCK_FILE"), O_RDWR);
        BLOCKS(file_lock, flock(number, LOCK_EX));
        break;
    case 15: BLOCKS(file_lock, fcntl(lock_file, F_SETLKW, &whole)); break;
    case 16: BLOCKS(child, waitpid(child, NULL, 0)); break;
    case 17: BLOCKS(child, wait(NULL)); break;
    case 18: BLOCKS(child, wait4(child, NULL, 0, NULL)); break;
    case 19: BLOCKS(child, waitid(P_PID, (id_t)child, &info, WEXITED)); break;
    case 20: BLOCKS(lock, pthread_mutex_lock(&taken)); break;
    case 21: BLOCKS(lock, pthread_mutex_timedlock(&taken, &real)); break;
    case 22: BLOCKS(lock, mtx_lock(&taken_c11)); break;
    case 23: BLOCKS(lock, pthread_rwlock_rdlock(&held)); break;
    case 24: BLOCKS(lock, pthread_rwlock_wrlock(&held)); break;
    case 25: BLOCKS(lock, pthread_rwlock_timedrdlock(&held, &real)); break;
    case 26: BLOCKS(lock, pthread_rwlock_timedwrlock(&held, &real)); break;
    case 27:
        pthread_mutex_lock(&owns[0]);
        BLOCKS(condition, pthread_cond_wait(&never, &owns[0]));
        break;
    case 28:
        pthread_mutex_lock(&owns[1]);
        BLOCKS(condition, pthread_cond_timedwait(&never, &owns[1], &real));
        break;
    case 29:
        mtx_lock(&own_c11[0]);
        BLOCKS(condition, cnd_wait(&never_c11, &own_c11[0]));
        break;
    case 30:
        mtx_lock(&own_c11[1]);
        BLOCKS(condition, cnd_timedwait(&never_c11, &own_c11[1], &real));
        break;
    case 31: BLOCKS(semaphore, sem_wait(&none)); break;
    case 32: BLOCKS(semaphore, sem_timedwait(&none, &real)); break;
    case 33: BLOCKS(join, pthread_join(sleeper, NULL)); break;
    case 34: BLOCKS(join, pthread_timedjoin_np(sleeper, NULL, &real)); break;
    case 35: BLOCKS(join, thrd_join(sleeper_c11, NULL)); break;
    case 36: BLOCKS(read, read(silent[0], bytes, 1)); break;
    case 37: BLOCKS(read, readv(silent[0], &small, 1)); break;
    case 38: BLOCKS(write, write(full[1], bytes, sizeof bytes)); break;
    case 39: BLOCKS(write, writev(full[1], &piece, 1)); break;
    case 40: BLOCKS(splice, splice(silent[0], NULL, full[1], NULL, 1, 0)); break;
    case 41: BLOCKS(copy, sendfile(full[1], lock_file, &(off_t){ 0 }, 4096)); break;
    case 42: BLOCKS(open, open(getenv("FIFO_FILE"), O_RDONLY)); break;
    case 43: BLOCKS(send, send(crowded[0], bytes, sizeof bytes, 0)); break;
    case 44: BLOCKS(send, sendto(crowded[0], bytes, sizeof bytes, 0, NULL, 0)); break;
    case 45: BLOCKS(send, sendmsg(crowded[0], &large, 0)); break;
    case 46: BLOCKS(send, sendmmsg(crowded[0], &larges, 1, 0)); break;
    case 47: BLOCKS(receive, recv(quiet[0], bytes, 1, 0)); break;
    case 48: BLOCKS(receive, recvfrom(quiet[0], bytes, 1, 0, NULL, NULL)); break;
    case 49: BLOCKS(receive, recvmsg(quiet[0], &message, 0)); break;
    case 50: BLOCKS(receive, recvmmsg(quiet[0], &messages, 1, 0, NULL)); break;
    case 51: BLOCKS(accept, accept(listener, NULL, NULL)); break;
    case 52: BLOCKS(accept, accept4(listener, NULL, NULL, SOCK_CLOEXEC)); break;
    case 53: BLOCKS(connect, connect(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr *)&at, sizeof at)); break;
    case 54: BLOCKS(read, fgetc(fdopen(silent[0], "r"))); break;
    case 55: BLOCKS(read, !fgets(bytes, 8, fdopen(silent[0], "r"))); break;
    case 56: BLOCKS(read, (int)fread(bytes, 1, 8, fdopen(silent[0], "r"))); break;
    case 57: BLOCKS(read, (int)getline(&(char *){ NULL }, &(size_t){ 0 }, fdopen(silent[0], "r"))); break;
    case 58: BLOCKS(read, fscanf(fdopen(silent[0], "r"), "%d", &number)); break;
    case 59: BLOCKS(write, (int)fwrite(bytes, 1, sizeof bytes, unbuffered(full[1]))); break;
    case 60: BLOCKS(read, (int)getdelim(&(char *){ NULL }, &(size_t){ 0 }, 0, fdopen(silent[0], "r"))); break;
#if __GLIBC_PREREQ(2, 35)
    case 61: BLOCKS(poll, epoll_pwait2(epoll, &event, 1, &hour, &nothing)); break;
    case 62: BLOCKS(lock, pthread_mutex_clocklock(&taken, CLOCK_MONOTONIC, &steady)); break;
    case 63:
        pthread_mutex_lock(&owns[2]);
        BLOCKS(condition, pthread_cond_clockwait(&never, &owns[2], CLOCK_MONOTONIC, &steady));
        break;
    case 64: BLOCKS(semaphore, sem_clockwait(&none, CLOCK_MONOTONIC, &steady)); break;
    case 65: BLOCKS(join, pthread_clockjoin_np(sleeper, NULL, CLOCK_MONOTONIC, &steady)); break;
    case 66: BLOCKS(barrier, pthread_barrier_wait(&barrier)); break;
#endif
    default: (void)steady; break;
    }
}
#if __GLIBC_PREREQ(2, 35)
#define CALLS 67
#else
#define CALLS 61
#endif

static void *runs(void *which)
{
    run((int)(intptr_t)which);
    return NULL;
}

/* Workers that have done work before, and wait for more. */
static void *works(void *end)
{
    char c;
    for (;;) {
        say("pool", __LINE__ + 1, now_ns());
        if (read(*(int *)end, &c, 1) != 1) break;
    }
    return NULL;
}

static void fill(int fd)
{
    int flags = fcntl(fd, F_GETFL);
    fcntl(fd, F_SETFL, flags | O_NONBLOCK);
    while (write(fd, bytes, 4096) > 0) continue;
    while (write(fd, bytes, 1) > 0) continue;
    fcntl(fd, F_SETFL, flags);
}

/* How often the other threads were switched; -1: one of them runs. */
static long switches(void)
{
    char path[64], text[4096];
    long sum = 0;
    DIR *tasks = opendir("/proc/self/task");
    for (struct dirent *d; (d = readdir(tasks));) {
        if (!isdigit(d->d_name[0]) || atoi(d->d_name) == getpid()) continue;
        snprintf(path, sizeof path, "/proc/self/task/%.16s/status", d->d_name);
        int fd = open(path, O_RDONLY);
        ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
        close(fd);
        text[n > 0 ? n : 0] = 0;
        const char *state = strstr(text, "State:\t"), *count = text;
        if (!state || (state[7] != 'S' && state[7] != 'D')) sum = LONG_MIN;
        while ((count = strstr(count, "ctxt_switches:\t"))) sum += atol(count += 15);
    }
    closedir(tasks);
    return sum < 0 ? -1 : sum;
}

static void *ends(void *status)
{
    say("end", 0, now_ns());
    exit((int)(intptr_t)status);
}

int main(int argc, char **argv)
{
    pthread_t thread;
    pthread_attr_t attributes;
    int pool[2];
    if (argc < 3) return 2;
    sigemptyset(&nothing);
    mtx_init(&taken_c11, mtx_timed);
    mtx_init(&own_c11[0], mtx_timed), mtx_init(&own_c11[1], mtx_timed);
    cnd_init(&never_c11);
    sem_init(&none, 0, 0);
    pthread_barrier_init(&barrier, NULL, 2);
    lock_file = open(getenv("LOCK_FILE"), O_RDWR | O_CREAT, 0600);
    if (lock_file < 0 || ftruncate(lock_file, 4096) || mkfifo(getenv("FIFO_FILE"), 0600)) return 3;
    if (pipe(silent) || pipe(full) || pipe(pool) || socketpair(AF_UNIX, SOCK_STREAM, 0, quiet) || socketpair(AF_UNIX, SOCK_STREAM, 0, crowded)) return 4;
    fill(full[1]), fill(crowded[0]);
    epoll = epoll_create1(0);
    at.sun_family = AF_UNIX;
    snprintf(at.sun_path + 1, sizeof at.sun_path - 1, "unfinished-%d", (int)getpid());
    listener = socket(AF_UNIX, SOCK_STREAM, 0);
    if (bind(listener, (struct sockaddr *)&at, sizeof at) || listen(listener, 0)) return 5;
    /* Another socket whose queue is full: a connect to it waits. */
    at.sun_path[1] = 'U';
    backlog = socket(AF_UNIX, SOCK_STREAM, 0);
    if (bind(backlog, (struct sockaddr *)&at, sizeof at) || listen(backlog, 0)) return 6;
    if (connect(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr *)&at, sizeof at)) return 7;
    int told[2], locked;
    if (pipe(told)) return 8;
    child = fork();
    if (!child) { /* holds the file's locks until the program has ended */
        struct flock whole = { .l_type = F_WRLCK };
        int other = open(getenv("LOCK_FILE"), O_RDWR);
        char c = 0;
        locked = flock(other, LOCK_EX) || fcntl(other, F_SETLK, &whole);
        if (write(told[1], &c, 1) != 1 || locked) _exit(1);
        close(0), close(1), close(2);
        alarm(120);
        for (pid_t parent = getppid(); getppid() == parent;) usleep(10000);
        _exit(0);
    }
    if (read(told[0], bytes, 1) != 1) return 9;
    pthread_mutex_lock(&taken), pthread_rwlock_wrlock(&held), mtx_lock(&taken_c11);
    pthread_create(&sleeper, NULL, sleeps, NULL);
    thrd_create(&sleeper_c11, sleeps_c11, NULL);
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 256 << 10);
    for (intptr_t i = 0; i < CALLS; i++)
        if (pthread_create(&thread, &attributes, runs, (void *)i)) return 10;
    for (int i = 0; i < 4; i++)
        if (pthread_create(&thread, &attributes, works, pool)) return 11;
    if (write(pool[1], bytes, 8) != 8) return 12;
    for (long before = -1, now, same = 0; same < 4; before = now) { /* four looks at them all: none has run meanwhile */
        usleep(30000);
        now = switches();
        same = now >= 0 && now == before ? same + 1 : 0;
    }
    say("settled", 0, now_ns());
    uint64_t end = now_ns() + (uint64_t)(atof(argv[2]) * 1e9);
    while (now_ns() < end) usleep(100000);
    if (!strcmp(argv[1], "look")) {
        say("look", 0, now_ns());
        return (int)read(0, bytes, 1);
    }
    if (!strcmp(argv[1], "exit")) {
        if (pthread_create(&thread, &attributes, ends, (void *)3)) return 13;
        BLOCKS(main, pthread_join(thread, NULL));
    }
    say("end", 0, now_ns());
    if (!strcmp(argv[1], "signal")) kill(getpid(), SIGTERM);
    if (!strcmp(argv[1], "sleep")) BLOCKS(sleep, nanosleep(&hour, NULL));
    return 0;
}
