/* SPDX-License-Identifier: MIT */
/* protobuf.c: see protobuf.h. */
#include "trace/protobuf.h"

#include <string.h>

#include "store/arena.h"
#include "words/quote.h"

enum wire { WIRE_VARINT = 0, WIRE_FIXED = 1, WIRE_BYTES = 2 };

static size_t varint_put(unsigned char to[10], uint64_t value)
{
    size_t count = 0;
    for (; value >= 0x80; value >>= 7)
        to[count++] = (unsigned char)(value | 0x80);
    to[count++] = (unsigned char)value;
    return count;
}

void message_clear(struct message *m) { m->count = 0; }

void message_packed(struct message *m, uint64_t value)
{
    unsigned char byte[10];
    size_t count = varint_put(byte, value);
    for (size_t i = 0; i < count; i++)
        *ARRAY_PUSH(m->byte, m->count, m->capacity) = byte[i];
}

void message_number(struct message *m, unsigned field, uint64_t value)
{
    if (value)
        message_always(m, field, value);
}

void message_always(struct message *m, unsigned field, uint64_t value)
{
    message_packed(m, field << 3 | WIRE_VARINT);
    message_packed(m, value);
}

void message_fixed(struct message *m, unsigned field, uint64_t value)
{
    message_packed(m, field << 3 | WIRE_FIXED);
    for (unsigned shift = 0; shift < 64; shift += 8)
        *ARRAY_PUSH(m->byte, m->count, m->capacity) = (unsigned char)(value >> shift);
}

void message_text(struct message *m, unsigned field, const char *text)
{
    struct arena arena = { 0 };
    const char *plain = quote_plain(&arena, text);
    message_bytes(m, field, plain, strlen(plain));
    arena_free(&arena);
}

void message_inner(struct message *m, unsigned field, const struct message *inner)
{
    message_bytes(m, field, inner->byte, inner->count);
}

void message_bytes(struct message *m, unsigned field, const void *bytes, size_t count)
{
    message_packed(m, field << 3 | WIRE_BYTES);
    message_packed(m, count);
    for (size_t i = 0; i < count; i++)
        *ARRAY_PUSH(m->byte, m->count, m->capacity) = ((const unsigned char *)bytes)[i];
}

void message_print(FILE *out, unsigned field, const struct message *inner)
{
    unsigned char head[20];
    size_t count = varint_put(head, field << 3 | WIRE_BYTES);
    count += varint_put(head + count, inner->count);
    fwrite(head, 1, count, out);
    if (inner->count)
        fwrite(inner->byte, 1, inner->count, out);
}
