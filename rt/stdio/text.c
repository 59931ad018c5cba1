/* SPDX-License-Identifier: MIT */
/* text.c: wraps stdio's functions for blocks and lines. It must not know what is booked where.
 *
 * Data loading spends its time in these. The common case costs a look or two at the buffer, before or after the call,
 * and all else is out of its way. */
#define _GNU_SOURCE
#define __NO_INLINE__ 1 /* or <stdio.h> defines some of these itself */
#include "stdio/stream.h"

#ifdef __GLIBC__
#include <string.h>

/* ---- blocks ---- */

static bool holds_bytes(const struct pp_ask *ask) { return holds(ask->file, ask->bytes); }
static void book_got(struct pp_stream *s, long result) { pp_stream_end(s, (size_t)result, 0); }
static bool has_room(const struct pp_ask *ask) { return ask->bytes <= room(ask->file); }
static void book_gave(struct pp_stream *s, long result) { pp_stream_end(s, 0, (size_t)result); }

/* The next function is asked for single bytes, so that the part of an incomplete last item is known. For 0 bytes, also
 * from an overflowing product, no item is complete. */
static size_t items(size_t bytes, size_t size, size_t count, size_t wanted)
{
    return !wanted ? 0 : bytes == wanted ? count : bytes / size;
}

static SELDOM size_t items_seldom(void *next, const void *where, size_t size, size_t count, FILE *f, const void *caller,
                                  bool reads)
{
    size_t wanted = size * count;
    return items((size_t)STREAM(.file = f, .caller = caller, .next = next, .bytes = wanted, .reads = reads,
                                .arguments = { ARGUMENT(where), 1, ARGUMENT(wanted), ARGUMENT(f) },
                                .quick = reads ? holds_bytes : has_room, .book = reads ? book_got : book_gave),
                 size, count, wanted);
}

static __attribute__((noinline)) size_t items_read(__typeof__(fread) *next, void *to, size_t size, size_t count,
                                                   FILE *f, const void *caller)
{
    return !PP_RECORDS(PP_OPERATIONS_IO) || (is_alone(f) && holds(f, size * count))
               ? next(to, size, count, f)
               : items_seldom((void *)next, to, size, count, f, caller, true);
}
/* The first without a frame: what is not a matter of the buffer is a jump away. */
static SELDOM size_t other_read(void *to, size_t size, size_t count, FILE *f, const void *caller)
{
    return items_read(PP_NEXT_OF(fread), to, size, count, f, caller);
}
WRAPPER size_t fread(void *restrict to, size_t size, size_t count, FILE *restrict f)
{
    __typeof__(&fread) next = PP_NEXT_KNOWN(fread);
    return PP_LIKELY(next && is_alone(f) && holds(f, size * count)) ? next(to, size, count, f)
                                                                    : other_read(to, size, count, f, PP_CALLER);
}
WRAPPER SELDOM size_t fread_unlocked(void *restrict to, size_t size, size_t count, FILE *restrict f)
{
    return items_read(PP_NEXT_OF(fread_unlocked), to, size, count, f, PP_CALLER);
}
size_t __fread_chk(void *restrict to, size_t has, size_t size, size_t count, FILE *restrict f);
static bool holds_bytes_checked(const struct pp_ask *ask)
{
    return holds_bytes(ask) && ask->bytes <= (size_t)ask->arguments[1];
}
WRAPPER SELDOM size_t __fread_chk(void *restrict to, size_t has, size_t size, size_t count, FILE *restrict f)
{
    size_t wanted = size * count;
    if (size && wanted / size != count)
        return PP_NEXT_OF(__fread_chk)(to, has, size, count, f);
    return items((size_t)STREAM(.file = f, .caller = PP_CALLER, .next = (void *)PP_NEXT_OF(__fread_chk),
                                .bytes = wanted, .reads = true, .quick = holds_bytes_checked, .book = book_got,
                                .arguments = { ARGUMENT(to), ARGUMENT(has), 1, ARGUMENT(wanted), ARGUMENT(f) }),
                 size, count, wanted);
}

static __attribute__((noinline)) size_t items_write(__typeof__(fwrite) *next, const void *from, size_t size,
                                                    size_t count, FILE *f, const void *caller)
{
    return !PP_RECORDS(PP_OPERATIONS_IO) || (is_alone(f) && size * count <= room(f))
               ? next(from, size, count, f)
               : items_seldom((void *)next, from, size, count, f, caller, false);
}
static SELDOM size_t other_write(const void *from, size_t size, size_t count, FILE *f, const void *caller)
{
    return items_write(PP_NEXT_OF(fwrite), from, size, count, f, caller);
}
WRAPPER size_t fwrite(const void *restrict from, size_t size, size_t count, FILE *restrict f)
{
    __typeof__(&fwrite) next = PP_NEXT_KNOWN(fwrite);
    return PP_LIKELY(next && is_alone(f) && size * count <= room(f)) ? next(from, size, count, f)
                                                                     : other_write(from, size, count, f, PP_CALLER);
}
WRAPPER SELDOM size_t fwrite_unlocked(const void *restrict from, size_t size, size_t count, FILE *restrict f)
{
    return items_write(PP_NEXT_OF(fwrite_unlocked), from, size, count, f, PP_CALLER);
}

