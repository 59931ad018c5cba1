/* SPDX-License-Identifier: MIT */
/* Closes what it finds open, as daemons do, puts files of its own at those numbers, and then makes the data file grow. */
#include "expect.h"
#include <fcntl.h>
#include <pthread.h>
#include <sys/resource.h>

KEEP void counted(void) { __asm__ volatile(""); }
PROFPLUG_STAGE("stage", "io") KEEP void staged(void) { counted(); }
static pthread_barrier_t barrier;
static void *run(void *arg) { staged(); pthread_barrier_wait(&barrier); return arg; }
int main(void)
{
    staged();
    int bad = open("/dev/null", O_RDWR) != 0;            /* the lowest free number, as without us */
    bad |= open("/dev/null", O_RDWR) != 2;
    for (int fd = 3; fd < 8192; fd++) close(fd);
    for (int fd = 3; fd < 900; fd++) bad |= open("/dev/null", O_RDWR) != fd;
    pthread_t t[20];
    pthread_barrier_init(&barrier, 0, 20);
    for (int i = 0; i < 20; i++) pthread_create(&t[i], 0, run, 0);
    for (int i = 0; i < 20; i++) pthread_join(t[i], 0);
    for (int fd = 3; fd < 900; fd++) bad |= fcntl(fd, F_GETFD) < 0;     /* nobody closed what is not his */
    expect("stage stage stage 21");
    expect("calls counted 21");
    expect("lossless");
    expect("exit EXIT 0");
    return bad;
}
