/* SPDX-License-Identifier: MIT */
/* extent.c: what each kind of extent holds, checked and copied. See extent.h and the table in profplug/abi/format.h.
 * A running program publishes while we read: what refers to something that was published later is cut to "unknown" (0);
 * what can never be right is an error. */
#include "read/extent.h"

#include "read/answers.h"
#include "read/flow.h"
#include "read/snapshot.h"
#include "read/tally.h"
#include "read/blocked.h"

#include <stdlib.h>

#define PIECE_BYTES ((size_t)64 << 10)

static uint64_t smaller(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* A string of a table that ends in 0; null if the offset is beyond it. */
static const char *table_string(const char *strings, uint32_t size, uint32_t offset)
{
    return offset < size ? strings + offset : NULL;
}

/* ---- RECORDS ---- */

/* The terminated string at `*at` of a payload; null if none ends there. */
static const char *payload_string(struct profile *p, const unsigned char *payload, uint64_t size, uint64_t *at)
{
    const unsigned char *end = *at < size ? memchr(payload + *at, 0, size - *at) : NULL;
    if (!end)
        return NULL;
    const char *text = arena_copy(&p->arena, (const char *)payload + *at);
    *at = (uint64_t)(end - payload) + 1;
    return text;
}

static bool module_take(struct cursor *c, struct profile *p, const unsigned char *payload, uint64_t size, uint64_t offset)
{
    struct pp_module m;
    uint64_t at = sizeof m;
    const char *path = size > sizeof m ? payload_string(p, payload, size, &at) : NULL;
    if (!path)
        return cursor_fail(c, offset, "a module of %llu bytes, expected at least %zu with a terminated path",
                           (unsigned long long)size, sizeof m + 1);
    memcpy(&m, payload, sizeof m);
    if (m.build_id_size > sizeof m.build_id)
        return cursor_fail(c, offset, "a build-id of %u bytes, expected at most %zu", m.build_id_size, sizeof m.build_id);
    struct profile_module *to = NULL;
    for (size_t i = 0; i < p->module_count; i++)
        if (p->module[i].id == m.id)
            to = &p->module[i];                          /* said again, when more was known */
    if (!to)
        to = ARRAY_PUSH(p->module, p->module_count, p->module_capacity);
    *to = (struct profile_module){ .id = m.id, .instrumented = m.instrumented != 0, .runtime = m.runtime != 0, .low = m.low, .high = m.high, .bias = m.bias,
                                   .path = path, .build_id_size = m.build_id_size };
    memcpy(to->build_id, m.build_id, sizeof to->build_id);
    return true;
}

static bool place_take(struct cursor *c, struct profile *p, const unsigned char *payload, uint64_t size, uint64_t offset)
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
        return cursor_fail(c, offset, "a place of %llu bytes, expected %zu and three terminated strings", (unsigned long long)size,
                           sizeof place);
    memcpy(&place, payload, sizeof place);
    if (place.key == 0 || place.key > UINT32_MAX)
        return cursor_fail(c, offset, "a place with key %llu, expected 1 to %u", (unsigned long long)place.key, UINT32_MAX);
    if ((place.kind != PP_SITE_LOOP && place.kind != PP_SITE_SCOPE) || place.category >= sizeof(uint8_t) << 8)
        return cursor_fail(c, offset, "a place of kind %u and category %u, expected a loop or a scope", place.kind, place.category);
    struct profile_site *s = ARRAY_PUSH(p->site, p->site_count, p->site_capacity);
    *s = (struct profile_site){ .key = (uint32_t)place.key, .kind = (uint8_t)place.kind, .mode = PP_MODE_TIMED,
                                .category = (uint8_t)place.category, .line = place.line, .name = function, .symbol = function,
                                .file = file, .directory = "", .stage = name, .unit = "", .compiler = "" };
    return true;
}

static const char **text_room(struct profile *p, uint32_t kind)
{
    switch (kind) {
    case PP_RECORD_ARGUMENT: return ARRAY_PUSH(p->argument, p->argument_count, p->argument_capacity);
    case PP_RECORD_LABEL:    return ARRAY_PUSH(p->label, p->label_count, p->label_capacity);
    default:                 return ARRAY_PUSH(p->option, p->option_count, p->option_capacity);
    }
}

