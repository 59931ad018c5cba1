/* SPDX-License-Identifier: MIT */
/* sizes: 0.3 1 3 */
/* rule: smallreads */
/* neither: smallwrites */
/* coupons.cc: the letters of coupons are counted: in one file that a stream without a buffer reads, or in a file for
 * each, by a stream that has one. A file's end is found by a read, too, and what is short is written by one. */
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <unistd.h>

#ifndef FIXED
static const unsigned each = 10000;
#else
static const unsigned each = 1;
#endif

static std::string file_name(const std::string &folder, unsigned file)
{
    return folder + "/" + std::to_string(file);
}

static void file_make(const std::string &name, unsigned first)
{
    std::ofstream out(name);
    for (unsigned i = 0; i < each; i++)
        out << "coupon " << (first + i) % 90 + 10 << "\n";
}

static unsigned long file_count(const std::string &name)
{
    unsigned long letters = 0;
    std::ifstream in;
    if (each > 1)
        in.rdbuf()->pubsetbuf(nullptr, 0);
    in.open(name);
    char text[11];
    while (in.read(text, 10)) /* @ */
        letters += text[0] == 'c' ? 6 : 0;
    return letters;
}

int main(int argc, char **argv)
{
    unsigned files = (unsigned)(20 * (argc > 1 ? atof(argv[1]) : 1)) * (each > 1 ? 1 : 10000 / 20);
    char made[] = "coupons-XXXXXX";
    std::string folder = mkdtemp(made);
    unsigned long letters = 0;
    for (unsigned i = 0; i < files; i++)
        file_make(file_name(folder, i), i * each);
    for (unsigned i = 0; i < files; i++)
        letters += file_count(file_name(folder, i));
    for (unsigned i = 0; i < files; i++)
        std::remove(file_name(folder, i).c_str());
    rmdir(made);
    std::cout << (letters ? "there are letters\n" : "none\n");
}
