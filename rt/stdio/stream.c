/* SPDX-License-Identifier: MIT */
/* stream.c: calls of stdio that may ask the kernel, and the functions for a stream as a whole: flush, seek, close,
 * reopen. It must not know what is booked where. What runs once for a file or a full buffer is cold, so that it is
 * compiled for size. */
#define _GNU_SOURCE
#define __NO_INLINE__ 1 /* or <stdio.h> defines some of these itself */
#include "stdio/stream.h"

#include "operation/count.h"

#pragma GCC diagnostic ignored \
    "-Wclobbered" /* pthread_cleanup_push is a setjmp, which only returns again to unlock and to go on unwinding */

#ifdef __GLIBC__
#include <errno.h>
#include <pthread.h>

static void unlock(void *f) { funlockfile(f); }

static void begin(struct pp_stream *s, FILE *f, enum pp_operation_kind kind, const void *caller, bool late)
{
    s->file = f;
    s->caller = caller;
    s->ready = ready(f);
    s->waiting = waiting(f);
    s->ended = f->_flags & (AT_END | FAILED);
    s->placed = f->_offset >= 0;
    s->reads = kind == IN;
    s->late = late;
    s->end = f->_IO_read_end;
    s->at = f->_IO_read_ptr;
    /* Reading such a stream flushes standard output. */
    s->out = f != stdout && f->_flags & (UNBUFFERED | LINE_BUFFERED) ? waiting(stdout) : 0;
    struct pp_descriptor *d;
    s->counted = pp_count_begin(kind, caller, f->_fileno, &d, &s->generation);
    if (s->counted) {
        s->call.descriptor = d;
        s->call.place = NULL;
    } else { /* a late one stands for no other call */
        (late ? pp_call_begin : pp_call_begin_transfer)(&s->call, PP_COLLECTOR_IO, kind, caller, f->_fileno);
    }
}

void pp_stream_begin(struct pp_stream *s, FILE *f, enum pp_operation_kind kind, const void *caller)
{
    begin(s, f, kind, caller, false);
}

__attribute__((cold)) void pp_stream_moved(struct pp_stream *s, enum pp_operation_kind kind, int64_t bytes)
{
    bool foreseen = s->reads == (kind == IN);
    if (s->counted && foreseen) {
        pp_count_end(s->counted, s->call.descriptor, s->generation, kind, s->caller, bytes, PP_HERE);
        return;
    }
    if (s->counted)
        pp_call_begin(&s->call, PP_COLLECTOR_IO, kind, s->caller, s->file->_fileno);
    else if (!foreseen)
        s->call.entry = NULL; /* it is looked up */
    s->counted = NULL;
    pp_call_end(&s->call, kind, s->caller, bytes, PP_HERE);
}

void pp_stream_end_read(struct pp_stream *s, size_t read, size_t gave)
{
    size_t out = gave + s->waiting, left = waiting(s->file);
    pp_start_over(&s->call);
    if (out > left)
        pp_stream_moved(s, OUT, (int64_t)(out - left));
    int ended = s->file->_flags & (AT_END | FAILED) & ~s->ended;
    if (read || (s->reads && ended)) /* the kernel was asked, even if it had nothing */
        pp_stream_moved(s, IN, read || !(ended & FAILED) ? (int64_t)read : -1);
    if (s->out && (left = waiting(stdout)) < s->out) {
        struct pp_call call;
        pp_call_begin(&call, PP_COLLECTOR_IO, OUT, s->caller, stdout->_fileno);
        pp_call_end(&call, OUT, s->caller, (int64_t)(s->out - left), PP_HERE);
    }
}

#define MOST_FIRST 256
#define MOST_LAST 65536
ptrdiff_t pp_stream_most[2] = { MOST_FIRST, MOST_FIRST };
static void most_raise(bool writes, size_t moved)
{
    ptrdiff_t wanted = moved < MOST_LAST ? 2 * (ptrdiff_t)moved : MOST_LAST;
    if (most(writes) < wanted)
        __atomic_store_n(&pp_stream_most[writes], wanted, __ATOMIC_RELAXED);
}

void pp_stream_end(struct pp_stream *s, size_t got, size_t gave)
{
    if (s->late)
        most_raise(!s->reads, got + gave);
    size_t in = got + ready(s->file);
    pp_stream_end_read(s, in > s->ready ? in - s->ready : 0, gave);
}

void pp_stream_end_filled(struct pp_stream *s)
{
    const FILE *f = s->file;
    bool filled = f->_IO_read_end != s->end || f->_IO_read_ptr < s->at;
    size_t read = filled && !(f->_flags & IN_BACKUP) ? (size_t)(f->_IO_read_end - f->_IO_buf_base) : 0, now = ready(f);
    pp_stream_end(s, s->ready + read > now ? s->ready + read - now : 0, 0);
}