static bool record_take(struct cursor *c, struct profile *p, uint32_t kind, const unsigned char *payload, uint32_t size,
                        uint64_t offset)
{
    uint64_t at = 0;
    switch (kind) {
    case PP_RECORD_ARGUMENT: case PP_RECORD_LABEL: case PP_RECORD_OPTION: {
        const char *text = payload_string(p, payload, size, &at);
        if (!text)
            return cursor_fail(c, offset, "a record of kind %u without its terminator, expected one in %u bytes", kind, size);
        *text_room(p, kind) = text;
        return true;
    }
    case PP_RECORD_MODULE: return module_take(c, p, payload, size, offset);
    case PP_RECORD_PLACE:  return place_take(c, p, payload, size, offset);
    case PP_RECORD_NUMBER: return number_take(c, p, payload, size, offset);
    case PP_RECORD_CHILD: {
        struct pp_child child;
        at = sizeof child;
        const char *path = size > sizeof child ? payload_string(p, payload, size, &at) : NULL;
        if (!path)
            return cursor_fail(c, offset, "a child of %u bytes, expected %zu and a terminated path", size, sizeof child);
        memcpy(&child, payload, sizeof child);
        *ARRAY_PUSH(p->child, p->child_count, p->child_capacity) = (struct profile_child){ child.pid, path };
        return true;
    }
    case PP_RECORD_TARGET: {
        struct pp_target target;
        at = sizeof target;
        const char *name = size > sizeof target ? payload_string(p, payload, size, &at) : NULL;
        if (!name)
            return cursor_fail(c, offset, "a file or socket of %u bytes, expected %zu and a terminated name", size, sizeof target);
        memcpy(&target, payload, sizeof target);
        if (target.kind >= PP_TARGET_KIND_COUNT)
            return cursor_fail(c, offset, "a file or socket of kind %u, expected below %u", target.kind, PP_TARGET_KIND_COUNT);
        *ARRAY_PUSH(p->target, p->target_count, p->target_capacity) = (struct profile_target){ target.id, target.kind, name };
        return true;
    }
    default: return true;        /* a later version's record */
    }
}

static bool records_take(struct cursor *c, const struct extent *e, struct profile *p)
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

/* ---- SITES ---- */

static bool site_take(struct cursor *c, struct profile *p, const struct pp_sites *head, const struct pp_site *from,
                      const char *strings, const char *directory, const char *unit, const char *compiler, uint64_t offset)
{
    const char *name = table_string(strings, head->strings_size, from->name);
    const char *symbol = table_string(strings, head->strings_size, from->symbol);
    const char *file = table_string(strings, head->strings_size, from->file);
    const char *stage = table_string(strings, head->strings_size, from->stage);
    if (!name || !symbol || !file || !stage)
        return cursor_fail(c, offset, "a site's string at %u, expected an offset below %u",
                           !name ? from->name : !symbol ? from->symbol : !file ? from->file : from->stage, head->strings_size);
    bool counted = from->mode != PP_MODE_LEFT_OUT;
    if (counted && (from->slot >= head->slot_count || from->slot >= head->last_key))
        return cursor_fail(c, offset, "a site with slot %u, expected below %u", from->slot,
                           head->slot_count < head->last_key ? head->slot_count : head->last_key);
    *ARRAY_PUSH(p->site, p->site_count, p->site_capacity) = (struct profile_site){
        .key = counted ? head->last_key - from->slot : 0, .kind = from->kind, .mode = from->mode, .category = from->category,
        .reason = from->reason, .line = from->line, .statements = from->statements, .module = head->module, .name = name,
        .symbol = symbol, .file = file, .directory = directory, .stage = stage, .unit = unit, .compiler = compiler };
    return true;
}

