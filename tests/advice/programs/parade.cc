// SPDX-License-Identifier: MIT
// A parade's band plays marches by request: wishes are pinned to a board, the newest on top, and taken down from the
// bottom. Prints the marches that were played and a sum over them.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <vector>

struct wish {
    std::uint32_t march, street;
    std::uint64_t when;
};

#ifdef FIXED
typedef std::deque<wish> board;
#else
typedef std::vector<wish> board;
#endif

static void pin(board &wishes, const wish &one)
{
#ifdef FIXED
    wishes.push_front(one);
#else
    wishes.insert(wishes.begin(), one); /* @ */
#endif
}

static std::uint64_t play(const wish &one)
{
    std::uint64_t note = one.march;
    for (unsigned i = 0; i < 1500; i++) note = (note ^ one.street) * 1099511628211ULL + i;
    return note >> 30;
}

static std::uint64_t applause(const board &wishes)
{
    std::uint64_t loud = 0;
    for (unsigned i = 0; i < wishes.size() && i < 64; i++) loud += wishes[i].street;
    return loud;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? std::atof(argv[1]) : 1.0;
    unsigned streets = unsigned(40 * scale) + 1, played = 0;
    std::uint64_t sum = 0, when = 0;
    board wishes;
    for (unsigned street = 0; street < streets; street++) {
        for (unsigned i = 0; i < 5000; i++) {
            wish one = { std::uint32_t(when * 2654435761u), street, when };
            pin(wishes, one);
            when++;
        }
        while (wishes.size() > 500) {
            sum += play(wishes.back());
            wishes.pop_back();
            played++;
        }
        sum += applause(wishes);
    }
    std::printf("%u %llu\n", played, (unsigned long long)sum);
    return 0;
}
