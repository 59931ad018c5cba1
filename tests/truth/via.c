/* SPDX-License-Identifier: MIT */
/* via.c: what is done in wrappers stands at the lines that call them. Prints for each line that is marked: blocks and
 * bytes that it asked for, bytes that it read, and its CPU time by the thread's clock. */
#include "via.h"
#include <fcntl.h>
#include <stdio.h>
#include <time.h>

static char text[8192];

static double now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static void *again(int depth) /* a recursion of the user's */
{
    return depth ? again(depth - 1) : xmalloc(10); /* MARK again */
}

__attribute__((noinline)) static double work(long times)
{
    return 1 + xwork(2, times); /* MARK work, not at its end, where the call would become a jump */
}

int main(void)
{
    int fd = open("/dev/zero", O_RDONLY);
    void *volatile keep;
    for (int i = 0; i < 50; i++)
        keep = xmalloc(100); /* MARK direct */
    for (int i = 0; i < 20; i++)
        keep = xmalloc(300); /* MARK other */
    for (int i = 0; i < 30; i++)
        keep = xcopy(text, 50); /* MARK nested */
    for (int i = 0; i < 40; i++)
        keep = named_copy(text, 60); /* MARK named */
    for (int i = 0; i < 7; i++)
        keep = plain_copy(text, 70);
    for (int i = 0; i < 25; i++)
        keep = xinline(80); /* MARK inlined */
    for (int i = 0; i < 6; i++)
        keep = again(3);
    for (int i = 0; i < 10; i++)
        xread(fd, text, 4096); /* MARK read */
    for (int i = 0; i < 5; i++)
        xread(fd, text, 1000); /* MARK fewer */
    (void)keep;
    double since = now_ns(), sum = 0;
    while (now_ns() - since < 400e6)
        sum += work(1000000);
    printf("direct 50 5000 0 0\nother 20 6000 0 0\nnested 30 1500 0 0\nnamed 40 2400 0 0\nplain 7 490 0 0\n"
           "inlined 25 2000 0 0\nagain 6 60 0 0\nread 0 0 40960 0\nfewer 0 0 5000 0\nwork 0 0 0 %.0f\n",
           now_ns() - since);
    return sum > 0 ? 0 : 1;
}
