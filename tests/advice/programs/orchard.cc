// SPDX-License-Identifier: MIT
// An orchard's trees get labels of several words, which are looked up in a table of counts. Prints how many labels there
// are and the largest count.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <unordered_map>
#include <vector>

namespace {

const char *const sorts[] = { "a Gravenstein apple of the old kind", "a pear that is called Alexander Lucas", "a plum without a stone", "an early cherry" };
const char *const places[] = { "on the slope to the south", "by the brook with the willows", "behind the barn" };

struct tree {
    unsigned sort, place, row;
};

std::vector<tree> plant(unsigned count)
{
    std::vector<tree> trees;
    trees.reserve(count);
    uint32_t state = 12345;
    for (unsigned i = 0; i < count; i++) {
        state = state * 1664525u + 1013904223u;
        trees.push_back({ state >> 30, (state >> 20) % 3, (state >> 10) % 10 });
    }
    return trees;
}

#ifdef FIXED
void label(std::string &text, const tree &one)
{
    text.clear();
    text += sorts[one.sort];
    text += ", ";
    text += places[one.place];
    text += ", row ";
    text += static_cast<char>('0' + one.row);
}
#else
std::string label(const tree &one)
{
    return std::string(sorts[one.sort]) + ", " + places[one.place] + ", row " + static_cast<char>('0' + one.row); /* @ */
}
#endif

uint64_t weigh(const std::vector<tree> &trees)
{
    uint64_t kilos = 1;
    for (unsigned year = 0; year < 30; year++)
        for (const tree &one : trees) kilos = (kilos * 31 + one.sort) ^ one.row;
    return kilos;
}

} // namespace

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    std::vector<tree> trees = plant(static_cast<unsigned>(800000 * scale) + 1);
    std::unordered_map<std::string, unsigned> counts;
    unsigned most = 0;
#ifdef FIXED
    std::string text;
#endif
    for (const tree &one : trees) {
#ifdef FIXED
        label(text, one);
        unsigned count = ++counts[text];
#else
        unsigned count = ++counts[label(one)]; /* @ */
#endif
        if (count > most) most = count;
    }
    printf("%zu %u %llu\n", counts.size(), most, static_cast<unsigned long long>(weigh(trees)));
    return 0;
}
