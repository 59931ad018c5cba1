/* SPDX-License-Identifier: MIT */
/* report_file.h: writes data files for tests of the report from the structs of format.h, without the runtime. It must
 * not know what a test asserts. */
#ifndef REPORT_FILE_H
#define REPORT_FILE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <profplug/abi/format.h>

struct report_file {
    unsigned char *bytes;
    size_t size;
    uint32_t extents;
};

struct report_file report_file_start(void); /* header and an empty directory; a run of 1 s, detailed, sealed */
struct pp_header *report_file_header(struct report_file *file);
struct pp_directory *report_file_directory(struct report_file *file);

/* A further extent with `bytes` of `from` at its start, the rest zero; returns its offset. */
uint64_t report_file_extent(struct report_file *file, uint32_t kind, uint32_t thread, const void *from, size_t bytes,
                            size_t room);
void *report_file_at(struct report_file *file, uint64_t offset);

/* RECORDS, one extent each call. */
void report_file_text(struct report_file *file, uint32_t kind, const char *text);
void report_file_module(struct report_file *file, uint32_t id, const char *path, int instrumented);
void report_file_place(struct report_file *file, uint64_t key, uint32_t kind, const char *name, const char *function,
                       const char *source, uint32_t line);
void report_file_child(struct report_file *file, uint32_t pid, const char *path);

struct report_site {
    uint8_t kind, mode, category, reason;
    const char *name, *symbol, *file, *stage;
    uint32_t line;
};
/* SITES: slot i is sites[i]; its key is last_key - i. Returns the extent's offset. */
uint64_t report_file_sites(struct report_file *file, uint32_t last_key, const struct report_site *sites,
                           uint32_t count);

uint64_t report_file_counters(struct report_file *file, uint32_t thread, const uint64_t *counter, uint64_t count);
uint64_t report_file_nodes(struct report_file *file, uint32_t thread, uint32_t first, const struct pp_node *node,
                           uint32_t count);
uint64_t report_file_stages(struct report_file *file, uint32_t thread, uint32_t first, const struct pp_stage *stage,
                            uint32_t count);
uint64_t report_file_frames(struct report_file *file, uint32_t thread, const struct pp_frame *frame, uint32_t count);
uint64_t report_file_samples(struct report_file *file, uint32_t thread, const struct pp_sample *sample, uint32_t count);
uint64_t report_file_points(struct report_file *file, uint32_t first, const struct pp_callsite *point, uint32_t count,
                            uint64_t peak_turn);
uint64_t report_file_blocks(struct report_file *file, uint32_t thread, uint32_t first, const struct pp_block *block,
                            uint32_t count);
void report_file_target(struct report_file *file, uint32_t id, uint32_t kind, const char *name);
uint64_t report_file_operations(struct report_file *file, uint32_t thread, const struct pp_operation *operation,
                                uint32_t count);
uint64_t report_file_stalls(struct report_file *file, uint32_t thread, const struct pp_blocked_path *stall,
                            uint32_t count);
uint64_t report_file_paths(struct report_file *file, uint32_t thread, uint32_t first, const struct pp_path *path,
                           uint32_t count);
void report_file_number(struct report_file *file, uint32_t id, uint32_t kind, const char *name);
uint64_t report_file_tallies(struct report_file *file, uint32_t thread, uint32_t stage, uint32_t first,
                             const struct pp_tally *tally, uint32_t count);
uint64_t report_file_snapshot(struct report_file *file, const struct pp_snapshot *head, const struct pp_moment *stage,
                              const struct pp_stock *point);
/* Records the number's value once more. */
void report_file_say(struct pp_tally *tally, int64_t value);
uint64_t report_file_threads(struct report_file *file, const struct pp_thread_row *row, uint32_t count);

/* Books an activation of `wall_ns` in a stage's record, as the runtime does. */
void report_file_activation(struct pp_stage *stage, uint64_t wall_ns, uint64_t index);

void report_file_write(const struct report_file *file, const char *path);
void report_file_free(struct report_file *file);

/* The file that most tests start from: a small pipeline with data of every kind. */
struct report_file report_file_pipeline(void);

#define CHECK(test, ...)                                                       \
    do {                                                                       \
        if (!(test)) {                                                         \
            fprintf(stderr, "%s:%d: not so: %s: ", __FILE__, __LINE__, #test); \
            fprintf(stderr, __VA_ARGS__);                                      \
            fprintf(stderr, "\n");                                             \
            exit(1);                                                           \
        }                                                                      \
    } while (0)

#endif
