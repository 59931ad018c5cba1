// SPDX-License-Identifier: MIT
/* rule: allocations */
/* sizes: 0.3 1 3 */
/* base: 3 */
// rangecopies.cc: a shop counts what lies in its shelves, shelf by shelf.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

struct shelf {
    std::string label;
    std::vector<int> pieces;
};

static std::map<std::string, shelf> shelves;

static std::uint64_t shelves_count()
{
    std::uint64_t sum = 0;
#ifdef FIXED
    for (const auto &one : shelves) {
#else
    for (auto one : shelves) { /* @ */
#endif
        for (std::size_t i = 0; i < one.second.pieces.size(); i += 3)
            sum = sum * 31 + std::uint64_t(one.second.pieces[i]);
        sum += one.first.size();
    }
    return sum;
}

int main(int argc, char **argv)
{
    unsigned count = unsigned(16000 * (argc > 1 ? std::atof(argv[1]) : 1)) + 1;
    std::uint64_t sum = 0;
    for (int i = 0; i < 60; i++) {
        shelf one;
        one.label = "shelf " + std::to_string(i) + " on the second floor, beside the stairs";
        for (int k = 0; k < 60; k++)
            one.pieces.push_back(i * k % 41);
        shelves[one.label] = one;
    }
    for (unsigned i = 0; i < count; i++)
        sum ^= shelves_count() + i;
    std::printf("%u times, %llx\n", count, (unsigned long long)sum);
    return 0;
}
