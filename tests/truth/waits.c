/* SPDX-License-Identifier: MIT */
/* waits.c FILE: sleeps, locks, conditions and the disk, each waited for on a line of its own, with the program's own
 * clocks around it (bracket.h). Prints "LINE what wall cpu taken_off" for each, with "maybe" before it if the call may
 * not have to wait. A thread that wakes another one has seen it asleep before. */
#define _GNU_SOURCE
#include "bracket.h"
#include <profplug.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
static sem_t semaphore;
static int go;
static char *block;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}
static void rest(long ms)
{
    struct timespec until;               /* waits without a call that is measured */
    for (clock_gettime(CLOCK_MONOTONIC, &until); now() < (double)until.tv_sec * 1e9 + (double)until.tv_nsec + (double)ms * 1e6; )
        pthread_testcancel();
}

/* What it is, and how long it took by the program's clocks. */
#define TAKES(what, ...) do { struct bracket b_ = bracket_begin(); __VA_ARGS__; b_ = bracket_end(b_); printf("%d " what " %.0f %.0f %ld\n", __LINE__, b_.at, b_.cpu, b_.taken_off); } while (0)
#define MAY(what, ...) TAKES("maybe " what, __VA_ARGS__)

/* The main thread announces that its next call is the one with this number. The other thread wakes it some time after
 * it has seen it asleep there. */
static int step, stuck;
#define STEP(number, what, ...) do { __atomic_store_n(&step, number, __ATOMIC_RELEASE); TAKES(what, __VA_ARGS__); } while (0)
static void until(int number)
{
    char text[512] = "", *state = NULL, path[64];
    while (__atomic_load_n(&step, __ATOMIC_ACQUIRE) != number)
        pthread_testcancel();
    snprintf(path, sizeof path, "/proc/self/task/%d/stat", (int)getpid());
    do {
        int fd = open(path, O_RDONLY);
        ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
        close(fd);
        text[n > 0 ? n : 0] = 0;
        state = strrchr(text, ')');
        stuck |= !state;
    } while (state && state[2] != 'S');
    rest(25);
}

static void *other(void *unused)
{
    pthread_mutex_lock(&mutex);
    pthread_rwlock_wrlock(&shared);
    sem_post(&semaphore);
    until(1), pthread_mutex_unlock(&mutex);
    until(2), pthread_rwlock_unlock(&shared);
    until(3), pthread_mutex_lock(&mutex), go = 1, pthread_cond_signal(&condition), pthread_mutex_unlock(&mutex);
    until(4), sem_post(&semaphore);
    until(5);
    return unused;
}

PROFPLUG_STAGE("sleep", "compute") static void sleeps(void)
{
    TAKES("sleep", nanosleep(&(struct timespec){ 0, 30000000 }, NULL));
    TAKES("sleep", usleep(25000));
    TAKES("sleep", clock_nanosleep(CLOCK_MONOTONIC, 0, &(struct timespec){ 0, 20000000 }, NULL));
}

PROFPLUG_STAGE("poll", "compute") static void polls(void)
{
    int fd = epoll_create1(0);
    struct epoll_event event;
    TAKES("poll", poll(NULL, 0, 25));
    TAKES("poll", select(0, NULL, NULL, NULL, &(struct timeval){ 0, 25000 }));
    TAKES("poll", epoll_wait(fd, &event, 1, 25));
    TAKES("poll", epoll_pwait(fd, &event, 1, 25, NULL));
    TAKES("poll", epoll_pwait2(fd, &event, 1, &(struct timespec){ 0, 25000000 }, NULL));
    TAKES("poll", ppoll(NULL, 0, &(struct timespec){ 0, 25000000 }, NULL));
    TAKES("poll", pselect(0, NULL, NULL, NULL, &(struct timespec){ 0, 25000000 }, NULL));
    close(fd);
}

