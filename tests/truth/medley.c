/* SPDX-License-Identifier: MIT */
/* medley.c FOLDER [divided]: transfers of one line that change from call to call: in their stage, their kind, their
 * descriptor, and the file that it leads to. Some come from a handler amid others, some from two threads on one
 * descriptor. With `divided`, a handler forks amid them. Prints "STAGE KIND FILE calls bytes in-order errors small", as
 * it counted them itself; small: 64 bytes and fewer. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <profplug.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { READ, WRITE, PREAD, PWRITE };
enum { NO_STAGE, ODD, EVEN };
static struct sum { volatile long calls, bytes, in_order, errors, small; } sums[3][2][6];
static const char *const name[6] = { "a", "b", "c", "own", "both", "fifo" };
static int file_of[1024];                /* which file the descriptor leads to */
static long place[1024], ended[1024];    /* the kernel's file offset; where the last transfer ended, -1 for nowhere */
static char room[2][5000];

/* The one line. Plain pointers, so that one call of a library's function stands for several functions. */
static ssize_t (*const volatile moves[2])(int, void *, size_t) = { read, (ssize_t (*)(int, void *, size_t))write };
static ssize_t (*const volatile moves_at[2])(int, void *, size_t, off_t) = { pread, (ssize_t (*)(int, void *, size_t, off_t))pwrite };
__attribute__((noinline)) static ssize_t move(int how, int fd, void *at, long bytes, long offset)
{
    ssize_t n = how < PREAD ? moves[how](fd, at, (size_t)bytes) : moves_at[how - PREAD](fd, at, (size_t)bytes, offset); /* here */
    __asm__ volatile("" : "+r"(n));      /* no tail call: it returns here */
    return n;
}

/* Counts for which only this thread, and no handler, is responsible. */
static void step(int stage, int how, int fd, long bytes, long offset)
{
    struct sum *sum = &sums[stage][how & 1][file_of[fd]];
    ssize_t n = move(how, fd, room[0], bytes, offset);
    long from = how < PREAD ? place[fd] : offset;
    sum->calls++;
    if (n < 0) {
        sum->errors++;
        return;
    }
    sum->bytes += n;
    sum->small += n <= 64;
    sum->in_order += ended[fd] < 0 || from == ended[fd];
    ended[fd] = from + n;
    if (how < PREAD) place[fd] = from + n;
}
__attribute__((profile_stage("odd"), noinline)) static void odd(int how, int fd, long bytes, long offset) { step(ODD, how, fd, bytes, offset); }
__attribute__((profile_stage("even"), noinline)) static void even(int how, int fd, long bytes, long offset) { step(EVEN, how, fd, bytes, offset); }
__attribute__((noinline)) static void none(int how, int fd, long bytes, long offset) { step(NO_STAGE, how, fd, bytes, offset); }
static void (*const in[3])(int, int, long, long) = { none, odd, even };

static void leads(int fd, int to)
{
    file_of[fd] = to;
    place[fd] = 0;
    ended[fd] = -1;
}
static int opened(int to)
{
    int fd = open(name[to], O_RDWR | O_CREAT, 0666);
    leads(fd, to);
    return fd;
}

/* ---- amid others: its own descriptor, so that what is in order is known ---- */
static int own;
static volatile long own_calls;
static void handle(int number)
{
    int kept = errno;
    (void)number;
    own_calls += move(PWRITE, own, "", 1, own_calls) == 1;       /* one after another */
    errno = kept;
}

/* ---- two threads on one descriptor ---- */
#define EACH 20000L
static int both;
static void *halves(void *which)
{
    char byte[200];
    long bytes = which ? 100 : 7;
    for (long i = 0; i < EACH; i++) move(i & 1 ? PREAD : PWRITE, both, byte, bytes, i * 100);
    return NULL;
}

/* ---- a handler that forks amid a transfer, which both processes end ---- */
static int fifo;
static volatile int is_child, children;
static void divide(int number)
{
    (void)number;
    pid_t child = fork();
    if (!child) {
        is_child = 1;
        return;
    }
    write(fifo, "c", 1); /* one for the child, who alone is at it */
    waitpid(child, NULL, 0);
    write(fifo, "p", 1);
    children++;
}

