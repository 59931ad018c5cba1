/* SPDX-License-Identifier: MIT */
/* cursor.h: reads bytes of the data file, one checked piece at a time. A piece is read with pread into memory of our
 * own. The file may be written or cut meanwhile, and what was checked must not change afterwards. Knows the file as
 * bytes, not what they mean. */
#ifndef PROFPLUG_CURSOR_H
#define PROFPLUG_CURSOR_H

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct cursor {
    int file;
    const char *path;
    uint64_t size;   /* of the file when it was opened */
    uint64_t stored; /* bytes of it on disk: fewer if it has holes */
    uint64_t held;   /* bytes of memory taken for its content */
    char *error;     /* the first complaint; empty if there is none */
    size_t error_bytes;
};

#define CURSOR_WHOLE UINT64_MAX /* as an offset: the file as such is wrong, not a place in it */

/* Notes what is wrong at `offset`, unless something was noted before. Returns false always, so that callers can return
 * it. */
static inline __attribute__((format(printf, 3, 4))) bool cursor_fail(struct cursor *c, uint64_t offset,
                                                                     const char *format, ...)
{
    if (c->error[0])
        return false;
    int n = offset == CURSOR_WHOLE ? snprintf(c->error, c->error_bytes, "%s: ", c->path)
                                   : snprintf(c->error, c->error_bytes, "%s: offset %llu: ", c->path,
                                              (unsigned long long)offset);
    if (n < 0 || (size_t)n >= c->error_bytes)
        return false;
    va_list list;
    va_start(list, format);
    vsnprintf(c->error + n, c->error_bytes - (size_t)n, format, list);
    va_end(list);
    return false;
}

/* Reads `bytes` at `offset` into `to`, or complains that `what` is cut off. */
static inline bool cursor_copy(struct cursor *c, void *to, uint64_t offset, uint64_t bytes, const char *what)
{
    unsigned char *p = to;
    uint64_t at = offset, left = bytes;
    while (left) {
        ssize_t n = pread(c->file, p, left < (1u << 30) ? left : (1u << 30), (off_t)at);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return cursor_fail(c, at, "%s cannot be read: %s", what, strerror(errno));
        if (n == 0)
            return cursor_fail(c, at, "the file ends inside %s, expected %llu more bytes", what,
                               (unsigned long long)left);
        p += n;
        at += (uint64_t)n;
        left -= (uint64_t)n;
    }
    return true;
}

/* The next piece of a table whose elements are mostly zero, without holes of the file: at most `room` bytes from `*at`
 * on. Moves `*at` to its start. `*bytes` is 0 after the last. Both are whole elements. */
static inline bool cursor_piece(struct cursor *c, void *to, size_t room, uint64_t *at, uint64_t end, size_t element,
                                size_t *bytes, const char *what)
{
    off_t data = *at < end ? lseek(c->file, (off_t)*at, SEEK_DATA) : -1;
    *bytes = 0;
    if (*at >= end || (data < 0 && errno == ENXIO))
        return true;
    if (data > 0 && (uint64_t)data > *at)
        *at += ((uint64_t)data - *at) / element * element;
    if (*at >= end)
        return true;
    *bytes = end - *at < room ? (size_t)(end - *at) : room / element * element;
    return cursor_copy(c, to, *at, *bytes, what);
}

/* Notes that memory for `bytes` of the file's content is about to be taken. A corrupt size must not make us allocate
 * memory for a hole. Zeros may be stored as holes, or compressed, so there may be more than the disk has, up to a
 * limit. */
#define CURSOR_SURE ((uint64_t)64 << 20)
#define CURSOR_PACKED 64u
static inline bool cursor_hold(struct cursor *c, uint64_t offset, uint64_t bytes, const char *what)
{
    c->held += bytes;
    return c->held <= CURSOR_SURE || c->held / CURSOR_PACKED <= c->stored ||
           cursor_fail(c, offset, "%s of %llu bytes, expected less in a file with %llu on disk", what,
                       (unsigned long long)bytes, (unsigned long long)c->stored);
}

/* Whether `count` elements of `element` bytes after a head of `head` bytes fit in `size` bytes. */
static inline bool cursor_fits(uint64_t size, uint64_t head, uint64_t count, uint64_t element)
{
    return size >= head && count <= (size - head) / element;
}

#endif
