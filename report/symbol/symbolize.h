/* SPDX-License-Identifier: MIT */
/* symbolize.h: from an address in an ELF file to function, file, line, and the chain of inlined functions. Must not
 * know: processes, the data file, the model. The only user of libdwarf is dwarf.c.
 *
 * All strings belong to the symbolizer and live until symbolizer_close. Equal file names are equal pointers. Addresses
 * are those in the file: the address in the process minus the module's bias. A symbolizer is used by one thread at a
 * time. */
#ifndef PROFPLUG_SYMBOLIZE_H
#define PROFPLUG_SYMBOLIZE_H

#include "symbol/image.h"

struct symbolizer;

/* One frame. Unknown is NULL for a string and 0 for a number. */
struct symbol_frame {
    const char *function; /* the name in the source; in C++ with its scope, "space::type::name", without parameters */
    const char *linkage_name; /* the assembler's name if DWARF has one, otherwise the same as function */
    const char *file;         /* absolute, by the compilation directory; otherwise not simplified */
    uint32_t line;            /* in frame 0 that of the address, in others that of the inlined call */
    uint32_t column;
    uint32_t function_line; /* where the function is declared */
    uint32_t lambda_column; /* of a lambda whose line another one shares; else 0 */
    const char *function_file;
    uint64_t function_id; /* equal for all copies of one source function in this file, inlined or not; 0 unknown */
    bool is_inlined;      /* the frame's function was inlined into that of the next frame */
    bool is_from_symbols; /* no DWARF for the address: the name is an ELF symbol */
    bool is_implicit;     /* a member that nobody wrote, such as the copy constructor of a structure */
};

/* A function that has code of its own. A partition (.cold) is part of it, not another one. */
struct symbol_function {
    const char *name, *linkage_name, *file;
    const char *symbol; /* the ELF symbol at low, clone suffix included; NULL when stripped */
    uint32_t line;      /* of its declaration; 0 without DWARF */
    uint64_t low, high; /* low: its entry; high: the end of the range that contains the entry */
    uint64_t function_id;
    bool is_from_symbols;
};

/* Works without DWARF, too: then names come from symbols, and lines are unknown. The image must outlive the symbolizer.
 * NULL only if memory is short. */
struct symbolizer *symbolizer_open(struct image *image);
void symbolizer_close(struct symbolizer *symbolizer); /* NULL is allowed */

/* True if the file has DWARF with line tables. */
bool symbolizer_has_lines(const struct symbolizer *symbolizer);
/* The first error in the debug information (one line: file, what), or NULL. Units that could not be read are left out,
 * and the rest is used. Ask after the lookups, because units are read when they are needed. */
const char *symbolizer_complaint(const struct symbolizer *symbolizer);

/* The frames of an address, innermost first. Returns how many there are (at most `capacity` are written), 0 if nothing
 * is known. For a return address, ask for the byte before it. The last frame is the function that has code of its
 * own. */
size_t symbolizer_lookup(struct symbolizer *symbolizer, uint64_t address, struct symbol_frame *frames, size_t capacity);
#define SYMBOL_FRAMES_MAX 64 /* deeper chains are cut, the outermost kept */

/* A call that has nothing after it may become a jump, so that it leaves no trace on the stack. For a return address
 * into the function that called first: addresses in the jumps that lead from there into the profiler's wrappers or, if
 * these are not in this image or `anywhere` is set, to other images; innermost first, to be looked up. The last jump
 * alone, where several ways lead to it. 0 if it was no jump, or if it is not known. `*unsure` is then the function that
 * jumped, where several ways lead out of it; else NULL. */
#define SYMBOL_JUMPS_MAX 8
size_t symbolizer_jumps(struct symbolizer *symbolizer, uint64_t return_address, bool anywhere,
                        uint64_t jump[SYMBOL_JUMPS_MAX], const char **unsure);

/* The same between two calls that are on the stack: the inner one is of a function that the outer one, of which this is
 * the return address, does not call. The jumps that lead there from what it calls, innermost first. */
size_t symbolizer_between(struct symbolizer *symbolizer, uint64_t return_address, uint64_t inner,
                          uint64_t jump[SYMBOL_JUMPS_MAX]);
/* Whether the address is in the profiler's runtime. */
bool symbolizer_is_runtime(struct symbolizer *symbolizer, uint64_t address);

/* The function that a call leads to, by its return address, as DWARF says; NULL: it does not, as of a pointer. */
const char *symbolizer_called(struct symbolizer *symbolizer, uint64_t return_address);
/* The source's name of a function that is declared where the address is; NULL: there is none of this linkage name. */
const char *symbolizer_declared(struct symbolizer *symbolizer, uint64_t address, const char *linkage_name);

/* Names of functions of the source that the compiler merged with the one at this address, because their code is the
 * same. Returns how many are written. */
size_t symbolizer_merged(struct symbolizer *symbolizer, uint64_t address, const char **name, size_t capacity);

/* The function with code of its own that covers the address. */
bool symbolizer_function(struct symbolizer *symbolizer, uint64_t address, struct symbol_function *function);
/* All such functions by `low`; false after the last one. The first call reads the whole debug information. */
bool symbolizer_function_at(struct symbolizer *symbolizer, size_t index, struct symbol_function *function);

#endif
