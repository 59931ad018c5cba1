/* SPDX-License-Identifier: MIT */
/* reader.c: finds the pieces of the data file: header, directory, extents. Only reader.c and the files of extent.h
 * parse its bytes. Must not know symbols, sums or output. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "read/extent.h"
#include "read/threads.h"

#define KNOWN_REQUIRED_FEATURES UINT64_C(0)

static bool header_take(struct cursor *c, struct pp_header *h)
{
    uint64_t layout;
    if (c->size == 0)
        return cursor_fail(c, CURSOR_WHOLE, "the file is empty, expected a profplug data file");
    if (!cursor_copy(c, h, 0, c->size < sizeof *h ? c->size : sizeof *h, "the header"))
        return false;
    if (c->size < sizeof h->magic || memcmp(h->magic, PP_MAGIC, sizeof h->magic) != 0)
        return cursor_fail(c, CURSOR_WHOLE, "not a profplug data file, expected it to begin with \"%s\"", PP_MAGIC);
    if (c->size < PP_HEADER_SIZE)
        return cursor_fail(c, CURSOR_WHOLE, "cut off after %llu bytes, expected a profplug header of %u",
                           (unsigned long long)c->size, PP_HEADER_SIZE);
    if (h->version != PP_FORMAT_VERSION)
        return cursor_fail(c, offsetof(struct pp_header, version), "format version %u, expected %u%s", h->version,
                           PP_FORMAT_VERSION, h->version > PP_FORMAT_VERSION ? " (a newer profplug wrote it)" : "");
    if (!cursor_copy(c, &layout, PP_LAYOUT_OFFSET, sizeof layout, "the header"))
        return false;
    if (layout != PP_LAYOUT)
        return cursor_fail(
            c, PP_LAYOUT_OFFSET,
            "layout %016llx, expected %016llx: another build of profplug wrote it; read it with that one",
            (unsigned long long)layout, (unsigned long long)PP_LAYOUT);
    if (h->features_required & ~KNOWN_REQUIRED_FEATURES)
        return cursor_fail(c, offsetof(struct pp_header, features_required),
                           "needs features 0x%llx, expected none beyond 0x%llx "
                           "(a newer profplug wrote it)",
                           (unsigned long long)h->features_required, (unsigned long long)KNOWN_REQUIRED_FEATURES);
    if (h->header_size != PP_HEADER_SIZE)
        return cursor_fail(c, offsetof(struct pp_header, header_size), "header size %u, expected %u", h->header_size,
                           PP_HEADER_SIZE);
    h->program[sizeof h->program - 1] = 0;
    h->directory_path[sizeof h->directory_path - 1] = 0;
    h->host[sizeof h->host - 1] = 0;
    h->cpu_model[sizeof h->cpu_model - 1] = 0;
    h->clock_name[sizeof h->clock_name - 1] = 0;
    h->memory_note[sizeof h->memory_note - 1] = 0;
    h->sample_note[sizeof h->sample_note - 1] = 0;
    return true;
}

static void extents_add(struct extents *list, uint64_t offset, uint64_t size, uint32_t thread, uint32_t kind)
{
    struct extent *e = ARRAY_PUSH(list->item, list->count, list->capacity);
    *e = (struct extent){ .offset = offset, .size = size, .thread = thread, .kind = kind };
}

static int extents_by_offset(const void *a, const void *b)
{
    const struct extent *x = a, *y = b;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static bool extents_disjoint(struct cursor *c, struct extents *list)
{
    qsort(list->item, list->count, sizeof *list->item, extents_by_offset);
    for (size_t i = 1; i < list->count; i++) {
        const struct extent *before = &list->item[i - 1], *e = &list->item[i];
        if (e->offset < before->offset + before->size)
            return cursor_fail(c, e->offset, "an extent begins inside the one at %llu, expected none before %llu",
                               (unsigned long long)before->offset, (unsigned long long)(before->offset + before->size));
    }
    return true;
}

static bool file_size(struct cursor *c)
{
    struct stat s;
    if (fstat(c->file, &s) != 0)
        return cursor_fail(c, CURSOR_WHOLE, "cannot be examined: %s", strerror(errno));
    if (!S_ISREG(s.st_mode))
        return cursor_fail(c, CURSOR_WHOLE, "%s, expected a profplug data file",
                           S_ISDIR(s.st_mode) ? "a folder" : "not a regular file");
    c->size = (uint64_t)s.st_size;
    c->stored = (uint64_t)s.st_blocks * 512;
    return true;
}

/* Reads the published entries of every directory chunk. The header and the chunks are included in the check for
 * overlaps. */
