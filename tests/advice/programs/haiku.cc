// SPDX-License-Identifier: MIT
// Counts words of long verses by their endings. Prints how many endings there are, and the most frequent.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <unordered_map>

static std::string verses(unsigned words)
{
    std::string text;
    unsigned seed = 1;
    for (unsigned i = 0; i < words; i++) {
        seed = seed * 1664525u + 1013904223u;
        text += "autumn-leaves-settle-on-the-silent-water-";
        text += char('a' + (seed >> 24) % 26);
        text += char('a' + (seed >> 16) % 3);
        text += ' ';
    }
    return text;
}

#ifdef FIXED
using Word = std::string_view;
#else
using Word = std::string;
#endif

static unsigned ending_of(Word word)
{
    unsigned n = 0;
    for (char c : word) n = n * 3 + unsigned(c == 'e' || c == 'a');
    return n * 100 + unsigned(word[word.size() - 2]) * 26 + unsigned(word.back());
}

static void count(const std::string &text, std::unordered_map<unsigned, unsigned> &endings)
{
    for (size_t at = 0; at < text.size();) {
        size_t end = text.find(' ', at);
#ifdef FIXED
        endings[ending_of(std::string_view(text).substr(at, end - at))]++;
#else
        endings[ending_of(text.substr(at, end - at))]++; /* @ */
#endif
        at = end + 1;
    }
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    std::unordered_map<unsigned, unsigned> endings;
    const std::string text = verses(10000);
    for (unsigned i = 0; i < unsigned(900 * scale) + 1; i++) count(text, endings);
    unsigned most = 0;
    for (auto &row : endings) most = row.second > most ? row.second : most;
    printf("%zu %u\n", endings.size(), most);
}
