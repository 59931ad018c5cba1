/* SPDX-License-Identifier: MIT */
/* sizes: 0.5 1 3 */
/* rule: copies */
/* neither: pagefaults */
/* least: 50 */
/* voters.cc: voters are counted by district. Their list is handed over by value, so that all is copied, and its memory
 * goes back to the kernel each time. That is one fault, with what it takes to destroy the copy. */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

struct voter {
    std::string name, street, party;
    int district;
};

static std::vector<voter> all;

static void list_make(int count)
{
    for (int i = 0; i < count; i++)
        all.push_back({ "a person with a long name " + std::to_string(i), "a street with a long name " + std::to_string(i % 900),
                         i % 3 ? "greens and friends" : "blues and company", i % 40 });
}

#ifndef FIXED
static int in_district(std::vector<voter> list, int district)
#else
static int in_district(const std::vector<voter> &list, int district)
#endif
{
    int count = 0;
    for (const auto &v : list)
        count += v.district == district;
    return count;
}

static int of_party(const std::vector<voter> &list, const std::string &party)
{
    int count = 0;
    for (const auto &v : list)
        count += v.party == party;
    return count;
}

int main(int argc, char **argv)
{
    int districts = (int)(40 * (argc > 1 ? atof(argv[1]) : 1));
    list_make(20000);
    uint64_t sum = 0;
    for (int d = 0; d < districts; d++) {
        sum = sum * 31 + (uint64_t)in_district(all, d % 40); /* @ */
        sum += (uint64_t)of_party(all, d % 2 ? "greens and friends" : "blues and company");
    }
    std::printf("%llu\n", (unsigned long long)sum);
}
