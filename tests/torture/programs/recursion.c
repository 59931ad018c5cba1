/* SPDX-License-Identifier: MIT */
/* Recursion and calls at the end of functions that GCC turns into loops and jumps: ten million deep, the stack would not do. */
#include <stdio.h>
__attribute__((noipa)) unsigned sum(unsigned n) { return n ? n + sum(n - 1) : 0; }
__attribute__((noipa)) unsigned mul(unsigned n) { if (n < 2) return 1; return (n|1) * mul(n - 1); }
__attribute__((noipa)) unsigned both(unsigned n) { if (n < 2) return 1; if (n & 1) return both(n - 1) * 3; return n + both(n - 1); }
__attribute__((noipa)) unsigned count(unsigned n, unsigned *at) { if (!n) return *at; ++*at; return count(n - 1, at); }
unsigned odd(unsigned n);
__attribute__((noipa)) unsigned even(unsigned n) { if (!n) return 1; return odd(n - 1); }
__attribute__((noipa)) unsigned odd(unsigned n)
{
    if (!n)
        return 0;
    return even(n - 1);
}
int main(void)
{
    unsigned at = 0;
    printf("%u %u %u\n", count(10000000, &at), even(10000000), odd(10000001));
    printf("%u\n", sum(10000000)); printf("%u\n", mul(10000000));printf("%u\n", both(10000000)); return 0; }
