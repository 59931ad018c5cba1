/* SPDX-License-Identifier: MIT */
/* image.h: one ELF file of a profiled program: whether it is the one that ran, its symbols, and where its debug
 * information is. Must not know: DWARF, the data file, the model. Of this room, image.c and debugsection.c
 * alone use libelf. */
#ifndef PROFPLUG_IMAGE_H
#define PROFPLUG_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum image_result {
    IMAGE_OK,
    IMAGE_MISSING,    /* no such file, and no file of that build-id in the debug folders */
    IMAGE_UNREADABLE, /* it exists but cannot be opened, or is not a regular file */
    IMAGE_REBUILT,    /* its build-id differs: the program was rebuilt after the run */
    IMAGE_NOT_ELF,
    IMAGE_CORRUPT /* begins as ELF, but is truncated or inconsistent */
};

struct image;

struct image_symbol {
    const char *name; /* the assembler's name; owned by the image */
    uint64_t address; /* in the file, not in the process */
    uint64_t size;    /* an assembly symbol without a size extends to the next symbol or the end of the section */
    bool is_local;    /* known in one object only */
};

/* Opens `path`. With build_id_size > 0 the file must have that build-id. If it does not, or is missing, the file of
 * that build-id in the debug folders is taken (DIR/.build-id/xx/rest.debug), if there is one. On IMAGE_OK close *image
 * with image_close. Otherwise *image is NULL, and `error` (may be NULL) gets one line without a newline: the path, what
 * is wrong, what was expected. */
enum image_result image_open(const char *path, const uint8_t *build_id, size_t build_id_size, struct image **image,
                             char *error, size_t error_size);
void image_close(struct image *image); /* NULL is allowed */

const char *image_path(const struct image *image);                       /* of the file that was opened */
size_t image_build_id(const struct image *image, const uint8_t **bytes); /* its size, 0 for none */

/* The file with the DWARF: the image itself, or the file that its build-id or .gnu_debuglink leads to. The checksum of
 * the latter must be right. NULL if there is none; then image_debug_missing says why, in one line. */
const char *image_debug_path(const struct image *image);
const char *image_debug_missing(const struct image *image);
/* The supplementary file that dwz made (.gnu_debugaltlink), or NULL. */
const char *image_debug_alt_path(const struct image *image);

/* The bytes of a section that is not compressed, of the image or else of its debug file; owned by the image. NULL if
 * there is none. */
const uint8_t *image_section(const struct image *image, const char *name, size_t *size);

/* Where a section of the image itself lies when it runs; false if it has none of that name. */
bool image_section_place(const struct image *image, const char *name, uint64_t *address, uint64_t *size);

/* Adds a folder to look for debug files in, before /usr/lib/debug. It applies to images that are opened afterwards. */
void image_debug_directory(const char *path);

/* The function symbol that covers the address, from .symtab (of the image, else of its debug file), else .dynsym. */
bool image_symbol(struct image *image, uint64_t address, struct image_symbol *symbol);
/* Function symbols by address; false after the last one. */
bool image_symbol_at(struct image *image, size_t index, struct image_symbol *symbol);
/* Other names of their addresses, in the same way. */
bool image_alias_at(struct image *image, size_t index, struct image_symbol *symbol);

/* True if the address lies in executable bytes of the file. */
bool image_is_code(const struct image *image, uint64_t address);
/* True if it lies in the procedure linkage table: the linker's code, by which calls leave the image. */
bool image_is_stub(const struct image *image, uint64_t address);

/* Code and data as the file has them. False where it has none, as a file of debug information alone. */
bool image_bytes(const struct image *image, uint64_t address, void *to, size_t size);
/* The tables of relocations that are applied when the program starts. False after the last one. */
struct image_relocations {
    uint64_t address, size, entry_size;
    uint64_t symbols, names; /* addresses of the tables that they refer to; 0: none */
};
bool image_relocations_at(const struct image *image, size_t index, struct image_relocations *table);
bool image_is_x86_64(const struct image *image);

#endif