__attribute__((cold)) bool pp_stream_begin_late(struct pp_stream *s, FILE *f, enum pp_operation_kind kind,
                                                const void *caller, size_t ready, size_t waiting)
{
    if (!is_seen(f))
        return false;
    begin(s, f, kind, caller, true);
    s->ready = ready;
    s->waiting = waiting;
    s->ended = 0;
    return true;
}

static long call_next(const struct pp_ask *ask)
{
    const long *a = ask->arguments;
    return ((long (*)(long, long, long, long, long))ask->next)(a[0], a[1], a[2], a[3], a[4]);
}

static long call_booked(const struct pp_ask *ask)
{
    struct pp_stream s;
    pp_stream_begin(&s, ask->file, ask->reads ? IN : OUT, ask->caller);
    s.ask = ask;
    long result = call_next(ask);
    ask->book(&s, result);
    return result;
}

long pp_stream_run(const struct pp_ask *ask)
{
    FILE *f = ask->file;
    if (!is_seen(f))
        return call_next(ask);
    volatile long result;
    bool locked = pp_stream_lock(f), quick = ask->quick && ask->quick(ask);
    if (!locked)
        return quick ? call_next(ask) : call_booked(ask);
    if (quick) {
        result = call_next(ask);
        funlockfile(f);
        return result;
    }
    pthread_cleanup_push(unlock, f); /* it may be a cancellation point */
    result = call_booked(ask);
    pthread_cleanup_pop(1);
    return result;
}

/* Since the first seek stdio knows it, too. */
off64_t pp_stream_place(const FILE *f)
{
    if (f->_offset >= 0)
        return f->_offset;
    int kept = errno;
    off64_t at = pp_forbids(PP_FORBIDDEN_TARGETS) ? -1 : syscall(SYS_lseek, f->_fileno, 0L, (long)SEEK_CUR);
    errno = kept;
    return at;
}

static bool holds_no_output(const struct pp_ask *ask) { return !waiting(ask->file); }
static void book_flush(struct pp_stream *s, long result) { (void)result, pp_stream_end(s, s->ready, 0); }
static void book_nothing_got(struct pp_stream *s, long result) { (void)result, pp_stream_end(s, 0, 0); }

WRAPPER __attribute__((cold)) int fflush(FILE *f)
{
    /* NULL: all streams, of which only standard output is booked. */
    return (int)STREAM(.file = f ? f : stdout, .caller = PP_CALLER, .next = (void *)PP_NEXT_OF(fflush),
                       .arguments = { ARGUMENT(f) }, .quick = f ? holds_no_output : NULL,
                       .book = f ? book_flush : book_nothing_got);
}

/* Buffered bytes go to the old file. The descriptor leads elsewhere afterwards, and usually keeps its number. */
__attribute__((cold)) static FILE *reopened(FILE *(*next)(const char *restrict, const char *restrict, FILE *restrict),
                                            const char *path, const char *mode, FILE *f, const void *caller)
{
    if (!PP_RECORDS(PP_OPERATIONS_IO))
        return next(path, mode, f);
    bool seen = is_seen(f);
    size_t left = seen ? waiting(f) : 0;
    struct pp_call call;
    pp_call_begin_seldom(&call, PP_COLLECTOR_IO, PP_OPERATION_OPEN, caller);
    uint32_t target = seen ? left ? pp_descriptor_target(f->_fileno) : 0 : 0;
    if (seen)
        pp_descriptor_forget(f->_fileno);
    FILE *result = next(path, mode, f);
    if (left)
        pp_operation_book(caller, &(struct pp_done){ .kind = PP_OPERATION_WRITE, .target = target, .bytes = left });
    pp_call_open(&call, caller, result ? result->_fileno : -1, AT_FDCWD, path);
    return result;
}
#define REOPENER(name)                                                                         \
    WRAPPER FILE *name(const char *restrict path, const char *restrict mode, FILE *restrict f) \
    {                                                                                          \
        return reopened(PP_NEXT_OF(name), path, mode, f, PP_CALLER);                           \
    }
REOPENER(freopen)
REOPENER(freopen64)
WRAPPER __attribute__((cold)) int fclose(FILE *f)
{
    if (!is_seen(f))
        return PP_NEXT_OF(fclose)(f);
    int fd = f->_fileno;
    size_t left = waiting(f);
    struct pp_call call;
    struct pp_descriptor *d = left ? pp_descriptor_at(fd) : NULL;
    uint32_t target = pp_descriptor_forget(fd);
    if (left)
        pp_call_begin_seldom(&call, PP_COLLECTOR_IO, OUT, PP_CALLER);
    else
        pp_call_begin_work(&call, PP_COLLECTOR_IO, PP_OPERATION_CLOSE, PP_CALLER, target);
    int result = PP_NEXT_OF(fclose)(f);
    pp_start_over(&call);
    pp_descriptor_forget(fd);
    if (!left) {
        pp_call_end_work(&call, PP_OPERATION_CLOSE, PP_CALLER, result, target);
    } else if (!result && call.records) {
        struct pp_done done = { .kind = OUT, .target = target, .bytes = left, .callsite = call.callsite };
        pp_call_take(&call, &done.wall_ns, &done.wait_ns);
        done.sequential = d && place_next(d, PP_HERE, left);
        pp_operation_book(PP_CALLER, &done);
    }
    return result;
}

