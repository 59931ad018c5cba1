/* SPDX-License-Identifier: MIT */
/* Calls busy_run of a library: with LINKED of one that it was linked with, else of the one that argv names. */
#include "expect.h"
#include <dlfcn.h>

enum { TIMES = 2000000 };

#ifdef LINKED
void busy_run(int times);
int main(void) { busy_run(TIMES); return 0; }
#else
int main(int argc, char **argv)
{
    void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    void (*busy_run)(int);
    if (!library) { fprintf(stderr, "%s\n", dlerror()); return 2; }
    *(void **)&busy_run = dlsym(library, "busy_run");
    busy_run(TIMES);
    return 0;
}
#endif
