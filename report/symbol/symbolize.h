/* SPDX-License-Identifier: MIT */
/* symbolize.h: address in an ELF file -> function, file, line, and the chain of inlined functions.
 * Must not know: processes, the data file, the model. The only user of libdwarf is dwarf.c.
 *
 * All strings belong to the symbolizer and live until symbolizer_close; equal file names are equal pointers. Addresses
 * are the file's own (address in the process less the module's bias). A symbolizer is used by one thread at a time. */
#ifndef PROFPLUG_SYMBOLIZE_H
#define PROFPLUG_SYMBOLIZE_H

#include "symbol/image.h"

struct symbolizer;

/* One frame. Unknown is NULL for a string and 0 for a number. */
struct symbol_frame {
    const char *function;     /* as the source names it; C++: with its scope, "space::type::name", without parameters */
    const char *linkage_name; /* the assembler's name, where DWARF gives one; else the same as function */
    const char *file;         /* absolute by the compilation directory, not otherwise simplified */
    uint32_t line;            /* frame 0: of the address; others: of the call that was inlined */
    uint32_t column;
    uint32_t function_line; /* where the function is declared */
    const char *function_file;
    uint64_t function_id; /* equal for all copies of one source function in this file, inlined or not; 0 unknown */
    bool is_inlined;      /* the frame's function was inlined into that of the next frame */
    bool is_from_symbols; /* no DWARF for the address: the name is an ELF symbol */
};

/* A function that has code of its own. A partition (.cold) is part of it, not another one. */
struct symbol_function {
    const char *name, *linkage_name, *file;
    const char *symbol; /* the ELF symbol at low, clone suffix included; NULL when stripped */
    uint32_t line;      /* of its declaration; 0 without DWARF */
    uint64_t low, high; /* low: its entry; high: past the last byte of the range that holds the entry */
    uint64_t function_id;
    bool is_from_symbols;
};

/* Never fails for want of DWARF: without it names come from symbols and lines are unknown. The image must outlive the
 * symbolizer. NULL only when memory is short. */
struct symbolizer *symbolizer_open(struct image *image);
void symbolizer_close(struct symbolizer *symbolizer); /* NULL is allowed */

/* True if the file has DWARF with line tables. */
bool symbolizer_has_lines(const struct symbolizer *symbolizer);
/* The first thing that was wrong with the debug information (one line: file, what), or NULL. Units that could not be
 * read are left out and the rest is used; asked for after the lookups, since units are read when they are needed. */
const char *symbolizer_complaint(const struct symbolizer *symbolizer);

/* Frames of an address, innermost first; returns how many there are (at most capacity are written), 0 if nothing is
 * known. For an address that is a return address, ask for the byte before it. The last frame is the function that has
 * code of its own. */
size_t symbolizer_lookup(struct symbolizer *symbolizer, uint64_t address, struct symbol_frame *frames, size_t capacity);
#define SYMBOL_FRAMES_MAX 64 /* deeper chains are cut, the outermost kept */

/* The function with code of its own that covers the address. */
bool symbolizer_function(struct symbolizer *symbolizer, uint64_t address, struct symbol_function *function);
/* All of them, in order of low; false past the last one. Reads the whole debug information at the first call. */
bool symbolizer_function_at(struct symbolizer *symbolizer, size_t index, struct symbol_function *function);

#endif
