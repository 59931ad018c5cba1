/* SPDX-License-Identifier: MIT */
/* scan.c: wraps stdio's scanning functions. It must not know what is booked where.
 *
 * It is a file of its own because they add 140 kB of the C library to a static executable. One that does not scan goes
 * without. */
#define _GNU_SOURCE
#include "stdio/stream.h"

#ifdef __GLIBC__
#include <stdarg.h>
#include <stdio.h>

/* The function behind these, which next.c names weakly. It needs this very name, which <stdio.h> redefines. */
extern int c_library_vfscanf(FILE *, const char *, va_list) __asm__("vfscanf");
__attribute__((used)) static int (*const drawing)(FILE *, const char *, va_list) = c_library_vfscanf;

int __isoc99_vfscanf(FILE *restrict f, const char *restrict form, va_list list);
int __isoc99_vscanf(const char *restrict form, va_list list);
int __isoc99_fscanf(FILE *restrict f, const char *restrict form, ...);
int __isoc99_scanf(const char *restrict form, ...);

WRAPPER int __isoc99_vfscanf(FILE *restrict f, const char *restrict form, va_list list)
{
    return pp_stream_scan(f, form, list, PP_CALLER);
}
WRAPPER int __isoc99_vscanf(const char *restrict form, va_list list)
{
    return pp_stream_scan(stdin, form, list, PP_CALLER);
}

#define SCAN(f, form)                                 \
    va_list list;                                     \
    va_start(list, form);                             \
    int n = pp_stream_scan(f, form, list, PP_CALLER); \
    va_end(list);                                     \
    return n

WRAPPER int __isoc99_fscanf(FILE *restrict f, const char *restrict form, ...) { SCAN(f, form); }
WRAPPER int __isoc99_scanf(const char *restrict form, ...) { SCAN(stdin, form); }

__attribute__((alias("__isoc99_scanf"), visibility("hidden"))) int pp_scanf_here(const char *restrict form, ...);
bool pp_scans_are_ours(void)
{
    int (*volatile effective)(const char *restrict, ...) = __isoc99_scanf;
    return effective == pp_scanf_here;
}
#endif
