/* SPDX-License-Identifier: MIT */
/* stream.c: wraps stdio's functions. It must not know what is booked where.
 *
 * A call that only fills or empties the stream's buffer is passed on after a look at the buffer. What other calls did
 * is computed from the buffer. Bytes read are those that the caller got, plus what is buffered in addition afterwards.
 * Bytes written are those that the caller gave, less what is buffered in addition. A stream without a descriptor is not
 * booked.
 *
 * With several threads the stream is locked around look and call, as the functions themselves do. A thread that is
 * cancelled in between unlocks it. */
#define _GNU_SOURCE
#define __NO_INLINE__ 1 /* or <stdio.h> defines some of these itself */
#include "operation/operation.h"
#include "system/state.h"

#pragma GCC diagnostic ignored \
    "-Wclobbered" /* pthread_cleanup_push is a setjmp, which only returns again to unlock and to go on unwinding */

#ifdef __GLIBC__
#include <errno.h>
#include <fcntl.h>
#include <libintl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Flags of FILE that have no public names. glibc cannot change them, because putc and getc are compiled into
 * programs. */
enum {
    UNBUFFERED = 0x2,
    AT_END = 0x10,
    FAILED = 0x20,
    IN_BACKUP = 0x100,
    LINE_BUFFERED = 0x200,
    FLAGS2_MAPPED = 1,
    FLAGS2_NEED_LOCK = 128
};

static inline size_t ready(const FILE *f) /* buffered bytes that can be read */
{
    return (size_t)(f->_IO_read_end - f->_IO_read_ptr) +
           (PP_UNLIKELY(f->_flags & IN_BACKUP) ? (size_t)(f->_IO_save_end - f->_IO_save_base) : 0);
}
static inline size_t waiting(const FILE *f) /* buffered bytes that will be written */
{
    return f->_IO_write_ptr > f->_IO_write_base ? (size_t)(f->_IO_write_ptr - f->_IO_write_base) : 0;
}
static inline size_t room(const FILE *f) /* how much can be written without a flush */
{
    return f->_flags & (UNBUFFERED | LINE_BUFFERED) || f->_IO_write_end < f->_IO_write_ptr
               ? 0
               : (size_t)(f->_IO_write_end - f->_IO_write_ptr);
}
static inline bool holds(const FILE *f, size_t bytes)
{
    return !(f->_flags & IN_BACKUP) && (size_t)(f->_IO_read_end - f->_IO_read_ptr) >= bytes;
}
static inline bool holds_line(const FILE *f, size_t most, int end)
{
    size_t have = (size_t)(f->_IO_read_end - f->_IO_read_ptr);
    return !(f->_flags & IN_BACKUP) && (have >= most || (have && memchr(f->_IO_read_ptr, end, have)));
}
static inline bool is_seen(const FILE *f)
{
    return PP_RECORDS(PP_OPERATIONS_IO) && f->_fileno >= 0 && !(f->_flags2 & FLAGS2_MAPPED);
}
static inline bool lock(FILE *f)
{
    bool wanted = f->_flags2 & FLAGS2_NEED_LOCK;
    if (wanted)
        flockfile(f);
    return wanted;
}
static void unlock(void *f) { funlockfile(f); }

struct stream {
    FILE *file;
    size_t ready, waiting, out;
    int ended; /* flags that it had ended, or failed */
    bool placed, reads;
    const char *end, *at;
    struct pp_call call;
};

static void stream_begin(struct stream *s, FILE *f, enum pp_operation_kind kind, const void *caller)
{
    *s = (struct stream){ .file = f,
                          .ready = ready(f),
                          .waiting = waiting(f),
                          .ended = f->_flags & (AT_END | FAILED),
                          .placed = f->_offset >= 0,
                          .reads = kind == PP_OPERATION_READ,
                          .end = f->_IO_read_end,
                          .at = f->_IO_read_ptr };
    if (f != stdout && f->_flags & (UNBUFFERED | LINE_BUFFERED))
        s->out = waiting(stdout); /* reading such a stream flushes standard output */
    pp_call_begin(&s->call, PP_COLLECTOR_IO, kind, caller, f->_fileno);
}

