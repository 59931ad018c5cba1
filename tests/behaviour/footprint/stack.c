/* SPDX-License-Identifier: MIT */
/* stack.c: BYTES [in]: how much of a thread's alternate stack signals touch that are not the program's: while it works elsewhere, or, with `in`,
 * in a handler of its own upon it. Then handlers that leave by longjmp: every signal must be let in as before. What the
 * kernel itself puts there differs from processor to processor: an empty handler shows it (`frame`), and the kernel
 * says what it is at most (`least`). */
#define _GNU_SOURCE
#include <inttypes.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define OUTSIDE __attribute__((no_instrument_function, noinline))
enum { BELOW = 65536, PAINT = 0xa5 };
static volatile long sink;
static sigjmp_buf back;

OUTSIDE static long cpu_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static __attribute__((noinline)) void counted(void) { sink++; }

static __attribute__((noinline)) void work(int ms)
{
    for (long end = cpu_ms() + ms; cpu_ms() < end;)
        for (int i = 0; i < 1000; i++)
            counted();
}

static void at_work(int n)
{
    (void)n;
    work(150);
}

OUTSIDE static void nothing(int n) { (void)n; }

static void leave(int n) { siglongjmp(back, n); }

/* Of painted bytes from the lowest on, how many are touched. */
OUTSIDE static long touched(const unsigned char *room, size_t bytes)
{
    size_t least = 0;
    while (least < bytes && room[least] == PAINT)
        least++;
    return (long)(bytes - least);
}

int main(int argc, char **argv)
{
    size_t size = argc > 1 ? strtoul(argv[1], 0, 10) : 65536;
    unsigned char *room = mmap(0, BELOW + size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memset(room, PAINT, BELOW + size);
    stack_t stack = { .ss_sp = room + BELOW, .ss_size = size };
    if (sigaltstack(&stack, 0))
        return 77;                       /* less than this processor's registers need */
    struct sigaction action = { .sa_handler = nothing, .sa_flags = SA_ONSTACK };
    sigaction(SIGUSR1, &action, 0);
    raise(SIGUSR1);
    long frame = touched(room, BELOW + size);
    memset(room, PAINT, BELOW + size);
    action.sa_handler = at_work;
    sigaction(SIGUSR1, &action, 0);
    work(50);                            /* so that there is an event */
    if (argc > 2)
        raise(SIGUSR1);
    else
        work(150);
    long bytes = touched(room, BELOW + size);
    printf("least %lu, frame %ld, touched %ld, below %d\n", getauxval(AT_MINSIGSTKSZ), frame, bytes, bytes > (long)size);

    volatile int left = 0, held = 0;
    action = (struct sigaction){ .sa_handler = leave, .sa_flags = SA_NODEFER };
    sigaction(SIGALRM, &action, 0);
    volatile int ticks = 0;              /* not before there is a place to jump to */
    for (long end = cpu_ms() + 300; cpu_ms() < end;) {
        if (sigsetjmp(back, 0)) {        /* 0: the mask stays what it is in the handler */
            uint64_t mask = 0;
            syscall(SYS_rt_sigprocmask, SIG_BLOCK, 0, &mask, 8);
            held += mask != 0;
            left++;
        }
        if (!ticks++)
            setitimer(ITIMER_REAL, &(struct itimerval){ { 0, 200 }, { 0, 200 } }, 0);
        work(1);
    }
    setitimer(ITIMER_REAL, &(struct itimerval){ { 0, 0 }, { 0, 0 } }, 0);
    printf("left %s, with signals held off %d\n", left > 100 ? "often" : "rarely", held);
    return 0;
}
