/* SPDX-License-Identifier: MIT */
/* lineprogram.c: see lineprogram.h. Every read is bounded by the program's bytes, because files may be corrupt. */
#include "symbol/lineprogram.h"
#include "store/arena.h"
#include "symbol/bytes.h"
#include "symbol/codes.h"

#include <stdlib.h>
#include <string.h>

enum { ROWS_PER_MARK = 64 };

/* ---- the head ---- */

/* The length of a unit in any section: how many bytes follow it, and how wide offsets are in it. */
static uint64_t length_read(struct bytes *c, uint8_t *offset_size)
{
    uint64_t length = bytes_fixed(c, 4);
    *offset_size = length == 0xffffffff ? 8 : 4;
    return *offset_size == 8 ? bytes_fixed(c, 8) : length;
}

/* `size`: of the program, its length included. False if it cannot be read. */
static bool head_read(struct line_head *head, const uint8_t *bytes, uint32_t size)
{
    struct bytes c = { bytes, bytes + size, false };
    uint8_t offset_size;
    length_read(&c, &offset_size);
    *head = (struct line_head){ .offset_size = offset_size, .end = size, .operations = 1 };
    head->version = (uint16_t)bytes_fixed(&c, 2);
    if (head->version < 2 || head->version > 5)
        return false;
    if (head->version == 5) {
        bytes_fixed(&c, 1); /* width of addresses, which each of them tells, too */
        bytes_fixed(&c, 1); /* of segment selectors, which no one has */
    }
    uint64_t rest = bytes_fixed(&c, offset_size);
    if (rest > bytes_left(&c))
        return false;
    head->start = (uint32_t)(c.at - bytes) + (uint32_t)rest;
    head->minimum = (uint8_t)bytes_fixed(&c, 1);
    if (head->version >= 4)
        head->operations = (uint8_t)bytes_fixed(&c, 1);
    bytes_fixed(&c, 1); /* whether rows are statements at first */
    head->base = (int8_t)bytes_fixed(&c, 1);
    head->range = (uint8_t)bytes_fixed(&c, 1);
    head->opcode_base = (uint8_t)bytes_fixed(&c, 1);
    for (unsigned i = 1; i < head->opcode_base; i++)
        head->operands[i] = (uint8_t)bytes_fixed(&c, 1);
    head->tables = (uint32_t)(c.at - bytes);
    return !c.bad && head->range && head->operations && head->opcode_base && head->tables <= head->start;
}

/* ---- directories and files ---- */

struct tables {
    struct sections *sections;
    const struct line_head *head;
    struct bytes c;
    const char **directory;
    size_t directory_count, directory_capacity;
    uint64_t file_count;
    line_file_taker take;
    void *closure;
};

static void file_give(struct tables *t, uint64_t number, uint64_t directory, const char *name)
{
    const char *in = directory < t->directory_count ? t->directory[directory] : NULL;
    t->take(t->closure, number, in, name);
}

static void file_old(struct tables *t, struct bytes *c, const char *name)
{
    uint64_t directory = bytes_leb(c);
    bytes_leb(c); /* time */
    bytes_leb(c); /* size */
    if (!c->bad)
        file_give(t, ++t->file_count, directory, name);
}

static void tables_old(struct tables *t)
{
    const char *name;
    *ARRAY_PUSH(t->directory, t->directory_count, t->directory_capacity) = NULL; /* 0: the unit's own */
    while (*(name = bytes_text(&t->c)))
        *ARRAY_PUSH(t->directory, t->directory_count, t->directory_capacity) = name;
    while (!t->c.bad && *(name = bytes_text(&t->c)))
        file_old(t, &t->c, name);
}

static const char *text_at(struct tables *t, enum section_id id, uint64_t offset)
{
    size_t size = 0;
    const uint8_t *bytes = section_whole(t->sections, id, &size);
    return offset < size && memchr(bytes + offset, 0, size - offset) ? (const char *)bytes + offset : NULL;
}

