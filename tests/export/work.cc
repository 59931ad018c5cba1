/* SPDX-License-Identifier: MIT */
/* work.cc: eight threads, templates, odd names, allocations, reads, waits and a recursion. */
#include <profplug.h>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <thread>
#include <tuple>
#include <unistd.h>
#include <vector>

template <typename T> struct deeper { typedef std::tuple<std::pair<T, T>, std::pair<T, const T *>> type; };
template <typename T> __attribute__((noinline)) T grind(T x, int n)
{
    for (int i = 0; i < n; i++)
        x = x * 3 + (T)(i % 7);
    return x;
}
typedef deeper<deeper<deeper<deeper<std::string>::type>::type>::type>::type deep;
template <typename T> __attribute__((noinline)) long named(const T *, int n) /* a name of ten thousand letters */
{
    volatile long s = 0;
    for (int i = 0; i < n; i++)
        s = s * 5 + i;
    return s;
}

static long filled(int n)
{
    std::map<std::string, int> m;
    for (int i = 0; i < n; i++)
        m["a key that is long enough to be allocated " + std::to_string(i % 500)]++;
    return (long)m.size();
}

PROFPLUG_STAGE("load <script>alert(1)</script>; \"x\" | `y`") static long load(int k)
{
    FILE *f = fopen("/proc/self/maps", "r");
    char text[64];
    long s = 0;
    while (f && fgets(text, sizeof text, f))
        s += text[0];
    if (f)
        fclose(f);
    usleep(1000);
    return s * 0 + filled(4000 + k);
}

static int steps(int n) { return n < 2 ? n : steps(n - 1) + steps(n - 2); }

int main()
{
    static long sum[8];
    std::vector<std::thread> crew;
    void **kept = (void **)malloc(sizeof *kept * 100);
    for (int i = 0; i < 100; i++)
        kept[i] = malloc(1000);
    for (int i = 0; i < 8; i++)
        crew.emplace_back([i] {
            for (int k = 0; k < 4; k++)
                sum[i] += load(k);
        });
    for (auto &one : crew)
        one.join();
    profplug_begin("not UTF-8: \xff\xfe; \"x\"");
    double wide = grind<double>(1, 20000000);
    profplug_end("not UTF-8: \xff\xfe; \"x\"");
    printf("%ld %f %d %ld %d %p\n", sum[0], wide, grind<int>(1, 20000000), named((const deep *)nullptr, 20000000), steps(30),
           (void *)(kept[3] ? nullptr : kept));
}
