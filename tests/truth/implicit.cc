// SPDX-License-Identifier: MIT
// implicit.cc: lines that copy, assign and destroy objects by members that nobody wrote, and one whose copy is written.
// It prints the CPU time of each by the thread's clock, and with -DCOUNTS how many blocks it took. implicit.py says what
// the report must have.
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <new>
#include <string>
#include <vector>

struct row { // MARK structure
    std::string name, place, remark;
    std::vector<std::string> fields;
    double value;
};
struct written {
    std::vector<double> all;
    written() : all(2000, 1.5) {}
    written(const written &other) : all(other.all) {} // MARK written
};

static unsigned long blocks;
static volatile double sink;

#ifdef COUNTS
void *operator new(std::size_t bytes)
{
    blocks++;
    void *block = std::malloc(bytes);
    if (!block)
        throw std::bad_alloc();
    return block;
}
void operator delete(void *block) noexcept { std::free(block); }
void operator delete(void *block, std::size_t) noexcept { std::free(block); }
#endif

static double now_ns()
{
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

struct phase {
    const char *name;
    double cpu_ns;
    unsigned long blocks;
    double begun_ns;
    unsigned long before;
    void begin() { before = blocks_now(), begun_ns = now_ns(); }
    void end() { cpu_ns += now_ns() - begun_ns, blocks += blocks_now() - before; }
    static unsigned long blocks_now() { return ::blocks; }
};

static __attribute__((noinline)) void keep(phase *p, std::vector<row> &to, const row &one)
{
    to.clear();
    to.reserve(200);
    p->begin();
    for (int i = 0; i < 200; i++)
        to.push_back(one); // MARK kept
    p->end();
}

static __attribute__((noinline)) void assign(phase *p, row &to, const row &one, const row &other)
{
    p->begin();
    for (int i = 0; i < 200; i++) {
        to = i % 2 ? one : other; // MARK assigned
        sink = to.value;
    }
    p->end();
}

static __attribute__((noinline)) void copy(phase *p, const written &one)
{
    p->begin();
    for (int i = 0; i < 100; i++) {
        written mine(one);
        sink = mine.all[7];
    }
    p->end();
}

int main(int, char **argv)
{
    int rounds = std::atoi(argv[1]);
    row one, other;
    one.name = one.place = one.remark = "a name that does not fit into the object itself";
    for (int i = 0; i < 30; i++)
        one.fields.push_back("a field that does not fit into the object itself");
    other = one;
    other.fields.resize(20);
    std::vector<row> rows;
    row to;
    written big;
    phase kept = {}, assigned = {}, copied = {};
    for (int round = 0; round < rounds; round++) {
        keep(&kept, rows, one);
        assign(&assigned, to, one, other);
        copy(&copied, big);
    }
    std::printf("kept %.0f %lu\nassigned %.0f %lu\nwritten %.0f %lu\n", kept.cpu_ns, kept.blocks, assigned.cpu_ns,
                assigned.blocks, copied.cpu_ns, copied.blocks);
    return 0;
}