/* One field of an entry: a number or a text. False if its form is unknown. */
static bool field_read(struct tables *t, uint64_t form, uint64_t *number, const char **text)
{
    struct bytes *c = &t->c;
    *number = 0;
    *text = NULL;
    switch (form) {
    case FORM_STRING: *text = bytes_text(c); break;
    case FORM_LINE_STRP: *text = text_at(t, SECTION_LINE_STR, bytes_fixed(c, t->head->offset_size)); break;
    case FORM_STRP: *text = text_at(t, SECTION_STR, bytes_fixed(c, t->head->offset_size)); break;
    case FORM_DATA1: *number = bytes_fixed(c, 1); break;
    case FORM_DATA2: *number = bytes_fixed(c, 2); break;
    case FORM_DATA4: *number = bytes_fixed(c, 4); break;
    case FORM_DATA8: *number = bytes_fixed(c, 8); break;
    case FORM_UDATA: *number = bytes_leb(c); break;
    case FORM_DATA16: bytes_skip(c, 16); break;
    case FORM_BLOCK: bytes_skip(c, bytes_leb(c)); break;
    case FORM_BLOCK1: bytes_skip(c, bytes_fixed(c, 1)); break;
    case FORM_BLOCK2: bytes_skip(c, bytes_fixed(c, 2)); break;
    case FORM_BLOCK4: bytes_skip(c, bytes_fixed(c, 4)); break;
    default: return false;
    }
    return !c->bad;
}

/* Directories, then files: which fields an entry has, how many entries, the entries. */
static bool table_new(struct tables *t, bool files)
{
    uint64_t kind[16], form[16];
    uint8_t fields = (uint8_t)bytes_fixed(&t->c, 1);
    if (fields > 16)
        return false;
    for (unsigned i = 0; i < fields; i++) {
        kind[i] = bytes_leb(&t->c);
        form[i] = bytes_leb(&t->c);
    }
    uint64_t count = bytes_leb(&t->c);
    if (t->c.bad || count > bytes_left(&t->c)) /* an entry has a byte or more */
        return false;
    for (uint64_t at = 0; at < count; at++) {
        uint64_t directory = 0, number;
        const char *name = NULL, *text;
        for (unsigned i = 0; i < fields; i++) {
            if (!field_read(t, form[i], &number, &text))
                return false;
            if (kind[i] == LNCT_PATH)
                name = text;
            else if (kind[i] == LNCT_DIRECTORY)
                directory = number;
        }
        if (files)
            file_give(t, at, directory, name);
        else
            *ARRAY_PUSH(t->directory, t->directory_count, t->directory_capacity) = name;
    }
    return true;
}

static bool tables_read(struct tables *t)
{
    if (t->head->version == 5)
        return table_new(t, false) && table_new(t, true);
    tables_old(t);
    return !t->c.bad;
}

/* ---- rows ---- */

struct runner {
    const struct line_head *head;
    struct bytes c;
    uint64_t address;
    int64_t line;
    uint64_t file, column;
    uint32_t operation;
};

static void runner_reset(struct runner *r)
{
    r->address = 0;
    r->operation = 0;
    r->file = r->line = 1;
    r->column = 0;
}

static void advance(struct runner *r, uint64_t by)
{
    if (r->head->operations == 1) {
        r->address += r->head->minimum * by;
        return;
    }
    r->address += r->head->minimum * ((r->operation + by) / r->head->operations);
    r->operation = (uint32_t)((r->operation + by) % r->head->operations);
}

enum event { EVENT_ROW, EVENT_END, EVENT_FILE, EVENT_OVER, EVENT_BAD };

static enum event extended(struct runner *r, struct bytes *operand)
{
    uint64_t size = bytes_leb(&r->c);
    if (!size || size > bytes_left(&r->c))
        return EVENT_BAD;
    *operand = (struct bytes){ r->c.at, r->c.at + size, false };
    r->c.at += size;
    switch (bytes_fixed(operand, 1)) {
    case LNE_END_SEQUENCE: return EVENT_END;
    case LNE_SET_ADDRESS:
        if (size < 2 || size > 9)
            return EVENT_BAD;
        r->address = bytes_fixed(operand, (unsigned)size - 1);
        r->operation = 0;
        return EVENT_OVER;
    case LNE_DEFINE_FILE: return EVENT_FILE;
    default: return EVENT_OVER; /* of the compiler's own: goes on */
    }
}

