/* SPDX-License-Identifier: MIT */
/* sites.c: objects' tables of sites, and the counters of their keys. See sites.h. */
#include "read/sites.h"

#include <stdlib.h>
#include <sys/mman.h>

#include <profplug/abi/line.h>

#include "read/flow.h"
#include "store/elsewhere.h"
#include "symbol/image.h"

/* A string of the table; NULL if the offset is beyond it. */
static const char *table_string(const char *strings, uint32_t size, uint32_t offset)
{
    return offset < size ? strings + offset : NULL;
}

uint32_t slot_key(uint32_t last_key, uint32_t slot) { return last_key - slot; }

static bool site_take(struct cursor *c, struct profile *p, const struct pp_sites *head, const struct pp_site *from,
                      const char *strings, const char *directory, const char *unit, const char *compiler,
                      uint64_t offset)
{
    const char *name = table_string(strings, head->strings_size, from->name);
    const char *symbol = table_string(strings, head->strings_size, from->symbol);
    const char *file = table_string(strings, head->strings_size, from->file);
    const char *stage = table_string(strings, head->strings_size, from->stage);
    if (!name || !symbol || !file || !stage)
        return cursor_fail(c, offset, "a site's string at %u, expected an offset below %u",
                           !name     ? from->name
                           : !symbol ? from->symbol
                           : !file   ? from->file
                                     : from->stage,
                           head->strings_size);
    bool counted = from->mode != PP_MODE_LEFT_OUT;
    if (counted && (from->slot >= head->slot_count || from->slot >= head->last_key))
        return cursor_fail(c, offset, "a site with slot %u, expected below %u", from->slot,
                           head->slot_count < head->last_key ? head->slot_count : head->last_key);
    *ARRAY_PUSH(p->site, p->site_count, p->site_capacity) =
        (struct profile_site){ .key = counted ? slot_key(head->last_key, from->slot) : 0,
                               .kind = from->kind,
                               .mode = from->mode,
                               .category = from->category,
                               .reason = from->reason,
                               .line = from->line,
                               .statements = from->statements,
                               .module = head->module,
                               .name = name,
                               .symbol = symbol,
                               .file = file,
                               .directory = directory,
                               .stage = stage,
                               .title = stage[0] ? stage : name,
                               .unit = unit,
                               .compiler = compiler };
    return true;
}

/* The table at `offset`, which has `room` bytes at most; *next: bytes to the one after it. */
static bool table_take(struct cursor *c, uint64_t offset, uint64_t room, struct profile *p, uint64_t *next)
{
    struct pp_sites head;
    if (!cursor_copy(c, &head, offset, sizeof head, "a site table"))
        return false;
    uint64_t sites = (uint64_t)head.site_count * sizeof(struct pp_site);
    if (!cursor_fits(room, sizeof head, sites + head.strings_size, 1))
        return cursor_fail(c, offset, "%u sites and %u bytes of strings, expected them within %llu bytes",
                           head.site_count, head.strings_size, (unsigned long long)room);
    if (!table_next(c, offset, head.next, sizeof head + sites + head.strings_size, room))
        return false;
    *next = head.next;
    if (head.program_key) {
        p->program.module = head.module;
        p->program.key = head.program_key;
        p->program.objects = head.program_objects;
        p->program.tables++;
    }
    head.next = head.program_key = head.program_objects = 0; /* a merged file has each table in an extent of its own */
    if (!cursor_hold(c, offset, sites + head.strings_size, "a site table"))
        return false;
    struct pp_site *site = arena_take(&p->arena, sites + 1);
    char *strings = arena_take(&p->arena, (size_t)head.strings_size + 1);
    if (!cursor_copy(c, site, offset + sizeof head, sites, "a site table") ||
        !cursor_copy(c, strings, offset + sizeof head + sites, head.strings_size, "a site table's strings"))
        return false;
    if (head.strings_size == 0 || strings[head.strings_size - 1] != 0)
        return cursor_fail(c, offset + sizeof head + sites, "a string table of %u bytes, expected it to end in 0",
                           head.strings_size);
    const char *directory = table_string(strings, head.strings_size, head.directory);
    const char *unit = table_string(strings, head.strings_size, head.unit);
    const char *compiler = table_string(strings, head.strings_size, head.compiler);
    if (!directory || !unit || !compiler)
        return cursor_fail(c, offset, "a site table's string at %u, expected an offset below %u",
                           !directory ? head.directory
                           : !unit    ? head.unit
                                      : head.compiler,
                           head.strings_size);
    *ARRAY_PUSH(p->object, p->object_count, p->object_capacity) = (struct profile_object){ head, site, strings };
    for (uint32_t i = 0; i < head.site_count; i++)
        if (!site_take(c, p, &head, &site[i], strings, directory, unit, compiler,
                       offset + sizeof head + i * sizeof *site))
            return false;
    return true;
}

