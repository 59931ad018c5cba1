/* SPDX-License-Identifier: MIT */
/* report_file.c: see report_file.h. */
#include "report_file.h"

#include <string.h>

static uint64_t page_up(uint64_t n) { return (n + PP_PAGE - 1) / PP_PAGE * PP_PAGE; }

void *report_file_at(struct report_file *file, uint64_t offset) { return file->bytes + offset; }
struct pp_header *report_file_header(struct report_file *file) { return report_file_at(file, 0); }
struct pp_directory *report_file_directory(struct report_file *file) { return report_file_at(file, PP_HEADER_SIZE); }

struct report_file report_file_start(void)
{
    struct report_file file = { calloc(1, PP_HEADER_SIZE + PP_DIRECTORY_SIZE), PP_HEADER_SIZE + PP_DIRECTORY_SIZE, 0 };
    struct pp_header *h = report_file_header(&file);
    memcpy(h->magic, PP_MAGIC, 8);
    h->version = PP_FORMAT_VERSION;
    h->header_size = PP_HEADER_SIZE;
    memcpy(file.bytes + PP_LAYOUT_OFFSET, &(uint64_t){ PP_LAYOUT }, sizeof(uint64_t));
    h->directory = PP_HEADER_SIZE;
    h->file_end = file.size;
    h->pid = h->root_pid = 4194303;
    h->parent_pid = 1;
    h->level = PP_LEVEL_DETAILED;
    h->start_realtime_ns = UINT64_C(4000000000) * 1000000000; /* 2096: no source is newer */
    h->start_ns = 5000000000;
    h->heartbeat_ns = h->end_ns = 6000000000;
    h->exit_kind = PP_EXIT_EXIT;
    h->user_ns = 800000000;
    h->system_ns = 50000000;
    h->peak_rss_bytes = 12 << 20;
    h->collectors = 0x3d;
    h->metrics_measured = (UINT64_C(1) << PP_METRIC_COUNT) - 1;
    h->sample_source = PP_SAMPLE_PERF;
    h->sample_period_ns = 1000000;
    h->sample_signals = 720;
    h->budget_permille = 20;
    h->key_count = 64;
    h->self_ns = 4250000;
    h->account_known = 1;
    strcpy(h->program, "/somewhere/pipeline");
    strcpy(h->directory_path, "/somewhere");
    strcpy(h->host, "testhost.invalid");
    strcpy(h->cpu_model, "a CPU");
    strcpy(h->clock_name, "tsc");
    return file;
}

uint64_t report_file_extent(struct report_file *file, uint32_t kind, uint32_t thread, const void *from, size_t bytes,
                            size_t room)
{
    uint64_t offset = file->size, size = page_up(room > bytes ? room : bytes);
    file->bytes = realloc(file->bytes, file->size + size);
    memset(file->bytes + file->size, 0, size);
    if (bytes)
        memcpy(file->bytes + file->size, from, bytes);
    file->size += size;
    report_file_header(file)->file_end = file->size;
    struct pp_directory *d = report_file_directory(file);
    d->entry[file->extents++] = (struct pp_directory_entry){ offset, size, thread, kind };
    d->count = file->extents;
    return offset;
}

/* Head and elements as one extent. */
static uint64_t extent_of(struct report_file *file, uint32_t kind, uint32_t thread, const void *head, size_t head_bytes,
                          const void *items, size_t item_bytes)
{
    unsigned char *joined = malloc(head_bytes + item_bytes + 1);
    memcpy(joined, head, head_bytes);
    if (item_bytes)
        memcpy(joined + head_bytes, items, item_bytes);
    uint64_t offset = report_file_extent(file, kind, thread, joined, head_bytes + item_bytes, 0);
    free(joined);
    return offset;
}

static void record_of(struct report_file *file, uint32_t kind, const void *payload, uint32_t bytes)
{
    struct {
        struct pp_records head;
        struct pp_record record;
    } front = { { .used = sizeof(struct pp_record) + bytes }, { kind, bytes } };
    extent_of(file, PP_EXTENT_RECORDS, 0, &front, sizeof front, payload, bytes);
}

void report_file_text(struct report_file *file, uint32_t kind, const char *text)
{
    record_of(file, kind, text, (uint32_t)strlen(text) + 1);
}