/* ---- lines that are read. Where much is buffered a line is taken to be in it. If it was not, it has no time ---- */

static bool holds_line(const FILE *f, size_t most, int end)
{
    size_t have = (size_t)(f->_IO_read_end - f->_IO_read_ptr);
    return !(f->_flags & IN_BACKUP) && (have >= most || (have && memchr(f->_IO_read_ptr, end, have)));
}
static bool holds_whole_line(const struct pp_ask *ask) { return holds_line(ask->file, ask->bytes, '\n'); }
static bool holds_until(const struct pp_ask *ask) { return holds_line(ask->file, SIZE_MAX, (int)ask->arguments[2]); }

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

/* The length of a last line with NULs is unknown. If the file has a position, the distance tells it. */
static void book_line(struct pp_stream *s, long result)
{
    const FILE *f = s->file;
    const struct pp_descriptor *d = s->call.descriptor;
    const char *line = (const char *)result;
    size_t got = line_bytes(f, line, s->ask->bytes);
    if (line && d && f->_flags & (AT_END | FAILED) && !s->waiting && !ready(f)) {
        off64_t to = pp_stream_place(f), from = (off64_t)atomic_load_explicit(&d->position, memory_order_relaxed);
        if (from >= 0 && to >= from && s->ready + (size_t)(to - from) >= got &&
            s->ready + (size_t)(to - from) <= s->ask->bytes)
            got = s->ready + (size_t)(to - from);
    }
    pp_stream_end(s, got, 0);
}

#define LINE(function, caller_, ...)                                                                       \
    (char *)STREAM(.file = f, .caller = caller_, .next = (void *)(function), .reads = true,                \
                   .bytes = size > 0 ? (size_t)size - 1 : 0, .quick = holds_whole_line, .book = book_line, \
                   .arguments = { __VA_ARGS__ })

static SELDOM char *line_seldom(void *next, char *to, int size, FILE *f, const void *caller)
{
    return LINE(next, caller, ARGUMENT(to), size, ARGUMENT(f));
}
static SELDOM void line_late(const char *line, int size, FILE *f, size_t ready, const void *caller)
{
    struct pp_stream s;
    if (!pp_stream_begin_late(&s, f, IN, caller, ready, 0))
        return;
    s.ask = &(const struct pp_ask){ .bytes = size > 0 ? (size_t)size - 1 : 0 };
    book_line(&s, ARGUMENT(line));
}

/* If the buffer was not refilled, the last byte is where the pointer is now, and only the last byte can be a newline.
 * If it was, the pointer is behind by what was buffered before, so that byte is an earlier one. */
static __attribute__((noinline)) char *line_get(__typeof__(fgets) *next, char *to, int size, FILE *f,
                                                const void *caller)
{
    if (!PP_RECORDS(PP_OPERATIONS_IO))
        return next(to, size, f);
    if (PP_UNLIKELY(!holds_much(f)))
        return line_seldom((void *)next, to, size, f, caller);
    const char *at = f->_IO_read_ptr;
    size_t have = (size_t)(f->_IO_read_end - at);
    char *result = next(to, size, f);
    size_t last = (size_t)(f->_IO_read_ptr - at) - 1;
    if (PP_UNLIKELY((last >= have || to[last] != '\n') && have + 1 < (size_t)size))
        line_late(result, size, f, have, caller);
    return result;
}
#define LINE_GETTER(name, ...)                                                    \
    WRAPPER __VA_ARGS__ char *name(char *restrict to, int size, FILE *restrict f) \
    {                                                                             \
        return line_get(PP_NEXT_OF(name), to, size, f, PP_CALLER);                \
    }
LINE_GETTER(fgets)
LINE_GETTER(fgets_unlocked, SELDOM)
char *__fgets_chk(char *restrict to, size_t has, int size, FILE *restrict f);
WRAPPER SELDOM char *__fgets_chk(char *restrict to, size_t has, int size, FILE *restrict f)
{
    return LINE(PP_NEXT_OF(__fgets_chk), PP_CALLER, ARGUMENT(to), ARGUMENT(has), size, ARGUMENT(f));
}

