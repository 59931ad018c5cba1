/* SPDX-License-Identifier: MIT */
/* Writes a shopping list for many recipes, which it makes itself, to a file. Prints the file's length and a sum over
 * the amounts. */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>
#include <unistd.h>

static const char *const things[] = { "flour", "sugar", "butter", "eggs", "milk", "apples", "nuts", "yeast" };

struct need {
    unsigned grams = 0, recipes = 0;
};

static std::string file_name()
{
    const char *folder = getenv("TMPDIR");
    std::string path = std::string(folder ? folder : "/tmp") + "/recipes.XXXXXX";
    int fd = mkstemp(path.data());
    if (fd < 0) exit(1);
    close(fd);
    return path;
}

static std::map<std::string, need> recipe_needs(unsigned number)
{
    std::map<std::string, need> needs;
    uint32_t seed = number * 2654435761u + 5;
    for (int i = 0; i < 12; i++) {
        seed = seed * 1664525u + 1013904223u;
        need &one = needs[things[seed >> 29]];
        one.grams += seed >> 20 & 511;
        one.recipes++;
    }
    return needs;
}

static uint64_t needs_write(std::ostream &list, const std::map<std::string, need> &needs)
{
    uint64_t sum = 0;
    for (const auto &[thing, one] : needs) {
#ifdef FIXED
        list << one.grams << " g of " << thing << " for " << one.recipes << '\n';
#else
        list << one.grams << " g of " << thing << " for " << one.recipes << std::endl; /* @ */
#endif
        sum += one.grams * static_cast<uint64_t>(thing[0]);
    }
    return sum;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    auto recipes = static_cast<unsigned>(100000 * scale) + 1;
    std::string path = file_name();
    std::ofstream list(path);
    uint64_t sum = 0;
    for (unsigned i = 0; i < recipes; i++) sum += needs_write(list, recipe_needs(i));
    auto length = static_cast<long long>(list.tellp());
    list.close();
    unlink(path.c_str());
    printf("%lld %llu\n", length, static_cast<unsigned long long>(sum));
    return list ? 0 : 1;
}
