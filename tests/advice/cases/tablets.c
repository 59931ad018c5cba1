/* SPDX-License-Identifier: MIT */
/* rule: divisions */
/* sizes: 0.3 1 3 */
/* kind: bound */
/* most: 40 */
/* says: number, */
/* libraries: -lm */
/* tablets.c: which numbers are prime. A square root beside a division takes no longer than the division, and what the
 * function calls "number" is its caller's "i", which is something else there. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int is_prime(int number)
{
#ifdef FIXED
    double root = sqrt(number);
    for (int i = 2; i <= root; i++)
#else
    for (int i = 2; i <= sqrt(number); i++) /* @ */
#endif
        if (number % i == 0)
            return 0;
    return number > 1;
}

int main(int argc, char **argv)
{
    int most = (int)(600000 * (argc > 1 ? atof(argv[1]) : 1)), count = 0;
    for (int i = 0; i < most; i++)
        count += is_prime(i);
    printf("%d of %d\n", count, most);
    return 0;
}
