/* SPDX-License-Identifier: MIT */
/* sizes: 1 3 */
/* rule: allocations */
/* parishes.cc: parts of addresses are made as texts, and each is compared with the names of parishes, which takes longer.
 * The line that makes them is told, not that of the comparison. */
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#ifdef FIXED
using part = std::string_view;
#else
using part = std::string;
#endif

static const char *const parishes[] = { "northern-parish-of-the-hills", "northern-parish-of-the-lakes",
                                        "northern-parish-of-the-woods", "northern-parish-of-the-coast" };
static unsigned long met[4];

static void parish_count(const part &name)
{
    for (unsigned i = 0; i < 4; i++)
        met[i] += name == parishes[i];
}

static void address_count(const std::string &address)
{
    size_t at = 0;
    for (size_t end; (end = address.find('/', at)) != std::string::npos; at = end + 1) {
#ifdef FIXED
        part name = std::string_view(address).substr(at, end - at);
#else
        part name = address.substr(at, end - at); /* @ */
#endif
        parish_count(name);
    }
}

int main(int argc, char **argv)
{
    unsigned count = static_cast<unsigned>(60000 * (argc > 1 ? atof(argv[1]) : 1));
    std::string address[256];
    for (unsigned i = 0; i < 256; i++)
        for (unsigned k = 0; k < 4; k++)
            address[i] += std::string(parishes[(i >> 2 * k) & 3]) + "/";
    for (unsigned i = 0; i < count; i++)
        for (unsigned visit = 0; visit < 6; visit++)
            address_count(address[(i * 7 + visit) & 255]);
    printf("%lu %lu %lu %lu\n", met[0], met[1], met[2], met[3]);
    return 0;
}
