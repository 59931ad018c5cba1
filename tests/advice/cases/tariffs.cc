/* SPDX-License-Identifier: MIT */
/* rule: allocations */
/* does: parameter */
/* sizes: 0.3 1 3 */
/* tariffs.cc: a ferry's office prices cars by a table of harbours, which is handed on by value or by reference. */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

using Fares = std::map<std::string, double>;

static uint32_t seed = 9;

static uint32_t next_number()
{
    seed = seed * 1664525 + 1013904223;
    return seed >> 8;
}

static std::string harbour(uint32_t number)
{
    return "h" + std::to_string(number % 40);
}

#ifndef FIXED
static double fare_of(Fares fares, const std::string &to, double metres)
#else
static double fare_of(const Fares &fares, const std::string &to, double metres)
#endif
{
    auto at = fares.find(to);
    return at == fares.end() ? 0 : at->second * metres;
}

__attribute__((noinline)) static double day_price(const Fares &fares, uint32_t cars)
{
    double sum = 0;
    for (uint32_t i = 0; i < cars; i++)
        sum += fare_of(fares, harbour(next_number()), 3 + next_number() % 4); /* @ */
    return sum;
}

int main(int argc, char **argv)
{
    uint32_t cars = (uint32_t)(100000 * (argc > 1 ? atof(argv[1]) : 1));
    Fares fares;
    for (uint32_t i = 0; i < 40; i++)
        fares[harbour(i)] = 7.5 + i;
    printf("%.1f\n", day_price(fares, cars));
    return 0;
}
