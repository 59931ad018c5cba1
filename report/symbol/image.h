/* SPDX-License-Identifier: MIT */
/* image.h: one ELF file of a profiled program: is it the one that ran, what symbols has it, where is its debug
 * information. Must not know: DWARF, the data file, the model. The only user of libelf is image.c. */
#ifndef PROFPLUG_IMAGE_H
#define PROFPLUG_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum image_result {
    IMAGE_OK,
    IMAGE_MISSING,    /* no such file, and no file of that build-id in the debug folders */
    IMAGE_UNREADABLE, /* it exists but cannot be opened, or is not a regular file */
    IMAGE_REBUILT,    /* its build-id is another one: the program was rebuilt after the run */
    IMAGE_NOT_ELF,
    IMAGE_CORRUPT /* begins as ELF, but is truncated or inconsistent */
};

struct image;

struct image_symbol {
    const char *name; /* as the assembler saw it; owned by the image */
    uint64_t address; /* in the file, not in the process */
    uint64_t size;    /* from assembly, without a size: to the next symbol or the end of the section */
};

/* Opens `path`. With build_id_size > 0 the file must carry that build-id; if it does not, or is missing, a file of that
 * build-id is taken from the debug folders instead (DIR/.build-id/xx/rest.debug) when there is one. On IMAGE_OK *image
 * is to be closed by image_close; else *image is NULL and `error` (may be NULL) holds one line without a newline: the
 * path, what is wrong, what was expected. */
enum image_result image_open(const char *path, const uint8_t *build_id, size_t build_id_size, struct image **image,
                             char *error, size_t error_size);
void image_close(struct image *image); /* NULL is allowed */

const char *image_path(const struct image *image);                       /* of the file that was opened */
size_t image_build_id(const struct image *image, const uint8_t **bytes); /* its size, 0 for none */

/* The file that holds the DWARF: the image itself, the file its build-id or .gnu_debuglink leads to (the latter only
 * with the right checksum), or NULL when there is none; then image_debug_missing says why, as one line. */
const char *image_debug_path(const struct image *image);
const char *image_debug_missing(const struct image *image);
/* The supplementary file that dwz made (.gnu_debugaltlink), or NULL. */
const char *image_debug_alt_path(const struct image *image);

/* Looks over the heads of a file's range and location lists (DWARF 5), which libdwarf 20210528 does not survive when
 * they are corrupt. False after one line in `error`. */
bool image_lists_sound(const char *path, char *error, size_t error_size);

/* A further folder to look for debug files in, before /usr/lib/debug; holds for images opened afterwards. */
void image_debug_directory(const char *path);

/* The function symbol that covers the address, from .symtab (of the image, else of its debug file), else .dynsym. */
bool image_symbol(struct image *image, uint64_t address, struct image_symbol *symbol);
/* Function symbols in order of address; false past the last one. */
bool image_symbol_at(struct image *image, size_t index, struct image_symbol *symbol);

/* True if the address lies in executable bytes of the file. */
bool image_is_code(const struct image *image, uint64_t address);

#endif
