/* SPDX-License-Identifier: MIT */
/* loops.c: the loop pragma in C. `@loop NAME RUNS BODIES` says what the checker must find; the numbers follow from the text. */
#include <profplug.h>
#include <stdio.h>

static int work(int x) { return x * 3; }

static int returns(int n)
{
    int s = 0;
    PROFPLUG_LOOP("returns", "io") for (int i = 0; i < n; i++) {
        if (i == 3)
            return s;
        s += work(i);
    }
    return s;
}

static int jumps(int n)
{
    int i, s = 0;
    PROFPLUG_LOOP("jumps") for (i = 0; i < 100; i++) {
        switch (i) {
        case 1: continue;
        case 2: break;
        case 5: goto out;
        }
        if (n > 100) goto inside;
        s++;
    inside:
        s += n;
    }
out:
    return s;
}

int main(void)
{
    int i, s = 0;
#pragma profplug loop("plain")
    for (i = 0; i < 10; i++)
        s += work(i);
    i = 9;
#pragma profplug loop("endless", "compute")
    for (int j = 0;; j++) {
        if (j == 4) break;
        s += j;
        PROFPLUG_LOOP("inner") while (i-- > 7) {
            if (i == 8) continue;
            s++;
        }
    }
    i = 0;
    PROFPLUG_LOOP("do") do { s++; if (i == 2) continue; } while (++i < 6);
    if (s) PROFPLUG_LOOP("under if") for (i = 0; i < 2; i++) {
        PROFPLUG_SCOPE("scope");
        if (i) goto out;
        s += returns(i * 10);
    } else s = 7;
out:
    s += returns(10) + returns(2) + jumps(1);
    switch (s & 1) {
    case 0:
    case 1:
        PROFPLUG_LOOP("under case") for (i = 0; i < 2; i++) switch (i) { case 0: s++; break; default: continue; }
    }
    s += ({ int t = 0; PROFPLUG_LOOP("in expression") for (i = 0; i < 3; i++) t++; t; });
    PROFPLUG_LOOP("never") for (; i < 0;) s++;
#pragma profplug loop("unrolled")
#pragma GCC unroll 4
    for (i = 0; i < 9; i++) s += i;
    PROFPLUG_LOOP("outer") for (i = 0; i < 3; i++) PROFPLUG_LOOP("nested") for (int j = 0; j < i; j++) s += j;
    printf("result %d\n", s);
    puts("@loop plain 1 10\n@loop endless 1 5\n@loop do 1 6\n@loop under_if 1 2\n@scope scope 2\n@loop returns 3 6\n@loop jumps 1 6\n"
         "@loop under_case 1 2\n@loop in_expression 1 3\n@loop never 1 0\n@loop unrolled 1 9\n@loop outer 1 3\n@loop nested 3 3\n@loop inner 4 2");
    return 0;
}