void report_file_module(struct report_file *file, uint32_t id, const char *path, int instrumented)
{
    unsigned char bytes[1024] = { 0 };
    struct pp_module m = {
        .id = id, .low = 0x400000, .high = 0x500000, .bias = 0x400000, .instrumented = (uint32_t)instrumented
    };
    memcpy(bytes, &m, sizeof m);
    strcpy((char *)bytes + sizeof m, path);
    record_of(file, PP_RECORD_MODULE, bytes, (uint32_t)(sizeof m + strlen(path) + 1));
}

void report_file_place(struct report_file *file, uint64_t key, uint32_t kind, const char *name, const char *function,
                       const char *source, uint32_t line)
{
    unsigned char bytes[1024] = { 0 };
    struct pp_place place = { .key = key, .kind = kind, .line = line };
    memcpy(bytes, &place, sizeof place);
    size_t at = sizeof place;
    at += (size_t)sprintf((char *)bytes + at, "%s", name) + 1;
    at += (size_t)sprintf((char *)bytes + at, "%s", function) + 1;
    at += (size_t)sprintf((char *)bytes + at, "%s", source) + 1;
    record_of(file, PP_RECORD_PLACE, bytes, (uint32_t)at);
}

void report_file_child(struct report_file *file, uint32_t pid, const char *path)
{
    unsigned char bytes[1024] = { 0 };
    struct pp_child child = { .pid = pid };
    memcpy(bytes, &child, sizeof child);
    strcpy((char *)bytes + sizeof child, path);
    record_of(file, PP_RECORD_CHILD, bytes, (uint32_t)(sizeof child + strlen(path) + 1));
}

void report_file_target(struct report_file *file, uint32_t id, uint32_t kind, const char *name)
{
    unsigned char bytes[1024] = { 0 };
    struct pp_target target = { .id = id, .kind = kind };
    memcpy(bytes, &target, sizeof target);
    strcpy((char *)bytes + sizeof target, name);
    record_of(file, PP_RECORD_TARGET, bytes, (uint32_t)(sizeof target + strlen(name) + 1));
}

void report_file_number(struct report_file *file, uint32_t id, uint32_t kind, const char *name)
{
    unsigned char bytes[1024] = { 0 };
    struct pp_number head = { .id = id, .kind = kind };
    memcpy(bytes, &head, sizeof head);
    strcpy((char *)bytes + sizeof head, name);
    record_of(file, PP_RECORD_NUMBER, bytes, (uint32_t)(sizeof head + strlen(name) + 1));
}

void report_file_say(struct pp_tally *t, int64_t value)
{
    __int128 sum = (__int128)((unsigned __int128)t->sum[1] << 64 | t->sum[0]) + value;
    uint64_t low = (uint64_t)INT64_MAX - (uint64_t)value, high = (uint64_t)value - (uint64_t)INT64_MIN;
    t->count++;
    t->sum[0] = (uint64_t)sum;
    t->sum[1] = (uint64_t)(sum >> 64);
    t->low = low > t->low ? low : t->low;
    t->high = high > t->high ? high : t->high;
}

static uint32_t string_add(char *strings, uint32_t *size, const char *text)
{
    uint32_t at = *size;
    if (!text || !text[0])
        return 0;
    strcpy(strings + at, text);
    *size += (uint32_t)strlen(text) + 1;
    return at;
}

uint64_t report_file_sites(struct report_file *file, uint32_t last_key, const struct report_site *sites, uint32_t count)
{
    char strings[8192] = "";
    uint32_t size = 1;
    struct pp_site site[64] = { { 0 } };
    struct pp_sites head = { .last_key = last_key, .slot_count = count, .site_count = count, .module = 1 };
    head.unit = string_add(strings, &size, "stage.c");
    head.directory = string_add(strings, &size, "/somewhere");
    head.compiler = string_add(strings, &size, "GCC 12.2.0");
    for (uint32_t i = 0; i < count; i++)
        site[i] =
            (struct pp_site){ .slot = i,
                              .kind = sites[i].kind,
                              .mode = sites[i].mode,
                              .category = sites[i].category,
                              .reason = sites[i].reason,
                              .name = string_add(strings, &size, sites[i].name),
                              .symbol = string_add(strings, &size, sites[i].symbol ? sites[i].symbol : sites[i].name),
                              .file = string_add(strings, &size, sites[i].file),
                              .line = sites[i].line,
                              .stage = string_add(strings, &size, sites[i].stage) };
    head.strings_size = size;
    unsigned char body[sizeof site + sizeof strings];
    memcpy(body, site, count * sizeof *site);
    memcpy(body + count * sizeof *site, strings, size);
    return extent_of(file, PP_EXTENT_SITES, 0, &head, sizeof head, body, count * sizeof *site + size);
}

