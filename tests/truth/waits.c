/* SPDX-License-Identifier: MIT */
/* waits.c FILE: sleeps, locks, conditions and the disk, each waited for on a line of its own, with the program's own clock around it. */
#define _GNU_SOURCE
#include <profplug.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/wait.h>
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
    struct timespec until;               /* by no call that is looked at */
    for (clock_gettime(CLOCK_MONOTONIC, &until); now() < (double)until.tv_sec * 1e9 + (double)until.tv_nsec + (double)ms * 1e6; )
        pthread_testcancel();
}

/* What it is, and how long it took by the program's clock. */
#define TAKES(what, ...) do { double from_ = now(); __VA_ARGS__; printf("%d " what " %.0f\n", __LINE__, now() - from_); } while (0)

static void *other(void *unused)
{
    pthread_mutex_lock(&mutex);
    pthread_rwlock_wrlock(&shared);
    sem_post(&semaphore);
    rest(40);
    pthread_mutex_unlock(&mutex);
    rest(40);
    pthread_rwlock_unlock(&shared);
    rest(30);
    pthread_mutex_lock(&mutex);
    go = 1;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    rest(30);
    sem_post(&semaphore);
    rest(30);
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
    close(fd);
}

PROFPLUG_STAGE("lock", "compute") static void locks(void)
{
    pthread_t thread;
    sem_init(&semaphore, 0, 0);
    pthread_create(&thread, NULL, other, NULL);
    sem_wait(&semaphore); /* soon */
    TAKES("lock", pthread_mutex_lock(&mutex));
    pthread_mutex_unlock(&mutex);
    TAKES("lock", pthread_rwlock_rdlock(&shared));
    pthread_rwlock_unlock(&shared);
    pthread_mutex_lock(&mutex);
    TAKES("condition", while (!go) pthread_cond_wait(&condition, &mutex));
    pthread_mutex_unlock(&mutex);
    TAKES("semaphore", sem_wait(&semaphore));
    TAKES("join", pthread_join(thread, NULL));
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
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_DIRECT, 0666), direct = fd >= 0;
    if (!direct)
        fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0666);
    TAKES("write", for (int i = 0; i < 16; i++) if (write(fd, block, 1 << 20) != 1 << 20) exit(3));
    TAKES("sync", fsync(fd));
    lseek(fd, 0, SEEK_SET);
    TAKES("read", for (int i = 0; i < 16; i++) if (read(fd, block, 1 << 20) != 1 << 20) exit(4));
    close(fd);
    unlink(path);
    printf("0 direct %d\n", direct);
}

int main(int argc, char **argv)
{
    if (argc < 2 || posix_memalign((void **)&block, 4096, 1 << 20))
        return 2;
    memset(block, 7, 1 << 20);
    sleeps();
    polls();
    locks();
    fflush(stdout);
    children();
    disk(argv[1]);
    free(block);
    return 0;
}
