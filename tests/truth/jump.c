/* SPDX-License-Identifier: MIT */
/* jump.c: waits in calls that GCC makes jumps at -O2, because nothing is left to be done after them, and in functions
 * that it merges, because they have the same code. It says how long it was in each, in ns. */
#define _GNU_SOURCE
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static long long now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000ll + t.tv_nsec;
}

__attribute__((noinline)) int nap(int us)
{
    us += 1000;
    return usleep((unsigned)us); /* nap */
}

__attribute__((noinline)) int outer(int us)
{
    us *= 2;
    return nap(us); /* outer */
}

static __attribute__((noinline)) int inner(int ms) { return poll(0, 0, ms); } /* inner */

__attribute__((noinline)) int either(int n)
{
    if (n > 3)
        return usleep(n * 2000u);
    return poll(0, 0, n + 5);
}

__attribute__((noinline)) int there(int n);
__attribute__((noinline)) int back(int n)
{
    n--;
    return there(n);
}
__attribute__((noinline)) int there(int n)
{
    if (n > 0)
        return back(n);
    return usleep(2000u - (unsigned)n); /* there */
}

__attribute__((noinline)) int plain(int us)
{
    int failed = usleep((unsigned)us); /* plain */
    return failed + us;
}

__attribute__((noinline)) int pointer(int us)
{
    us += 100;
    return usleep((unsigned)us); /* pointer */
}
static int (*volatile through)(int) = pointer;

__attribute__((noinline)) int burn(int ms)
{
    long long begin = now();
    int rounds = 0;
    while (now() < begin + ms * 1000000ll)
        rounds++;
    return rounds;
}
__attribute__((noinline)) int middle(int ms)
{
    ms += 12;
    return burn(ms);
}

__attribute__((noinline)) void *make(size_t bytes)
{
    return malloc(bytes + 1); /* make */
}

static __attribute__((noinline)) int same_one(int n)
{
    usleep(n + 3000u); /* same */
    return n * 3;
}
static __attribute__((noinline)) int same_two(int n)
{
    usleep(n + 3000u);
    return n * 3;
}

#define TIMED(name, ...)                                                                \
    do {                                                                                \
        long long begin = now();                                                        \
        for (int i = 0; i < 8; i++) {                                                   \
            __VA_ARGS__;                                                                \
        }                                                                               \
        printf("%s %d %lld\n", name, __LINE__, now() - begin);                          \
    } while (0)

int main(void)
{
    int sum = 0;
    TIMED("nap", sum += nap(4000));
    TIMED("outer", sum += outer(2500));
    TIMED("inner", sum += inner(6));
    TIMED("either", sum += either(i));
    TIMED("there", sum += back(i));
    TIMED("plain", sum += plain(5000));
    TIMED("pointer", sum += through(3000));
    TIMED("middle", sum += middle(i));
    TIMED("make", free(make(1000)));
    TIMED("same", sum += same_one(i); sum += same_two(i));
    return sum == 12345;
}
