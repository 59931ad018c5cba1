/* SPDX-License-Identifier: MIT */
/* expect.h: how a test program says what its data file must hold: by its own counting, on its own standard output. The file is
 * compiled without instrumentation of these helpers. Lines: `calls NAME N`, `stage NAME KIND CALLS`, `losses NAME N` and so on
 * (tests/run/check.py); a line begins with the pid, so that a forked child speaks for its own file. */
#ifndef EXPECT_H
#define EXPECT_H

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <profplug.h>

#define QUIET __attribute__((no_instrument_function))
#define KEEP __attribute__((noinline, noclone, noipa))

QUIET static inline void expect(const char *format, ...)
{
    char line[512];
    va_list a;
    int n = snprintf(line, sizeof line, "%d ", (int)getpid());
    va_start(a, format);
    n += vsnprintf(line + n, sizeof line - (size_t)n - 1, format, a);
    va_end(a);
    line[n++] = '\n';
    if (write(1, line, (size_t)n) != n)
        _exit(99);
}

QUIET static inline unsigned long long wall_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (unsigned long long)t.tv_sec * 1000000000ull + (unsigned long long)t.tv_nsec;
}

QUIET static inline void spin_ns(unsigned long long ns)
{
    for (unsigned long long end = wall_ns() + ns; wall_ns() < end;) { }
}

#endif
