/* SPDX-License-Identifier: MIT */
/* diagnose.c: a good data file is broken in one place, and the reader's line is exactly the one expected. FILE stands for the
 * file's path, END for the good file's size. */
#include "report_file.h"

#include <string.h>
#include <unistd.h>

#include "read/profile.h"

static char path[] = "/tmp/corrupt_XXXXXX";
static int cases;
static size_t good_bytes;

static void expect(struct report_file *file, const char *want)
{
    char error[READER_ERROR_BYTES] = "", whole[READER_ERROR_BYTES + 64];
    report_file_write(file, path);
    struct profile *profile = reader_open(path, error);
    report_file_free(file);
    cases++;
    if (!want) {
        CHECK(profile, "%s", error);
        reader_close(profile);
        return;
    }
    CHECK(!profile, "accepted, expected: %s", want);
    size_t used = (size_t)snprintf(whole, sizeof whole, "%s: ", path);
    for (const char *at = want, *end; ; at = end + 3) {
        end = strstr(at, "END");
        used += (size_t)snprintf(whole + used, sizeof whole - used, "%.*s", end ? (int)(end - at) : (int)strlen(at), at);
        if (!end)
            break;
        used += (size_t)snprintf(whole + used, sizeof whole - used, "%zu", good_bytes);
    }
    CHECK(strcmp(error, whole) == 0, "\n  got      %s\n  expected %s", error, whole);
}

static struct pp_header *header(struct report_file *f) { return report_file_header(f); }
static struct pp_directory_entry *entry(struct report_file *f, uint32_t kind)
{
    for (uint32_t i = 0; i < f->extents; i++)
        if (report_file_directory(f)->entry[i].kind == kind)
            return &report_file_directory(f)->entry[i];
    CHECK(0, "no extent of kind %u", kind);
    return NULL;
}
static void *content(struct report_file *f, uint32_t kind) { return report_file_at(f, entry(f, kind)->offset); }

#define BREAK(want, ...)                                     \
    do {                                                     \
        struct report_file f = report_file_pipeline();       \
        __VA_ARGS__;                                         \
        expect(&f, want);                                    \
    } while (0)

static void break_header(void)
{
    BREAK("the file is empty, expected a profplug data file", f.size = 0);
    BREAK("cut off after 100 bytes, expected a profplug header of 4096", f.size = 100);
    BREAK("not a profplug data file, expected it to begin with \"profplug\"", f.bytes[0] = 'x');
    BREAK("offset 8: format version 10, expected 9 (a newer profplug wrote it)", header(&f)->version = 10);
    BREAK("offset 8: format version 0, expected 9", header(&f)->version = 0);
    char want[256];
    snprintf(want, sizeof want, "offset 4088: layout %016llx, expected %016llx: another build of profplug wrote it; read it with that one",
             (unsigned long long)PP_LAYOUT + 1, (unsigned long long)PP_LAYOUT);
    BREAK(want, f.bytes[PP_LAYOUT_OFFSET]++);
    BREAK("offset 12: header size 4, expected 4096", header(&f)->header_size = 4);
    BREAK("offset 24: needs features 0x8000000000000000, expected none beyond 0x0 (a newer profplug wrote it)",
          header(&f)->features_required = UINT64_C(1) << 63);
    BREAK(NULL, header(&f)->features_ignorable = UINT64_MAX);
}

static void break_directory(void)
{
    BREAK("offset 40: directory at 1099511627776, expected a multiple of 4096 with 4096 bytes before the file's end at END",
          header(&f)->directory = UINT64_C(1) << 40);
    BREAK("offset 40: directory at 4097, expected a multiple of 4096 with 4096 bytes before the file's end at END",
          header(&f)->directory = 4097);
    BREAK("offset 4096: the directory's chunks form a circle, expected a last one", report_file_directory(&f)->next = 4096);
    BREAK("offset 4112: extent of 4096 bytes at 8193, expected multiples of 4096", report_file_directory(&f)->entry[0].offset = 8193);
    BREAK("offset 4112: extent of 5 bytes at 8192, expected multiples of 4096", report_file_directory(&f)->entry[0].size = 5);
    BREAK("offset 4112: extent of 4096 bytes at END, expected it to end by the file's end at END",
          report_file_directory(&f)->entry[0].offset = f.size);
    BREAK("offset 4112: extent of 18446744073709547520 bytes at 8192, expected it to end by the file's end at END",
          report_file_directory(&f)->entry[0].size = (uint64_t)-4096);
    BREAK("offset 12288: an extent begins inside the one at 12288, expected none before 16384", report_file_directory(&f)->entry[0].offset = 12288);
    BREAK("offset 0: an extent begins inside the one at 0, expected none before 4096", report_file_directory(&f)->entry[0].offset = 0);
    BREAK("offset 4112: extent of 4096 bytes at 8192, expected it to end by the file's end at 8192", f.size = 8192);
    BREAK(NULL, report_file_directory(&f)->count = UINT32_MAX);                  /* claims that went to the next chunk */
    BREAK(NULL, report_file_directory(&f)->entry[0].kind = 4711);                /* a later version's */
    BREAK("offset 8192: answers of 4096 bytes, expected at least 21568", report_file_directory(&f)->entry[0].kind = PP_EXTENT_ANSWERS);
    BREAK(NULL, entry(&f, PP_EXTENT_STAGES)->kind = PP_EXTENT_NONE);             /* its writer died before it published */
}

