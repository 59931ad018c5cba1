/* SPDX-License-Identifier: MIT */
/* Counts visits of a site by the folders of its addresses, which it makes itself. Prints the folders' visits. */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

static const char *const folders[] = {
    "documentation-of-interfaces",
    "pictures-from-last-summer",
    "archive-of-the-mailing-list",
    "downloads-for-everybody",
};
static constexpr unsigned FOLDERS = 4;

struct visits {
    uint64_t by_folder[FOLDERS] = {}, depth = 0, digest = 0;
};

#ifdef FIXED
using part = std::string_view;
#else
using part = std::string;
#endif

static std::string address_make(unsigned number)
{
    uint32_t seed = number * 2654435761u + 3;
    std::string address = "/";
    for (int i = 0; i < 4; i++) {
        address += folders[seed >> 30];
        address += '/';
        seed = seed * 1664525u + 1013904223u;
    }
    return address;
}

static void part_count(visits &all, const part &name)
{
    for (unsigned i = 0; i < FOLDERS; i++)
        if (name == folders[i]) all.by_folder[i]++;
    all.depth++;
}

static void address_count(visits &all, const std::string &address)
{
    size_t at = 1;
    for (size_t end; (end = address.find('/', at)) != std::string::npos; at = end + 1) {
#ifdef FIXED
        part name = std::string_view(address).substr(at, end - at);
#else
        part name = address.substr(at, end - at); /* @ */
#endif
        part_count(all, name);
    }
}

static uint64_t address_digest(const std::string &address)
{
    uint64_t h = 14695981039346656037ULL;
    for (size_t i = 0; i < address.size(); i += 4) h = (h ^ static_cast<uint8_t>(address[i])) * 1099511628211ULL;
    return h;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    auto addresses = static_cast<unsigned>(600000 * scale) + 1;
    visits all;
    for (unsigned i = 0; i < addresses; i++) {
        std::string address = address_make(i % 4096);
        for (int visit = 0; visit < 4; visit++) address_count(all, address);
        all.digest += address_digest(address) >> 8;
    }
    for (uint64_t count : all.by_folder) printf("%llu ", static_cast<unsigned long long>(count));
    printf("%llu %llu\n", static_cast<unsigned long long>(all.depth), static_cast<unsigned long long>(all.digest));
    return 0;
}
