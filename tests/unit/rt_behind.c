/* SPDX-License-Identifier: MIT */
/* The functions behind ours are those that dlsym finds, in their default versions, and for those that wrappers ask for dlsym is not called. */
#define _GNU_SOURCE
#include "system/behind.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(x) do { if (!(x)) { printf("%s:%d: %s\n", __FILE__, __LINE__, #x); exit(1); } } while (0)

static unsigned asked;
static void *(*loaders)(void *, const char *);

/* Ours is met before the C library's. */
void *dlsym(void *where, const char *name)
{
    asked++;
    return loaders(where, name);
}

static const char *const wrapped[] = {
#define PP_NEXT(name, fallback) #name,
#define PP_HAS_CLOCKED
#include "operation/next.def"
    "malloc", "calloc", "realloc", "free", "memalign", "aligned_alloc", "posix_memalign", "valloc", "pvalloc", "mmap", "munmap", "mremap",
    "stat", "fstat", "unlink", "rename", "opendir", "readdir", "closedir", "scandir", "ioctl", "mprotect", "sched_yield",
    "execvpe", "posix_spawn", "system", "popen", "pclose",
};
/* Versions of the same name that are not the default ones, as the C library's map has them. */
static const char *const older[][2] = { { "pthread_cond_wait", "GLIBC_2.2.5" }, { "posix_spawn", "GLIBC_2.2.5" }, { "memcpy", "GLIBC_2.2.5" } };
/* dlsym has to run what chooses one; the math library's lies behind another image or not; nobody has the last ones. */
static const char *const others[] = { "memcpy", "strlen", "gettimeofday", "cos", "pow", "no_such_function", "", "a" };

int main(void)
{
    *(void **)&loaders = dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.34");
    if (!loaders)
        *(void **)&loaders = dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.2.5");
    if (!loaders) {
        puts("skipped: no version of dlsym that this test knows");
        return 77;
    }
    unsigned count = sizeof wrapped / sizeof *wrapped, wrong = 0;
    for (unsigned i = 0; i < count; i++) {
        void *found = pp_behind(wrapped[i]), *expected = loaders(RTLD_NEXT, wrapped[i]);
        if (found != expected || !found)
            printf("%s: %p, and dlsym says %p\n", wrapped[i], found, expected), wrong++;
    }
    CHECK(count > 140 && !wrong);
    CHECK(!asked);
    unsigned versions = 0;
    for (unsigned i = 0; i < sizeof older / sizeof *older; i++) {
        void *old = dlvsym(RTLD_NEXT, older[i][0], older[i][1]);
        versions += old && old != loaders(RTLD_NEXT, older[i][0]);
        CHECK(!old || old == loaders(RTLD_NEXT, older[i][0]) || pp_behind(older[i][0]) != old);
    }
    printf("%u names, %u of them in an older version, too\n", count, versions);
    for (unsigned i = 0; i < sizeof others / sizeof *others; i++)
        CHECK(pp_behind(others[i]) == loaders(RTLD_NEXT, others[i]));
    CHECK(asked);
    return 0;
}