static bool directory_take(struct cursor *c, const struct pp_header *h, struct extents *list)
{
    extents_add(list, 0, PP_HEADER_SIZE, 0, PP_EXTENT_NONE);
    uint64_t chunk = h->directory, named_at = offsetof(struct pp_header, directory), seen = 0;
    struct pp_directory d;
    for (uint64_t chunks = 0; chunk; chunks++) {
        if (chunk % PP_PAGE || chunk > c->size || c->size - chunk < PP_DIRECTORY_SIZE)
            return cursor_fail(
                c, named_at, "directory at %llu, expected a multiple of %u with %u bytes before the file's end at %llu",
                (unsigned long long)chunk, PP_PAGE, PP_DIRECTORY_SIZE, (unsigned long long)c->size);
        if (chunk == seen) /* Brent's algorithm: `seen` is the last chunk whose number is a power of two */
            return cursor_fail(c, named_at, "the directory's chunks form a circle, expected a last one");
        if ((chunks & (chunks - 1)) == 0)
            seen = chunk;
        /* The file may grow meanwhile. So its size is taken after a chunk was read: all that the chunk names is within
         * it. */
        if (!cursor_copy(c, &d, chunk, sizeof d, "a directory chunk") || !file_size(c))
            return false;
        extents_add(list, chunk, PP_DIRECTORY_SIZE, 0, PP_EXTENT_NONE);
        uint32_t count = d.count < PP_DIRECTORY_ENTRIES ? d.count : PP_DIRECTORY_ENTRIES;
        for (uint32_t i = 0; i < count; i++) {
            const struct pp_directory_entry *e = &d.entry[i];
            uint64_t at = chunk + offsetof(struct pp_directory, entry) + i * sizeof *e;
            if (e->kind == PP_EXTENT_NONE || e->kind >= PP_EXTENT_KIND_COUNT)
                continue;
            if (e->offset % PP_PAGE || e->size % PP_PAGE || e->size == 0)
                return cursor_fail(c, at, "extent of %llu bytes at %llu, expected multiples of %u",
                                   (unsigned long long)e->size, (unsigned long long)e->offset, PP_PAGE);
            if (e->offset > c->size || e->size > c->size - e->offset)
                return cursor_fail(c, at, "extent of %llu bytes at %llu, expected it to end by the file's end at %llu",
                                   (unsigned long long)e->size, (unsigned long long)e->offset,
                                   (unsigned long long)c->size);
            extents_add(list, e->offset, e->size, e->thread, e->kind);
        }
        named_at = chunk + offsetof(struct pp_directory, next);
        chunk = d.next;
    }
    return extents_disjoint(c, list);
}

static bool file_open(struct cursor *c, const char *path, char *error)
{
    *c = (struct cursor){ .path = path, .error = error, .error_bytes = READER_ERROR_BYTES };
    error[0] = 0;
    c->file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* opening a FIFO must not block */
    if (c->file < 0) {
        snprintf(error, READER_ERROR_BYTES, "%s: cannot be opened: %s, expected a profplug data file", path,
                 strerror(errno));
        return false;
    }
    return file_size(c);
}

struct profile *reader_open(const char *path, char error[READER_ERROR_BYTES])
{
    struct cursor cursor;
    struct extents list = { 0 };
    struct profile *p = memory_zeroed(1, sizeof *p);
    p->path = arena_copy(&p->arena, path);
    bool good = file_open(&cursor, path, error) && header_take(&cursor, &p->header) &&
                directory_take(&cursor, &p->header, &list);
    p->file_bytes = cursor.size;
    good = good && extents_take(&cursor, &list, p);
    if (cursor.file >= 0)
        close(cursor.file);
    free(list.item);
    threads_number(p);
    if (!good) {
        reader_close(p);
        return NULL;
    }
    return p;
}

bool reader_header(const char *path, struct pp_header *header, char error[READER_ERROR_BYTES])
{
    struct cursor cursor;
    bool good = file_open(&cursor, path, error) && header_take(&cursor, header);
    if (cursor.file >= 0)
        close(cursor.file);
    return good;
}

void reader_close(struct profile *p)
{
    if (!p)
        return;
    for (size_t i = 0; i < p->block_count; i++) {
        free(p->block[i].node);
        free(p->block[i].stage);
        free(p->block[i].frame);
        free(p->block[i].sample);
        free(p->block[i].stall);
        free(p->block[i].path);
        free(p->block[i].tally);
        free(p->block[i].event);
    }
    for (size_t i = 0; i < p->flow_count; i++) {
        free(p->flow[i].edge);
        free(p->flow[i].place);
    }
    free(p->flow);
    free(p->line_file);
    free(p->use);
    free(p->site);
    free(p->object);
    free(p->part);
    free(p->spread);
    free(p->module);
    free(p->block);
    free(p->thread);
    free(p->thread_id);
    free(p->number);
    free(p->snapshot);
    free(p->answers);
    free(p->child);
    free(p->argument);
    free(p->label);
    free(p->option);
    free(p->counter);
    free(p->point);
    free(p->blocks);
    free(p->operation);
    free(p->target);
    arena_free(&p->arena);
    free(p);
}