bool sites_take(struct cursor *c, const struct extent *e, struct profile *p)
{
    for (uint64_t at = 0, next = 1; next; at += next)
        if (!table_take(c, e->offset + at, e->size - at, p, &next))
            return false;
    return true;
}

/* ---- tables that are in the executable alone ---- */

/* The executable. Whatever is wrong with it is only noted. */
struct program {
    struct image *image;
    struct profile_object *known; /* whose tables are in the data file, by key */
    size_t known_count;
};

/* Whether the process has so many bytes there from its file, so that memory for them is no hostile file's wish. */
static bool program_has(const struct program *f, uint64_t address, uint64_t bytes)
{
    char last;
    return !bytes || image_bytes(f->image, address + bytes - 1, &last, 1);
}

static int objects_by_key(const void *a, const void *b)
{
    const struct profile_object *x = a, *y = b;
    return x->head.last_key < y->head.last_key ? -1 : x->head.last_key > y->head.last_key;
}

static const struct profile_object *program_known(const struct program *f, uint32_t last_key)
{
    struct profile_object wanted = { .head.last_key = last_key };
    return f->known_count ? bsearch(&wanted, f->known, f->known_count, sizeof wanted, objects_by_key) : NULL;
}

/* A table of the executable goes through a file of its own, so that it is checked like those of the data file. */
static bool table_copy(const struct program *f, struct cursor *to, uint64_t address, struct profile *p,
                       const struct pp_object *o, uint32_t last_key)
{
    struct pp_line_slots slots = { 0 };
    uint64_t sites = (uint64_t)o->site_count * sizeof(struct pp_site) + o->strings_size, uses = 0, next;
    uint64_t from = address + (uint64_t)(int64_t)o->sites, behind = (from + sites + 7) & ~UINT64_C(7);
    const struct profile_object *here = program_known(f, last_key);
    if (!program_has(f, from, sites))
        return false;
    bool hits = !here && o->flags & PP_OBJECT_LINES && p->use_count &&
                image_bytes(f->image, behind, &slots, sizeof slots);
    if (hits)
        uses = (uint64_t)slots.count * sizeof(struct pp_line_use);
    if (!program_has(f, behind + sizeof slots, uses))
        return false;
    unsigned char *text = memory_zeroed(sizeof(struct pp_sites) + sites + sizeof(struct pp_hits) + uses, 1);
    unsigned char *line = text + sizeof(struct pp_sites) + sites;
    *(struct pp_sites *)text = (struct pp_sites){ .last_key = last_key,
                                                  .slot_count = o->slot_count,
                                                  .site_count = o->site_count,
                                                  .strings_size = o->strings_size,
                                                  .module = p->program.module,
                                                  .unit = o->unit,
                                                  .directory = o->directory,
                                                  .compiler = o->compiler };
    struct pp_hits head = { .last_key = last_key, .count = slots.count, .module = p->program.module };
    memcpy(line, &head, sizeof head);
    bool good = image_bytes(f->image, from, text + sizeof(struct pp_sites), sites) &&
                (!uses || image_bytes(f->image, behind + sizeof slots, line + sizeof head, uses));
    if (good && here) {
        good = here->head.site_count == o->site_count && here->head.strings_size == o->strings_size &&
               memcmp(here->site, text + sizeof(struct pp_sites), sites - o->strings_size) == 0 &&
               memcmp(here->strings, line - o->strings_size, o->strings_size) == 0;
    } else if (good) {
        uint64_t bytes = sizeof(struct pp_sites) + sites + sizeof head + uses;
        struct extent e = { .offset = sizeof(struct pp_sites) + sites, .size = sizeof head + uses };
        good = pwrite(to->file, text, bytes, 0) == (ssize_t)bytes && table_take(to, 0, e.offset, p, &next) &&
               (!hits || hits_take(to, &e, p));
        p->program.tables += good;
    }
    free(text);
    return good;
}