static bool sites_take(struct cursor *c, const struct extent *e, struct profile *p)
{
    struct pp_sites head;
    if (!cursor_copy(c, &head, e->offset, sizeof head, "a site table"))
        return false;
    uint64_t sites = (uint64_t)head.site_count * sizeof(struct pp_site);
    if (!cursor_fits(e->size, sizeof head, sites + head.strings_size, 1))
        return cursor_fail(c, e->offset, "%u sites and %u bytes of strings, expected them within %llu bytes", head.site_count,
                           head.strings_size, (unsigned long long)e->size);
    if (!cursor_hold(c, e->offset, sites + head.strings_size, "a site table"))
        return false;
    struct pp_site *site = arena_take(&p->arena, sites + 1);
    char *strings = arena_take(&p->arena, (size_t)head.strings_size + 1);
    if (!cursor_copy(c, site, e->offset + sizeof head, sites, "a site table") ||
        !cursor_copy(c, strings, e->offset + sizeof head + sites, head.strings_size, "a site table's strings"))
        return false;
    if (head.strings_size == 0 || strings[head.strings_size - 1] != 0)
        return cursor_fail(c, e->offset + sizeof head + sites, "a string table of %u bytes, expected it to end in 0",
                           head.strings_size);
    const char *directory = table_string(strings, head.strings_size, head.directory);
    const char *unit = table_string(strings, head.strings_size, head.unit);
    const char *compiler = table_string(strings, head.strings_size, head.compiler);
    if (!directory || !unit || !compiler)
        return cursor_fail(c, e->offset, "a site table's string at %u, expected an offset below %u",
                           !directory ? head.directory : !unit ? head.unit : head.compiler, head.strings_size);
    for (uint32_t i = 0; i < head.site_count; i++)
        if (!site_take(c, p, &head, &site[i], strings, directory, unit, compiler, e->offset + sizeof head + i * sizeof *site))
            return false;
    return true;
}

/* ---- THREADS ---- */

static bool threads_take(struct cursor *c, const struct extent *e, struct profile *p)
{
    struct pp_thread_rows head;
    if (!cursor_copy(c, &head, e->offset, sizeof head, "the thread table"))
        return false;
    if (!cursor_fits(e->size, sizeof head, head.capacity, sizeof(struct pp_thread_row)))
        return cursor_fail(c, e->offset, "room for %u threads, expected at most %llu", head.capacity,
                           (unsigned long long)((e->size - sizeof head) / sizeof(struct pp_thread_row)));
    uint64_t count = smaller(head.count, head.capacity);
    if (!cursor_hold(c, e->offset, count * sizeof(struct pp_thread_row), "threads"))
        return false;
    struct pp_thread_row *row = memory_zeroed(p->thread_count + count, sizeof *row);
    if (p->thread_count)
        memcpy(row, p->thread, p->thread_count * sizeof *row);
    free(p->thread);
    p->thread = row;
    if (!cursor_copy(c, row + p->thread_count, e->offset + sizeof head, count * sizeof *row, "the thread table"))
        return false;
    for (size_t i = p->thread_count; i < p->thread_count + count; i++)
        row[i].name[sizeof row[i].name - 1] = 0;
    p->thread_count += count;
    p->thread_seen += head.count;
    return true;
}

/* ---- a thread block ---- */

static bool counters_take(struct cursor *c, const struct extent *e, struct profile *p)
{
    struct pp_counters head;
    if (!cursor_copy(c, &head, e->offset, sizeof head, "a counter table"))
        return false;
    if (!cursor_fits(e->size, sizeof head, head.count, sizeof(uint64_t)))
        return cursor_fail(c, e->offset, "%llu counters, expected at most %llu", (unsigned long long)head.count,
                           (unsigned long long)((e->size - sizeof head) / sizeof(uint64_t)));
    uint64_t *counter = memory_zeroed(1, PIECE_BYTES), begin = e->offset + sizeof head, at = begin;
    bool good = true;
    for (size_t bytes = 1; good && bytes; at += bytes) {
        good = cursor_piece(c, counter, PIECE_BYTES, &at, begin + head.count * sizeof *counter, sizeof *counter, &bytes, "a counter table");
        for (size_t i = 0; good && i < bytes / sizeof *counter; i++)
            if (counter[i])
                *ARRAY_PUSH(p->counter, p->counter_count, p->counter_capacity) =
                    (struct profile_counter){ (at - begin) / sizeof *counter + i, counter[i] };
    }
    free(counter);
    return good;
}

/* No number of an element may lie beyond what all extents of its block and kind can hold. */
static bool numbers_check(struct cursor *c, const struct extent *e, uint64_t first, uint64_t used, uint64_t element,
                          const char *what)
{
    if (!cursor_fits(e->size, 64, used, element))
        return cursor_fail(c, e->offset, "%llu %s, expected at most %llu", (unsigned long long)used, what,
                           (unsigned long long)((e->size - 64) / element));
    uint64_t room = e->room / element;
    if (first + used > room)
        return cursor_fail(c, e->offset, "%s up to number %llu, expected below %llu", what, (unsigned long long)(first + used),
                           (unsigned long long)room);
    return true;
}

