/* SPDX-License-Identifier: MIT */
/* records.c: texts, modules, places, numbers, children and targets of a RECORDS extent. See records.h. */
#include "read/records.h"

#include <stdlib.h>

#include "read/tally.h"

/* The terminated string at `*at` of a payload; NULL if there is none. */
static const char *payload_string(struct profile *p, const unsigned char *payload, uint64_t size, uint64_t *at)
{
    const unsigned char *end = *at < size ? memchr(payload + *at, 0, size - *at) : NULL;
    if (!end)
        return NULL;
    const char *text = arena_copy(&p->arena, (const char *)payload + *at);
    *at = (uint64_t)(end - payload) + 1;
    return text;
}

static bool module_take(struct cursor *c, struct profile *p, const unsigned char *payload, uint64_t size,
                        uint64_t offset)
{
    struct pp_module m;
    uint64_t at = sizeof m;
    const char *path = size > sizeof m ? payload_string(p, payload, size, &at) : NULL;
    if (!path)
        return cursor_fail(c, offset, "a module of %llu bytes, expected at least %zu with a terminated path",
                           (unsigned long long)size, sizeof m + 1);
    memcpy(&m, payload, sizeof m);
    if (m.build_id_size > sizeof m.build_id)
        return cursor_fail(c, offset, "a build-id of %u bytes, expected at most %zu", m.build_id_size,
                           sizeof m.build_id);
    struct profile_module *to = NULL;
    for (size_t i = 0; i < p->module_count; i++)
        if (p->module[i].id == m.id)
            to = &p->module[i]; /* a record is repeated when more is known */
    if (!to)
        to = ARRAY_PUSH(p->module, p->module_count, p->module_capacity);
    *to = (struct profile_module){ .id = m.id,
                                   .instrumented = m.instrumented != 0,
                                   .runtime = m.runtime != 0,
                                   .low = m.low,
                                   .high = m.high,
                                   .bias = m.bias,
                                   .path = path,
                                   .build_id_size = m.build_id_size };
    memcpy(to->build_id, m.build_id, sizeof to->build_id);
    return true;
}

static bool place_take(struct cursor *c, struct profile *p, const unsigned char *payload, uint64_t size,
                       uint64_t offset)
{
    struct pp_place place;
    uint64_t at = sizeof place;
    const char *name = NULL, *function = NULL, *file = NULL;
    if (size > sizeof place) {
        name = payload_string(p, payload, size, &at);
        function = name ? payload_string(p, payload, size, &at) : NULL;
        file = function ? payload_string(p, payload, size, &at) : NULL;
    }
    if (!file)
        return cursor_fail(c, offset, "a place of %llu bytes, expected %zu and three terminated strings",
                           (unsigned long long)size, sizeof place);
    memcpy(&place, payload, sizeof place);
    if (place.key == 0 || place.key > UINT32_MAX)
        return cursor_fail(c, offset, "a place with key %llu, expected 1 to %u", (unsigned long long)place.key,
                           UINT32_MAX);
    if ((place.kind != PP_SITE_LOOP && place.kind != PP_SITE_SCOPE) || place.category >= sizeof(uint8_t) << 8)
        return cursor_fail(c, offset, "a place of kind %u and category %u, expected a loop or a scope", place.kind,
                           place.category);
    struct profile_site *s = ARRAY_PUSH(p->site, p->site_count, p->site_capacity);
    *s = (struct profile_site){ .key = (uint32_t)place.key,
                                .kind = (uint8_t)place.kind,
                                .mode = PP_MODE_TIMED,
                                .category = (uint8_t)place.category,
                                .line = place.line,
                                .name = function,
                                .symbol = function,
                                .file = file,
                                .directory = "",
                                .stage = name,
                                .title = name[0] ? name : function,
                                .unit = "",
                                .compiler = "" };
    return true;
}

static bool part_take(struct cursor *c, struct profile *p, const unsigned char *payload, uint64_t size,
                      uint64_t offset)
{
    struct profile_part part;
    uint64_t at = sizeof part.head;
    part.path = size > sizeof part.head ? payload_string(p, payload, size, &at) : NULL;
    if (!part.path)
        return cursor_fail(c, offset, "a merged file of %llu bytes, expected %zu and a terminated path",
                           (unsigned long long)size, sizeof part.head);
    memcpy(&part.head, payload, sizeof part.head);
    if (part.head.as >= PP_MERGE_AS_COUNT)
        return cursor_fail(c, offset, "a file merged as %u, expected below %u", part.head.as, PP_MERGE_AS_COUNT);
    *ARRAY_PUSH(p->part, p->part_count, p->part_capacity) = part;
    return true;
}

