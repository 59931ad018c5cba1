/* SPDX-License-Identifier: MIT */
/* writing.c: see writing.h. Extents follow each other. Zeros become holes where a whole page is zero. */
#include "gather/writing.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "store/arena.h"

struct writer {
    int file, error;
    uint64_t end, at; /* of the file; of the piece that comes next */
    struct pp_directory_entry *entry;
    size_t entry_count, entry_capacity;
    unsigned char *record;
    size_t record_bytes, record_capacity;
};

static uint64_t pages(uint64_t bytes) { return (bytes + PP_PAGE - 1) / PP_PAGE * PP_PAGE; }

struct writer *writer_open(const char *path)
{
    int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0)
        return NULL;
    struct writer *w = memory_zeroed(1, sizeof *w);
    w->file = file;
    w->end = PP_HEADER_SIZE + PP_DIRECTORY_SIZE;
    return w;
}

static void bytes_write(struct writer *w, uint64_t offset, const void *from, uint64_t bytes)
{
    const char *at = from;
    while (bytes && !w->error) {
        ssize_t n = pwrite(w->file, at, bytes, (off_t)offset);
        if (n < 0 && errno != EINTR)
            w->error = errno;
        if (n > 0) {
            at += n;
            offset += (uint64_t)n;
            bytes -= (uint64_t)n;
        }
    }
}

void writer_begin(struct writer *w, uint32_t kind, uint32_t thread, uint64_t bytes)
{
    uint64_t size = pages(bytes ? bytes : 1);
    *ARRAY_PUSH(w->entry, w->entry_count, w->entry_capacity) =
        (struct pp_directory_entry){ .offset = w->end, .size = size, .thread = thread, .kind = kind };
    w->at = w->end;
    w->end += size;
}

void writer_put(struct writer *w, const void *piece, uint64_t bytes)
{
    bytes_write(w, w->at, piece, bytes);
    w->at += bytes;
}

void writer_extent(struct writer *w, uint32_t kind, uint32_t thread, const void *head, uint64_t head_bytes,
                   const void *rows, uint64_t bytes)
{
    writer_begin(w, kind, thread, head_bytes + bytes);
    writer_put(w, head, head_bytes);
    writer_put(w, rows, bytes);
}

static void record_put(struct writer *w, const void *from, uint64_t bytes)
{
    if (w->record_bytes + bytes + 8 > w->record_capacity) {
        size_t wanted = 2 * (w->record_bytes + bytes) + 4096;
        w->record = array_extended(w->record, w->record_capacity, wanted, 1);
        w->record_capacity = wanted;
    }
    if (bytes)
        memcpy(w->record + w->record_bytes, from, bytes);
    w->record_bytes += bytes;
}

void writer_record(struct writer *w, uint32_t kind, const void *head, uint64_t head_bytes, const char *const *string,
                   unsigned strings)
{
    static const char zero[8];
    struct pp_record r = { .kind = kind, .size = (uint32_t)head_bytes };
    for (unsigned i = 0; i < strings; i++)
        r.size += (uint32_t)strlen(string[i]) + 1;
    record_put(w, &r, sizeof r);
    record_put(w, head, head_bytes);
    for (unsigned i = 0; i < strings; i++)
        record_put(w, string[i], strlen(string[i]) + 1);
    record_put(w, zero, (8 - r.size % 8) % 8);
}

void writer_records(struct writer *w)
{
    struct pp_records head = { .used = w->record_bytes };
    if (w->record_bytes)
        writer_extent(w, PP_EXTENT_RECORDS, 0, &head, sizeof head, w->record, w->record_bytes);
    w->record_bytes = 0;
}

bool writer_finish(struct writer *w, const struct pp_header *header)
{
    static const uint64_t layout = PP_LAYOUT;
    struct pp_header h = *header;
    uint64_t chunk = PP_HEADER_SIZE, end = w->end;
    size_t at = 0;
    do {
        struct pp_directory d = { .count = 0 };
        while (at < w->entry_count && d.count < PP_DIRECTORY_ENTRIES)
            d.entry[d.count++] = w->entry[at++];
        d.next = at < w->entry_count ? end : 0;
        bytes_write(w, chunk, &d, sizeof d);
        chunk = end;
        end += d.next ? PP_DIRECTORY_SIZE : 0;
    } while (at < w->entry_count);
    h.directory = PP_HEADER_SIZE;
    h.file_end = w->end = end;
    bytes_write(w, 0, &h, sizeof h);
    bytes_write(w, PP_LAYOUT_OFFSET, &layout, sizeof layout);
    if (!w->error && ftruncate(w->file, (off_t)end) != 0)
        w->error = errno;
    errno = w->error;
    return !w->error;
}

void writer_close(struct writer *w)
{
    if (!w)
        return;
    close(w->file);
    free(w->entry);
    free(w->record);
    free(w);
}
