/* SPDX-License-Identifier: MIT */
/* seed.c FOLDER: data files written by the tests' own writer, for a fuzzer to begin with. */
#include "report_file.h"

static void put(struct report_file *file, const char *folder, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    report_file_write(file, path);
    report_file_free(file);
}

int main(int argc, char **argv)
{
    CHECK(argc == 2, "usage: seed FOLDER");
    struct report_file file = report_file_start();
    put(&file, argv[1], "empty.profplug");
    file = report_file_pipeline();
    put(&file, argv[1], "pipeline.profplug");
    file = report_file_pipeline();
    struct pp_frame frame[] = { { .start_ns = 5100000000, .node_number = 1 }, { .start_ns = 5200000000, .node_number = 2, .stage = 1 },
                                { .start_ns = 5300000000, .node_number = 3, .stage = 3, .child_ns = 1000 }, { 0 } };
    report_file_frames(&file, 1, frame, 4);
    uint64_t counter[11] = { [7] = 5 };
    report_file_counters(&file, 2, counter, 11);
    struct pp_node node[] = { { .number = 0 }, { .number = 1, .key = 8 | PP_KEY_OVERFLOW, .calls = 7 } };
    report_file_nodes(&file, 2, 0, node, 2);
    struct pp_path way[] = { { .parent = 0 }, { .address = 0x2000, .module = 1, .end = PP_PATH_CUT }, { .address = 0x2000, .module = 9, .parent = 1 } };
    report_file_paths(&file, 2, 0, way, 3);
    struct pp_sample sample = { .address = 0x1000, .module = 1, .path = 2, .count = 1, .ns = 1000000 };
    report_file_samples(&file, 2, &sample, 1);
    report_file_child(&file, 77, "nowhere.profplug");
    report_file_header(&file)->end_ns = 0;               /* killed */
    report_file_header(&file)->exit_kind = PP_EXIT_UNKNOWN;
    put(&file, argv[1], "killed.profplug");
    return 0;
}
