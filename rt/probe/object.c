/* SPDX-License-Identifier: MIT */
/* object.c: assigns keys to the sites of an object file, and copies their table into the data file. It must not know
 * what happens at a site. */
#define _GNU_SOURCE
#include "probe/object.h"
#include "file/datafile.h"
#include "file/memory.h"
#include "stack/modules.h"
#include "stack/wrapper.h"
#include "system/lock.h"
#include "system/state.h"
#include "thread/segment.h"
#include "thread/thread.h"
#include <profplug/abi/line.h>
#include <errno.h>
#include <string.h>

/* The facts of each key, one byte, in chunks that never move. */
#define FACTS_CHUNK 16384u
#define FACTS_CHUNKS 1024u
PP_FAR static uint8_t *_Atomic facts[FACTS_CHUNKS];

/* Objects registered before, by their content and their place in their image. So a library that is closed and opened
 * again, at any address, gets the keys that it had. Nobody tells us when an image is unloaded: if it uses the shared
 * runtime, it contains no code of ours. */
struct known {
    uint64_t hash;
    uint32_t last_key, module;
    int32_t place;
};
#define KNOWN_CHUNK 255u
struct known_chunk {
    struct known_chunk *next;
    uint64_t count;
    struct known entry[KNOWN_CHUNK];
};
static struct known_chunk *known;

uint8_t pp_key_facts(uint32_t key)
{
    uint8_t *chunk =
        key / FACTS_CHUNK < FACTS_CHUNKS ? atomic_load_explicit(&facts[key / FACTS_CHUNK], memory_order_acquire) : NULL;
    return chunk ? chunk[key % FACTS_CHUNK] : 0;
}

void pp_key_set_facts(uint32_t key, uint8_t value)
{
    uint8_t *chunk = atomic_load_explicit(&facts[key / FACTS_CHUNK], memory_order_acquire);
    if (chunk)
        chunk[key % FACTS_CHUNK] = value;
}

uint32_t pp_keys_take(uint32_t count)
{
    /* Even, because two counters of a framed site are changed by one instruction on 16 aligned bytes (pace.c). */
    uint32_t first = pp_run.header->key_count + (count > 1 && pp_run.header->key_count % 2);
    if (count > FACTS_CHUNK * FACTS_CHUNKS - first)
        return 0;
    for (uint32_t i = first / FACTS_CHUNK; i <= (first + count - 1) / FACTS_CHUNK; i++) {
        /* It writes, since a new page that is read first has two faults. */
        if (atomic_fetch_add_explicit((_Atomic uint64_t *)&facts[i], 0, memory_order_relaxed))
            continue;
        uint8_t *chunk = pp_memory(FACTS_CHUNK);
        if (!chunk)
            return 0;
        atomic_store_explicit(&facts[i], chunk, memory_order_release);
    }
    atomic_store_explicit((_Atomic uint32_t *)&pp_run.header->key_count, first + count, memory_order_release);
    return first;
}

static const void *at(const struct pp_object *o, int32_t offset) { return (const char *)o + offset; }

static struct known *known_find(uint64_t hash, uint32_t module, int32_t place)
{
    for (struct known_chunk *c = known; c; c = c->next)
        for (uint64_t i = 0; i < c->count; i++) {
            struct known *k = &c->entry[i];
            if (k->hash == hash && k->module == module && k->place == place)
                return k;
        }
    return NULL;
}

static void known_add(uint64_t hash, uint32_t module, uint32_t last_key, int32_t place)
{
    if (!known || known->count == KNOWN_CHUNK) {
        struct known_chunk *c = pp_memory(sizeof *c);
        if (!c)
            return;
        c->next = known;
        known = c;
    }
    known->entry[known->count++] = (struct known){ hash, last_key, module, place };
}

/* Tables share extents, each a quarter larger than the last and the table that opens it. With one for each table, the
 * 147 objects of an interpreter took 1,600 system calls more at its start, and twice the room in its file. */
struct pack {
    struct pp_extent extent;
    uint64_t room; /* bytes of it that are left */
    char *last;    /* the last table; NULL: there is none */
};
struct batch {
    uint32_t module;
    struct pack sites, hits, lines; /* line records are the image's, so there is one table */
};

/* An executable's objects are registered one by one, so that a short process pays for those that it runs. Its objects;
 * NULL: none was registered. */
static struct batch program;
static struct pp_object *program_start, *program_stop;

/* Copies a table whose head has PP_TABLE_HEAD bytes. `next`: where in it is the word that says how far it is to the
 * next table. False: there is no room, which is counted. */
#define PP_TABLE_HEAD 64u
_Static_assert(sizeof(struct pp_sites) == PP_TABLE_HEAD && sizeof(struct pp_hits) == PP_TABLE_HEAD &&
                   sizeof(struct pp_lines) == PP_TABLE_HEAD,
               "heads");