static void break_tables(void)
{
    BREAK("offset 8192: 4033 bytes of records, expected at most 4032", ((struct pp_records *)content(&f, PP_EXTENT_RECORDS))->used = 4033);
    BREAK("offset 8256: a record of 4294967295 bytes, expected at most 20",
          ((struct pp_record *)((char *)content(&f, PP_EXTENT_RECORDS) + 64))->size = UINT32_MAX);
    BREAK("offset 8256: a record of kind 1 without its terminator, expected one in 20 bytes",
          memset((char *)content(&f, PP_EXTENT_RECORDS) + 72, 'x', 20));
    BREAK("offset 32768: 4294967295 sites and 179 bytes of strings, expected them within 4096 bytes",
          ((struct pp_sites *)content(&f, PP_EXTENT_SITES))->site_count = UINT32_MAX);
    BREAK("offset 32768: 6 sites and 4294967295 bytes of strings, expected them within 4096 bytes",
          ((struct pp_sites *)content(&f, PP_EXTENT_SITES))->strings_size = UINT32_MAX);
    BREAK("offset 33024: a string table of 178 bytes, expected it to end in 0", ((struct pp_sites *)content(&f, PP_EXTENT_SITES))->strings_size--);
    BREAK("offset 32768: a next table after 432 bytes, expected a multiple of 8 from 435 to 4096",
          ((struct pp_sites *)content(&f, PP_EXTENT_SITES))->next = 432);
    BREAK("offset 32768: a next table after 4104 bytes, expected a multiple of 8 from 435 to 4096",
          ((struct pp_sites *)content(&f, PP_EXTENT_SITES))->next = 4104);
    BREAK("offset 33272: a string table of 0 bytes, expected it to end in 0", ((struct pp_sites *)content(&f, PP_EXTENT_SITES))->next = 440);
    BREAK("offset 32832: a site's string at 179, expected an offset below 179",
          ((struct pp_site *)((char *)content(&f, PP_EXTENT_SITES) + 64))->name = 179);
    BREAK("offset 32832: a site with slot 6, expected below 6", ((struct pp_site *)((char *)content(&f, PP_EXTENT_SITES) + 64))->slot = 6);
    BREAK("offset 147456: room for 4294967295 threads, expected at most 45",
          ((struct pp_thread_rows *)content(&f, PP_EXTENT_THREADS))->capacity = UINT32_MAX);
    BREAK(NULL, ((struct pp_thread_rows *)content(&f, PP_EXTENT_THREADS))->count = 1000);       /* more threads than rows: a loss */
}