uint64_t report_file_counters(struct report_file *file, uint32_t thread, const uint64_t *counter, uint64_t count)
{
    struct pp_counters head = { .count = count };
    return extent_of(file, PP_EXTENT_COUNTERS, thread, &head, sizeof head, counter, count * sizeof *counter);
}

uint64_t report_file_nodes(struct report_file *file, uint32_t thread, uint32_t first, const struct pp_node *node,
                           uint32_t count)
{
    struct pp_nodes head = { .first = first, .capacity = count, .used = count };
    return extent_of(file, PP_EXTENT_NODES, thread, &head, sizeof head, node, count * sizeof *node);
}

uint64_t report_file_stages(struct report_file *file, uint32_t thread, uint32_t first, const struct pp_stage *stage,
                            uint32_t count)
{
    struct pp_stages head = { .first = first, .capacity = count, .used = count };
    return extent_of(file, PP_EXTENT_STAGES, thread, &head, sizeof head, stage, count * sizeof *stage);
}

uint64_t report_file_frames(struct report_file *file, uint32_t thread, const struct pp_frame *frame, uint32_t count)
{
    struct pp_frames head = { .capacity = count };
    return extent_of(file, PP_EXTENT_FRAMES, thread, &head, sizeof head, frame, count * sizeof *frame);
}

uint64_t report_file_samples(struct report_file *file, uint32_t thread, const struct pp_sample *sample, uint32_t count)
{
    struct pp_samples head = { .capacity = count, .used = count };
    return extent_of(file, PP_EXTENT_SAMPLES, thread, &head, sizeof head, sample, count * sizeof *sample);
}

uint64_t report_file_points(struct report_file *file, uint32_t first, const struct pp_callsite *point, uint32_t count,
                            uint64_t peak_turn)
{
    struct pp_callsites head = { .first = first, .capacity = count, .peak_turn = peak_turn };
    return extent_of(file, PP_EXTENT_CALLSITES, 0, &head, sizeof head, point, count * sizeof *point);
}

uint64_t report_file_blocks(struct report_file *file, uint32_t thread, uint32_t first, const struct pp_block *block,
                            uint32_t count)
{
    struct pp_blocks head = { .first = first, .count = count };
    return extent_of(file, PP_EXTENT_BLOCKS, thread, &head, sizeof head, block, count * sizeof *block);
}

uint64_t report_file_operations(struct report_file *file, uint32_t thread, const struct pp_operation *operation,
                                uint32_t count)
{
    struct pp_operations head = { .capacity = count, .used = count };
    return extent_of(file, PP_EXTENT_OPERATIONS, thread, &head, sizeof head, operation, count * sizeof *operation);
}

uint64_t report_file_stalls(struct report_file *file, uint32_t thread, const struct pp_blocked_path *stall,
                            uint32_t count)
{
    struct pp_blocked_table head = { .capacity = count, .used = count };
    return extent_of(file, PP_EXTENT_BLOCKED, thread, &head, sizeof head, stall, count * sizeof *stall);
}

uint64_t report_file_paths(struct report_file *file, uint32_t thread, uint32_t first, const struct pp_path *path,
                           uint32_t count)
{
    struct pp_paths head = { .first = first, .capacity = count, .used = count };
    return extent_of(file, PP_EXTENT_PATHS, thread, &head, sizeof head, path, count * sizeof *path);
}

uint64_t report_file_tallies(struct report_file *file, uint32_t thread, uint32_t stage, uint32_t first,
                             const struct pp_tally *tally, uint32_t count)
{
    struct pp_tallies head = { .stage = stage, .first = first, .count = count };
    return extent_of(file, PP_EXTENT_TALLIES, thread, &head, sizeof head, tally, count * sizeof *tally);
}