/* Tables of all objects that have none here; of those that have one it is compared. */
static void program_take(const struct program *f, struct profile *p)
{
    uint64_t at, size, bytes = p->program.objects * sizeof(struct pp_object);
    char error[READER_ERROR_BYTES] = "";
    struct cursor to = { .file = memfd_create("tables", MFD_CLOEXEC),
                         .path = image_path(f->image),
                         .stored = UINT64_MAX,
                         .error = error,
                         .error_bytes = sizeof error };
    bool good = to.file >= 0 && image_section_place(f->image, "profplug_objects", &at, &size) && size == bytes &&
                program_has(f, at, bytes);
    struct pp_object *all = memory_zeroed(good ? p->program.objects : 1, sizeof *all);
    good = good && image_bytes(f->image, at, all, bytes);
    for (unsigned add = 0; add < 2; add++) /* nothing is added unless all that is here is the same */
        for (size_t i = 0; good && i < p->program.objects; i++) {
            const struct pp_object *o = &all[i];
            uint32_t last_key = p->program.key - 1 + (uint32_t)(o->segment_end - o->segment_start) / 8;
            good = o->abi == PP_ABI_VERSION;
            if (good && o->flags & PP_OBJECT_SEGMENT && (program_known(f, last_key) == NULL) == add)
                good = table_copy(f, &to, at + i * sizeof *o, p, o, last_key);
        }
    free(all);
    if (to.file >= 0)
        close(to.file);
}

void sites_complete(struct profile *p)
{
    size_t in_tables = 0, sites = p->site_count;
    char elsewhere[ELSEWHERE_BYTES];
    struct program f = { 0 };
    const struct profile_module *module = NULL;
    for (size_t i = 0; i < p->module_count; i++)
        if (p->program.key && p->module[i].id == p->program.module)
            module = &p->module[i];
    if (!module)
        return;
    for (size_t i = 0; i < p->object_count; i++)
        in_tables += p->object[i].head.site_count;
    f.known_count = p->object_count;
    f.known = memory_zeroed(f.known_count + 1, sizeof *f.known);
    memcpy(f.known, p->object, f.known_count * sizeof *f.known);
    qsort(f.known, f.known_count, sizeof *f.known, objects_by_key);
    if (p->program.tables < p->program.objects &&
        image_open(elsewhere_find(module->path, elsewhere, NULL), module->build_id, module->build_id_size, &f.image,
                   NULL, 0) == IMAGE_OK) {
        program_take(&f, p);
        image_close(f.image);
    }
    free(f.known);
    /* Regions that got their key at run time stay behind all tables. */
    size_t places = sites - in_tables, more = p->site_count - sites;
    if (places && more) {
        struct profile_site *kept = memory_zeroed(places, sizeof *kept);
        memcpy(kept, p->site + in_tables, places * sizeof *kept);
        memmove(p->site + in_tables, p->site + sites, more * sizeof *kept);
        memcpy(p->site + in_tables + more, kept, places * sizeof *kept);
        free(kept);
    }
}

/* ---- counters ---- */

static bool counter_take(struct cursor *c, struct profile *p, const struct extent *e, const struct row *row)
{
    const uint64_t *count = row->bytes;
    (void)c, (void)e;
    if (*count)
        *ARRAY_PUSH(p->counter, p->counter_count, p->counter_capacity) = (struct profile_counter){ row->index, *count };
    return true;
}

bool counters_take(struct cursor *c, const struct extent *e, struct profile *p)
{
    struct pp_counters head;
    if (!cursor_copy(c, &head, e->offset, sizeof head, "a counter table"))
        return false;
    if (!extent_fits(e, head.count))
        return cursor_fail(c, e->offset, "%llu counters, expected at most %llu", (unsigned long long)head.count,
                           (unsigned long long)extent_most(e));
    return rows_visit(c, p, e, head.count, "a counter table", counter_take);
}

/* A framed site has two counters, whose sum is its number of calls. Both get the site's key. */
void counters_settle(struct profile *p)
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
    if (p->program.tables >= p->program.objects)
        return;
    unsigned char *is_told = memory_zeroed((size_t)top + 2, 1); /* a key has grown by 1, see above */
    for (size_t i = 0; i < p->object_count; i++) {
        uint64_t last = p->object[i].head.last_key, slots = p->object[i].head.slot_count;
        for (uint64_t key = last > slots ? last - slots + 1 : 0; key <= last && key <= top + 1; key++)
            is_told[key] = 1;
    }
    for (size_t i = 0; i < p->counter_count; i++)
        p->program.nameless += !is_told[p->counter[i].key];
    free(is_told);
}
