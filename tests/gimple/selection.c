/* SPDX-License-Identifier: MIT */
/* selection.c: one function for each reason; selection.py looks at what became of them. */
#include <profplug.h>
#include <setjmp.h>
#define KEEP __attribute__((noipa))
volatile int v;
static jmp_buf env;
KEEP int small(int x) { return x + 1; }
KEEP int loops(int n) { int s = 0; while (n--) s += v; return s; }
KEEP int large(int x)
{
#define TEN v++; v++; v++; v++; v++; v++; v++; v++; v++; v++;
    TEN TEN TEN
    return x;
}
KEEP int catches(void) { return setjmp(env); }
KEEP __attribute__((no_instrument_function)) int excluded(int x) { return x; }
__attribute__((naked)) void bare(void) { __asm__("ret"); }
KEEP __attribute__((no_split_stack)) int no_split(int x) { return x; }
static void *resolver(void) { return (void *)small; }
int resolved(int) __attribute__((ifunc("resolver")));
PROFPLUG_STAGE("preprocess") int stage_a(int x) { return x; }
PROFPLUG_STAGE("io_wait") int stage_b(int x) { return x; }
PROFPLUG_STAGE("prep") int stage_c(int x) { return x; }
PROFPLUG_STAGE("io", "custom") int stage_d(int x) { return x; }
PROFPLUG_STAGE("net") int stage_e(int x) { return x; }
__attribute__((profile_stage("declared", "gpu"))) int stage_f(int x);
int stage_f(int x) { return x; }
int main(void)
{
    bare();
    PROFPLUG_LOOP("loop") for (int i = 0; i < 2; i++) v++;
    return small(1) + loops(2) + large(1) + catches() + excluded(1) + no_split(1) + resolved(1) + stage_a(1) + stage_b(1) + stage_c(1) + stage_d(1) + stage_e(1) + stage_f(1) == 0;
}
