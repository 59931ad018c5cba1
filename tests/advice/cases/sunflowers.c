/* SPDX-License-Identifier: MIT */
/* rule: trials */
/* sizes: 0.7 1 2 */
/* wide: 0.7 1 3 */
/* least: 80 */
/* sunflowers.c: how many of the first numbers are prime, by looking for a divisor of each up to its half. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static bool is_prime(int n)
{
#ifdef FIXED
    for (int i = 2; i <= n / i; i++)
#else
    for (int i = 2; i <= n / 2; i++)
#endif
        if (n % i == 0) /* @ */
            return false;
    return n > 1;
}

int main(int argc, char **argv)
{
    int limit = (int)(40000 * (argc > 1 ? atof(argv[1]) : 1)), primes = 0;
    for (int n = 0; n < limit; n++)
        primes += is_prime(n);
    printf("%d primes\n", primes);
    return 0;
}
