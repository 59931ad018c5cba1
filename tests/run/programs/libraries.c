/* SPDX-License-Identifier: MIT */
/* dlopen and dlclose, again and again, each time at another place: nothing is lost, keys are not used up; threads too see libraries that come late.
 * argv: library files. */
#include "expect.h"
#include <dlfcn.h>
#include <pthread.h>
#include <sys/mman.h>

enum { TIMES = 300 };

KEEP void own(void) { __asm__ volatile(""); }
static void (*entry)(int);
static void *thread(void *arg) { entry(5); own(); return arg; }

PROFPLUG_STAGE("caller", "compute") KEEP void caller(int argc, char **argv)
{
    for (int i = 0; i < TIMES; i++) {
        void *library = dlopen(argv[1 + i % (argc - 1)], RTLD_NOW | RTLD_LOCAL);
        if (!library) { expect("failed %s", dlerror()); return; }
        *(void **)&entry = dlsym(library, "library_run");
        entry(3);
        pthread_t t;
        pthread_create(&t, 0, thread, 0);
        pthread_join(t, 0);
        void *page = (void *)(*(uintptr_t *)&entry & ~(uintptr_t)4095);
        dlclose(library);
        mmap(page, 1, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);       /* it cannot come back to where it lay */
    }
}
int main(int argc, char **argv)
{
    own();
    caller(argc, argv);
    int libraries = argc - 1;
    expect("calls own %d", TIMES + 1);
    expect("stage caller stage 1");
    expect("stage in_library stage %d", TIMES * 8);
    expect("stage library_scope scope %d", TIMES * 2);
    for (int i = 1; i <= libraries; i++)
        expect("calls helper_%d %d", i, TIMES / libraries * 8);
    expect("threads %d", TIMES + 1);
    expect("files 1");
    expect("sites_most %d", 2 + 3 * (4 + 3 * 3) + 8);
    expect("lossless");
    expect("exit EXIT 0");
    return 0;
}
