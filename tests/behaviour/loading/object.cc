/* SPDX-License-Identifier: MIT */
/* object.cc: a library whose static objects are made and destroyed by instrumented code, one of them before every other. */
#include <cstdio>

struct thing {
    int number;
    __attribute__((noinline)) explicit thing(int n) : number(n) { std::printf("thing %d made\n", n); }
    __attribute__((noinline)) ~thing() { std::printf("thing %d destroyed\n", number); }
};
static thing early __attribute__((init_priority(110))) (1);
static thing late(2);

extern "C" __attribute__((noinline)) int work_77(int x) { return x + late.number; }
extern "C" int part_run(int n)
{
    static thing local(3);
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += work_77(i);
    return sum + local.number + early.number;
}
