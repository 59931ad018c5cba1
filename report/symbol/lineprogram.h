/* SPDX-License-Identifier: MIT */
/* lineprogram.h: the line program of one unit, DWARF 2 to 5: which row an address has. Must not know libdwarf, nor the
 * units of a file.
 *
 * The rows of a large program would fill the memory. So the program is run once, and a bookmark is kept for every 64
 * rows. To find a row, it is run again from the bookmark before. */
#ifndef PROFPLUG_LINEPROGRAM_H
#define PROFPLUG_LINEPROGRAM_H

#include "symbol/linetable.h"
#include "symbol/debugsection.h"

struct line_mark { /* a row, and where the program goes on after it */
    uint64_t address;
    uint32_t at, line, file;
    uint16_t column;
    uint16_t operation; /* of an instruction of several, as on IA-64 */
};

/* Rows with rising addresses, and the address after the last one's code. */
struct line_sequence {
    uint64_t low, high;
    uint32_t first, count, end; /* its marks; where the program is after it */
};

struct line_head {
    uint16_t version;
    uint8_t offset_size, minimum, operations, range, opcode_base;
    int8_t base;
    uint8_t operands[256];      /* of standard opcodes */
    uint32_t tables, start, end; /* from the beginning of the head: directories and files, opcodes, the end */
};

struct line_program {
    uint64_t offset; /* in .debug_line */
    struct line_head head;
    struct line_sequence *sequence; /* by address */
    struct line_mark *mark;
    size_t sequence_count, sequence_capacity, mark_count, mark_capacity;
    struct line_table rows; /* where sequences overlap or addresses fall: all rows */
    bool has_rows;
}; /* zeros are an empty program */

/* Gets each file by its number: its name, and its directory or NULL. Strings live during the call. */
typedef void (*line_file_taker)(void *closure, uint64_t number, const char *directory, const char *name);
/* Whether code is at this address. */
typedef bool (*line_code_asker)(void *closure, uint64_t address);

/* Reads the program at that offset. Sequences that begin where no code is are left out, as of functions that the linker
 * removed. Returns what is wrong, or NULL; what was read before that counts. */
const char *line_program_read(struct line_program *program, struct sections *sections, uint64_t offset,
                              line_file_taker take, line_code_asker is_code, void *closure);
/* The row whose code holds the address. Of several at one address, the last one counts. */
bool line_program_find(const struct line_program *program, struct sections *sections, struct section_window *window,
                       uint64_t address, struct line_row *row);
void line_program_close(struct line_program *program);

#endif
