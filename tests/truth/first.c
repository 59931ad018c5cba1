/* SPDX-License-Identifier: MIT */
/* first.c: a process that does little more than to be new to the profiler: each of its functions is called once, and
 * allocates once through the C library. After its last destructor it prints the CPU time since before its first
 * constructor, and that of the whole process, in ns, as the kernel counts both. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static long long begun_ns;
static char *volatile kept;

__attribute__((no_instrument_function)) static long long cpu_ns(void)
{
    struct timespec t;
    syscall(SYS_clock_gettime, CLOCK_PROCESS_CPUTIME_ID, &t); /* no wrapper, and no code that is new in either run */
    return t.tv_sec * 1000000000ll + t.tv_nsec;
}

__attribute__((no_instrument_function)) static void begin(void) { begun_ns = cpu_ns(); }
__attribute__((section(".preinit_array"), used)) static void (*const first)(void) = begin;

#define FUNCTION(n)                                                                                                     \
    __attribute__((noinline)) static void leaf##n(void)                                                                 \
    {                                                                                                                   \
        kept = strdup("leaf" #n);                                                                                       \
        __asm__ volatile("" ::: "memory");                                                                              \
    }                                                                                                                   \
    __attribute__((noinline)) static void stem##n(void)                                                                 \
    {                                                                                                                   \
        leaf##n();                                                                                                      \
        __asm__ volatile("" ::: "memory");                                                                              \
    }
#define EIGHT(x, n) x(n##0) x(n##1) x(n##2) x(n##3) x(n##4) x(n##5) x(n##6) x(n##7)
#define ALL(x) EIGHT(x, 1) EIGHT(x, 2) EIGHT(x, 3) EIGHT(x, 4) EIGHT(x, 5) EIGHT(x, 6) EIGHT(x, 7) EIGHT(x, 8) EIGHT(x, 9)
#define CALL(n) stem##n();
ALL(FUNCTION)

int main(void)
{
    ALL(CALL)
    for (long long now_ns = cpu_ns(); cpu_ns() - now_ns < 800000;) {} /* of its own, with no sample or one */
    return 0;
}

__attribute__((destructor(101), no_instrument_function)) static void end(void)
{
    char text[64];
    long long now_ns = cpu_ns();
    int n = sprintf(text, "%lld %lld\n", now_ns - begun_ns, now_ns);
    syscall(SYS_write, 1, text, (size_t)n);
}
