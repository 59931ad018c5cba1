/* SPDX-License-Identifier: MIT */
/* remarksection.c: reads section profplug_remarks. See remarksection.h. Every length from the file is checked against
 * what is left. */
#include "symbol/remarksection.h"

#include <stdlib.h>
#include <string.h>

struct bytes {
    const uint8_t *at, *end;
    bool is_sound;
};

static uint64_t number(struct bytes *b)
{
    uint64_t value = 0;
    for (unsigned shift = 0; b->at < b->end && shift < 64; shift += 7) {
        uint8_t byte = *b->at++;
        value |= (uint64_t)(byte & 127) << shift;
        if (byte < 128)
            return value;
    }
    b->is_sound = false;
    return 0;
}

struct texts {
    const char **text;
    uint64_t count;
};

static bool texts_read(struct bytes *b, struct texts *texts)
{
    uint64_t count = number(b);
    texts->text = NULL;
    texts->count = 0;
    if (!b->is_sound || count > (uint64_t)(b->end - b->at))
        return false;
    texts->text = calloc(count + 1, sizeof *texts->text);
    while (texts->text && texts->count < count) {
        const uint8_t *zero = memchr(b->at, 0, (size_t)(b->end - b->at));
        if (!zero)
            return false;
        texts->text[texts->count++] = (const char *)b->at;
        b->at = zero + 1;
    }
    return texts->text != NULL;
}

static const char *text_at(struct bytes *b, const struct texts *texts, uint64_t index)
{
    if (index < texts->count)
        return texts->text[index];
    b->is_sound = false;
    return "";
}

static uint32_t narrow(struct bytes *b, uint64_t value)
{
    b->is_sound = b->is_sound && value <= UINT32_MAX;
    return (uint32_t)value;
}

/* A record whose texts are in order. */
static void record_read(struct bytes *b, const struct texts *texts, struct section_remark *r)
{
    r->raw.kind = narrow(b, number(b));
    r->raw.file = narrow(b, number(b));
    r->raw.line = narrow(b, number(b));
    r->raw.loop = narrow(b, number(b));
    uint64_t value = number(b);
    r->raw.value = value & 1 ? -(int64_t)(value >> 1) - 1 : (int64_t)(value >> 1);
    r->raw.detail = narrow(b, number(b));
    r->raw.why = narrow(b, number(b));
    r->file = text_at(b, texts, r->raw.file);
    r->detail = text_at(b, texts, r->raw.detail);
    r->why = text_at(b, texts, r->raw.why);
}

static bool functions_read(struct bytes *b, const struct texts *texts, struct section_remark *r,
                           void (*take)(void *, const struct section_remark *), void *closure)
{
    uint64_t functions = number(b);
    for (uint64_t i = 0; i < functions && b->is_sound; i++) {
        r->symbol = text_at(b, texts, number(b));
        r->function_file = text_at(b, texts, number(b));
        r->function++;
        uint64_t records = number(b);
        for (uint64_t k = 0; k < records && b->is_sound; k++) {
            uint64_t length = number(b);
            if (!b->is_sound || length > (uint64_t)(b->end - b->at))
                return false;
            struct bytes record = { b->at, b->at + length, true };
            b->at += length;
            record_read(&record, texts, r);
            b->is_sound = record.is_sound;
            if (b->is_sound && r->raw.kind < PP_REMARK_KIND_COUNT)
                take(closure, r);
        }
    }
    return b->is_sound;
}

size_t remark_section_read(const uint8_t *bytes, size_t size, void (*take)(void *, const struct section_remark *),
                           void *closure)
{
    struct section_remark r = { .function = 0 };
    size_t at = 0;
    while (at < size) {
        uint32_t length = size - at < 5 ? 0
                                        : bytes[at] | (uint32_t)bytes[at + 1] << 8 | (uint32_t)bytes[at + 2] << 16 |
                                              (uint32_t)bytes[at + 3] << 24;
        if (length < 5 || length > size - at)
            return size - at;
        if (bytes[at + 4] == PP_REMARK_VERSION) {
            struct bytes b = { bytes + at + 5, bytes + at + length, true };
            struct texts texts;
            bool is_sound = texts_read(&b, &texts) && functions_read(&b, &texts, &r, take, closure);
            free(texts.text);
            if (!is_sound)
                return size - at;
        }
        at += length;
    }
    return 0;
}
