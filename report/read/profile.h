/* SPDX-License-Identifier: MIT */
/* profile.h: the content of one data file, copied and checked: every number used as an index is in range, every string
 * is terminated, every parent comes before its child. Made by reader.c alone. Must not know symbols or what is
 * shown. */
#ifndef PROFPLUG_PROFILE_H
#define PROFPLUG_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <profplug/abi/format.h>

#include "store/arena.h"

struct profile_site { /* a row of an object's table, or a region that got its key at run time */
    uint32_t key;     /* 0 if it has none (left out) */
    uint8_t kind, mode, category, reason;
    uint32_t line, statements, module;
    const char *name, *symbol, *file, *directory, *stage;
    const char *title; /* of a row of stages: the stage's name, otherwise the function's */
    const char *unit, *compiler;
};

/* The table of an object as it is in the file. Its keys are last_key - slot_count + 1 to last_key. */
struct profile_object {
    struct pp_sites head;
    const struct pp_site *site;
    const char *strings;
};

/* The number that the runtime stores as two words, the lower one first. */
static inline unsigned __int128 words_join(const uint64_t word[2])
{
    return (unsigned __int128)word[1] << 64 | word[0];
}

struct profile_bucket {
    uint32_t bucket;
    uint64_t count;
};

struct profile_number {
    uint32_t id, kind;
    const char *name;
};
struct profile_tally {
    uint32_t stage, number;
    struct pp_tally tally;
}; /* number: its id; never count 0 */

struct profile_event { /* of a timeline */
    struct pp_event row;
    uint64_t place; /* of the row in its table */
    enum pp_timeline_kind kind;
};

struct profile_stage { /* struct pp_stage, its histogram without the empty buckets */
    uint64_t key;
    uint32_t kind, parent, number, active;
    uint64_t calls, timed_calls, wall_ns, self_ns, min_ns, max_ns; /* min_ns: 0 if none was timed */
    uint64_t timed_ns, squares_ns2[2];
    double mean_ns, m2_ns2;                                        /* m2 / timed_calls is the variance */
    uint64_t outer_calls, loop_runs, trips_min, trips_max, sampled_calls, sampled_wall_ns, sampled_for;
    uint64_t metric[PP_METRIC_CAPACITY], entered[PP_METRIC_CAPACITY], level_ns[2];
    struct pp_slow slowest[PP_SLOWEST];
    struct pp_windows windows[PP_WINDOW_KIND_COUNT];
    struct pp_growth growth;
    struct profile_bucket *bucket;
    uint32_t bucket_count;
};

struct profile_block { /* a thread block */
    uint32_t id, row;
    struct pp_unfinished unfinished[PP_UNFINISHED]; /* calls that have not returned; start_ns 0: none */
    struct pp_node *node; /* by number. Number 0 is the root. A node that was never published has key 0 */
    uint32_t node_count;
    struct profile_stage *stage; /* by number; number 0 is outside every stage */
    uint32_t stage_count;
    struct pp_frame *frame; /* open activations, outermost first */
    size_t frame_count, frame_capacity;
    struct pp_sample *sample;
    size_t sample_count, sample_capacity;
    struct pp_blocked_path *stall;
    size_t stall_count, stall_capacity;
    /* by number. Number 0 is none. A path that was never published has module and address 0, too */
    struct pp_path *path;
    uint32_t path_count;
    struct profile_tally *tally;
    size_t tally_count, tally_capacity;
    struct profile_event *event;
    size_t event_count, event_capacity;
    uint64_t seen[PP_TIMELINE_KIND_COUNT]; /* how much there was to keep; no fewer than there are events */
};

struct profile_module {
    uint32_t id;
    bool instrumented, runtime;
    uint64_t low, high, bias;
    const char *path;
    uint8_t build_id[32];
    uint32_t build_id_size;
};

/* Counters of lines; see profplug/abi/line.h. */
/* counter: number + 1, 0: none; again: setjmp returns again */
struct profile_edge {
    uint32_t from, to, counter;
    bool again;
};
/* is_main: the block belongs to that line; file: index in the flow's files */
struct profile_place {
    uint32_t block, file, line;
    bool is_main;
};
/* of a function. In a fold, `file` holds function records, and `place` their counters in place of lines. */
struct profile_flow {
    bool is_fold;
    uint64_t id;
    const char *symbol;
    uint32_t counter_count, block_count, file_count;
    uint64_t *file; /* ids of files */
    struct profile_edge *edge;
    size_t edge_count; /* by the block that they leave */
    struct profile_place *place;
    size_t place_count; /* by block */
    const unsigned char *payload; /* of its record */
    uint64_t payload_bytes;
};
struct profile_line_file {
    uint64_t id;
    const char *path;
};
struct profile_use {
    uint64_t id, key;
    uint32_t counters;
}; /* key: of counter 0, the others follow */

