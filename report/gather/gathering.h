/* SPDX-License-Identifier: MIT */
/* gathering.h: what the files of this room share: the sums so far, and how numbers of the file that is being added map
 * to those of the sums. */
#ifndef PROFPLUG_GATHERING_H
#define PROFPLUG_GATHERING_H

#include <profplug/abi/line.h>

#include "gather/gather.h"
#include "gather/writing.h"
#include "store/map.h"

#define GATHER_BLOCKS 256u       /* threads are told apart by name up to this number */
#define GATHER_KEYS (1u << 24)   /* keys of all files together */
#define GATHER_ANSWERS 256u
#define GATHER_VALUES ((size_t)6 << 20)

struct gathered_block { /* threads that have the same name. Number 0: of no thread */
    char name[16];
    bool first;
    uint32_t row; /* the first thread's */
    struct pp_node *node;
    size_t node_count, node_capacity;
    struct pp_stage **stage;
    size_t stage_count, stage_capacity;
    struct pp_sample *sample;
    size_t sample_count, sample_capacity;
    struct pp_blocked_path *stall;
    size_t stall_count, stall_capacity;
    struct pp_path *path;
    size_t path_count, path_capacity;
    struct profile_tally *tally;
    size_t tally_count, tally_capacity;
    struct pp_operation *operation;
    size_t operation_count, operation_capacity;
    struct map nodes, stages, samples, stalls, paths, tallies, operations;
    uint32_t *spread_stage; /* by stage: its row in gather.stage */
    size_t spread_capacity;
};

struct gathered_object {
    struct pp_sites head; /* with its new last key and module */
    const struct pp_site *site;
    const char *strings;
    uint32_t alike; /* the next one with the same sizes and names; UINT32_MAX: none */
};

struct gathered_text {
    const char *text;
    uint32_t kind, files;
};

struct gathered_record { /* of lines */
    uint32_t kind;
    uint64_t id, bytes;
    const void *payload;
};

struct gathered_answers {
    uint32_t target, kind;
    uint64_t *histogram;
};

/* What a file has of a value, if it is not 0. */
struct gathered_value {
    uint32_t part, subject;
    uint64_t value;
    float variance;
};
struct gathered_values {
    struct gathered_value *item;
    size_t count, capacity;
    bool full; /* later files are missing */
};

struct gathered_stage { /* for spreads: by its names from the outermost on, whatever thread */
    const char *path;
};

struct gather {
    enum pp_merge_as as;
    struct pp_header header;
    const struct pp_header *files;
    size_t file_count, added;
    const struct pp_header *root; /* of processes that one started: that one; NULL: they have no such */
    uint64_t *offset_ns; /* of each file's start */
    uint64_t wall_ns;
    uint32_t window_shift;
    struct arena arena;
    struct map texts, modules, objects, places, targets, points, numbers, answer, lines, line_files, uses, functions,
        stages, of_key;
    struct gathered_text *text;
    size_t text_count, text_capacity;
    bool arguments_differ;
    struct profile_module *module;
    size_t module_count, module_capacity;
    struct gathered_object *object;
    size_t object_count, object_capacity;
    uint64_t key_count; /* keys in use are below */
    struct profile_site *place;
    size_t place_count, place_capacity;
    struct profile_target *target;
    size_t target_count, target_capacity;
    struct profile_number *number;
    size_t number_count, number_capacity;
    struct pp_callsite *point;
    size_t point_count, point_capacity;
    struct pp_block *sum; /* by point */
    size_t sum_capacity;
    bool has_peak;
    int64_t peak_bytes;
    struct gathered_answers *answers;
    size_t answers_count, answers_capacity;
    struct gathered_record *record;
    size_t record_count, record_capacity;
    struct profile_use *use;
    size_t use_count, use_capacity;
    uint64_t *counter; /* by key */
    size_t counter_capacity;
    const char **function_name, **function_file; /* by key, of functions whose calls are counted */
    size_t function_capacity;
    struct profile_child *child;
    size_t child_count, child_capacity;
    struct pp_thread_row *row;
    size_t row_count, row_capacity;
    uint64_t thread_seen;
    struct gathered_block *block;
    size_t block_count, block_capacity;
    struct map blocks;
    struct profile_part *part;
    size_t part_count, part_capacity;
    struct gathered_stage *stage;
    size_t stage_count, stage_capacity;
    struct gathered_values stage_wall, stage_calls, calls, cpu; /* calls: by key. cpu: by number of the sample */
    uint32_t *sample_block, *sample_row; /* by number of the sample: where it is */
    size_t sample_numbers, sample_capacity;
    struct writer *writer;
};

/* How numbers of the file that is added map to those of the sums. */
struct key_range {
    uint64_t low, high; /* the last one */
    uint64_t to;        /* the new key of `low` */
};
struct adding {
    struct gather *g;
    const struct profile *p;
    uint64_t start_ns, now_ns, offset_ns;
    struct arena arena; /* until it is added */
    struct key_range *range;
    size_t range_count, range_capacity;
    struct map module_of, place_of, target_of, point_of, number_of, block_of;
    struct map title_of; /* key of a stage, loop or scope: index of its site */
};

static inline uint64_t above(uint64_t a, uint64_t b) { return a > b ? a - b : 0; }

/* identity.c: what numbers mean: modules, sites, targets and so on. */
bool identities_add(struct adding *a, char error[READER_ERROR_BYTES]);
uint64_t key_new(struct adding *a, uint64_t key); /* 0: none */
uint32_t number_new(const struct map *map, uint32_t number); /* 0: unknown */
uint32_t place_point(struct adding *a, const struct pp_callsite *point);

/* rows.c: rows of threads, and which block a thread's data goes to. */
void rows_add(struct adding *a);
uint32_t block_new(struct adding *a, size_t block);

/* branches.c: a thread block's nodes, stages, samples, waits. */
void block_add(struct adding *a, size_t block, uint32_t **stage_of);

/* sums.c: bookings by callsites, counters. */
void bookings_add(struct adding *a, uint32_t *const *stage_of);

void value_add(struct gathered_values *to, size_t part, uint32_t subject, uint64_t value, double variance);

#endif