static bool nodes_take(struct cursor *c, const struct extent *e, struct profile *p)
{
    struct pp_nodes head;
    _Static_assert(sizeof head == 64, "numbers_check knows the head's size");
    if (!cursor_copy(c, &head, e->offset, sizeof head, "call tree nodes"))
        return false;
    uint64_t used = smaller(head.used, head.capacity), end = (uint64_t)head.first + used;
    if (!numbers_check(c, e, head.first, used, sizeof(struct pp_node), "call tree nodes"))
        return false;
    if (!used)
        return true;
    struct profile_block *b = &p->block[e->block];
    if (end > b->node_count) {
        if (!cursor_hold(c, e->offset, (end - b->node_count) * sizeof *b->node, "call tree nodes"))
            return false;
        struct pp_node *grown = memory_zeroed(end, sizeof *grown);
        if (b->node_count)
            memcpy(grown, b->node, b->node_count * sizeof *grown);
        free(b->node);
        b->node = grown;
        b->node_count = (uint32_t)end;
    }
    if (!cursor_copy(c, b->node + head.first, e->offset + sizeof head, used * sizeof *b->node, "call tree nodes"))
        return false;
    for (uint64_t i = head.first; i < end; i++) {
        struct pp_node *n = &b->node[i];
        if (i && n->parent >= i)
            return cursor_fail(c, e->offset + sizeof head + (i - head.first) * sizeof *n,
                               "call tree node %llu with parent %u, expected an earlier one", (unsigned long long)i, n->parent);
        n->number = (uint32_t)i;
        n->child = n->chain = 0;
    }
    return true;
}

/* The squares' sum less the sum's square over the count; whatever a corrupt file holds, it is not negative. */
static void stage_moments(struct profile_stage *to, const struct pp_stage *s)
{
    if (!s->timed_calls)
        return;
    unsigned __int128 squares = (unsigned __int128)s->squares_ns2[1] << 64 | s->squares_ns2[0];
    unsigned __int128 mean_part = (unsigned __int128)s->timed_ns * s->timed_ns / s->timed_calls;
    to->mean_ns = (double)s->timed_ns / (double)s->timed_calls;
    to->m2_ns2 = squares > mean_part ? (double)(squares - mean_part) : 0;
}

static bool stage_take(struct cursor *c, struct profile *p, struct profile_stage *to, uint64_t number, uint64_t offset,
                       struct pp_stage *s)
{
    if (!cursor_copy(c, s, offset, sizeof *s, "a stage"))
        return false;
    if (number && s->parent >= number)
        return cursor_fail(c, offset, "stage %llu with parent %u, expected an earlier one", (unsigned long long)number, s->parent);
    if (s->kind >= PP_SITE_KIND_COUNT)
        return cursor_fail(c, offset, "stage %llu of kind %u, expected below %u", (unsigned long long)number, s->kind,
                           PP_SITE_KIND_COUNT);
    *to = (struct profile_stage){ .key = s->key, .kind = s->kind, .parent = s->parent, .number = (uint32_t)number,
        .active = s->active, .calls = s->calls, .timed_calls = s->timed_calls, .wall_ns = s->wall_ns, .self_ns = s->self_ns,
        .min_ns = s->min_ns, .max_ns = s->max_ns, .outer_calls = s->outer_calls,
        .loop_runs = s->loop_runs, .trips_min = s->trips_min, .trips_max = s->trips_max, .sampled_calls = s->sampled_calls, .sampled_for = s->sampled_for,
        .sampled_wall_ns = s->sampled_wall_ns };
    if (!windows_check(c, s->windows, offset))
        return false;
    memcpy(to->windows, s->windows, sizeof to->windows);
    to->growth = s->growth;
    stage_moments(to, s);
    memcpy(to->metric, s->metric, sizeof to->metric);
    memcpy(to->entered, s->entered, sizeof to->entered);
    memcpy(to->level_ns, s->level_ns, sizeof to->level_ns);
    memcpy(to->slowest, s->slowest, sizeof to->slowest);
    for (uint32_t i = 0; i < PP_BUCKETS; i++)
        to->bucket_count += s->histogram[i] != 0;
    to->bucket = arena_take(&p->arena, to->bucket_count * sizeof *to->bucket);
    for (uint32_t i = 0, n = 0; i < PP_BUCKETS; i++)
        if (s->histogram[i])
            to->bucket[n++] = (struct profile_bucket){ i, s->histogram[i] };
    return true;
}