/* `read`: bytes that the stream read; `gave`: bytes that the caller wrote. */
static void stream_end_read(struct stream *s, const void *caller, size_t read, size_t gave)
{
    size_t out = gave + s->waiting, left = waiting(s->file);
    pp_start_over(&s->call);
    if (out > left)
        pp_call_end(&s->call, PP_OPERATION_WRITE, caller, (int64_t)(out - left), PP_HERE);
    int ended = s->file->_flags & (AT_END | FAILED) & ~s->ended;
    if (read || (s->reads && ended)) /* the kernel was asked, even if it had nothing */
        pp_call_end(&s->call, PP_OPERATION_READ, caller, read || !(ended & FAILED) ? (int64_t)read : -1, PP_HERE);
    if (s->out && (left = waiting(stdout)) < s->out) {
        struct pp_call call;
        pp_call_begin(&call, PP_COLLECTOR_IO, PP_OPERATION_WRITE, caller, stdout->_fileno);
        pp_call_end(&call, PP_OPERATION_WRITE, caller, (int64_t)(s->out - left), PP_HERE);
    }
}

/* `got`: bytes that the caller read. */
static void stream_end(struct stream *s, const void *caller, size_t got, size_t gave)
{
    size_t in = got + ready(s->file);
    stream_end_read(s, caller, in > s->ready ? in - s->ready : 0, gave);
}

/* The same if nobody says how much the caller got: assume that the buffer was refilled once at most. */
static void stream_end_filled(struct stream *s, const void *caller)
{
    const FILE *f = s->file;
    bool filled = f->_IO_read_end != s->end || f->_IO_read_ptr < s->at;
    size_t read = filled && !(f->_flags & IN_BACKUP) ? (size_t)(f->_IO_read_end - f->_IO_buf_base) : 0, now = ready(f);
    stream_end(s, caller, s->ready + read > now ? s->ready + read - now : 0, 0);
}

/* Runs statements that may be a cancellation point, under the stream's lock if `locked`. */
#define HELD(f, locked, ...)                 \
    do {                                     \
        if (!(locked)) {                     \
            __VA_ARGS__;                     \
        } else {                             \
            pthread_cleanup_push(unlock, f); \
            __VA_ARGS__;                     \
            pthread_cleanup_pop(1);          \
        }                                    \
    } while (0)

/* Runs `call`, which sets a result. If it is not a matter of the buffer only (`quick`), `done` books what moved. A
 * quick call must not block. */
#define STREAM_OF(caller, kind, f, quick, call, done)    \
    do {                                                 \
        if (!is_seen(f)) {                               \
            call;                                        \
        } else {                                         \
            bool locked_ = lock(f);                      \
            if (PP_LIKELY(quick)) {                      \
                call;                                    \
                if (locked_)                             \
                    funlockfile(f);                      \
            } else {                                     \
                struct stream stream_;                   \
                stream_begin(&stream_, f, kind, caller); \
                HELD(f, locked_, call; done);            \
            }                                            \
        }                                                \
    } while (0)
#define STREAM(...) STREAM_OF(PP_CALLER, __VA_ARGS__)
#define END(got, gave) stream_end(&stream_, PP_CALLER, got, gave)

#define WRAPPER PP_WRAPPER PP_BEFORE_ALL __attribute__((noinline))
#define ALIAS(name) PP_WRAPPER __attribute__((alias(#name)))
#define SELDOM(kind, f, call, done) STREAM(kind, f, false, call, done)
#define IN PP_OPERATION_READ
#define OUT PP_OPERATION_WRITE

/* ---- blocks ---- */

/* The next function is asked for single bytes, so that the part of an incomplete last item is known. For 0 bytes, also
 * from an overflowing product, no item is complete. */
static size_t items(size_t bytes, size_t size, size_t count, size_t wanted)
{
    return !wanted ? 0 : bytes == wanted ? count : bytes / size;
}

static size_t items_read(__typeof__(fread) *next, void *to, size_t size, size_t count, FILE *f, const void *caller)
{
    volatile size_t n = 0;
    size_t wanted = size * count;
    STREAM_OF(caller, IN, f, holds(f, wanted), n = next(to, 1, wanted, f), stream_end(&stream_, caller, n, 0));
    return items(n, size, count, wanted);
}

#define READER(name)                                                                    \
    WRAPPER size_t name(void *restrict to, size_t size, size_t count, FILE *restrict f) \
    {                                                                                   \
        return items_read(PP_NEXT_OF(name), to, size, count, f, PP_CALLER);             \
    }
