/* SPDX-License-Identifier: MIT */
/* new.cc: what C++ gets from its library stands at the line that asked for it. */
#include <memory>
#include <new>
#include <vector>

#include "truth.h"

struct wide { char byte[40]; };
struct alignas(64) aligned { char byte[128]; };
static void *volatile keep;

static void expect(int line, uint64_t blocks, uint64_t bytes, uint64_t freed, uint64_t freed_bytes)
{
    char name[64];
    snprintf(name, sizeof name, "new.cc:%d", line);
    expect_exact("allocations", name, "alloc_blocks", blocks);
    expect_exact("allocations", name, "alloc_bytes", bytes);
    expect_exact("allocations", name, "free_blocks", freed);
    expect_exact("allocations", name, "free_bytes", freed_bytes);
}

int main()
{
    for (int i = 0; i < 5; i++) {
        wide *one = new wide;
        keep = one;
        delete one;
    }
    expect(__LINE__ - 4, 5, 200, 5, 200);
    wide *some = new wide[3];
    keep = some;
    expect(__LINE__ - 2, 1, 120, 0, 0);
    aligned *far = new aligned;
    keep = far;
    delete far;
    expect(__LINE__ - 3, 1, 128, 1, 128);
    char *maybe = new (std::nothrow) char[1000];
    keep = maybe;
    delete[] maybe;
    expect(__LINE__ - 3, 1, 1000, 1, 1000);
    return 0;
}
