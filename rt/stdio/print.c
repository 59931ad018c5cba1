/* SPDX-License-Identifier: MIT */
/* print.c: wraps stdio's functions for formatted output, for messages on standard error, and what scan.c needs. It must
 * not know what is booked where. */
#define _GNU_SOURCE
#define __NO_INLINE__ 1 /* or <stdio.h> defines some of these itself */
#include "stdio/stream.h"

#pragma GCC diagnostic ignored \
    "-Wclobbered" /* pthread_cleanup_push is a setjmp, which only returns again to unlock and to go on unwinding */

#ifdef __GLIBC__
#include <errno.h>
#include <libintl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>

/* ---- formatted output. Its length is not known before: where there is much room it is taken to fit, and if it does
 * not, it has no time ---- */

#define PLAIN (-1) /* as flag: without -D_FORTIFY_SOURCE */
int __vfprintf_chk(FILE *restrict f, int flag, const char *restrict form, va_list list);

static void unlock(void *f) { funlockfile(f); }
static inline int form_next(FILE *f, int flag, const char *form, va_list list)
{
    return flag == PLAIN ? PP_NEXT_OF(vfprintf)(f, form, list) : PP_NEXT_OF(__vfprintf_chk)(f, flag, form, list);
}

static SELDOM void printed_late(FILE *f, const void *caller, size_t before, size_t n)
{
    struct pp_stream s;
    if (pp_stream_begin_late(&s, f, OUT, caller, ready(f), before))
        pp_stream_end(&s, 0, n);
}

static inline int printed_much(FILE *f, int flag, const char *form, va_list list, const void *caller)
{
    size_t before = waiting(f);
    int n = form_next(f, flag, form, list);
    if (PP_UNLIKELY(n > 0 && before + (size_t)n > waiting(f)))
        printed_late(f, caller, before, (size_t)n);
    return n;
}

static SELDOM int printed_locked(FILE *f, int flag, const char *form, va_list list, const void *caller)
{
    struct pp_stream stream;
    if (f->_IO_write_end - f->_IO_write_ptr >= most(true))
        return printed_much(f, flag, form, list, caller);
    pp_stream_begin(&stream, f, OUT, caller);
    int n = form_next(f, flag, form, list);
    pp_stream_end(&stream, 0, n > 0 ? (size_t)n : 0);
    return n;
}

static SELDOM int printed_seldom(FILE *f, int flag, const char *form, va_list list, const void *caller)
{
    volatile int n;
    if (!is_seen(f))
        return form_next(f, flag, form, list);
    if (!pp_stream_lock(f))
        return printed_locked(f, flag, form, list, caller);
    pthread_cleanup_push(unlock, f);
    n = printed_locked(f, flag, form, list, caller);
    pthread_cleanup_pop(1);
    return n;
}

static __attribute__((noinline)) int printed(FILE *f, int flag, const char *form, va_list list, const void *caller)
{
    if (!PP_RECORDS(PP_OPERATIONS_IO))
        return form_next(f, flag, form, list);
    if (PP_LIKELY(has_much_room(f)))
        return printed_much(f, flag, form, list, caller);
    return printed_seldom(f, flag, form, list, caller);
}

#define FORM(f, flag, form)                          \
    va_list list;                                    \
    va_start(list, form);                            \
    int n = printed(f, flag, form, list, PP_CALLER); \
    va_end(list);                                    \
    return n

WRAPPER int vfprintf(FILE *restrict f, const char *restrict form, va_list list)
{
    return printed(f, PLAIN, form, list, PP_CALLER);
}
WRAPPER int vprintf(const char *restrict form, va_list list) { return printed(stdout, PLAIN, form, list, PP_CALLER); }
WRAPPER int fprintf(FILE *restrict f, const char *restrict form, ...) { FORM(f, PLAIN, form); }
WRAPPER int printf(const char *restrict form, ...) { FORM(stdout, PLAIN, form); }

/* Output to a descriptor goes through a buffer of the call's own, which is written when it is full and at the end. */
int __vdprintf_chk(int fd, int flag, const char *restrict form, va_list list);
int __dprintf_chk(int fd, int flag, const char *restrict form, ...);

static SELDOM int direct(int fd, int flag, const char *form, va_list list, const void *caller)
{
    int n;
    struct pp_call call;
    bool seen = PP_RECORDS(PP_OPERATIONS_IO);
    if (seen)
        pp_call_begin_transfer(&call, PP_COLLECTOR_IO, PP_OPERATION_WRITE, caller, fd);
    n = flag == PLAIN ? PP_NEXT_OF(vdprintf)(fd, form, list) : PP_NEXT_OF(__vdprintf_chk)(fd, flag, form, list);
    if (seen)
        pp_call_end(&call, PP_OPERATION_WRITE, caller, n, PP_HERE);
    return n;
}

#define DIRECT(fd, flag, form)                       \
    va_list list;                                    \
    va_start(list, form);                            \
    int n = direct(fd, flag, form, list, PP_CALLER); \
    va_end(list);                                    \
    return n

WRAPPER int vdprintf(int fd, const char *restrict form, va_list list)
{
    return direct(fd, PLAIN, form, list, PP_CALLER);
}
WRAPPER int dprintf(int fd, const char *restrict form, ...) { DIRECT(fd, PLAIN, form); }
WRAPPER int __vdprintf_chk(int fd, int flag, const char *restrict form, va_list list)
{
    return direct(fd, flag, form, list, PP_CALLER);
}
WRAPPER int __dprintf_chk(int fd, int flag, const char *restrict form, ...) { DIRECT(fd, flag, form); }

