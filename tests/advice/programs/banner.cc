/* SPDX-License-Identifier: MIT */
/* Pages of a catalogue in HTML, which are put together from rows, and marked by a checksum. Prints the pages' length
 * and a sum over them. */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

static constexpr unsigned ROWS = 300;

static std::string cell_make(unsigned number, unsigned column)
{
    return "<td>" + std::to_string(number * 2654435761u >> (column + 8)) + "</td>";
}

static std::string row_make(unsigned number)
{
    std::string row = "<tr>";
    for (unsigned column = 0; column < 6; column++) row += cell_make(number, column);
    return row += "</tr>\n";
}

static std::string page_make(unsigned page)
{
    std::string text = "<table>\n";
    for (unsigned i = 0; i < ROWS; i++) {
#ifdef FIXED
        text += row_make(page * ROWS + i);
#else
        text = text + row_make(page * ROWS + i); /* @ */
#endif
    }
    return text + "</table>\n";
}

static unsigned page_tags(const std::string &text)
{
    unsigned tags = 0;
    for (size_t i = 0; i + 1 < text.size(); i++) tags += text[i] == '<' && text[i + 1] != '/';
    return tags;
}

static uint64_t page_digest(const std::string &text)
{
    uint64_t h = 14695981039346656037ULL;
    for (char c : text) h = (h ^ static_cast<uint8_t>(c)) * 1099511628211ULL;
    return h;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    auto pages = static_cast<unsigned>(2600 * scale) + 1;
    uint64_t length = 0, sum = 0, tags = 0;
    for (unsigned i = 0; i < pages; i++) {
        std::string text = page_make(i);
        length += text.size();
        tags += page_tags(text);
        sum ^= page_digest(text);
    }
    printf("%llu %llu %llu\n", static_cast<unsigned long long>(length), static_cast<unsigned long long>(tags),
           static_cast<unsigned long long>(sum));
    return 0;
}