/* Runs to the next row. `operand`: of EVENT_FILE. */
static enum event row_next(struct runner *r, struct bytes *operand)
{
    const struct line_head *head = r->head;
    while (r->c.at < r->c.end) {
        uint8_t opcode = *r->c.at++;
        if (opcode >= head->opcode_base) {
            uint8_t adjusted = (uint8_t)(opcode - head->opcode_base);
            advance(r, adjusted / head->range);
            r->line += head->base + adjusted % head->range;
            return r->line < 0 || r->line > UINT32_MAX ? EVENT_BAD : EVENT_ROW;
        }
        enum event event = EVENT_OVER;
        switch (opcode) {
        case LNS_EXTENDED: event = extended(r, operand); break;
        case LNS_COPY: event = r->line < 0 || r->line > UINT32_MAX ? EVENT_BAD : EVENT_ROW; break;
        case LNS_ADVANCE_PC: advance(r, bytes_leb(&r->c)); break;
        case LNS_ADVANCE_LINE: r->line = (int64_t)((uint64_t)r->line + (uint64_t)bytes_signed_leb(&r->c)); break;
        case LNS_SET_FILE: r->file = bytes_leb(&r->c); break;
        case LNS_SET_COLUMN: r->column = bytes_leb(&r->c); break;
        case LNS_NEGATE_STMT:
        case LNS_BASIC_BLOCK:
        case LNS_PROLOGUE_END:
        case LNS_EPILOGUE_BEGIN: break;
        case LNS_CONST_ADD_PC: advance(r, (uint8_t)(255 - head->opcode_base) / head->range); break;
        case LNS_FIXED_ADVANCE_PC:
            r->address += bytes_fixed(&r->c, 2);
            r->operation = 0;
            break;
        default:
            for (unsigned i = 0; i < head->operands[opcode]; i++)
                bytes_leb(&r->c);
        }
        if (r->c.bad)
            return EVENT_BAD;
        if (event != EVENT_OVER)
            return event;
    }
    return EVENT_OVER;
}

static struct line_row row_of(const struct runner *r, bool ends)
{
    return (struct line_row){ .address = r->address,
                              .file = r->file < UINT32_MAX ? (uint32_t)r->file : UINT32_MAX,
                              .line = (uint32_t)r->line,
                              .column = r->column < UINT16_MAX ? (uint16_t)r->column : UINT16_MAX,
                              .ends = ends };
}

static void mark_add(struct line_program *p, const struct runner *r, const uint8_t *bytes)
{
    struct line_row row = row_of(r, false);
    *ARRAY_PUSH(p->mark, p->mark_count, p->mark_capacity) =
        (struct line_mark){ row.address, (uint32_t)(r->c.at - bytes),   row.line, row.file,
                            row.column,  (uint16_t)(r->operation & 255) };
}

/* ---- the first run ---- */

static int sequence_order(const void *left, const void *right)
{
    const struct line_sequence *a = left, *b = right;
    return a->low < b->low ? -1 : a->low > b->low ? 1 : a->high < b->high ? -1 : a->high > b->high;
}

/* Every row, for line_table_find. */
static void rows_read(struct line_program *p, const uint8_t *bytes, line_code_asker is_code, void *closure)
{
    struct runner r = { .head = &p->head, .c = { bytes + p->head.start, bytes + p->head.end, false } };
    struct bytes operand;
    enum event event;
    bool begins = true;
    uint64_t first = 0;
    runner_reset(&r);
    while ((event = row_next(&r, &operand)) < EVENT_OVER) {
        if (event == EVENT_FILE)
            continue;
        struct line_row row = row_of(&r, event == EVENT_END);
        first = begins ? row.address : first;
        begins = row.ends;
        line_table_add(&p->rows, &row);
        if (!row.ends)
            continue;
        /* one of no length holds nothing */
        line_table_end(&p->rows, p->rows.count > p->rows.sequence + 1 && is_code(closure, first));
        runner_reset(&r);
    }
    line_table_end(&p->rows, false); /* an unfinished sequence is dropped */
    line_table_sort(&p->rows);
    p->has_rows = true;
}

/* Marks all sequences. False where rows must be kept. */
static bool marks_read(struct line_program *p, const uint8_t *bytes, struct tables *tables, line_code_asker is_code,
                       void *closure, const char **wrong)
{
    struct runner r = { .head = &p->head, .c = { bytes + p->head.start, bytes + p->head.end, false } };
    struct bytes operand;
    enum event event;
    struct line_sequence now = { 0 };
    size_t rows = 0;
    uint64_t last = 0;
    bool rising = true;
    runner_reset(&r);
    while ((event = row_next(&r, &operand)) < EVENT_OVER) {
        if (event == EVENT_FILE) {
            const char *name = bytes_text(&operand);
            if (!operand.bad)
                file_old(tables, &operand, name);
            continue;
        }
        if (!rows) {
            now = (struct line_sequence){ .low = r.address, .first = (uint32_t)p->mark_count };
            last = r.address;
        }
        bool kept = rising && r.address >= last;
        if (event == EVENT_ROW) {
            rising = kept;
            last = r.address;
            if (rows++ % ROWS_PER_MARK == 0)
                mark_add(p, &r, bytes);
            continue;
        }
        if (!rows || now.low >= r.address || !is_code(closure, now.low)) { /* it has no code */
            p->mark_count = rows ? now.first : p->mark_count;
            rising = kept || !rows || !is_code(closure, now.low);
        } else {
            rising = kept;
            now.high = r.address;
            now.end = (uint32_t)(r.c.at - bytes);
            now.count = (uint32_t)p->mark_count - now.first;
            *ARRAY_PUSH(p->sequence, p->sequence_count, p->sequence_capacity) = now;
        }
        if (!rising)
            return false;
        rows = 0;
        runner_reset(&r);
    }
    if (rows) /* an unfinished sequence is dropped */
        p->mark_count = now.first;
    *wrong = event == EVENT_BAD ? "unreadable line table" : *wrong;
    if (p->sequence_count)
        qsort(p->sequence, p->sequence_count, sizeof *p->sequence, sequence_order);
    for (size_t i = 1; i < p->sequence_count; i++)
        if (p->sequence[i].low < p->sequence[i - 1].high)
            return false;
    return true;
}

