// SPDX-License-Identifier: MIT
/* rule: copies */
/* sizes: 0.3 1 3 */
/* shows: erase( pop_front( */
// slidings.cc: visits of the last while are kept in a window, whose oldest go as new ones come.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <vector>

struct visit {
    std::uint64_t when, who;
};

#ifdef FIXED
static std::deque<visit> window;
#else
static std::vector<visit> window;
#endif

__attribute__((noinline)) static void see(std::uint64_t when, std::uint64_t who)
{
    window.push_back({ when, who });
    while (when - window.front().when > 5000)
#ifdef FIXED
        window.pop_front();
#else
        window.erase(window.begin()); /* @ */
#endif
}

int main(int argc, char **argv)
{
    std::uint64_t count = static_cast<std::uint64_t>((argc > 1 ? std::atof(argv[1]) : 1) * 150000), sum = 0;
    for (std::uint64_t i = 0; i < count; i++) {
        see(i, i * 2654435761u);
        sum += window.size();
    }
    std::printf("%llu\n", static_cast<unsigned long long>(sum));
}
