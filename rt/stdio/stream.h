/* SPDX-License-Identifier: MIT */
/* stream.h: wrappers of stdio's functions. text.c has those of blocks, lines and characters, print.c the formatted
 * ones, stream.c those of the whole stream, scan.c the scanning ones. They must not know what is booked where.
 *
 * A call that only fills or empties the stream's buffer is passed on after a look at the buffer. What other calls did
 * is computed from the buffer. Bytes read are those that the caller got, plus what is buffered in addition afterwards.
 * Bytes written are those that the caller gave, less what is buffered in addition. A stream without a descriptor is not
 * booked.
 *
 * Where a stream needs no lock, the look comes first where it can tell, and else it is taken after the call: the number
 * of bytes that the buffer's pointer moved by says whether the call was a matter of the buffer only. With several
 * threads the stream is locked around look and call, as the functions themselves do. A thread that is cancelled in
 * between unlocks it. */
#ifndef PP_STREAM_H
#define PP_STREAM_H

#include "operation/operation.h"
#include "system/state.h"

#include <stddef.h>
#include <stdio.h>

#define WRAPPER PP_WRAPPER PP_BEFORE_ALL __attribute__((noinline))
#define ALIAS(name) PP_WRAPPER __attribute__((alias(#name)))
#define SELDOM __attribute__((cold, noinline))
#define IN PP_OPERATION_READ
#define OUT PP_OPERATION_WRITE

/* Flags of FILE that have no public names. glibc cannot change them, because putc and getc are compiled into
 * programs. */
enum {
    UNBUFFERED = 0x2,
    AT_END = 0x10,
    FAILED = 0x20,
    IN_BACKUP = 0x100,
    LINE_BUFFERED = 0x200,
    PUTTING = 0x800,
    FLAGS2_MAPPED = 1,
    FLAGS2_NEED_LOCK = 128
};

/* Bytes that a call whose length is not known before is taken to read, or to write, at most. A call that moved more
 * doubles it. */
extern ptrdiff_t pp_stream_most[2] __attribute__((visibility("hidden")));
static inline ptrdiff_t most(bool writes) { return __atomic_load_n(&pp_stream_most[writes], __ATOMIC_RELAXED); }

/* ---- looks at the buffer ---- */

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
static inline bool is_seen(const FILE *f)
{
    return PP_RECORDS(PP_OPERATIONS_IO) && f->_fileno >= 0 && !(f->_flags2 & FLAGS2_MAPPED);
}
/* No other thread can be at it, and its buffer says what a call moves. */
static inline bool is_alone(const FILE *f) { return !(f->_flags2 & (FLAGS2_NEED_LOCK | FLAGS2_MAPPED)); }

/* Its buffer holds what the next call reads, or has room for what it writes, as far as one can tell. */
static inline bool holds_much(const FILE *f)
{
    return is_alone(f) && !(f->_flags & IN_BACKUP) && f->_IO_read_end - f->_IO_read_ptr >= most(false);
}
static inline bool has_much_room(const FILE *f)
{
    return is_alone(f) && f->_IO_write_end - f->_IO_write_ptr >= most(true);
}

/* ---- a call that may ask the kernel (stream.c) ---- */

struct pp_stream;
struct pp_ask { /* a call of the next function */
    FILE *file;
    const void *caller;
    void *next;
    long arguments[5]; /* numbers and pointers, which both processors pass in the same registers */
    size_t bytes;      /* that are asked for or given */
    bool reads;
    bool (*quick)(const struct pp_ask *); /* it is a matter of the buffer only, and does not block. NULL: never */
    void (*book)(struct pp_stream *, long result); /* books what moved; an int's upper half is garbage */
};
struct pp_stream { /* how a stream was before a call */
    FILE *file;
    const void *caller;
    const struct pp_ask *ask;
    size_t ready, waiting, out;
    int ended; /* flags that it had ended, or failed */
    bool placed, reads, late;
    const char *end, *at;
    struct pp_operation *counted; /* its row, if it is a transfer of a file that is only counted; then without `call` */
    uint32_t generation;          /* as in struct pp_call */
    struct pp_call call;          /* its descriptor is known in any case */
};
/* Makes the call, books it unless it is quick, and returns its result. */
long pp_stream_run(const struct pp_ask *ask);
#define STREAM(...) pp_stream_run(&(const struct pp_ask){ __VA_ARGS__ })
#define ARGUMENT(value) (long)(value)

void pp_stream_begin(struct pp_stream *s, FILE *f, enum pp_operation_kind kind, const void *caller);
/* `bytes` were moved; below 0: that failed. */
void pp_stream_moved(struct pp_stream *s, enum pp_operation_kind kind, int64_t bytes);
/* `got`: bytes that the caller read, `gave`: that it wrote. */
void pp_stream_end(struct pp_stream *s, size_t got, size_t gave);
/* `read`: bytes that the stream read. */
void pp_stream_end_read(struct pp_stream *s, size_t read, size_t gave);
/* The same if nobody says how much the caller got: assume that the buffer was refilled once at most. */
void pp_stream_end_filled(struct pp_stream *s);
/* The same for a call that was taken to be a matter of the buffer, and was none. It has returned, and has no time.
 * `ready` and `waiting` are from before it. Returns false if the stream is not booked. */
bool pp_stream_begin_late(struct pp_stream *s, FILE *f, enum pp_operation_kind kind, const void *caller, size_t ready,
                          size_t waiting);
/* The kernel's file position. Since the first seek stdio knows it, too. */
off64_t pp_stream_place(const FILE *f);
static inline bool pp_stream_lock(FILE *f)
{
    bool wanted = f->_flags2 & FLAGS2_NEED_LOCK;
    if (wanted)
        flockfile(f);
    return wanted;
}
/* Call `next` for a character that is no matter of the buffer, and book it (text.c). EOF only flushes. */
int pp_get_slowly(int (*next)(FILE *), FILE *f, const void *caller);
int pp_put_slowly(int c, FILE *f, int (*next)(int, FILE *), const void *caller);
/* Calls vfscanf, and books what it read. */
int pp_stream_scan(FILE *f, const char *form, va_list list, const void *caller);
int pp_getchar_here(void) __attribute__((visibility("hidden"))); /* character.c: links it into every program */
int pp_printf_here(const char *restrict form, ...) __attribute__((visibility("hidden"), nonnull(1))); /* print.c */

#endif
