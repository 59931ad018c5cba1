// SPDX-License-Identifier: MIT
// mishaps.cc: C++ that throws where text is no number, with strings and maps. Like fresh.c, it was never used to choose prices.
#include <cstdio>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

struct mishap : std::runtime_error {
    int place;
    mishap(const std::string &what, int at) : std::runtime_error(what), place(at) {}
};

static long number(const std::string &text)
{
    long value = 0;
    for (size_t i = 0; i < text.size(); i++) {
        if (text[i] < '0' || text[i] > '9')
            throw mishap("no digit in " + text, (int)i);
        value = value * 10 + (text[i] - '0');
    }
    return value;
}

static long column(const std::vector<std::string> &words, std::map<std::string, long> &bad)
{
    long sum = 0;
    for (const std::string &word : words) {
        std::string own = word + word.substr(word.size() / 2);
        try {
            sum += number(own);
        } catch (const mishap &m) {
            bad[m.what()] += m.place;
        }
    }
    return sum;
}

int main(int, char **argv)
{
    std::vector<std::string> words;
    std::map<std::string, long> bad;
    unsigned seed = 7;
    long sum = 0;
    for (int i = 0; i < 500; i++) {
        seed = seed * 1103515245 + 12345;
        words.push_back(std::to_string(seed >> 8));
        if (i % 9 == 0)
            words.back()[3] = 'x';
    }
    for (int i = 0; i < std::atoi(argv[1]); i++)
        sum += column(words, bad);
    std::printf("%ld %zu\n", sum, bad.size());
}