uint64_t report_file_snapshot(struct report_file *file, const struct pp_snapshot *head, const struct pp_moment *stage,
                              const struct pp_stock *point)
{
    size_t stages = head->stage_count * sizeof *stage, points = head->point_count * sizeof *point;
    unsigned char *body = malloc(stages + points + 1);
    memcpy(body, stage, stages);
    memcpy(body + stages, point, points);
    uint64_t offset = extent_of(file, PP_EXTENT_SNAPSHOT, 0, head, sizeof *head, body, stages + points);
    free(body);
    return offset;
}

uint64_t report_file_threads(struct report_file *file, const struct pp_thread_row *row, uint32_t count)
{
    struct pp_thread_rows head = { .count = count, .capacity = count };
    return extent_of(file, PP_EXTENT_THREADS, 0, &head, sizeof head, row, count * sizeof *row);
}

static uint32_t bucket_of(uint64_t v)
{
    if (v < 64)
        return (uint32_t)v;
    uint32_t e = 63 - (uint32_t)__builtin_clzll(v), b = (e - 6) * 64 + (uint32_t)(v >> (e - 6));
    return b < PP_BUCKETS ? b : PP_BUCKETS - 1;
}

void report_file_activation(struct pp_stage *s, uint64_t wall_ns, uint64_t index)
{
    if (!s->timed_calls)
        s->min_ns = UINT64_MAX;
    s->calls++;
    s->timed_calls++;
    s->outer_calls++;
    s->sampled_calls++;
    s->wall_ns += wall_ns;
    s->self_ns += wall_ns;
    s->sampled_wall_ns += wall_ns;
    s->min_ns = wall_ns < s->min_ns ? wall_ns : s->min_ns;
    s->max_ns = wall_ns > s->max_ns ? wall_ns : s->max_ns;
    unsigned __int128 squares =
        ((unsigned __int128)s->squares_ns2[1] << 64 | s->squares_ns2[0]) + (unsigned __int128)wall_ns * wall_ns;
    s->timed_ns += wall_ns;
    s->squares_ns2[0] = (uint64_t)squares;
    s->squares_ns2[1] = (uint64_t)(squares >> 64);
    s->histogram[bucket_of(wall_ns)]++;
    uint32_t least = 0;
    for (uint32_t i = 1; i < PP_SLOWEST; i++)
        least = s->slowest[i].wall_ns < s->slowest[least].wall_ns ? i : least;
    if (wall_ns > s->slowest[least].wall_ns)
        s->slowest[least] = (struct pp_slow){ .index = index, .wall_ns = wall_ns, .start_ns = index * 1000 };
}

void report_file_write(const struct report_file *file, const char *path)
{
    FILE *out = fopen(path, "wb");
    CHECK(out && fwrite(file->bytes, 1, file->size, out) == file->size && fclose(out) == 0, "%s cannot be written",
          path);
}

void report_file_free(struct report_file *file) { free(file->bytes); }

/* Keys: 10 main, 9 decode (a stage), 8 curve (counted), 7 curve.constprop.0 (counted), 6 tone, 5 its second word; 20
 * the loop. */
