// SPDX-License-Identifier: MIT
// Functions that share a name: instances of a template, lambdas of one function, and one that is inlined everywhere. An
// instance without a name for the linker has inlined copies and one of its own. One function only waits, inlined.
#include <cstdio>
#include <unistd.h>
template <class T> __attribute__((noinline)) T work(T n)
{
    volatile T s = 0;
    for (int i = 0; i < 10000000; i++) s = s + n;
    return s;
}
static inline long tiny(long n)
{
    volatile long s = 0;
    for (int i = 0; i < 10000000; i++) s = s + n;
    return s;
}
template <class T> static T both(T n)
{
    volatile T s = 0;
    for (int i = 0; i < 10000000; i++) s = s + n;
    return s;
}
long (*volatile other)(long) = both<long>;
static inline __attribute__((always_inline)) void rest() { usleep(20000); }
int main()
{
    rest();
    auto first = [](int n) __attribute__((noinline)) { volatile long s = 0; for (int i = 0; i < 10000000; i++) s = s + n; return (long)s; };
    auto second = [](int n) __attribute__((noinline)) { volatile long s = 1; for (int i = 0; i < 10000000; i++) s = s + 3 * n; return (long)s; };
    auto inlined = [](int n) __attribute__((always_inline)) { volatile long s = 0; for (int i = 0; i < 10000000; i++) s = s + n; return (long)s; };
    double all = 0;
    for (int i = 0; i < 10; i++) all += work(i) + work(i * 1.0) + work(i * 1.0f) + tiny(i) + first(i) + second(i) + inlined(i) + both((long)i) + other(i);
    std::printf("%g\n", all);
}
