// SPDX-License-Identifier: MIT
/* rule: repeatedcalls */
/* sizes: 0.3 1 3 */
/* says: std::regex */
/* does: std::regex */
// mailboxes.cc: whose letters are there, by a pattern that is made for each of them.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <regex>
#include <string>

static unsigned sender_of(const std::string &line)
{
#ifdef FIXED
    static const std::regex pattern("from ([a-z]+)([0-9]+)");
#else
    std::regex pattern("from ([a-z]+)([0-9]+)"); /* @ */
#endif
    std::smatch found;
    return std::regex_search(line, found, pattern) ? unsigned(std::stoul(found[2].str())) : 0;
}

int main(int argc, char **argv)
{
    unsigned count = unsigned(2500 * (argc > 1 ? std::atof(argv[1]) : 1)) + 1, sum = 0, random = 7;
    for (unsigned i = 0; i < count; i++) {
        random = random * 1664525u + 1013904223u;
        sum = sum * 31 + sender_of("from clerk" + std::to_string(random >> 18) + ", received");
    }
    std::printf("%u letters, %u\n", count, sum);
    return 0;
}
