/* SPDX-License-Identifier: MIT */
/* rule: flushes */
/* sizes: 0.3 1 3 */
/* says: operator<< */
/* lacks: char_traits */
/* squares.cc: a list of squares, a line each. */
#include <cstdlib>
#include <fstream>
#include <iostream>

int main(int argc, char **argv)
{
    long count = (long)(120000 * (argc > 1 ? atof(argv[1]) : 1)), sum = 0;
    std::ofstream out("/dev/null");
    for (long i = 0; i < count; i++) {
#ifndef FIXED
        out << i << " squared is " << i * i << std::endl; /* @ */
#else
        out << i << " squared is " << i * i << '\n';
#endif
        sum += i * i;
    }
    std::cout << sum << '\n';
    return 0;
}