READER(fread)
READER(fread_unlocked)
size_t __fread_chk(void *restrict to, size_t has, size_t size, size_t count, FILE *restrict f);
WRAPPER size_t __fread_chk(void *restrict to, size_t has, size_t size, size_t count, FILE *restrict f)
{
    volatile size_t n = 0;
    size_t wanted = size * count;
    if (size && wanted / size != count)
        return PP_NEXT_OF(__fread_chk)(to, has, size, count, f);
    STREAM(IN, f, holds(f, wanted) && wanted <= has, n = PP_NEXT_OF(__fread_chk)(to, has, 1, wanted, f), END(n, 0));
    return items(n, size, count, wanted);
}

static size_t items_write(__typeof__(fwrite) *next, const void *from, size_t size, size_t count, FILE *f,
                          const void *caller)
{
    volatile size_t n = 0;
    size_t wanted = size * count;
    STREAM_OF(caller, OUT, f, wanted <= room(f), n = next(from, 1, wanted, f), stream_end(&stream_, caller, 0, n));
    return items(n, size, count, wanted);
}

#define WRITER(name)                                                                            \
    WRAPPER size_t name(const void *restrict from, size_t size, size_t count, FILE *restrict f) \
    {                                                                                           \
        return items_write(PP_NEXT_OF(name), from, size, count, f, PP_CALLER);                  \
    }
WRITER(fwrite)
WRITER(fwrite_unlocked)
/* ---- lines ---- */

/* Length of a line that may contain NULs: up to the first newline, else `most`, unless the file ended or failed. */
static size_t line_bytes(const FILE *f, const char *line, size_t most)
{
    if (!line)
        return 0;
    if (f->_flags & (AT_END | FAILED))
        return strlen(line);
    const char *newline = memchr(line, '\n', most);
    return newline ? (size_t)(newline - line) + 1 : most;
}

/* The kernel's file position, needed after a seek or a line that ended with the file. Since the first seek stdio knows
 * it, too. */
static off64_t place(const FILE *f)
{
    if (f->_offset >= 0)
        return f->_offset;
    int kept = errno;
    off64_t at = pp_forbids(PP_FORBIDDEN_TARGETS) ? -1 : syscall(SYS_lseek, f->_fileno, 0L, (long)SEEK_CUR);
    errno = kept;
    return at;
}

/* The length of a last line with NULs is unknown. If the file has a position, the distance tells it. */
static void line_end(struct stream *s, const char *line, size_t most, const void *caller)
{
    const FILE *f = s->file;
    const struct pp_descriptor *d = s->call.descriptor;
    size_t got = line_bytes(f, line, most);
    if (line && d && f->_flags & (AT_END | FAILED) && !s->waiting && !ready(f)) {
        off64_t to = place(f), from = (off64_t)atomic_load_explicit(&d->position, memory_order_relaxed);
        if (from >= 0 && to >= from && s->ready + (size_t)(to - from) >= got && s->ready + (size_t)(to - from) <= most)
            got = s->ready + (size_t)(to - from);
    }
    stream_end(s, caller, got, 0);
}

#define LINE(caller, call)                                                                          \
    STREAM_OF(caller, IN, f, holds_line(f, size > 0 ? (size_t)size - 1 : 0, '\n'), result = (call), \
              line_end(&stream_, result, size > 0 ? (size_t)size - 1 : 0, caller))

static char *line_get(__typeof__(fgets) *next, char *to, int size, FILE *f, const void *caller)
{
    char *volatile result;
    LINE(caller, next(to, size, f));
    return result;
}

#define LINE_GETTER(name)                                             \
    WRAPPER char *name(char *restrict to, int size, FILE *restrict f) \
    {                                                                 \
        return line_get(PP_NEXT_OF(name), to, size, f, PP_CALLER);    \
    }
LINE_GETTER(fgets)
LINE_GETTER(fgets_unlocked)
char *__fgets_chk(char *restrict to, size_t has, int size, FILE *restrict f);
WRAPPER char *__fgets_chk(char *restrict to, size_t has, int size, FILE *restrict f)
{
    char *volatile result;
    LINE(PP_CALLER, PP_NEXT_OF(__fgets_chk)(to, has, size, f));
    return result;
}

