/* SPDX-License-Identifier: MIT */
/* stubs.c: a loop that calls a function of a library, which does next to nothing: a large part of the time is the
 * linker's code between the two. For stubs.py. */
#ifdef LIBRARY
int tiny(int x) { return x + 1; }
#else
#include <stdio.h>
#include <stdlib.h>

extern int tiny(int x);

int main(int argc, char **argv)
{
    int sum = 0;
    int (*volatile taken)(int) = NULL;
#ifdef TAKEN /* then its stub is in .plt.got */
    taken = argc > 2 ? tiny : NULL;
#endif
    (void)argc;
    for (long i = 0; i < atol(argv[1]); i += 1000)
        for (int k = 0; k < 1000; k++)
            sum = tiny(sum); /* calls */
    printf("%d %d\n", sum, taken != NULL);
}
#endif
