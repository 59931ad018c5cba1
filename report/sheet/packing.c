/* SPDX-License-Identifier: MIT */
/* packing.c: see packing.h. */
#include "sheet/packing.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "store/arena.h"

enum { LEVEL = 6, ROOM = 3 << 14 }; /* a level more costs twice the time for one percent; ROOM: base64 without rest */

struct packing {
    FILE *out;
    z_stream stream;
    unsigned char packed[ROOM];
};

void bytes_add(struct bytes *to, const void *more, size_t count)
{
    if (to->count + count > to->capacity) {
        size_t room = (to->count + count) * 2 + 64;
        to->byte = array_extended(to->byte, to->count, room, 1);
        to->capacity = room;
    }
    memcpy(to->byte + to->count, more, count);
    to->count += count;
}

void bytes_number(struct bytes *to, uint64_t value)
{
    unsigned char digit[10];
    size_t count = 0;
    for (; value > 0x7f; value >>= 7)
        digit[count++] = (unsigned char)(value | 0x80);
    digit[count++] = (unsigned char)value;
    bytes_add(to, digit, count);
}

void base64_write(FILE *out, const void *bytes, size_t count)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *at = bytes;
    while (count >= 3) {
        char text[4096];
        size_t written = 0;
        for (; count >= 3 && written < sizeof text; at += 3, count -= 3, written += 4) {
            text[written] = digits[at[0] >> 2];
            text[written + 1] = digits[(at[0] & 3) << 4 | at[1] >> 4];
            text[written + 2] = digits[(at[1] & 15) << 2 | at[2] >> 6];
            text[written + 3] = digits[at[2] & 63];
        }
        fwrite(text, 1, written, out);
    }
    if (count) {
        unsigned second = count > 1 ? at[1] : 0;
        char four[4] = { digits[at[0] >> 2], digits[(at[0] & 3) << 4 | second >> 4],
                         count > 1 ? digits[(second & 15) << 2] : '=', '=' };
        fwrite(four, 1, 4, out);
    }
}

struct packing *packing_make(FILE *out)
{
    struct packing *p = memory_zeroed(1, sizeof *p);
    p->out = out;
    deflateInit2(&p->stream, LEVEL, Z_DEFLATED, -MAX_WBITS, 9, Z_DEFAULT_STRATEGY);
    p->stream.next_out = p->packed;
    p->stream.avail_out = ROOM;
    return p;
}

void packing_free(struct packing *p)
{
    deflateEnd(&p->stream);
    free(p);
}

/* Writes what is packed, if there is no room for more or nothing more comes. */
static void packed_write(struct packing *p, int last)
{
    size_t count = ROOM - p->stream.avail_out;
    if (p->stream.avail_out && !last)
        return;
    base64_write(p->out, p->packed, count);
    p->stream.next_out = p->packed;
    p->stream.avail_out = ROOM;
}

void packing_add(struct packing *p, const void *more, size_t count)
{
    for (const unsigned char *at = more; count;) {
        unsigned part = count > 1u << 30 ? 1u << 30 : (unsigned)count;
        p->stream.next_in = (unsigned char *)(uintptr_t)at;
        p->stream.avail_in = part;
        while (p->stream.avail_in) {
            deflate(&p->stream, Z_NO_FLUSH);
            packed_write(p, 0);
        }
        at += part;
        count -= part;
    }
}

void packing_end(struct packing *p)
{
    int status;
    do {
        status = deflate(&p->stream, Z_FINISH);
        packed_write(p, status == Z_STREAM_END);
    } while (status == Z_OK || status == Z_BUF_ERROR);
    deflateReset(&p->stream);
}
