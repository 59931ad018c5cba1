/* SPDX-License-Identifier: MIT */
/* Reads the answers of a survey: fields are numbers, or words where somebody had none. Prints the numbers' sum and how
 * many words there were. */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

static const char *const excuses[] = { "none", "unknown", "n/a", "see above" };

static std::string sheet_make(unsigned number)
{
    std::string sheet;
    uint32_t seed = number * 2654435761u + 3;
    for (int i = 0; i < 60; i++) {
        seed = seed * 1664525u + 1013904223u;
        if (i) sheet += ';';
        if (seed >> 28 < 2) sheet += excuses[seed >> 20 & 3];
        else sheet += std::to_string(seed >> 12);
    }
    return sheet;
}

static std::vector<std::string> fields_split(const std::string &sheet)
{
    std::vector<std::string> fields;
    size_t at = 0;
    for (;;) {
        size_t end = sheet.find(';', at);
        fields.push_back(sheet.substr(at, end == std::string::npos ? end : end - at));
        if (end == std::string::npos) return fields;
        at = end + 1;
    }
}

#ifdef FIXED
static std::optional<uint64_t> field_number(const std::string &field)
#else
static uint64_t field_number(const std::string &field)
#endif
{
    uint64_t value = 0;
    for (char c : field) {
        if (c < '0' || c > '9')
#ifdef FIXED
            return std::nullopt;
#else
            throw std::invalid_argument("not a number: " + field); /* @ */
#endif
        value = value * 10 + static_cast<uint64_t>(c - '0');
    }
    return value;
}

struct answers {
    uint64_t sum = 0, words = 0;
};

static void field_take(const std::string &field, answers &all)
{
#ifdef FIXED
    if (auto number = field_number(field)) all.sum += *number;
    else all.words++;
#else
    try {
        all.sum += field_number(field);
    } catch (const std::invalid_argument &) { /* @ */
        all.words++;
    }
#endif
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    auto sheets = static_cast<unsigned>(70000 * scale) + 1;
    answers all;
    for (unsigned i = 0; i < sheets; i++)
        for (const auto &field : fields_split(sheet_make(i))) field_take(field, all);
    printf("%llu %llu\n", static_cast<unsigned long long>(all.sum), static_cast<unsigned long long>(all.words));
    return 0;
}