/* A seek within the buffer leaves the buffer, the kernel's position, and bytes to be read. Otherwise the buffer was
 * refilled, perhaps with the same block. The first seek always refills, because stdio does not know its position
 * yet. `bytes` is where it was. */
__attribute__((cold)) static void stream_end_moved(struct pp_stream *s, bool failed)
{
    off64_t to = pp_stream_place(s->file);
    const FILE *f = s->file;
    bool filled =
        !failed && f->_IO_read_end > f->_IO_read_base &&
        (!s->placed || to != (off64_t)s->ask->bytes || f->_IO_read_end != s->end || f->_IO_read_ptr == f->_IO_read_end);
    size_t read = filled ? (size_t)(f->_IO_read_end - f->_IO_buf_base) : 0;
    if (to >= (off64_t)read)
        pp_descriptor_move(f->_fileno, (uint64_t)to - read);
    pp_stream_end_read(s, read, 0);
    if (to >= 0)
        pp_descriptor_move(f->_fileno, (uint64_t)to);
}
static void book_seek(struct pp_stream *s, long result) { stream_end_moved(s, (int)result); }
static void book_rewind(struct pp_stream *s, long result) { (void)result, stream_end_moved(s, false); }

/* Its target lies in what was read: only the buffer's pointers move, so nothing is read or written. */
static bool seeks_in_buffer(const FILE *f, off64_t to, int whence)
{
    if (f->_offset < 0 || !f->_IO_read_base || f->_flags & (IN_BACKUP | PUTTING) || waiting(f))
        return false;
    if (whence == SEEK_CUR)
        to += f->_offset - (f->_IO_read_end - f->_IO_read_ptr);
    else if (whence != SEEK_SET)
        return false;
    return to < f->_offset && to >= f->_offset - (f->_IO_read_end - f->_IO_buf_base);
}

WRAPPER int fseeko64(FILE *f, off64_t offset, int whence)
{
    if (!is_seen(f) || (is_alone(f) && seeks_in_buffer(f, offset, whence)))
        return PP_NEXT_OF(fseeko64)(f, offset, whence);
    return (int)STREAM(.file = f, .caller = PP_CALLER, .next = (void *)PP_NEXT_OF(fseeko64),
                       .arguments = { ARGUMENT(f), offset, whence }, .reads = !waiting(f), .book = book_seek,
                       .bytes = (size_t)pp_stream_place(f));
}
ALIAS(fseeko64) int fseeko(FILE *f, off_t offset, int whence);
ALIAS(fseeko64) int fseek(FILE *f, long offset, int whence);

WRAPPER __attribute__((cold)) void rewind(FILE *f)
{
    (void)STREAM(.file = f, .caller = PP_CALLER, .next = (void *)PP_NEXT_OF(rewind), .arguments = { ARGUMENT(f) },
                 .reads = !waiting(f), .book = book_rewind, .bytes = is_seen(f) ? (size_t)pp_stream_place(f) : 0);
}

/* ---- the end ---- */

/* The C library writes the buffers after everything else. Books what they hold, and returns the bytes. */
extern FILE *_IO_list_all __attribute__((weak));
__attribute__((cold)) uint64_t pp_streams_left(void)
{
    uint64_t sum = 0;
    unsigned most = 65536;
    for (FILE *f = &_IO_list_all ? _IO_list_all : NULL; f && most--; f = f->_chain) {
        size_t left = f->_mode <= 0 && f->_fileno >= 0 ? waiting(f) : 0;
        struct pp_descriptor *d = left ? pp_descriptor_at(f->_fileno) : NULL;
        if (left)
            pp_operation_book(
                NULL, &(struct pp_done){ .kind = PP_OPERATION_LAST_WRITE,
                                         .target = d ? atomic_load_explicit(&d->target, memory_order_relaxed) : 0,
                                         .bytes = left });
        sum += left;
    }
    return sum;
}

__attribute__((cold)) bool pp_streams_are_ours(void)
{
    int (*volatile effective)(void) = getchar;
    int (*volatile printing)(const char *restrict, ...) = pp_printf_here; /* links print.c */
    (void)printing;
    return effective == pp_getchar_here;
}
#endif
