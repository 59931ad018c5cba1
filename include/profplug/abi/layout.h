/* SPDX-License-Identifier: MIT */
/* layout.h: the number that stands for the layout of the data file, and the sizes that must not change by accident. The
 * end of format.h includes it. */
#ifndef PROFPLUG_ABI_LAYOUT_H
#define PROFPLUG_ABI_LAYOUT_H

/* A number made of the sizes and places of what the file holds. The writer puts it at the end of the header's page,
 * which no change of the header moves: so a reader tells a file of another layout from its own also where the version
 * was not raised. */
#define PP_LAYOUT_OFFSET (PP_HEADER_SIZE - 8)
#define PP_LAYOUT_ADD(sum, number) (((sum) ^ (uint64_t)(number)) * UINT64_C(1099511628211)) /* FNV-1a, by numbers */
#define PP_LAYOUT_4(sum, a, b, c, d) PP_LAYOUT_ADD(PP_LAYOUT_ADD(PP_LAYOUT_ADD(PP_LAYOUT_ADD(sum, a), b), c), d)
#define PP_LAYOUT_HEADER                                                                                      \
    PP_LAYOUT_4(UINT64_C(14695981039346656037), sizeof(struct pp_header), offsetof(struct pp_header, losses), \
                offsetof(struct pp_header, program), offsetof(struct pp_header, metrics_measured))
#define PP_LAYOUT_SITES                                                                                               \
    PP_LAYOUT_4(PP_LAYOUT_HEADER, sizeof(struct pp_directory_entry), sizeof(struct pp_sites), sizeof(struct pp_site), \
                PP_METRIC_CAPACITY)
#define PP_LAYOUT_RECORDS                                                                                     \
    PP_LAYOUT_4(PP_LAYOUT_SITES, sizeof(struct pp_record), sizeof(struct pp_module), sizeof(struct pp_place), \
                sizeof(struct pp_child))
#define PP_LAYOUT_BLOCK                                                                                      \
    PP_LAYOUT_4(PP_LAYOUT_RECORDS, sizeof(struct pp_node), sizeof(struct pp_stage), sizeof(struct pp_frame), \
                sizeof(struct pp_sample))
#define PP_LAYOUT_THREAD                                                                        \
    PP_LAYOUT_4(PP_LAYOUT_BLOCK, sizeof(struct pp_thread_row) + sizeof(struct pp_blocked_path), \
                sizeof(struct pp_thread), PP_BUCKETS, PP_SLOWEST)
#define PP_LAYOUT_NUMBERS \
    PP_LAYOUT_4(PP_LAYOUT_THREAD, sizeof(struct pp_number), sizeof(struct pp_tally), PP_WINDOWS, PP_WINDOW_BITS)
#define PP_LAYOUT_SNAPSHOTS                                                                                       \
    PP_LAYOUT_4(PP_LAYOUT_NUMBERS, sizeof(struct pp_snapshot), sizeof(struct pp_moment), sizeof(struct pp_stock), \
                PP_SNAPSHOT_LABEL)
#define PP_LAYOUT                                                                        \
    PP_LAYOUT_4(PP_LAYOUT_SNAPSHOTS, sizeof(struct pp_path), sizeof(struct pp_callsite), \
                sizeof(struct pp_block) + sizeof(struct pp_operation), PP_EXTENT_KIND_COUNT)

#define PP_STATIC_ASSERT(name, test) typedef char pp_assert_##name[(test) ? 1 : -1]
PP_STATIC_ASSERT(timeline, sizeof(struct pp_timeline) == 576 && sizeof(struct pp_event) == 48);
PP_STATIC_ASSERT(site, sizeof(struct pp_site) == 32);
PP_STATIC_ASSERT(object, sizeof(struct pp_object) == 128);
PP_STATIC_ASSERT(tls, sizeof(struct pp_tls) == 64 && offsetof(struct pp_tls, busy) == 24 &&
                          offsetof(struct pp_tls, held) == 48);
PP_STATIC_ASSERT(header, sizeof(struct pp_header) <= PP_LAYOUT_OFFSET);
PP_STATIC_ASSERT(directory, sizeof(struct pp_directory) <= PP_DIRECTORY_SIZE);
PP_STATIC_ASSERT(thread, sizeof(struct pp_thread) == 1536);
PP_STATIC_ASSERT(unfinished, sizeof(struct pp_unfinished) == 32 && offsetof(struct pp_thread, unfinished) == 1408);
PP_STATIC_ASSERT(node, sizeof(struct pp_node) == 128);
PP_STATIC_ASSERT(node_calls, offsetof(struct pp_node, calls) == 16);
PP_STATIC_ASSERT(metrics, PP_METRIC_COUNT <= PP_METRIC_CAPACITY);
PP_STATIC_ASSERT(sample, sizeof(struct pp_sample) == 64);
PP_STATIC_ASSERT(stall, sizeof(struct pp_blocked_table) == 64 && sizeof(struct pp_blocked_path) == 40);
PP_STATIC_ASSERT(tally, sizeof(struct pp_tallies) == 64 && sizeof(struct pp_tally) == 64);
PP_STATIC_ASSERT(snapshot, sizeof(struct pp_snapshot) == 208 && sizeof(struct pp_moment) == 304);
PP_STATIC_ASSERT(path, sizeof(struct pp_path) == 24);
PP_STATIC_ASSERT(point, sizeof(struct pp_callsites) == 64 && sizeof(struct pp_callsite) == 24);
PP_STATIC_ASSERT(block, sizeof(struct pp_blocks) == 64 && sizeof(struct pp_block) == 96);
PP_STATIC_ASSERT(operation, sizeof(struct pp_operations) == 64 && sizeof(struct pp_operation) == 192);

#endif