/* There may be as many programs as a large program has units. */
static void *shrunk(void *items, size_t count, size_t bytes)
{
    void *less = count ? realloc(items, count * bytes) : items;
    return less ? less : items;
}

const char *line_program_read(struct line_program *p, struct sections *sections, uint64_t offset, line_file_taker take,
                              line_code_asker is_code, void *closure)
{
    struct section_window window = { 0 };
    const char *wrong = NULL;
    uint8_t offset_size;
    uint64_t whole = section_size(sections, SECTION_LINE), left = offset < whole ? whole - offset : 0, length;
    const uint8_t *bytes = section_piece(sections, SECTION_LINE, offset, left < 12 ? left : 12, &window);
    struct bytes c = { bytes, bytes ? bytes + (left < 12 ? left : 12) : NULL, false };
    *p = (struct line_program){ .offset = offset };
    length = length_read(&c, &offset_size);
    left -= left < 12 ? left : offset_size == 8 ? 12 : 4;
    if (c.bad || length > left || length > UINT32_MAX - 12) {
        section_window_close(&window);
        return "unreadable line table";
    }
    uint32_t size = (uint32_t)length + (offset_size == 8 ? 12 : 4);
    bytes = section_piece(sections, SECTION_LINE, offset, size, &window);
    if (bytes && head_read(&p->head, bytes, size)) {
        struct tables tables = { .sections = sections, .head = &p->head, .take = take, .closure = closure };
        tables.c = (struct bytes){ bytes + p->head.tables, bytes + p->head.start, false };
        wrong = tables_read(&tables) ? NULL : "unreadable file table";
        if (!marks_read(p, bytes, &tables, is_code, closure, &wrong))
            rows_read(p, bytes, is_code, closure), p->sequence_count = p->mark_count = 0;
        free(tables.directory);
        p->sequence = shrunk(p->sequence, p->sequence_count, sizeof *p->sequence);
        p->mark = shrunk(p->mark, p->mark_count, sizeof *p->mark);
    } else {
        wrong = "unreadable line table";
    }
    section_window_close(&window);
    return wrong;
}

/* ---- finding ---- */

bool line_program_find(const struct line_program *p, struct sections *sections, struct section_window *window,
                       uint64_t address, struct line_row *row)
{
    if (p->has_rows) {
        const struct line_row *found = line_table_find(&p->rows, address);
        if (found)
            *row = *found;
        return found;
    }
    size_t low = 0, high = p->sequence_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (p->sequence[middle].low <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (!low || p->sequence[low - 1].high <= address)
        return false;
    const struct line_sequence *sequence = &p->sequence[low - 1];
    for (low = sequence->first, high = low + sequence->count; low < high;) {
        size_t middle = low + (high - low) / 2;
        if (p->mark[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    const struct line_mark *mark = &p->mark[low - 1];
    uint32_t end = low < sequence->first + sequence->count ? mark[1].at : sequence->end;
    const uint8_t *bytes =
        end > mark->at ? section_piece(sections, SECTION_LINE, p->offset + mark->at, end - mark->at, window) : NULL;
    struct runner r = { .head = &p->head,
                        .c = { bytes, bytes ? bytes + (end - mark->at) : NULL, false },
                        .address = mark->address,
                        .line = mark->line,
                        .file = mark->file,
                        .column = mark->column,
                        .operation = mark->operation };
    struct bytes operand;
    enum event event;
    *row = row_of(&r, false);
    while ((event = row_next(&r, &operand)) == EVENT_ROW || event == EVENT_FILE)
        if (event == EVENT_ROW && r.address > address)
            break;
        else if (event == EVENT_ROW)
            *row = row_of(&r, false);
    return true;
}

void line_program_close(struct line_program *p)
{
    free(p->sequence);
    free(p->mark);
    line_table_close(&p->rows);
    memset(p, 0, sizeof *p);
}
