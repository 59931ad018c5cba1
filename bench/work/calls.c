/* SPDX-License-Identifier: MIT */
/* calls.c: `calls ROUNDS DEPTH`: a recursion that does next to nothing but call; prints its result, and how many calls that were, which
 * it knows by arithmetic. Neither of its calls can become a jump or a sum, and the function stays one. */
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline, noclone)) static unsigned descend(unsigned depth, unsigned value)
{
    if (depth < 2)
        return value * 2654435761u + depth;
    unsigned near = descend(depth - 1, value + 1);
    return near ^ descend(depth - 2, near >> 3) >> 1;
}

static unsigned go_down(unsigned depth, unsigned value)
{
    return descend(depth, value);
}

static unsigned mix(unsigned a, unsigned b)
{
    return (a << 5 | a >> 27) ^ b;
}

static unsigned long calls_of(unsigned depth)
{
    unsigned long a = 1, b = 1;                     /* of depth 0 and 1 */
    for (unsigned i = 2; i <= depth; i++) {
        unsigned long c = 1 + a + b;
        a = b;
        b = c;
    }
    return b;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    unsigned rounds = (unsigned)atoi(argv[1]), depth = (unsigned)atoi(argv[2]), result = 0;
    for (unsigned round = 0; round < rounds; round++)
        result = mix(result, go_down(depth, round));
    printf("%u, %lu calls\n", result, rounds * calls_of(depth));
    return 0;
}