static bool stages_take(struct cursor *c, const struct extent *e, struct profile *p)
{
    struct pp_stages head;
    _Static_assert(sizeof head == 64, "numbers_check knows the head's size");
    if (!cursor_copy(c, &head, e->offset, sizeof head, "stages"))
        return false;
    uint64_t used = smaller(head.used, head.capacity), end = (uint64_t)head.first + used;
    if (!numbers_check(c, e, head.first, used, sizeof(struct pp_stage), "stages"))
        return false;
    if (!used)
        return true;
    struct profile_block *b = &p->block[e->block];
    if (end > b->stage_count) {
        if (!cursor_hold(c, e->offset, (end - b->stage_count) * sizeof *b->stage, "stages"))
            return false;
        struct profile_stage *grown = memory_zeroed(end, sizeof *grown);
        if (b->stage_count)
            memcpy(grown, b->stage, b->stage_count * sizeof *grown);
        free(b->stage);
        b->stage = grown;
        b->stage_count = (uint32_t)end;
    }
    struct pp_stage *s = memory_zeroed(1, sizeof *s);
    bool good = true;
    for (uint64_t i = head.first; good && i < end; i++)
        good = stage_take(c, p, &b->stage[i], i, e->offset + sizeof head + (i - head.first) * sizeof *s, s);
    free(s);
    return good;
}

static bool frames_take(struct cursor *c, const struct extent *e, struct profile *p)
{
    struct pp_frames head;
    if (!cursor_copy(c, &head, e->offset, sizeof head, "open activations"))
        return false;
    if (!cursor_fits(e->size, sizeof head, head.capacity, sizeof(struct pp_frame)))
        return cursor_fail(c, e->offset, "room for %u open activations, expected at most %llu", head.capacity,
                           (unsigned long long)((e->size - sizeof head) / sizeof(struct pp_frame)));
    struct profile_block *b = &p->block[e->block];
    struct pp_frame *frame = memory_zeroed(1, PIECE_BYTES);
    uint64_t at = e->offset + sizeof head, end = at + (uint64_t)head.capacity * sizeof *frame;
    bool good = true;
    for (size_t bytes = 1; good && bytes; at += bytes) {
        good = cursor_piece(c, frame, PIECE_BYTES, &at, end, sizeof *frame, &bytes, "open activations");
        for (size_t i = 0; good && i < bytes / sizeof *frame; i++)
            if (frame[i].start_ns)
                *ARRAY_PUSH(b->frame, b->frame_count, b->frame_capacity) = frame[i];
    }
    free(frame);
    return good;
}

static bool samples_take(struct cursor *c, const struct extent *e, struct profile *p)
{
    struct pp_samples head;
    if (!cursor_copy(c, &head, e->offset, sizeof head, "a sample table"))
        return false;
    if (!cursor_fits(e->size, sizeof head, head.capacity, sizeof(struct pp_sample)))
        return cursor_fail(c, e->offset, "room for %u samples, expected at most %llu", head.capacity,
                           (unsigned long long)((e->size - sizeof head) / sizeof(struct pp_sample)));
    struct profile_block *b = &p->block[e->block];
    struct pp_sample *sample = memory_zeroed(1, PIECE_BYTES);
    uint64_t at = e->offset + sizeof head, end = at + (uint64_t)head.capacity * sizeof *sample;
    bool good = true;
    for (size_t bytes = 1; good && bytes; at += bytes) {
        good = cursor_piece(c, sample, PIECE_BYTES, &at, end, sizeof *sample, &bytes, "a sample table");
        for (size_t i = 0; good && i < bytes / sizeof *sample; i++)
            if (sample[i].count)
                *ARRAY_PUSH(b->sample, b->sample_count, b->sample_capacity) = sample[i];
    }
    free(sample);
    return good;
}

