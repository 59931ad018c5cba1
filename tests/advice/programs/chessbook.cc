/* SPDX-License-Identifier: MIT */
/* An opening book: positions, which are played at random, are looked up by fields and side, and counted. Prints how
 * many different ones there were and a sum over the counts. */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>
#include <unordered_map>

struct position {
    unsigned white, black, side;
};

#ifdef FIXED
using key = uint64_t;
#else
using key = std::string;
#endif

static position position_play(uint64_t &seed)
{
    for (int i = 0; i < 30; i++) {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
    }
    auto part = [&](int at, unsigned most) { return static_cast<unsigned>(seed >> at & most); };
    return { part(58, 63), part(40, 63), part(20, 1) };
}

static key position_key(const position &at)
{
#ifdef FIXED
    return static_cast<uint64_t>(at.white) << 32 | at.black << 1 | at.side;
#else
    std::ostringstream text; /* @ */
    text << at.white << '/' << at.black << '/' << (at.side ? "white" : "black"); /* @ */
    return text.str(); /* @ */
#endif
}

static int position_value(const position &at)
{
    int value = 0;
    for (unsigned i = 0; i < 64; i++) value += static_cast<int>((at.white ^ i) * (at.black + i) % 17) - 8;
    return at.side ? value : -value;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    auto moves = static_cast<unsigned>(1500000 * scale) + 1;
    std::unordered_map<key, unsigned> book;
    uint64_t seed = 88172645463325252ULL, sum = 0;
    int64_t value = 0;
    for (unsigned i = 0; i < moves; i++) {
        position at = position_play(seed);
        sum += ++book[position_key(at)];
        value += position_value(at);
    }
    printf("%zu %llu %lld\n", book.size(), static_cast<unsigned long long>(sum), static_cast<long long>(value));
    return 0;
}
