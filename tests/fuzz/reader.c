/* SPDX-License-Identifier: MIT */
/* reader.c: a libFuzzer target: the bytes of a data file go the whole way: reader, model, rules, terminal and JSON. Nothing may crash,
 * and what is refused is refused with one line. FUZZ_PLAIN has the mutations be libFuzzer's own. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "words/diag.h"
#include "export/export.h"
#include "symbol/image.h"
#include "mutation.h"
#include "load.h"
#include "show/source.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t capacity, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t capacity);

/* The system's libraries have debug files of many megabytes: reading them again for each input leaves no time for the inputs. */
enum image_result __real_image_open(const char *path, const uint8_t *build_id, size_t size, struct image **image, char *error, size_t error_size);
enum image_result __wrap_image_open(const char *path, const uint8_t *build_id, size_t size, struct image **image, char *error, size_t error_size);
enum image_result __wrap_image_open(const char *path, const uint8_t *build_id, size_t size, struct image **image, char *error, size_t error_size)
{
    if (strncmp(path, "/lib", 4) != 0 && strncmp(path, "/usr", 4) != 0)
        return __real_image_open(path, build_id, size < 2 ? size : 0, image, error, error_size);
    *image = NULL;
    snprintf(error, error_size, "%s: left out", path);
    return IMAGE_MISSING;
}

static void line_count(void *context, const char *line)
{
    ++*(int *)context;
    if (strncmp(line, "profplug: ", 10) != 0 || strchr(line, '\n')) {
        fprintf(stderr, "not a line of ours: %s\n", line);
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static FILE *sink;
    static int file = -1;
    static char path[64];
    int lines = 0;
    if (!sink) {
        sink = fopen("/dev/null", "w");
        file = memfd_create("fuzz.profplug", MFD_CLOEXEC);
        snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    }
    if (ftruncate(file, 0) || pwrite(file, data, size, 0) != (ssize_t)size)
        abort();
    diag_redirect(line_count, &lines);
    struct model *model = model_open(path);
    if ((model == NULL) != (lines == 1)) {
        fprintf(stderr, "%s with %d lines\n", model ? "read" : "refused", lines);
        abort();
    }
    if (model) {
        struct view view = { .width = 40 + (int)(size % 150), .explain = true, .sort = size % 3 ? NULL : "p99" };
        text_report(sink, model, &view);
        export_json(sink, model, &view);
        char close[256];
        text_annotate(sink, model, &view, NULL, close);
        model_free(model);
    }
    source_forget();
    return 0;
}

/* Three of four mutations know the format; each takes its second file from the one before. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t capacity, unsigned seed)
{
    static unsigned char other[1 << 20];
    static size_t other_size;
    uint64_t random = random_start(seed);
    size_t now = random_below(&random, 4) && !getenv("FUZZ_PLAIN")
        ? mutation_apply(data, size, capacity, other_size ? other : NULL, other_size, &random) : LLVMFuzzerMutate(data, size, capacity);
    if (random_below(&random, 16) == 0 && now <= sizeof other)
        memcpy(other, data, other_size = now);
    return now;
}