static bool paths_take(struct cursor *c, const struct extent *e, struct profile *p)
{
    struct pp_paths head;
    _Static_assert(sizeof head == 64, "numbers_check knows the head's size");
    if (!cursor_copy(c, &head, e->offset, sizeof head, "call paths"))
        return false;
    uint64_t used = smaller(head.used, head.capacity), end = (uint64_t)head.first + used;
    if (!numbers_check(c, e, head.first, used, sizeof(struct pp_path), "call paths"))
        return false;
    if (!used)
        return true;
    struct profile_block *b = &p->block[e->block];
    if (end > b->path_count) {
        if (!cursor_hold(c, e->offset, (end - b->path_count) * sizeof *b->path, "call paths"))
            return false;
        struct pp_path *grown = memory_zeroed(end, sizeof *grown);
        if (b->path_count)
            memcpy(grown, b->path, b->path_count * sizeof *grown);
        free(b->path);
        b->path = grown;
        b->path_count = (uint32_t)end;
    }
    if (!cursor_copy(c, b->path + head.first, e->offset + sizeof head, used * sizeof *b->path, "call paths"))
        return false;
    for (uint64_t i = head.first; i < end; i++) {
        const struct pp_path *path = &b->path[i];
        uint64_t offset = e->offset + sizeof head + (i - head.first) * sizeof *path;
        if (i && path->parent >= i)
            return cursor_fail(c, offset, "call path %llu with parent %u, expected an earlier one", (unsigned long long)i, path->parent);
        if (path->end >= PP_PATH_END_COUNT)
            return cursor_fail(c, offset, "call path %llu with end %u, expected below %u", (unsigned long long)i, path->end, PP_PATH_END_COUNT);
    }
    return true;
}

static bool points_take(struct cursor *c, const struct extent *e, struct profile *p)
{
    struct pp_callsites head;
    _Static_assert(sizeof head == 64, "numbers_check knows the head's size");
    if (!cursor_copy(c, &head, e->offset, sizeof head, "points of the heap") ||
        !numbers_check(c, e, head.first, head.capacity, sizeof(struct pp_callsite), "points of the heap"))
        return false;
    if (head.first == 0)
        p->has_peak = head.peak_turn && !(head.peak_turn & 1);
    struct pp_callsite *point = memory_zeroed(1, PIECE_BYTES);
    uint64_t begin = e->offset + sizeof head, at = begin, end = at + (uint64_t)head.capacity * sizeof *point;
    bool good = true;
    for (size_t bytes = 1; good && bytes; at += bytes) {
        good = cursor_piece(c, point, PIECE_BYTES, &at, end, sizeof *point, &bytes, "points of the heap");
        for (size_t i = 0; good && i < bytes / sizeof *point; i++) {
            uint32_t number = head.first + (uint32_t)((at - begin) / sizeof *point + i);
            if (point[i].known && point[i].kind >= PP_CALLSITE_KIND_COUNT)
                good = cursor_fail(c, at + i * sizeof *point, "point %u of kind %u, expected below %u", number, point[i].kind, PP_CALLSITE_KIND_COUNT);
            else if (point[i].known)
                *ARRAY_PUSH(p->point, p->point_count, p->point_capacity) = (struct profile_point){ number, point[i] };
        }
    }
    free(point);
    return good;
}

static bool blocks_take(struct cursor *c, const struct extent *e, struct profile *p)
{
    struct pp_blocks head;
    if (!cursor_copy(c, &head, e->offset, sizeof head, "blocks of the heap"))
        return false;
    if (!cursor_fits(e->size, sizeof head, head.count, sizeof(struct pp_block)) || head.first > UINT32_MAX - head.count)
        return cursor_fail(c, e->offset, "blocks of the heap at %u points from %u, expected at most %llu", head.count, head.first,
                           (unsigned long long)((e->size - sizeof head) / sizeof(struct pp_block)));
    struct pp_block *sum = memory_zeroed(1, PIECE_BYTES);
    uint64_t begin = e->offset + sizeof head, at = begin, end = at + (uint64_t)head.count * sizeof *sum;
    bool good = true;
    for (size_t bytes = 1; good && bytes; at += bytes) {
        good = cursor_piece(c, sum, PIECE_BYTES, &at, end, sizeof *sum, &bytes, "blocks of the heap");
        for (size_t i = 0; good && i < bytes / sizeof *sum; i++)
            if (sum[i].alloc_blocks || sum[i].free_blocks || sum[i].free_bytes || sum[i].peak_blocks || sum[i].peak_bytes)
                *ARRAY_PUSH(p->blocks, p->blocks_count, p->blocks_capacity) =
                    (struct profile_blocks){ head.first + (uint32_t)((at - begin) / sizeof *sum + i), sum[i] };
    }
    free(sum);
    return good;
}

