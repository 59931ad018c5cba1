// SPDX-License-Identifier: MIT
// Reads birthdays of a town's register, some of which are written as words, and counts the signs they fall under.
// Prints the signs, and how many could not be read.
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

struct entry {
    std::string day, month;
};

static std::vector<entry> town(unsigned count)
{
    static const char *const words[] = { "first", "ides", "unknown", "eve" };
    std::vector<entry> all;
    all.reserve(count);
    for (unsigned i = 0; i < count; i++) {
        std::uint32_t mixed = i * 2654435761u;
        all.push_back({ mixed >> 8 & 1 ? words[mixed >> 10 & 3] : std::to_string(1 + (mixed >> 16) % 28), std::to_string(1 + (mixed >> 4) % 12) });
    }
    return all;
}

static bool number(const std::string &text, int &value)
{
#ifdef FIXED
    return std::from_chars(text.data(), text.data() + text.size(), value).ec == std::errc();
#else
    try {
        value = std::stoi(text); /* @ */
        return true;
    } catch (const std::invalid_argument &) { /* @ */
        return false;
    }
#endif
}

static unsigned sign_of(int day, int month)
{
    static const int borders[12] = { 20, 19, 20, 20, 21, 21, 22, 23, 23, 23, 22, 21 };
    return unsigned(month - 1 + (day > borders[month - 1])) % 12;
}

static std::uint64_t horoscope(unsigned sign, unsigned person)
{
    std::uint64_t stars = person;
    for (unsigned i = 0; i < 900; i++) stars = (stars ^ sign) * 1099511628211ULL + i;
    return stars >> 33;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? std::atof(argv[1]) : 1.0;
    std::vector<entry> people = town(unsigned(160000 * scale) + 1);
    unsigned signs[12] = {}, unread = 0, person = 0;
    std::uint64_t sum = 0;
    for (const entry &one : people) {
        int day, month;
        if (!number(one.day, day) || !number(one.month, month)) {
            unread++;
            continue;
        }
        unsigned sign = sign_of(day, month);
        signs[sign]++;
        sum += horoscope(sign, person++);
    }
    for (unsigned count : signs) std::printf("%u ", count);
    std::printf("%u %llu\n", unread, (unsigned long long)sum);
    return 0;
}
