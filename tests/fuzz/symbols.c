/* SPDX-License-Identifier: MIT */
/* symbols.c: a libFuzzer target: the bytes of an ELF image go to the symbolizer, which is asked for every function and for addresses in and
 * between them. Mutations are mostly of the debug sections and of the headers. */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "mutation.h"
#include "symbol/symbolize.h"

enum { ASKED_MOST = 300 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t capacity, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t capacity);

static size_t length;            /* of what was answered, so that every byte of it is looked at */

static void text_look(const char *text) { length += text ? strlen(text) : 0; }

static void line_look(const char *line)
{
    text_look(line);
    if (line && strchr(line, '\n') && !strstr(line, "/proc/self/fd")) {
        fprintf(stderr, "not one line: %s\n", line);
        abort();
    }
}

static void address_ask(struct symbolizer *s, uint64_t address)
{
    struct symbol_frame frame[SYMBOL_FRAMES_MAX];
    struct symbol_function function;
    size_t count = symbolizer_lookup(s, address, frame, SYMBOL_FRAMES_MAX);
    for (size_t i = 0; i < count; i++) {
        text_look(frame[i].function);
        text_look(frame[i].linkage_name);
        text_look(frame[i].file);
        text_look(frame[i].function_file);
    }
    if (symbolizer_function(s, address, &function))
        text_look(function.name);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int file = -1;
    static char path[64];
    char error[4600] = "";
    struct image *image;
    struct image_symbol symbol;
    struct symbol_function function;
    if (file < 0) {
        file = memfd_create("image", MFD_CLOEXEC);
        snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    }
    if (ftruncate(file, 0) || pwrite(file, data, size, 0) != (ssize_t)size)
        abort();
    if (image_open(path, NULL, 0, &image, error, sizeof error) != IMAGE_OK) {
        line_look(error);
        return 0;
    }
    line_look(image_debug_missing(image));
    struct symbolizer *s = symbolizer_open(image);
    for (size_t i = 0; i < ASKED_MOST && image_symbol_at(image, i, &symbol); i++) {
        address_ask(s, symbol.address);
        address_ask(s, symbol.address + symbol.size / 2);
        address_ask(s, symbol.address + symbol.size);
    }
    for (size_t i = 0; i < ASKED_MOST && symbolizer_function_at(s, i, &function); i++) {
        text_look(function.name);
        text_look(function.symbol);
        text_look(function.file);
        address_ask(s, function.high - 1);
    }
    line_look(symbolizer_complaint(s));
    symbolizer_close(s);
    image_close(image);
    return 0;
}

/* A section of the image with content, or the whole file. */
static void section_choose(const uint8_t *data, size_t size, uint64_t *random, size_t *at, size_t *bytes)
{
    Elf64_Ehdr head;
    Elf64_Shdr section;
    *at = 0;
    *bytes = size;
    if (size < sizeof head)
        return;
    memcpy(&head, data, sizeof head);
    for (int tries = 0; tries < 8; tries++) {
        uint64_t where = head.e_shoff + random_below(random, head.e_shnum) * sizeof section;
        if (where > size || size - where < sizeof section)
            return;
        memcpy(&section, data + where, sizeof section);
        /* debug information is not loaded: it has no address */
        if (section.sh_type == SHT_NOBITS || section.sh_addr || section.sh_offset >= size || section.sh_size > size - section.sh_offset || !section.sh_size)
            continue;
        *at = section.sh_offset;
        *bytes = section.sh_size;
        return;
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t capacity, unsigned seed)
{
    static const uint8_t odd[] = { 0, 1, 2, 0x7f, 0x80, 0xff, 0xfe, 8, 0x10 };
    uint64_t random = random_start(seed);
    size_t at, bytes, width, from;
    for (int i = 0; i < 3; i++)
        random_below(&random, 1);
    if (!size || random_below(&random, 8) == 0)
        return LLVMFuzzerMutate(data, size, capacity);
    section_choose(data, size, &random, &at, &bytes);
    for (uint64_t left = 1 + random_below(&random, 5); left; left--) {
        size_t where = at + random_below(&random, bytes);
        switch (random_below(&random, 6)) {
        case 0: data[where] = odd[random_below(&random, sizeof odd)]; break;
        case 1: data[where] ^= (uint8_t)(1u << random_below(&random, 8)); break;
        case 2: data[where] = (uint8_t)random_below(&random, 256); break;
        case 3:                  /* bytes of the same section: forms, offsets, indexes that are right elsewhere */
            width = 1 + random_below(&random, 8);
            from = at + random_below(&random, bytes);
            if (where + width <= at + bytes && from + width <= at + bytes)
                memmove(data + where, data + from, width);
            break;
        case 4:
            width = random_below(&random, 2) ? 4 : 8;
            if (where + width <= at + bytes)
                memset(data + where, random_below(&random, 2) ? 0xff : 0, width);
            break;
        default:
            if (size > 64)
                data[random_below(&random, 64)] ^= (uint8_t)(1u << random_below(&random, 8));
            break;
        }
    }
    return random_below(&random, 64) ? size : random_below(&random, size);
}
