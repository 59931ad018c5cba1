/* SPDX-License-Identifier: MIT */
/* Arguments and results of every class pass a function's probe unharmed, also where each call is timed; and a program that is written as tail
 * calls runs on its small stack.
 *
 * with: -O2 -pthread
 * run: timing=adaptive
 * run: timing=exact
 * expect: function even 1000001
 * expect: function odd 1000000
 * expect: function classes 20000 */
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

#define KEEP __attribute__((noinline, noclone))
static volatile long sink;

KEEP long even(long n, long sum);
KEEP long odd(long n, long sum) { for (int i = 0; i < sink; i++) sum++; return even(n - 1, sum ^ n); }
KEEP long even(long n, long sum) { for (int i = 0; i < sink; i++) sum++; return n ? odd(n - 1, sum + n) : sum; }

struct large { long a[5]; };
struct mixed { double d; long l; };
KEEP struct large large(int a, double b, float c, const char *s) { struct large r; for (int i = 0; i < 5; i++) r.a[i] = a * i + (long)b + (long)c + s[0]; return r; }
KEEP struct mixed classes(double a, double b, double c, double d, double e, double f, float g, double h, int i, long j, char k, short l, void *m, unsigned n)
{
    struct mixed r = { a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h, i };
    for (int t = 0; t < 3; t++) r.l += j * t + k + l + (m != 0) + n;
    return r;
}
KEEP long double extended(int n) { long double r = 1; for (int i = 1; i < n; i++) r *= 1.5L; return r; }
KEEP _Complex double squared(double x) { _Complex double r = x; for (int i = 0; i < 3; i++) r = r * r + 1.0i; return r; }
KEEP int stacked(int a, int b, int c, int d, int e, int f, int g, int h) { int s = 0; for (int i = 0; i < a; i++) s += b * c - d + e * f - g * h; return s; }
KEEP double variadic(int n, ...)
{
    double sum = 0;
    va_list more;
    va_start(more, n);
    for (int i = 0; i < n; i++) sum += i & 1 ? va_arg(more, double) : va_arg(more, int);
    va_end(more);
    return sum;
}
#ifdef __x86_64__
__attribute__((ms_abi)) KEEP double foreign(int a, double b, int c, double d, int e, double f) { double s = 0; for (int i = 0; i < 3; i++) s += a * b + c * d + e * f; return s; }
#else
KEEP double foreign(int a, double b, int c, double d, int e, double f) { double s = 0; for (int i = 0; i < 3; i++) s += a * b + c * d + e * f; return s; }
#endif

static void *run(void *argument)
{
    double sum = 0;
    long double product = 0;
    printf("%ld\n", even(2000000, 0));
    for (int i = 0; i < 20000; i++) {
        struct large l = large(i, i * .5, 3.f, "x");
        struct mixed m = classes(1, 2, 3, 4, 5, 6, 7, i, i, 9, 10, 11, argument, 13);
        sum += m.d + m.l + l.a[4] + __real squared(1. / (i + 1)) + __imag squared(.1) + stacked(3, i, 2, 3, 4, 5, 6, 7) + variadic(5, 1, 2., 3, 4., i)
               + foreign(1, 2., 3, 4., i, 6.);
        product += extended(i % 50);
    }
    printf("%.17g %Lg\n", sum, product);
    return argument;
}

int main(void)
{
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 1 << 20);
    return pthread_create(&thread, &attributes, run, &thread) || pthread_join(thread, 0);
}
