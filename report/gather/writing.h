/* SPDX-License-Identifier: MIT */
/* writing.h: writes a data file: header, directory, extents. It must not know what they mean. */
#ifndef PROFPLUG_WRITING_H
#define PROFPLUG_WRITING_H

#include <stdbool.h>

#include <profplug/abi/format.h>

struct writer;

/* A new file. NULL: errno. */
struct writer *writer_open(const char *path);
/* An extent of `kind`: a head, and rows behind it. */
void writer_extent(struct writer *writer, uint32_t kind, uint32_t thread, const void *head, uint64_t head_bytes,
                   const void *rows, uint64_t bytes);
/* The same in pieces: first how long it is, then the pieces, which together are as long. */
void writer_begin(struct writer *writer, uint32_t kind, uint32_t thread, uint64_t bytes);
void writer_put(struct writer *writer, const void *piece, uint64_t bytes);
/* A record of the next RECORDS extent, which writer_records writes. `strings` follow the head. */
void writer_record(struct writer *writer, uint32_t kind, const void *head, uint64_t head_bytes,
                   const char *const *string, unsigned strings);
void writer_records(struct writer *writer);
/* Directory and header. May be called again after more extents. False: errno says what went wrong since the start. */
bool writer_finish(struct writer *writer, const struct pp_header *header);
void writer_close(struct writer *writer);

#endif
