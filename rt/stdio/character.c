/* SPDX-License-Identifier: MIT */
/* character.c: wraps stdio's functions for single characters. It must not know what is booked where.
 *
 * The look at the buffer takes no lock, which would cost as much as the call. */
#define _GNU_SOURCE
#define __NO_INLINE__ 1 /* or <stdio.h> defines some of these itself */
#include "stdio/stream.h"

#ifdef __GLIBC__

#define CAN_GET(f) ((f)->_IO_read_ptr < (f)->_IO_read_end)
#define CAN_PUT(f) ((f)->_IO_write_ptr < (f)->_IO_write_end)
static inline int get(int (*next)(FILE *), FILE *f, const void *caller)
{
    return PP_LIKELY(CAN_GET(f) || !is_seen(f)) ? next(f) : pp_get_slowly(next, f, caller);
}
static inline int put(int c, FILE *f, int (*next)(int, FILE *), const void *caller)
{
    return PP_LIKELY(CAN_PUT(f) || !is_seen(f)) ? next(c, f) : pp_put_slowly((unsigned char)c, f, next, caller);
}

/* These without a frame: what is not a matter of the buffer is a jump away. The C library takes the character, so that
 * samples find it there. Macros, so that the caller is looked up only where it is needed. */
static SELDOM int other_get(FILE *f, const void *caller) { return get(PP_NEXT_OF(fgetc), f, caller); }
static SELDOM int other_put(int c, FILE *f, const void *caller) { return put(c, f, PP_NEXT_OF(fputc), caller); }
static SELDOM int unlocked_get(FILE *f, const void *caller) { return get(PP_NEXT_OF(fgetc_unlocked), f, caller); }
static SELDOM int unlocked_put(int c, FILE *f, const void *caller)
{
    return put(c, f, PP_NEXT_OF(fputc_unlocked), caller);
}
/* The C library's functions, called when the buffer has the character or room for it. They begin as functions that look
 * the real ones up, so that no call has to ask whether that was done. */
static int first_get(FILE *f), first_put(int c, FILE *f);
static int (*_Atomic buffered_get)(FILE *) = first_get;
static int (*_Atomic buffered_put)(int, FILE *) = first_put;
static SELDOM int first_get(FILE *f)
{
    int (*next)(FILE *) = PP_NEXT_OF(fgetc);
    atomic_store_explicit(&buffered_get, next, memory_order_relaxed);
    return next(f);
}
static SELDOM int first_put(int c, FILE *f)
{
    int (*next)(int, FILE *) = PP_NEXT_OF(fputc);
    atomic_store_explicit(&buffered_put, next, memory_order_relaxed);
    return next(c, f);
}
#define GET_ONE(f) \
    (PP_LIKELY(CAN_GET(f)) ? atomic_load_explicit(&buffered_get, memory_order_relaxed)(f) : other_get(f, PP_CALLER))
#define PUT_ONE(c, f)                                                                          \
    (PP_LIKELY(CAN_PUT(f)) ? atomic_load_explicit(&buffered_put, memory_order_relaxed)(c, f) : \
                             other_put(c, f, PP_CALLER))
WRAPPER int fgetc(FILE *f) { return GET_ONE(f); }
WRAPPER int getchar(void) { return GET_ONE(stdin); }
/* Compilers put these in line, where they can. */
WRAPPER SELDOM int fgetc_unlocked(FILE *f) { return unlocked_get(f, PP_CALLER); }
WRAPPER SELDOM int getchar_unlocked(void) { return unlocked_get(stdin, PP_CALLER); }
WRAPPER int fputc(int c, FILE *f) { return PUT_ONE(c, f); }
WRAPPER int putchar(int c) { return PUT_ONE(c, stdout); }
WRAPPER SELDOM int fputc_unlocked(int c, FILE *f) { return unlocked_put(c, f, PP_CALLER); }
WRAPPER SELDOM int putchar_unlocked(int c) { return unlocked_put(c, stdout, PP_CALLER); }
WRAPPER SELDOM int __uflow(FILE *f)
{
    return is_seen(f) ? pp_get_slowly(PP_NEXT_OF(__uflow), f, PP_CALLER) : PP_NEXT_OF(__uflow)(f);
}
static SELDOM int overflow(int c, FILE *f) { return PP_NEXT_OF(__overflow)(f, c); }
WRAPPER SELDOM int __overflow(FILE *f, int c)
{
    return is_seen(f) ? pp_put_slowly(c, f, overflow, PP_CALLER) : overflow(c, f);
}
ALIAS(fgetc) int getc(FILE *f);
ALIAS(fputc) int putc(int c, FILE *f);
ALIAS(fgetc_unlocked) int getc_unlocked(FILE *f);
ALIAS(fputc_unlocked) int putc_unlocked(int c, FILE *f);

__attribute__((alias("getchar"), visibility("hidden"))) int pp_getchar_here(void);
#endif
