// SPDX-License-Identifier: MIT
/* rule: formatting */
/* sizes: 0.3 1 3 */
// splits.cc: rows of a table in memory are split into fields, of which the longest of each column is found.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

static const unsigned columns = 6;

static std::vector<std::string> table_make(unsigned rows)
{
    std::vector<std::string> table;
    uint32_t x = 77;
    for (unsigned row = 0; row < rows; row++) {
        std::string text;
        for (unsigned column = 0; column < columns; column++) {
            x = x * 1664525u + 1013904223u;
            text.append(1 + (x >> 28), static_cast<char>('a' + column)).push_back(column + 1 < columns ? ';' : '.');
        }
        table.push_back(text);
    }
    return table;
}

static void row_measure(const std::string &row, size_t *longest)
{
    unsigned column = 0;
#ifdef FIXED
    std::string_view rest(row);
    for (bool more = true; more; column++) {
        size_t at = rest.find(';');
        std::string_view field = rest.substr(0, at);
        if (field.size() > longest[column])
            longest[column] = field.size();
        more = at != rest.npos;
        rest.remove_prefix(more ? at + 1 : 0);
    }
#else
    std::stringstream text(row); // /* @ */
    std::string field;
    for (; std::getline(text, field, ';'); column++)
        if (field.size() > longest[column])
            longest[column] = field.size();
#endif
}

int main(int argc, char **argv)
{
    unsigned rounds = static_cast<unsigned>(60 * (argc > 1 ? atof(argv[1]) : 1));
    std::vector<std::string> table = table_make(5000);
    size_t longest[columns] = {}, sum = 0;
    for (unsigned round = 0; round < rounds; round++)
        for (const std::string &row : table)
            row_measure(row, longest);
    for (size_t length : longest)
        sum = sum * 31 + length;
    printf("%zu rows, checksum %zu\n", table.size(), sum);
    return 0;
}
