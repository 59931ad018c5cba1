/* SPDX-License-Identifier: MIT */
/* programs.c: lineprogram.h against a table of all rows. Rows are drawn by chance, written as line programs of DWARF 2 to 5 with every opcode, and
 * asked for at every address. Then bytes of the program are changed: it must be read without a fault. */
#include "symbol/codes.h"
#include "symbol/lineprogram.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define CHECK(what) do { if (!(what)) { fprintf(stderr, "%s:%d: not so: %s (round %d)\n", __FILE__, __LINE__, #what, round_number); exit(1); } } while (0)

enum { LAST = 4000, OPCODE_BASE = 14, RANGE = 14, BASE = -5 };

static int round_number;
static uint64_t state = 88172645463325252u;
static uint8_t out[1 << 17];
static size_t used;

static uint32_t chance(uint32_t below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 32) % below;
}

static void put(uint64_t value, unsigned size)
{
    memcpy(out + used, &value, size);
    used += size;
}

static void put_leb(uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        put((value & 0x7f) | 0x80, 1);
    put(value, 1);
}

static void put_signed_leb(int64_t value)
{
    for (; value < -64 || value > 63; value >>= 7)
        put(((uint64_t)value & 0x7f) | 0x80, 1);
    put((uint64_t)value & 0x7f, 1);
}

static void put_text(const char *text) { memcpy(out + used, text, strlen(text) + 1); used += strlen(text) + 1; }

struct registers { uint64_t address; uint32_t file, line; uint16_t column; };

/* What no row depends on. */
static void noise(void)
{
    switch (chance(12)) {
    case 0: put(LNS_NEGATE_STMT, 1); break;
    case 1: put(LNS_BASIC_BLOCK, 1); break;
    case 2: put(LNS_PROLOGUE_END, 1); break;
    case 3: put(0, 1); put_leb(3); put(0x80, 1); put(0x1234, 2); break;       /* an extended opcode of somebody's own */
    case 4: put(13, 1); put_leb(300); put_leb(7); break;                      /* a standard one that is newer, of two operands */
    case 5: put(0, 1); put_leb(2); put(4, 1); put_leb(5); break;              /* a discriminator */
    default: break;
    }
}

/* The opcodes from one row to the next. */
static void row_put(struct registers *r, const struct registers *to)
{
    int64_t by = (int64_t)to->line - r->line;
    uint64_t on = to->address - r->address;
    if (to->file != r->file) { put(LNS_SET_FILE, 1); put_leb(to->file); }
    if (to->column != r->column) { put(LNS_SET_COLUMN, 1); put_leb(to->column); }
    noise();
    if (to->address < r->address) {
        put(0, 1); put_leb(9); put(LNE_SET_ADDRESS, 1); put(to->address, 8);
        on = 0;
    }
    if (by < BASE || by >= BASE + RANGE || chance(8) == 0) { put(LNS_ADVANCE_LINE, 1); put_signed_leb(by); by = 0; }
    if (on >= (255 - OPCODE_BASE) / RANGE && on < 2 * ((255 - OPCODE_BASE) / RANGE) && chance(2)) { put(LNS_CONST_ADD_PC, 1); on -= (255 - OPCODE_BASE) / RANGE; }
    if (on > 10 && chance(2)) { put(LNS_FIXED_ADVANCE_PC, 1); put(on, 2); on = 0; }
    if (on > 10 || chance(8) == 0) { put(LNS_ADVANCE_PC, 1); put_leb(on); on = 0; }
    if (by || on || chance(2))
        put((uint64_t)(by - BASE + RANGE * (int64_t)on + OPCODE_BASE), 1);
    else
        put(LNS_COPY, 1);
    *r = *to;
}

