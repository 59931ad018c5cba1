// SPDX-License-Identifier: MIT
// staged.cc: what lines=auto counts in C++; see staged.py and staged.c. A template may have its copy from another unit, so it is left out.
#include <profplug.h>
#include <cstdio>
#include <stdexcept>

static volatile int sink;

template <class T> __attribute__((noinline)) T shared_copy(T x)
{
    return x + sink;                               /* -20 */
}

namespace {
struct pixel {
    int value;
    pixel(int v) : value(v) {}                     /* ~20 */
    int bright() const
    {
        if (value > 9)                             /* ~20 */
            throw std::range_error("bright");      /* ~10 */
        return value;                              /* ~10 */
    }
};
}

PROFPLUG_STAGE("preprocess")
int stage(int n)
{
    int sum = 0;                                   /* =1 */
    for (int i = 0; i < n; i++) {
        pixel one(i);                              /* =20 */
        try {
            sum += shared_copy(i);                 /* =20 */
            sum += one.bright();                   /* =20 */
        } catch (const std::exception &) {
            sum--;                                 /* =10 */
        }
    }
    return sum;                                    /* =1 */
}

static void within(int i)
{
    sink = i;                                      /* ~5 */
}

int main()
{
    int sum = stage(20);                           /* =1 */
    PROFPLUG_LOOP("batches")
    for (int i : {1, 2, 3, 4, 5})
        within(i);                                 /* =5 */
    printf("%d\n", sum);                           /* =1 */
    return 7;                                      /* =1 */
}