static void child_reads(long round)
{
    struct sum *sum = &sums[NO_STAGE][READ][5];
    char byte = 0;
    if (round % 20 == 19) setitimer(ITIMER_REAL, &(struct itimerval){ .it_value = { 0, 200 } }, NULL);
    else write(fifo, "x", 1);
    ssize_t n = move(READ, fifo, &byte, 1, 0);
    if (is_child) {
        printf("child %zd %c\n", n, byte);
        exit(0);
    }
    sum->calls++, sum->bytes += n, sum->small++;
}

static void mixed(void)
{
    pthread_t thread[2];
    uint64_t random = 88172645463325252u;
    memset(room, 'x', sizeof room);
    own = opened(3);
    int a = opened(0), b = opened(1);
    step(NO_STAGE, WRITE, a, 5000, 0), step(NO_STAGE, WRITE, b, 5000, 0);
    signal(SIGALRM, handle);
    setitimer(ITIMER_REAL, &(struct itimerval){ { 0, 150 }, { 0, 150 } }, NULL);
    for (long i = 0; i < 60000; i++) {
        random ^= random << 13, random ^= random >> 7, random ^= random << 17;
        int fd = random >> 8 & 1 ? a : b, stage = i % 700 < 300 ? 1 + i / 700 % 2 : (int)(random >> 16 & 3) % 3;
        long offset = (long)(random >> 24) % 4000;
        if (random >> 40 & 1) {
            place[fd] = lseek(fd, offset, SEEK_SET);
            if ((random >> 41 & 15) == 0) place[fd] = lseek(fd, -1, SEEK_CUR) >= 0 ? lseek(fd, 0, SEEK_CUR) : place[fd];
            if ((random >> 41 & 15) == 1) place[fd] += lseek(fd, -5, SEEK_SET) >= 0;
        }
        in[stage](random >> 45 & 3, fd, (random >> 48 & 3) ? 1 + (long)(random >> 50) % 150 : 0, random >> 60 ? offset : ended[fd] < 0 ? 0 : ended[fd]);
        if (i % 1000 == 500) {           /* an error, of a stage that has many calls */
            in[stage](PREAD, fd, 1, -7);
        } else if (i % 1000 == 600) {    /* another file by the same number */
            int c = opened(i / 1000 & 1 ? 2 : 0);
            dup2(c, a);
            leads(a, file_of[c]);
            close(c);
        } else if (i % 1000 == 700) {
            close(b);
            b = opened(1 + (i / 1000 & 1));
        }
    }
    setitimer(ITIMER_REAL, &(struct itimerval){ .it_value = { 0, 0 } }, NULL);
    sums[NO_STAGE][1][3] = (struct sum){ own_calls, own_calls, own_calls, 0, own_calls };
    both = opened(4);
    ftruncate(both, EACH * 100 + 100);
    for (long i = 0; i < 2; i++) pthread_create(&thread[i], NULL, halves, i ? thread : NULL);
    for (long i = 0; i < 2; i++) pthread_join(thread[i], NULL);
    sums[NO_STAGE][0][4] = (struct sum){ EACH, EACH / 2 * 107, -1, 0, EACH / 2 };
    sums[NO_STAGE][1][4] = (struct sum){ EACH, EACH / 2 * 107, -1, 0, EACH / 2 };
}

static void divided(void)
{
    signal(SIGALRM, divide);
    mkfifo("fifo", 0666);
    fifo = open("fifo", O_RDWR);
    for (long round = 0; round < 600; round++) child_reads(round);
    sums[NO_STAGE][0][5].in_order = -1;
    printf("children %d\n", children);
}

int main(int argc, char **argv)
{
    if (argc < 2 || chdir(argv[1])) return 2;
    if (argc > 2) divided();
    else mixed();
    for (int stage = 0; stage < 3; stage++)
        for (int kind = 0; kind < 2; kind++)
            for (int file = 0; file < 6; file++) {
                struct sum *s = &sums[stage][kind][file];
                if (s->calls) printf("%s %s %s %ld %ld %ld %ld %ld\n", stage == ODD ? "odd" : stage == EVEN ? "even" : "-", kind ? "write" : "read", name[file], s->calls, s->bytes, s->in_order, s->errors, s->small);
            }
    return 0;
}