static void book_any_line(struct pp_stream *s, long result) { pp_stream_end(s, result > 0 ? (size_t)result : 0, 0); }
static SELDOM ssize_t any_line_seldom(void *next, char **line, size_t *size, int end, FILE *f, const void *caller)
{
    return STREAM(.file = f, .caller = caller, .next = next, .reads = true, .quick = holds_until, .book = book_any_line,
                  .arguments = { ARGUMENT(line), ARGUMENT(size), end, ARGUMENT(f) });
}

static SELDOM void any_line_late(FILE *f, const void *caller, size_t ready, ssize_t n)
{
    struct pp_stream s;
    if (pp_stream_begin_late(&s, f, IN, caller, ready, 0))
        book_any_line(&s, n);
}

static __attribute__((noinline)) ssize_t any_line_get(char **line, size_t *size, int end, FILE *f, const void *caller)
{
    __typeof__(&getdelim) next = PP_NEXT_OF(getdelim);
    if (!PP_RECORDS(PP_OPERATIONS_IO))
        return next(line, size, end, f);
    if (PP_UNLIKELY(!holds_much(f)))
        return any_line_seldom((void *)next, line, size, end, f, caller);
    const char *at = f->_IO_read_ptr;
    size_t have = (size_t)(f->_IO_read_end - at);
    ssize_t n = next(line, size, end, f);
    if (PP_UNLIKELY(f->_IO_read_ptr - at != n || (size_t)n > have)) /* refilled: the pointer is behind */
        any_line_late(f, caller, have, n);
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

/* ---- lines that are written ---- */

static bool text_fits(const struct pp_ask *ask)
{
    size_t most = room(ask->file);
    return strnlen((const char *)ask->arguments[0], most + 1) + ask->bytes <= most;
}
/* `bytes` is what follows the text. */
static void book_text(struct pp_stream *s, long result)
{
    pp_stream_end(s, 0, (int)result >= 0 ? strlen((const char *)s->ask->arguments[0]) + s->ask->bytes : 0);
}
static SELDOM int text_seldom(void *next, const char *text, size_t more, FILE *f, const void *caller)
{
    return (int)STREAM(.file = f, .caller = caller, .next = next, .arguments = { ARGUMENT(text), ARGUMENT(f) },
                       .bytes = more, .quick = text_fits, .book = book_text);
}
static SELDOM void text_late(FILE *f, const void *caller, size_t waiting, int result, const char *text, size_t more)
{
    struct pp_stream s;
    if (pp_stream_begin_late(&s, f, OUT, caller, ready(f), waiting))
        pp_stream_end(&s, 0, result >= 0 ? strlen(text) + more : 0);
}

/* If the buffer was not flushed, its pointer has moved by the whole text and `more`, and there the text ends. If it
 * was, it has moved by less, or back, and the byte there is one of the text. */
static __attribute__((noinline)) int text_put(__typeof__(fputs) *next, const char *text, size_t more, FILE *f,
                                              const void *caller)
{
    if (!PP_RECORDS(PP_OPERATIONS_IO))
        return next(text, f);
    if (PP_UNLIKELY(!has_much_room(f)))
        return text_seldom((void *)next, text, more, f, caller);
    const char *at = f->_IO_write_ptr;
    size_t before = waiting(f), has = (size_t)(f->_IO_write_end - at);
    int result = next(text, f);
    size_t moved = (size_t)(f->_IO_write_ptr - at) - more;
    if (PP_UNLIKELY(moved > has || text[moved]))
        text_late(f, caller, before, result, text, more);
    return result;
}
WRAPPER int fputs(const char *restrict text, FILE *restrict f)
{
    return text_put(PP_NEXT_OF(fputs), text, 0, f, PP_CALLER);
}
WRAPPER SELDOM int fputs_unlocked(const char *restrict text, FILE *restrict f)
{
    return text_put(PP_NEXT_OF(fputs_unlocked), text, 0, f, PP_CALLER);
}
/* It is called with one argument more than it takes. */
WRAPPER int puts(const char *text)
{
    return text_put((__typeof__(&fputs))(void *)PP_NEXT_OF(puts), text, 1, stdout, PP_CALLER);
}

/* ---- characters that are not a matter of the buffer (character.c) ---- */

SELDOM int pp_get_slowly(int (*next)(FILE *), FILE *f, const void *caller)
{
    struct pp_stream stream;
    pp_stream_begin(&stream, f, IN, caller);
    int result = next(f);
    pp_stream_end(&stream, result >= 0, 0);
    return result;
}
SELDOM int pp_put_slowly(int c, FILE *f, int (*next)(int, FILE *), const void *caller)
{
    struct pp_stream stream;
    pp_stream_begin(&stream, f, OUT, caller);
    int result = next(c, f);
    pp_stream_end(&stream, 0, result >= 0 && c >= 0);
    return result;
}
#endif
