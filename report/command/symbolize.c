/* SPDX-License-Identifier: MIT */
/* symbolize.c: `profplug symbolize BINARY`: addresses on standard input to function, file, line and inlined frames. */
#include "symbol/symbolize.h"
#include "command/command.h"
#include "words/diag.h"
#include "words/output.h"
#include "words/quote.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put_string(FILE *out, const char *name, const char *text)
{
    if (!text)
        return;
    fprintf(out, ",\"%s\":", name);
    quote_json(out, text);
}

static void frames_print_text(FILE *out, uint64_t address, const struct symbol_frame *frames, size_t count)
{
    static const struct symbol_frame unknown;
    for (size_t i = 0; i < (count ? count : 1); i++) {
        const struct symbol_frame *frame = count ? &frames[i] : &unknown;
        fprintf(out, "0x%" PRIx64 "\t%zu\t", address, i);
        quote_print(out, frame->function ? frame->function : "??");
        putc('\t', out);
        quote_print(out, frame->file ? frame->file : "??");
        fprintf(out, "\t%" PRIu32 "\n", frame->line);
    }
}

/* One object a line; unknown fields are absent. */
static void frames_print_json(FILE *out, uint64_t address, const struct symbol_frame *frames, size_t count)
{
    fprintf(out, "{\"address\":\"0x%" PRIx64 "\",\"frames\":[", address);
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "%s{\"depth\":%zu", i ? "," : "", i);
        put_string(out, "function", frames[i].function);
        put_string(out, "linkage_name", frames[i].linkage_name);
        put_string(out, "file", frames[i].file);
        if (frames[i].line)
            fprintf(out, ",\"line\":%" PRIu32, frames[i].line);
        if (frames[i].column)
            fprintf(out, ",\"column\":%" PRIu32, frames[i].column);
        fprintf(out, ",\"inlined\":%s}", frames[i].is_inlined ? "true" : "false");
    }
    fputs("]}\n", out);
}

/* True if the line holds one hexadecimal address and blanks only. */
static bool address_parse(const char *line, uint64_t *address)
{
    char *end;
    while (isspace((unsigned char)*line))
        line++;
    if (!isxdigit((unsigned char)*line))
        return false;
    errno = 0;
    *address = strtoull(line, &end, 16);
    while (isspace((unsigned char)*end))
        end++;
    return !errno && !*end;
}

static int symbolize_all(struct symbolizer *symbolizer, FILE *out, bool json)
{
    struct symbol_frame frames[SYMBOL_FRAMES_MAX];
    char *line = NULL, where[48];
    size_t size = 0;
    ssize_t length;
    int status = DIAG_DONE;
    for (unsigned long number = 1; status == DIAG_DONE && (length = getline(&line, &size, stdin)) >= 0; number++) {
        uint64_t address;
        if (address_parse(line, &address) && strlen(line) == (size_t)length) {
            size_t count = symbolizer_lookup(symbolizer, address, frames, SYMBOL_FRAMES_MAX);
            (json ? frames_print_json : frames_print_text)(out, address, frames, count);
        } else {
            line[strcspn(line, "\r\n")] = 0;
            snprintf(where, sizeof where, "standard input:%lu", number);
            status = diag_error(where, "`%.60s` is not an address; expected one hexadecimal number of at most 64 bits",
                                line);
        }
    }
    free(line);
    return status;
}

int command_symbolize(int argc, char **argv)
{
    const char *binary = NULL, *output = NULL, *format = "text";
    struct image *image;
    struct symbolizer *symbolizer;
    char error[4600];
    int status = DIAG_WRONG;
    struct flags flags;
    flags_begin(&flags, "symbolize", argc, argv, false);
    for (enum flag_id id; (id = flags_next(&flags)) != FLAG_END;) {
        switch (id) {
        case FLAG_SYMBOLIZE_OUTPUT: output = flags.value; break;
        case FLAG_SYMBOLIZE_FORMAT: format = flags.value; break;
        case FLAG_SYMBOLIZE_DEBUG: image_debug_directory(flags.value); break;
        default:
            return diag_error(flags.word, "%s; expected -o FILE, --format text|json, --debug-directory DIRECTORY",
                              id == FLAG_MISSING ? "its value is missing" : "no such option of symbolize");
        }
    }
    if (argc - flags.next > 1)
        return diag_error(argv[flags.next + 1], "a second binary; expected one");
    binary = flags.next < argc ? argv[flags.next] : NULL;
    if (!binary)
        return diag_error("symbolize", "no binary given; expected symbolize [--format text|json] [-o FILE] BINARY");
    if (strcmp(format, "text") && strcmp(format, "json"))
        return diag_error("--format", "`%s` is not a format of symbolize; expected text or json", format);
    if (image_open(binary, NULL, 0, &image, error, sizeof error) != IMAGE_OK)
        return diag_error(NULL, "%s", error);
    if (image_debug_missing(image)) {
        struct image_symbol symbol;
        if (!image_symbol_at(image, 0, &symbol)) {
            status = diag_error(NULL, "%s", image_debug_missing(image));
            image_close(image);
            return status;
        }
        diag_warning(NULL, "%s; functions are named by its symbols", image_debug_missing(image));
    }
    symbolizer = symbolizer_open(image);
    if (!symbolizer) {
        image_close(image);
        return diag_error(binary, "out of memory");
    }
    FILE *out = output_open(output);
    if (out) {
        status = output_end(out, symbolize_all(symbolizer, out, !strcmp(format, "json")));
        if (symbolizer_complaint(symbolizer))
            diag_warning(NULL, "%s", symbolizer_complaint(symbolizer));
    }
    symbolizer_close(symbolizer);
    image_close(image);
    return status;
}
