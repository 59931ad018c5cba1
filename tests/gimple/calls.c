/* SPDX-License-Identifier: MIT */
/* calls.c: every kind of call that returns. Counts itself: a line `@NAME N` says how often NAME was entered. */
#include <alloca.h>
#include <profplug.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEEP __attribute__((noipa))
/* keeps GCC from turning a recursion into a loop */
#define REAL_CALL(value) ({ int real_ = (value); __asm__ volatile("" : "+r"(real_)); real_; })
#define COUNT(name) (count_##name++)
static long count_leaf, count_fib, count_even, count_odd, count_deep, count_sum, count_vla, count_outer, count_stage, count_inner_stage, count_machine,
    count_variadic, count_structure, count_compare, count_skipped, count_early, count_forever;

KEEP static int leaf(int x) { COUNT(leaf); return x + 1; }
KEEP static int fib(int n) { COUNT(fib); return n < 2 ? n : REAL_CALL(fib(n - 1)) + REAL_CALL(fib(n - 2)); }
KEEP static int odd(unsigned n);
KEEP static int even(unsigned n) { COUNT(even); return n == 0 ? 1 : odd(n - 1); }      /* tail calls at -O2 */
KEEP static int odd(unsigned n) { COUNT(odd); return n == 0 ? 0 : even(n - 1); }
KEEP static long deep(int n) { COUNT(deep); volatile char pad[16]; pad[0] = 1; long r = n ? deep(n - 1) : 0; return r + pad[0]; }
KEEP static int sum(const int *p, int n) { COUNT(sum); int s = 0; for (int i = 0; i < n; i++) s += leaf(p[i]); return s; }
KEEP static int vla(int n)
{
    COUNT(vla);
    int a[n], *b = alloca(n * sizeof *b);
    for (int i = 0; i < n; i++)
        a[i] = b[i] = i;
    return sum(a, n) + sum(b, n);
}
KEEP static int outer(int n)
{
    COUNT(outer);
    int total = 0;
    auto void nested(int k);
    void nested(int k) { total += leaf(k); }
    void (*pointer)(int) = nested;
    for (int i = 0; i < n; i++)
        pointer(i);
    return total;
}
PROFPLUG_STAGE("inner", "compute") static int inner_stage(int n) { COUNT(inner_stage); return leaf(n); }
PROFPLUG_STAGE("data_loading") int stage(int n);
int stage(int n) { COUNT(stage); return n ? inner_stage(n) + REAL_CALL(stage(n - 1)) : 0; }

/* computed gotos, as interpreters have them */
KEEP static int machine(const char *code)
{
    COUNT(machine);
    static void *const table[] = { &&add, &&call, &&again, &&stop };
    int r = 0;
    const char *p = code;
#define NEXT goto *table[*p++ - 'a']
    NEXT;
add:
    r++;
    NEXT;
call:
    r = leaf(r);
    NEXT;
again:
    if (r < 100) p = code;
    NEXT;
stop:
    return r;
}
KEEP static int variadic(int n, ...)
{
    COUNT(variadic);
    __builtin_va_list v;
    __builtin_va_start(v, n);
    double s = 0;
    while (n--)
        s += __builtin_va_arg(v, double);
    __builtin_va_end(v);
    return (int)s;
}
struct big { long a[8]; _Complex double c; };
KEEP static struct big structure(struct big b, long double d) { COUNT(structure); b.a[7] += (long)d; b.c += 1.0i; return b; }
static int compare(const void *a, const void *b) { COUNT(compare); return *(const int *)a - *(const int *)b; }
PROFPLUG_SKIP KEEP static int skipped(int x) { COUNT(skipped); return x; }
__attribute__((constructor)) static void early(void) { COUNT(early); }
/* the entry is the head of a loop */
KEEP static void forever(int *n)
{
    if (*n == 5) COUNT(forever);
again:
    if (--*n <= 0) return;
    leaf(*n);
    goto again;
}

int main(void)
{
    int values[100], r = 0;
    for (int i = 0; i < 100; i++)
        values[i] = (i * 37) % 101;
    r += fib(18) + even(100001) + odd(5) + (int)deep(100000);
    for (int i = 0; i < 7; i++)
        r += sum(values, i) + vla(i + 1) + outer(i);
    for (int i = 0; i < 4; i++)
        r += stage(i);
    r += machine("abcbad") + machine("d");
    r += variadic(3, 1.0, 2.0, 3.5) + variadic(0);
    struct big b = { { 1 }, 0 };
    for (int i = 0; i < 3; i++)
        b = structure(b, 2.0L);
    qsort(values, 100, sizeof *values, compare);
    r += skipped(1) + values[50] + (int)b.a[7];
    int n = 5;
    forever(&n);
    printf("result %d\n", r);
#define SHOW(name) printf("@%s %ld\n", #name, count_##name)
    SHOW(leaf); SHOW(fib); SHOW(even); SHOW(odd); SHOW(deep); SHOW(sum); SHOW(vla); SHOW(outer); SHOW(stage); SHOW(inner_stage); SHOW(machine);
    SHOW(variadic); SHOW(structure); SHOW(compare); SHOW(early); SHOW(forever);
    printf("@main 1\n");
    return 0;
}
