/* SPDX-License-Identifier: MIT */
/* gallery.cc: a program with something for every view of the page: stages, a loop, templates that are inlined, threads
 * that wait for a lock, small reads, memory that is freed and memory that is not. argv[1]: a file to read. */
#include <profplug.h>

#include <cstdio>
#include <fcntl.h>
#include <mutex>
#include <numeric>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

static std::mutex gate;
static std::vector<std::string> names;
static volatile double sink;

PROFPLUG_STAGE("load", "data_loading")
__attribute__((noinline)) static long load(const char *path)
{
    int file = open(path, O_RDONLY);
    long sum = 0;
    for (char piece[16]; read(file, piece, sizeof piece) > 0;)
        sum += piece[0];
    close(file);
    return sum;
}

namespace {
template <typename number> __attribute__((noinline)) number smooth(std::vector<number> &values)
{
    for (size_t i = 1; i + 1 < values.size(); i++)
        values[i] = (values[i - 1] + values[i] * 2 + values[i + 1]) / 4;
    return std::accumulate(values.begin(), values.end(), number());
}
}

PROFPLUG_STAGE("compute", "preprocessing")
__attribute__((noinline)) static void compute(int rounds)
{
    std::vector<double> wide(40000, 1.5);
    std::vector<int> whole(40000, 3);
    for (int i = 0; i < rounds; i++)
        sink = smooth(wide) + smooth(whole);
}

static void work()
{
    for (int i = 0; i < 20; i++) {
        std::lock_guard<std::mutex> holds(gate);
        usleep(500);
        names.push_back("a name that is too long to be kept inside of the string " + std::to_string(i));
    }
}

int main(int argc, char **argv)
{
    long sum = 0;
    PROFPLUG_LOOP("batches")
    for (int i = 0; i < 12; i++) {
        sum += load(argv[argc > 1]);
        compute(60);
        profplug_count("items", 100 + i);
    }
    std::thread one(work), two(work);
    one.join();
    two.join();
    std::printf("%ld\n", sum);
}