static bool operations_take(struct cursor *c, const struct extent *e, struct profile *p)
{
    struct pp_operations head;
    if (!cursor_copy(c, &head, e->offset, sizeof head, "operations"))
        return false;
    if (!cursor_fits(e->size, sizeof head, head.capacity, sizeof(struct pp_operation)))
        return cursor_fail(c, e->offset, "room for %u operations, expected at most %llu", head.capacity,
                           (unsigned long long)((e->size - sizeof head) / sizeof(struct pp_operation)));
    struct pp_operation *sum = memory_zeroed(1, PIECE_BYTES);
    uint64_t at = e->offset + sizeof head, end = at + (uint64_t)head.capacity * sizeof *sum;
    bool good = true, owned = p->block_count && p->block[e->block].id == e->thread;
    for (size_t bytes = 1; good && bytes; at += bytes) {
        good = cursor_piece(c, sum, PIECE_BYTES, &at, end, sizeof *sum, &bytes, "operations");
        for (size_t i = 0; good && i < bytes / sizeof *sum; i++) {
            uint64_t key = sum[i].key;
            if (!key || !(sum[i].timed + sum[i].untimed))
                continue;
            if (PP_OPERATION_KIND(key) >= PP_OPERATION_COUNT)
                good = cursor_fail(c, at + i * sizeof *sum, "an operation of kind %u, expected below %u", PP_OPERATION_KIND(key), PP_OPERATION_COUNT);
            else
                *ARRAY_PUSH(p->operation, p->operation_count, p->operation_capacity) = (struct profile_operation){
                    owned ? (uint32_t)e->block : UINT32_MAX, PP_OPERATION_KIND(key), PP_OPERATION_STAGE(key), PP_OPERATION_POINT(key),
                    PP_OPERATION_TARGET(key), sum[i] };
        }
    }
    free(sum);
    return good;
}

/* ---- all of them ---- */

static bool extent_take(struct cursor *c, const struct extent *e, struct profile *p)
{
    struct pp_thread thread;
    switch (e->kind) {
    case PP_EXTENT_RECORDS:  return records_take(c, e, p);
    case PP_EXTENT_SITES:    return sites_take(c, e, p);
    case PP_EXTENT_THREADS:  return threads_take(c, e, p);
    case PP_EXTENT_COUNTERS: return counters_take(c, e, p);
    case PP_EXTENT_NODES:    return nodes_take(c, e, p);
    case PP_EXTENT_STAGES:   return stages_take(c, e, p);
    case PP_EXTENT_FRAMES:   return frames_take(c, e, p);
    case PP_EXTENT_SAMPLES:  return samples_take(c, e, p);
    case PP_EXTENT_BLOCKED:   return stalls_take(c, e, &p->block[e->block]);
    case PP_EXTENT_PATHS:    return paths_take(c, e, p);
    case PP_EXTENT_CALLSITES:   return points_take(c, e, p);
    case PP_EXTENT_BLOCKS:   return blocks_take(c, e, p);
    case PP_EXTENT_OPERATIONS: return operations_take(c, e, p);
    case PP_EXTENT_TALLIES:  return tallies_take(c, e, p);
    case PP_EXTENT_SNAPSHOT: return snapshot_take(c, e, p);
    case PP_EXTENT_ANSWERS:  return answers_take(c, e, p);
    case PP_EXTENT_LINES:    return lines_take(c, e, p);
    case PP_EXTENT_HITS:     return hits_take(c, e, p);
    case PP_EXTENT_THREAD:
        if (!cursor_copy(c, &thread, e->offset, sizeof thread, "a thread block"))
            return false;
        p->block[e->block].row = thread.row;
        return true;
    default: return true;
    }
}

/* Numbers that point at something published after we looked mean "unknown". */
static void block_settle(struct profile_block *b)
{
    for (uint32_t i = 0; i < b->node_count; i++)
        if (b->node[i].stage >= b->stage_count)
            b->node[i].stage = 0;
    for (size_t i = 0; i < b->sample_count; i++) {
        if (b->sample[i].node >= b->node_count)
            b->sample[i].node = 0;
        if (b->sample[i].path >= b->path_count)
            b->sample[i].path = 0;
    }
    stalls_settle(b);
    for (size_t i = 0; i < b->frame_count; i++) {
        struct pp_frame *f = &b->frame[i];
        if (f->node_number >= b->node_count)
            f->node_number = 0;
        if (f->stage >= b->stage_count)
            f->stage = 0;
    }
    for (size_t i = 0; i < b->tally_count; i++)
        if (b->tally[i].stage >= b->stage_count)
            b->tally[i].stage = 0;
}

