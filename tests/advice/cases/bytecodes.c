/* SPDX-License-Identifier: MIT */
/* rule: indirections */
/* sizes: 0.3 1 3 */
/* bytecodes.c: four operations on a number, in turn. With FIXED each returns the one that follows, as in Perl: which
 * comes next is not known before, so nothing is to be sorted. */
#include <stdio.h>
#include <stdlib.h>

struct operation {
    struct operation *(*run)(struct operation *);
    struct operation *next;
    long number;
};

static long top, left;
unsigned long steps, checksum; /* of what was done */

static __attribute__((noinline)) struct operation *add(struct operation *o)
{
    top += o->number;
    return o->next;
}

static __attribute__((noinline)) struct operation *twist(struct operation *o)
{
    top ^= top >> 7 ^ o->number;
    return o->next;
}

static __attribute__((noinline)) struct operation *again(struct operation *o)
{
    return --left > 0 ? o->next : NULL;
}

static void interpret(struct operation *o)
{
#ifndef FIXED
    for (; left > 0; steps++) {
        checksum = (checksum >> 1) + steps;
        o[steps & 3].run(&o[steps & 3]); /* @ */
    }
#else
    for (; o; steps++) {
        checksum = (checksum >> 1) + steps;
        o = o->run(o);
    }
#endif
}

int main(int argc, char **argv)
{
    static struct operation program[] = {
        { add, &program[1], 5 }, { twist, &program[2], 3 }, { add, &program[3], 7 }, { again, &program[0], 0 }
    };
    left = (long)(9e6 * (argc > 1 ? atof(argv[1]) : 1));
    interpret(program);
    printf("%ld %lu\n", top, checksum);
    return 0;
}