static ssize_t any_line_get(char **line, size_t *size, int end, FILE *f, const void *caller)
{
    volatile ssize_t n;
    STREAM_OF(caller, IN, f, holds_line(f, SIZE_MAX, end), n = PP_NEXT_OF(getdelim)(line, size, end, f),
              stream_end(&stream_, caller, n > 0 ? (size_t)n : 0, 0));
    return n;
}

WRAPPER ssize_t getdelim(char **restrict line, size_t *restrict size, int end, FILE *restrict f)
{
    return any_line_get(line, size, end, f, PP_CALLER);
}

WRAPPER ssize_t getline(char **restrict line, size_t *restrict size, FILE *restrict f)
{
    return any_line_get(line, size, '\n', f, PP_CALLER);
}

ALIAS(getdelim) ssize_t __getdelim(char **restrict line, size_t *restrict size, int end, FILE *restrict f);

static int text_put(__typeof__(fputs) *next, const char *text, FILE *f, const void *caller)
{
    volatile int result;
    STREAM_OF(caller, OUT, f, strnlen(text, room(f) + 1) <= room(f), result = next(text, f),
              stream_end(&stream_, caller, 0, result >= 0 ? strlen(text) : 0));
    return result;
}
WRAPPER int fputs(const char *restrict text, FILE *restrict f)
{
    return text_put(PP_NEXT_OF(fputs), text, f, PP_CALLER);
}
WRAPPER int fputs_unlocked(const char *restrict text, FILE *restrict f)
{
    return text_put(PP_NEXT_OF(fputs_unlocked), text, f, PP_CALLER);
}

WRAPPER int puts(const char *text)
{
    volatile int result;
    STREAM(OUT, stdout, strnlen(text, room(stdout) + 1) < room(stdout), result = PP_NEXT_OF(puts)(text),
           END(0, result >= 0 ? strlen(text) + 1 : 0));
    return result;
}

/* ---- characters: the look at the buffer takes no lock, which would cost as much as the call ---- */

#define CAN_GET(f) ((f)->_IO_read_ptr < (f)->_IO_read_end)
#define CAN_PUT(f) ((f)->_IO_write_ptr < (f)->_IO_write_end)
static __attribute__((noinline)) int slow_get(int (*next)(FILE *), FILE *f, const void *caller)
{
    struct stream stream;
    stream_begin(&stream, f, IN, caller);
    int result = next(f);
    stream_end(&stream, caller, result >= 0, 0);
    return result;
}
static __attribute__((noinline)) int slow_put(int c, FILE *f, int (*next)(int, FILE *), const void *caller)
{
    struct stream stream;
    stream_begin(&stream, f, OUT, caller);
    int result = next(c, f);
    stream_end(&stream, caller, 0, result >= 0);
    return result;
}
#define GET(name, f) \
    (PP_LIKELY(CAN_GET(f) || !is_seen(f)) ? PP_NEXT_OF(name)(f) : slow_get(PP_NEXT_OF(name), f, PP_CALLER))
#define PUT(name, c, f) \
    (PP_LIKELY(CAN_PUT(f) || !is_seen(f)) ? PP_NEXT_OF(name)(c, f) : slow_put(c, f, PP_NEXT_OF(name), PP_CALLER))

WRAPPER int fgetc(FILE *f) { return GET(fgetc, f); }
WRAPPER int getchar(void) { return GET(fgetc, stdin); }
WRAPPER int fgetc_unlocked(FILE *f) { return GET(fgetc_unlocked, f); }
WRAPPER int getchar_unlocked(void) { return GET(fgetc_unlocked, stdin); }
WRAPPER int fputc(int c, FILE *f) { return PUT(fputc, c, f); }
WRAPPER int putchar(int c) { return PUT(fputc, c, stdout); }
WRAPPER int fputc_unlocked(int c, FILE *f) { return PUT(fputc_unlocked, c, f); }
WRAPPER int putchar_unlocked(int c) { return PUT(fputc_unlocked, c, stdout); }
WRAPPER int __uflow(FILE *f)
{
    return is_seen(f) ? slow_get(PP_NEXT_OF(__uflow), f, PP_CALLER) : PP_NEXT_OF(__uflow)(f);
}
WRAPPER int __overflow(FILE *f, int c)
{
    struct stream stream;
    if (!is_seen(f))
        return PP_NEXT_OF(__overflow)(f, c);
    stream_begin(&stream, f, OUT, PP_CALLER);
    int result = PP_NEXT_OF(__overflow)(f, c);
    stream_end(&stream, PP_CALLER, 0, result >= 0 && c >= 0);
    return result;
}
ALIAS(fgetc) int getc(FILE *f);
ALIAS(fputc) int putc(int c, FILE *f);
ALIAS(fgetc_unlocked) int getc_unlocked(FILE *f);
ALIAS(fputc_unlocked) int putc_unlocked(int c, FILE *f);

