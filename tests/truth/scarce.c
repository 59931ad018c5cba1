/* SPDX-License-Identifier: MIT */
/* scarce.c: a heap that reaches its limit. What malloc refused is no block, even if the heap is at the lowest
 * addresses, as in an executable that is not position-independent. */
#include <malloc.h>
#include <stdlib.h>
#include <sys/resource.h>

#include <profplug.h>
#include "truth.h"

#define REFUSED 1000
#define SIZE 200
#define LIMIT (64 << 20)

/* Makes the shadow of the whole future heap before the limit is set, because it is memory of the profiler. */
static void reach(size_t most)
{
    static void *block[4096];
    size_t n = most >> 16;
    for (size_t i = 0; i < n; i++) block[i] = malloc(1 << 16);
    for (size_t i = n; i-- > 0;) free(block[i]);
}

static __attribute__((noinline)) uint64_t fill(rlim_t most)
{
    void *last = NULL;
    uint64_t got = 0;
    profplug_begin("fill");
    setrlimit(RLIMIT_DATA, &(struct rlimit){ most, RLIM_INFINITY });
    for (int refused = 0; refused < REFUSED;) {
        void **block = malloc(SIZE);
        if (!block || (most == RLIM_INFINITY && got == 10)) {
            refused += most == RLIM_INFINITY ? REFUSED : 1;
            got += block != NULL;
            free(block);
            continue;
        }
        *block = last;
        last = block;
        got++;
    }
    while (last) {
        void *next = *(void **)last;
        free(last);
        last = next;
    }
    setrlimit(RLIMIT_DATA, &(struct rlimit){ RLIM_INFINITY, RLIM_INFINITY });
    profplug_end("fill");
    return got;
}

int main(void)
{
    mallopt(M_MMAP_MAX, 0);                              /* the break, and nothing else */
    mallopt(M_ARENA_MAX, 1);
    reach(LIMIT);
    uint64_t got = fill(RLIM_INFINITY) + fill(LIMIT);
    expect_exact("stages", "fill", "alloc_blocks", got);
    expect_exact("stages", "fill", "free_blocks", got);
    expect_exact("stages", "fill", "alloc_bytes", got * SIZE);
    return 0;
}
