/* SPDX-License-Identifier: MIT */
/* region.c: loops, scopes and regions begun by name. They are the same region if their name, function, file and line
 * are equal, and get their keys at run time. It must not know how they are timed. */
#define _GNU_SOURCE
#include "probe/region.h"
#include "file/datafile.h"
#include "file/memory.h"
#include "probe/object.h"
#include "system/lock.h"
#include "system/state.h"
#include <errno.h>
#include <string.h>

struct entry {
    struct entry *next; /* in the same bucket; set before the entry is published */
    uint64_t hash;
    uint32_t key, kind, line, size;
    char strings[]; /* name, function, file, each terminated */
};
#define ENTRY_MOST 65536u /* bytes of an entry */
#define ROOM_BYTES 16384u
PP_FAR static struct entry *_Atomic bucket[256];
static struct {
    char *at;
    uint64_t left;
} room; /* for entries; under pp_lock */

static const char *text(const char *s) { return s ? s : ""; }

static uint64_t hash_text(uint64_t h, const char *s)
{
    for (; *s; s++)
        h = (h ^ (unsigned char)*s) * UINT64_C(0x100000001b3);
    return (h ^ 0xff) * UINT64_C(0x100000001b3);
}

/* Without a category in its annotation, a stage gets one by its name: that is the category's name, or begins with it
 * and an underscore, or is an abbreviation of it of at least four letters. */
static uint32_t category_of(const char *category, const char *name)
{
    static const char *const known[] = {
#define PP_CATEGORY(id, text) text,
#include <profplug/abi/site.def>
    };
    if (category && *category) {
        for (uint32_t i = 0; i < PP_CATEGORY_COUNT; i++)
            if (!strcmp(category, known[i]))
                return i;
        return PP_CATEGORY_CUSTOM;
    }
    size_t length = strlen(name);
    for (uint32_t i = 0; i < PP_CATEGORY_COUNT; i++) {
        size_t n = strlen(known[i]);
        if (!strncmp(name, known[i], n) && (!name[n] || name[n] == '_'))
            return i;
        if (length >= 4 && length < n && !strncmp(known[i], name, length))
            return i;
    }
    return PP_CATEGORY_CUSTOM;
}

static bool same(const struct entry *e, uint64_t hash, const struct profplug_place *p)
{
    if (e->hash != hash || e->kind != p->kind || e->line != p->line)
        return false;
    const char *name = e->strings, *function = name + strlen(name) + 1, *file = function + strlen(function) + 1;
    return !strcmp(name, text(p->name)) && !strcmp(function, text(p->function)) && !strcmp(file, text(p->file));
}

static struct entry *find(uint64_t hash, const struct profplug_place *p)
{
    for (struct entry *e = atomic_load_explicit(&bucket[hash % 256], memory_order_acquire); e; e = e->next)
        if (same(e, hash, p))
            return e;
    return NULL;
}

static uint32_t place_add(uint64_t hash, const struct profplug_place *p)
{
    sigset_t saved;
    uint32_t key = 0;
    size_t name = strlen(text(p->name)) + 1, function = strlen(text(p->function)) + 1, file = strlen(text(p->file)) + 1;
    uint64_t need = (sizeof(struct entry) + name + function + file + 15) / 16 * 16;
    if (need > ENTRY_MOST)
        return 0;
    if (pp_forbids(PP_FORBIDDEN_CORE)) {
        pp_loss(PP_LOSS_OBJECTS, 1);
        return 0;
    }
    pp_lock(&saved);
    struct entry *e = find(hash, p); /* another thread may have added it */
    if (e) {
        key = e->key;
    } else {
        if (room.left < need) {
            room.at = pp_memory(need > ROOM_BYTES ? need : ROOM_BYTES);
            room.left = room.at ? need > ROOM_BYTES ? need : ROOM_BYTES : 0;
        }
        if (room.at && (key = pp_keys_take(1))) {
            e = (struct entry *)room.at;
            room.at += need;
            room.left -= need;
            *e = (struct entry){ atomic_load_explicit(&bucket[hash % 256], memory_order_relaxed),
                                 hash,
                                 key,
                                 p->kind,
                                 p->line,
                                 (uint32_t)(name + function + file) };
            memcpy(e->strings, text(p->name), name);
            memcpy(e->strings + name, text(p->function), function);
            memcpy(e->strings + name + function, text(p->file), file);
            pp_key_set_facts(key, (uint8_t)(p->kind | PP_SITE_TIMED));
            struct pp_place head = {
                .key = key, .kind = p->kind, .category = category_of(p->category, text(p->name)), .line = p->line
            };
            pp_record_add2(PP_RECORD_PLACE, &head, sizeof head, e->strings, e->size);
            atomic_store_explicit(&bucket[hash % 256], e, memory_order_release);
        } else {
            pp_loss(PP_LOSS_OBJECTS, 1);
        }
    }
    pp_unlock(&saved);
    return key;
}

uint32_t pp_region_key(struct profplug_place *place)
{
    uint64_t key = atomic_load_explicit((_Atomic uint64_t *)&place->key, memory_order_relaxed);
    if (PP_LIKELY(key))
        return (uint32_t)key;
    int saved_errno = errno;
    uint64_t hash = hash_text(
        hash_text(hash_text(place->line * UINT64_C(31) + place->kind, text(place->name)), text(place->function)),
        text(place->file));
    struct entry *e = find(hash, place);
    key = e ? e->key : place_add(hash, place);
    if (key)
        atomic_store_explicit((_Atomic uint64_t *)&place->key, key, memory_order_relaxed);
    errno = saved_errno;
    return (uint32_t)key;
}
