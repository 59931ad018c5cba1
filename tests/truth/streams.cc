/* SPDX-License-Identifier: MIT */
/* streams.cc: writes short records through the C++ library, each at once, from three lines: two at one depth of the stack, and one that calls itself. Prints for each line how
 * many writes it made. */
#include <cstdio>
#include <cstdlib>
#include <fstream>

static std::ofstream list("/dev/null");

static __attribute__((noinline)) void odd_write(unsigned n)
{
    list << "odd " << n << std::endl; /* odd */
}

static __attribute__((noinline)) void even_write(unsigned n)
{
    list << n << std::endl; /* even */
}

static __attribute__((noinline)) unsigned deep_write(unsigned n, unsigned depth)
{
    unsigned made = depth ? deep_write(n, depth - 1) + 1 : 1;
    list << n << std::endl; /* deep */
    return made;
}

int main(int argc, char **argv)
{
    unsigned rounds = argc > 1 ? (unsigned)atoi(argv[1]) : 30000, odd = 0, even = 0, deep = 0;
    for (unsigned i = 0; i < rounds; i++) {
        if (i % 2)
            odd_write(i), odd++;
        else
            even_write(i), even++;
        if (i % 16 == 0)
            deep += deep_write(i, i / 16 % 5);
    }
    printf("odd %u even %u deep %u\n", odd, even, deep);
    return 0;
}
