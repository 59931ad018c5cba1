/* SPDX-License-Identifier: MIT */
/* Blocks that all lie 4 GB apart: the runtime looks for all of them at the same place of its four tables, which have room for 16
 * each. The others are lost as records, since nobody refused memory. With -DALLOCATOR: the allocator, for a library. */
#include <stddef.h>

enum { BLOCKS = 300, ROOM = 4 * 16, BYTES = 4242 };
#define APART (1ull << 32)

#ifdef ALLOCATOR
void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
void __libc_free(void *);
char *volatile apart; /* GCC knows that malloc reads no variable */

void *malloc(size_t size)
{
    if (size != BYTES || !apart)
        return __libc_malloc(size);
    apart += APART;
    return apart - APART;
}
void *calloc(size_t count, size_t size) { return __libc_calloc(count, size); }
void *realloc(void *block, size_t size) { return __libc_realloc(block, size); }
void free(void *block) { __libc_free(block); }

#else
#include "expect.h"
#include <stdlib.h>
#include <sys/mman.h>
extern char *volatile apart;

int main(void)
{
    static void *volatile block[BLOCKS];
    char *at = mmap(NULL, BLOCKS * APART, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED)
        return 1;
    apart = at;
    for (int i = 0; i < BLOCKS; i++)
        block[i] = malloc(BYTES);
    apart = NULL;
    expect("losses RECORDS %d", BLOCKS - ROOM);
    expect("losses MEMORY 0");
    expect("exit EXIT 0");
    return 0;
}
#endif
