/* SPDX-License-Identifier: MIT */
/* A loop, a stage with a long name, and one hot function. */
#include <profplug.h>

static volatile unsigned long sink;

__attribute__((noinline)) static unsigned long churn(unsigned n)
{
    unsigned long sum = 0;
    for (unsigned i = 0; i < n; i++)
        sum += i * (sum ^ 7) % 13;
    return sum;
}

#define LONG "äöü of forty letters and then many more: abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz" \
             "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz the end"
PROFPLUG_STAGE("heavy", "compute") __attribute__((noinline)) void heavy(unsigned n) { sink += churn(n); }
PROFPLUG_STAGE("light", "compute") __attribute__((noinline)) void light(unsigned n) { sink += churn(n); }
PROFPLUG_STAGE(LONG, "io") __attribute__((noinline)) void named(unsigned n) { sink += churn(n); }

int main(void)
{
    PROFPLUG_LOOP("rounds")
    for (int i = 0; i < 20; i++) {
        heavy(2000000);
        light(20000);
        named(200000);
    }
    return 0;
}
