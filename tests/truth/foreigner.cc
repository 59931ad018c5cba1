// SPDX-License-Identifier: MIT
// foreigner.cc: lines whose work is done in a library's headers (foreigner.hpp), and one that such a header calls. It
// prints the CPU time of each by the thread's clock. foreigner.py says what the report must have. Rounds differ in
// length: beside other work, rounds of half a tick would show every tick the same line.
#include <foreigner.hpp>

#include <cstdio>
#include <ctime>

static const std::size_t size = 100000;
static const int rounds = 450;
static std::size_t drawn;
static volatile unsigned long sink;

static double now_ns()
{
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static __attribute__((noinline)) double fill_all(unsigned long seed)
{
    double begun_ns = now_ns();
    foreign::row<unsigned long> one(drawn, seed); // MARK fill
    double ended_ns = now_ns();
    sink = one[drawn / 2];
    return ended_ns - begun_ns;
}

static __attribute__((noinline)) double total_all(const foreign::row<unsigned long> &one)
{
    double begun_ns = now_ns();
    sink = foreign::total(one * one); // MARK total
    return now_ns() - begun_ns;
}

static __attribute__((noinline)) double each_all()
{
    unsigned long sum = 1;
    double begun_ns = now_ns();
    foreign::each(drawn, [&](std::size_t i) {
        for (int k = 0; k < 8; k++) sum = sum * 2862933555777941757u + i; // MARK each
    });
    sink = sum;
    return now_ns() - begun_ns;
}

int main()
{
    double fill_ns = 0, total_ns = 0, each_ns = 0;
    foreign::row<unsigned long> one(size, 7);
    unsigned long random = 1;
    for (int i = 0; i < rounds; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        drawn = size / 2 + (random >> 32) % size;
        fill_ns += fill_all((unsigned long)i);
        total_ns += total_all(one);
        each_ns += each_all();
    }
    std::printf("fill %.0f %d\ntotal %.0f 0\neach %.0f 0\n", fill_ns, rounds, total_ns, each_ns);
    return 0;
}
