// SPDX-License-Identifier: MIT
/* rule: formatting */
/* sizes: 0.3 1 3 */
/* base: 3 */
/* does: without a stream */
/* says: reading from them */
// manifests.cc: lines of ships' manifests are split into words and numbers, by a stream for each line.
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

struct cargo {
    std::string ship, port, goods;
    int tons = 0, days = 0;
};

static cargo cargo_read(const std::string &line)
{
    cargo c;
#ifdef FIXED
    std::string_view rest = line;
    auto word = [&] {
        std::size_t n = rest.find(' ');
        std::string_view found = rest.substr(0, n);
        rest.remove_prefix(n == rest.npos ? rest.size() : n + 1);
        return found;
    };
    auto number = [&](int &to) {
        std::string_view found = word();
        std::from_chars(found.data(), found.data() + found.size(), to);
    };
    c.ship = word();
    number(c.tons);
    c.port = word();
    number(c.days);
    c.goods = word();
#else
    std::istringstream in(line); /* @ */
    in >> c.ship >> c.tons >> c.port >> c.days >> c.goods;
#endif
    return c;
}

int main(int argc, char **argv)
{
    unsigned count = unsigned(150000 * (argc > 1 ? std::atof(argv[1]) : 1));
    std::uint64_t sum = 0;
    std::vector<std::string> lines;
    for (unsigned i = 0; i < 500; i++)
        lines.push_back("vessel" + std::to_string(i % 89) + " " + std::to_string(i * 7919 % 90000) + " harbour" +
                        std::to_string(i % 31) + " " + std::to_string(i % 60) + " crates-of-oranges");
    for (unsigned i = 0; i < count; i++) {
        cargo c = cargo_read(lines[i % lines.size()]);
        sum = sum * 31 + unsigned(c.tons) + unsigned(c.days) + c.ship.size() + c.port.size() + c.goods.size();
        for (int k = 0; k < 40; k++)
            sum = sum * 6364136223846793005ULL + 1;
    }
    std::printf("%u lines, %llx\n", count, (unsigned long long)sum);
    return 0;
}