static void head_put(unsigned version, bool wide, size_t *length, size_t *rest)
{
    static const uint8_t operands[OPCODE_BASE] = { 0, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1, 2 };
    unsigned offset = wide ? 8 : 4;
    used = 0;
    if (wide)
        put(0xffffffff, 4);
    *length = used;
    put(0, offset);
    put(version, 2);
    if (version == 5) { put(8, 1); put(0, 1); }
    *rest = used;
    put(0, offset);
    put(1, 1);
    if (version >= 4)
        put(1, 1);
    put(1, 1); put((uint8_t)BASE, 1); put(RANGE, 1); put(OPCODE_BASE, 1);
    memcpy(out + used, operands + 1, OPCODE_BASE - 1);
    used += OPCODE_BASE - 1;
    if (version == 5) {
        put(1, 1); put_leb(LNCT_PATH); put_leb(FORM_STRING); put_leb(2); put_text("/top"); put_text("sub");
        put(3, 1); put_leb(LNCT_PATH); put_leb(FORM_STRING); put_leb(LNCT_DIRECTORY); put_leb(FORM_UDATA); put_leb(5); put_leb(FORM_DATA16);
        put_leb(4);
        for (int i = 0; i < 4; i++) { put_text(i ? "b.h" : "a.c"); put_leb(i == 2); put(0, 8); put(0, 8); }
    } else {
        put_text("sub"); put(0, 1);
        for (int i = 1; i < 4; i++) { put_text(i > 1 ? "b.h" : "a.c"); put_leb(i == 2); put_leb(0); put_leb(0); }
        put(0, 1);
    }
    uint64_t size = used - *rest - offset;
    memcpy(out + *rest, &size, offset);
}

static const char *path_write(void)
{
    static int file = -1;
    static char path[64];
    static const char names[] = "\0.debug_line\0.shstrtab";
    Elf64_Ehdr head = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT }, .e_type = ET_DYN, .e_machine = EM_X86_64, .e_version = EV_CURRENT,
                        .e_ehsize = sizeof head, .e_shentsize = sizeof(Elf64_Shdr), .e_shnum = 3, .e_shstrndx = 2 };
    Elf64_Shdr section[3] = { { 0 }, { .sh_name = 1, .sh_type = SHT_PROGBITS, .sh_offset = sizeof head, .sh_size = used }, { .sh_name = 13, .sh_type = SHT_STRTAB, .sh_offset = sizeof head + used, .sh_size = sizeof names } };
    head.e_shoff = (sizeof head + used + sizeof names + 7) & ~7u;
    if (file < 0) {
        file = memfd_create("lines", MFD_CLOEXEC);
        snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    }
    CHECK(ftruncate(file, 0) == 0 && pwrite(file, &head, sizeof head, 0) == sizeof head && pwrite(file, out, used, sizeof head) == (ssize_t)used);
    CHECK(pwrite(file, names, sizeof names, (off_t)(sizeof head + used)) == sizeof names && pwrite(file, section, sizeof section, (off_t)head.e_shoff) == sizeof section);
    return path;
}

struct seen { unsigned files, wrong; unsigned version; };

static void file_see(void *closure, uint64_t number, const char *directory, const char *name)
{
    struct seen *seen = closure;
    unsigned first = seen->version == 5 ? 0 : 1;
    const char *in = number == 2 ? "sub" : seen->version == 5 ? "/top" : NULL;
    seen->wrong += number != seen->files + first || !name || strcmp(name, number > first ? "b.h" : "a.c") || (in ? !directory || strcmp(in, directory) : directory != NULL);
    seen->files++;
}
static void file_ignore(void *closure, uint64_t number, const char *directory, const char *name)
{
    *(size_t *)closure += number + (directory ? strlen(directory) : 0) + (name ? strlen(name) : 0);
}
static bool code_from_100(void *closure, uint64_t address) { return (void)closure, address >= 100; }

