/* SPDX-License-Identifier: MIT */
/* sizes: 0.3 1 3 */
/* rule: lockcalls */
/* does: xorshift */
/* says: rand */
/* least: 55 */
/* raindrops.c: how much of a square a circle covers, by drops that fall anywhere. The C library's generator has a lock,
 * and as its numbers are others, both print what they found to one digit. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef FIXED
static uint64_t state = 88172645463325252u;

static int number(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (int)(state >> 33);
}
#define rand number
#endif

int main(int argc, char **argv)
{
    long drops = (long)(6000000 * (argc > 1 ? atof(argv[1]) : 1)), inside = 0;
    for (long i = 0; i < drops; i++) {
        double x = rand() / (double)RAND_MAX; /* @ */
        double y = rand() / (double)RAND_MAX; /* @ */
        inside += x * x + y * y <= 1;
    }
    printf("%.1f\n", 4.0 * (double)inside / (double)drops);
    return 0;
}
