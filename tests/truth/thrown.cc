// SPDX-License-Identifier: MIT
// thrown.cc: exceptions through several frames, strings and a map: a program of overhead.py.
#include <cstdio>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string>

static unsigned number_parse(const std::string &text)
{
    unsigned value = 0;
    for (char c : text) {
        if (c < '0' || c > '9')
            throw std::invalid_argument(text);
        value = value * 10 + static_cast<unsigned>(c - '0');
    }
    return value;
}

static unsigned number_look(const std::string &text) { return number_parse(text) + 1; }

int main(int argc, char **argv)
{
    unsigned sum = 0;
    std::map<std::string, unsigned> seen;
    for (int i = 0; argc > 1 && i < atoi(argv[1]) * 1000; i++) {
        std::string text = std::to_string(i % 1000) + (i % 4 ? "" : "x");
        try {
            seen[text] += number_look(text);
        } catch (const std::invalid_argument &wrong) {
            sum += static_cast<unsigned>(wrong.what()[0]);
        }
    }
    for (const auto &one : seen)
        sum += one.second;
    printf("%u\n", sum);
}
