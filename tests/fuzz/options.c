/* SPDX-License-Identifier: MIT */
/* options.c: a libFuzzer target: one text as the environment's string, as a JSON file and as an output pattern, to the runtime and to the tool.
 * What the tool accepts the runtime must not refuse; and each says what is wrong in lines of its own. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "file/datafile.h"
#include "system/message.h"
#include "system/syscall.h"
#include "process/options.h"
#include "words/diag.h"
#include "host/options.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int complaints, lines;
static char said[4096];

/* The runtime's surroundings. */
_Atomic uint64_t pp_own_read_bytes, pp_own_write_bytes;

void pp_complain(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(said, sizeof said, format, list);
    va_end(list);
    complaints++;
}

bool pp_record_add(enum pp_record_kind kind, const void *payload, uint32_t size) { return kind && payload && size; }

static void line_count(void *context, const char *line)
{
    lines++;
    if (strchr(line, '\n'))
        abort();
}

static void runtime_ask(const char *text)
{
    struct pp_options o;
    char path[256];
    pp_options_defaults(&o);
    pp_options_string(&o, text, "fuzz");
    pp_options_json(&o, text, "fuzz");
    for (uint32_t room = 1; room <= sizeof path; room *= 4)
        if (pp_output_expand(text, "program", 4194303, "host", "/directory", path, room) && strlen(path) >= room)
            abort();
}

static void tool_ask(const char *text, size_t size)
{
    static int file = -1;
    static char path[64];
    struct options options = { 0 };
    struct pp_options o;
    if (file < 0) {
        file = memfd_create("options.json", MFD_CLOEXEC);
        snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    }
    if (ftruncate(file, 0) || pwrite(file, text, size, 0) != (ssize_t)size)
        abort();
    lines = 0;
    int status = options_read(&options, path);
    if (status && lines < 1) {
        fprintf(stderr, "refused without a line\n");
        abort();
    }
    char *joined = status ? NULL : options_join(&options);
    if (joined) {
        pp_options_defaults(&o);
        complaints = 0;
        pp_options_string(&o, joined, "joined");
        if (complaints) {
            fprintf(stderr, "the tool accepts what the runtime does not: %s\n%s\n", joined, said);
            abort();
        }
    }
    free(joined);
    options_free(&options);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    memcpy(text, data, size);
    text[size] = 0;
    diag_redirect(line_count, NULL);
    runtime_ask(text);
    tool_ask(text, size);
    free(text);
    return 0;
}