struct profile_counter {
    uint64_t key, calls;
};

/* A callsite, and the memory booked at it by one thread block. */
struct profile_point {
    uint32_t number;
    struct pp_callsite point;
};
struct profile_blocks {
    uint32_t number;
    struct pp_block sum;
};

/* Operations on files and sockets, and waits. block: index of the thread block, UINT32_MAX: none. Callsite and target
 * may be unknown numbers; the stage is one of the block. */
struct profile_operation {
    uint32_t block, kind, stage, point, target;
    struct pp_operation sum;
};
struct profile_target {
    uint32_t id, kind;
    const char *name;
};
/* response times; a target may have several */
struct profile_answers {
    uint32_t target, kind;
    struct profile_bucket *bucket;
    uint32_t bucket_count;
};
struct profile_snapshot {
    struct pp_snapshot head;
    struct pp_moment *stage;
    struct pp_stock *point;
}; /* a stage's parent is before it */

/* Of a file that was made of others: the files, and how their values differ. */
struct profile_part {
    struct pp_part head;
    const char *path;
};
struct profile_spread {
    struct pp_spread head;
    const char *name, *file;
};

struct profile_child {
    uint32_t pid;
    const char *path;
};

struct profile {
    char *path; /* of the data file */
    uint64_t file_bytes;
    struct pp_header header; /* its texts are terminated */
    struct profile_site *site;
    size_t site_count, site_capacity;
    struct profile_object *object;
    size_t object_count, object_capacity;
    struct { /* the executable whose tables need not all be in the file */
        uint32_t module, key; /* key 0: there is none */
        uint64_t objects, tables;
        uint64_t nameless; /* counters of objects without a table, which ran before their process was killed */
    } program;
    struct profile_module *module;
    size_t module_count, module_capacity;
    struct profile_block *block;
    size_t block_count, block_capacity;
    struct pp_thread_row *thread;
    uint64_t *thread_id; /* of each: the kernel's number, plus 2^32 for each earlier one of that number */
    size_t thread_count;
    uint64_t thread_seen; /* all threads, also those without a row */
    struct profile_number *number;
    size_t number_count, number_capacity;
    struct profile_snapshot *snapshot;
    size_t snapshot_count, snapshot_capacity;
    struct profile_child *child;
    size_t child_count, child_capacity;
    struct profile_part *part;
    size_t part_count, part_capacity;
    struct profile_spread *spread;
    size_t spread_count, spread_capacity;
    const char **argument;
    size_t argument_count, argument_capacity;
    const char **label;
    size_t label_count, label_capacity;
    const char **option;
    size_t option_count, option_capacity;
    struct profile_flow *flow;
    size_t flow_count, flow_capacity;
    struct profile_line_file *line_file;
    size_t line_file_count, line_file_capacity;
    struct profile_use *use;
    size_t use_count, use_capacity;
    /* counters that are not 0, for each thread block */
    struct profile_counter *counter;
    size_t counter_count, counter_capacity;
    struct profile_point *point;
    size_t point_count, point_capacity;
    struct profile_blocks *blocks;
    size_t blocks_count, blocks_capacity; /* not all 0 */
    struct profile_operation *operation;
    size_t operation_count, operation_capacity;
    struct profile_target *target;
    size_t target_count, target_capacity;
    struct profile_answers *answers;
    size_t answers_count, answers_capacity;
    bool has_peak; /* live blocks at the peak are known */
    struct arena arena;
};

#define READER_ERROR_BYTES 512

/* Reads the profile in the file at `path`. If it cannot be read, returns null, with one line in `error`: file, offset,
 * what is wrong, what was expected. The file may belong to a program that runs, or that was killed. */
struct profile *reader_open(const char *path, char error[READER_ERROR_BYTES]);
void reader_close(struct profile *profile);

/* Only the header, for choosing among files; false with a line in `error`. */
bool reader_header(const char *path, struct pp_header *header, char error[READER_ERROR_BYTES]);

#endif
