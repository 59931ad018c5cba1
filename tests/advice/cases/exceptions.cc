/* SPDX-License-Identifier: MIT */
/* sizes: 0.3 1 3 */
/* exceptions.cc: columns of numbers, some of which are no numbers. */
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

struct parsed {
    bool valid;
    long value;
};

static parsed digits_read(const std::string &text)
{
    parsed p = { !text.empty(), 0 };
    for (char c : text) {
        if (c < '0' || c > '9')
            return { false, 0 };
        p.value = p.value * 10 + (c - '0');
    }
    return p;
}

#ifndef FIXED
static long number_of(const std::string &text)
{
    parsed p = digits_read(text);
    if (!p.valid)
        throw std::invalid_argument("no number"); /* @ */
    return p.value;
}
#endif

static long column_sum(const std::vector<std::string> &cells, long *bad)
{
    long sum = 0;
    for (const std::string &cell : cells) {
#ifndef FIXED
        try {
            sum += number_of(cell);
        } catch (const std::invalid_argument &) {
            ++*bad;
        }
#else
        parsed p = digits_read(cell);
        if (p.valid)
            sum += p.value;
        else
            ++*bad;
#endif
    }
    return sum;
}

int main(int argc, char **argv)
{
    int rounds = int(2500 * (argc > 1 ? atof(argv[1]) : 1));
    std::vector<std::string> cells;
    for (int i = 0; i < 1000; i++)
        cells.push_back(i % 7 ? std::to_string(i * 7919) : std::string("n/a"));
    long bad = 0, sum = 0;
    for (int i = 0; i < rounds; i++)
        sum += column_sum(cells, &bad) % 1000;
    printf("%ld, %ld not numbers\n", sum, bad);
    return 0;
}