static bool spread_take(struct cursor *c, struct profile *p, const unsigned char *payload, uint64_t size,
                        uint64_t offset)
{
    struct profile_spread spread;
    uint64_t at = sizeof spread.head;
    spread.name = size > sizeof spread.head ? payload_string(p, payload, size, &at) : NULL;
    spread.file = spread.name ? payload_string(p, payload, size, &at) : NULL;
    if (!spread.file)
        return cursor_fail(c, offset, "a spread of %llu bytes, expected %zu and two terminated strings",
                           (unsigned long long)size, sizeof spread.head);
    memcpy(&spread.head, payload, sizeof spread.head);
    if (spread.head.of >= PP_SPREAD_OF_COUNT || spread.head.value >= PP_SPREAD_VALUE_COUNT)
        return cursor_fail(c, offset, "a spread of kind %u and value %u, expected below %u and %u", spread.head.of,
                           spread.head.value, PP_SPREAD_OF_COUNT, PP_SPREAD_VALUE_COUNT);
    *ARRAY_PUSH(p->spread, p->spread_count, p->spread_capacity) = spread;
    return true;
}

static const char **text_room(struct profile *p, uint32_t kind)
{
    switch (kind) {
    case PP_RECORD_ARGUMENT: return ARRAY_PUSH(p->argument, p->argument_count, p->argument_capacity);
    case PP_RECORD_LABEL: return ARRAY_PUSH(p->label, p->label_count, p->label_capacity);
    default: return ARRAY_PUSH(p->option, p->option_count, p->option_capacity);
    }
}

static bool record_take(struct cursor *c, struct profile *p, uint32_t kind, const unsigned char *payload, uint32_t size,
                        uint64_t offset)
{
    uint64_t at = 0;
    switch (kind) {
    case PP_RECORD_ARGUMENT:
    case PP_RECORD_LABEL:
    case PP_RECORD_OPTION: {
        const char *text = payload_string(p, payload, size, &at);
        if (!text)
            return cursor_fail(c, offset, "a record of kind %u without its terminator, expected one in %u bytes", kind,
                               size);
        *text_room(p, kind) = text;
        return true;
    }
    case PP_RECORD_MODULE: return module_take(c, p, payload, size, offset);
    case PP_RECORD_PLACE: return place_take(c, p, payload, size, offset);
    case PP_RECORD_NUMBER: return number_take(c, p, payload, size, offset);
    case PP_RECORD_PART: return part_take(c, p, payload, size, offset);
    case PP_RECORD_SPREAD: return spread_take(c, p, payload, size, offset);
    case PP_RECORD_CHILD: {
        struct pp_child child;
        at = sizeof child;
        const char *path = size > sizeof child ? payload_string(p, payload, size, &at) : NULL;
        if (!path)
            return cursor_fail(c, offset, "a child of %u bytes, expected %zu and a terminated path", size,
                               sizeof child);
        memcpy(&child, payload, sizeof child);
        *ARRAY_PUSH(p->child, p->child_count, p->child_capacity) = (struct profile_child){ child.pid, path };
        return true;
    }
    case PP_RECORD_TARGET: {
        struct pp_target target;
        at = sizeof target;
        const char *name = size > sizeof target ? payload_string(p, payload, size, &at) : NULL;
        if (!name)
            return cursor_fail(c, offset, "a file or socket of %u bytes, expected %zu and a terminated name", size,
                               sizeof target);
        memcpy(&target, payload, sizeof target);
        if (target.kind >= PP_TARGET_KIND_COUNT)
            return cursor_fail(c, offset, "a file or socket of kind %u, expected below %u", target.kind,
                               PP_TARGET_KIND_COUNT);
        *ARRAY_PUSH(p->target, p->target_count, p->target_capacity) =
            (struct profile_target){ target.id, target.kind, name };
        return true;
    }
    default: return true; /* a record of a later version */
    }
}

bool records_take(struct cursor *c, const struct extent *e, struct profile *p)
{
    struct pp_records head;
    if (!cursor_copy(c, &head, e->offset, sizeof head, "a records head"))
        return false;
    if (!cursor_fits(e->size, sizeof head, head.used, 1))
        return cursor_fail(c, e->offset, "%llu bytes of records, expected at most %llu", (unsigned long long)head.used,
                           (unsigned long long)(e->size - sizeof head));
    if (!cursor_hold(c, e->offset, head.used, "records"))
        return false;
    unsigned char *bytes = memory_zeroed(1, head.used);
    bool good = cursor_copy(c, bytes, e->offset + sizeof head, head.used, "records");
    for (uint64_t at = 0; good && at < head.used;) {
        struct pp_record r;
        uint64_t offset = e->offset + sizeof head + at;
        if (head.used - at < sizeof r) {
            good = cursor_fail(c, offset, "%llu bytes left, expected a record of at least %zu",
                               (unsigned long long)(head.used - at), sizeof r);
            break;
        }
        memcpy(&r, bytes + at, sizeof r);
        if (r.size > head.used - at - sizeof r) {
            good = cursor_fail(c, offset, "a record of %u bytes, expected at most %llu", r.size,
                               (unsigned long long)(head.used - at - sizeof r));
            break;
        }
        good = record_take(c, p, r.kind, bytes + at + sizeof r, r.size, offset);
        at += sizeof r + (((uint64_t)r.size + 7) & ~UINT64_C(7));
    }
    free(bytes);
    return good;
}
