/* SPDX-License-Identifier: MIT */
/* A call centre: callers wait in line, agents take the one who waits longest. Prints how long callers waited in all and
 * how many there were. */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <vector>

#ifdef FIXED
#define LINE std::deque
#else
#define LINE std::vector
#endif

struct caller {
    uint32_t number, since, topic, patience;
    uint64_t digest;
};

struct centre {
    LINE<caller> line;
    uint64_t waited = 0, served = 0, digest = 0;
};

static caller caller_arrive(uint32_t now, uint64_t &seed)
{
    for (int i = 0; i < 40; i++) {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
    }
    return { now, now, static_cast<uint32_t>(seed >> 60), static_cast<uint32_t>(seed >> 40 & 0xff), seed };
}

static uint64_t call_take(const caller &one)
{
    uint64_t h = one.digest;
    for (unsigned i = 0; i < 100 + one.patience; i++) {
        h ^= h >> 33;
        h *= 0xff51afd7ed558ccdULL;
    }
    return h;
}

static void centre_serve(centre &all, uint32_t now)
{
    caller first = all.line.front();
#ifdef FIXED
    all.line.pop_front();
#else
    all.line.erase(all.line.begin()); /* @ */
#endif
    all.waited += now - first.since;
    all.digest ^= call_take(first);
    all.served++;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    auto calls = static_cast<uint32_t>(900000 * scale) + 1;
    centre all;
    uint64_t seed = 88172645463325252ULL;
    for (uint32_t now = 0; now < calls; now++) {
        all.line.push_back(caller_arrive(now, seed));
        if (all.line.size() > 800 + now % 64) centre_serve(all, now);
    }
    while (!all.line.empty()) centre_serve(all, calls);
    printf("%llu %llu %llu\n", static_cast<unsigned long long>(all.waited), static_cast<unsigned long long>(all.served),
           static_cast<unsigned long long>(all.digest));
    return 0;
}
