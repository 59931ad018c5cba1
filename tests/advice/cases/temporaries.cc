// SPDX-License-Identifier: MIT
/* rule: allocations */
/* sizes: 0.3 1 3 */
// temporaries.cc: every window of a long text is looked at, each of them as a text of its own or where it lies.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#ifdef FIXED
using window = std::string_view;
#else
using window = std::string;
#endif

static unsigned vowels(const window &text)
{
    unsigned count = 0;
    for (unsigned i = 0; i < text.size(); i += 8)
        count += text[i] == 'a' || text[i] == 'e';
    return count;
}

static std::uint64_t text_scan(const std::string &text)
{
    const window whole(text);
    std::uint64_t sum = 0;
    for (std::size_t at = 0; at + 40 <= text.size(); at++)
        sum = sum * 31 + vowels(whole.substr(at, 40)); /* @ */
    return sum;
}

int main(int argc, char **argv)
{
    unsigned count = unsigned(90 * (argc > 1 ? std::atof(argv[1]) : 1)) + 1;
    std::string text;
    std::uint64_t sum = 0;
    for (unsigned i = 0; i < 40000; i++)
        text += char('a' + i * 7919 % 26);
    for (unsigned i = 0; i < count; i++)
        sum ^= text_scan(text) + i;
    std::printf("%u passes, %llx\n", count, (unsigned long long)sum);
    return 0;
}