static bool kind_of_block(uint32_t kind)
{
    return kind == PP_EXTENT_THREAD || kind == PP_EXTENT_NODES || kind == PP_EXTENT_STAGES || kind == PP_EXTENT_FRAMES || kind == PP_EXTENT_SAMPLES ||
           kind == PP_EXTENT_BLOCKED || kind == PP_EXTENT_PATHS || kind == PP_EXTENT_TALLIES;
}

static int extents_by_block(const void *a, const void *b)
{
    const struct extent *x = a, *y = b;
    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    return x->kind < y->kind ? -1 : x->kind > y->kind;
}

static int extents_by_offset(const void *a, const void *b)
{
    const struct extent *x = a, *y = b;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* Makes the blocks, in order of their number, and says to each extent where its own is, and how much room the block has. */
static void blocks_make(struct extents *list, struct profile *p)
{
    qsort(list->item, list->count, sizeof *list->item, extents_by_block);
    for (size_t i = 0, end; i < list->count; i = end) {
        uint64_t room = 0;
        for (end = i; end < list->count && extents_by_block(&list->item[i], &list->item[end]) == 0; end++)
            room += list->item[end].size;
        if (kind_of_block(list->item[i].kind) && (!p->block_count || p->block[p->block_count - 1].id != list->item[i].thread))
            ARRAY_PUSH(p->block, p->block_count, p->block_capacity)->id = list->item[i].thread;
        for (size_t k = i; k < end; k++) {
            list->item[k].room = room;
            list->item[k].block = p->block_count ? p->block_count - 1 : 0;
        }
    }
    qsort(list->item, list->count, sizeof *list->item, extents_by_offset);
}

/* The calls of a framed site are the sum of its first two words. */
static void calls_settle(struct profile *p)
{
    uint64_t top = 0;
    for (size_t i = 0; i < p->counter_count; i++)
        top = p->counter[i].key > top ? p->counter[i].key : top;
    unsigned char *is_second = memory_zeroed((size_t)top + 1, 1);
    for (size_t i = 0; i < p->site_count; i++)
        if (p->site[i].mode == PP_MODE_FRAMED && p->site[i].key && p->site[i].key - 1 <= top)
            is_second[p->site[i].key - 1] = 1;
    for (size_t i = 0; i < p->counter_count; i++)
        p->counter[i].key += is_second[p->counter[i].key];
    free(is_second);
}

bool extents_take(struct cursor *c, struct extents *list, struct profile *p)
{
    /* What refers before what it refers to: a running program adds the other way round. */
    static const uint32_t order[] = { PP_EXTENT_SNAPSHOT, PP_EXTENT_ANSWERS, PP_EXTENT_OPERATIONS, PP_EXTENT_BLOCKS, PP_EXTENT_CALLSITES, PP_EXTENT_SAMPLES, PP_EXTENT_BLOCKED, PP_EXTENT_PATHS, PP_EXTENT_FRAMES, PP_EXTENT_TALLIES, PP_EXTENT_COUNTERS, PP_EXTENT_NODES, PP_EXTENT_STAGES,
                                      PP_EXTENT_THREAD, PP_EXTENT_THREADS, PP_EXTENT_HITS, PP_EXTENT_LINES, PP_EXTENT_SITES, PP_EXTENT_RECORDS };
    blocks_make(list, p);
    for (size_t k = 0; k < sizeof order / sizeof *order; k++)
        for (size_t i = 0; i < list->count; i++)
            if (list->item[i].kind == order[k] && !extent_take(c, &list->item[i], p))
                return false;
    calls_settle(p);
    for (size_t i = 0; i < p->block_count; i++)
        block_settle(&p->block[i]);
    for (size_t i = 0; i < p->operation_count; i++) {
        struct profile_operation *o = &p->operation[i];
        if (o->block == UINT32_MAX || o->stage >= p->block[o->block].stage_count)
            o->stage = 0;
    }
    return true;
}