/* ---- messages on standard error, whose text is the C library's ---- */

/* `bytes` of text were written. Where the stream had failed before, or is wide, that is not known. A stream without
 * orientation was bypassed. */
static void book_message(struct pp_stream *s, long result)
{
    bool failed = s->file->_flags & FAILED;
    (void)result;
    if (s->file->_mode)
        pp_stream_end(s, 0, failed ? 0 : s->ask->bytes);
    else
        pp_stream_moved(s, OUT, failed ? -1 : (int64_t)s->ask->bytes);
}
static bool is_not_known(const struct pp_ask *ask) { return ask->file->_mode > 0 || ask->file->_flags & FAILED; }
#define MESSAGE(function, text, ...)                                                                         \
    (void)STREAM(.file = stderr, .caller = PP_CALLER, .next = (void *)PP_NEXT_OF(function),                  \
                 .arguments = { __VA_ARGS__ }, .bytes = is_seen(stderr) ? (text) : 0, .quick = is_not_known, \
                 .book = book_message)

static size_t error_bytes(const char *before)
{
    char room[1024]; /* as in perror */
    int kept = errno;
    size_t text = strlen(strerror_r(errno, room, sizeof room)) + 1;
    errno = kept;
    return text + (before && *before ? strlen(before) + 2 : 0);
}

WRAPPER void perror(const char *before) { MESSAGE(perror, error_bytes(before), ARGUMENT(before)); }

#ifdef PP_HAS_CLOCKED
static size_t signal_bytes(int number, const char *before)
{
    int kept = errno;
    const char *known = sigdescr_np(number);
    size_t text = known ? strlen(dgettext("libc", known)) + 1
                        : (size_t)snprintf(NULL, 0, dgettext("libc", "%s%sUnknown signal %d\n"), "", "", number);
    errno = kept;
    return text + (before && *before ? strlen(before) + 2 : 0);
}

WRAPPER void psignal(int number, const char *before)
{
    MESSAGE(psignal, signal_bytes(number, before), number, ARGUMENT(before));
}
#endif

/* ---- scanning: where much is buffered it is taken to need no more ---- */

extern int __isoc99_vfscanf(FILE *restrict f, const char *restrict form, va_list list);

static SELDOM void scanned_late(FILE *f, const void *caller, size_t had)
{
    struct pp_stream s;
    if (pp_stream_begin_late(&s, f, IN, caller, had, 0))
        pp_stream_end(&s, had + (size_t)(f->_IO_read_end - f->_IO_buf_base) - ready(f), 0);
}

/* A buffer that was refilled ends elsewhere, or is read from an earlier place. */
static int scanned_much(FILE *f, const char *form, va_list list, const void *caller)
{
    const char *at = f->_IO_read_ptr, *end = f->_IO_read_end;
    int n = PP_NEXT_OF(__isoc99_vfscanf)(f, form, list);
    if (PP_UNLIKELY(f->_IO_read_end != end || f->_IO_read_ptr < at))
        scanned_late(f, caller, (size_t)(end - at));
    return n;
}

static SELDOM int scanned_locked(FILE *f, const char *form, va_list list, const void *caller)
{
    struct pp_stream stream;
    if (!(f->_flags & IN_BACKUP) && f->_IO_read_end - f->_IO_read_ptr >= most(false))
        return scanned_much(f, form, list, caller);
    pp_stream_begin(&stream, f, IN, caller);
    int n = PP_NEXT_OF(__isoc99_vfscanf)(f, form, list);
    pp_stream_end_filled(&stream);
    return n;
}

static SELDOM int scanned_seldom(FILE *f, const char *form, va_list list, const void *caller)
{
    volatile int n;
    if (!pp_stream_lock(f))
        return scanned_locked(f, form, list, caller);
    pthread_cleanup_push(unlock, f);
    n = scanned_locked(f, form, list, caller);
    pthread_cleanup_pop(1);
    return n;
}

int pp_stream_scan(FILE *f, const char *form, va_list list, const void *caller)
{
    if (!is_seen(f))
        return PP_NEXT_OF(__isoc99_vfscanf)(f, form, list);
    return holds_much(f) ? scanned_much(f, form, list, caller) : scanned_seldom(f, form, list, caller);
}

/* ---- -D_FORTIFY_SOURCE ---- */

int __vprintf_chk(int flag, const char *restrict form, va_list list);
int __fprintf_chk(FILE *restrict f, int flag, const char *restrict form, ...);
int __printf_chk(int flag, const char *restrict form, ...);

WRAPPER int __vfprintf_chk(FILE *restrict f, int flag, const char *restrict form, va_list list)
{
    return printed(f, flag, form, list, PP_CALLER);
}
WRAPPER int __vprintf_chk(int flag, const char *restrict form, va_list list)
{
    return printed(stdout, flag, form, list, PP_CALLER);
}
WRAPPER int __fprintf_chk(FILE *restrict f, int flag, const char *restrict form, ...) { FORM(f, flag, form); }
WRAPPER int __printf_chk(int flag, const char *restrict form, ...) { FORM(stdout, flag, form); }

__attribute__((alias("printf"), visibility("hidden"), nonnull(1))) int pp_printf_here(const char *restrict form, ...);
#endif
