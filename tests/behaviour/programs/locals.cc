// SPDX-License-Identifier: MIT
// Thread-local objects of C++, whose destructors run when their thread, or the program, ends; and exceptions in threads.
#include <cstdint>
#include <cstdio>
#include <fcntl.h>
#include <stdexcept>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>
#include <vector>

#define KEEP __attribute__((noinline, noclone, noipa))
static uint64_t *counts;
static inline __attribute__((no_instrument_function)) void count(int column) { __atomic_add_fetch(&counts[8 + 8 + column], 1, __ATOMIC_RELAXED); }
extern "C" {
KEEP void small() { count(0); }
KEEP int framed(int n) { count(1); for (volatile int i = 0; i < n; i++) small(); if (n > 5) throw std::runtime_error("too many"); return n; }
__attribute__((profile_stage("staged", "compute"))) KEEP int staged(int n) { count(2); int sum = 0; for (volatile int i = 0; i < n; i++) sum += framed(n); return sum; }
}
struct local { int n = 1; ~local() { staged(2); small(); } };
static thread_local local first;
static thread_local std::vector<int> second;
struct late { ~late() { small(); } };
static late at_exit;
static void run(int n)
{
    first.n += n;
    second.resize(static_cast<size_t>(n) * 10);
    staged(3);
    try { staged(6); } catch (const std::exception &) { small(); }
}
int main(int, char **argv)
{
    int fd = open(argv[2], O_RDWR | O_CREAT, 0666);
    if (fd < 0 || ftruncate(fd, 64 + 256 * 64)) return 98;
    counts = static_cast<uint64_t *>(mmap(nullptr, 64 + 256 * 64, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0));
    std::printf("way %s\n", argv[1]);
    for (int r = 0; r < 60; r++) {
        std::vector<std::thread> threads;
        for (int i = 0; i < 8; i++) threads.emplace_back(run, i);
        for (auto &t : threads) t.join();
    }
    run(9);
    return 60;
}