PROFPLUG_STAGE("lock", "compute") static void locks(void)
{
    pthread_t thread;
    sem_init(&semaphore, 0, 0);
    pthread_create(&thread, NULL, other, NULL);
    MAY("semaphore", sem_wait(&semaphore));
    STEP(1, "lock", pthread_mutex_lock(&mutex));
    pthread_mutex_unlock(&mutex);
    STEP(2, "lock", pthread_rwlock_rdlock(&shared));
    pthread_rwlock_unlock(&shared);
    pthread_mutex_lock(&mutex);
    STEP(3, "condition", while (!go) pthread_cond_wait(&condition, &mutex));
    pthread_mutex_unlock(&mutex);
    STEP(4, "semaphore", sem_wait(&semaphore));
    STEP(5, "join", pthread_join(thread, NULL));
}

/* ---- more of them ---- */

static pthread_barrier_t barrier;
static mtx_t plain;
static cnd_t signalled;
static pthread_rwlock_t timed = PTHREAD_RWLOCK_INITIALIZER;
static int bad;
static struct timespec later(clockid_t clock, long ms)
{
    struct timespec t;
    clock_gettime(clock, &t);
    t.tv_nsec += ms * 1000000;
    return (struct timespec){ t.tv_sec + t.tv_nsec / 1000000000, t.tv_nsec % 1000000000 };
}
static void *helper(void *unused)
{
    pthread_t main_thread = *(pthread_t *)unused;
    pthread_mutex_lock(&mutex);
    mtx_lock(&plain);
    pthread_rwlock_wrlock(&timed);
    pthread_barrier_wait(&barrier);
    until(11), pthread_mutex_unlock(&mutex);
    until(12), mtx_unlock(&plain);
    until(13), pthread_rwlock_unlock(&timed);
    until(14), pthread_barrier_wait(&barrier);
    until(15), mtx_lock(&plain), go = 2, cnd_signal(&signalled), mtx_unlock(&plain);
    until(16), pthread_kill(main_thread, SIGUSR1);
    until(17), pthread_kill(main_thread, SIGUSR2);
    until(18), pthread_kill(main_thread, SIGUSR2);
    until(19);
    return NULL;
}
static void *clocked(void *unused)
{
    until(21), sem_post(&semaphore);
    until(22);
    return unused;
}
static int helper11(void *unused)
{
    until(20);
    return unused != NULL;
}
static void woken(int number) { (void)number; }
#define GIVES(value, call) do { if ((call) != (value)) bad++, fprintf(stderr, "%d\n", __LINE__); } while (0)