static void break_blocks(void)
{
    struct pp_node *node;
    BREAK("offset 36864: 1152921504606846976 counters, expected at most 504",
          ((struct pp_counters *)content(&f, PP_EXTENT_COUNTERS))->count = UINT64_C(1) << 60);
    BREAK("offset 40960: 4294967295 call tree nodes, expected at most 31",
          ((struct pp_nodes *)content(&f, PP_EXTENT_NODES))->capacity = ((struct pp_nodes *)content(&f, PP_EXTENT_NODES))->used = UINT32_MAX);
    BREAK("offset 40960: call tree nodes up to number 4294967295, expected below 32",
          ((struct pp_nodes *)content(&f, PP_EXTENT_NODES))->first = UINT32_MAX - 5);
    BREAK("offset 41280: call tree node 2 with parent 2, expected an earlier one",
          node = (struct pp_node *)((char *)content(&f, PP_EXTENT_NODES) + 64); node[2].parent = 2);
    BREAK("offset 41152: call tree node 1 with parent 3, expected an earlier one",
          node = (struct pp_node *)((char *)content(&f, PP_EXTENT_NODES) + 64); node[1].parent = 3);
    BREAK("offset 45056: 2147483648 stages, expected at most 0",
          struct pp_stages *s = content(&f, PP_EXTENT_STAGES); s->capacity = s->used = 1u << 31; entry(&f, PP_EXTENT_STAGES)->size = 4096);
    BREAK("offset 143360: room for 4294967295 samples, expected at most 63",
          ((struct pp_samples *)content(&f, PP_EXTENT_SAMPLES))->capacity = UINT32_MAX);
    struct pp_path *path_;
    BREAK("offset 151552: 4294967295 call paths, expected at most 168",
          ((struct pp_paths *)content(&f, PP_EXTENT_PATHS))->capacity = ((struct pp_paths *)content(&f, PP_EXTENT_PATHS))->used = UINT32_MAX);
    BREAK("offset 151552: call paths up to number 4294967293, expected below 170", ((struct pp_paths *)content(&f, PP_EXTENT_PATHS))->first = UINT32_MAX - 5);
    BREAK("offset 151664: call path 2 with parent 2, expected an earlier one",
          path_ = (struct pp_path *)((char *)content(&f, PP_EXTENT_PATHS) + 64); path_[2].parent = 2);
    BREAK("offset 151640: call path 1 with end 3, expected below 3",
          path_ = (struct pp_path *)((char *)content(&f, PP_EXTENT_PATHS) + 64); path_[1].end = 3);
    BREAK("offset 155648: 4294967295 points of the heap, expected at most 168",
          ((struct pp_callsites *)content(&f, PP_EXTENT_CALLSITES))->capacity = UINT32_MAX);
    BREAK("offset 155648: points of the heap up to number 4294967295, expected below 170", ((struct pp_callsites *)content(&f, PP_EXTENT_CALLSITES))->first = UINT32_MAX - 7);
    BREAK("offset 155832: point 5 of kind 5, expected below 5", ((struct pp_callsite *)((char *)content(&f, PP_EXTENT_CALLSITES) + 64))[5].kind = 5);
    BREAK("offset 159744: blocks of the heap at 64 points from 0, expected at most 42", ((struct pp_blocks *)content(&f, PP_EXTENT_BLOCKS))->count = 64);
    BREAK("offset 159744: blocks of the heap at 7 points from 4294967293, expected at most 42", ((struct pp_blocks *)content(&f, PP_EXTENT_BLOCKS))->first = UINT32_MAX - 2);
    BREAK(NULL, ((struct pp_blocks *)content(&f, PP_EXTENT_BLOCKS))->first = 1u << 20);                     /* of points published after we looked */
    BREAK("offset 167936: room for 4294967295 operations, expected at most 21", ((struct pp_operations *)content(&f, PP_EXTENT_OPERATIONS))->capacity = UINT32_MAX);
    BREAK("offset 168000: an operation of kind 255, expected below 33",
          ((struct pp_operation *)((char *)content(&f, PP_EXTENT_OPERATIONS) + 64))->key = PP_OPERATION_KEY(1, 255, 1, 1));
    BREAK("offset 212992: room for 4294967295 waits by their calls, expected at most 100", ((struct pp_blocked_table *)content(&f, PP_EXTENT_BLOCKED))->capacity = UINT32_MAX);
    BREAK("offset 213056: a wait of kind 33, expected below 33", ((struct pp_blocked_path *)((char *)content(&f, PP_EXTENT_BLOCKED) + 64))->kind = PP_OPERATION_COUNT);
    BREAK(NULL, ((struct pp_blocked_path *)((char *)content(&f, PP_EXTENT_BLOCKED) + 64))->path = 3);               /* published after we looked */
    BREAK(NULL, ((struct pp_sample *)((char *)content(&f, PP_EXTENT_SAMPLES) + 64))->path = 3);             /* published after we looked */
    BREAK(NULL, ((struct pp_sample *)((char *)content(&f, PP_EXTENT_SAMPLES) + 64))->node = 1u << 30);      /* published after we looked */
}

int main(int argc, char **argv)
{
    struct report_file whole = report_file_pipeline();
    good_bytes = whole.size;
    report_file_free(&whole);
    int file = mkstemp(path);
    CHECK(file >= 0, "no temporary file");
    close(file);
    if (argc > 1) {              /* the good file, for a look at its layout */
        struct report_file f = report_file_pipeline();
        report_file_write(&f, argv[1]);
        for (uint32_t i = 0; i < f.extents; i++)
            printf("kind %u at %llu, %llu bytes\n", report_file_directory(&f)->entry[i].kind,
                   (unsigned long long)report_file_directory(&f)->entry[i].offset, (unsigned long long)report_file_directory(&f)->entry[i].size);
        return 0;
    }
    struct report_file good = report_file_pipeline();
    expect(&good, NULL);
    break_header();
    break_directory();
    break_tables();
    break_blocks();
    unlink(path);
    printf("%d files, each with its line\n", cases);
    return 0;
}