/* ---- formatted output. Its length is not known before: where much room is left it is taken to fit, and if it does
 * not, it has no time ---- */

#define MUCH 1024u
#define PLAIN (-1) /* as flag: without -D_FORTIFY_SOURCE */
int __vfprintf_chk(FILE *restrict f, int flag, const char *restrict form, va_list list);

static int form_next(FILE *f, int flag, const char *form, va_list list)
{
    return flag == PLAIN ? PP_NEXT_OF(vfprintf)(f, form, list) : PP_NEXT_OF(__vfprintf_chk)(f, flag, form, list);
}

static int printed_locked(FILE *f, int flag, const char *form, va_list list, const void *caller)
{
    struct stream stream;
    size_t before = waiting(f);
    bool much = room(f) > MUCH;
    if (PP_UNLIKELY(!much))
        stream_begin(&stream, f, OUT, caller);
    int n = form_next(f, flag, form, list);
    if (PP_UNLIKELY(!much)) {
        stream_end(&stream, caller, 0, n > 0 ? (size_t)n : 0);
    } else if (PP_UNLIKELY(n > 0 && before + (size_t)n > waiting(f))) {
        size_t moved = before + (size_t)n - waiting(f);
        pp_call_begin(&stream.call, PP_COLLECTOR_IO, OUT, caller, f->_fileno);
        pp_call_end(&stream.call, PP_OPERATION_WRITE, caller, (int64_t)moved, PP_HERE);
    }
    return n;
}

static int printed(FILE *f, int flag, const char *form, va_list list, const void *caller)
{
    volatile int n;
    if (!is_seen(f))
        return form_next(f, flag, form, list);
    bool locked = lock(f);
    HELD(f, locked, n = printed_locked(f, flag, form, list, caller));
    return n;
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

static int direct(int fd, int flag, const char *form, va_list list, const void *caller)
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

/* Books `bytes` of text if they were written. Where the stream had failed before, or is wide, that is not known. A
 * stream without orientation was bypassed. */
#define MESSAGE(bytes, call)                                                    \
    do {                                                                        \
        if (!is_seen(stderr) || stderr->_mode > 0 || stderr->_flags & FAILED) { \
            call;                                                               \
        } else {                                                                \
            size_t text_ = (bytes);                                             \
            SELDOM(OUT, stderr, call, message_end(&stream_, PP_CALLER, text_)); \
        }                                                                       \
    } while (0)

static void message_end(struct stream *s, const void *caller, size_t text)
{
    bool failed = s->file->_flags & FAILED;
    if (s->file->_mode)
        stream_end(s, caller, 0, failed ? 0 : text);
    else
        pp_call_end(&s->call, PP_OPERATION_WRITE, caller, failed ? -1 : (int64_t)text, PP_HERE);
}

static size_t error_bytes(const char *before)
{
    char room[1024]; /* as in perror */
    int kept = errno;
    size_t text = strlen(strerror_r(errno, room, sizeof room)) + 1;
    errno = kept;
    return text + (before && *before ? strlen(before) + 2 : 0);
}

WRAPPER void perror(const char *before) { MESSAGE(error_bytes(before), PP_NEXT_OF(perror)(before)); }

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
    MESSAGE(signal_bytes(number, before), PP_NEXT_OF(psignal)(number, before));
}
#endif

/* ---- scanning ---- */

extern int __isoc99_vfscanf(FILE *restrict f, const char *restrict form, va_list list);

static int scanned_locked(FILE *f, const char *form, va_list list, const void *caller)
{
    struct stream stream;
    /* Then it is taken to need no more. A scan that goes on beyond that may block and is not booked. */
    bool much = holds(f, MUCH);
    if (!much)
        stream_begin(&stream, f, IN, caller);
    int n = PP_NEXT_OF(__isoc99_vfscanf)(f, form, list);
    if (!much)
        stream_end_filled(&stream, caller);
    return n;
}

