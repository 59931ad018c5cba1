// SPDX-License-Identifier: MIT
// inner.cc: lines whose work is done in headers of the C++ library, inlined and called. It prints the CPU time of each
// of its lines that are marked, by the thread's clock. inner.py says what the report must have.
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <map>
#include <string>
#include <vector>

static double now_ns()
{
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static unsigned state = 1;
static unsigned number() { return state = state * 1664525u + 1013904223u; }

static std::vector<unsigned> sorted(300000);
static std::map<unsigned, unsigned> counted;
static std::string joined;

__attribute__((noinline)) static void sort_all()
{
    std::sort(sorted.begin(), sorted.end()); // MARK sort
}

__attribute__((noinline)) static void count_all(const std::vector<unsigned> &all)
{
    for (unsigned one : all)
        counted[one % 5000] += 1; // MARK count
}

__attribute__((noinline)) static void join_all(unsigned times)
{
    for (unsigned i = 0; i < times; i++)
        joined.push_back((char)i); // MARK join
}

int main()
{
    double spent[3] = { 0, 0, 0 };
    for (int round = 0; round < 12; round++) {
        for (unsigned &one : sorted)
            one = number();
        double t0 = now_ns();
        count_all(sorted);
        double t1 = now_ns();
        sort_all();
        double t2 = now_ns();
        joined.clear();
        join_all(3000000);
        double t3 = now_ns();
        spent[0] += t2 - t1;
        spent[1] += t1 - t0;
        spent[2] += t3 - t2;
    }
    std::printf("sort %.0f\ncount %.0f\njoin %.0f\n", spent[0], spent[1], spent[2]);
    return counted.size() == 5000 && joined.size() == 3000000 ? 0 : 1;
}
