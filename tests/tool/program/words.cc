// SPDX-License-Identifier: MIT
// Much time in code of the standard library, inlined and not; no line of its own is hot without it.
#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace text {
struct word {
    std::string name;
    unsigned count;
};
class counter {
    std::map<std::string, std::vector<unsigned>> places;
    std::unordered_map<std::string, unsigned> counts;

public:
    void add(const std::string &w, unsigned at)
    {
        places[w].push_back(at);
        counts[w]++;
    }
    std::vector<word> ranked() const
    {
        std::vector<word> list;
        for (const auto &entry : counts)
            list.push_back({ entry.first, entry.second });
        std::sort(list.begin(), list.end(),
                  [](const word &a, const word &b) { return a.count != b.count ? a.count > b.count : a.name < b.name; });
        return list;
    }
};
}

int main()
{
    unsigned seed = 1, total = 0;
    text::counter c;
    for (unsigned i = 0; i < 400000; i++) {
        seed = seed * 1103515245 + 12345;
        c.add("word" + std::to_string((seed >> 8) % 20000), i);
    }
    for (int i = 0; i < 10; i++)
        total += (unsigned)c.ranked().front().name.size();
    std::printf("%u\n", total);
}
