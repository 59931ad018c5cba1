/* SPDX-License-Identifier: MIT */
/* driver.c: shows what image.h and symbolize.h say, for the Python tests to judge. Must not judge itself.
 *   driver open PATH [BUILD-ID [DEBUG-DIRECTORY]]   the result's number, the path opened, the error
 *   driver functions PATH                           name, linkage name, symbol, file, line, low, high, id, 1 if from symbols
 *   driver ids PATH                                 per frame of the addresses on standard input: function, id, declaration's file and line
 *   driver owner PATH                               the function with code of its own, per address: name, low, high */
#include "symbol/image.h"
#include "symbol/symbolize.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT(text) ((text) ? (text) : "??")

int main(int argc, char **argv)
{
    uint8_t build_id[64];
    size_t size = 0;
    char error[5000] = "", line[64];
    struct image *image;
    struct symbolizer *symbolizer;
    struct symbol_function function;
    struct symbol_frame frames[SYMBOL_FRAMES_MAX];
    enum image_result result;
    if (argc < 3)
        return 64;
    for (const char *at = argc > 3 ? argv[3] : ""; at[0] && at[1] && size < sizeof build_id; at += 2)
        build_id[size++] = (uint8_t)strtoul((char[3]){ at[0], at[1], 0 }, NULL, 16);
    if (argc > 4)
        image_debug_directory(argv[4]);
    result = image_open(argv[2], build_id, size, &image, error, sizeof error);
    if (!strcmp(argv[1], "open")) {
        printf("%d\t%s\t%s\n", result, image ? image_path(image) : "", error);
        image_close(image);
        return 0;
    }
    if (result != IMAGE_OK || !(symbolizer = symbolizer_open(image)))
        return 65;
    for (size_t i = 0; !strcmp(argv[1], "functions") && symbolizer_function_at(symbolizer, i, &function); i++)
        printf("%s\t%s\t%s\t%s\t%u\t%" PRIx64 "\t%" PRIx64 "\t%" PRIu64 "\t%d\n", TEXT(function.name), TEXT(function.linkage_name), TEXT(function.symbol),
               TEXT(function.file), function.line, function.low, function.high, function.function_id, function.is_from_symbols);
    while (strcmp(argv[1], "functions") && fgets(line, sizeof line, stdin)) {
        uint64_t address = strtoull(line, NULL, 16);
        size_t count = symbolizer_lookup(symbolizer, address, frames, SYMBOL_FRAMES_MAX);
        if (!strcmp(argv[1], "owner") && symbolizer_function(symbolizer, address, &function))
            printf("%s\t%" PRIx64 "\t%" PRIx64 "\n", TEXT(function.name), function.low, function.high);
        for (size_t i = 0; !strcmp(argv[1], "ids") && i < count; i++)
            printf("%s\t%" PRIu64 "\t%s\t%u\n", TEXT(frames[i].function), frames[i].function_id, TEXT(frames[i].function_file), frames[i].function_line);
    }
    symbolizer_close(symbolizer);
    image_close(image);
    return 0;
}