struct report_file report_file_pipeline(void)
{
    static const struct report_site sites[] = {
        { PP_SITE_FUNCTION, PP_MODE_FRAMED, 0, PP_REASON_LOOPS, "main", NULL, "main.c", NULL, 12 },
        { PP_SITE_STAGE, PP_MODE_TIMED, PP_CATEGORY_DATA_LOADING, PP_REASON_STAGE, "decode_batch", NULL, "stage.c",
          "decode", 30 },
        { PP_SITE_FUNCTION, PP_MODE_COUNTED, 0, PP_REASON_SMALL, "curve", NULL, "stage.c", NULL, 90 },
        { PP_SITE_FUNCTION, PP_MODE_COUNTED, 0, PP_REASON_SMALL, "curve", "curve.constprop.0", "stage.c", NULL, 90 },
        { PP_SITE_FUNCTION, PP_MODE_FRAMED, 0, PP_REASON_LARGE, "tone", NULL, "stage.c", NULL, 60 },
        { PP_SITE_FUNCTION, PP_MODE_LEFT_OUT, 0, PP_REASON_ATTRIBUTE, "quiet", NULL, "stage.c", NULL, 99 },
    };
    struct report_file f = report_file_start();
    report_file_text(&f, PP_RECORD_ARGUMENT, "/somewhere/pipeline");
    report_file_text(&f, PP_RECORD_ARGUMENT, "photos");
    report_file_text(&f, PP_RECORD_LABEL, "branch:main");
    report_file_text(&f, PP_RECORD_OPTION, "level=detailed");
    report_file_module(&f, 1, "/somewhere/pipeline", 1);
    report_file_place(&f, 20, PP_SITE_LOOP, "batches", "main", "main.c", 20);
    report_file_sites(&f, 10, sites, sizeof sites / sizeof *sites);
    uint64_t counter[11] = { [8] = 1000, [7] = 23, [6] = -UINT64_C(20), [5] = 520 };
    report_file_counters(&f, 1, counter, 11);
    struct pp_node node[] = {
        { .number = 0 },
        { .number = 1,
          .key = 10,
          .calls = 1,
          .timed_calls = 1,
          .timed_ns = 990000000,
          .function_ns = 990000000,
          .self_ns = 10000000,
          .outer_timed = 1 },
        { .number = 2,
          .parent = 1,
          .key = 20,
          .calls = 1,
          .timed_calls = 1,
          .timed_ns = 980000000,
          .function_ns = 980000000,
          .self_ns = 80000000,
          .stage = 1,
          .outer_timed = 1 },
        { .number = 3,
          .parent = 2,
          .key = 9,
          .calls = 10,
          .timed_calls = 10,
          .timed_ns = 900000000,
          .function_ns = 900000000,
          .self_ns = 400000000,
          .stage = 3,
          .outer_timed = 10 },
        { .number = 4,
          .parent = 3,
          .key = 6,
          .calls = 500,
          .timed_calls = 20,
          .timed_ns = 40000000,
          .function_ns = 40000000,
          .self_ns = 40000000,
          .stage = 3,
          .outer_timed = 20 },
    };
    report_file_nodes(&f, 1, 0, node, sizeof node / sizeof *node);
    struct pp_stage *stage = calloc(4, sizeof *stage);
    stage[1] = (struct pp_stage){
        .key = 20, .kind = PP_SITE_LOOP, .number = 1, .loop_runs = 1, .trips_min = 10, .trips_max = 10
    };
    report_file_activation(&stage[1], 980000000, 0);
    stage[1].self_ns = 80000000;
    stage[2] = (struct pp_stage){ .key = 20, .kind = PP_SITE_ITERATION, .parent = 1, .number = 2 };
    stage[3] = (struct pp_stage){ .key = 9, .kind = PP_SITE_STAGE, .parent = 2, .number = 3 };
    for (uint64_t i = 0; i < 10; i++) {
        report_file_activation(&stage[2], 50000000 + i * 10000000, i);
        report_file_activation(&stage[3], 45000000 + i * 10000000, i);
    }
    stage[1].metric[PP_METRIC_CPU] = 850000000;
    stage[3].metric[PP_METRIC_CPU] = 800000000;
    stage[1].metric[PP_METRIC_ALLOC_BYTES] = stage[3].metric[PP_METRIC_ALLOC_BYTES] = UINT64_C(3) << 30;
    stage[1].metric[PP_METRIC_FREE_BYTES] = stage[3].metric[PP_METRIC_FREE_BYTES] = UINT64_C(3) << 30;
    stage[1].metric[PP_METRIC_ALLOC_BLOCKS] = stage[3].metric[PP_METRIC_ALLOC_BLOCKS] = 1000;
    stage[3].level_ns[0] = 1000001, stage[3].level_ns[1] = 900000001;
    stage[1].level_ns[1] = 950000001;
    stage[3].entered[PP_METRIC_ARENA_BYTES] = 1 << 20, stage[3].entered[PP_METRIC_ARENA_USED_BYTES] = 1 << 19,
    stage[3].entered[PP_METRIC_ARENA_GAP_BYTES] = 1 << 10;
    stage[3].metric[PP_METRIC_ARENA_BYTES] = 8 << 20, stage[3].metric[PP_METRIC_ARENA_USED_BYTES] = 2 << 20,
    stage[3].metric[PP_METRIC_ARENA_GAP_BYTES] = 5 << 20;
    stage[1].metric[PP_METRIC_READS] = stage[3].metric[PP_METRIC_READS] = 50000;
    stage[1].metric[PP_METRIC_READ_BYTES] = stage[3].metric[PP_METRIC_READ_BYTES] = 200000;
    stage[3].windows[PP_WINDOW_CALLS] = (struct pp_windows){ .shift = 1, .count = { [2] = 3, [20] = 3, [58] = 4 } };
    for (unsigned k = 2; k < 62; k++) {
        stage[3].windows[PP_WINDOW_ITEMS].count[k] = 20 + k % 7;
        stage[2].windows[PP_WINDOW_CALLS].count[k] = k % 6 == 0;
    }
    report_file_stages(&f, 1, 0, stage, 4);
    free(stage);
    struct pp_sample sample[] = {
        { .address = 0x1000, .module = 1, .node = 3, .path = 1, .count = 300, .ns = 300000000 },
        { .address = 0x1010, .module = 1, .node = 4, .path = 2, .count = 400, .ns = 400000000 },
        { .address = 0x1010, .module = 1, .library = 2, .node = 4, .path = 2, .count = 100, .ns = 100000000 },
        { 0 },
    };
    report_file_samples(&f, 1, sample, sizeof sample / sizeof *sample);
    struct pp_thread_row row = { .tid = 4194303,
                                 .block = 1,
                                 .start_ns = 5000000000,
                                 .end_ns = 6000000000,
                                 .cpu_ns = 850000000,
                                 .samples = 800,
                                 .name = "pipeline" };
    report_file_threads(&f, &row, 1);
    struct pp_path way[] = { { .address = 0 },
                             { .address = 0x1100, .module = 1 },
                             { .address = 0x1008, .module = 1, .parent = 1 } };
    report_file_paths(&f, 1, 0, way, 3);
    struct pp_callsite point[] = { { .known = 0 },
                                   { .address = 0x1010, .module = 1, .known = 1 },
                                   { .address = 0x1020, .module = 1, .library = 2, .known = 1 },
                                   { .address = 0x77, .module = 2, .library = 2, .known = 1 },
                                   { .known = 0 },
                                   { .address = 0x1028, .module = 1, .known = 1, .kind = PP_CALLSITE_MAPPINGS },
                                   { .known = 1, .kind = PP_CALLSITE_MAPPINGS } };
    report_file_points(&f, 0, point, 7, 4);
    struct pp_block block[] = {
        { .alloc_blocks = 3, .alloc_bytes = 96 },
        { .alloc_blocks = 990, .alloc_bytes = UINT64_C(3) << 30, .free_blocks = 900, .free_bytes = UINT64_C(3) << 29 },
        { .alloc_blocks = 5, .alloc_bytes = 5000, .free_blocks = 5, .free_bytes = 5000, .temporary_blocks = 4 },
        { .free_blocks = 2, .free_bytes = 64 },
        { .alloc_blocks = 0 },
        { .alloc_blocks = 7, .alloc_bytes = 7 << 20, .free_bytes = 5 << 20 },
        { .free_bytes = 4096 }
    };
    report_file_blocks(&f, 1, 0, block, 7);
    struct pp_block shared[] = {
        { .alloc_blocks = 0 },
        { .alloc_blocks = 2, .alloc_bytes = 200, .peak_blocks = 500, .peak_bytes = UINT64_C(1) << 30 },
        { .peak_blocks = 0 },
        { .peak_blocks = UINT64_MAX, .peak_bytes = UINT64_MAX - 31 }
    };
    report_file_blocks(&f, 0, 0, shared, 4);
    struct pp_operation operation[] = { { .key = PP_OPERATION_KEY(1, PP_OPERATION_READ, 1, 1),
                                          .timed = 64,
                                          .bytes = UINT64_C(118) << 20,
                                          .wall_ns = 990000000,
                                          .wait_ns = 900000000,
                                          .most_ns = 84000000,
                                          .sequential = 60,
                                          .size = { [6] = 64 } },
                                        { 0 },
                                        { .key = PP_OPERATION_KEY(2, PP_OPERATION_LOCK, 0, 0),
                                          .timed = 3,
                                          .wall_ns = 5000000,
                                          .wait_ns = 5000000,
                                          .most_ns = 4000000,
                                          .size = { [4] = 3 } },
                                        { .key = PP_OPERATION_KEY(2, PP_OPERATION_SEND, 0, 2),
                                          .timed = 10,
                                          .errors = 1,
                                          .bytes = 900,
                                          .wall_ns = 70000,
                                          .most_ns = 9000,
                                          .size = { 1, 8 } },
                                        { .key = PP_OPERATION_KEY(1000, PP_OPERATION_WRITE, 900, 77),
                                          .timed = 2,
                                          .bytes = 20,
                                          .wall_ns = 4000,
                                          .most_ns = 3000,
                                          .sequential = 2,
                                          .size = { 2 } } };
    report_file_operations(&f, 1, operation, 5);
    report_file_target(&f, 1, PP_TARGET_FILE, "/data/photos/1.raw");
    report_file_target(&f, 2, PP_TARGET_SOCKET, "tcp 192.0.2.7:443");
    report_file_operations(&f, 0, operation + 2, 2);
    report_file_header(&f)->io_known = 1;
    report_file_header(&f)->io_read_bytes = (UINT64_C(118) << 20) + 4096;
    report_file_header(&f)->io_write_bytes = 20;
    struct pp_tally tally[2] = { { 0 } }, elsewhere = { 0 };
    report_file_number(&f, 1, PP_NUMBER_COUNT, PP_ITEMS);
    report_file_number(&f, 2, PP_NUMBER_GAUGE, "queue depth");
    report_file_number(&f, 3, PP_NUMBER_COUNT, "cache_miss");
    for (int i = 0; i < 60; i++) {
        report_file_say(&tally[0], 20 + (i + 2) % 7);
        report_file_say(&tally[1], i % 9 - 1);
    }
    report_file_say(&elsewhere, 5);
    report_file_tallies(&f, 1, 3, 1, tally, 2);
    report_file_tallies(&f, 1, 0, 3, &elsewhere, 1);
    struct pp_snapshot warm = { .number = 1,
                                .flags = 15,
                                .stage_count = 4,
                                .point_count = 2,
                                .at_ns = 200000000,
                                .took_ns = 9000,
                                .rss_bytes = 3 << 20,
                                .cpu_ns = 170000000,
                                .alloc_bytes = 5000000,
                                .alloc_blocks = 300,
                                .free_bytes = 1000000,
                                .free_blocks = 90,
                                .label = "warm" },
                       late = warm;
    struct pp_moment moment[] = { { .key = 0 },
                                  { .key = 20, .kind = PP_SITE_LOOP },
                                  { .key = 20, .kind = PP_SITE_ITERATION, .parent = 1, .calls = 2 },
                                  { .key = 9,
                                    .kind = PP_SITE_STAGE,
                                    .parent = 2,
                                    .calls = 2,
                                    .wall_ns = 110000000,
                                    .outer_calls = 2,
                                    .sampled_for = 2,
                                    .metric = { [PP_METRIC_ALLOC_BYTES] = 4000000, [PP_METRIC_CPU] = 90000000 } } };
    struct pp_stock stock[] = { { 1, 200, 4000000, 90, 1000000 }, { 2, 1, 100, 0, 0 } };
    report_file_snapshot(&f, &warm, moment, stock);
    late.number = 2, late.at_ns = 800000000, late.cpu_ns = 690000000, late.rss_bytes = 2 << 20,
    late.alloc_bytes = 9000000, late.free_bytes = 7000000;
    strcpy(late.label, "late");
    moment[2].calls = 8, moment[3].calls = 8, moment[3].outer_calls = 8, moment[3].sampled_for = 4,
    moment[3].wall_ns = 720000000, moment[3].metric[PP_METRIC_CPU] = 300000000;
    stock[0] = (struct pp_stock){ 1, 800, 8000000, 790, 7900000 };
    report_file_snapshot(&f, &late, moment, stock);
    struct pp_blocked_path stall[] = {
        { .path = 2, .node = 3, .kind = PP_OPERATION_READ, .count = 40, .ns = 890000000, .squares_us2 = 16000000 },
        { 0 },
        { .node = 1, .kind = PP_OPERATION_LOCK, .count = 1, .ns = 4000000 }
    };
    report_file_stalls(&f, 1, stall, 3);
    return f;
}
