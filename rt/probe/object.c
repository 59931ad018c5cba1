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

static uint64_t hash_bytes(uint64_t h, const void *data, uint64_t bytes) /* FNV-1a, a word at a time */
{
    const unsigned char *p = data;
    for (; bytes >= 8; p += 8, bytes -= 8) {
        uint64_t word;
        memcpy(&word, p, 8);
        h = (h ^ word) * UINT64_C(0x100000001b3);
        h ^= h >> 29;
    }
    for (; bytes; p++, bytes--)
        h = (h ^ *p) * UINT64_C(0x100000001b3);
    return h;
}

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

/* Tables of objects that are registered together, as those of an executable, share an extent: with one each, the 147
 * objects of an interpreter took 1,600 system calls more at its start, and twice the room in its file. */
struct pack {
    uint64_t most_bytes; /* of all the tables that may come */
    struct pp_extent extent;
    char *end;      /* of the tables so far; NULL: there is none */
    char *last;     /* the last table */
    uint64_t *next; /* its word that says how far it is to the next table */
};
struct batch {
    uint32_t module;
    bool lines_there; /* the image's line records are in the file */
    struct pack sites, hits;
};

/* Room for one more table; NULL: there is none. */
static void *pack_begin(struct pack *pack, uint64_t bytes)
{
    if (!pack->end && pp_extent_claim(&pack->extent, pack->most_bytes))
        pack->end = pack->extent.address;
    void *table = pack->end;
    if (table)
        pack->end += bytes;
    return table;
}

/* Readers see the table from here on. */
static void pack_add(struct pack *pack, void *table, uint64_t *next, enum pp_extent_kind kind)
{
    if (pack->last)
        atomic_store_explicit((_Atomic uint64_t *)pack->next, (uint64_t)((char *)table - pack->last),
                              memory_order_release); /* partner: table_take, uses_take in report/read */
    else
        pp_extent_publish(&pack->extent, kind, 0);
    pack->last = table;
    pack->next = next;
}

static uint64_t sites_bytes(const struct pp_object *o)
{
    return (sizeof(struct pp_sites) + (uint64_t)o->site_count * sizeof(struct pp_site) + o->strings_size + 7) &
           ~UINT64_C(7);
}

