/* SPDX-License-Identifier: MIT */
/* stages.c: see stages.h. The file is the runtime's memory, so what is read here is what is so now. */
#include "stages.h"

#include <fcntl.h>
#include <profplug/abi/format.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static int file = -1;
static char *base;
static uint64_t mapped;

static void file_map(void)
{
    struct stat status;
    if (fstat(file, &status) || (uint64_t)status.st_size <= mapped)
        return;
    void *address = (void *)syscall(SYS_mmap, NULL, status.st_size, PROT_READ, MAP_SHARED, file, 0);
    if (address == MAP_FAILED)
        return;
    base = address; /* the former mapping stays: pointers into it are in use */
    mapped = (uint64_t)status.st_size;
}

bool stages_open(const char *folder)
{
    char path[600];
    snprintf(path, sizeof path, "%s/%ld", folder, (long)getpid());
    file = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    file_map();
    const struct pp_header *header = (const struct pp_header *)base;
    if (base && mapped > PP_HEADER_SIZE && !memcmp(header->magic, PP_MAGIC, 8) &&
        header->version == PP_FORMAT_VERSION && header->directory)
        return true;
    syscall(SYS_close, file);
    return false;
}

/* The next extent of that kind. *chunk and *at say where the search goes on; both begin with 0. */
static const void *extent_next(uint32_t kind, uint64_t *chunk, uint32_t *at, const struct pp_directory_entry **entry)
{
    if (!*chunk)
        *chunk = ((const struct pp_header *)base)->directory;
    while (*chunk && *chunk + sizeof(struct pp_directory) <= mapped) {
        const struct pp_directory *d = (const struct pp_directory *)(base + *chunk);
        while (*at < d->count && *at < PP_DIRECTORY_ENTRIES) {
            const struct pp_directory_entry *e = &d->entry[(*at)++];
            if (atomic_load_explicit((const _Atomic uint32_t *)&e->kind, memory_order_acquire) != kind)
                continue;
            if (e->offset + e->size > mapped)
                file_map();
            if (e->offset + e->size > mapped)
                continue;
            *entry = (const struct pp_directory_entry *)(base + *chunk + ((const char *)e - (const char *)d));
            return base + e->offset;
        }
        *chunk = d->next;
        *at = 0;
    }
    return NULL;
}

static void key_add(struct stages_query *query, uint64_t key)
{
    if (query->key_count < STAGES_KEYS)
        query->key[query->key_count++] = key;
}

static void sites_look(const void *extent, uint64_t size, struct stages_query *query)
{
    for (uint64_t at = 0, next = 1; next && at + sizeof(struct pp_sites) <= size; at += next) {
        const struct pp_sites *s = (const struct pp_sites *)((const char *)extent + at);
        const struct pp_site *site = (const struct pp_site *)(s + 1);
        const char *strings = (const char *)(site + s->site_count);
        next = atomic_load_explicit((const _Atomic uint64_t *)&s->next, memory_order_acquire);
        if (sizeof *s + (uint64_t)s->site_count * sizeof *site + s->strings_size > size - at)
            return;
        for (uint32_t i = 0; i < s->site_count; i++)
            if (site[i].stage && site[i].stage < s->strings_size && !strcmp(strings + site[i].stage, query->name))
                key_add(query, s->last_key - site[i].slot);
    }
}

static void records_look(const struct pp_records *r, uint64_t size, struct stages_query *query)
{
    uint64_t used = atomic_load_explicit((const _Atomic uint64_t *)&r->used, memory_order_acquire);
    for (uint64_t at = 0; at + sizeof(struct pp_record) <= used && at < size;) {
        const struct pp_record *record = (const struct pp_record *)((const char *)(r + 1) + at);
        const struct pp_place *place = (const struct pp_place *)(record + 1);
        if (record->kind == PP_RECORD_PLACE && !strcmp(place->strings, query->name))
            key_add(query, place->key);
        at += sizeof *record + ((record->size + 7) & ~UINT64_C(7));
    }
}

/* Keys of the sites of that name. Sites and places come as objects are loaded and regions begin: both make the sum of
 * the directory's counts and the records' bytes grow. */
static void keys_find(struct stages_query *query)
{
    const struct pp_directory_entry *entry;
    const void *extent;
    uint64_t chunk, known = 0;
    uint32_t at = 0;
    for (chunk = ((const struct pp_header *)base)->directory; chunk && chunk + sizeof(struct pp_directory) <= mapped;
         chunk = ((const struct pp_directory *)(base + chunk))->next)
        known += ((const struct pp_directory *)(base + chunk))->count;
    for (chunk = 0; (extent = extent_next(PP_EXTENT_RECORDS, &chunk, &at, &entry));)
        known += ((const struct pp_records *)extent)->used;
    if (known == query->known)
        return;
    query->known = known;
    query->key_count = 0;
    for (chunk = 0, at = 0; (extent = extent_next(PP_EXTENT_SITES, &chunk, &at, &entry));)
        sites_look(extent, entry->size, query);
    for (chunk = 0, at = 0; (extent = extent_next(PP_EXTENT_RECORDS, &chunk, &at, &entry));)
        records_look(extent, entry->size, query);
}

static uint32_t block_tid(uint32_t block)
{
    const struct pp_directory_entry *entry;
    const void *extent;
    uint64_t chunk = 0;
    uint32_t at = 0, row = UINT32_MAX, first = 0;
    while (row == UINT32_MAX && (extent = extent_next(PP_EXTENT_THREAD, &chunk, &at, &entry)))
        if (entry->thread == block)
            row = ((const struct pp_thread *)extent)->row;
    for (chunk = 0, at = 0; row != UINT32_MAX && (extent = extent_next(PP_EXTENT_THREADS, &chunk, &at, &entry));) {
        const struct pp_thread_rows *rows = extent;
        if (row - first < rows->capacity)
            return ((const struct pp_thread_row *)(rows + 1))[row - first].tid;
        first += rows->capacity;
    }
    return 0;
}

static bool is_asked(const struct stages_query *query, uint64_t key)
{
    for (uint32_t i = 0; i < query->key_count; i++)
        if (query->key[i] == key)
            return true;
    return false;
}

void stages_find(struct stages_query *query, void (*found)(void *context, uint32_t tid), void *context)
{
    const struct pp_directory_entry *entry;
    const void *extent;
    uint64_t chunk = 0;
    uint32_t at = 0, told = 0;
    keys_find(query);
    while (query->key_count && (extent = extent_next(PP_EXTENT_STAGES, &chunk, &at, &entry))) {
        const struct pp_stages *stages = extent;
        const struct pp_stage *stage = (const struct pp_stage *)(stages + 1);
        uint32_t used = atomic_load_explicit((const _Atomic uint32_t *)&stages->used, memory_order_acquire),
                 block = entry->thread;
        for (uint32_t i = 0; i < used; i++)
            if (atomic_load_explicit((const _Atomic uint32_t *)&stage[i].active, memory_order_relaxed) &&
                is_asked(query, stage[i].key) && stage[i].kind != PP_SITE_ITERATION && block != told) {
                told = block;
                uint32_t tid = block_tid(block);
                if (tid)
                    found(context, tid);
                break;
            }
    }
}