static bool table_write(struct pack *pack, enum pp_extent_kind kind, uint32_t next, const void *head,
                        const void *content, uint64_t content_bytes)
{
    uint64_t bytes = (PP_TABLE_HEAD + content_bytes + 7) & ~UINT64_C(7);
    bool opens = bytes > pack->room;
    if (opens) {
        pack->room = 0;
        if (!pp_extent_claim(&pack->extent, pack->extent.size + pack->extent.size / 4 + bytes)) {
            pp_loss(PP_LOSS_OBJECTS, 1);
            return false;
        }
        pack->room = pack->extent.size;
    }
    char *table = (char *)pack->extent.address + pack->extent.size - pack->room;
    pack->room -= bytes;
    memcpy(mempcpy(table, head, PP_TABLE_HEAD), content, content_bytes);
    /* Readers see the table from here on. */
    if (opens)
        pp_extent_publish(&pack->extent, kind, 0);
    else
        atomic_store_explicit((_Atomic uint64_t *)(pack->last + next), (uint64_t)(table - pack->last),
                              memory_order_release); /* partner: table_take, uses_take in report/read */
    pack->last = table;
    return true;
}

/* Of its sites, and the strings behind them. */
static uint64_t sites_bytes(const struct pp_object *o)
{
    return (uint64_t)o->site_count * sizeof(struct pp_site) + o->strings_size;
}

static void sites_write(struct pack *pack, const struct pp_object *o, uint32_t last_key, uint32_t module)
{
    struct pp_sites head = { .last_key = last_key,
                             .slot_count = o->slot_count,
                             .site_count = o->site_count,
                             .strings_size = o->strings_size,
                             .module = module,
                             .unit = o->unit,
                             .directory = o->directory,
                             .compiler = o->compiler };
    if (o->flags & PP_OBJECT_SEGMENT) {
        head.program_key = last_key + 1 - (uint32_t)(o->segment_end - o->segment_start) / 8;
        head.program_objects = (uint32_t)(program_stop - program_start);
    }
    table_write(pack, PP_EXTENT_SITES, offsetof(struct pp_sites, next), &head, at(o, o->sites),
                sites_bytes(o));
}

/* ---- hits of lines ---- */

static const struct pp_line_slots *line_slots(const struct pp_object *o)
{
    uint64_t end = (uint64_t)(uintptr_t)at(o, o->strings) + o->strings_size;
    return (const struct pp_line_slots *)(uintptr_t)((end + 7) & ~UINT64_C(7));
}

uint64_t pp_object_waste(const struct pp_object *o)
{
    return (uint64_t)(uintptr_t)line_slots(o) + (uint64_t)(int64_t)line_slots(o)->waste_end;
}

static void hits_write(struct batch *batch, const struct pp_object *o, uint32_t last_key)
{
    const struct pp_line_slots *slots = line_slots(o);
    const char *start = (const char *)slots + slots->records_start;
    uint64_t bytes = (uint64_t)((const char *)slots + slots->records_stop - start);
    struct pp_lines lines = { .bytes = bytes, .module = batch->module };
    struct pp_hits head = { .last_key = last_key, .count = slots->count, .module = batch->module };
    if (batch->lines.last || table_write(&batch->lines, PP_EXTENT_LINES, 0, &lines, start, bytes))
        table_write(&batch->hits, PP_EXTENT_HITS, offsetof(struct pp_hits, next), &head, slots + 1,
                    (uint64_t)slots->count * sizeof(struct pp_line_use));
}

/* Nothing is recorded, or this object cannot be. Its probes do nothing from now on. */
static void object_off(struct pp_object *o)
{
    atomic_store_explicit((_Atomic uint32_t *)&o->stages, 0, memory_order_relaxed);
    atomic_store_explicit((_Atomic uint64_t *)&o->end, PP_END_OFF, memory_order_release);
}

static uint8_t site_facts(const struct pp_site *site)
{
    return site->kind | (site->mode == PP_MODE_TIMED    ? PP_SITE_TIMED
                         : site->mode == PP_MODE_FRAMED ? PP_SITE_COUNTED | PP_SITE_FRAMED
                                                        : PP_SITE_COUNTED);
}

/* FNV-1a of its sites and strings, by words; the last word ends with them. */
static uint64_t object_hash(const struct pp_object *o)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325), word, bytes = sites_bytes(o);
    for (uint64_t i = sizeof word; i < bytes + sizeof word; i += sizeof word) {
        memcpy(&word, (const char *)at(o, o->sites) + (i < bytes ? i : bytes) - sizeof word, sizeof word);
        h = (h ^ word) * UINT64_C(0x100000001b3);
        h ^= h >> 29;
    }
    return h;
}

