// SPDX-License-Identifier: MIT
// Ends by exceptions that nobody catches: argv[1] is the way, argv[2] the page in which the program counts its own calls.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <pthread.h>
#include <stdexcept>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#define KEEP __attribute__((noinline, noclone, noipa))
static uint64_t *counts;                 // rows of eight words behind the first eight, as page.h has them
static inline __attribute__((no_instrument_function)) void count(int column) { __atomic_add_fetch(&counts[8 + 8 + column], 1, __ATOMIC_RELAXED); }

extern "C" {
KEEP void small() { count(0); }
KEEP int framed(int n) { count(1); for (volatile int i = 0; i < n; i++) small(); if (n > 5) throw std::runtime_error("nobody catches"); return n; }
__attribute__((profile_stage("staged", "compute"))) KEEP int staged(int n) { count(2); int sum = 0; for (volatile int i = 0; i < n; i++) sum += framed(n); return sum; }
}
struct loud { ~loud() { small(); } };
static int KEEP firm(int n) noexcept { loud l; return framed(n); }
static void *thread(void *) { return reinterpret_cast<void *>(static_cast<intptr_t>(staged(9))); }
static void terminating() { small(); if (write(1, "terminating\n", 12) < 0) { } _exit(41); }

int main(int, char **argv)
{
    int fd = open(argv[2], O_RDWR | O_CREAT, 0666);
    if (fd < 0 || ftruncate(fd, 64 + 256 * 64))
        return 98;
    counts = static_cast<uint64_t *>(mmap(nullptr, 64 + 256 * 64, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0));
    std::printf("way %s\n", argv[1]);
    for (int i = 0; i < 20; i++) staged(5);
    try { loud l; staged(7); } catch (const std::exception &e) { std::printf("%s\n", e.what()); }
    const char *way = argv[1];
    if (!std::strcmp(way, "uncaught")) return staged(8);
    if (!std::strcmp(way, "noexcept")) return firm(8);
    if (!std::strcmp(way, "thread")) { pthread_t t; pthread_create(&t, nullptr, thread, nullptr); pthread_join(t, nullptr); }
    if (!std::strcmp(way, "terminate")) { std::set_terminate(terminating); throw 1; }
    if (!std::strcmp(way, "rethrow")) throw;
    return 42;
}