/* Draws sequences; of a kind: in order, overlapping, or with addresses that fall. */
static void sequences_draw(struct line_table *table, unsigned kind)
{
    uint64_t from = chance(2) ? 100 : 0;
    for (unsigned left = 1 + chance(6); left; left--) {
        struct registers now = { 0, 1, 1, 0 }, next = { kind == 1 ? chance(LAST / 2) : from, 1, 1 + chance(1000), 0 };
        uint64_t first = next.address;
        put(0, 1); put_leb(9); put(LNE_SET_ADDRESS, 1); put(next.address, 8);
        now.address = next.address;
        for (unsigned rows = chance(300); rows; rows--) {
            next.line = chance(4) ? next.line + chance(9) : 1 + chance(100000);
            next.file = chance(5) ? next.file : 1 + chance(3);
            next.column = (uint16_t)chance(200);
            row_put(&now, &next);
            line_table_add(table, &(struct line_row){ .address = next.address, .file = next.file, .line = next.line, .column = next.column });
            next.address += chance(4) ? chance(9) : 0;
            if (kind == 2 && chance(50) == 0)
                next.address -= chance(20);
        }
        put(LNS_ADVANCE_PC, 1); put_leb(next.address - now.address);
        if (next.address < now.address) { used -= 11; put(0, 1); put_leb(9); put(LNE_SET_ADDRESS, 1); put(next.address, 8); }
        put(0, 1); put_leb(1); put(LNE_END_SEQUENCE, 1);
        line_table_add(table, &(struct line_row){ .address = next.address, .ends = true });
        line_table_end(table, table->count > table->sequence + 1 && code_from_100(NULL, first));      /* of no length: holds nothing */
        from = next.address + chance(30);
    }
    line_table_sort(table);
}

static void check_program(unsigned kind)
{
    struct line_table table = { 0 };
    struct line_program program;
    struct section_window window = { 0 };
    struct seen seen = { .version = 2 + chance(4) };
    size_t length, rest, known = 0;
    bool wide = chance(2);
    char error[256] = "";
    head_put(seen.version, wide, &length, &rest);
    sequences_draw(&table, kind);
    uint64_t size = used - length - (wide ? 8 : 4);
    memcpy(out + length, &size, wide ? 8 : 4);
    struct sections *sections = sections_open(path_write(), error, sizeof error);
    CHECK(sections && !*error);
    CHECK(!line_program_read(&program, sections, 0, file_see, code_from_100, &seen));
    CHECK(seen.files == (seen.version == 5 ? 4u : 3u) && !seen.wrong);
    for (uint64_t address = 0; address < LAST; address++) {
        const struct line_row *expected = line_table_find(&table, address);
        struct line_row row = { 0 };
        bool found = line_program_find(&program, sections, &window, address, &row);
        CHECK(found == (expected != NULL));
        CHECK(!found || (row.line == expected->line && row.file == expected->file && row.column == expected->column && row.address == expected->address));
        known += found;
    }
    CHECK(!program.has_rows || kind);
    static size_t all, rows;
    all += known;
    rows += program.has_rows;
    if (round_number == 299)
        CHECK(all > 10000 && rows > 20);         /* otherwise it has looked at nothing */
    line_program_close(&program);
    sections_close(sections);
    line_table_close(&table);
    for (int times = 0; times < 10; times++) {
        size_t sum = 0;
        for (unsigned bytes = 1 + chance(3); bytes; bytes--)
            out[chance(2) ? chance((uint32_t)used) : chance(60)] = chance(2) ? (uint8_t)chance(256) : 0xff;
        sections = sections_open(path_write(), error, sizeof error);
        line_program_read(&program, sections, 0, file_ignore, code_from_100, &sum);
        for (uint64_t address = 0; address < LAST; address += 7) {
            struct line_row row = { 0 };
            line_program_find(&program, sections, &window, address, &row);
        }
        line_program_close(&program);
        sections_close(sections);
    }
    section_window_close(&window);
}

int main(void)
{
    for (round_number = 0; round_number < 300; round_number++)
        check_program((unsigned)round_number % 3);
    puts("300 programs, and 3,000 that are damaged");
    return 0;
}
