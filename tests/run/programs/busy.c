/* SPDX-License-Identifier: MIT */
/* Calls busy_run of a library for half a second of CPU time, beside which what the start takes is little on any
 * processor: with LINKED of one that it was linked with, else of the one that argv names. */
#include "expect.h"
#include <dlfcn.h>

enum { TIMES = 100000 };

static int is_over(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec || t.tv_nsec >= 500000000;
}

#ifdef LINKED
void busy_run(int times);
int main(void) { while (!is_over()) busy_run(TIMES); return 0; }
#else
int main(int argc, char **argv)
{
    void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    void (*busy_run)(int);
    if (!library) { fprintf(stderr, "%s\n", dlerror()); return 2; }
    *(void **)&busy_run = dlsym(library, "busy_run");
    while (!is_over()) busy_run(TIMES);
    return 0;
}
#endif