int pp_stream_scan(FILE *f, const char *form, va_list list, const void *caller)
{
    volatile int n;
    if (!is_seen(f))
        return PP_NEXT_OF(__isoc99_vfscanf)(f, form, list);
    bool locked = lock(f);
    HELD(f, locked, n = scanned_locked(f, form, list, caller));
    return n;
}

/* ---- the stream as a whole ---- */

WRAPPER int fflush(FILE *f)
{
    volatile int result;
    if (!f) { /* all streams: only standard output is booked */
        if (!is_seen(stdout))
            return PP_NEXT_OF(fflush)(f);
        struct stream s;
        stream_begin(&s, stdout, OUT, PP_CALLER);
        result = PP_NEXT_OF(fflush)(f);
        stream_end(&s, PP_CALLER, 0, 0);
        return result;
    }
    STREAM(OUT, f, !waiting(f), result = PP_NEXT_OF(fflush)(f), stream_end(&stream_, PP_CALLER, stream_.ready, 0));
    return result;
}

/* Buffered bytes go to the old file. The descriptor leads elsewhere afterwards, and usually keeps its number. */
static FILE *reopened(FILE *(*next)(const char *restrict, const char *restrict, FILE *restrict), const char *path,
                      const char *mode, FILE *f, const void *caller)
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
WRAPPER int fclose(FILE *f)
{
    if (!is_seen(f))
        return PP_NEXT_OF(fclose)(f);
    int fd = f->_fileno;
    size_t left = waiting(f);
    struct pp_call call;
    pp_call_begin_seldom(&call, PP_COLLECTOR_IO, left ? OUT : PP_OPERATION_CLOSE, PP_CALLER);
    if (call.records && left)
        call.descriptor = pp_descriptor_at(fd);
    uint32_t target = pp_descriptor_forget(fd);
    int result = PP_NEXT_OF(fclose)(f);
    pp_start_over(&call);
    pp_descriptor_forget(fd);
    if (left && !result)
        pp_call_end_on(&call, PP_OPERATION_WRITE, PP_CALLER, (int64_t)left, target);
    if (!left)
        pp_call_end_on(&call, PP_OPERATION_CLOSE, PP_CALLER, result, target);
    return result;
}

/* A seek within the buffer leaves the buffer, the kernel's position, and bytes to be read. Otherwise the buffer was
 * refilled, perhaps with the same block. The first seek always refills, because stdio does not know its position
 * yet. */
static void stream_end_moved(struct stream *s, off64_t from, bool failed, const void *caller)
{
    off64_t to = place(s->file);
    const FILE *f = s->file;
    bool filled = !failed && f->_IO_read_end > f->_IO_read_base &&
                  (!s->placed || to != from || f->_IO_read_end != s->end || f->_IO_read_ptr == f->_IO_read_end);
    size_t read = filled ? (size_t)(f->_IO_read_end - f->_IO_buf_base) : 0;
    if (to >= (off64_t)read)
        pp_descriptor_move(f->_fileno, (uint64_t)to - read);
    stream_end_read(s, caller, read, 0);
    if (to >= 0)
        pp_descriptor_move(f->_fileno, (uint64_t)to);
}

#define SEEK (waiting(f) ? OUT : IN)
WRAPPER int fseeko64(FILE *f, off64_t offset, int whence)
{
    volatile int result;
    off64_t from = is_seen(f) ? place(f) : -1;
    SELDOM(SEEK, f, result = PP_NEXT_OF(fseeko64)(f, offset, whence),
           stream_end_moved(&stream_, from, result, PP_CALLER));
    return result;
}
ALIAS(fseeko64) int fseeko(FILE *f, off_t offset, int whence);
ALIAS(fseeko64) int fseek(FILE *f, long offset, int whence);

WRAPPER void rewind(FILE *f)
{
    off64_t from = is_seen(f) ? place(f) : -1;
    SELDOM(SEEK, f, PP_NEXT_OF(rewind)(f), stream_end_moved(&stream_, from, false, PP_CALLER));
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

/* ---- the end ---- */

/* The C library writes the buffers after everything else. Books what they hold, and returns the bytes. */
extern FILE *_IO_list_all __attribute__((weak));
uint64_t pp_streams_left(void)
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

__attribute__((alias("getchar"), visibility("hidden"))) int pp_getchar_here(void);
bool pp_streams_are_ours(void)
{
    int (*volatile effective)(void) = getchar;
    return effective == pp_getchar_here;
}
#endif