static void object_add(struct pp_object *o, struct batch *batch)
{
    const struct pp_site *site = at(o, o->sites);
    uint32_t module = batch->module;
    bool own = o->flags & PP_OBJECT_SEGMENT; /* the keys of the executable's objects are fixed: segment.c */
    uint64_t hash = own ? 0 : object_hash(o);
    struct known *k = own ? NULL : known_find(hash, module, o->objects_start);
    uint32_t last_key;
    if (k) {
        last_key = k->last_key;
    } else {
        uint32_t slots = o->slot_count ? o->slot_count : 1, first = own ? 0 : pp_keys_take(slots);
        last_key = own ? pp_segment_key(o) : first ? first + slots - 1 : 0;
        if (!last_key) {
            pp_loss(PP_LOSS_OBJECTS, 1);
            object_off(o);
            return;
        }
        for (uint32_t i = 0; i < o->site_count; i++)
            if (site[i].mode != PP_MODE_LEFT_OUT && site[i].slot < o->slot_count)
                pp_key_set_facts(last_key - site[i].slot, site_facts(&site[i]));
        sites_write(&batch->sites, o, last_key, module);
        if (o->flags & PP_OBJECT_LINES && pp_on(PP_COLLECTOR_HITS))
            hits_write(batch, o, last_key);
        if (!own)
            known_add(hash, module, last_key, o->objects_start);
    }
    atomic_store_explicit((_Atomic uint32_t *)&o->last_key, last_key,
                          memory_order_release); /* partner: object_thread */
    atomic_store_explicit((_Atomic int64_t *)&o->tls, pp_tls_offset, memory_order_relaxed);
    atomic_store_explicit((_Atomic uint32_t *)&o->stages, 1, memory_order_relaxed);
    /* Emitted code reads `end` with a plain load. x86, and the data dependency through T.limit, order what it needs. */
    atomic_store_explicit((_Atomic uint64_t *)&o->end,
                          pp_on(PP_COLLECTOR_CALLTREE) ? ((uint64_t)last_key + 1) * 8 : PP_END_OFF,
                          memory_order_release);
}

static bool is_new(const struct pp_object *o) { return o->end == PP_END_UNREGISTERED; }

static void object_meet(struct pp_object *o, struct batch *batch)
{
    if (!is_new(o))
        return;
    if (pp_run.header)
        object_add(o, batch);
    else
        object_off(o);
}

void pp_object_register(struct pp_object *object)
{
    struct pp_object *start = (struct pp_object *)((char *)object + object->objects_start);
    struct pp_object *stop = (struct pp_object *)((char *)object + object->objects_stop);
    struct batch several = { .module = 0 }, *batch = &several;
    if (object->abi != PP_ABI_VERSION || pp_forbids(PP_FORBIDDEN_CORE | PP_FORBIDDEN_LOOKS)) {
        pp_loss(PP_LOSS_OBJECTS, 1);
        object_off(object);
        return;
    }
    if (start > object || stop <= object) { /* the image has no list of objects: this one alone */
        start = object;
        stop = object + 1;
    }
    int saved_errno = errno;
    sigset_t saved;
    if (pp_run.header && object->flags & PP_OBJECT_SEGMENT) {
        batch = &program;
        program_start = start;
        program_stop = stop;
        stop = start;
    }
    if (pp_run.header && !batch->module) { /* wrappers first, so that no call in one is taken for the user's */
        pp_lock(&saved);
        pp_wrappers_add(at(object, object->wrappers_start), at(object, object->wrappers_stop));
        pp_unlock(&saved);
        pp_modules_instrumented(object);
        batch->module = pp_module_find(object);
    }
    pp_lock(&saved);
    /* Objects of another ABI version have another size, which ends the list: each of those registers by itself. */
    for (; start < stop && start->abi == PP_ABI_VERSION; start++)
        object_meet(start, batch);
    object_meet(object, batch);
    pp_unlock(&saved);
    errno = saved_errno;
}

/* Did the object run? All its counters are looked at. A thread without counters of its own has those of the section. */
static bool is_used(const struct pp_object *o)
{
    for (uint32_t id = pp_thread_count(); id; id--) {
        uint64_t end = (uint64_t)(uintptr_t)at(o, o->segment_end) + pp_private(pp_thread_at(id))->segment;
        for (uint64_t slot = o->slot_count; slot; slot--)
            if (*(const volatile uint64_t *)(uintptr_t)(end - slot * 8))
                return true;
    }
    return false;
}

void pp_objects_settle(bool all)
{
    sigset_t saved;
    struct pp_object *o = program_start;
    if (!o || pp_tls()->busy || pp_forbids(PP_FORBIDDEN_CORE | PP_FORBIDDEN_LOOKS))
        return; /* busy: amid a fork this thread has the lock */
    pp_lock(&saved);
    for (; o < program_stop && o->abi == PP_ABI_VERSION; o++)
        if (all || is_used(o))
            object_meet(o, &program);
    if (all)
        program_start = NULL; /* there is nothing more to do */
    pp_unlock(&saved);
}