static bool sites_write(struct pack *pack, const struct pp_object *o, uint32_t last_key, uint32_t module)
{
    const struct pp_site *site = at(o, o->sites);
    uint64_t bytes = (uint64_t)o->site_count * sizeof *site;
    struct pp_sites *head = pack_begin(pack, sites_bytes(o));
    if (!head)
        return false;
    *head = (struct pp_sites){ .last_key = last_key,
                               .slot_count = o->slot_count,
                               .site_count = o->site_count,
                               .strings_size = o->strings_size,
                               .module = module,
                               .unit = o->unit,
                               .directory = o->directory,
                               .compiler = o->compiler };
    memcpy(head + 1, site, bytes);
    memcpy((char *)(head + 1) + bytes, at(o, o->strings), o->strings_size);
    pack_add(pack, head, &head->next, PP_EXTENT_SITES);
    return true;
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

static bool lines_write(const struct pp_object *o, uint32_t module)
{
    const struct pp_line_slots *slots = line_slots(o);
    const char *start = (const char *)slots + slots->records_start;
    uint64_t bytes = (uint64_t)((const char *)slots + slots->records_stop - start);
    struct pp_extent extent;
    if (!pp_extent_claim(&extent, sizeof(struct pp_lines) + bytes))
        return false;
    struct pp_lines *head = extent.address;
    *head = (struct pp_lines){ .bytes = bytes, .module = module };
    memcpy(head + 1, start, bytes);
    pp_extent_publish(&extent, PP_EXTENT_LINES, 0);
    return true;
}

static uint64_t hits_bytes(const struct pp_object *o)
{
    return o->flags & PP_OBJECT_LINES ? sizeof(struct pp_hits) + line_slots(o)->count * sizeof(struct pp_line_use) : 0;
}

static bool hits_write(struct pack *pack, const struct pp_object *o, uint32_t last_key, uint32_t module)
{
    const struct pp_line_slots *slots = line_slots(o);
    struct pp_hits *head = pack_begin(pack, hits_bytes(o));
    if (!head)
        return false;
    *head = (struct pp_hits){ .last_key = last_key, .count = slots->count, .module = module };
    memcpy(head + 1, slots + 1, (uint64_t)slots->count * sizeof(struct pp_line_use));
    pack_add(pack, head, &head->next, PP_EXTENT_HITS);
    return true;
}

/* Nothing is recorded, or this object cannot be. Its probes do nothing from now on. */
static void object_off(struct pp_object *o)
{
    atomic_store_explicit((_Atomic uint32_t *)&o->stages, 0, memory_order_relaxed);
    atomic_store_explicit((_Atomic uint64_t *)&o->end, PP_END_OFF, memory_order_release);
}

static uint8_t site_facts(const struct pp_site *site)
{
    switch (site->mode) {
    case PP_MODE_TIMED: return site->kind | PP_SITE_TIMED;
    case PP_MODE_FRAMED: return site->kind | PP_SITE_COUNTED | PP_SITE_FRAMED;
    default: return site->kind | PP_SITE_COUNTED;
    }
}

static uint64_t object_hash(const struct pp_object *o)
{
    uint64_t sites = (uint64_t)o->site_count * sizeof(struct pp_site);
    return hash_bytes(hash_bytes(UINT64_C(0xcbf29ce484222325), at(o, o->sites), sites), at(o, o->strings),
                      o->strings_size);
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
        if (!sites_write(&batch->sites, o, last_key, module))
            pp_loss(PP_LOSS_OBJECTS, 1);
        if (o->flags & PP_OBJECT_LINES && pp_on(PP_COLLECTOR_HITS)) {
            batch->lines_there = batch->lines_there || lines_write(o, module);
            if (!batch->lines_there || !hits_write(&batch->hits, o, last_key, module))
                pp_loss(PP_LOSS_OBJECTS, 1);
        }
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

static bool is_new(const struct pp_object *o) { return !o->last_key && o->end == PP_END_UNREGISTERED; }

static void batch_widen(struct batch *batch, const struct pp_object *o)
{
    if (pp_run.header && is_new(o)) {
        batch->sites.most_bytes += sites_bytes(o);
        batch->hits.most_bytes += hits_bytes(o);
    }
}

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
    if (object->abi != PP_ABI_VERSION) {
        pp_loss(PP_LOSS_OBJECTS, 1);
        object_off(object);
        return;
    }
    if (start > object || stop <= object) { /* the image has no list of objects: this one alone */
        start = object;
        stop = object + 1;
    }
    if (pp_forbids(PP_FORBIDDEN_CORE | PP_FORBIDDEN_LOOKS)) {
        pp_loss(PP_LOSS_OBJECTS, 1);
        object_off(object);
        return;
    }
    int saved_errno = errno;
    struct batch batch = { .module = 0 };
    if (pp_run.header) { /* wrappers first, so that no call in one is taken for the user's */
        sigset_t held;
        pp_lock(&held);
        pp_wrappers_add(at(object, object->wrappers_start), at(object, object->wrappers_stop));
        pp_unlock(&held);
        pp_modules_instrumented(object);
        batch.module = pp_module_find(object);
    }
    sigset_t saved;
    pp_lock(&saved);
    /* Objects of another ABI version have another size, which ends the list: each of those registers by itself. */
    struct pp_object *end = start;
    for (; end < stop && end->abi == PP_ABI_VERSION; end++)
        batch_widen(&batch, end);
    if (object >= end)
        batch_widen(&batch, object);
    for (struct pp_object *o = start; o < end; o++)
        object_meet(o, &batch);
    object_meet(object, &batch);
    pp_unlock(&saved);
    errno = saved_errno;
}