PROFPLUG_STAGE("more", "compute") static void more(void)
{
    pthread_t thread, self = pthread_self();
    thrd_t other11;
    sigset_t set;
    struct timespec end;
    siginfo_t info;
    int number;
    pthread_barrier_init(&barrier, NULL, 2);
    mtx_init(&plain, mtx_timed);
    cnd_init(&signalled);
    signal(SIGUSR2, woken);
    sigemptyset(&set), sigaddset(&set, SIGUSR1), pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_create(&thread, NULL, helper, &self);
    MAY("barrier", number = pthread_barrier_wait(&barrier));
    GIVES(1, number == 0 || number == PTHREAD_BARRIER_SERIAL_THREAD);
    end = later(CLOCK_MONOTONIC, 20);
    TAKES("lock", GIVES(ETIMEDOUT, pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &end)));
    end = later(CLOCK_REALTIME, 20);
    TAKES("lock", GIVES(ETIMEDOUT, pthread_rwlock_timedrdlock(&timed, &end)));
    end = later(CLOCK_REALTIME, 20);
    TAKES("lock", GIVES(ETIMEDOUT, pthread_rwlock_timedwrlock(&timed, &end)));
    end = later(CLOCK_MONOTONIC, 100000);
    STEP(11, "lock", GIVES(0, pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &end)));
    STEP(12, "lock", GIVES(thrd_success, mtx_lock(&plain)));
    end = later(CLOCK_REALTIME, 100000);
    STEP(13, "lock", GIVES(0, pthread_rwlock_timedwrlock(&timed, &end)));
    STEP(14, "barrier", pthread_barrier_wait(&barrier));
    STEP(15, "condition", while (go != 2) GIVES(thrd_success, cnd_wait(&signalled, &plain)));
    end = later(CLOCK_REALTIME, 20);
    TAKES("condition", GIVES(thrd_timedout, cnd_timedwait(&signalled, &plain, &end)));
    mtx_unlock(&plain);
    end = later(CLOCK_MONOTONIC, 20);
    TAKES("condition", GIVES(ETIMEDOUT, pthread_cond_clockwait(&condition, &mutex, CLOCK_MONOTONIC, &end)));
    end = later(CLOCK_REALTIME, 20);
    TAKES("condition", GIVES(ETIMEDOUT, pthread_cond_timedwait(&condition, &mutex, &end)));
    STEP(16, "signal", GIVES(0, sigwait(&set, &number)));
    GIVES(SIGUSR1, number);
    TAKES("signal", GIVES(-1, sigtimedwait(&set, &info, &(struct timespec){ 0, 20000000 })));
    STEP(17, "signal", GIVES(-1, pause()));
    STEP(18, "signal", GIVES(-1, sigsuspend(&set)));
    pthread_kill(self, SIGUSR1);
    MAY("signal", GIVES(SIGUSR1, sigwaitinfo(&set, &info)));
    GIVES(SI_TKILL, info.si_code == SI_USER ? SI_TKILL : info.si_code);
    end = later(CLOCK_REALTIME, 20);
    TAKES("join", GIVES(ETIMEDOUT, pthread_timedjoin_np(thread, NULL, &end)));
    STEP(19, "join", GIVES(0, pthread_timedjoin_np(thread, NULL, NULL)));
    pthread_create(&thread, NULL, clocked, &self);
    end = later(CLOCK_MONOTONIC, 20);
    TAKES("semaphore", GIVES(-1, sem_clockwait(&semaphore, CLOCK_MONOTONIC, &end)));
    end = later(CLOCK_MONOTONIC, 100000);
    STEP(21, "semaphore", GIVES(0, sem_clockwait(&semaphore, CLOCK_MONOTONIC, &end)));
    end = later(CLOCK_MONOTONIC, 20);
    TAKES("join", GIVES(ETIMEDOUT, pthread_clockjoin_np(thread, NULL, CLOCK_MONOTONIC, &end)));
    end = later(CLOCK_MONOTONIC, 100000);
    STEP(22, "join", GIVES(0, pthread_clockjoin_np(thread, NULL, CLOCK_MONOTONIC, &end)));
    thrd_create(&other11, helper11, &set);
    STEP(20, "join", GIVES(thrd_success, thrd_join(other11, &number)));
    GIVES(1, number);
    TAKES("sleep", GIVES(0, thrd_sleep(&(struct timespec){ 0, 25000000 }, NULL)));
    pthread_mutex_unlock(&mutex);
}

PROFPLUG_STAGE("child", "compute") static void children(void)
{
    pid_t pid = fork();
    if (!pid) {
        usleep(30000);
        _exit(0);
    }
    TAKES("child", waitpid(pid, NULL, 0));
}

PROFPLUG_STAGE("disk", "io") static void disk(const char *path)
{
    struct bracket all = bracket_begin();
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_DIRECT, 0666), direct = fd >= 0;
    if (!direct)
        fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0666);
    TAKES("write", for (int i = 0; i < 16; i++) if (write(fd, block, 1 << 20) != 1 << 20) exit(3));
    TAKES("sync", fsync(fd));
    lseek(fd, 0, SEEK_SET);
    TAKES("read", for (int i = 0; i < 16; i++) if (read(fd, block, 1 << 20) != 1 << 20) exit(4));
    close(fd);
    unlink(path);
    all = bracket_end(all);
    printf("0 direct %d %.0f %.0f\n", direct, all.at, all.cpu);
}

int main(int argc, char **argv)
{
    if (argc < 2 || posix_memalign((void **)&block, 4096, 1 << 20))
        return 2;
    memset(block, 7, 1 << 20);
    sleeps();
    polls();
    locks();
    more();
    fflush(stdout);
    children();
    disk(argv[1]);
    free(block);
    return bad || stuck;
}
