// SPDX-License-Identifier: MIT
/* rule: allocations */
/* most: 80 */
/* not: copies lengths */
/* sizes: 1 3 */
// labels.cc: a function makes a text of several pieces and hands it to its caller, which destroys it.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

const char *const sorts[] = { "a Gravenstein apple of the old kind", "a pear that is called Alexander Lucas" };
const char *const places[] = { "on the slope to the south", "by the brook with the willows", "behind the barn" };

#ifdef FIXED
const std::string &label(unsigned tree)
{
    static std::string text;
    text.assign(sorts[tree % 2]).append(", ").append(places[tree % 3]);
    return text;
}
#else
std::string label(unsigned tree)
{
    return std::string(sorts[tree % 2]) + ", " + places[tree % 3]; /* @ */
}
#endif

} // namespace

int main(int argc, char **argv)
{
    unsigned trees = unsigned(3500000 * (argc > 1 ? std::atof(argv[1]) : 1));
    std::uint64_t sum = 0;
    for (unsigned tree = 0; tree < trees; tree++) {
        const std::string &text = label(tree);
        for (unsigned i = 0; i < text.size(); i += 4) sum = sum * 31 + static_cast<unsigned char>(text[i]);
    }
    std::printf("%llx\n", static_cast<unsigned long long>(sum));
    return 0;
}
