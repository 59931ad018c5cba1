// SPDX-License-Identifier: MIT
/* rule: formatting */
/* sizes: 0.3 1 3 */
/* base: 3 */
// streams.cc: places on a map get names by their coordinates; the names are counted letter by letter.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>

static std::string place_name(unsigned row, unsigned column)
{
#ifdef FIXED
    char digits[32], *at = digits + sizeof digits;
    for (*--at = char('0' + column % 10); column /= 10;)
        *--at = char('0' + column % 10);
    *--at = ':';
    for (*--at = char('0' + row % 10); row /= 10;)
        *--at = char('0' + row % 10);
    return std::string(at, digits + sizeof digits);
#else
    std::ostringstream name; /* @ */
    name << row << ':' << column; /* @ */
    return name.str(); /* @ */
#endif
}

int main(int argc, char **argv)
{
    unsigned count = unsigned(250000 * (argc > 1 ? std::atof(argv[1]) : 1));
    std::uint64_t sum = 0;
    for (unsigned i = 0; i < count; i++) {
        for (char letter : place_name(i % 977, i / 977))
            sum = (sum ^ unsigned(letter)) * 1099511628211ULL;
        for (int k = 0; k < 40; k++)
            sum = sum * 6364136223846793005ULL + 1;
    }
    std::printf("%u places, %llx\n", count, (unsigned long long)sum);
    return 0;
}
