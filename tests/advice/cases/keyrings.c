/* SPDX-License-Identifier: MIT */
/* rule: trials */
/* sizes: 0.7 1 2 */
/* wide: 0.5 1 3 */
/* kind: bound */
/* keyrings.c: each number has two large factors alone, so that the loop which looks for the smaller one stops before
 * the root by itself, wherever its end is. That is not known, so the saving is no more than a bound. */
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) static long factor_of(long n)
{
#ifdef FIXED
    for (long i = 2; i <= n / i; i++)
#else
    for (long i = 2; i < n; i++)
#endif
        if (n % i == 0) /* @ */
            return i;
    return n;
}

int main(int argc, char **argv)
{
    static const long prime[] = { 9973, 10007, 10009, 10037, 10039, 10061 };
    int rings = (int)(2500 * (argc > 1 ? atof(argv[1]) : 1));
    long sum = 0;
    for (int ring = 0; ring < rings; ring++)
        sum += factor_of(prime[ring % 6] * prime[ring / 6 % 6]);
    printf("%ld\n", sum);
    return 0;
}
