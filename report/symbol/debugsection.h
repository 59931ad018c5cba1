/* SPDX-License-Identifier: MIT */
/* debugsection.h: the bytes of the debug sections of one ELF file, a piece at a time. Must not know what they mean. */
#ifndef PROFPLUG_DEBUGSECTION_H
#define PROFPLUG_DEBUGSECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum section_id {
    SECTION_INFO,
    SECTION_ABBREV,
    SECTION_LINE,
    SECTION_STR,
    SECTION_LINE_STR,
    SECTION_RANGES,
    SECTION_RNGLISTS,
    SECTION_COUNT
};

struct sections;

/* Sections that are compressed are unpacked when they are first read. NULL if the file cannot be opened; then, and for
 * a section that cannot be unpacked, `error` gets one line. It must live as long as the sections. */
struct sections *sections_open(const char *path, char *error, size_t error_size);
void sections_close(struct sections *sections); /* NULL is allowed */

uint64_t section_size(struct sections *sections, enum section_id id); /* 0: there is none */

/* A piece of a section. The bytes live until the window is used again. */
struct section_window {
    uint8_t *buffer;
    size_t capacity;
}; /* zeros are an empty window */

/* NULL if the piece does not lie in the section, or if the file is shorter by now. */
const uint8_t *section_piece(struct sections *sections, enum section_id id, uint64_t at, size_t size,
                             struct section_window *window);
/* All of it, read once and kept. NULL: there is none. */
const uint8_t *section_whole(struct sections *sections, enum section_id id, size_t *size);
void section_window_close(struct section_window *window);

/* Checks the heads of a file's range and location lists (DWARF 5), because libdwarf 20210528 crashes on corrupt ones.
 * If it returns false, `error` has one line. */
bool section_lists_sound(const char *path, char *error, size_t error_size);

#endif
