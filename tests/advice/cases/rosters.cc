/* SPDX-License-Identifier: MIT */
/* sizes: 0.5 1 2 */
/* wide: 0.5 1.5 5 */
/* rule: growingstrings */
/* neither: copies */
/* least: 70 */
/* does: front */
/* rosters.cc: a roster is put together name by name. With operator+ all of it is copied for each, and the result is
 * moved back, which takes no time that a sample could see. */
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

static std::vector<std::string> names_make(int count)
{
    std::vector<std::string> all;
    for (int i = 0; i < count; i++)
        all.push_back("name " + std::to_string(i * 7919 % 10007));
    return all;
}

static std::string roster(const std::vector<std::string> &names)
{
    std::string text;
    for (const auto &name : names) {
#ifndef FIXED
        text = text + name + ": is here\n"; /* @ */
#else
        text += name;
        text += ": is here\n";
#endif
    }
    return text;
}

static size_t longest(const std::vector<std::string> &names)
{
    size_t most = 0;
    for (const auto &name : names)
        most = name.size() > most ? name.size() : most;
    return most;
}

int main(int argc, char **argv)
{
    auto names = names_make((int)(14000 * (argc > 1 ? atof(argv[1]) : 1)));
    std::printf("%zu letters, %zu in a name\n", roster(names).size(), longest(names));
}
